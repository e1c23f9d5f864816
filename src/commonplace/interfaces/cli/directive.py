"""``directive``: goals that outlive a session, their steps and memories, and the prompts made of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.directive_run import run_command, watch_command
from commonplace.interfaces.cli.drawing import drawn_steps
from commonplace.interfaces.cli.parsing import Group, Parser, positive, several
from commonplace.interfaces.cli.show import Paper
from commonplace.model import SOURCES, Receipt

if TYPE_CHECKING:
    from commonplace.directives.values import Attempt, Directive, Step

STATUSES = ("draft", "active", "paused", "completed", "failed", "archived")
STEP_STATUSES = ("pending", "ready", "running", "completed", "failed", "skipped")
CATEGORIES = ("insight", "decision", "context", "error", "pattern")
PLACES = ("repository_url", "local_path", "base_branch")


def directive(parser: Parser) -> None:
    group = parser.group()
    command = group.write("create", "set a goal", _create)
    command.add_argument("--title", required=True)
    command.add_argument("--goal", required=True, help="`-` reads it from standard input")
    command.add_argument("--memory", action="store_true", help="use its memories in prompts, and capture new ones")
    command.add_argument("--status", choices=STATUSES, default="draft", metavar="STATUS", help="%(choices)s")
    _places(command)
    command = group.command("list", "every goal of the namespace", _list)
    command.add_argument("--status", choices=STATUSES, metavar="STATUS", help="%(choices)s")
    group.command("show", "one goal with its steps, in the order they depend on each other", _show).add_argument("id")
    command = group.write("revise", "change a goal; a new goal is planned again", _revise)
    command.add_argument("id")
    command.add_argument("--title")
    command.add_argument("--goal", help="`-` reads it from standard input")
    command.add_argument("--memory", action="store_true", default=None, dest="memory")
    command.add_argument("--no-memory", action="store_false", dest="memory", help="keep memories out of prompts")
    command.add_argument("--status", choices=STATUSES, metavar="STATUS", help="%(choices)s")
    command.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    _places(command)
    command = group.write("delete", "delete a goal with its steps and memories", _delete)
    command.add_argument("id")
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    command = group.command("prompt", "the prompt that the next plan, or a step, would be given", _prompt)
    command.add_argument("id")
    command.add_argument("--step", metavar="ID")
    command.add_argument("--tokens", type=positive, metavar="N", help="maximum for the memories in it")
    group.command("explain", "which memories went into which prompt, and what came out", _explain).add_argument("id")
    group.command("history", "every version of a goal or a step", _history).add_argument("id")
    for name, help in (
        ("pause", "stop the runner after the current calls"),
        ("resume", "let a paused goal be run again"),
    ):
        group.write(name, help, _by_id(name)).add_argument("id")
    run_command(group)
    watch_command(group)
    _step_commands(group.group("step", "the steps of a goal"))
    _memory_commands(group.group("memory", "the memories of a goal"))


def _places(parser: Parser) -> None:
    parser.add_argument("--repository-url", metavar="URL")
    parser.add_argument("--local-path", metavar="FOLDER")
    parser.add_argument("--base-branch", metavar="NAME")


def _step_commands(group: Group) -> None:
    command = group.write("add", "add a step to the present plan", _add_step)
    command.add_argument("id", help="the goal")
    command.add_argument("name", nargs="+")
    command.add_argument("--description", metavar="TEXT")
    command.add_argument("--task-plan", metavar="TEXT", help="the instructions")
    several(command, "--after", "a step that must be completed before, by id")
    command = group.write("revise", "change a step", _revise_step)
    command.add_argument("id", help="the step")
    for name in ("--name", "--description", "--task-plan", "--result"):
        command.add_argument(name, metavar="TEXT")
    command.add_argument("--status", choices=STEP_STATUSES, metavar="STATUS", help="%(choices)s")
    several(command, "--after", "steps that must be completed before, instead of those it has")
    command.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    group.command("list", "the steps in their order", _steps).add_argument("id", help="the goal")
    command = group.write("delete", "delete a step; its memories stay", _by_id("delete_step"))
    command.add_argument("id", help="the step")


def _memory_commands(group: Group) -> None:
    command = group.write("add", "store something for later cycles", _remember)
    command.add_argument("id", help="the goal")
    command.add_argument("text", nargs="+", help="`-` reads it from standard input")
    command.add_argument("--category", choices=CATEGORIES, default="context", metavar="CATEGORY", help="%(choices)s")
    command.add_argument("--step", metavar="ID")
    command.add_argument("--source", choices=SOURCES, metavar="SOURCE", help="planner, executor or user")
    command = group.command("list", "what earlier cycles learned, in order", _memories)
    command.add_argument("id", help="the goal")
    command.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", help="%(choices)s")
    command.add_argument("--step", metavar="ID")
    command.add_argument("--limit", type=positive, default=100, metavar="N", help="maximum (default 100)")
    command.add_argument("--after", metavar="ID", help="the last id of the previous page")
    command = group.write("correct", "correct a memory of a goal", _correct)
    command.add_argument("id", help="the goal")
    command.add_argument("memory")
    command.add_argument("text", nargs="*", help="what is right; `-` reads it from standard input")
    command.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", help="%(choices)s")
    command.add_argument("--reason", metavar="TEXT", help="why, for the history")
    command.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    command = group.write(
        "forget",
        "forget a memory of a goal for good",
        lambda call: call.book.directives.forget(call.id(call.given.id), call.id(call.given.memory)),
    )
    command.add_argument("id", help="the goal")
    command.add_argument("memory")


def _by_id(verb: str) -> Callable[[Call], Receipt]:
    def act(call: Call) -> Receipt:
        receipt: Receipt = getattr(call.book.directives, verb)(call.id(call.given.id))
        return receipt

    return act


def _create(call: Call) -> Receipt:
    fields = call.arguments("title", "status", *PLACES)
    return call.book.directives.create(goal=call.text(call.given.goal), memory_enabled=call.given.memory, **fields)


def _list(call: Call) -> None:
    columns = {"id": "id", "status": "status", "round": "generation"}
    memory = {"memory": lambda row: "on" if row.memory_enabled else "off"}
    call.table(call.book.directives.list(status=call.given.status), {**columns, **memory, "title": "title"})


def _show(call: Call) -> None:
    directives, id = call.book.directives, call.id(call.given.id)
    found, steps = directives.get(id), directives.steps(id)
    call.answer({"id": id, "directive": found, "steps": steps}, lambda paper: _drawn(paper, found, steps))


def _drawn(paper: Paper, found: "Directive", steps: "Sequence[Step]") -> Iterator[str]:
    yield paper.paint(found.title, "bold")
    yield from paper.facts(
        {
            "goal": found.goal,
            "id": found.id,
            "status": found.status,
            "because": found.reason,
            "memory": "on" if found.memory_enabled else "off",
            "round": found.generation,
            "folder": found.local_path,
            "repository": found.repository_url,
            "branch": found.base_branch,
            "version": found.version,
        }
    )
    yield ""
    yield from drawn_steps(paper, steps)


def _revise(call: Call) -> Receipt:
    given = call.given
    fields = call.arguments("title", "status", *PLACES)
    fields |= {"goal": given.goal and call.text(given.goal), "memory_enabled": given.memory}
    return call.book.directives.revise(call.id(given.id), expected=given.expected, **_changed(fields, "--goal"))


def _changed(fields: Mapping[str, Any], option: str) -> dict[str, Any]:
    changes = {name: value for name, value in fields.items() if value is not None}
    if not changes:
        raise Invalid(f"say what changes, such as {option} or --status")
    return changes


def _delete(call: Call) -> Receipt:
    directives, id = call.book.directives, call.id(call.given.id)
    directives.get(id)
    call.agreed(f"Delete directive {id} with its steps and memories, for good?")
    return directives.delete(id)


def _prompt(call: Call) -> None:
    arguments = call.given
    bound = {} if arguments.tokens is None else {"tokens": arguments.tokens}
    made = call.book.directives.prompt(call.id(arguments.id), step=arguments.step, **bound)
    call.answer(made, [made.text])


def _explain(call: Call) -> None:
    directives, id = call.book.directives, call.id(call.given.id)
    found = directives.explain(id)
    call.answer(
        found, lambda paper: _attempts(paper, found, {one.id: one.text for one in directives.memories(id, limit=999)})
    )


def _attempts(paper: Paper, attempts: "Sequence[Attempt]", known: Mapping[str, str]) -> Iterator[str]:
    def named(id: str) -> str:
        return paper.cut(f"{id}  {' '.join(known.get(id, '(no longer there)').split())}")

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


def _history(call: Call) -> None:
    id = call.id(call.given.id)
    versions = call.book.directives.history(id)
    columns = {
        "version": lambda row: row["version"],
        "at": lambda row: call.paper.second(row["recorded_at"]),
        "by": lambda row: row["actor"],
        "action": lambda row: row["action"],
        "title": lambda row: row.get("title") or row.get("name"),
    }
    call.table(versions, columns, value=[{"id": id, **version} for version in versions])


def _add_step(call: Call) -> Receipt:
    given = call.given
    fields = call.arguments("description", "task_plan")
    fields["depends_on"] = listed(given.after)
    return call.book.directives.add_step(call.id(given.id), " ".join(given.name), **fields)


def _revise_step(call: Call) -> Receipt:
    given = call.given
    fields = call.arguments("name", "description", "task_plan", "result", "status")
    fields |= {"depends_on": listed(given.after) or None}
    return call.book.directives.revise_step(call.id(given.id), expected=given.expected, **_changed(fields, "--result"))


def _steps(call: Call) -> None:
    columns = {"id": "id", "status": "status", "round": "generation", "tried": "attempts", "name": "name"}
    call.table(call.book.directives.steps(call.id(call.given.id)), columns | {"result": "result"})


def _remember(call: Call) -> Receipt:
    fields = call.arguments("category", "step", "source")
    return call.book.directives.remember(call.id(call.given.id), call.text(call.given.text), **fields)


def _memories(call: Call) -> None:
    options = call.arguments("category", "step", "after", "limit")
    memories = call.book.directives.memories(call.id(call.given.id), **options)
    call.table(memories, {"id": "id", "category": "category", "source": "source", "text": "text"})


def _correct(call: Call) -> Receipt:
    given = call.given
    if not given.text and given.category is None:
        raise Invalid("say what changes: a text, or --category")
    text = call.text(given.text) if given.text else None
    fields = call.arguments("category", "reason", "expected")
    return call.book.directives.correct(call.id(given.id), call.id(given.memory), text, **fields)
