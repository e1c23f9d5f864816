"""The project's Markdown files, to read. Only for the owner whose server this is: the files are theirs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.errors import NotFound
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import Call, Read
from commonplace.notebook.places import Places

router = APIRouter(prefix="/v1", tags=["notebook"])


@router.get("/notebook", response_model=shapes.NotebookFiles)
def notebook(call: Read) -> Response:
    """The files of the project that the server was started in."""
    if not _theirs(call):
        return Json({"files": []})
    places = call.whole.notebook.pages.places
    return Json({"files": [_about(places, path) for path in places.files()]})


@router.get("/notebook/{name:path}", response_model=shapes.NotebookPage)
def page(name: str, call: Read) -> Response:
    """One of those files. Nothing else on the machine can be named: what is not in the list is not found."""
    places = call.whole.notebook.pages.places
    for path in places.files() if _theirs(call) else ():
        if places.name(path) == name:
            return Json({"name": name, "text": places.checked(path).read_text("utf-8", "replace")})
    raise NotFound("file of the notebook", name)


def _theirs(call: Call) -> bool:
    return call.token.owner == call.house.parts.settings.owner


def _about(places: Places, path: Path) -> dict[str, Any]:
    about = places.checked(path).stat()
    return {
        "name": places.name(path),
        "tier": _tier(places, path),
        "path": places.name(path),
        "modified": datetime.fromtimestamp(about.st_mtime, UTC),
        "size": about.st_size,
    }


def _tier(places: Places, path: Path) -> str:
    named = {
        places.buffer: "working buffer",
        places.long_term: "long term",
        places.todo: "todo",
        places.lessons: "lessons",
    }
    return named.get(path, "daily log")
