"""From the typed words to one command and an exit code. Imports the chosen command and nothing else."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.commands import ALIASES, COMMANDS, SUGGESTED
from commonplace.lazy import LazyModule

if TYPE_CHECKING:
    from commonplace.interfaces.cli import arguments, parsing, running, version
    from commonplace.interfaces.cli.parsing import Parser
else:  # loaded when first used
    arguments = LazyModule("commonplace.interfaces.cli.arguments")
    parsing = LazyModule("commonplace.interfaces.cli.parsing")
    running = LazyModule("commonplace.interfaces.cli.running")
    version = LazyModule("commonplace.interfaces.cli.version")

USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
NEAR = 0.35
"""Minimum similarity of a suggested command."""
OPTIONS = {"--url": True, "--owner": True, "--namespace": True, "--home": True, "--json": False}
"""The options of every command, before or after its name; whether a value follows."""

HELP = """\
usage: commonplace COMMAND [ARGUMENT …]

The memory that AI agents keep between conversations.
"""
FOOT = """
Options of every command:
  --json            print JSON instead of text
  --namespace NAME  the workspace (default: from the repository)
  --owner NAME      whose memories these are
  --url URL         the book: sqlite:///path, postgresql://… or https://…
  --home FOLDER     folder of the book, its keys and sockets

`commonplace COMMAND --help` explains a command. A text of `-` is read from standard
input. An id may be shortened to its first characters; `@` is the memory of the
latest change, `@2` of the one before. Also: add, search, delete, edit, show.
"""


STARTS = {
    "tour": "see what it does, on a temporary book",
    "init": "connect the coding agent of this project",
    "serve": "open the web page and the REST API",
    "import": "bring memories along: commonplace import FILE",
}
GUIDE = """\
Commonplace: the memory that AI agents keep between conversations.

{starts}

Or try it at once:
  commonplace remember "I take trains"
  commonplace recall "how do I travel"

`commonplace --help` lists all commands; `commonplace COMMAND --help` explains one.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; docs/cli.md has the table of exit codes."""
    words = list(sys.argv[1:] if argv is None else argv)
    for stream, errors in ((sys.stdin, "strict"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (a closed pipe). Python would complain again when it flushes at the end.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _dispatch(words: list[str]) -> int:
    leading, remaining = _leading(words)
    if not remaining:
        return _start(leading)
    if remaining[0] in ("-h", "--help"):
        print(overview(), end="")
        return 0
    name = ALIASES.get(remaining[0], remaining[0])
    if name in ("--version", "version"):
        print(version.text())
        return 0
    if name == "help":
        name, remaining = (remaining[1], [remaining[1], "--help"]) if len(remaining) > 1 else ("", remaining)
        name = ALIASES.get(name, name)
        if not name:
            print(overview(), end="")
            return 0
    if name not in COMMANDS:
        from difflib import get_close_matches

        meant = {synonym: command for command, synonyms in SUGGESTED.items() for synonym in synonyms.split()}
        spelled = [name] if name in meant else get_close_matches(name, [*COMMANDS, *ALIASES, *meant], n=2, cutoff=0.75)
        suggestions = list(dict.fromkeys(meant.get(word, word) for word in spelled)) or _similar(name)
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else "; `commonplace --help` lists them"
        return running.complain(f"unknown command {name!r}{hint}", USAGE, as_json=running.wants_json(words))
    parser = parser_of(name)
    return running.run(parser, [*leading, *_with_list(parser, remaining[1:])])


def _start(leading: list[str]) -> int:
    """Show the guide; on a terminal its commands can be started by their number."""
    lines = [f"  {number}  commonplace {name:8}{help}" for number, (name, help) in enumerate(STARTS.items(), 1)]
    print(GUIDE.format(starts="\n".join(lines)), end="")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return 0
    try:
        number = input(f"\nNumber to start with (1-{len(STARTS)}), or Enter to leave: ").strip()
        if not number.isdecimal() or not 1 <= int(number) <= len(STARTS):
            return 0
        name = list(STARTS)[int(number) - 1]
        return _dispatch([*leading, name, *([input("File to import: ").strip()] if name == "import" else [])])
    except EOFError:
        return 0


def parser_of(name: str) -> "Parser":
    """The parser of a command, with everything below it."""
    parser = parsing.Parser(prog=f"commonplace {name}", description=arguments.sentence(COMMANDS[name].help))
    arguments.define(parser, name)
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
    """The shared options before the command, and the rest."""
    at = 0
    while at < len(words) and words[at].partition("=")[0] in OPTIONS:
        takes = OPTIONS[words[at].partition("=")[0]] and "=" not in words[at]
        at += 2 if takes else 1
    return words[:at], words[at:]


def _with_list(parser: "Parser", words: list[str]) -> list[str]:
    """A group of commands that is called without a subcommand runs `list`."""
    shared, rest = _leading(words)
    named = rest and (not rest[0].startswith("-") or rest[0] in ("-h", "--help"))
    return words if named or not parser.lists else [*shared, "list", *rest]


def _similar(name: str) -> list[str]:
    """The most similar command, by name or help; none if none is similar."""
    from commonplace.providers.embed.static import StaticEmbedder

    names = list(COMMANDS)
    vectors = StaticEmbedder().embed([name.replace("-", " "), *names, *(COMMANDS[command].help for command in names)])
    similarities = vectors[1:] @ vectors[0]
    best = int(similarities.argmax())
    return [names[best % len(names)]] if similarities[best] >= NEAR else []
