"""``init`` and ``uninit``: set a project up for a coding agent, and take exactly that out again."""

import re
from collections.abc import Sequence
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several
from commonplace.interfaces.hosts import setup
from commonplace.interfaces.hosts.setup import FileEdit
from commonplace.interfaces.hosts.shapes import HOSTS, Host, host
from commonplace.interfaces.importers import bring_in
from commonplace.notebook.notebook import Notebook
from commonplace.settings import home_folder

FOLDERS = {"claude-code": ".claude", "codex": ".codex", "cursor": ".cursor"}
"""By which a project shows that it is worked on with a host."""


def init(parser: Parser) -> None:
    several(parser, "--host", "set up for this agent; otherwise for those whose folders are there", tuple(HOSTS))
    parser.add_argument("--user", action="store_true", help="into your own settings, for all projects")
    parser.add_argument(
        "--import-memory", action="store_true", help="also bring in what the agent remembers of this project by itself"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_init)


def uninit(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.runs(_uninit)


def _init(call: Call) -> None:
    given = call.given
    notebook = call.book.notebook
    hosts = _hosts(listed(given.host), notebook.pages.places.root)
    made = setup.programs(tools=call.settings.hook_tools)
    edits = setup.plan(notebook.pages.places.root, home_folder(), hosts, notebook, user=given.user, made=made)
    words = [one.word for one in hosts if one.word]
    words += ["the agent's own memory is left as it is"] if hosts else []
    if edits and _wanted(call, edits, "Write this?"):
        setup.carry_out(edits, notebook.pages.places.root, call.settings.home)
    if given.import_memory:
        words += _brought_in(call, notebook.pages.places.root)
    _answer(call, edits, notebook, words, nothing="everything is set up already")


def _brought_in(call: Call, root: Path) -> list[str]:
    """What the agents' own memories of this project hold, as candidates; theirs stay as they are."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    places = {
        "claude-code": home_folder() / ".claude" / "projects" / slug / "memory",
        "instructions": home_folder() / ".codex" / "memories" / "MEMORY.md",
    }
    told = []
    for format, place in places.items():
        if place.exists():
            made = bring_in(call.book, format, place, dry_run=call.given.dry_run)
            counts = ", ".join(f"{name}: {count}" for name, count in made.counts.items()) or "nothing"
            told.append(f"{'would bring in' if made.dry_run else 'brought in'} {counts} from {place}")
    return told or ["no memory of an agent's own was found for this project"]


def _uninit(call: Call) -> None:
    notebook = call.book.notebook
    root = notebook.pages.places.root
    edits = setup.unplan(root, home_folder(), HOSTS.values(), call.settings.home)
    if edits and _wanted(call, edits, "Take this out?"):
        setup.take_out(edits, root, call.settings.home)
    words = ["files of the notebook that were written in stay, and so does the book"]
    _answer(call, edits, notebook, words, nothing="nothing of ours is set up here")


def _hosts(names: Sequence[str], root: Path) -> list[Host]:
    if names:
        return [host(name) for name in dict.fromkeys(names)]
    found = [host(name) for name, folder in FOLDERS.items() if (root / folder).is_dir()]
    if not found:
        raise Invalid(f"name the agent with --host: {', '.join(HOSTS)}")
    return found


def _wanted(call: Call, edits: Sequence[FileEdit], question: str) -> bool:
    """Show the edits, and go on only if that was agreed to."""
    if not call.json:
        for edit in edits:
            print(f"{_verb(edit)} {edit.path}  ({edit.what})")
            print(edit.diff)
    if call.given.dry_run:
        return False
    call.agreed(question)
    return True


def _answer(call: Call, edits: Sequence[FileEdit], notebook: Notebook, words: Sequence[str], *, nothing: str) -> None:
    done = bool(edits) and not call.given.dry_run
    files = [{"path": str(edit.path), "change": _verb(edit), "what": edit.what, "diff": edit.diff} for edit in edits]
    name, why = call.place
    answer = {"written": done, "namespace": name, "why": why, "files": files, "notes": list(words)}
    lines = [*([nothing] if not edits else ["done"] if done else []), f"namespace {name}: {why}", *words]
    call.answer(answer, lines)


def _verb(edit: FileEdit) -> str:
    return "make" if edit.before is None else "remove" if edit.after is None else "change"
