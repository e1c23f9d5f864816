"""Secrets taken out of a text before it is kept: keys, tokens, passwords, card and account numbers.

A rule is a literal hint, a pattern and a judgement. Patterns are compiled when their hint is first seen, so that a
process that meets no secret pays for none. What a person wrote where a secret is to stand stays as it is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from commonplace.security.rules import RULES, Rule

MARK = "[redacted: "
NAMES = """
a access account api auth authorization aws basic bearer bot card client code credential credentials export github
header her his http https iban id is it key login mine my number openai our pass passcode passphrase passwd password pin
private pwd secret set slack ssh stripe the this token url user username x your
"""
NAMES_OF_SECRETS = frozenset(NAMES.split())
SIGNS = "_-./:=<~ 0123456789"
UNHINTED = tuple(rule for rule in RULES if not rule.hints)


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets."""

    text: str
    kinds: tuple[str, ...]
    """What was taken out, each kind once, in the order of the rules."""


def redact(text: str) -> Redacted:
    """``text`` with each secret replaced by ``[redacted: <kind>]``. Redacting again changes nothing."""
    kinds: list[str] = []
    lowered = text.lower()
    seen = {hint for sign, hints in _hints().items() if sign in lowered for hint in hints if hint in lowered}
    for rule in RULES if seen else UNHINTED:
        if not rule.hints or not seen.isdisjoint(rule.hints):
            cleaned = _compiled(rule.pattern).sub(partial(_replaced, rule), text)
            if cleaned != text:
                text = cleaned
                kinds.append(rule.kind)
    return Redacted(text, tuple(dict.fromkeys(kinds)))


def redact_json(value: Any) -> tuple[Any, tuple[str, ...]]:
    """The same for every string inside a JSON value; the name of a field counts as what stands before it."""
    kinds: list[str] = []
    cleaned = _clean(value, "", kinds)
    return cleaned, tuple(dict.fromkeys(kinds))


def _clean(value: Any, name: str, kinds: list[str]) -> Any:
    if isinstance(value, str):
        return _clean_text(value, name, kinds)
    if isinstance(value, Mapping):
        return {_clean(key, "", kinds): _clean(held, str(key), kinds) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(held, name, kinds) for held in value]
    return value


def _clean_text(text: str, name: str, kinds: list[str]) -> str:
    after = redact(text)
    if name and not after.kinds:
        named = redact(f"{name}: {json.dumps(text, ensure_ascii=False)}")
        if named.kinds:
            after = Redacted(f"{MARK}{named.kinds[0]}]", named.kinds)
    kinds.extend(after.kinds)
    return after.text


def only_secret(text: str) -> bool:
    """Whether nothing worth keeping is left of ``text`` once its secrets are out."""
    left = redact(text).text
    if MARK not in left:
        return False
    words = _compiled(r"[^\W_]+").findall(_compiled(r"\[redacted: [a-z0-9 -]+\]").sub(" ", left).lower())
    return all(word in NAMES_OF_SECRETS for word in words)


def _replaced(rule: Rule, found: re.Match[str]) -> str:
    whole = found.group()
    group = "s" if "s" in found.re.groupindex else 0
    secret = found.group(group)
    if MARK in secret or not rule.real(secret) or not rule.follows(_before(found)):
        return whole
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    return f"{whole[:start]}{MARK}{rule.kind}]{whole[end:]}"


def _before(found: re.Match[str]) -> str:
    return found.string[max(0, found.start() - 24) : found.start()].lower()


@cache
def _hints() -> dict[str, set[str]]:
    """Each hint under a sign that it holds: where the sign is not, none of its hints is looked for."""
    found: dict[str, set[str]] = {}
    for rule in RULES:
        for hint in rule.hints:
            found.setdefault(next((sign for sign in SIGNS if sign in hint), ""), set()).add(hint)
    return found


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
