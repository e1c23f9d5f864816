"""From a description to the memories, or the parts of memories, that it means."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from commonplace.clock import moment
from commonplace.errors import Ambiguous, Invalid, NotFound
from commonplace.memories import states
from commonplace.memories.forgetting import Meant
from commonplace.memories.gateway import FORGOTTEN
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.model import CURRENT, STATUSES, Hit, Query
from commonplace.providers.embed import Embedder
from commonplace.retrieval.concepts import said_as, surroundings, told_by
from commonplace.retrieval.describe import (
    FAINT,
    KINDS,
    STRONG,
    Fit,
    Level,
    ails,
    fit,
    held_before,
    kinds_of,
    may_mean,
    names_it,
    possible,
    prefers,
    value_of,
)
from commonplace.retrieval.description import Description, is_empty, owned_thing, read, spoken_in
from commonplace.retrieval.glosses import alike, is_the_owners, speaks_of, things_of
from commonplace.retrieval.lexical import unpack
from commonplace.retrieval.likeness import chances, nameless, plausible
from commonplace.retrieval.parts import Part, Text, take_apart
from commonplace.retrieval.statement import Statement, as_told
from commonplace.retrieval.whose import is_owners
from commonplace.retrieval.wording import plainly, surfaces
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, MemoryRow
from commonplace.text.identifiers import mentions
from commonplace.text.index import FIELD
from commonplace.text.normal import fold, normal
from commonplace.text.words import words

READ_WHOLE = 1_000
"""A book of so many texts is read from end to end; a larger one by the postings of the description's words."""
HITS = 60
BATCH = 1_000
SURE = 0.45
"""How likely the best must be, where no rule speaks for it."""
PLAUSIBLE, SWEPT, OWNERS = 0.5, 0.75, 0.3
"""How likely one must be by itself that meets the description only by words for the same matter; where all that do are
taken; where they are, and both speak of the owner."""
ALONE, CHOSEN, APART = 0.36, 0.2, 0.15
"""How near the words around a thing must be to what is said of it (the sum of two cosines): where it is the only one of
its name, or that is not its last word; where there are others; and by how much nearer than those around them."""
CLEAR = 0.8
"""How much of the chance of several that fit alike one must have, to be taken alone."""
_CALLED = ("old", "former", "previous", "earlier")
_PLACES = """Street St Road Rd Avenue Ave Lane Square Park Bridge Station Hotel Hostel Inn Pub Café Cafe Restaurant
School College University Academy Hospital Clinic Hill Court Close Crescent Drive Terrace Place Row Way Gate Tower House
Hall Building Airport Stadium Arena Theatre Theater Museum Library Church Cathedral Castle Beach Bay Island Lake River
Valley Mountain Village Town Gardens Garden Green Farm Mall Market Centre Center Boulevard Alley Wharf Quay Pier"""
NAMELESS = ("me", "owner", "user", "default", "default-user")


@dataclass(frozen=True, slots=True)
class _Found:
    held: Held
    text: Text
    parts: tuple[Part, ...]
    statement: Statement
    fit: Fit
    meaning: frozenset[str]

    @property
    def current(self) -> bool:
        return self.held.row.status in CURRENT


