"""Final acts done again after a restore: what was forgotten, rejected or erased since the backup stays so."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.maintenance.house import namespaces
from commonplace.maintenance.runs import BATCH, opened
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import value
from commonplace.memories.remains import put_together
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work, working
from commonplace.model import CURRENT
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, LedgerEntry, MemoryRow, TombstoneRow
from commonplace.text.sentences import sentences

PARTS, WHOLE = "parts forgotten", "gone whole, where only a part was forgotten"

Value = tuple[str, bytes]
"""A namespace's id and a fingerprint."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the ledger says of each value in the end, and which memories were forgotten by id."""

    values: Mapping[Value, LedgerEntry]
    lifted: frozenset[Value]
    targets: Mapping[str, LedgerEntry]
    cuts: Mapping[Value, Sequence[LedgerEntry]]
    """Texts that lost a part, and how the rest is made of them."""
    namespaces: tuple[str, ...]
    """Erased."""


def standing(entries: Sequence[LedgerEntry]) -> Standing:
    """The last word on everything, from the acts in their order. Pure."""
    values: dict[Value, LedgerEntry] = {}
    lifted: set[Value] = set()
    targets = {}
    cuts: dict[Value, list[LedgerEntry]] = {}
    erased = []
    for entry in entries:
        mine = [(entry.namespace or "", one) for one in entry.fingerprints]
        if entry.act == "erase-namespace":
            erased.append(entry.target)
        elif entry.act == "lift":
            lifted.update(mine)
            for one in mine:
                values.pop(one, None)
                cuts.pop(one, None)
        elif entry.act == "cut":
            cuts.setdefault(mine[0], []).append(entry)
        elif entry.act in ("forget", "tombstone"):
            lifted.difference_update(mine)
            values |= dict.fromkeys(mine, entry)
            if entry.act == "forget" and entry.target:
                targets[entry.target] = entry
    return Standing(values, frozenset(lifted), targets, cuts, tuple(erased))


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
    done[PARTS] += _cut(scope, found)
    for id, name in namespaces(scope).items():
        mine = scope.within(name)
        done.update(_forget(mine, id, found))
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
            Forgetting(scope).take_along(work, id, noted=False)
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


def _cut(scope: Scope, found: Standing) -> int:
    """Texts that lost a part after the copy was made lose it again, and keep the rest. By id, and by value."""
    entries = [entry for several in found.cuts.values() for entry in several]
    ids: dict[str, None] = {}
    with scope.store.read(scope.owner) as tx:
        for row in _present(tx, [entry.target for entry in entries]):
            ids[row.id] = None
        for (namespace, fingerprint), several in found.cuts.items():
            at = max(entry.at for entry in several)
            ids |= dict.fromkeys(row.id for row in _of_value(tx, namespace, fingerprint, at))
    forgetting, cut = Forgetting(scope), cutter(scope, found)
    done = 0
    for id in ids:
        with working(scope, "FORGET") as work:
            done += bool(forgetting.take_out(work, work.held_anywhere(id), cut))
            work.receipt(keep=bool(work.touched))
    return done


def cutter(scope: Scope, found: Standing) -> Callable[[str], str]:
    """The rest of a text as often as it was cut; the text itself where no note fits it."""
    places = list(dict.fromkeys(namespace for namespace, _ in found.cuts))

    def cut(text: str) -> str:
        rest: str | None = text
        while rest is not None:
            text = rest
            known = [(place, found.cuts.get((place, scope.vault.fingerprint(place, text)), ())) for place in places]
            made = (_rest(scope, place, text, entry) for place, several in known for entry in several)
            rest = next((one for one in made if one is not None), None)
        return text

    return cut


def _rest(scope: Scope, namespace: str, text: str, entry: LedgerEntry) -> str | None:
    made = put_together(text, entry.reason or "")
    if made is None or made == text or scope.vault.fingerprint(namespace, made) != entry.fingerprints[1]:
        return None
    return made


def _present(tx: Transaction, ids: Sequence[str]) -> list[MemoryRow]:
    wanted = list(dict.fromkeys(ids))
    parts = (wanted[start : start + BATCH] for start in range(0, len(wanted), BATCH))
    return [row for part in parts for row in tx.memories.get(part)]


