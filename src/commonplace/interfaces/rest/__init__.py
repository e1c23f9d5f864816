"""The book over HTTP. ``app`` is the FastAPI application, ``serve`` runs it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonplace.interfaces.rest.application import app
    from commonplace.interfaces.rest.serving import serve

__all__ = ["app", "serve"]

# FastAPI and uvicorn: half a second that only a server has to pay
_HOMES = {"app": "application", "serve": "serving"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
