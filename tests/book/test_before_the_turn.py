"""What costs most is done before a write begins: while it lasts, nobody else can write."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from commonplace import Commonplace, Message
from commonplace.learning import matching, neighbours

Seen = list[tuple[str, bool]]
"""A text that was worked on, and whether a write was open then."""


@pytest.fixture
def seen(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> Seen:
    """The texts that are embedded, or read by the rules."""
    store, embedder, found = book._parts.store, book._parts.embedder(), matching._found
    seen: Seen = []
    writing = False
    assert embedder is not None
    write, embed = store.write, embedder.embed

    @contextmanager
    def watched(*given: Any, **named: Any) -> Iterator[Any]:
        nonlocal writing
        with write(*given, **named) as tx:
            writing = True
            try:
                yield tx
            finally:
                writing = False

    def noted(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def write_transaction(given: str | Sequence[str]) -> Any:
            seen.extend((one, writing) for one in ([given] if isinstance(given, str) else given))
            return work(given)

        return write_transaction

    matching.clause_matches.cache_clear()
    neighbours.stated.cache_clear()
    monkeypatch.setattr(type(store), "write", staticmethod(watched))
    monkeypatch.setattr(type(embedder), "embed", staticmethod(noted(embed)))
    monkeypatch.setattr(matching, "_found", noted(found))
    return seen


def test_a_memory_is_embedded_and_read_by_the_rules_before_and_once(book: Commonplace, seen: Seen) -> None:
    book.remember("the pier is closed in May")
    assert seen == [("the pier is closed in May", False)] * 2
    assert book.recall("pier")[0].score > 0


def test_many_memories_are_embedded_and_read_before_and_once(book: Commonplace, seen: Seen) -> None:
    texts = [f"lantern {number} hangs at the pier" for number in range(5)]
    book.remember_many(texts)
    assert seen == [(text, False) for text in texts] * 2


def test_a_conversation_is_embedded_and_read_by_the_rules_before(book: Commonplace, seen: Seen) -> None:
    book.observe([Message("I live in Oslo.", speaker="Ada"), Message("Noted.", role="assistant")])
    early = [text for text, writing in seen if not writing]
    assert {"I live in Oslo.", "Ada: I live in Oslo.", "Noted."} <= set(early)
    assert not {"I live in Oslo.", "Ada: I live in Oslo.", "Noted."} & {text for text, writing in seen if writing}
    assert book.recall("Oslo")


def test_a_turn_is_kept_whatever_the_rules_make_of_it(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(matching, "_found", fail)
    kept = book.observe("The heron nests by the weir.")
    assert kept.id is not None
    assert book.get(kept.id).text == "The heron nests by the weir."
