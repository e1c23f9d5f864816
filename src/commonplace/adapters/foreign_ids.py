"""Names for the users, agents and sessions of other frameworks.

Names that differ only in case, accents or spaces are one namespace in a book. Ids of other frameworks are compared byte
for byte, so they are encoded in letters that a book does not fold: two ids never share a namespace.
"""

from hashlib import sha256

from commonplace.security.redact import redact

LONGEST = 100
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")


def namespace_of(framework: str, *ids: str) -> str:
    """The namespace for exactly these ids: ``namespace_of("mem0", "user", "Ada")`` is ``mem0/user/~41da``.

    An id that is too long for a name, or looks like a secret, is replaced by its SHA-256.
    """
    literals = [_literal(id) for id in ids]
    name = "/".join((framework, *literals))
    if len(name) > LONGEST or redact(name).kinds:
        pairs = zip(ids, literals, strict=True)
        name = "/".join((framework, *(literal if len(literal) <= 8 else _hash(id) for id, literal in pairs)))
    return name


def session_name(id: str | None) -> str | None:
    """A session's name in a book: its id, or a hash if a book would refuse the id."""
    if id is None or not id.strip():
        return None
    plain = len(id) <= LONGEST and id.isprintable() and not redact(id).kinds
    return id if plain else _hash(id)


def ids_of(namespace: str) -> tuple[str, ...] | None:
    """The ids that a namespace was made from; None if one of them was replaced by its hash."""
    parts = namespace.split("/")[1:]
    return None if any(part.startswith("~~") for part in parts) else tuple(map(_original, parts))


def _literal(id: str) -> str:
    encoded = id.encode("utf-8", "surrogatepass")
    return "".join(chr(byte) if byte in _PLAIN else f"~{byte:02x}" for byte in encoded) or "~"


def _hash(id: str) -> str:
    return "~~" + sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def _original(part: str) -> str:
    if part == "~":
        return ""
    first, *escaped = part.split("~")
    data = first.encode() + b"".join(bytes.fromhex(piece[:2]) + piece[2:].encode() for piece in escaped)
    return data.decode("utf-8", "surrogatepass")
