"""What is done to tags and namespaces is taken back as what is done to memories."""

import pytest

from commonplace import Commonplace, Conflict, Invalid, NotFound


def tags(book: Commonplace) -> dict[str, tuple[str | None, tuple[str, ...], int]]:
    return {one.name: (one.description, one.synonyms, one.links) for one in book.glossary.list()}


@pytest.fixture
def tea(book: Commonplace) -> str:
    return book.remember("Ada drinks tea", tags=["hot", "drink"]).id


@pytest.mark.parametrize("verb", ["create", "rename", "describe", "merge", "delete"])
def test_every_act_on_a_tag_is_undone_and_done_again(book: Commonplace, tea: str, verb: str) -> None:
    both = book.remember("Bob drinks cocoa", tags=["drink", "hot"]).id
    book.remember("soup is warm", tags=["hot"])
    glossary = book.glossary
    acts = {
        "create": lambda: glossary.create("new", description="something new"),
        "rename": lambda: glossary.revise("hot", rename="warm"),
        "describe": lambda: glossary.revise("hot", description="not cold", synonyms=["steaming"]),
        "merge": lambda: glossary.merge("hot", into="drink"),
        "delete": lambda: glossary.delete("hot"),
    }
    before = tags(book)
    receipt = acts[verb]()
    after = tags(book)
    assert after != before
    undone = book.undo(receipt)
    assert tags(book) == before and book.get(tea).tags == book.get(both).tags == ("drink", "hot")
    assert len(book.recall("", tags=["hot"])) == 3
    with pytest.raises(Conflict):
        book.undo(receipt)
    book.undo(undone)
    assert tags(book) == after
    assert book.audit.verify().problem is None


def test_a_tag_that_is_in_use_by_now_is_not_uncreated(book: Commonplace) -> None:
    receipt = book.glossary.create("new")
    book.remember("Ada drinks tea", tags=["new"])
    with pytest.raises(Invalid, match="in use"):
        book.undo(receipt)
    assert tags(book) == {"new": (None, (), 1)}


def test_what_was_forgotten_since_does_not_come_back_with_a_tag(book: Commonplace, tea: str) -> None:
    soup = book.remember("soup is warm", tags=["hot"]).id
    receipt = book.glossary.delete("hot")
    book.forget(soup)
    book.undo(receipt)
    assert [hit.memory.id for hit in book.recall("", tags=["hot"])] == [tea]


def test_an_earlier_version_comes_back_without_a_tag_that_is_gone(book: Commonplace, tea: str) -> None:
    book.glossary.delete("hot")
    book.revise(tea, "Ada drinks oolong", reason="corrected")
    book.rollback(tea, to=1)
    assert (book.get(tea).text, book.get(tea).tags) == ("Ada drinks tea", ("drink",))


def test_what_was_said_of_a_namespace_is_taken_back(book: Commonplace) -> None:
    made = book.namespaces.create("work", description="the office")
    book.within("work").observe([{"role": "user", "content": "hello", "speaker": "Ada"}])
    renamed = book.namespaces.revise("work", rename="office", predicates=["mentors"])
    book.undo(renamed)
    assert [(one.name, one.description, one.predicates) for one in book.namespaces.list() if one.name != "default"] == [
        ("work", "the office", ())
    ]
    declared = book.within("work").graph.declare("mentors")
    assert ("mentors", False) in book.within("work").graph.predicates()
    book.undo(declared)
    assert ("mentors", False) not in book.within("work").graph.predicates()
    with pytest.raises(Conflict):
        book.undo(made)


def test_an_empty_namespace_goes_again_and_one_in_use_stays(book: Commonplace) -> None:
    empty, used = book.namespaces.create("empty"), book.namespaces.create("used")
    book.within("used").remember("Ada drinks tea")
    book.undo(empty)
    with pytest.raises(Invalid, match="in use"):
        book.undo(used)
    with pytest.raises(NotFound):
        book.namespaces.get("empty")
    assert book.within("used").recall("tea")


def test_a_move_is_undone_and_both_places_are_searched_rightly(book: Commonplace, tea: str, clock) -> None:
    other = book.within("kitchen")
    stood = clock.now()
    clock.advance(hours=1)
    receipt = book.namespaces.move([tea], to="kitchen")
    assert not book.recall("tea") and other.recall("tea")[0].memory.tags == ("drink", "hot")
    assert [hit.memory.text for hit in book.recall("tea", known_at=stood)] == ["Ada drinks tea"]
    clock.advance(hours=1)
    book.undo(receipt)
    assert [hit.memory.id for hit in book.recall("tea")] == [tea] and not other.recall("tea")
    assert book.get(tea).tags == ("drink", "hot")
    assert [one.what for one in book.doctor(full=True).symptoms if one.check in ("words", "vectors", "orphans")] == []


def test_names_that_were_taken_back_go_with_their_namespace(book: Commonplace) -> None:
    work = book.within("work")
    work.glossary.create("secretive")
    work.glossary.revise("secretive", rename="open")
    work.glossary.delete("open")
    scope = book._scope
    with scope.store.read(scope.owner) as tx:
        assert {row["noun"] for row in tx.tables.page("version", after=None, limit=100)} == {"tag"}
    book.erase(confirm=True, namespace="work")
    with scope.store.read(scope.owner) as tx:
        assert tx.tables.page("version", after=None, limit=100) == []


def test_what_an_entity_is_called_and_tagged_is_taken_back(book: Commonplace) -> None:
    book.relate("Ada", "works_at", "Acme", object_type="company")
    ada = book.graph.entity("Ada").id
    book.graph.revise_entity(ada, tags=["friend"])
    receipt = book.graph.revise_entity(ada, label="Ada Byron", tags=["poet", "friend"], notes="a countess")
    changed = book.graph.entity(ada)
    assert (changed.label, changed.tags, changed.notes) == ("Ada Byron", ("friend", "poet"), "a countess")
    book.undo(receipt)
    back = book.graph.entity(ada)
    assert (back.label, back.tags, back.notes) == ("Ada", ("friend",), None)
    assert [hit.memory.text for hit in book.recall("Ada works", limit=1)] == ["Ada works at Acme"]


def test_the_entities_of_a_tag_are_listed(book: Commonplace) -> None:
    book.relate("Lena", "manages", "Marco")
    book.glossary.create("team", synonyms=["crew"])
    lena = book.graph.entity("Lena")
    book.graph.revise_entity(lena.id, tags=["team"])
    assert [entity.label for entity in book.graph.entities(tag="team")] == ["Lena"]
    assert [entity.label for entity in book.graph.entities(tag="crew")] == ["Lena"]
    assert {entity.label for entity in book.graph.entities()} >= {"Lena", "Marco"}
    with pytest.raises(NotFound):
        book.graph.entities(tag="nobody")


@pytest.mark.parametrize("name", ["personal", "PERSONAL", "p\u00e9rsonal.", "default\u200b"])
def test_what_all_projects_share_keeps_its_name_however_it_is_written(book: Commonplace, name: str) -> None:
    book.within("personal").remember("Ada is left-handed")
    book.within("default").remember("Ada drinks tea")
    with pytest.raises(Invalid) as refusal:
        book.namespaces.revise(name, rename="other")
    assert refusal.value.code == "keeps_its_name"
    book.namespaces.create("work")
    book.namespaces.revise("work", rename="office")  # control
