"""What a final act or a correction would do, as a receipt that nobody keeps."""

from collections.abc import Sequence

from commonplace.memories.forgetting import Meant
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.states import NOUN
from commonplace.model import Change, Receipt

DRY = "dry run"


def whole(scope: Scope, id: str) -> Meant:
    """All of a memory that is named by its id. Raises ``NotFound``."""
    memory = Reader(scope).get(id)
    return Meant(
        id=memory.id,
        said=memory.text,
        remains=None,
        without=lambda text: text,
        values=(),
        version=memory.version,
        episode=memory.turn is not None,
    )


def forgetting(scope: Scope, meant: Sequence[Meant]) -> Receipt:
    """A change for what would go; where a part goes, a second one for what would remain."""
    changes: list[Change] = []
    for one in meant:
        reason = "would be forgotten" if one.remains is None else "this part would be forgotten"
        changes.append(
            Change(action="DELETE", noun=NOUN, id=one.id, reason=reason, statement=one.said, before=one.version)
        )
        if one.remains is not None:
            changes.append(_update(one, one.remains, "would remain"))
    return _receipt(scope, "FORGET", meant, changes)


def revising(scope: Scope, one: Meant, text: str | None) -> Receipt:
    """The text as it is, and as it would be."""
    would_be = text if text is not None else one.said
    gone = Change(action="DELETE", noun=NOUN, id=one.id, reason="would go", statement=one.said, before=one.version)
    return _receipt(scope, "REVISE", [one], [gone, _update(one, would_be, "would be")])


def _update(one: Meant, statement: str, reason: str) -> Change:
    return Change(
        action="UPDATE",
        noun=NOUN,
        id=one.id,
        reason=reason,
        statement=statement,
        before=one.version,
        after=one.version + 1,
    )


def _receipt(scope: Scope, action: str, meant: Sequence[Meant], changes: Sequence[Change]) -> Receipt:
    return Receipt(
        ref="",
        action=action,
        at=scope.clock.now(),
        actor=scope.actor,
        ids=tuple(dict.fromkeys(one.id for one in meant)),
        changes=tuple(changes),
        state=DRY,
    )
