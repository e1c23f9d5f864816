"""The routes, one file per noun. Each parses the request, calls the book once and renders the answer."""

from starlette.routing import BaseRoute

from commonplace.interfaces.rest.routes import (
    accounts,
    built,
    episodes,
    events,
    graph,
    maintenance,
    me,
    memories,
    namespaces,
    notebook,
    recall,
    records,
    review,
    session,
    sync,
)

MODULES = (
    *(recall, memories, episodes, graph, namespaces, sync, review, me, records),
    *(maintenance, notebook, accounts, session, events, built),
)


def v1() -> list[BaseRoute]:
    """Side by side and not router in router: looking for a path in each of those again took longer than the answer."""
    return [route for module in MODULES for route in module.router.routes]
