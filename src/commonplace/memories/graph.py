"""Entities and relations. A relation is a memory of kind ``relational`` with two ends.

So versions, clocks, statuses, evidence, tombstones, recall and forgetting work as for any memory; the store keeps ends
and predicate in a separate table, so that the graph can be walked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Unpack

from commonplace.clock import micros
from commonplace.errors import Conflict, Invalid, NotFound
from commonplace.memories import admission, codec
from commonplace.memories.codec import Content, StoredMemory, stamp
from commonplace.memories.drawing import Drawing, drawing
from commonplace.memories.gateway import DEFAULT_ADMISSION, Admission, Gateway, entity_value
from commonplace.memories.glossary import tag_ids, tag_names
from commonplace.memories.ids import AlsoShared, takes_ids
from commonplace.memories.proposals import propose
from commonplace.memories.reading import Reader, held
from commonplace.memories.scope import Scope
from commonplace.memories.undo_snapshots import public_fields, save_states
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import CURRENT, Entity, Metadata, NewMemory, Receipt, Relation, RelationFields, Source
from commonplace.store.rows import EntityRow, NamespaceRow, RelationRow, VersionRow, from_row
from commonplace.store.transaction import Transaction
from commonplace.text.normal import normal

VERBS = {
    "last_contacted_on": "was last contacted on",
    "owes_followup": "owes a follow-up to",
    "responsible_for": "is responsible for",
    "part_of": "is part of",
    "partner_of": "is the partner of",
    "ceo_of": "is CEO of",
    "cfo_of": "is CFO of",
    "cto_of": "is CTO of",
    "located_in": "is located in",
    "born_in": "was born in",
}
"""Wording of predicates that are not verbs themselves."""
LABEL_LIMIT, TYPE_LIMIT, PREDICATE_LIMIT, NOTES_LIMIT = 128, 32, 64, 4_000
TYPES = ("person", "company", "project", "topic")
PREDICATES = tuple(
    "works_at reports_to stakeholder_of last_contacted_on owes_followup works_on works_with manages responsible_for"
    " leads owns member_of part_of depends_on uses knows friend_of partner_of sibling_of parent_of child_of relative_of"
    " ceo_of cfo_of cto_of lives_in located_in born_in studies_at likes dislikes speaks has created related_to".split()
)
"""Predicates that every namespace has; a namespace may declare more."""
MOST_DEPTH = 6
MOST_WALKED = 2_000
PAGE = 500

Choose = Callable[[str, Sequence[EntityRow]], EntityRow | None]
"""Picks the entity that is meant among several of one name; None: a new entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The part of the graph reachable from an entity: nodes with their distance, and the edges between them."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    distance: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationFilter:
    """A filter for relations at an earlier moment."""

    subject: str | None
    predicate: str | None
    object: str | None
    at: int | None
    """The moment at which they held; None: at which they were known."""
    known: int

    def fits(self, row: RelationRow) -> bool:
        if self.predicate is not None and row.predicate != self.predicate:
            return False
        if self.at is None:
            return row.status in CURRENT
        return held(row, self.at) and row.status in (*CURRENT, "stale")

    def names(self, relation: Relation) -> bool:
        return _matches(relation.subject, self.subject) and _matches(relation.object, self.object)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationOptions:
    """Options for a relation that was not stated by hand."""

    evidence: tuple[tuple[str, str | None], ...] = ()
    """Episodes and their quotes."""
    metadata: Metadata = field(default_factory=dict)
    source: Source | None = None
    terms: Admission = DEFAULT_ADMISSION
    choose: Choose | None = None
    """Picks among entities of one name and type."""


