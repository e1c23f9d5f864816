"""The workspaces of an owner: memories never cross from one to another unless asked to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from commonplace.clock import moment
from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.memories import admission, indexing, states
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.glossary import tag_ids, tag_names
from commonplace.memories.scope import Scope
from commonplace.memories.work import Work, working
from commonplace.model import PERSONAL, Receipt
from commonplace.store.rows import NamespaceRow

RESERVED = (PERSONAL, "default")


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    id: str
    name: str
    description: str | None
    created_at: datetime
    predicates: tuple[str, ...] = ()
    """Predicates declared here, besides the built-in ones."""


class Namespaces:
    """Every namespace of the owner; verbs take names."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self) -> list[Namespace]:
        with self._scope.store.read(self._scope.owner) as tx:
            return sorted((self._namespace(row) for row in tx.namespaces.all()), key=lambda one: one.name.casefold())

    def get(self, name: str) -> Namespace:
        with self._scope.store.read(self._scope.owner) as tx:
            row = tx.namespaces.by_label(self._scope.vault.label("namespace", name))
        if row is None:
            raise NotFound("namespace", name)
        return self._namespace(row)

    def create(self, name: str, *, description: str | None = None) -> Receipt:
        name = admission.name("namespace", name)
        with working(self._scope, "NAMESPACE") as work:
            if work.tx.namespaces.by_label(work.vault.label("namespace", name)):
                raise Conflict("namespace", name, expected=0, found=1)
            row = work.namespace(name)
            if description:
                self._write(work, row, {"name": name, "description": description})
            return self._done(work, row.id, "ADD", "new")

    def revise(
        self,
        name: str,
        *,
        rename: str | None = None,
        description: str | None = None,
        predicates: Sequence[str] | None = None,
    ) -> Receipt:
        """Rename, describe, or declare predicates; what is absent stays."""
        with working(self._scope, "NAMESPACE") as work:
            row = self._row(work, name)
            plain = self._scope.open_json("namespace", row.id, row.sealed)
            if rename is not None:
                if name in RESERVED:
                    raise Invalid(f"{name!r} keeps its name; create another namespace and move memories there")
                plain["name"] = admission.name("namespace", rename)
            if description is not None:
                plain["description"] = description
            if predicates is not None:
                plain["predicates"] = list(dict.fromkeys(predicates))
            self._write(work, row, plain)
            return self._done(work, row.id, "UPDATE", "revised")

    def move(self, ids: Sequence[str], *, to: str) -> Receipt:
        """Take memories of the scope's namespace to another one; their words and vectors follow."""
        with working(self._scope, "MOVE") as work:
            target = work.namespace(admission.name("namespace", to))
            for id in dict.fromkeys(ids):
                self._move(work, id, target)
            return work.receipt()

    def delete(self, name: str) -> Receipt:
        """Erase a namespace with all that is in it. Cannot be undone."""
        return Forgetting(self._scope).erase_namespace(name)

    def _move(self, work: Work, id: str, target: NamespaceRow) -> None:
        before = work.held(id)
        if before.row.namespace == target.id:
            return
        if before.row.kind == "episodic":
            raise Invalid("an episode stays with its conversation; move what was concluded from it")
        names = tag_names(self._scope, work.tx, before.tags)
        text = before.content.text
        key = before.content.key
        moved = replace(before, tags=tag_ids(work, target.id, names.values())).with_row(
            namespace=target.id,
            fingerprint=work.vault.fingerprint(target.id, text if key is None else f"{key}={text}"),
            key=None if key is None else work.vault.label("core", f"{target.id}/{key}"),
        )
        # Another namespace has other blinded terms: the present text is indexed anew under a number of its own.
        indexing.unindex(work.tx, work.vault, [before], language=self._scope.language)
        moved = moved.with_row(doc=work.tx.owners.take_docs(1))
        after = work.change(before, moved, action="MOVE", reason="moved")
        work.gone(states.NOUN, id, before.row.doc, before.row.namespace)
        work.index_again(after)
        work.note("UPDATE", id, "moved", before=before.row.version, after=after.row.version)

    def _row(self, work: Work, name: str) -> NamespaceRow:
        row = work.tx.namespaces.by_label(work.vault.label("namespace", name))
        if row is None:
            raise NotFound("namespace", name)
        return row

    def _write(self, work: Work, row: NamespaceRow, plain: dict[str, Any]) -> None:
        label = work.vault.label("namespace", plain["name"])
        work.tx.namespaces.put(replace(row, label=label, sealed=work.vault.seal_json("namespace", row.id, plain)))

    def _done(self, work: Work, id: str, action: Any, reason: str) -> Receipt:
        work.ids.append(id)
        work.record("namespace", id, action, id)
        work.note(action, id, reason, noun="namespace")
        return work.receipt()

    def _namespace(self, row: NamespaceRow) -> Namespace:
        plain = self._scope.open_json("namespace", row.id, row.sealed)
        return Namespace(
            id=row.id,
            name=plain["name"],
            description=plain.get("description"),
            created_at=moment(row.created_at),
            predicates=tuple(plain.get("predicates") or ()),
        )
