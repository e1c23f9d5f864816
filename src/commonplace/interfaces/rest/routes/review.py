"""What needs a person: review, agenda, hints."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.json import evidence, to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Name

router = APIRouter(prefix="/v1", tags=["review"])


@router.get("/review", response_model=shapes.page_of(shapes.Waiting, "Waiting", total=(int, ...)))
def list_review(call: Read, cursor: Name | None = None, limit: Limit = 50) -> Response:
    """Candidates, oldest first, with the words they rest on; ``total`` is how many wait in all."""
    candidates = call.book.review.list(limit=limit + 1, after=cursor)
    return listed(candidates, limit=limit, end="memory.id", total=call.book.review.count())


@router.post("/review/lift", response_model=shapes.LiftedCount)
def lift_tombstone(body: shapes.LiftRequest, call: Write) -> Response:
    """Let a rejected or forgotten value be stated again; only with a person's token."""
    return Json({"lifted": call.book.review.lift(body.text)})


@router.get("/hints", response_model=shapes.page_of(shapes.Hint, "Hint"))
def hints(call: Read, limit: Limit = 50) -> Response:
    """Patterns noticed by themselves, surest first, with what they rest on."""
    hints = call.book.hints()[:limit]
    return listed([{**to_json(hint), "evidence": evidence(call.book.evidence(hint.id))} for hint in hints])
