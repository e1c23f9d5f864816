"""What remains of a text that lost a part, told as places in the text: for the ledger, which holds no words. Pure.

``cut_out("Ada lives in Oslo and works at Acme", "Ada lives in Oslo")`` is ``"35 0-17"``, the length of the
whole and what to take of it: whoever has the whole can make the rest again, and whoever has not learns lengths.
"""

FORGOTTEN = "[forgotten]"
"""Stands where words were taken out."""
FORGOTTEN_HERE = "#"
MARKS = " .,;:!?'\"()[]-–—…\n\t"
"""The only characters that may stand in such a note themselves."""
GLUE = "+"
OTHER_CASE = "~"
MOST_PIECES = 200


def cut_out(whole: str, rest: str) -> str | None:
    """A note of the cuts by which ``put_together`` makes ``rest`` out of ``whole``; None if that cannot be noted."""
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
    """The rest that a note of ``cut_out`` speaks of; None if the note does not fit the text."""
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
    """Where the longest beginning of what is left of ``rest`` stands, first behind what was taken last; 0: nowhere."""
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
