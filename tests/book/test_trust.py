"""Nobody changes what somebody of a higher rank stated: it becomes a proposal, and a person decides."""

import io
from datetime import timedelta

import pytest
from tests.trust_table import ACTS, AGENT, KINDS, PERSON, TOOL, WORDS, Act, acting, is_done, made

from commonplace import Commonplace
from commonplace.errors import NotAllowed

CASES = [(act, kind) for act in ACTS for kind in act.kinds]


@pytest.mark.parametrize("writer", [TOOL, AGENT, PERSON])
@pytest.mark.parametrize(("act", "kind"), CASES, ids=[f"{act.name}-{kind}" for act, kind in CASES])
def test_the_table(book: Commonplace, act: Act, kind: str, writer: int) -> None:
    parts = book._parts
    for actor in (TOOL, AGENT, WORDS, PERSON):  # each meets a book of its own
        agrees(Commonplace(parts, parts.scope(f"met by {actor}", "default")), act, kind, writer, actor)


def agrees(book: Commonplace, act: Act, kind: str, writer: int, actor: int) -> None:
    if act.name == "move":
        book.namespaces.create("elsewhere")
    id = made(book, writer, kind)
    act.before(acting(book, writer, "writer"), id)
    before = book.get(id)
    receipt = act.run(acting(book, actor), id)

    if is_done(act, actor=actor, writer=writer):
        assert receipt.action != "PROPOSE", receipt
        assert not [item for item in book.review.list() if item.act]
        return
    assert receipt.action == "PROPOSE"
    assert book.get(id) == before, "nothing was changed"
    (change,) = receipt.changes
    assert (change.action, change.id, change.before) == ("PROPOSE", id, before.version)
    assert receipt.notes and "review" in receipt.notes[0]
    (item,) = [item for item in book.review.list() if item.act]
    assert item.conflict == before and item.memory.id == receipt.id
    assert not [hit for hit in book.recall("Ada parks street editor emacs Hooli") if hit.memory.id == item.memory.id]

    book.review.decide(item.memory.id, "approve")
    assert not [item for item in book.review.list() if item.act]
    after = [memory for memory in book.browse(limit=50, statuses=("verified", "candidate")) if memory.id == id]
    assert after != [before], "accepted: it is done"


def test_what_may_have_ended_waits_once_whatever_the_moment(book: Commonplace) -> None:
    id = made(book, PERSON, "associative")
    agent, now = acting(book, AGENT), book._parts.clock.now()
    first = agent.end(id, at=now - timedelta(days=3))
    assert agent.end(id, at=now - timedelta(days=2)).id == first.id
    assert len([item for item in book.review.list() if item.act]) == 1
    book.review.decide(str(first.id), "reject")
    assert agent.end(id, at=now - timedelta(days=3)).action != "PROPOSE", "declined for this moment"
    assert agent.end(id, at=now - timedelta(days=1)).action == "PROPOSE", "a later one is another question"


@pytest.mark.parametrize("kind", KINDS)
def test_a_declined_proposal_changes_nothing_and_is_not_made_again(book: Commonplace, kind: str) -> None:
    id = made(book, PERSON, kind)
    before = book.get(id)
    agent = acting(book, AGENT)
    proposal = agent.reject(id)
    assert agent.reject(id).id == proposal.id, "made again while it waits: the same one"
    book.review.decide(str(proposal.id), "reject")
    assert book.get(id) == before and not [item for item in book.review.list() if item.act]
    assert agent.reject(id).action != "PROPOSE" and not [item for item in book.review.list() if item.act]


def test_the_status_follows_the_writer(book: Commonplace) -> None:
    agent = acting(book, AGENT)
    id = str(agent.remember("the deploy takes nine minutes").id)
    agent.revise(id, "the deploy takes four minutes")
    assert (book.get(id).status, book.get(id).source) == ("candidate", "assistant")
    book.revise(id, "the deploy takes five minutes")
    assert (book.get(id).status, book.get(id).source) == ("verified", "user")
    assert agent.revise(id, "the deploy takes six minutes").action == "PROPOSE"


def test_a_corrected_proposal_takes_the_persons_words(book: Commonplace) -> None:
    id = made(book, PERSON, "plain")
    proposal = acting(book, AGENT).revise(id, "Ada parks in the street")
    book.review.decide(str(proposal.id), "correct", text="Ada parks on the fourth deck")
    assert book.get(id).text == "Ada parks on the fourth deck"
    assert not [item for item in book.review.list() if item.act]


