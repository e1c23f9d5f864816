"""conftest of LangGraph's own tests: our store stands in for the module that they import."""

import sys
import tempfile
import types
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from commonplace import Commonplace, Settings
from commonplace.adapters.langgraph import CommonplaceStore


@contextmanager
def opened(cls, index, ttl):
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), maintenance=False)
        with Commonplace.open(settings=settings) as book:
            yield cls(book, fields=(index or {}).get("fields") or ("$",), ttl=ttl)


class Store(CommonplaceStore):
    @classmethod
    @contextmanager
    def from_conn_string(cls, address, *, index=None, ttl=None):
        with opened(cls, index, ttl) as store:
            yield store

    def setup(self):
        """The book needs none."""


class AsyncStore(CommonplaceStore):
    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, address, *, index=None, ttl=None):
        with opened(cls, index, ttl) as store:
            yield store

    async def setup(self):
        """The book needs none."""


package = types.ModuleType("langgraph.store.sqlite")
package.__path__ = []
package.SqliteStore, package.AsyncSqliteStore = Store, AsyncStore
base = types.ModuleType("langgraph.store.sqlite.base")
base.NS_MATCH_FUNCTION = base._escape_glob_literal = base._namespace_match_pattern = None
base.BaseSqliteStore, base.SqliteIndexConfig = object, dict
sys.modules |= {"langgraph.store.sqlite": package, "langgraph.store.sqlite.base": base}
