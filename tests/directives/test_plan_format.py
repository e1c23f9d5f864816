"""Whatever an agent writes is read for what it is worth, and nothing it writes breaks the reader."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.directives.plan_format import MOST_STEPS, ending, plan, read
from commonplace.errors import Invalid

STEP = {"key": "a", "name": "Dig", "description": "deep", "task_plan": "with care", "depends_on": []}
PLAN = {"steps": [STEP, {"key": "b", "name": "Pour", "depends_on": ["a"]}]}
LINES = f"{json.dumps({'step': STEP})}\n{json.dumps({'step': PLAN['steps'][1]})}\n"
SHAPES = {
    "lines": LINES,
    "lines among talk": f"Thinking…\n{LINES}That is all.\n",
    "fenced": f"Here:\n```json\n{json.dumps(PLAN, indent=2)}\n```\nDone.",
    "fenced in one line": f"```\n{json.dumps(PLAN)}\n```",
    "fenced lines": f"```jsonl\n{LINES}```",
    "bare and indented": json.dumps(PLAN, indent=4),
    "a list": json.dumps([{"step": one} for one in PLAN["steps"]]),
    "flat": "\n".join(json.dumps({"type": "step", **one}) for one in PLAN["steps"]),
    "quoted": "".join(f"> {line}\n" for line in LINES.splitlines()),
    "Windows": LINES.replace("\n", "\r\n"),
    "claude": json.dumps({"type": "result", "subtype": "success", "result": f"Sure.\n{LINES}"}),
    "codex": json.dumps({"type": "item.completed", "item": {"type": "agent_message", "text": LINES}}),
    "after broken JSON": f'{{"step": {{"name": \n[[[\n{LINES}',
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_plan_is_read_in_every_shape_agents_have(shape):
    found = plan(read(SHAPES[shape]), {})
    assert [(one.key, one.name, one.depends_on) for one in found] == [("a", "Dig", ()), ("b", "Pour", ("a",))]
    assert (found[0].description, found[0].task_plan) == ("deep", "with care")


@pytest.mark.parametrize("waits", [["a"], ["Dig"], ["dig"], [1], ["1"], "a"])
def test_a_step_may_name_what_it_waits_for_by_key_name_or_place(waits):
    answer = read(json.dumps({"steps": [STEP, {"key": "b", "name": "Pour", "depends_on": waits}]}))
    assert plan(answer, {})[1].depends_on == ("a",)


def test_a_plan_may_wait_for_steps_that_exist():
    answer = read('{"step": {"name": "Roof", "depends_on": ["s2", "Walls"]}}')
    assert plan(answer, {"s2": "id-2", "walls": "id-3"})[0].depends_on == ("id-2", "id-3")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("I am not sure.", "there is no step"),
        ('{"steps": []}', "there is no step"),
        ('{"step": {"key": "a"}}', "there is no step"),
        ('{"steps": [{"key": "a", "name": "x"}, {"key": "a", "name": "y"}]}', "same key"),
        ('{"step": {"name": "zebrafinch", "depends_on": ["quillwort"]}}', "step 1 waits for a key that no step has"),
        (
            '{"steps": ["x", {"key": "b", "name": "y", "after": "c"}, {"key": "c", "name": "z", "after": "b"}]}',
            "2 → 3 → 2",
        ),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_without_repeating_it(text, complaint):
    with pytest.raises(Invalid) as caught:
        plan(read(text), {})
    assert complaint in str(caught.value) and "zebrafinch" not in str(caught.value)
    assert "quillwort" not in str(caught.value)


def test_a_result_is_read_and_the_last_one_counts():
    assert ending(read('{"status": "completed", "result": "fine"}')) == ("completed", "fine")
    assert ending(read('{"status": "Failed", "reason": "rock"}')) == ("failed", "rock")
    assert ending(read('{"status": "failed"}\nno, wait\n{"type": "result", "status": "ok", "result": {"n": 1}}')) == (
        "completed",
        '{"n": 1}',
    )
    wrapped = {"type": "result", "result": '{"status": "completed"}', "usage": {"input_tokens": 7, "output_tokens": 5}}
    answer = read(json.dumps(wrapped))
    assert ending(answer)[0] == "completed" and answer.tokens == 12
    for silent in ("done!", '{"status": "maybe"}', '{"state": "completed"}'):
        with pytest.raises(Invalid):
            ending(read(silent))


def test_memories_are_read_with_a_known_category():
    text = (
        '{"memory": {"category": "Error", "content": "a"}}\n{"memories": [{"text": "b", "category": "gossip"}, "c"]}\n'
        '{"type": "memory", "category": "decision", "content": "d", "source": "user"}\n{"memory": {"content": " "}}'
    )
    found = read(text).memories
    assert [(one.text, one.category) for one in found] == [
        ("a", "error"),
        ("b", "context"),
        ("c", "context"),
        ("d", "decision"),
    ]


def test_more_than_enough_is_cut():
    many = json.dumps({"steps": [{"name": f"n{n}"} for n in range(1000)], "memories": ["m" * 10_000]})
    answer = read(many)
    assert len(answer.steps) == MOST_STEPS and len(answer.memories[0].text) == 4_000
    assert read('{"tokens": -5}').tokens is None and read('{"tokens": true}').tokens is None
    assert read('{"tokens": 5}\n{"tokens": 6}').tokens == 11


def test_a_million_open_brackets_are_given_up_on():
    assert read("[1,\n" * 100_000).steps == []
    assert read("[" * 1_000_000).steps == []
    assert read('{"a":' * 100_000).memories == []


@settings(max_examples=150, deadline=None)
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)
       | st.dictionaries(st.sampled_from(["step", "steps", "memory", "memories", "status", "result", "type", "item",
       "name", "content", "tokens", "usage", "done", "depends_on", "key"]), inner)).map(json.dumps))  # fmt: skip
def test_nothing_breaks_the_reader(text):
    answer = read(text)
    for judge in (lambda: plan(answer, {}), lambda: ending(answer)):
        with suppress(Invalid):
            judge()
