"""What is true of the person in every project is corrected where it is kept, whichever project hears it."""

from collections.abc import Callable
from dataclasses import replace

from commonplace import Commonplace
from commonplace.testing.clock import StoppedClock

Opener = Callable[..., Commonplace]


def texts(book: Commonplace, **fields: object) -> list[str]:
    return sorted(one.text for one in book.browse(kinds=["associative", "core", "relational"], limit=100, **fields))


def test_a_correction_in_a_project_changes_the_personal_belief(open_book: Opener, clock: StoppedClock) -> None:
    personal, project, other = (open_book(namespace=name) for name in ("personal", "acme", "zenith"))
    personal.observe("I live in Vienna")
    clock.advance(days=30)
    receipt = project.observe("I moved to Oslo")
    assert texts(personal) == ["Owner lives in Oslo"]
    assert texts(project, namespaces=["acme"]) == []
    assert texts(other) == ["Owner lives in Oslo"]
    (belief,) = personal.browse(kinds=["associative"])
    assert [episode.text for episode, _ in project.evidence(belief.id)] == ["I moved to Oslo"]
    project.undo(receipt)
    assert texts(personal) == ["Owner lives in Vienna"]


def test_the_same_said_in_a_project_makes_the_personal_belief_surer(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    personal.observe("I'm allergic to peanuts")
    (before,) = personal.browse(kinds=["associative"])
    clock.advance(days=1)
    project.observe("By the way, I am allergic to peanuts.")
    (after,) = project.browse(kinds=["associative"])
    assert after.id == before.id
    assert after.confidence > before.confidence


def test_ended_and_wrong_reach_the_personal_belief(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    personal.observe(["I live in Vienna", "I have a sister in Rome", "I speak Italian"])
    clock.advance(days=1)
    project.observe("I no longer live in Vienna")
    project.observe("I misspoke, I don't have a sister")
    assert texts(personal) == ["Owner speaks Italian"]
    project.observe("I have a sister in Rome")
    assert not [text for text in texts(project) if "sister" in text]


def test_what_was_forgotten_in_personal_does_not_come_back_in_a_project(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    personal.observe("I like green tea")
    personal.forget(personal.browse(kinds=["associative"])[0].id)
    clock.advance(days=1)
    project.observe("I like green tea and oat milk")
    held = {one.text: one.status for one in project.browse(kinds=["associative"], limit=10)}
    assert held == {"Owner likes oat milk": "verified", "Owner likes green tea": "candidate"}


def test_a_projects_own_belief_comes_before_the_personal_one(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    project.observe("My boss is Ingrid")
    personal.observe("My boss is Petra")
    clock.advance(days=1)
    project.observe("My boss is Maria")
    assert [one.text for one in personal.browse(kinds=["core"])] == ["Petra"]
    assert [one.text for one in project.browse(kinds=["core"], namespaces=["acme"])] == ["Maria"]


def test_a_branch_is_the_projects_own(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    personal.observe("the branch is main")
    clock.advance(days=1)
    project.observe("the branch is feature/login")
    assert texts(personal) == ["Branch is main"]
    assert texts(project, namespaces=["acme"]) == ["Branch is feature/login"]


def test_who_reaches_only_a_project_changes_nothing_personal(open_book: Opener, clock: StoppedClock) -> None:
    personal, project = open_book(namespace="personal"), open_book(namespace="acme")
    personal.observe("I live in Vienna")
    project.observe("hello there")
    with project._scope.store.read(project.owner) as tx:
        acme = tx.namespaces.by_label(project._scope.vault.label("namespace", "acme"))
    assert acme is not None
    narrow = replace(project._scope, reach=frozenset({acme.id}))
    clock.advance(days=1)
    Commonplace(project._parts, narrow).observe("I moved to Oslo")
    project.maintain()
    assert texts(personal) == ["Owner lives in Vienna"]
    assert "Owner lives in Oslo" in texts(project)
