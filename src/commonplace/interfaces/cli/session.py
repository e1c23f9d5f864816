"""``session``, ``pause`` and ``resume``: a project's notebook, and pausing capture."""

import json
import signal
import sys
from collections.abc import Iterator
from threading import Event

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json
from commonplace.notebook import pausing
from commonplace.notebook import watch as watching
from commonplace.notebook.notebook import NotedLine, Status
from commonplace.notebook.sync import REMOVED, Synced

PAGE = 500


def note(call: Call) -> None:
    _written(call, [call.book.notebook.note(**call.keywords())])


def log(call: Call) -> None:
    _written(call, [call.book.notebook.log(**call.keywords())])


def todo(call: Call) -> None:
    text = call.text(call.given.text)
    if not call.given.done:
        _written(call, [call.book.notebook.todo(text)])
        return
    ticked = call.book.notebook.tick(text)
    call.answer({"done": ticked}, [f"done: {ticked}"])


def lesson(call: Call) -> None:
    _written(call, [call.book.notebook.lesson(**call.keywords())])


def end(call: Call) -> None:
    _written(call, call.book.notebook.end(**call.keywords()))


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


def distill(call: Call) -> None:
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


def synced_lines(paper: Paper, synced: Synced) -> list[str]:
    names = ("added", "changed", "moved", "ended", "archived", "missing")
    counts = {name: len(getattr(synced, name)) for name in names}
    summary = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    asks = ["run `commonplace session forget-removed` to forget what was removed"] if synced.missing else []
    return [summary or "nothing changed", *asks, *synced.problems]


def watch(call: Call) -> None:
    """Watch in the foreground; Ctrl-C or a termination signal ends it after the current edit."""
    notebook, stop = call.book.notebook, Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if not call.json:
        print(f"watching the notebook in {notebook.pages.paths.root}; press Ctrl-C to stop", flush=True)
    for synced in watching.watch(notebook, stop):
        if call.json:
            print(json.dumps(to_json(synced), ensure_ascii=False), flush=True)
            continue
        for line in synced_lines(call.paper, synced):
            print(f"{call.now():%H:%M:%S} {line}", flush=True)


def removed(call: Call) -> None:
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


def status_lines(paper: Paper, status: Status) -> Iterator[str]:
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


def pause(call: Call) -> None:
    pausing.pause(call.settings.home)
    call.answer({"paused": True}, ["nothing is captured or injected until `commonplace resume`"])


def resume(call: Call) -> None:
    paused = pausing.resume(call.settings.home)
    call.answer({"paused": False}, ["capture goes on" if paused else "nothing was paused"])
