"""Proposes an edit that moves decisions from logs and buffer to long-term memory. Never changes what was written by
hand.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from commonplace.errors import Refused
from commonplace.notebook import grammar
from commonplace.notebook.corrections import affirmed
from commonplace.notebook.lines import DECISIONS, Block, DecisionTable, blocks, decision_table
from commonplace.notebook.mentions import Edit
from commonplace.notebook.pages import Pages
from commonplace.notebook.recovery import Shown
from commonplace.notebook.template import long_term
from commonplace.text.normal import normal

DECIDED = ("decision", "architecture")
FINISHED = ("done", "session", "state")
HEAD = ("| Date | Decision | Rationale |", "|---|---|---|")
NEW_TABLE = DecisionTable(date_at=0, decision_at=1, rationale_at=2, columns=3)


@dataclass(frozen=True, slots=True)
class DistilledDecision:
    """A row of the decision table."""

    day: date
    text: str
    rationale: str = ""
    said: str = ""
    """The original wording of the note, by which the book knows it."""

    @property
    def reworded(self) -> bool:
        """Whether the row's wording differs from the note's."""
        wholes = (self.text, f"{self.text} {self.rationale}", f"{self.text}, {self.rationale}")
        return bool(self.said) and normal(self.said) not in map(normal, wholes)


Improve = Callable[[Sequence[DistilledDecision]], Sequence[DistilledDecision]]
"""Improves decisions with a model: better wording, or a rationale from elsewhere in the log."""
Reword = Callable[[Sequence[tuple[str, str]], Sequence[str]], Sequence[tuple[str, str]]]
"""From decisions with their reasons, and the lines of the log, to the same decisions; raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """The proposed changes, to be written once confirmed."""

    edits: tuple[Edit, ...]
    decisions: tuple[DistilledDecision, ...]
    folded: int
    """Number of repeated lines that were merged."""
    word: str | None = None
    """Why the rules made this proposal, if a model was to help and failed."""

    @property
    def diff(self) -> str:
        return "\n".join(edit.diff for edit in self.edits)

    @property
    def empty(self) -> bool:
        return not self.edits


@dataclass(frozen=True, slots=True)
class KnownLines:
    """What the book knows about the files' lines."""

    allow: Shown
    """Filters out what was forgotten or corrected since."""
    ours: Callable[[Block], bool]
    """Whether we wrote a line."""
    decides: Callable[[Block], bool]
    """Whether a correction corrected a decision."""
    settled: Callable[[Block], bool]
    """Whether the table has the decision in other words."""


def distil(pages: Pages, known: KnownLines, improve: Improve | None = None) -> Distillation:
    """Move decisions of logs and buffer to the table; remove finished lines and duplicates from the buffer.

    Lines that people wrote stay unchanged, and so do the logs.
    """
    paths, today = pages.paths, pages.today()
    memory = pages.read(paths.long_term).text
    buffer = pages.read(paths.buffer).text
    noted = blocks(buffer)
    logged = _logged(pages)
    fresh = undistilled(pages, known)
    if improve is not None and fresh:
        fresh = list(improve(fresh))
    after = with_rows(memory or long_term(paths.root.name), fresh) if fresh else memory
    buffer_after, folded = _buffer(buffer, noted, logged, blocks(after), today, known)
    files = (paths.long_term, memory, after), (paths.buffer, buffer, buffer_after)
    edits = tuple(Edit(paths.name(path), before, later) for path, before, later in files if before != later)
    return Distillation(edits, tuple(fresh), folded)


def with_rows(text: str, decisions: Sequence[DistilledDecision]) -> str:
    """The text with rows appended to its decision table, which is created if missing."""
    lines = text.split("\n")
    table = decision_table(text)
    if table is not None:
        rows = [table.row(decision.day, decision.text, decision.rationale) for decision in decisions]
        return "\n".join([*lines[: table.last + 1], *rows, *lines[table.last + 1 :]])
    rows = [NEW_TABLE.row(decision.day, decision.text, decision.rationale) for decision in decisions]
    start = next((n for n, line in enumerate(lines) if re.match(rf"^#{{1,6}}\s+{DECISIONS}\s*$", line)), None)
    if start is not None:
        return "\n".join([*lines[: start + 1], "", *HEAD, *rows, *lines[start + 1 :]])
    gap = [] if not lines[-1].strip() else [""]
    return "\n".join([*lines, *gap, f"## {DECISIONS}", "", *HEAD, *rows, ""])


