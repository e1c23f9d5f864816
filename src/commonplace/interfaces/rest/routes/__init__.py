"""The routes, one file a noun. Each parses, makes one call of the book, and renders."""

from starlette.routing import BaseRoute

from commonplace.interfaces.rest.routes import (
    accounts,
    directives,
    episodes,
    events,
    glossary,
    graph,
    maintenance,
    me,
    memories,
    namespaces,
    notebook,
    recall,
    records,
    review,
)

ROOMS = (
    *(recall, memories, episodes, graph, glossary, namespaces, review, me, records),
    *(directives, maintenance, notebook, accounts, events),
)


def v1() -> list[BaseRoute]:
    """Side by side and not router in router: looking for a path in each of those again took longer than the answer."""
    return [route for room in ROOMS for route in room.router.routes]
