"""From logs and buffer to MEMORY.md: shown first, refusable, and nobody's hand is overwritten."""

from pathlib import Path

import pytest

from commonplace import Commonplace, Refused
from commonplace.notebook.distil import DistilledDecision, rationale
from commonplace.notebook.notebook import Notebook
from commonplace.testing.clock import StoppedClock


def test_a_reason_is_told_from_what_was_decided():
    assert rationale("we keep SQLite because it is one file") == ("we keep SQLite", "because it is one file")
    assert rationale("wir nehmen SQLite, weil es reicht") == ("wir nehmen SQLite", "weil es reicht")
    assert rationale("we keep SQLite") == ("we keep SQLite", "")


def test_nothing_is_written_before_it_is_agreed_to(notebook: Notebook, project: Path):
    notebook.note("we keep SQLite because it is one file", kind="decision")
    made = notebook.distil()
    assert "+| 2026-05-01 | we keep SQLite | because it is one file |" in made.diff
    assert not (project / "MEMORY.md").exists()
    notebook.write(made)
    assert "| 2026-05-01 | we keep SQLite | because it is one file |" in (project / "MEMORY.md").read_text()
    assert notebook.distil().empty


def test_decisions_leave_the_buffer_the_next_day_and_stay_the_same_memory(
    notebook: Notebook, book: Commonplace, project: Path, clock: StoppedClock
):
    kept = notebook.note("we keep SQLite because it is one file", kind="decision")
    notebook.note("measure the parser", kind="next")
    notebook.log("wrote the parser")
    log = (project / "memory/2026-05-01.md").read_text()
    clock.advance(days=1)
    notebook.write(notebook.distil())
    buffer = (project / "memory/working-buffer.md").read_text()
    assert "SQLite" not in buffer
    assert "measure the parser" in buffer, "what is not finished stays"
    assert (project / "memory/2026-05-01.md").read_text() == log, "the logs stay"
    assert kept.memory is not None
    memory = book.get(kept.memory)
    assert memory.status == "verified"
    assert memory.metadata["notebook"] == "MEMORY.md"
    assert "SQLite" in notebook.recover().text


def test_what_people_wrote_keeps_every_byte(notebook: Notebook, project: Path, clock: StoppedClock):
    table = "| Date | Decision | Why |\n|---|---|---|\n"
    written = f"# Mine\n\nIntro  with two spaces.\n\n## Decisions\n\n{table}\n## After\n- x\n"
    (project / "MEMORY.md").write_text(written)
    (project / "memory").mkdir()
    (project / "memory/working-buffer.md").write_text("# Buffer\n\n- 2026-04-01 10:00 done: by hand\n- mine\n")
    notebook.sync()
    notebook.note("we keep SQLite", kind="decision")
    clock.advance(days=1)
    notebook.write(notebook.distil())
    after = (project / "MEMORY.md").read_text()
    row = "| 2026-05-01 | we keep SQLite |  |\n"
    assert row in after
    assert after.replace(row, "") == written
    buffer = (project / "memory/working-buffer.md").read_text()
    assert buffer == "# Buffer\n\n- 2026-04-01 10:00 done: by hand\n- mine\n"


def test_an_edit_that_is_out_of_date_is_refused(notebook: Notebook, project: Path):
    notebook.note("we keep SQLite", kind="decision")
    made = notebook.distil()
    (project / "MEMORY.md").write_text("# written meanwhile\n")
    with pytest.raises(Refused):
        notebook.write(made)
    assert (project / "MEMORY.md").read_text() == "# written meanwhile\n"


def test_a_corrected_decision_stands_in_the_table_as_it_is_now(notebook: Notebook, project: Path, clock: StoppedClock):
    notebook.catch("We decided to use port 8080 for the API.")
    notebook.catch("Actually, the API port is 9090, not 8080.")
    clock.advance(days=1)
    notebook.write(notebook.distil())
    text = (project / "MEMORY.md").read_text()
    assert "9090" in text
    assert "8080" not in text


def test_what_was_forgotten_is_not_distilled(notebook: Notebook, book: Commonplace):
    gone = notebook.note("we pay Marta in cash", kind="decision")
    notebook.note("we keep SQLite", kind="decision")
    assert gone.memory is not None
    book.forget(gone.memory)
    made = notebook.distil()
    assert "SQLite" in made.diff
    assert "Marta" not in "".join(row for row in made.diff.splitlines() if row.startswith("+"))


