"""What each event does, and that nothing a host or a disk does can stop the host."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.interfaces.hooks import prompt
from commonplace.interfaces.hooks.call import HookCall
from commonplace.interfaces.hooks.entry import answered
from commonplace.interfaces.hooks.payloads import EVENTS, read_event
from commonplace.learning.triggers import scan
from commonplace.light import book as open_book
from commonplace.notebook import spool
from commonplace.notebook.answer_jobs import read_waiting
from commonplace.providers.judge import TriggerLabels
from commonplace.text.tokens import count

from .conftest import Call, Place, context, payload, program

pytestmark = pytest.mark.one_engine("a hook opens a file by itself, any other book through the server: test_socket.py")

DECIDED = "We decided to use PostgreSQL 18 for the server because it is fast."


def test_a_hook_loads_no_numpy_and_nothing_else_that_is_heavy(place: Place):
    code = (
        "import sys; from pathlib import Path\n"
        "from commonplace.interfaces.hooks.entry import answered\n"
        f"raw = {json.dumps(json.dumps(payload(place, 'X', prompt=DECIDED)))}.encode()\n"
        f"for name in {EVENTS!r}: answered(name, raw, {{}}, Path.cwd())\n"
        "heavy = 'numpy typer rich pydantic asyncio httpx2 simsimd tokenizers psycopg mcp fastapi watchfiles difflib'\n"
        "print([name for name in heavy.split() if name in sys.modules], 'apsw' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=place.environ, cwd=place.project, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] True", done.stdout + done.stderr


def test_a_prompt_is_written_ahead_and_kept(place: Place, call: Call):
    assert call("prompt", "UserPromptSubmit", prompt=DECIDED) == {}
    assert "decision: We decided to use PostgreSQL 18" in place.file("memory/working-buffer.md")
    with place.book() as book:
        note = book.browse(kinds=["associative"])[0]
        said, quote = book.evidence(note.id)[0]
        assert (said.text, quote) == (DECIDED, note.text)
        assert note.category == "decision"


def test_another_session_is_given_what_it_has_not_seen_and_only_once(call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    asked = {"prompt": "Which PostgreSQL do we use for the server?", "session_id": "s2"}
    first = context(call("prompt", "UserPromptSubmit", **asked))
    assert "PostgreSQL 18" in first
    assert context(call("prompt", "UserPromptSubmit", **asked)) == "", "already in this session's context"
    assert context(call("prompt", "UserPromptSubmit", prompt="What is the weather?", session_id="s3")) == ""
    assert context(call("prompt", "UserPromptSubmit", prompt=asked["prompt"])) == "", "said in this very session"


def test_a_session_starts_with_the_profile_and_the_notebook(place: Place, call: Call):
    with place.book() as book:
        book.core.set("name", "Ada")
        book.notebook_at(place.project).note("we keep SQLite", kind="decision")
        book.notebook_at(place.project).todo("write the docs")
    page = context(call("session-start", "SessionStart", source="startup"))
    notebook = page[page.index("this project's notebook") :]
    assert page.index("Ada") < page.index("this project's notebook")
    assert notebook.index("we keep SQLite") < notebook.index("write the docs")
    assert page.startswith("<memory_context>")


def test_after_a_compaction_the_page_is_the_recovery(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    transcript = place.project / "t.jsonl"
    transcript.write_text('{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"x"}}\n')
    page = context(call("session-start", "SessionStart", source="compact", transcript_path=str(transcript)))
    assert "PostgreSQL 18" in page
    assert "earlier messages were compacted" in page


def test_a_summary_is_kept_as_an_episode(place: Place, call: Call):
    assert call("post-compact", "PostCompact", trigger="auto", compact_summary="We moved the importer.") == {}
    with place.book() as book:
        kept = book.browse(kinds=["episodic"])[0]
    assert (kept.text, kept.source, kept.metadata["compaction"]) == ("We moved the importer.", "assistant", "auto")


def test_learning_is_left_to_a_job_that_maintenance_does(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt="My sister Anna lives in Bergen.")
    with place.book() as book:
        assert book.jobs.counts()["learn"] == {"waiting": 1}
        book.maintain()
        assert book.jobs.counts()["learn"] == {"done": 1}
        assert any("Bergen" in one.text for one in book.browse(kinds=["relational", "associative"], limit=100))


def test_maintenance_makes_good_what_waits(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMMONPLACE_URL", "postgresql://nobody@localhost:1/none")
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    monkeypatch.delenv("COMMONPLACE_URL")
    with place.book() as book:
        assert spool.waits(book.settings)
        book.maintain()
        assert not spool.waits(book.settings)
        assert "PostgreSQL 18" in book.recall("which PostgreSQL?")[0].memory.text


def test_a_stop_is_logged_and_kept(place: Place, call: Call):
    answer = "Great question! I ported `importer.py` to asyncio, 12 tests pass. Next: write the docs."
    call("stop", "Stop", stop_hook_active=False, last_assistant_message=answer)
    with place.book() as book:
        assert "ported" in book.browse(kinds=["episodic"])[0].text
        assert "read answer" in [job.kind for job in book.jobs.list()]
    assert place.file(_log(place)) == "", "the hook stores the answer; reading it is left to later"
    call("session-end", "SessionEnd", reason="logout")
    log = place.file(_log(place))
    assert "done: I ported `importer.py` to asyncio, 12 tests pass." in log
    assert "Great question" not in log
    assert "session: ended (logout); next: write the docs" in log
    buffer = place.file("memory/working-buffer.md")
    assert "state: I ported `importer.py` to asyncio, 12 tests pass" in buffer
    assert "next: write the docs" in buffer
    with place.book() as book:
        assert [job.state for job in book.jobs.list(kinds=["read answer"])] == ["done"]
        assert book.review.list() == []
        book.notebook_at(place.project).sync()
        assert book.review.list() == [], "a line of the log is no candidate"
        assert sum("ported" in hit.memory.text for hit in book.recall("what was ported to asyncio?")) == 1


def test_a_decision_with_its_reason_is_in_the_table_when_the_session_ends(place: Place, call: Call):
    (place.project / "MEMORY.md").write_text("# P\n\n| Date | Decision | Rationale |\n|---|---|---|\n")
    call("prompt", "UserPromptSubmit", prompt="We decided to use Redis because it is deployed already.")
    call("prompt", "UserPromptSubmit", prompt="We decided to keep the parser by hand.")
    call("session-end", "SessionEnd", reason="logout")
    table = place.file("MEMORY.md")
    assert "Redis | because it is deployed already |" in table
    assert "parser" not in table, "one without a reason waits for `session distill`"


def test_the_start_page_says_how_to_use_commands_where_the_host_has_no_tools(
    place: Place, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    assert "commonplace recall" in context(call("session-start", "SessionStart", source="startup"))
    (place.project / ".mcp.json").write_text('{"mcpServers": {"commonplace": {}}}')
    assert "commonplace recall" not in context(call("session-start", "SessionStart", source="startup"))


def test_maintenance_reads_answers_with_the_judge(place: Place, call: Call):
    call("stop", "Stop", last_assistant_message="Sure! I renamed `Session` to `LoginSession` in `auth.py`.")
    with place.book() as book:
        book.maintain()
    assert "done: I renamed `Session`" in place.file(_log(place))
    assert "Sure" not in place.file(_log(place))


def test_a_prompt_is_read_again_where_the_judge_may_be_loaded(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt="Postgres then, fine by me. The weather is nice today.")
    assert place.file("memory/working-buffer.md") == ""
    labels = dict.fromkeys(TriggerLabels.__dataclass_fields__, 0.0)

    class Labeller:
        def triggers(self, sentences):
            chances = [0.9 if "Postgres" in sentence else 0.0 for sentence in sentences]
            return [TriggerLabels(**labels | {"trigger": chance, "decision": chance}) for chance in chances]

    with place.book() as book:
        assert read_waiting(book._scope, book.settings, Labeller(), scan) == 1
        note = next(one for one in book.browse(kinds=["associative"]) if "Postgres" in one.text)
        assert (note.category, note.status) == ("decision", "verified")
    assert "decision: Postgres then, fine by me." in place.file("memory/working-buffer.md")
    assert "weather" not in place.file("memory/working-buffer.md")


def test_an_answer_that_waited_in_the_spool_is_read_as_well(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMMONPLACE_URL", "postgresql://nowhere.invalid/book")
    call("stop", "Stop", last_assistant_message="I added retries to `upload.py`.")
    monkeypatch.delenv("COMMONPLACE_URL")
    call("session-start", "SessionStart", source="startup")
    assert "done: I added retries to `upload.py`." in place.file(_log(place))


def test_private_words_and_our_own_pages_are_not_kept(place: Place, call: Call):
    said = "We decided to ship. <private>We decided to fire Bob.</private> <memory_context>\n- old\n</memory_context>"
    call("prompt", "UserPromptSubmit", prompt=said)
    call("prompt", "UserPromptSubmit", prompt="<private>We decided to fire Bob.</private>")
    with place.book() as book:
        kept = " ".join(one.text for one in book.browse())
    assert "ship" in kept
    assert "Bob" not in kept + place.file("memory/working-buffer.md")
    assert "old" not in kept


def test_the_off_switch_stops_everything_and_says_so(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMMONPLACE_OFF", "1")
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert "off" in told["systemMessage"]
    assert not place.file("memory/working-buffer.md")
    monkeypatch.delenv("COMMONPLACE_OFF")
    assert call("prompt", "UserPromptSubmit", prompt=DECIDED) == {}
    assert place.file("memory/working-buffer.md")


def test_tools_are_logged_unless_that_is_switched_off(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    failed = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_response": {"exit_code": 2}}
    fine = failed | {"tool_response": {"exit_code": 0}}
    monkeypatch.setenv("COMMONPLACE_HOOK_TOOLS", "0")
    call("tool", "PostToolUse", **failed)
    assert not place.file(_log(place))
    monkeypatch.delenv("COMMONPLACE_HOOK_TOOLS")
    call("tool", "PostToolUse", **failed)
    call("tool", "PostToolUse", **fine)
    log = place.file(_log(place))
    assert "fixed: Bash: make test works now" in log
    assert "failed:" not in log, "the fix amends the failure"
    assert "make test" not in place.file("tasks/lessons.md"), "that it works again says no cause"
    tests = {
        "tool_name": "Bash",
        "tool_input": {"command": "pytest -q"},
        "tool_response": {"stdout": "12 passed in 1s"},
    }
    call("tool", "PostToolUse", **tests)
    assert "done: Bash: pytest -q: 12 passed in 1s" in place.file(_log(place))
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(place.project / "src/auth.py")}, "tool_response": {}}
    call("tool", "PostToolUse", **edit)
    call("stop", "Stop", last_assistant_message="That should do it.")
    call("session-end", "SessionEnd", reason="logout")
    assert "done: edited src/auth.py" in place.file(_log(place))
    monkeypatch.setenv("COMMONPLACE_IGNORE_TOOLS", "mcp__*")
    call("tool", "PostToolUse", **(failed | {"tool_name": "mcp__x", "tool_input": {"command": "other"}}))
    assert "other" not in place.file(_log(place))


def test_only_the_same_command_tells_that_a_failure_is_over_in_a_later_session_too(place: Place, call: Call):
    def run(command: str, code: int = 0, session: str = "s1", **fields: Any) -> None:
        tool = {"tool_name": "Bash", "tool_input": {"command": command}}
        call("tool", "PostToolUse", session_id=session, **tool, tool_response={"exit_code": code, **fields})

    run("npx vitest run test/a.ts", 1)
    run("npx tsc --noEmit")
    assert "failed: Bash: npx vitest run test/a.ts" in place.file(_log(place)), "another program says nothing about it"
    run("npx vitest run test/a.ts", session="after the crash", stdout="6 passed (6)")
    log = place.file(_log(place))
    assert "fixed: Bash: npx vitest run test/a.ts works now: 6 passed" in log and "failed:" not in log


def test_what_a_killed_session_edited_is_on_the_next_page(place: Place, call: Call):
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(place.project / "docs/parsers.md")}}
    call("session-start", "SessionStart", source="startup", session_id="killed")
    call("prompt", "UserPromptSubmit", prompt="Write the docs page please.", session_id="killed")
    call("tool", "PostToolUse", **edit, tool_response={}, session_id="killed")
    page = context(call("session-start", "SessionStart", source="startup", session_id="next"))
    assert "done: edited docs/parsers.md" in page and "state: edited docs/parsers.md" in page
    call("session-start", "SessionStart", source="resume", session_id="killed")
    call("stop", "Stop", last_assistant_message="I wrote the chapter on dates.", session_id="killed")
    call("session-end", "SessionEnd", reason="logout", session_id="killed")
    assert place.file(_log(place)).count("edited docs/parsers.md") == 1


def test_a_busy_book_costs_no_page(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    call("session-start", "SessionStart", source="startup")
    call("prompt", "UserPromptSubmit", prompt="Let's go with Redis for the sessions.")
    call("stop", "Stop", last_assistant_message="I added `retry.py` to the client.")
    monkeypatch.setattr(open_book, "PATIENCE", 0.05)
    holder = apsw.Connection(str(place.home / "book.db"))
    holder.execute("begin immediate")
    for name, event, fields in (
        ("pre-compact", "PreCompact", {"trigger": "auto"}),
        ("session-start", "SessionStart", {"source": "compact"}),
        ("session-start", "SessionStart", {"source": "startup", "session_id": "next"}),
    ):
        answer = call(name, event, **fields)
        assert "try again" not in answer.get("systemMessage", "")
        assert name == "pre-compact" or "Redis for the sessions" in context(answer)
    holder.execute("rollback")
    call("session-end", "SessionEnd", reason="logout")
    assert "done: I added `retry.py` to the client." in place.file(_log(place))


def test_a_commit_is_logged_by_its_hash_and_a_file_that_was_only_read_is_not_edited(place: Place, call: Call):
    output = "[feature/retries 8c1f2ab] Retry policy\n 4 files changed, 210 insertions(+)"
    commit = {"tool_name": "Bash", "tool_input": {"command": "git commit -am 'Retry policy'"}}
    call("tool", "PostToolUse", **commit, tool_response={"stdout": output})
    assert "done: committed 8c1f2ab on feature/retries: Retry policy" in place.file(_log(place))
    for tool, name in (("Read", "read.py"), ("Write", "written.py")):
        path = {"file_path": str(place.project / name)}
        call("tool", "PostToolUse", tool_name=tool, tool_input=path, tool_response={})
    call("stop", "Stop", last_assistant_message="That should do it.")
    call("session-end", "SessionEnd", reason="logout")
    log = place.file(_log(place))
    assert "edited written.py" in log and "read.py" not in log


def test_a_fact_stands_once_on_the_page_of_a_start(place: Place, call: Call):
    decision = "We decided to keep SQLite because it is one file."
    call("prompt", "UserPromptSubmit", prompt=f"Please plan the move. {decision}")
    with place.book() as book:
        book.remember("The owner of the project is Rosa", category="fact", importance=0.9)
    page = context(call("session-start", "SessionStart", source="startup", session_id="s2"))
    facts, _, notebook = page.partition("this project's notebook")
    assert "keep SQLite" not in facts and "decision: We decided to keep SQLite" in notebook
    assert "Rosa" in facts, "what stands in no file is a fact of the profile"


def test_after_an_interruption_the_page_says_what_was_asked(place: Place, call: Call):
    task = "Please make the invoice export stream its rows."
    call("session-start", "SessionStart", source="startup", session_id="a")
    for text in (task, "thanks", "and the header?", "show me", "go on then"):
        call("prompt", "UserPromptSubmit", prompt=text, session_id="a")
    again = context(call("session-start", "SessionStart", source="compact", session_id="a"))
    assert "Asked in this session" in again and task in again and "go on then" in again
    assert "thanks" not in again, "the first request and the latest ones"
    morning = context(call("session-start", "SessionStart", source="startup", session_id="b"))
    assert "Asked in the session before" in morning and task in morning
    with place.book() as book:
        asked = next(memory for memory in book.browse(kinds=["episodic"]) if memory.text == task)
        book.forget(asked.id)
    later = context(call("session-start", "SessionStart", source="startup", session_id="c"))
    assert "invoice export" not in later and "go on then" in later


# Trouble


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize(
    "raw", [b"", b"nonsense", b"[1]", b'{"prompt": 5, "cwd": "\\u0000"}', b"\xff\xfe{", b"{" * 5000]
)
def test_a_malformed_payload_is_answered_with_valid_json(place: Place, name: str, raw: bytes):
    told = json.loads(answered(name, raw, {}, place.project))
    assert isinstance(told, dict)
    if raw != b'{"prompt": 5, "cwd": "\\u0000"}':
        assert "payload" in told["systemMessage"]


def test_the_program_ends_with_0_whatever_happens(place: Place):
    for name, raw in (("prompt", b"nonsense"), ("no-such-event", b"{}"), ("", b"")):
        done = program(place, name, raw)
        assert done.returncode == 0
        assert isinstance(json.loads(done.stdout), dict)
        assert done.stderr == b""


def test_a_bug_of_ours_is_one_line_without_a_word_of_the_prompt(
    place: Place, call: Call, monkeypatch: pytest.MonkeyPatch
):
    def broken(call: HookCall) -> None:
        raise RuntimeError("MARKED " + call.event.prompt)

    monkeypatch.setattr(prompt, "prompt", broken)
    told = call("prompt", "UserPromptSubmit", prompt="MARKED words")
    assert "RuntimeError" in told["systemMessage"]
    assert "MARKED" not in json.dumps(told)


def test_a_locked_book_costs_nothing_that_was_said(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    call("prompt", "UserPromptSubmit", prompt="hello there, first of all")
    monkeypatch.setattr(open_book.open_scope.__globals__["connection"], "PATIENCE", 0.05)
    holder = apsw.Connection(str(place.home / "book.db"))
    holder.execute("begin immediate")
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert "degraded" in told["systemMessage"]
    assert "PostgreSQL 18" in place.file("memory/working-buffer.md")
    assert spool.waits(place.settings())
    holder.execute("rollback")
    told = call("session-start", "SessionStart", source="startup", session_id="s2")
    assert "in the book now" in told["systemMessage"]
    with place.book() as book:
        note = next(one for one in book.browse(kinds=["associative"]) if "PostgreSQL" in one.text)
        assert note.status == "verified"
        assert sum(one.text == DECIDED for one in book.browse(kinds=["episodic"])) == 1
    assert place.file("memory/working-buffer.md").count("PostgreSQL 18") == 1


def test_a_book_that_is_out_of_reach_is_spooled_for(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMMONPLACE_URL", "postgresql://nobody@localhost:1/none")
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert "no local server" in told["systemMessage"]
    assert len(spool.spool_of(place.settings()).waiting()) == 2
    assert "PostgreSQL 18" in place.file("memory/working-buffer.md")


def test_a_lost_book_is_not_made_anew(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt="hello there, first of all")
    for path in place.home.glob("book.db*"):
        if not path.name.endswith((".keyring", ".ledger")):
            path.unlink()
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert "degraded" in told["systemMessage"]
    assert "is missing although" in told["systemMessage"]
    assert not (place.home / "book.db").exists()
    assert len(spool.spool_of(place.settings()).waiting()) == 2


def test_a_home_that_cannot_be_written_is_said_and_survived(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    blocked = place.project / "file"
    blocked.touch()
    monkeypatch.setenv("COMMONPLACE_HOME", str(blocked))
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert told["systemMessage"].startswith("Commonplace: ")


def test_a_wrong_setting_is_named(place: Place, call: Call):
    (place.project / "commonplace.toml").write_text("nonsense = 1\n")
    assert "nonsense" in call("prompt", "UserPromptSubmit", prompt=DECIDED)["systemMessage"]


def test_every_page_stays_within_both_bounds(place: Place, call: Call):
    with place.book() as book:
        book.remember_many([f"fact {n} about the importer, " + "with many words " * 40 for n in range(60)])
        notebook = book.notebook_at(place.project)
        for n in range(50):
            notebook.pages.note("note", f"{n} " + "日本語の長い行 " * 20)
            notebook.pages.lesson(f"{n} " + "x" * 300)
    for name, called, more in (
        ("session-start", "SessionStart", {"source": "startup"}),
        ("session-start", "SessionStart", {"source": "compact"}),
        ("prompt", "UserPromptSubmit", {"prompt": "tell me all facts about the importer"}),
    ):
        page = context(call(name, called, **more))
        assert page
        assert count(page) <= 2000
        assert len(page) <= 9500


def test_a_session_that_was_never_closed_is_named_at_the_next_start(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED, session_id="killed")
    record = next((place.home / "sessions").iterdir())
    plain = json.loads(record.read_text())
    plain["last"] = plain["started"] = "2026-01-02T10:00:00+00:00"
    from datetime import UTC, datetime, timedelta

    plain["last"] = (datetime.now(UTC) - timedelta(hours=20)).isoformat()
    record.write_text(json.dumps(plain))
    assert "never closed" in context(call("session-start", "SessionStart", source="startup", session_id="new"))
    assert "never closed" not in context(call("session-start", "SessionStart", source="startup", session_id="newer"))


# Hosts


def test_hosts_are_told_apart(place: Place):
    def host(fields: dict[str, Any], variables: dict[str, str] | None = None) -> str:
        return read_event("", json.dumps(fields).encode(), variables or {}, Path.cwd()).host

    assert host({"hook_event_name": "UserPromptSubmit", "permission_mode": "default"}) == "claude-code"
    assert host({"hook_event_name": "UserPromptSubmit", "turn_id": "t", "permission_mode": "x"}) == "codex"
    assert host({"hook_event_name": "beforeSubmitPrompt", "conversation_id": "c"}) == "cursor"
    assert host({"hook_event_name": "BeforeAgent", "timestamp": "t"}) == "gemini"
    assert host({"hook_event_name": "SessionStart", "source": "new", "timestamp": "t"}) == "vscode"


def test_the_event_is_known_from_the_payload_where_the_host_drops_arguments(place: Place):
    raw = json.dumps(payload(place, "UserPromptSubmit", prompt=DECIDED)).encode()
    assert json.loads(answered("", raw, {}, place.project)) == {}
    assert "PostgreSQL 18" in place.file("memory/working-buffer.md")


def test_cursor_is_answered_in_its_own_words(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    asked = {
        "conversation_id": "c1",
        "hook_event_name": "beforeSubmitPrompt",
        "workspace_roots": [str(place.project)],
        "prompt": "Which PostgreSQL for the server?",
    }
    told = json.loads(answered("prompt", json.dumps(asked).encode(), {"CURSOR_VERSION": "3.20"}, Path("/")))
    assert told["continue"] is True
    assert "PostgreSQL 18" in told["additional_context"]
    asked |= {"hook_event_name": "sessionStart"}
    told = json.loads(answered("session-start", json.dumps(asked).encode(), {}, Path("/")))
    assert set(told) == {"additional_context"}


def test_gemini_is_answered_with_its_own_name_of_the_event(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    asked = {
        "session_id": "g",
        "hook_event_name": "BeforeAgent",
        "timestamp": "2026-01-01",
        "cwd": str(place.project),
        "prompt": "Which PostgreSQL for the server?",
    }
    told = json.loads(answered("prompt", json.dumps(asked).encode(), {}, Path("/")))
    assert told["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"


def _log(place: Place) -> str:
    return next((path.relative_to(place.project).as_posix() for path in place.project.glob("memory/2*.md")), "none")


@pytest.mark.one_engine("keys and spool, before any book")
def test_without_a_key_the_lines_are_written_all_the_same(place: Place, call: Call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMMONPLACE_KEY_COMMAND", f"{sys.executable} -c raise(SystemExit(3))")
    told = call("prompt", "UserPromptSubmit", prompt=DECIDED)
    assert "nothing of this was kept except the lines" in told["systemMessage"]
    assert place.file("memory/working-buffer.md").count("PostgreSQL 18") == 1
    monkeypatch.delenv("COMMONPLACE_KEY_COMMAND")
    assert call("prompt", "UserPromptSubmit", prompt=DECIDED) == {}, "and nothing is in the way afterwards"
    assert place.file("memory/working-buffer.md").count("PostgreSQL 18") == 1


@pytest.mark.one_engine("a file that cannot grow")
@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX")
def test_a_full_disk_is_said_and_loses_nothing_that_was_acknowledged(place: Place):
    raw = [
        json.dumps(payload(place, "UserPromptSubmit", prompt=one)).encode() for one in (DECIDED, "We decided on Zig.")
    ]
    assert program(place, "prompt", raw[0]).returncode == 0
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); "
    limited += "runpy.run_module('commonplace.interfaces.hooks', run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", limited, "prompt"], input=raw[1], env=place.environ, cwd=place.project,
        capture_output=True, check=True,
    )  # fmt: skip
    assert "the disk takes no more" in json.loads(done.stdout)["systemMessage"]
    assert "Zig" in place.file("memory/working-buffer.md")
    start = json.dumps(payload(place, "SessionStart", source="startup")).encode()
    assert "in the book now" in json.loads(program(place, "session-start", start).stdout)["systemMessage"]
    with place.book() as book:
        assert {"We decided on Zig", DECIDED.rstrip(".")} <= {one.text for one in book.browse(kinds=["associative"])}


def test_without_a_notebook_no_file_is_written_and_the_notes_are_memories(place: Place, call: Call):
    (place.project / "memory" / "working-buffer.md").unlink()
    (place.project / "memory").rmdir()
    before = [path for path in place.project.rglob("*") if ".git" not in path.parts]
    call("session-start", "SessionStart", source="startup")
    call("prompt", "UserPromptSubmit", prompt="We decided to use Postgres for the orders service.")
    tool = {"tool_name": "Bash", "tool_input": {"command": "git commit -m x"}, "tool_response": {"exit_code": 0}}
    call("tool", "PostToolUse", **tool)
    call("stop", "Stop", last_assistant_message="I created `orders.py`. Next: write the tests.")
    call("pre-compact", "PreCompact", trigger="auto")
    call("session-end", "SessionEnd", reason="other")
    with place.book() as book:
        book.maintain()
        assert any("Postgres" in memory.text for memory in book.browse(kinds=["associative"]))
    assert [path for path in place.project.rglob("*") if ".git" not in path.parts] == before
    (place.project / "memory").mkdir()
    (place.project / "memory" / "working-buffer.md").touch()
    call("prompt", "UserPromptSubmit", prompt="We decided to use Redis for the cache.", session_id="s2")
    assert "Redis" in place.file("memory/working-buffer.md"), "with a notebook the same lines are written"


FAILED_COMMANDS = {
    "claude-code": ("PostToolUseFailure", {"tool_name": "Bash", "error": "Exit code 1\n2 failed, 1 passed"}),
    "codex": (
        "PostToolUse",
        {"turn_id": "t", "tool_name": "Bash", "tool_response": "Exit code: 1\n2 failed, 1 passed"},
    ),
    "gemini": ("AfterTool", {"tool_name": "run_shell_command", "tool_response": {"llmContent": "x\nExit Code: 1"}}),
    "cursor": ("postToolUse", {"tool_name": "Shell", "tool_output": '{"exitCode": 1, "stdout": "2 failed, 1 passed"}'}),
}


@pytest.mark.one_engine("how a host tells a failure; the book is beside the point")
@pytest.mark.parametrize("host", FAILED_COMMANDS)
def test_a_failed_command_is_logged_as_each_host_tells_it(place: Place, host: str):
    event, fields = FAILED_COMMANDS[host]
    fields |= {"session_id": "s", "hook_event_name": event, "cwd": str(place.project)}
    answered("tool", json.dumps(fields | {"tool_input": {"command": "pytest -q"}}).encode(), {}, place.project)
    log = place.file(f"memory/{datetime.now(UTC):%Y-%m-%d}.md")
    assert "failed: " in log and "pytest -q" in log
    works = {"tool_response": {"stdout": "3 passed"}, "tool_output": '{"exitCode": 0, "stdout": "3 passed"}'}
    name = {"claude-code": "PostToolUse"}.get(host, event)
    fields = {**{key: value for key, value in fields.items() if key != "error"}, **works, "hook_event_name": name}
    answered("tool", json.dumps(fields | {"tool_input": {"command": "pytest -q"}}).encode(), {}, place.project)
    assert "failed: " not in place.file(f"memory/{datetime.now(UTC):%Y-%m-%d}.md"), "it works again"


ANSWERED = "I added `retry.py` and 14 tests pass."
ANSWERS = {
    "cursor": {"hook_event_name": "afterAgentResponse", "conversation_id": "s", "text": ANSWERED},
    "windsurf": {
        "agent_action_name": "post_cascade_response",
        "trajectory_id": "s",
        "tool_info": {"response": ANSWERED},
    },
    "cline": {
        "clineVersion": "3.40.0",
        "hookName": "PostToolUse",
        "taskId": "s",
        "postToolUse": {"tool": "attempt_completion", "parameters": {"result": ANSWERED}, "success": True},
    },
}


@pytest.mark.one_engine("how a host tells an answer; the book is beside the point")
@pytest.mark.parametrize("host", ANSWERS)
def test_the_answer_is_kept_as_each_host_tells_it(place: Place, call: Call, host: str):
    event = "tool" if host == "cline" else "stop"
    answered(event, json.dumps(ANSWERS[host]).encode(), {}, place.project)
    call("session-start", "SessionStart", source="startup", session_id="next")
    assert "retry.py" in place.file(f"memory/{datetime.now(UTC):%Y-%m-%d}.md")


@pytest.mark.one_engine("how a host is answered; the book is beside the point")
def test_cline_and_windsurf_are_understood_and_answered_in_their_own_words(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    task = {"clineVersion": "3.40.0", "taskId": "c", "workspaceRoots": [str(place.project)]}
    start = json.loads(
        answered("session-start", json.dumps(task | {"taskStart": {"task": "x"}}).encode(), {}, Path("/"))
    )
    assert start["cancel"] is False and "PostgreSQL 18" in start["contextModification"]
    asked = task | {"userPromptSubmit": {"prompt": "We decided to use port 8099 for the API."}}
    assert json.loads(answered("prompt", json.dumps(asked).encode(), {}, Path("/")))["cancel"] is False
    assert "8099" in place.file("memory/working-buffer.md")
    said = {"agent_action_name": "pre_user_prompt", "trajectory_id": "w"}
    said["tool_info"] = {"user_prompt": "We decided to use port 8098 for the page."}
    assert json.loads(answered("prompt", json.dumps(said).encode(), {}, place.project)) == {}
    assert "8098" in place.file("memory/working-buffer.md")


@pytest.mark.one_engine("how a host is answered; the book is beside the point")
def test_devin_names_its_project_by_a_variable_and_is_answered_like_claude_code(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt=DECIDED)
    variables = {"DEVIN_PROJECT_DIR": str(place.project)}
    start = {"hook_event_name": "SessionStart", "session_id": "d", "source": "startup"}
    told = json.loads(answered("session-start", json.dumps(start).encode(), variables, Path("/")))["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart" and "PostgreSQL 18" in told["additionalContext"]
    assert "commonplace recall" in told["additionalContext"], "the tools are not set up: the command line is named"
    (place.project / ".mcp.json").write_text('{"mcpServers": {"commonplace": {}}}')
    again = answered("session-start", json.dumps(start | {"session_id": "e"}).encode(), variables, Path("/"))
    assert "PostgreSQL 18" in again and "commonplace recall" not in again


def test_after_a_crash_the_page_holds_the_state_and_what_the_session_before_was_opened_for(place: Place, call: Call):
    call("prompt", "UserPromptSubmit", prompt="Please fix the flaky websocket reconnect of the tablet app.")
    call("stop", "Stop", last_assistant_message="I raised the timeout in `client.ts`.")
    call("session-end", "SessionEnd", reason="logout")
    call("prompt", "UserPromptSubmit", prompt="good morning", session_id="s2")
    call("stop", "Stop", last_assistant_message="I opened pull request #902 for `client.ts`.", session_id="s2")
    page = context(call("session-start", "SessionStart", source="startup", session_id="s3"))
    assert "state: I opened pull request #902" in page
    assert "Please fix the flaky websocket reconnect" in page
    call("prompt", "UserPromptSubmit", prompt="use port 9090 instead of port 8080", session_id="s3")
    assert "state: I opened pull request #902" in place.file("memory/working-buffer.md")
