"""Thirty days of a fictional person's conversations: what must be known at the end, and what must not."""

import importlib.util
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from types import ModuleType

import pytest

from commonplace import Commonplace, Settings
from commonplace.learning.queue import LEARN
from commonplace.memories import jobs
from commonplace.model import STATUSES
from commonplace.testing.clock import StoppedClock

DAY = Path(__file__).parent / "day"
BEFORE_THE_MOVE = datetime(2026, 3, 10, 23, 0, tzinfo=UTC)


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("day_life", DAY / "life.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


life = _script()


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commonplace]:
    clock = StoppedClock(datetime(2026, 3, 2, 0, 0, tzinfo=UTC))
    with life.open_book(tmp_path_factory.mktemp("month"), clock) as book:
        book.turns = life.live(book, clock)
        yield book


def lines(book: Commonplace, **fields: object) -> set[str]:
    return {life.line(one) for one in life.believed(book, **fields)}


def everything(book: Commonplace) -> str:
    return "\n".join(one.text for one in book.browse(statuses=STATUSES, limit=1_000))


@pytest.mark.one_engine("the same month is lived on PostgreSQL below")
def test_the_month_is_long_enough(month: Commonplace) -> None:
    assert month.turns >= 400  # type: ignore[attr-defined]
    assert len({turn.message.at.date() for turn in life.turns((DAY / "conversations.txt").read_text())}) == 30


@pytest.mark.parametrize("day", life.labels())
def test_what_a_reader_would_know_on_a_day_is_known_and_nothing_else(month: Commonplace, day: str) -> None:
    label = life.labels()[day]
    ended = None if day == life.LAST else datetime.combine(date.fromisoformat(day), time.max, UTC)
    made = life.judged(lines(month, at=ended), label)
    assert made.missed == label["missed"]
    assert made.wrong == label["wrong"]


def test_the_readers_labels_are_many() -> None:
    known = [name for label in life.labels().values() for name in label["known"]]
    forbidden = [name for label in life.labels().values() for name in label["not"]]
    assert len(life.labels()) >= 4
    assert len(known) >= 40
    assert len(forbidden) >= 25


def test_nothing_else_is_believed_but_the_passing_remarks_listed_with_the_labels(month: Commonplace) -> None:
    label = life.labels()[life.LAST]
    made = life.judged(lines(month), label)
    assert sorted(made.junk) == label["junk"]
    assert len(lines(month)) >= 45


def test_what_changed_is_known_as_it_is_and_as_it_was(month: Commonplace) -> None:
    now, before = lines(month), lines(month, at=BEFORE_THE_MOVE)
    assert "Nora lives in Oslo" in now
    assert "Nora lives in Vienna" not in now
    assert "Nora lives in Vienna" in before
    assert "Nora lives in Oslo" not in before
    assert {"cfo: Sven", "boss: Maria", "dentist: Dr. Hansen"} <= now
    assert {"cfo: Giulia", "boss: Henrik", "dentist: Dr. Weiss"} <= before
    as_of = month.recall("Where does Nora live?", kinds=["associative"], as_of=BEFORE_THE_MOVE, limit=3)
    assert as_of[0].memory.text == "Nora lives in Vienna"


def test_the_deadline_is_the_last_of_three(month: Commonplace) -> None:
    assert [one for one in lines(month) if "deadline" in one] == ["Acme deadline is due 2026-04-03"]
    assert "Acme deadline is due 2026-03-20" in lines(month, at=BEFORE_THE_MOVE)


def test_one_giulia_left_and_the_other_is_still_a_cousin(month: Commonplace) -> None:
    assert [edge.predicate for edge in month.relations(subject="Giulia")] == ["relative_of"]
    before = month.relations(subject="Giulia", as_of=BEFORE_THE_MOVE)
    assert {edge.predicate for edge in before} == {"relative_of", "cfo_of"}
    assert len({edge.subject.id for edge in before}) == 2


@pytest.mark.parametrize(
    "word",
    [
        *("Mallory", "evil", "runner", "Paris", "Bucharest", "Stockholm", "Berlin", "queen", "sister", "Redis"),
        *("eu-north-1", "ci-bot", "green tea", "dark blue", "Polestar", "campervan", "therapist"),
    ],
)
def test_jokes_pastes_injections_and_what_was_taken_back_are_not_believed(month: Commonplace, word: str) -> None:
    assert not [one for one in lines(month) if word.casefold() in one.casefold()]
    assert "Nora is allergic to peanuts" in lines(month)


@pytest.mark.parametrize("secret", life.SECRETS.values(), ids=life.SECRETS)
def test_a_secret_is_nowhere(month: Commonplace, secret: str) -> None:
    assert secret not in everything(month)
    assert "the deploy key is" in everything(month)


def test_what_was_to_be_forgotten_is_nowhere(month: Commonplace) -> None:
    assert "therapist" not in everything(month)
    assert "Actually, forget that" in everything(month)


def test_what_comes_again_was_noticed(month: Commonplace) -> None:
    assert {hint.text for hint in month.hints()} == {
        "Every Friday: “Please send me the weekly grid report”",
        "Usually around 13:00: “Deploy to staging, please”",
        "Most days around 09:00: “Write me the agenda for the standup please”",
    }


def test_every_belief_rests_on_words_that_were_said(month: Commonplace) -> None:
    for belief in life.believed(month):
        evidence = month.evidence(belief.id)
        assert evidence, belief.text
        assert all(quote is not None and quote in episode.text for episode, quote in evidence), belief.text


def test_no_work_is_left_behind(month: Commonplace) -> None:
    counts = month.jobs.counts()
    assert all(set(states) == {"done"} for states in counts.values())
    assert sum(counts["learn"].values()) > 30


@pytest.mark.postgres
def test_the_month_is_the_same_on_the_other_engine(month: Commonplace, postgres_url: str, tmp_path: Path) -> None:
    clock = StoppedClock(datetime(2026, 3, 2, 0, 0, tzinfo=UTC))
    settings = Settings(home=tmp_path / "home", timezone="UTC")
    with Commonplace.open(postgres_url, owner=life.OWNER, settings=settings, clock=clock) as book:
        life.live(book, clock)
        assert lines(book) == lines(month)
        assert lines(book, at=BEFORE_THE_MOVE) == lines(month, at=BEFORE_THE_MOVE)


def test_reading_the_whole_month_again_changes_nothing(month: Commonplace) -> None:
    before = {(one.id, one.version, one.status) for one in month.browse(statuses=STATUSES, limit=1_000)}
    ids = [one.id for one in month.browse(kinds=["episodic"], limit=1_000, newest=False)]
    scope = month._scope
    with scope.store.write(scope.owner) as tx:
        jobs.enqueue(scope, tx, LEARN, {"episodes": ids, "person": True, "receipt": None})
    month.reindex()
    month.maintain()
    assert month.jobs.counts()["learn"].keys() == {"done"}
    after = {(one.id, one.version, one.status) for one in month.browse(statuses=STATUSES, limit=1_000)}
    assert after == before
