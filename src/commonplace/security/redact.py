"""Removes secrets from a text before it is stored: keys, tokens, passwords, card and account numbers.

A rule is a literal hint, a pattern and a check. Patterns are compiled when their hint is first seen, so that a process
without secrets pays nothing. Placeholders for secrets stay as they are.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from commonplace.lazy import pattern
from commonplace.security.rules import RULES, SecretRule

MARK = "[redacted: "
NAMES = """
a access account api auth authorization aws basic bearer bot card client code credential credentials export github
header her his http https iban id is it key login mine my number openai our pass passcode passphrase passwd password pin
private pwd secret set slack ssh stripe the this token url user username x your
"""
NAMES_OF_SECRETS = frozenset(NAMES.split())
SIGNS = "_-./:=<~ 0123456789"


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets."""

    text: str
    kinds: tuple[str, ...]
    """What was removed, each kind once, in the order of the rules."""


def redact(text: str) -> Redacted:
    """``text`` with each secret replaced by ``[redacted: <kind>]``. Idempotent."""
    lowered = text.lower()
    present = [hint for sign, hints in _hints().items() if sign in lowered for hint in hints if hint in lowered]
    kinds: list[str] = []
    for rule in _rules(frozenset(present), bool(_two_digits().search(lowered))):
        secret = _compiled(rule.pattern)
        if secret.search(text):
            cleaned = secret.sub(partial(_redacted_match, rule), text)
            if cleaned != text:
                text = cleaned
                kinds.append(rule.kind)
    return Redacted(text, tuple(dict.fromkeys(kinds)))


def redact_json(value: Any) -> tuple[Any, tuple[str, ...]]:
    """Redact every string of a JSON value; a field's name counts as the text before its value."""
    kinds: list[str] = []
    cleaned = _clean(value, "", kinds)
    return cleaned, tuple(dict.fromkeys(kinds))


def _clean(value: Any, name: str, kinds: list[str]) -> Any:
    if isinstance(value, str):
        return _clean_text(value, name, kinds)
    if isinstance(value, Mapping):
        return {_clean(key, "", kinds): _clean(item, str(key), kinds) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item, name, kinds) for item in value]
    return value


def _clean_text(text: str, name: str, kinds: list[str]) -> str:
    after = redact(text)
    if name and not after.kinds:
        redacted = redact(f"{name}: {json.dumps(text, ensure_ascii=False)}")
        if redacted.kinds:
            after = Redacted(f"{MARK}{redacted.kinds[0]}]", redacted.kinds)
    kinds.extend(after.kinds)
    return after.text


def only_secret(text: str) -> bool:
    """Whether nothing worth storing is left of ``text`` without its secrets."""
    remainder = redact(text).text
    if MARK not in remainder:
        return False
    words = _compiled(r"[^\W_]+").findall(_compiled(r"\[redacted: [a-z0-9 -]+\]").sub(" ", remainder).lower())
    return all(word in NAMES_OF_SECRETS for word in words)


def _redacted_match(rule: SecretRule, match: re.Match[str]) -> str:
    secret_text = match.group()
    group = "s" if "s" in match.re.groupindex else 0
    secret = match.group(group)
    if MARK in secret or not rule.real(secret) or not rule.follows(_text_before(match)):
        return secret_text
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    return f"{secret_text[:start]}{MARK}{rule.kind}]{secret_text[end:]}"


def _text_before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 24) : match.start()].lower()


@cache
def _hints() -> dict[str, set[str]]:
    """Hints by a character that they contain: if the character is absent, none of its hints is searched for."""
    hints: dict[str, set[str]] = {}
    for rule in RULES:
        for hint in rule.hints:
            hints.setdefault(next((sign for sign in SIGNS if sign in hint), ""), set()).add(hint)
    return hints


@lru_cache(maxsize=1_000)
def _rules(hints: frozenset[str], numbered: bool) -> tuple[SecretRule, ...]:
    """Those that a text with these hints may break; what has no hint is a number."""
    return tuple(rule for rule in RULES if (not hints.isdisjoint(rule.hints) if rule.hints else numbered))


_two_digits = pattern(r"\d\d")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
