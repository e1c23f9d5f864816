"""Random walks through everything a book does to memories, on each engine, beside a model that is plain values."""

import copy
import io
import itertools
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.upkeep.test_forgetting import older_copy

from commonplace import Commonplace, Settings
from commonplace.batches.report import Report
from commonplace.errors import Conflict, Invalid, NotFound, Tombstoned
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory, Receipt
from commonplace.testing.clock import StoppedClock
from commonplace.text.normal import normal
from commonplace.upkeep import prune
from commonplace.upkeep.doctor import doctor

ALL = ("candidate", "verified", "rejected", "stale", "archived")
CURRENT = ("candidate", "verified")
TEXTS = [f"{a} {b}" for a in ("harbour", "lighthouse", "Harbour") for b in ("freezes", "burns", "sinks")]
PEOPLE = ("Ada", "Bob", "Eve")
TAGS = ("sea", "ice", "Sea", "storm")
KEYS, VALUES = ("city", "tea"), ("Oslo", "Rome", "green")
SAID = [*TEXTS, *(f"{key}={value}" for key in KEYS for value in VALUES)]
HOME, OTHERS = "default", ("attic", "cellar")
MONTH = timedelta(days=30)
WALKS, PARTS, LENGTH = {"sqlite": 48, "postgres": 12}, 4, 60
Draw = Callable[[Random], Any]


def one_of(*choices: Any) -> Draw:
    return lambda chance: chance.choice(choices)


def some_of(*choices: Any) -> Draw:
    return lambda chance: chance.sample(choices, chance.randrange(3))


def index(chance: Random) -> int:
    return chance.randrange(100)


@dataclass(frozen=True)
class Step:
    """An act of the walk: how often it comes, whether it can, and what it is called with."""

    weight: int
    when: Callable[["Machine"], object]
    draws: dict[str, Draw]


STEPS: dict[str, Step] = {}


def step(
    weight: int, when: Callable[["Machine"], object] = lambda machine: True, **draws: Draw
) -> Callable[[Any], Any]:
    def marked(method: Any) -> Any:
        STEPS[method.__name__] = Step(weight, when, draws)
        return method

    return marked


class Named:
    """The same thing in a copy of the model as in the model."""

    serial: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.serial == other.serial

    def __hash__(self) -> int:
        return self.serial


@dataclass(eq=False)
class Place(Named):
    name: str
    description: str | None = None
    there: bool = True
    acts: int = 0
    """How often it was made, revised or taken back."""
    serial: int = field(default_factory=itertools.count().__next__)

    @property
    def said(self) -> tuple[object, ...]:
        return self.name, self.description, self.there

    def say(self, said: tuple[object, ...]) -> None:
        self.name, self.description, self.there = said  # type: ignore[assignment]


@dataclass(eq=False)
class Tag(Named):
    place: Place
    name: str
    synonyms: frozenset[str] = frozenset()
    there: bool = True
    acts: int = 0
    serial: int = field(default_factory=itertools.count(1_000_000).__next__)

    @property
    def said(self) -> tuple[object, ...]:
        return self.name, self.synonyms, self.there

    def say(self, said: tuple[object, ...]) -> None:
        self.name, self.synonyms, self.there = said  # type: ignore[assignment]

    @property
    def labels(self) -> set[str]:
        return set(map(normal, {self.name, *self.synonyms}))


@dataclass(frozen=True)
class Called:
    """A state of an entity."""

    label: str
    aliases: frozenset[str] = frozenset()
    there: bool = True


@dataclass
class Person:
    """An entity, with all its states."""

    id: str
    states: list[Called]
    tags: frozenset[Tag] = frozenset()

    @property
    def now(self) -> Called:
        return self.states[-1]

    def become(self, **changes: object) -> None:
        self.states.append(replace(self.now, **changes))


@dataclass(frozen=True)
class State:
    text: str
    status: str
    importance: float
    pinned: bool
    place: Place
    retired: datetime | None = None
    tags: frozenset[Tag] = frozenset()
    expires: datetime | None = None
    ends: tuple[str, str] | None = None
    """The entities that a relation is between."""
    until: datetime | None = None
    """When it ceased to be true."""


@dataclass
class One:
    """A memory of the model, with all its states."""

    id: str
    kind: str
    recorded: datetime
    states: list[State] = field(default_factory=list)
    key: str | None = None
    tags: frozenset[Tag] = frozenset()
    """As they are now: deleting or merging a tag makes no version."""
    rests_on: frozenset[str] = frozenset()
    """Episodes. No version either."""

    @property
    def now(self) -> State:
        return self.states[-1]

    @property
    def value(self) -> tuple[Place, str]:
        return self.now.place, valued(self.now.text, self.key)

    def become(self, **changes: object) -> None:
        self.states.append(replace(self.now, **{"tags": self.tags, **changes}))
        self.tags = frozenset(tag for tag in self.now.tags if tag.there)

    def back_to(self, state: State) -> None:
        self.states.append(state)
        self.tags = frozenset(tag for tag in state.tags if tag.there)


@dataclass
class World:
    """What a backup holds and a restore brings back."""

    memories: dict[str, One] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)


@dataclass(frozen=True)
class Stone:
    act: str
    at: datetime
    target: str


@dataclass(frozen=True)
class Act:
    """Something done that can be taken back later: which memories it took from which version to which."""

    ref: str
    touched: dict[str, tuple[int | None, int]]
    people: dict[str, tuple[int | None, int]]
    put: frozenset[tuple[Place, str]]
    lifted: dict[tuple[Place, str], Stone]
    strict: bool
    """Refused as a whole where something changed since; a tidying leaves that alone and takes back the rest."""
    lent: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = ()
    """Evidence that a merging gave, or its undoing took: taken back, it goes or comes again."""


