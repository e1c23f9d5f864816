"""Run one parsed command and show its answer, as ``commands.txt`` says it.

Every error of ours becomes one line and an exit code, from the table of all interfaces.
"""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import import_module
from operator import attrgetter
from typing import Any

from commonplace.errors import Ambiguous, CommonplaceError
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser, Usage, pair
from commonplace.interfaces.cli.progress import progress
from commonplace.model import Receipt

USAGE = 2
BUG = 1
KINDS = {
    USAGE: ("Usage", "The words do not fit the command", 400),
    BUG: ("Fault", "This should not have happened", 500),
}
EXTRAS = {
    **dict.fromkeys(("fastapi", "jwt", "mcp", "starlette", "uvicorn"), "server"),
    **dict.fromkeys(("psycopg", "psycopg_pool"), "postgres"),
}
"""The extra that installs an optional module."""


def run(parser: Parser, words: Sequence[str]) -> int:
    """Parse and run; report errors on standard error, as a line or with ``--json`` as a problem document."""
    as_json = wants_json(words)
    try:
        arguments = parser.parse_args(words)
    except Usage as fault:
        return complain(str(fault), USAGE, as_json=as_json)
    except SystemExit as end:  # argparse ends the process after --help
        return int(end.code or 0)
    try:
        with Call(arguments) as call:
            act(call)
            sys.stdout.flush()
    except CommonplaceError as error:
        from commonplace.interfaces.problems import document, problem

        if as_json:
            print(json.dumps(document(error), ensure_ascii=False), file=sys.stderr)
            return problem(error).exit_code
        return complain(_sentence(error), problem(error).exit_code, as_json=False)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except ModuleNotFoundError as fault:
        return complain(*_missing(fault), as_json=as_json)
    except Exception as fault:  # noqa: BLE001  # the last catch: a message may carry words of a memory
        return complain(_bug(fault), BUG, as_json=as_json)
    return int(getattr(arguments, "exit_code", 0))


def _sentence(error: CommonplaceError) -> str:
    if isinstance(error, Ambiguous):  # the error's own message names keywords of the Python method
        return f"the description matches {len(error.ids)} memories; pass one by its id, or --all: {' '.join(error.ids)}"
    return str(error)


def wants_json(words: Sequence[str]) -> bool:
    """Whether ``--json`` was typed: checked before parsing, because parse errors use it too."""
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def complain(sentence: str, code: int, *, as_json: bool) -> int:
    """Report an error that is not the book's: wrong arguments, a broken installation, or a bug."""
    sentence = " ".join(sentence.split())
    if as_json:
        kind, title, status = KINDS[code]
        problem = {"type": f"urn:commonplace:{kind}", "title": title, "status": status, "detail": sentence}
        print(json.dumps(problem, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"commonplace: {sentence}", file=sys.stderr)
    return code


def _missing(fault: ModuleNotFoundError) -> tuple[str, int]:
    extra = EXTRAS.get((fault.name or "").partition(".")[0])
    if extra is None:
        return f"the module {fault.name} is missing: install commonplace again", BUG
    return f"this needs {fault.name}: pip install 'commonplace-memory[{extra}]'", USAGE


def _bug(fault: Exception) -> str:
    # the traceback module takes 10 ms
    import traceback

    where = traceback.extract_tb(fault.__traceback__)[-1]
    return (
        f"internal error: {type(fault).__name__} at {where.filename}:{where.lineno}; "
        "please report it with the command you ran"
    )


def act(call: Call) -> None:
    """Run the function of a command, or its verb with what was given, and show the answer."""
    notes = call.given.command.notes
    place, *fixed = notes["run"].split()
    if not place.startswith("book."):
        function(place)(call)
        return
    keywords = call.keywords() | dict(map(pair, fixed))
    verb = attrgetter(place.removeprefix("book."))(call.book)
    with progress(notes["progress"]) if "progress" in notes else nullcontext() as show:
        answer = verb(**keywords) if show is None else verb(**keywords, progress=show)
    if isinstance(answer, Receipt):
        call.receipt(answer)
    elif "table" in notes:
        names = _columns(notes["json"]) if "json" in notes else {}
        value = [{name: getattr(row, field) for name, field in names.items()} for row in answer] if names else answer
        call.table(answer, _columns(notes["table"]), value=value, more=notes.get("more"))
    elif "facts" in notes:
        call.answer(answer, lambda paper: paper.facts(paper.cells(answer, _columns(notes["facts"]))))
    elif "show" in notes:
        lines = function(notes["show"])
        call.answer(answer, lambda paper: lines(paper, answer))
    else:
        call.report(answer)


def _columns(text: str) -> dict[str, str]:
    """``head=attribute:format``, by head."""
    parts = (part.partition("=") for part in text.split())
    return {head.replace("_", " "): column or head for head, _, column in parts}


def function(place: str) -> Callable[..., Any]:
    """``module.name`` in this folder, or a whole path."""
    module, _, name = place.rpartition(".")
    named: Callable[..., Any] = getattr(import_module(module if "." in module else f"{__package__}.{module}"), name)
    return named
