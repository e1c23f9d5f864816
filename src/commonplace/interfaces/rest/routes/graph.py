"""Entities, relations, predicates."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed, versioned
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Moment, Name

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get("/entities", response_model=shapes.page_of(shapes.Entity, "Entity"))
def list_entities(
    call: Read,
    type: Name | None = None,
    query: str | None = None,
    tag: Name | None = None,
    cursor: Name | None = None,
    limit: Limit = 100,
) -> Response:
    """Entities by type or tag, or those whose name holds ``query``."""
    entities = call.book.graph.entities(type=type, query=query, tag=tag, after=cursor, limit=limit + 1)
    return listed(entities, limit=limit, cursor=entities[limit - 1].id if len(entities) > limit else None)


@router.post("/entities/merge", response_model=shapes.Receipt)
def merge_entities(body: shapes.EntityMerge, call: Write) -> Response:
    """Two entities are one."""
    return call.write(lambda book: book.graph.merge(body.keep, body.absorb))


@router.get("/entities/{id:path}", response_model=shapes.Entity)
def get_entity(id: str, call: Read) -> Response:
    """By id, label or alias."""
    entity = call.book.graph.entity(id)
    return versioned(entity, entity.version, call.request)


@router.patch("/entities/{id}", response_model=shapes.Receipt)
def revise_entity(id: str, body: shapes.EntityRevision, call: Write) -> Response:
    return Json(call.book.graph.revise_entity(id, **body.model_dump(exclude_unset=True)))


@router.post("/entities/{id}/split", response_model=shapes.Receipt)
def split_entity(id: str, body: shapes.EntitySplit, call: Write) -> Response:
    """One entity was two."""
    return call.write(lambda book: book.graph.split(id, **body.model_dump()))


@router.get("/relations", response_model=shapes.page_of(shapes.Relation, "Relation"))
def relations(
    call: Read,
    subject: Name | None = None,
    predicate: Name | None = None,
    object: Name | None = None,
    as_of: Moment | None = None,
    known_at: Moment | None = None,
    cursor: Name | None = None,
    limit: Limit = 50,
) -> Response:
    """Relations that hold now, or held at a moment."""
    relations = call.book.relations(
        subject, predicate, object, as_of=as_of, known_at=known_at, after=cursor, limit=limit + 1
    )
    return listed(relations, limit=limit, cursor=relations[limit - 1].id if len(relations) > limit else None)


@router.post("/relations", status_code=201, response_model=shapes.Receipt)
def relate(body: shapes.NewRelation, call: Write) -> Response:
    """State a relation; said again, it is confirmed again."""
    fields = body.model_dump(exclude_none=True)
    return call.write(lambda book: book.relate(**fields), status=201)


@router.get("/relations/{id}", response_model=shapes.Relation)
def get_relation(id: str, call: Read) -> Response:
    relation = call.book.graph.get(id)
    return versioned(relation, relation.version, call.request)


@router.patch("/relations/{id}", response_model=shapes.Receipt)
def revise_relation(id: str, body: shapes.RelationRevision, call: Write) -> Response:
    fields = body.model_dump(exclude_unset=True)
    return Json(call.book.graph.revise(id, expected=call.expected, **fields))


@router.delete("/relations/{id}", response_model=shapes.Receipt)
def forget_relation(id: str, call: Write) -> Response:
    """Forget a relation for good."""
    call.book.graph.get(id)
    return Json(call.book.forget(id))


@router.get("/walk", response_model=shapes.Walk)
def walk(
    call: Read, entity: Name, depth: Limit = 2, as_of: Moment | None = None, known_at: Moment | None = None
) -> Response:
    """Everything within ``depth`` steps of an entity."""
    return Json(call.book.walk(entity, depth=depth, as_of=as_of, known_at=known_at))


@router.get("/predicates", response_model=shapes.page_of(shapes.PredicateName, "Predicate"))
def list_predicates(call: Read) -> Response:
    return listed([{"name": name, "builtin": builtin} for name, builtin in call.book.graph.predicates()])


@router.post("/predicates", status_code=201, response_model=shapes.Receipt)
def declare_predicate(body: shapes.NewPredicate, call: Write) -> Response:
    """Let this namespace speak of something that the built-in predicates do not."""
    return call.write(lambda book: book.graph.declare(body.name), status=201)
