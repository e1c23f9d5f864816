"""Commands as agents: what they say arrives, and what they do wrong stays theirs."""

import sys
import threading

import pytest

from commonplace.clock import SystemClock
from commonplace.directives.agents import KEPT, PRESETS, Bounds, call, command
from commonplace.errors import Invalid
from commonplace.settings import command_environment

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"


def ask(code, prompt="", *, timeout=30.0, output=100_000_000, stop=None, on_line=lambda line: None):
    return call(
        [sys.executable, "-c", code],
        prompt,
        folder=None,
        environ=command_environment({}),
        bounds=Bounds(timeout=timeout, output=output),
        stop=stop or threading.Event(),
        clock=SystemClock(),
        on_line=on_line,
    )


def test_the_prompt_goes_in_and_the_answer_comes_out():
    reply = ask("import sys; print(sys.stdin.buffer.read().decode()[::-1]); print('oops', file=sys.stderr)", "ábc")
    assert (reply.text.strip(), reply.code, reply.fault, reply.stderr.strip()) == ("cbá", 0, None, "oops")


def test_an_agent_need_not_read_its_prompt_nor_write_text():
    reply = ask("import os; os.write(1, bytes(range(256))); os._exit(7)", "p" * 1_000_000)
    assert reply.code == 7 and reply.size == 256


def test_only_the_end_of_a_long_answer_is_kept_and_lines_come_as_they_are_said():
    lines = []
    code = "print('{\"first\": 1}')\nfor n in range(40): print('x' * 100_000)\nprint('{\"last\": 1}')"
    reply = ask(code, on_line=lines.append)
    assert lines == ['{"first": 1}', '{"last": 1}']
    assert len(reply.text) == KEPT and reply.text.endswith('{"last": 1}\n') and reply.size > 4_000_000


def test_a_line_without_end_is_passed_over():
    reply = ask("print('y' * 5_000_000); print('{\"ok\": 1}')")
    assert reply.text == '{"ok": 1}\n'


def test_a_flood_of_small_lines_is_taken_in_at_its_own_pace():
    lines = []
    ask("print('{}\\n' * 20_000)", on_line=lines.append)
    assert len(lines) == 20_000


@pytest.mark.parametrize(
    ("code", "bounds", "fault"),
    [
        ("import time; time.sleep(60)", {"timeout": 0.5}, "timed out"),
        (DEAF, {"timeout": 1.0}, "timed out"),
        ("while True: print('z' * 1000)", {"output": 100_000}, "wrote too much"),
    ],
)  # fmt: skip
def test_a_bound_ends_the_command(code, bounds, fault):
    reply = ask(code, **bounds)
    assert (reply.fault, reply.code) == (fault, None)


def test_an_error_while_taking_notes_ends_the_command_and_rises():
    def full(line):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask("import time; print('{}', flush=True); time.sleep(60)", on_line=full)


def test_a_program_that_cannot_be_started_is_a_fault_of_the_attempt(tmp_path):
    plain = tmp_path / "agent"
    plain.write_text("no program", "utf-8")
    plain.chmod(0o755)
    reply = call(
        [str(plain)],
        "",
        folder=None,
        environ={},
        bounds=Bounds(timeout=5, output=10),
        stop=threading.Event(),
        clock=SystemClock(),
    )
    assert reply.fault is not None and reply.fault.startswith("could not be started")


def test_a_command_is_a_line_words_or_a_preset(monkeypatch):
    assert command(f"{sys.executable} -c 'print(1)'") == (sys.executable, "-c", "print(1)")
    assert command([sys.executable, "a b"]) == (sys.executable, "a b")
    monkeypatch.setattr("shutil.which", lambda name: name)
    assert command("claude") == ("claude", "-p")
    assert command("claude", write=True) == ("claude", "-p", "--permission-mode", "acceptEdits")
    assert command("codex") == ("codex", "exec", "--sandbox", "read-only", "-")
    assert command("codex", write=True) == ("codex", "exec", "--sandbox", "workspace-write", "-")
    assert command("gemini", write=True) == ("gemini", "--approval-mode", "auto_edit")
    assert command("opencode") == ("opencode", "run", "--agent", "plan")
    assert all(preset.write for preset in PRESETS.values())
    assert command("my-agent --quiet", write=True) == ("my-agent", "--quiet"), "any other command is left as it is"
    with pytest.raises(Invalid):
        command("")
