"""Our dialect in psycopg's words."""

import re
from functools import cache

LIST = re.compile(r"in \(:(\w+)\*\)")
NAME = re.compile(r"(?<![:\w]):(\w+)")
WORDS = {
    "{vector in}": "cast(:data as public.halfvec)",
    "{vector out}": "public.halfvec_send(data)",
    "{skip locked}": "for update skip locked",
}


@cache
def worded(text: str) -> str:
    """With what an engine says in its own way, as PostgreSQL says it."""
    for word, meaning in WORDS.items():
        text = text.replace(word, meaning)
    return text


@cache
def native(text: str) -> bytes:
    """As psycopg takes it: a list is an array, so that one text serves lists of any length."""
    text = LIST.sub(r"= any(:\1)", worded(text).replace("%", "%%"))
    return NAME.sub(r"%(\1)s", text).encode()
