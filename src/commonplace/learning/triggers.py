"""What a careful note-taker would write down at once: the hooks and the notebook ask here, and so do the rules.

Only the standard library, and no pattern compiles before a message asks for it: the hook process imports this.
"""

from dataclasses import dataclass

from commonplace.learning.languages.tables import TriggerKind
from commonplace.learning.matching import clause_matches


@dataclass(frozen=True, slots=True)
class Trigger:
    """A clause worth a note; ``text[start:end]`` holds the quote.

    ``name`` is a fact about a person, place or project; ``value`` an id, URL, branch, version or setting.
    """

    kind: TriggerKind
    quote: str
    start: int
    end: int


def scan(text: str) -> tuple[Trigger, ...]:
    """The triggers of a message, in their order; none for questions, guesses, jokes, code and other people's words."""
    return tuple(
        Trigger(clause_match.rule.kind, clause_match.quote, clause_match.start, clause_match.end)
        for clause_match in clause_matches(text)
    )
