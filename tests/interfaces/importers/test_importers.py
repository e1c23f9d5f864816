"""What other programs remember: read leniently, kept once, problems named by file and line."""
# ruff: noqa: E501  # foreign files, as they are written

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.interfaces.cli.dispatch import parser_of
from commonplace.interfaces.importers import FORMATS, bring_in, guess, load


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


def markdown(folder: Path) -> Path:
    (folder / "trip.md").write_text("---\ntags: [travel]\n---\n# Rome\n\nThe hotel is near the station.\n")
    return folder


def jsonl(path: Path, entries: list[dict]) -> Path:
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return path


def claude_code_transcripts(folder: Path) -> Path:
    def entry(kind: str, content: object, **more: object) -> dict:
        return {
            "type": kind,
            "sessionId": "s1",
            "timestamp": "2026-03-01T10:00:00Z",
            "message": {"content": content},
            **more,
        }

    return jsonl(folder / "s1.jsonl", [
        entry("user", "Deploy with the blue script"),
        entry("assistant", [{"type": "text", "text": "I will use the blue script"}, {"type": "tool_use", "name": "Bash"}]),
        entry("user", [{"type": "tool_result", "content": "not this"}]),
        entry("user", "not this either", isMeta=True),
        entry("user", "<command-name>/clear not this</command-name>"),
        entry("user", "This session is continued: not this", isCompactSummary=True),
        {"type": "summary", "summary": "x"},
    ])  # fmt: skip


def codex(folder: Path) -> Path:
    def item(role: str, text: str) -> dict:
        content = [{"type": "input_text", "text": text}]
        return {
            "timestamp": "2026-03-01T10:00:00Z",
            "type": "response_item",
            "payload": {"type": "message", "role": role, "content": content},
        }

    jsonl(folder / "rollout-1.jsonl", [
        {"type": "session_meta", "payload": {"id": "c1"}},
        item("user", "<environment_context>not this</environment_context>"),
        item("user", "Rename the parser module"),
        item("assistant", "The parser module is renamed"),
        {"type": "response_item", "payload": {"type": "function_call", "name": "shell"}},
    ])  # fmt: skip
    return folder


def gemini(folder: Path) -> Path:
    path = folder / "MyActivity.json"
    answer = {"html": "<p>Plant <b>beans</b> in May &amp; water them.</p>"}
    path.write_text(json.dumps([
        {"header": "Gemini Apps", "title": "Prompted when do I plant beans?", "time": "2026-02-01T10:00:00Z", "safeHtmlItem": [answer]},
        {"header": "Gemini Apps", "title": "Used Gemini Apps", "time": "2026-02-01T11:00:00Z"},
        {"header": "Search", "title": "Searched for not this", "time": "2026-02-01T11:00:00Z"},
    ]))  # fmt: skip
    return path


def database(path: Path, create: str, insert: str, rows: list[tuple]) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(create)
        connection.executemany(insert, rows)
    return path


def claude_mem(folder: Path) -> Path:
    return database(
        folder / "claude-mem.db",
        "CREATE TABLE observations (id, project, type, title, narrative, facts, created_at)",
        "INSERT INTO observations VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                1,
                "shop",
                "decision",
                "Cache",
                "x",
                '["The cache is Redis", "Entries live an hour"]',
                "2026-01-01T00:00:00Z",
            ),
            (2, "shop", "bugfix", None, None, None, None),
        ],
    )


def mcp_memory_service(folder: Path) -> Path:
    return database(
        folder / "memory.db",
        "CREATE TABLE memories (id, content, tags, memory_type, created_at, deleted_at)",
        "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?)",
        [
            (1, "The staging host is blue", "ops,hosts", "note", 1_760_000_000.0, None),
            (2, "not this", "", "", 1.0, 2.0),
        ],
    )


def zep(folder: Path) -> Path:
    """As `graph.edge`, `graph.node`, `graph.episode` and `thread` of zep-cloud 3 and 4 give it."""
    nodes = [
        {"uuid": "n1", "name": "Ada", "labels": ["Entity", "Person"], "summary": "Ada bakes bread.", "created_at": "2026-01-01T10:00:00Z"},
        {"uuid": "n2", "name": "Graz", "labels": ["Entity"], "summary": "", "created_at": "2026-01-01T10:00:00Z"},
    ]  # fmt: skip
    edge = {"uuid": "e1", "name": "LIVES_IN", "fact": "Ada lives in Graz", "source_node_uuid": "n1", "target_node_uuid": "n2",
            "created_at": "2026-01-02T10:00:00Z", "valid_at": "2026-01-01T00:00:00Z", "invalid_at": None, "expired_at": None}  # fmt: skip
    ended = {
        **edge,
        "uuid": "e2",
        "fact": "Ada lived in Wien",
        "invalid_at": "2025-12-31T00:00:00Z",
        "valid_at": "2020-01-01T00:00:00Z",
    }
    episodes = [
        {"uuid": "p1", "content": "I moved to Graz", "role": "Ada", "role_type": "user", "source": "message", "thread_id": "t1", "created_at": "2026-01-02T10:00:00Z"},
        {"uuid": "p2", "content": "Noted!", "role": "assistant", "source": "message", "thread_id": "t1", "created_at": "2026-01-02T10:00:05Z"},
        {"uuid": "p3", "content": '{"not this": 1}', "source": "json", "created_at": "2026-01-02T10:00:00Z"},
        {"uuid": "p4", "content": "not this", "role_type": "tool", "source": "message", "created_at": "2026-01-02T10:00:00Z"},
    ]  # fmt: skip
    (folder / "graph.json").write_text(json.dumps({"edges": [edge, ended], "nodes": nodes, "episodes": episodes}))
    return folder


