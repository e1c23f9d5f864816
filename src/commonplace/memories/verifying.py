"""Searches for forgotten content: by id and by value, wherever text is stored.

The values come from the ledger, which has only fingerprints and survives the restore of an older copy.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from commonplace.clock import micros
from commonplace.errors import NotFound
from commonplace.memories import codec
from commonplace.memories.gateway import entity_value, value
from commonplace.memories.scope import Scope
from commonplace.model import Receipt
from commonplace.store.rows import LedgerEntry, ReceiptRow
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import sentences
from commonplace.text.words import words

SCRUBBED, PENDING = "scrubbed", "scrub pending"
FINAL_ACTS = ("FORGET", "ERASE")
MIN_CONTENT_WORDS = 3
"""Content words from which on a sentence is searched for by itself; "Hi!" is too common."""
PAGE = 1000
MARKUP = re.compile(r"^[\s>#*+|-]*(?:\d+[.)]\s+)?(?:\[[ xX]\]\s+)?(?:\[?\d{4}-\d\d-\d\d[^\]]*\]\s*)?")
"""Markdown markup at the start of a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of searching for forgotten content."""

    ref: str
    state: str
    found: tuple[str, ...]
    """Where it was found; empty if it is gone."""

    @property
    def gone(self) -> bool:
        return not self.found and self.state == SCRUBBED

    @property
    def summary(self) -> str:
        """A pending scrub leaves old bytes in files, but nothing readable in the book."""
        return f"{'not gone' if self.found else 'gone' if self.gone else 'gone from the book'}, {self.state}"


@dataclass(frozen=True, slots=True)
class FinalAct:
    """What a forget or an erasure deleted: ids, and fingerprints by namespace."""

    at: int
    ids: tuple[str, ...]
    namespaces: tuple[str, ...]
    owner: bool
    values: Mapping[str, frozenset[bytes]]


def verify(scope: Scope, receipt: Receipt | str, files: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Search for everything that a forget or an erasure deleted; ``files`` are (name, text) outside the book.

    Works on a restored copy that is older than the receipt. Raises ``NotFound`` if the receipt is not of a final act.
    """
    with scope.store.read(scope.owner) as tx:
        act = _act(scope, tx, receipt)
        places = [f"namespace {id}" for id in act.namespaces if tx.namespaces.get(id) is not None]
        if act.owner:
            places += [f"namespace {row.id}" for row in tx.namespaces.all() if row.created_at < act.at]
        for id in act.ids:
            if tx.memories.get([id]):
                places.append(f"memory {id}")
            if tx.versions.of(codec.NOUN, id):
                places.append(f"versions of {id}")
            if tx.evidence.of(codec.NOUN, [id]):
                places.append(f"evidence of {id}")
        if any(act.values.values()):
            search = _Search(scope, act.values)
            for look in (search.memories, search.entities, search.jobs, search.traces):
                places += look(tx)
            places += search.files(files)
    return list(dict.fromkeys(places))


def _act(scope: Scope, tx: Transaction, receipt: Receipt | str) -> FinalAct:
    ref = receipt.ref if isinstance(receipt, Receipt) else receipt
    row = tx.receipts.get(ref)
    entries = list(scope.store.ledger.entries(scope.owner))
    moments = [entry.at for entry in entries if entry.act == "receipt" and entry.target == ref]
    if row is not None and row.action in FINAL_ACTS:
        moments = [row.at]
    elif not moments and isinstance(receipt, Receipt) and receipt.action in FINAL_ACTS:
        moments = [micros(receipt.at)]
    if not moments or (row is not None and row.action not in FINAL_ACTS):
        raise NotFound("receipt of a forget", ref)
    acts = [entry for entry in entries if entry.at == moments[0]]
    ids = _ids(scope, row) if row is not None else [entry.target for entry in acts if entry.act == "forget"]
    lifted = {
        (entry.namespace, print)
        for entry in entries
        if entry.act == "lift" and entry.at >= moments[0]
        for print in entry.fingerprints
    }
    values: dict[str, set[bytes]] = {}
    for entry in acts:
        for print in _prints(entry):
            if (entry.namespace, print) not in lifted:
                values.setdefault(entry.namespace or "", set()).add(print)
    erased = tuple(entry.target for entry in acts if entry.act == "erase-namespace")
    return FinalAct(
        at=moments[0],
        ids=tuple(id for id in ids if id and id not in erased),
        namespaces=erased,
        owner=any(entry.act == "erase-owner" for entry in acts),
        values={namespace: frozenset(prints) for namespace, prints in values.items()},
    )


