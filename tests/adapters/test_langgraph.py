"""LangGraph's store contract on the real package."""

import asyncio

import pytest

pytest.importorskip("langgraph.store.base")
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp

from commonplace import Commonplace
from commonplace.adapters.langgraph import CommonplaceStore


@pytest.fixture
def store(book: Commonplace) -> CommonplaceStore:
    return CommonplaceStore(book)


def test_what_is_put_is_got_to_the_letter(store: CommonplaceStore, clock) -> None:
    value = {"text": "  Likes Tea ", "n": [1, {"a": None}], "x": 1.5}
    store.put(("users", "ada"), "Likes", value)
    made = store.get(("users", "ada"), "Likes")
    assert made.value == value and made.namespace == ("users", "ada") and made.key == "Likes"
    assert store.get(("users", "ada"), "likes") is None and store.get(("users", "Ada"), "Likes") is None
    clock.advance(days=1)
    store.put(("users", "ada"), "Likes", {"text": "coffee"})
    again = store.get(("users", "ada"), "Likes")
    assert again.value == {"text": "coffee"}
    assert again.created_at == made.created_at and again.updated_at > made.updated_at


def test_deleted_is_gone_and_may_be_put_again(store: CommonplaceStore) -> None:
    store.put(("n",), "a", {"t": "same"})
    store.put(("n",), "b", {"t": "same"})
    store.delete(("n",), "a")
    assert store.get(("n",), "a") is None and store.get(("n",), "b").value == {"t": "same"}
    store.put(("n",), "a", {"t": "same"})
    assert store.get(("n",), "a").value == {"t": "same"}


def test_a_batch_answers_in_order_and_the_last_put_wins(store: CommonplaceStore) -> None:
    store.put(("t",), "k", {"v": 0})
    answers = store.batch(
        [
            PutOp(("t",), "k", {"v": 1}),
            GetOp(("t",), "k"),
            PutOp(("t",), "k", {"v": 2}),
            SearchOp(("t",)),
            ListNamespacesOp(match_conditions=None),
        ]
    )
    assert answers[0] is None and answers[1].value == {"v": 0} and answers[2] is None
    assert [item.value for item in answers[3]] == [{"v": 0}] and answers[4] == [("t",)]
    assert store.get(("t",), "k").value == {"v": 2}


@pytest.mark.parametrize(
    ("filter", "keys"),
    [
        ({"color": "red"}, ["a", "c"]),
        ({"size": {"$gt": 2}}, ["b", "c"]),
        ({"size": {"$gte": 1, "$lt": 3}}, ["a", "b"]),
        ({"color": {"$ne": "red"}}, ["b"]),
        ({"deep": {"er": 1}}, ["c"]),
        ({"none": {"$eq": 1}}, []),
    ],
)
def test_filters(store: CommonplaceStore, filter: dict, keys: list[str]) -> None:
    store.put(("f",), "a", {"color": "red", "size": 1})
    store.put(("f",), "b", {"color": "blue", "size": 2.5})
    store.put(("f",), "c", {"color": "red", "size": 3, "deep": {"er": 1, "x": 2}})
    assert sorted(item.key for item in store.search(("f",), filter=filter)) == keys


def test_search_ranks_by_meaning_inside_the_prefix(store: CommonplaceStore) -> None:
    store.put(("docs", "pets"), "cat", {"text": "a grey kitten was adopted"})
    store.put(("docs", "it"), "db", {"text": "the nightly database backup"})
    store.put(("other",), "cat", {"text": "a kitten too"})
    found = store.search(("docs",), query="who got a new cat?")
    assert [item.key for item in found] == ["cat", "db"] and found[0].score > (found[1].score or 0)
    assert [item.namespace for item in store.search((), query="kitten", limit=1, offset=1)] != []
    assert store.search(("doc",)) == []


def test_index_false_is_kept_and_not_found_by_words(store: CommonplaceStore) -> None:
    store.put(("n",), "hidden", {"text": "a purple giraffe"}, index=False)
    store.put(("n",), "shown", {"text": "a purple giraffe", "more": "x"}, index=["text"])
    found = store.search(("n",), query="purple giraffe")
    assert found[0].key == "shown" and found[1].score is None
    assert store.get(("n",), "hidden").value == {"text": "a purple giraffe"}


def test_namespaces_are_listed_by_wildcard_and_depth(store: CommonplaceStore) -> None:
    for namespace in (("a", "b", "c"), ("a", "d", "c"), ("x", "b")):
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces(prefix=("a",)) == [("a", "b", "c"), ("a", "d", "c")]
    assert store.list_namespaces(suffix=("*", "c"), max_depth=2) == [("a", "b"), ("a", "d")]
    op = ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("*", "b")),), limit=1, offset=1)
    assert store.batch([op])[0] == [("x", "b")]


def test_time_to_live_ends_and_is_refreshed_by_reading(book: Commonplace, clock) -> None:
    store = CommonplaceStore(book, ttl={"default_ttl": 10, "refresh_on_read": True})
    store.put(("n",), "short", {"v": 1})
    store.put(("n",), "long", {"v": 2}, ttl=60)
    clock.advance(minutes=8)
    assert store.get(("n",), "short").value == {"v": 1}
    clock.advance(minutes=8)
    assert store.get(("n",), "short", refresh_ttl=False) is not None
    clock.advance(minutes=8)
    assert store.get(("n",), "short") is None and store.get(("n",), "long").value == {"v": 2}


def test_bad_namespaces_are_refused(store: CommonplaceStore) -> None:
    for namespace in ((), ("a.b",), ("",), ("langgraph", "x")):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {"v": 1})
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a.b",), "k", {"v": 1})])
    with pytest.raises(ValueError, match="operator"):
        store.put(("n",), "k", {"v": 1})
        store.search(("n",), filter={"v": {"$near": 1}})


def test_the_asynchronous_half_is_the_same(store: CommonplaceStore) -> None:
    async def talk() -> dict:
        await store.aput(("n",), "k", {"v": 1})
        return (await store.aget(("n",), "k")).value

    assert asyncio.run(talk()) == {"v": 1}
