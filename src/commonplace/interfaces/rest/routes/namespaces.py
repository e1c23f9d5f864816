"""The workspaces of an owner."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["namespaces"])


@router.get("/namespaces", response_model=shapes.page_of(shapes.Namespace, "Namespace"))
def list_namespaces(call: Read) -> Response:
    """Those that the token reaches."""
    reached = call.token.namespaces
    return listed([namespace for namespace in call.book.namespaces.list() if not reached or namespace.id in reached])


@router.post("/namespaces/{name:path}/move", response_model=shapes.Receipt)
def move_memories(name: str, body: shapes.MoveRequest, call: Write) -> Response:
    """Take memories from this namespace to another."""
    call.reach([name, body.to])
    return call.write(lambda book: book.within(name).namespaces.move(body.ids, to=body.to))
