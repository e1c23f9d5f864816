"""Learning as a job: at once or in the daily batch, never in the way, never lost and never done twice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import NotInPlan
from commonplace.learning import queue, rules
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep.learning_jobs import follow_plan

BELIEFS = ("core", "associative", "relational", "proactive")
EVERY = ("candidate", "verified", "rejected", "stale", "archived")
Opener = Callable[..., Commonplace]


class Killed(BaseException):
    """The process is gone: nothing after it runs."""


class Dying:
    """A store whose process dies at its ``at``-th transaction: before it commits, or right after."""

    def __init__(self, store: Any, *, at: int, committed: bool) -> None:
        self._store, self._left, self._committed = store, at, committed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def write(self, owner: str, **options: Any) -> Iterator[Any]:
        self._left -= 1
        if self._left < 0:
            raise Killed
        with self._store.write(owner) as tx:
            yield tx
            if self._left == 0 and not self._committed:
                raise Killed
        if self._left == 0:
            raise Killed


def state(book: Commonplace) -> list[tuple[Any, ...]]:
    """Everything that is or was believed, with how sure and on how much."""
    found = book.browse(kinds=BELIEFS, statuses=EVERY, limit=500)
    return sorted(
        (one.text, one.key, one.status, one.confidence, one.version, len(book.evidence(one.id))) for one in found
    )


def dying(book: Commonplace, *, at: int, committed: bool) -> Commonplace:
    parts = book._parts
    parts.store = Dying(parts.store, at=at, committed=committed)  # type: ignore[assignment]
    return type(book)(parts, parts.scope(book.owner, book.namespace))


SAID = "I moved to Oslo. My CFO is Giulia. I speak Norwegian."


@pytest.mark.parametrize(
    "said",
    [SAID, "Forget that I live in Vienna", "Forget what I said about Vienna", "I misspoke, I don't have a sister"],
)
@pytest.mark.parametrize("committed", [False, True], ids=["before the commit", "after the commit"])
def test_killed_between_any_two_steps_nothing_is_lost_or_done_twice(
    book_url: str, tmp_path: Any, said: str, committed: bool
) -> None:
    def opened(name: str, clock: StoppedClock) -> Commonplace:
        settings = Settings(home=tmp_path / "home")
        return Commonplace.open(book_url, owner=name, settings=settings, clock=clock)

    def prepared(name: str, clock: StoppedClock) -> Commonplace:
        book = opened(name, clock)
        book.observe(["I live in Vienna", "I have a sister in Rome", "I speak Norwegian"])
        clock.advance(hours=1)
        return book

    with prepared("reference-0", StoppedClock()) as book:
        book.observe(said)
        wanted = state(book)
    kills = 0
    for at in range(1, 30):
        clock = StoppedClock()
        with prepared(f"killed-{at}-{committed}", clock) as whole:
            try:
                dying(whole, at=at, committed=committed).observe(said)
            except Killed:
                kills += 1
            else:
                break
        with opened(f"killed-{at}-{committed}", clock) as book:
            if not any(said[:6] in one.text or "[forgotten]" in one.text for one in _episodes(book)[3:]):
                book.observe(said)  # it was never acknowledged, so it is sent again
            clock.advance(hours=1)
            book.maintain()
            assert state(book) == wanted, f"killed at step {at}"
            assert set(book.jobs.counts().get("learn", {})) == {"done"}
    assert kills >= 3


def _episodes(book: Commonplace) -> list[Any]:
    return book.browse(kinds=["episodic"], newest=False)


def test_a_failure_does_not_reach_the_caller_and_is_on_the_job(
    book: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **more: object) -> tuple[()]:
        raise RuntimeError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr("commonplace.learning.learn.candidates", broken)
        receipt = book.observe("I live in Vienna")
    assert "learning failed and will be tried again" in receipt.notes
    assert [one.text for one in book.browse()] == ["I live in Vienna"]
    (job,) = book.jobs.list()
    assert (job.state, job.error) == ("waiting", "RuntimeError in broken: out of order")
    assert book.stats().jobs["waiting"] >= 1
    book.jobs.replay(job.id)
    book.maintain()
    assert [one.text for one in book.browse(kinds=BELIEFS)] == ["Owner lives in Vienna"]


def test_a_job_that_keeps_failing_ends_in_the_dead_letter_and_can_be_replayed(
    book: Commonplace, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **more: object) -> tuple[()]:
        raise RuntimeError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr("commonplace.learning.learn.candidates", broken)
        book.observe("I live in Vienna")
        for _ in range(10):
            clock.advance(days=1)
            book.maintain()
    (job,) = book.jobs.list(kinds=["learn"])
    assert (job.state, job.attempts) == ("dead", 5)
    book.jobs.replay(job.id)
    book.maintain()
    assert [one.text for one in book.browse(kinds=BELIEFS)] == ["Owner lives in Vienna"]


def test_a_free_plan_learns_in_the_daily_batch_and_without_relations(
    open_book: Opener, settings: Settings, clock: StoppedClock
) -> None:
    book = open_book(settings=_plan(settings, "free"))
    receipt = book.observe(["I live in Vienna", "I work at Acme"])
    assert receipt.changes == ()
    assert book.browse(kinds=BELIEFS) == []
    (job,) = book.jobs.list(kinds=["learn"])
    assert job.state == "waiting"
    assert job.due_at > clock.now()
    clock.advance(days=1)
    book.maintain()
    assert {(one.kind, one.text) for one in book.browse(kinds=BELIEFS)} == {
        ("associative", "Owner lives in Vienna"),
        ("associative", "Owner works at Acme"),
    }
    with pytest.raises(NotInPlan) as caught:
        book.relations()
    assert "pro" in caught.value.plans


def test_moving_up_makes_relations_of_what_was_said_before_and_moving_down_hides_them(
    open_book: Opener, settings: Settings, clock: StoppedClock
) -> None:
    with open_book(settings=_plan(settings, "free")) as book:
        book.observe(["I work at Acme", "My CFO is Giulia"])
        clock.advance(days=1)
        book.maintain()
    with open_book(settings=_plan(settings, "team")) as book:
        assert book.relations() == []
        book.maintain()
        book.maintain()
        edges = {(one.subject.label, one.predicate, one.object.label, one.status) for one in book.relations()}
        assert edges == {("Owner", "works_at", "Acme", "verified"), ("Giulia", "cfo_of", "Owner", "verified")}
        assert "works_at" in book.context("where do I work")
        jobs = book.jobs.counts()["learn"]["done"]
        book.maintain()
        assert book.jobs.counts()["learn"]["done"] == jobs
    with open_book(settings=_plan(settings, "free")) as book:
        assert "works_at" not in book.context("where do I work")
        assert all(hit.memory.kind != "relational" for hit in book.recall("who works at Acme"))
        assert any(one.kind == "relational" for one in book.browse(kinds=["relational"]))


def test_reading_every_turn_again_changes_nothing(book: Commonplace, clock: StoppedClock) -> None:
    for said in ("I live in Vienna", "I moved to Oslo", "I have a sister in Rome", "I like tea", "My CFO is Giulia"):
        clock.advance(hours=1)
        book.observe(said)
    clock.advance(hours=1)
    book.observe("I misspoke, I don't have a sister")
    before = state(book)
    scope = book._scope
    with scope.store.write(scope.owner) as tx:
        ids = [one.id for one in _episodes(book)]
        queue.jobs.enqueue(scope, tx, queue.LEARN, {"episodes": ids, "person": True, "receipt": None})  # type: ignore[attr-defined]
    book.maintain()
    assert book.jobs.counts()["learn"] == {"done": 7}
    assert state(book) == before
    book.reindex()
    assert state(book) == before


def test_the_plan_is_followed_once(book: Commonplace) -> None:
    assert follow_plan(book._parts, book._scope) == {}
    assert follow_plan(book._parts, book._scope) == {}


def test_forget_that_reaches_into_the_turn_before_of_the_same_conversation(book: Commonplace) -> None:
    book.observe("I live in Vienna", session="one")
    book.observe("I like tea", session="two")
    book.observe("Forget that", session="one")
    assert [one.text for one in book.browse(kinds=BELIEFS)] == ["Owner likes tea"]


def test_in_a_long_conversation_the_turn_before_is_the_one_before(book: Commonplace) -> None:
    small = [f"ok thanks, {n}" for n in range(60)]
    book.observe([*small[:30], "I live in Vienna", "Forget that", *small[30:]])
    assert book.browse(kinds=BELIEFS) == []
    texts = [one.text for one in book.browse(limit=100)]
    assert not any("Vienna" in text for text in texts)
    assert len(texts) == 62


def test_forget_that_also_takes_what_taught_nothing(book: Commonplace) -> None:
    book.observe("I like tea", session="one")
    book.observe("I'm seeing somebody about my nerves", session="one")
    book.observe("Actually, forget that.", session="one")
    assert not any("nerves" in one.text for one in book.browse(limit=100))
    assert [one.text for one in book.browse(kinds=BELIEFS)] == ["Owner likes tea"]


def test_forget_that_after_a_request_means_never_mind(book: Commonplace) -> None:
    book.observe("Find a train to Bergen", session="one")
    book.observe("Actually, forget that.", session="one")
    assert any("Bergen" in one.text for one in book.browse(limit=100))


def test_forgetting_read_again_reaches_no_further_back(book: Commonplace) -> None:
    book.observe("I like tea", session="one")
    book.observe("I'm seeing somebody about my nerves", session="one")
    book.observe("Actually, forget that.", session="one")
    scope = book._scope
    with scope.store.write(scope.owner) as tx:
        ids = [one.id for one in _episodes(book)]
        queue.jobs.enqueue(scope, tx, queue.LEARN, {"episodes": ids, "person": True, "receipt": None})  # type: ignore[attr-defined]
    book.maintain()
    assert [one.text for one in book.browse(kinds=BELIEFS)] == ["Owner likes tea"]
    assert "I like tea" in [one.text for one in _episodes(book)]


def test_the_owner_may_be_named_as_the_speaker(open_book: Opener) -> None:
    book = open_book(owner="ada")
    book.observe([Message("I live in Vienna", speaker="Ada"), Message("I live in Rome", speaker="Marco")])
    assert {one.text: one.status for one in book.browse(kinds=BELIEFS)} == {
        "Ada lives in Vienna": "verified",
        "Marco lives in Rome": "candidate",
    }


def test_at_most_five_beliefs_come_from_a_turn(book: Commonplace) -> None:
    book.observe("I speak Italian, Spanish, French, German, Norwegian, Danish and Greek")
    assert len(book.browse(kinds=BELIEFS)) == rules.MOST


def _plan(settings: Settings, plan: str) -> Settings:
    return Settings(home=settings.home, plan=plan)
