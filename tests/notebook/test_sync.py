"""Files that people edit: picked up block by block, the memory following its line."""

from pathlib import Path

from commonplace import Commonplace
from commonplace.notebook.notebook import Notebook


def test_what_stands_in_a_file_becomes_memories_once(notebook: Notebook, book: Commonplace, project: Path):
    (project / "MEMORY.md").write_text(
        "# M\n\n## Architecture\n\nThe parser is written by hand.\n\n- tests run on two engines\n"
    )
    done = notebook.sync()
    assert len(done.added) == 2
    hit = book.recall("who wrote the parser?")[0].memory
    assert hit.text == "The parser is written by hand."
    assert (hit.status, hit.source) == ("verified", "user"), "a person's own line"
    assert book.review.list() == []
    assert hit.metadata["line"] == 5
    assert notebook.sync().nothing
    (project / "MEMORY.md").touch()
    assert notebook.sync().nothing


def test_a_changed_line_is_the_next_version_of_its_memory(notebook: Notebook, book: Commonplace, project: Path):
    note = notebook.note("the build takes nine minutes on the old machine")
    path = project / "memory/working-buffer.md"
    path.write_text(path.read_text().replace("nine minutes", "four minutes"))
    done = notebook.sync()
    assert done.changed == (note.memory,)
    assert note.memory is not None
    memory = book.get(note.memory)
    assert "four minutes" in memory.text
    assert memory.version == 2


def test_a_moved_line_is_the_same_memory(notebook: Notebook, book: Commonplace, project: Path):
    note = notebook.note("the build takes nine minutes")
    path = project / "memory/working-buffer.md"
    path.write_text("# Working buffer\n")
    (project / "MEMORY.md").write_text("# M\n\n- the build takes nine minutes\n")
    done = notebook.sync()
    assert done.moved == (note.memory,)
    assert not done.added
    assert note.memory is not None
    assert book.get(note.memory).metadata["notebook"] == "MEMORY.md"


def test_a_removed_line_is_asked_about_once_and_then_forgotten_or_kept(
    notebook: Notebook, book: Commonplace, project: Path
):
    first, second = notebook.note("Marta has left"), notebook.note("the build takes nine minutes")
    path = project / "memory/working-buffer.md"
    path.write_text("\n".join(row for row in path.read_text().split("\n") if "Marta" not in row))
    assert notebook.sync().missing == (first.memory,)
    assert notebook.sync().nothing, "asked once"
    assert first.memory and second.memory
    assert book.get(first.memory).status == "verified"
    notebook.settle([first.memory], forget=True)
    assert [one.id for one in book.browse(kinds=["associative"])] == [second.memory]


def test_the_setting_can_archive_removed_lines(archiving: Notebook, book: Commonplace, project: Path):
    note = archiving.note("Marta has left")
    archiving.note("the build takes nine minutes")
    path = project / "memory/working-buffer.md"
    path.write_text("\n".join(row for row in path.read_text().split("\n") if "Marta" not in row))
    assert archiving.sync().archived == (note.memory,)
    assert note.memory is not None
    assert book.get(note.memory).status == "archived"


def test_a_file_that_lost_most_of_its_lines_is_left_alone(notebook: Notebook, book: Commonplace, project: Path):
    notes = [notebook.note(f"thing number {n} is settled") for n in range(6)]
    path = project / "memory/working-buffer.md"
    whole = path.read_text()
    path.write_text("# Work")
    done = notebook.sync()
    assert "half saved" in done.problems[0]
    assert not done.missing
    path.write_text(whole)
    assert notebook.sync().nothing
    assert all(book.get(str(note.memory)).version == 1 for note in notes)


def test_an_unfinished_merge_waits(notebook: Notebook, project: Path):
    (project / "MEMORY.md").write_text("- one\n<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> other\n")
    done = notebook.sync()
    assert "unfinished merge" in done.problems[0]
    assert not done.added
    (project / "MEMORY.md").write_text("- one\n- mine\n- theirs\n")
    assert len(notebook.sync().added) == 3


def test_a_line_whose_memory_was_lost_in_a_crash_is_found_again(notebook: Notebook, book: Commonplace):
    notebook.pages.note("decision", "we keep SQLite")  # the process died before the book was told
    done = notebook.sync()
    assert len(done.added) == 1
    memory = book.get(done.added[0])
    assert (memory.category, memory.source) == ("decision", "assistant")


def test_forgotten_lines_do_not_come_back_from_a_file(notebook: Notebook, book: Commonplace, project: Path):
    note = notebook.note("Marta is leaving in June")
    assert note.memory is not None
    book.forget(note.memory)
    (project / "MEMORY.md").write_text("# M\n\n- Marta is leaving in June\n- another thing is fine\n")
    done = notebook.sync()
    assert [book.get(id).text for id in done.added] == ["another thing is fine"]
    assert any("forgotten" in one for one in done.problems)


def test_ticked_items_end(notebook: Notebook, book: Commonplace, project: Path):
    item = notebook.todo("write the docs")
    path = project / "tasks/todo.md"
    path.write_text(path.read_text().replace("[ ]", "[x]"))
    assert notebook.sync().ended == (item.memory,)
    assert item.memory is not None
    assert book.get(item.memory).status == "stale"


def test_forgetting_reaches_the_files_when_agreed(notebook: Notebook, book: Commonplace, project: Path):
    note = notebook.note("Marta is leaving in June")
    notebook.note("Martas bike is red")
    (project / "MEMORY.md").write_text("# M\n\nTold so: marta is leaving in June.\n\n- other\n")
    edits = notebook.mentions_in_files([note.written.text])
    assert sorted(edit.file for edit in edits) == ["MEMORY.md", "memory/working-buffer.md"]
    assert "-Told so" in edits[1].diff or "-Told so" in edits[0].diff
    assert "Marta is leaving" in (project / "memory/working-buffer.md").read_text(), "shown, not made"
    assert note.memory is not None
    book.forget(note.memory)
    word = notebook.make(edits)
    assert word is not None
    assert "history" in word
    left = (project / "MEMORY.md").read_text() + (project / "memory/working-buffer.md").read_text()
    assert "leaving" not in left
    assert "- other" in left
    assert "bike" in left


def test_a_hand_written_line_of_a_log_keeps_its_day(notebook: Notebook, book: Commonplace, project: Path):
    (project / "memory").mkdir()
    (project / "memory/2026-03-02.md").write_text("# 2026-03-02\n\n- the vendor called about the invoice\n")
    notebook.sync()
    memory = book.recall("vendor invoice")[0].memory
    assert memory.valid_from is not None
    assert memory.valid_from.date().isoformat() == "2026-03-02"
