"""What is no id is refused by every verb that takes one, here, awaited and on a server, and changes nothing."""

import asyncio
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from commonplace.aio import COLLECTIONS, AsyncCommonplace, verbs_of
from commonplace.book import Commonplace
from commonplace.errors import Invalid, NotFound
from commonplace.memories.ids import ID_PARAMETERS
from commonplace.remote import RemoteBook, ServerConnection
from commonplace.settings import Settings
from commonplace.verbs import VERBS

NONE_OF_THEM: list[Any] = [None, [], ["a", "b"], ("a",), {"id": "a"}, 5, b"a"]


def verbs() -> Iterator[tuple[str, str, inspect.Parameter]]:
    """Every verb with a parameter that says which row is meant."""
    for name, collection in (("", Commonplace), *COLLECTIONS.items()):
        for verb in VERBS if not name else verbs_of(collection):
            for parameter in inspect.signature(getattr(collection, verb)).parameters.values():
                if parameter.name in ID_PARAMETERS and parameter.default is not None:
                    yield name, verb, parameter


ALL = list(verbs())
ONE = [case for case in ALL if case[2].annotation is str and case[2].kind is not inspect.Parameter.VAR_POSITIONAL]


def called(book: Any, name: str, verb: str, parameter: inspect.Parameter, value: Any) -> Any:
    """The verb with this value, and something for every other parameter that must be given."""
    method = getattr(getattr(book, name) if name else book, verb)
    arguments, options = [], {}
    for other in inspect.signature(method).parameters.values():
        given = value if other.name == parameter.name else "x"
        if other.kind is other.KEYWORD_ONLY:
            options |= {other.name: given} if other.default is other.empty else {}
        elif other.default is other.empty and other.kind is not other.VAR_KEYWORD:
            arguments.append(given)
    return method(*arguments, **options)


def test_every_verb_that_takes_an_id_is_found():
    found = {f"{name}.{verb}" if name else verb for name, verb, _ in ALL}
    assert found >= {"get", "confirm", "reject", "end", "archive", "history", "rollback", "undo", "verify_receipt"}
    assert found >= {"graph.get", "graph.entity", "bulk.tag", "jobs.replay", "directives.history", "namespaces.move"}


@pytest.mark.parametrize(("name", "verb", "parameter"), ALL, ids=lambda part: str(getattr(part, "name", part)))
def test_what_is_no_id_is_refused(book: Commonplace, name: str, verb: str, parameter: inspect.Parameter) -> None:
    several = "Sequence" in str(parameter.annotation)
    for value in [None, 5, b"a", "a", [5], [None]] if several else NONE_OF_THEM:
        with pytest.raises(Invalid, match=f"`{parameter.name}` of `{verb}` takes"):
            called(book, name, verb, parameter, value)


@pytest.mark.parametrize(("name", "verb", "parameter"), ONE, ids=lambda part: str(getattr(part, "name", part)))
def test_a_server_is_not_asked_for_what_is_no_id(name: str, verb: str, parameter: inspect.Parameter) -> None:
    book = RemoteBook(ServerConnection(None, "https://nowhere", None), Settings())
    for value in NONE_OF_THEM:
        with pytest.raises(Invalid, match=f"`{parameter.name}` of `{verb}` takes"):
            called(book, name, verb, parameter, value)


@pytest.mark.parametrize("value", NONE_OF_THEM)
def test_forget_and_revise_say_what_to_do(book: Commonplace, value: Any) -> None:
    id = book.remember("Ada drinks tea").id
    for verb in (book.forget, book.revise):
        with pytest.raises(Invalid, match="either a memory's id" if value is None else "takes an id as text"):
            verb(value)
    with pytest.raises(Invalid, match="call `forget` once for each"):
        book.forget([id])  # type: ignore[call-overload]
    assert book.get(id).text == "Ada drinks tea"
    book.forget(id)
    with pytest.raises(NotFound):
        book.get(id)


def test_awaited_they_are_refused_alike(book: Commonplace) -> None:
    async def ask() -> None:
        awaited = AsyncCommonplace(book)
        for name, verb, parameter in ONE:
            for value in NONE_OF_THEM:
                with pytest.raises(Invalid, match=f"`{parameter.name}` of `{verb}` takes"):
                    await called(awaited, name, verb, parameter, value)
        with pytest.raises(Invalid, match="call `forget` once for each"):
            await awaited.forget(["a"])  # type: ignore[call-overload]

    asyncio.run(ask())
