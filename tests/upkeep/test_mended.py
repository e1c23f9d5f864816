"""What random walks found, one by one: undoing, core keys, aliases, moves."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.upkeep.test_forgetting import older_copy

from commonplace import Commonplace
from commonplace.errors import Conflict, Invalid, Tombstoned
from commonplace.store.tables import memory

ALL = ("candidate", "verified", "rejected", "stale", "archived")


def test_undoing_a_confirmation_brings_the_tombstone_back(book: Commonplace) -> None:
    id = book.remember("the moon is cheese").id
    book.reject(id)
    receipt = book.confirm(id)
    assert book.get(id).status == "verified"
    again = book.undo(receipt)
    assert book.get(id).status == "rejected"
    with pytest.raises(Tombstoned):
        book.remember("the moon is cheese")
    book.undo(again)
    assert book.remember("the moon is cheese").id == id


def test_undoing_one_of_two_rejections_leaves_the_other(book: Commonplace) -> None:
    one, other = book.remember("the moon is cheese").id, book.remember("the moon is bread").id
    book.reject(one)
    receipt = book.revise(other, "the sea is salt")
    book.undo(receipt)
    assert book.get(other).text == "the moon is bread"
    book.undo(book.reject(one))
    with pytest.raises(Tombstoned):
        book.remember("the moon is cheese")


def test_a_core_key_holds_one_value_whatever_brings_another_back(book: Commonplace) -> None:
    first = book.core.set("city", "Oslo").id
    archived = book.archive(first)
    second = book.core.set("city", "Rome").id
    taken_back = book.undo(archived)
    assert [one.id for one in book.core.list()] == [first] and book.get(second).status == "stale"
    book.undo(taken_back)
    assert [one.id for one in book.core.list()] == [second]
    book.confirm(first)
    assert [one.id for one in book.core.list()] == [first]
    book.rollback(second, to=1)
    assert [one.id for one in book.core.list()] == [second]
    elsewhere = book.within("attic").core.set("city", "Bergen").id
    book.namespaces.move([second], to="attic")
    assert [one.id for one in book.within("attic").core.list()] == [second]
    assert book.within("attic").get(elsewhere).status == "stale"


def test_an_alias_says_the_same_again(book: Commonplace) -> None:
    first = book.relate("Giulia", "reports_to", "Marco", object_type="person").ids[-1]
    giulia = book.graph.entity("Giulia").id
    book.graph.revise_entity(giulia, aliases=["Jules"])
    assert book.relate("Jules", "reports to", "Marco", object_type="person").ids[-1] == first
    assert [one.id for one in book.relations("Jules", "reports to")] == [first]


def test_a_relation_whose_ends_are_merged_says_nothing_any_more(book: Commonplace) -> None:
    id = book.relate("Jules", "knows", "Giulia", object_type="person").ids[-1]
    other = book.relate("Jules", "knows", "Marco", object_type="person").ids[-1]
    receipt = book.graph.merge(book.graph.entity("Giulia").id, book.graph.entity("Jules").id)
    assert [(one.id, one.subject.label) for one in book.relations()] == [(other, "Giulia")]
    assert book.get(id).status == "archived"
    book.undo(receipt)
    assert {one.id: one.subject.label for one in book.relations()} == {id: "Jules", other: "Jules"}


def test_undoing_a_relation_leaves_people_that_others_speak_of(book: Commonplace) -> None:
    first = book.relate("Ada", "knows", "Bob", object_type="person")
    book.relate("Bob", "knows", "Eve", object_type="person")
    book.undo(first)
    assert {one.label for one in book.graph.entities()} == {"Bob", "Eve"}


def test_a_moved_relation_can_be_walked_where_it_is(book: Commonplace) -> None:
    book.graph.declare("taught")
    id = book.relate("Ada", "taught", "Bob", object_type="person").ids[-1]
    receipt = book.namespaces.move([id], to="attic")
    attic = book.within("attic")
    assert [one.id for one in attic.walk("Ada").relations] == [id]
    book.erase(confirm=True, namespace="default")
    assert [(one.subject.label, one.object.label) for one in attic.relations()] == [("Ada", "Bob")]
    assert receipt.action == "MOVE"


def test_a_moved_memory_keeps_its_versions_when_the_namespace_it_came_from_is_erased(book: Commonplace) -> None:
    id = book.remember("the safe is behind the painting", tags=["home"]).ids[-1]
    book.revise(id, "the safe is behind the mirror", reason="moved it")
    receipt = book.namespaces.move([id], to="attic")
    attic = book.within("attic")
    assert [version.memory.namespace for version in attic.history(id)] == ["default", "default", "attic"]
    book.erase(confirm=True, namespace="default")
    texts = [(version.memory.namespace, version.memory.text, version.memory.tags) for version in attic.history(id)]
    painting, mirror = ("attic", "the safe is behind the painting", ("home",)), "the safe is behind the mirror"
    assert texts == [painting, ("attic", mirror, ("home",)), ("attic", mirror, ("home",))]
    attic.reindex()
    assert [symptom.what for symptom in attic.doctor(full=True).symptoms if symptom.grade == "problem"] == []
    attic.undo(receipt)
    assert attic.get(id).text == mirror
    attic.rollback(id, to=1)
    assert (attic.get(id).text, attic.get(id).tags) == (painting[1], ("home",))


def test_a_narrow_scope_reads_no_versions_of_a_namespace_beyond_its_reach(book: Commonplace) -> None:
    id = book.remember("the safe is behind the painting").ids[-1]
    book.revise(id, "the safe is behind the mirror", reason="moved it")
    book.namespaces.move([id], to="attic")
    attic = next(namespace.id for namespace in book.namespaces.list() if namespace.name == "attic")
    narrow = Commonplace(book._parts, replace(book._scope.within("attic"), reach=frozenset({attic})))
    assert [version.version for version in narrow.history(id)] == [3]
    with pytest.raises(Invalid):
        narrow.rollback(id, to=1)
    assert [version.version for version in book.within("attic").history(id)] == [1, 2, 3]


def test_what_was_moved_into_an_erased_namespace_stays_erased(book: Commonplace, tmp_path: Path) -> None:
    moved, stayed = book.remember_many(["the safe is behind the painting", "the sea is salt"]).ids
    bring_back = older_copy(book, tmp_path)
    book.namespaces.move([moved], to="attic")
    book.erase(confirm=True, namespace="attic")
    bring_back(book)
    assert [one.id for one in book.browse(statuses=ALL)] == [stayed]


def test_counting_in_stretches_counts_everything_once(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    book.remember_many([f"town {n} has a harbour" for n in range(10)])
    book.observe(["shall we sail?", "yes"], session="trip")
    book.archive(book.browse(limit=1)[0].id)
    whole = (book.stats().kinds, book.stats().statuses, book.stats().oldest)
    monkeypatch.setattr(memory, "COUNTED", 4)
    assert (book.stats().kinds, book.stats().statuses, book.stats().oldest) == whole
    assert whole[0] == {"associative": 10, "episodic": 2}


def test_a_name_that_is_taken_is_told_in_plain_words(book: Commonplace) -> None:
    book.glossary.create("sea", synonyms=["ocean"])
    book.glossary.create("lake")
    book.namespaces.create("attic")
    for act in (
        lambda: book.glossary.create("ocean"),
        lambda: book.glossary.create("pond", synonyms=["Sea"]),
        lambda: book.glossary.revise("lake", rename="ocean"),
        lambda: book.namespaces.create("attic"),
        lambda: book.namespaces.revise("attic", rename="default"),
    ):
        with pytest.raises(Conflict, match="of that name exists already") as caught:
            act()
        assert "ocean" not in str(caught.value) and "attic" not in str(caught.value)
    assert {tag.name for tag in book.glossary.list()} == {"sea", "lake"}
