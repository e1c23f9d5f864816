"""As many memories as an owner may keep, and no more."""

from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import OverQuota

Opener = Callable[..., Commonplace]


@pytest.fixture
def book(open_book: Opener, tmp_path: Path) -> Commonplace:
    return open_book(settings=Settings(home=tmp_path / "home", quota_memories=3))


WRITES: dict[str, Callable[[Commonplace], object]] = {
    "remember": lambda book: book.remember("One more"),
    "observe": lambda book: book.observe(Message("Nothing much to say")),
    "relate": lambda book: book.relate("Ada", "works_at", "Acme", object_type="company"),
    "core": lambda book: book.remember("Ada", kind="core", key="name"),
    "many": lambda book: book.remember_many(["One more"]),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_over_the_quota_nothing_is_written_and_the_way_out_is_told(
    book: Commonplace, write: Callable[[Commonplace], object]
) -> None:
    first = book.remember("The first")
    book.within("elsewhere").remember("The second")
    book.remember("The third")
    with pytest.raises(OverQuota, match="3 of 3 memories") as caught:
        write(book)
    assert (caught.value.kept, caught.value.most) == (3, 3)
    assert book.stats().memories == 3
    book.archive(first.id or "")
    write(book)
    assert book.stats().memories == 3


def test_many_are_let_in_whole_or_not_at_all(book: Commonplace) -> None:
    book.remember("The first")
    with pytest.raises(OverQuota):
        book.remember_many(["a second one", "a third one", "a fourth one"])
    with pytest.raises(OverQuota):
        book.observe(["so it was", "or was it not", "who knows"])
    assert book.stats().memories == 1
    book.remember_many(["a second one", "a third one"])
    assert book.stats().memories == 3


def test_without_a_quota_there_is_always_room(open_book: Opener) -> None:
    book = open_book()
    book.remember_many([f"fact {n}" for n in range(50)])
    assert book.stats().memories == 50
