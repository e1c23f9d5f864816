"""Estimates how many tokens a text takes, without a model: four UTF-8 bytes are a token."""


def count(text: str) -> int:
    """The tokens of a text, rounded up. An estimate that needs no vocabulary."""
    return -(-len(_bytes(text)) // 4)


def cut(text: str, tokens: int) -> str:
    """The longest beginning of ``text`` within ``tokens``, cut after a whole line, else a whole word.

    A single word that is too long is cut at a character.
    """
    room = max(tokens, 0) * 4
    data = _bytes(text)
    if len(data) <= room:
        return text
    beginning = data[:room].decode("utf-8", "ignore") if text.isprintable() else _whole_characters(text, room)
    if not beginning:
        return ""
    if text[len(beginning)].isspace():
        return beginning.rstrip()
    for gap in ("\n", " "):
        at = beginning.rfind(gap)
        if at > 0 and beginning[:at].strip():
            return beginning[:at].rstrip()
    return beginning


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _whole_characters(text: str, room: int) -> str:
    """Like decoding the first bytes, but lone surrogates, which cannot be decoded, stay."""
    beginning = text[:room]
    while len(_bytes(beginning)) > room:
        over = len(_bytes(beginning)) - room
        beginning = beginning[: -max(over // 4, 1)]
    return beginning
