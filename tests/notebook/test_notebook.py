"""The notebook and the book together: notes, corrections, sessions, recovery."""

from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace, Refused
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.recovery import summarised
from commonplace.testing.clock import StoppedClock
from commonplace.text.tokens import count


def test_a_note_is_a_memory_with_its_file_and_line(notebook: Notebook, book: Commonplace):
    note = notebook.note("we keep SQLite because it is one file", kind="decision")
    assert note.memory is not None
    memory = book.get(note.memory)
    assert (memory.text, memory.category, memory.status) == (note.written.text, "decision", "verified")
    assert dict(memory.metadata) == {"notebook": "memory/working-buffer.md", "line": 3, "note": "decision"}
    assert [hit.memory.id for hit in book.recall("SQLite file")][:1] == [note.memory]


def test_secrets_and_private_words_reach_neither_file_nor_book(notebook: Notebook, project: Path):
    notebook.note("deploy with AKIAZ7QX4M2NPLR5TKWD <private>and my salary is 5</private> on Fridays")
    text = (project / "memory/working-buffer.md").read_text()
    assert "on Fridays" in text
    assert "AKIA" not in text
    assert "salary" not in text
    with pytest.raises(Refused):
        notebook.note("<private>all of it</private>")


def test_a_message_is_scanned_and_written_ahead(notebook: Notebook, project: Path):
    notes = notebook.catch("We decided to use PostgreSQL 18 for the server. How are you?")
    assert [one.written.kind for one in notes] == ["decision"]
    assert "PostgreSQL 18" in (project / "memory/working-buffer.md").read_text()
    assert notebook.catch("How are you?") == []


def test_a_correction_takes_the_place_of_what_it_corrects(notebook: Notebook, book: Commonplace, project: Path):
    first = notebook.catch("We decided to use port 8080 for the API.")[0]
    other = notebook.catch("We decided to keep the docs in Markdown.")[0]
    second = notebook.catch("Actually, the API port is 9090, not 8080.")[0]
    assert second.corrects == first.memory
    assert "8080" in (project / "memory/working-buffer.md").read_text(), "what was written stays in the file"
    page = notebook.recover().text
    assert "9090" in page
    assert "Markdown" in page
    assert "8080" not in page
    assert other.memory is not None
    assert book.get(other.memory).status == "verified"
    assert "8080" not in book.context("which port does the API use?")


def test_what_was_forgotten_or_corrected_elsewhere_is_not_shown_even_if_a_file_has_it(
    notebook: Notebook, book: Commonplace, project: Path
):
    gone = notebook.note("Marta is leaving the company in June")
    revised = notebook.note("the release is on Tuesday")
    kept = notebook.note("the build takes nine minutes")
    (project / "MEMORY.md").write_text("# M\n\nTold in confidence: Marta is leaving the company in June, so hurry.\n")
    assert "Marta" in notebook.recover().text
    assert gone.memory and revised.memory and kept.memory
    book.forget(gone.memory)
    book.revise(revised.memory, "the release is on Thursday", reason="moved")
    page = notebook.recover().text
    assert "Marta" not in page
    assert "Tuesday" not in page
    assert "nine minutes" in page
    assert "so hurry" in page
    with pytest.raises(Refused):
        notebook.note("Marta is leaving the company in June")


def test_the_page_keeps_the_order_of_the_files(notebook: Notebook, clock: StoppedClock):
    notebook.log("wired the parser")
    notebook.lesson("never run the migration twice")
    notebook.todo("write the docs")
    notebook.note("the first thing", kind="task")
    clock.advance(minutes=5)
    notebook.note("the second thing", kind="task")
    lines = notebook.recover().text.splitlines()
    heads = [line for line in lines if line.startswith("## ")]
    assert heads == [
        "## memory/working-buffer.md",
        "## memory/2026-05-01.md",
        "## tasks/todo.md",
        "## tasks/lessons.md",
    ]
    at = lines.index("## memory/working-buffer.md")
    assert "first" in lines[at + 1], "as the file has them"
    assert "second" in lines[at + 2]


@pytest.mark.parametrize("tokens", [60, 200, 500, 2000])
def test_the_budget_holds_and_what_was_cut_is_named(notebook: Notebook, clock: StoppedClock, tokens: int):
    for n in range(80):
        notebook.pages.note("note", f"line {n} of the buffer, with some words to fill it up a little")
    for n in range(80):
        notebook.pages.lesson(f"lesson {n} that is also not quite short")
    page = notebook.recover(tokens=tokens)
    assert count(page.text) <= tokens
    assert "memory/working-buffer.md" in page.cut
    if tokens >= 500:
        assert "line 79 " in page.text
        assert "lesson 79 " in page.text
        assert "line 0 " not in page.text
        assert "the rest is in memory/working-buffer.md" in page.text


