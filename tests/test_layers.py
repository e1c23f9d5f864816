"""Modules import only from lower layers: never up, never sideways, not inside functions, not under TYPE_CHECKING."""

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).parents[1] / "src"
LAYERS = (
    "entries errors system lazy", "verbs", "model clock plans repository text", "trust", "settings", "workplace",
    "store providers", "security", "memories", "retrieval", "describing", "learning context notebook directives",
    "batches", "copies", "upkeep", "sharing", "sync", "book light", "interfaces adapters",
)  # fmt: skip
LAYER = {name: layer for layer, names in enumerate(LAYERS) for name in names.split()}
# the public names, the program and the test helpers import everything; nothing imports them
LAYER["__init__"] = LAYER["__main__"] = LAYER["testing"] = 99
SERVICE = {"aio": "book", "runtime": "book", "remote": "book", "protocol": "book"}  # one layer in five files


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Every module a tree imports, as the parts of its full name, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = [*above, *(node.module or "").split(".")]
            yield from ((node.lineno, [part for part in (*base, alias.name) if part]) for alias in node.names)


def imports_upwards(module: str, name: list[str]) -> bool:
    target = [*name, "__init__"][1] if name[0] == "commonplace" else module
    here, there = (SERVICE.get(name, name) for name in (module, target))
    return here != there and LAYER.get(there, LAYER["interfaces"] - 1) >= LAYER[here]  # unknown: a name from __init__


def test_imports_only_go_to_lower_layers():
    upwards = []
    for file in sorted(SRC.rglob("*.py")):
        module = file.relative_to(SRC).with_suffix("").parts
        for line, name in imported(ast.parse(file.read_text("utf-8")), module[:-1]):
            if imports_upwards(module[1], name):
                upwards.append(f"{'.'.join(module)}:{line}: {'.'.join(name)}")
    assert not upwards, "\n".join(upwards)


def test_the_check_itself_tells_up_from_down():
    assert imports_upwards("store", ["commonplace", "providers"])
    assert not imports_upwards("book", ["commonplace", "store"])


MOST_HIDDEN = 0.3
"""Own imports inside functions, per 1,000 lines."""


def hidden_imports(tree: ast.AST) -> set[int]:
    """The lines of imports of our own modules that stand inside functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        line
        for function in functions
        for line, name in imported(function, ("commonplace",))
        if name[0] == "commonplace"
    }


def test_few_own_imports_hide_in_functions():
    """A module that start-up should not pay for is a `commonplace.lazy.LazyModule` at the top of the file."""
    sources = {file: file.read_text("utf-8") for file in SRC.rglob("*.py")}
    hidden = [
        f"{file.relative_to(SRC)}:{line}" for file, text in sources.items() for line in hidden_imports(ast.parse(text))
    ]
    lines = sum(text.count("\n") for text in sources.values())
    assert len(hidden) <= MOST_HIDDEN * lines / 1000, "\n".join(sorted(hidden))


def test_the_check_itself_sees_a_hidden_import():
    assert hidden_imports(ast.parse("def f():\n    from commonplace.book import Commonplace\n")) == {2}
    assert not hidden_imports(ast.parse("from commonplace.book import Commonplace\n"))


def own_names_in_annotations(tree: ast.AST) -> Iterator[str]:
    """Methods whose signature names a method of the same class where it means something else."""
    for definition in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        functions = [node for node in definition.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        own = {function.name for function in functions}
        for function in functions:
            annotations = [argument.annotation for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
            for annotation in filter(None, [*annotations, function.returns]):
                if own & {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}:
                    yield f"{definition.name}.{function.name}"


def test_no_annotation_means_a_method_of_its_own_class():
    """Python 3.14 reads annotations when asked, and ``list[Job]`` is then the class's own verb ``list``."""
    found = {
        path.name: list(own_names_in_annotations(ast.parse(path.read_text("utf-8")))) for path in SRC.rglob("*.py")
    }
    assert {name: names for name, names in found.items() if names} == {}
    control = ast.parse("class A:\n def list(self) -> list[int]: ...\n def get(self) -> set[int]: ...")
    assert list(own_names_in_annotations(control)) == ["A.list"]
