"""What is rejected or corrected in the book is not shown, whatever a file still says."""

from pathlib import Path

from commonplace import Commonplace
from commonplace.notebook.notebook import Notebook


def edited(project: Path, notebook: Notebook, before: str, after: str) -> str:
    """Somebody edits a line by hand; the id of its memory."""
    path = project / "memory/working-buffer.md"
    path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
    return notebook.sync().changed[0]


def pages(notebook: Notebook) -> list[str]:
    return [notebook.recover().text, notebook.start().text]


def test_a_line_edited_by_hand_and_later_rejected(book: Commonplace, notebook: Notebook, project: Path):
    notebook.note("the API listens on port 8080", kind="value")
    notebook.note("the build takes nine minutes")
    id = edited(project, notebook, "8080", "8181")
    assert all("8181" in page and "8080" not in page for page in pages(notebook))
    book.reject(id, reason="wrong")
    assert "8181" in (project / "memory/working-buffer.md").read_text("utf-8")
    assert all("8181" not in page and "nine minutes" in page for page in pages(notebook))


def test_a_value_that_was_revised_in_the_book_is_not_shown_from_the_file(book: Commonplace, notebook: Notebook):
    note = notebook.note("the API listens on port 8080", kind="value")
    notebook.note("the build takes nine minutes")
    assert note.memory is not None
    assert all("8080" in page for page in pages(notebook))
    book.revise(note.memory, "the API listens on port 9090", reason="it moved")
    assert all("8080" not in page and "nine minutes" in page for page in pages(notebook))


def test_a_value_that_ended_is_not_shown_from_the_file(book: Commonplace, notebook: Notebook):
    note = notebook.note("Marta is on call", kind="value")
    notebook.note("the build takes nine minutes")
    assert note.memory is not None
    assert all("Marta" in page for page in pages(notebook))
    book.end(note.memory)
    assert all("Marta" not in page and "nine minutes" in page for page in pages(notebook))


def test_a_value_forgotten_by_its_words_is_not_shown_from_the_file(book: Commonplace, notebook: Notebook):
    notebook.note("Marta is leaving in June")
    notebook.note("the build takes nine minutes")
    assert all("June" in page for page in pages(notebook))
    book.forget(query="Marta is leaving in June")
    assert all("June" not in page and "nine minutes" in page for page in pages(notebook))


def test_a_revised_value_is_not_brought_back_when_its_file_is_written_to(book: Commonplace, notebook: Notebook):
    note = notebook.note("the API listens on port 8080", kind="value")
    assert note.memory is not None
    book.revise(note.memory, "the API listens on port 9090", reason="it moved")
    notebook.note("the build takes nine minutes")
    notebook.sync()
    assert book.get(note.memory).text == "the API listens on port 9090"
    assert [one.text for one in book.browse(limit=10) if "8080" in one.text] == []
    assert all("8080" not in page and "nine minutes" in page for page in pages(notebook))
