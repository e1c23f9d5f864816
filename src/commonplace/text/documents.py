"""Splits a memory into the passages that get a vector each."""

from commonplace.text.sentences import sentences

PASSAGE = 800
"""Maximum characters for one vector; the mean of a longer text blurs."""


def passages(text: str, *, speaker: str | None = None, turn: bool = False) -> list[str]:
    """The head of a turn, or a document's chunks cut at sentence ends, each preceded by the speaker."""
    lead = f"{speaker}: " if speaker else ""
    if turn or len(text) <= PASSAGE:
        return [lead + text[:PASSAGE]]
    chunks: list[str] = []
    current = ""
    for sentence in sentences(text):
        part = sentence.text.strip()
        while len(part) > PASSAGE:
            chunks.append(part[:PASSAGE])
            part = part[PASSAGE:]
        if current and len(current) + 1 + len(part) > PASSAGE:
            chunks.append(current)
            current = part
        else:
            current = f"{current} {part}".strip()
    return [lead + chunk for chunk in [*chunks, current] if chunk]
