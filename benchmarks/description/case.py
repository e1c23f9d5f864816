"""One case: what the book holds, the description, what must be gone, cut or left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Turn = tuple[str, str] | tuple[str, str, int]
"""Who said it ("assistant" for the other side), what, and how many days ago."""
Entry = str | Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    kind: str
    query: str
    gone: Sequence[Entry] = ()
    cut: Mapping[str, str] = field(default_factory=dict)
    """Texts that lose a part, with what must remain of each."""
    keep: Sequence[Entry] = ()
    """The controls."""
    error: str | None = None
    """The name of the error that must be raised, with nothing changed."""
    owner: str = "me"
    text: str | None = None
    """Of a correction, the new text; ``gone`` then holds what it replaces."""
    all: bool = False
    best: bool = False
    round: int = 1
    """1: the rules were written with it. Later rounds were written when the rules stood; docs/describing.md says how
    each did when it was first run."""

    @property
    def entries(self) -> list[Entry]:
        """Mixed, so that neither order nor age gives the answer away."""
        wanted: list[Entry] = [*self.gone, *self.cut]
        kept = list(self.keep)
        mixed: list[Entry] = []
        while wanted or kept:
            mixed += kept[:1] + wanted[:1]
            kept, wanted = kept[1:], wanted[1:]
        return mixed

    @property
    def expected(self) -> list[str]:
        if self.error:
            return sorted(map(said, self.entries))
        new = [self.text] if self.text is not None and not self.cut else []
        return sorted([*map(said, self.keep), *self.cut.values(), *new])


def said(entry: Entry) -> str:
    return entry if isinstance(entry, str) else entry[1]
