"""Random walks through everything a book does to memories, on each engine, beside a model that is a plain dict."""

import io
import itertools
import uuid
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from commonplace import Commonplace, Settings
from commonplace.errors import Tombstoned
from commonplace.maintenance import prune
from commonplace.maintenance.doctor import doctor
from commonplace.testing.clock import StoppedClock
from commonplace.text.normal import normal

ALL = ("candidate", "verified", "rejected", "stale", "archived")
CURRENT = ("candidate", "verified")
TEXTS = [f"{a} {b}" for a in ("harbour", "lighthouse", "Harbour") for b in ("freezes", "burns", "sinks")]
PEOPLE = ("Ada", "Bob", "Eve")
MONTH = timedelta(days=30)


@dataclass(frozen=True)
class State:
    text: str
    status: str
    importance: float
    pinned: bool
    retired: object = None


@dataclass
class One:
    """A memory of the model, with all its states."""

    id: str
    kind: str
    recorded: object
    states: list[State] = field(default_factory=list)

    @property
    def now(self) -> State:
        return self.states[-1]

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, normal(self.now.text)

    def become(self, **changes: object) -> None:
        self.states.append(replace(self.now, **changes))


class Machine(RuleBasedStateMachine):
    """``place`` is set by the test: the URL, and a folder."""

    url: str
    folder: Path
    numbers = itertools.count()

    def __init__(self) -> None:
        super().__init__()
        self.clock = StoppedClock()
        self.owner = uuid.uuid4().hex
        if self.url.startswith("sqlite"):
            self.url = f"sqlite:///{self.folder}/{self.owner}.db"
        self.book = self.opened(self.owner)
        self.model: dict[str, One] = {}
        self.stones: dict[str, tuple[str, object]] = {}
        self.saved: tuple[Path, dict[str, One]] | None = None
        self.forgotten: set[str] = set()
        self.observe(0)

    def opened(self, owner: str) -> Commonplace:
        given = Settings(home=self.folder / "home", embedder="none")
        return Commonplace.open(self.url, owner=owner, settings=given, clock=self.clock)

    def some(self, number: int, *kinds: str) -> One | None:
        fitting = [one for one in self.model.values() if not kinds or one.kind in kinds]
        return fitting[number % len(fitting)] if fitting else None

    def stone(self, text: str, act: str) -> None:
        self.stones[normal(text)] = (act, self.clock.at)

    # Keep

    @rule(text=st.sampled_from(TEXTS), importance=st.sampled_from([0.1, 0.8]), pinned=st.booleans())
    def remember(self, text: str, importance: float, pinned: bool) -> None:
        if normal(text) in self.stones:
            with pytest.raises(Tombstoned):
                self.book.remember(text)
            return
        receipt = self.book.remember(text, importance=importance, pinned=pinned)
        self.stated(receipt.id, "associative", text, importance, pinned)

    @rule(subject=st.sampled_from(PEOPLE), object=st.sampled_from(PEOPLE))
    def relate(self, subject: str, object: str) -> None:
        text = f"{subject} knows {object}"
        if subject == object or normal(text) in self.stones:
            return
        receipt = self.book.relate(subject, "knows", object, object_type="person")
        self.stated(receipt.ids[-1], "relational", text, None, False)

    def stated(self, id: str, kind: str, text: str, importance: float | None, pinned: bool) -> None:
        same = sorted(one.id for one in self.model.values() if one.key == (kind, normal(text)) and current(one))
        if same:
            assert id == same[0]
            self.model[id].become(status="verified")
            return
        weight = self.book.get(id).importance if importance is None else importance
        self.model[id] = One(id, kind, self.clock.at, [State(text, "verified", weight, pinned)])

    @rule(number=st.integers(0, 9))
    def observe(self, number: int) -> None:
        text = f"turn {next(self.numbers)} of {number}"
        id = self.book.observe(text, session="talk").id
        self.model[id] = One(
            id, "episodic", self.clock.at, [State(text, "verified", self.book.get(id).importance, False)]
        )

    # Correct

    @rule(number=st.integers(0, 99), text=st.sampled_from(TEXTS))
    def revise(self, number: int, text: str) -> None:
        one = self.some(number, "associative")
        if one is None:
            return
        self.book.revise(one.id, text, reason="said so")
        if normal(text) == normal(one.now.text):
            one.become(text=text)
            return
        self.stones.pop(normal(text), None)
        self.stone(one.now.text, "tombstone")
        one.become(text=text, status="verified")

    @rule(number=st.integers(0, 99))
    def reject(self, number: int) -> None:
        if one := self.some(number):
            self.book.reject(one.id)
            self.stone(one.now.text, "tombstone")
            one.become(status="rejected", retired=self.clock.at)

    @rule(number=st.integers(0, 99))
    def reject_and_undo(self, number: int) -> None:
        if one := self.some(number):
            before = one.now
            self.book.undo(self.book.reject(one.id))
            self.stones.pop(normal(before.text), None)
            one.states += [replace(before, status="rejected", retired=self.clock.at), before]

    @rule(number=st.integers(0, 99))
    def confirm(self, number: int) -> None:
        if one := self.some(number):
            self.book.confirm(one.id)
            self.stones.pop(normal(one.now.text), None)
            one.become(status="verified", retired=None)

    @rule(number=st.integers(0, 99))
    def archive(self, number: int) -> None:
        if (one := self.some(number)) and one.now.status != "archived":
            self.book.archive(one.id)
            one.become(status="archived", retired=self.clock.at)

    @rule(number=st.integers(0, 99), version=st.integers(0, 9))
    def rollback(self, number: int, version: int) -> None:
        if one := self.some(number):
            to = version % len(one.states)
            self.book.rollback(one.id, to=to + 1)
            if normal(one.states[to].text) != normal(one.now.text):
                self.stones.pop(normal(one.states[to].text), None)
            one.states.append(one.states[to])

    @rule(number=st.integers(0, 99))
    def forget(self, number: int) -> None:
        if one := self.some(number):
            self.book.forget(one.id)
            for state in one.states:
                self.stone(state.text, "forget")
            del self.model[one.id]
            self.forgotten.add(one.id)

    # Tidy

    @rule(days=st.sampled_from([1, 20, 31]))
    def wait(self, days: int) -> None:
        self.clock.advance(days=days)

    @rule(undo=st.booleans())
    def prune(self, undo: bool) -> None:
        old = [
            one
            for one in self.model.values()
            if one.kind != "episodic"
            and one.now.status in (*CURRENT, "stale")
            and one.now.importance < 0.3
            and not one.now.pinned
            and one.recorded < self.clock.at - MONTH
        ]
        report = self.book.prune()
        assert {one.id for one in report.findings} == {one.id for one in old}
        for one in old:
            before = one.now
            one.become(status="archived", retired=self.clock.at)
            if undo:
                one.states.append(before)
        if undo and report.receipt:
            self.book.undo(report.receipt)

    @rule()
    def merge(self) -> None:
        groups: dict[object, list[One]] = {}
        for one in sorted(self.model.values(), key=lambda one: (one.recorded, one.id)):
            if current(one) and one.kind != "episodic":
                groups.setdefault(one.key, []).append(one)
        assert self.book.merge().count == sum(len(group) - 1 for group in groups.values())
        for kept, *others in groups.values():
            if others:
                both = [kept, *others]
                importance = max(one.now.importance for one in both)
                kept.become(status="verified", importance=importance, pinned=any(one.now.pinned for one in both))
            for one in others:
                one.become(status="archived", retired=self.clock.at)

    @rule()
    def purge(self) -> None:
        gone = [
            one.id
            for one in self.model.values()
            if one.now.status == "archived" and not one.now.pinned and one.now.retired < self.clock.at - MONTH
        ]
        assert prune.purge(self.book._scope).count == len(gone)
        for id in gone:
            del self.model[id]

    @rule()
    def reindex(self) -> None:
        self.book.reindex()

    @rule()
    def rotate(self) -> None:
        self.book.rotate_keys()

    @rule()
    def reopen(self) -> None:
        self.book.close()
        self.book = self.opened(self.owner)

    @rule()
    def side(self) -> None:
        """Another namespace comes and goes without a trace here."""
        aside = self.book.within("aside")
        aside.remember("harbour freezes")
        self.book.erase(confirm=True, namespace="aside")
        assert aside.browse() == []

    # In and out

    @rule()
    def travel(self) -> None:
        stream = io.StringIO()
        self.book.export(stream)
        twin = self.opened(uuid.uuid4().hex)
        twin.import_(io.StringIO(stream.getvalue()))
        assert seen(twin) == self.expected()
        for text in TEXTS:
            if normal(text) in self.stones:
                with pytest.raises(Tombstoned):
                    twin.remember(text)
        twin.close()

    @precondition(lambda self: self.url.startswith("sqlite"))
    @rule()
    def save(self) -> None:
        path = self.folder / f"{uuid.uuid4().hex}.backup"
        self.book.backup(path)
        self.saved = path, {id: replace(one, states=list(one.states)) for id, one in self.model.items()}

    @precondition(lambda self: self.saved is not None)
    @rule()
    def restore(self) -> None:
        assert self.saved is not None
        path, kept = self.saved
        self.book.restore(path)
        self.model = {id: replace(one, states=list(one.states)) for id, one in kept.items() if id not in self.forgotten}
        for one in list(self.model.values()):
            act, at = self.stones.get(normal(one.now.text), (None, None))
            if act is None or one.recorded > at:
                continue
            if act == "forget":
                for state in one.states:
                    self.stone(state.text, "forget")
                del self.model[one.id]
                self.forgotten.add(one.id)
            elif one.kind != "episodic" and one.now.status in (*CURRENT, "stale"):
                one.become(status="rejected", retired=self.clock.at)

    # What must always hold

    def expected(self) -> list[object]:
        return sorted(
            (one.id, one.kind, one.now.text, one.now.status, one.now.importance, one.now.pinned, len(one.states))
            for one in self.model.values()
        )

    @rule()
    def agree(self) -> None:
        assert seen(self.book) == self.expected()
        shown = {one.id for one in self.model.values() if current(one)}
        for one in list(self.model.values())[:5]:
            ids = {hit.memory.id for hit in self.book.recall(one.now.text, limit=100)}
            assert ids <= shown and (one.id in ids) == current(one)

    def teardown(self) -> None:
        self.agree()
        assert self.book.audit.verify().ok
        found = doctor(self.book._parts, full=True, owners=[self.owner]).symptoms
        assert [one.what for one in found if one.grade == "problem"] == []
        self.book.close()


def current(one: One) -> bool:
    return one.now.status in CURRENT


def seen(book: Commonplace) -> list[object]:
    found = book.browse(limit=1000, statuses=ALL)
    return sorted((one.id, one.kind, one.text, one.status, one.importance, one.pinned, one.version) for one in found)


@pytest.mark.slow
def test_the_book_agrees_with_a_plain_model(book_url: str, tmp_path: Path) -> None:
    class Here(Machine):
        url, folder = book_url, tmp_path

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=15,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            phases=[Phase.generate],  # a failing walk is printed as it was; making it shorter takes minutes
        ),
    )
