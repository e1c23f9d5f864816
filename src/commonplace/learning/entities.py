"""Which of several people of one name is meant. Two Giulias become one only where nothing speaks against it."""

from collections.abc import Sequence

from commonplace.learning.slots import ROLES
from commonplace.memories.graph import Choose
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT
from commonplace.store.rows import EntityRow

FAMILY = frozenset(role.predicate for role in ROLES.values() if role.family)
PROJECTS = frozenset(("responsible_for", "stakeholder_of", "works_on"))
OFFICES = PROJECTS | {
    *("ceo_of", "cfo_of", "cto_of", "coo_of", "cmo_of", "ciso_of", "chair_of"),
    *("reports_to", "colleague_of", "manages", "customer_of", "member_of"),
}
SERVICES = frozenset(role.predicate for role in ROLES.values()) - FAMILY - OFFICES - {"friend_of"}
LOOKED_AT = 50


def circle(predicate: str, *, with_owner: bool) -> str | None:
    """The part of the owner's life that an edge belongs to; None where it could be any."""
    if not with_owner and predicate not in PROJECTS:
        return None
    if predicate in FAMILY:
        return "family"
    if predicate in OFFICES:
        return "work"
    return predicate if predicate in SERVICES else None


def chooser(work: Work, predicate: str, *, owner_label: str, with_owner: bool) -> Choose:
    """Picks the entity of a name for a new edge: the one of the same circle, else one that has no circle yet.

    "My sister Giulia" and "my CFO is Giulia" are two people until somebody merges them. A full name is one person.
    """
    target = circle(predicate, with_owner=with_owner)

    def choose(label: str, entity_rows: Sequence[EntityRow]) -> EntityRow | None:
        if target is None or label == owner_label or " " in label.strip() or entity_rows[0].type != "person":
            return entity_rows[0]
        circles = [(row, _circles(work, row, owner_label)) for row in entity_rows]
        for row, its in circles:
            if target in its:
                return row
        return next((row for row, its in circles if not its), None)

    return choose


def _circles(work: Work, row: EntityRow, owner_label: str) -> set[str]:
    label = work.vault.label("entity", f"{row.namespace}/{owner_label}")
    owners = {entity.id for entity in work.tx.entities.by_label([row.namespace], label)}
    edges = work.tx.relations.find([row.namespace], either=[row.id], statuses=CURRENT, limit=LOOKED_AT)
    circles_of = (circle(edge.predicate, with_owner=bool(owners & {edge.subject, edge.object})) for edge in edges)
    return {entity for entity in circles_of if entity is not None}
