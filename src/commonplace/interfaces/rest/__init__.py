"""The book over HTTP. ``app`` is the FastAPI application, ``serve`` runs it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonplace.interfaces.rest.application import app
    from commonplace.interfaces.rest.serving import serve

__all__ = ["app", "serve"]


def __getattr__(name: str) -> Any:
    # FastAPI and uvicorn: half a second that only a server has to pay
    if name == "app":
        from commonplace.interfaces.rest.application import app

        return app
    if name == "serve":
        from commonplace.interfaces.rest.serving import serve

        return serve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