def decided(text: str, day: date) -> DistilledDecision:
    """A sentence as a row of the table."""
    decision, why = rationale(text)
    return DistilledDecision(day, decision, why, text)


def told(pages: Pages, allow: Shown) -> list[str]:
    """The lines of the buffer and the logs that may be shown, oldest first."""
    texts = [block.text for _, block in _logged(pages)] + [block.text for block in pages.blocks(pages.paths.buffer)]
    allowed = allow(texts)
    return [text for item in texts if (text := allowed[item]) is not None]


def undistilled(pages: Pages, known: KnownLines, *, before: date | None = None) -> list[DistilledDecision]:
    """Decisions in the buffer and the logs that are not in the table; optionally only of days before one."""
    today = pages.today()
    noted = [(block.day or today, block) for block in pages.blocks(pages.paths.buffer)] + _logged(pages)
    noted = [item for item in noted if before is None or item[0] < before]
    noted = [
        item for item in noted if item[1].kind in DECIDED or (item[1].kind == "correction" and known.decides(item[1]))
    ]
    allowed = known.allow([block.text for _, block in noted])
    standing = {normal(whole) for block in pages.blocks(pages.paths.long_term) for whole in block.wholes}
    fresh = []
    for day, block in sorted(noted, key=lambda item: (item[0], item[1].time or "")):
        text = allowed[block.text]
        stated = affirmed(text) if text and block.kind == "correction" else text or ""
        decision, why = rationale(stated)
        if text is None or normal(decision) in standing or normal(text) in standing:
            continue
        standing |= {normal(decision), normal(text)}
        if not known.settled(block):
            fresh.append(DistilledDecision(day, decision, why, stated))
    return fresh


def rationale(text: str) -> tuple[str, str]:
    """A decision, and the reason if the sentence gives one."""
    match = grammar.search("reason", text)
    if match is None or match.start() < 8:
        return text, ""
    return text[: match.start()].rstrip(" ,;—–-"), text[match.start() :].strip(" .,;—–-(")


def _logged(pages: Pages) -> list[tuple[date, Block]]:
    """The blocks of the logs with their days; unreadable logs are skipped."""
    blocks: list[tuple[date, Block]] = []
    for day in pages.paths.days():
        with suppress(Refused):
            blocks += [(day, block) for block in pages.blocks(pages.paths.log(day))]
    return blocks


def _buffer(
    text: str,
    noted: Sequence[Block],
    logged: Sequence[tuple[date, Block]],
    table: Sequence[Block],
    today: date,
    known: KnownLines,
) -> tuple[str, int]:
    """The buffer without lines that are finished, in the table, or duplicates; and the number of duplicates."""
    finished = {normal(block.text) for _, block in logged if block.kind == "done"}
    standing = {normal(whole) for block in table for whole in block.wholes}
    earlier: set[tuple[str | None, str]] = set()
    removed: set[int] = set()
    folded = 0
    for block in reversed(noted):
        text_form = normal(block.text)
        double = (block.kind, text_form) in earlier
        earlier.add((block.kind, text_form))
        past = block.day is not None and block.day < today
        in_table = text_form in standing or normal(affirmed(block.text)) in standing
        is_decision = block.stamped and block.kind in (*DECIDED, "correction")
        decided = past and is_decision and (in_table or known.settled(block))
        if not decided and not known.ours(block):
            continue
        over = past and (block.kind in FINISHED or text_form in finished)
        if double or decided or over:
            removed.update(range(block.line - 1, block.last))
            folded += double
    return "\n".join(row for number, row in enumerate(text.split("\n")) if number not in removed), folded
