"""Imports only go down the stairs: never up, never sideways, not inside functions, not under TYPE_CHECKING."""

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[1] / "src"
STAIRS = (
    "errors", "model clock plans", "settings text", "workplace", "store providers", "security", "memories",
    "retrieval", "extraction context notebook directives", "maintenance", "book", "interfaces adapters",
)  # fmt: skip
STEP = {room: step for step, rooms in enumerate(STAIRS) for room in rooms.split()}
# the public names, the program, and the engines for tests: they see all, no room sees them
STEP["__init__"] = STEP["__main__"] = STEP["testing"] = 99
SERVICE = {"aio": "book", "opening": "book", "remote": "book"}  # the service is one room in four files


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Every module a tree imports, as the parts of its full name, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = [*above, *(node.module or "").split(".")]
            yield from ((node.lineno, [part for part in (*base, alias.name) if part]) for alias in node.names)


def climbs(room: str, name: list[str]) -> bool:
    target = [*name, "__init__"][1] if name[0] == "commonplace" else room
    here, there = (SERVICE.get(one, one) for one in (room, target))
    return here != there and STEP.get(there, STEP["interfaces"] - 1) >= STEP[here]  # unknown: a name from __init__


def test_imports_only_go_down_the_stairs():
    places = [(file, file.relative_to(SRC).with_suffix("").parts) for file in sorted(SRC.rglob("*.py"))]
    seen = [(place, *one) for file, place in places for one in imported(ast.parse(file.read_text("utf-8")), place[:-1])]
    found = [f"{'.'.join(place)}:{line}: {'.'.join(name)}" for place, line, name in seen if climbs(place[1], name)]
    assert not found, "\n".join(found)
    assert climbs("store", ["commonplace", "providers"]) and not climbs("book", ["commonplace", "store"])  # the control
