"""ChromaDB: vectors only, on disk."""

import tempfile
from itertools import count

import chromadb
from common import embed, run

client = chromadb.PersistentClient(tempfile.mkdtemp())
shelf = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
number = count()


def add_many(texts: list[str]) -> None:
    shelf.add(ids=[str(next(number)) for _ in texts], documents=texts, embeddings=embed(texts))


run(
    add_many,
    lambda text: add_many([text]),
    lambda question: shelf.query(query_embeddings=embed([question]), n_results=8),
)
