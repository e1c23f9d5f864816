"""``init`` and ``uninit``: set up a project for a coding agent, and remove exactly that again."""

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.hosts import setup
from commonplace.interfaces.hosts.guidance import MARK, NAME
from commonplace.interfaces.hosts.setup import FileEdit
from commonplace.interfaces.hosts.shapes import HOSTS, Host, host
from commonplace.interfaces.importers import bring_in
from commonplace.settings import home_folder


def init(call: Call) -> None:
    arguments = call.given
    if not arguments.no_mcp and find_spec("mcp") is None:
        raise Invalid("the MCP server is not installed: pip install 'commonplace-memory[server]', or pass --no-mcp")
    notebook = call.book.notebook
    root = notebook.pages.paths.root
    hosts = _hosts(listed(arguments.host), root)
    if arguments.no_mcp:
        hosts = [host.without_server() for host in hosts]
    programs = setup.programs(tools=call.settings.hook_tools)
    edits = setup.plan(
        root,
        home_folder(),
        hosts,
        notebook,
        programs=programs,
        user=arguments.user,
        shared=arguments.shared,
        with_notebook=arguments.notebook or arguments.commit_notebook,
        commit_notebook=arguments.commit_notebook,
    )
    notes = [host.note for host in hosts if host.note]
    if arguments.shared and programs.hook != MARK:
        notes.append(f"shared settings call `{MARK}` and `{NAME}` by name: they must be on everybody's PATH, yours too")
    if not arguments.shared:
        notes += [
            f"git does not ignore {name}: a commit of it shares this setup with everybody on the project"
            for name in setup.committable(edits, root)
        ]
    if not arguments.import_memory:
        notes.append("the agent's own memory files are not changed; --import-memory also brings them in")
    if edits and _agreed(call, edits, "Write this?"):
        setup.carry_out(edits, root, call.settings.home)
    if arguments.import_memory:
        notes += _imported(call, root)
    if edits and not arguments.dry_run:
        notes.append("start a new session of your agent to use it; `commonplace uninit` removes it again")
    _answer(call, edits, notes, nothing="everything is set up already")


def _imported(call: Call, root: Path) -> list[str]:
    """Import the agents' own memories of this project as candidates; the originals stay."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    places = {
        "claude-code": home_folder() / ".claude" / "projects" / slug / "memory",
        "instructions": home_folder() / ".codex" / "memories" / "MEMORY.md",
    }
    lines = []
    for format, place in places.items():
        if place.exists():
            imported = bring_in(call.book, format, place, dry_run=call.given.dry_run)
            counts = ", ".join(f"{name}: {count}" for name, count in imported.counts.items()) or "nothing"
            lines.append(f"{'would import' if imported.dry_run else 'imported'} {counts} from {place}")
    return lines or ["no memory of an agent's own was found for this project"]


def uninit(call: Call) -> None:
    notebook = call.book.notebook
    root = notebook.pages.paths.root
    edits = setup.unplan(root, home_folder(), HOSTS.values(), call.settings.home)
    if edits and _agreed(call, edits, "Remove this?"):
        setup.take_out(edits, root, home_folder(), call.settings.home)
    notes = ["the book and notebook files with content are not removed"]
    _answer(call, edits, notes, nothing="nothing is set up here")


def _hosts(names: Sequence[str], root: Path) -> list[Host]:
    if names:
        return [host(name) for name in dict.fromkeys(names)]
    hosts = setup.installed(root, home_folder())
    if not hosts:
        raise Invalid(f"no coding agent was found here; pass yours with --host: {', '.join(HOSTS)}")
    return hosts


def _agreed(call: Call, edits: Sequence[FileEdit], question: str) -> bool:
    """Show the edits and ask for confirmation."""
    if not call.json:
        print("\n".join(_shown(edits, Path.cwd(), lines=call.given.diff)))
        if not call.given.diff and not call.given.yes:
            print("--diff shows the lines that change.")
    if call.given.dry_run:
        return False
    call.agreed(question)
    return True


def _shown(edits: Sequence[FileEdit], folder: Path, *, lines: bool) -> Iterator[str]:
    """A row per file, with its path relative to ``folder``; with ``lines`` also the changed lines."""
    for edit in edits:
        path = edit.path.relative_to(folder) if edit.path.is_relative_to(folder) else edit.path
        added, removed = edit.counts
        counts = [f"{count} {which}" for count, which in ((added, "added"), (removed, "removed")) if count]
        yield f"{_verb(edit):6}  {path}  ({edit.what}; lines: {', '.join(counts) or 'the same'})"
        if lines:
            yield edit.diff


def _answer(call: Call, edits: Sequence[FileEdit], notes: Sequence[str], *, nothing: str) -> None:
    written = bool(edits) and not call.given.dry_run
    files = [{"path": str(edit.path), "change": _verb(edit), "what": edit.what, "diff": edit.diff} for edit in edits]
    name, why, _ = call.place
    answer = {"written": written, "namespace": name, "why": why, "files": files, "notes": list(notes)}
    lines = [*([nothing] if not edits else ["done"] if written else []), f"namespace {name}: {why}", *notes]
    call.answer(answer, lines)


def _verb(edit: FileEdit) -> str:
    return "make" if edit.before is None else "remove" if edit.after is None else "change"
