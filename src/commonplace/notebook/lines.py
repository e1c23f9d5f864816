"""The grammar of the notebook's Markdown: what a line says, when and as what; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from commonplace.text.normal import normal

KINDS: dict[str, str] = {
    "note": "context",
    "task": "context",
    "next": "context",
    "blocker": "context",
    "state": "context",
    "done": "context",
    "tried": "context",
    "session": "context",
    "failed": "error",
    "fixed": "lesson",
    "decision": "decision",
    "architecture": "decision",
    "correction": "correction",
    "priority": "context",
    "name": "fact",
    "value": "fact",
    "preference": "preference",
    "routine": "routine",
    "lesson": "lesson",
}
"""What a line may be marked as, and the category of the memory that it is."""

FILE, LINE, KIND = "notebook", "line", "note"
"""Names in a memory's metadata: its file, the line it was written at, and what it was marked as."""
PROTOCOL = "Session protocol"
DECISIONS = "Decisions"
NESTED = 2
"""Spaces before a bullet that belongs to the one above."""
_KIND = "|".join(KINDS)
_BULLET = re.compile(
    r"^(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?(?:(?P<day>\d{4}-\d\d-\d\d)[ T]*)?"
    rf"(?:(?P<time>\d\d:\d\d)\s+)?(?:(?P<kind>{_KIND}):\s+)?(?P<text>.*)$"
)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_SEPARATOR = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_MARK = re.compile(r"^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?$")


@dataclass(frozen=True, slots=True)
class Block:
    """One thing that a file says: a bullet with what is indented under it, a row of a table, a paragraph."""

    line: int
    """Its first line, counted from 1."""
    last: int
    text: str
    """What it says, without bullet, box, time and kind, on one line."""
    section: str = ""
    kind: str | None = None
    day: date | None = None
    time: str | None = None
    done: bool | None = None
    """Whether the box is ticked; None where there is none."""
    cells: tuple[str, ...] = ()

    @property
    def wholes(self) -> tuple[str, ...]:
        """What it says, and, where a row has its reason in a cell of its own, the two as one sentence."""
        reason = self.cells[2] if self.day and len(self.cells) > 2 else ""
        return (self.text, f"{self.text} {reason}", f"{self.text}, {reason}") if reason else (self.text,)

    def says(self, text: str) -> bool:
        wanted = normal(text)
        return any(normal(one) == wanted for one in self.wholes)

    @property
    def stamped(self) -> bool:
        """Whether it has the shape of what we write: a kind and a time."""
        return self.kind is not None and self.time is not None


def entry(kind: str, text: str, at: datetime, *, dated: bool) -> str:
    """A line as we write it; a log says the day by its name."""
    when = f"{at:%Y-%m-%d %H:%M}" if dated else f"{at:%H:%M}"
    return f"- {when} {kind}: {one_line(text)}"


def todo(text: str, *, done: bool = False) -> str:
    return f"- [{'x' if done else ' '}] {one_line(text)}"


def one_line(text: str) -> str:
    return " ".join(text.split())


def cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")


def blocks(text: str) -> list[Block]:
    """Everything that a file says, in its order. Headings, code, comments and the marks of a merge are left out."""
    return list(_blocks(text.split("\n")))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    section = ""
    held: Block | None = None
    skipping = ""
    for number, line in enumerate(lines, 1):
        plain = line.strip()
        if skipping:
            skipping = "" if skipping in plain else skipping
            continue
        skipping = _skipped(plain)
        heading = _HEADING.match(line)
        if skipping or heading or _says_nothing(plain) or plain.startswith("|"):
            if held:
                yield held
            held = None
            section = heading[1] if heading else section
            if plain.startswith("|"):
                yield from _row(lines, number, section)
            continue
        bullet = _BULLET.match(line)
        if held and not (bullet and len(bullet["indent"]) < NESTED):
            held = replace(held, text=f"{held.text} {plain}", last=number)
            continue
        if held:
            yield held
        held = _bullet(bullet, number, section) if bullet else Block(number, number, plain, section)
    if held:
        yield held


def _skipped(plain: str) -> str:
    """What ends a stretch that is not read, if one begins here."""
    fence = _FENCE.match(plain)
    if fence:
        return fence[1]
    return "-->" if plain.startswith("<!--") and "-->" not in plain else ""


def _says_nothing(plain: str) -> bool:
    return not plain or plain.startswith("<!--") or bool(_MARK.match(plain))


def _bullet(found: re.Match[str], number: int, section: str) -> Block:
    return Block(
        line=number,
        last=number,
        text=one_line(found["text"]),
        section=section,
        kind=found["kind"],
        day=_date(found["day"]),
        time=found["time"],
        done=None if found["box"] is None else found["box"] != " ",
    )


def _row(lines: Sequence[str], number: int, section: str) -> Iterator[Block]:
    """A row of a table, unless it is its head or the rule below the head."""
    line = lines[number - 1]
    below = lines[number] if number < len(lines) else ""
    if _SEPARATOR.match(line) or _SEPARATOR.match(below):
        return
    cells = tuple(one.strip().replace("\\|", "|") for one in re.split(r"(?<!\\)\|", line.strip().strip("|")))
    day = _date(cells[0])
    dated = day is not None and len(cells) > 1
    text = cells[1] if dated else " | ".join(one for one in cells if one)
    if text:
        kind = "decision" if section == DECISIONS and dated else None
        yield Block(number, number, one_line(text), section, kind=kind, day=day, cells=cells)


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None
