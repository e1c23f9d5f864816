"""Final acts done again after a restore: what was forgotten, rejected or erased since the backup stays so."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from commonplace.batches.opened_book import namespaces
from commonplace.batches.runs import BATCH
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import MIN_QUOTE_WORDS, Forgetting
from commonplace.memories.gateway import value
from commonplace.memories.residue import put_together
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import CURRENT
from commonplace.store.ledger import incomplete
from commonplace.store.ports import Store
from commonplace.store.rows import Filter, LedgerEntry, MemoryRow, TombstoneRow
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import sentences
from commonplace.text.words import words

PARTS, WHOLE = "parts forgotten", "gone whole, where only a part was forgotten"

Value = tuple[str, bytes]
"""A namespace's id and a fingerprint."""


@dataclass(frozen=True, slots=True)
class LedgerState:
    """What the ledger says of each value in the end, and which memories were forgotten by id."""

    values: Mapping[Value, LedgerEntry]
    lifted: frozenset[Value]
    targets: Mapping[str, LedgerEntry]
    cuts: Mapping[Value, Sequence[LedgerEntry]]
    """Texts that lost a part, and how the rest is made of them."""
    namespaces: tuple[str, ...]
    """Erased."""

    def forgotten(self, namespace: str) -> list[bytes]:
        """The fingerprints of what was forgotten there."""
        return [fp for (place, fp), entry in self.values.items() if place == namespace and entry.act == "forget"]


def standing(entries: Sequence[LedgerEntry]) -> LedgerState:
    """The final state of each value, computed from the acts in order. Pure."""
    values: dict[Value, LedgerEntry] = {}
    lifted: set[Value] = set()
    targets = {}
    cuts: dict[Value, list[LedgerEntry]] = {}
    erased = []
    for entry in entries:
        keys = [(entry.namespace or "", fingerprint) for fingerprint in entry.fingerprints]
        if entry.act == "erase-namespace":
            erased.append(entry.target)
        elif entry.act == "lift":
            lifted.update(keys)
            for value_key in keys:
                values.pop(value_key, None)
                cuts.pop(value_key, None)
        elif entry.act == "cut":
            cuts.setdefault(keys[0], []).append(entry)
        elif entry.act in ("forget", "tombstone"):
            lifted.difference_update(keys)
            values |= dict.fromkeys(keys, entry)
            if entry.act == "forget" and entry.target:
                targets[entry.target] = entry
    return LedgerState(values, frozenset(lifted), targets, cuts, tuple(erased))


def since_erasure(entries: Sequence[LedgerEntry]) -> Sequence[LedgerEntry]:
    """The acts since the owner was last erased."""
    last = max((at for at, entry in enumerate(entries) if entry.act == "erase-owner"), default=-1)
    return entries[last + 1 :]


def ledger_problem(store: Store, owner: str) -> str | None:
    """What is wrong with an owner's ledger: missing, cut short, replaced, or continued after entries were lost."""
    with store.read(owner) as tx:
        mark = tx.owners.get().ledger
    problem = store.ledger.problem(mark)
    if problem is None and incomplete(store.ledger.entries(owner)):
        return "the ledger lost entries: a restore could bring back what was forgotten"
    return problem


def replay(scope: Scope, entries: Sequence[LedgerEntry]) -> Counter[str]:
    """Bring an owner's rows in line with the ledger; how much was done of what. Doing it again does nothing."""
    counts: Counter[str] = Counter()
    since = since_erasure(entries)
    if len(since) < len(entries):
        counts["owners erased"] += _erase_owner(scope, entries[-len(since) - 1])
    ledger_state = standing(since)
    counts["namespaces erased"] += _erase_namespaces(scope, ledger_state.namespaces)
    counts["tombstones"] += _put_tombstones(scope, ledger_state)
    counts[PARTS] += _cut(scope, ledger_state)
    for id, name in namespaces(scope).items():
        namespace_scope = scope.within(name)
        victims = _victims(namespace_scope, id, ledger_state)
        # First, so that a conclusion from a longer quote goes without the sentences that stayed.
        counts["redacted"] += _redact(namespace_scope, id, ledger_state, victims)
        counts.update(_forget(namespace_scope, victims))
        counts["rejected"] += _reject(namespace_scope, id, ledger_state)
    return +counts


def _erase_owner(scope: Scope, entry: LedgerEntry) -> int:
    """Drop the rows, unread, if they are older than the erasure: a book begun after it opens its audit with it."""
    with scope.store.read(scope.owner) as tx:
        first = tx.audit.page(after=0, limit=1)
        if first and first[0].action == "ERASE" and first[0].at >= entry.at:
            return 0
        if not first and not tx.namespaces.all():
            return 0
    with write_transaction(scope, "ERASE") as work:
        work.tx.owners.drop()
        work.gone("owner", scope.owner, None, None)
        work.audit("ERASE", "owner", scope.owner, None, None, None)
        work.note("DELETE", scope.owner, "erased", noun="owner")
        work.receipt()
    return 1


