"""Resolves descriptions in one scope: finds candidates, scores them against each other, and returns a proposal."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from commonplace.clock import moment
from commonplace.describing.anchors import Anchors, part_of_longer_name
from commonplace.describing.clauses import Assertion, ParsedText, parse_text
from commonplace.describing.description import Description, in_first_person, read
from commonplace.describing.grammar import VERBS, word_set
from commonplace.describing.proposal import Proposal, ProposalTarget
from commonplace.describing.roles import denies, owned_by_another, roles_exchanged
from commonplace.describing.score import (
    MatchSigns,
    alone,
    judge_probabilities,
    matches_term,
    sentence_probabilities,
    shares,
    signs,
)
from commonplace.errors import Ambiguous, Conflict, Invalid, NotFound
from commonplace.memories import codec
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import Target
from commonplace.memories.reading import Reader
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, STATUSES, Hit, Query
from commonplace.providers.judge import Judge
from commonplace.retrieval.lexical import unpack
from commonplace.store.rows import Filter, MemoryRow
from commonplace.store.transaction import Transaction
from commonplace.text.index import FIELD
from commonplace.text.languages import language as language_of
from commonplace.text.normal import fold, normal
from commonplace.text.words import words

READ_WHOLE = 1_000
"""Up to this many texts a book is scanned completely; a larger one is searched through postings and recall."""
HITS, BATCH, SHORTLIST, SHOWN = 60, 1_000, 48, 5
CLEAR = 0.95
"""The share of the probability that one memory needs to be acted on without an anchor."""
SURE, LIKELY = 0.97, 0.5
"""The judge's minimum probabilities for a sure target: that it is meant; for a sentence, that it says the same."""
SWEPT, SHOW, ALTERNATIVE = 0.7, 0.05, 0.01
"""Minimum probabilities: of a memory in a sweep; of the best one, for anything to be shown; of an alternative."""
CLAUSE_GAP = 1.5
"""Clauses of one memory whose scores differ by less are meant together."""
_UNNAMED_OWNERS = frozenset(("me", "owner", "user", "default", "default-user"))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A memory that contains what the description requires; its text and clauses in the owner's first person."""

    stored: StoredMemory
    parsed: ParsedText
    text: str
    assertions: tuple[Assertion, ...]
    clauses: tuple[str, ...]
    terms: frozenset[str]

    @property
    def id(self) -> str:
        return self.stored.id


@dataclass(frozen=True, slots=True)
class _Scored:
    entry: _Entry
    signs: MatchSigns
    cut: tuple[int, ...]
    """The indexes of the clauses that are meant; empty: the whole memory."""
    clear_cut: bool
    roles_agree: bool
    clause: str

    @property
    def score(self) -> float:
        return self.signs.score


