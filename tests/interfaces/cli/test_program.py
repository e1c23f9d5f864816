"""The program as people and scripts meet it: help, errors, exit codes, pipes, terminals, shells."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace import Commonplace, errors
from commonplace.interfaces.cli.commands import COMMANDS
from commonplace.interfaces.cli.completion import known
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.problems import TABLE

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-c", "import sys; from commonplace.interfaces.cli import main; sys.exit(main())"]
EVERY = list(known())
posix = pytest.mark.skipif(os.name != "posix", reason="terminals and signals of POSIX")


def run(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, **options
    )


def test_the_package_runs_as_the_program_does():
    asked = [sys.executable, "-m", "commonplace", "nonsense"]
    done = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    other = run("nonsense")
    assert (done.returncode, done.stderr) == (other.returncode, other.stderr) and done.returncode == 2


def test_help_names_every_command_and_imports_next_to_nothing():
    code = (
        "import sys; from commonplace.interfaces.cli import main; main(['--help']);"
        "print([one for one in ('argparse', 'typer', 'apsw', 'numpy', 'commonplace.book', 'commonplace.settings')"
        " if one in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.endswith("[]\n")
    assert [name for name in COMMANDS if not re.search(rf"^  {name} ", said, re.MULTILINE)] == []


@pytest.mark.parametrize("one", EVERY, ids=lambda one: " ".join(one.path))
def test_every_command_explains_itself(one, cli):
    said = cli(*one.path, "--help").out
    assert said.startswith(f"usage: commonplace {' '.join(one.path)}")
    assert one.help in said.replace("\n", " ") and "--json" in said


@pytest.mark.parametrize("one", [one for one in EVERY if not one.group], ids=lambda one: " ".join(one.path))
def test_every_command_refuses_words_it_does_not_know(one, cli):
    done = cli(*one.path, "--no-such-option", code=2)
    assert done.out == "" and len(done.err.splitlines()) == 1
    assert f"commonplace {one.path[0]}" in done.err and "--help" in done.err


def test_no_command_and_a_wrong_one_are_told_what_there_is(cli):
    assert "usage:" in cli("--help").out
    assert cli("help").out == cli("--help").out == cli("-h").out
    assert cli("help", "recall").out == cli("recall", "--help").out
    assert "did you mean remember" in cli("remeber", code=2).err
    assert "--help" in cli("xyzzy", code=2).err
    assert cli("--version").out.startswith("commonplace ")


@pytest.mark.parametrize(
    "words", [["get", "a", "b"], ["recall", "x", "--limit", "0"], ["xyzzy"], ["recall", "x", "--sure"]]
)
def test_words_that_do_not_fit_are_told_as_a_problem_document_too(words, cli):
    plain, told = cli(*words, code=2), json.loads(cli(*words, "--json", code=2).err)
    assert plain.err == f"commonplace: {told['detail']}\n"
    assert (told["type"], told["status"]) == ("urn:commonplace:Usage", 400)
    assert cli(*words, "--", "--json", code=2).err.startswith("commonplace: ")


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["get"], 2, "required: id"),
        (["recall", "x", "--limit", "0"], 2, "at least 1"),
        (["recall", "x", "--limit", "many"], 2, "at least 1"),
        (["recall", "x", "--kind", "poem"], 2, "is not one of"),
        (["recall", "x", "--metadata", "loose"], 2, "name=value"),
        (["remember", "x", "--importance", "7"], 2, "from 0 to 1"),
        (["remember", "x", "--category", "poem"], 2, "invalid choice"),
        (["remember"], 7, "pass what to store"),
        (["remember", "   "], 5, ""),
        (["remember", "x", "--lines", "f"], 7, "not both"),
        (["remember", "--lines", "no-such-file"], 7, "cannot be read"),
        (["recall", "x", "--as-of", "the day after never"], 7, "--as-of"),
        (["recall", "x", "--recipe", "soup"], 7, ""),
        (["get", "nope"], 3, "no memory"),
        (["history", "nope"], 3, "no memory"),
        (["rollback", "nope", "--to", "1"], 3, "no memory"),
        (["undo", "nope"], None, "receipt"),
        (["forget", "nope"], 3, "not an id; describe the memory with --query"),
        (["verify-receipt", "nope"], 3, "receipt"),
        (["walk", "nobody"], 3, "no entity"),
        (["walk", "nobody", "--depth", "99"], 7, "depth"),
        (["relate", "a", "b"], 2, "required: object"),
        (["tag", "merge", "a", "--into", "b"], 3, "no tag"),
        (["keys"], 2, "pass one of: "),
        (["core", "get", "nope"], 3, "no core value"),
        (["review", "approve", "nope"], 3, "no memory"),
        (["list", "--url", "ftp://nowhere"], None, "sqlite:///"),
        (["list", "--url", "sqlite:///"], None, "sqlite:///path"),
        (["completion", "tcsh"], 2, "invalid choice"),
    ],
)
@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_bad_input_is_one_line_that_says_what_to_do(words, code, complaint, cli):
    done = cli(*words, code=code)
    assert done.code != 0 and done.out == ""
    assert complaint in done.err
    assert done.err.startswith("commonplace: ") and len(done.err.splitlines()) == 1


def test_words_that_are_too_many_are_counted_and_not_repeated(cli):
    done = cli("get", "x", "a", "secret", code=2)
    assert "2 words more" in done.err and "secret" not in done.err
    assert "--secret" in cli("get", "x", "--secret=7", code=2).err


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_nothing_that_is_shown_commands_the_terminal(cli):
    cli("tag", "create", "red", "--description", "before \x1b[31mafter\x07", code=None)
    cli("relate", "Ada", "knows", "Marco", "--object-type", "person", "--notes", "before \x1b[31mafter", code=None)
    said = cli("tag", "list").out + cli("relations").out
    assert "\x1b" not in said and "\x07" not in said


NASTY = [
    "",
    "   ",
    '"',
    "'); drop table memory; --",
    "AND OR NOT * ( )",
    "a\x00b",
    "\x1b[2J",
    "\u202e",
    "日本 語",
    "🚂" * 50,
    "\udcff",
    "x" * 100_000,
]


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_no_text_breaks_a_command(text, cli, kept):
    kept("Ada prefers trains")
    for words in (["recall", "--", text], ["context", "--", text], ["remember", "--", text], ["get", "--", text]):
        done = cli(*words, code=None)
        assert done.code in (0, 2, 3, 5, 7), (words[0], done.err)
        assert "internal error" not in done.err
    assert cli("recall", "trains", "--json").json


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_an_error_is_a_problem_document_where_json_is_asked_for(cli):
    done = cli("get", "nope", "--json", code=3)
    assert done.out == ""
    assert json.loads(done.err)["type"] == "urn:commonplace:NotFound"


def test_the_page_has_every_exit_code():
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (\d+) \| (.+?) \|$", page, re.MULTILINE))
    for error, problem in TABLE.items():
        if error.__module__ == errors.__name__:
            assert f"`{error.__name__}`" in rows[str(problem.exit_code)] or problem.exit_code == 1, error
    assert {"0", "1", "2", "130", "141"} <= set(rows)


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_a_fault_of_our_own_shows_its_place_and_no_words(cli, monkeypatch):
    def fails(self, *args, **options):
        raise KeyError("a secret that somebody typed")

    monkeypatch.setattr("commonplace.book.Commonplace.get", fails)
    done = cli("get", "x", code=1)
    assert "KeyError" in done.err and "test_program.py" in done.err
    assert "secret" not in done.err


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_a_setting_that_cannot_be_read_is_said(cli, monkeypatch):
    monkeypatch.setenv("COMMONPLACE_TIMEZONE", "Middle/Earth")
    assert "Europe/Rome" in cli("list", "--since", "2020-01-01", code=10).err


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_what_is_typed_before_the_command_counts_as_well(cli):
    cli("--namespace", "orchard", "--owner=ada", "remember", "Ada likes plums")
    assert len(cli("--json", "list", "--namespace=orchard", "--owner", "ada").json) == 1
    assert cli("--json", "list").json == []


def test_the_program_runs_on_both_engines(cli, book_url, monkeypatch):
    monkeypatch.setenv("COMMONPLACE_URL", book_url)
    id = cli("remember", "Ada prefers trains", "--tag", "travel", "--json").json["id"]
    cli("observe", "I met Marco in Vienna", "--speaker", "Ada")
    cli("relate", "Giulia", "reports_to", "Marco", "--object-type", "person")
    cli("revise", id, "Ada prefers night trains")
    assert (
        cli("recall", "which trains?", "--tag", "travel", "--json").json[0]["memory"]["text"]
        == "Ada prefers night trains"
    )
    assert cli("recall", "trains", "--explain").out.count("score:") >= 1
    assert cli("context", "trains").out.startswith("<memory_context")
    assert "Marco" in cli("walk", "Giulia").out
    ref = cli("forget", id, "--json").json["ref"]
    cli("verify-receipt", ref, code=None)
    assert cli("recall", "trains", "--tag", "travel", "--json").json == []
    assert cli("audit", "verify", "--json").json["ok"]
    shown = cli("status", "--json").json["book"]
    assert shown.startswith(book_url.partition("://")[0])


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_the_tour_keeps_its_promises(cli):
    steps = {one["step"]: one for one in cli("tour", "--json").json["steps"]}
    answers = {title: step["answers"] for title, step in steps.items()}
    assert answers["Recall"][0][0]["memory"]["text"] == "Ada prefers trains to planes"
    assert answers["Correct"][1][1]["memory"]["text"] == "Ada prefers night trains to planes"
    assert [answers["Roll back and undo"][at]["text"] for at in (1, 3)] == [
        "Ada prefers trains to planes",
        "Ada prefers night trains to planes",
    ]
    clocks = answers["Two clocks"]
    assert (clocks[2]["value"], clocks[3]["value"]) == ("Turin", "Oslo")
    assert [hit["memory"]["text"] for hit in clocks[5]] == ["Ada worked in Lisbon"]
    before, _, after, neighbour = answers["Forget"]
    assert any("quince" in hit["memory"]["text"] for hit in before)
    assert not any("quince" in hit["memory"]["text"] for hit in after) and "trains" in neighbour["text"]
    proof = steps["Prove it"]
    assert proof["answers"][0]["gone"] and proof["answers"][1]["ok"] and proof["plain"] == 0
    assert proof["sealed_before"] > 0 and proof["sealed_after"] == 0 and proof["sealed_neighbour"] > 0


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_the_tour_reads_well_and_leaves_nothing(cli, place, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "work"))
    said = cli("tour").out
    assert "$ commonplace remember" in said and "9. Prove it" in said
    assert list(place.iterdir()) == [] and not (tmp_path / "home/book.db").exists()


# Pipes, terminals, signals


def test_a_reader_that_goes_away_is_no_error(place):
    writer = subprocess.Popen([*PROGRAM, "predicate", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    assert writer.wait(30) == 141
    writer.stderr.close()


@posix
def test_an_interrupt_ends_quietly(place):
    os.mkfifo(place / "pipe")
    waiting = subprocess.Popen([*PROGRAM, "remember", "--lines", "pipe"], stderr=subprocess.PIPE, text=True)
    with (place / "pipe").open("w"):  # opens when the program does, which then waits for a line
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(30) == 130
    assert waiting.stderr is not None and waiting.stderr.read() == "interrupted\n"
    waiting.stderr.close()


def at_terminal(words: list[str], *, typed: str = "", **environ: str) -> tuple[int, str]:
    """Run with a terminal on all three streams; what is typed is echoed by it."""
    import pty

    leader, follower = pty.openpty()
    program = subprocess.Popen(
        [*PROGRAM, *words], stdin=follower, stdout=follower, stderr=follower, env={**os.environ, **environ}
    )
    os.close(follower)
    os.write(leader, typed.encode())
    said = b""
    while True:
        try:
            some = os.read(leader, 4096)
        except OSError:
            break
        if not some:
            break
        said += some
    os.close(leader)
    return program.wait(60), said.decode("utf-8", "replace")


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@posix
def test_a_terminal_has_colours_unless_they_are_not_wanted(cli, kept):
    kept("Ada prefers trains")
    plain = {"TERM": "xterm", "NO_COLOR": ""}
    assert "\x1b[" in at_terminal(["recall", "trains"], **plain)[1]
    assert "\x1b[" not in at_terminal(["recall", "trains"], **{**plain, "NO_COLOR": "1"})[1]
    assert "\x1b[" not in at_terminal(["recall", "trains"], **{**plain, "TERM": "dumb"})[1]


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@posix
def test_a_table_is_cut_to_the_terminal_and_nowhere_else(cli, kept):
    text = "Ada prefers " + "very " * 60 + "slow trains"
    kept(text)
    assert text in cli("list").out
    said = at_terminal(["list"], COLUMNS="80", NO_COLOR="1")[1]
    assert "…" in said and max(map(len, said.splitlines())) <= 80


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@posix
def test_a_narrow_terminal_shows_the_text_and_says_what_it_leaves_out(cli, kept):
    text = "Ada prefers the night train to Vienna"
    for _ in range(2):
        kept(text, "--category", "preference", "--tag", "travel", "--tag", "night trains", "--tag", "Austria")
    narrow, wide = (at_terminal(["list"], COLUMNS=columns, NO_COLOR="1")[1] for columns in ("80", "160"))
    assert text in narrow and "Left out to fit the terminal: kind" in narrow
    assert text in wide and "associative" in wide and "Left out" not in wide
    hit = at_terminal(["recall", "train"], COLUMNS="80", NO_COLOR="1")[1]
    assert max(map(len, hit.splitlines())) <= 80 and "#Austria" in hit
    start = hit.split()[-1]
    assert text in cli("get", start).out, "the id that is shown names the memory"


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@posix
def test_settings_on_a_narrow_terminal_say_what_each_means(cli):
    said = at_terminal(["settings"], COLUMNS="80", NO_COLOR="1")[1]
    meanings = [line for line in said.splitlines() if line.startswith("    ")]
    assert len(meanings) > 50 and max(map(len, meanings)) <= 80 and "…\r" not in said
    assert "Language" in said and "judge_ask  0.6" in said
    assert at_terminal(["settings", "owner"], COLUMNS="80", NO_COLOR="1")[1].splitlines() == [
        "owner  me",
        "    The owner of the memories.",
    ]


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_changes_are_listed_by_what_they_were_about(cli, kept):
    kept("Ada prefers trains", "--valid-from", "2026-01-02")
    assert "Ada prefers trains" in cli("receipts").out
    since = cli("history", "@").out
    assert "known since 20" in since and "true since 2026-01-02" in since
    cli("forget", "@", "--yes")
    assert "Ada prefers trains" not in cli("receipts").out


def test_a_painted_line_is_cut_by_what_is_seen():
    paper = Paper(width=10, colours=True, zone=None)
    painted = paper.paint("1234", "bold") + paper.paint("5678", "dim")
    assert paper.cut(painted) == painted
    assert paper.cut(painted + "9012") == "123456789…"


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
@posix
def test_a_final_act_is_asked_about_on_a_terminal(cli, kept):
    kept("Ada likes plums")
    code, said = at_terminal(["erase", "--everything"], typed="n\n")
    assert code != 0 and "1 memories" in said and "[y/N]" in said and "nothing was done" in said
    assert len(cli("list", "--json").json) == 1
    code, said = at_terminal(["erase", "--everything"], typed="y\n")
    assert code == 0 and "erase" in said
    assert cli("list", "--json").json == []


@posix
def test_progress_is_shown_only_where_somebody_watches(cli, place):
    (place / "many").write_text("\n".join(f"Ada likes fruit {number}" for number in range(30)), "utf-8")
    assert "█" in at_terminal(["remember", "--lines", "many"])[1]
    assert "█" not in run("remember", "--lines", "many", "--namespace", "other").stderr


# Shells


COMPLETED = [
    (["re"], "remember", "walk"),
    (["core", ""], "set", "walk"),
    (["recall", "--ki"], "--kind", "--tokens"),
    (["recall", "--kind", ""], "episodic", "--limit"),
    (["core", "set", "home", "--cat"], "--category", "--kind"),
    (["--js"], "--json", "remember"),
    (["--namespace", "core", "re"], "recall", "set"),
    (["recall", "--owner", "x", "words", "--tag", "y", "--li"], "--limit", "recall"),
]


def completed_by_bash(script: str, typed: list[str]) -> list[str]:
    words = " ".join(f"'{word}'" for word in ["commonplace", *typed])
    asked = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _commonplace; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return _said(["bash", "-c", f"{script}\n{asked}"])


def completed_by_zsh(script: str, typed: list[str]) -> list[str]:
    words = " ".join(f"'{word}'" for word in ["commonplace", *typed])
    stubs = "compdef() {}; compadd() { shift; print -l -- $@ }"
    offered = _said(["zsh", "-fc", f"{stubs}\n{script}\nwords=({words}); CURRENT={len(typed) + 1}; _commonplace"])
    return [one for one in offered if one.startswith(typed[-1])]


def completed_by_fish(script: str, typed: list[str]) -> list[str]:
    line = " ".join(["commonplace", *typed])
    offered = _said(["fish", "--no-config", "-c", f"{script}\ncomplete -C '{line}'"])
    return [one.partition("\t")[0] for one in offered]


def _said(words: list[str]) -> list[str]:
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_values(shell, cli, place, monkeypatch):
    script = cli("completion", shell).out
    assert [name for name in COMMANDS if name not in script] == []
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here to run it in")
    monkeypatch.setenv("HOME", str(place))
    for typed, offered, not_offered in COMPLETED:
        found = globals()[f"completed_by_{shell}"](script, typed)
        assert offered in found, (typed, found)
        assert not_offered not in found, (typed, found)


@pytest.mark.one_engine("what a terminal is shown; test_verbs.py runs the verbs on both")
def test_history_and_logs_name_the_token_that_acted(cli, kept):
    id = kept("Ada likes plums")
    token = cli("token", "create", "--name", "laptop", "--person", "--json").json["id"]
    with Commonplace.open(namespace="default") as book:
        book.acting_as(f"rest:{token}", source="user", person=True).revise(id, "Ada likes figs")
    for words in (["history", id], ["audit"], ["receipts"]):
        said = cli(*words).out
        assert "rest (laptop)" in said and token not in said, words
