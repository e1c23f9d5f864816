"""Finding the one JSON object in what a model said. Pure; an answer is data and nothing in it is ever run."""

import json
from typing import Any

# Models think aloud before they answer; what they thought is no answer.
THOUGHT_ENDS = "</think>"


def only_object(text: str) -> dict[str, Any] | None:
    """The JSON object in ``text``, bare, fenced or amid prose; ``None`` if there is none or any doubt.

    The first brace must begin it and no brace may follow it. Searching further would accept a part of a broken
    object for the whole, or one that a quoted text planted.
    """
    answer = text.rpartition(THOUGHT_ENDS)[2]
    start = answer.find("{")
    if start < 0:
        return None
    try:
        value, end = json.JSONDecoder(parse_constant=_no_constant).raw_decode(answer, start)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "{" not in answer[end:] else None


def _no_constant(name: str) -> Any:
    raise ValueError(name)
