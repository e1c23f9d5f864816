"""mem0 on pgvector with ``infer=False``: no language model asked."""

import os
import sys
import tempfile

os.environ |= {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}
folder = os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from datetime import UTC, datetime
from hashlib import md5
from uuid import uuid4

from common import EmbedderForMem0, embed  # first: it puts our own folders on the path
from mem0 import Memory

from benchmarks.load import Sample, serve  # isort: skip

LIMIT, CONNECTIONS = 8, 10

url, *arguments = sys.argv[1:]
memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "pgvector",
            "config": {
                "connection_string": url,
                "collection_name": "memories",
                "embedding_model_dims": 256,
                "hnsw": True,
                "minconn": 1,
                "maxconn": CONNECTIONS,
            },
        },
        "history_db_path": f"{folder}/history.db",
    }
)

memory.embedding_model = EmbedderForMem0()
if arguments[0] == "make":
    memory.vector_store.create_col()


def fill(owner: str, texts: list[str]) -> None:
    """Straight into its vector store, with what ``add`` would put there: one by one takes too long."""
    now = datetime.now(UTC).isoformat()
    payloads = [{"data": text, "hash": _digest(text), "created_at": now, "user_id": owner} for text in texts]
    memory.vector_store.insert(vectors=embed(texts), payloads=payloads, ids=[str(uuid4()) for _ in texts])


def _digest(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def add(owner: str, text: str) -> None:
    memory.add(text, user_id=owner, infer=False)


def search(owner: str, question: str) -> object:
    return memory.search(question, filters={"user_id": owner}, top_k=LIMIT)


serve(Sample(fill, add, search), arguments)
