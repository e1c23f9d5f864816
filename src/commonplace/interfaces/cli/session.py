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
from commonplace.notebook.notebook import Note, Status
from commonplace.notebook.pausing import pause as pause_capture
from commonplace.notebook.pausing import resume as resume_capture
from commonplace.notebook.sync import REMOVED, Synced
from commonplace.notebook.watch import watch

PAGE = 500


def session(parser: Parser) -> None:
    group = parser.group()
    one = group.command("start", "the page to begin a session with", _start)
    one.add_argument("--tokens", type=positive, default=2000, metavar="N", help="at most so long (2000)")
    one.add_argument("--new", action="store_true", help="nothing is being resumed")
    one = group.command("recover", "the page after a compaction", _recover)
    one.add_argument("--tokens", type=positive, default=2000, metavar="N", help="at most so long (2000)")
    one.add_argument("--context", metavar="FILE", help="what the agent still has; `-` reads it from standard input")
    _writing(group)
    one = group.command("distill", "bring the decisions of the logs into long-term memory", _distill)
    one.add_argument("--yes", action="store_true", help="write without asking")
    one.add_argument("--dry-run", action="store_true", help="only show the edit")
    group.command("sync", "bring what was edited in the files into the book", _sync)
    group.command("watch", "bring in what is edited in the files as it is saved, until interrupted", _watch)
    one = group.command("forget-removed", "forget the memories of lines that were taken out of the files", _removed)
    one.add_argument("--keep", action="store_true", help="keep them instead, without their lines")
    one.add_argument("--yes", action="store_true", help="do not ask")
    group.command("status", "which notebook this is, and how it stands", _status)


def _writing(group: Group) -> None:
    for name, help, run, kind in (
        ("note", "write a line into the working buffer", _note, "note"),
        ("log", "write a line into the log of the day", _log, "done"),
    ):
        one = group.command(name, help, run)
        one.add_argument("text", nargs="+", help="`-` reads it from standard input")
        one.add_argument("--kind", choices=tuple(KINDS), default=kind, metavar="KIND", help="%(choices)s")
    one = group.command("todo", "put something on the checklist, or tick it off", _todo)
    one.add_argument("text", nargs="+")
    one.add_argument("--done", action="store_true", help="tick it off")
    group.command("lesson", "write down a mistake not to repeat", _lesson).add_argument("text", nargs="+")
    one = group.command("end", "close a session: state, next steps, what was learned", _end)
    one.add_argument("--state", metavar="TEXT", help="where things stand")
    one.add_argument("--next", action="append", default=[], metavar="TEXT", help="what comes next; may be repeated")
    one.add_argument("--done", action="append", default=[], metavar="TEXT", help="an item to tick off")
    one.add_argument("--lesson", action="append", default=[], metavar="TEXT", help="a mistake not to repeat")
    one.add_argument("--decision", action="append", default=[], metavar="TEXT", help="what was decided")
    one.add_argument("--log", metavar="TEXT", help="the line in the log of the day")


def pause(parser: Parser) -> None:
    parser.runs(_pause)


def resume(parser: Parser) -> None:
    parser.runs(_resume)


def _start(call: Call) -> None:
    page = call.book.notebook.start(tokens=call.given.tokens, resuming=not call.given.new)
    call.answer(page, [page.text] if page.text else [])


def _recover(call: Call) -> None:
    given = call.given
    context = None if given.context is None else call.file(given.context)
    page = call.book.notebook.recover(tokens=given.tokens, context=context)
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
    said = call.book.notebook.tick(text)
    call.answer({"done": said}, [f"done: {said}"])


def _lesson(call: Call) -> None:
    _written(call, [call.book.notebook.lesson(call.text(call.given.text))])


def _end(call: Call) -> None:
    given = call.given
    notes = call.book.notebook.end(
        state=given.state,
        next=given.next,
        done=given.done,
        lessons=given.lesson,
        decisions=given.decision,
        log=given.log,
    )
    _written(call, notes)


def _written(call: Call, notes: list[Note]) -> None:
    found = [
        {"id": one.memory, "file": one.written.file, "line": one.written.line, "kind": one.written.kind}
        | {"text": one.written.text, "corrects": one.corrects, "word": one.word}
        for one in notes
    ]
    call.answer(
        found[0] if len(found) == 1 else found,
        [f"{one.written.file}:{one.written.line}  {one.written.kind}: {one.written.text}" for one in notes],
    )


def _distill(call: Call) -> None:
    made = call.book.notebook.distil()
    if made.empty:
        call.answer({"written": False, "diff": "", "word": None}, ["nothing to distil"])
        return
    if made.word:
        print(made.word, file=sys.stderr)
    if not call.json:
        print(made.diff)
    if not call.given.dry_run:
        call.agreed("Write this?")
        call.book.notebook.write(made)
    answer = {"written": not call.given.dry_run, "diff": made.diff, "word": made.word}
    call.answer(answer, [] if call.given.dry_run else ["written"])


def _sync(call: Call) -> None:
    done = call.book.notebook.sync()
    call.answer(done, _brought_in(done))


def _brought_in(done: Synced) -> list[str]:
    counts = {name: len(getattr(done, name)) for name in ("added", "changed", "moved", "ended", "archived", "missing")}
    said = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    asks = ["`commonplace session forget-removed` forgets what was removed"] if done.missing else []
    return [said or "nothing changed", *asks, *done.problems]


def _watch(call: Call) -> None:
    """In the foreground; Ctrl-C and a polite kill end it, after the edit at hand."""
    notebook, stop = call.book.notebook, Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if not call.json:
        print(f"watching the notebook in {notebook.pages.places.root}; Ctrl-C ends this", flush=True)
    for done in watch(notebook, stop):
        if call.json:
            print(json.dumps(to_json(done), ensure_ascii=False), flush=True)
            continue
        for line in _brought_in(done):
            print(f"{call.now():%H:%M:%S} {line}", flush=True)


def _removed(call: Call) -> None:
    call.book.notebook.sync()
    ids, after = [], None
    while page := call.book.browse(kinds=["associative"], limit=PAGE, after=after):
        ids += [one.id for one in page if REMOVED in one.metadata]
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
    found = call.book.notebook.status()
    call.answer(found, lambda paper: _stands(paper, found))


def _stands(paper: Paper, found: Status) -> Iterator[str]:
    yield from paper.facts(
        {
            "namespace": found.namespace,
            "because": found.why,
            "folder": found.root,
            "files": ", ".join(f"{name} ({number} lines)" for name, number in found.files.items()) or "none yet",
            "to do": found.open_todos,
            "to distil": ", ".join(map(str, found.undistilled)),
            "problems": "; ".join(found.problems),
        }
    )


def _pause(call: Call) -> None:
    pause_capture(call.settings.home)
    call.answer({"paused": True}, ["nothing is captured or injected until `commonplace resume`"])


def _resume(call: Call) -> None:
    paused = resume_capture(call.settings.home)
    call.answer({"paused": False}, ["capture goes on" if paused else "nothing was paused"])
