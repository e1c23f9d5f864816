"""The mem0-shaped façade, in the old and the new form of call."""

import asyncio
import inspect

import pytest

from commonplace import Commonplace
from commonplace.adapters.mem0 import AsyncMemory, Memory


@pytest.fixture
def memory(book: Commonplace) -> Memory:
    return Memory(book)


def test_what_is_added_is_found_for_its_user_only(memory: Memory) -> None:
    added = memory.add("Ada likes tea", user_id="ada", infer=False, metadata={"topic": "drinks"})
    memory.add("Bob likes coffee", user_id="bob", infer=False)
    assert added["results"][0]["event"] == "ADD"
    new = memory.search("what does she drink?", filters={"user_id": "ada"}, top_k=5)["results"]
    old = memory.search("what does she drink?", user_id="ada", limit=5)["results"]
    assert [one["memory"] for one in new] == [one["memory"] for one in old] == ["Ada likes tea"]
    assert new[0]["metadata"] == {"topic": "drinks"} and new[0]["user_id"] == "ada" and new[0]["score"] > 0
    assert [one["memory"] for one in memory.get_all(filters={"user_id": "bob"})["results"]] == ["Bob likes coffee"]


def test_filters_compare(memory: Memory) -> None:
    for n in range(4):
        memory.add(f"fact {n}", user_id="u", run_id=f"r{n % 2}", infer=False, metadata={"n": n})

    def found(**filters):
        results = memory.get_all(filters={"user_id": "u", **filters})["results"]
        return sorted(one["metadata"]["n"] for one in results)

    assert found(n={"gte": 2}) == [2, 3] and found(run_id="r1") == [1, 3] and found(run_id="*") == [0, 1, 2, 3]
    assert found(OR=[{"n": 0}, {"n": {"in": [3]}}]) == [0, 3] and found(NOT=[{"n": 0}]) == [1, 2, 3]


def test_update_history_and_delete(memory: Memory) -> None:
    id = memory.add("Ada likes tea", user_id="ada", infer=False)["results"][0]["id"]
    other = memory.add("Ada likes cake", user_id="ada", infer=False)["results"][0]["id"]
    assert memory.update(id, "Ada likes oolong")["message"] == "Memory updated successfully!"
    assert memory.get(id)["memory"] == "Ada likes oolong"
    assert [(one["old_memory"], one["new_memory"], one["event"]) for one in memory.history(id)] == [
        (None, "Ada likes tea", "ADD"),
        ("Ada likes tea", "Ada likes oolong", "UPDATE"),
    ]
    memory.delete(id)
    assert memory.get(id) is None and memory.get(other)["memory"] == "Ada likes cake"
    with pytest.raises(ValueError, match="not found"):
        memory.delete(id)
    memory.delete_all(user_id="ada")
    assert memory.get_all(user_id="ada")["results"] == []


def test_messages_are_learned_from(memory: Memory) -> None:
    said = [{"role": "user", "content": "I moved to Oslo"}, {"role": "assistant", "content": "Nice!"}]
    assert memory.add(said, user_id="ada")["results"]
    assert any("Oslo" in one["memory"] for one in memory.search("where does she live", user_id="ada")["results"])


def test_an_id_is_needed(memory: Memory) -> None:
    for call in (lambda: memory.add("x"), lambda: memory.search("x"), memory.get_all):
        with pytest.raises(ValueError, match="user_id"):
            call()


def test_reset_leaves_the_rest_of_the_book(memory: Memory, book: Commonplace) -> None:
    book.remember("not of mem0")
    memory.add("of mem0", user_id="u", infer=False)
    memory.reset()
    assert memory.get_all(user_id="u")["results"] == [] and book.recall("mem0")[0].memory.text == "not of mem0"


def test_the_awaited_twin(book: Commonplace) -> None:
    async def talk() -> list:
        memory = AsyncMemory(book)
        await memory.add("Ada likes tea", user_id="ada", infer=False)
        return (await memory.search("tea", user_id="ada"))["results"]

    assert [one["memory"] for one in asyncio.run(talk())] == ["Ada likes tea"]


def test_every_verb_of_the_real_package_is_here() -> None:
    real = pytest.importorskip("mem0").Memory
    verbs = ["add", "search", "get_all", "get", "update", "delete", "delete_all", "history", "reset"]
    for name in verbs:
        theirs = inspect.signature(getattr(real, name)).parameters
        ours = inspect.signature(getattr(Memory, name)).parameters
        takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in ours.values())
        assert takes_any or set(theirs) - {"kwargs"} <= set(ours), name
