"""``directive``: long-running goals, their steps and memories, and their prompts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from commonplace.directives.dag import depths
from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper
from commonplace.model import Receipt

if TYPE_CHECKING:
    from commonplace.directives.values import Attempt, Directive, Step


MARKS = {"completed": "✓", "failed": "✗", "running": "▸", "ready": "○", "pending": "·", "skipped": "–"}
COLOURS = {
    "completed": "green",
    "failed": "red",
    "running": "blue",
    "ready": "yellow",
    "pending": "dim",
    "skipped": "dim",
}


def drawn_steps(paper: Paper, steps: "Sequence[Step]") -> Iterator[str]:
    """One line per step, indented by its dependencies."""
    inwards = depths(steps)
    for step in steps:
        mark = paper.paint(MARKS[step.status], COLOURS[step.status])
        waits = f"  after {', '.join(_step_names(steps, step.depends_on))}" if step.depends_on else ""
        yield paper.cut(
            f"{'  ' * inwards[step.id]}{mark} {step.name}  {paper.paint(step.status + waits, 'dim')}  {step.id}"
        )


def _step_names(steps: "Sequence[Step]", ids: Sequence[str]) -> list[str]:
    names = {step.id: step.name for step in steps}
    return [names.get(id, id) for id in ids]


def show(call: Call) -> None:
    directives, id = call.book.directives, call.id(call.given.id)
    directive, steps = directives.get(id), directives.steps(id)
    call.answer({"id": id, "directive": directive, "steps": steps}, lambda paper: _drawn(paper, directive, steps))


def _drawn(paper: Paper, directive: "Directive", steps: "Sequence[Step]") -> Iterator[str]:
    yield paper.paint(directive.title, "bold")
    yield from paper.facts(
        {
            "goal": directive.goal,
            "id": directive.id,
            "status": directive.status,
            "because": directive.reason,
            "memory": "on" if directive.memory_enabled else "off",
            "round": directive.generation,
            "folder": directive.local_path,
            "repository": directive.repository_url,
            "branch": directive.base_branch,
            "version": directive.version,
        }
    )
    yield ""
    yield from drawn_steps(paper, steps)


def revise(call: Call) -> None:
    _revised(call, call.book.directives.revise, "--goal")


def revise_step(call: Call) -> None:
    _revised(call, call.book.directives.revise_step, "--result")


def _revised(call: Call, revise: Callable[..., Receipt], option: str) -> None:
    changes = call.keywords()
    if changes.keys() <= {"id", "expected"}:
        raise Invalid(f"pass what to change, such as {option} or --status")
    call.receipt(revise(**changes))


def delete(call: Call) -> None:
    directives, id = call.book.directives, call.id(call.given.id)
    directives.get(id)
    call.agreed(f"Delete directive {id} with its steps and memories, for good?")
    call.receipt(directives.delete(id))


def explain(call: Call) -> None:
    directives, id = call.book.directives, call.id(call.given.id)
    attempts = directives.explain(id)
    call.answer(
        attempts,
        lambda paper: _attempts(
            paper, attempts, {memory.id: memory.text for memory in directives.memories(id, limit=999)}
        ),
    )


def _attempts(paper: Paper, attempts: "Sequence[Attempt]", texts: Mapping[str, str]) -> Iterator[str]:
    def named(id: str) -> str:
        return paper.cut(f"{id}  {' '.join(texts.get(id, '(no longer there)').split())}")

    if not attempts:
        yield paper.paint("nothing was tried yet", "dim")
    for attempt in attempts:
        what = "plan" if attempt.step is None else f"step {attempt.step}"
        yield paper.paint(
            f"{paper.second(attempt.at)}  {what}, round {attempt.generation}, attempt {attempt.number}", "bold"
        )
        spent = f" · {attempt.seconds:.1f} s" if attempt.seconds is not None else ""
        spent += f" · {attempt.tokens:,} tokens" if attempt.tokens is not None else ""
        yield f"    {attempt.outcome}{spent}{' · without memories: ' + attempt.fault if attempt.fault else ''}"
        yield from (f"    went in: {named(id)}" for id in attempt.went_in)
        yield from (f"    came out: {named(id)}" for id in attempt.came_out)
        if attempt.left_out or attempt.refused:
            yield f"    left out for length: {attempt.left_out}, refused: {attempt.refused}"


def history(call: Call) -> None:
    id = call.id(call.given.id)
    versions = call.book.directives.history(id)
    columns = {
        "version": itemgetter("version"),
        "at": lambda row: call.paper.second(row["recorded_at"]),
        "by": itemgetter("actor"),
        "action": itemgetter("action"),
        "title": lambda row: row.get("title") or row.get("name"),
    }
    call.table(versions, columns, value=[{"id": id, **version} for version in versions])


def correct(call: Call) -> None:
    if not call.given.text and call.given.category is None:
        raise Invalid("pass what to change: a text, or --category")
    call.receipt(call.book.directives.correct(**call.keywords()))
