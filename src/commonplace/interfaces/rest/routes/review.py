"""What waits for a person."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.json import evidence, to_json
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Name

router = APIRouter(prefix="/v1", tags=["review"])


@router.get("/review", response_model=shapes.page_of(shapes.Waiting, "Waiting"))
def waiting(call: Read, cursor: Name | None = None, limit: Limit = 50) -> Response:
    """Candidates, oldest first, with the words they rest on."""
    found = call.book.review.list(limit=limit + 1, after=cursor)
    return listed(found, limit=limit, cursor=found[limit - 1].memory.id if len(found) > limit else None)


@router.post("/review/lift", response_model=shapes.Lifted)
def lift(given: shapes.Lift, call: Write) -> Response:
    """Let a rejected or forgotten value be stated again; only with a person's token."""
    return Json({"lifted": call.book.review.lift(given.text)})


@router.post("/review/{id}", response_model=shapes.Receipt)
def decide(id: str, given: shapes.Decision, call: Write) -> Response:
    """Approve, correct or reject."""
    return call.write(lambda book: book.review.decide(id, given.decision, text=given.text, reason=given.reason))


@router.get("/hints", response_model=shapes.page_of(shapes.Hint, "Hint"))
def hints(call: Read, limit: Limit = 50) -> Response:
    """Patterns noticed by themselves, surest first, with what they rest on."""
    found = call.book.hints()[:limit]
    return listed([{**to_json(one), "evidence": evidence(call.book.evidence(one.id))} for one in found])


@router.delete("/hints/{id}", response_model=shapes.Receipt)
def dismiss(id: str, call: Write) -> Response:
    """Do not show it again."""
    return Json(call.book.dismiss(id))
