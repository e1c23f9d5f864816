"""The first look by signs: what it misses is little, and never what is new; what is gone does not come back."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from commonplace import Commonplace, Settings
from commonplace.retrieval import coarse, vector
from commonplace.retrieval.matrices import MISSES
from commonplace.security.rotation import Rotation

MANY = 60_000
ASKED = 40


def sentences(count: int, length: int, *, seed: int, dims: int = 256) -> np.ndarray:
    """Vectors as embedders of texts make them: sums of words, a few of which are in very many of them."""
    chance = np.random.default_rng(seed)
    known = np.random.default_rng(1).standard_normal((3_000, dims), np.float32)
    known *= 0.98 ** np.arange(dims, dtype=np.float32)
    likely = 1 / np.arange(10, 3_010)
    drawn = chance.choice(3_000, (count, length), p=likely / likely.sum())
    rows = sum(known[column] for column in drawn.T)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def found(rows: np.ndarray, question: np.ndarray, count: int) -> tuple[list[int], list[int]]:
    places, products = coarse.start_scan(rows, coarse.signs(rows), question, count)()
    return places.tolist(), products.tolist()


def exact(rows: np.ndarray, question: np.ndarray, count: int) -> tuple[list[int], list[int]]:
    places, products = vector.scan(rows, question, count)
    return places.tolist(), products.tolist()


@pytest.mark.parametrize("dims", [256, 384])
def test_it_finds_nearly_all_that_an_exact_scan_finds(dims):
    turned = Rotation(bytes(32), dims)
    rows = turned.quantise(sentences(MANY, 12, seed=2, dims=dims))
    right = all_right = 0
    for question in turned.quantise(sentences(ASKED, 5, seed=3, dims=dims)):
        places, products = found(rows, question, 64)
        expected, _ = exact(rows, question, 64)
        assert products == sorted(products, reverse=True)
        assert products == vector.products(rows[places], question).tolist()
        right += len({*places[:10]} & {*expected[:10]})
        all_right += len({*places} & {*expected})
    assert right >= 0.97 * 10 * ASKED
    assert all_right >= 0.9 * 64 * ASKED
    assert all_right < 64 * ASKED  # it is the first look that answered


def test_few_rows_narrow_rows_and_long_lists_are_multiplied_in_full():
    turned = Rotation(bytes(32), 256)
    rows, question = turned.quantise(sentences(MANY, 12, seed=2)), turned.quantise(sentences(1, 5, seed=3))[0]
    few = rows[: coarse.LEAST - 1]
    assert found(few, question, 64) == exact(few, question, 64)
    assert found(rows, question, 2_000) == exact(rows, question, 2_000)
    narrow = np.ascontiguousarray(rows[:, :100])
    assert found(narrow, question[:100], 64) == exact(narrow, question[:100], 64)


def test_one_text_over_and_over_is_found_in_order():
    rows = np.ones((MANY, 256), np.int8)
    rows[50_000] += 1
    assert found(rows, rows[0], 4)[0] == [50_000, 0, 1, 2]


def test_near_rows_at_regular_distances_do_not_mislead_it():
    turned, chance = Rotation(bytes(32), 256), np.random.default_rng(4)
    rows, question = turned.quantise(sentences(MANY, 12, seed=2)), turned.quantise(sentences(1, 5, seed=3))[0]
    step = MANY // coarse._SAMPLE | 1  # that of the sample, which sees nothing else
    rows[::step] = np.clip(question + chance.integers(-40, 41, rows[::step].shape), -127, 127)
    assert found(rows, question, 64) == exact(rows, question, 64)
    assert not any(place % step for place in found(rows, question, 64)[0])


def test_who_differs_on_every_axis_is_not_taken_for_the_nearest():
    turned = Rotation(bytes(32), 256)
    rows, question = turned.quantise(sentences(MANY, 12, seed=2)), turned.quantise(sentences(1, 5, seed=3))[0]
    expected = found(rows, question, 64)
    rows[40_000] = np.where(question > coarse.signs(rows).middle, -127, 127)
    assert found(rows, question, 64) == expected
    rows[40_000] = question
    assert found(rows, question, 64)[0][0] == 40_000


def test_it_finds_the_same_when_a_thread_helps(monkeypatch):
    turned = Rotation(bytes(32), 256)
    rows = turned.quantise(sentences(MANY, 12, seed=2))
    questions = turned.quantise(sentences(4, 5, seed=3))
    alone = [found(rows, question, 64) for question in questions]
    monkeypatch.setattr(coarse, "_BLOCK", 5_000)
    coded = coarse.signs(rows)
    for _ in range(3):
        under_way = [coarse.start_scan(rows, coded, question, 64) for question in questions]
        together = [answer() for answer in under_way]
        assert [(places.tolist(), products.tolist()) for places, products in together] == alone


@pytest.fixture
def book(tmp_path: Path, book_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Commonplace]:
    """A small book that is searched as a large one."""
    for name, value in {"LEAST": 200, "LIKELY": 1, "PER_HIT": 1, "_MANY": 3}.items():
        monkeypatch.setattr(coarse, name, value)
    with Commonplace.open(book_url, settings=Settings(home=tmp_path)) as book:
        things = "a kettle,the harbour,our teacher,some bread,the engine,my sister,a violin,the garden".split(",")
        acts = "waits for,looks like,belongs to,came after,is better than,was lost with".split(",")
        book.remember_many([f"{a} {act} {b}" for a in things for act in acts for b in things if a != b])
        yield book


def texts(book: Commonplace, question: str) -> list[str]:
    return [hit.memory.text for hit in book.recall(question, recipe="meaning", limit=3)]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each first look left to be multiplied."""
    made: list[int] = []
    fewest = coarse._fewest

    def noted(apart: np.ndarray, wanted: int) -> np.ndarray:
        likely = fewest(apart, wanted)
        made.append(len(likely))
        return likely

    monkeypatch.setattr(coarse, "_fewest", noted)
    return made


def test_what_was_just_written_is_found_and_what_was_forgotten_is_not(book: Commonplace, looks: list[int]) -> None:
    question, told = "a bird in the reeds", "a heron stood among the reeds"
    for _ in range(MISSES + 2):  # a server that can answer by itself does so the first times
        assert told not in texts(book, question)
    assert looks and max(looks) < 200
    kept = book.remember(told).id
    assert texts(book, question)[0] == told
    other = book.remember("two ducks hid in the reeds").id
    assert texts(book, question)[:2] == [told, "two ducks hid in the reeds"]
    book.forget(kept)
    assert told not in texts(book, question)
    assert texts(book, question)[0] == "two ducks hid in the reeds"
    book.forget(other)
    assert not {told, "two ducks hid in the reeds"} & {*texts(book, question)}


def test_a_book_that_was_followed_answers_as_one_that_was_opened_anew(
    book: Commonplace, looks: list[int], tmp_path: Path, book_url: str
) -> None:
    questions = ["who plays music", "a ship at sea", "something to eat", "a motor"]
    before = [texts(book, question) for question in questions for _ in range(4)]
    gone = book.remember("a fiddle for the sister").id
    book.remember("a boat on the quiet water")
    book.revise(book.recall("some bread came after a kettle", limit=1)[0].memory.id, "a cake came after tea")
    book.forget(gone)
    after = [texts(book, question) for question in questions for _ in range(4)]
    assert after != before and looks
    with Commonplace.open(book_url, settings=Settings(home=tmp_path)) as retry_on_conflict:
        assert [texts(retry_on_conflict, question) for question in questions for _ in range(4)] == after