class Targets:
    """Finds what descriptions mean, for one scope."""

    def __init__(self, scope: Scope, hits: Callable[[Query], list[Hit]], embedder: Embedder | None) -> None:
        self._scope, self._hits = scope, hits
        self._near = Nearness(embedder)

    def find(
        self, text: str, *, all: bool = False, best: bool = False, apart: Callable[[Held], bool] = lambda held: False
    ) -> list[Meant]:
        """The targets, beliefs first; never those that ``apart`` sets apart.

        Raises ``NotFound``, or ``Ambiguous`` with the candidates' ids.
        """
        if all and best:
            raise Invalid("pass all=True or best=True, not both")
        try:
            return self._find(self._read(text), all=all, best=best, apart=apart)
        except NotFound:
            if not (plainer := owned_thing(text)):
                raise
        return self._find(self._read(plainer), all=all, best=best, apart=apart)

    def _find(self, wanted: Description, *, all: bool, best: bool, apart: Callable[[Held], bool]) -> list[Meant]:
        with self._scope.store.read(self._scope.owner) as tx:
            reader = Reader(self._scope)
            names = reader.namespaces(tx)
            owners = self._owners(tx, names)
            helds = self._candidates(tx, reader, wanted, names) if names else []
            helds = [held for held in helds if not apart(held)]
            found = [one for held in helds for one in self._judge(wanted, held, owners)]
            if wanted.statement and not wanted.sweeping and self._is_denied(wanted, helds, owners):
                found = [one for one in found if one.fit.level >= Level.WORDS]
            chosen = self._choose(wanted, found, all=all, best=best)
            chosen = self._with_copies(tx, chosen, found)
        return _meant(chosen)

    def find_one(self, text: str, *, best: bool = False) -> Meant:
        """The one memory to correct: a belief rather than the turns it rests on."""
        found = self.find(text, best=best)
        beliefs = [one for one in found if not one.episode] or found
        if len(beliefs) > 1 and not best and len({normal(one.said) for one in beliefs}) > 1:
            raise Ambiguous([one.id for one in beliefs])
        return beliefs[0]

    def _read(self, text: str) -> Description:
        if not text.strip():
            raise Invalid("describe what is meant in a few words, or name it by id")
        language = self._scope.language
        spoken = spoken_in(text) if language in ("en", "auto") else language
        wanted = read(text, now=self._scope.here(), language=spoken)
        if is_empty(wanted):
            raise Invalid("the description names nothing; say what it is about, or use `erase` for everything")
        return wanted

    def _owners(self, tx: Transaction, names: Mapping[str, str]) -> tuple[str, ...]:
        found = [] if self._scope.owner.lower() in NAMELESS else [self._scope.owner]
        if names:
            rows = tx.memories.find(Filter(namespaces=tuple(names), kinds=("core",), statuses=CURRENT), limit=200)
            opened = [states.opened(self._scope, row) for row in rows]
            found += [one.content.text for one in opened if one.content.key in ("name", "owner_name", "first_name")]
        return tuple(dict.fromkeys(found))

    # Candidates

    def _candidates(self, tx: Transaction, reader: Reader, wanted: Description, names: Mapping[str, str]) -> list[Held]:
        rows = [tx.namespaces.get(id) for id in names]
        if sum(row.documents for row in rows if row is not None) <= READ_WHOLE:
            return list(self._everything(tx, reader, names))
        found: dict[str, MemoryRow] = {}
        for namespace in names:
            docs = sorted(self._by_postings(tx, namespace, wanted))
            for start in range(0, len(docs), BATCH):
                found |= {row.id: row for row in tx.memories.by_docs(docs[start : start + BATCH])}
        if not wanted.sweeping or not found:
            found |= {row.id: row for row in self._recalled(tx, wanted, set(names))}
        return reader.held(tx, list(found.values()))

    def _everything(self, tx: Transaction, reader: Reader, names: Mapping[str, str]) -> Iterator[Held]:
        after = None
        while True:
            page = tx.memories.find(Filter(namespaces=tuple(names)), after=after, limit=BATCH)
            yield from reader.held(tx, page)
            if len(page) < BATCH:
                return
            after = page[-1].id

    def _by_postings(self, tx: Transaction, namespace: str, wanted: Description) -> set[int]:
        """Documents that hold every word of the description, or one for the same matter."""
        groups: list[list[str]] = []
        for name in (*wanted.names, *wanted.anchors):
            terms = [term for term in words(name, self._scope.language) if not term.startswith("s:")]
            groups += [[term, FIELD + term] for term in terms]
        groups += [[term] for term in (*wanted.numbers, *(one for one in wanted.dates if one.startswith("d:")))]
        for term in wanted.terms:
            if term not in wanted.optional:
                groups.append([term, *said_as(term, wanted.language)])
        return self._holding(tx, namespace, groups)

    def _holding(self, tx: Transaction, namespace: str, groups: Sequence[Sequence[str]]) -> set[int]:
        vault = self._scope.vault
        common: set[int] | None = None
        for group in groups:
            hashes = vault.terms(namespace, list(group))
            packed = tx.words.fetch(namespace, hashes)
            docs = {doc for hash in hashes if packed.get(hash) for doc in unpack(packed[hash]).docs.tolist()}
            common = docs if common is None else common & docs
            if not common:
                return set()
        return common or set()

    def _recalled(self, tx: Transaction, wanted: Description, names: set[str]) -> list[MemoryRow]:
        ids: dict[str, None] = {}
        for recipe in ("exact", "balanced"):
            query = Query(text=wanted.text, limit=HITS, recipe=recipe, statuses=STATUSES)
            ids |= dict.fromkeys(hit.memory.id for hit in self._hits(query))
        return [row for row in tx.memories.get(list(ids)) if row.namespace in names]

    # Judging one memory

    def _judge(self, wanted: Description, held: Held, owners: tuple[str, ...]) -> Iterator[_Found]:
        content = held.content
        if not _said_so(wanted, held) or not may_mean(wanted, content.text, content.speaker, owners):
            return
        text = take_apart(content.text)
        parts = text.parts
        mine = content.speaker is None or fold(content.speaker) in map(fold, (self._scope.owner, *owners))
        mine = mine and held.row.role in (None, "user")
        speaker = content.speaker or (owners[0] if mine and owners else None)
        whole = Statement(
            said=content.text, speaker=speaker, mine=mine, around=content.text, key=content.key, owners=owners
        )
        if len(parts) < 2 or normal(wanted.text) == normal(content.text):
            one = replace(whole, subject=parts[0].subject if parts else "")
            if parts and content.key is None and normal(wanted.text) != normal(content.text):
                one = replace(one, said=parts[0].said)
            one = as_told(one)
            if (fitting := fit(wanted, one, self._near) or possible(wanted, one)) is not None:
                yield _found(wanted, held, text, parts, one, fitting)
            return
        yield from self._judge_parts(wanted, held, text, parts, whole)

    def _is_denied(self, wanted: Description, helds: Sequence[Held], owners: tuple[str, ...]) -> bool:
        """Whether the opposite of a sentence is in the book, in its words: then nothing that is only near is meant."""
        opposite = replace(wanted, negative=not wanted.negative)
        found = (one for held in helds for one in self._judge(opposite, held, owners))
        return any(one.current and one.fit.level >= Level.WORDS for one in found)

    def _judge_parts(
        self, wanted: Description, held: Held, text: Text, parts: Sequence[Part], whole: Statement
    ) -> Iterator[_Found]:
        any_fits = False
        for part in parts:
            one = as_told(replace(whole, said=part.said, subject=part.subject))
            if (fitting := fit(wanted, one, self._near) or possible(wanted, one)) is not None:
                any_fits = any_fits or fitting.level > Level.POSSIBLE
                yield _found(wanted, held, text, [part], one, fitting)
        if any_fits:
            return
        for number in dict.fromkeys(part.place[0] for part in parts):
            sentence = text.sentences[number]
            inside = [part for part in parts if part.place[0] == number]
            one = replace(whole, said=text.text[sentence.start : sentence.end], subject=inside[0].subject)
            one = as_told(one)
            fitting = fit(wanted, one, self._near)
            if fitting is not None and fitting.level >= Level.MATTER:
                yield _found(wanted, held, text, _contributing(wanted, inside) or inside, one, fitting)

    # Choosing

    def _choose(self, wanted: Description, found: list[_Found], *, all: bool, best: bool) -> list[_Found]:
        if wanted.former:
            found = [one for one in found if not one.current or _is_former(wanted, one)]
        possible = found
        found = [self._believed(wanted, one) for one in found]
        found = [one for one in found if one.fit.level >= (Level.FAINT if wanted.sweeping else Level.MATTER)]
        if not found:
            return self._likeliest(wanted, possible, all=all, best=best)
        found = _holding_values(wanted, self._of_that_kind(wanted, _written_alike(wanted, found)))
        if not found:
            raise NotFound.by_description()
        if wanted.sweeping:
            return self._swept(wanted, found, all=all, best=best)
        pool = found if wanted.former else _holding(wanted, found)
        if wanted.mine:
            pool = [one for one in pool if is_owners(one.statement) and one.fit.level >= Level.MATTER] or pool
        pool = _preferred(wanted, pool if wanted.every else _highest(pool))
        groups = _grouped(pool)
        if len(groups) > 1 and not (all or wanted.plural):
            groups = self._clearest(wanted, groups)
        if len(groups) == 1 or all or wanted.plural:
            return [one for group in groups for one in group]
        if best:
            return max(groups, key=lambda group: self._standing(wanted, group))
        raise Ambiguous(list(dict.fromkeys(one.held.id for one in pool)))

    def _believed(self, wanted: Description, one: _Found) -> _Found:
        """One that meets the description only by words for the same matter must look like it as a whole, too."""
        if one.fit.level > Level.MATTER or one.fit.level is Level.POSSIBLE or self._near.blind:
            return one
        if any(ails(wanted, term, one.statement) for term in wanted.terms):
            return one
        if one.fit.level is Level.MATTER and (value := value_of(wanted)) and value.search(one.statement.said):
            return one
        owners = wanted.mine and is_owners(one.statement)
        floor = SWEPT if wanted.every else PLAUSIBLE if not wanted.sweeping else OWNERS if owners else SWEPT
        if plausible(wanted, one.statement, self._near) >= floor:
            return one
        return replace(one, fit=replace(one.fit, level=Level.POSSIBLE))

    def _likeliest(self, wanted: Description, found: Sequence[_Found], *, all: bool, best: bool) -> list[_Found]:
        """Where no rule finds anything: the one that is likelier meant than all others and than none."""
        groups = _alike([one for one in found if one.current] or found)
        if len(own := _the_owners(wanted, groups)) == 1:
            return own[0]
        chance = chances(wanted, [group[0].statement for group in groups], self._near)
        ranked = sorted(zip(chance, groups, strict=True), key=lambda pair: -pair[0])
        likely = [(how, group) for how, group in ranked if how >= SURE / 2]
        if not likely or sum(how for how, _ in likely) < SURE:
            return self._told_apart(wanted, groups)
        if likely[0][0] >= SURE or best:
            return _with_items(wanted, likely[0][1], groups)
        if len({one.held.id for _, group in likely for one in group}) == 1:
            return [one for _, group in likely for one in group]
        if all:
            return [one for _, group in likely for one in group]
        raise Ambiguous(list(dict.fromkeys(one.held.id for _, group in likely for one in group)))

    def _told_apart(self, wanted: Description, groups: list[list[_Found]]) -> list[_Found]:
        """Of those that speak of the very thing ("the crane at the building site"), the one whose other words are near
        what is said of it; the thing itself may have several meanings."""
        for at, (thing, gloss) in enumerate(things_of(wanted)):
            same = [group for group in groups if speaks_of(wanted, thing, gloss, group[0].statement)]
            near = [alike(wanted, thing, gloss, group[0].statement, self._near) for group in same]
            best = max(near, default=0.0)
            if best >= (ALONE if at or len(same) == 1 else CHOSEN) and sum(how > best - APART for how in near) == 1:
                return _with_items(wanted, same[near.index(best)], groups)
            if same:
                break
        raise NotFound.by_description()

    def _clearest(self, wanted: Description, groups: list[list[_Found]]) -> list[list[_Found]]:
        """Of several that the rules find alike, the one that is far likelier than the others, if there is one."""
        if len(own := _the_owners(wanted, groups)) == 1:
            return own
        chance = chances(wanted, [group[0].statement for group in groups], self._near)
        best = max(range(len(groups)), key=lambda at: chance[at])
        return [groups[best]] if chance[best] >= CLEAR * sum(chance) else groups

    def _of_that_kind(self, wanted: Description, found: list[_Found]) -> list[_Found]:
        """Where a name is told apart by what it is ("Jaguar, the car"), those that speak of that kind, if any do."""
        if not wanted.kind or wanted.known:
            return found
        kinds = kinds_of(wanted)
        sure = [_stands_beside(wanted, kinds, one) for one in found]
        floor = STRONG if any(sure) else FAINT
        of_that = [one for at, one in enumerate(found) if sure[at] or self._speaks_of(wanted, one) >= floor]
        return of_that or [one for one in found if any(_is_called(one, name) for name in wanted.names)]

    def _speaks_of(self, wanted: Description, one: _Found) -> float:
        """How near any of its words is to what a thing is said to be."""
        said = plainly(one.statement.said)
        named = {*map(fold, wanted.names), *wanted.surfaces.values()}
        others = [word for word in surfaces(said, wanted.language).values() if word not in named]
        return max((self._near(kind, other) for kind in wanted.kind.split() for other in others), default=0.0)

    def _swept(self, wanted: Description, found: list[_Found], *, all: bool, best: bool) -> list[_Found]:
        pool = [one for one in found if one.fit.level >= Level.MATTER]
        pool = pool or [one for one in found if one.fit.level is Level.NEAR or wanted.names]
        if not pool:
            raise NotFound.by_description()
        if wanted.mine and not wanted.names:
            pool = [one for one in pool if is_owners(one.statement) or _of_the(wanted, one)] or pool
        people = {name: _full_names(name, pool) for name in wanted.names if " " not in name}
        if not all and any(len(full) > 1 for full in people.values()):
            raise Ambiguous(list(dict.fromkeys(one.held.id for one in pool)))
        return pool

    def _nearness(self, wanted: Description, one: _Found) -> float:
        return self._near(nameless(wanted, wanted.text), nameless(wanted, one.statement.said))

    def _standing(self, wanted: Description, group: Sequence[_Found]) -> tuple[float, float, int]:
        one = group[0]
        return (round(one.fit.score, 3), round(self._nearness(wanted, one), 3), one.held.row.recorded_at)

    def _with_copies(self, tx: Transaction, chosen: list[_Found], found: Iterable[_Found]) -> list[_Found]:
        """With what is chosen goes every other saying of the same: the turn it rests on, an earlier belief."""
        meanings = {one.meaning for one in chosen}
        ids = {one.held.id for one in chosen}
        rests = {row.episode for row in tx.evidence.of(states.NOUN, list(ids))} if ids else set()
        places = {(one.held.id, part.place) for one in chosen for part in one.parts}
        more = [
            one
            for one in found
            if not {(one.held.id, part.place) for part in one.parts} <= places
            and (one.meaning in meanings or (one.held.id in rests and one.fit.level >= Level.MATTER))
        ]
        return chosen + more


