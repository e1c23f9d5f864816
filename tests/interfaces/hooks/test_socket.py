"""A local server that answers hooks: asked first, done without where it is not there."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from commonplace.interfaces.hooks.entry import answered
from commonplace.interfaces.hooks.server import listen
from commonplace.interfaces.hooks.socket import Listener, ask
from commonplace.runtime import open_parts

from .conftest import Place, payload

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A path that fits into a socket's address."""
    return Path(os.path.relpath(tmp_path / "hook.sock")) if len(str(tmp_path)) > 80 else tmp_path / "hook.sock"


@pytest.mark.one_engine("ends with a hook that opens the file by itself")
def test_a_running_server_answers_for_the_hook(place: Place, short: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, bytes]] = []

    def answer(name: str, raw: bytes, variables: Mapping[str, str], folder: Path) -> str:
        asked.append((name, raw))
        return '{"from": "the server"}'

    monkeypatch.setenv("COMMONPLACE_HOOK_SOCKET", str(short))
    raw = json.dumps(payload(place, "UserPromptSubmit", prompt="We decided to ship.")).encode()
    listener = Listener(short, answer)
    try:
        assert short.stat().st_mode & 0o777 == 0o600
        assert answered("prompt", raw, {}, place.project, ask_server=True) == '{"from": "the server"}'
    finally:
        listener.close()
    assert asked[0][0] == "prompt"
    assert json.loads(asked[0][1])["prompt"] == "We decided to ship."
    assert not place.file("memory/working-buffer.md")
    assert json.loads(answered("prompt", raw, {}, place.project, ask_server=True)) == {}
    assert "We decided to ship" in place.file("memory/working-buffer.md")


def test_a_silent_or_confused_server_is_done_without(short: Path):
    assert ask(short, {}, timeout=0.2) is None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as silent:
        silent.bind(str(short))
        silent.listen(1)
        assert ask(short, {"event": "prompt"}, timeout=0.05) is None
    short.unlink()
    listener = Listener(short, lambda *given: "x")
    try:
        assert ask(short, {"nonsense": 1}, timeout=1) is None
    finally:
        listener.close()
    assert not short.exists()


def test_a_server_answers_with_all_of_recall_and_keeps_what_was_said(place: Place, short: Path):
    settings = place.settings(hook_socket=str(short))
    raw = json.dumps(payload(place, "UserPromptSubmit", prompt="We decided to ship on Fridays.")).encode()
    parts = open_parts(settings.book_url, settings)
    listener = listen(parts)
    assert listener is not None
    assert listen(parts) is None, "one is enough"
    try:
        question = {"event": "prompt", "payload": json.loads(raw), "variables": {}, "folder": str(place.project)}
        assert ask(short, question, timeout=30) == "{}"
        question["payload"] |= {"session_id": "other", "prompt": "on which day do we ship?"}
        told = ask(short, question, timeout=30)
        assert told is not None
        assert "Fridays" in told
    finally:
        listener.close()
        parts.close()
    assert "ship on Fridays" in place.file("memory/working-buffer.md")


def test_a_decision_said_in_two_sessions_leaves_quotes_that_open(place: Place, short: Path, tmp_path: Path):
    settings = place.settings(hook_socket=str(short))
    parts = open_parts(settings.book_url, settings)
    listener = listen(parts)
    assert listener is not None
    try:
        for session in ("s1", "s2"):
            said = payload(
                place, "UserPromptSubmit", session_id=session, prompt="We decided to use Postgres for production."
            )
            question = {"event": "prompt", "payload": said, "variables": {}, "folder": str(place.project)}
            assert ask(short, question, timeout=30) is not None
    finally:
        listener.close()
        parts.close()
    with place.book() as book:
        (decision,) = book.browse(kinds=("associative",), categories=("decision",))
        assert len(book.evidence(decision.id)) == 2
        book.export(tmp_path / "book.jsonl")
        book.rotate_keys(destroy_old=True)
        assert {quote for _, quote in book.evidence(decision.id)} == {"We decided to use Postgres for production"}
        assert not [one.what for one in book.doctor(full=True).symptoms if one.check == "sealed"]
        book.forget(decision.id)
        assert not [memory for memory in book.browse(limit=100) if "Postgres" in memory.text]
