"""``doctor`` and ``status`` ask each configured provider once and say what is wrong."""

import json

import pytest

from commonplace import Commonplace, Settings
from commonplace.interfaces.cli import main
from commonplace.testing.scripted_llm import Answer, ScriptedLLM

pytestmark = pytest.mark.one_engine("the settings and an endpoint; the cap is counted on both engines elsewhere")


def symptoms(tmp_path, **settings):
    with Commonplace.open(settings=Settings(home=tmp_path, **settings)) as book:
        found = [symptom for symptom in book.doctor().symptoms if symptom.check == "providers"]
    return [(symptom.grade, symptom.what) for symptom in found]


@pytest.mark.parametrize(
    ("answer", "grade", "word"),
    [(401, "problem", "check the key"), (404, "problem", "model's name"), (503, "warning", "answered 503")],
)
def test_a_model_that_does_not_answer_is_named_with_the_reason(tmp_path, answer, grade, word):
    with ScriptedLLM(Answer(status=answer), then="OK") as llm:
        wrong = symptoms(tmp_path, llm="openai:m", llm_url=llm.url, llm_key="k", llm_daily_tokens=1000)
        assert llm.calls == 1, "one request, not tried again"
        assert [(grade, True)] == [(found, word in text) for found, text in wrong]
        assert symptoms(tmp_path, llm="openai:m", llm_url=llm.url, llm_key="k", llm_daily_tokens=1000) == []
        assert llm.requests[-1].body["max_tokens"] <= 16


def test_with_a_cap_of_zero_nothing_is_sent_and_that_is_said(tmp_path):
    with ScriptedLLM(then="OK") as llm:
        [(grade, what)] = symptoms(tmp_path, llm="openai:m", llm_url=llm.url)
        assert (grade, llm.calls) == ("warning", 0)
        assert "llm_daily_tokens is 0" in what
    [(grade, what)] = symptoms(tmp_path, llm="nobody:m", llm_daily_tokens=1000)
    assert grade == "problem"
    assert "unknown language model" in what


def test_an_embedder_elsewhere_is_asked_once(tmp_path):
    with ScriptedLLM(embeddings=[Answer(status=401)], dims=8) as endpoint:
        wrong = symptoms(tmp_path, embedder="openai:e", embed_url=endpoint.url, embed_dims=8)
        assert [(grade, "check the key" in what) for grade, what in wrong] == [("problem", True)]
        assert symptoms(tmp_path, embedder="openai:e", embed_url=endpoint.url, embed_dims=8) == []
        [(grade, what)] = symptoms(tmp_path, embedder="openai:e", embed_url=endpoint.url, embed_dims=4)
        assert (grade, "dimensions" in what) == ("problem", True)


def test_status_says_it_too(tmp_path, monkeypatch, capsys):
    with ScriptedLLM(Answer(status=401), then="OK") as llm:
        environment = {
            "HOME": tmp_path,
            "LLM": "openai:m",
            "LLM_URL": llm.url,
            "LLM_KEY": "k",
            "LLM_DAILY_TOKENS": 1000,
        }
        for name, value in environment.items():
            monkeypatch.setenv(f"COMMONPLACE_{name}", str(value))
        monkeypatch.chdir(tmp_path)
        assert main(["status", "--json"]) == 0
        assert any("check the key" in notice for notice in json.loads(capsys.readouterr().out)["attention"])
        assert main(["status", "--json"]) == 0
        assert not any("does not answer" in notice for notice in json.loads(capsys.readouterr().out)["attention"])


def test_a_book_without_an_embedder_is_sound(tmp_path):
    with Commonplace.open(settings=Settings(home=tmp_path, embedder="none", judge="off")) as book:
        assert not [symptom.what for symptom in book.doctor().symptoms if symptom.check == "providers"]


def test_status_names_an_embedder_that_does_not_exist(tmp_path, monkeypatch, capsys):
    for name, value in {"HOME": tmp_path, "EMBEDDER": "nobody"}.items():
        monkeypatch.setenv(f"COMMONPLACE_{name}", str(value))
    monkeypatch.chdir(tmp_path)
    assert main(["status", "--json"]) == 0
    assert any("unknown embedder 'nobody'" in notice for notice in json.loads(capsys.readouterr().out)["attention"])
