"""What exists is documented: every module, setting, error, public name and command. Found by looking, not by a list."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import commonplace
from commonplace.settings import FIELDS, help_and_defaults, variable

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = Path(commonplace.__path__[0])


def page(name: str) -> str:
    path = DOCS / f"{name}.md"
    assert path.is_file(), f"docs/{name}.md is missing"
    return path.read_text("utf-8")


def all_pages() -> str:
    return "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))])


def has_code(folder: Path) -> bool:
    """A module is there once it defines something."""
    trees = (ast.parse(file.read_text("utf-8")) for file in folder.rglob("*.py"))
    return any(isinstance(node, ast.ClassDef | ast.FunctionDef) for tree in trees for node in tree.body)


MODULES = sorted(folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and has_code(folder))
INTERFACES = sorted(folder.name for folder in (PACKAGE / "interfaces").glob("*/") if has_code(folder))
FILES = [name for name in ("settings", "plans", "book", "aio", "errors") if (PACKAGE / f"{name}.py").exists()]


@pytest.mark.parametrize("module", [module for module in MODULES if module != "interfaces"] + INTERFACES + FILES)
def test_every_module_and_interface_has_its_page(module):
    assert page(module).startswith("# ")


def test_the_index_leads_to_every_page():
    index = page("index")
    pages = [path.name for path in DOCS.glob("*.md") if path.name != "index.md"]
    assert [name for name in pages if f"]({name})" not in index] == []


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_is_on_the_settings_page_with_its_meaning_and_default(name):
    row = next((line for line in page("settings").splitlines() if line.startswith(f"| `{name}` |")), None)
    assert row is not None, f"docs/settings.md has no row for {name}"
    help, default = help_and_defaults()[name]
    assert help.replace("|", "\\|") in row
    if default not in (None, (), {}):
        assert f"`{str(default).lower() if isinstance(default, bool) else default}`" in row


def test_the_settings_page_names_no_setting_that_is_gone():
    rows = re.findall(r"^\| `(\w+)` \|", page("settings"), re.MULTILINE)
    assert [name for name in rows if name not in FIELDS] == []
    assert variable("owner") in page("settings")


def error_names() -> list[str]:
    module = importlib.import_module("commonplace.errors")
    return [name for name, one in vars(module).items() if inspect.isclass(one) and issubclass(one, Exception)]


@pytest.mark.parametrize("name", error_names())
def test_every_error_says_what_it_means_and_what_to_do(name):
    error = getattr(importlib.import_module("commonplace.errors"), name)
    assert error.__doc__
    assert f"`{name}`" in page("errors")


@pytest.mark.skipif(not hasattr(commonplace, "__all__"), reason="__init__.py is not written yet")
def test_every_public_name_is_explained_somewhere():
    text = all_pages()
    for name in commonplace.__all__:
        assert inspect.getdoc(getattr(commonplace, name)), f"{name} has no docstring"
        assert re.search(rf"\b{name}\b", text), f"no page mentions {name}"


@pytest.mark.skipif(not (PACKAGE / "book.py").exists(), reason="book.py is not written yet")
def test_every_verb_of_the_book_says_what_it_does_and_is_on_its_page():
    book = importlib.import_module("commonplace.book").Commonplace
    verbs = [name for name, one in vars(book).items() if not name.startswith("_") and callable(one)]
    assert len(verbs) >= 20
    assert [name for name in verbs if not inspect.getdoc(getattr(book, name))] == []
    assert [name for name in verbs if not re.search(rf"\b{name}\b", page("book"))] == []


@pytest.mark.skipif("cli" not in INTERFACES, reason="the CLI is not written yet")
def test_every_command_is_on_the_cli_page_with_an_example_and_explains_itself():
    known = importlib.import_module("commonplace.interfaces.cli.completion").known
    found = [one for one in known() if not one.group]
    assert len(found) >= 20
    text = page("cli")
    typed = [f"$ commonplace {' '.join(one.path)}" for one in found]
    assert [line for line in typed if not re.search(rf"^{re.escape(line)}\b", text, re.MULTILINE)] == []
    assert [" ".join(one.path) for one in found if not one.help] == []


def test_no_link_leads_nowhere():
    pages = [*ROOT.glob("*.md"), *DOCS.glob("*.md")]
    links = [
        (path, link) for path in pages for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    ]
    assert len(links) >= 20
    assert [f"{path.name}: {link}" for path, link in links if not (path.parent / link).exists()] == []
