"""Entities, relations, predicates."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed, versioned
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Moment, Name

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get("/entities", response_model=shapes.page_of(shapes.Entity, "Entity"))
def entities(
    call: Read, type: Name | None = None, query: str | None = None, cursor: Name | None = None, limit: Limit = 100
) -> Response:
    """Entities by type, or those whose name holds ``query``."""
    found = call.book.graph.entities(type=type, query=query, after=cursor, limit=limit + 1)
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.post("/entities/merge", response_model=shapes.Receipt)
def merge(given: shapes.EntityMerge, call: Write) -> Response:
    """Two entities are one."""
    return call.write(lambda book: book.graph.merge(given.keep, given.absorb))


@router.get("/entities/{id}", response_model=shapes.Entity)
def entity(id: str, call: Read) -> Response:
    """By id, label or alias."""
    found = call.book.graph.entity(id)
    return versioned(found, found.version, call.request)


@router.patch("/entities/{id}", response_model=shapes.Receipt)
def revise_entity(id: str, given: shapes.EntityRevision, call: Write) -> Response:
    return Json(call.book.graph.revise_entity(id, **given.model_dump(exclude_unset=True)))


@router.post("/entities/{id}/split", response_model=shapes.Receipt)
def split(id: str, given: shapes.EntitySplit, call: Write) -> Response:
    """One entity was two."""
    return call.write(lambda book: book.graph.split(id, **given.model_dump()))


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
    found = call.book.relations(
        subject, predicate, object, as_of=as_of, known_at=known_at, after=cursor, limit=limit + 1
    )
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.post("/relations", status_code=201, response_model=shapes.Receipt)
def relate(given: shapes.NewRelation, call: Write) -> Response:
    """State a relation; said again, it is confirmed again."""
    fields = given.model_dump(exclude_none=True)
    return call.write(lambda book: book.relate(**fields), status=201)


@router.get("/relations/{id}", response_model=shapes.Relation)
def relation(id: str, call: Read) -> Response:
    found = call.book.graph.get(id)
    return versioned(found, found.version, call.request)


@router.patch("/relations/{id}", response_model=shapes.Receipt)
def revise_relation(id: str, given: shapes.RelationRevision, call: Write) -> Response:
    fields = given.model_dump(exclude_unset=True)
    return Json(call.book.graph.revise(id, expected=call.expected, **fields))


@router.delete("/relations/{id}", response_model=shapes.Receipt)
def forget_relation(id: str, call: Write) -> Response:
    """Forget a relation for good."""
    call.book.graph.get(id)
    return Json(call.book.forget(id))


@router.get("/walk", response_model=shapes.Walk)
def walk(call: Read, entity: Name, depth: Limit = 2, as_of: Moment | None = None) -> Response:
    """Everything within ``depth`` steps of an entity."""
    return Json(call.book.walk(entity, depth=depth, as_of=as_of))


@router.get("/predicates", response_model=shapes.page_of(shapes.KnownPredicate, "Predicate"))
def predicates(call: Read) -> Response:
    return listed([{"name": name, "builtin": builtin} for name, builtin in call.book.graph.predicates()])


@router.post("/predicates", status_code=201, response_model=shapes.Receipt)
def declare(given: shapes.Predicate, call: Write) -> Response:
    """Let this namespace speak of something that the built-in predicates do not."""
    return call.write(lambda book: book.graph.declare(given.name), status=201)
