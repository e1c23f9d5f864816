"""A statement meets what is believed: which memories a stated one contradicts, by the rules that read conversations
and, where they see no conflict, by the judge.

``Gateway`` asks before it writes; what it does about a conflict is decided by trust ranks there.
"""

from dataclasses import replace

from commonplace.clock import moment
from commonplace.learning.core_values import core_contradictions, role_conflicts
from commonplace.learning.decide import ACT, decide
from commonplace.learning.neighbours import BELIEFS, STATED, Neighbourhood, slot_name, stated
from commonplace.learning.slots import KEYS, member_label, owner_label, slot_key, slot_value, statement
from commonplace.memories import codec
from commonplace.memories.codec import StoredMemory
from commonplace.memories.conflicts import ConflictSearch, Contradiction
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, Candidate, NewMemory
from commonplace.providers.judge import Judge
from commonplace.store.rows import Filter
from commonplace.store.tables.postings import unpack
from commonplace.text.words import words

MOST = 30
"""Neighbours that are looked at."""


def conflicts(scope: Scope, new: NewMemory, *, judge: Judge | None = None, act: float = ACT) -> ConflictSearch | None:
    """The search for what a statement contradicts, or None. Reads the text before the write begins.

    ``act`` is the probability from which on a change that the judge sees counts.
    """
    if new.directive is not None or new.kind == "proactive":
        return None
    label = owner_label(scope.owner)
    of_role = role_conflicts(label, new)
    text = _in_words(new, label) if new.kind == "core" else new.text
    candidate = _read(text, label, member_label(scope.member))
    is_free = new.kind == "associative" and judge is not None and len(new.text) <= STATED
    if candidate is None and not is_free:
        return of_role

    def look_up(work: Work) -> None:
        if candidate is not None:
            _of_slot(work, candidate, label)
        if is_free:
            Neighbourhood(work, owner_label=label).sharing_words(new.text)

    def find(work: Work, stored: StoredMemory) -> list[Contradiction]:
        contradictions = [] if candidate is None else _of_slot(work, candidate, label)
        contradictions += of_role.find(work, stored) if of_role else ()
        contradictions += [] if candidate is None or of_role else core_contradictions(work, stored, candidate)
        contradictions = list({contradiction.stored.id: contradiction for contradiction in contradictions}.values())
        return contradictions or (_by_judge(work, new.text, label, judge, act) if is_free and judge else [])

    return ConflictSearch(find, look_up, words_of=new.text if is_free and candidate is None else "")


def _in_words(core: NewMemory, label: str) -> str:
    """A core value as the sentence that states it."""
    predicate = KEYS.get(core.key or "")
    return statement(predicate, "owner", core.text, owner=label) if predicate else f"My {core.key} is {core.text}"


def _by_judge(work: Work, text: str, label: str, judge: Judge, act: float) -> list[Contradiction]:
    """Beliefs that the text names and, as the judge is sure, makes untrue."""
    candidate = Candidate(
        type="fact", statement=text, kind="associative", category="fact", quote=text, episode="", confidence=1.0
    )
    around = Neighbourhood(work, owner_label=label)
    near = [
        neighbour if _numbers_apart(neighbour.belief.statement, text) else around.compared(neighbour, candidate, judge)
        for neighbour in around.sharing_words(text)
    ]
    decision = decide(candidate, [neighbour.belief for neighbour in near], now=moment(work.now), act=act)
    named = {decision.target, *decision.also} if decision.action == "UPDATE" else ()
    reason = f"contradicts: {decision.reason}"
    ids = [neighbour.held.id for neighbour in near if neighbour.held.id in named]
    return [Contradiction(work.load_anywhere(id), reason) for id in ids]


def _numbers_apart(old: str, new: str) -> bool:
    """Whether two texts say the same of different numbers: "room 12 is booked", "room 14 is booked"."""
    if not any(letter.isdigit() for letter in new):
        return False
    numbers, others = zip(*(_numbers_and_words(text) for text in (old, new)), strict=True)
    return bool(numbers[0]) and numbers[0] != numbers[1] and others[0] == others[1]


def _numbers_and_words(text: str) -> tuple[list[str], list[str]]:
    tokens = text.casefold().strip(" .!").split()
    with_digits = [token for token in tokens if any(letter.isdigit() for letter in token)]
    return with_digits, [token for token in tokens if token not in with_digits]


def _of_slot(work: Work, candidate: Candidate, label: str) -> list[Contradiction]:
    candidate = replace(candidate, key=None)  # against other statements; core values are looked up by their keys
    memories = _neighbours(work, candidate, label)
    if not memories:
        return []
    near = Neighbourhood(work, owner_label=label).neighbours(memories)
    decision = decide(candidate, [neighbour.belief for neighbour in near], now=moment(work.now), source="user")
    named = {decision.target, *decision.also} if decision.action == "UPDATE" else ()
    reason = f"contradicts: {decision.reason}"
    return [Contradiction(neighbour.held, reason) for neighbour in near if neighbour.held.id in named]


def _neighbours(work: Work, candidate: Candidate, label: str) -> list[StoredMemory]:
    """Current beliefs about the same slot: learned ones by its name, stated ones by the words they share."""
    assert candidate.subject is not None
    assert candidate.predicate is not None
    namespace, language = work.namespace().id, work.scope.language
    slot = slot_name(candidate.subject, candidate.predicate, candidate.object, many=False)
    filter = Filter(namespaces=(namespace,), attributes=(codec.attribute(work.vault, "slot", slot),), statuses=CURRENT)
    rows = {row.id: row for row in work.tx.memories.find(filter, limit=MOST, newest=True)}
    sentence = slot_value(candidate.subject, candidate.predicate, candidate.object)
    others = {*words(" ".join((sentence, label, member_label(work.scope.member) or "")), language)}
    texts = (words(text, language) for text in dict.fromkeys((candidate.statement, candidate.quote)))
    sets = [work.vault.terms(namespace, shared) for text in texts if (shared := [w for w in text if w not in others])]
    postings = work.tx.words.fetch(namespace, list({term for terms in sets for term in terms})) if sets else {}
    docs: set[int] = set()
    for terms in sets:
        docs |= set.intersection(*({doc for doc, *_ in unpack(postings.get(term, b""))} for term in terms))
    rows |= {row.id: row for row in work.tx.memories.by_docs(sorted(docs)[-MOST:])} if docs else {}
    opened = [codec.opened(work.scope, row) for row in rows.values() if row.status in CURRENT and row.kind in BELIEFS]
    return [memory for memory in opened if _fills(memory, candidate, label)]


def _fills(memory: StoredMemory, candidate: Candidate, label: str) -> bool:
    """Whether a memory may fill the same slot."""
    if memory.content.triple is not None or "slot" in memory.content.metadata:
        return True
    read = _read(memory.content.text, label, member_label(memory.content.author))
    return read is not None and _slot(read) == _slot(candidate)


def _slot(candidate: Candidate) -> tuple[str, str, str]:
    return slot_key(candidate.subject or "", candidate.predicate or "", candidate.object)


def _read(text: str, label: str, speaker: str | None) -> Candidate | None:
    """What the text says of somebody that holds one value at a time; None if nothing, or more than one thing.

    ``speaker`` is the member who says it, in a shared namespace.
    """
    candidate = stated(text, label, speaker)
    return candidate if candidate is not None and not candidate.many and candidate.object else None
