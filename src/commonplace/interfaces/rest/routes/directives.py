"""Goals, their steps and memories, and the prompts made of them. Agents are run where the book is, never from here."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace.directives.memory_selection import BUDGET
from commonplace.directives.values import DirectiveStatus
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed, versioned
from commonplace.interfaces.rest.call import Read, Write
from commonplace.interfaces.rest.shapes import Limit, Name

router = APIRouter(prefix="/v1", tags=["directives"])
Tokens = Annotated[int, Query(ge=0, le=100_000)]


@router.get("/directives", response_model=shapes.page_of(shapes.Directive, "Directive"))
def list_directives(call: Read, status: DirectiveStatus | None = None) -> Response:
    """Every goal of the namespace, oldest first."""
    return listed(call.book.directives.list(status=status))


@router.post("/directives", status_code=201, response_model=shapes.Receipt)
def create_directive(body: shapes.NewDirective, call: Write) -> Response:
    """Set a goal. Only a person's token may name the folder that agents run in."""
    return call.write(lambda book: book.directives.create(**body.model_dump()), status=201)


@router.get("/directives/{id}", response_model=shapes.Directive)
def get_directive(id: str, call: Read) -> Response:
    """One goal; its ``ETag`` is its version."""
    found = call.book.directives.get(id)
    return versioned(found, found.version, call.request)


@router.patch("/directives/{id}", response_model=shapes.Receipt)
def revise_directive(id: str, body: shapes.DirectiveRevision, call: Write) -> Response:
    """Change what is given; ``If-Match`` refuses it if a newer version stands. A new goal is planned again."""
    return Json(call.book.directives.revise(id, expected=call.expected, **body.model_dump(exclude_unset=True)))


@router.delete("/directives/{id}", response_model=shapes.Receipt)
def delete_directive(id: str, call: Write) -> Response:
    """Delete a goal with its steps and memories. Cannot be undone: send ``X-Confirm: true``."""
    call.confirm("deleting a directive")
    return Json(call.book.directives.delete(id))


@router.get("/directives/{id}/steps", response_model=shapes.page_of(shapes.Step, "Step"))
def list_steps(id: str, call: Read) -> Response:
    """The steps in their order, of every generation."""
    return listed(call.book.directives.steps(id))


@router.post("/directives/{id}/steps", status_code=201, response_model=shapes.Receipt)
def add_step(id: str, body: shapes.NewStep, call: Write) -> Response:
    """Add a step to the present plan."""
    return call.write(lambda book: book.directives.add_step(id, **body.model_dump()), status=201)


@router.get("/steps/{id}", response_model=shapes.Step)
def get_step(id: str, call: Read) -> Response:
    """One step; its ``ETag`` is its version."""
    found = call.book.directives.step(id)
    return versioned(found, found.version, call.request)


@router.patch("/steps/{id}", response_model=shapes.Receipt)
def revise_step(id: str, body: shapes.StepRevision, call: Write) -> Response:
    """Change what is given; steps that would wait for each other are refused with their path."""
    return Json(call.book.directives.revise_step(id, expected=call.expected, **body.model_dump(exclude_unset=True)))


@router.delete("/steps/{id}", response_model=shapes.Receipt)
def delete_step(id: str, call: Write) -> Response:
    """Delete a step; its memories stay with the goal."""
    return Json(call.book.directives.delete_step(id))


@router.get("/directives/{id}/memories", response_model=shapes.page_of(shapes.Memory, "DirectiveMemory"))
def directive_memories(
    id: str,
    call: Read,
    category: shapes.DirectiveCategory | None = None,
    step: Name | None = None,
    newest: bool = False,
    cursor: Name | None = None,
    limit: Limit = 50,
) -> Response:
    """What its cycles learned, in order of creation or the ``newest`` first."""
    goals = call.book.directives
    found = goals.memories(id, category=category, step=step, after=cursor, limit=limit + 1, newest=newest)
    return listed(found, limit=limit, cursor=found[limit - 1].id if len(found) > limit else None)


@router.post("/directives/{id}/memories", status_code=201, response_model=shapes.Receipt)
def remember_for_directive(id: str, body: shapes.NewDirectiveMemory, call: Write) -> Response:
    """Keep something for the cycles to come. For whom a token may speak, the token says."""
    return call.write(lambda book: book.directives.remember(id, **body.model_dump()), status=201)


@router.patch("/directives/{id}/memories/{memory}", response_model=shapes.Receipt)
def revise_directive_memory(id: str, memory: str, body: shapes.DirectiveMemoryRevision, call: Write) -> Response:
    """Correct a memory of the goal as a new version."""
    return Json(call.book.directives.correct(id, memory, expected=call.expected, **body.model_dump()))


@router.delete("/directives/{id}/memories/{memory}", response_model=shapes.Receipt)
def forget_directive_memory(id: str, memory: str, call: Write) -> Response:
    """Forget a memory of the goal for good."""
    return Json(call.book.directives.forget(id, memory))


@router.get("/directives/{id}/prompt", response_model=shapes.Prompt)
def directive_prompt(id: str, call: Read, step: Name | None = None, tokens: Tokens = BUDGET) -> Response:
    """The prompt that the next plan, or a step, would be given now, and which memories are in it."""
    return Json(call.book.directives.prompt(id, step=step, tokens=tokens))


@router.get("/directives/{id}/attempts", response_model=shapes.page_of(shapes.Attempt, "Attempt"))
def directive_attempts(id: str, call: Read) -> Response:
    """Every attempt at planning and at a step, oldest first: what went in, what came out."""
    return listed(call.book.directives.explain(id))


@router.get("/directives/{id}/versions", response_model=shapes.page_of(shapes.DirectiveVersion, "DirectiveVersion"))
def directive_history(id: str, call: Read) -> Response:
    """Every version of a goal or a step, oldest first."""
    return listed(call.book.directives.history(id))
