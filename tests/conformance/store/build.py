"""Rows to put in, with everything that does not matter to a check filled in."""

from dataclasses import replace
from typing import Any

from commonplace.store.rows import (
    AuditRow,
    DirectiveRow,
    EntityRow,
    JobRow,
    MemoryRow,
    NamespaceRow,
    RelationRow,
    SessionRow,
    StepRow,
    TagRow,
    VersionRow,
)
from commonplace.store.transaction import Transaction

HOME = "n-home"
"""The namespace that ``home`` makes."""


def home(tx: Transaction, *ids: str) -> None:
    """Make the namespaces that rows will stand in."""
    for id in ids or (HOME,):
        tx.namespaces.put(namespace(id))


def namespace(id: str = HOME, **fields: Any) -> NamespaceRow:
    return replace(NamespaceRow(id=id, label=b"label of " + id.encode(), sealed=b"sealed", created_at=1), **fields)


def memory(id: str, doc: int, **fields: Any) -> MemoryRow:
    row = MemoryRow(
        id=id,
        namespace=HOME,
        kind="associative",
        category="fact",
        status="verified",
        source="user",
        importance=0.5,
        confidence=0.7,
        recorded_at=1_000,
        fingerprint=b"print of " + id.encode(),
        sealed=b"sealed " + id.encode(),
        doc=doc,
    )
    return replace(row, **fields)


def version(id: str, number: int, **fields: Any) -> VersionRow:
    row = VersionRow(
        noun="memory",
        id=id,
        version=number,
        recorded_at=number * 10,
        superseded_at=None,
        actor="user",
        action="remember",
        sealed=b"state",
    )
    return replace(row, **fields)


def session(id: str, **fields: Any) -> SessionRow:
    row = SessionRow(
        id=id,
        namespace=HOME,
        label=b"label of " + id.encode(),
        sealed=b"sealed",
        started_at=1,
        position=0,
        next_doc=1,
        end_doc=65,
    )
    return replace(row, **fields)


def tag(id: str, **fields: Any) -> TagRow:
    return replace(TagRow(id=id, namespace=HOME, label=b"label of " + id.encode(), sealed=b"sealed"), **fields)


def entity(id: str, **fields: Any) -> EntityRow:
    row = EntityRow(
        id=id,
        namespace=HOME,
        type="person",
        label=b"label of " + id.encode(),
        sealed=b"sealed",
        status="verified",
        recorded_at=1,
    )
    return replace(row, **fields)


def relation(id: str, subject: str, object: str, **fields: Any) -> RelationRow:
    row = RelationRow(
        id=id,
        namespace=HOME,
        subject=subject,
        predicate="knows",
        object=object,
        status="verified",
        source="user",
        confidence=0.7,
        fingerprint=b"print of " + id.encode(),
        sealed=b"sealed",
        recorded_at=1,
    )
    return replace(row, **fields)


def directive(id: str, **fields: Any) -> DirectiveRow:
    return replace(DirectiveRow(id=id, namespace=HOME, status="active", created_at=1, sealed=b"goal"), **fields)


def step(id: str, directive: str, order: int, **fields: Any) -> StepRow:
    row = StepRow(id=id, directive=directive, status="waiting", order_index=order, generation=1, sealed=b"step")
    return replace(row, **fields)


def job(id: str, **fields: Any) -> JobRow:
    return replace(JobRow(id=id, kind="pack", state="waiting", due_at=100, created_at=1, sealed=b"payload"), **fields)


def audit(sequence: int, **fields: Any) -> AuditRow:
    row = AuditRow(
        sequence=sequence,
        at=sequence,
        actor="user",
        action="remember",
        noun="memory",
        target="m",
        before=None,
        after=b"after",
        hash=b"hash",
    )
    return replace(row, **fields)


class raises:  # noqa: N801  reads as the verb it is
    """The block must raise one of these; ``error`` is what it raised. The suite stands without pytest."""

    def __init__(self, *kinds: type[BaseException]) -> None:
        self._kinds = kinds
        self.error: Any = None

    def __enter__(self) -> "raises":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        assert error is not None, f"expected {', '.join(kind.__name__ for kind in self._kinds)}, and nothing was raised"
        self.error = error
        return isinstance(error, self._kinds)