class Nearness:
    """The cosine of two texts, each embedded once."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = None if embedder is None or embedder.remote else embedder
        self._known: dict[str, np.ndarray] = {}

    @property
    def blind(self) -> bool:
        return self._embedder is None

    def __call__(self, a: str, b: str) -> float:
        if self._embedder is None:
            return 0.0
        return float(self._vector(a) @ self._vector(b))

    def _vector(self, text: str) -> "np.ndarray":
        found = self._known.get(text)
        if found is None:
            assert self._embedder is not None
            made = np.asarray(self._embedder.embed([text])[0], np.float64)
            length = float(np.linalg.norm(made))
            found = self._known[text] = made / length if length else made
        return found


def _found(wanted: Description, held: Held, text: Text, parts: Sequence[Part], one: Statement, fitting: Fit) -> _Found:
    telling = {term for term in words(one.said, wanted.language) if not term.startswith("s:")}
    named = {term for name in (*one.owners, *wanted.names) for term in words(name, wanted.language)}
    other = {one.subject.lower()} & {"you", "he", "she", "they"}  # stop words, and yet somebody else
    return _Found(held, text, tuple(parts), one, fitting, frozenset((telling - named or telling) | other))


def _said_so(wanted: Description, held: Held) -> bool:
    """Who said it, and when."""
    if wanted.span is not None:
        at = moment(held.row.said_at if held.row.said_at is not None else held.row.recorded_at)
        first, last = wanted.span
        if not first <= at <= last:
            return False
    return wanted.speaker is None or _is_speaker(wanted.speaker, held)


def _is_speaker(who: str, held: Held) -> bool:
    role, speaker = held.row.role, fold(held.content.speaker or "")
    if who == "i":
        return role in (None, "user") and held.row.source == "user"
    if who == "assistant":
        return role == "assistant" or (role is None and held.row.source == "assistant")
    if role is None:
        return _quotes(fold(held.content.text), who)
    return bool(speaker) and names_it(speaker, who)


def _quotes(text: str, who: str) -> bool:
    """Whether a note reports what somebody said."""
    said = (
        r"(?:said|says|told|thinks|thought|mentioned|claims|claimed|suggested|recommended|promised|complained|believes)"
    )
    name = re.escape(who)
    return re.search(rf"\b{name}(?: \w+)? {said}\b|\baccording to {name}\b|\b{said} by {name}\b", text) is not None


def _contributing(wanted: Description, parts: Sequence[Part]) -> list[Part]:
    """Of a sentence that fits as a whole, the parts that say something of what is described."""
    asked = set(wanted.terms) | {term for name in wanted.names for term in words(name, wanted.language)}
    asked |= {other for term in wanted.terms for other in said_as(term, wanted.language)}
    shared = {term for part in parts for term in words(part.subject, wanted.language)}
    return [part for part in parts if (set(words(part.said, wanted.language)) - shared) & asked]


def _of_the(wanted: Description, one: _Found) -> bool:
    """Whether a sentence speaks of what is the owner's as known: "the divorce lawyer" beside "my divorce"."""
    ends = (
        r"is|are|was|were|has|had|will|can|\w+ed|of|in|on|at|for|with|from|and|about|that|per|to|by|until|before|after"
    )
    said = one.statement.said
    found = re.findall(rf"(?i)\b(?:the|this|that) ([\w-]+)(?: ([\w-]+))?(?= (?:{ends})\b|\W*$)", said)
    kin = "(?:mum|mom|dad|grandma|grandpa|granny|grandad)"
    known = re.fullmatch(rf"(?i)((?:the|this|that) (?:[\w-]+ )*[\w-]+|{kin})", one.statement.subject)
    heads = [" ".join(pair) for pair in found] + ([" ".join(known[1].lower().split()[-2:])] if known else [])
    asked = set(wanted.terms).union(*(told_by(term, wanted.language) for term in wanted.terms))
    return any(set(words(head, wanted.language)) & asked for head in heads)


