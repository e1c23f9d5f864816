"""The type of answer that a question asks for, in five languages, by the phrases of ``questions.json``."""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from commonplace.text.normal import fold

Answer = Literal["when", "who", "where", "how many"]


def asks(answer: Answer, question: str) -> bool:
    """Whether the answer is a time, a person, a place or a number. May miss some; rarely wrong when True.

    A phrase counts at or near the start of a clause ("so, and since when …", "do you know where …").
    """
    return any(map(_pattern(answer).search, _parts(question)))


@lru_cache(maxsize=16)
def _parts(question: str) -> list[str]:
    """The sentences that end with a question mark; all sentences if none does."""
    low = fold(question)[-2000:]
    questions = re.findall(r"[^.!?\n]*\?", low)
    return questions or re.split(r"[.!\n]+", low)


@cache
def _pattern(answer: Answer) -> re.Pattern[str]:
    phrases = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    body, lead, statement = ("|".join(phrases[name]) for name in (answer, "lead", "statement"))
    # In a statement "when" and "who" join clauses: "the man who called when you slept".
    start = rf"^[\s¿\"'(,-]*(?:[\w']+,\s*)?(?:(?:{statement})\s+|,\s*)?(?:(?:{lead}),?\s+){{0,2}}"
    return re.compile(rf"{start}(?:{body})(?!\w)|,\s+(?:{body})(?!\w)(?=[^,]*\?)")
