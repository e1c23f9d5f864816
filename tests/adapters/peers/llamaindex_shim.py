"""conftest of LlamaIndex's own tests of its block on a vector store: our block stands in for it."""

import asyncio
import inspect
import itertools
import tempfile
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.memory.memory_blocks import vector

from commonplace import Commonplace, Settings
from commonplace.adapters.llamaindex import CommonplaceMemoryBlock

BOOK = Commonplace.open(settings=Settings(home=Path(tempfile.mkdtemp()), maintenance=False))
PLACES = itertools.count()


class Block(CommonplaceMemoryBlock):
    """Each is empty at first. Ours needs no store and no model."""

    vector_store: Any = None

    def __init__(self, vector_store=None, **options):
        super().__init__(book=BOOK.within(f"place {next(PLACES)}"), vector_store=vector_store)


vector.VectorMemoryBlock = Block


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_sessionfinish():
    BOOK.close()
