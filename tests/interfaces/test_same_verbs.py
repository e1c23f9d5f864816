"""Every verb of the book, and every word it takes, is on every interface, or stands here with the reason why not."""

import inspect
import re
from collections.abc import Container
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from commonplace import aio
from commonplace.book import Commonplace
from commonplace.directives.directives import Directives
from commonplace.errors import Invalid
from commonplace.interfaces.cli.commands import COMMANDS
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest.openapi import described, parameters_of
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
from commonplace.model import NewMemory, NewMemoryFields, Query, QueryFilters, RevisionFields
from commonplace.remote import RemoteBook, ServerConnection
from commonplace.settings import Settings
from commonplace.sharing.sharing import Sharing
from commonplace.verbs import COLLECTIONS, VERBS

pytestmark = pytest.mark.one_engine("compares signatures; the book is opened to have its tools listed")

SMALL: dict[str, type] = {
    "core": Core,
    "glossary": Glossary,
    "namespaces": Namespaces,
    "sharing": Sharing,
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
    *(("graph", "ends_in_namespace"), ("graph", "declare_within"), ("graph", "predicate"), ("graph", "surest")),
    ("graph", "drawing"),  # what the page draws; there it is `GET /v1/graph`
    *(("directives", "acting"), ("directives", "refresh"), ("directives", "chosen")),
    *(("feed", "last"), ("feed", "since"), ("feed", "revision")),  # there it is `follow`
}
"""Parts of larger works, inside one transaction."""

NOT_A_VERB = {"open", "close", "within", "acting_as", "notebook_at"}
"""How a book is held, not what it does; an interface is such a thing itself."""

FILES = "works on files of the machine"
NAMED: dict[str, dict[str, str]] = {
    "rest": {name: verb.route.lower() for name, verb in VERBS.items() if verb.route},
    "mcp": {name: verb.mcp for name, verb in VERBS.items() if verb.mcp},
    "cli": {name: verb.cli for name, verb in VERBS.items() if verb.cli},
}
NAMED["rest"] = {name: route.replace("{receipt}", "{ref}") for name, route in NAMED["rest"].items()}
"""Where the table of verbs says that each is."""


ALSO = {
    "rest": {
        "archive": ["post /v1/memories/bulk"],
        "revise": ["post /v1/revise"],
        "forget": ["post /v1/forget"],
        "erase": ["delete /v1/namespaces/{name}"],
    },
    "mcp": {"remember": ["memory_remember_many"]},
}
"""Where else a verb's words are: by description instead of by id, one namespace instead of all."""

