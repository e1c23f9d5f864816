"""The exact scan: what numpy would find, in the same order."""

import numpy as np
import pytest

from commonplace.retrieval import vector


def rows(count: int, seed: int = 0, low: int = -127) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, 128, (count, 256), dtype=np.int8)


def slow(matrix: np.ndarray, question: np.ndarray, live: np.ndarray | None = None) -> tuple[list[int], list[int]]:
    products = matrix.astype(np.int64) @ question.astype(np.int64)
    order = [n for n in np.lexsort((np.arange(len(products)), -products)).tolist() if live is None or live[n]]
    return order, products[order].tolist()


@pytest.mark.parametrize("count", [1, 9, 1_000, 70_000, 140_000])
def test_it_finds_what_an_exact_product_finds(count):
    matrix, question = rows(count), rows(1, seed=5)[0]
    found, products = vector.scan(matrix, question, 40)
    order, expected = slow(matrix, question)
    assert found.tolist() == order[:40]
    assert products.tolist() == expected[:40]


def test_rows_that_are_not_alive_are_left_out():
    matrix, question = rows(3_000), rows(1, seed=5)[0]
    best = slow(matrix, question)[0][0]
    live = np.ones(3_000, bool)
    live[best] = False
    assert vector.scan(matrix, question, 1)[0].tolist() == [best]
    found, _ = vector.scan(matrix, question, 20, live=live)
    assert found.tolist() == slow(matrix, question, live)[0][:20]


def test_equal_rows_come_in_order_also_across_blocks():
    matrix = np.ones((140_000, 256), np.int8)
    assert vector.scan(matrix, matrix[0], 5)[0].tolist() == [0, 1, 2, 3, 4]
    matrix[100_000] += 1
    assert vector.scan(matrix, matrix[0], 3)[0].tolist() == [100_000, 0, 1]


def test_the_extremes_do_not_overflow():
    matrix = np.full((3, 256), -128, np.int8)
    matrix[1] = 127
    found, products = vector.scan(matrix, np.full(256, -128, np.int8), 3)
    assert (found.tolist(), products.tolist()) == ([0, 2, 1], [256 * 128 * 128, 256 * 128 * 128, -256 * 127 * 128])


def test_nothing_to_find():
    question = rows(1)[0]
    assert len(vector.scan(rows(0), question, 5)[0]) == 0
    assert len(vector.scan(rows(9), question, 0)[0]) == 0
    assert len(vector.scan(rows(9), question, 5, live=np.zeros(9, bool))[0]) == 0
    assert len(vector.scan(rows(9), question, 50)[0]) == 9


def test_products_of_chosen_rows():
    matrix, question = rows(50), rows(1, seed=5)[0]
    chosen = np.array([7, 3, 49])
    expected = matrix[chosen].astype(np.int64) @ question.astype(np.int64)
    assert vector.products(matrix[chosen], question).tolist() == expected.tolist()
    assert vector.products(matrix[:0], question).tolist() == []


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("count", [1_000, 100_000])
def test_a_scan_that_others_help_with_finds_the_same(count, masked):
    # few different products: equal ones stand in every part, and their order is told
    matrix, question = rows(count, low=126), rows(1, seed=5, low=126)[0]
    live = np.arange(count) % 3 > 0 if masked else None
    alone = vector.scan(matrix, question, 50, live=live)
    for _ in range(5):
        together = vector.begun(matrix, question, 50, live=live)()
        assert together[0].tolist() == alone[0].tolist()
        assert together[1].tolist() == alone[1].tolist()
    assert len(set(alone[1].tolist())) < 50


@pytest.mark.parametrize("asked", [1, 4])
def test_several_scans_under_way_do_not_disturb_each_other(asked):
    matrix = rows(70_000)
    questions = [rows(1, seed=seed)[0] for seed in range(asked)]
    begun = [vector.begun(matrix, question, 20) for question in questions]
    for question, answer in zip(questions, begun, strict=True):
        assert answer()[0].tolist() == vector.scan(matrix, question, 20)[0].tolist()
