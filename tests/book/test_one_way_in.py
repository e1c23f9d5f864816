"""One way in: which code may write what is believed, and that every interface that takes words uses it."""

import ast
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp import Client
from starlette.testclient import TestClient

import commonplace
from commonplace import AsyncCommonplace, Commonplace, Message, Settings
from commonplace.errors import Tombstoned
from commonplace.interfaces.cli import main
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.stdio import OneBook
from commonplace.interfaces.rest import app
from commonplace.memories import admission
from commonplace.memories import codec as states
from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.store.tables.memory import MemoryTable

PACKAGE = Path(commonplace.__path__[0])
BELIEVED = {
    f"tx.{noun}"
    for noun in ("memories", "versions", "relations", "evidence", "tombstones", "audit", "receipts", "tables")
}
WRITES = {"put", "put_many", "set_attributes", "replace", "delete", "append", "lift"}
MAY_WRITE = {
    "memories/unit_of_work.py": "the unit of work itself",
    "memories/forgetting.py": "deletes, and rewrites what is left of a redacted turn",
    "directives/directives.py": "deletes what only a directive knew",
    "learning/learn.py": "takes evidence back, completes a receipt",
    "copies/import_lines.py": "whole histories; its texts pass admission below",
    "sync/incoming.py": "whole histories of another book; its texts pass admission below",
    "memories/moving.py": "versions that a moved memory takes along",
    "copies/backup.py": "whole rows as they were, then the ledger",
    "copies/copy.py": "whole rows as they were, to another engine",
    "upkeep/keys.py": "the same rows, sealed anew",
    "upkeep/doctor.py": "removes orphans",
    "upkeep/prune.py": "deletes what was archived for its full time",
    "copies/replay.py": "tombstones that the ledger tells of",
    "batches/runs.py": "receipts of whole runs, evidence of what was merged",
    "upkeep/undo.py": "receipts of whole undoings",
}
LETS_IN = {"memories/gateway.py", "memories/proposals.py"}
"""The only caller of ``work.add``, by which a memory comes into being."""


def calls(source: str) -> Iterator[tuple[str, str]]:
    """(what is called, verb) of every ``what.verb(…)``, such as ``("tx.memories", "put")``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            held = node.func.value
            if isinstance(held, ast.Attribute):
                owner = held.value.attr if isinstance(held.value, ast.Attribute) else getattr(held.value, "id", "")
                yield f"{owner.lstrip('_')}.{held.attr}", node.func.attr
            elif isinstance(held, ast.Name):
                yield held.id, node.func.attr


def writers(wanted: Callable[[str, str], bool]) -> set[str]:
    modules = [file for file in PACKAGE.rglob("*.py") if file.relative_to(PACKAGE).parts[0] not in ("store", "testing")]
    return {
        file.relative_to(PACKAGE).as_posix()
        for file in modules
        if any(wanted(noun, verb) for noun, verb in calls(file.read_text("utf-8")))
    }


def test_only_these_modules_write_what_is_believed() -> None:
    assert writers(lambda noun, verb: noun in BELIEVED and verb in WRITES) == set(MAY_WRITE)
    assert writers(lambda noun, verb: (noun, verb) == ("work", "add")) == LETS_IN


def test_no_interface_opens_a_transaction_for_memories() -> None:
    found = writers(lambda noun, verb: verb == "write" and noun.endswith("store"))
    assert {one for one in found if one.startswith(("interfaces/", "adapters/"))} == {"interfaces/rest/idempotency.py"}
    assert "memories/unit_of_work.py" in found


def test_the_search_sees_a_write() -> None:
    assert ("tx.memories", "put_many") in set(calls("work.tx.memories.put_many([])"))
    assert ("store", "write") in set(calls("store.write('me')"))


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
FALSE = "Ada breeds zebrafinches"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of every memory row written while the test runs; each must have passed admission word for word."""
    passed: set[str] = set()
    texts: list[str] = []
    clean, clean_message, put, put_many, sealed = (
        admission.clean,
        admission.clean_message,
        MemoryTable.put,
        MemoryTable.put_many,
        states.sealed,
    )
    plain: dict[bytes, tuple[str, str]] = {}

    def cleaned(text, **options):
        made = clean(text, **options)
        passed.add(made.text)
        return made

    def cleaned_message(message, **options):
        made = clean_message(message, **options)
        if made is not None:
            passed.add(made.text)
        return made

    def sealing(vault, held, **given):
        row = sealed(vault, held, **given)
        plain[row.sealed] = held.row.kind, held.content.text
        return row

    def look(rows) -> None:
        for row in rows:
            kind, text = plain[row.sealed]
            assert text in passed, f"a {kind} memory came in by another way"
            texts.append(text)

    def putting(self, row, **options):
        look([row])
        return put(self, row, **options)

    def putting_many(self, rows):
        look(rows)
        return put_many(self, rows)

    monkeypatch.setattr(admission, "clean", cleaned)
    monkeypatch.setattr(admission, "clean_message", cleaned_message)
    monkeypatch.setattr(states, "sealed", sealing)
    monkeypatch.setattr(MemoryTable, "put", putting)
    monkeypatch.setattr(MemoryTable, "put_many", putting_many)
    return texts


@pytest.fixture
def settings(tmp_path: Path, book_url: str) -> Settings:
    """Those of a book in which one value was rejected."""
    settings = Settings(home=tmp_path / "home", url=book_url, rate_limit=0)
    with Commonplace.open(settings=settings) as book:
        book.reject(book.remember(FALSE).id, reason="wrong")
    return settings


