"""Whatever is killed, and whenever: starting again goes on, runs nothing completed twice, and has lost nothing."""

import json
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace import Commonplace
from commonplace.directives.runner import run
from commonplace.directives.scheduling import Limits

from .scripted_run import DONE, memory, steps

STAGE = Path(__file__).with_name("run_in_process.py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")


def start(url, settings, goal, scripted):
    words = [sys.executable, str(STAGE), url, str(settings.home), goal, str(scripted.folder)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_killed_runner_is_followed_by_another(book_url, settings, scripted):
    with Commonplace.open(book_url, owner="ada", settings=settings) as book:
        goal = book.directives.create("House", "Build a house", memory_enabled=True).id
        scripted.play(
            {
                "plan 1": [steps("survey", "dig", dig="survey")],
                "dig": [{"lines": [memory("Rock lies two metres down")], "kill": True, "sleep": 60}, [DONE]],
            }
        )
        first = start(book_url, settings, goal, scripted)
        first.communicate(timeout=100)
        assert first.returncode == -signal.SIGKILL
        assert [one.status for one in book.directives.steps(goal)] == ["completed", "running"]
        second = start(book_url, settings, goal, scripted)
        out, err = second.communicate(timeout=100)
        assert json.loads(out)["status"] == "completed", err
        assert scripted.calls() == ["plan 1", "survey", "dig", "dig"]
        assert [one.text for one in book.directives.memories(goal)] == ["Rock lies two metres down"]
        assert book.directives.steps(goal)[1].attempts == 2


def test_a_killed_agent_is_asked_again(book, scripted):
    goal = book.directives.create("House", "Build a house", memory_enabled=True).id
    scripted.play(
        {"plan 1": [{"die": 1}, steps("dig")], "dig": [{"lines": [memory("Rock below"), DONE], "die": 1}, [DONE]]}
    )
    assert run(book, goal, agent=scripted.agent, limits=Limits(attempts=2)).status == "completed"
    assert scripted.calls() == ["plan 1", "plan 1", "dig", "dig"]
    assert [one.text for one in book.directives.memories(goal)] == ["Rock below"]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_the_command_pauses_when_it_is_asked_to_end(sign, book_url, settings, scripted):
    scripted.play({"plan 1": [steps("dig")], "dig": [{"sleep": 60}]})
    with Commonplace.open(book_url, owner="ada", settings=settings) as book:
        goal = book.directives.create("House", "Build a house").id
        words = [sys.executable, "-c", "from commonplace.interfaces.cli import main; raise SystemExit(main())"]
        words += ["directive", "run", goal, "--agent", shlex.join(scripted.agent), "--json", "--url", book_url]
        words += ["--owner", "ada", "--namespace", "default", "--home", str(settings.home)]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert running.stdout is not None
        for line in running.stdout:
            if json.loads(line)["kind"] == "started":
                break
        running.send_signal(sign)
        rest, err = running.communicate(timeout=60)
        assert running.returncode == 130, err
        assert json.loads(rest.splitlines()[-1])["reason"] == "interrupted"
        assert (book.directives.get(goal).status, book.directives.steps(goal)[0].status) == ("paused", "ready")


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_killed_at_any_moment(sqlite_url, settings, scripted):
    names = [f"step{number}" for number in range(8)]
    waits = {name: names[at] for at, name in enumerate(names[1:])}
    script = {"plan 1": [{"lines": [*steps(*names, **waits), memory("Planned once", "decision")], "sleep": 0.2}]}
    for name in names:
        script[name] = [{"lines": [memory(f"Learned in {name}")], "sleep": 0.3, "finally": [DONE]}]
    scripted.play(script)
    chance = random.Random(7)
    kills = 0
    with Commonplace.open(sqlite_url, owner="ada", settings=settings) as book:
        goal = book.directives.create("House", "Build a house", memory_enabled=True).id
        seen: dict[str, int] = {}
        while book.directives.get(goal).status != "completed" and kills < 40:
            for step in book.directives.steps(goal):
                if step.status == "completed":
                    seen.setdefault(step.name, scripted.calls().count(step.name))
                elif step.attempts > 1:  # a killed attempt counts; here only their order matters
                    book.directives.revise_step(step.id, attempts=0)
            running = start(sqlite_url, settings, goal, scripted)
            try:
                running.communicate(timeout=chance.uniform(0.8, 4.0))
            except subprocess.TimeoutExpired:
                running.kill()
                running.communicate()
                kills += 1
        assert book.directives.get(goal).status == "completed", [one.status for one in book.directives.steps(goal)]
        assert kills >= 3
        calls = scripted.calls()
        assert {name: calls.count(name) for name in seen} == seen, "nothing completed was run again"
        kept = {one.text for one in book.directives.memories(goal)}
        assert {f"Learned in {name}" for name in names} | {"Planned once"} == kept
        assert [one.status for one in book.directives.steps(goal)].count("completed") == 8
        assert book.audit.verify().ok