def hindsight(folder: Path) -> Path:
    """A transfer archive, as `export_documents` writes it."""
    facts = [
        {"text": "Ada works at the mill", "fact_type": "world", "context": "work", "occurred_start": "2026-01-01T00:00:00Z",
         "mentioned_at": "2026-02-01T00:00:00Z", "tags": ["work"], "entities": ["Ada", "mill"], "causal_relations": []},
        {"text": "", "fact_type": "world"},
    ]  # fmt: skip
    document = {"id": "doc", "original_text": "not this", "facts": facts, "chunks": []}
    path = folder / "bank.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"schema_version": 1, "source_bank_id": "ada"}))
        archive.writestr("documents/000000.json", json.dumps(document))
        archive.writestr("observations.json", json.dumps([{"text": "Ada prefers mornings", "proof_count": 2}]))
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
    "markdown": (markdown, ["trip › Rome: The hotel is near the station."], {"notes": 1}),
    "claude-code-transcripts": (claude_code_transcripts, ["Deploy with the blue script", "I will use the blue script"], {"messages": 2}),
    "codex": (codex, ["Rename the parser module", "The parser module is renamed"], {"messages": 2}),
    "gemini": (gemini, ["when do I plant beans?", "Plant beans in May & water them."], {"messages": 2}),
    "claude-mem": (claude_mem, ["The cache is Redis", "Entries live an hour"], {"notes": 2}),
    "mcp-memory-service": (mcp_memory_service, ["The staging host is blue"], {"notes": 1}),
    "zep": (zep, ["Ada lives in Graz", "Ada: Ada bakes bread.", "I moved to Graz"], {"notes": 3, "relations": 1, "messages": 2}),
    "hindsight": (hindsight, ["Ada works at the mill", "Ada prefers mornings"], {"notes": 2, "problems": 1}),
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
    assert bring_in(book, format, path, dry_run=True).counts == again.counts, "counted first, it says the same"
    assert sorted((memory.id, memory.version) for memory in book.browse(limit=1000)) == before


def test_what_is_left_out_on_purpose_is_counted(book: Commonplace, folder: Path) -> None:
    for make, format, kinds in (
        (claude_code_transcripts, "claude-code-transcripts", 2),
        (codex, "codex", 2),
        (gemini, "gemini", 2),
        (claude_mem, "claude-mem", 2),
        (letta, "letta", 1),
        (zep, "zep", 4),
        (hindsight, "hindsight", 2),
    ):
        (folder / format).mkdir()
        tried = bring_in(book, format, make(folder / format), dry_run=True)
        assert len(tried.skipped) == kinds and all(tried.skipped.values()), (format, tried.skipped)


def test_a_fact_of_zep_that_names_its_episodes_is_a_fact(book: Commonplace, folder: Path) -> None:
    fact = {"uuid": "e", "fact": "Ada works at Acme", "name": "WORKS_AT", "episodes": ["p1", "p2"]}
    edges = [fact | {"source_node_name": "Ada", "target_node_name": "Acme"}]
    (folder / "edges.json").write_text(json.dumps({"edges": edges, "episodes": []}))
    assert bring_in(book, "zep", folder / "edges.json").counts == {"notes": 1, "relations": 1}


def test_what_claude_code_wrote_itself_is_not_what_the_person_said(book: Commonplace, folder: Path) -> None:
    opened = {"type": "text", "text": "<ide_opened_file>The user opened x.py</ide_opened_file>"}
    said = [
        {"type": "user", "message": {"content": [opened, {"type": "text", "text": "I edit with Helix"}]}},
        {"type": "user", "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}},
        {"type": "assistant", "isApiErrorMessage": True, "message": {"content": "API Error: overloaded"}},
    ]
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, said)))
    made = bring_in(book, "claude-code-transcripts", folder / "s.jsonl")
    assert made.counts == {"messages": 1} and made.skipped == {"records of the program itself": 2}
    [turn] = book.browse(kinds=["episodic"])
    assert turn.text == "I edit with Helix"


