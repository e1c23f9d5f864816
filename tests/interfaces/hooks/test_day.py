"""A whole working day as a host plays it: two terminals, a compaction, a kill in the middle, the next morning."""

import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from commonplace.interfaces.hooks import call
from commonplace.interfaces.hooks.entry import answered
from commonplace.light import book as open_book
from commonplace.testing.clock import StoppedClock

from .conftest import PROGRAM, Place, context, payload, program

pytestmark = pytest.mark.one_engine("a hook opens a file by itself, any other book through the server: test_socket.py")

DECISIONS = {
    "left": [
        "We decided to use port 8080 for the API because it was free.",
        "We decided to keep the parser by hand.",
        "We decided to write the docs in Markdown.",
        "We decided to release every Friday.",
    ],
    "right": [
        "We decided to store sessions in Redis.",
        "We decided to run the tests on two cores.",
        "We decided to drop support for Python 3.10.",
        "We decided to name the package inkwell.",
    ],
}
CORRECTION = "Actually, the API port is 9090, not 8080."
TOLD = {"8080": 1, "parser by hand": 1, "docs in Markdown": 1, "every Friday": 1, "sessions in Redis": 1}
TOLD |= {"on two cores": 1, "Python 3.10": 1, "package inkwell": 1}


def send(place: Place, name: str, event: str, **fields: Any) -> dict[str, Any]:
    done = program(place, name, json.dumps(payload(place, event, **fields)).encode())
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def terminal(place: Place, session: str) -> None:
    send(place, "session-start", "SessionStart", source="startup", session_id=session)
    for number, said in enumerate(DECISIONS[session]):
        if session == "left" and number == 2:
            killed(place)  # while the other terminal goes on
        told = send(place, "prompt", "UserPromptSubmit", prompt=said, session_id=session)
        assert "systemMessage" not in told
        send(place, "stop", "Stop", last_assistant_message=_answer(said, number), session_id=session)


def _answer(said: str, number: int) -> str:
    return f"Noted: {said} I wrote it down in `notes{number}.md`."


def killed(place: Place) -> None:
    """Send a prompt and kill the hook early, in the middle and late; then send it again, as the person would."""
    raw = json.dumps(payload(place, "UserPromptSubmit", prompt=CORRECTION, session_id="left")).encode()
    ended = []
    for after in (0.03, 0.08, 0.15, 0.2, 0.3, 0.4):
        running = subprocess.Popen(
            [*PROGRAM, "prompt"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=place.environ, cwd=place.project
        )
        assert running.stdin is not None
        running.stdin.write(raw)
        running.stdin.close()
        time.sleep(after)
        running.send_signal(signal.SIGKILL)
        ended.append(running.wait())
    assert -signal.SIGKILL in ended, "one of them was caught at work"
    send(place, "prompt", "UserPromptSubmit", prompt=CORRECTION, session_id="left")


@pytest.mark.slow
def test_a_working_day(place: Place, monkeypatch: pytest.MonkeyPatch):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda session: terminal(place, session), DECISIONS))
    send(place, "pre-compact", "PreCompact", trigger="auto", session_id="left")
    send(place, "post-compact", "PostCompact", trigger="auto", compact_summary="Ports were settled.", session_id="left")
    recovered = context(send(place, "session-start", "SessionStart", source="compact", session_id="left"))
    assert "9090" in recovered
    assert "8080" not in recovered
    send(place, "session-end", "SessionEnd", reason="prompt_input_exit", session_id="left")

    buffer = place.file("memory/working-buffer.md")
    assert {words: buffer.count(words) for words in TOLD if words != "8080"} == {
        words: 1 for words in TOLD if words != "8080"
    }
    assert sum("decision: We decided to use port 8080" in row for row in buffer.splitlines()) == 1
    assert sum("the API port is 9090" in row for row in buffer.splitlines()) == 1
    assert all(row.startswith(("#", "- ")) for row in buffer.splitlines() if row)
    log = next((place.project / "memory").glob("2*.md")).read_text("utf-8").splitlines()
    assert not any("Noted" in row for row in log), "an echo of the question reports no work"
    worked = [f"done: I wrote it down in `notes{number}.md`." for number in range(4)]
    assert {line: sum(line in row for row in log) for line in worked} == dict.fromkeys(worked, 1)
    with place.book() as book:
        notes = [one.text for one in book.browse(kinds=["associative"], limit=1000)]
        assert len(notes) == len(set(notes))
        said = [one.text for one in book.browse(kinds=["episodic"], limit=1000) if one.source == "user"]
    assert all(words in said for session in DECISIONS.values() for words in session)

    _next_morning(place, monkeypatch)


def _next_morning(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = StoppedClock(datetime.now(UTC) + timedelta(days=1))
    for module in (call, open_book):
        monkeypatch.setattr(module, "SystemClock", lambda: clock)
    raw = json.dumps(payload(place, "SessionStart", source="startup", session_id="tomorrow")).encode()
    page = context(json.loads(answered("session-start", raw, {}, place.project)))
    assert "never closed" in page, "the right terminal was left open"
    assert "distill" in page
    assert "9090" in page
    assert "8080" not in page
    with place.book() as book:
        book._parts.clock = clock
        notebook = type(book)(book._parts, book._parts.scope("me", book.namespace)).notebook_at(place.project)
        notebook.write(notebook.distil())
    kept = place.file("MEMORY.md") + place.file("memory/working-buffer.md")
    assert all(words in kept for words in TOLD)
    table = place.file("MEMORY.md")
    assert {words: table.count(words) for words in TOLD if words not in ("8080", "every Friday")} == {
        words: 1 for words in TOLD if words not in ("8080", "every Friday")
    }
    assert "9090" in table
    assert "8080" not in table
    page = context(json.loads(answered("session-start", raw, {}, place.project)))
    assert "inkwell" in page
    assert "8080" not in page


def test_the_page_is_the_same_whoever_asks(place: Place):
    """A control for the day: without the correction the old value is there."""
    send(place, "prompt", "UserPromptSubmit", prompt=DECISIONS["left"][0], session_id="left")
    page = context(send(place, "session-start", "SessionStart", source="compact", session_id="left"))
    assert "8080" in page
    assert Path(place.project / "memory/working-buffer.md").exists()
