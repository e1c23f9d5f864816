"""``session``, ``pause`` and ``resume``: the notebook of a project, and the switch of capture."""

import json
import signal
import sys
from collections.abc import Iterator
from threading import Event

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Group, Parser, positive
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json
from commonplace.notebook.lines import KINDS
from commonplace.notebook.notebook import NotedLine, Status
from commonplace.notebook.pausing import pause as pause_capture
from commonplace.notebook.pausing import resume as resume_capture
from commonplace.notebook.sync import REMOVED, Synced
from commonplace.notebook.watch import watch

PAGE = 500


def session(parser: Parser) -> None:
    group = parser.group()
    command = group.command("start", "print the page that starts a session", _start)
    command.add_argument("--tokens", type=positive, default=2000, metavar="N", help="maximum length (default 2000)")
    command.add_argument("--new", action="store_true", help="start fresh instead of resuming")
    command = group.command("recover", "print the page to read after a compaction", _recover)
    command.add_argument("--tokens", type=positive, default=2000, metavar="N", help="maximum length (default 2000)")
    command.add_argument(
        "--context", metavar="FILE", help="the agent's remaining context; `-` reads it from standard input"
    )
    _writing(group)
    command = group.command("distill", "bring the decisions of the logs into long-term memory", _distill)
    command.add_argument("--yes", action="store_true", help="write without asking")
    command.add_argument("--dry-run", action="store_true", help="only show the edit")
    group.command("sync", "import what was edited in the files", _sync)
    group.command("watch", "import edits as the files are saved, until interrupted", _watch)
    command = group.command("forget-removed", "forget the memories of lines that were taken out of the files", _removed)
    command.add_argument("--keep", action="store_true", help="keep them instead, without their lines")
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    group.command("status", "which notebook is used, and its state", _status)


def _writing(group: Group) -> None:
    for name, help, run, kind in (
        ("note", "write a line into the working buffer", _note, "note"),
        ("log", "write a line into the log of the day", _log, "done"),
    ):
        command = group.command(name, help, run)
        command.add_argument("text", nargs="+", help="`-` reads it from standard input")
        command.add_argument("--kind", choices=tuple(KINDS), default=kind, metavar="KIND", help="%(choices)s")
    command = group.command("todo", "put something on the checklist, or tick it off", _todo)
    command.add_argument("text", nargs="+")
    command.add_argument("--done", action="store_true", help="tick it off")
    group.command("lesson", "write down a mistake not to repeat", _lesson).add_argument("text", nargs="+")
    command = group.command("end", "close a session: state, next steps, what was learned", _end)
    command.add_argument("--state", metavar="TEXT", help="where things stand")
    command.add_argument("--next", action="append", default=[], metavar="TEXT", help="what comes next; may be repeated")
    command.add_argument("--done", action="append", default=[], metavar="TEXT", help="an item to tick off")
    command.add_argument("--lesson", action="append", default=[], metavar="TEXT", help="a mistake not to repeat")
    command.add_argument("--decision", action="append", default=[], metavar="TEXT", help="what was decided")
    command.add_argument("--log", metavar="TEXT", help="the line in the log of the day")


def pause(parser: Parser) -> None:
    parser.runs(_pause)


def resume(parser: Parser) -> None:
    parser.runs(_resume)


def _start(call: Call) -> None:
    page = call.book.notebook.start(tokens=call.given.tokens, resuming=not call.given.new)
    call.answer(page, [page.text] if page.text else [])


def _recover(call: Call) -> None:
    arguments = call.given
    context = None if arguments.context is None else call.file(arguments.context)
    page = call.book.notebook.recover(tokens=arguments.tokens, context=context)
    call.answer(page, [page.text] if page.text else [])


def _note(call: Call) -> None:
    _written(call, [call.book.notebook.note(call.text(call.given.text), kind=call.given.kind)])


def _log(call: Call) -> None:
    _written(call, [call.book.notebook.log(call.text(call.given.text), kind=call.given.kind)])


def _todo(call: Call) -> None:
    text = call.text(call.given.text)
    if not call.given.done:
        _written(call, [call.book.notebook.todo(text)])
        return
    ticked = call.book.notebook.tick(text)
    call.answer({"done": ticked}, [f"done: {ticked}"])


