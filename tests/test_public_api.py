"""The names that others write against. A change here is a change to every user's code: say so in CHANGELOG.md."""

import importlib
import inspect
from pathlib import Path

import pytest
from tools.stubs import STUBS

import commonplace
from commonplace.errors import CommonplaceError
from commonplace.model import NewMemory, NewMemoryFields
from commonplace.settings import Settings

HERE = Path(commonplace.__path__[0])

PUBLIC = {
    "AsyncCommonplace",
    "Commonplace",
    "CommonplaceError",
    "Conflict",
    "Hit",
    "Invalid",
    "Memory",
    "Message",
    "NotFound",
    "NotInPlan",
    "Proposal",
    "Query",
    "Receipt",
    "Refused",
    "Settings",
}
VERBS = {
    "open": "url=None *owner *namespace *settings",
    "remember": (
        "text *kind='associative' *category='context' *key=None *importance=None *confidence=None *tags=() *source=None"
        " *valid_from=None *valid_to=None *expires_at=None *pinned=False *metadata"
    ),
    "remember_many": "items",
    "observe": "messages *session=None",
    "recall": "query *limit",
    "context": "query=None *tokens=2000 *limit=None",
    "get": "id",
    "revise": "id text *reason",
    "confirm": "id",
    "reject": "id *reason",
    "forget": "id *query *dry_run",
    "history": "id",
    "rollback": "id *to",
    "undo": "receipt",
    "erase": "*confirm",
    "stats": "",
    "prune": "*dry_run",
    "merge": "*dry_run",
    "maintain": "",
    "relate": "subject predicate object *subject_type *object_type *confidence=0.7 *notes=None",
    "relations": "",
    "walk": "entity *depth=2",
    "close": "",
}
COLLECTIONS = ("core", "glossary", "namespaces", "directives", "notebook", "review", "audit", "jobs")

needs_book = pytest.mark.skipif(not (HERE / "book.py").exists(), reason="book.py is not written yet")
needs_names = pytest.mark.skipif(not (HERE / "__init__.py").exists(), reason="__init__.py is not written yet")


@needs_names
def test_the_public_names_are_these_and_at_most_fifteen():
    assert set(commonplace.__all__) == PUBLIC
    assert len(commonplace.__all__) <= 15
    assert all(hasattr(commonplace, name) for name in PUBLIC)


@needs_book
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_takes_what_it_promised(verb):
    """Each promised parameter is there, as promised: by position or (*) by keyword, with the default."""
    book = importlib.import_module("commonplace.book").Commonplace
    given = dict(inspect.signature(getattr(book, verb)).parameters)
    if verb == "remember":  # takes the fields of a new memory as keywords
        new = inspect.signature(NewMemory).parameters
        given |= {name: new[name] for name in NewMemoryFields.__annotations__}
    for wanted in VERBS[verb].split():
        name, _, default = wanted.removeprefix("*").partition("=")
        assert name in given, f"{verb} lost its parameter {name}"
        if not wanted.startswith("*"):
            assert given[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD, name
        if default:
            assert repr(given[name].default) == default, name


@needs_book
def test_the_book_has_its_collections(tmp_path, book_url):
    open_book = importlib.import_module("commonplace.book").Commonplace.open
    with open_book(book_url, settings=Settings(home=tmp_path)) as book:
        assert [collection for collection in COLLECTIONS if not hasattr(book, collection)] == []


@pytest.mark.skipif(not (HERE / "aio.py").exists(), reason="aio.py is not written yet")
def test_every_verb_has_its_async_twin():
    twin = importlib.import_module("commonplace.aio").AsyncCommonplace
    assert [verb for verb in VERBS if not hasattr(twin, verb)] == []


def test_a_message_is_made_as_promised():
    message = importlib.import_module("commonplace.model").Message
    made = message("hello", speaker="Ada", role="user", at=None, metadata={"n": 1})
    assert (made.text, made.speaker, made.metadata) == ("hello", "Ada", {"n": 1})


def test_every_error_is_in_the_drawing_on_top_of_its_file():
    errors = importlib.import_module("commonplace.errors")
    classes = [one for one in vars(errors).values() if inspect.isclass(one) and issubclass(one, CommonplaceError)]
    drawn = [line.lstrip("│├└─ ").split() for line in errors.__doc__.splitlines()]
    assert {one.__name__ for one in classes} == {words[0] for words in drawn if words} & {
        one.__name__ for one in classes
    }
    assert {words[0] for words in drawn[2:] if words} == {one.__name__ for one in classes}


@pytest.mark.parametrize("name", STUBS)
def test_the_types_of_the_async_book_and_of_the_protocol_are_made_from_the_signatures(name):
    """`python tools/stubs.py` writes them again."""
    assert STUBS[name]() == (HERE / name).read_text("utf-8"), "run `python tools/stubs.py`"
