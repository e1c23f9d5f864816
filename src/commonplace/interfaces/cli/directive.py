"""``directive``: goals that outlive a session, their steps and memories, and the prompts made of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.directive_run import run_command
from commonplace.interfaces.cli.drawing import drawn_steps
from commonplace.interfaces.cli.parsing import Group, Parser, positive, several
from commonplace.interfaces.cli.show import Paper
from commonplace.model import SOURCES

if TYPE_CHECKING:
    from commonplace.directives.values import Attempt, Directive, Step

STATUSES = ("draft", "active", "paused", "completed", "failed", "archived")
STEP_STATUSES = ("pending", "ready", "running", "completed", "failed", "skipped")
CATEGORIES = ("insight", "decision", "context", "error", "pattern")
PLACES = ("repository_url", "local_path", "base_branch")


def directive(parser: Parser) -> None:
    group = parser.group()
    one = group.command("create", "set a goal", _create)
    one.add_argument("--title", required=True)
    one.add_argument("--goal", required=True, help="`-` reads it from standard input")
    one.add_argument("--memory", action="store_true", help="let its memories into prompts, and capture new ones")
    one.add_argument("--status", choices=STATUSES, default="draft", metavar="STATUS", help="%(choices)s")
    _places(one)
    one = group.command("list", "every goal of the namespace", _list)
    one.add_argument("--status", choices=STATUSES, metavar="STATUS", help="%(choices)s")
    group.command("show", "one goal with its steps, drawn by what they wait for", _show).add_argument("id")
    one = group.command("revise", "change a goal; a new goal is planned again", _revise)
    one.add_argument("id")
    one.add_argument("--title")
    one.add_argument("--goal", help="`-` reads it from standard input")
    one.add_argument("--memory", action="store_true", default=None, dest="memory")
    one.add_argument("--no-memory", action="store_false", dest="memory", help="keep memories out of prompts")
    one.add_argument("--status", choices=STATUSES, metavar="STATUS", help="%(choices)s")
    one.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    _places(one)
    one = group.command("delete", "delete a goal with its steps and memories", _delete)
    one.add_argument("id")
    one.add_argument("--yes", action="store_true", help="do not ask")
    one = group.command("prompt", "the prompt that the next plan, or a step, would be given", _prompt)
    one.add_argument("id")
    one.add_argument("--step", metavar="ID")
    one.add_argument("--tokens", type=positive, metavar="N", help="at most so many for the memories in it")
    group.command("explain", "which memories went into which prompt, and what came out", _explain).add_argument("id")
    group.command("history", "every version of a goal or a step", _history).add_argument("id")
    run_command(group)
    _step_commands(group.group("step", "the steps of a goal"))
    _memory_commands(group.group("memory", "the memories of a goal"))


def _places(parser: Parser) -> None:
    parser.add_argument("--repository-url", metavar="URL")
    parser.add_argument("--local-path", metavar="FOLDER")
    parser.add_argument("--base-branch", metavar="NAME")


def _step_commands(group: Group) -> None:
    one = group.command("add", "add a step to the present plan", _add_step)
    one.add_argument("id", help="the goal")
    one.add_argument("name", nargs="+")
    one.add_argument("--description", metavar="TEXT")
    one.add_argument("--task-plan", metavar="TEXT", help="the instructions")
    several(one, "--after", "a step that must be completed before, by id")
    one = group.command("revise", "change a step", _revise_step)
    one.add_argument("id", help="the step")
    for name in ("--name", "--description", "--task-plan", "--result"):
        one.add_argument(name, metavar="TEXT")
    one.add_argument("--status", choices=STEP_STATUSES, metavar="STATUS", help="%(choices)s")
    several(one, "--after", "steps that must be completed before, instead of those it has")
    one.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    group.command("list", "the steps in their order", _steps).add_argument("id", help="the goal")
    group.command("delete", "delete a step; its memories stay", _delete_step).add_argument("id", help="the step")


def _memory_commands(group: Group) -> None:
    one = group.command("add", "keep something for the cycles to come", _remember)
    one.add_argument("id", help="the goal")
    one.add_argument("text", nargs="+", help="`-` reads it from standard input")
    one.add_argument("--category", choices=CATEGORIES, default="context", metavar="CATEGORY", help="%(choices)s")
    one.add_argument("--step", metavar="ID")
    one.add_argument("--source", choices=SOURCES, metavar="SOURCE", help="planner, executor or user")
    one = group.command("list", "what earlier cycles learned, in order", _memories)
    one.add_argument("id", help="the goal")
    one.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", help="%(choices)s")
    one.add_argument("--step", metavar="ID")
    one.add_argument("--limit", type=positive, default=100, metavar="N", help="at most so many (100)")
    one.add_argument("--after", metavar="ID", help="where the last page ended")
    one = group.command("correct", "correct a memory of a goal", _correct)
    one.add_argument("id", help="the goal")
    one.add_argument("memory")
    one.add_argument("text", nargs="*", help="what is right; `-` reads it from standard input")
    one.add_argument("--category", choices=CATEGORIES, metavar="CATEGORY", help="%(choices)s")
    one.add_argument("--reason", metavar="TEXT", help="why, for the history")
    one.add_argument("--expected", type=positive, metavar="VERSION", help="only if it is still at this version")
    one = group.command("forget", "forget a memory of a goal for good", _forget)
    one.add_argument("id", help="the goal")
    one.add_argument("memory")


def _create(call: Call) -> None:
    given = call.given
    places = {name: getattr(given, name) for name in PLACES}
    call.receipt(
        call.book.directives.create(
            given.title, call.text(given.goal), memory_enabled=given.memory, status=given.status, **places
        )
    )


def _list(call: Call) -> None:
    found = call.book.directives.list(status=call.given.status)
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "status", "round", "memory", "title"),
            ((one.id, one.status, one.generation, "on" if one.memory_enabled else "off", one.title) for one in found),
        ),
    )


def _show(call: Call) -> None:
    desk, id = call.book.directives, call.id(call.given.id)
    found, steps = desk.get(id), desk.steps(id)
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


def _revise(call: Call) -> None:
    given = call.given
    fields: dict[str, Any] = {name: getattr(given, name) for name in ("title", "status", *PLACES)}
    fields |= {"goal": given.goal and call.text(given.goal), "memory_enabled": given.memory}
    fields = {name: value for name, value in fields.items() if value is not None}
    if not fields:
        raise Invalid("say what changes, such as --goal or --status")
    call.receipt(call.book.directives.revise(call.id(given.id), expected=given.expected, **fields))


def _delete(call: Call) -> None:
    desk, id = call.book.directives, call.id(call.given.id)
    desk.get(id)
    call.agreed(f"Delete directive {id} with its steps and memories, for good?")
    call.receipt(desk.delete(id))


def _prompt(call: Call) -> None:
    given = call.given
    bound = {} if given.tokens is None else {"tokens": given.tokens}
    made = call.book.directives.prompt(call.id(given.id), step=given.step, **bound)
    call.answer(made, [made.text])


def _explain(call: Call) -> None:
    desk, id = call.book.directives, call.id(call.given.id)
    found = desk.explain(id)
    call.answer(
        found, lambda paper: _attempts(paper, found, {one.id: one.text for one in desk.memories(id, limit=999)})
    )


def _attempts(paper: Paper, found: "Sequence[Attempt]", known: Mapping[str, str]) -> Iterator[str]:
    def named(id: str) -> str:
        return paper.cut(f"{id}  {' '.join(known.get(id, '(no longer there)').split())}")

    if not found:
        yield paper.paint("nothing was tried yet", "dim")
    for one in found:
        what = "plan" if one.step is None else f"step {one.step}"
        yield paper.paint(f"{paper.second(one.at)}  {what}, round {one.generation}, attempt {one.number}", "bold")
        spent = f" · {one.seconds:.1f} s" if one.seconds is not None else ""
        spent += f" · {one.tokens:,} tokens" if one.tokens is not None else ""
        yield f"    {one.outcome}{spent}{' · without memories: ' + one.fault if one.fault else ''}"
        yield from (f"    went in: {named(id)}" for id in one.went_in)
        yield from (f"    came out: {named(id)}" for id in one.came_out)
        if one.left_out or one.refused:
            yield f"    left out for length: {one.left_out}, refused: {one.refused}"


def _history(call: Call) -> None:
    id = call.id(call.given.id)
    versions = call.book.directives.history(id)
    call.answer(
        [{"id": id, **one} for one in versions],
        lambda paper: paper.table(
            ("version", "at", "by", "action", "title"),
            (
                (one["version"], paper.second(one["recorded_at"]), one["actor"], one["action"], _called(one))
                for one in versions
            ),
        ),
    )


def _called(version: dict[str, Any]) -> str:
    return str(version.get("title") or version.get("name") or "")


def _add_step(call: Call) -> None:
    given = call.given
    call.receipt(
        call.book.directives.add_step(
            call.id(given.id),
            " ".join(given.name),
            description=given.description,
            task_plan=given.task_plan,
            depends_on=listed(given.after),
        )
    )


def _revise_step(call: Call) -> None:
    given = call.given
    names = ("name", "description", "task_plan", "result", "status")
    fields: dict[str, Any] = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    if given.after:
        fields["depends_on"] = listed(given.after)
    if not fields:
        raise Invalid("say what changes, such as --status or --result")
    call.receipt(call.book.directives.revise_step(call.id(given.id), expected=given.expected, **fields))


def _steps(call: Call) -> None:
    found = call.book.directives.steps(call.id(call.given.id))
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "status", "round", "tried", "name", "result"),
            ((one.id, one.status, one.generation, one.attempts, one.name, one.result) for one in found),
        ),
    )


def _delete_step(call: Call) -> None:
    call.receipt(call.book.directives.delete_step(call.id(call.given.id)))


def _remember(call: Call) -> None:
    given = call.given
    call.receipt(
        call.book.directives.remember(
            call.id(given.id), call.text(given.text), category=given.category, step=given.step, source=given.source
        )
    )


def _memories(call: Call) -> None:
    given = call.given
    found = call.book.directives.memories(
        call.id(given.id), category=given.category, step=given.step, after=given.after, limit=given.limit
    )
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "category", "source", "text"), ((one.id, one.category, one.source, one.text) for one in found)
        ),
    )


def _correct(call: Call) -> None:
    given = call.given
    if not given.text and given.category is None:
        raise Invalid("say what changes: a text, or --category")
    call.receipt(
        call.book.directives.correct(
            call.id(given.id),
            call.id(given.memory),
            call.text(given.text) if given.text else None,
            category=given.category,
            reason=given.reason,
            expected=given.expected,
        )
    )


def _forget(call: Call) -> None:
    call.receipt(call.book.directives.forget(call.id(call.given.id), call.id(call.given.memory)))
