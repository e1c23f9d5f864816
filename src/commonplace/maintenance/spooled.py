"""Writes that hooks could not make, made good by whoever runs maintenance."""

from collections.abc import Mapping

from commonplace.errors import KeyringError
from commonplace.maintenance import schedule
from commonplace.maintenance.house import House
from commonplace.memories.scope import Scope
from commonplace.notebook import draining, spool


def make_good(house: House, scope: Scope) -> Mapping[str, int]:
    """Let in what waits for this owner; figures for the log."""
    if not spool.waits(house.settings):
        return {}
    try:
        found = spool.spool_of(house.settings)
    except KeyringError:  # the book was opened with keys from elsewhere: the spool is another installation's
        return {}
    done = draining.drain(scope, found)
    return {"spooled": done.kept, "refused": done.refused, "damaged": done.damaged}


def drop_waiting(house: House, owner: str) -> None:
    """Nothing of an erased owner waits to be let in again."""
    if spool.waits(house.settings):
        try:
            spool.drop(spool.spool_of(house.settings), owner)
        except KeyringError:
            return  # as above


schedule.every("spool", make_good, hours=1)