def _erase_namespaces(scope: Scope, erased: Sequence[str]) -> int:
    count = 0
    with scope.store.read(scope.owner) as tx:
        present = [id for id in dict.fromkeys(erased) if tx.namespaces.get(id) is not None]
    for id in present:
        with write_transaction(scope, "ERASE") as work:
            Forgetting(scope).drop_namespace(work, id, noted=False)
            work.receipt()
            count += 1
    return count


def _put_tombstones(scope: Scope, ledger_state: LedgerState) -> int:
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        existing = {(row.namespace, row.fingerprint) for row in tx.tombstones.all()}
    missing = {
        value: entry for value, entry in ledger_state.values.items() if value[0] in places and value not in existing
    }
    lifted = [value for value in ledger_state.lifted if value in existing]
    if missing or lifted:
        with write_transaction(scope, "REPLAY") as work:
            work.tx.tombstones.put([tombstone(value, entry) for value, entry in missing.items()])
            for namespace, fingerprint in lifted:
                work.tx.tombstones.lift(namespace, [fingerprint])
            work.audit("REPLAY", "tombstone", scope.owner, None, None, None)
            work.receipt()
    return len(missing)


def tombstone(value: Value, entry: LedgerEntry) -> TombstoneRow:
    """The tombstone that an act puts on a value."""
    reason = "forgotten" if entry.act == "forget" else entry.reason or "rejected"
    return TombstoneRow(
        namespace=value[0], fingerprint=value[1], reason=reason, at=entry.at, target=entry.target or None
    )


def _cut(scope: Scope, ledger_state: LedgerState) -> int:
    """Texts that lost a part after the copy was made lose it again, and keep the rest: by id, and turns by value.

    A belief in the words of a quote that was cut is another's statement, and stays.
    """
    entries = [entry for several in ledger_state.cuts.values() for entry in several]
    ids: dict[str, None] = {}
    with scope.store.read(scope.owner) as tx:
        for row in _present(tx, [entry.target for entry in entries]):
            ids[row.id] = None
        for (namespace, fingerprint), several in ledger_state.cuts.items():
            at = max(entry.at for entry in several)
            rows = _of_value(tx, namespace, fingerprint, at)
            ids |= dict.fromkeys(row.id for row in rows if row.kind == "episodic")
    if not ids:
        return 0
    forgetting, cut = Forgetting(scope), cutter(scope, ledger_state)
    count, unsupported = 0, dict[str, StoredMemory]()
    with write_transaction(scope, "FORGET") as work:
        for id in ids:
            changed, victims = forgetting.take_out(work, work.load_anywhere(id), cut)
            count += bool(changed)
            unsupported |= victims
        # Last: forgetting takes a quote out of other texts too, which must have been cut as they were then.
        forgetting.forget_within(work, [work.load_anywhere(id) for id in unsupported])
        work.receipt(keep=bool(work.touched))
    return count


def cutter(scope: Scope, ledger_state: LedgerState) -> Callable[[str], str]:
    """The rest of a text as often as it was cut; the text itself where no note fits it."""
    places = list(dict.fromkeys(namespace for namespace, _ in ledger_state.cuts))

    def cut(text: str) -> str:
        remainder: str | None = text
        while remainder is not None:
            text = remainder
            entries_by_place = [
                (place, ledger_state.cuts.get((place, scope.vault.fingerprint(place, text)), ())) for place in places
            ]
            remainders = (_rest(scope, place, text, entry) for place, several in entries_by_place for entry in several)
            remainder = next((candidate for candidate in remainders if candidate is not None), None)
        return text

    return cut


def _rest(scope: Scope, namespace: str, text: str, entry: LedgerEntry) -> str | None:
    joined = put_together(text, entry.reason or "")
    if joined is None or joined == text or scope.vault.fingerprint(namespace, joined) != entry.fingerprints[1]:
        return None
    return joined


def _present(tx: Transaction, ids: Sequence[str]) -> list[MemoryRow]:
    unique_ids = list(dict.fromkeys(ids))
    parts = (unique_ids[start : start + BATCH] for start in range(0, len(unique_ids), BATCH))
    return [row for part in parts for row in tx.memories.get(part)]


def _victims(scope: Scope, namespace: str, ledger_state: LedgerState) -> dict[str, str]:
    """Ids to delete, each with the reason: by id and by value, as a backup may hold the words under another id."""
    victims: dict[str, str] = {}
    with scope.store.read(scope.owner) as tx:
        for fingerprint in ledger_state.forgotten(namespace):
            entry = ledger_state.values[namespace, fingerprint]
            reason = "forgotten" if entry.target else WHOLE
            victims |= {row.id: reason for row in _of_value(tx, namespace, fingerprint, entry.at)}
        present = [row for row in _present(tx, list(ledger_state.targets)) if row.namespace == namespace]
        victims |= {row.id: "forgotten" for row in present}
    return victims


