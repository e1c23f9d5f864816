"""A book with a life in it, for tests and pictures: told through the book's own verbs."""

from datetime import UTC, datetime, timedelta

from commonplace import Commonplace, Message

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


def tell(book: Commonplace, agent: Commonplace, *, now: datetime | None = None) -> None:
    """Fill an empty book: a conversation, what was learned from it, what an agent claims, core values and people."""
    now = now or datetime.now(UTC)
    start = now - timedelta(hours=3)
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
