"""Structured answers: each rung, the repair, what is remembered, and what a hostile answer cannot do."""

import json
import traceback
from datetime import date
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from commonplace.errors import Invalid, OverBudget, ProviderError
from commonplace.providers.llm import ModelPrompt
from commonplace.providers.llm.choose import language_model
from commonplace.providers.llm.ladder import only_object, strict_schema
from commonplace.testing.scripted_llm import Answer, ReceivedRequest, ScriptedLLM

PROMPT = ModelPrompt("You take notes.", "Ada said: the safe's number is 4711")


class Note(BaseModel):
    """One thing to keep."""

    text: Annotated[str, Field(max_length=100)]
    kind: Literal["fact", "wish"] = "fact"
    weight: float = Field(0.7, ge=0, le=1)


class Notes(BaseModel):
    notes: list[Note]


RIGHT = json.dumps({"notes": [{"text": "likes trains", "kind": "fact", "weight": 1}]})
WRONG = json.dumps({"notes": [{"text": "likes trains", "kind": "4711", "weight": 1}]})


def made(llm: ScriptedLLM, clock, provider: str = "openai"):
    return language_model(f"{provider}:any", base_url=llm.url, clock=clock)


def forms(llm: ScriptedLLM) -> list[str]:
    return [request.body.get("response_format", {}).get("type", "text") for request in llm.requests]


def test_a_right_answer_is_a_value_at_the_first_rung(clock):
    with ScriptedLLM(RIGHT) as llm:
        done = made(llm, clock).structured(PROMPT, Notes)
        asked = llm.requests[0].body["response_format"]
    assert done.value.notes[0] == Note(text="likes trains", weight=1.0)
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.requests) == (11, 7, 1)
    assert asked["json_schema"]["strict"] is True
    assert asked["json_schema"]["schema"] == strict_schema(Notes)


def test_anthropic_gets_the_schema_in_its_own_words(clock):
    with ScriptedLLM(RIGHT) as llm:
        assert made(llm, clock, "anthropic").structured(PROMPT, Notes).value.notes
        assert llm.requests[0].body["output_config"]["format"]["schema"] == strict_schema(Notes)


@pytest.mark.parametrize(
    ("known", "seen"),
    [
        (["json_schema", "json_object"], ["json_schema"]),
        (["json_object"], ["json_schema", "json_object"]),
        ([], ["json_schema", "json_object", "text"]),
    ],
)
def test_a_refused_form_leads_to_the_next_and_is_not_tried_again(clock, known, seen):
    with ScriptedLLM(then=f"```json\n{RIGHT}\n```", forms=known) as llm:
        model = made(llm, clock)
        assert model.structured(PROMPT, Notes).value.notes
        assert forms(llm) == seen
        assert model.structured(PROMPT, Notes).value.notes
        assert forms(llm) == [*seen, seen[-1]]


def test_anthropic_without_schemas_is_asked_for_fenced_text(clock):
    with ScriptedLLM(then=f"```json\n{RIGHT}\n```", forms=[]) as llm:
        assert made(llm, clock, "anthropic").structured(PROMPT, Notes).value.notes
        assert ["output_config" in request.body for request in llm.requests] == [True, False]


def test_lower_rungs_carry_the_schema_in_the_prompt(clock):
    with ScriptedLLM(then=RIGHT, forms=[]) as llm:
        made(llm, clock).structured(PROMPT, Notes)
        systems = [request.body["messages"][0]["content"] for request in llm.requests]
    schema = json.dumps(strict_schema(Notes))
    assert [schema in system for system in systems] == [False, True, True]
    assert all(system.startswith(PROMPT.system) for system in systems)


def test_a_server_that_silently_ignores_the_form_is_led_down_too(clock):
    with ScriptedLLM("Sure! She likes trains.", "Happy to help.", RIGHT) as llm:
        assert made(llm, clock).structured(PROMPT, Notes).usage.requests == 3
        assert forms(llm) == ["json_schema", "json_object", "text"]


def test_an_answer_that_does_not_fit_is_sent_back_once_with_what_is_wrong(clock):
    with ScriptedLLM(WRONG, RIGHT) as llm:
        done = made(llm, clock).structured(PROMPT, Notes)
        said = llm.requests[1].body["messages"]
    assert done.value.notes[0].kind == "fact"
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.requests) == (22, 14, 2)
    assert said[-2] == {"role": "assistant", "content": WRONG}
    assert "notes.0.kind" in said[-1]["content"]


def test_a_second_wrong_answer_is_the_end_and_every_request_was_counted(clock, ledger):
    with ScriptedLLM(then=WRONG) as llm:
        with pytest.raises(ProviderError, match="also when asked again") as caught:
            made(llm, clock).structured(PROMPT, Notes, budget=ledger)
        assert llm.calls == 2
    assert ledger.entries == [(11, 7), (11, 7)]
    assert "4711" not in "".join(traceback.format_exception(caught.value, limit=0))
    assert caught.value.__context__ is None


def test_a_huge_wrong_answer_is_sent_back_in_part(clock):
    long = json.dumps({"notes": [{"text": "x" * 200_000, "kind": "fact", "weight": 1}]})
    with ScriptedLLM(long, RIGHT) as llm:
        made(llm, clock).structured(PROMPT, Notes)
        assert len(llm.requests[1].body["messages"][-2]["content"]) == 8_000


