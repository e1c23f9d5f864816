"""The routes: those made from the table of verbs (`built`), and by hand what is no plain call of a verb."""

from starlette.routing import BaseRoute

from commonplace.interfaces.rest.routes import accounts, built, events, maintenance, memories, notebook

MODULES = (memories, maintenance, notebook, accounts, events, built)


def v1() -> list[BaseRoute]:
    """Side by side and not router in router: looking for a path in each of those again took longer than the answer."""
    return [route for module in MODULES for route in module.router.routes]
