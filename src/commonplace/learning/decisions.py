"""Decisions in better words, by a language model: of a stranger's claim only what can be vouched for is taken."""

import json
import re
from collections.abc import Collection, Sequence

from pydantic import BaseModel

from commonplace.learning.llm import ANSWER, LONGEST, prompt
from commonplace.providers.llm import Budget, LanguageModel, ModelPrompt
from commonplace.text.normal import normal
from commonplace.text.words import words

MOST_ROWS, MOST_LINES = 40, 120
SHORTEST = 8
KEPT = 0.5
"""Share of a decision's words that its new wording keeps; below, it is another decision."""
_EXACT = re.compile(r"[^\s,;:!?()\"'`]*\d[^\s,;:!?()\"'`]*|\w+(?:[./_]\w+)+")
_NO = re.compile(
    r"(?i)\b(?:not|no|never|without|nicht|kein\w*|nie|non|mai|nunca|jamais|pas|sin|senza|sans|ohne)\b|n't\b"
)

Decided = tuple[str, str]
"""What was decided, and why; empty where nobody said."""


class Row(BaseModel):
    """One decision, as the model would put it."""

    row: int
    decision: str
    rationale: str = ""


class Rows(BaseModel):
    rows: list[Row]


def reword(
    model: LanguageModel, decided: Sequence[Decided], lines: Sequence[str], budget: Budget, *, timeout: float
) -> list[Decided]:
    """Each decision in the model's words where these can be vouched for, else as it was. Raises ``ProviderError``.

    A wording may be shorter and in better order; one with a word of content, a number or a "not" that the decision
    does not have is not taken, nor a reason that stands in no line.
    """
    mappings = [{"row": n, "decision": text, "rationale": why} for n, (text, why) in enumerate(decided[:MOST_ROWS], 1)]
    data = {"decisions": mappings, "lines": list(lines[-MOST_LINES:])}
    task = ModelPrompt(system=prompt("decisions"), user=json.dumps(data, ensure_ascii=False))
    answer = model.structured(task, Rows, max_tokens=ANSWER, timeout=timeout, budget=budget)
    rows = {row.row: row for row in reversed(answer.value.rows)}
    lines_said = [normal(line) for line in (*lines, *(f"{text} {why}" for text, why in decided))]
    return [_better(decision, rows.get(n), lines_said) for n, decision in enumerate(decided, 1)]


def _better(before: Decided, row: Row | None, lines_said: Collection[str]) -> Decided:
    if row is None:
        return before
    text, why = (" ".join(part.split()) for part in (row.decision, row.rationale))
    return (
        text if _same(before[0], text) else before[0],
        why if _said(why, lines_said) else before[1],
    )


def _same(before: str, after: str) -> bool:
    """Whether two wordings decide the same, as far as words can tell."""
    if not SHORTEST <= len(after) <= LONGEST or not after.isprintable() or _lost(before, after):
        return False
    if bool(_NO.search(before)) != bool(_NO.search(after)):
        return False
    old, new = set(words(before)), set(words(after))
    return new <= old and len(new) >= KEPT * len(old)


def _lost(before: str, after: str) -> bool:
    """Whether a number, version or path is missing."""
    return any(match.rstrip(".") not in after for match in _EXACT.findall(before))


def _said(why: str, lines_said: Collection[str]) -> bool:
    phrase = normal(why)
    return SHORTEST <= len(why) <= LONGEST and why.isprintable() and any(phrase in line for line in lines_said)
