"""Language models over real HTTP: what is sent, what is believed, and what it costs."""

import json
import os
import traceback

import pytest

from commonplace.errors import OverBudget, ProviderError, SettingsError
from commonplace.providers.llm import ModelPrompt, Said
from commonplace.providers.llm.chat import estimated, text_tokens
from commonplace.providers.llm.choose import language_model
from commonplace.testing.scripted_llm import Answer, ScriptedLLM

PROMPT = ModelPrompt("You take notes.", "Ada said: the safe's number is 4711")
BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])


def made(provider: str, llm: ScriptedLLM, clock):
    return language_model(f"{provider}:any", base_url=llm.url, api_key="key-1", clock=clock)


@BOTH
def test_the_answer_comes_with_its_tokens(provider, clock):
    with ScriptedLLM("Hello.") as llm:
        done = made(provider, llm, clock).complete(PROMPT)
    assert (done.text, done.input_tokens, done.output_tokens, done.cut) == ("Hello.", 11, 7, False)
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.requests) == (11, 7, 1)


def test_openai_gets_the_system_prompt_as_a_message_at_temperature_zero(clock):
    with ScriptedLLM("Hello.") as llm:
        made("openai", llm, clock).complete(PROMPT, max_tokens=77)
        request = llm.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer key-1"
    assert request.body == {
        "model": "any",
        "messages": [{"role": "system", "content": PROMPT.system}, {"role": "user", "content": PROMPT.user}],
        "max_tokens": 77,
        "temperature": 0,
    }


def test_anthropic_gets_it_beside_the_messages_with_a_version(clock):
    with ScriptedLLM("Hello.") as llm:
        made("anthropic", llm, clock).complete(PROMPT.answered("Hm.", "Go on."), max_tokens=77)
        request = llm.requests[0]
    assert request.path == "/v1/messages"
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == ("key-1", "2023-06-01")
    assert request.body == {
        "model": "any",
        "system": PROMPT.system,
        "messages": [
            {"role": "user", "content": PROMPT.user},
            {"role": "assistant", "content": "Hm."},
            {"role": "user", "content": "Go on."},
        ],
        "max_tokens": 77,
        "temperature": 0,
    }


@BOTH
@pytest.mark.parametrize("usage", [None, (0, 0), (-5, 10**12)])
def test_tokens_that_are_not_told_or_absurd_are_estimated(provider, clock, usage):
    with ScriptedLLM(Answer("é" * 10, usage=usage)) as llm:
        done = made(provider, llm, clock).complete(PROMPT)
    assert (done.input_tokens, done.output_tokens) == (estimated(PROMPT, None), 5)


def test_an_estimate_is_a_token_for_four_bytes_rounded_up():
    assert [text_tokens(text) for text in ("", "a", "abcd", "abcde", "日本")] == [0, 1, 1, 2, 2]
    assert estimated(ModelPrompt("abcd", "abcd", (Said("user", "abcd"),)), None) == 3


@BOTH
def test_a_cut_answer_says_so(provider, clock):
    with ScriptedLLM(Answer("Hel", cut=True)) as llm:
        assert made(provider, llm, clock).complete(PROMPT).cut


@BOTH
def test_a_model_that_refuses_temperature_is_asked_without_it_from_then_on(provider, clock, ledger):
    with ScriptedLLM("One.", "Two.", refuses=["temperature"]) as llm:
        model = made(provider, llm, clock)
        assert model.complete(PROMPT, budget=ledger).text == "One."
        assert model.complete(PROMPT, budget=ledger).text == "Two."
        assert [request.body.get("temperature") for request in llm.requests] == [0, None, None]
    assert ledger.entries == [(0, 0), (11, 7), (11, 7)]


def test_a_model_that_refuses_max_tokens_too_gets_the_newer_word(clock):
    with ScriptedLLM("One.", refuses=["max_tokens", "temperature"]) as llm:
        assert made("openai", llm, clock).complete(PROMPT, max_tokens=5).text == "One."
        assert llm.requests[-1].body["max_completion_tokens"] == 5
        assert llm.calls == 3


@BOTH
@pytest.mark.parametrize("failure", [Answer(status=429), Answer(status=529), Answer(drop=True)])
def test_a_passing_failure_is_tried_again(provider, clock, failure):
    with ScriptedLLM(failure, failure, "At last.") as llm:
        assert made(provider, llm, clock).complete(PROMPT).text == "At last."
        assert (llm.calls, clock.asked) == (3, 2)


@BOTH
def test_a_lasting_failure_ends_after_three_attempts(provider, clock):
    with ScriptedLLM(then=Answer(status=500)) as llm:
        with pytest.raises(ProviderError, match="500"):
            made(provider, llm, clock).complete(PROMPT)
        assert llm.calls == 3


@BOTH
def test_a_late_answer_is_not_waited_for(provider, clock):
    with ScriptedLLM(then=Answer("Too late.", delay=30)) as llm:
        with pytest.raises(ProviderError, match=r"within 0\.1 s"):
            made(provider, llm, clock).complete(PROMPT, timeout=0.1)
        assert llm.calls == 3


