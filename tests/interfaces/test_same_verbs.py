"""Every verb of the book is on every door, in the same words, or stands here with the reason why not."""

import importlib
import inspect
import re
from pathlib import Path

import pytest
from fastapi import FastAPI

from commonplace.book import Commonplace
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.settings import Settings

NOT_A_VERB = {"open", "close", "within", "acting_as", "notebook_at"}
"""How a book is held, not what it does; a door is such a thing itself."""

FILES = "works on files of the machine"
ELSEWHERE = {
    ("rest", "restore"): FILES,
    ("mcp", "restore"): FILES,
    ("mcp", "backup"): FILES,
    ("mcp", "export"): FILES + "; the stream is on REST",
    ("mcp", "import_"): FILES + "; the stream is on REST",
}
NAMED = {
    "rest": {
        "remember": "post /v1/memories",
        "remember_many": "post /v1/memories/batch",
        "observe": "post /v1/episodes",
        "recall": "post /v1/recall",
        "context": "post /v1/context",
        "page": "post /v1/context",
        "useful": "post /v1/useful",
        "get": "get /v1/memories/{id}",
        "browse": "get /v1/memories",
        "why": "get /v1/memories/{id}/why",
        "evidence": "get /v1/memories/{id}/evidence",
        "uses": "get /v1/memories/{id}/uses",
        "revise": "patch /v1/memories/{id}",
        "confirm": "post /v1/memories/{id}/confirm",
        "reject": "post /v1/memories/{id}/reject",
        "archive": "post /v1/memories/{id}/archive",
        "end": "post /v1/memories/{id}/end",
        "history": "get /v1/memories/{id}/versions",
        "rollback": "post /v1/memories/{id}/rollback",
        "undo": "post /v1/receipts/{ref}/undo",
        "forget": "delete /v1/memories/{id}",
        "erase": "post /v1/me/memory/forget-all",
        "verify_receipt": "post /v1/receipts/{ref}/verify",
        "relate": "post /v1/relations",
        "relations": "get /v1/relations",
        "walk": "get /v1/walk",
        "hints": "get /v1/hints",
        "dismiss": "delete /v1/hints/{id}",
        "stats": "get /v1/stats",
        "prune": "post /v1/maintenance/prune",
        "merge": "post /v1/maintenance/merge",
        "maintain": "post /v1/maintenance/run",
        "reindex": "post /v1/maintenance/reindex",
        "rotate_keys": "post /v1/maintenance/rotate-keys",
        "backup": "post /v1/backup",
        "export": "get /v1/me/memory/export",
        "import_": "post /v1/import",
        "doctor": "get /v1/doctor",
    },
    "mcp": {
        "remember": "memorize",
        "page": "context",
        "dismiss": "hints",
        "stats": "consolidate",
        "prune": "consolidate",
        "merge": "consolidate",
        "reindex": "maintain",
        "rotate_keys": "maintain",
        "doctor": "maintain",
    },
    "cli": {
        "page": "context",
        "browse": "list",
        "remember_many": "remember",
        "evidence": "get",  # get ID --evidence
        "uses": "get",  # get ID --uses
        "import_": "import",
        "rotate_keys": "keys",
    },
}


def verbs() -> list[str]:
    found = [name for name, one in vars(Commonplace).items() if inspect.isfunction(one) and not name.startswith("_")]
    return [name for name in found if name not in NOT_A_VERB]


def rest() -> set[str]:
    bare = FastAPI()
    bare.router.routes += v1()
    return {f"{method} {path}" for path, found in described(bare)["paths"].items() for method in found}


def mcp(tmp_path: Path) -> set[str]:
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        made = server(OneBook(book), "all")
    return {tool.name for tool in made._tool_manager.list_tools()}


def cli() -> str:
    """Every command is on the page, which a test of the CLI holds to."""
    return (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")


def missing(door: str, there: set[str]) -> list[str]:
    return [verb for verb in verbs() if (door, verb) not in ELSEWHERE and NAMED[door].get(verb, verb) not in there]


def test_every_verb_has_its_route():
    assert missing("rest", rest()) == []


def test_every_verb_has_its_tool(tmp_path):
    assert missing("mcp", mcp(tmp_path)) == []


@pytest.mark.skipif(not importlib.util.find_spec("commonplace.interfaces.cli"), reason="the CLI is not written yet")
def test_every_verb_has_its_command():
    commands = set(re.findall(r"commonplace ([a-z-]+)", cli()))
    assert len(commands) >= 20
    assert missing("cli", {name.replace("-", "_") for name in commands} | commands) == []


def test_the_comparison_can_fail_and_excuses_nothing_that_is_there(tmp_path):
    assert "recall" in missing("mcp", set())
    assert [one for one in ELSEWHERE if one[1] not in verbs()] == []
    there = {"rest": rest(), "mcp": mcp(tmp_path)}
    assert [one for one in ELSEWHERE if NAMED[one[0]].get(one[1], one[1]) in there[one[0]]] == []
