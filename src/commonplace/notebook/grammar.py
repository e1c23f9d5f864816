"""Sentence forms of plans, reports, failures, orders and open work in five languages. Pure.

``sentence_forms.txt`` has them: auxiliaries, modals, connectives, and the labels that people put before a line. What
needs knowledge of the world is left to the judge. Patterns compile on first use, because hooks import this.
"""

import re
from functools import cache
from pathlib import Path
from typing import Literal, cast, get_args

Form = Literal[
    "plan", "report", "result", "failure", "fix", "negation", "all pass", "reason", "task lead", "unfinished", "lesson",
    "following", "agreed", "chosen", "standing", "corrected", "machine", "courtesy", "order", "urgent", "prohibited",
    "quantity", "asked", "blocked", "unblocked", "pronoun", "told", "nothing", "duty", "changed", "opening",
    "withdrawn", "column date", "column decision", "column rationale",
]  # fmt: skip
LabelKind = Literal["next", "task", "blocker", "lesson", "decision", "done", "fixed"]
FILE = Path(__file__).with_name("sentence_forms.txt")


def matches(form: Form, sentence: str) -> bool:
    """Whether a sentence has a form."""
    return search(form, sentence) is not None


def search(form: Form, sentence: str) -> re.Match[str] | None:
    """The first match of a form in a sentence."""
    return compiled(form).search(sentence.replace("’", "'"))


def label(line: str) -> tuple[LabelKind, str] | None:
    """The label at the start of a line ("Next: …", "**TODO** - …") and the text after it; None if there is none."""
    match = _label().match(line)
    return (cast("LabelKind", match.lastgroup), line[match.end() :].strip()) if match else None


def patterns(form: Form) -> list[str]:
    """The patterns of a form, in their order."""
    return _forms()[form]


@cache
def _forms() -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = forms.setdefault(line[1 : line.index("]")], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return forms


@cache
def compiled(form: Form) -> re.Pattern[str]:
    past, number = ("(?:" + "|".join(_forms()[part]) + ")" for part in ("past", "number"))
    filled = (pattern.replace("{PAST}", past).replace("{NUMBER}", number) for pattern in patterns(form))
    return re.compile("|".join(f"(?:{pattern})" for pattern in filled), re.I)


@cache
def _label() -> re.Pattern[str]:
    kinds = "|".join(f"(?P<{kind}>{'|'.join(_forms()[f'label {kind}'])})" for kind in get_args(LabelKind))
    return re.compile(rf"\s*(?:[*_#]+\s*)?(?:{kinds})(?:\s*[*_]+)?\s*(?:[:：]\s*[*_]*|\s[–—-]\s|$)", re.I)
