"""A person may state again what they forgot or rejected; it takes a confirmation. Nobody else may."""

import pytest
from tests.trust_table import AGENT, TOOL, acting

from commonplace import Commonplace
from commonplace.errors import Tombstoned

VALUE = "Ada keeps her savings in a blue tin"


def lifts(book: Commonplace) -> int:
    return sum(line.action == "LIFT" for line in book.audit.list(limit=1000))


@pytest.mark.parametrize("gone", ["forget", "reject"])
def test_remember_again(book: Commonplace, gone: str) -> None:
    id = str(book.remember(VALUE).id)
    getattr(book, gone)(id)
    with pytest.raises(Tombstoned, match="confirm=True"):
        book.remember(VALUE)
    for rank in (TOOL, AGENT):
        for confirm in (False, True):
            with pytest.raises(Tombstoned, match="only a person"):
                acting(book, rank).remember(VALUE, confirm=confirm)
    assert lifts(book) == 0
    receipt = book.remember(VALUE, confirm=True)
    assert receipt.action == "ADD" and book.get(str(receipt.id)).status == "verified"
    assert lifts(book) == 1 and "confirmed" in receipt.notes[0]
    assert book.remember(VALUE).action == "NOOP", "the control: it is known again"


def test_core_set_forget_set(book: Commonplace) -> None:
    book.core.set("editor", "vim")
    book.core.forget("editor")
    with pytest.raises(Tombstoned, match="confirm=True"):
        book.core.set("editor", "vim")
    book.core.set("editor", "vim", confirm=True)
    assert book.core.get("editor").text == "vim"


def test_relate_again(book: Commonplace) -> None:
    book.reject(str(book.relate("Ada", "knows", "Bo", object_type="person").id))
    with pytest.raises(Tombstoned):
        book.relate("Ada", "knows", "Bo", object_type="person")
    book.relate("Ada", "knows", "Bo", object_type="person", confirm=True)
    assert [relation.object.label for relation in book.relations(subject="Ada")] == ["Bo"]


@pytest.mark.parametrize("gone", ["forget", "reject"])
@pytest.mark.parametrize("name", ["vim", "editor=vim", "id"])
def test_lift_takes_the_value_as_the_person_knows_it(book: Commonplace, gone: str, name: str) -> None:
    id = str(book.core.set("editor", "vim").id)
    getattr(book, gone)(id)
    assert book.review.lift("emacs") == 0, "the control: another value lifts nothing"
    assert book.review.lift(id if name == "id" else name) > 0
    book.core.set("editor", "vim")


def test_many_at_once(book: Commonplace) -> None:
    book.forget(str(book.remember(VALUE).id))
    left_out = book.remember_many([VALUE, "Ada sails"])
    assert [change.action for change in left_out.changes] == ["NOOP", "ADD"]
    again = book.remember_many([{"text": VALUE, "confirm": True}])
    assert [change.action for change in again.changes] == ["ADD"]


def test_a_conversation_waits_in_review(book: Commonplace, clock) -> None:
    book.observe("I live in Oslo.")
    (belief,) = book.browse(kinds=("associative",))
    book.reject(belief.id)
    clock.advance(days=1)
    book.observe("Yes, I live in Oslo, near the station.")
    assert not [memory for memory in book.browse(kinds=("associative",)) if memory.status == "verified"]
    assert [item.reason for item in book.review.list()] == ["rejected before"]


def test_saying_again_weighs_three_times_and_leaves_an_importance_of_ones_own(book: Commonplace) -> None:
    def importance(**given: float) -> float:
        return book.get(book.remember("The spare key is with Bea", **given).ids[0]).importance

    first = importance()
    assert [round(importance() - first, 2) for _ in range(4)] == [0.05, 0.1, 0.15, 0.15]
    own = book.get(book.remember("The cellar is damp", importance=0.31).ids[0])
    assert own.importance == book.get(book.remember("The cellar is damp").ids[0]).importance == 0.31
