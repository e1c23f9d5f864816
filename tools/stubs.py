"""Write the types of the async book and of the protocol that every book implements, from the signatures of the book.

    python tools/stubs.py

`src/commonplace/aio.pyi` and `src/commonplace/protocol.pyi` are made from `book.py` and the collections it holds, so a
verb's signature stands once. tests/test_public_api.py compares them with what this makes.
"""

import ast
import builtins
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commonplace import aio

SRC = Path(__file__).resolve().parents[1] / "src"
HEAD = '"""Made by `python tools/stubs.py` from the signatures in book.py and its collections."""\n'
AIO = """
Run = Callable[[Callable[[], Any]], Coroutine[Any, Any, Any]]
COLLECTIONS: dict[str, type]

def verbs_of(collection: type) -> list[str]: ...

class AsyncCollection:
    def __init__(self, collection: object, run: Run) -> None: ...
"""
AIO_BOOK = """
    def __init__(self, book: Commonplace | Callable[[], Commonplace]) -> None: ...
    @property
    def book(self) -> Commonplace: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *fault: object) -> None: ...
    async def close(self) -> None: ...
"""
AIO_IMPORTS = (
    "from collections.abc import Callable, Coroutine\nfrom typing import Any\nfrom commonplace.book import Commonplace"
)


class Module:
    """A source file, with the imports that its names come from."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tree = ast.parse((SRC / f"{name.replace('.', '/')}.py").read_text("utf-8"))
        self.imports: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    bound = alias.asname or alias.name
                    renamed = f" as {alias.asname}" if alias.asname else ""
                    self.imports[bound] = f"from {node.module} import {alias.name}{renamed}"

    def class_(self, name: str) -> ast.ClassDef:
        return next(node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == name)

    def import_of(self, name: str) -> str | None:
        if name == "builtins" or hasattr(builtins, name):
            return None
        return self.imports.get(name, f"from {self.name} import {name}")


class Stub:
    """The text of a stub, with the imports that its signatures need."""

    def __init__(self, imports: str) -> None:
        self.imports, self.lines = set(imports.splitlines()), list[str]()

    def write(self, path: Path) -> str:
        text = "\n".join([HEAD, *sorted(self.imports), *self.lines, ""])
        for command in (["check", "--fix", "--select", "I", "-q"], ["format", "-q"]):
            ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(path), "-"]
            text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
        return text

    def property(self, name: str, type: str) -> None:
        self.lines += ["    @property", f"    def {name}(self) -> {type}: ..."]

    def method(
        self, module: Module, function: ast.FunctionDef, *, renamed: str = "", asynchronous: bool = False
    ) -> None:
        """One signature. ``renamed`` is what the class itself is called in the stub."""
        arguments = function.args
        for argument in (*arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if argument is not None and argument.annotation is not None:
                argument.annotation = unquoted(argument.annotation)
        assert function.returns is not None
        returns = unquoted(function.returns)
        for node in (*ast.walk(arguments), *ast.walk(returns)):
            if isinstance(node, ast.Name) and node.id in ("list", "set"):  # not the class's own verbs of these names
                node.id = f"builtins.{node.id}"
                self.imports.add("import builtins")
            elif isinstance(node, ast.Name) and (line := module.import_of(node.id)):
                if renamed and node.id == "Commonplace":
                    node.id = renamed
                else:
                    self.imports.add(line)
        for decorator in function.decorator_list:
            if ast.unparse(decorator) in ("overload", "property", "cached_property"):
                word = ast.unparse(decorator).removeprefix("cached_")
                self.imports |= {"from typing import overload"} if word == "overload" else set()
                self.lines.append(f"    @{word}")
        head = "async def" if asynchronous else "def"
        self.lines.append(f"    {head} {function.name}({ast.unparse(arguments)}) -> {ast.unparse(returns)}: ...")


def unquoted(annotation: ast.expr) -> ast.expr:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def methods(definition: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """The public methods; of an overloaded one the overloads alone."""
    overloaded = set()
    for function in definition.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
        if "overload" in decorators:
            overloaded.add(function.name)
        elif function.name in overloaded:
            continue
        if not function.name.startswith("_") or function.name in ("__enter__", "__exit__"):
            yield function


def aio_stub() -> str:
    stub, book = Stub(AIO_IMPORTS), Module("commonplace.book")
    stub.lines.append(AIO)
    for collection in aio.COLLECTIONS.values():
        module = Module(collection.__module__)
        stub.lines.append(f"\nclass Async{collection.__name__}(AsyncCollection):")
        for function in methods(module.class_(collection.__name__)):
            if function.name in aio.verbs_of(collection):
                function.decorator_list = [word for word in function.decorator_list if ast.unparse(word) == "overload"]
                stub.method(module, function, asynchronous=True)
    stub.lines += ["\nclass AsyncCommonplace:", AIO_BOOK]
    for function in methods(book.class_("Commonplace")):
        if function.name == "open":
            stub.lines.append("    @classmethod")
            stub.method(book, function)
        elif function.name in aio.VERBS:
            stub.method(book, function, asynchronous=True)
    for name, collection in aio.COLLECTIONS.items():
        stub.property(name, f"Async{collection.__name__}")
    return stub.write(SRC / "commonplace" / "aio.pyi")


def protocol_stub() -> str:
    stub, book = Stub("from typing import Protocol"), Module("commonplace.book")
    stub.lines.append("\nclass Book(Protocol):")
    functions = [function for function in methods(book.class_("Commonplace")) if function.name != "open"]
    for name, collection in aio.COLLECTIONS.items():
        if name not in {function.name for function in functions}:
            stub.imports.add(f"from {collection.__module__} import {collection.__name__}")
            stub.lines.append(f"    {name}: {collection.__name__}")
    for function in functions:
        stub.method(book, function, renamed="Book")
    return stub.write(SRC / "commonplace" / "protocol.pyi")


STUBS: dict[str, Any] = {"aio.pyi": aio_stub, "protocol.pyi": protocol_stub}

if __name__ == "__main__":
    for name, make in STUBS.items():
        (SRC / "commonplace" / name).write_text(make(), "utf-8")
