"""Whatever the order in which sayings arrive, the book believes the same."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.learning.decide import Belief, check, decide
from commonplace.learning.rules import Utterance, candidates
from commonplace.learning.slots import SLOTS, same_value, slot_key, slot_value
from commonplace.model import CURRENT, Candidate

START = datetime(2026, 1, 1, tzinfo=UTC)
NOW = START + timedelta(days=400)
PLACES = ("Oslo", "Vienna", "Rome", "Lima", "Graz", "Kiel")


@dataclass
class Book:
    """What a book does with a decision, and nothing else."""

    beliefs: list[Belief] = field(default_factory=list)

    def hear(self, one: Candidate, said_at: datetime) -> None:
        near = [belief for belief in self.beliefs if belief.kind == one.kind]
        decision = check(decide(one, near, now=NOW, said_at=said_at), one, near, now=NOW, said_at=said_at)
        for id in (decision.target, *decision.also):
            if id is not None and decision.action in ("UPDATE", "DELETE"):
                status = {"status": "rejected"} if decision.tombstone else {"valid_to": decision.retire_at}
                self._change(id, **status)
        if decision.action == "NOOP" and decision.target and one.retracts is None:
            held = next(belief for belief in self.beliefs if belief.id == decision.target)
            self._change(held.id, said_at=max(said_at, held.said_at or said_at))
        if decision.action in ("ADD", "UPDATE") and not decision.review:
            self.beliefs.append(self._belief(one, said_at, decision.until))

    def _belief(self, one: Candidate, said_at: datetime, until: datetime | None) -> Belief:
        return Belief(
            id=str(len(self.beliefs)), statement=one.statement, subject=one.subject, predicate=one.predicate,
            object=one.object, many=one.many, kind=one.kind, key=one.key, valid_from=one.valid_from or said_at,
            valid_to=until or one.valid_to, said_at=said_at, recorded_at=NOW,
        )  # fmt: skip

    def _change(self, id: str, **what: object) -> None:
        self.beliefs = [replace(one, **what) if one.id == id else one for one in self.beliefs]  # type: ignore[arg-type]

    def at(self, moment: datetime) -> set[str | None]:
        return {
            one.object
            for one in self.beliefs
            if one.status in CURRENT
            and (one.valid_from or START) <= moment
            and not (one.valid_to and one.valid_to <= moment)
        }


def home(place: str, **more: object) -> Candidate:
    return Candidate(
        type="fact", statement=f"Owner lives in {place}", kind="associative", category="fact", quote="q", episode="e",
        subject="owner", predicate="lives_in", object=place, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def day(number: int) -> datetime:
    return START + timedelta(days=number)


@given(st.permutations(list(enumerate(PLACES))))
@settings(max_examples=200, deadline=None)
def test_sayings_in_any_order_make_one_history(sayings: list[tuple[int, str]]) -> None:
    book = Book()
    for number, place in sayings:
        book.hear(home(place), day(number * 10))
    for number, place in enumerate(PLACES):
        assert book.at(day(number * 10 + 5)) == {place}
    assert book.at(NOW) == {PLACES[-1]}


@given(st.permutations(list(enumerate(PLACES))), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_reading_everything_again_changes_nothing_believed_now(sayings: list[tuple[int, str]], times: int) -> None:
    book = Book()
    for _ in range(times):
        for number, place in sayings:
            book.hear(home(place), day(number * 10))
    assert book.at(NOW) == {PLACES[-1]}


@given(st.lists(st.sampled_from(PLACES), min_size=1, max_size=6), st.sampled_from(["ended", "wrong", "forget"]))
@settings(max_examples=100, deadline=None)
def test_what_was_taken_back_last_is_not_believed_whatever_is_read_again(said: list[str], how: str) -> None:
    book = Book()
    for number, place in enumerate(said):
        book.hear(home(place), day(number * 10))
    book.hear(home(said[-1], retracts=how), day(300))
    assert said[-1] not in book.at(NOW)
    for number, place in enumerate(said):
        book.hear(home(place), day(number * 10))
    assert said[-1] not in book.at(NOW)


def test_the_sister_stays_gone_when_the_first_message_is_fed_again() -> None:
    book = Book()
    first = Utterance(episode="1", text="I have a sister in Rome", at=day(1))
    for one in candidates(first):
        book.hear(one, first.at)
    assert book.at(NOW) == {"a sister", "Rome"}
    for one in candidates(Utterance(episode="2", text="I misspoke, I don't have a sister", at=day(2))):
        book.hear(one, day(2))
    assert book.at(NOW) == set()
    for one in candidates(first):
        book.hear(one, first.at)
    assert book.at(NOW) == set()


def test_vienna_then_oslo_believes_oslo_now_and_vienna_before() -> None:
    book = Book()
    for number, text in ((1, "I live in Vienna"), (60, "I moved to Oslo")):
        for one in candidates(Utterance(episode="e", text=text, at=day(number))):
            book.hear(one, day(number))
    assert (book.at(day(30)), book.at(NOW)) == ({"Vienna"}, {"Oslo"})


words = st.text(st.characters(codec="utf-8"), max_size=30)


@given(words, st.sampled_from(sorted(SLOTS)), words, st.booleans())
def test_a_saying_always_agrees_with_itself(subject: str, predicate: str, object: str, many: bool) -> None:
    key = slot_key(subject, predicate, object, many=many)
    assert key == slot_key(subject, predicate, object, many=many)
    value = slot_value(subject, predicate, object, many=many)
    assert same_value(value, value)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_rules(text: str) -> None:
    for one in candidates(Utterance(episode="e", text=text, at=NOW)):
        assert one.quote in text
        assert one.statement
