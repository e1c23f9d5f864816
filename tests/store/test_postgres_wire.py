"""Statements below psycopg's cursors: prepared once, many in a trip, and none lost or taken for another's answer."""

from collections.abc import Iterator

import psycopg
import pytest

from commonplace.store.postgres import wire
from commonplace.store.postgres.adapt import Half, register
from commonplace.store.postgres.dialect import native
from commonplace.store.postgres.wire import Statement, Wire, Wired

pytestmark = pytest.mark.postgres


@pytest.fixture
def raw(postgres_url: str) -> Iterator[Wired]:
    with Wired.connect(postgres_url, autocommit=True, prepare_threshold=None) as raw:
        register(raw)
        raw.wire.ask([said("create temporary table heard (number bigint primary key)")])
        yield raw


def said(text: str, *values: object) -> Statement:
    return native(text), values


def heard(line: Wire) -> list[int]:
    return [number for (number,) in line.ask([said("select number from heard order by number")])[0].rows]


def prepared(raw: Wired) -> int:
    return raw.execute("select count(*) from pg_prepared_statements").fetchall()[0][0]  # type: ignore[no-any-return]


def test_each_has_its_own_answer(raw: Wired) -> None:
    one, two, three = raw.wire.ask(
        [
            said("select cast(:number as bigint) + 1", 4),
            said("insert into heard (number) select generate_series(1, 3)"),
            said("select 'three' as word where false"),
        ]
    )
    assert (one.rows, one.count) == ([(5,)], 1)
    assert (two.rows, two.count, two.word) == ([], 3, "INSERT 0 3")
    assert (three.rows, three.count) == ([], 0)


def test_a_statement_is_prepared_once_for_values_of_the_same_types(raw: Wired) -> None:
    before = prepared(raw)
    for number in range(5):
        raw.wire.ask([said("insert into heard (number) values (:number)", number)])
    raw.wire.ask([said("insert into heard (number) values (:number)", number) for number in range(10, 15)])
    assert prepared(raw) == before + 1
    assert len(heard(raw.wire)) == 10


def test_what_comes_after_a_failure_is_not_run_and_the_line_goes_on(raw: Wired) -> None:
    for _ in range(3):
        with pytest.raises(psycopg.errors.DivisionByZero):
            raw.wire.ask(
                [
                    said("begin"),
                    said("insert into heard (number) values (:number)", 1),
                    said("select 1 / cast(:number as bigint)", 0),
                    said("insert into heard (number) values (cast(:number as bigint) + 1)", 1),
                ]
            )
        raw.wire.ask([said("rollback")])
        assert heard(raw.wire) == []
    raw.wire.ask([said("insert into heard (number) values (cast(:number as bigint) + 1)", 1)])
    assert heard(raw.wire) == [2]


def test_what_was_said_before_a_failure_stays_prepared(raw: Wired) -> None:
    text = "insert into heard (number) values (:number)"
    with pytest.raises(psycopg.errors.SyntaxError):
        raw.wire.ask([said(text, 1), said("selekt :number", 1)])
    known = prepared(raw)
    raw.wire.ask([said(text, 2)])
    assert prepared(raw) == known


def test_a_connection_that_knows_too_many_begins_anew(raw: Wired, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_PREPARED", 3)
    for number in range(9):
        assert raw.wire.ask([said(f"select cast(:number as bigint) + {number}", 1)])[0].rows == [(1 + number,)]
    assert prepared(raw) <= 4


def test_more_than_fits_on_the_way_goes_through_in_both_directions(raw: Wired) -> None:
    long = "x" * 20_000
    answers = raw.wire.ask([said("select :text || cast(:number as bigint)", long, number) for number in range(400)])
    assert [one.rows for one in answers] == [[(f"{long}{number}",)] for number in range(400)]


def test_lists_arrive_as_they_are(raw: Wired) -> None:
    for text, given in (
        ("bigint[]", [1, -(2**63), 2**63 - 1]),
        ("text[]", ["", 'Ünicode, "quoted", {braced}', "null"]),
        ("bytea[]", [b"", b"\0\xff"]),
        ("bigint[]", []),
        ("text[]", []),
    ):
        assert raw.wire.ask([said(f"select cast(:list as {text})", given)])[0].rows == [(given,)]


def test_a_vector_is_exact(raw: Wired) -> None:
    data = bytes(range(256))
    spelled = str([one - 256 if one > 127 else one for one in data])
    same = "select cast(:data as public.halfvec) = cast(:spelled as public.halfvec)"
    assert raw.wire.ask([said(same, Half.of(data), spelled)])[0].rows == [(True,)]
    assert str(Half.of(data)) == spelled


def test_a_broken_line_says_so_and_stays_broken(raw: Wired, postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("select pg_terminate_backend(%s)", [raw.info.backend_pid])
    for _ in range(2):
        with pytest.raises(psycopg.OperationalError):
            raw.wire.ask([said("select 1"), said("select 2")])
        assert raw.broken
