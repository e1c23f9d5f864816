"""The routes, one file per noun. Each parses the request, calls the book once and renders the answer."""

from starlette.routing import BaseRoute

from commonplace.interfaces.rest.routes import (
    accounts,
    built,
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
    session,
    sharing,
    sync,
)

MODULES = (
    *(recall, memories, built, episodes, graph, glossary, namespaces, sharing, sync, review, me, records),
    *(directives, maintenance, notebook, accounts, session, events),
)


def v1() -> list[BaseRoute]:
    """Side by side and not router in router: looking for a path in each of those again took longer than the answer."""
    return [route for module in MODULES for route in module.router.routes]
