"""From the logs and the buffer to long-term memory: an edit that is shown first. Nothing written by hand is changed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from commonplace.errors import Refused
from commonplace.notebook.corrections import affirmed
from commonplace.notebook.lines import DECISIONS, Block, blocks, cell
from commonplace.notebook.mentions import Edit
from commonplace.notebook.pages import Pages
from commonplace.notebook.recovery import Shown
from commonplace.notebook.template import long_term
from commonplace.text.normal import normal

DECIDED = ("decision", "architecture")
FINISHED = ("done", "session", "state")
HEAD = ("| Date | Decision | Rationale |", "|---|---|---|")


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of the table."""

    day: date
    text: str
    rationale: str = ""
    said: str = ""
    """The words it was noted in, by which the book knows it."""

    @property
    def reworded(self) -> bool:
        """Whether the row says it in words that nobody noted."""
        wholes = (self.text, f"{self.text} {self.rationale}", f"{self.text}, {self.rationale}")
        return bool(self.said) and normal(self.said) not in map(normal, wholes)

    @property
    def row(self) -> str:
        return f"| {self.day} | {cell(self.text)} | {cell(self.rationale)} |"


Improve = Callable[[Sequence[Decision]], Sequence[Decision]]
"""A model's hand: the same decisions in better words, or with a rationale that stands elsewhere in the log."""
Reword = Callable[[Sequence[tuple[str, str]], Sequence[str]], Sequence[tuple[str, str]]]
"""From decisions with their reasons, and the lines of the log, to the same decisions; raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Distillation:
    """What would be written. Nothing is, until somebody agrees."""

    edits: tuple[Edit, ...]
    decisions: tuple[Decision, ...]
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


def distil(
    pages: Pages,
    shown: Shown,
    *,
    ours: Callable[[Block], bool],
    decides: Callable[[Block], bool],
    settled: Callable[[Block], bool],
    improve: Improve | None = None,
) -> Distillation:
    """Decisions of the logs and of the buffer into the table; what is finished out of the buffer; doubles folded.

    ``ours`` says whether we wrote a line; all others stay where they are, word for word. ``decides`` says whether a
    correction put a decision right, ``settled`` whether one stands in the table in other words. ``shown`` keeps out
    what was forgotten or corrected since. The logs stay.
    """
    places, today = pages.places, pages.today()
    memory = pages.read(places.long_term).text
    buffer = pages.read(places.buffer).text
    noted = blocks(buffer)
    logged = _logged(pages)
    fresh = undistilled(pages, shown, decides, settled)
    if improve is not None and fresh:
        fresh = list(improve(fresh))
    edits = []
    after = with_rows(memory or long_term(places.root.name), fresh) if fresh else memory
    if after != memory:
        edits.append(Edit(places.name(places.long_term), memory, after))
    kept, folded = _buffer(buffer, noted, logged, blocks(after), today, ours, settled)
    if kept != buffer:
        edits.append(Edit(places.name(places.buffer), buffer, kept))
    return Distillation(tuple(edits), tuple(fresh), folded)


def with_rows(text: str, fresh: Sequence[Decision]) -> str:
    """The text with rows at the end of the table of decisions; table and section are made where there are none."""
    rows = text.split("\n")
    start = next((n for n, row in enumerate(rows) if re.match(rf"^#{{1,6}}\s+{DECISIONS}\s*$", row)), None)
    made = [one.row for one in fresh]
    if start is None:
        tail = [] if not rows[-1].strip() else [""]
        return "\n".join([*rows, *tail, f"## {DECISIONS}", "", *HEAD, *made, ""])
    end = next((n for n in range(start + 1, len(rows)) if re.match(r"^#{1,6}\s", rows[n])), len(rows))
    last = max((n for n in range(start + 1, end) if rows[n].lstrip().startswith("|")), default=None)
    if last is None:
        return "\n".join([*rows[: start + 1], "", *HEAD, *made, *rows[start + 1 :]])
    return "\n".join([*rows[: last + 1], *made, *rows[last + 1 :]])


def decided(text: str, day: date) -> Decision:
    """A sentence as a row of the table."""
    what, why = rationale(text)
    return Decision(day, what, why, text)


def told(pages: Pages, shown: Shown) -> list[str]:
    """The lines of the buffer and of the logs that may be shown, oldest first."""
    found = [block.text for _, block in _logged(pages)] + [block.text for block in pages.blocks(pages.places.buffer)]
    allowed = shown(found)
    return [text for one in found if (text := allowed[one]) is not None]


def undistilled(
    pages: Pages,
    shown: Shown,
    decides: Callable[[Block], bool],
    settled: Callable[[Block], bool],
    *,
    before: date | None = None,
) -> list[Decision]:
    """What was decided, by the buffer and the logs, and does not stand in the table; only of days before one."""
    today = pages.today()
    told = [(block.day or today, block) for block in pages.blocks(pages.places.buffer)] + _logged(pages)
    told = [one for one in told if before is None or one[0] < before]
    told = [one for one in told if one[1].kind in DECIDED or (one[1].kind == "correction" and decides(one[1]))]
    fresh = _decisions(told, pages.blocks(pages.places.long_term), shown)
    return [decision for block, decision in fresh if not settled(block)]


def rationale(text: str) -> tuple[str, str]:
    """A decision and the reason given for it, where the sentence gives one."""
    found = _because().search(text)
    if found is None or found.start() < 8:
        return text, ""
    return text[: found.start()].rstrip(" ,;—–-"), text[found.start() :].strip(" .,;—–-(")


def _logged(pages: Pages) -> list[tuple[date, Block]]:
    return [(day, block) for day in pages.places.days() for block in _log(pages, day)]


def _log(pages: Pages, day: date) -> list[Block]:
    try:
        return pages.blocks(pages.places.log(day))
    except Refused:
        return []


def _decisions(
    wanted: Sequence[tuple[date, Block]], table: Sequence[Block], shown: Shown
) -> list[tuple[Block, Decision]]:
    """What was decided and does not stand in the table yet, in the order of the days."""
    allowed = shown([block.text for _, block in wanted])
    standing = {normal(one) for block in table for one in block.wholes}
    fresh = []
    for day, block in sorted(wanted, key=lambda one: (one[0], one[1].time or "")):
        text = allowed[block.text]
        if text is None:
            continue
        said = affirmed(text) if block.kind == "correction" else text
        what, why = rationale(said)
        if normal(what) in standing or normal(text) in standing:
            continue
        standing |= {normal(what), normal(text)}
        fresh.append((block, Decision(day, what, why, said)))
    return fresh


def _buffer(
    text: str,
    noted: Sequence[Block],
    logged: Sequence[tuple[date, Block]],
    table: Sequence[Block],
    today: date,
    ours: Callable[[Block], bool],
    settled: Callable[[Block], bool],
) -> tuple[str, int]:
    """The buffer without what is finished, stands in the table, or is said twice; and how many were doubles."""
    finished = {normal(block.text) for _, block in logged if block.kind == "done"}
    standing = {normal(one) for block in table for one in block.wholes}
    seen: set[tuple[str | None, str]] = set()
    gone: set[int] = set()
    folded = 0
    for block in reversed(noted):
        said = normal(block.text)
        double = (block.kind, said) in seen
        seen.add((block.kind, said))
        if not ours(block):
            continue
        past = block.day is not None and block.day < today
        decided = (
            past and block.kind in (*DECIDED, "correction") and (_in_table(block.text, standing) or settled(block))
        )
        over = past and (block.kind in FINISHED or said in finished)
        if double or decided or over:
            gone.update(range(block.line - 1, block.last))
            folded += double
    return "\n".join(row for number, row in enumerate(text.split("\n")) if number not in gone), folded


def _in_table(text: str, standing: set[str]) -> bool:
    return normal(text) in standing or normal(affirmed(text)) in standing


@cache
def _because() -> re.Pattern[str]:
    words = "because|since|so that|due to|as it|weil|damit|perché|poiché|porque|ya que|parce qu[e']|car|puisque"
    return re.compile(rf"(?i)[,;:—–(]?\s*\b(?:{words})\b\s*")
