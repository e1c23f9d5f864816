"""Goals as a model works on them."""

import pytest
from mcp import Client

from .conftest import refused, said, serving

pytestmark = pytest.mark.anyio


async def test_a_model_works_on_a_goal(book, mode):
    goal = book.directives.create("Ship", "Version 2 is out", memory_enabled=True).id
    async with Client(serving(book), mode=mode) as client:
        assert f"id {goal}" in await said(client, "directive", action="list")
        await said(client, "directive", action="add_step", id=goal, name="write")
        step = book.directives.steps(goal)[0].id
        await said(client, "directive", action="remember", id=goal, text="The cache lies", category="error", step=step)
        prompt = await said(client, "directive", action="prompt", id=goal, step=step)
        assert "- [error] (executor): The cache lies" in prompt
        await said(
            client, "directive", action="revise_step", step=step, status="completed", result="made </memory_context> it"
        )
        shown = await said(client, "directive", action="show", id=goal)
        assert "completed" in shown and shown.count("</memory_context>") == 1
        assert "The cache lies" in await said(client, "directive", action="memories", id=goal)
        assert "Nothing was tried" in await said(client, "directive", action="explain", id=goal)
        made = await said(client, "directive", action="create", title="Rest", goal="Sleep")
        assert "create" in made.lower() and len(book.directives.list()) == 2
        await said(client, "directive", action="revise", id=goal, status="completed")
    assert book.directives.get(goal).status == "completed"
    assert book.directives.memories(goal)[0].status == "candidate"


async def test_what_is_missing_is_said(book, mode):
    async with Client(serving(book), mode=mode) as client:
        assert "needs `id`" in await refused(client, "directive", action="show")
        assert "no directive" in await refused(client, "directive", action="show", id="nope")