OPEN_WORDS = {
    "recall": set(QueryFilters.__annotations__),
    "browse": set(QueryFilters.__annotations__) - {"explain", "recipe"},
    "remember": set(NewMemoryFields.__annotations__),
    "revise": set(RevisionFields.__annotations__),
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

INTERFACE, PLACE = "set by the door it comes through", "a place on the machine"
NOT_ASKED = {
    ("rest", "remember", "source"): INTERFACE,
    ("mcp", "remember", "source"): INTERFACE,
    ("mcp", "forget", "all"): "a sweep needs a person, and a model speaks there",
    ("mcp", "forget", "yes"): "a model chooses by id, after the person was asked",
    ("rest", "backup", "target"): PLACE + ": the server has a folder of its own",
    ("rest", "backup", "keep"): "a setting of the server",
    ("rest", "backup", "with_keys"): "keys never leave the machine",
    ("rest", "export", "target"): "the answer itself",
    ("rest", "import_", "source"): "the body itself",
    ("rest", "doctor", "fix"): FILES,
    ("mcp", "doctor", "fix"): FILES,
    ("rest", "doctor", "environ"): PLACE,
    ("mcp", "doctor", "environ"): PLACE,
    ("mcp", "remember", "confirm"): "only a person brings back what was forgotten",
    ("mcp", "relate", "confirm"): "only a person brings back what was forgotten",
    ("mcp", "rotate_keys", "destroy_old"): "ends every older backup; not for a model to decide",
}
EVERYWHERE = {"self", "progress", "fields", "filters"}


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
        f"{method} {path}": {one["name"] for one in parameters_of(document, operation)} | _named(document, operation)
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


def unsaid(interface: str, there: dict[str, set[str]]) -> list[str]:
    """Words of the book's verbs that an interface does not take."""
    found = []
    for verb in verbs():
        if verb not in NAMED[interface]:
            continue
        places = [NAMED[interface][verb], *ALSO[interface].get(verb, [])]
        taken = {word for place in places for word in there[place]}
        for word in sorted(words(verb)):
            called = CALLED[interface].get((verb, word), word)
            by_header = interface == "rest" and (verb, word) in BY_HEADER
            if called not in taken and not by_header and (interface, verb, word) not in NOT_ASKED:
                found.append(f"{verb}({word}=)")
    return found


def missing(interface: str, there: Container[str]) -> list[str]:
    return [verb for verb in verbs() if verb in NAMED[interface] and NAMED[interface][verb] not in there]


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
        far = RemoteBook(ServerConnection(client, "https://book.example", None), Settings())
        for collection, local in SMALL.items():
            remote = type(getattr(far, collection))
            asynchronous = getattr(aio, f"Async{local.__name__}")
            for name, verb in vars(local).items():
                if name.startswith("_") or not inspect.isfunction(verb) or (collection, name) in WITHIN:
                    continue
                assert name in vars(remote), f"{remote.__name__}.{name} would look for the store of this machine"
                parameters = inspect.signature(verb).parameters.keys()
                assert inspect.signature(vars(remote)[name]).parameters.keys() == parameters, (collection, name)
                assert inspect.signature(vars(asynchronous)[name]).parameters.keys() == parameters, (collection, name)


def normal(route: str) -> str:
    """A route without the names of its parameters."""
    return re.sub(r"{\w+}", "{}", route.lower())


def test_the_table_names_every_verb_and_only_routes_that_exist():
    assert set(VERBS) == set(verbs())
    assert all(hasattr(aio.AsyncCommonplace, verb) for verb in VERBS)
    routes = {normal(route) for route in rest()}
    named = [verb.route for verb in VERBS.values() if verb.route]
    named += [rest.route for verbs_of in COLLECTIONS.values() for rest in verbs_of.values()]
    assert [route for route in named if normal(route) not in routes] == []
    for collection, verbs_of in COLLECTIONS.items():
        assert [verb for verb in verbs_of if verb not in vars(SMALL[collection])] == [], collection


def test_the_filters_are_the_fields_of_a_query():
    keywords = set(QueryFilters.__annotations__) - {"glossary_tag"}  # the same as one of ``tags``
    assert keywords == {field.name for field in fields(Query)} - {"text", "limit"}


def test_the_keywords_are_the_fields_of_a_memory():
    new = {field.name for field in fields(NewMemory)}
    assert set(NewMemoryFields.__annotations__) == new - {"text", "directive", "step"}
    assert set(RevisionFields.__annotations__) < new


def test_open_words_are_taken(tmp_path):
    with Commonplace.open(settings=Settings(home=tmp_path)) as book:
        id = book.remember("Ada prefers trains").id
        for verb, given in OPEN_WORDS.items():
            first = {"revise": [id], "context": ["x"], "page": ["x"], "recall": ["x"], "remember": ["x"]}.get(verb, [])
            for word in sorted(given):
                arguments = {word: VALUES.get(word), **({"kind": "core"} if word == "key" else {})}
                getattr(book, verb)(*first, **arguments)
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
    "key": "name",
}


def test_every_verb_has_its_command():
    assert missing("cli", COMMANDS) == []
    assert missing("cli", set())


def test_the_comparison_can_fail_and_excuses_nothing_that_is_there(tmp_path):
    assert "recall" in missing("mcp", set())
    assert "recall(known_at=)" in unsaid("mcp", {name: set() for name in mcp(tmp_path)})
    assert [one for one in NOT_ASKED if one[2] not in words(one[1])] == []
    shown = {"rest": rest(), "mcp": mcp(tmp_path)}
    for interface, verb, word in NOT_ASKED:
        assert word not in shown[interface][NAMED[interface][verb]], (interface, verb, word)
