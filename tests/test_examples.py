"""Every example of the README and the docs is run, each page from top to bottom in a folder and a book of its own.

A ``python`` block is executed; the blocks of a page share their names. In a ``console`` block each ``$ `` line is run
by the installed commands, and the lines below it are what it prints, where ``…`` stands for anything. A block that
cannot run says why in its first line: ```` ```python no-run: needs a model key ````.
"""

import argparse
import importlib
import io
import os
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

import commonplace
from commonplace.interfaces.cli import dispatch
from commonplace.interfaces.cli.commands import ALIASES
from commonplace.interfaces.cli.commands import COMMANDS as CLI

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
COMMANDS = {"commonplace": "commonplace.interfaces.cli", "cpl": "commonplace.interfaces.cli"}
COMMANDS["commonplace-hook"] = "commonplace.interfaces.hooks"
PACKAGE = Path(commonplace.__path__[0])
READY = (PACKAGE / "aio.py").exists() and any((PACKAGE / "interfaces/cli").glob("*.py"))

_FENCE = re.compile(r"^```(\w+)[ \t]*([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    mark: str
    code: str


def blocks(path: Path) -> list[Block]:
    text = path.read_text("utf-8")
    return [
        Block(path.name, text.count("\n", 0, found.start()) + 1, *(part.strip("\n") for part in found.groups()))
        for found in _FENCE.finditer(text)
        if found[1] in ("python", "console")
    ]


def runnable(path: Path) -> list[Block]:
    return [block for block in blocks(path) if not block.mark.startswith("no-run")]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, a book in it, and nothing of the machine's own settings."""
    for name in [name for name in os.environ if name.startswith("COMMONPLACE_")]:
        monkeypatch.delenv(name)
    (tmp_path / "work").mkdir()
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMMONPLACE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def run_python(block: Block, names: dict[str, object]) -> None:
    code = "\n" * block.line + block.code
    exec(compile(code, f"{block.page} (example)", "exec"), names)


def run_console(block: Block) -> None:
    for command, expected in sessions(block.code):
        code, printed = ran(shlex.split(command))
        said = f"{block.page}:{block.line}: $ {command}\n{printed}"
        assert code == 0 or "exit code" in block.mark, said
        assert fits(expected, printed), f"{said}\n--- the page says ---\n{expected}"


def ran(words: list[str]) -> tuple[int, str]:
    """Exit code and output of a command, in this process: a page of a hundred would start Python a hundred times."""
    assert words[0] in COMMANDS, f"an example may run {', '.join(COMMANDS)}, not {words[0]}"
    main = importlib.import_module(COMMANDS[words[0]]).main
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", words)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    return int(code or 0), printed.getvalue()


def sessions(code: str) -> list[tuple[str, str]]:
    """Each command of a console block, with what the page says it prints."""
    parts = re.split(r"^\$ ", code, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block begins with a `$ ` line"
    pairs = [part.replace("\\\n", " ").partition("\n") for part in parts[1:]]
    return [(command.split("  #")[0].strip(), expected.strip()) for command, _, expected in pairs]


def fits(expected: str, printed: str) -> bool:
    """Whether the promised lines are printed, in order; ``…`` is anything, and spacing does not count."""
    if not expected:
        return True
    wanted = r"\s+".join(re.escape(word).replace("…", ".*?") for word in expected.split())
    return re.search(wanted, printed, re.DOTALL) is not None


@pytest.mark.one_engine("the pages' examples open the book of a fresh home")
@pytest.mark.parametrize("path", [page for page in PAGES if runnable(page)], ids=lambda path: path.name)
def test_the_examples_of_a_page_run(path, place):
    names: dict[str, object] = {"__name__": "example"}
    for block in runnable(path):
        if not READY and ("Commonplace" in block.code or block.language == "console"):
            pytest.skip("the book and the CLI are not written yet")
        if block.language == "python":
            run_python(block, names)
        else:
            run_console(block)


def test_whatever_is_not_run_says_why():
    silent = [
        f"{block.page}:{block.line}"
        for path in PAGES
        for block in blocks(path)
        if block.mark and not re.match(r"(no-run: \w.{9,}|exit code \d)", block.mark)
    ]
    assert silent == []


def test_there_are_examples_to_run():
    assert any(runnable(path) for path in PAGES)


def test_the_reader_of_examples_can_fail():
    assert fits("a … c", "a b\nc") and fits("one  two", "zero one two")
    assert not fits("a … c", "a b d") and not fits("two one", "one two")
    with pytest.raises(ZeroDivisionError):
        run_python(Block("x.md", 1, "python", "", "1 / 0"), {})
    assert sessions("$ commonplace a 'b'  # why\nout\n$ commonplace c\n") == [
        ("commonplace a 'b'", "out"),
        ("commonplace c", ""),
    ]


@pytest.mark.one_engine("the README opens the own book of a person")
def test_the_readme_can_be_run_any_number_of_times(place):
    for _ in range(3):
        names: dict[str, object] = {"__name__": "__main__"}
        for block in runnable(ROOT / "README.md"):
            if block.language == "python":
                run_python(block, names)


MENTION = re.compile(r"^\$ ((?:commonplace|cpl) .*)$|(?<!`)`((?:commonplace|cpl) [^`|]+)`(?!`)", re.MULTILINE)


@pytest.mark.parametrize("path", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda path: path.stem)
def test_every_command_and_option_that_a_page_mentions_exists(path):
    """Also in blocks that are not run and inside sentences; what stands for a value is not looked at."""
    for found in MENTION.finditer(path.read_text("utf-8")):
        words = shlex.split(re.sub(r"\s+", " ", found[1] or found[2]).replace("…", ""))[1:]
        assert unknown(words) is None, f"{path.name}: {found[0]}: {unknown(words)}"


def test_the_check_of_commands_notices_what_does_not_exist():
    assert unknown(["forgett", "@"]) == "forgett"
    assert unknown(["copy", "--to", "x"]) == "--to"
    assert unknown(["review", "aprove", "ID"]) == "aprove"
    assert unknown(["--json", "review", "approve", "ID"]) is None


def unknown(words: list[str]) -> str | None:
    """The first word that is no command or option."""
    while words and words[0] in dispatch.OPTIONS:
        words = words[2 if dispatch.OPTIONS[words[0]] else 1 :]
    if not words or words[0] in ("--help", "--version", "help", "COMMAND"):
        return None
    name = ALIASES.get(words[0], words[0])
    if name not in CLI:
        return words[0]
    parsers: list[argparse.ArgumentParser] = [dispatch.parser_of(name)]
    words = words[1:]
    while below := [action for action in parsers[-1]._actions if isinstance(action, argparse._SubParsersAction)]:
        if not words or words[0].startswith("-") or not words[0].islower():
            break
        if words[0] not in below[0].choices:
            return words[0]
        parsers.append(below[0].choices[words[0]])
        words = words[1:]
    options = {option for parser in parsers for action in parser._actions for option in action.option_strings}
    wrong = (word for word in words if word.startswith("--") and word.partition("=")[0] not in options | {"--help"})
    return next(wrong, None)
