"""The question cut out of what came with it: a system prompt, a document, code, a whole conversation."""

import json
import re
from functools import cache

from commonplace.lazy import pattern
from commonplace.security.fence import strip_injected
from commonplace.text.sentences import sentences

WHOLE = 300
"""Characters of a question that is left as it is."""
_TAIL = 6_000
_KEPT = 400
MARKS = ("?", "\uff1f", "\u061f")
_CLOSING = "\"'\u201d\u2019)]\u00bb*_"
_LOOKS = 5
"""Messages of a conversation written as data that are looked at, from the last."""


def cut(text: str) -> str:
    """The question in a text that may have anything before or after it; a short text is a question whole."""
    text = text.strip()
    if len(text) <= WHOLE:
        return text
    text = _prose(_spoken(text) or text)
    tail = _last_turn(text[-_TAIL:])
    if len(tail) <= WHOLE:
        return tail
    head = text[:_TAIL]
    ends = {match.end() for match in _asked().finditer(tail)}
    if not ends and (earlier := [match.end() for match in _asked().finditer(head)]):
        tail = head[: earlier[-1]]
        ends = {earlier[-1]}
    spans = sentences(tail)
    asking = [n for n, span in enumerate(spans) if span.start + len(span.text.rstrip(_CLOSING)) in ends]
    question_at = asking[-1] if asking else len(spans) - 1
    parts = [span.text for span in spans[question_at : question_at + 1]]
    for span in reversed(spans[:question_at]):
        if sum(map(len, parts)) + len(span.text) > _KEPT:
            break
        parts.insert(0, span.text)
    return " ".join(parts)[-2 * _KEPT :]


def _spoken(text: str) -> str | None:
    """What the person says last in a conversation that is written as data, if it is one."""
    begins = [match.end() for match in _message().finditer(text)] if "role" in text or "from" in text else []
    for start in reversed(begins[-_LOOKS:]):
        match = _quoted().match(text, start)
        if match is None or not match["said"].strip():
            continue
        try:
            return str(json.loads(f'"{match["said"]}"', strict=False)).strip()
        except ValueError:  # quoted as Python does it
            return match["said"].replace("\\n", "\n").replace("\\'", "'").strip()
    return None


def _prose(text: str) -> str:
    """Without code and what was put before a model from a book; marks of roles as lines of their own."""
    for without in (strip_injected, lambda text: _code().sub("\n\n", text)):
        text = without(text).strip() or text
    return _mark().sub(_line, text)


def _line(mark: re.Match[str]) -> str:
    role = mark["role"] or mark["tag"] or {"[INST]": "user", "<</SYS>>": "user", "[/INST]": "assistant"}.get(mark[0])
    # whose turn ends is not said on; what comes after it is somebody else's
    return f"\n{'system' if mark['end'] else role}:\n" if role else "\n"


def _last_turn(text: str) -> str:
    """What the person said last, where the text is a transcript with names of roles; else the last paragraph."""
    for match in reversed(list(_person().finditer(text))):
        after = text[match.end() :]
        answer = _machine().search(after)
        message = (after[: answer.start()] if answer else after).strip()
        if message:
            return message
    last = text.rsplit("\n\n", 1)[-1].strip()
    return last if "\n\n" in text and (any(mark in last for mark in MARKS) or not _asked().search(text)) else text


_asked = pattern(r"(?<=\S)\?(?=[\s\"'\u201d\u2019)\]\u00bb*_<]|$)|(?<=[ \u00a0\u202f])\?(?=\s*(?:\n|$))|[\uff1f\u061f]")
"""Where a question ends. In code and addresses the mark stands otherwise; in French, after a space."""


@cache
def _message() -> re.Pattern[str]:
    name = r"[\"'](?:role|from)[\"']\s*:\s*[\"'](?:user|human)[\"']\s*,\s*[\"'](?:content|value)[\"']\s*:\s*"
    return re.compile(name + r"(?:\[\s*\{[^{}]{0,200}?[\"']text[\"']\s*:\s*)?(?=[\"'])")


_quoted = pattern(r"([\"'])(?P<said>(?:[^\\]|\\.)*?)\1\s*[,}\]]", re.DOTALL)
_code = pattern(r"```.*?(?:```|\Z)", re.DOTALL)


@cache
def _mark() -> re.Pattern[str]:
    roles = "user|human|question|query|assistant|system"
    return re.compile(
        rf"(?i)<(?P<end>/?)(?P<tag>{roles})>|<\|(?:(?P<role>{roles})|\w{{1,30}})\|>|\[/?INST\]|<</?SYS>>", re.ASCII
    )


_person = pattern(r"(?im)^[ \t#*<|\[]*(?:user|human|question|query|me)[\s\]|>*]*(?::|>|\n)[\s*]*")
_machine = pattern(r"(?im)^[ \t#*<|\[]*(?:assistant|ai|bot|system|answer)[\s\]|>*]*(?::|>|\n|$)")
