# ruff: noqa: E501 - a pattern reads better on one line
"""Which parts of a message are nobody's statement: code, logs, quotations, pasted tables. They are blanked, not cut,
so that every offset stays true."""

import re

from commonplace.lazy import pattern

_BLOCKS = (
    r"```.*?(?:```|\Z)",
    r"~~~.*?(?:~~~|\Z)",
    r"<(private|memory_context|code|pre|quote|blockquote|system|file|document)\b[^>]*>.*?(?:</\1>|\Z)",
)
_LINES = (
    r"\s*>.*",
    r"\s*[$#%❯] .*",
    r"(?: {4,}|\t).*",
    r".*\b(?:Traceback|Exception|Error:|ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|panic:|stack trace)\b.*",
    r"\s*at [\w.$<>]+\(.*",
    r"\s*File \".*",
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*",
    r"\[?\d\d:\d\d:\d\d.*",
    r"\s*(?:[+-]{3} |@@ |diff --git|index [0-9a-f]{7}|[+-] ?(?:def|class|import|return|const|let|var|function)\b).*",
    r"\s*(?:def|class|import|from \S+ import|return|const|let \w+ =|var|function|public|private|if \(|for \(|while \(|elif|else:|try:|except|async def|await|SELECT|INSERT|UPDATE \w+ SET|DELETE FROM|CREATE|ALTER|DROP|#include|package|struct|fn )\b.*[;:{}()=].*",
    r"\s*[\[{}\]<].*[\]}>,]\s*",
    r"\s*\"[\w-]+\"\s*:.*",
    r"\s*\|.*\|\s*",
    r".*[{};]\s*",
    r"\s*(?:From|To|Subject|Date|Cc|Re|Fwd|Von|An|Betreff|Da|Oggetto|De|Para|Asunto|Objet|À)\s?: .*",
    r"\s*(?:On|Il|El|Le|Am) .{6,60}(?:wrote|ha scritto|escribió|a écrit|schrieb).{0,40}:.*",
)
_HEADER = r"\s*(?:From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Da|A|Oggetto|De|Para|Asunto|Objet|À)\s?: .*"
_ORDERS = (
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|all|your)\b.{0,30}\b(?:instructions?|prompts?|rules?|directions?|guidelines?)\b",
    r"\b(?:ignora|dimentica|olvida|ignore[zs]?|oublie[zs]?|ignoriere|vergiss)\b.{0,40}\b(?:istruzioni|instrucciones|instructions|anweisungen|regeln|regole|reglas|règles)\b",
    r"\b(?:system prompt|you are now (?:an?|in|the)\b|developer mode|jailbreak)\b",
)
SETTINGS = 3
_QUOTED = r"(?<!\w)(?:\"[^\"\n]*\s[^\"\n]*\"|“[^”\n]*\s[^”\n]*”|„[^“”\n]*\s[^“”\n]*[“”]|«[^»\n]*\s[^»\n]*»|'[^'\n]{3,}\s[^'\n]{3,}\s[^'\n]+'(?!\w))"


def _any_of(alternatives: tuple[str, ...]) -> str:
    return "|".join(f"(?:{alternative})" for alternative in alternatives)


_blocks = pattern(_any_of(_BLOCKS), re.DOTALL | re.IGNORECASE)
_lines = pattern(_any_of(_LINES))
_quoted = pattern(_QUOTED)
_header = pattern(_HEADER)
_setting = pattern(r"\s*(?:export |- )?[A-Za-z][\w.-]*\s?[=:] ?\S+\s*")
_orders = pattern(_any_of(_ORDERS), re.IGNORECASE)


def blanked(text: str) -> str:
    """``text`` of the same length, with everything that is not the speaker's own prose turned into ``~``.

    What gives orders to a model is a text from elsewhere, or an experiment: nothing in such a message is a statement.
    """
    if _orders().search(text):
        return _blank_line(text)
    text = _blocks().sub(_blank, text) if "```" in text or "~~~" in text or "<" in text else text
    lines = text.splitlines(keepends=True)
    pasted = _pasted(lines)
    mail = _mail(lines)
    lines[mail:] = [_blank_line(line) for line in lines[mail:]]
    lines = _without_settings(lines)
    text = "".join(_blank_line(line) if pasted or _lines().fullmatch(line.rstrip("\r\n")) else line for line in lines)
    return _quoted().sub(_blank, text)


def _pasted(lines: list[str]) -> bool:
    """Many lines, most of them no prose: the rest is not prose either."""
    if len(lines) < 4:
        return False
    odd = sum(1 for line in lines if _lines().fullmatch(line.rstrip("\r\n")))
    return odd * 2 > len(lines)


def _without_settings(lines: list[str]) -> list[str]:
    """Three settings in a row are a file that was pasted; one or two, somebody telling."""
    if len(lines) < SETTINGS:
        return lines
    is_one = [bool(_setting().fullmatch(line.rstrip("\r\n"))) for line in lines]
    starts = (n for n in range(len(lines) - SETTINGS + 1) if all(is_one[n : n + SETTINGS]))
    rows = {row for start in starts for row in range(start, start + SETTINGS)}
    return [_blank_line(line) if n in rows else line for n, line in enumerate(lines)]


def _mail(lines: list[str]) -> int:
    """Where a pasted mail begins: two lines of its head stand together, and all that follows is its text."""
    heads = [bool(_header().fullmatch(line.rstrip("\r\n"))) for line in lines]
    pairs = (n for n in range(len(lines) - 1) if heads[n] and heads[n + 1])
    return next(pairs, len(lines))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "~", match[0])


def _blank_line(line: str) -> str:
    return re.sub(r"[^\r\n]", "~", line)
