"""The same conversations on both engines, the same keys: the same first ten for the same question."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from commonplace import Commonplace, Settings
from commonplace.testing.clock import StoppedClock

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

PEOPLE = ("Nora", "Giulia", "Henrik", "Amina", "Tomasz", "Priya", "Jonas", "Leila", "Marco", "Yuki", "Pavel", "Ines")
PLACES = ("Vienna", "Turin", "Lisbon", "Bergen", "Kyoto", "Tallinn", "Oaxaca", "Marrakesh", "Hobart", "Riga")
DOINGS = (
    "{who} moved to {where} for a job at the harbour office",
    "{who} is allergic to walnuts, and found out in {where}",
    "In {where} {who} bought a blue bicycle with one broken pedal",
    "{who} teaches ceramics on Thursday evenings near the station in {where}",
    "My sister met {who} in {where} at a conference about power grids",
    "{who} wants to repaint the kitchen before the guests from {where} arrive",
    "We missed the night train to {where} because {who} had lost the tickets",
    "{who} prefers tea, but in {where} only coffee is worth drinking",
    "The dentist in {where} told {who} to come back in {month}",
    "{who} adopted a grey cat in {month} and named it after {where}",
    "For the marathon in {where} {who} trains every morning since {month}",
    "{who} reads crime novels set in {where} and lends them to everybody",
    "The budget for the {where} project was cut in {month}, {who} said",
    "{who} plays the viola in an orchestra that tours {where} each {month}",
)
ANSWERS = ("Really? I had no idea.", "That sounds like {who}.", "I was in {where} in {month} too!", "Tell me more.")
MONTHS = ("January", "March", "April", "June", "August", "October", "November")
QUESTIONS = (
    "Where did {who} move for the job?",
    "Who is allergic to walnuts?",
    "What did {who} buy in {where}?",
    "Who teaches ceramics in {where}?",
    "Why did we miss the train to {where}?",
    "What does {who} prefer to drink?",
    "When does {who} see the dentist?",
    "What is the name of the cat that {who} adopted in {month}?",
    "who runs marathons",
    "crime novels",
    "What happened to the {where} project in {month}?",
    "which instrument does {who} play",
    "{who} {where}",
    "Does anybody know someone from {where}?",
)
TESTER = "commonplace_tester"
SESSIONS, TURNS, NOTES, ASKED, FIRST = 24, 14, 80, 200, 10


def said(chance: random.Random, form: str) -> str:
    return form.format(who=chance.choice(PEOPLE), where=chance.choice(PLACES), month=chance.choice(MONTHS))


def live(book: Commonplace, clock: StoppedClock) -> None:
    """A year of conversations, some notes, and some corrections of both."""
    chance = random.Random(11)
    for session in range(SESSIONS):
        turns = [
            {"role": role, "speaker": speaker, "text": said(chance, chance.choice(forms))}
            for _ in range(TURNS // 2)
            for role, speaker, forms in (("user", chance.choice(PEOPLE), DOINGS), ("assistant", None, ANSWERS))
        ]
        book.observe(turns, session=f"talk {session}")
        clock.advance(days=3)
    kept = [book.remember(f"{said(chance, chance.choice(DOINGS))}, note {n}").id for n in range(NOTES)]
    for id in kept[::9]:
        book.revise(id, said(chance, "{who} has left {where} for good, in {month}"))
    for id in kept[4::13]:
        book.forget(id)


def first_ten(book: Commonplace, question: str) -> list[str]:
    return [hit.memory.text for hit in book.recall(question, limit=FIRST)]


@pytest.fixture(scope="module")
def pair(postgres_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Commonplace]]:
    """Two books with the keys of one: what is blinded and rotated by key is then the same on both."""
    folder = tmp_path_factory.mktemp("agreement")
    settings = Settings(home=folder / "home")
    with postgres_server.database() as database:
        urls = {"sqlite": f"sqlite:///{folder}/book.db", "postgres": postgres_server.url(database, user=TESTER)}
        books: dict[str, Commonplace] = {}
        for name, url in urls.items():
            clock = StoppedClock()
            books[name] = Commonplace.open(url, settings=settings, clock=clock)
            books[name]._parts.keychain.adopt("me", books["sqlite"]._parts.keychain.of("me"))
            live(books[name], clock)
        yield books
        for book in books.values():
            book.close()


def test_both_engines_rank_the_same_ten_first(pair: dict[str, Commonplace]) -> None:
    chance = random.Random(12)
    questions = [said(chance, QUESTIONS[number % len(QUESTIONS)]) for number in range(ASKED)]
    answers = {name: [first_ten(book, question) for question in questions] for name, book in pair.items()}
    assert sum(len(one) == FIRST for one in answers["sqlite"]) > ASKED * 0.9, "the questions find something"
    assert len({tuple(one) for one in answers["sqlite"]}) > ASKED / 3, "and not all the same"
    same = sum(one == other for one, other in zip(answers["sqlite"], answers["postgres"], strict=True))
    differing = [
        question
        for question, one, other in zip(questions, answers["sqlite"], answers["postgres"], strict=True)
        if one != other
    ]
    assert same >= 0.99 * ASKED, f"{len(differing)} of {ASKED} differ, as {differing[:3]}"


def test_filters_and_a_look_back_rank_the_same_too(pair: dict[str, Commonplace]) -> None:
    chance = random.Random(13)
    questions = [said(chance, QUESTIONS[number % len(QUESTIONS)]) for number in range(40)]
    at = pair["sqlite"].clock.now()
    for fields in ({"kinds": ("episodic",)}, {"kinds": ("associative",)}, {"until": at}, {"known_at": at}):
        one, other = (
            [[hit.memory.text for hit in book.recall(text, limit=FIRST, **fields)] for text in questions]
            for book in pair.values()
        )
        assert any(one), fields
        assert one == other, fields