@takes_ids
class Graph(AlsoShared):
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reader = Reader(scope)

    def relate(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        subject_type: str = "person",
        object_type: str = "topic",
        confidence: float = 0.7,
        notes: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        confirm: bool = False,
    ) -> Receipt:
        """Store a relation; stating it again confirms it.

        ``confirm`` brings back one that was rejected or forgotten; only a person may pass it.
        """
        statement = {name: value for name, value in locals().items() if name != "self"}
        with write_transaction(self._scope, "RELATE") as work:
            self.relate_within(work, **statement)
            return work.receipt()

    def relate_within(
        self,
        work: Work,
        subject: str,
        predicate: str,
        object: str,
        *,
        subject_type: str,
        object_type: str,
        confidence: float,
        notes: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        concluded: RelationOptions | None = None,
        confirm: bool = False,
    ) -> StoredMemory:
        """Like ``relate``, in a larger unit of work."""
        how = concluded or RelationOptions()
        namespace = work.namespace().id
        predicate = self.predicate(work.tx, namespace, predicate)
        ends = [
            self._entity(work, namespace, _label(label), _type(type), how.choose)
            for label, type in ((subject, subject_type), (object, object_type))
        ]
        if ends[0].id == ends[1].id:
            raise Invalid("subject and object are the same entity; a relation needs two", code="same_entity")
        triple = {"subject": ends[0].id, "predicate": predicate, "object": ends[1].id, "notes": _notes(notes)}
        new = NewMemory(
            text=self._sentence(work, triple),  # by their main names, so that an alias corroborates the same relation
            kind="relational",
            category="fact",
            confidence=confidence,
            valid_from=valid_from,
            valid_to=valid_to,
            metadata=how.metadata,
            source=how.source,
            confirm=confirm,
        )
        return Gateway(self._scope).admit(work, new, evidence=how.evidence, triple=triple, terms=how.terms)

    def revise(
        self, id: str, *, expected: int | None = None, reason: str | None = None, **fields: Unpack[RelationFields]
    ) -> Receipt:
        """Change labels, predicate, confidence or notes of a relation; absent arguments change nothing."""
        if unknown := set(fields) - {"subject", "predicate", "object", "confidence", "notes"}:
            raise Invalid(f"a relation has no {', '.join(sorted(unknown))} to revise")
        with write_transaction(self._scope, "REVISE") as work:
            before = self._load(work, id, expected)
            triple = dict(before.content.triple or {})
            namespace = before.row.namespace
            if before.protected_from(self._scope):
                predicate = self.predicate(work.tx, work.namespace().id, fields.get("predicate") or triple["predicate"])
                labels = self._labels(work, triple)
                ends = [_label(fields.get("subject") or labels[0]), _label(fields.get("object") or labels[1])]
                text = sentence(ends[0], predicate, ends[1])
                propose(work, "revise-relation", before, text=text, arguments={"fields": dict(fields)}, reason=reason)
                return work.receipt()
            types = {row.id: row.type for row in work.tx.entities.get([triple["subject"], triple["object"]])}
            for end, label in (("subject", fields.get("subject")), ("object", fields.get("object"))):
                if label is not None:
                    triple[end] = self._entity(work, namespace, _label(label), types[triple[end]]).id
            if (new := fields.get("predicate")) is not None:
                triple["predicate"] = self.predicate(work.tx, namespace, new)
            if "notes" in fields:
                triple["notes"] = _notes(fields["notes"])
            text = self._sentence(work, triple)
            return Gateway(self._scope).revise_within(
                work, before, replace(before.content, text=text, triple=triple), reason, fields.get("confidence")
            )

    def get(self, id: str) -> Relation:
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            rows = [row for row in tx.relations.get([id]) if row.namespace in names]
            if not rows:
                raise NotFound("relation", id)
            return self._relations(tx, rows, names)[0]

    def relations(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 20,
        after: str | None = None,
    ) -> list[Relation]:
        """Relations that hold now or held at a moment, filtered by any of their parts."""
        limit = admission.page_size(limit)
        at = stamp(admission.aware("as_of", as_of))
        known_moment = stamp(admission.aware("known_at", known_at))
        predicate = None if predicate is None else _predicate(predicate)
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            if known_moment is not None:
                filter = RelationFilter(subject=subject, predicate=predicate, object=object, at=at, known=known_moment)
                return self._known(tx, names, filter, after=after, limit=limit)
            ends: dict[str, list[str]] = {}
            for which, label in (("subjects", subject), ("objects", object)):
                if label is not None:
                    ends[which] = [row.id for row in self._named(tx, list(names), label)]
                    if not ends[which]:
                        return []
            if not names:
                return []
            rows = tx.relations.find(
                list(names),
                predicates=[predicate] if predicate else [],
                statuses=CURRENT if at is None else (*CURRENT, "stale"),
                valid_at=at,
                after=after,
                limit=limit,
                **ends,
            )
            return self._relations(tx, rows, names)

    def surest(self, types: Sequence[str], *, sources: Sequence[Source], limit: int) -> list[Relation]:
        """Current relations with an end of one of ``types``, most confident first.

        Candidates are included only if their source is in ``sources``.
        """
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            if not names:
                return []
            now = micros(self._scope.clock.now())
            asked = {"types": types, "sources": sources, "statuses": CURRENT}
            rows = tx.relations.surest(list(names), **asked, valid_at=now, limit=admission.page_size(limit))
            return self._relations(tx, rows, names)

    def drawing(self, *, as_of: datetime | None = None, shows: Callable[[str, str], bool]) -> Drawing:
        """The whole graph as columns; ``shows`` decides by both types whether a relation is shown."""
        return drawing(self._scope, as_of=as_of, shows=shows)

    def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk:
        """Everything within ``depth`` steps of an entity, each node and edge once.

        As it holds now, held at ``as_of``, or was known at ``known_at``.
        """
        if not 1 <= depth <= MOST_DEPTH:
            raise Invalid(f"depth must be from 1 to {MOST_DEPTH}")
        at, known_moment = stamp(admission.aware("as_of", as_of)), stamp(admission.aware("known_at", known_at))
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            start = self._named(tx, list(names), entity)
            if not start:
                raise NotFound("entity", entity)
            distance = {row.id: 0 for row in start}
            edges: dict[str, Relation] = {}
            if known_moment is not None:
                filter = RelationFilter(subject=None, predicate=None, object=None, at=at, known=known_moment)
                every = self._known(tx, names, filter, after=None, limit=MOST_WALKED)

            def touching(ends: Sequence[str]) -> Iterable[Relation]:
                if known_moment is not None:
                    return (edge for edge in every if edge.subject.id in ends or edge.object.id in ends)
                statuses = CURRENT if at is None else (*CURRENT, "stale")
                rows = tx.relations.find(list(names), either=ends, statuses=statuses, valid_at=at, limit=MOST_WALKED)
                return self._relations(tx, [row for row in rows if row.id not in edges], names)

            frontier = list(distance)
            for step in range(1, depth + 1):
                met = {relation.id: relation for relation in touching(frontier)}
                edges |= met
                reached = dict.fromkeys(end.id for edge in met.values() for end in (edge.subject, edge.object))
                frontier = [end for end in reached if end not in distance]
                distance.update(dict.fromkeys(frontier, step))
                if not frontier or len(edges) >= MOST_WALKED:
                    break
            entities = self._entities(tx, tx.entities.get(list(distance)), names)
            return Walk(entities=tuple(entities), relations=tuple(edges.values()), distance=distance)

    def entities(
        self,
        *,
        type: str | None = None,
        query: str | None = None,
        tag: str | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[Entity]:
        """A page of entities by creation time; ``query`` is a part of a name.

        ``tag`` is a tag's name or synonym; an unknown one raises ``NotFound``.
        """
        limit = admission.page_size(limit)
        part = (query or "").casefold()
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            tagged = None if tag is None else self._tagged(tx, list(names), tag)
            page: list[Entity] = []
            while names and len(page) < limit:
                rows = tx.entities.all(list(names), after=after, limit=limit)
                fitting = [row for row in rows if row.status in CURRENT and type in (None, row.type)]
                fitting = [row for row in fitting if tagged is None or row.id in tagged]
                page += [entity for entity in self._entities(tx, fitting, names) if _has_name(entity, part)]
                if len(rows) < limit:
                    break
                after = rows[-1].id
            return page[:limit]

    def _tagged(self, tx: Transaction, namespaces: Sequence[str], tag: str) -> set[str]:
        """The ids of the entities with a tag in these namespaces."""
        rows = [tx.tags.by_label(id, self._scope.vault.label("tag", f"{id}/{tag}")) for id in namespaces]
        if not any(rows):
            raise NotFound("tag", tag)
        links = [link for row in rows if row for link in tx.tags.linked(row.id)]
        return {id for noun, id in links if noun == "entity"}

    def entity(self, label_or_id: str) -> Entity:
        """The entity with this id, label or alias; the oldest if several have the name."""
        with self._scope.store.read(self._scope.owner) as tx:
            names = self._reader.namespaces(tx)
            rows = [row for row in tx.entities.get([label_or_id]) if row.namespace in names]
            rows = rows or self._named(tx, list(names), label_or_id)
            if not rows:
                raise NotFound("entity", label_or_id)
            return self._entities(tx, rows[:1], names)[0]

    def revise_entity(
        self,
        id: str,
        *,
        label: str | None = None,
        type: str | None = None,
        aliases: Sequence[str] | None = None,
        notes: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> Receipt:
        """Rename, retype, describe or tag an entity; its relations are reworded."""
        with write_transaction(self._scope, "REVISE") as work:
            row, plain = self._open_entity(work, id)
            fields = {"label": label, "type": type, "aliases": aliases, "notes": notes, "tags": tags}
            if outranked := self._outranked_by(work, row.namespace, [id]):
                propose(work, "revise-entity", outranked, arguments={"id": id, "fields": _jsonable(fields)})
                return work.receipt()
            if label is not None:
                plain["label"] = _label(label)
            if aliases is not None:
                plain["aliases"] = [_label(alias) for alias in aliases]
            if notes is not None:
                plain["notes"] = _notes(notes)
            if tags is not None:
                work.tx.tags.set_links("entity", id, tag_ids(work, row.namespace, tags))
            self._put_entity(work, replace(row, type=_type(type) if type else row.type), plain, "REVISE")
            if label is not None:
                after: str | None = None
                while tied := work.tx.relations.find([row.namespace], either=[id], after=after, limit=PAGE):
                    for relation in tied:
                        before = self._load(work, relation.id, None)
                        self._rewrite(work, before, dict(before.content.triple or {}))
                    after = tied[-1].id
            work.note("UPDATE", id, "revised", noun="entity", before=row.version, after=row.version + 1)
            return work.receipt()

    def merge(self, keep: str, absorb: str) -> Receipt:
        """Merge two entities: relations move to ``keep``, the other name becomes an alias."""
        if keep == absorb:
            raise Invalid("these are the same entity already", code="same_entity")
        with write_transaction(self._scope, "MERGE") as work:
            target, plain = self._open_entity(work, keep)
            absorbed, other = self._open_entity(work, absorb)
            if outranked := self._outranked_by(work, target.namespace, [keep, absorb]):
                propose(work, "merge-entities", outranked, arguments={"keep": keep, "absorb": absorb})
                return work.receipt()
            extra = [other["label"], *other.get("aliases", [])]
            plain["aliases"] = list(dict.fromkeys([*plain.get("aliases", []), *extra]))
            self._put_entity(work, replace(absorbed, status="archived", retired_at=work.now), other, "MERGE")
            self._put_entity(work, target, plain, "MERGE")
            while tied := work.tx.relations.find([target.namespace], either=[absorb], limit=PAGE):
                for relation in tied:
                    self._repoint(work, relation.id, {absorb: keep})
            work.note("UPDATE", keep, "merged", noun="entity", before=target.version, after=target.version + 1)
            return work.receipt()

    def split(self, id: str, *, label: str, relations: Sequence[str] = (), aliases: Sequence[str] = ()) -> Receipt:
        """Split an entity: a new one of that label takes the given relations and aliases."""
        with write_transaction(self._scope, "SPLIT") as work:
            row, plain = self._open_entity(work, id)
            if outranked := self._outranked_by(work, row.namespace, [id]):
                arguments = {"id": id, "label": label, "relations": list(relations), "aliases": list(aliases)}
                propose(work, "split-entity", outranked, arguments=arguments)
                return work.receipt()
            new = self._new_entity(work, row.namespace, _label(label), row.type, aliases=[_label(a) for a in aliases])
            plain["aliases"] = [alias for alias in plain.get("aliases", []) if alias not in (*aliases, label)]
            self._put_entity(work, row, plain, "SPLIT")
            for relation in relations:
                self._repoint(work, relation, {id: new.id})
            work.note("ADD", new.id, "split off", noun="entity", after=1)
            return work.receipt()

    def ends_in_namespace(self, work: Work, triple: dict[str, Any], namespace: str) -> dict[str, Any]:
        """The ends of a relation that moves to another namespace: entities of the same name and type there, created if
        missing.
        """
        predicate = triple["predicate"]
        row = work.tx.namespaces.get(namespace)
        if row is not None:
            self._add_predicate(work, row, predicate)
        ends = {}
        for end in ("subject", "object"):
            entity = work.tx.entities.get([triple[end]])[0]
            label = self._scope.opened(entity)["label"]
            ends[end] = self._entity(work, namespace, label, entity.type).id
        return triple | ends

    def predicates(self) -> list[tuple[str, bool]]:
        """Every predicate of the namespace, and whether it is built in."""
        with self._scope.store.read(self._scope.owner) as tx:
            row = tx.namespaces.by_label(self._scope.vault.label("namespace", self._scope.namespace))
            declared = self._declared(row)
        return [*((name, True) for name in PREDICATES), *((name, False) for name in declared)]

    def declare(self, predicate: str) -> Receipt:
        """Declare a predicate in the namespace."""
        with write_transaction(self._scope, "NAMESPACE") as work:
            before = public_fields(self._scope.opened(work.namespace()))
            id = self.declare_within(work, predicate)
            after = public_fields(self._scope.opened(work.namespace()))
            save_states(work, "namespace", id, before=before, after=after, action="UPDATE")
            work.note("UPDATE", id, "predicate declared", noun="namespace")
            return work.receipt()

    def declare_within(self, work: Work, predicate: str) -> str:
        """Like ``declare``, in a larger unit of work; returns the id of the namespace."""
        row = work.namespace()
        if self._add_predicate(work, row, _predicate(predicate)):
            work.record("namespace", row.id, "UPDATE", row.id)
        return row.id

    def _add_predicate(self, work: Work, row: NamespaceRow, predicate: str) -> bool:
        if predicate in (*PREDICATES, *self._declared(row)):
            return False
        plain = self._scope.opened(row)
        plain["predicates"] = [*plain.get("predicates", []), predicate]
        work.tx.namespaces.put(work.vault.sealed(row, plain))
        return True

    def predicate(self, tx: Transaction, namespace: str, name: str) -> str:
        """The predicate in its normal spelling. Raises ``Invalid`` if the namespace does not have it."""
        predicate = _predicate(name)
        if predicate not in (*PREDICATES, *self._declared(tx.namespaces.get(namespace))):
            raise Invalid(
                f"this namespace has no predicate {predicate!r}; declare it first (`commonplace relate --declare`), or "
                f"use one of {', '.join(PREDICATES[:8])} …",
                code="unknown_predicate",
            )
        return predicate

    def undo_entity(self, work: Work, id: str, before: int | None, after: int) -> None:
        """Restore an earlier version of an entity, as part of a larger undo."""
        row, plain = self._open_entity(work, id)
        if row.version != after:
            raise Conflict("entity", id, expected=after, found=row.version)
        if before is None:
            # it has got relations since, which stay, and so does the entity
            if not work.tx.relations.find([row.namespace], either=[id], statuses=CURRENT, limit=1):
                self._put_entity(work, replace(row, status="archived", retired_at=work.now), plain, "UNDO")
            return
        version = next(row_then for row_then in work.tx.versions.of("entity", id) if row_then.version == before)
        earlier = self._scope.opened(version)
        status = earlier["row"]["status"]
        retired = None if status in CURRENT else row.retired_at or work.now
        row = replace(row, status=status, type=earlier["row"]["type"], retired_at=retired)
        if "tags" in earlier:
            work.tx.tags.set_links("entity", id, [tag.id for tag in work.tx.tags.get(earlier["tags"])])
        self._put_entity(work, row, earlier["plain"], "UNDO")

    def _outranked_by(self, work: Work, namespace: str, entities: Sequence[str]) -> StoredMemory | None:
        """A relation of these entities that a higher rank stated."""
        for relation in work.tx.relations.find([namespace], either=entities, statuses=CURRENT, limit=PAGE):
            stored = work.load_anywhere(relation.id)
            if stored.protected_from(self._scope):
                return stored
        return None

    def _declared(self, row: NamespaceRow | None) -> tuple[str, ...]:
        return () if row is None else tuple(self._scope.opened(row).get("predicates", ()))

    def _load(self, work: Work, id: str, expected: int | None) -> StoredMemory:
        stored = work.load(id)
        if stored.content.triple is None:
            raise NotFound("relation", id)
        if expected is not None and stored.row.version != expected:
            raise Conflict("relation", id, expected=expected, found=stored.row.version)
        return stored

    def _named(self, tx: Transaction, namespaces: Sequence[str], label: str) -> list[EntityRow]:
        matches: list[EntityRow] = []
        for namespace in namespaces:
            hash = self._scope.vault.label("entity", f"{namespace}/{label}")
            matches += [row for row in tx.entities.by_label([namespace], hash) if row.status in CURRENT]
        return matches

    def _entity(self, work: Work, namespace: str, label: str, type: str, choose: Choose | None = None) -> EntityRow:
        """The entity with that name and type, created if missing; entities of different types may share a name."""
        matches = [row for row in self._named(work.tx, [namespace], label) if row.type == type]
        chosen = next(iter(matches), None) if choose is None or not matches else choose(label, matches)
        return chosen or self._new_entity(work, namespace, label, type)

    def _new_entity(
        self, work: Work, namespace: str, label: str, type: str, *, aliases: Sequence[str] = ()
    ) -> EntityRow:
        """A forgotten name is allowed again once it is mentioned again."""
        work.lift(namespace, [work.vault.fingerprint(namespace, entity_value(name)) for name in (label, *aliases)])
        id = self._scope.clock.new_id()
        begun: dict[str, Any] = {"recorded_at": work.now, "version": 0}
        row = EntityRow(id=id, namespace=namespace, type=type, label=b"", sealed=b"", status="verified", **begun)
        return self._put_entity(work, row, {"label": label, "aliases": list(aliases)}, "ADD")

    def _put_entity(self, work: Work, row: EntityRow, plain: dict[str, Any], action: str) -> EntityRow:
        vault, namespace = work.vault, row.namespace
        before = row.version or None
        row = replace(
            row,
            version=row.version + 1,
            label=vault.label("entity", f"{namespace}/{plain['label']}"),
            aliases=tuple(vault.label("entity", f"{namespace}/{alias}") for alias in plain.get("aliases", [])),
        )
        row = vault.sealed(row, plain)
        work.tx.entities.put(row, expected=before)
        columns = {name: getattr(row, name) for name in ("type", "status", "recorded_at")}
        tags = work.tx.tags.links("entity", [row.id]).get(row.id, ()) if before else ()
        state = {"row": columns, "plain": plain, "tags": list(tags)}
        work.put_version("entity", row.id, row.version, action, state)
        work.record("entity", row.id, action, namespace)
        work.touched.append(("entity", row.id, before, row.version))
        return row

    def _open_entity(self, work: Work, id: str) -> tuple[EntityRow, dict[str, Any]]:
        rows = work.tx.entities.get([id])
        if not rows or rows[0].namespace not in work.readable():
            raise NotFound("entity", id)
        return rows[0], self._scope.opened(rows[0])

    def _repoint(self, work: Work, relation: str, ends: dict[str, str]) -> None:
        """Attach a relation to other entities, as a new version with a new sentence."""
        before = self._load(work, relation, None)
        triple = dict(before.content.triple or {})
        for end in ("subject", "object"):
            triple[end] = ends.get(triple[end], triple[end])
        self._rewrite(work, before, triple)

    def _rewrite(self, work: Work, before: StoredMemory, triple: dict[str, Any]) -> None:
        """Reword a relation. If its two ends have become one entity, it is archived."""
        text = self._sentence(work, triple)
        content: Content = replace(before.content, text=text, triple=triple)
        after = replace(before, content=content).with_row(
            fingerprint=work.vault.fingerprint(before.row.namespace, text)
        )
        if triple["subject"] == triple["object"] and before.row.status in CURRENT:
            after = after.with_row(status="archived", retired_at=work.now)
        work.change(before, after, action="REWORD", reason="its ends changed")

    def _sentence(self, work: Work, triple: dict[str, Any]) -> str:
        subject, object = self._labels(work, triple)
        return sentence(subject, triple["predicate"], object)

    def _labels(self, work: Work, triple: dict[str, Any]) -> tuple[str, str]:
        rows = work.tx.entities.get([triple["subject"], triple["object"]])
        labels = {row.id: self._scope.opened(row)["label"] for row in rows}
        return labels[triple["subject"]], labels[triple["object"]]

    def _known(
        self, tx: Transaction, names: dict[str, str], filter: "RelationFilter", *, after: str | None, limit: int
    ) -> list[Relation]:
        """A page of relations as they were at a moment, between entities as they were named then.

        Every relation is checked, because merges and splits may have changed its ends since.
        """
        page: list[Relation] = []
        while names and len(page) < limit:
            rows = tx.relations.find(list(names), statuses=(), after=after, limit=PAGE)
            rows_then = [
                row
                for version in tx.versions.at(codec.NOUN, [row.id for row in rows], filter.known)
                if filter.fits(row := self._relation_at(version))
            ]
            page += [
                relation
                for relation in self._relations(tx, rows_then, names, known=filter.known)
                if filter.names(relation)
            ]
            if len(rows) < PAGE:
                break
            after = rows[-1].id
        return page[:limit]

    def _relation_at(self, version: VersionRow) -> RelationRow:
        stored, _ = codec.opened_version(self._scope, version)
        return codec.relation(self._scope.vault, stored)

    def _as_named_at(self, tx: Transaction, entities: Sequence[Entity], at: int) -> list[Entity]:
        """Entities with the names, types and notes that they had at a moment."""
        renamed = []
        versions = {row.id: row for row in tx.versions.at("entity", [entity.id for entity in entities], at)}
        for entity in entities:
            if version := versions.get(entity.id):
                state = self._scope.opened(version)
                row = {name: state["row"][name] for name in ("type", "status")}
                entity = replace(entity, **_named(state["plain"]), **row, version=version.version)
            renamed.append(entity)
        return renamed

    def _entities(self, tx: Transaction, rows: Sequence[EntityRow], names: dict[str, str]) -> list[Entity]:
        links = tx.tags.links("entity", [row.id for row in rows]) if rows else {}
        tags = tag_names(self._scope, tx, [tag for ids in links.values() for tag in ids])
        return [
            from_row(
                Entity,
                row,
                **_named(self._scope.opened(row)),
                owner=self._scope.owner,
                namespace=names.get(row.namespace, ""),
                tags=tuple(sorted(tags[tag] for tag in links.get(row.id, ()) if tag in tags)),
            )
            for row in rows
        ]

    def _relations(
        self, tx: Transaction, rows: Sequence[RelationRow], names: dict[str, str], *, known: int | None = None
    ) -> list[Relation]:
        ends = dict.fromkeys(end for row in rows for end in (row.subject, row.object))
        ends_now = self._entities(tx, tx.entities.get(list(ends)), names)
        entities = {
            entity.id: entity for entity in (ends_now if known is None else self._as_named_at(tx, ends_now, known))
        }
        return [
            from_row(
                Relation,
                row,
                owner=self._scope.owner,
                namespace=names.get(row.namespace, ""),
                subject=entities[row.subject],
                object=entities[row.object],
                notes=self._scope.opened(row),
            )
            for row in rows
            if row.subject in entities and row.object in entities
        ]


def _named(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {"label": plain["label"], "aliases": tuple(plain.get("aliases") or ()), "notes": plain.get("notes")}


def sentence(subject: str, predicate: str, object: str) -> str:
    """The sentence for a relation, by which recall finds it."""
    return f"{subject} {_verb(predicate)} {object}"


def _verb(predicate: str) -> str:
    """A predicate as a verb phrase: ``reports_to`` stays, ``supplier_of`` becomes "is a supplier of"."""
    words = predicate.replace("_", " ")
    if predicate in VERBS or not words.endswith(" of"):
        return VERBS.get(predicate, words)
    return f"is {'an' if words[0] in 'aeiou' else 'a'} {words}"


def undo_entity(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    Graph(gateway.scope).undo_entity(work, id, before, after)


def _matches(entity: Entity, label: str | None) -> bool:
    return label is None or normal(label) in {normal(name) for name in (entity.label, *entity.aliases)}


def _has_name(entity: Entity, part: str) -> bool:
    return any(part in name.casefold() for name in (entity.label, *entity.aliases))


def _label(label: str) -> str:
    return admission.name("label", label, limit=LABEL_LIMIT)


def _type(type: str) -> str:
    return admission.name("type", type, limit=TYPE_LIMIT).casefold().replace(" ", "_")


def _predicate(predicate: str) -> str:
    name = admission.name("predicate", predicate, limit=PREDICATE_LIMIT)
    predicate_name = name.casefold().replace(" ", "_").replace("-", "_")
    if not predicate_name.replace("_", "").isalnum():
        raise Invalid("a predicate is made of letters, digits and underscores, such as works_at", code="bad_predicate")
    return predicate_name


def _jsonable(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        for name, value in fields.items()
        if value is not None
    }


def _notes(notes: str | None) -> str | None:
    return None if not notes else admission.clean(notes, max_text=NOTES_LIMIT).text
