"""The page that a model reads, and what hooks add to a prompt."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.hooks.prompt import recalled
from commonplace.interfaces.hooks.server import full_recall
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Read, scope_of

router = APIRouter(prefix="/v1", tags=["recall"])


@router.post("/context/prompt", response_model=shapes.ContextPage)
def prompt_context(body: shapes.PromptRequest, call: Read) -> Response:
    """What a coding agent with hooks is given with one prompt; `POST /v1/context` without a query is its start page."""
    scope = scope_of(call.service, call.token, call.book.namespace)
    parts = call.service.parts
    page = recalled(scope, parts.settings, body.query, skip=body.skip, session=None, find=full_recall(parts))
    return Json(page)