def held(written: list[str], interface: str) -> None:
    """The interface's own words came in, its secret did not, and the rejected value did not come back."""
    assert any(interface in text for text in written), f"{interface} wrote nothing"
    assert not [text for text in written if SECRET in text]
    assert not [text for text in written if FALSE in text and not text.startswith("I hear")]


def words(interface: str) -> str:
    return f"the {interface} keeps {SECRET} in a drawer"


def other_book(book: Commonplace, text: str) -> None:
    """Import a file into which somebody wrote by hand what no gateway saw."""
    file = io.StringIO()
    book.within("source").remember("a harmless sentence")
    book.export(file, namespaces=["source"])
    lines = file.getvalue().replace("a harmless sentence", text).splitlines(keepends=True)
    book.erase(confirm=True, namespace="source")
    book.import_(io.StringIO("".join(lines)))


BOOK = {
    "remember": lambda book, text: book.remember(text),
    "remember_many": lambda book, text: book.remember_many([text, {"text": f"{text} too"}]),
    "observe": lambda book, text: book.observe([Message(text)]),
    "core": lambda book, text: book.core.set("habit", text),
    "revise": lambda book, text: book.revise(book.remember("to be replaced").id, text, reason="better"),
    "review": lambda book, text: book.review.decide(
        book.remember("to be corrected", source="assistant").id, "correct", text=text
    ),
    "import_": other_book,
}


@pytest.mark.parametrize("verb", BOOK)
def test_a_verb_of_the_book_leads_through_the_gateway(settings: Settings, written: list[str], verb: str) -> None:
    with Commonplace.open(settings=settings) as book:
        BOOK[verb](book, words(verb))
        held(written, verb)
        if verb in ("remember", "core"):
            with pytest.raises(Tombstoned):
                book.remember(FALSE)
        assert book.audit.verify().problem is None


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/memories/batch", "/v1/episodes", "/v1/relations"])
def test_a_route_leads_through_the_gateway(settings: Settings, written: list[str], path: str) -> None:
    parts = open_parts(None, settings)
    secret = Accounts(parts.store, parts.keychain, parts.clock).issue("me", scope="write", person=False).secret
    client = TestClient(app(parts, mcp=False), base_url="http://localhost")
    interface = path.rpartition("/")[2]
    bodies = {
        "memories": {"text": words(interface)},
        "batch": {"items": [{"text": words(interface)}, {"text": FALSE}]},
        "episodes": {"messages": [{"role": "user", "text": words(interface)}]},
        "relations": {"subject": "relations", "predicate": "works_at", "object": "Acme", "object_type": "company"},
    }
    try:
        answer = client.post(path, json=bodies[interface], headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code < 300, answer.text
        held(written, interface)
        again = client.post("/v1/memories", json={"text": FALSE}, headers={"Authorization": f"Bearer {secret}"})
        assert again.status_code >= 400
    finally:
        parts.close()


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memorize", {"text": words("memorize")}),
        ("remember_many", {"items": [words("remember_many"), FALSE]}),
        ("observe", {"messages": [{"role": "user", "content": words("observe")}]}),
    ],
)
async def test_a_tool_leads_through_the_gateway(
    settings: Settings, written: list[str], tool: str, arguments: dict
) -> None:
    with Commonplace.open(settings=settings) as book:
        made = server(OneBook(book.acting_as("mcp", source="assistant", person=False)), "all")
        async with Client(made) as client:
            answer = await client.call_tool(tool, arguments)
            assert not answer.is_error, answer.content
            held(written, tool)
            refused = await client.call_tool("memorize", {"text": FALSE})
            assert refused.is_error or "NOOP" in str(refused.content) or "reject" in str(refused.content)
        assert not [text for text in written if text == FALSE]


@pytest.mark.parametrize(
    "said",
    [
        ["remember", words("remember")],
        ["observe", words("observe")],
        ["core", "set", "habit", words("core")],
    ],
    ids=lambda said: said[0],
)
def test_a_command_leads_through_the_gateway(
    settings: Settings, written: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_HOME", str(settings.home))
    monkeypatch.setenv("COMMONPLACE_URL", settings.book_url)
    monkeypatch.setenv("COMMONPLACE_NAMESPACE", "default")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(said) == 0
    held(written, said[0])
    assert main(["remember", FALSE]) != 0
    assert main(["remember", "a neighbour is let in"]) == 0 and "a neighbour is let in" in written


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_the_asynchronous_book_leads_through_the_gateway(settings: Settings, written: list[str]) -> None:
    async with AsyncCommonplace.open(settings=settings) as book:
        await book.remember(words("async"))
        with pytest.raises(Tombstoned):
            await book.remember(FALSE)
    held(written, "async")


def test_the_watch_sees_what_comes_in_by_another_way(settings: Settings, written: list[str]) -> None:
    with Commonplace.open(settings=settings) as book:
        id = book.remember("a neighbour").id
        scope = book._scope
        with pytest.raises(AssertionError, match="another way"), scope.store.write(scope.owner) as tx:
            [row] = tx.memories.get([id])
            one = states.opened(scope, row)
            smuggled = type(one)(row=one.row, content=type(one.content)(text=words("smuggler")))
            tx.memories.put(states.sealed(scope.vault, smuggled), expected=1)
        assert book.get(id).text == "a neighbour"
