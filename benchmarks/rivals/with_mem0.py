"""mem0 with ``infer=False``: its vector store on disk, no language model asked."""

import os
import tempfile

os.environ |= {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}
folder = os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from common import EmbedderForMem0, run
from mem0 import Memory

memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "qdrant",
            "config": {"path": f"{folder}/q", "embedding_model_dims": 256, "on_disk": True},
        },
        "history_db_path": f"{folder}/history.db",
    }
)

memory.embedding_model = EmbedderForMem0()


def add(text: str) -> None:
    memory.add(text, user_id="ada", infer=False)


def add_many(texts: list[str]) -> None:
    for text in texts:
        add(text)


run(add_many, add, lambda question: memory.search(question, filters={"user_id": "ada"}, top_k=8))
