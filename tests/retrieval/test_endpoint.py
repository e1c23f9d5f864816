"""An embedding endpoint behind a whole book: asked once, not waited for, never blocking, never mixed with another."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import ProviderError, SettingsError
from commonplace.providers.embed.remote import OpenAIEmbedder
from commonplace.testing.scripted_llm import Answer, ScriptedLLM
from commonplace.upkeep import reindex as indexes

GREY, NIGHT = "The cat is grey", "Backups run at night"


@pytest.fixture
def endpoint() -> Iterator[ScriptedLLM]:
    with ScriptedLLM(dims=8) as made:
        yield made


@pytest.fixture
def place(tmp_path: Path, book_url: str) -> Settings:
    return Settings(home=tmp_path, url=book_url)


def opened(place: Settings, endpoint: ScriptedLLM | None = None, **given: object) -> Commonplace:
    elsewhere = {"embedder": "openai:m", "embed_url": endpoint.url, "embed_dims": 8} if endpoint else {}
    return Commonplace.open(settings=replace(place, **{**elsewhere, **given}))


def waiting(book: Commonplace) -> int:
    return sum(one.vectors_missing for one in book.stats().namespaces)


def models(book: Commonplace) -> dict[str, int]:
    with book._scope.store.read(book.owner) as tx:
        return {model.partition("#")[0].partition("@")[0]: many for _, model, many in tx.vectors.counts()}


def fails(endpoint: ScriptedLLM, *answers: Answer) -> None:
    endpoint._embeddings.extend(answers)


def test_recall_asks_a_slow_endpoint_once_and_goes_on_with_the_words(place, endpoint):
    with opened(place, endpoint, embed_timeout=0.2) as book:
        book.remember(GREY)
        book.maintain()
        before = endpoint.calls
        assert book.recall("What colour has the cat?")
        assert endpoint.calls == before + 1
        fails(endpoint, Answer(delay=30))
        assert [hit.memory.text for hit in book.recall("What colour has the cat?")] == [GREY]
        assert endpoint.calls == before + 2


def test_nothing_is_held_open_while_an_endpoint_is_asked(place, endpoint, monkeypatch):
    with opened(place, endpoint) as book:
        book.remember(GREY)
        book.maintain()
        reading, depths = book._parts.store.read, []
        inside = 0

        @contextmanager
        def counted(owner: str) -> Iterator[object]:
            nonlocal inside
            inside += 1
            try:
                with reading(owner) as tx:
                    yield tx
            finally:
                inside -= 1

        asking = OpenAIEmbedder.embed_question

        def noted(embedder: OpenAIEmbedder, text: str) -> object:
            depths.append(inside)
            return asking(embedder, text)

        monkeypatch.setattr(book._parts.store, "read", counted)
        monkeypatch.setattr(OpenAIEmbedder, "embed_question", noted)
        hit = book.recall("What colour has the cat?", explain=True)[0]
        assert depths == [0] and inside == 0
        assert hit.memory.text == GREY and "meaning" in hit.why.lists


def test_a_failing_endpoint_loses_nothing_and_the_gap_is_a_job_that_stats_shows(place, endpoint):
    with opened(place, endpoint) as book:
        fails(endpoint, *[Answer(status=400)] * 4)
        book.remember(GREY)
        book.maintain()
        assert waiting(book) == 1
        assert book.stats().jobs["waiting"] == 1
        assert [hit.memory.text for hit in book.recall("grey cat")] == [GREY]
        endpoint._embeddings.clear()
        (job,) = book.jobs.list(kinds=["embed"])
        book.jobs.replay(job.id)
        book.maintain()
        assert waiting(book) == 0


def test_text_that_leaves_the_machine_is_warned_of(place, caplog):
    caplog.set_level(logging.WARNING)
    with opened(place, embedder="openai:m", embed_url="https://vectors.example/v1", embed_dims=8) as book:
        book.remember(GREY)
        warned = [one.what for one in book.doctor().symptoms if one.check == "endpoint"]
    assert warned == ["texts and questions are sent to vectors.example for embedding"]
    assert "vectors.example" in caplog.text


def test_an_endpoint_on_this_machine_and_the_default_are_not_warned_of(place, endpoint, caplog):
    caplog.set_level(logging.WARNING)
    for name, given in (("here", endpoint), ("default", None)):
        with opened(replace(place, owner=name), given) as book:
            book.remember(GREY)
            assert [one for one in book.doctor().symptoms if one.check == "endpoint"] == []
    assert "are sent to" not in caplog.text


def test_another_model_is_made_beside_the_one_in_use_and_takes_its_place(place, endpoint):
    with opened(place) as book:
        book.remember_many([GREY, NIGHT])
        other = {"embed_url": endpoint.url, "embed_dims": 8}
    with opened(place, **other) as book:
        book.reindex(model="openai:m")
        assert models(book) == {"static-256": 2, "openai:m/8": 2}
        assert "meaning" in book.recall("Which animal is it?", explain=True)[0].why.parts
    with opened(place, endpoint) as book:
        assert waiting(book) == 0
        book.reindex()
        assert models(book) == {"openai:m/8": 2}


def test_a_changed_setting_is_caught_up_by_the_next_round_and_recall_works_meanwhile(place, endpoint):
    with opened(place) as book:
        book.remember_many([GREY, NIGHT])
    with opened(place, endpoint) as book:
        assert waiting(book) == 2
        hits = book.recall("grey cat", explain=True)
        assert [hit.memory.text for hit in hits] == [GREY]
        assert "meaning" not in hits[0].why.parts
        book.maintain()
        assert waiting(book) == 0


def test_a_change_of_model_cut_short_goes_on_where_it_was(place, endpoint, monkeypatch):
    monkeypatch.setattr(indexes, "EMBEDDED", 2)
    texts = [f"Note number {n} is about apples" for n in range(5)]
    with opened(place) as book:
        book.remember_many(texts)
    with opened(place, endpoint) as book:
        fails(endpoint, Answer(), Answer(status=400))
        with pytest.raises(ProviderError, match="400"):
            book.reindex()
        assert models(book) == {"static-256": 5, "openai:m/8": 2}
        assert len(book.recall("apples", limit=5)) == 5
        before = endpoint.calls
        book.reindex()
        assert models(book) == {"openai:m/8": 5}
        assert sum(len(one.body["input"]) for one in endpoint.requests[before:]) == 3


def test_a_model_that_nobody_knows_changes_nothing(place):
    with opened(place) as book:
        book.remember(GREY)
        with pytest.raises(SettingsError, match="unknown embedder 'minilmm'"):
            book.reindex(model="minilmm")
        assert models(book) == {"static-256": 1}
