"""Compares shell commands of an agent: whether two run the same thing. Pure, and fast to import."""

import re

MAX_WORDS = 3
_LINE = re.compile(r"^(?P<tool>\S+): (?P<command>.*?)(?: works now)?(?:: \d+ \w.*)?$")
_WORD = re.compile(r"[A-Za-z][\w:-]*")
_SKIPPED = re.compile(r"^(?:\s*(?:cd|export|source)\s[^;&|]*(?:&&|;)|\s*\w+=\S+\s)+")


def same_run(failed: str, line: str) -> bool:
    """Whether a later log line is a run of the same program, with the same targets or all of them.

    A line is "Bash: npx vitest run tests/a.ts: 2 failed". Another program or target tells nothing about it.
    """
    before, after = _parts(failed), _parts(line)
    return before[:2] == after[:2] and bool(before[1]) and (before[2] == after[2] or not after[2])


def _parts(line: str) -> tuple[str, tuple[str, ...], frozenset[str]]:
    """Tool, program with its subcommands, and targets; flags and everything after a pipe are ignored."""
    match = _LINE.match(line)
    if match is None:
        return "", (), frozenset()
    words = re.split(r"\s(?:\||&&|\|\||;|2>|>)", _SKIPPED.sub("", match["command"]), maxsplit=1)[0].split()
    program: list[str] = []
    while words and len(program) < MAX_WORDS and _WORD.fullmatch(words[0]):
        program.append(words.pop(0))
    targets = frozenset(word for word in words if not word.startswith("-"))
    return match["tool"], tuple(program), targets