def test_an_agent_decides_no_proposal(book: Commonplace) -> None:
    id = made(book, PERSON, "plain")
    agent = acting(book, AGENT)
    proposal = agent.revise(id, "Ada parks in the street")
    with pytest.raises(NotAllowed):
        agent.review.decide(str(proposal.id), "approve")
    assert book.get(id).text == "Ada parks on the third deck"


def test_undo_of_what_a_person_did(book: Commonplace) -> None:
    receipt = book.remember("Ada parks on the third deck")
    assert acting(book, AGENT).undo(receipt).action == "PROPOSE"
    assert book.get(str(receipt.id)).status == "verified"
    own = acting(book, AGENT).remember("the crane is rented")
    acting(book, AGENT).undo(own)
    assert book.get(str(own.id)).status == "archived", "the control"


def test_a_proposal_can_be_withdrawn(book: Commonplace) -> None:
    agent = acting(book, AGENT)
    agent.undo(agent.revise(made(book, PERSON, "plain"), "Ada parks in the street"))
    assert not [item for item in book.review.list() if item.act]


def test_an_agent_forgets_what_it_wrote_itself_and_nothing_else(book: Commonplace) -> None:
    agent, other = acting(book, AGENT, "one"), acting(book, AGENT, "two")
    said = book.observe("Is the crane rented until Friday?", session="s").ids[0]  # a question teaches nothing
    own = str(agent.remember("The crane is rented until Friday.").id)
    assert other.forget(own).action == "PROPOSE"
    assert agent.forget(own).action == "FORGET"
    assert book.get(said).text == "Is the crane rented until Friday?", "a person's words stay"


def test_final_acts_need_a_person(book: Commonplace) -> None:
    book.remember("Ada parks on the third deck")
    agent = acting(book, AGENT)
    book.namespaces.create("other")
    for act in (
        lambda: agent.forget(query="where Ada parks"),
        lambda: agent.forget(query="parks", all=True),
        lambda: agent.erase(confirm=True),
        lambda: agent.erase(confirm=True, namespace="other"),
        lambda: agent.namespaces.delete("other"),
        lambda: agent.rotate_keys(destroy_old=True),
    ):
        with pytest.raises(NotAllowed, match="person"):
            act()
    assert agent.forget(query="where Ada parks", dry_run=True).targets, "looking is allowed"
    assert book.forget(query="Ada parks on the third deck").action == "FORGET", "the control"


def test_forgetting_takes_the_proposals_about_it_along(book: Commonplace) -> None:
    id = made(book, PERSON, "plain")
    acting(book, AGENT).revise(id, "Ada parks behind the heliotrope hedge")
    book.forget(id)
    out = io.StringIO()
    book.export(out)
    assert "heliotrope" not in out.getvalue() and not book.review.list()


def test_a_persons_words_do_not_replace_what_they_stated(book: Commonplace) -> None:
    """Read by rule, they may be misread: the new value waits, and confirming it ends the old one."""
    stated = str(book.remember("Owner lives in Oslo", category="fact").id)
    book.observe("I live in Lisbon now.")
    (item,) = book.review.list()
    assert item.memory.text == "Owner lives in Lisbon" and item.conflict == book.get(stated)
    assert book.get(stated).status == "verified"
    book.review.decide(item.memory.id, "approve")
    assert (book.get(stated).status, book.get(item.memory.id).status) == ("stale", "verified")
    book.observe("I live in Turin now.")
    assert [item.memory.text for item in book.review.list()] == ["Owner lives in Turin"]


def test_ranks_survive_export_and_import(book: Commonplace, open_book) -> None:
    id = made(book, PERSON, "plain")
    own = str(acting(book, AGENT).remember("the crane is rented").id)
    out = io.StringIO()
    book.export(out)
    other = open_book(owner="other")
    other.import_(io.StringIO(out.getvalue()))
    agent = acting(other, AGENT)
    assert agent.reject(id).action == "PROPOSE"
    assert agent.reject(own).action == "REJECT"
    third = acting(open_book(owner="third"), AGENT)
    third.import_(io.StringIO(out.getvalue()))
    assert third.reject(id).action == "REJECT", "an agent's import has an agent's rank"