def test_a_cut_answer_is_not_repaired(clock, ledger):
    with ScriptedLLM(then=Answer(RIGHT[:20], cut=True)) as llm:
        with pytest.raises(ProviderError, match="max_tokens"):
            made(llm, clock).structured(PROMPT, Notes, budget=ledger)
        assert llm.calls == 1
    assert ledger.entries == [(11, 7)]


def test_a_refused_key_is_not_mistaken_for_a_refused_form(clock):
    with ScriptedLLM(then=Answer(status=401)) as llm:
        with pytest.raises(ProviderError, match="check the key"):
            made(llm, clock).structured(PROMPT, Notes)
        assert llm.calls == 1


def test_an_endpoint_that_refuses_everything_is_asked_once_for_each_rung(clock):
    with ScriptedLLM(then=Answer(status=400)) as llm:
        with pytest.raises(ProviderError, match="400"):
            made(llm, clock).structured(PROMPT, Notes)
        assert forms(llm) == ["json_schema", "json_object", "text"]


def test_the_repair_stops_at_the_cap(clock, ledger):
    with ScriptedLLM(then=WRONG) as llm:
        model = made(llm, clock)
        ledger.cap = 300
        with pytest.raises(OverBudget):
            model.structured(PROMPT, Notes, max_tokens=50, budget=ledger)
        assert llm.calls == 1


def test_no_answer_whatever_makes_more_than_four_requests(clock, ledger):
    for hostile in HOSTILE:
        with ScriptedLLM(then=hostile) as llm:
            with pytest.raises(ProviderError):
                made(llm, clock).structured(PROMPT, Notes, budget=ledger)
            assert llm.calls <= 4
            assert len(ledger.entries) == llm.calls
            ledger.entries.clear()


HOSTILE = [
    "",
    "<html><body><script>fetch('/steal')</script></body></html>",
    "__import__('os').system('true')",
    f"{RIGHT}\n{RIGHT}",
    f"```json\n{RIGHT}\n```\n```json\n{WRONG}\n```",
    '{"notes": [{"text": "a", "kind": "fact", "weight": "1"}]}',
    '{"notes": [{"text": 5, "kind": "fact", "weight": 1}]}',
    '{"notes": [{"text": "a", "kind": "fact", "weight": NaN}]}',
    '{"notes": [{"text": "a", "kind": "fact", "weight": 1e999}]}',
    '{"notes": [{"text": "\\ud800", "kind": "fact", "weight": 1}]}',
    '{"notes": {"text": "a"}}',
    '{"notes": [{"text": "a", "kind": "fact", "weight": 1}',
    "[" * 100_000,
    '{"notes":' * 100_000,
    '{"notes": ' + "9" * 100_000 + "}",
    '{"notes": [' + '{"text": "a"},' * 10_000 + "0]}",
]


def test_a_request_can_be_answered_by_what_it_asks(clock):
    def echo(request: ReceivedRequest) -> str:
        return json.dumps({"notes": [{"text": request.body["messages"][-1]["content"][:3]}]})

    with ScriptedLLM(echo) as llm:
        assert made(llm, clock).structured(PROMPT, Notes).value.notes[0].text == "Ada"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '  \n{"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here you are:\n```\n{"a": 1}\n```\nAnything else?',
        '<think>maybe {"a": 2}? or {}</think>\n{"a": 1}',
    ],
)
def test_the_one_object_is_found_bare_fenced_or_amid_prose(text):
    assert only_object(text) == {"a": 1}


def test_fences_inside_a_string_are_part_of_the_string():
    inner = {"a": "use ```bash\nls\n``` and {braces}"}
    assert only_object(f"```json\n{json.dumps(inner)}\n```") == inner


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "[1]",
        '{"a": 1} {"a": 2}',
        '{"a": [{"b": 1}',
        '{bad} {"a": 1}',
        '{"a": Infinity}',
        "{" * 100_000,
        "{}}{",
    ],
)
def test_no_object_is_made_of_doubtful_text(text):
    assert only_object(text) is None


def test_a_strict_schema_closes_every_object_and_requires_every_property():
    strict = strict_schema(Notes)
    note = strict["$defs"]["Note"]
    assert strict["additionalProperties"] is False
    assert (note["additionalProperties"], note["required"]) == (False, ["text", "kind", "weight"])
    assert note["properties"]["text"] == {"type": "string"}
    assert note["properties"]["weight"] == {"type": "number"}
    assert note["properties"]["kind"]["enum"] == ["fact", "wish"]


def test_a_property_named_like_a_keyword_stays():
    class Odd(BaseModel):
        title: str
        default: int | None = None
        format: date

    strict = strict_schema(Odd)
    assert strict["required"] == ["title", "default", "format"]
    assert strict["properties"]["default"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def test_free_keys_are_refused_before_anything_is_sent(clock):
    class Free(BaseModel):
        words: dict[str, int]

    with ScriptedLLM(then="{}") as llm:
        with pytest.raises(Invalid, match="free keys"):
            made(llm, clock).structured(PROMPT, Free)
        assert llm.calls == 0