def _written_alike(wanted: Description, found: list[_Found]) -> list[_Found]:
    """Where some write a word as the description does, with a capital or without, the others mean something else: rust
    and Rust, an apple and Apple."""
    for name in (name for name in wanted.names if " " not in name):
        written = re.compile(rf"\b{re.escape(name)}\b")
        found = [one for one in found if written.search(one.statement.said)] or found
        found = [one for one in found if not _within_another(one, name)] or found
        found = found if _is_place(found, name) else [one for one in found if not _in_an_address(one, name)] or found
    small = {wanted.surfaces[term] for term in wanted.terms if term in wanted.surfaces}
    if wanted.language == "de" or not any(word in wanted.text for word in small):
        return found
    return [one for one in found if not _called_so(wanted, one)] or found


def _within_another(one: _Found, name: str) -> bool:
    """Whether a name is there only as the beginning of a place's or a thing's: "the Bella Vista"."""
    longer = rf"(?i:\bthe) {re.escape(name)} (?!(?i:{'|'.join(KINDS.split())})\b)[A-ZÀ-Þ][a-zà-ÿ]+"
    return not mentions(re.sub(longer, " ", one.statement.said), name)


def _in_an_address(one: _Found, name: str) -> bool:
    """Whether a name is there only as the beginning of a place's, or a ruler's: "in Marlow Street", "Queen Anne"."""
    longer = rf"\b{re.escape(name)}(?: [A-ZÀ-Þ][a-zà-ÿ]+)?(?= (?:{'|'.join(_PLACES.split())})\b)"
    longer += rf"|\b(?:King|Queen|Emperor|Empress|Pope|Prince|Princess) {re.escape(name)}\b"
    return not mentions(re.sub(longer, " ", one.statement.said), name)


