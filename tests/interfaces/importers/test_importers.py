"""What other programs remember: read leniently, kept once, problems named by file and line."""
# ruff: noqa: E501  # foreign files, as they are written

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.interfaces.importers import FORMATS, bring_in, guess


@pytest.fixture
def book(tmp_path: Path, book_url: str) -> Iterator[Commonplace]:
    with Commonplace.open(book_url, settings=Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "source"
    made.mkdir()
    return made


def mcp_memory(folder: Path) -> Path:
    path = folder / "memory.jsonl"
    path.write_text(
        '{"type":"entity","name":"Marco","entityType":"person","observations":["speaks Italian","likes chess"]}\n'
        '{"type":"entity","name":"Acme","entityType":"project","observations":[]}\n'
        "this is not JSON\n"
        '{"type":"relation","from":"Marco","to":"Acme","relationType":"leads team"}\n'
        '{"type":"relation","from":"Marco"}'
    )
    return path


def mem0(folder: Path) -> Path:
    path = folder / "mem0.json"
    entries = [
        {"id": "1", "memory": "Ada likes tea", "user_id": "ada", "created_at": "2026-01-01T10:00:00"},
        {"id": "2"},
    ]
    path.write_text(json.dumps({"results": entries}))
    return path


def chatgpt(folder: Path) -> Path:
    def node(id: str, parent: str | None, children: list[str], role: str, text: str, kind: str = "text") -> dict:
        content = {"content_type": kind, "parts": [text]}
        if kind == "model_editable_context":
            content = {"content_type": kind, "model_set_context": text}
        message = {"author": {"role": role}, "content": content, "create_time": 1_700_000_000 + len(id)}
        return {"id": id, "parent": parent, "children": children, "message": message}

    mapping = {
        "r": {"id": "r", "parent": None, "children": ["a"], "message": None},
        "a": node("a", "r", ["b", "bad"], "user", "Which river runs through Vienna?"),
        "bad": node("bad", "a", [], "assistant", "The Thames, on a branch that was given up"),
        "b": node("b", "a", ["c"], "assistant", "The Danube. \ue200cite\ue201"),
        "c": node(
            "c", "b", [], "system", "1. [2025-01-02]. Ada is a baker.\n2. Ada lives in Graz.", "model_editable_context"
        ),
    }
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        talk = {"title": "rivers", "mapping": mapping, "current_node": "c", "create_time": 1_700_000_000.5}
        archive.writestr("conversations-000.json", json.dumps([talk, {"title": "empty"}]))
        archive.writestr("user.json", "{}")
    return path


def claude(folder: Path) -> Path:
    messages = [
        {"sender": "human", "text": "", "content": [{"type": "text", "text": "My bakery opens at six"}], "created_at": "2026-02-01T08:00:00Z"},
        {"sender": "assistant", "text": "Noted.", "content": [], "created_at": "2026-02-01T08:00:05Z"},
    ]  # fmt: skip
    (folder / "conversations.json").write_text(json.dumps([{"uuid": "u1", "chat_messages": messages}]))
    memories = [
        {"conversations_memory": "# Work\n- Ada runs a bakery", "project_memories": {"p": "Rye bread is planned"}}
    ]
    (folder / "memories.json").write_text(json.dumps(memories))
    return folder


def claude_code(folder: Path) -> Path:
    (folder / "MEMORY.md").write_text("- [deploys](deploys.md): how to deploy\n")
    (folder / "deploys.md").write_text(
        "---\ntype: feedback\nmodified: 2026-03-01T10:00:00Z\n---\nNever deploy on Fridays.\n"
    )
    return folder


def instructions(folder: Path) -> Path:
    path = folder / "CLAUDE.md"
    path.write_text(
        "# House\n\n## Style\n- Use tabs\n- Keep lines short\n\n```sh\n- not this\n```\nAlways run the linter\nbefore pushing.\n"
    )
    return path


def obsidian(folder: Path) -> Path:
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "hidden.md").write_text("must not be read")
    (folder / "Garden.md").write_text(
        "---\ntags: [plants, home]\n---\nThe roses bloom in June. See [[Roses|the roses]] #summer\n"
    )
    return folder


def basic_memory(folder: Path) -> Path:
    (folder / "coffee.md").write_text(
        "---\ntitle: Coffee\n---\n- [method] Bloom for thirty seconds #brew (home)\n- [ ] buy beans\n- pairs_with [[Chocolate]]\n"
    )
    return folder


def letta(folder: Path) -> Path:
    path = folder / "agent.af"
    agent = {"name": "sam", "core_memory": [{"label": "human", "value": "Ada prefers trains"}],
             "messages": [{"role": "user", "content": "I booked the night train"}, {"role": "tool", "content": "x"}]}  # fmt: skip
    path.write_text(json.dumps({"agents": [agent]}))
    return path


