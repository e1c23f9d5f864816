"""Final acts done again after a restore: what was forgotten, rejected or erased since the backup stays so."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.maintenance.house import namespaces
from commonplace.maintenance.runs import BATCH, opened
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work, working
from commonplace.model import CURRENT
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, LedgerEntry, MemoryRow, TombstoneRow
from commonplace.text.sentences import sentences

Value = tuple[str, bytes]
"""A namespace's id and a fingerprint."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the ledger says of each value in the end, and which memories were forgotten by id."""

    values: Mapping[Value, LedgerEntry]
    lifted: frozenset[Value]
    targets: Mapping[str, LedgerEntry]
    namespaces: tuple[str, ...]
    """Erased."""


def standing(entries: Sequence[LedgerEntry]) -> Standing:
    """The last word on everything, from the acts in their order. Pure."""
    values: dict[Value, LedgerEntry] = {}
    lifted: set[Value] = set()
    targets = {}
    erased = []
    for entry in entries:
        mine = [(entry.namespace or "", one) for one in entry.fingerprints]
        if entry.act == "erase-namespace":
            erased.append(entry.target)
        elif entry.act == "lift":
            lifted.update(mine)
            for one in mine:
                values.pop(one, None)
        elif entry.act in ("forget", "tombstone"):
            lifted.difference_update(mine)
            values |= dict.fromkeys(mine, entry)
            if entry.act == "forget":
                targets[entry.target] = entry
    return Standing(values, frozenset(lifted), targets, tuple(erased))


def replay(scope: Scope, entries: Sequence[LedgerEntry]) -> Counter[str]:
    """Bring an owner's rows in line with the ledger; how much was done of what. Doing it again does nothing."""
    done: Counter[str] = Counter()
    last = max((at for at, one in enumerate(entries) if one.act == "erase-owner"), default=None)
    if last is not None:
        done["owners erased"] += _erase_owner(scope, entries[last])
        entries = entries[last + 1 :]
    found = standing(entries)
    done["namespaces erased"] += _erase_namespaces(scope, found.namespaces)
    done["tombstones"] += _put_tombstones(scope, found)
    for id, name in namespaces(scope).items():
        mine = scope.within(name)
        done["forgotten"] += _forget(mine, id, found)
        done["rejected"] += _reject(mine, id, found)
        done["redacted"] += _redact(mine, id, found)
    return +done


def _erase_owner(scope: Scope, entry: LedgerEntry) -> int:
    """Drop the rows, unread, if they are older than the erasure: a book begun after it opens its audit with it."""
    with scope.store.read(scope.owner) as tx:
        first = tx.audit.page(after=0, limit=1)
        if first and first[0].action == "ERASE" and first[0].at >= entry.at:
            return 0
        if not first and not tx.namespaces.all():
            return 0
    with working(scope, "ERASE") as work:
        work.tx.owners.drop()
        work.gone("owner", scope.owner, None, None)
        work.audit("ERASE", "owner", scope.owner, None, None, None)
        work.note("DELETE", scope.owner, "erased", noun="owner")
        work.receipt()
    return 1


def _erase_namespaces(scope: Scope, erased: Sequence[str]) -> int:
    done = 0
    with scope.store.read(scope.owner) as tx:
        present = [id for id in dict.fromkeys(erased) if tx.namespaces.get(id) is not None]
    for id in present:
        with working(scope, "ERASE") as work:
            work.tx.namespaces.drop(id)
            work.gone("namespace", id, None, id)
            work.audit("ERASE", "namespace", id, None, None, None)
            work.note("DELETE", id, "erased", noun="namespace")
            work.receipt()
            done += 1
    return done


def _put_tombstones(scope: Scope, found: Standing) -> int:
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        known = {(row.namespace, row.fingerprint) for row in tx.tombstones.all()}
    missing = {value: entry for value, entry in found.values.items() if value[0] in places and value not in known}
    lifted = [value for value in found.lifted if value in known]
    if missing or lifted:
        with working(scope, "REPLAY") as work:
            work.tx.tombstones.put([_tombstone(value, entry) for value, entry in missing.items()])
            for namespace, fingerprint in lifted:
                work.tx.tombstones.lift(namespace, [fingerprint])
            work.audit("REPLAY", "tombstone", scope.owner, None, None, None)
            work.receipt()
    return len(missing)


