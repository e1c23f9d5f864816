"""Every method that takes a limit refuses what is no number of items; found by signature, so new ones are tried too."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from commonplace import Commonplace, Invalid

PARTS = ("", "audit", "core", "directives", "feed", "glossary", "graph", "hints", "jobs", "namespaces", "review")
ARGUMENTS = {"query": "tea", "entity": "Ada", "sequence": 0, "types": ["person"], "sources": ["user"]}


def limited(book: Commonplace) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Name and call of each method that takes ``limit``."""
    ids = {"directives": book.directives.create("Release", "Version 2 is out").id}
    id = book.remember("Ada drinks tea").id
    for part in PARTS:
        target = getattr(book, part) if part else book
        for name in [name for name in dir(target) if not name.startswith("_")]:
            method = getattr(target, name)
            if not callable(method) or inspect.isclass(method):
                continue
            parameters = inspect.signature(method).parameters
            if "limit" in parameters:
                needed = [one for one, found in parameters.items() if found.default is found.empty and one != "limit"]
                given = {"id": ids.get(part, id), **ARGUMENTS}
                yield (
                    f"{part}.{name}",
                    lambda limit, method=method, needed=needed, given=given: method(
                        **{one: given[one] for one in needed if one in given}, limit=limit
                    ),
                )


def refuses(call: Callable[..., Any], limit: Any) -> bool:
    try:
        call(limit)
    except Invalid:
        return True
    except TypeError:
        return False
    return False


@pytest.mark.parametrize("limit", [-1, 0, -(2**63), True, 1.5, float("nan"), "5"])
def test_a_limit_is_a_number_of_items(book: Commonplace, limit: Any) -> None:
    tried = dict(limited(book))
    assert {".recall", ".browse", "audit.list", "review.list", "feed.since"} <= set(tried)
    assert [name for name, call in tried.items() if not refuses(call, limit)] == []


def test_the_control_is_taken(book: Commonplace) -> None:
    for call in dict(limited(book)).values():
        call(5)
