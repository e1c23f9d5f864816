"""Postings in columns say the same as postings in rows, packed and unpacked."""

import pytest

from commonplace.store.tables.postings import LARGEST, Columns, unpack

pytestmark = pytest.mark.one_engine("pure functions, no book")


def test_columns_hold_what_the_rows_say_by_term_and_document() -> None:
    rows = [(5, 9, 1, 4), (-(2**63), 3, 2, 4), (5, 2, 300, 999), (2**63 - 1, 3, 1, 4)]
    columns = Columns.of(rows)
    clamped = [(term, doc, min(tf, LARGEST), min(length, LARGEST)) for term, doc, tf, length in rows]
    assert columns.rows() == sorted(clamped)
    packed = columns.by_term()
    assert [term for term, _ in packed] == sorted({term for term, *_ in rows})
    assert [(term, *posting) for term, data in packed for posting in unpack(data)] == sorted(clamped)


def test_of_the_same_term_and_document_the_last_stands_last() -> None:
    columns = Columns()
    columns.add(7, [1, 2], [9, 9], 5)
    columns.add(7, [1], [3], 5)
    assert [row for row in columns.rows() if row[:2] == (1, 7)] == [(1, 7, 9, 5), (1, 7, 3, 5)]
    assert len(Columns.of([])) == 0 and Columns.of([]).rows() == []
