"""Follow-ups, deadlines, and people not contacted for a while. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from commonplace.model import Memory, Relation

_DUE = re.compile(r"^(?P<subject>.+?) is due (?P<day>\d{4}-\d\d-\d\d)\b")
_FOLLOW_UP = "Follow-up to "


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaItem:
    """``id`` is the id of its memory or relation."""

    id: str
    kind: Literal["owed", "due", "silent"]
    text: str
    name: str
    """Who is owed or was not contacted, or what is due."""
    debtor: str | None = None
    """Who owes the follow-up; None for the owner."""
    day: date | None = None
    """The due day; for ``silent`` the day of the last contact."""
    deadline: str | None = None
    """The memory with the day of a follow-up; both are ended together."""


def agenda(
    relations: Iterable[Relation],
    memories: Iterable[Memory],
    *,
    today: date,
    quiet_days: int = 30,
    ahead_days: int = 14,
) -> list[AgendaItem]:
    """Follow-ups, deadlines within ``ahead_days`` or overdue, and people not contacted for over ``quiet_days`` days.

    Items with a day come first, earliest first.
    """
    relations = list(relations)
    due = dict(_deadlines(memories))
    items: list[AgendaItem] = []
    for relation in relations:
        if relation.predicate == "owes_followup":
            name = relation.object.label
            deadline, day = due.pop(f"{_FOLLOW_UP}{name}", (None, None))
            debtor = None if relation.subject.label.casefold() == "owner" else relation.subject.label
            text = f"{debtor} owes {name} a follow-up" if debtor else f"follow up with {name}"
            items.append(
                AgendaItem(id=relation.id, kind="owed", text=text, name=name, debtor=debtor, day=day, deadline=deadline)
            )
    horizon = today + timedelta(days=ahead_days)
    items += [
        AgendaItem(id=id, kind="due", text=text, name=text, day=day)
        for text, (id, day) in due.items()
        if day <= horizon and not text.startswith(_FOLLOW_UP)  # the follow-up is done
    ]
    items.sort(key=lambda item: (item.day or date.max, item.text))
    return items + _silent(relations, today - timedelta(days=quiet_days))


def due_lines(memories: Iterable[Memory], today: date) -> list[str]:
    """Lines for a page: what is due today, or was due in the last week and has not ended."""
    deadlines = sorted((day, text) for text, (_, day) in _deadlines(memories))
    recent = [(day, text) for day, text in deadlines if today - timedelta(days=7) <= day <= today]
    return [f"Due {'today' if day == today else f'since {day}'}: {text}." for day, text in recent]


def _deadlines(memories: Iterable[Memory]) -> Iterable[tuple[str, tuple[str, date]]]:
    for memory in memories:
        match = _DUE.match(memory.text)
        if match:
            yield match["subject"], (memory.id, date.fromisoformat(match["day"]))


def _silent(relations: Sequence[Relation], before: date) -> list[AgendaItem]:
    contacts = []
    for relation in relations:
        if relation.predicate == "last_contacted_on" and re.fullmatch(r"\d{4}-\d\d-\d\d", relation.object.label):
            day = date.fromisoformat(relation.object.label)
            if day < before:
                name = relation.subject.label
                text = f"{name} was last contacted on {day}"
                contacts.append(AgendaItem(id=relation.id, kind="silent", text=text, name=name, day=day))
    return sorted(contacts, key=lambda item: item.day or date.max)