def _tombstone(value: Value, entry: LedgerEntry) -> TombstoneRow:
    namespace, fingerprint = value
    reason = "forgotten" if entry.act == "forget" else entry.reason or "rejected"
    return TombstoneRow(namespace=namespace, fingerprint=fingerprint, reason=reason, at=entry.at, target=entry.target)


def _forget(scope: Scope, namespace: str, found: Standing) -> int:
    """By id, and by value: the same words may have stood under another id when the backup was made."""
    forgotten = [fp for (place, fp), entry in found.values.items() if place == namespace and entry.act == "forget"]
    victims: dict[str, None] = {}
    with scope.store.read(scope.owner) as tx:
        targets = [id for id, entry in found.targets.items() if entry.namespace == namespace]
        for start in range(0, len(targets), BATCH):
            victims |= dict.fromkeys(row.id for row in tx.memories.get(targets[start : start + BATCH]))
        for fingerprint in forgotten:
            at = found.values[namespace, fingerprint].at
            victims |= dict.fromkeys(row.id for row in _of_value(tx, namespace, fingerprint, at))
    forgetting = Forgetting(scope)
    done = 0
    for id in victims:
        with working(scope, "FORGET") as work:
            rows = work.tx.memories.get([id])  # an earlier one may have taken it along
            if rows:
                forgetting.forget_within(work, opened(scope, work.tx, rows))
                work.receipt()
                done += 1
    return done


def _of_value(tx: Transaction, namespace: str, fingerprint: bytes, at: int) -> list[MemoryRow]:
    rows = tx.memories.find(Filter(namespaces=(namespace,), fingerprint=fingerprint), limit=1000)
    return [row for row in rows if row.recorded_at <= at]


def _reject(scope: Scope, namespace: str, found: Standing) -> int:
    done = 0
    for (place, fingerprint), entry in found.values.items():
        if place != namespace or entry.act != "tombstone":
            continue
        with scope.store.read(scope.owner) as tx:
            believed = [row.id for row in _of_value(tx, namespace, fingerprint, entry.at) if _shown(row)]
        if believed:
            with working(scope, "REPLAY") as work:
                for held in opened(scope, work.tx, work.tx.memories.get(believed)):
                    _rejected(work, held, entry)
                    done += 1
                work.receipt()
    return done


def _shown(row: MemoryRow) -> bool:
    return row.status in (*CURRENT, "stale") and row.kind != "episodic"


def _rejected(work: Work, held: Held, entry: LedgerEntry) -> None:
    reason = f"{entry.reason or 'rejected'} after the backup was made"
    after = held.with_row(status="rejected", retired_at=work.now)
    work.change(held, after, action="REJECT", reason=reason)
    work.note("DELETE", held.id, reason, before=held.row.version, after=held.row.version + 1)


def _redact(scope: Scope, namespace: str, found: Standing) -> int:
    """Forgotten words in conversations that the backup brought back whole."""
    forgotten = {fp for (place, fp), entry in found.values.items() if place == namespace and entry.act == "forget"}
    if not forgotten:
        return 0
    done, after = 0, None
    filter = Filter(namespaces=(namespace,), kinds=("episodic",))
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.memories.find(filter, after=after, limit=BATCH)
            telling = [
                (held, quotes) for held in opened(scope, tx, page) if (quotes := _quotes(scope, held, forgotten))
            ]
        for held, quotes in telling:
            _take_out(scope, held.id, quotes)
        done += len(telling)
        if len(page) < BATCH:
            return done
        after = page[-1].id


def _quotes(scope: Scope, held: Held, forgotten: set[bytes]) -> list[str]:
    vault, namespace = scope.vault, held.row.namespace
    return [span.text for span in sentences(held.content.text) if vault.fingerprint(namespace, span.text) in forgotten]


def _take_out(scope: Scope, id: str, quotes: Sequence[str]) -> None:
    forgetting = Forgetting(scope)
    with working(scope, "REPLAY") as work:
        for quote in quotes:
            for held in opened(scope, work.tx, work.tx.memories.get([id])):
                forgetting.redact_episode(work, held, quote)
        work.audit("REPLAY", "memory", id, None, None, None)
        work.receipt()
