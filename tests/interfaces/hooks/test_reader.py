"""The process that a hook starts, to read with the judge what hooks left where no server listens."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.interfaces.hooks.conftest import Place, payload, program

from commonplace.interfaces.hooks import reader, start_reader
from commonplace.notebook.draining import READ_MESSAGE
from commonplace.providers.judge import Judge

pytestmark = [
    pytest.mark.one_engine("a hook opens only a file by itself"),
    pytest.mark.skipif(not Judge().ready(), reason="the judge is not installed"),
]

MESSAGE = "keep the controllers thin and put the logic into services"
"""An architecture choice that the rules alone do not know."""
WAIT = 120


def until(reached: Callable[[], bool]) -> bool:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if reached():
            return True
        time.sleep(0.1)
    return False


def prompt(place: Place, text: str, **environ: str) -> None:
    raw = json.dumps(payload(place, "UserPromptSubmit", prompt=text)).encode()
    assert program(place, "prompt", raw, **environ).returncode == 0


def waiting(place: Place) -> int:
    with place.book() as book:
        return book.jobs.counts().get(READ_MESSAGE, {}).get("waiting", 0)


def is_read(place: Place) -> bool:
    return MESSAGE in place.file("memory/working-buffer.md")


@pytest.mark.slow
def test_what_the_rules_miss_stands_in_the_buffer_soon_after_the_hook(place: Place) -> None:
    prompt(place, MESSAGE, COMMONPLACE_HOOK_READER="false")
    assert not is_read(place) and waiting(place) == 1, "the control: the hook alone does not know it"
    prompt(place, "hello there", COMMONPLACE_HOOK_READER="true")
    assert until(lambda: is_read(place)), "both messages are read, also the one from before"
    with place.book() as book:
        assert until(lambda: MESSAGE in [memory.text for memory in book.browse() if memory.turn is None])
    prompt(place, "let the views stay dumb and do the sums in the model", COMMONPLACE_HOOK_READER="true")
    assert until(lambda: waiting(place) == 0), "it is still there for the next message"
    place.home.rename(place.home.with_name("gone"))  # it ends with its home
    lock = next(place.home.with_name("gone").glob("reading-*.lock"))
    assert lock.exists()


@pytest.mark.slow
def test_it_ends_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt(place, MESSAGE, COMMONPLACE_HOOK_READER="false")
    monkeypatch.setattr(reader, "LASTS", 0.5)
    reader.main(place.project)
    assert is_read(place) and waiting(place) == 0
    with start_reader.reading(place.settings()) as alone:
        assert alone


def test_one_runs_at_a_time_and_none_where_it_is_not_wanted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(start_reader.HERE, "start_alone", lambda command, environ: started.append(command))
    settings = place.settings()
    settings.home.mkdir(parents=True, exist_ok=True)
    start_reader.start_reader(settings, place.project)
    assert len(started) == 1, "the control"
    with start_reader.reading(settings) as alone:
        assert alone
        start_reader.start_reader(settings, place.project)
        reader.main(place.project)  # ends at once
    start_reader.start_reader(place.settings(hook_reader=False), place.project)
    start_reader.start_reader(place.settings(judge="off"), place.project)
    assert len(started) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="posix_spawn")
def test_a_program_that_is_started_alone_keeps_no_stream_open(tmp_path: Path) -> None:
    """A host waits until nobody can write to a hook's output any more."""
    proof = tmp_path / "proof"
    program = f"import time; time.sleep(3); open({str(proof)!r}, 'w').close()"
    command = f"[sys.executable, '-c', {program!r}]"
    starts = f"import os, sys; from commonplace.system import HERE; HERE.start_alone({command}, os.environ)"
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", starts], capture_output=True, check=True)
    assert time.monotonic() - begun < 3 or not proof.exists()
    assert until(proof.exists), "it went on"
