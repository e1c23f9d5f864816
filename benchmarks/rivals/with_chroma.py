"""ChromaDB: vectors only, on disk. A folder on the command line is filled up and used.

A number behind it says how widely to search; then nothing is added to the folder.
"""

import sys
import tempfile
from itertools import count

import chromadb
from common import embed, run

AS_IT_COMES = 100

client = chromadb.PersistentClient(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp())
sample = client.get_or_create_collection("memories", metadata={"hnsw:space": "cosine"})
wider = [int(given) for given in sys.argv[4:5]]
# before anything else is asked of it: afterwards it is not heeded
sample.modify(configuration={"hnsw": {"ef_search": (wider or [AS_IT_COMES])[0]}})
held = sample.count()
number = count(held)


def add_many(texts: list[str]) -> None:
    sample.add(ids=[str(next(number)) for _ in texts], documents=texts, embeddings=embed(texts))


def nearest(question: str) -> list[int]:
    return [int(id) for id in sample.query(query_embeddings=embed([question]), n_results=10)["ids"][0]]


run(
    add_many,
    None if wider else lambda text: add_many([text]),
    lambda question: sample.query(query_embeddings=embed([question]), n_results=8),
    nearest=nearest,
    held=held,
)