def _is_place(found: Sequence[_Found], name: str) -> bool:
    """Whether a name is anywhere a place's or a house's: "in Lisbon", "at Acme", "the Hilton"."""
    alone = r"\b(?:in|at|near|the|(?:\w+ed|flew|went|drove|trip|train|flight|goes?|drives?|fl(?:y|ies)) (?:to|from))"
    bare = re.compile(rf"{alone} {re.escape(name)}\b(?!['’]| [A-ZÀ-Þ])")
    return any(bare.search(one.statement.said) for one in found)


def _stands_beside(wanted: Description, kinds: frozenset[str], one: _Found) -> bool:
    """Whether a sentence speaks of a kind, or of what is met beside such things: cranes, the birds, of a meadow."""
    own = set(words(plainly(one.statement.said), wanted.language))
    beside = frozenset[str]().union(*(surroundings(kind, wanted.language) for kind in wanted.kind.split()))
    return bool(kinds & own or beside & own - set(words(wanted.text, wanted.language)))


def _is_called(one: _Found, name: str) -> bool:
    """Whether a name cannot be a plain word here: a capital inside the sentence, or no word at all."""
    return not name.isalpha() or re.search(rf"\w,? {re.escape(name)}\b", one.statement.said) is not None


def _called_so(wanted: Description, one: _Found) -> bool:
    """Whether a word of the description, small there, stands here as a name: a capital inside the sentence."""
    tokens = re.findall(r"[^\W\d_]+", one.statement.said)
    for term in wanted.terms:
        seen = [(at, token) for at, token in enumerate(tokens) if term in words(token.lower(), wanted.language)]
        other = wanted.surfaces.get(term, "").endswith("ing")  # billing is not Bill, even where he opens the sentence
        if seen and all(
            (at > 0 or (other and not token.endswith(("ing", "s")))) and token[:1].isupper() and token[1:].islower()
            for at, token in seen
        ):
            return True
    return False