def _forget(scope: Scope, victims: Mapping[str, str]) -> Counter[str]:
    forgetting = Forgetting(scope)
    counts: Counter[str] = Counter()
    for id, reason in victims.items():
        with write_transaction(scope, "FORGET") as work:
            rows = work.tx.memories.get([id])  # an earlier one may have taken it along
            if rows:
                forgetting.forget_within(work, states.all_opened(scope, work.tx, rows))
                work.receipt()
                counts[reason] += 1
    return counts


def _of_value(tx: Transaction, namespace: str, fingerprint: bytes, at: int) -> list[MemoryRow]:
    rows = tx.memories.find(Filter(namespaces=(namespace,), fingerprint=fingerprint), limit=1000)
    return [row for row in rows if row.recorded_at <= at]


def _reject(scope: Scope, namespace: str, ledger_state: LedgerState) -> int:
    rejected = {value_key: entry for value_key, entry in ledger_state.values.items() if entry.act == "tombstone"}
    believed: dict[str, LedgerEntry] = {}
    with scope.store.read(scope.owner) as tx:
        for (place, fingerprint), entry in rejected.items():
            if place == namespace:
                rows = _of_value(tx, namespace, fingerprint, entry.at)
                believed |= dict.fromkeys((row.id for row in rows if _shown(row)), entry)
        believed |= _moved(scope, tx, namespace, rejected)
    ids = list(believed)
    for start in range(0, len(ids), BATCH):
        with write_transaction(scope, "REPLAY") as work:
            for memory in states.all_opened(scope, work.tx, work.tx.memories.get(ids[start : start + BATCH])):
                _rejected(work, memory, believed[memory.id])
            work.receipt()
    return len(ids)


def _moved(
    scope: Scope, tx: Transaction, namespace: str, rejected: Mapping[Value, LedgerEntry]
) -> dict[str, LedgerEntry]:
    """What was rejected in another namespace than the one it stood in when the copy was made."""
    elsewhere: dict[str, list[tuple[Value, LedgerEntry]]] = {}
    for fingerprint_key, entry in rejected.items():
        if entry.target and fingerprint_key[0] != namespace:
            elsewhere.setdefault(entry.target, []).append((fingerprint_key, entry))
    rows = [row for row in _present(tx, list(elsewhere)) if row.namespace == namespace and _shown(row)]
    rejected_ids = {}
    for memory in states.all_opened(scope, tx, rows):
        value_text = value(memory.content.text, memory.content.key)
        for (place, fingerprint), entry in elsewhere[memory.id]:
            if scope.vault.fingerprint(place, value_text) == fingerprint:
                rejected_ids[memory.id] = entry
    return rejected_ids


def _shown(row: MemoryRow) -> bool:
    return row.status in (*CURRENT, "stale") and row.kind != "episodic"


def _rejected(work: Work, memory: StoredMemory, entry: LedgerEntry) -> None:
    reason = f"{entry.reason or 'rejected'} after the backup was made"
    after = memory.with_row(status="rejected", retired_at=work.now)
    work.change(memory, after, action="REJECT", reason=reason, receipt_action="DELETE")


def _redact(scope: Scope, namespace: str, ledger_state: LedgerState, victims: Collection[str]) -> int:
    """Forgotten words in conversations that the backup brought back whole, but for messages that go altogether."""
    forgotten = set(ledger_state.forgotten(namespace))
    if not forgotten:
        return 0
    count, after = 0, None
    filter = Filter(namespaces=(namespace,), kinds=("episodic",))
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.memories.find(filter, after=after, limit=BATCH)
            telling = [
                (memory, quotes)
                for memory in states.all_opened(scope, tx, [row for row in page if row.id not in victims])
                if (quotes := _quotes(scope, memory, forgotten))
            ]
        for memory, quotes in telling:
            _take_out(scope, memory.id, quotes, cutter(scope, ledger_state))
        count += len(telling)
        if len(page) < BATCH:
            return count
        after = page[-1].id


def _quotes(scope: Scope, memory: StoredMemory, forgotten: set[bytes]) -> list[str]:
    vault, namespace = scope.vault, memory.row.namespace
    spans = [
        span.text for span in sentences(memory.content.text) if len(words(span.text, scope.language)) >= MIN_QUOTE_WORDS
    ]
    return [text for text in spans if vault.fingerprint(namespace, text) in forgotten]


def _take_out(scope: Scope, id: str, quotes: Sequence[str], cut: Callable[[str], str]) -> None:
    forgetting = Forgetting(scope)
    with write_transaction(scope, "REPLAY") as work:
        for quote in quotes:
            for memory in states.all_opened(scope, work.tx, work.tx.memories.get([id])):
                forgetting.redact_episode(work, memory, quote, rest=cut(quote))
        work.audit("REPLAY", "memory", id, None, None, None)
        work.receipt()
