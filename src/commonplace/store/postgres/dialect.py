"""Our dialect in PostgreSQL's words."""

import re
from functools import cache
from typing import NamedTuple

LIST = re.compile(r"in \(:(\w+)\*\)")
NAME = re.compile(r"(?<![:\w]):(\w+)")
WORDS = {
    "{vector in}": "cast(:data as public.halfvec)",
    "{vector out}": "public.halfvec_send(data)",
    "{skip locked}": "for update skip locked",
    "{each term}": "select unnest(cast(:terms as bigint[]))",
    # Lines of the audit are changed by functions alone: the application role may only add some.
    "{drop reasons}": "select audit_drop_reasons(cast(:ids as text[]))",
    "{reseal reason}": "select audit_reseal(:sequence, :reason)",
    "{drop audit}": "select audit_drop()",
}


class Native(NamedTuple):
    """A statement with numbered places, and the name of the value for each."""

    text: bytes
    names: tuple[str, ...]


@cache
def worded(text: str) -> str:
    """With what an engine says in its own way, as PostgreSQL says it."""
    for word, meaning in WORDS.items():
        text = text.replace(word, meaning)
    return text


@cache
def native(text: str) -> Native:
    """As the server takes it: a list is an array, so that one text serves lists of any length."""
    places: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        return f"${places.setdefault(match[1], len(places) + 1)}"

    translated = NAME.sub(numbered, LIST.sub(r"= any(:\1)", worded(text)))
    return Native(translated.encode(), tuple(places))
