"""Every verb of the book, and every word it takes, is on every door, or stands here with the reason why not."""

import importlib
import inspect
import re
from collections.abc import Container
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from commonplace.aio import SHELVES
from commonplace.book import Commonplace
from commonplace.directives.desk import Directives
from commonplace.errors import Invalid
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest.openapi import described
from commonplace.interfaces.rest.routes import v1
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph
from commonplace.memories.jobs import Jobs
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline
from commonplace.model import Query
from commonplace.remote import Line, RemoteBook
from commonplace.settings import Settings

pytestmark = pytest.mark.one_engine("compares signatures; the book is opened to have its tools listed")

SMALL: dict[str, type] = {
    "core": Core,
    "glossary": Glossary,
    "namespaces": Namespaces,
    "graph": Graph,
    "review": Review,
    "audit": Audit,
    "jobs": Jobs,
    "receipts": Receipts,
    "sessions": Sessions,
    "feed": Feed,
    "bulk": Bulk,
    "timeline": Timeline,
    "directives": Directives,
}
WITHIN = {
    *(("namespaces", "undo"), ("glossary", "undo"), ("graph", "undo_entity"), ("graph", "relate_within")),
    *(("graph", "carried"), ("graph", "declare_within"), ("graph", "predicate"), ("graph", "surest")),
    *(("directives", "acting"), ("directives", "refresh"), ("directives", "chosen")),
    *(("feed", "last"), ("feed", "since"), ("feed", "revision")),  # there it is `follow`
}
"""Parts of larger works, inside one transaction."""

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


ALSO = {
    "rest": {
        "archive": ["post /v1/memories/bulk"],
        "revise": ["post /v1/revise"],
        "forget": ["post /v1/forget"],
        "erase": ["delete /v1/namespaces/{name}"],
    },
    "mcp": {"remember": ["remember_many"]},
}
"""Where else a verb's words are: by description instead of by id, one namespace instead of all."""

OPEN_WORDS = {
    "recall": {one.name for one in fields(Query)} - {"text"},
    "browse": {one.name for one in fields(Query)} - {"text", "explain", "recipe"},
    "context": {"session", "guidance", "skip"},
    "page": {"session", "guidance", "skip"},
    "revise": {
        *("category", "importance", "confidence", "pinned", "tags", "metadata"),
        *("valid_from", "valid_to", "expires_at"),
    },
    "relations": {"as_of", "known_at", "limit", "after"},
}
"""What stands behind ``**fields``; `test_open_words_are_taken` asks the book itself."""

CALLED = {
    "rest": {
        ("useful", "hit"): "id",
        ("browse", "after"): "cursor",
        ("browse", "newest"): "sort",
        ("browse", "important"): "sort",
        ("uses", "before"): "cursor",
        ("relations", "after"): "cursor",
        ("undo", "receipt"): "ref",
        ("verify_receipt", "receipt"): "ref",
        ("erase", "namespace"): "name",
    },
    "mcp": {("useful", "hit"): "id", ("browse", "newest"): "sort", ("browse", "important"): "sort"},
}
BY_HEADER = {("erase", "confirm"): "x-confirm"} | {
    (verb, "expected"): "if-match" for verb in ("revise", "confirm", "reject", "rollback")
}
"""Read by hand in `call.py`."""

DOOR, PLACE = "set by the door it comes through", "a place on the machine"
NOT_ASKED = {
    ("rest", "remember", "source"): DOOR,
    ("mcp", "remember", "source"): DOOR,
    ("rest", "backup", "target"): PLACE + ": the server has a folder of its own",
    ("rest", "backup", "keep"): "a setting of the server",
    ("rest", "backup", "with_keys"): "keys never leave the machine",
    ("rest", "export", "target"): "the answer itself",
    ("rest", "import_", "source"): "the body itself",
    ("rest", "doctor", "fix"): FILES,
    ("mcp", "doctor", "fix"): FILES,
    ("rest", "doctor", "environ"): PLACE,
    ("mcp", "doctor", "environ"): PLACE,
    ("mcp", "rotate_keys", "destroy_old"): "ends every older backup; not for a model to decide",
}
EVERYWHERE = {"self", "progress", "fields", "options"}


def verbs() -> list[str]:
    found = [name for name, one in vars(Commonplace).items() if inspect.isfunction(one) and not name.startswith("_")]
    return [name for name in found if name not in NOT_A_VERB]


def words(verb: str) -> set[str]:
    return set(inspect.signature(vars(Commonplace)[verb]).parameters) - EVERYWHERE | OPEN_WORDS.get(verb, set())


def rest() -> dict[str, set[str]]:
    """Each operation with the words it takes."""
    bare = FastAPI()
    bare.router.routes += v1()
    document = described(bare)
    return {
        f"{method} {path}": {one["name"] for one in operation.get("parameters", ())} | _named(document, operation)
        for path, found in document["paths"].items()
        for method, operation in found.items()
    }


