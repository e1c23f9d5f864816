"""What remains of a text after a part was removed, as positions in the text: the ledger may not contain words. Pure.

``cut_out("Ada lives in Oslo and works at Acme", "Ada lives in Oslo")`` is ``"35 0-17"``: the length of the whole and
the range to keep. With the whole text the rest can be rebuilt; without it only lengths are known.
"""

FORGOTTEN = "[forgotten]"
"""Replaces removed words."""
FORGOTTEN_HERE = "#"
MARKS = " .,;:!?'\"()[]-–—…\n\t"
"""The only literal characters in such a note."""
GLUE = "+"
OTHER_CASE = "~"
MOST_PIECES = 200


def cut_out(whole: str, rest: str) -> str | None:
    """A note from which ``put_together`` rebuilds ``rest``; None if no note can express it."""
    pieces: list[str] = []
    at = after = 0
    while at < len(rest) and len(pieces) < MOST_PIECES:
        if rest.startswith(FORGOTTEN, at):
            pieces.append(FORGOTTEN_HERE)
            at += len(FORGOTTEN)
            continue
        start, size = _longest(whole, rest, at, after)
        letter = rest[at]
        if size > 0:
            pieces.append(f"{start}-{start + size}")
            after = start + size
        elif (place := whole.find(letter.swapcase())) >= 0:
            pieces.append(f"{OTHER_CASE}{place}")
        elif letter in MARKS:
            pieces.append(f"{GLUE}{MARKS.index(letter)}")
        else:
            return None
        at += max(size, 1)
    note = " ".join([str(len(whole)), *pieces])
    return note if at >= len(rest) and put_together(whole, note) == rest else None


def put_together(whole: str, note: str) -> str | None:
    """Rebuild the rest from a note of ``cut_out``; None if the note does not match the text."""
    parts = []
    length, *pieces = note.split() or [""]
    if length != str(len(whole)):
        return None
    try:
        for piece in pieces:
            if piece == FORGOTTEN_HERE:
                parts.append(FORGOTTEN)
            elif piece.startswith(OTHER_CASE):
                parts.append(whole[int(piece[1:])].swapcase())
            elif piece.startswith(GLUE):
                parts.append(MARKS[int(piece[1:])])
            else:
                start, end = (int(number) for number in piece.split("-"))
                if not 0 <= start < end <= len(whole):
                    return None
                parts.append(whole[start:end])
    except (ValueError, IndexError):
        return None
    return "".join(parts)


def _longest(whole: str, rest: str, at: int, after: int) -> tuple[int, int]:
    """Start and length of the longest prefix of the remaining ``rest`` that occurs after the last range; length 0 if
    none does.
    """
    best = 0, 0
    for start in (after, 0):
        place = whole.find(rest[at], start)
        while place >= 0:
            size = 1
            while at + size < len(rest) and whole[place + size : place + size + 1] == rest[at + size]:
                size += 1
            if size > best[1]:
                best = place, size
            place = whole.find(rest[at], place + 1)
        if best[1] > 2:
            break
    return best