def _holding_values(wanted: Description, found: list[_Found]) -> list[_Found]:
    """Where all values of a kind are asked for ("all phone numbers"), those that hold one."""
    value = value_of(wanted)
    return [one for one in found if value.search(one.statement.said)] if value else found


def _holding(wanted: Description, found: list[_Found]) -> list[_Found]:
    """What holds now, if anything does, and says so."""
    pool = [one for one in found if one.current] or found
    if wanted.plural or held_before(wanted.text) or wanted.dates or wanted.numbers:
        return pool
    top = max(one.fit.level for one in pool)
    lasting = [one for one in pool if not held_before(one.statement.said)]
    return lasting if any(one.fit.level == top for one in lasting) else pool


def _is_former(wanted: Description, one: _Found) -> bool:
    """Whether a sentence that still stands tells of what was, or calls the thing old itself."""
    said = set(words(one.statement.said, wanted.language))
    called = {term for term in wanted.terms if term in wanted.optional and wanted.surfaces.get(term, "") in _CALLED}
    return held_before(one.statement.said) or bool(called & said)


def _highest(pool: Sequence[_Found]) -> list[_Found]:
    top = max(one.fit.level for one in pool)
    return [one for one in pool if one.fit.level == top]


def _preferred(wanted: Description, pool: list[_Found]) -> list[_Found]:
    """Of several that fit alike, those about the owner where the owner speaks, or about the one who is named."""
    if wanted.mine and (mine := [one for one in pool if is_owners(one.statement)]):
        pool = mine
    if len(wanted.names) == 1 and not wanted.statement:
        name = wanted.names[0]
        if about := [one for one in pool if names_it(one.statement.subject, name)]:
            pool = about
    if wanted.every:
        return pool
    most = max(prefers(wanted, one.statement) for one in pool)
    return [one for one in pool if prefers(wanted, one.statement) == most]


