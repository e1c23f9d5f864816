"""LangGraph's store in memory, with its vector index."""

from itertools import count

from common import embed, run
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

store = InMemoryStore(index={"dims": 256, "embed": embed, "fields": ["text"]})
number = count()


def add_many(texts: list[str]) -> None:
    store.batch([PutOp(("memories",), str(next(number)), {"text": text}) for text in texts])


run(add_many, lambda text: add_many([text]), lambda question: store.search(("memories",), query=question, limit=8))
