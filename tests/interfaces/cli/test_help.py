"""What somebody meets who does not know the commands yet."""

import inspect
import re
import shlex

import pytest

from commonplace import Commonplace, aio
from commonplace.interfaces.cli.commands import ALIASES, COMMANDS, EVERY, SUGGESTED
from commonplace.interfaces.cli.dispatch import parser_of
from commonplace.interfaces.cli.running import function
from commonplace.notebook.notebook import Notebook

EXAMPLES = {name: command.notes["example"] for name, command in EVERY.items() if not name.startswith("@")}
both = pytest.mark.usefixtures("on_both_engines")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_an_example_that_parses(name):
    shown = " ".join(parser_of(name).format_help().split())
    assert f"Example: commonplace {EXAMPLES[name]}" in shown
    first, *words = shlex.split(EXAMPLES[name])
    assert first == name
    parser_of(name).parse_args(words)
    for below in parser_of(name).below():
        example = EXAMPLES[below.prog.removeprefix("commonplace ")]
        assert f"Example: commonplace {example}" in " ".join(below.format_help().split())
        parser_of(name).parse_args(shlex.split(example)[1:])
        assert example.startswith(below.prog.removeprefix("commonplace "))


def test_every_example_belongs_to_a_command():
    below = {parser.prog.removeprefix("commonplace ") for name in COMMANDS for parser in parser_of(name).below()}
    assert set(EXAMPLES) == set(COMMANDS) | below
    assert len(below) > 60


def test_suggestions_and_aliases_name_commands():
    assert set(ALIASES.values()) | set(SUGGESTED) <= set(COMMANDS)
    words = [word for synonyms in SUGGESTED.values() for word in synonyms.split()]
    assert len(words) == len(set(words)) and not set(words) & (set(COMMANDS) | set(ALIASES))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("find", "recall"),
        ("rm", "forget"),
        ("ls", "list"),
        ("recal", "recall"),
        ("remov", "forget"),
        ("duplicates", "merge"),
        ("retrieve", "recall"),
        ("graph", "walk"),
        ("todo", "agenda"),
        ("login", "token"),
        ("tidy", "prune"),
    ],
)
def test_an_unknown_command_is_answered_with_the_one_that_is_meant(cli, typed, meant):
    assert f"did you mean {meant}" in cli(typed, code=2).err


def test_a_word_that_is_near_no_command_leads_to_the_list(cli):
    assert "`commonplace --help` lists them" in cli("xyzzy", code=2).err


@both
def test_a_recall_without_a_question_says_how_to_ask_one(cli, kept):
    for nothing in ((), ("",)):
        assert "commonplace remember" in cli("recall", *nothing).out
    kept("Ada likes plums")
    latest = cli("recall").out.splitlines()
    assert "commonplace recall '" in latest[0] and "Ada likes plums" in latest[1]
    assert cli("recall", "--category", "lesson").out.strip() == "No memory matches these filters."
    assert [hit["memory"]["text"] for hit in cli("recall", "--json").json] == ["Ada likes plums"]
    assert "0.000" not in latest[2], "there is no score without a question"
    asked = cli("recall", "plums").out
    assert "To search" not in asked
    assert re.search(r"^ +\d\.\d{3} ", asked, re.MULTILINE)


@both
def test_a_question_that_nothing_answers_is_told(cli, kept):
    kept("Ada likes plums")
    assert cli("search", "quantum chromodynamics").out.startswith("Nothing relevant found.")
    assert not cli("search", "plums").out.startswith("Nothing relevant")
    assert cli("search", "plums", "--json").json[0]["why"] is None


@both
def test_the_names_people_try_work(cli):
    id = cli("add", "Ada likes plums", "--json").json["id"]
    assert "plums" in cli("search", "plums").out
    cli("edit", id, "Ada likes pears")
    assert "pears" in cli("show", id).out
    cli("delete", id, "--yes")
    assert cli("list", "--json").json == []


@both
def test_an_id_may_be_shortened(cli, kept):
    first, second = kept("Ada likes plums"), kept("Ada likes pears")
    start = next(first[:length] for length in range(8, 37) if first[:length] != second[:length])
    assert "plums" in cli("get", start).out
    assert "several ids" in cli("get", first[:6], code=7).err
    cli("get", "ffff", code=3)


@both
def test_bare_undo_lists_what_can_be_undone(cli, kept):
    kept("Ada likes plums")
    listed = cli("undo")
    assert "Ada likes plums" in listed.out
    assert "commonplace undo RECEIPT" in listed.out
    ref = cli("undo", "--json").json[0]["ref"]
    cli("undo", ref[:20])
    assert cli("list", "--json").json == []


@both
def test_bare_undo_lists_nothing_that_would_be_refused(cli, kept):
    kept("Ada likes plums")
    changed = kept("Ada likes pears")
    cli("edit", changed, "Ada likes figs")
    forgotten = kept("Ada likes quinces")
    cli("delete", forgotten, "--yes")
    listed = cli("undo", "--json").json
    assert [row["action"] for row in listed] == ["REVISE", "REMEMBER"]
    for row in listed:
        cli("undo", row["ref"])


