"""The commands that look after the whole book: tidying, copies, keys, tokens, owners, the two servers."""

import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from commonplace import interfaces
from commonplace.interfaces import rest

pytestmark = pytest.mark.usefixtures("on_both_engines")

PROGRAM = [sys.executable, "-c", "import sys; from commonplace.interfaces.cli import main; sys.exit(main())"]


def test_stats_count_what_there_is(cli, kept):
    kept("Ada likes plums", "--category", "preference")
    found = cli("stats", "--json").json
    assert found["memories"] == 1 and found["categories"] == {"preference": 1}
    said = cli("stats").out
    assert "preference 1" in said and "default" in said
    assert cli("consolidate", "stats", "--json").json["memories"] == 1


def test_pruning_shows_first_then_archives_and_can_be_taken_back(cli, kept):
    for number in range(2):
        kept(f"Ada saw a passing cloud, the {number}th", "--importance", "0.05", "--valid-from", "2020-01-01")
    for words in (["prune"], ["consolidate", "prune"]):
        assert cli(*words, "--dry-run", "--json").json["dry_run"] is True
    assert len(cli("list", "--json").json) == 2
    assert cli("prune", "--json").json["count"] == 0, "what is new is not old"
    assert cli("merge", "--json").json["count"] == 0
    assert "merge: 0" in cli("consolidate", "merge").out


def test_sweeps_show_first_and_the_one_without_return_is_asked_for(cli, kept):
    kept("the offer stands", "--expires-at", "2020-01-01")
    shown = cli("consolidate", "expire", "--dry-run", "--json").json
    assert shown["count"] == 1 and shown["findings"][0]["reason"] == "its expiry date has passed"
    assert len(cli("list", "--json").json) == 1
    receipt = cli("consolidate", "expire", "--json").json["receipt"]
    assert cli("list", "--json").json == []
    assert cli("consolidate", "purge", "--dry-run", "--json").json["count"] == 1
    assert "pass --yes" in cli("consolidate", "purge", code=7).err
    cli("undo", receipt)
    assert len(cli("list", "--json").json) == 1
    cli("consolidate", "expire")
    assert cli("consolidate", "purge", "--yes", "--json").json["count"] == 1


