"""The graph as a drawing, forgetting a relation, the names of predicates."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace import plans
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Read
from commonplace.interfaces.rest.shapes import Moment
from commonplace.memories.drawing import Drawing

router = APIRouter(prefix="/v1", tags=["graph"])


@router.get("/graph", response_model=shapes.answer_to(Drawing))
def draw_graph(call: Read, as_of: Moment | None = None) -> Response:
    """The whole graph as columns, at most 10,000 entities and 30,000 relations; with `as_of` as it was then."""
    plan = call.book.plan
    plans.require(plan, plans.Feature.RELATIONS)
    return Json(call.book.graph.drawing(as_of=as_of, shows=lambda *types: plans.allows_relation(plan, *types)))
