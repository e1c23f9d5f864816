"""The namespaces of an owner. Memories never cross from one to another unless moved explicitly."""

import builtins
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.memories import admission
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.graph import Graph
from commonplace.memories.ids import takes_ids
from commonplace.memories.moving import move_history, relocated
from commonplace.memories.proposals import propose
from commonplace.memories.scope import Scope
from commonplace.memories.undo_snapshots import PUBLIC_FIELDS, public_fields, save_states, saved_states
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import PERSONAL, Receipt
from commonplace.store.rows import Filter, NamespaceRow, from_row
from commonplace.trust import same_name

RESERVED = (PERSONAL, "default")
GONE = "namespace that went"


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    id: str
    name: str
    description: str | None
    created_at: datetime
    predicates: tuple[str, ...] = ()
    """Predicates declared here, in addition to the built-in ones."""


@takes_ids
class Namespaces:
    """Every namespace of the owner; verbs take names."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self) -> builtins.list[Namespace]:
        with self._scope.store.read(self._scope.owner) as tx:
            return sorted(
                (self._namespace(row) for row in tx.namespaces.all()), key=lambda namespace: namespace.name.casefold()
            )

    def get(self, name: str) -> Namespace:
        with self._scope.store.read(self._scope.owner) as tx:
            row = tx.namespaces.by_label(self._scope.vault.label("namespace", name))
        if row is None:
            raise NotFound("namespace", name)
        return self._namespace(row)

    def create(self, name: str, *, description: str | None = None) -> Receipt:
        name = admission.name("namespace", name)
        with write_transaction(self._scope, "NAMESPACE") as work:
            if work.tx.namespaces.by_label(work.vault.label("namespace", name)):
                raise Conflict("namespace", name, expected=0, found=1)
            row = work.namespace(name)
            plain = {"name": name, "description": admission.remark("description", description)}
            if description:
                self._write(work, row, plain)
            save_states(work, "namespace", row.id, before=None, after=public_fields(plain), action="ADD")
            return self._done(work, row.id, "ADD", "new")

    def revise(
        self,
        name: str,
        *,
        rename: str | None = None,
        description: str | None = None,
        predicates: Sequence[str] | None = None,
    ) -> Receipt:
        """Rename, describe, or declare predicates; absent arguments change nothing."""
        with write_transaction(self._scope, "NAMESPACE") as work:
            row = self._row(work, name)
            before = self._scope.opened(row)
            plain = dict(before)
            if rename is not None:
                if "shared" in plain:
                    raise Invalid("a shared namespace keeps its name", code="keeps_its_name")
                if any(same_name(before["name"], reserved) for reserved in RESERVED):
                    raise Invalid(
                        f"{name!r} keeps its name; create another namespace and move memories there",
                        code="keeps_its_name",
                    )
                plain["name"] = admission.name("namespace", rename)
            if description is not None:
                plain["description"] = admission.remark("description", description)
            if predicates is not None:
                plain["predicates"] = list(dict.fromkeys(predicates))
            self._write(work, row, plain)
            save_states(
                work, "namespace", row.id, before=public_fields(before), after=public_fields(plain), action="UPDATE"
            )
            return self._done(work, row.id, "UPDATE", "revised")

    def move(self, ids: Sequence[str], *, to: str) -> Receipt:
        """Move memories of this namespace to another one, with their words and vectors."""
        with write_transaction(self._scope, "MOVE") as work:
            target = work.namespace(admission.name("namespace", to))
            if self._scope.opened(target).get("shared"):
                raise Invalid(
                    "memories cannot be moved into a shared namespace; remember them there", code="shared_target"
                )
            for id in dict.fromkeys(ids):
                self._move(work, id, target)
            return work.receipt()

    def delete(self, name: str) -> Receipt:
        """Delete a namespace with all its content. Cannot be undone."""
        return Forgetting(self._scope).erase_namespace(name)

    def undo(self, work: Work, id: str, before: int | None, after: int) -> None:
        """Restore name, description and predicates, as far as the act changed them; an empty new namespace is deleted
        again.
        """
        earlier, later = saved_states(work, "namespace", id, before, after)
        row = work.tx.namespaces.get(id)
        if row is None:
            raise NotFound("namespace", id)
        if earlier.plain is None:
            if _inhabited(work, id):
                raise Invalid("the namespace is in use now; `namespaces.delete` deletes it with its content")
            move_history(work, id)
            work.tx.namespaces.drop(id)
            work.gone("namespace", id, None, id)
            work.touched.append((GONE, id, after, 0))
        else:
            changed = {
                name: earlier.plain[name] for name in PUBLIC_FIELDS if earlier.plain[name] != (later.plain or {})[name]
            }
            plain = self._scope.opened(row) | changed
            self._write(work, row, {name: value for name, value in plain.items() if value is not None})
            save_states(work, "namespace", id, before=later.plain, after=public_fields(plain), action="UNDO")
        work.ids.append(id)
        work.record("namespace", id, "UNDO", id, operation="delete" if earlier.plain is None else "put")
        work.note("UPDATE", id, "undone", noun="namespace")

    def _move(self, work: Work, id: str, target: NamespaceRow) -> None:
        before = work.load(id)
        if before.row.namespace == target.id:
            return
        if before.protected_from(self._scope):
            propose(work, "move", before, arguments={"to": self._scope.opened(target)["name"]})
            return
        if before.row.kind == "episodic":
            raise Invalid(
                "an episode stays with its conversation; move the memories learned from it", code="message_stays"
            )
        moved = relocated(work, before, target.id)
        if (triple := moved.content.triple) is not None:
            ends_in_namespace = Graph(self._scope).ends_in_namespace(work, dict(triple), target.id)
            moved = replace(moved, content=replace(moved.content, triple=ends_in_namespace))
        Gateway(self._scope).end_present_value(work, moved)
        work.change(before, moved, action="MOVE", reason="moved", receipt_action="UPDATE")

    def _row(self, work: Work, name: str) -> NamespaceRow:
        row = work.tx.namespaces.by_label(work.vault.label("namespace", name))
        if row is None:
            raise NotFound("namespace", name)
        return row

    def _write(self, work: Work, row: NamespaceRow, plain: dict[str, Any]) -> None:
        row = replace(row, label=work.vault.label("namespace", plain["name"]))
        work.tx.namespaces.put(work.vault.sealed(row, plain))

    def _done(self, work: Work, id: str, action: Any, reason: str) -> Receipt:
        work.ids.append(id)
        work.record("namespace", id, action, id)
        work.note(action, id, reason, noun="namespace")
        return work.receipt()

    def _namespace(self, row: NamespaceRow) -> Namespace:
        plain = self._scope.opened(row)
        description, predicates = plain.get("description"), tuple(plain.get("predicates") or ())
        return from_row(Namespace, row, name=plain["name"], description=description, predicates=predicates)


def _inhabited(work: Work, id: str) -> bool:
    return bool(
        work.tx.memories.find(Filter(namespaces=(id,)), limit=1)
        or work.tx.entities.all([id], limit=1)
        or work.tx.tags.all(id)
        or work.tx.directives.all([id])
    )


def undo_namespace(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    Namespaces(gateway.scope).undo(work, id, before, after)


def undo_gone(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    raise Invalid("the empty namespace was deleted completely; create it again")
