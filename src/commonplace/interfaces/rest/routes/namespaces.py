"""The workspaces of an owner."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["namespaces"])


@router.get("/namespaces", response_model=shapes.page_of(shapes.Namespace, "Namespace"))
def list_namespaces(call: Read) -> Response:
    """Those that the token reaches."""
    reached = call.token.namespaces
    return listed([namespace for namespace in call.book.namespaces.list() if not reached or namespace.id in reached])


@router.post("/namespaces", status_code=201, response_model=shapes.Receipt)
def create_namespace(body: shapes.NewNamespace, call: Write) -> Response:
    call.need_whole()
    return call.write(lambda book: book.namespaces.create(body.name, description=body.description), status=201)


@router.patch("/namespaces/{name:path}", response_model=shapes.Receipt)
def revise_namespace(name: str, body: shapes.NamespaceRevision, call: Write) -> Response:
    call.reach([name])
    fields = body.model_dump(exclude_unset=True)
    return Json(call.book.namespaces.revise(name, rename=fields.pop("name", None), **fields))


@router.delete("/namespaces/{name:path}", response_model=shapes.Receipt)
def delete_namespace(name: str, call: Write) -> Response:
    """Erase a namespace with all that is in it; needs a person's token and ``X-Confirm: true``."""
    call.confirm("erasing a namespace")
    call.reach([name])
    return Json(call.book.erase(confirm=True, namespace=name))


@router.post("/namespaces/{name:path}/move", response_model=shapes.Receipt)
def move_memories(name: str, body: shapes.MoveRequest, call: Write) -> Response:
    """Take memories from this namespace to another."""
    call.reach([name, body.to])
    return call.write(lambda book: book.within(name).namespaces.move(body.ids, to=body.to))
