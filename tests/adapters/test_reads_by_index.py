"""An adapter reads what it is asked for, however much else there is."""

from collections.abc import Callable
from typing import Any

import pytest

from commonplace import Commonplace

MANY = 60


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many memories were browsed since it was last asked."""
    count = 0
    browse = Commonplace.browse

    def counted(self: Commonplace, **options: Any) -> Any:
        nonlocal count
        memories = browse(self, **options)
        count += len(memories)
        return memories

    monkeypatch.setattr(Commonplace, "browse", counted)

    def since() -> int:
        nonlocal count
        seen, count = count, 0
        return seen

    return since


def test_a_file_of_the_memory_tool(book: Commonplace, reads: Callable[[], int]) -> None:
    pytest.importorskip("anthropic")
    from anthropic.types.beta import BetaMemoryTool20250818CreateCommand as Create
    from anthropic.types.beta import BetaMemoryTool20250818ViewCommand as View

    from commonplace.adapters.anthropic_memory import CommonplaceMemoryTool

    tool = CommonplaceMemoryTool(book)
    for number in range(MANY):
        path = f"/memories/{'a' if number % 2 else 'b'}/{number}.txt"
        tool.create(Create(command="create", path=path, file_text=f"File {number}"))
    reads()
    assert "File 7" in tool.view(View(command="view", path="/memories/a/7.txt"))
    assert reads() <= 3
    tool.create(Create(command="create", path="/memories/c/d/new.txt", file_text="x"))
    assert reads() <= 6
    assert "new.txt" in tool.view(View(command="view", path="/memories/c"))
    assert reads() <= 5
    tool.view(View(command="view", path="/memories"))
    assert reads() >= MANY, "the control: the root holds everything"


def test_a_search_of_langgraph_that_its_hits_fill(book: Commonplace, reads: Callable[[], int]) -> None:
    pytest.importorskip("langgraph.store.base")
    from commonplace.adapters.langgraph import CommonplaceStore

    store = CommonplaceStore(book)
    for number in range(MANY):
        store.put(("users", "ada" if number % 2 else "eve"), f"k{number}", {"text": f"Trains and boats {number}"})
    reads()
    assert len(store.search(("users",), query="trains", limit=5)) == 5
    assert reads() == 0
    assert store.list_namespaces(prefix=("users", "ada")) == [("users", "ada")]
    assert reads() == MANY // 2
    assert len(store.search(("users",), limit=5)) == 5
    assert reads() == MANY, "the control: without a query all are put in order"


def test_the_first_of_mem0s_memories(book: Commonplace, reads: Callable[[], int]) -> None:
    from commonplace.adapters.mem0 import Memory

    book.within("mem0/user/ada").remember_many([f"Ada owns book {number}" for number in range(250)])
    assert len(Memory(book).get_all(user_id="ada", top_k=5)["results"]) == 5
    assert reads() <= 100
