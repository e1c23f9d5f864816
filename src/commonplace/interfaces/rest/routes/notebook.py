"""The project's Markdown files. Only for the owner whose server this is: the files are theirs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.errors import NotFound
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json
from commonplace.interfaces.rest.call import ApiCall, Read, Write
from commonplace.notebook.files import read, replace
from commonplace.notebook.paths import NotebookPaths

router = APIRouter(prefix="/v1", tags=["notebook"])


@router.get("/notebook", response_model=shapes.NotebookFiles)
def list_notebook_files(call: Read) -> Response:
    """The files of the project that the server was started in."""
    if not _theirs(call):
        return Json({"folder": None, "files": []})
    paths = call.whole.notebook.pages.paths
    return Json({"folder": str(paths.root), "files": [_about(paths, path) for path in paths.files()]})


@router.get("/notebook/{name:path}", response_model=shapes.NotebookPage)
def get_notebook_file(name: str, call: Read) -> Response:
    """One of those files. Nothing else on the machine can be named: what is not in the list is not found."""
    paths, path = _file(call, name)
    return Json({"name": name, "text": read(paths, path).text})


@router.put("/notebook/{name:path}", response_model=shapes.NotebookPage)
def edit_notebook_file(name: str, body: shapes.NotebookEdit, call: Write) -> Response:
    """Replace the text of one of those files, unless somebody wrote it since it was read. Needs a person's token."""
    call.need_person("editing the notebook")
    paths, path = _file(call, name)
    replace(paths, call.service.parts.settings.home, path, body.before, body.after)
    return Json({"name": name, "text": read(paths, path).text})


def _file(call: ApiCall, name: str) -> tuple[NotebookPaths, Path]:
    paths = call.whole.notebook.pages.paths
    for path in paths.files() if _theirs(call) else ():
        if paths.name(path) == name:
            return paths, path
    raise NotFound("file of the notebook", name)


def _theirs(call: ApiCall) -> bool:
    return call.token.owner == call.service.parts.settings.owner


def _about(paths: NotebookPaths, path: Path) -> dict[str, Any]:
    file_stat = paths.checked(path).stat()
    return {
        "name": paths.name(path),
        "tier": _tier(paths, path),
        "path": paths.name(path),
        "modified": datetime.fromtimestamp(file_stat.st_mtime, UTC),
        "size": file_stat.st_size,
    }


def _tier(paths: NotebookPaths, path: Path) -> str:
    files = {
        paths.buffer: "working buffer",
        paths.long_term: "long term",
        paths.todo: "todo",
        paths.lessons: "lessons",
    }
    return files.get(path, "daily log")
