"""conftest of Anthropic's own tests of its memory tool on files: our tool, which shows its files in the folder too."""

import asyncio
import inspect
import itertools
import shutil
import tempfile
from pathlib import Path

import anyio
import pytest
from anthropic.lib.tools import _beta_builtin_memory_tool as builtin

from commonplace import Commonplace, Settings
from commonplace.adapters.anthropic_memory import CommonplaceAsyncMemoryTool, CommonplaceMemoryTool

BOOK = Commonplace.open(settings=Settings(home=Path(tempfile.mkdtemp()), maintenance=False))
PLACES = itertools.count()


class Shown:
    """Writes what the book has into the folder after each command, where the tests look."""

    def prepare(self, base_path):
        self.base_path = Path(base_path)
        self.memory_root = self.base_path / "memories"
        return f"place {next(PLACES)}"

    def show(self, tree):
        shutil.rmtree(self.base_path / "memories", ignore_errors=True)
        (self.base_path / "memories").mkdir(parents=True)
        for path, content in sorted(tree.items()):
            target = self.base_path / path.lstrip("/")
            if content is None:
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.encode())


COMMANDS = ("view", "create", "str_replace", "insert", "delete", "rename", "clear_all_memory")


class Tool(Shown, CommonplaceMemoryTool):
    def __init__(self, base_path):
        super().__init__(BOOK, namespace=self.prepare(base_path))


class AsyncTool(Shown, CommonplaceAsyncMemoryTool):
    def __init__(self, base_path):
        super().__init__(BOOK, namespace=self.prepare(base_path))
        self.memory_root = anyio.Path(self.memory_root)


def shown(name):
    def command(self, *args):
        try:
            return getattr(CommonplaceMemoryTool, name)(self, *args)
        finally:
            self.show(self._tree())

    async def async_command(self, *args):
        try:
            return await getattr(CommonplaceAsyncMemoryTool, name)(self, *args)
        finally:
            self.show(self.tool._tree())

    setattr(Tool, name, command)
    setattr(AsyncTool, name, async_command)


for name in COMMANDS:
    shown(name)
builtin.BetaLocalFilesystemMemoryTool, builtin.BetaAsyncLocalFilesystemMemoryTool = Tool, AsyncTool


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_sessionfinish():
    BOOK.close()
