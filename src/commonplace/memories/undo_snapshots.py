"""Earlier states of tags and namespaces, so that changes to them can be undone.

A tag's states are stored under its namespace: they outlive the tag, which may be restored, and are deleted with the
namespace.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.errors import Conflict
from commonplace.memories.unit_of_work import Work

Plain = Mapping[str, Any]
Links = Sequence[tuple[str, str]]
PUBLIC_FIELDS = ("name", "description", "predicates")
"""The fields of a namespace that people set; the others are recorded automatically and not undone."""


@dataclass(frozen=True, slots=True)
class SavedState:
    """A saved state: its content (None: it did not exist), and the links that the act added and removed."""

    plain: Plain | None
    gave: tuple[tuple[str, str], ...] = ()
    took: tuple[tuple[str, str], ...] = ()


def tag_key(namespace: str, id: str) -> str:
    return f"{namespace}/{id}"


def public_fields(plain: Plain) -> Plain:
    return {name: plain.get(name) for name in PUBLIC_FIELDS}


def save_states(
    work: Work,
    noun: str,
    key: str,
    *,
    before: Plain | None,
    after: Plain | None,
    action: str,
    gave: Links = (),
    took: Links = (),
) -> None:
    """Save the state of ``noun`` after a change, and the state before it unless one is saved already."""
    last = _last(work, noun, key)
    if last == 0 and before is not None:
        last = 1
        work.put_version(noun, key, last, action, {"plain": before})
    written = {"plain": after, "gave": [list(link) for link in gave], "took": [list(link) for link in took]}
    work.put_version(noun, key, last + 1, action, written)
    work.touched.append((noun, key, last or None, last + 1))


def saved_states(work: Work, noun: str, key: str, before: int | None, after: int) -> tuple[SavedState, SavedState]:
    """The states before and after an act. Raises ``Conflict`` if another act followed."""
    last = _last(work, noun, key)
    if last != after:
        raise Conflict(noun, key.rpartition("/")[2], expected=after, found=last)
    return SavedState(None) if before is None else _open(work, noun, key, before), _open(work, noun, key, after)


def _last(work: Work, noun: str, key: str) -> int:
    return max((row.version for row in work.tx.versions.of(noun, key)), default=0)


def _open(work: Work, noun: str, key: str, version: int) -> SavedState:
    row = next(state for state in work.tx.versions.of(noun, key) if state.version == version)
    plain = work.scope.opened(row)
    gave, took = (tuple((noun, id) for noun, id in plain.get(name, ())) for name in ("gave", "took"))
    return SavedState(plain["plain"], gave, took)