def _forget(scope: Scope, namespace: str, found: Standing) -> Counter[str]:
    """By id, and by value: the same words may have stood under another id when the backup was made."""
    forgotten = [fp for (place, fp), entry in found.values.items() if place == namespace and entry.act == "forget"]
    victims: dict[str, str] = {}
    with scope.store.read(scope.owner) as tx:
        for fingerprint in forgotten:
            entry = found.values[namespace, fingerprint]
            what = "forgotten" if entry.target else WHOLE
            victims |= {row.id: what for row in _of_value(tx, namespace, fingerprint, entry.at)}
        here = [row for row in _present(tx, list(found.targets)) if row.namespace == namespace]
        victims |= {row.id: "forgotten" for row in here}
    forgetting = Forgetting(scope)
    done: Counter[str] = Counter()
    for id, what in victims.items():
        with working(scope, "FORGET") as work:
            rows = work.tx.memories.get([id])  # an earlier one may have taken it along
            if rows:
                forgetting.forget_within(work, opened(scope, work.tx, rows))
                work.receipt()
                done[what] += 1
    return done


def _of_value(tx: Transaction, namespace: str, fingerprint: bytes, at: int) -> list[MemoryRow]:
    rows = tx.memories.find(Filter(namespaces=(namespace,), fingerprint=fingerprint), limit=1000)
    return [row for row in rows if row.recorded_at <= at]


def _reject(scope: Scope, namespace: str, found: Standing) -> int:
    rejected = {one: entry for one, entry in found.values.items() if entry.act == "tombstone"}
    believed: dict[str, LedgerEntry] = {}
    with scope.store.read(scope.owner) as tx:
        for (place, fingerprint), entry in rejected.items():
            if place == namespace:
                rows = _of_value(tx, namespace, fingerprint, entry.at)
                believed |= dict.fromkeys((row.id for row in rows if _shown(row)), entry)
        believed |= _moved(scope, tx, namespace, rejected)
    ids = list(believed)
    for start in range(0, len(ids), BATCH):
        with working(scope, "REPLAY") as work:
            for held in opened(scope, work.tx, work.tx.memories.get(ids[start : start + BATCH])):
                _rejected(work, held, believed[held.id])
            work.receipt()
    return len(ids)


def _moved(
    scope: Scope, tx: Transaction, namespace: str, rejected: Mapping[Value, LedgerEntry]
) -> dict[str, LedgerEntry]:
    """What was rejected in another namespace than the one it stood in when the copy was made."""
    elsewhere: dict[str, list[tuple[Value, LedgerEntry]]] = {}
    for one, entry in rejected.items():
        if entry.target and one[0] != namespace:
            elsewhere.setdefault(entry.target, []).append((one, entry))
    rows = [row for row in _present(tx, list(elsewhere)) if row.namespace == namespace and _shown(row)]
    meant = {}
    for held in opened(scope, tx, rows):
        said = value(held.content.text, held.content.key)
        for (place, fingerprint), entry in elsewhere[held.id]:
            if scope.vault.fingerprint(place, said) == fingerprint:
                meant[held.id] = entry
    return meant


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
            _take_out(scope, held.id, quotes, cutter(scope, found))
        done += len(telling)
        if len(page) < BATCH:
            return done
        after = page[-1].id


def _quotes(scope: Scope, held: Held, forgotten: set[bytes]) -> list[str]:
    vault, namespace = scope.vault, held.row.namespace
    return [span.text for span in sentences(held.content.text) if vault.fingerprint(namespace, span.text) in forgotten]


def _take_out(scope: Scope, id: str, quotes: Sequence[str], cut: Callable[[str], str]) -> None:
    forgetting = Forgetting(scope)
    with working(scope, "REPLAY") as work:
        for quote in quotes:
            for held in opened(scope, work.tx, work.tx.memories.get([id])):
                forgetting.redact_episode(work, held, quote, rest=cut(quote))
        work.audit("REPLAY", "memory", id, None, None, None)
        work.receipt()