def _lesson(call: Call) -> None:
    _written(call, [call.book.notebook.lesson(call.text(call.given.text))])


def _end(call: Call) -> None:
    arguments = call.given
    notes = call.book.notebook.end(
        state=arguments.state,
        next=arguments.next,
        done=arguments.done,
        lessons=arguments.lesson,
        decisions=arguments.decision,
        log=arguments.log,
    )
    _written(call, notes)


def _written(call: Call, notes: list[NotedLine]) -> None:
    mappings = [
        {"id": note.memory, "file": note.written.file, "line": note.written.line, "kind": note.written.kind}
        | {"text": note.written.text, "corrects": note.corrects, "word": note.word}
        for note in notes
    ]
    call.answer(
        mappings[0] if len(mappings) == 1 else mappings,
        [f"{note.written.file}:{note.written.line}  {note.written.kind}: {note.written.text}" for note in notes],
    )


def _distill(call: Call) -> None:
    distillation = call.book.notebook.distil()
    if distillation.empty:
        call.answer({"written": False, "diff": "", "word": None}, ["nothing to distil"])
        return
    if distillation.word:
        print(distillation.word, file=sys.stderr)
    if not call.json:
        print(distillation.diff)
    if not call.given.dry_run:
        call.agreed("Write this?")
        call.book.notebook.write(distillation)
    answer = {"written": not call.given.dry_run, "diff": distillation.diff, "word": distillation.word}
    call.answer(answer, [] if call.given.dry_run else ["written"])


def _sync(call: Call) -> None:
    synced = call.book.notebook.sync()
    call.answer(synced, _brought_in(synced))


def _brought_in(synced: Synced) -> list[str]:
    counts = {
        name: len(getattr(synced, name)) for name in ("added", "changed", "moved", "ended", "archived", "missing")
    }
    summary = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    asks = ["`commonplace session forget-removed` forgets what was removed"] if synced.missing else []
    return [summary or "nothing changed", *asks, *synced.problems]


def _watch(call: Call) -> None:
    """In the foreground; Ctrl-C and a polite kill end it, after the edit at hand."""
    notebook, stop = call.book.notebook, Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if not call.json:
        print(f"watching the notebook in {notebook.pages.paths.root}; Ctrl-C ends this", flush=True)
    for synced in watch(notebook, stop):
        if call.json:
            print(json.dumps(to_json(synced), ensure_ascii=False), flush=True)
            continue
        for line in _brought_in(synced):
            print(f"{call.now():%H:%M:%S} {line}", flush=True)


def _removed(call: Call) -> None:
    call.book.notebook.sync()
    ids, after = [], None
    while page := call.book.browse(kinds=["associative"], limit=PAGE, after=after):
        ids += [memory.id for memory in page if REMOVED in memory.metadata]
        after = page[-1].id
    if not ids:
        call.answer({"ids": []}, ["nothing was removed"])
        return
    if not call.given.keep:
        call.agreed(f"Forget {len(ids)} memories whose lines were removed, for good?")
    receipt = call.book.notebook.settle(ids, forget=not call.given.keep)
    if receipt is not None:
        call.receipt(receipt)
        return
    call.answer({"ids": ids}, [f"{len(ids)} kept"])


def _status(call: Call) -> None:
    status = call.book.notebook.status()
    call.answer(status, lambda paper: _stands(paper, status))


def _stands(paper: Paper, status: Status) -> Iterator[str]:
    yield from paper.facts(
        {
            "namespace": status.namespace,
            "because": status.why,
            "folder": status.root,
            "files": ", ".join(f"{name} ({number} lines)" for name, number in status.files.items()) or "none yet",
            "to do": status.open_todos,
            "to distil": ", ".join(map(str, status.undistilled)),
            "problems": "; ".join(status.problems),
        }
    )


def _pause(call: Call) -> None:
    pause_capture(call.settings.home)
    call.answer({"paused": True}, ["nothing is captured or injected until `commonplace resume`"])


def _resume(call: Call) -> None:
    paused = resume_capture(call.settings.home)
    call.answer({"paused": False}, ["capture goes on" if paused else "nothing was paused"])