def test_the_id_and_the_categories_of_mem0_are_kept(book: Commonplace, folder: Path) -> None:
    entry = {"id": "8f3", "memory": "Likes hiking", "user_id": "ada", "categories": ["hobbies", "health"]}
    (folder / "all.json").write_text(json.dumps({"results": [entry]}))
    bring_in(book, "mem0", folder / "all.json")
    [memory] = book.browse()
    assert (memory.metadata["mem0_id"], memory.metadata["user_id"]) == ("8f3", "ada")
    assert set(memory.tags) == {"hobbies", "health"}


def test_nothing_found_is_a_problem_and_takeout_in_html_says_what_to_choose(book: Commonplace, folder: Path) -> None:
    with zipfile.ZipFile(folder / "takeout.zip", "w") as archive:
        archive.writestr("Takeout/My Activity/Gemini Apps/MyActivity.html", "<p>Prompted hello</p>")
    [problem] = bring_in(book, "gemini", folder / "takeout.zip").problems
    assert "choose JSON" in problem.what and problem.place.endswith("MyActivity.html")
    (folder / "empty").mkdir()
    [problem] = bring_in(book, "markdown", folder / "empty").problems
    assert problem.what == "holds nothing to import as markdown"


def test_tasks_in_markdown_are_named_as_left_out(book: Commonplace, folder: Path) -> None:
    (folder / "a.md").write_text("The key is with Olga\n- [ ] call the landlord\n* [x] paint\n- It is green\n")
    made = bring_in(book, "markdown", folder / "a.md")
    assert made.counts == {"notes": 2} and made.skipped == {"tasks": 2}


def test_letta_messages_in_parts_are_read(book: Commonplace, folder: Path) -> None:
    parts = [{"type": "text", "text": "I booked the ferry"}]
    (folder / "agent.af").write_text(json.dumps({"messages": [{"role": "user", "content": parts}]}))
    assert bring_in(book, "letta", folder / "agent.af").counts == {"messages": 1}
    assert "I booked the ferry" in everything(book)


def test_letta_wraps_what_is_said_and_sends_it_by_a_tool(book: Commonplace, folder: Path) -> None:
    def message(role: str, text: str, **more: object) -> dict:
        return {"role": role, "content": [{"type": "text", "text": text}], **more}

    sent = {"function": {"name": "send_message", "arguments": json.dumps({"message": "Have a good trip"})}}
    said = [
        message("user", json.dumps({"type": "login", "last_login": "Never"})),
        message("user", json.dumps({"type": "user_message", "message": "I booked the ferry", "time": "2026-01-01"})),
        message("assistant", "They travel by ferry, a thought", tool_calls=[sent]),
        message("user", '{"port": 8099} is our configuration'),
        message("assistant", "Understood"),
    ]
    (folder / "agent.af").write_text(json.dumps({"agents": [{"name": "sam", "messages": said}]}))
    made = bring_in(book, "letta", folder / "agent.af")
    assert made.counts == {"messages": 4} and sum(made.skipped.values()) == 1
    turns = [memory.text for memory in book.browse(kinds=["episodic"])]
    assert set(turns) == {
        "I booked the ferry", "Have a good trip", '{"port": 8099} is our configuration', "Understood"
    }  # fmt: skip


def test_headings_in_claudes_memories_are_not_memories(book: Commonplace, folder: Path) -> None:
    text = "**Work context**\n\nAda runs a bakery.\n\n**Personal context**\n\nAda has a dog."
    (folder / "memories.json").write_text(json.dumps([{"conversations_memory": text}]))
    bring_in(book, "claude", folder)
    assert sorted(everything(book)) == ["Personal context: Ada has a dog.", "Work context: Ada runs a bakery."]


def test_chatgpts_bio_and_custom_instructions_are_memories(book: Commonplace, folder: Path) -> None:
    def node(id: str, parent: str | None, role: str, content: dict, **more: object) -> dict:
        return {
            "id": id,
            "parent": parent,
            "children": [],
            "message": {"author": {"role": role}, "content": content, **more},
        }

    profile = {
        "content_type": "user_editable_context",
        "user_profile": "The user provided this information: I bake bread",
        "user_instructions": "Be brief",
    }
    custom = {"about_user_message": "I bake bread", "about_model_message": "Be brief"}
    about = {"metadata": {"user_context_message_data": custom}}
    bio = {"content_type": "text", "parts": ["User has a rye starter."]}
    mapping = {"a": node("a", None, "user", profile, **about), "b": node("b", "a", "assistant", bio, recipient="bio")}
    (folder / "conversations.json").write_text(json.dumps([{"mapping": mapping, "current_node": "b"}]))
    bring_in(book, "chatgpt", folder)
    assert sorted(everything(book)) == ["Be brief", "I bake bread", "User has a rye starter."]


