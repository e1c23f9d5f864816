"""conftest of ADK's own tests of its memory service in memory: our service stands in for it."""

import asyncio
import inspect
import itertools
import tempfile
from pathlib import Path

import pytest
from google.adk.memory import in_memory_memory_service

from commonplace import Commonplace, Settings
from commonplace.adapters.adk import CommonplaceMemoryService
from commonplace.adapters.foreign_ids import namespace_of

BOOK = Commonplace.open(settings=Settings(home=Path(tempfile.mkdtemp()), maintenance=False))
PLACES = itertools.count()


class Service(CommonplaceMemoryService):
    """Each is empty at first."""

    def __init__(self):
        super().__init__(BOOK)
        self.place = f"place {next(PLACES)}"

    def _within(self, app_name, user_id):
        return BOOK.within(namespace_of("adk", self.place, app_name, user_id))


in_memory_memory_service.InMemoryMemoryService = Service


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_sessionfinish():
    BOOK.close()
