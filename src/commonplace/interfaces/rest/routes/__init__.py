"""The routes, one file a noun. Each parses, makes one call of the book, and renders."""

from fastapi import APIRouter, Depends
from fastapi.security import HTTPBearer

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
    *(memories, episodes, recall, graph, glossary, namespaces, review, me, records),
    *(directives, maintenance, notebook, accounts, events),
)
bearer = HTTPBearer(auto_error=False, description="An API token. The door itself checks it; this only documents it.")


def v1() -> APIRouter:
    router = APIRouter(prefix="/v1", dependencies=[Depends(bearer)])
    for room in ROOMS:
        router.include_router(room.router)
    return router