@pytest.mark.one_engine("reads a file; the book is beside the point")
def test_what_an_export_holds_besides_is_named(book: Commonplace, folder: Path) -> None:
    photo = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "What is this?"]}
    node = {"id": "a", "parent": None, "children": [], "message": {"author": {"role": "user"}, "content": photo}}
    (folder / "conversations.json").write_text(json.dumps([{"mapping": {"a": node}, "current_node": "a"}]))
    imported = bring_in(book, "chatgpt", folder, dry_run=True)
    assert (imported.counts, imported.skipped) == ({"messages": 1}, {"images and files in messages": 1})
    blocks = [{"type": "thinking"}, {"type": "text", "text": "Noted."}]
    message = {"sender": "assistant", "content": blocks, "attachments": [{"file_name": "b.txt"}]}
    (folder / "conversations.json").write_text(json.dumps([{"uuid": "c", "chat_messages": [message]}]))
    (folder / "projects.json").write_text('[{"name": "Billing"}]')
    assert bring_in(book, "claude", folder, dry_run=True).skipped == {
        "attachments and files": 1,
        "thoughts, tool calls and their results": 1,
        "files with descriptions and documents of projects": 1,
    }
    (folder / "a.md").write_text("- one thing\n\n```\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- another\n")
    imported = bring_in(book, "markdown", folder / "a.md")
    assert (imported.counts, imported.skipped) == ({"notes": 2}, {"pieces of code": 1, "tables": 1})
    assert book.recall("another")[0].memory.metadata["place"] == "a.md:11"


def test_the_help_names_every_format() -> None:
    words = next(action.help for action in parser_of("import")._actions if action.dest == "format") or ""
    assert set(words.partition(": ")[2].split(", ")) == set(FORMATS)


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


def test_what_ended_elsewhere_is_history_here(book: Commonplace, folder: Path) -> None:
    bring_in(book, "zep", zep(folder))
    ended = next(memory for memory in book.browse(statuses=(), limit=100) if memory.text == "Ada lived in Wien")
    assert ended.valid_to is not None and ended.valid_to.year == 2025 and ended.metadata["zep_uuid"] == "e2"
    assert "Ada lived in Wien" not in [hit.memory.text for hit in book.recall("where does Ada live?")]
    assert [relation.object.label for relation in book.relations("Ada")] == ["Graz"]


def test_messages_say_where_they_came_from(book: Commonplace, folder: Path) -> None:
    bring_in(book, "codex", codex(folder))
    memory = book.browse(kinds=["episodic"], limit=1)[0]
    assert memory.metadata["imported_from"] == "codex" and memory.metadata["place"] == "rollout-1.jsonl"


def test_an_export_of_claude_mem_and_an_early_rollout_of_codex_are_read(book: Commonplace, folder: Path) -> None:
    observation = {
        "type": "decision",
        "facts": '["The cache is Redis"]',
        "project": "shop",
        "created_at_epoch": 1_767_225_600_000,
    }
    summary = {"learned": "Warm the cache first", "project": "shop", "created_at": "2026-01-01T00:00:00Z"}
    export = {"observations": [observation], "summaries": [summary, {}], "prompts": [{"prompt_text": "not this"}]}
    (folder / "export.json").write_text(json.dumps(export))
    made = bring_in(book, "claude-mem", folder / "export.json")
    assert made.counts == {"notes": 2} and made.skipped == {"sessions that taught nothing": 1, "prompts": 1}
    cache = next(memory for memory in book.browse() if memory.text == "The cache is Redis")
    assert cache.valid_from is not None and cache.valid_from.year == 2026 and cache.metadata["project"] == "shop"
    early = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Sort the imports"}]}
    path = jsonl(folder / "rollout-0.jsonl", [{"id": "c0", "instructions": "x"}, early, {"type": "function_call"}])
    assert bring_in(book, "codex", path).counts == {"messages": 1}


def test_an_interrupted_import_goes_on_where_it_was(book: Commonplace, folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(load, "BATCH", 5)
    entries = [{"memory": f"Ada owns book number {number}"} for number in range(12)]
    (folder / "mem0.json").write_text(json.dumps(entries))

    def stop(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring_in(book, "mem0", folder / "mem0.json", progress=stop)
    assert len(everything(book)) == 5
    assert bring_in(book, "mem0", folder / "mem0.json", dry_run=True).counts == {"known before": 5, "notes": 7}
    assert bring_in(book, "mem0", folder / "mem0.json").counts == {"known before": 5, "notes": 7}
    assert len(everything(book)) == 12


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