def test_yesterdays_log_is_shown_while_the_day_is_young(notebook: Notebook, clock: StoppedClock):
    notebook.log("done yesterday")
    clock.advance(hours=20)
    assert "done yesterday" in notebook.recover().text
    clock.advance(hours=8)
    assert "done yesterday" not in notebook.recover().text


def test_a_summarised_or_cut_context_is_noticed(notebook: Notebook):
    assert summarised("<summary>We were …</summary>")
    assert summarised("This session is being continued from a previous conversation that ran out of context.")
    assert summarised('{"type":"summary","summary":"x"}\n')
    assert summarised('{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}\n')
    assert summarised('{"type":"assistant","message":{"role":"assistant","content":"going on"}}\n')
    assert summarised('{"type":"user","message":{"role":"user","content":"hello"}}\n') is None
    assert summarised("Please fix the bug") is None
    page = notebook.recover(context="<summary>x</summary>")
    assert page.summarised
    assert "compacted" in page.text


def test_ending_a_session_leaves_state_next_steps_lessons_and_a_log_entry(
    notebook: Notebook, project: Path, book: Commonplace
):
    item = notebook.todo("write the docs")
    notes = notebook.end(
        state="the parser works",
        next=["measure it"],
        done=["docs"],
        lessons=["read the schema first"],
        decisions=["we keep the parser by hand"],
        log="wrote the parser",
    )
    buffer = (project / "memory/working-buffer.md").read_text()
    assert all(words in buffer for words in ("state: the parser works", "next: measure it", "decision: we keep"))
    assert "- [x] write the docs" in (project / "tasks/todo.md").read_text()
    assert "read the schema first" in (project / "tasks/lessons.md").read_text()
    assert "session: wrote the parser" in (project / "memory/2026-05-01.md").read_text()
    assert "| 2026-05-01 | we keep the parser by hand |  |" in (project / "MEMORY.md").read_text()
    assert item.memory is not None
    assert book.get(item.memory).status == "stale"
    assert all(note.memory for note in notes)
    assert sum("parser by hand" in one.text for one in book.browse(limit=50)) == 1


def test_what_was_decided_is_added_to_the_table_once_and_nothing_else_changes(notebook: Notebook, project: Path):
    path = project / "MEMORY.md"
    table = "| Date | Decision | Rationale |\n|---|---|---|\n"
    path.write_text(f"# Mine\n\n## Decisions\n\n{table}\n## Key files\n\n- a.py\n")
    before = path.read_text().splitlines()
    for _ in range(2):
        notebook.end(decisions=["we keep SQLite because it is one file"])
    after = path.read_text().splitlines()
    added = "| 2026-05-01 | we keep SQLite | because it is one file |"
    assert after.count(added) == 1
    assert [row for row in after if row != added] == before
    assert notebook.sync().nothing


def test_status_says_which_namespace_and_why(notebook: Notebook):
    notebook.note("we keep it simple", kind="decision")
    found = notebook.status()
    assert found.namespace == "project"
    assert found.why
    assert found.files == {"memory/working-buffer.md": 1}
    assert [str(day) for day in found.undistilled] == ["2026-05-01"]


def test_an_agent_cannot_take_back_what_a_person_noted(book: Commonplace, project: Path, notebook: Notebook):
    first = notebook.note("the API port is 8080", kind="value")
    scope = replace(notebook._scope, person=False, source="assistant", actor="agent")
    agents = Notebook(scope, project, book.settings)
    note = agents.note("the API port is 9090, not 8080", kind="correction")
    assert note.corrects is None
    assert first.memory is not None
    assert book.get(first.memory).status == "verified"


def test_headings_and_order_of_a_hand_kept_buffer_stay(notebook: Notebook, project: Path):
    (project / "memory").mkdir()
    (project / "memory/working-buffer.md").write_text(
        "# Working buffer\n\n## Now\n\n- port the importer\n- then the docs\n\n## Parked\n\n- the colour of the logo\n"
    )
    (project / "tasks").mkdir()
    (project / "tasks/todo.md").write_text("# To do\n\n- [ ] first\n- [x] over\n- [ ] second\n")
    lines = notebook.recover().text.splitlines()
    start = lines.index("## memory/working-buffer.md")
    assert lines[start + 1 : start + 6] == [
        "### Now",
        "- port the importer",
        "- then the docs",
        "### Parked",
        "- the colour of the logo",
    ]
    assert lines[lines.index("## tasks/todo.md") + 1 :][:2] == ["- [ ] first", "- [ ] second"]


def test_a_reason_without_a_because_is_set_off_on_the_page(notebook, project):
    (project / "MEMORY.md").write_text(
        "# Parcel\n\n| When | Why | Decision |\n|---|---|---|\n| 2026-10-01 | simplest | one repo |\n"
        "| 2026-10-02 | because it is one file | SQLite |\n"
    )
    page = notebook.start().text
    assert "one repo – simplest" in page and "SQLite because it is one file" in page