@BOTH
@pytest.mark.parametrize(
    "hostile",
    [
        b"<!doctype html><title>4711</title>",
        b"null",
        b"{}",
        b'{"choices": [], "content": []}',
        b'{"choices": [null], "content": [null]}',
        b'{"choices": [{"message": {"content": {"4711": 1}}}], "content": [{"type": "tool_use"}]}',
        b'{"choices": {"0": 1}, "content": "4711"}',
        b"[" * 200_000,
        b'{"a": ' * 100_000,
        b"\xff\xfe\x00",
        b"1" * 10_000,
        b" " * 1_000_001,
    ],
)
def test_a_hostile_envelope_is_a_provider_error_without_its_words(provider, clock, hostile):
    with ScriptedLLM(then=Answer(body=hostile)) as llm:
        with pytest.raises(ProviderError) as caught:
            made(provider, llm, clock).complete(PROMPT)
        assert llm.calls == 1
    assert "4711" not in "".join(traceback.format_exception(caught.value, limit=0))


@BOTH
def test_an_error_that_echoes_the_prompt_is_not_repeated(provider, clock):
    echo = Answer(status=400, body=json.dumps({"error": {"message": PROMPT.user}}).encode())
    with ScriptedLLM(echo) as llm, pytest.raises(ProviderError) as caught:
        made(provider, llm, clock).complete(PROMPT)
    assert "4711" not in "".join(traceback.format_exception(caught.value, limit=0))
    assert "400" in str(caught.value)


@BOTH
def test_each_request_is_reserved_before_and_settled_after(provider, clock, ledger):
    with ScriptedLLM(Answer(status=429), "Hello.") as llm:
        made(provider, llm, clock).complete(PROMPT, budget=ledger)
    assert ledger.entries == [(0, 0), (11, 7)]
    assert ledger.held == 0


@BOTH
@pytest.mark.parametrize("lost", [Answer(drop=True), Answer("late", delay=30)])
def test_an_answer_lost_on_the_way_counts_in_full(provider, clock, ledger, lost):
    with ScriptedLLM(then=lost) as llm, pytest.raises(ProviderError):
        made(provider, llm, clock).complete(PROMPT, max_tokens=50, timeout=0.1, budget=ledger)
    assert ledger.entries == [(estimated(PROMPT, None), 50)] * 3


@BOTH
def test_an_unreadable_answer_counts_in_full(provider, clock, ledger):
    with ScriptedLLM(Answer(body=b"{}")) as llm, pytest.raises(ProviderError):
        made(provider, llm, clock).complete(PROMPT, max_tokens=50, budget=ledger)
    assert ledger.entries == [(estimated(PROMPT, None), 50)]


def test_an_endpoint_that_cannot_be_reached_costs_nothing(clock, ledger):
    with ScriptedLLM() as llm:
        model = made("openai", llm, clock)
    with pytest.raises(ProviderError, match="cannot be reached"):
        model.complete(PROMPT, budget=ledger)
    assert ledger.entries == [(0, 0)] * 3


@BOTH
def test_at_the_cap_nothing_is_sent(provider, clock, ledger):
    need = estimated(PROMPT, None) + 50
    with ScriptedLLM(then="Hello.") as llm:
        model = made(provider, llm, clock)
        ledger.cap = need - 1
        with pytest.raises(OverBudget):
            model.complete(PROMPT, max_tokens=50, budget=ledger)
        assert llm.calls == 0
        ledger.cap = need
        model.complete(PROMPT, max_tokens=50, budget=ledger)
        assert llm.calls == 1


def test_retries_stop_at_the_cap(clock, ledger):
    ledger.cap = 2 * (estimated(PROMPT, None) + 50)
    with ScriptedLLM(then=Answer(drop=True)) as llm:
        with pytest.raises(OverBudget):
            made("openai", llm, clock).complete(PROMPT, max_tokens=50, budget=ledger)
        assert llm.calls == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_opens_its_own_connection(clock):
    with ScriptedLLM("Mine.", "Yours.", "Mine again.") as llm:
        model = made("openai", llm, clock)
        assert model.complete(PROMPT).text == "Mine."
        pid = os.fork()
        if pid == 0:
            os._exit(0 if model.complete(PROMPT).text == "Yours." else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert model.complete(PROMPT).text == "Mine again."


@pytest.mark.parametrize("name", ["", "openai", "openai:", "gemni:pro", ":x"])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(SettingsError, match="anthropic:<model>"):
        language_model(name)


def test_names_choose_models_and_a_model_may_have_colons():
    assert language_model("openai:llama3.2:3b", base_url="http://localhost:11434/v1").name == "openai:llama3.2:3b"
    assert language_model("anthropic:claude-sonnet-5-5").name == "anthropic:claude-sonnet-5-5"
