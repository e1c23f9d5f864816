"""What a user's message is scanned for, in plain variations, with and without the judge."""

import pytest

from commonplace.learning.triggers import scan
from commonplace.notebook.triggers import find_triggers
from commonplace.providers.judge import TurnLabels

CAUGHT = [
    ("do this before you touch the API", "priority"),
    ("this is blocking the release: login is down", "priority"),
    ("no I meant the other branch", "correction"),
    ("let's stay with Postgres", "decision"),
    ("skip that", "decision"),
    ("do the tests first", "priority"),
    ("we should use pydantic for this", "architecture"),
    ("don't add new dependencies", "architecture"),
    ("use httpx not requests", "correction"),
    ("branch name: fix/login", "value"),
    ("the commit is 3f2a9bc1", "value"),
    ("the ticket is ABC-1234", "value"),
    ("PORT=8080", "value"),
    ("the staging URL is https://staging.example.com/app", "value"),
    ("TODO: write the docs", "task"),
    ("remember: never push to main on Friday", "lesson"),
    ("Nein, ich meinte den anderen Branch", "correction"),
    ("wir bleiben bei SQLite", "decision"),
    ("eso bloquea el despliegue", "priority"),
    ("gardons PostgreSQL", "decision"),
    ("usiamo Redis per la cache", "decision"),
]
LEFT_ALONE = [
    "Can you check JIRA-123?",
    "thanks, looks good",
    "What do you think about Redis?",
    "Let's see what happens",
    "I'm tired today",
    "Please refactor the parser",
    "```\nPORT=8080\n```",
]


def kinds(text: str, **options) -> list[str]:
    return [trigger.kind for trigger in find_triggers(text, [(hit.kind, hit.quote) for hit in scan(text)], **options)]


@pytest.mark.parametrize(("text", "kind"), CAUGHT)
def test_a_trigger_is_caught(text: str, kind: str):
    assert kinds(text) == [kind]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_other_messages_are_left_alone(text: str):
    assert kinds(text) == []


def test_the_judge_adds_what_the_forms_miss_and_vetoes_what_is_not_meant():
    labels = dict.fromkeys(TurnLabels.__dataclass_fields__, 0.0)

    def labelled(**likely: float):
        return lambda messages: [TurnLabels(**{**labels, **likely}) for _ in messages]

    missed = "Postgres then, fine by me"
    assert kinds(missed) == []
    assert kinds(missed, labeller=labelled(decision=0.9)) == ["decision"]
    assert kinds("let's stay with Postgres", labeller=labelled(unreal=0.9)) == []


def test_a_task_and_a_rule_go_to_their_files(notebook, project):
    notebook.catch("TODO: write the docs. Never push to main on Friday! Let's stay with Postgres.")
    assert "- [ ] " in (project / "tasks/todo.md").read_text()
    assert "Never push to main on Friday" in (project / "tasks/lessons.md").read_text()
    assert "stay with Postgres" in (project / "memory/working-buffer.md").read_text()