@both
def test_lists_that_are_cut_say_so_and_logs_are_newest_first(cli, kept):
    for fruit in ("plums", "pears", "figs"):
        kept(f"Ada likes {fruit}")
    assert "2 shown" in cli("list", "--limit", "2").out
    assert "shown" not in cli("list").out
    numbers = [row["id"] for row in cli("audit", "list", "--json").json]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) > 2
    page = cli("audit", "list", "--limit", "1", "--before", str(numbers[0]), "--json").json
    assert [row["id"] for row in page] == [numbers[1]]


@pytest.mark.one_engine("copies a SQLite file")
def test_restore_takes_what_backup_made(cli, kept, place, book_url):
    kept("Ada likes plums")
    cli("backup", "copies")
    kept("Ada likes pears")
    cli("restore", "copies", "--yes")
    assert [row["text"] for row in cli("list", "--json").json] == ["Ada likes plums"]
    (place / "empty").mkdir()
    assert "No backup found" in cli("restore", "empty", "--yes", code=7).err


def test_the_program_alone_shows_how_to_begin(cli):
    assert "commonplace tour" in cli().out
    version = cli("--version").out
    assert "SQLite" in version and "Python" in version


@both
def test_what_was_forgotten_is_stored_again_when_a_person_says_so(cli, kept):
    cli("forget", kept("Ada likes plums"), "--yes")
    assert "--again" in cli("remember", "Ada likes plums", code=None).err
    cli("remember", "Ada likes plums", "--again")
    cli("core", "set", "home", "Oslo")
    cli("core", "forget", "home", "--yes", code=None)
    cli("core", "set", "home", "Oslo", "--again")
    assert cli("core", "get", "home").out.strip() == "Oslo"


@both
def test_text_in_the_place_of_an_id_is_answered_with_the_way_to_describe(cli, kept):
    kept("Ada likes plums")
    assert "--query" in cli("forget", "what Ada likes", code=3).err
    assert "--query" in cli("revise", "what Ada likes", "Ada likes pears", code=3).err
    assert "commonplace recall" in cli("get", "what Ada likes", code=3).err
    assert "plums" in cli("get", "@").out


def test_without_a_command_a_guide_starts_what_is_chosen(monkeypatch, capsys):
    from commonplace.interfaces.cli import dispatch

    started: list[list[str]] = []
    whole = dispatch._dispatch
    monkeypatch.setattr(dispatch, "_dispatch", lambda words: started.append(words) or 0 if words else whole(words))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for typed in ("1", "4", "", "9"):
        answers = iter([typed, "chats.zip"])
        monkeypatch.setattr("builtins.input", lambda prompt, answers=answers: next(answers))
        assert dispatch.main([]) == 0
    assert started == [["tour"], ["import", "chats.zip"]]
    assert "commonplace tour" in capsys.readouterr().out


@both
def test_a_group_alone_lists_what_it_is_about(cli, kept):
    kept("Ada likes plums")
    assert cli("audit", "--limit", "1", "--json").json == cli("audit", "list", "--limit", "1", "--json").json != []
    assert cli("namespace").out == cli("namespace", "list").out
    assert "COMMAND" in cli("tag", "--help").out
    assert cli("review", "--owner", "somebody-else").out == "All caught up.\n"


def test_a_group_names_its_commands(cli):
    assert "pass one of: " in cli("keys", code=2).err
    refused = cli("remember", "Ada prefers trains", "--tags", "travel", code=2).err
    assert "unknown option --tags; did you mean --tag? See `commonplace remember --help`" in refused
    assert "unknown option --xyzzy; see" in cli("remember", "Ada prefers trains", "--xyzzy", code=2).err
    of_another = cli("directive", "memory", "forget", "1234", "5678", "--yes", code=2).err
    assert "unknown option --yes; see" in of_another
    assert cli("version").out == cli("--version").out
    assert "unknown command 'namespace lst'; did you mean list?" in cli("namespace", "lst", code=2).err
    assert "it has check" in cli("keys", "nonsense", code=2).err


@both
@pytest.mark.parametrize(
    "words", [["forget", "plums"], ["revise", "plums", "x"], ["revise", "Ada likes plums"], ["forget", "the plums"]]
)
def test_words_in_place_of_an_id_lead_to_a_query(cli, words):
    assert "describe the memory with --query" in cli(*words, code=3).err


@pytest.mark.parametrize("name", [name for name, command in EVERY.items() if "run" in command.notes])
def test_what_a_command_runs_exists_and_takes_what_the_command_gives(name):
    notes = EVERY[name].notes
    place, *fixed = notes["run"].split()
    top = parser_of(name.split()[0])
    parser = next(parser for parser in (top, *top.below()) if parser.prog == f"commonplace {name}")
    assert callable(function(notes.get("show", "show.text_of")))
    if not place.startswith("book."):
        assert list(inspect.signature(function(place)).parameters) == ["call"]
        return
    *holder, verb = place.removeprefix("book.").split(".")
    holders = {**aio.COLLECTIONS, "notebook": Notebook}
    signature = inspect.signature(getattr(holders[holder[0]] if holder else Commonplace, verb))
    signature.bind_partial(None, **parser.get_default("takes"), **dict.fromkeys(word.split("=")[0] for word in fixed))
    if "progress" in notes:
        assert "progress" in signature.parameters
