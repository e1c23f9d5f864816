"""A book with a life in it, for tests and pictures: told through the book's own verbs."""

from datetime import UTC, datetime, timedelta

from commonplace import Commonplace, Message
from commonplace.testing.clock import StoppedClock

MORNING = [
    ("Ada", "I would rather take the night train than fly, even if it takes longer."),
    ("Ada", "Giulia reports to Marco now; she took over irrigation in January."),
    ("Assistant", "I have moved the frost model back into one file and the tests are stable again."),
    ("Ada", "The clinic is in Via Roma 14."),
    ("Ada", "I live in Bologna and I work as an agronomist."),
]
FACTS = [
    ("Ada prefers trains to planes for anything under eight hours, and a window seat.", "preference", "travel"),
    ("The orchard planner keeps its frost model in one file; splitting it made tests flaky.", "decision", "orchard"),
    ("Every Friday afternoon Ada writes the weekly summary before leaving at four.", "routine", None),
    ("Never run the migration while the sensors are sending: two readings were lost in March.", "lesson", "orchard"),
    ("The Berlin trip is planned for the second week of May, with two free evenings.", "context", "travel"),
    ("Soil moisture explains the yield better than rainfall in the southern plots.", "insight", "orchard"),
    ("The deploy failed because the certificate of the staging host had expired.", "error", None),
    ("Marco’s daughter is called Elena; she starts school in September.", "fact", "family"),
]
CLAIMS = [
    ("Ada is allergic to walnuts.", "fact"),
    ("The growers prefer text messages to e-mail.", "insight"),
    ("The staging host will be replaced in June.", "context"),
]
CORE = {
    "name": "Ada Rossi",
    "diet": "vegetarian, no mushrooms",
    "working hours": "8:00 to 16:00, Fridays until 14:00",
    "tone": "short answers, no exclamation marks",
}
TIES = [
    ("Giulia", "reports_to", "Marco", "person"),
    ("Ada", "works_with", "Giulia", "person"),
    ("Ada", "works_on", "Orchard planner", "project"),
    ("Marco", "parent_of", "Elena", "person"),
    ("Giulia", "works_on", "Orchard planner", "project"),
    ("Ada", "lives_in", "Bologna", "place"),
]


SAYINGS = [
    "We checked the {} plots with Giulia this morning.",
    "The {} sensor reported twice, please look at it.",
    "I moved the meeting about the {} rows to Thursday.",
    "Remember that the {} valves need a new seal.",
]
LESSONS = [
    ("The {} valves need a new seal every spring.", "lesson"),
    ("The {} plots are watered before six in the morning.", "routine"),
    ("The growers want their report as a table.", "preference"),
]
PLACES = ["northern", "southern", "lower", "upper", "old", "river", "hillside", "western"]


def weeks(book: Commonplace, clock: StoppedClock, *, days: int = 34) -> None:
    """Some weeks of work: something said and something learned on most days."""
    end = clock.now()
    for day in range(days, 0, -1):
        clock.at = end - timedelta(days=day, hours=day % 5)
        place = PLACES[day % len(PLACES)]
        if day % 7 in (0, 6):
            continue
        said = [SAYINGS[(day + at) % len(SAYINGS)].format(PLACES[(day + at) % 8]) for at in range(1 + day % 4)]
        book.observe([Message(text, speaker="Ada", at=clock.now()) for text in said], session=f"Day {days - day}")
        for at in range(day % 3):
            text, category = LESSONS[(day + at) % len(LESSONS)]
            book.remember(text.format(place), category=category, tags=["orchard"])
    clock.at = end


def people(book: Commonplace) -> None:
    """A small world: who works with whom, on what, and where."""
    names = "Luca Sara Paolo Chiara Nina Omar Lena Teo Irene Bruno Vera Ivo Rosa Dario Elsa Gino".split()
    projects = ["Orchard planner", "Irrigation", "Frost model", "Field trial", "Market stall"]
    places = ["Bologna", "Ferrara", "Modena"]
    for at, name in enumerate(names):
        one, other = projects[at % 5], names[(at * 5 + 3) % len(names)]
        book.relate(name, "works_on", one, subject_type="person", object_type="project", confidence=0.6 + at % 4 / 10)
        book.relate(name, "lives_in", places[at % 3], subject_type="person", object_type="place", confidence=0.9)
        if other != name:
            book.relate(name, "works_with", other, subject_type="person", object_type="person", confidence=0.7)


PLAN = [
    ("Read the sensors", "completed", []),
    ("Fit the frost model", "completed", [0]),
    ("Choose thresholds by plot", "running", [1]),
    ("Send text messages", "completed", []),
    ("Keep quiet hours", "ready", [3]),
    ("Field trial", "pending", [2, 4]),
    ("Write the manual", "pending", [5]),
]


def pursue(book: Commonplace) -> str:
    """A directive half done, with what was learned on the way; its id."""
    made = book.directives.create(
        "Frost warnings for the orchard",
        "Warn the growers six hours before frost, by text message, with less than one false alarm a week.",
        memory_enabled=True,
        status="active",
    ).ids[0]
    ids: list[str] = []
    for name, _, before in PLAN:
        step = book.directives.add_step(
            made, name, description=f"{name}, with tests.", depends_on=[ids[at] for at in before]
        )
        ids.append(step.ids[0])
    for id, (_, status, _) in zip(ids, PLAN, strict=True):
        book.directives.revise_step(id, status=status)
    book.directives.remember(
        made, "One threshold for all plots gave three false alarms.", category="error", step=ids[2]
    )
    book.directives.remember(made, "The frost model stays in one file.", category="decision")
    return made


def tell(book: Commonplace, agent: Commonplace, *, now: datetime | None = None) -> None:
    """Fill an empty book: a conversation, what was learned from it, what an agent claims, core values and people."""
    now = now or datetime.now(UTC)
    start = max(
        now - timedelta(hours=3), now.replace(hour=0, minute=0, second=0)
    )  # on one day, also soon after midnight
    book.observe(
        [
            Message(text, speaker=who, role="user" if who == "Ada" else "assistant", at=start + timedelta(minutes=at))
            for at, (who, text) in enumerate(MORNING)
        ],
        session="Morning planning",
    )
    for text, category, tag in FACTS:
        book.remember(text, category=category, tags=[tag] if tag else [])
    for text, category in CLAIMS:
        agent.remember(text, category=category)
    for key, value in CORE.items():
        book.core.set(key, value)
    known = {name for name, _ in book.graph.predicates()}
    for subject, predicate, other, kind in TIES:
        if predicate not in known:
            book.graph.declare(predicate)
            known.add(predicate)
        book.relate(subject, predicate, other, subject_type="person", object_type=kind, confidence=0.86)
