"""From what was typed to one command and an exit code. Imports the chosen command and nothing else."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from commonplace.interfaces.cli.commands import COMMANDS

if TYPE_CHECKING:
    from commonplace.interfaces.cli.parsing import Parser

USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
OPTIONS = {"--url": True, "--owner": True, "--namespace": True, "--home": True, "--json": False}
"""What every command takes, before or after its name; whether a value follows."""

HELP = """\
usage: commonplace COMMAND [ARGUMENT …]

The memory that AI agents keep between conversations.
"""
FOOT = """
Options of every command:
  --json            print JSON instead of text
  --namespace NAME  the workspace; otherwise the repository decides
  --owner NAME      whose memories these are
  --url URL         the book: sqlite:///path or postgresql://…
  --home FOLDER     where the own book, its keys and sockets are

`commonplace COMMAND --help` says more. A text of `-` is read from standard input;
an id of `@` is what the latest receipt is about, `@2` the one before it.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says how it ended (docs/cli.md has the table)."""
    words = list(sys.argv[1:] if argv is None else argv)
    _speak_utf8()
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _unheard()


def _dispatch(words: list[str]) -> int:
    leading, rest = _leading(words)
    if not rest or rest[0] in ("-h", "--help"):
        print(overview(), end="")
        return 0 if rest else USAGE
    name = rest[0]
    if name == "--version":
        print(_version())
        return 0
    if name == "help":
        name, rest = (rest[1], [rest[1], "--help"]) if len(rest) > 1 else ("", rest)
        if not name:
            print(overview(), end="")
            return 0
    if name not in COMMANDS:
        return _unknown(name, words)
    # argparse and the errors of the book: help needs neither
    from commonplace.interfaces.cli.running import run

    return run(parser_of(name), [*leading, *rest[1:]])


def parser_of(name: str) -> "Parser":
    """The parser of a command, with everything below it."""
    from commonplace.interfaces.cli.parsing import Parser

    command = COMMANDS[name]
    parser = Parser(prog=f"commonplace {name}", description=_sentence(command.help))
    _function(command.place)(parser)
    return parser


def overview() -> str:
    """The commands by group, and the options they share."""
    groups: dict[str, list[str]] = {}
    width = max(map(len, COMMANDS)) + 2
    for name, command in COMMANDS.items():
        groups.setdefault(command.group, []).append(f"  {name:{width}}{command.help}")
    parts = (f"\n{group}:\n" + "\n".join(lines) + "\n" for group, lines in groups.items())
    return HELP + "".join(parts) + FOOT


def _leading(words: list[str]) -> tuple[list[str], list[str]]:
    """The shared options that stand before the command, and the rest."""
    at = 0
    while at < len(words) and words[at].partition("=")[0] in OPTIONS:
        takes = OPTIONS[words[at].partition("=")[0]] and "=" not in words[at]
        at += 2 if takes else 1
    return words[:at], words[at:]


def _function(place: str) -> Any:
    file, _, function = place.partition(":")
    return getattr(import_module(file if "." in file else f"commonplace.interfaces.cli.{file}"), function)


def _sentence(help: str) -> str:
    return help[0].upper() + help[1:] + "."


def _unknown(name: str, words: list[str]) -> int:
    from difflib import get_close_matches

    from commonplace.interfaces.cli.running import complain, wants_json

    near = get_close_matches(name, COMMANDS, n=2)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; `commonplace --help` lists them"
    return complain(f"there is no command {name!r}{hint}", USAGE, as_json=wants_json(words))


def _version() -> str:
    from commonplace import __version__

    return f"commonplace {__version__}"


def _speak_utf8() -> None:
    # Windows consoles and pipes have encodings of their own; an odd character must not end a command.
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def _unheard() -> int:
    """Whoever read our output has gone. Python would complain once more when it flushes at the end."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