def _alike(pool: Sequence[_Found]) -> list[list[_Found]]:
    """What says the same, together."""
    groups: dict[frozenset[str], list[_Found]] = {}
    for one in pool:
        groups.setdefault(one.meaning, []).append(one)
    return list(groups.values())


def _with_items(wanted: Description, group: list[_Found], groups: Sequence[list[_Found]]) -> list[_Found]:
    """With one member of a list the others of which as much is meant: "gave a toast to the bride and groom"."""
    first = group[0]
    if len(first.parts) != 1:
        return group
    asked = frozenset(wanted.terms).union(*(said_as(term, wanted.language) for term in wanted.terms))
    return group + [
        other
        for more in groups
        for other in more
        if other.held.id == first.held.id
        and len(other.parts) == 1
        and other.parts[0].place[:3] == first.parts[0].place[:3]
        and other.parts[0].place != first.parts[0].place
        and other.meaning & asked == first.meaning & asked
    ]


def _the_owners(wanted: Description, groups: list[list[_Found]]) -> list[list[_Found]]:
    return [group for group in groups if is_the_owners(wanted, group[0].statement)]


def _grouped(pool: Sequence[_Found]) -> list[list[_Found]]:
    """What says the same, or stands in one memory, together."""
    whole: dict[str, list[_Found]] = {}
    for group in _alike(pool):
        whole.setdefault(group[0].held.id, []).extend(group)
    return list(whole.values())


