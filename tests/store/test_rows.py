"""Rows are dataclasses in all that a caller sees."""

import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import pytest
from tests.conformance.store.build import memory, tag

from commonplace.store import frozen, rows
from commonplace.store.rows import Filter, MemoryRow, TagRow

ROWS = [
    one
    for one in vars(rows).values()
    if isinstance(one, type) and one.__module__ == rows.__name__ and not issubclass(one, tuple)
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.__name__)
def test_every_row_is_a_dataclass_with_slots_and_a_docstring(row: type) -> None:
    assert is_dataclass(row)
    assert row.__doc__
    assert list(row.__slots__) == [field.name for field in fields(row)]  # type: ignore[attr-defined]


def test_a_row_takes_keywords_only_and_knows_its_defaults() -> None:
    assert tag("t1").synonyms == ()
    with pytest.raises(TypeError):
        TagRow("t1")  # type: ignore[misc, call-arg]
    with pytest.raises(TypeError):
        TagRow(id="t1")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Filter(colour="red")  # type: ignore[call-arg]


def test_a_row_cannot_be_changed_but_replaced() -> None:
    row = memory("m1", 1)
    with pytest.raises(FrozenInstanceError):
        row.status = "stale"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del row.status
    changed = replace(row, status="stale")
    assert (row.status, changed.status) == ("verified", "stale")
    assert changed == replace(changed)
    assert frozen.changed(row, status="stale") == changed
    with pytest.raises(KeyError):
        frozen.changed(row, colour="red")
    assert changed != row
    assert row != "row"
    assert {row, memory("m1", 1), changed} == {row, changed}


def test_a_row_can_be_shown_and_sent_to_another_process() -> None:
    row = memory("m1", 1, key=b"k")
    assert repr(row).startswith("MemoryRow(") and "id='m1', namespace=" in repr(row)
    assert pickle.loads(pickle.dumps(row)) == row
    assert isinstance(pickle.loads(pickle.dumps(row)), MemoryRow)
