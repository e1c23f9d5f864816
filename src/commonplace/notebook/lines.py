"""The notebook's Markdown: blocks with text, day and kind; decision tables. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from commonplace.notebook import grammar
from commonplace.text.normal import normal

_CATEGORIES = (
    ("context", "note task next blocker state done tried session"),
    ("error", "failed"),
    ("lesson", "fixed"),
    ("decision", "decision architecture"),
    ("correction", "correction"),
    ("context", "priority"),
    ("fact", "name value"),
    ("preference", "preference"),
    ("routine", "routine"),
    ("lesson", "lesson"),
)
KINDS: dict[str, str] = {kind: category for category, kinds in _CATEGORIES for kind in kinds.split()}
"""The kinds of lines, with the category of their memories."""

LOG_KINDS = ("done", "tried", "failed", "fixed", "session")
"""What happened: stored as episodes, not as statements."""
PASSING_KINDS = (*LOG_KINDS, "state", "next", "blocker")
"""Lines about the present moment: read from the files but never stored as memories."""

FILE, LINE, KIND = "notebook", "line", "note"
"""Keys in a memory's metadata: its file, its original line, and its kind."""
PROTOCOL = "Session protocol"
DECISIONS = "Decisions"
NESTED = 2
"""Minimum indentation of a nested bullet."""
_KIND = "|".join(KINDS)
_BULLET = re.compile(
    r"^(?P<indent>\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[(?P<box>[ xX])\]\s+)?(?:(?P<day>\d{4}-\d\d-\d\d)[ T]*)?"
    rf"(?:(?P<time>\d\d:\d\d)\s+)?(?:(?P<kind>{_KIND}):\s+)?(?P<text>.*)$"
)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_SEPARATOR = re.compile(r"^(?=.*\|)\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_COLUMNS: tuple[grammar.Form, ...] = ("column date", "column decision", "column rationale")
_MARK = re.compile(r"^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?$")


@dataclass(frozen=True, slots=True)
class Block:
    """A bullet with what is nested below it, a row of a table, or a paragraph."""

    line: int
    """Its first line, counted from 1."""
    last: int
    text: str
    """Without bullet, checkbox, time and kind, on one line."""
    section: str = ""
    kind: str | None = None
    day: date | None = None
    time: str | None = None
    done: bool | None = None
    """Whether the checkbox is ticked; None without one."""
    reason: str = ""
    """In a decision table: the cell with the rationale."""

    @property
    def wholes(self) -> tuple[str, ...]:
        """Its text, and for a row with a reason also both as one sentence."""
        reason = self.reason
        return (self.text, f"{self.text} {reason}", f"{self.text}, {reason}") if reason else (self.text,)

    def says(self, text: str) -> bool:
        return normal(text) in map(normal, self.wholes)

    @property
    def stamped(self) -> bool:
        """Whether it has the format that we write: a kind and a time."""
        return self.kind is not None and self.time is not None

    @property
    def passing(self) -> bool:
        """Whether it is one of our lines about the present moment, such as a log line."""
        return self.stamped and self.kind in PASSING_KINDS


def entry(kind: str, text: str, at: datetime, *, dated: bool) -> str:
    """A line in our format; a log has the day in its file name."""
    when = f"{at:%Y-%m-%d %H:%M}" if dated else f"{at:%H:%M}"
    return f"- {when} {kind}: {one_line(text)}"


def todo(text: str, *, done: bool = False) -> str:
    return f"- [{'x' if done else ' '}] {one_line(text)}"


def one_line(text: str) -> str:
    return " ".join(text.split())


def cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """The columns of a decision table, and its last row (counted from 0)."""

    date_at: int
    decision_at: int
    rationale_at: int | None
    columns: int
    last: int = 0

    def row(self, day: date, text: str, reason: str) -> str:
        """A row in the table's own order of columns."""
        cells = [""] * self.columns
        cells[self.date_at], cells[self.decision_at] = str(day), cell(text)
        if self.rationale_at is not None:
            cells[self.rationale_at] = cell(reason)
        elif reason:
            cells[self.decision_at] = cell(f"{text} ({reason})")
        return f"| {' | '.join(cells)} |"


def decision_table(text: str) -> DecisionTable | None:
    """The first table with a date and a decision column, under any heading; None if there is none."""
    lines = text.split("\n")
    rows = _rows(lines)
    for number in sorted(rows):
        table = _table(lines, number)
        if table is not None:
            last = number
            while last + 1 in rows:
                last += 1
            return replace(table, last=last)
    return None


def blocks(text: str) -> list[Block]:
    """The blocks of a file in order, without headings, code, comments and conflict markers."""
    return list(_blocks(text.split("\n")))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    section = ""
    open_block: Block | None = None
    skipping = ""
    table: DecisionTable | None = None
    rows = _rows(lines)
    for number, line in enumerate(lines, 1):
        plain = line.strip()
        if skipping:
            skipping = "" if skipping in plain else skipping
            continue
        fence, heading = _FENCE.match(plain), _HEADING.match(line)
        # the end of the skipped part, if one begins here
        skipping = fence[1] if fence else "-->" if plain.startswith("<!--") and "-->" not in plain else ""
        is_row = number - 1 in rows
        table = (_table(lines, number - 1) or table) if is_row else None
        if skipping or heading or is_row or not plain or plain.startswith("<!--") or _MARK.match(plain):
            if open_block:
                yield open_block
            open_block = None
            section = heading[1] if heading else section
            if is_row:
                yield from _row(lines, number, section, table)
            continue
        bullet = _BULLET.match(line)
        if open_block and not (bullet and len(bullet["indent"]) < NESTED):
            open_block = replace(open_block, text=f"{open_block.text} {plain}", last=number)
            continue
        if open_block:
            yield open_block
        open_block = Block(number, number, plain, section)
        if bullet:
            done = None if bullet["box"] is None else bullet["box"] != " "
            kind, day, time = bullet["kind"], _date(bullet["day"]), bullet["time"]
            open_block = Block(number, number, one_line(bullet["text"]), section, kind, day, time, done)
    if open_block:
        yield open_block


def _table(lines: Sequence[str], number: int) -> DecisionTable | None:
    """The decision table whose header is line ``number`` (from 0)."""
    if number + 1 >= len(lines) or not _SEPARATOR.match(lines[number + 1]):
        return None
    cells = _cells(lines[number])
    columns: list[int | None] = []
    for form in _COLUMNS:
        free = ["" if at in columns else cell for at, cell in enumerate(cells)]
        columns.append(_column(free, grammar.compiled(form)))
    date_at, decision_at, rationale_at = columns
    if date_at is None or decision_at is None:
        return None
    return DecisionTable(date_at, decision_at, rationale_at, len(cells))


def _rows(lines: Sequence[str]) -> set[int]:
    """The numbers (from 0) of the lines of tables, with outer pipes or without."""
    rows = {number for number, line in enumerate(lines) if line.lstrip().startswith("|")}
    for number, line in enumerate(lines):
        if number and number not in rows and "|" in lines[number - 1] and "|" in line and _SEPARATOR.match(line):
            rows.add(number - 1)
            while number < len(lines) and "|" in lines[number]:
                rows.add(number)
                number += 1
    return rows


def _column(cells: Sequence[str], pattern: re.Pattern[str]) -> int | None:
    """The column with exactly that name, else the first whose name contains the word: "What we decided"."""
    names = [name.strip("*_ ") for name in cells]
    whole = [number for number, name in enumerate(names) if pattern.fullmatch(name)]
    part = [number for number, name in enumerate(names) if len(name) and pattern.search(name)]
    return next(iter((*whole, *part)), None)


def _cells(line: str) -> tuple[str, ...]:
    parts = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return tuple(part.strip().replace("\\|", "|") for part in parts)


def _row(lines: Sequence[str], number: int, section: str, table: DecisionTable | None) -> Iterator[Block]:
    """A row of a table, unless it is the header or the rule below it."""
    line = lines[number - 1]
    below = lines[number] if number < len(lines) else ""
    if _SEPARATOR.match(line) or _SEPARATOR.match(below):
        return
    cells = _cells(line)
    date_at, text_at, reason_at = (table.date_at, table.decision_at, table.rationale_at) if table else (0, 1, 2)
    day = _date(_cell(cells, date_at))
    # in a decision table dates may be informal: "5 Jan 2026"
    dated = bool(_cell(cells, date_at) if table else day) and bool(_cell(cells, text_at))
    text = _cell(cells, text_at) if dated else " | ".join(part for part in cells if part)
    if text:
        kind = "decision" if table and dated else None
        reason = _cell(cells, reason_at) if dated else ""
        yield Block(number, number, one_line(text), section, kind=kind, day=day, reason=reason)


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at] if at is not None and at < len(cells) else ""


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None