def test_doubles_are_folded(notebook: Notebook, project: Path, clock: StoppedClock):
    notebook.note("look at the parser", kind="next")
    clock.advance(days=1)
    notebook.note("look at the parser", kind="next")
    made = notebook.distil()
    assert made.folded == 1
    notebook.write(made)
    assert (project / "memory/working-buffer.md").read_text().count("look at the parser") == 1


def test_a_model_may_put_it_better(notebook: Notebook):
    notebook.note("so yeah sqlite it is", kind="decision")
    made = notebook.distil(
        improve=lambda found: [DistilledDecision(one.day, "SQLite is the store", "agreed") for one in found]
    )
    assert "| 2026-05-01 | SQLite is the store | agreed |" in made.diff


@pytest.mark.parametrize(
    ("table", "row"),
    [
        (
            "## Architecture Decisions Log\n\n| Date | Decision | Rationale |\n|--|--|--|\n| 2026-01-02 | Go | f |\n",
            "| 2026-05-01 | we keep SQLite | because it is one file |",
        ),
        (
            "## ADR\n\n| # | Why | Decision | When |\n|--|--|--|--|\n| 1 | fast | Go | 2026-01-02 |\n",
            "|  | because it is one file | we keep SQLite | 2026-05-01 |",
        ),
        (
            "## Entscheidungen\n\n| Datum | Entscheidung | Begründung |\n|---|---|---|\n",
            "| 2026-05-01 | we keep SQLite | because it is one file |",
        ),
        (
            "## Log\n\n| Date | Decision |\n|---|---|\n",
            "| 2026-05-01 | we keep SQLite (because it is one file) |",
        ),
    ],
)
def test_any_table_of_dates_and_decisions_is_used(notebook: Notebook, project: Path, table: str, row: str):
    written = f"# Mine\n\n{table}\n## After\n\nBye.\n"
    (project / "MEMORY.md").write_text(written)
    notebook.note("we keep SQLite because it is one file", kind="decision")
    notebook.write(notebook.distil())
    after = (project / "MEMORY.md").read_text()
    assert after.replace(f"{row}\n", "") == written
    assert after.count("SQLite") == 1


def test_another_table_gets_no_decisions(notebook: Notebook, project: Path):
    written = "# Mine\n\n| Date | Amount |\n|---|---|\n| 2026-01-02 | 12 |\n"
    (project / "MEMORY.md").write_text(written)
    notebook.note("we keep SQLite", kind="decision")
    notebook.write(notebook.distil())
    after = (project / "MEMORY.md").read_text()
    assert after.startswith(written)
    assert "## Decisions" in after


def test_a_distilled_decision_leaves_the_buffer_though_a_session_started_in_between(
    notebook: Notebook, project: Path, clock: StoppedClock
):
    notebook.note("we keep SQLite because it is one file", kind="decision")
    notebook.write(notebook.distil())
    assert "SQLite" in (project / "memory/working-buffer.md").read_text(), "for the rest of the day it stays"
    notebook.start()
    clock.advance(days=1)
    notebook.start()
    notebook.write(notebook.distil())
    assert "SQLite" not in (project / "memory/working-buffer.md").read_text()
    assert "we keep SQLite" in (project / "MEMORY.md").read_text()


def test_a_decision_recorded_at_the_end_of_a_session_is_one_memory_and_forgotten_whole(
    notebook: Notebook, book: Commonplace, project: Path, clock: StoppedClock
):
    (project / "MEMORY.md").write_text("# Ours\n\n| Date | Decision | Rationale |\n|---|---|---|\n")
    kept = notebook.note("we keep SQLite because it is one file", kind="decision")
    notebook.record_decisions()
    assert "| we keep SQLite | because it is one file |" in (project / "MEMORY.md").read_text()
    clock.advance(days=1)
    notebook.write(notebook.distil())
    assert "SQLite" not in (project / "memory/working-buffer.md").read_text()
    assert notebook.sync().missing == ()
    assert [memory.id for memory in book.browse() if "SQLite" in memory.text] == [kept.memory]
    assert kept.memory is not None
    book.forget(kept.memory)
    notebook.make(notebook.mentions_in_files(["we keep SQLite because it is one file"]))
    assert "SQLite" not in (project / "MEMORY.md").read_text()
