"""Why a hit is a hit: its place in each list, the words that met, what each part added."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, tzinfo

from commonplace.clock import local
from commonplace.model import Evidence, Why
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.question import Question
from commonplace.retrieval.rank import Ranked
from commonplace.text.index import entries

_LISTS = ("words", "meaning", "graph")


def why(
    ranked: Ranked,
    question: Question,
    places: Mapping[str, Mapping[int, int]],
    *,
    language: str = "en",
    zone: tzinfo | None = UTC,
    evidence: Sequence[Evidence] = (),
) -> Why:
    """The parts sum to the score; ``terms`` are those of the question that the hit itself holds.

    ``places`` come from `places_of`, once for the whole page.
    """
    candidate = ranked.candidate
    said_at = local(candidate.said_at, zone)
    text_terms = entries(candidate.text, speaker=candidate.speaker, said_at=said_at, language=language).flags
    return Why(
        parts={part: value for part, value in ranked.parts.items() if value},
        lists={name: places[name][candidate.fused.doc] for name in _LISTS if candidate.fused.doc in places[name]},
        terms=tuple(dict.fromkeys(term.word for term in question.terms if term.word in text_terms)),
        evidence=tuple(evidence),
    )


def places_of(fused: Iterable[Fused]) -> dict[str, dict[int, int]]:
    """For each list the place of every document in it, from 1."""
    everything = list(fused)
    return {name: _places(everything, name) for name in _LISTS}


def _places(fused: Iterable[Fused], name: str) -> dict[int, int]:
    ordered = sorted((-getattr(document, name), document.doc) for document in fused if getattr(document, name) > 0)
    return {doc: place for place, (_, doc) in enumerate(ordered, 1)}