@dataclass(frozen=True)
class Revision:
    """What an act did to a tag or a namespace: how it was, how it is, and the links that it gave and took."""

    what: Tag | Place
    before: tuple[object, ...]
    after: tuple[object, ...]
    acts: int
    gave: frozenset[str] = frozenset()
    took: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Naming:
    """An act on tags or namespaces, which can be taken back as long as there is no other on the same."""

    ref: str
    revisions: tuple[Revision, ...]


class Machine:
    """A book, and beside it the model."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self.numbers = itertools.count()
        self.clock = StoppedClock()
        self.owner = uuid.uuid4().hex
        if self.url.startswith("sqlite"):
            self.url = f"sqlite:///{self.folder}/{self.owner}.db"
        self.book = self.opened(self.owner)
        self.home = Place(HOME)
        self.world = World(places=[self.home])
        self.stones: dict[tuple[Place, str], Stone] = {}
        self.forgotten: set[str] = set()
        self.erased: set[Place] = set()
        self.done: list[Act | Naming] = []
        self.last: str | None = None
        """The memory that was touched last."""
        self.then: list[tuple[datetime, dict[str, State]]] = []
        self.saved: tuple[object, World, datetime] | None = None
        self.furnish()

    def furnish(self) -> None:
        """Something of everything, so that each act finds something to do from the beginning."""
        self.observe(0)
        self.create_place(OTHERS[0])
        for text, pinned in ((TEXTS[0], True), (TEXTS[1], False)):
            self.remember(text, 0.1, pinned, 0, ["sea"], True)
        self.learn(TEXTS[2], 0)
        self.observe(1)
        self.learn(TEXTS[3], 0)
        self.revise(0, TEXTS[2])  # the same value twice, on two turns

    def opened(self, owner: str) -> Commonplace:
        given = Settings(home=self.folder / "home", embedder="none")
        return Commonplace.open(self.url, owner=owner, settings=given, clock=self.clock)

    @property
    def model(self) -> dict[str, One]:
        return self.world.memories

    def within(self, place: Place) -> Commonplace:
        return self.book.within(place.name)

    def some(self, number: int, *kinds: str) -> One | None:
        """Often the one of the act before: what is done to a thing matters most to what is done to it next."""
        fitting = [one for one in self.model.values() if not kinds or one.kind in kinds]
        if self.last in self.model and self.model[self.last] in fitting and number < 50:
            return self.model[self.last]
        return fitting[number % len(fitting)] if fitting else None

    def place(self, number: int) -> Place:
        return self.world.places[number % len(self.world.places)]

    def stone(self, one: One, state: State, act: str) -> None:
        self.stones[state.place, valued(state.text, one.key)] = Stone(act, self.clock.at, one.id)

    @contextmanager
    def act(self, *, strict: bool = True) -> Iterator[list[Receipt | Report]]:
        """Writes down what an act does to the model; the body appends what the book answered."""
        rested = {id: one.rests_on for id, one in self.model.items()}
        lengths = {id: len(one.states) for id, one in self.model.items()}
        known = {id: len(one.states) for id, one in self.world.people.items()}
        stones = dict(self.stones)
        answers: list[Receipt | Report] = []
        yield answers
        ref = answers[0].ref if isinstance(answers[0], Receipt) else answers[0].receipt
        touched, people = grown(lengths, self.model), grown(known, self.world.people)
        self.last = next(iter(touched), self.last)
        if ref is not None:
            put, lifted = frozenset(self.stones.keys() - stones.keys()), stones.keys() - self.stones.keys()
            rests = [(id, one.rests_on, rested.get(id, one.rests_on)) for id, one in self.model.items()]
            lent = tuple((id, now - then, then - now) for id, now, then in rests if now != then)
            self.done.append(Act(ref, touched, people, put, {one: stones[one] for one in lifted}, strict, lent))

    # Keep

    @step(
        8,
        text=one_of(*TEXTS),
        importance=one_of(0.1, 0.8),
        pinned=one_of(True, False, False),
        where=index,
        tags=some_of(*TAGS),
        lasts=one_of(True, True, False),
    )
    def remember(self, text: str, importance: float, pinned: bool, where: int, tags: list[str], lasts: bool) -> None:
        place = self.place(where)
        book = self.within(place)
        if (place, normal(text)) in self.stones:
            with pytest.raises(Tombstoned):
                book.remember(text)
            return
        expires = None if lasts else self.clock.at + timedelta(days=10)
        with self.act() as answers:
            receipt = book.remember(text, importance=importance, pinned=pinned, tags=tags, expires_at=expires)
            answers.append(receipt)
            state = State(text, "verified", importance, pinned, place, tags=self.named(place, tags), expires=expires)
            self.stated(receipt.id, "associative", state)

    @step(2, texts=lambda chance: chance.sample(TEXTS[:6], chance.randint(1, 3)), where=index)
    def remember_many(self, texts: list[str], where: int) -> None:
        place = self.place(where)
        if any((place, normal(text)) in self.stones for text in texts):
            return
        with self.act() as answers:
            answers.append(receipt := self.within(place).remember_many(texts))
            weights = {id: self.within(place).get(id).importance for id in receipt.ids}
            for text, change in zip(texts, receipt.changes, strict=True):
                self.stated(change.id, "associative", State(text, "verified", weights[change.id], False, place))

    @step(6, key=one_of(*KEYS), value=one_of(*VALUES), where=index)
    def set_core(self, key: str, value: str, where: int) -> None:
        place = self.place(where)
        if (place, valued(value, key)) in self.stones:
            with pytest.raises(Tombstoned):
                self.within(place).core.set(key, value)
            return
        held = [one for one in self.model.values() if one.key == key and one.now.place == place and current(one)]
        with self.act() as answers:
            answers.append(receipt := self.within(place).core.set(key, value))
            made = receipt.id
            if any(normal(one.now.text) == normal(value) for one in held):
                self.stated(made, "core", State(value, "verified", 0.5, False, place), key=key)
                return
            for one in held:
                one.become(status="stale", until=self.clock.at)
            weight = self.within(place).get(made).importance
            self.stated(made, "core", State(value, "verified", weight, False, place), key=key)

    @step(5, subject=one_of(*PEOPLE), object=one_of(*PEOPLE))
    def relate(self, subject: str, object: str) -> None:
        people = [next(iter(self.called(name)), None) for name in (subject, object)]
        if subject == object or (people[0] is not None and people[0] is people[1]):
            with pytest.raises(Invalid):
                self.book.relate(subject, "knows", object, object_type="person")
            return
        labels = [name if one is None else one.now.label for name, one in zip((subject, object), people, strict=True)]
        text = f"{labels[0]} knows {labels[1]}"
        if (self.home, normal(text)) in self.stones:
            with pytest.raises(Tombstoned):
                self.book.relate(subject, "knows", object, object_type="person")
            return
        with self.act() as answers:
            answers.append(receipt := self.book.relate(subject, "knows", object, object_type="person"))
            made = self.book.graph.get(receipt.ids[-1])
            for name, person in zip((subject, object), people, strict=True):
                id = self.book.graph.entity(name).id if person is None else person.id
                self.world.people.setdefault(id, Person(id, [Called(name)]))
            ends = made.subject.id, made.object.id
            weight = self.book.get(made.id).importance
            self.stated(made.id, "relational", State(text, "verified", weight, False, self.home, ends=ends))

    def called(self, name: str) -> list[Person]:
        """Who bears a name, the first made first."""
        there = [one for one in self.world.people.values() if one.now.there]
        return sorted((one for one in there if name in {one.now.label, *one.now.aliases}), key=lambda one: one.id)

    def stated(self, id: str, kind: str, state: State, *, key: str | None = None) -> None:
        value = (state.place, valued(state.text, key))
        same = sorted(one.id for one in self.model.values() if one.kind == kind and one.value == value and current(one))
        if same:
            assert id == same[0]
            one = self.model[id]
            weight = self.within(state.place).get(id).importance  # what is said again is worth a little more
            assert one.now.importance <= weight <= one.now.importance + 0.051
            one.become(status="verified", tags=one.tags | state.tags, importance=weight)
            return
        self.model[id] = One(id, kind, self.clock.at, [state], key, state.tags)

    @step(2, number=index)
    def observe(self, number: int) -> None:
        """A message that teaches nothing: a question."""
        text = f"What is on page {next(self.numbers)} of {number}?"
        with self.act() as answers:
            answers.append(receipt := self.book.observe(text, session="talk"))
            assert receipt.ids == (receipt.id,)
            weight = self.book.get(receipt.id).importance
            state = State(text, "verified", weight, False, self.home)
            self.model[receipt.id] = One(receipt.id, "episodic", self.clock.at, [state])

    @step(5, text=one_of(*TEXTS), number=index)
    def learn(self, text: str, number: int) -> None:
        """A conclusion, and the episode that it rests on."""
        episode = self.some(number, "episodic")
        if episode is None or (self.home, normal(text)) in self.stones:
            return
        scope = self.book._scope
        with write_transaction(scope, "LEARN") as work:
            held = Gateway(scope).admit(work, NewMemory(text=text), evidence=[(episode.id, None)])
            work.receipt()
        state = State(text, "verified", self.book.get(held.id).importance, False, self.home)
        self.stated(held.id, "associative", state)
        self.model[held.id].rests_on |= {episode.id}
        self.last = held.id

    # Correct

    @step(6, number=index, text=one_of(*TEXTS))
    def revise(self, number: int, text: str) -> None:
        one = self.some(number, "associative")
        if one is None:
            return
        with self.act() as answers:
            answers.append(self.within(one.now.place).revise(one.id, text, reason="said so"))
            if normal(text) == normal(one.now.text):
                one.become(text=text)
                return
            self.stones.pop((one.now.place, normal(text)), None)
            self.stone(one, one.now, "tombstone")
            one.become(text=text, status="verified")

    @step(3, number=index, tags=some_of(*TAGS))
    def tie(self, number: int, tags: list[str]) -> None:
        if one := self.some(number):
            with self.act() as answers:
                answers.append(self.within(one.now.place).revise(one.id, tags=tags))
                one.become(tags=self.named(one.now.place, tags))

    @step(5, number=index)
    def reject(self, number: int) -> None:
        if one := self.some(number):
            with self.act() as answers:
                answers.append(self.within(one.now.place).reject(one.id))
                self.stone(one, one.now, "tombstone")
                one.become(status="rejected", retired=self.clock.at)

    @step(5, number=index)
    def confirm(self, number: int) -> None:
        if one := self.some(number):
            with self.act() as answers:
                answers.append(self.within(one.now.place).confirm(one.id))
                self.stones.pop(one.value, None)
                self.give_way(one, one.now.place)
                one.become(status="verified", retired=None)

    def give_way(self, to: One, place: Place) -> None:
        """A core key holds one value at a time."""
        for one in self.model.values():
            if to.key is not None and one is not to and one.key == to.key and one.now.place == place and current(one):
                one.become(status="stale", until=self.clock.at)

    @step(3, number=index)
    def archive(self, number: int) -> None:
        if (one := self.some(number)) and one.now.status != "archived":
            with self.act() as answers:
                answers.append(self.within(one.now.place).archive(one.id))
                one.become(status="archived", retired=self.clock.at)

    @step(4, number=index)
    def end(self, number: int) -> None:
        if one := self.some(number, "associative", "relational", "core"):
            with self.act() as answers:
                answers.append(self.within(one.now.place).end(one.id))
                one.become(status="stale", until=self.clock.at)

    @step(5, number=index, version=index)
    def rollback(self, number: int, version: int) -> None:
        if one := self.some(number):
            to = one.states[version % len(one.states)]
            if to.place != one.now.place:
                return
            with self.act() as answers:
                answers.append(self.within(one.now.place).rollback(one.id, to=one.states.index(to) + 1))
                if to.status in CURRENT:
                    self.stones.pop((to.place, valued(to.text, one.key)), None)
                self.returned(one, to)

    def returned(self, one: One, to: State) -> None:
        if valued(to.text, one.key) != valued(one.now.text, one.key):
            self.stones.pop((one.now.place, valued(to.text, one.key)), None)
        if to.status in CURRENT:
            self.give_way(one, to.place)
        one.back_to(to)

    @step(9, lambda self: self.done, number=one_of(1, 1, 2, 3, 4))
    def undo_late(self, number: int) -> None:
        """One of the last acts, with others since."""
        self.undo(-number)

    @step(4, lambda self: self.done, number=index)
    def undo(self, number: int) -> None:
        """Of any receipt."""
        act = self.done[number % len(self.done)]
        if isinstance(act, Naming):
            self.undo_naming(act)
            return
        stays = [
            id for id, (_, after) in act.touched.items() if id in self.model and len(self.model[id].states) == after
        ]
        people = self.world.people
        known = [id for id, (_, after) in act.people.items() if id in people and len(people[id].states) == after]
        if act.strict and (len(stays), len(known)) != (len(act.touched), len(act.people)):
            with pytest.raises((Conflict, NotFound, Invalid)):
                self.book.undo(act.ref)
            return
        with self.act() as answers:
            answers.append(self.book.undo(act.ref))
            for id in sorted(stays, key=lambda id: self.holds_again(id, act)):
                self.put_back(self.model[id], act.touched[id][0], strict=act.strict)
            for id in known:
                before, person = act.people[id][0], people[id]
                if before is not None:
                    person.states.append(person.states[before - 1])
                elif not any(current(one) for one in self.tied_to(person)):
                    person.become(there=False)
            for value in act.put:
                self.stones.pop(value, None)
            for value, stone in act.lifted.items():
                self.stones[value] = replace(stone, act="tombstone", at=self.clock.at)
            for id, gained, lost in act.lent:
                if id in self.model:
                    self.model[id].rests_on = (self.model[id].rests_on - gained) | (lost & self.model.keys())
        self.done.remove(act)

    def holds_again(self, id: str, act: Act) -> bool:
        """What made room for another comes back when that one has gone."""
        before = act.touched[id][0]
        return before is not None and self.model[id].states[before - 1].status in CURRENT

    def put_back(self, one: One, before: int | None, *, strict: bool) -> None:
        if before is None:
            one.become(status="archived", retired=self.clock.at)
        elif strict:
            self.returned(one, one.states[before - 1])
        else:
            one.back_to(one.states[before - 1])

    @step(2, number=index)
    def forget(self, number: int) -> None:
        if one := self.some(number):
            self.within(one.now.place).forget(one.id)
            self.dropped(one)

    @step(1, key=one_of(*KEYS))
    def forget_core(self, key: str) -> None:
        held = [one for one in self.model.values() if one.key == key and one.now.place == self.home and current(one)]
        if held:
            self.book.core.forget(key)
            self.dropped(held[0])
        else:
            with pytest.raises(NotFound):
                self.book.core.forget(key)

    def dropped(self, one: One) -> None:
        """With whatever says the same there, and what rests on these alone. What has other evidence is less sure."""
        if one.id not in self.model:
            return
        victims = {one.id: one} | {other.id: other for other in self.model.values() if other.value == one.value}
        while more := [
            other
            for other in self.model.values()
            if other.rests_on and other.rests_on <= victims.keys() and other.id not in victims
        ]:
            victims |= {other.id: other for other in more}
        for victim in victims.values():
            for state in victim.states:
                self.stone(victim, replace(state, place=victim.now.place), "forget")
            del self.model[victim.id]
            self.forgotten.add(victim.id)
        for other in self.model.values():
            if other.rests_on & victims.keys():
                other.rests_on -= victims.keys()
                other.become()
        for id in {end for victim in victims.values() for end in victim.now.ends or ()}:
            if not self.world.people[id].tags and not any(id in (two.now.ends or ()) for two in self.model.values()):
                del self.world.people[id]

    # File

    def named(self, place: Place, names: list[str]) -> frozenset[Tag]:
        return frozenset(self.tag_of(place, name) or self.new_tag(place, name) for name in names)

    def tag_of(self, place: Place, name: str) -> Tag | None:
        fitting = (tag for tag in self.world.tags if tag.there and tag.place == place)
        return next((tag for tag in fitting if normal(name) in map(normal, {tag.name, *tag.synonyms})), None)

    def new_tag(self, place: Place, name: str, *synonyms: str, there: bool = True) -> Tag:
        self.world.tags.append(tag := Tag(place, name, frozenset(synonyms), there))
        return tag

    def things(self) -> dict[str, One | Person]:
        return {**self.model, **self.world.people}

    def tied_by(self, tag: Tag) -> frozenset[str]:
        return frozenset(id for id, one in self.things().items() if tag in one.tags)

    @contextmanager
    def naming(self, *whats: Tag | Place) -> Iterator[list[Receipt]]:
        """Writes down what an act does to tags or namespaces; the body appends what the book answered."""
        before = [(what, what.said, self.tied_by(what) if isinstance(what, Tag) else frozenset()) for what in whats]
        answers: list[Receipt] = []
        yield answers
        revisions = []
        for what, said, tied in before:
            what.acts += 1
            now = self.tied_by(what) if isinstance(what, Tag) else frozenset()
            revisions.append(Revision(what, said, what.said, what.acts, now - tied, tied - now))
        self.done.append(Naming(answers[0].ref, tuple(revisions)))

    def undo_naming(self, act: Naming) -> None:
        """Everything as it was before the act, or refused with nothing changed."""
        if not self.can_be_taken_back(act):
            with pytest.raises((Conflict, NotFound, Invalid)):
                self.book.undo(act.ref)
            return
        with self.naming(*(one.what for one in act.revisions)) as answers:
            answers.append(self.book.undo(act.ref))
            for one in act.revisions:
                one.what.say(one.before)
                if isinstance(one.what, Tag):
                    self.tie_again(one.what, one)
        for one in act.revisions:
            if isinstance(one.what, Place):
                self.world.places = [place for place in self.world.places if place.there]
        self.done.remove(act)

    def tie_again(self, tag: Tag, revision: Revision) -> None:
        for id, thing in self.things().items():
            place = thing.now.place if isinstance(thing, One) else self.home
            if id in revision.gave or not tag.there:
                thing.tags -= {tag}
            elif id in revision.took and place == tag.place:
                thing.tags |= {tag}

    def can_be_taken_back(self, act: Naming) -> bool:
        """No other act on the same since, nothing in use that would go, and no name taken that would come back."""
        whats = [one.what for one in act.revisions]
        for one in act.revisions:
            what, back = one.what, one.before[2]
            place = what.place if isinstance(what, Tag) else what
            if what.acts != one.acts or place not in self.world.places:
                return False
            if isinstance(what, Tag):
                if not back and self.tied_by(what) - one.gave:
                    return False
                if back and self.taken(what.place, labels_of(one.before), whats):
                    return False
            elif self.inhabited(what) if not back else self.named_so(str(one.before[0]), what):
                return False
        return True

    def taken(self, place: Place, labels: set[str], but: Sequence[object]) -> bool:
        here = [tag for tag in self.world.tags if tag.there and tag.place == place and tag not in but]
        return any(labels & tag.labels for tag in here)

    def named_so(self, name: str, but: Place) -> bool:
        return any(normal(one.name) == normal(name) for one in self.world.places if one != but)

    def inhabited(self, place: Place) -> bool:
        return any(one.now.place == place for one in self.model.values()) or any(
            tag.there and tag.place == place for tag in self.world.tags
        )

    def create_tag(self, name: str, other: str, where: int) -> None:
        place = self.place(where)
        if self.tag_of(place, name) or self.tag_of(place, other):
            with pytest.raises(Conflict):
                self.within(place).glossary.create(name, synonyms=[other])
            return
        tag = self.new_tag(place, name, other, there=False)
        with self.naming(tag) as answers:
            answers.append(self.within(place).glossary.create(name, synonyms=[other]))
            tag.there = True

    def rename_tag(self, name: str, to: str, where: int) -> None:
        place = self.place(where)
        tag, taken = self.tag_of(place, name), self.tag_of(place, to)
        if tag is None or (taken is not None and taken != tag):
            with pytest.raises((NotFound, Conflict)):
                self.within(place).glossary.revise(name, rename=to)
            return
        with self.naming(tag) as answers:
            answers.append(self.within(place).glossary.revise(name, rename=to))
            tag.name = to

    def merge_tags(self, name: str, into: str, where: int) -> None:
        place = self.place(where)
        source, target = self.tag_of(place, name), self.tag_of(place, into)
        if source is None or target is None or source == target:
            with pytest.raises((NotFound, Invalid)):
                self.within(place).glossary.merge(name, into=into)
            return
        with self.naming(source, target) as answers:
            answers.append(self.within(place).glossary.merge(name, into=into))
            target.synonyms |= {source.name, *source.synonyms}
            source.there = False
            for one in self.things().values():
                one.tags = frozenset(target if tag == source else tag for tag in one.tags)

    def delete_tag(self, name: str, where: int) -> None:
        place = self.place(where)
        tag = self.tag_of(place, name)
        if tag is None:
            with pytest.raises(NotFound):
                self.within(place).glossary.delete(name)
            return
        with self.naming(tag) as answers:
            answers.append(self.within(place).glossary.delete(name))
            tag.there = False
            for one in self.things().values():
                one.tags -= {tag}

    def create_place(self, name: str) -> None:
        if any(normal(place.name) == normal(name) for place in self.world.places):
            with pytest.raises(Conflict):
                self.book.namespaces.create(name)
            return
        place = Place(name, "made", there=False)
        with self.naming(place) as answers:
            answers.append(self.book.namespaces.create(name, description="made"))
            place.there = True
        self.world.places.append(place)

    def rename_place(self, where: int, to: str) -> None:
        place = self.place(where)
        taken = [one for one in self.world.places if normal(one.name) == normal(to) and one != place]
        if place == self.home or taken:
            with pytest.raises((Invalid, Conflict)):
                self.book.namespaces.revise(place.name, rename=to)
            return
        with self.naming(place) as answers:
            answers.append(self.book.namespaces.revise(place.name, rename=to, description="renamed"))
            place.name, place.description = to, "renamed"

    @step(6, number=index, where=index, then=one_of(None, None, "reject", "forget"))
    def move(self, number: int, where: int, then: str | None) -> None:
        one, to = self.some(number, "associative", "core"), self.place(where)
        if one is None or one.now.place == to:
            return
        with self.act() as answers:
            answers.append(self.within(one.now.place).namespaces.move([one.id], to=to.name))
            names = [tag.name for tag in one.tags]
            if current(one):
                self.give_way(one, to)
            one.become(place=to, tags=self.named(to, names))
        if then is not None:
            self.last = one.id
            {"reject": self.reject, "forget": self.forget}[then](0)

    def erase_place(self, where: int) -> None:
        place = self.place(where)
        if place == self.home:
            return
        self.book.erase(confirm=True, namespace=place.name)
        self.erased.add(place)
        self.world.places.remove(place)
        for one in [one for one in self.model.values() if one.now.place == place]:
            del self.model[one.id]
            self.forgotten.add(one.id)
        self.stones = {value: stone for value, stone in self.stones.items() if value[0] != place}

    # People

    def merge_people(self, keep: str, absorb: str) -> None:
        kept, gone = next(iter(self.called(keep)), None), next(iter(self.called(absorb)), None)
        if kept is None or gone is None or kept is gone:
            return
        with self.act() as answers:
            answers.append(self.book.graph.merge(kept.id, gone.id))
            kept.become(aliases=kept.now.aliases | {gone.now.label, *gone.now.aliases})
            gone.become(there=False)
            for one in self.tied_to(gone):
                self.reworded(one, tuple(kept.id if end == gone.id else end for end in one.now.ends or ()))

    def tied_to(self, person: Person) -> list[One]:
        return [one for one in self.model.values() if person.id in (one.now.ends or ())]

    def reworded(self, one: One, ends: tuple[str, ...]) -> None:
        text = " knows ".join(self.world.people[end].now.label for end in ends)
        if ends[0] == ends[1] and current(one):
            one.become(text=text, ends=ends, status="archived", retired=self.clock.at)
        else:
            one.become(text=text, ends=ends)

    def split_person(self, name: str, number: int) -> None:
        for person in self.called(name)[:1]:
            tied = self.tied_to(person)
            if not tied:
                return
            one, fresh = tied[number % len(tied)], f"Zed {next(self.numbers)}"
            with self.act() as answers:
                answers.append(self.book.graph.split(person.id, label=fresh, relations=[one.id]))
                made = self.book.graph.entity(fresh).id
                self.world.people[made] = Person(made, [Called(fresh)])
                person.become()
                self.reworded(one, tuple(made if end == person.id else end for end in one.now.ends or ()))

    def rename_person(self, name: str) -> None:
        for person in self.called(name)[:1]:
            fresh = f"Name {next(self.numbers)}"
            with self.act() as answers:
                answers.append(self.book.graph.revise_entity(person.id, label=fresh))
                person.become(label=fresh)
                for one in self.tied_to(person):
                    self.reworded(one, one.now.ends or ())

    def tie_person(self, name: str, tags: list[str]) -> None:
        for person in self.called(name)[:1]:
            self.book.graph.revise_entity(person.id, tags=tags)
            person.tags = self.named(self.home, tags)
            person.become()

    # Tidy

    @step(5, days=one_of(1, 20, 31))
    def wait(self, days: int) -> None:
        self.then.append((self.clock.at, {id: one.now for id, one in self.model.items()}))
        self.clock.advance(days=days)

    def tidied(self, report: Report, expected: list[One]) -> None:
        assert {one.id for one in report.findings} == {one.id for one in expected}

    def prune(self, where: int) -> None:
        place = self.place(where)
        old = [
            one
            for one in self.model.values()
            if one.kind != "episodic"
            and one.now.place == place
            and one.now.status in (*CURRENT, "stale")
            and one.now.importance < 0.3
            and not one.now.pinned
            and not (one.kind == "core" and one.now.status == "verified")
            and one.recorded < self.clock.at - MONTH
        ]
        self.tidied(self.within(place).prune(dry_run=True), old)
        with self.act(strict=False) as answers:
            answers.append(report := self.within(place).prune())
            self.tidied(report, old)
            for one in old:
                one.become(status="archived", retired=self.clock.at)

    def expire(self, where: int) -> None:
        place = self.place(where)
        over = [
            one
            for one in self.model.values()
            if one.now.place == place and current(one) and one.now.expires and one.now.expires <= self.clock.at
        ]
        with self.act(strict=False) as answers:
            answers.append(report := prune.expire(self.within(place)._scope))
            self.tidied(report, over)
            for one in over:
                one.become(status="stale", until=one.now.expires)

    def merge(self, where: int) -> None:
        place = self.place(where)
        groups: dict[object, list[One]] = {}
        for one in sorted(self.model.values(), key=lambda one: (one.recorded, one.id)):
            if current(one) and one.kind != "episodic" and one.now.place == place:
                groups.setdefault((one.kind, one.value), []).append(one)
        with self.act(strict=False) as answers:
            answers.append(report := self.within(place).merge())
            assert report.count == sum(len(group) - 1 for group in groups.values())
            for kept, *others in groups.values():
                if others:
                    both = [kept, *others]
                    expiries = [one.now.expires for one in both]
                    kept.become(
                        status="verified",
                        importance=max(one.now.importance for one in both),
                        pinned=any(one.now.pinned for one in both),
                        expires=None if None in expiries else max(expiries),  # type: ignore[type-var]
                        tags=frozenset().union(*(one.tags for one in both)),
                    )
                    kept.rests_on = frozenset().union(*(one.rests_on for one in both))
                for one in others:
                    one.become(status="archived", retired=self.clock.at)

    def purge(self, where: int) -> None:
        place, late = self.place(where), self.clock.at - MONTH
        gone = [
            one
            for one in self.model.values()
            if one.now.place == place
            and not one.now.pinned
            and not any(one.id in other.rests_on for other in self.model.values())
            and (
                (one.now.status == "archived" and one.now.retired is not None and one.now.retired < late)
                or (one.now.status == "stale" and one.now.expires is not None and one.now.expires <= late)
            )
        ]
        report = prune.purge(self.within(place)._scope)
        self.tidied(report, gone)
        for one in gone:
            del self.model[one.id]

    def reindex(self) -> None:
        self.book.reindex()

    def rotate(self, destroy: bool) -> None:
        if destroy and self.saved is not None:
            return  # the copy would not open any more, as it must not
        self.book.rotate_keys(destroy_old=destroy)

    def reopen(self) -> None:
        self.book.close()
        self.book = self.opened(self.owner)

    # In and out

    @step(1, undo=one_of(True, False))
    def travel(self, undo: bool) -> None:
        stream = io.StringIO()
        self.book.export(stream)
        twin = self.opened(uuid.uuid4().hex)
        report = twin.import_(io.StringIO(stream.getvalue()))
        assert self.seen(twin) == self.expected()
        assert twin.import_(io.StringIO(stream.getvalue())).receipt is None
        for place, text in itertools.product(self.world.places, TEXTS):
            if (place, normal(text)) in self.stones:
                with pytest.raises(Tombstoned):
                    twin.within(place.name).remember(text)
        if undo and report.receipt:
            twin.undo(report.receipt)
            assert {one[3] for one in self.seen(twin)} == {"archived"}  # type: ignore[index]
        twin.close()

    @step(3)
    def save(self) -> None:
        folder = self.folder / uuid.uuid4().hex
        folder.mkdir()
        self.saved = older_copy(self.book, folder), copy.deepcopy(self.world), self.clock.at

    @step(3, lambda self: self.saved)
    def restore(self) -> None:
        """Everything as it was, but for what was forgotten, rejected or erased since."""
        assert self.saved is not None
        bring_back, world, at = self.saved
        stood = set(self.stones)
        bring_back(self.book)  # type: ignore[operator]
        self.world = copy.deepcopy(world)
        self.world.places = [place for place in self.world.places if place not in self.erased]
        for one in [one for one in self.model.values() if one.now.place in self.erased]:
            del self.model[one.id]
        for one in [one for one in self.model.values() if one.id in self.forgotten or self.doomed(one)]:
            self.dropped(one)
        for one in self.model.values():
            if self.refused(one):
                one.become(status="rejected", retired=self.clock.at)
        for place, text in self.stones.keys() - stood:
            # forgotten elsewhere after it was moved, and let in again here before that: either may be the last word
            if text in map(normal, SAID) and text not in self.standing(place):
                del self.stones[place, text]
        self.done.clear()
        self.then = [(then, states) for then, states in self.then if then < at]

    def doomed(self, one: One) -> bool:
        stone = self.stones.get(one.value)
        return stone is not None and stone.act == "forget" and one.recorded <= stone.at

    def refused(self, one: One) -> bool:
        """Also where it was rejected in a namespace that it was moved to since."""
        if one.kind == "episodic" or one.now.status not in (*CURRENT, "stale"):
            return False
        said = one.value[1]
        return any(
            stone.act == "tombstone"
            and text == said
            and (one.recorded <= stone.at if place == one.now.place else stone.target == one.id)
            for (place, text), stone in self.stones.items()
        )

    # The like of each other share a rule, so that what changes memories comes often

    @step(
        8,
        act=one_of("create", "rename", "merge", "delete"),
        name=one_of(*TAGS),
        other=one_of(*TAGS, "wave"),
        where=index,
        undo=one_of(True, False, False),
    )
    def on_tags(self, act: str, name: str, other: str, where: int, undo: bool) -> None:
        acts = len(self.done)
        if act == "delete":
            self.delete_tag(name, where)
        else:
            {"create": self.create_tag, "rename": self.rename_tag, "merge": self.merge_tags}[act](name, other, where)
        if undo and len(self.done) > acts:
            self.undo(-1)

    @step(
        5,
        act=one_of("create", "create", "rename", "rename", "erase"),
        name=one_of(*OTHERS),
        where=index,
        undo=one_of(True, False, False),
    )
    def on_places(self, act: str, name: str, where: int, undo: bool) -> None:
        acts = len(self.done)
        if act == "create":
            self.create_place(name)
        elif act == "rename":
            self.rename_place(where, name)
        else:
            self.erase_place(where)
        if undo and len(self.done) > acts:
            self.undo(-1)

    @step(
        5,
        act=one_of("merge", "split", "rename", "tie"),
        name=one_of(*PEOPLE),
        other=one_of(*PEOPLE),
        number=index,
        tags=some_of(*TAGS),
    )
    def on_people(self, act: str, name: str, other: str, number: int, tags: list[str]) -> None:
        if act == "merge":
            self.merge_people(name, other)
        elif act == "split":
            self.split_person(name, number)
        elif act == "rename":
            self.rename_person(name)
        else:
            self.tie_person(name, tags)

    @step(9, act=one_of("prune", "prune", "expire", "merge", "merge", "purge"), where=index)
    def tidy(self, act: str, where: int) -> None:
        {"prune": self.prune, "expire": self.expire, "merge": self.merge, "purge": self.purge}[act](where)

    @step(2, act=one_of("reindex", "rotate", "destroy", "reopen"))
    def look_after(self, act: str) -> None:
        if act in ("rotate", "destroy"):
            self.rotate(act == "destroy")
        else:
            {"reindex": self.reindex, "reopen": self.reopen}[act]()

    @step(3, name=one_of(*TAGS), where=index)
    def check(self, name: str, where: int) -> None:
        self.agree()
        self.names()
        self.graph()
        self.stand()
        self.found_by_tag(name, where)

    # What must always hold

    def expected(self) -> list[object]:
        return sorted(  # type: ignore[return-value]
            (
                one.id,
                one.kind,
                one.now.text,
                one.now.status,
                one.now.importance,
                one.now.pinned,
                len(one.states),
                one.now.place.name,
                tuple(sorted(tag.name for tag in one.tags)),
                tuple(sorted(one.rests_on)),
            )
            for one in self.model.values()
        )

    def seen(self, book: Commonplace) -> list[object]:
        found = [one for place in self.world.places for one in book.within(place.name).browse(limit=1000, statuses=ALL)]
        rests_on: dict[str, list[str]] = {}
        with book._scope.store.read(book.owner) as tx:
            for row in tx.evidence.of("memory", [one.id for one in found]):
                rests_on.setdefault(row.id, []).append(row.episode)
        return sorted(  # type: ignore[return-value]
            (
                one.id,
                one.kind,
                one.text,
                one.status,
                one.importance,
                one.pinned,
                one.version,
                one.namespace,
                tuple(sorted(one.tags)),
                tuple(sorted(rests_on.get(one.id, ()))),
            )
            for one in found
        )

    def agree(self) -> None:
        seen, expected = self.seen(self.book), self.expected()
        assert seen == expected, set(seen) ^ set(expected)
        for one in list(self.model.values())[:5]:
            shown = {other.id for other in self.model.values() if current(other)}
            ids = {hit.memory.id for hit in self.within(one.now.place).recall(one.now.text, limit=100)}
            over = one.now.until is not None or (one.now.expires is not None and one.now.expires <= self.clock.at)
            assert ids <= shown and (over or (one.id in ids) == current(one))

    def stand(self) -> None:
        """Every value that may not come back, and no other."""
        for place in self.world.places:
            assert self.standing(place) == {text for text in map(normal, SAID) if (place, text) in self.stones}

    def standing(self, place: Place) -> set[str]:
        vault = self.book._scope.vault
        with self.book._scope.store.read(self.owner) as tx:
            row = tx.namespaces.by_label(vault.label("namespace", place.name))
            prints = {vault.fingerprint(row.id, text): normal(text) for text in SAID} if row else {}
            return {prints[one.fingerprint] for one in tx.tombstones.among(row.id, list(prints))} if row else set()

    def found_by_tag(self, name: str, where: int) -> None:
        place = self.place(where)
        tag = self.tag_of(place, name)
        wanted = {one.id for one in self.model.values() if tag in one.tags and one.now.place == place}
        found = self.within(place).browse(limit=1000, statuses=ALL, tags=[name])
        assert {one.id for one in found} == wanted

    def names(self) -> None:
        shown = {(one.name, one.description) for one in self.book.namespaces.list()}
        assert shown == {(place.name, place.description) for place in self.world.places}
        for place in self.world.places:
            tags = [tag for tag in self.world.tags if tag.there and tag.place == place]
            assert sorted(tag.name for tag in self.within(place).glossary.list()) == sorted(tag.name for tag in tags)
        for key, place in itertools.product(KEYS, self.world.places):
            held = [one for one in self.model.values() if one.key == key and one.now.place == place and current(one)]
            assert len(held) <= 1, "a core key holds one value at a time"
            shown_value = [one.text for one in self.within(place).core.list() if one.key == key]
            assert shown_value == [one.now.text for one in held]

    def graph(self) -> None:
        wanted = {
            (one.id, one.now.ends)
            for one in self.model.values()
            if one.kind == "relational" and current(one) and one.now.place == self.home
        }
        found = self.book.relations(limit=1000)
        assert {(one.id, (one.subject.id, one.object.id)) for one in found} == wanted
        for name in PEOPLE:
            bearers = {one.id for one in self.called(name)}
            near = {one.id for one in self.book.relations(subject=name, limit=1000)}
            assert near == {id for id, ends in wanted if ends and ends[0] in bearers}
            if bearers:
                walked = self.book.walk(name, depth=6)
                assert {one.id for one in walked.relations} <= {id for id, _ in wanted}
                assert {id for id, ends in wanted if bearers & set(ends or ())} <= {one.id for one in walked.relations}

        self.held_then()

    def held_then(self) -> None:
        """Who was related to whom, at moments of before and now."""
        tied = [
            one for one in self.model.values() if one.kind == "relational" and one.now.status in (*CURRENT, "stale")
        ]
        for at in [*(at for at, _ in self.then[-2:]), self.clock.at]:
            true = {one.id: one.now.ends or () for one in tied if one.now.until is None or one.now.until > at}
            begun = {one.id for one in tied if one.recorded <= at or (one.now.until or one.recorded) < one.recorded}
            for name in PEOPLE:
                bearers = {one.id for one in self.called(name)}
                if bearers:
                    walked = {one.id for one in self.book.walk(name, depth=1, as_of=at).relations}
                    there = {id for id, ends in true.items() if bearers & set(ends)}
                    assert there & begun <= walked <= there

    @step(2, lambda self: self.then, number=index)
    def past(self, number: int) -> None:
        """What was known then is known to have been known, as far as it was not forgotten."""
        at, states = self.then[number % len(self.then)]
        for id, state in list(states.items())[:8]:
            place = next((one for one in self.world.places if one == state.place), None)
            if id in self.model and place is not None:
                was = self.within(place).get(id, known_at=at)
                assert (was.text, was.status, was.importance) == (state.text, state.status, state.importance)
        for one in self.model.values():
            if one.recorded > at:
                with pytest.raises(NotFound):
                    self.within(one.now.place).get(one.id, known_at=at)

    def ends(self) -> None:
        for check in (self.agree, self.names, self.graph, self.stand):
            check()
        assert self.book.audit.verify().ok
        found = doctor(self.book._parts, full=True, owners=[self.owner]).symptoms
        wrong = [one.what for one in found if one.grade == "problem"]
        assert wrong == [], wrong
        self.book.close()


def grown(before: dict[str, int], now: dict[str, One] | dict[str, Person]) -> dict[str, tuple[int | None, int]]:
    return {id: (before.get(id), len(one.states)) for id, one in now.items() if before.get(id) != len(one.states)}


def unchanged(touched: dict[str, tuple[int | None, int]], now: dict[str, One] | dict[str, Person]) -> list[str]:
    return [id for id, (_, after) in touched.items() if id in now and len(now[id].states) == after]


def labels_of(said: tuple[object, ...]) -> set[str]:
    name, synonyms, _ = said
    assert isinstance(synonyms, frozenset)
    return set(map(normal, {str(name), *synonyms}))


def valued(text: str, key: str | None) -> str:
    return normal(text if key is None else f"{key}={text}")


def current(one: One) -> bool:
    return one.now.status in CURRENT


def walk(machine: Machine, seed: int, steps: int) -> None:
    """Steps drawn by their weights; a walk that fails tells them."""
    chance, told = Random(seed), []
    try:
        for _ in range(steps):
            fitting = [name for name, one in STEPS.items() if one.when(machine)]
            name = chance.choices(fitting, [STEPS[one].weight for one in fitting])[0]
            given = {what: draw(chance) for what, draw in STEPS[name].draws.items()}
            told.append(f"{name}({', '.join(f'{what}={one!r}' for what, one in given.items())})")
            getattr(machine, name)(**given)
        machine.ends()
    except BaseException as fault:
        fault.add_note(f"walk {seed}, step {len(told)}:\n" + "\n".join(told))
        raise


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_book_agrees_with_a_plain_model(book_url: str, tmp_path: Path, part: int) -> None:
    for seed in range(part, WALKS["sqlite" if book_url.startswith("sqlite") else "postgres"], PARTS):
        walk(Machine(book_url, tmp_path), seed, LENGTH)
