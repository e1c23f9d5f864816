"""What secrets look like: one rule per kind, the most specific first, read from ``secrets.txt``."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from commonplace.security import signs

Judgement = Callable[[str], bool]
EDGE, END = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"
KEY_OF = (
    r"(?:api|access|account|auth|client|consumer|deploy|encryption|license|master|private|secret|service|signing"
    r"|subscription|webhook)[_ -]?$"
)
HARMLESS = r"(?:(?:page|next|cursor|continuation|eos|bos|unk|pad|cls|sep|mask|special|stop|public)[_-]?|::\w*)$"
ASSIGNED = r"""["']?\]?\s{0,3}(?::=|=>|[:=]|value=)\s{0,3}"""
VALUE = r"""(?P<q>["'`])?(?P<s>(?(q)[^"'`\s\\]|[^\s"'`,;(){}\[\]<>|\\]){%s,400}+)(?(q)(?P=q)|(?![(\[{]))"""
"""In quotes, or bare and then not a call, index or template."""


@dataclass(frozen=True, slots=True)
class SecretRule:
    """``hints``: lower case; every match has one of them; empty: two digits. The group ``s`` is the secret."""

    kind: str
    hints: tuple[str, ...]
    pattern: str
    real: Judgement
    follows: Judgement
    """Whether the two dozen characters before the match, in lower case, allow it."""


def always(_: str) -> bool:
    return True


def not_harmless(before: str) -> bool:
    """False after words such as "page" or "padding": such a token is not a secret."""
    return not re.search(HARMLESS, before)


def key_of_something(before: str) -> bool:
    return bool(re.search(KEY_OF, before)) and not_harmless(before)


def stands_alone(before: str) -> bool:
    return not before[-1:].isalnum()


JUDGEMENTS: dict[str, Judgement] = vars(signs) | {
    judgement.__name__: judgement for judgement in (always, not_harmless, key_of_something, stands_alone)
}


def _rule(fields: Mapping[str, str]) -> SecretRule:
    pattern, follows = fields.get("pattern", ""), fields.get("follows", "always")
    if "token" in fields:
        pattern = f"{EDGE}(?:{fields['token']}){END}"
    elif "names" in fields:
        pattern = f"(?i)(?:{fields['names']}){ASSIGNED}{VALUE % fields['least']}"
        follows = fields.get("follows", "not_harmless")
    hints = tuple(filter(None, fields.get("hints", "").split(", ")))
    return SecretRule(fields["kind"], hints, pattern, JUDGEMENTS[fields.get("judge", "issued")], JUDGEMENTS[follows])


def _rules() -> tuple[SecretRule, ...]:
    blocks = Path(__file__).with_name("secrets.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    return tuple(_rule(dict(line.split(": ", 1) for line in block.splitlines())) for block in blocks)


RULES = _rules()
KINDS: tuple[str, ...] = tuple(dict.fromkeys(rule.kind for rule in RULES))
"""All kinds, for the docs and their test."""
