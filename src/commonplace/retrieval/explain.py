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
    one = ranked.candidate
    said_at = local(one.said_at, zone)
    held = entries(one.text, speaker=one.speaker, said_at=said_at, language=language).flags
    return Why(
        parts={part: value for part, value in ranked.parts.items() if value},
        lists={name: places[name][one.fused.doc] for name in _LISTS if one.fused.doc in places[name]},
        terms=tuple(dict.fromkeys(term.word for term in question.terms if term.word in held)),
        evidence=tuple(evidence),
    )


def places_of(fused: Iterable[Fused]) -> dict[str, dict[int, int]]:
    """For each list the place of every document in it, from 1."""
    everything = list(fused)
    return {name: _places(everything, name) for name in _LISTS}


def _places(fused: Iterable[Fused], name: str) -> dict[int, int]:
    held = sorted((-getattr(one, name), one.doc) for one in fused if getattr(one, name) > 0)
    return {doc: place for place, (_, doc) in enumerate(held, 1)}
