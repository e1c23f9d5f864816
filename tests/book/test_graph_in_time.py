"""Relations of an earlier moment: as they stood, between entities as they were called then."""

from datetime import UTC, datetime

import pytest

from commonplace import Commonplace


def told(book: Commonplace, **asked: object) -> list[tuple[str, str, str]]:
    return [(one.subject.label, one.predicate, one.object.label) for one in book.relations(**asked)]


@pytest.fixture
def ids(book: Commonplace, clock) -> dict[str, str]:
    book.relate("Bill", "works_at", "Acme", object_type="company")
    clock.advance(days=1)
    book.relate("William", "reports_to", "Zoe", object_type="person")
    return {one.label: one.id for one in book.graph.entities()}


BILL, WILLIAM = ("Bill", "works_at", "Acme"), ("William", "reports_to", "Zoe")


def test_before_a_rename_the_old_name_stands(book: Commonplace, clock, ids: dict[str, str]) -> None:
    then = clock.now()
    clock.advance(days=1)
    book.graph.revise_entity(ids["Bill"], label="Billy")
    assert told(book, predicate="works_at") == [("Billy", "works_at", "Acme")]
    assert told(book, predicate="works_at", known_at=then) == [BILL]
    assert told(book, subject="Bill", known_at=then) == [BILL] and told(book, subject="Billy", known_at=then) == []
    assert told(book, subject="Billy") == [("Billy", "works_at", "Acme")] and told(book, subject="Bill") == []


def test_before_a_merge_two_are_two_and_after_its_undoing_again(book: Commonplace, clock, ids: dict[str, str]) -> None:
    then = clock.now()
    clock.advance(days=1)
    receipt = book.graph.merge(ids["Bill"], ids["William"])
    merged = clock.now()
    assert told(book) == [BILL, ("Bill", "reports_to", "Zoe")]
    assert told(book, known_at=then) == [BILL, WILLIAM]
    assert told(book, subject="William", known_at=then) == [WILLIAM]
    assert told(book, subject="Bill", known_at=then) == [BILL]
    clock.advance(days=1)
    book.undo(receipt)
    assert told(book) == [BILL, WILLIAM] and told(book, known_at=merged) == [BILL, ("Bill", "reports_to", "Zoe")]


def test_before_a_split_the_one_has_it_all(book: Commonplace, clock, ids: dict[str, str]) -> None:
    then = clock.now()
    clock.advance(days=1)
    [relation] = book.relations(predicate="works_at")
    receipt = book.graph.split(ids["Bill"], label="Bob", relations=[relation.id])
    assert told(book, predicate="works_at") == [("Bob", "works_at", "Acme")]
    assert told(book, subject="Bill", known_at=then) == [BILL] and told(book, subject="Bob", known_at=then) == []
    clock.advance(days=1)
    book.undo(receipt)
    assert told(book, subject="Bill") == [BILL]


def test_both_clocks_together(book: Commonplace, clock) -> None:
    book.relate("Ada", "works_at", "Acme", object_type="company", valid_from=datetime(2020, 1, 1, tzinfo=UTC))
    then = clock.now()
    clock.advance(days=1)
    [relation] = book.relations()
    book.end(relation.id, at=datetime(2024, 1, 1, tzinfo=UTC))
    late = datetime(2025, 1, 1, tzinfo=UTC)
    assert told(book) == [] and told(book, as_of=late) == []
    assert told(book, as_of=datetime(2022, 1, 1, tzinfo=UTC)) == [("Ada", "works_at", "Acme")]
    assert told(book, as_of=late, known_at=then) == [("Ada", "works_at", "Acme")]


def test_a_page_of_the_past_is_full(book: Commonplace, clock, monkeypatch: pytest.MonkeyPatch) -> None:
    from commonplace.memories import graph

    monkeypatch.setattr(graph, "PAGE", 3)
    for number in range(8):
        book.relate(f"P{number}", "works_at", "Acme" if number % 2 else "Globex", object_type="company")
    then = clock.now()
    clock.advance(days=1)
    first = book.relations(object="Acme", known_at=then, limit=3)
    rest = book.relations(object="Acme", known_at=then, limit=3, after=first[-1].id)
    assert [one.subject.label for one in [*first, *rest]] == ["P1", "P3", "P5", "P7"]
