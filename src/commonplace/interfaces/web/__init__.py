"""The page: static files built from ``web/``, a pure client of the REST API."""

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""It shows text that strangers wrote, so nothing inline and nothing from elsewhere may run."""
MISSING = "This installation has no web page: install Node 20.19 or newer, then install Commonplace again."
FOR_EVER = "public, max-age=31536000, immutable"


class BuiltPage(StaticFiles):
    """The built files; names under ``assets/`` carry their content's hash and may be kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        answer.headers["Content-Security-Policy"] = POLICY
        answer.headers["Cache-Control"] = FOR_EVER if path.startswith("assets") else "no-cache"
        return answer


def folder() -> Path:
    return Path(str(files("commonplace.interfaces.web"))) / "static"


def is_built() -> bool:
    """Whether this installation has the page: one from source without Node does not."""
    return (folder() / "index.html").is_file()


def mount_page(app: FastAPI) -> None:
    """Serve the page at the root; last of all routes, because it matches everything."""
    if is_built():
        app.mount("/", BuiltPage(directory=folder(), html=True), name="page")
        return

    @app.get("/", include_in_schema=False)
    def no_page() -> Response:
        return PlainTextResponse(f"{MISSING}\nThe API is under /v1.\n", 404)
