"""ChromaDB: vectors only, on disk. A folder on the command line is filled up and used."""

import sys
import tempfile
from itertools import count

import chromadb
from common import embed, run

client = chromadb.PersistentClient(sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp())
shelf = client.get_or_create_collection("memories", metadata={"hnsw:space": "cosine"})
held = shelf.count()
number = count(held)


def add_many(texts: list[str]) -> None:
    shelf.add(ids=[str(next(number)) for _ in texts], documents=texts, embeddings=embed(texts))


run(
    add_many,
    lambda text: add_many([text]),
    lambda question: shelf.query(query_embeddings=embed([question]), n_results=8),
    held=held,
)