CASES: dict[str, tuple[Callable[[Path], Path], list[str], dict[str, int]]] = {
    "mcp-memory": (mcp_memory, ["Marco: speaks Italian", "Marco leads team Acme"], {"problems": 2, "relations": 1, "notes": 2}),
    "mem0": (mem0, ["Ada likes tea"], {"notes": 1, "problems": 1}),
    "chatgpt": (chatgpt, ["Which river runs through Vienna?", "The Danube.", "Ada is a baker."], {"messages": 2, "notes": 2, "problems": 1}),
    "claude": (claude, ["My bakery opens at six", "Work: Ada runs a bakery", "Rye bread is planned"], {"messages": 2, "notes": 2}),
    "claude-code": (claude_code, ["Never deploy on Fridays."], {"notes": 1}),
    "instructions": (instructions, ["House › Style: Use tabs", "House › Style: Always run the linter before pushing."], {"notes": 3}),
    "obsidian": (obsidian, ["Garden: The roses bloom in June."], {"notes": 1, "relations": 1}),
    "basic-memory": (basic_memory, ["Coffee: Bloom for thirty seconds"], {"notes": 1, "relations": 1}),
    "letta": (letta, ["Ada prefers trains", "I booked the night train"], {"notes": 1, "messages": 1}),
}  # fmt: skip


def everything(book: Commonplace) -> list[str]:
    return [memory.text for memory in book.browse(limit=1000)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_is_read_kept_and_not_kept_twice(book: Commonplace, folder: Path, format: str) -> None:
    make, texts, counts = CASES[format]
    path = make(folder)
    tried = bring_in(book, format, path, dry_run=True)
    assert everything(book) == [] and tried.counts == counts
    made = bring_in(book, format, path)
    assert made.counts == counts, made.problems
    kept = everything(book)
    for text in texts:
        assert any(one.startswith(text) for one in kept), (text, kept)
    assert not any("Thames" in one or "not this" in one or "must not" in one for one in kept)
    before = sorted((memory.id, memory.version) for memory in book.browse(limit=1000))
    again = bring_in(book, format, path)
    assert set(again.counts) <= {"known before", "problems"}
    assert sorted((memory.id, memory.version) for memory in book.browse(limit=1000)) == before


def test_what_is_imported_waits_as_a_candidate_and_says_where_it_came_from(book: Commonplace, folder: Path) -> None:
    bring_in(book, "mem0", mem0(folder))
    memory = book.recall("tea")[0].memory
    assert (memory.status, memory.source) == ("candidate", "import")
    assert memory.metadata["imported_from"] == "mem0" and memory.metadata["user_id"] == "ada"
    assert book.history(memory.id)[0].actor == "import:mem0"


def test_a_problem_is_named_by_file_and_line_and_refuses_everything_if_asked(book: Commonplace, folder: Path) -> None:
    path = mcp_memory(folder)
    with pytest.raises(Invalid, match=r"memory\.jsonl:3"):
        bring_in(book, "mcp-memory", path, strict=True)
    assert everything(book) == []
    assert [problem.place for problem in bring_in(book, "mcp-memory", path).problems] == [
        "memory.jsonl:3",
        "memory.jsonl:5",
    ]


def test_what_was_forgotten_does_not_come_back_by_an_import(book: Commonplace, folder: Path) -> None:
    path = mcp_memory(folder)
    bring_in(book, "mcp-memory", path)
    book.forget(book.recall("chess")[0].memory.id)
    again = bring_in(book, "mcp-memory", path)
    assert again.counts["refused"] == 1
    assert not any("chess" in text for text in everything(book)) and any("Italian" in text for text in everything(book))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00junk", b"[1, 2]", b'{"a": 1}', b"null"])
def test_nonsense_is_a_problem_never_a_crash(book: Commonplace, folder: Path, format: str, content: bytes) -> None:
    for name in ("memory.jsonl", "conversations.json", "note.md"):
        (folder / name).write_bytes(content)
    path = (
        folder
        if format in ("claude", "chatgpt", "obsidian", "basic-memory", "claude-code")
        else folder / "memory.jsonl"
    )
    bring_in(book, format, path)
    assert book.audit.verify().ok


def test_an_unknown_format_and_a_missing_path_are_refused(book: Commonplace, folder: Path) -> None:
    with pytest.raises(Invalid, match="mcp-memory"):
        bring_in(book, "floppy", folder)
    with pytest.raises(Invalid, match="not there"):
        bring_in(book, "mem0", folder / "nothing.json")


def test_the_format_is_guessed_where_it_is_plain(folder: Path) -> None:
    assert guess(folder / "AGENTS.md") == "instructions" and guess(folder / "x.af") == "letta"
    assert guess(obsidian(folder)) == "obsidian" and guess(folder / "some.json") is None
