"""Tags and what they mean."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["glossary"])


@router.get("/tags", response_model=shapes.page_of(shapes.Tag, "Tag"))
def list_tags(call: Read) -> Response:
    return listed(call.book.glossary.list())


@router.post("/tags", status_code=201, response_model=shapes.Receipt)
def create_tag(body: shapes.NewTag, call: Write) -> Response:
    return call.write(lambda book: book.glossary.create(**body.model_dump()), status=201)


@router.get("/tags/{name:path}", response_model=shapes.Tag)
def get_tag(name: str, call: Read) -> Response:
    """By name or synonym."""
    return Json(call.book.glossary.get(name))


@router.patch("/tags/{name:path}", response_model=shapes.Receipt)
def revise_tag(name: str, body: shapes.TagRevision, call: Write) -> Response:
    """Rename, describe, or give other synonyms."""
    fields = body.model_dump(exclude_unset=True)
    return Json(call.book.glossary.revise(name, rename=fields.pop("name", None), **fields))


@router.post("/tags/{name:path}/merge", response_model=shapes.Receipt)
def merge_tags(name: str, body: shapes.TagMerge, call: Write) -> Response:
    """Move every link to another tag; the name lives on as its synonym."""
    return call.write(lambda book: book.glossary.merge(name, into=body.into))


@router.delete("/tags/{name:path}", response_model=shapes.Receipt)
def delete_tag(name: str, call: Write) -> Response:
    return Json(call.book.glossary.delete(name))