def _ids(scope: Scope, row: ReceiptRow) -> list[str]:
    """Ids of memories that were deleted completely; one that lost only a part keeps its id."""
    plain = scope.opened(row)
    stays = {change["id"] for change in plain["changes"] if change["action"] == "UPDATE"}
    gone = {change["id"] for change in plain["changes"] if change["action"] == "DELETE"}
    return [id for id in plain["ids"] if id in gone or id not in stays]


def _prints(entry: LedgerEntry) -> tuple[bytes, ...]:
    if entry.act == "cut":
        return entry.fingerprints[:1]  # the second one is what may stay
    return entry.fingerprints if entry.act == "forget" else ()


class _Search:
    def __init__(self, scope: Scope, values: Mapping[str, frozenset[bytes]]) -> None:
        self._scope, self._values = scope, values
        self._vault = scope.current_vault()

    def memories(self, tx: Transaction) -> Iterator[str]:
        """Beliefs, relations, core values and episodes with all versions, and their quotes."""
        after = ("", 0)
        while page := tx.versions.page(codec.NOUN, after=after, limit=PAGE):
            after = page[-1].id, page[-1].version
            for row in page:
                stored, reason = codec.opened_version(self._scope, row)
                content, namespace = stored.content, stored.row.namespace
                short = stored.row.kind == "episodic" and not self._is_informative(content.text)
                if not short and self._is(namespace, value(content.text, content.key)):
                    yield f"a version of {row.id}"
                elif self._contains_value(content.text) or (reason is not None and self._contains_value(reason)):
                    yield f"words in {row.id}"
            for quoted in tx.evidence.of(codec.NOUN, list(dict.fromkeys(row.id for row in page))):
                if quoted.sealed is not None and self._contains_value(self._scope.opened(quoted)):
                    yield f"a quote of {quoted.id}"

    def entities(self, tx: Transaction) -> Iterator[str]:
        for row in tx.versions.walk("entity"):
            plain = self._scope.opened(row)["plain"]
            labels = (plain["label"], *(plain.get("aliases") or ()))
            if any(self._is(place, entity_value(label)) for place in self._values for label in labels):
                yield f"entity {row.id}"

    def jobs(self, tx: Transaction) -> Iterator[str]:
        for row in tx.jobs.all(limit=100_000):
            if any(self._contains_value(text) for text in _texts(self._scope.opened(row))):
                yield f"job {row.id}"

    def traces(self, tx: Transaction) -> Iterator[str]:
        before: str | None = None
        while page := tx.traces.page("extraction", before=before, limit=PAGE):
            before = page[-1].id
            for row in page:
                if any(self._contains_value(text) for text in _texts(self._scope.opened(row))):
                    yield f"trace {row.id}"

    def files(self, files: Iterable[tuple[str, str]]) -> Iterator[str]:
        for name, text in files:
            if any(self._contains_value(MARKUP.sub("", line)) for line in text.splitlines()):
                yield f"file {name}"

    def _contains_value(self, text: str) -> bool:
        """Whether the text, or an informative sentence of it, is one of the values."""
        spans = dict.fromkeys((text, *(span.text for span in sentences(text))))
        telling = [span for span in spans if self._is_informative(span)]
        return any(self._is(namespace, span) for namespace in self._values for span in telling)

    def _is(self, namespace: str, text: str) -> bool:
        prints = self._values.get(namespace, frozenset())
        return bool(prints) and self._vault.fingerprint(namespace, text) in prints

    def _is_informative(self, text: str) -> bool:
        return len(words(text, self._scope.language)) >= MIN_CONTENT_WORDS


def _texts(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, Mapping):
        for part in plain.values():
            yield from _texts(part)
    elif isinstance(plain, list | tuple):
        for part in plain:
            yield from _texts(part)
