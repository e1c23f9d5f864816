"""Whole documents: found by a sentence anywhere in them, and one of them does not fill a page."""

import random

import pytest

from commonplace import Commonplace, Settings
from commonplace.memories.indexing import passages
from commonplace.model import Query
from commonplace.retrieval.matrices import MISSES
from commonplace.retrieval.pipeline import Recall
from commonplace.testing.clock import StoppedClock

NEEDLE = "The kitten from the shelter likes to sleep in the laundry basket."
ASKED = "Where does the kitten sleep?"
SUBJECTS = "The committee|The auditor|Every department|The supplier|The regional office|A second team".split("|")
VERBS = "reviewed|postponed|approved|rewrote|forwarded|archived".split("|")
OBJECTS = "the quarterly budget|the delivery schedule|the tender documents|the building permit|the tax form".split("|")
ENDINGS = "in the autumn session|after a long debate|without further comment|for the third time|as planned".split("|")


def filler(characters: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    made: list[str] = []
    while sum(map(len, made)) < characters:
        made.append(" ".join(map(chance.choice, (SUBJECTS, VERBS, OBJECTS, ENDINGS))) + ".")
    return made


def document(seed: int, *, needle: bool) -> str:
    told = filler(20_000, seed)
    return " ".join([*told[: len(told) // 2], *([NEEDLE] if needle else []), *told[len(told) // 2 :]])


@pytest.fixture
def book(tmp_path, book_url):
    with Commonplace.open(book_url, settings=Settings(home=tmp_path), clock=StoppedClock()) as opened:
        yield opened


def test_a_long_document_is_found_by_the_meaning_of_one_sentence_in_its_middle(book):
    for seed in range(6):
        book.remember(document(seed, needle=seed == 3))
    assert NEEDLE in book.recall(ASKED, limit=1, recipe="meaning")[0].memory.text
    assert NEEDLE in book.recall(ASKED, limit=1)[0].memory.text


def test_without_chunks_the_sentence_would_drown(book, monkeypatch):
    """The control: with one vector for the whole text, another document is nearer."""
    monkeypatch.setattr("commonplace.memories.indexing.passages", lambda text, **_: [text])
    for seed in range(6):
        book.remember(document(seed, needle=seed == 3))
    near = [(hit.score, NEEDLE in hit.memory.text) for hit in book.recall(ASKED, limit=6, recipe="meaning")]
    assert not max(near)[1]


def test_a_long_document_is_found_by_a_word_in_its_middle(book):
    for seed in range(6):
        book.remember(document(seed, needle=seed == 3))
    (hit,) = book.recall("laundry basket", limit=1)
    assert NEEDLE in hit.memory.text
    assert book.recall("laundry basket", limit=6, recipe="words")[1:] == []


def test_chunks_are_about_eight_hundred_characters_and_hold_all_of_it():
    text = document(1, needle=True)
    chunks = passages(text)
    assert all(len(chunk) <= 800 for chunk in chunks)
    assert sum(map(len, chunks)) / len(chunks) > 600
    assert " ".join(chunks) == text
    assert [NEEDLE in chunk for chunk in chunks].count(True) == 1


def test_a_document_takes_one_place_however_many_of_its_chunks_fit(book):
    about_cats = " ".join(f"The cat slept on shelf {n} of the library and purred all day." for n in range(300))
    book.remember(about_cats)
    book.remember("Our cat likes fish")
    found = [hit.memory.text for hit in book.recall("What does the cat do?", limit=8)]
    assert sorted(map(len, found)) == sorted([len("Our cat likes fish"), len(about_cats)])


def test_the_same_question_gets_the_same_answer_also_from_caches_that_are_empty(book):
    for seed in range(4):
        book.remember(document(seed, needle=seed == 3))
    pages = [[(hit.memory.id, hit.score) for hit in book.recall(ASKED)] for _ in range(3)]
    assert pages[0] == pages[1] == pages[2] != []
    afresh = Recall(
        scope=book._scope,
        matrices=type(book._parts.matrices())(),
        readings=type(book._parts.readings())(),
        encoder=lambda scope, plan: book._parts.encoder(scope.vault, plan),
        weights={},
    )
    assert [(hit.memory.id, hit.score) for hit in afresh.hits(Query(text=ASKED, limit=8))] == pages[0]


def test_the_page_is_the_same_whoever_looks_for_what_is_near(book):
    """A server that can is asked the first times; then the vectors are loaded and looked through here."""
    for seed in range(4):
        book.remember(document(seed, needle=seed == 2))
    book.remember_many(filler(4_000, 9))
    pages = [
        [(hit.memory.id, hit.score) for hit in book.recall(ASKED, limit=12, recipe=recipe)]
        for recipe in ("meaning", "balanced")
        for _ in range(MISSES + 2)
    ]
    assert len(pages[0]) == 12
    assert all(page == pages[0] for page in pages[: MISSES + 2])
    assert all(page == pages[-1] for page in pages[MISSES + 2 :])


def test_a_document_of_many_chunks_does_not_keep_others_from_being_found_by_meaning(book):
    whales = [
        f"Part {n}: the {kind} whale swims {how} through the {where} sea and sings its song."
        for n in range(24)
        for kind in ("blue", "grey", "old", "young")
        for how in ("slowly", "fast", "deep", "far")
        for where in ("cold", "open")
    ]
    assert len(passages(" ".join(whales))) > 64
    book.remember(" ".join(whales))
    book.remember("Humpbacks are enormous marine mammals")
    book.remember("The printer stands beside the stairs")
    for recipe in ("balanced", "meaning"):
        for asked in ("the whale that sings its song", "a whale in the sea"):
            found = [hit.memory.text[:9] for hit in book.recall(asked, recipe=recipe)]
            assert found[:2] == ["Part 0: t", "Humpbacks"]
            assert found[:2] == [hit.memory.text[:9] for hit in book.recall(asked, recipe=recipe, limit=2)]
