"""What each list says of one document."""

from typing import NamedTuple


class Fused(NamedTuple):
    """One document's places in the lists, each from 0 to 1. ``own`` is the part of ``words`` its own words earned."""

    doc: int
    words: float = 0.0
    own: float = 0.0
    meaning: float = 0.0
    graph: float = 0.0
