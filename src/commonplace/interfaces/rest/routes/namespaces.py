"""The workspaces of an owner."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["namespaces"])


@router.get("/namespaces", response_model=shapes.page_of(shapes.Namespace, "Namespace"))
def namespaces(call: Read) -> Response:
    """Those that the token reaches."""
    reached = call.token.namespaces
    return listed([one for one in call.book.namespaces.list() if not reached or one.id in reached])


@router.post("/namespaces", status_code=201, response_model=shapes.Receipt)
def create(given: shapes.NewNamespace, call: Write) -> Response:
    call.need_whole()
    return call.write(lambda book: book.namespaces.create(given.name, description=given.description), status=201)


@router.patch("/namespaces/{name}", response_model=shapes.Receipt)
def revise(name: str, given: shapes.NamespaceRevision, call: Write) -> Response:
    call.reach([name])
    fields = given.model_dump(exclude_unset=True)
    return Json(call.book.namespaces.revise(name, rename=fields.pop("name", None), **fields))


@router.delete("/namespaces/{name}", response_model=shapes.Receipt)
def delete(name: str, call: Write) -> Response:
    """Erase a namespace with all that is in it; needs ``X-Confirm: true``."""
    call.confirm()
    call.reach([name])
    return Json(call.book.namespaces.delete(name))


@router.post("/namespaces/{name}/move", response_model=shapes.Receipt)
def move(name: str, given: shapes.Move, call: Write) -> Response:
    """Take memories from this namespace to another."""
    call.reach([name, given.to])
    return call.write(lambda book: book.within(name).namespaces.move(given.ids, to=given.to))