def mcp(tmp_path: Path) -> dict[str, set[str]]:
    """Each tool with the words it takes."""
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        made = server(OneBook(book), "all")
    return {tool.name: _named(tool.parameters, tool.parameters) for tool in made._tool_manager.list_tools()}


def _named(document: dict[str, Any], schema: Any) -> set[str]:
    """Every property below a schema."""
    if isinstance(schema, list):
        return {name for one in schema for name in _named(document, one)}
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        inner: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            inner = inner[step]
        return _named(document, inner)
    found = set(schema.get("properties", {}))
    skipped = ("responses", "example", "examples", "$defs")
    return found | {name for key, one in schema.items() if key not in skipped for name in _named(document, one)}


def cli() -> str:
    """Every command is on the page, which a test of the CLI holds to."""
    return (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")


def unsaid(door: str, there: dict[str, set[str]]) -> list[str]:
    """Words of the book's verbs that a door does not take."""
    found = []
    for verb in verbs():
        if (door, verb) in ELSEWHERE:
            continue
        places = [NAMED[door].get(verb, verb), *ALSO[door].get(verb, [])]
        taken = {word for place in places for word in there[place]}
        for word in sorted(words(verb)):
            called = CALLED[door].get((verb, word), word)
            by_header = door == "rest" and (verb, word) in BY_HEADER
            if called not in taken and not by_header and (door, verb, word) not in NOT_ASKED:
                found.append(f"{verb}({word}=)")
    return found


def missing(door: str, there: Container[str]) -> list[str]:
    return [verb for verb in verbs() if (door, verb) not in ELSEWHERE and NAMED[door].get(verb, verb) not in there]


def test_every_verb_has_its_route():
    assert missing("rest", rest()) == []


def test_every_verb_has_its_tool(tmp_path):
    assert missing("mcp", mcp(tmp_path)) == []


def test_every_word_of_a_verb_is_taken_by_its_route():
    assert unsaid("rest", rest()) == []


def test_every_word_of_a_verb_is_taken_by_its_tool(tmp_path):
    assert unsaid("mcp", mcp(tmp_path)) == []


def test_every_word_of_a_verb_travels_to_a_book_on_a_server():
    for verb in verbs():
        if verb in ("backup", "restore"):
            continue  # refused there as a whole
        there = inspect.signature(getattr(RemoteBook, verb)).parameters
        any_word = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in there.values())
        assert any_word or words(verb) - set(there) == set(), verb


def test_the_small_objects_are_the_same_on_a_server():
    with httpx2.Client() as client:
        far = RemoteBook(Line(client, "https://book.example", None), Settings())
        for shelf in SHELVES:
            for name, one in vars(SMALL[shelf]).items():
                if name.startswith("_") or not inspect.isfunction(one) or (shelf, name) in WITHIN:
                    continue
                there = inspect.signature(getattr(getattr(far, shelf), name)).parameters
                wanted = set(inspect.signature(one).parameters) - EVERYWHERE
                any_word = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in there.values())
                assert any_word or wanted - set(there) == set(), (shelf, name)


def test_open_words_are_taken(tmp_path):
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        id = book.remember("Ada prefers trains").id
        for verb, given in OPEN_WORDS.items():
            first = {"revise": [id], "context": ["x"], "page": ["x"], "recall": ["x"]}.get(verb, [])
            for word in sorted(given):
                value = VALUES.get(word)
                getattr(book, verb)(*first, **{word: value})
            with pytest.raises((Invalid, TypeError)):
                getattr(book, verb)(*first, nonsense=1)


VALUES: dict[str, Any] = {
    "limit": 1,
    "importance": 0.5,
    "confidence": 0.5,
    "pinned": True,
    "tags": ("a",),
    "metadata": {},
    "category": "fact",
    "skip": (),
    "explain": True,
    "recipe": "balanced",
    "guidance": True,
}


@pytest.mark.skipif(not importlib.util.find_spec("commonplace.interfaces.cli"), reason="the CLI is not written yet")
def test_every_verb_has_its_command():
    commands = set(re.findall(r"commonplace ([a-z-]+)", cli()))
    assert len(commands) >= 20
    assert missing("cli", {name.replace("-", "_") for name in commands} | commands) == []


def test_the_comparison_can_fail_and_excuses_nothing_that_is_there(tmp_path):
    assert "recall" in missing("mcp", set())
    assert "recall(known_at=)" in unsaid("mcp", {name: set() for name in mcp(tmp_path)})
    assert [one for one in NOT_ASKED if one[2] not in words(one[1])] == []
    shown = {"rest": rest(), "mcp": mcp(tmp_path)}
    for door, verb, word in NOT_ASKED:
        assert word not in shown[door][NAMED[door].get(verb, verb)], (door, verb, word)
    assert [one for one in ELSEWHERE if one[1] not in verbs()] == []
    there = {"rest": rest(), "mcp": mcp(tmp_path)}
    assert [one for one in ELSEWHERE if NAMED[one[0]].get(one[1], one[1]) in there[one[0]]] == []
