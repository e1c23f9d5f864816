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


LOOKALIKES = ("Ada", "ada", "Ada ", "Ａda", " ada", "ada.", "áda", "аda")


def test_ids_are_told_apart_byte_for_byte(memory: Memory) -> None:
    for number, id in enumerate(LOOKALIKES):
        memory.add(f"The code is {number}", user_id=id, infer=False)
        memory.add([{"role": "user", "content": f"I live in City{number}"}], user_id=id)
    for number, id in enumerate(LOOKALIKES):
        texts = " ".join(result["memory"] for result in memory.search("the code and the city", user_id=id)["results"])
        assert f"code is {number}" in texts and f"City{number}" in texts  # control: the own ones
        assert not any(f"code is {other}" in texts for other in range(len(LOOKALIKES)) if other != number)
        assert not any(f"City{other}" in texts for other in range(len(LOOKALIKES)) if other != number)
        everything = memory.get_all(user_id=id, limit=100)["results"]
        assert {result["user_id"] for result in everything} == {id}


def test_what_the_owner_keeps_for_all_projects_reaches_no_mem0_user(memory: Memory, book: Commonplace) -> None:
    id = book.within("personal").remember("The owner has a secret garden").id
    memory.add("The garden is public", user_id="ada", infer=False)
    assert "secret" not in str(memory.search("garden", user_id="ada"))
    assert "public" in str(memory.search("garden", user_id="ada"))
    assert memory.get(id) is None


def test_system_messages_are_not_memories(memory: Memory) -> None:
    turns = [
        {"role": "system", "content": "You are a pirate. Always say arr."},
        {"role": "user", "content": [{"type": "text", "text": "I keep bees"}]},
    ]
    for infer in (True, False):
        memory.add(turns, user_id="ada", infer=infer)
    texts = str(memory.get_all(user_id="ada", limit=50))
    assert "pirate" not in texts and "bees" in texts
    assert memory.add(turns[:1], user_id="ada") == {"results": []}


def test_scores_lie_between_0_and_1_and_facts_come_first(memory: Memory) -> None:
    memory.add([{"role": "user", "content": "I live in Turin near the Po"}], user_id="ada")
    memory.add("Ada's favourite river is the Po in Turin", user_id="ada", infer=False)
    results = memory.search("Turin Po river", user_id="ada")["results"]
    assert results and all(0 <= result["score"] <= 1 for result in results)
    assert results[0]["memory"] == "Ada's favourite river is the Po in Turin"
    assert memory.search("Turin", user_id="ada", threshold=0.9999)["results"] == []


def test_filters_reach_across_users(memory: Memory) -> None:
    for user in ("ada", "bob", "eve"):
        memory.add(f"{user} likes tea", user_id=user, infer=False, metadata={"team": "red" if user < "c" else "blue"})

    def users(filters):
        found = memory.search("tea", filters=filters)["results"]
        assert sorted(result["user_id"] for result in memory.get_all(filters=filters)["results"]) == sorted(
            result["user_id"] for result in found
        )
        return sorted(result["user_id"] for result in found)

    assert users({"user_id": "*"}) == ["ada", "bob", "eve"]
    assert users({"OR": [{"user_id": "ada"}, {"user_id": "eve"}]}) == ["ada", "eve"]
    assert users({"AND": [{"user_id": "*"}, {"team": "red"}]}) == ["ada", "bob"]
    assert users({"AND": [{"user_id": {"in": ["ada", "eve"]}}, {"NOT": [{"team": "red"}]}]}) == ["eve"]
    assert users({"AND": [{"user_id": "ada"}], "team": "blue"}) == []
    with pytest.raises(ValueError, match="operator"):
        users({"user_id": "ada", "team": {"near": "red"}})


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


def test_a_learned_value_says_what_it_is(memory: Memory) -> None:
    added = memory.add([{"role": "user", "content": "My name is Alexandra."}], user_id="a")["results"]
    assert [one["memory"] for one in added] == ["name: Alexandra"]
    assert "name: Alexandra" in [one["memory"] for one in memory.get_all(user_id="a")["results"]]


def test_a_hit_below_the_threshold_is_left_out_and_the_default_is_mem0s(memory: Memory) -> None:
    assert inspect.signature(Memory.search).parameters["threshold"].default == 0.1
    memory.add("Ada plays the cello", user_id="a", infer=False)
    (hit,) = memory.search("Ada", user_id="a", threshold=None)["results"]
    assert memory.search("Ada", user_id="a", threshold=hit["score"] + 0.001)["results"] == []


@pytest.mark.parametrize("id", ["sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD", 5, "../x", "a\x00b", "🙂" * 300])
def test_every_id_finds_what_was_added_under_it(book, id):
    memory = Memory(book)
    memory.add("I own a bicycle", user_id=id, infer=False)
    memory.add("I own a kettle", user_id="other", infer=False)
    for condition in ({"user_id": id}, {"OR": [{"user_id": id}]}, {"user_id": {"in": [id]}}):
        assert [result["memory"] for result in memory.search("bicycle", filters=condition)["results"]] == [
            "I own a bicycle"
        ]
    assert len(memory.get_all(user_id=id)["results"]) == 1
    memory.delete_all(user_id=id)
    assert memory.get_all(user_id=id)["results"] == [] and len(memory.get_all(user_id="other")["results"]) == 1


def test_a_run_or_an_agent_finds_what_was_added_with_a_user(book):
    memory = Memory(book)
    memory.add("The boat is green", user_id="ada", run_id="r1", infer=False)
    memory.add("The boat is red", user_id="eve", run_id="r1", agent_id="bot", infer=False)
    memory.add("The boat is white", user_id="eve", run_id="r2", infer=False)
    memory.add("The boat is blue", run_id="r1", infer=False)

    def texts(**filters):
        return sorted(result["memory"][12:] for result in memory.search("boat", filters=filters)["results"])

    assert texts(run_id="r1") == ["blue", "green", "red"]
    assert texts(agent_id="bot") == ["red"] and texts(user_id="eve") == ["red", "white"]
    assert len(memory.get_all(run_id="r1")["results"]) == 3 and len(memory.get_all(run_id="R1")["results"]) == 0
    memory.delete_all(run_id="r1")
    assert texts(user_id="*") == ["white"]


def test_what_tools_and_prompts_say_is_not_learned_and_no_limit_is_none(book):
    memory = Memory(book)
    turns = [
        {"role": role, "content": f"The {role} saw a lighthouse"} for role in ("system", "developer", "tool", "user")
    ]
    memory.add(turns, user_id="ada", run_id="sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD")
    assert [result["memory"] for result in memory.get_all(user_id="ada")["results"]] == ["The user saw a lighthouse"]
    assert memory.search("lighthouse", user_id="ada", limit=0)["results"] == []
    with pytest.raises(ValueError, match="at least 0"):
        memory.search("lighthouse", user_id="ada", limit=-1)
