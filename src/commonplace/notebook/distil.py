"""From the logs and the buffer to long-term memory: an edit that is shown first. Nothing written by hand is changed."""

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
    """A row of the table."""

    day: date
    text: str
    rationale: str = ""
    said: str = ""
    """The words it was noted in, by which the book knows it."""

    @property
    def reworded(self) -> bool:
        """Whether the row is worded differently from the note."""
        wholes = (self.text, f"{self.text} {self.rationale}", f"{self.text}, {self.rationale}")
        return bool(self.said) and normal(self.said) not in map(normal, wholes)


Improve = Callable[[Sequence[DistilledDecision]], Sequence[DistilledDecision]]
"""A model's hand: the same decisions in better words, or with a rationale that stands elsewhere in the log."""
Reword = Callable[[Sequence[tuple[str, str]], Sequence[str]], Sequence[tuple[str, str]]]
"""From decisions with their reasons, and the lines of the log, to the same decisions; raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """What would be written, once it is confirmed."""

    edits: tuple[Edit, ...]
    decisions: tuple[DistilledDecision, ...]
    folded: int
    """Lines that said a thing again."""
    word: str | None = None
    """Why this is the rules' proposal, where a model was to help and could not."""

    @property
    def diff(self) -> str:
        return "\n".join(edit.diff for edit in self.edits)

    @property
    def empty(self) -> bool:
        return not self.edits


@dataclass(frozen=True, slots=True)
class KnownLines:
    """What the book knows of the lines of the files."""

    allow: Shown
    """Keeps out what was forgotten or corrected since."""
    ours: Callable[[Block], bool]
    """Whether we wrote a line."""
    decides: Callable[[Block], bool]
    """Whether a correction put a decision right."""
    settled: Callable[[Block], bool]
    """Whether a decision stands in the table in other words."""


def distil(pages: Pages, known: KnownLines, improve: Improve | None = None) -> Distillation:
    """Decisions of the logs and of the buffer into the table; what is finished out of the buffer; doubles folded.

    Lines that we did not write stay where they are, word for word. The logs stay.
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
    """The text with rows at the end of its decision table; table and section are made where there are none."""
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
    """The lines of the buffer and of the logs that may be shown, oldest first."""
    texts = [block.text for _, block in _logged(pages)] + [block.text for block in pages.blocks(pages.paths.buffer)]
    allowed = allow(texts)
    return [text for item in texts if (text := allowed[item]) is not None]


def undistilled(pages: Pages, known: KnownLines, *, before: date | None = None) -> list[DistilledDecision]:
    """What was decided, by the buffer and the logs, and does not stand in the table; only of days before one."""
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
    """A decision and the reason given for it, where the sentence gives one."""
    match = grammar.search("reason", text)
    if match is None or match.start() < 8:
        return text, ""
    return text[: match.start()].rstrip(" ,;—–-"), text[match.start() :].strip(" .,;—–-(")


def _logged(pages: Pages) -> list[tuple[date, Block]]:
    """The blocks of the logs with their days; a log that cannot be read is left out."""
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
    """The buffer without what is finished, stands in the table, or is said twice; and how many were doubles."""
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
