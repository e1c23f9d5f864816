"""LangGraph's PostgresStore with its vector index, as it sets itself up."""

import sys
from uuid import uuid4

from common import embed  # first: it puts our own folders on the path
from langgraph.store.base import PutOp
from langgraph.store.postgres import PostgresStore

from benchmarks.load import Sample, serve  # isort: skip

LIMIT, CONNECTIONS = 8, 10

url, *arguments = sys.argv[1:]
with PostgresStore.from_conn_string(
    url,
    pool_config={"min_size": 1, "max_size": CONNECTIONS},
    index={"dims": 256, "embed": embed, "fields": ["text"]},
) as store:
    if arguments[0] == "make":
        store.setup()

    def fill(owner: str, texts: list[str]) -> None:
        store.batch([PutOp(("memories", owner), str(uuid4()), {"text": text}) for text in texts])

    def add(owner: str, text: str) -> None:
        store.put(("memories", owner), str(uuid4()), {"text": text})

    def search(owner: str, question: str) -> object:
        return store.search(("memories", owner), query=question, limit=LIMIT)

    serve(Sample(fill, add, search), arguments)
