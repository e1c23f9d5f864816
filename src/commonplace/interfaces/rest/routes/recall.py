"""Finding: hits for a question, the page a model reads, and whether it helped."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["recall"])


@router.post("/recall", response_model=shapes.page_of(shapes.Hit, "Hit"))
def recall(given: shapes.Question, call: Read) -> Response:
    """At most ``limit`` hits, best first."""
    call.reach(given.namespaces)
    fields = given.model_dump(exclude_none=True, exclude={"query", "limit"})
    return listed(call.book.recall(given.query, limit=given.limit, **fields))


@router.post("/context", response_model=shapes.ContextPage)
def context(given: shapes.Page, call: Read) -> Response:
    """The profile and the recall for this turn, fenced as data, within the budget."""
    options = given.model_dump(exclude={"query"})
    page = call.book.page(given.query, **options)
    return Json({"text": page.text, "tokens": page.tokens, "memories": list(page.ids)})


@router.post("/useful", response_model=shapes.Receipt)
def useful(given: shapes.Verdict, call: Write) -> Response:
    """Say whether a memory helped."""
    return call.write(lambda book: book.useful(given.id, yes=given.yes))
