"""Goals, steps and their memories from the command line."""

import json
import sys

import pytest

pytestmark = pytest.mark.usefixtures("on_both_engines")


@pytest.fixture
def goal(cli):
    words = ["directive", "create", "--title", "Ship it", "--goal", "Version 2 is out", "--memory", "--json"]
    return cli(*words).json["id"]


def test_a_goal_is_made_shown_revised_and_listed(cli, goal):
    cli(
        "directive",
        "revise",
        goal,
        "--goal",
        "-",
        "--status",
        "active",
        "--base-branch",
        "main",
        stdin="Version 3 is out",
    )
    found = cli("directive", "show", goal, "--json").json
    assert found["id"] == goal and found["directive"]["goal"] == "Version 3 is out"
    assert found["directive"]["base_branch"] == "main" and found["directive"]["memory_enabled"] is True
    cli("directive", "revise", goal, "--no-memory")
    assert cli("directive", "list", "--status", "active", "--json").json[0]["memory_enabled"] is False
    assert cli("directive", "list", "--status", "draft", "--json").json == []
    assert "Ship it" in cli("directive", "list").out
    assert len(cli("directive", "history", goal, "--json").json) == 3
    assert "Ship it" in cli("directive", "history", goal).out
    assert "pass what to change" in cli("directive", "revise", goal, code=7).err
    cli("directive", "revise", goal, "--title", "x", "--expected", "1", code=4)


def test_steps_are_drawn_by_what_they_wait_for(cli, goal):
    first = cli("directive", "step", "add", goal, "write", "it", "--json").json["id"]
    second = cli("directive", "step", "add", goal, "test it", "--after", first, "--description", "all", "--json").json[
        "id"
    ]
    drawn = cli("directive", "show", goal).out
    assert "○ write it  ready" in drawn and "  · test it  pending  after write it" in drawn
    cli("directive", "step", "revise", first, "--status", "completed", "--result", "done")
    steps = {one["id"]: one for one in cli("directive", "step", "list", goal, "--json").json}
    assert steps[first]["result"] == "done" and steps[second]["status"] == "ready"
    cli("directive", "step", "revise", first, "--after", second, code=7)
    cli("directive", "step", "delete", first)
    assert "write it" not in cli("directive", "step", "list", goal).out
    assert "pass what to change" in cli("directive", "step", "revise", second, code=7).err


def test_its_memories_reach_its_prompts_and_nothing_elses(cli, goal, scrubbed):
    other = cli("directive", "create", "--title", "Other", "--goal", "Else", "--memory", "--json").json["id"]
    words = [
        "directive",
        "memory",
        "add",
        goal,
        "The cache lies",
        "--category",
        "error",
        "--source",
        "executor",
        "--json",
    ]
    kept = cli(*words).json["id"]
    prompt = cli("directive", "prompt", goal).out
    assert "The cache lies" in prompt and "Version 2 is out" in prompt
    assert "The cache lies" not in cli("directive", "prompt", other).out
    assert [one["id"] for one in cli("directive", "memory", "list", goal, "--category", "error", "--json").json] == [
        kept
    ]
    assert cli("directive", "memory", "list", other, "--json").json == []
    cli("directive", "memory", "correct", goal, kept, "The cache is stale", "--reason", "looked")
    assert "The cache is stale" in cli("directive", "memory", "list", goal).out
    assert "pass what to change" in cli("directive", "memory", "correct", goal, kept, code=7).err
    assert cli("directive", "memory", "forget", goal, kept, "--json").json["state"] == scrubbed
    assert "nothing was tried" in cli("directive", "explain", goal).out


def test_deleting_a_goal_asks_first(cli, goal):
    assert "--yes" in cli("directive", "delete", goal, code=7).err
    cli("directive", "delete", goal, "--yes")
    cli("directive", "show", goal, code=3)
    cli("directive", "delete", goal, "--yes", code=3)


@pytest.mark.parametrize("verb", ["show", "prompt", "explain", "history"])
def test_a_goal_that_is_not_there_is_said(verb, cli):
    cli("directive", verb, "nope", code=3)


AGENT = """
import json, pathlib, sys
sys.stdin.read()
planned = pathlib.Path("planned")
if planned.exists():
    print(json.dumps({"status": "completed", "result": "done"}))
else:
    planned.touch()
    steps = [{"key": "a", "name": "write it"}, {"key": "b", "name": "test it", "depends_on": ["a"]}]
    print(json.dumps({"steps": steps}))
    print(json.dumps({"memory": {"category": "insight", "content": "Plans are short"}}))
print(json.dumps({"tokens": 7}))
"""


@pytest.fixture
def agent(place):
    """A command that plans two steps once, and completes whatever it is given after that."""
    (place / "agent.py").write_text(AGENT, "utf-8")
    return f"{sys.executable} {place / 'agent.py'}"


def test_an_agent_runs_a_goal_to_its_end(cli, goal, agent, place):
    cli("directive", "revise", goal, "--local-path", str(place))
    said = cli("directive", "run", goal, "--agent", agent, "--generations", "2", "--timeout", "60").out
    assert "✓ write it" in said and "✓ test it" in said and "completed:" in said
    assert "\x1b" not in said
    assert "Plans are short" in cli("directive", "memory", "list", goal).out
    explained = cli("directive", "explain", goal).out
    assert "came out" in explained and "Plans are short" in explained


def test_a_run_tells_its_events_as_json_lines(cli, goal, agent, place):
    cli("directive", "revise", goal, "--local-path", str(place))
    lines = [json.loads(line) for line in cli("directive", "run", goal, "--agent", agent, "--json").out.splitlines()]
    assert lines[-1]["kind"] == "outcome" and lines[-1]["status"] == "completed" and lines[-1]["id"] == goal
    assert {"planned", "started", "completed"} <= {one["kind"] for one in lines}


def test_an_agent_that_fails_ends_with_a_code(cli, goal, place):
    (place / "fails.py").write_text("raise SystemExit(3)", "utf-8")
    words = ["directive", "run", goal, "--agent", f"{sys.executable} {place / 'fails.py'}", "--attempts", "1"]
    assert cli(*words, "--generations", "1", code=1).out
    assert "not found" in cli("directive", "run", goal, "--agent", "no-such-program", code=7).err


def test_a_draft_is_watched_until_somebody_runs_it(cli, goal, monkeypatch):
    looks = []

    def stop(seconds):
        looks.append(seconds)
        raise KeyboardInterrupt

    monkeypatch.setattr("commonplace.interfaces.cli.directive_run.time.sleep", stop)
    assert "draft" in cli("directive", "watch", goal).out and len(looks) == 1
    cli("directive", "revise", goal, "--status", "completed")
    assert "completed" in cli("directive", "watch", goal).out and len(looks) == 1
