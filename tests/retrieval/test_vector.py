"""The exact scan: what numpy would find, in the same order."""

import numpy as np
import pytest

from commonplace.retrieval import vector


def rows(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-127, 128, (count, 256), dtype=np.int8)


def slow(matrix: np.ndarray, question: np.ndarray) -> tuple[list[int], list[int]]:
    products = matrix.astype(np.int64) @ question.astype(np.int64)
    order = np.lexsort((np.arange(len(products)), -products))
    return order.tolist(), products[order].tolist()


@pytest.mark.parametrize("count", [1, 9, 1_000, 70_000, 140_000])
def test_it_finds_what_an_exact_product_finds(count):
    matrix, question = rows(count), rows(1, seed=5)[0]
    found, products = vector.scan(matrix, question, 40)
    order, expected = slow(matrix, question)
    assert found.tolist() == order[:40]
    assert products.tolist() == expected[:40]


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
    assert len(vector.scan(rows(9), question, 50)[0]) == 9


def test_products_of_chosen_rows():
    matrix, question = rows(50), rows(1, seed=5)[0]
    chosen = np.array([7, 3, 49])
    expected = matrix[chosen].astype(np.int64) @ question.astype(np.int64)
    assert vector.products(matrix[chosen], question).tolist() == expected.tolist()
    assert vector.products(matrix[:0], question).tolist() == []
