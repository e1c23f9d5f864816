"""A short slice of the torture of every verb; `make torture` and `python -m benchmarks.torture_verbs` run all of it."""

import json
import os
from functools import partial
from pathlib import Path

import pytest
from benchmarks import torture_verbs as torture
from benchmarks.apart import report_of

from commonplace.store.ledger import from_line
from commonplace.store.rows import LedgerEntry
from commonplace.store.sqlite.ledger import FileLedger

ROUNDS = int(os.environ.get("COMMONPLACE_TORTURE_ROUNDS", "1000"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL and forks")

tortured = partial(report_of, "benchmarks.torture_verbs")


@pytest.mark.slow
def test_killed_at_any_step_every_verb_leaves_the_old_state_or_the_new() -> None:
    report = tortured("--per-verb", "3", "--seed", "7")
    assert report["rounds"] == dict.fromkeys(torture.VERBS, 3) and report["killed"] == 3 * len(torture.VERBS)


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_at_any_step_every_verb_leaves_the_old_state_or_the_new_on_postgres(postgres_server) -> None:
    report = tortured(
        "--engine", "postgres", "--url", postgres_server.url("postgres"), "--per-verb", "1", "--seed", "7"
    )
    assert report["rounds"] == dict.fromkeys(torture.VERBS, 1)


@pytest.mark.torture
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_as_many_rounds_as_asked(engine: str, tmp_path: Path) -> None:
    rounds = str(ROUNDS if engine == "sqlite" else ROUNDS // 10)
    table = Path(os.environ.get("COMMONPLACE_TORTURE_TABLES", tmp_path)) / f"torture-{engine}.md"
    flags = ("--engine", engine, "--rounds", rounds, "--workers", str(os.cpu_count() or 1), "--table", str(table))
    print(json.dumps(tortured(*flags, "--progress"), indent=1), table.read_text(), sep="\n")


@pytest.mark.damages_book("the torture must see damage")
@pytest.mark.one_engine("the ledger's file")
def test_the_torture_sees_a_ledger_that_counts_what_was_never_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault of a ledger in one phase: an act counts as soon as it is written."""

    def one_phase(self: FileLedger, owner: str | None = None) -> list[LedgerEntry]:
        acts = [line for _, line in self._checked_lines() if "outcome" not in line]
        return [from_line(line) for line in acts if owner in (None, line["owner"])]

    monkeypatch.setattr(FileLedger, "entries", one_phase)
    template = torture.Template(tmp_path, None)
    with template.first.open() as book:
        before = torture.view(book)
    with template.copy() as place:
        names = torture.in_child(place, "revise")
        assert names is not None
        with place.open() as book:
            after = torture.view(book)
    intent = names.index("fsync book.db.ledger") + 2
    with template.copy() as place:
        killed, wrong = torture.killed_round(place, "revise", torture.Kill(intent), before, after)
    assert killed and any("changed" in line for line in wrong), wrong


@pytest.mark.damages_book("the torture must see damage")
@pytest.mark.one_engine("rows of a file")
def test_the_torture_sees_what_is_broken(tmp_path: Path) -> None:
    with torture.Template(tmp_path, None).first.open() as book:
        assert torture.problems(book) == []
        with book._scope.store.write("me") as tx:
            for row in tx.namespaces.all():
                tx.words.clear(row.id)
            session = tx.tables.page("session", after=None, limit=1)[0]
            tx.tables.put("session", [{**session, "sealed": session["sealed"][:-1] + b"?"}])
        found = " ".join(torture.problems(book))
    assert "not in the word index" in found and "rows of session" in found
