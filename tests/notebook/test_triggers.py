"""What a user's message is scanned for, in plain variations, with and without the judge."""

from types import SimpleNamespace

import pytest

from commonplace.learning.triggers import scan
from commonplace.notebook.triggers import find_triggers
from commonplace.providers.judge import TriggerLabels

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
    ("the retry limit should be 7", "value"),
    ("raise the pool size to 40 please", "value"),
    ("please keep working on feature/search-box", "value"),
    ("die Wartezeit soll 45 Sekunden sein", "value"),
    ("el puerto de métricas es el 9464", "value"),
    ("le délai doit être de 45 secondes", "value"),
    ("il timeout deve essere di 45 secondi", "value"),
    ("drop the index, and remember: always stop the worker first", "lesson"),
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
    "can you open JIRA-123 and summarise it",
    "what changed since v1.4.0",
    "thanks for fixing #482 so quickly",
    "my train leaves at 18:05",
    "it stays as it is",
    "there are 3 files in that folder",
    "jump to line 40",
    "no tengo ni idea de por qué falla",
    "non ho idea",
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
    def labelled(**likely: float):
        labels = dict.fromkeys(TriggerLabels.__dataclass_fields__, 0.0) | likely
        return SimpleNamespace(triggers=lambda sentences: [TriggerLabels(**labels) for _ in sentences])

    missed = "Postgres then, fine by me"
    assert kinds(missed) == []
    assert kinds(missed, labeller=labelled(trigger=0.9, decision=0.9, value=0.2)) == ["decision"]
    assert kinds(missed, labeller=labelled(trigger=0.9, rule=0.9)) == ["lesson"]
    assert kinds("let's stay with Postgres", labeller=labelled(trigger=0.4)) == ["decision"]
    assert kinds("let's stay with Postgres", labeller=labelled(trigger=0.0)) == []


def test_a_sentence_may_begin_with_a_small_letter():
    text = "then 14 days. let's stay with the privacy page. thanks, see you"
    known = [(hit.kind, hit.quote) for hit in scan(text)]
    assert [note.quote for note in find_triggers(text, known)] == [text]


def test_a_no_stays_with_what_it_puts_right():
    text = "no. the header is the other one. thanks"
    assert [note.quote for note in find_triggers(text)] == [text]
    assert find_triggers("no. ") == []


def test_a_second_value_of_a_sentence_is_kept_with_the_first():
    text = "Work on branch feature/retries, the ticket is PAR-318. Thanks!"
    known = [(hit.kind, hit.quote) for hit in scan(text)]
    assert [quote for _, quote in known] == ["the ticket is PAR-318"], "the rules take one clause"
    assert [note.quote for note in find_triggers(text, known)] == [
        "Work on branch feature/retries, the ticket is PAR-318"
    ]


def test_a_task_and_a_rule_go_to_their_files(notebook, project):
    notebook.catch("TODO: write the docs. Never push to main on Friday! Let's stay with Postgres.")
    assert "- [ ] " in (project / "tasks/todo.md").read_text()
    assert "Never push to main on Friday" in (project / "tasks/lessons.md").read_text()
    assert "stay with Postgres" in (project / "memory/working-buffer.md").read_text()
