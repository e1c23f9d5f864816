"""Formats answers for a terminal or a file: plain lines, with colours on a terminal only."""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TextIO

from commonplace.context.render import author
from commonplace.interfaces.fields import other_fields
from commonplace.model import Hit, Memory, Receipt, Version
from commonplace.settings import colours_enabled

if TYPE_CHECKING:
    from commonplace.batches.report import Report

Columns = Mapping[str, Any]
"""The columns by heading; see ``Paper.cells``."""

STYLES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 36}
COLOUR_OF = {"verified": "green", "candidate": "yellow", "rejected": "red", "stale": "dim", "archived": "dim"}
MARGIN = 4
SHORT_ID = 18
READABLE = 36
"""Minimum width of the last column; other columns are omitted for it."""
SIMILAR = 0.4
"""Minimum score for meaning, of at most 0.5, of a relevant hit."""
FINDINGS = 50
"""Maximum number of listed findings."""
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PAINT = re.compile(r"\x1b\[[0-9]+m")


@dataclass(frozen=True, slots=True)
class Paper:
    """The output: its width (None: unlimited), colours, and time zone."""

    width: int | None
    colours: bool
    zone: tzinfo | None

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colours and text else text

    def time(self, moment: datetime | None) -> str:
        return "" if moment is None else f"{moment.astimezone(self.zone):%Y-%m-%d %H:%M}"

    def second(self, moment: datetime | None) -> str:
        return "" if moment is None else f"{moment.astimezone(self.zone):%Y-%m-%d %H:%M:%S}"

    def day(self, moment: datetime | None) -> str:
        return "" if moment is None else f"{moment.astimezone(self.zone):%Y-%m-%d}"

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[object]], *, spare: Sequence[str] = ()
    ) -> Iterator[str]:
        """Align the columns. On a terminal the last one is cut; if too little of it remains, ids are shortened first,
        then the columns in ``spare`` are omitted in that order.
        """
        table = [list(heads), *([_line(cell) for cell in row] for row in rows)]
        if len(table) == 1:
            yield self.paint("Nothing to show.", "dim")
            return
        table, missing = self._fitted(table, spare)
        widths = _widths(table)
        for number, row in enumerate(table):
            line = "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            yield self.paint(self.cut(line), "bold") if number == 0 else self.cut(line)
        if missing:
            yield self.paint(self.cut(f"Left out to fit the terminal: {', '.join(missing)}"), "dim")

    def _fitted(self, table: list[list[str]], spare: Sequence[str]) -> tuple[list[list[str]], list[str]]:
        """The part that fits the terminal, and the names of the omitted columns."""
        missing: list[str] = []
        if self._fits(table):
            return table, missing
        table = [[self.id(cell) for cell in row] for row in table]
        for name in spare:
            if self._fits(table):
                break
            at = table[0].index(name)
            table = [row[:at] + row[at + 1 :] for row in table]
            missing.append(name)
        return table, missing

    def _fits(self, table: Sequence[Sequence[str]]) -> bool:
        *others, last = _widths(table)
        return self.width is None or sum(others) + 2 * len(others) + min(last, READABLE) <= self.width

    def id(self, text: str) -> str:
        """On a terminal the shortened id, which is still unique; other text unchanged."""
        return text[:SHORT_ID] if self.width is not None and _ID.fullmatch(text) else text

    def joined(self, parts: Iterable[str], margin: int = 0) -> str:
        """The parts on one line, or on as many as the terminal needs."""
        lines = [""]
        for part in parts:
            longer = f"{lines[-1]} · {part}" if lines[-1] else part
            if lines[-1] and self.width is not None and margin + len(longer) > self.width:
                lines.append(part)
            else:
                lines[-1] = longer
        return ("\n" + " " * margin).join(lines)

    def more(
        self, rows: Sequence[object], limit: int, option: str | None = None, *, total: int | None = None
    ) -> Iterator[str]:
        """The last line of a list that may be incomplete."""
        if len(rows) >= limit and len(rows) != total:
            shown = f"{len(rows):,}" if total is None else f"{len(rows):,} of {total:,}"
            going_on = f"--limit N, or {option} with the last row" if option else "--limit N"
            yield self.paint(f"{shown} shown; for more use {going_on}", "dim")

    def cut(self, line: str) -> str:
        """Cut a line to the terminal's width; a line that is cut loses its colours."""
        plain = _PAINT.sub("", line)
        if self.width is None or len(plain) <= self.width:
            return line
        return plain[: max(self.width - 1, 1)] + "…"

    # Nouns

    def receipt(self, receipt: Receipt) -> Iterator[str]:
        state = "" if receipt.state == "done" else f", {receipt.state}"
        name = f"  receipt {receipt.ref}" if receipt.ref else ""
        yield self.paint(receipt.action.lower() + state, "bold") + self.paint(name, "dim")
        for change in receipt.changes:
            versions = f" (version {change.after})" if change.after and change.after > 1 else ""
            statement = f"  {change.statement}" if change.statement else ""
            yield self.cut(f"{change.action:6} {change.noun} {change.id}  {change.reason}{versions}{statement}")
        changed_ids = {change.id for change in receipt.changes}
        yield from (f"       {id}" for id in receipt.ids if id not in changed_ids)
        yield from (self.paint(f"note: {note}", "yellow") for note in receipt.notes)

    def hits(self, hits: Sequence[Hit], *, asked: bool = False, explain: bool = True) -> Iterator[str]:
        """Hits by rank; for a question (``asked``), a note if none is relevant."""
        if not hits:
            yield self.paint("Nothing relevant found.", "dim")
        elif asked and not any(map(_is_near, hits)):
            yield self.paint("Nothing relevant found. The nearest memories:", "dim")
        for number, hit in enumerate(hits, 1):
            score = [f"{hit.score:.3f}"] if hit.score else []  # without a question there is no relevance
            yield f"{number:>2}. {_indented(words(hit.memory))}"
            yield " " * MARGIN + self.paint(self.joined([*score, *self.about(hit.memory)], MARGIN), "dim")
            if explain:
                yield from self._why(hit)

    def about(self, memory: Memory) -> list[str]:
        """Everything but the text."""
        when = self.day(memory.turn.said_at if memory.turn else memory.valid_from or memory.recorded_at)
        who = memory.turn.speaker if memory.turn and memory.turn.speaker else author(memory)
        parts = [memory.kind, memory.category, memory.status, when, who, memory.namespace]
        if memory.kind == "episodic":
            del parts[1:3]
        if memory.directive:
            parts.append("of a directive")
        tags = " ".join(f"#{tag}" for tag in memory.tags)
        return [part for part in [*parts, tags, self.id(memory.id)] if part]

    def memory(self, memory: Memory) -> Iterator[str]:
        """Everything about one memory."""
        yield self.paint(words(memory), "bold")
        yield ""
        yield from self.facts(self._facts(memory))

    def facts(self, facts: Mapping[str, object]) -> Iterator[str]:
        visible = {name: value for name, value in facts.items() if value not in (None, "", (), [], {})}
        width = max(map(len, visible), default=0) + 2
        for name, value in visible.items():
            text = _line(value) if self.width is None else _folded(_line(value), self.width - width, " " * width)
            yield self.paint(f"{name:{width}}", "dim") + text

    def cells(self, row: object, columns: "Columns") -> dict[str, object]:
        """The value of each column: a function of the row, or its attribute (``subject.label``), with a format after a
        colon: ``day``, ``second``, ``on/off``, or one of Python's. Times are on the owner's clock.
        """
        return {head: self._cell(row, column) for head, column in columns.items()}

    def _cell(self, row: object, column: str | Callable[[Any], object]) -> object:
        if not isinstance(column, str):
            return column(row)
        name, _, form = column.partition(":")
        value = attrgetter(name)(row)
        if isinstance(value, datetime):
            return {"day": self.day, "second": self.second}.get(form, self.time)(value)
        if isinstance(value, tuple):
            return ", ".join(value)
        if "/" in form:
            return form.split("/")[0 if value else 1]
        return format(value, form) if form and value is not None else value

    def versions(self, versions: Sequence[Version], name_of: Callable[[str], str]) -> Iterator[str]:
        """The history of a memory; ``name_of`` converts an actor to a readable name."""
        for version in versions:
            memory = version.memory
            span = _span("known", self.second(version.recorded_at), self.second(version.superseded_at))
            true = _span("true", self.time(memory.valid_from), self.time(memory.valid_to))
            status = self.paint(memory.status, COLOUR_OF[memory.status])
            yield f"{self.paint(f'version {version.version}', 'bold')}  {status}  {_indented(memory.text)}"
            why = f": {version.reason}" if version.reason else ""
            act = f"{version.action.lower()} by {name_of(version.actor)}{why}"
            yield " " * MARGIN + self.paint(self.joined([act, *filter(None, (span, true))], MARGIN), "dim")

    def report(self, report: "Report") -> Iterator[str]:
        """What an act did or would do, its first findings, and how to undo it."""
        counts = ", ".join(f"{reason}: {number:,}" for reason, number in report.counts.items())
        would = "would " if report.dry_run else ""
        head = self.paint(f"{would}{report.action.lower()}: {report.count:,}", "bold")
        yield head + (f"  ({counts})" if counts else "")
        findings = report.findings[:FINDINGS]
        yield from (self.cut(f"  {finding.noun} {finding.id}  {finding.reason}") for finding in findings)
        if report.count > len(findings) > 0:
            yield self.paint(f"  … and {report.count - len(findings):,} more", "dim")
        yield from (self.paint(f"  {note}", "yellow") for note in report.notes)
        if report.receipt is not None:
            yield self.paint(f"  undo with `commonplace undo {report.receipt}`", "dim")

    def _why(self, hit: Hit) -> Iterator[str]:
        if hit.why is None:
            return
        pad = " " * MARGIN
        parts = " + ".join(f"{name} {value:.3f}" for name, value in hit.why.parts.items())
        yield self.paint(f"{pad}score: {parts}", "blue")
        lists = ", ".join(f"{name} (place {place:.0f})" for name, place in hit.why.lists.items())
        yield self.paint(f"{pad}found by: {lists or 'filter alone'}", "blue")
        if hit.why.terms:
            yield self.paint(f"{pad}words: {', '.join(hit.why.terms)}", "blue")
        for evidence_id in hit.why.evidence:
            quote = f" “{evidence_id.quote}”" if evidence_id.quote else ""
            yield self.paint(f"{pad}evidence: {evidence_id.episode}{quote}", "blue")

    def _facts(self, memory: Memory) -> dict[str, object]:
        turn = memory.turn
        return {
            "id": memory.id,
            "key": memory.key,
            "kind": memory.kind,
            "category": memory.category,
            "status": memory.status,
            "source": memory.source,
            "written by": author(memory) or memory.agent,
            "namespace": memory.namespace,
            "importance": f"{memory.importance:.2f}",
            "confidence": f"{memory.confidence:.2f}",
            "pinned": "yes" if memory.pinned else None,
            "tags": ", ".join(memory.tags),
            "metadata": dict(memory.metadata),
            "said": turn and f"{self.time(turn.said_at)} by {turn.speaker or turn.role}, turn {turn.position}",
            "session": turn and turn.session,
            "true from": self.time(memory.valid_from),
            "true to": self.time(memory.valid_to),
            "recorded": self.time(memory.recorded_at),
            "retired": self.time(memory.retired_at),
            "confirmed": self.time(memory.last_confirmed_at),
            "expires": self.time(memory.expires_at),
            "directive": memory.directive,
            "uses": memory.uses or None,
            "version": memory.version,
            **{name: value for name, value in other_fields(memory).items() if name not in ("pinned", "expires_at")},
        }


