"""Entities, relations, predicates."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["graph"])


@router.delete("/relations/{id}", response_model=shapes.Receipt)
def forget_relation(id: str, call: Write) -> Response:
    """Forget a relation for good."""
    call.book.graph.get(id)
    return Json(call.book.forget(id))


@router.get("/predicates", response_model=shapes.page_of(shapes.PredicateName, "Predicate"))
def list_predicates(call: Read) -> Response:
    return listed([{"name": name, "builtin": builtin} for name, builtin in call.book.graph.predicates()])


@router.post("/predicates", status_code=201, response_model=shapes.Receipt)
def declare_predicate(body: shapes.NewPredicate, call: Write) -> Response:
    """Let this namespace speak of something that the built-in predicates do not."""
    return call.write(lambda book: book.graph.declare(body.name), status=201)
