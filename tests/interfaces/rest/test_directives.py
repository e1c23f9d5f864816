"""Goals over REST, and through a book on a server."""

import pytest

from commonplace import Commonplace, Conflict, Invalid, NotFound
from commonplace.directives.runner import run
from commonplace.errors import NotAllowed
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def goal(ada):
    made = ada("POST", "/v1/directives", {"title": "Ship", "goal": "Version 2 is out", "memory_enabled": True})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def test_a_goal_is_read_and_revised_by_version(ada, goal):
    found = ada("GET", f"/v1/directives/{goal}")
    assert found.json()["title"] == "Ship" and found.headers["etag"] == '"1"'
    assert ada("PATCH", f"/v1/directives/{goal}", {"goal": "Version 3"}, If_Match='"1"').status_code == 200
    assert ada("PATCH", f"/v1/directives/{goal}", {"goal": "Version 4"}, If_Match='"1"').status_code == 412
    body = ada("GET", f"/v1/directives/{goal}").json()
    assert (body["goal"], body["title"], body["memory_enabled"]) == ("Version 3", "Ship", True)
    assert [one["id"] for one in ada("GET", "/v1/directives").json()["items"]] == [goal]
    assert ada("GET", "/v1/directives?status=active").json()["items"] == []
    assert len(ada("GET", f"/v1/directives/{goal}/versions").json()["items"]) == 2


def test_steps_and_memories_and_the_prompt_made_of_them(ada, goal):
    first = ada("POST", f"/v1/directives/{goal}/steps", {"name": "write"}).json()["id"]
    second = ada("POST", f"/v1/directives/{goal}/steps", {"name": "test", "depends_on": [first]}).json()["id"]
    circle = ada("PATCH", f"/v1/steps/{first}", {"depends_on": [second]})
    assert circle.status_code == 400 and "→" in circle.json()["detail"]
    ada("PATCH", f"/v1/steps/{first}", {"status": "completed", "result": "written"})
    steps = ada("GET", f"/v1/directives/{goal}/steps").json()["items"]
    assert [(one["name"], one["status"]) for one in steps] == [("write", "completed"), ("test", "ready")]
    path = f"/v1/directives/{goal}/memories"
    kept = ada("POST", path, {"text": "The cache lies", "category": "error", "step": first}).json()["id"]
    ada("POST", path, {"text": "Ship on Monday", "category": "decision", "source": "planner"})
    page = ada("GET", f"{path}?limit=1").json()
    assert [one["id"] for one in page["items"]] == [kept] and page["next"] == kept
    assert ada("GET", f"{path}?cursor={kept}").json()["items"][0]["source"] == "planner"
    prompt = ada("GET", f"/v1/directives/{goal}/prompt?step={second}").json()
    assert "- [error] (user): The cache lies" in prompt["text"] and len(prompt["memories"]) == 2
    assert "plan number 2" in ada("GET", f"/v1/directives/{goal}/prompt").json()["text"]
    assert ada("PATCH", f"{path}/{kept}", {"category": "insight"}).status_code == 200
    assert ada("DELETE", f"{path}/{kept}").status_code == 200
    assert ada("DELETE", f"/v1/steps/{first}").status_code == 200
    assert ada("GET", f"/v1/steps/{first}").status_code == 404
    assert ada("GET", f"/v1/directives/{goal}/attempts").json()["items"] == []


def test_deleting_wants_to_be_confirmed(ada, goal):
    assert ada("DELETE", f"/v1/directives/{goal}").status_code == 400
    assert ada("DELETE", f"/v1/directives/{goal}", X_Confirm="true").status_code == 200
    assert ada("GET", f"/v1/directives/{goal}").status_code == 404


def test_an_agents_token_speaks_for_itself_and_names_no_folder(site, ada, goal):
    agent = site.caller("ada", person=False)
    path = f"/v1/directives/{goal}/memories"
    made = agent("POST", path, {"text": "Learned"}).json()["id"]
    assert ada("GET", f"/v1/memories/{made}").json()["source"] == "executor"
    assert agent("POST", path, {"text": "Claimed", "source": "user"}).status_code == 403
    assert agent("PATCH", f"/v1/directives/{goal}", {"local_path": "/"}).status_code == 403
    assert ada("PATCH", f"/v1/directives/{goal}", {"local_path": "/"}).status_code == 200
    assert site.caller("eve")("GET", f"/v1/directives/{goal}").status_code == 404
    assert site.caller("ada", scope="read")("POST", path, {"text": "x"}).status_code == 403


def test_a_book_on_a_server_has_the_same_goals(live):
    url, parts = live()
    secret = Accounts(parts.store, parts.keychain, parts.clock).issue("ada", scope="write", person=True).secret
    here = Commonplace(parts, parts.scope("ada", "default")).directives
    with Commonplace.open(url, token=secret, settings=Settings()) as book:
        there = book.directives
        goal = there.create("Ship", "Version 2 is out", memory_enabled=True, base_branch="main").id
        step = there.add_step(goal, "write", description="all of it").id
        memory = there.remember(goal, "The cache lies", category="error", step=step, source="planner").id
        there.revise(goal, base_branch=None, expected=1)
        with pytest.raises(Conflict):
            there.revise(goal, title="x", expected=1)
        there.revise_step(step, task_plan="begin", depends_on=[])
        there.correct(goal, memory, category="insight")
        assert there.get(goal) == here.get(goal) and there.list() == here.list()
        assert there.steps(goal) == here.steps(goal) and there.step(step) == here.step(step)
        assert there.memories(goal) == here.memories(goal) and there.memories(goal, category="error") == []
        assert there.prompt(goal, step=step) == here.prompt(goal, step=step)
        assert there.explain(goal) == here.explain(goal) and list(there.history(goal)) == list(here.history(goal))
        with pytest.raises(Invalid):
            run(book, goal, agent="claude")
        there.forget(goal, memory)
        there.delete_step(step)
        there.delete(goal)
        with pytest.raises(NotFound):
            there.get(goal)
    assert here.list() == []


def test_a_read_token_changes_nothing(live):
    url, parts = live()
    secret = Accounts(parts.store, parts.keychain, parts.clock).issue("ada", scope="read", person=True).secret
    with Commonplace.open(url, token=secret, settings=Settings()) as book, pytest.raises(NotAllowed):
        book.directives.create("Ship", "Version 2 is out")