class Describing:
    """Resolves descriptions in one scope. Without a judge it is more cautious."""

    def __init__(self, scope: Scope, hits: Callable[[Query], list[Hit]], judge: Judge | None) -> None:
        self._scope, self._hits = scope, hits
        self._judge = judge if judge is not None and judge.ready() else None

    def propose(
        self,
        text: str,
        *,
        all: bool = False,
        apart: Callable[[StoredMemory], bool] = lambda stored: False,
        undoable: bool = False,
    ) -> Proposal:
        """What a description means, most certain first, except memories for which ``apart`` is true.

        A clear margin over everything else is only enough if the act is ``undoable``. Raises ``Invalid`` for an empty
        description, and ``NotFound`` with the ids of the nearest five.
        """
        if not text.strip():
            raise Invalid("describe the memory in a few words, or pass its id")
        with self._scope.store.read(self._scope.owner) as tx:
            reader = Reader(self._scope)
            names = reader.namespaces(tx)
            if (by_id := self._by_id(tx, reader, text.strip(), names)) is not None:
                return by_id
            owners = self._owners(tx, names)
            description = self._read(text, owners)
            stored = [memory for memory in self._candidates(tx, reader, description, names) if not apart(memory)]
            entries = self._entries(description, stored, owners)
            labels = [
                label
                for label in description.labels
                if 0 < sum(label in entry.terms for entry in entries) < len(entries)
            ]
            description = replace(description, terms=(*description.terms, *labels))
            scored = self._scored(description, entries)
            groups = self._groups(tx, description, scored)
        proposal = self._proposal(text, description, groups, sweep=all or description.sweep, all=all, undoable=undoable)
        if not proposal.targets:
            raise NotFound.by_description(self._nearest(description, scored))
        return proposal

    def targets(
        self, text: str, *, all: bool = False, apart: Callable[[StoredMemory], bool] = lambda stored: False
    ) -> list[Target]:
        """What a description certainly means. Raises ``NotFound``, or ``Ambiguous`` if a person has to be asked."""
        proposal = self.propose(text, all=all, apart=apart)
        if not proposal.sure:
            likely = [target for target in proposal.alternatives if target.confidence >= LIKELY / 2]
            raise Ambiguous(list(dict.fromkeys(target.id for target in (*proposal.targets, *likely))))
        return self.chosen(proposal.targets)

    def chosen(self, targets: Sequence[ProposalTarget]) -> list[Target]:
        """Targets to act on. Raises ``Conflict`` if a memory was changed after it was proposed."""
        with self._scope.store.read(self._scope.owner) as tx:
            versions = {row.id: row.version for row in tx.memories.get([target.id for target in targets])}
        for target in targets:
            if target.id not in versions:
                raise NotFound("memory", target.id)
            if versions[target.id] != target.version:
                raise Conflict("memory", target.id, expected=target.version, found=versions[target.id])
        return [_target(target) for target in targets]

    # Reading

    def _by_id(self, tx: Transaction, reader: Reader, text: str, names: Mapping[str, str]) -> Proposal | None:
        if " " in text:
            return None
        rows = [row for row in tx.memories.get([text]) if row.namespace in names]
        if not rows:
            return None
        stored = reader.stored(tx, rows)[0]
        target = ProposalTarget(
            id=stored.id,
            text=stored.content.text,
            version=stored.row.version,
            episode=stored.row.kind == "episodic",
            confidence=1.0,
            sure=True,
            reasons=("its id",),
        )
        return Proposal(query=text, targets=(target,), confidence=1.0, reasons=("its id",), sure=True)

    def _read(self, text: str, owners: Collection[str]) -> Description:
        description = read(text, now=self._scope.here(), language=self._scope.language, owners=owners)
        if description.empty:
            raise Invalid("the description is empty; say what it is about, or use `erase` for everything")
        return description

    def _owners(self, tx: Transaction, names: Mapping[str, str]) -> tuple[str, ...]:
        """The names of the owner."""
        owners = [] if self._scope.owner.lower() in _UNNAMED_OWNERS else [self._scope.owner]
        if names:
            rows = tx.memories.find(Filter(namespaces=tuple(names), kinds=("core",), statuses=CURRENT), limit=200)
            core = [codec.opened(self._scope, row).content for row in rows]
            owners += [content.text for content in core if content.key in ("name", "owner_name", "first_name")]
        return tuple(dict.fromkeys(owners))

    # Candidates

    def _candidates(
        self, tx: Transaction, reader: Reader, description: Description, names: Mapping[str, str]
    ) -> list[StoredMemory]:
        if not names:
            return []
        rows = [tx.namespaces.get(id) for id in names]
        if sum(row.documents for row in rows if row is not None) <= READ_WHOLE:
            return list(self._everything(tx, reader, names))
        memories: dict[str, MemoryRow] = {}
        for namespace in names:
            docs = sorted(self._find_in_index(tx, namespace, description))
            for start in range(0, len(docs), BATCH):
                memories |= {row.id: row for row in tx.memories.by_docs(docs[start : start + BATCH])}
        if not description.only_anchors or not memories:
            memories |= {row.id: row for row in self._recalled(tx, description, set(names))}
        return reader.stored(tx, list(memories.values()))

    def _everything(self, tx: Transaction, reader: Reader, names: Mapping[str, str]) -> Iterator[StoredMemory]:
        after = None
        while True:
            page = tx.memories.find(Filter(namespaces=tuple(names)), after=after, limit=BATCH)
            yield from reader.stored(tx, page)
            if len(page) < BATCH:
                return
            after = page[-1].id

    def _find_in_index(self, tx: Transaction, namespace: str, description: Description) -> set[int]:
        """Documents with the names, identifiers and quotes; if there are none of those, with every word."""
        anchors, language = description.anchors, self._scope.language
        required = (*anchors.names, *anchors.identifiers, *anchors.quotes)
        terms = [term for text in required for term in words(text.split(" / ")[0], language) if term[1:2] != ":"]
        docs: set[int] | None = None
        for term in terms or description.terms:
            hashes = self._scope.vault.terms(namespace, [term, FIELD + term])
            packed = tx.words.fetch(namespace, hashes)
            holding = {doc for hash in hashes if packed.get(hash) for doc in unpack(packed[hash]).docs.tolist()}
            docs = holding if docs is None else docs & holding
        return docs or set()

    def _recalled(self, tx: Transaction, description: Description, names: set[str]) -> list[MemoryRow]:
        ids: dict[str, None] = {}
        for recipe in ("exact", "balanced"):
            query = Query(text=description.text, limit=HITS, recipe=recipe, statuses=STATUSES)
            ids |= dict.fromkeys(hit.memory.id for hit in self._hits(query))
        return [row for row in tx.memories.get(list(ids)) if row.namespace in names]

    def _entries(
        self, description: Description, memories: Iterable[StoredMemory], owners: Collection[str]
    ) -> list[_Entry]:
        """The memories that contain everything required, at most as many as the judge can compare."""
        entries = [
            self._entry(description, stored, owners)
            for stored in memories
            if _matches_speaker_and_time(description, stored)
            and description.anchors.admit(_text(stored), description.language, stored.content.speaker)
        ]
        for name in description.possible_names:
            holding = [entry for entry in entries if Anchors(names=(name,)).admit(_text(entry.stored), "en")]
            entries = holding or entries
        if len(entries) <= SHORTLIST or (description.only_anchors and description.sweep):
            return entries
        recalled = {
            hit.memory.id: rank for rank, hit in enumerate(self._hits(Query(text=description.text, limit=HITS)))
        }

        def rank(entry: _Entry) -> tuple[float, int]:
            return (-sum(matches_term(term, entry.terms) for term in description.terms), recalled.get(entry.id, HITS))

        by_words = sorted(entries, key=rank)[: SHORTLIST // 2]
        by_recall = sorted(entries, key=lambda entry: recalled.get(entry.id, HITS))[: SHORTLIST // 2]
        return list({entry.id: entry for entry in (*by_words, *by_recall)}.values())

    def _entry(self, description: Description, stored: StoredMemory, owners: Collection[str]) -> _Entry:
        content = stored.content
        parsed = parse_text(content.text)
        assertions = tuple(parsed.assertions)
        speaker = content.speaker if content.speaker and fold(content.speaker) not in map(fold, owners) else None
        if len(assertions) < 2 or content.triple is not None or content.key is not None:
            text = f"my {content.key}: {content.text}" if content.key else content.text
            assertions, clauses = assertions[:1], [in_first_person(text, speaker, owners)]
        else:
            clauses = [in_first_person(assertion.said, speaker, owners) for assertion in assertions]
        terms = frozenset(words(_text(stored), description.language))
        return _Entry(stored, parsed, in_first_person(content.text, speaker, owners), assertions, tuple(clauses), terms)

    # Scoring

    def _scored(self, description: Description, entries: Sequence[_Entry]) -> list[_Scored]:
        """Every entry that nothing contradicts, best first."""
        texts = [entry.clauses[0] if len(entry.clauses) == 1 else entry.stored.content.text for entry in entries]
        wholes = judge_probabilities(self._judge, description.text, texts)
        terms = [entry.terms for entry in entries]
        sole = len(entries) == 1 and bool(
            description.anchors.identifiers or description.anchors.quotes or description.anchors.dates
        )
        scored = []
        for at, entry in enumerate(entries):
            rivals = [*terms[:at], *terms[at + 1 :]]
            match = self._score(description, entry, rivals, wholes[at], sole=sole)
            if match is not None:
                scored.append(match)
        return sorted(scored, key=lambda match: -match.score)

    def _score(
        self,
        description: Description,
        entry: _Entry,
        rivals: Sequence[Collection[str]],
        whole_probability: float | None,
        *,
        sole: bool,
    ) -> _Scored | None:
        allowed = self._clauses_that_agree(description, entry)
        if not allowed:
            return None
        places = list(allowed)
        clauses = [entry.clauses[place] for place in places]
        parts = (
            judge_probabilities(self._judge, description.text, clauses)
            if len(entry.clauses) > 1
            else [whole_probability]
        )
        verdicts = sentence_probabilities(self._judge, description, clauses)
        strengths = [_strength(description, clause, part) for clause, part in zip(clauses, parts, strict=True)]
        best = max(range(len(clauses)), key=lambda at: strengths[at])
        clause_signs = signs(
            description,
            clauses[best],
            entry.text,
            entry.terms,
            rivals,
            whole_probability=whole_probability,
            part=parts[best],
            about_owner=_about_owner(clauses[best]),
            doubtful=not allowed[places[best]],
            sole=sole,
            restatement=verdicts[best],
        )
        cut, clear = _choose_clauses(description, entry, dict(zip(places, strengths, strict=True)))
        agree = all(allowed[place] for place in (cut or places))
        agree = agree and denies(description.text) == denies(clauses[best])
        return _Scored(entry, clause_signs, cut, clear, agree, clauses[best])

    def _clauses_that_agree(self, description: Description, entry: _Entry) -> dict[int, bool]:
        """The clauses in which roles are not exchanged, each with whether roles and owner certainly agree."""
        admitted = [
            place
            for place, clause in enumerate(entry.clauses)
            if len(entry.clauses) == 1
            or description.anchors.admit(clause, description.language, entry.stored.content.speaker)
        ]
        agree: dict[int, bool] = {}
        for place in admitted or range(len(entry.clauses)):
            clause = entry.clauses[place]
            same_polarity = denies(clause) == denies(description.text)
            if (description.sweep and description.only_anchors) or (
                same_polarity and _holds_phrase(description, clause, ("before", "after"))
            ):
                agree[place] = True
                continue
            subject = entry.assertions[place].subject if place < len(entry.assertions) else ""
            subject = in_first_person(subject, None, ())
            roles = roles_exchanged(description, clause)
            if roles is not True:
                agree[place] = roles is False and owned_by_another(description, subject, clause) is False
        return agree

    # Choosing

    def _groups(self, tx: Transaction, description: Description, scored: Sequence[_Scored]) -> list[list[_Scored]]:
        """Group memories that say the same: equal words, or a belief and the message it rests on."""
        by_id = {match.entry.id: match for match in scored}
        beliefs = [match.entry.id for match in scored if match.entry.stored.row.kind != "episodic"]
        rests = tx.evidence.of(codec.NOUN, beliefs) if beliefs else []
        parent = {id: id for id in by_id}

        def root(id: str) -> str:
            while parent[id] != id:
                id = parent[id]
            return id

        for row in rests:
            if row.episode in by_id and row.id in by_id:
                parent[root(row.id)] = root(row.episode)
        meaning: dict[tuple[str, ...], str] = {}
        for match in scored:
            terms = tuple(term for term in words(match.clause, description.language) if term[:2] != "s:")
            first = meaning.setdefault(terms, match.entry.id) if terms else match.entry.id
            parent[root(match.entry.id)] = root(first)
        groups: dict[str, list[_Scored]] = {}
        for hit in scored:
            groups.setdefault(root(hit.entry.id), []).append(hit)
        return list(groups.values())

    def _proposal(
        self,
        query: str,
        description: Description,
        groups: Sequence[list[_Scored]],
        *,
        sweep: bool,
        all: bool,
        undoable: bool,
    ) -> Proposal:
        chances = shares([group[0].score for group in groups])
        if sweep:
            return self._sweep(query, description, groups, all=all)
        targets_by_group = [
            [self._target(match, max(chance, alone(match.score) / 2), sure=False) for match in group]
            for group, chance in zip(groups, chances, strict=True)
        ]
        if not groups or alone(groups[0][0].score) < SHOW:
            return Proposal(query=query, targets=(), confidence=0.0)
        reason = self._why_sure(description, groups, chances, undoable=undoable)
        if reason is not None:
            first = [self._target(match, max(0.95, chances[0]), sure=True, reasons=(reason,)) for match in groups[0]]
            targets_by_group[0] = [
                target for match, target in zip(groups[0], first, strict=True) if match.clear_cut or target.sure
            ]
        targets = tuple(targets_by_group[0])
        others = (target for group in targets_by_group[1:] for target in group)
        alternatives = tuple(target for target in others if target.confidence >= ALTERNATIVE)[: SHOWN - 1]
        reasons = (reason,) if reason else (self._why_not(description, groups, chances),)
        return Proposal(
            query=query, targets=targets, alternatives=alternatives,
            confidence=min(target.confidence for target in targets),
            reasons=reasons,
            sure=reason is not None,
        )  # fmt: skip

    def _why_sure(
        self, description: Description, groups: Sequence[list[_Scored]], chances: Sequence[float], *, undoable: bool
    ) -> str | None:
        """Why the first group is certain; None if a person has to be asked. A margin is enough if ``undoable``."""
        top = groups[0][0]
        exact = [group for group in groups if any(match.signs.exact for match in group)]
        if len(exact) == 1 and exact[0] is groups[0]:
            return "the exact sentence"
        # what was concluded from a message has the roles that the message shows
        if not any(match.roles_agree for match in groups[0]) or not all(match.clear_cut for match in groups[0]):
            return None
        anchors = description.anchors
        exactly = all(anchors.exactly_in(match.entry.stored.content.text) for match in groups[0])
        if anchors.quotes and len(groups) == 1 and exactly:
            return "the only memory with the quoted words"
        words = ("after",) if undoable else ("before", "after")
        phrased = [group for group in groups if any(_holds_phrase(description, match.clause, words) for match in group)]
        if description.statement and len(phrased) == 1 and phrased[0] is groups[0]:
            return "the words of this memory only"
        meets_all = top.signs.meets_all or not description.terms
        named = description.only_anchors and bool(anchors.names) and undoable  # another memory may have the name
        if (anchors.identifiers or named) and len(groups) == 1 and meets_all:
            return "the only memory that names it" if exactly else None
        if not exactly or not (undoable or self._only_here(description, groups, phrased)):
            return None
        rival = any(group[0].signs.meets_all for group in groups[1:])
        anchored = bool(anchors) or description.mine
        enough = anchored and len(description.terms) > 1 and not anchors.identifiers and not anchors.numbers
        enough = enough or ((anchored or len(description.terms) > 1) and groups[0] in phrased)
        enough = enough and top.signs.same >= (LIKELY if description.statement else 0.0)
        if enough and meets_all and not rival and top.signs.probability >= SURE and chances[0] >= CLEAR:
            return "every word is met, and by no other memory"
        return None

    def _only_here(
        self, description: Description, groups: Sequence[list[_Scored]], phrased: Sequence[list[_Scored]]
    ) -> bool:
        """Whether the first group contains the description word for word, and no other group contains any of
        its words.
        """
        others = [match.entry.terms for group in groups[1:] for match in group]
        return groups[0] in phrased and not any(
            matches_term(term, terms) for term in description.terms for terms in others
        )

    def _why_not(self, description: Description, groups: Sequence[list[_Scored]], chances: Sequence[float]) -> str:
        if not groups[0][0].roles_agree:
            return "who does what to whom, or whose it is, cannot be told for sure"
        if len(groups) > 1 and chances[1] > chances[0] / 3:
            return "several memories fit"
        if groups[0][0].signs.meets_all:
            return "the words fit, but something else may be meant"
        return "it is said in other words"

    def _sweep(self, query: str, description: Description, groups: Sequence[list[_Scored]], *, all: bool) -> Proposal:
        """Targets for all of a kind: every memory that contains the name, or is likely about it."""
        targets: list[ProposalTarget] = []
        alternatives: list[ProposalTarget] = []
        names = description.anchors.names
        surnames = {after for name in names for group in groups for match in group for after in _surname(name, match)}
        for match in (match for group in groups for match in group):
            if description.only_anchors:
                text = match.entry.stored.content.text
                plain = not any(part_of_longer_name(text, name) for name in names if " " not in name)
                exactly = description.anchors.exactly_in(text)
                # the author of a note is less certain than the speaker of a message
                exactly = exactly and (description.speaker is None or match.entry.stored.row.role is not None)
                target = self._target(match, 1.0 if plain else 0.5, sure=plain and exactly and len(surnames) < 2)
                (targets if plain else alternatives).append(target)
                continue
            chance = alone(match.score)
            likely = self._judge is not None and match.signs.meets_all and match.signs.probability >= SWEPT
            sure = match.signs.exact or (likely and match.roles_agree and match.clear_cut and chance >= SWEPT)
            target = self._target(match, chance, sure=sure)
            if chance >= SWEPT or match.signs.meets_all:
                targets.append(target)
            elif chance >= SHOW:
                alternatives.append(target)
        if not targets:
            targets, alternatives = alternatives[:SHOWN], alternatives[SHOWN:]
        certain = [target for target in targets if target.sure]
        written = description.only_anchors and bool(description.anchors.identifiers or description.anchors.quotes)
        sure = bool(targets) and len(certain) == len(targets) and (written or all)
        reason = "every memory that names it" if sure else "not every one is certain"
        return Proposal(
            query=query, targets=tuple(targets), alternatives=tuple(alternatives[:SHOWN]),
            confidence=min((target.confidence for target in targets), default=0.0),
            reasons=(reason,),
            sure=sure,
        )  # fmt: skip

    def _target(
        self, scored: _Scored, confidence: float, *, sure: bool, reasons: tuple[str, ...] = ()
    ) -> ProposalTarget:
        entry = scored.entry
        assertions = [entry.assertions[place] for place in scored.cut]
        remains = entry.parsed.without([assertion.place for assertion in assertions]) if assertions else None
        is_whole = not remains
        return ProposalTarget(
            id=entry.id,
            text=entry.stored.content.text if is_whole else "; ".join(assertion.said for assertion in assertions),
            remains=None if is_whole else remains,
            clauses=() if is_whole else tuple(dict.fromkeys(
                words for assertion in assertions for words in (assertion.said, assertion.words)
            )),
            version=entry.stored.row.version,
            episode=entry.stored.row.kind == "episodic",
            confidence=round(min(confidence, 1.0), 3),
            sure=sure,
            reasons=reasons or tuple(_reasons(scored)),
        )  # fmt: skip

    def _nearest(self, description: Description, scored: Sequence[_Scored]) -> list[str]:
        ids = [match.entry.id for match in scored]
        # by words and sentence vectors, so that there is a nearest one even if nothing is relevant
        ids += [hit.memory.id for hit in self._hits(Query(text=description.text, limit=SHOWN, recipe="exact"))]
        return list(dict.fromkeys(ids))[:SHOWN]


def without_clauses(clauses: Sequence[str]) -> Callable[[str], str]:
    """Return a function that removes the clauses from any text with them: the memory, an earlier version, its
    message.
    """
    removed = {normal(clause) for clause in clauses}

    def cut(text: str) -> str:
        parsed = parse_text(text)
        places = [
            assertion.place
            for assertion in parsed.assertions
            if normal(assertion.said) in removed or normal(assertion.words) in removed
        ]
        return (parsed.without(places) or FORGOTTEN) if places else text

    return cut


def _target(target: ProposalTarget) -> Target:
    return Target(
        id=target.id,
        said=target.text,
        remains=target.remains,
        without=without_clauses(target.clauses),
        values=tuple(clause for clause in target.clauses if " " in clause),
        version=target.version,
        episode=target.episode,
    )


def _choose_clauses(
    description: Description, entry: _Entry, strengths: Mapping[int, float]
) -> tuple[tuple[int, ...], bool]:
    """Which clauses of a memory are meant (empty: all of it), and whether that is certain.

    Clauses with every word of the description, if any; otherwise the strongest and those close to it.
    """
    if len(entry.clauses) == 1 or normal(entry.text) == normal(description.text):
        return (), True
    exact = [place for place in strengths if normal(entry.clauses[place]) == normal(description.text)]
    if exact:
        return tuple(exact), True
    terms = {place: set(words(entry.clauses[place], description.language)) for place in strengths}
    meeting = [
        place
        for place, clause_terms in terms.items()
        if all(matches_term(term, clause_terms) for term in description.terms)
    ]
    if description.terms and not meeting:
        strongest = max(strengths.values())
        meeting = [place for place, strength in strengths.items() if strength >= strongest - CLAUSE_GAP]
        return (() if len(meeting) == len(entry.clauses) else tuple(meeting)), False
    clear = not description.terms or len(meeting) == 1
    return (() if len(meeting) == len(entry.clauses) else tuple(meeting)), clear


def _holds_phrase(description: Description, clause: str, words: Sequence[str]) -> bool:
    """Whether a clause contains the description, and not as part of a longer name: "my knee" is not in "my knee brace",
    nor "the dog" in "my sister's dog".
    """
    body = re.escape(re.sub(r"^(?:the|an?|der|die|das|il|la|el|le) ", "", normal(description.text)))
    phrase = re.search(rf"(?:(?P<before>\S+) )?\b{body}\b(?: (?P<after>\w+))?", normal(clause))
    if phrase is None:
        return False
    small = language_of(description.language).stops | word_set(VERBS)
    return all(phrase[word] is None or phrase[word] in small for word in words)


def _strength(description: Description, clause: str, part: float | None) -> float:
    """How well a clause matches the description, to choose among the clauses of one memory."""
    clause_terms = set(words(clause, description.language))
    hits = [matches_term(term, clause_terms) for term in description.terms]
    cover = sum(hits) / len(hits) if hits else 0.0
    return 3 * cover + (0.0 if part is None else 4 * part)


def _about_owner(clause: str) -> float:
    first = clause.split(" ", 1)[0]
    if first.lower() in ("i", "my", "we", "our", "i'm", "i've"):
        return 1.0
    return -1.0 if first[:1].isupper() and " my " not in clause and " me " not in clause else 0.0


def _text(stored: StoredMemory) -> str:
    content = stored.content
    return f"{content.key}: {content.text}" if content.key else content.text


def _matches_speaker_and_time(description: Description, stored: StoredMemory) -> bool:
    """Whether speaker and time match the description."""
    row = stored.row
    if description.said is not None:
        at = moment(row.said_at if row.said_at is not None else row.recorded_at)
        if not description.said[0] <= at <= description.said[1]:
            return False
    who = description.speaker
    if who is None:
        return True
    if who == "user":
        return row.role in (None, "user") and row.source == "user"
    if who == "assistant":
        return row.role == "assistant" or (row.role is None and row.source == "assistant")
    anchors = Anchors(names=(who,))
    if row.role is None:
        return anchors.admit(stored.content.text, "en")
    return stored.content.speaker is not None and anchors.admit(stored.content.speaker, "en")


def _surname(name: str, scored: _Scored) -> list[str]:
    """The capitalised word that follows a first name in a memory."""
    if " " in name:
        return []
    tokens = scored.entry.stored.content.text.replace("'s", "").split()
    return [
        after.strip(".,;:!?")
        for token, after in pairwise(tokens)
        if fold(token) == fold(name) and after[:1].isupper() and after[1:].islower()
    ]


def _reasons(scored: _Scored) -> Iterator[str]:
    if scored.signs.exact:
        yield "the same sentence"
    elif scored.signs.meets_all:
        yield "every word is met"
    if not scored.roles_agree:
        yield "roles or owner not certain"
    if scored.cut and not scored.clear_cut:
        yield "which clause is not certain"
