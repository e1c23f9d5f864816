"""No error and no log line carries the text of a memory or the value of a secret."""

import ast
import importlib
import logging
import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest

import commonplace
from commonplace.errors import CommonplaceError, SettingsError
from commonplace.settings import FIELDS, Settings, variable

PACKAGE = Path(commonplace.__path__[0])
MARK = "zebrafinch-quillwort"
PRIVATE = {
    "text",
    "texts",
    "statement",
    "quote",
    "content",
    "notes",
    "label",
    "passphrase",
    "secret",
    "token",
    "prompt",
}
"""Names under which the code holds what somebody typed."""
NUMBERS = (bool, int, int | None, float, Mapping[str, float])


def spoken(tree: ast.AST):
    """Every f-string inside a ``raise`` or a call of a logger."""
    for node in ast.walk(tree):
        logs = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and "log" in ast.unparse(node.func.value)
        )
        if isinstance(node, ast.Raise) or logs:
            yield from (part for part in ast.walk(node) if isinstance(part, ast.FormattedValue))


def leaks(source: str) -> list[str]:
    """Private names put into a message whole; their length or type may be told."""
    found = []
    for part in spoken(ast.parse(source)):
        inner = part.value
        name = inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else ""
        if name in PRIVATE:
            found.append(f"line {part.lineno}: {{{ast.unparse(inner)}}}")
    return found


def test_no_message_is_made_of_what_somebody_typed():
    found = {
        str(file.relative_to(PACKAGE)): lines
        for file in PACKAGE.rglob("*.py")
        if (lines := leaks(file.read_text("utf-8")))
    }
    assert found == {}


def test_the_search_for_leaks_finds_one():
    assert leaks('raise Refused(f"cannot keep {memory.text!r}")')
    assert leaks('log.warning(f"{text}")')
    assert not leaks('raise Refused(f"{len(text)} characters are too many")')


@pytest.mark.parametrize(
    "name", [name for name, one in FIELDS.items() if one.metadata.get("choices") or one.type in NUMBERS]
)
def test_a_setting_that_cannot_be_read_is_named_and_not_quoted(name, tmp_path):
    config = tmp_path / "config.toml"
    config.touch()
    environ = {"HOME": str(tmp_path), "COMMONPLACE_CONFIG": str(config), variable(name): MARK}
    with pytest.raises(SettingsError) as caught:
        Settings.load(start=tmp_path, environ=environ)
    assert name in str(caught.value)
    assert MARK not in "".join(traceback.format_exception(caught.value))


def wrong_uses(book):
    """Every verb with text it must refuse or cannot place; each entry raises."""
    long = MARK * 100_000
    yield lambda: book.remember(MARK, category="no such category")
    yield lambda: book.remember(MARK, kind="no such kind")
    yield lambda: book.remember(MARK, importance=7)
    yield lambda: book.remember(long)
    yield lambda: book.remember(MARK, kind="core")
    yield lambda: book.observe([{"role": "no such role", "content": MARK}])
    yield lambda: book.get("no-such-id")
    yield lambda: book.revise("no-such-id", MARK, reason=MARK)
    yield lambda: book.recall(MARK, no_such_field=1)
    yield lambda: book.relate(MARK, "", MARK)
    yield lambda: book.rollback("no-such-id", to=1)
    yield lambda: book.glossary.get(MARK)
    yield lambda: book.glossary.merge(MARK, into=MARK)
    yield lambda: book.namespaces.get(MARK)
    yield lambda: book.core.get(MARK)
    yield lambda: book.walk(MARK)
    yield lambda: book.graph.entity(MARK)
    yield lambda: book.recall("x", metadata=MARK)
    yield lambda: book.recall("x", kinds=[MARK])
    yield lambda: book.remember_many([MARK, {"text": MARK, "importance": 7}])
    yield lambda: book.reject("no-such-id", reason=MARK)
    yield lambda: book.observe(MARK, session=MARK * 100)
    yield lambda: book.remember(MARK, tags=[MARK * 10])


@pytest.mark.skipif(not (PACKAGE / "book.py").exists(), reason="book.py is not written yet")
def test_no_refusal_of_the_book_repeats_the_text(tmp_path, book_url, caplog):
    caplog.set_level(logging.DEBUG)
    kind = importlib.import_module("commonplace.book").Commonplace
    errors = []
    with kind.open(book_url, settings=Settings(home=tmp_path)) as book:
        for use in wrong_uses(book):
            try:
                use()
            except (CommonplaceError, TypeError) as error:
                errors.append("\n".join(str(one) for one in (error, error.__cause__, error.__context__)))
    assert len(errors) >= 20
    assert [error for error in errors if MARK in error] == []
    assert MARK not in caplog.text
