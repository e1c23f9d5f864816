"""What a command runs, and how its answer is shown, as ``commands.txt`` says it."""

from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from operator import attrgetter
from typing import Any

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import pair
from commonplace.interfaces.cli.progress import progress
from commonplace.model import Receipt


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
