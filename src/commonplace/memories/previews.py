"""What a final act or a correction would do, as a receipt that is not stored."""

from collections.abc import Sequence

from commonplace.memories.codec import NOUN
from commonplace.memories.forgetting import Target
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Action, Change, Receipt

DRY = "dry run"


def whole(scope: Scope, id: str) -> Target:
    """The whole memory with this id as a target. Raises ``NotFound``."""
    memory = Reader(scope).get(id)
    return Target(
        id=memory.id,
        said=memory.text,
        remains=None,
        without=lambda text: text,
        values=(),
        version=memory.version,
        episode=memory.turn is not None,
    )


def forgetting(scope: Scope, targets: Sequence[Target]) -> Receipt:
    """One change for each text that would be deleted, and one for what would remain of it."""
    changes: list[Change] = []
    for target in targets:
        reason = "would be forgotten" if target.remains is None else "this part would be forgotten"
        changes.append(_change(target, target.said, reason))
        if target.remains is not None:
            changes.append(_change(target, target.remains, "would remain", after=target.version + 1))
    return _receipt(scope, "FORGET", targets, changes)


def revising(scope: Scope, target: Target, text: str | None) -> Receipt:
    """The text before and after the correction."""
    would_be = text if text is not None else target.said
    changes = [
        _change(target, target.said, "would go"),
        _change(target, would_be, "would be", after=target.version + 1),
    ]
    return _receipt(scope, "REVISE", [target], changes)


def _change(target: Target, statement: str, reason: str, *, after: int | None = None) -> Change:
    action: Action = "DELETE" if after is None else "UPDATE"
    what = {"noun": NOUN, "id": target.id, "reason": reason, "statement": statement}
    return Change(action=action, **what, before=target.version, after=after)


def _receipt(scope: Scope, action: str, targets: Sequence[Target], changes: Sequence[Change]) -> Receipt:
    return Receipt(
        ref="",
        action=action,
        at=scope.clock.now(),
        actor=scope.actor,
        ids=tuple(dict.fromkeys(target.id for target in targets)),
        changes=tuple(changes),
        state=DRY,
    )
