"""The tags of a namespace: their descriptions, synonyms and links."""

import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.memories import admission
from commonplace.memories.scope import Scope
from commonplace.memories.undo_snapshots import Links, save_states, saved_states, tag_key
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import Receipt
from commonplace.store.rows import TagRow
from commonplace.store.transaction import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag, and how many items have it."""

    id: str
    name: str
    description: str | None = None
    synonyms: tuple[str, ...] = ()
    links: int = 0


def tag_ids(work: Work, namespace: str, names: Iterable[str]) -> tuple[str, ...]:
    """The ids of the tags with these names or synonyms; missing tags are created."""
    tag_list = []
    for name in names:
        label = _label(work, namespace, name)
        row = work.tx.tags.by_label(namespace, label)
        if row is None:
            row = _row(work, namespace, work.scope.clock.new_id(), {"name": name})
            work.tx.tags.put(row)
            work.record("tag", row.id, "ADD", namespace)
        tag_list.append(row.id)
    return tuple(dict.fromkeys(tag_list))


def tag_names(scope: Scope, tx: Transaction, ids: Iterable[str]) -> dict[str, str]:
    unique = list(dict.fromkeys(ids))
    if not unique:
        return {}
    return {row.id: scope.opened(row)["name"] for row in tx.tags.get(unique)}


class Glossary:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def list(self) -> builtins.list[Tag]:
        with self._scope.store.read(self._scope.owner) as tx:
            namespace = tx.namespaces.by_label(self._scope.vault.label("namespace", self._scope.namespace))
            rows = tx.tags.all(namespace.id) if namespace else []
        return sorted((self._tag(row, links) for row, links in rows), key=lambda tag: tag.name.casefold())

    def get(self, name: str) -> Tag:
        for tag in self.list():
            if name == tag.name or name in tag.synonyms:
                return tag
        raise NotFound("tag", name)

    def create(self, name: str, *, description: str | None = None, synonyms: Sequence[str] = ()) -> Receipt:
        """Create a tag. Raises ``Conflict`` if another tag has the name or a synonym."""
        name = admission.name("tag", name, limit=admission.TAG_LIMIT)
        with write_transaction(self._scope, "TAG") as work:
            namespace = work.namespace().id
            if work.tx.tags.by_label(namespace, _label(work, namespace, name)):
                raise Conflict("tag", name, expected=0, found=1)
            description = admission.remark("description", description)
            plain = {"name": name, "description": description, "synonyms": _synonyms(synonyms)}
            row = _row(work, namespace, self._scope.clock.new_id(), plain)
            work.tx.tags.put(row)
            _keep(work, row, before=None, after=plain, action="ADD")
            return self._done(work, row, "ADD", "new")

    def revise(
        self,
        name: str,
        *,
        rename: str | None = None,
        description: str | None = None,
        synonyms: Sequence[str] | None = None,
    ) -> Receipt:
        """Rename, describe, or replace the synonyms; absent arguments change nothing. Links stay."""
        with write_transaction(self._scope, "TAG") as work:
            row = self._row_of(work, name)
            before = self._scope.opened(row)
            plain = dict(before)
            if rename is not None:
                plain["name"] = admission.name("tag", rename, limit=admission.TAG_LIMIT)
            if description is not None:
                plain["description"] = admission.remark("description", description)
            if synonyms is not None:
                plain["synonyms"] = _synonyms(synonyms)
            changed = replace(_row(work, row.namespace, row.id, plain), created_at=row.created_at)
            work.tx.tags.put(changed)
            _keep(work, changed, before=before, after=plain, action="UPDATE")
            return self._done(work, changed, "UPDATE", "revised")

    def merge(self, name: str, *, into: str) -> Receipt:
        """Move all links to another tag; the old name becomes its synonym."""
        with write_transaction(self._scope, "TAG") as work:
            source, target = self._row_of(work, name), self._row_of(work, into)
            if source.id == target.id:
                raise Invalid("these are the same tag already", code="same_tag")
            linked = work.tx.tags.linked(source.id)
            new = sorted(set(linked) - set(work.tx.tags.linked(target.id)))
            before, gone = self._scope.opened(target), self._scope.opened(source)
            work.tx.tags.delete(source.id)
            _keep(work, source, before=gone, after=None, action="MERGE", took=linked)
            extra = [gone["name"], *gone.get("synonyms", [])]
            plain = {**before, "synonyms": list(dict.fromkeys([*before.get("synonyms", []), *extra]))}
            work.tx.tags.put(replace(_row(work, target.namespace, target.id, plain), created_at=target.created_at))
            _tie(work, target.id, new)
            _keep(work, target, before=before, after=plain, action="MERGE", gave=new)
            work.gone("tag", source.id, None, source.namespace)
            return self._done(work, target, "UPDATE", "merged")

    def delete(self, name: str) -> Receipt:
        """Delete a tag and its links; the tagged items stay."""
        with write_transaction(self._scope, "TAG") as work:
            row = self._row_of(work, name)
            linked = work.tx.tags.linked(row.id)
            work.tx.tags.delete(row.id)
            _keep(work, row, before=self._scope.opened(row), after=None, action="DELETE", took=linked)
            work.gone("tag", row.id, None, row.namespace)
            return self._done(work, row, "DELETE", "deleted")

    def _row_of(self, work: Work, name: str) -> TagRow:
        namespace = work.namespace().id
        row = work.tx.tags.by_label(namespace, _label(work, namespace, name))
        if row is None:
            raise NotFound("tag", name)
        return row

    def _done(self, work: Work, row: TagRow, action: Any, reason: str) -> Receipt:
        work.ids.append(row.id)
        work.record("tag", row.id, action, row.namespace, operation="delete" if action == "DELETE" else "put")
        work.note(action, row.id, reason, noun="tag")
        return work.receipt()

    def _tag(self, row: TagRow, links: int) -> Tag:
        plain = self._scope.opened(row)
        description, synonyms = plain.get("description"), tuple(plain.get("synonyms") or ())
        return Tag(id=row.id, name=plain["name"], description=description, synonyms=synonyms, links=links)


def undo_tag(work: Work, key: str, before: int | None, after: int) -> None:
    """Restore an earlier state of a tag, with its links. Raises ``Conflict`` or ``Invalid``."""
    namespace, _, id = key.partition("/")
    earlier, later = saved_states(work, "tag", key, before, after)
    linked = set(work.tx.tags.linked(id))
    if earlier.plain is None:
        if linked - set(later.gave):
            raise Invalid("the tag is in use now; delete it to remove it")
        work.tx.tags.delete(id)
        work.gone("tag", id, None, namespace)
    else:
        rows = work.tx.tags.get([id])
        row = _row(work, namespace, id, dict(earlier.plain))
        work.tx.tags.put(replace(row, created_at=rows[0].created_at) if rows else row)
        _tie(work, id, [link for link in later.gave if link in linked], off=True)
        _tie(work, id, [link for link in later.took if _there(work, namespace, link)])
    links = {"gave": later.took, "took": later.gave}
    save_states(work, "tag", key, before=later.plain, after=earlier.plain, action="UNDO", **links)
    work.ids.append(id)
    work.record("tag", id, "UNDO", namespace, operation="delete" if earlier.plain is None else "put")
    work.note("UPDATE", id, "undone", noun="tag")


def _keep(work: Work, row: TagRow, **state: Any) -> None:
    save_states(work, "tag", tag_key(row.namespace, row.id), **state)


def _tie(work: Work, tag: str, links: Links, *, off: bool = False) -> None:
    """Add a tag to memories and entities, or remove it."""
    for noun, id in links:
        others = [other for other in work.tx.tags.links(noun, [id]).get(id, ()) if other != tag]
        work.tx.tags.set_links(noun, id, others if off else [*others, tag])


def _there(work: Work, namespace: str, thing: tuple[str, str]) -> bool:
    """Whether the tagged item still exists in the namespace."""
    noun, id = thing
    rows = work.tx.entities.get([id]) if noun == "entity" else work.tx.memories.get([id])
    return any(row.namespace == namespace for row in rows)


def _label(work: Work, namespace: str, name: str) -> bytes:
    return work.vault.label("tag", f"{namespace}/{name}")


def _synonyms(names: Sequence[str]) -> list[str]:
    return [admission.name("synonym", name, limit=admission.TAG_LIMIT) for name in dict.fromkeys(names)]


def _row(work: Work, namespace: str, id: str, plain: dict[str, Any]) -> TagRow:
    plain = {name: value for name, value in plain.items() if value}
    label, *synonyms = (_label(work, namespace, name) for name in (plain["name"], *plain.get("synonyms", ())))
    row = TagRow(id=id, namespace=namespace, label=label, sealed=b"", synonyms=tuple(synonyms), created_at=work.now)
    return work.vault.sealed(row, plain)
