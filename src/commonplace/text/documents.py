"""What of a memory is indexed: the words it can be found by, and the passages that get a vector each."""

from datetime import datetime

from commonplace.text.normal import sentences
from commonplace.text.words import date_terms, words

PASSAGE = 800
"""Characters that one vector can speak for; a longer text's mean blurs."""


def passages(text: str, *, speaker: str | None = None, turn: bool = False) -> list[str]:
    """A turn's head, or a document's chunks cut at sentence ends; a speaker stands before each."""
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


def document_words(
    text: str, *, speaker: str | None = None, role: str | None = None, said_at: datetime | None = None, language: str = "en"
) -> list[str]:
    """Every term a memory is indexed under: its own words, who said it, and when."""
    terms = words(text, language)
    if speaker:
        terms += words(speaker, language)
    if said_at:
        terms += date_terms(said_at)
    return terms


def quantised_length(length: int) -> int:
    """A document's length in one byte: exact to 127, then by steps that grow with it."""
    if length <= 127:
        return length
    return min(255, 128 + (length - 128) // 16)
