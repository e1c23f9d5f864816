"""A language model that does not help says so: in the receipt and by `doctor`."""

from dataclasses import replace

import pytest

from commonplace.learning.llm import ModelNote, notes_of, prompt
from commonplace.learning.rules import Utterance
from commonplace.learning.slots import SLOTS
from commonplace.providers.judge import Judge
from commonplace.providers.llm.choose import language_model
from commonplace.testing.scripted_llm import Answer, ScriptedLLM


def said_by_doctor(book) -> list[str]:
    return [symptom.what for symptom in book.doctor().symptoms if symptom.check in ("model", "providers")]


def test_a_cap_of_zero_and_an_unknown_name_are_said(open_book, settings):
    quiet = open_book(settings=settings)
    assert quiet.observe("I live in Oslo").notes == () and said_by_doctor(quiet) == []
    capped = open_book(settings=replace(settings, llm="openai:any", llm_daily_tokens=0))
    assert "llm_daily_tokens is 0" in capped.observe("I live in Rome").notes[-1]
    assert "llm_daily_tokens is 0" in said_by_doctor(capped)[0]
    misnamed = open_book(settings=replace(settings, llm="opnai:any", llm_daily_tokens=0))
    assert "unknown language model 'opnai:any'" in said_by_doctor(misnamed)[0]


def test_a_wrong_key_is_said(open_book, settings):
    with ScriptedLLM(then=Answer(status=401)) as server:
        asked = replace(settings, llm="openai:any", llm_url=server.url, llm_daily_tokens=10_000)
        book = open_book(settings=asked)
        book.observe("I live in Oslo")
        book._parts.settle()
        assert server.calls
        figures = book.maintain().figures or {}
        assert figures["waiting for the language model"] == 1
        assert "waiting for tokens" not in figures, "that is said at the cap alone"
        assert "check the key" in said_by_doctor(book)[0]
        assert any("check the key" in note for note in book.observe("Good morning").notes)


@pytest.mark.parametrize("provider", ["ollama", "lmstudio", "openrouter", "gemini"])
def test_presets_speak_to_openai_compatible_endpoints(provider):
    assert language_model(f"{provider}:some-model").name == f"{provider}:some-model"


def test_the_prompt_lists_the_predicates_and_shows_examples():
    text = prompt("notes")
    assert all(predicate in text for predicate in SLOTS) and "{predicates}" not in text
    assert text.count('"notes": [') >= 3


def test_a_note_that_its_quote_denies_is_refused(clock):
    said = Utterance(episode="e", text="I no longer have a dog called Rex, he died", at=clock.now())
    fields = {"turn": 1, "type": "fact", "kind": "associative", "category": "fact"}
    denied = ModelNote(quote="I no longer have a dog called Rex", statement="Ada has a dog called Rex", **fields)
    ended = ModelNote(quote=denied.quote, statement=denied.statement, retracts="ended", **fields)
    assert notes_of([denied], 1, said, owner="Ada"), "the control: without the judge it passes"
    assert notes_of([denied], 1, said, owner="Ada", judge=Judge()) == ()
    assert notes_of([ended], 1, said, owner="Ada", judge=Judge())