def text_of(paper: Paper, page: Any) -> list[str]:
    return [page.text] if page.text else []


def words(memory: Memory) -> str:
    """The text, with its key where it has one."""
    return f"{memory.key}: {memory.text}" if memory.key else memory.text


def _is_near(hit: Hit) -> bool:
    """Whether a hit shares words or meaning with the question; web/src/api/recall.ts uses the same rule."""
    why = hit.why
    return why is None or not {"words", "graph"}.isdisjoint(why.lists) or why.parts.get("meaning", 0) >= SIMILAR


def paper(stream: TextIO, zone: tzinfo | None) -> Paper:
    """The output settings of a stream: width and colours for a terminal, neither otherwise."""
    on_screen = stream.isatty()
    width = shutil.get_terminal_size().columns if on_screen else None
    return Paper(width=width, colours=on_screen and colours_enabled(), zone=zone)


def _widths(table: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*table, strict=True)]


def _line(value: object) -> str:
    return _harmless(" ".join(str(value if value is not None else "").split()))


def _folded(text: str, width: int, margin: str) -> str:
    """Wrap text between words into lines of at most ``width`` characters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return f"\n{margin}".join(lines)


def _indented(text: str) -> str:
    return ("\n" + " " * MARGIN).join(map(_harmless, text.splitlines() or [""]))


def _harmless(text: str) -> str:
    """Remove control sequences, as anybody may have written the text."""
    return "".join(letter if letter.isprintable() or letter == "\t" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _span(word: str, start: str, end: str) -> str:
    """The period: "true since …"; empty if unknown."""
    if start and end:
        return f"{word} {start} to {end}"
    return f"{word} since {start}" if start else f"{word} until {end}" if end else ""