def test_maintenance_is_run_and_logged(cli, kept):
    kept("Ada likes plums")
    assert "jobs done" in cli("maintain").out
    assert cli("maintenance", "log", "--json").json[0]["id"]
    assert "round" in cli("maintenance", "log").out


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_watch_does_what_is_due_until_it_is_told_to_stop(cli, place, monkeypatch):
    monkeypatch.setenv("COMMONPLACE_PLAN", "free")
    cli("observe", "I live in Vienna")
    words = [*PROGRAM, "maintain", "--watch", "--seconds", "1", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        first = json.loads(watching.stdout.readline())
        watching.send_signal(signal.SIGTERM)
        _, complaints = watching.communicate(timeout=60)
    assert (first["figures"]["learned from"], watching.returncode, complaints) == (1, 0, "")


def test_reindexing_and_new_keys_leave_everything_findable(cli, kept):
    kept("Ada likes plums")
    assert cli("reindex", "--json").json["counts"]["versions"] == 1
    assert cli("keys", "rotate", "--json").json["counts"]["keys destroyed"] == 0
    assert "--yes" in cli("keys", "rotate", "--destroy-old", code=7).err
    assert cli("keys", "rotate", "--destroy-old", "--yes", "--json").json["counts"]["keys destroyed"] >= 1
    assert cli("recall", "plums", "--json").json[0]["memory"]["text"] == "Ada likes plums"


@pytest.mark.one_engine("a PostgreSQL book is backed up by its server")
def test_a_copy_is_restored_and_what_was_forgotten_since_stays_so(cli, kept, place):
    gone, stays = kept("Ada likes quinces"), kept("Ada likes plums")
    cli("backup", "copy.backup")
    later = kept("Ada likes figs")
    cli("forget", gone)
    assert "--yes" in cli("restore", "copy.backup", code=7).err
    cli("restore", "copy.backup", "--yes")
    assert [one["id"] for one in cli("list", "--json").json] == [stays]
    cli("get", later, code=3)
    assert cli("restore", "--replay", "--json").json["counts"] is not None
    assert "pass the backup" in cli("restore", code=7).err
    assert "File not found" in cli("restore", "nowhere", code=7).err, "nothing is asked about a copy that is not there"
    for _ in range(3):
        cli("backup", "folder", "--keep", "1", "--with-keys")
    assert len(list((place / "folder").glob("*.backup"))) == 1


def test_a_master_key_that_was_lost_is_put_back_from_its_copy(cli, kept, tmp_path):
    kept("Ada likes plums")
    assert "keys recovery" in cli("status").out and cli("keys", "check", "--json").json["copied"] is False
    copy = cli("keys", "recovery").out
    assert cli("keys", "check", "--json").json["copied"] is True
    (tmp_path / "home/master.key").unlink()
    assert "keys restore" in cli("list", code=11).err
    mistyped = copy.replace(copy[-6], "0" if copy[-6] != "0" else "1")
    assert cli("keys", "restore", stdin=mistyped, code=11).out == ""
    cli("keys", "restore", stdin=copy)
    assert cli("list", "--json").json[0]["text"] == "Ada likes plums"
    assert (tmp_path / "home/master.key").stat().st_mode & 0o077 == 0


@pytest.mark.one_engine("another home means another file")
def test_a_copy_with_keys_and_the_written_down_master_key_are_enough_on_a_new_machine(cli, kept, tmp_path):
    kept("Ada likes plums")
    key = cli("keys", "recovery").out
    cli("backup", str(tmp_path / "copy.backup"), "--with-keys")
    new = ("--home", str(tmp_path / "new"))
    assert "keys restore" in cli("restore", str(tmp_path / "copy.backup"), "--yes", *new, code=11).err
    cli("keys", "restore", *new, stdin=key)
    assert "no ledger" in cli("restore", str(tmp_path / "copy.backup"), "--yes", *new, code=7).err
    assert cli("list", "--json", *new).json == [], "a refused restore leaves nothing behind"
    for file in (tmp_path / "new").glob("book.db*"):
        file.unlink()
    cli("restore", str(tmp_path / "copy.backup"), "--yes", "--without-ledger", *new)
    assert cli("list", "--json", *new).json[0]["text"] == "Ada likes plums"


@pytest.mark.one_engine("another home means another file")
def test_the_key_of_another_book_is_not_taken(cli, kept, tmp_path):
    kept("Ada likes plums")
    cli("remember", "Bob likes pears", "--home", str(tmp_path / "other"))
    other = cli("keys", "recovery", "--home", str(tmp_path / "other")).out
    before = (tmp_path / "home/master.key").read_bytes()
    cli("keys", "restore", stdin=other, code=11)
    assert (tmp_path / "home/master.key").read_bytes() == before


def test_a_key_from_the_settings_is_restored_there(cli, monkeypatch):
    monkeypatch.setenv("COMMONPLACE_MASTER_KEY", "ab" * 32)
    assert "where it is set" in cli("keys", "restore", "x", code=7).err


def test_migrating_says_where_the_book_stands(cli, kept, tmp_path):
    kept("Ada likes plums")
    done = cli("migrate", "--json").json
    assert done["found"] == done["now"] and done["way_back"] is None
    cli("migrate", "--home", str(tmp_path / "empty"), code=None)
    assert not (tmp_path / "empty/book.db").exists()


def test_tokens_are_made_listed_and_revoked(cli, kept):
    kept("Ada likes plums", "--namespace", "orchard")
    made = cli("token", "create", "--name", "laptop", "--scope", "read", "--only", "orchard", "--json").json
    assert made["secret"].startswith("cpl_") and made["token"]["scope"] == "read"
    assert len(made["token"]["namespaces"]) == 1
    listed = cli("token", "list").out
    assert "laptop" in listed and "valid" in listed and made["secret"] not in listed
    cli("token", "revoke", made["id"])
    assert "revoked" in cli("token", "list").out
    cli("token", "revoke", "nope", code=3)
    cli("token", "create", "--only", "nowhere", code=3)
    assert "past" in cli("token", "create", "--expires-at", "2020-01-01", code=7).err


def test_owners_have_plans(cli):
    cli("owner", "set", "bob", "--plan", "free", "--timezone", "Europe/Rome")
    assert cli("owner", "show", "bob", "--json").json["plan"] == "free"
    assert [one["id"] for one in cli("owner", "list", "--json").json] == ["bob"]
    cli("owner", "show", "nobody", code=3)
    refused = cli("relate", "a", "knows", "b", "--owner", "bob", code=8)
    assert "plan" in refused.err
    cli("owner", "set", "bob", "--plan", "gold", code=2)


def test_the_server_starts_and_its_book_is_used_from_elsewhere(cli, place, tmp_path, monkeypatch):
    server = subprocess.Popen(
        [*PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        token = _token(tmp_path / "home/server.token", server.stdout.readline())
        asked = urllib.request.Request(
            f"{address}/v1/memories",
            data=json.dumps({"text": "Ada likes plums"}).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        assert _answered(asked) in (200, 201)
        _from_elsewhere(cli, address, token, monkeypatch)
    finally:
        server.terminate()
        server.wait(60)
        assert server.stdout is not None
        server.stdout.close()
    listed = subprocess.run([*PROGRAM, "list"], capture_output=True, text=True, check=True).stdout
    assert "Ada likes plums" in listed


def _from_elsewhere(cli, address: str, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same commands on the server's book; what belongs to its machine is refused."""
    with monkeypatch.context() as there:
        there.setenv("COMMONPLACE_URL", address)
        there.setenv("COMMONPLACE_TOKEN", token)
        id = cli("remember", "Ada prefers trains", "--tag", "travel", "--json").json["id"]
        assert cli("recall", "trains", "--explain", "--json").json[0]["id"] == id
        cli("revise", id, "Ada prefers night trains", "--expected", "1")
        assert "version 2" in cli("history", id).out
        assert cli("get", "@", "--json").json["text"] == "Ada prefers night trains"
        assert "version 2" in cli("confirm", id, "--expected", "1", code=4).err
        assert cli("stats", "--json").json["memories"] == 2
        assert cli("status", "--json").json["engine"] == "remote"
        cli("forget", id)
        cli("get", id, code=3)
        for words in (["keys", "recovery"], ["owner", "list"], ["copy", "sqlite:///x.db"], ["backup", "x"]):
            assert cli(*words, code=None).code != 0
        there.setenv("COMMONPLACE_TOKEN", "cpl_wrong")
        assert "token" in cli("list", code=13).err


def _answered(asked: urllib.request.Request) -> int:
    """Ask until the server listens: it greets a little earlier."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return int(answer.status)
        except urllib.error.URLError as fault:
            if not isinstance(fault.reason, ConnectionRefusedError):
                raise
            time.sleep(0.2)
    raise AssertionError("the server never listened")


def _token(file: Path, greeting: str) -> str:
    assert "Sign in" in greeting
    return file.read_text("utf-8").strip()


@pytest.mark.one_engine("a file is for one process")
def test_several_workers_on_sqlite_are_refused(cli):
    assert "PostgreSQL" in cli("serve", "--workers", "2", code=7).err


def test_the_mcp_server_answers_and_ends_with_its_input(place):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    server = subprocess.Popen([*PROGRAM, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(hello) + "\n")
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["result"]["serverInfo"]
    server.stdin.close()
    assert server.wait(60) == 0
    server.stdout.close()


def test_a_missing_extra_is_named(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setattr(interfaces, "rest", rest)  # a new one is imported below; the other tests want this one back
    for name in [name for name in sys.modules if name.startswith("commonplace.interfaces.rest")]:
        monkeypatch.delitem(sys.modules, name)
    assert "commonplace-memory[server]" in cli("serve", code=2).err


@pytest.mark.parametrize("words", [["export"], ["owner", "set"], ["keys"], ["serve", "--port", "x"]])
def test_what_is_missing_is_asked_for(words, cli):
    assert "--help" in cli(*words, code=2).err


@pytest.mark.one_engine("a PostgreSQL book is backed up by its server")
def test_a_backup_needs_a_place_or_the_schedules(cli, kept):
    kept("Ada likes plums")
    assert "--schedule" in cli("backup", code=7).err
    assert cli("backup", "--schedule", "--json").json["counts"]["owners"] == 1


def test_an_export_goes_out_and_comes_in_again(cli, kept, place):
    id = kept("Ada likes plums", "--tag", "fruit")
    assert cli("export", "out.jsonl", "--json").json["counts"]["memory"] == 1
    assert (place / "out.jsonl").stat().st_mode & 0o077 == 0
    streamed = cli("export", "-").out
    assert json.loads(streamed.splitlines()[0])["type"] == "header"
    assert cli("import", "out.jsonl", "--owner", "bob", "--dry-run", "--json").json["dry_run"] is True
    assert cli("list", "--owner", "bob", "--json").json == []
    cli("import", "-", "--owner", "bob", stdin=streamed)
    assert cli("get", id, "--owner", "bob", "--json").json["tags"] == ["fruit"]
    again = cli("import", "out.jsonl", "--owner", "bob", "--json").json
    assert "new" not in again["counts"]
    assert "not found" in cli("import", "nowhere", code=7).err
    assert "header" in cli("import", "-", stdin='{"type": "memory"}\n', code=7).err


def test_a_book_is_copied_to_another_engine(cli, kept, book_url, monkeypatch):
    monkeypatch.delenv("COMMONPLACE_URL", raising=False)
    kept("Ada likes plums")
    assert cli("copy", book_url, "--json").json["counts"]["owners"] == 1
    assert cli("recall", "plums", "--url", book_url, "--json").json[0]["memory"]["text"] == "Ada likes plums"
    assert cli("copy", "sqlite:///one.db", "--owner", "me", "--json").json["counts"]["owners"] == 1


@pytest.mark.one_engine("the file's mode is what is wrong")
def test_the_doctor_finds_and_mends(cli, kept, tmp_path):
    kept("Ada likes plums")
    assert cli("doctor", "--json").json["sound"] is True
    assert "warning" in cli("doctor").out and "recovery" in cli("doctor").out
    (tmp_path / "home/book.db").chmod(0o644)
    assert "problem" in cli("doctor", code=1).out
    assert "fixed" in cli("doctor", "--fix", "--full").out
    cli("doctor")


def test_the_doctor_points_at_a_variable_that_is_no_setting(cli, kept, monkeypatch):
    kept("Ada likes plums")
    monkeypatch.setenv("COMMONPLACE_OWNR", "ada")
    assert "COMMONPLACE_OWNR" in cli("doctor").out


def test_a_work_session_is_written_down_and_recovered(cli, place):
    assert cli("session", "start").out == ""
    made = cli("session", "note", "we use SQLite", "--kind", "decision", "--json").json
    assert made["file"] == "memory/working-buffer.md" and made["id"]
    cli("session", "log", "-", stdin="moved the schema\n")
    cli("session", "todo", "write the page")
    assert "done: write the page" in cli("session", "todo", "page", "--done").out
    cli("session", "lesson", "measure first")
    ended = cli(
        "session", "end", "--state", "schema done", "--next", "the page", "--decision", "we ship in May", "--json"
    )
    assert len(ended.json) >= 3
    page = cli("session", "recover", "--context", "-", stdin="user: go on").out
    assert "schema done" in page and "measure first" in page
    assert "we use SQLite" in cli("session", "start", "--new", "--tokens", "500").out
    assert cli("recall", "SQLite", "--json").json[0]["id"] == made["id"]
    found = cli("session", "status", "--json").json
    assert found["files"]["memory/working-buffer.md"] >= 3


def test_distilling_shows_the_edit_and_asks(cli, place):
    cli("session", "note", "we use SQLite", "--kind", "decision")
    assert "+| " in cli("session", "distill", "--dry-run").out
    assert "--yes" in cli("session", "distill", code=7).err
    assert not (place / "MEMORY.md").exists()
    cli("session", "distill", "--yes")
    assert "we use SQLite" in (place / "MEMORY.md").read_text("utf-8")
    assert "nothing to distil" in cli("session", "distill").out


def test_lines_that_were_removed_are_forgotten_on_request(cli, place, scrubbed):
    cli("session", "note", "we use quinces")
    cli("session", "note", "we use plums")
    buffer = place / "memory/working-buffer.md"
    lines = buffer.read_text("utf-8").splitlines()
    buffer.write_text("\n".join(line for line in lines if "quinces" not in line) + "\n", "utf-8")
    assert cli("session", "sync", "--json").json["missing"]
    assert "--yes" in cli("session", "forget-removed", code=7).err
    assert cli("session", "forget-removed", "--yes", "--json").json["state"] == scrubbed
    assert [one["text"] for one in cli("list", "--json").json] == ["we use plums"]
    assert "nothing was removed" in cli("session", "forget-removed").out


def test_capture_is_paused_and_resumed_for_all_to_see(cli):
    cli("pause")
    assert cli("status", "--json").json["paused"] and "resume" in cli("status").out
    assert "goes on" in cli("resume").out
    assert cli("status", "--json").json["paused"] is None
    assert "nothing was paused" in cli("resume").out


def test_the_benchmark_measures_a_file_of_ones_own(cli, place):
    turns = [
        {"speaker": "Ada", "dia_id": f"D1:{at}", "text": text}
        for at, text in enumerate(("I like plums", "It rains"), 1)
    ]
    sample = {
        "sample_id": "one",
        "conversation": {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"},
        "qa": [{"question": "What does Ada like?", "evidence": ["D1:1"], "category": 4}],
    }
    (place / "talk.json").write_text(json.dumps([sample]), "utf-8")
    done = cli("bench", "talk.json", "--recipe", "balanced,words", "--json")
    assert done.json["balanced"]["all"]["recall_5"] == 1.0 and set(done.json) == {"balanced", "words"}
    assert "R@10" in cli("bench", "talk.json", "--recipe", "words").out
    cli("bench", "nowhere.json", code=7)
    assert cli("list", "--json").json == [], "the own book is left alone"
