"""Embeddings over real HTTP against the scripted server."""

import json

import numpy as np
import pytest

from commonplace.errors import ProviderError, SettingsError
from commonplace.providers.embed.choose import embedder
from commonplace.providers.embed.minilm import MiniLMEmbedder
from commonplace.providers.embed.remote import OpenAIEmbedder
from commonplace.providers.embed.static import StaticEmbedder
from commonplace.testing.scripted_llm import Answer, ScriptedLLM, vector_of

SECRET = "the safe's number is 4711"


def made(llm: ScriptedLLM, clock, *, dims: int = 8, timeout: float = 5.0) -> OpenAIEmbedder:
    return OpenAIEmbedder(llm.url, "any-model", "key-1", dims, timeout, clock=clock)


def vectors(*rows: object) -> Answer:
    data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
    return Answer(body=json.dumps({"data": data}).encode())


def unit(text: str, dims: int = 8) -> np.ndarray:
    row = np.array(vector_of(text, dims))
    return row / np.linalg.norm(row)


def test_each_text_gets_its_own_vector_in_whatever_order_the_server_answers(clock):
    with ScriptedLLM() as llm:
        rows = made(llm, clock).embed(["alpha", "beta", "gamma"])
    assert np.allclose(rows, [unit("alpha"), unit("beta"), unit("gamma")], atol=1e-6)
    assert rows.dtype == np.float32


def test_the_request_asks_for_floats_with_the_key_and_cuts_long_texts(clock):
    with ScriptedLLM() as llm:
        made(llm, clock).embed(["x" * 9_000, "short"])
        request = llm.requests[0]
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == "Bearer key-1"
    assert request.body["encoding_format"] == "float"
    assert "dimensions" not in request.body
    assert list(map(len, request.body["input"])) == [8_000, 5]


def test_many_texts_go_in_batches(clock):
    texts = [f"text {n}" for n in range(150)]
    with ScriptedLLM() as llm:
        rows = made(llm, clock).embed(texts)
        assert [len(request.body["input"]) for request in llm.requests] == [64, 64, 22]
    assert np.allclose(rows[149], unit("text 149"), atol=1e-6)


def test_blank_texts_are_not_sent_and_give_zeros(clock):
    with ScriptedLLM() as llm:
        rows = made(llm, clock).embed(["", "alpha", "  "])
        assert llm.requests[0].body["input"] == ["alpha"]
        assert made(llm, clock).embed([""]).shape == (1, 8)
        assert llm.calls == 1
        assert not made(llm, clock).embed_question(" ", 1.0).any()
        assert llm.calls == 1
    assert not rows[0].any()
    assert rows[1].any()
    assert not rows[2].any()


@pytest.mark.parametrize("failure", [Answer(status=429), Answer(status=503), Answer(drop=True), Answer(status=408)])
def test_a_passing_failure_is_tried_again(clock, failure):
    with ScriptedLLM(embeddings=[failure, failure]) as llm:
        rows = made(llm, clock).embed(["alpha"])
        assert llm.calls == 3
    assert np.allclose(rows[0], unit("alpha"), atol=1e-6)
    assert clock.asked == 2  # both waits had jitter


def test_a_lasting_failure_ends_after_three_attempts(clock):
    with ScriptedLLM(embeddings=[Answer(status=500)] * 9) as llm:
        with pytest.raises(ProviderError, match="500"):
            made(llm, clock).embed(["alpha"])
        assert llm.calls == 3


def test_a_wait_the_server_asks_for_is_kept_when_short_and_not_when_long(clock):
    with ScriptedLLM(embeddings=[Answer(status=429, headers={"Retry-After": "0"})]) as llm:
        made(llm, clock).embed(["alpha"])
        assert llm.calls == 2
        assert clock.asked == 0
    with ScriptedLLM(embeddings=[Answer(status=429, headers={"Retry-After": "3600"})]) as llm:
        with pytest.raises(ProviderError, match="429"):
            made(llm, clock).embed(["alpha"])
        assert llm.calls == 1


def test_a_refusal_is_not_tried_again(clock):
    with ScriptedLLM(embeddings=[Answer(status=401)] * 3) as llm:
        with pytest.raises(ProviderError, match="check the key"):
            made(llm, clock).embed(["alpha"])
        assert llm.calls == 1


def test_a_redirect_is_not_followed(clock):
    with ScriptedLLM() as other, ScriptedLLM() as llm:
        llm._embeddings.append(Answer(status=307, headers={"Location": f"{other.url}/embeddings"}))
        with pytest.raises(ProviderError, match="307"):
            made(llm, clock).embed(["alpha"])
        assert (llm.calls, other.calls) == (1, 0)


def test_a_question_is_asked_once_and_not_waited_for(clock):
    with ScriptedLLM(embeddings=[Answer(delay=30), Answer()]) as llm:
        slow = made(llm, clock)
        with pytest.raises(ProviderError, match=r"within 0\.2 s"):
            slow.embed_question("alpha", timeout=0.2)
        assert llm.calls == 1
        assert np.allclose(slow.embed_question("alpha", timeout=10), unit("alpha"), atol=1e-6)