def _full_names(name: str, pool: Sequence[_Found]) -> set[str]:
    """The different last names that follow a first name in what was found."""
    found = set()
    for one in pool:
        tokens = one.statement.said.replace("'s", "").split()
        for token, after in pairwise(tokens):
            if fold(token) == fold(name) and after[:1].isupper() and after[1:].islower():
                found.add(fold(after.strip(".,;:!?")))
    return found


def _meant(chosen: Sequence[_Found]) -> list[Meant]:
    """One a memory; what holds now before what held, beliefs before what was said."""
    by_id: dict[str, list[_Found]] = {}
    for one in chosen:
        by_id.setdefault(one.held.id, []).append(one)
    groups = sorted(by_id.values(), key=lambda group: (group[0].held.row.kind == "episodic", not group[0].current))
    return [_one_meant(group) for group in groups]


def _one_meant(group: Sequence[_Found]) -> Meant:
    held, text = group[0].held, group[0].text
    parts = list({part.place: part for one in group for part in one.parts}.values())
    everything = len(parts) >= len(text.parts) or held.content.triple is not None
    remains = None if everything else text.without([part.place for part in parts]) or None
    return Meant(
        id=held.id,
        said=held.content.text if remains is None else "; ".join(part.said for part in parts),
        remains=remains,
        without=cutter(parts),
        values=tuple(dict.fromkeys(one for part in parts for one in (part.said, part.words) if " " in one)),
        version=held.row.version,
        episode=held.row.kind == "episodic",
    )


def cutter(parts: Sequence[Part]) -> Callable[[str], str]:
    """Takes these parts out of any text that says them: the memory's own, an earlier version, the turn it rests on."""
    gone = {normal(said) for part in parts for said in (part.said, part.words)}

    def cut(text: str) -> str:
        apart = take_apart(text)
        places = [one.place for one in apart.parts if normal(one.said) in gone or normal(one.words) in gone]
        return (apart.without(places) or FORGOTTEN) if places else text

    return cut
