"""The same decision said in two sessions: every quote of it still opens."""

import json
import subprocess
import sys

import pytest
from tests.interfaces.hooks.conftest import Place, payload, program

from commonplace import Commonplace
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory

DECISION = "We decided to use Postgres for production."


def cli(place: Place, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "commonplace.interfaces.cli", *words]
    return subprocess.run(command, env=place.environ, cwd=place.project, capture_output=True, text=True, check=False)


def conclude(book: Commonplace, session: str) -> None:
    episode = book.observe(DECISION, session=session).ids[0]
    new = NewMemory(text="Decision: use Postgres for production", category="decision")
    with write_transaction(book._scope, "OBSERVE") as work:
        Gateway(book._scope).admit(work, new, evidence=[(episode, DECISION.rstrip("."))])
        work.receipt()


@pytest.fixture
def decided(place: Place) -> str:
    """The id of the decision, after two sessions have said it."""
    for session in ("s1", "s2"):
        if place.url:  # for a server a hook only spools: what it would do, done here
            with place.book() as book:
                conclude(book, session)
            continue
        raw = json.dumps(payload(place, "UserPromptSubmit", session_id=session, prompt=DECISION)).encode()
        assert program(place, "prompt", raw).returncode == 0
    with place.book() as book:
        (id,) = [memory.id for memory in book.browse(kinds=("associative",), categories=("decision",))]
    return id


def test_the_evidence_of_both_sessions_opens(place, decided):
    shown = cli(place, "get", decided, "--evidence", "--json")
    assert shown.returncode == 0, shown.stderr
    evidence = json.loads(shown.stdout)["evidence"]
    assert len({row["episode"]["id"] for row in evidence}) == 2
    assert {row["quote"] for row in evidence} == {DECISION.rstrip(".")}


def test_export_rotation_and_forgetting_work(place, decided, tmp_path):
    for words in (
        ("export", str(tmp_path / "book.jsonl")),
        ("keys", "rotate"),
        ("get", decided, "--evidence"),
        ("forget", "--query", "Postgres for production", "--all", "--yes"),
    ):
        ended = cli(place, *words)
        assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
    exported = (tmp_path / "book.jsonl").read_text("utf-8")
    assert exported.count("Postgres for production") >= 3  # two turns and the decision
    with place.book() as book:
        assert not [memory for memory in book.browse(limit=100) if "Postgres" in memory.text]