def test_an_answer_that_drips_is_cut_off_at_the_time_limit(clock):
    drip = Answer(delay=0.1, pieces=200)
    with ScriptedLLM(embeddings=[drip]) as llm, pytest.raises(ProviderError, match="did not finish"):
        made(llm, clock).embed_question("alpha", timeout=0.5)


def test_nobody_listening_is_a_provider_error(clock):
    with ScriptedLLM() as llm:
        gone = made(llm, clock)
    with pytest.raises(ProviderError, match="cannot be reached"):
        gone.embed(["alpha"])


@pytest.mark.parametrize(
    "hostile",
    [
        Answer(body=b"<html><script>alert(1)</script></html>"),
        Answer(body=b"[1, 2]"),
        Answer(body=b'{"data": "none"}'),
        Answer(body=b'{"data": []}'),
        Answer(body=b'{"data": [{"index": 5, "embedding": [1,0,0,0,0,0,0,0]}]}'),
        Answer(body=b'{"data": [{"index": true, "embedding": [1,0,0,0,0,0,0,0]}]}'),
        Answer(body=b"[" * 100_000),
        Answer(body=b"\xff\xfe"),
        vectors([1.0] * 7),
        vectors(["1.0"] * 8),
        vectors([True] * 8),
        vectors([[1.0]] * 8),
        vectors([None] * 8),
        vectors([10**400] + [0] * 7),
        vectors([1e300] + [0] * 7),
        Answer(body=b'{"data": [{"index": 0, "embedding": [NaN,0,0,0,0,0,0,0]}]}'),
        vectors({"0": 1}),
    ],
)
def test_a_hostile_answer_is_a_provider_error_without_its_words(clock, hostile):
    with ScriptedLLM(embeddings=[hostile] * 3) as llm, pytest.raises(ProviderError) as caught:
        made(llm, clock).embed([SECRET])
    assert "4711" not in str(caught.value)
    assert "script" not in str(caught.value)


def test_an_answer_beyond_its_size_is_cut_off(clock):
    huge = Answer(body=b" " * 2_000_000 + b"{}")
    with ScriptedLLM(embeddings=[huge]) as llm, pytest.raises(ProviderError, match="more than"):
        made(llm, clock).embed(["alpha"])


def test_a_wrong_dimension_names_both_numbers(clock):
    with ScriptedLLM(dims=12) as llm, pytest.raises(ProviderError, match="12 dimensions, the setting says 8"):
        made(llm, clock).embed(["alpha"])


def test_an_error_that_echoes_the_text_is_not_repeated(clock):
    echo = Answer(status=400, body=json.dumps({"error": {"message": f"cannot embed: {SECRET}"}}).encode())
    with ScriptedLLM(embeddings=[echo]) as llm, pytest.raises(ProviderError) as caught:
        made(llm, clock).embed([SECRET])
    seen, error = "", caught.value
    while error is not None:
        seen, error = seen + repr(error), error.__cause__ or error.__context__  # type: ignore[assignment]
    assert "4711" not in seen
    assert "400" in seen


def test_fewer_dimensions_are_asked_for_where_the_model_has_more(clock):
    with ScriptedLLM() as llm:
        url = llm.url
        rows = embedder("openai:text-embedding-3-small", base_url=url, dims=64, clock=clock).embed(["alpha"])
        assert llm.requests[0].body["dimensions"] == 64
        assert rows.shape == (1, 64)
        assert "authorization" not in llm.requests[0].headers


def test_names_choose_embedders():
    assert isinstance(embedder(), StaticEmbedder)
    assert isinstance(embedder("minilm"), MiniLMEmbedder)
    far = embedder("openai:bge-m3", base_url="http://localhost:11434/v1")
    assert (far.model, far.dims, far.remote, far.ready()) == ("openai:bge-m3/1024", 1024, True, True)
    assert not embedder().remote


@pytest.mark.parametrize("name", ["", "static", "openai:", "OPENAI:x", "word2vec"])
def test_an_unknown_name_lists_the_known_ones(name):
    with pytest.raises(SettingsError, match="static-256, minilm, openai"):
        embedder(name)


def test_an_unknown_model_needs_its_dimension():
    with pytest.raises(SettingsError, match="embed_dims"):
        embedder("openai:my-own")
    assert embedder("openai:my-own", dims=99).dims == 99


@pytest.mark.parametrize(
    "url", ["ftp://host/v1", "localhost:11434", "file:///etc/passwd", "http://", "http://[x", "http://h:99999"]
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(SettingsError, match="http"):
        embedder("openai:x", base_url=url, dims=8)


@pytest.mark.parametrize("key", ["sk-1\nX-Evil: 1", "schlüssel", "a\x00b"])
def test_a_key_that_cannot_be_one_is_refused_and_not_repeated(key):
    with pytest.raises(SettingsError, match="copy it again") as caught:
        embedder("openai:x", dims=8, api_key=key)
    assert key not in str(caught.value)
    assert embedder("openai:x", dims=8, api_key="sk-1").ready()
