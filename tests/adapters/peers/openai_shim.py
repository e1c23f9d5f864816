"""conftest of the OpenAI Agents SDK's own session tests: our session stands in for its session on SQLite."""

import asyncio
import inspect
import tempfile
from pathlib import Path

import agents
import pytest

from commonplace import Commonplace, Settings
from commonplace.adapters.openai_agents import CommonplaceSession

BOOK = Commonplace.open(settings=Settings(home=Path(tempfile.mkdtemp()), maintenance=False))
PLACES = {}


class Session(CommonplaceSession):
    """One namespace for each database file; in memory, one for each session."""

    def __init__(self, session_id, db_path=":memory:", *tables, session_settings=None, **options):
        file = object() if str(db_path) == ":memory:" else Path(db_path)
        namespace = f"place {PLACES.setdefault(file, len(PLACES))}"
        super().__init__(session_id, BOOK, namespace=namespace, session_settings=session_settings)

    def close(self):
        """The book belongs to whoever opened it."""


agents.SQLiteSession = Session


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_sessionfinish():
    BOOK.close()
