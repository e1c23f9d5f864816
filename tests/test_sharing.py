"""Namespaces shared by several people: who reads, who writes, who decides, and what is left when somebody goes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from commonplace import Commonplace, Conflict, Invalid, NotFound, Settings
from commonplace.copies.copy import copy
from commonplace.errors import NotAllowed
from commonplace.interfaces.mcp.answers import memory_line
from commonplace.learning.learn import Learner
from commonplace.memories.membership import present_scopes
from commonplace.model import Query
from commonplace.model import messages as as_messages
from commonplace.runtime import open_parts
from commonplace.security.keys import Keychain
from commonplace.sharing import sharing
from commonplace.sharing.sharing import Sharing
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import keys

People = Callable[[str], Commonplace]


@pytest.fixture
def people(book_url: str, tmp_path: Any, clock: StoppedClock) -> Any:
    settings = Settings.load(environ={}, overrides={"home": tmp_path / "home", "embedder": "none"})
    parts = open_parts(book_url, settings, clock=clock)
    yield lambda name: Commonplace(parts, parts.scope(name, "default"))
    parts.close()


def texts(hits: Any) -> list[str]:
    return [hit.memory.text for hit in hits]


def together(people: People, role: str = "writer", rule: str = "stays") -> tuple[Commonplace, Commonplace]:
    """Ada's and Ben's books in the namespace they share."""
    ada, ben = people("ada"), people("ben")
    invitation = ada.sharing.share("team", person="ben", role=role, rule=rule)
    ben.sharing.join(str(invitation.code))
    return ada.within("team"), ben.within("team")


def test_what_a_namespace_held_is_there_for_who_joins_and_for_nobody_else(people: People) -> None:
    ada, ben, eve = people("ada"), people("ben"), people("eve")
    ada.within("team").remember("The launch is on Friday")
    ada.remember("Ada's own secret plan is chess")
    code = str(ada.sharing.share("team", person="ben").code)
    assert texts(ada.within("team").recall("launch")) == ["The launch is on Friday"], "it moved under its own keys"
    assert ben.sharing.preview(code).role == "writer"
    with pytest.raises(NotAllowed):
        eve.sharing.join(code)
    ben.sharing.join(code)
    assert texts(ben.within("team").recall("launch")) == ["The launch is on Friday"]
    assert texts(ben.recall("launch")) == ["The launch is on Friday"], "recall reads shared namespaces along"
    assert texts(ben.recall("chess")) == []
    assert texts(eve.recall("launch")) == []
    assert texts(eve.within("team").recall("launch")) == [], "a namespace of the same name is another one"
    with pytest.raises(Invalid):
        eve.sharing.join(code)


def test_the_page_says_who_said_it(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The demo laptop is in the blue bag")
    memory = ben.recall("laptop")[0].memory
    assert memory.author == "ada"
    assert ", ada]" in people("ben").context("where is the demo laptop?")
    assert "said by ada]" in memory_line(memory), "as agents read it by MCP"
    ben.acting_as("mcp", source="assistant", person=False, agent="claude-code").observe("The bag is under the desk")
    told = ada.recall("bag under the desk", kinds=["episodic"])[0].memory
    assert "said by ben]" in memory_line(told)
    assert "said by" not in memory_line(people("ada").get(str(people("ada").remember("Mine").id))), "the control"


def test_a_reader_changes_nothing(people: People) -> None:
    ada, ben = together(people, role="reader")
    id = ada.remember("The launch is on Friday").id
    assert texts(ben.recall("launch")) == ["The launch is on Friday"]
    assert "launch" in ben.context("launch")
    acts: list[Callable[[], Any]] = [
        lambda: ben.remember("The launch is on Monday"),
        lambda: ben.observe("The launch is on Monday"),
        lambda: ben.revise(id, "The launch is on Monday"),
        lambda: ben.reject(id),
        lambda: ben.forget(id),
        lambda: ben.useful(id),
        lambda: ben.relate("Ada", "manages", "Ben"),
        lambda: ben.core.set("city", "Turin"),
        lambda: ben.glossary.create("tag"),
        lambda: ben.sharing.share("team"),
        lambda: ben.sharing.remove("team", "ada"),
        lambda: ben.erase(confirm=True, namespace="team"),
    ]
    for act in acts:
        with pytest.raises(NotAllowed):
            act()
    assert ada.get(id).text == "The launch is on Friday" and len(ada.browse()) == 1
    people("ada").sharing.set_role("team", "ben", "writer")
    assert ben.remember("The launch is at noon").action == "ADD", "a writer may"


def test_what_another_person_stated_is_changed_in_review(people: People) -> None:
    ada, ben = together(people)
    id = ada.remember("The launch is on Friday").id
    for act in (lambda: ben.revise(id, "The launch is on Monday"), lambda: ben.forget(id)):
        assert act().action == "PROPOSE"
    assert ada.get(id).text == "The launch is on Friday"
    proposal = next(waiting for waiting in ben.review.list() if waiting.act == "revise")
    assert proposal.conflict is not None and proposal.conflict.author == "ada"
    with pytest.raises(NotAllowed):
        ben.review.decide(proposal.memory.id, "approve")
    ada.review.decide(proposal.memory.id, "approve")
    assert ben.get(id).text == "The launch is on Monday"
    own = ben.remember("Ben brings the cake").id
    assert ben.revise(own, "Ben brings two cakes").action == "REVISE", "what one stated oneself"


def test_who_was_removed_reads_nothing_more_and_the_keys_are_new(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    assert texts(ben.recall("launch")) == ["The launch is on Friday"]
    before = ada._scope.keychain.latest(ada.owner)
    people("ada").sharing.remove("team", "ben")
    after = ada._scope.keychain.latest(ada.owner)
    assert set(after.seal) & set(before.seal) == set(), "no old seal key is left"
    for act in (
        lambda: ben.recall("launch"),
        ben.browse,
        lambda: ben.remember("x"),
        lambda: people("ben").within("team"),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert texts(people("ben").recall("launch")) == []
    assert texts(ada.recall("launch")) == ["The launch is on Friday"]


@pytest.mark.parametrize("broken", ["before the keys", "after the keys", "while sealing"])
def test_a_removal_that_is_broken_off_is_finished_by_the_job_it_left(
    people: People, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    known = set(ben._scope.keychain.latest(ben.owner).seal)
    expel, ended = Keychain.expel, broken != "before the keys"

    def expel_and_end(self: Keychain, owner: str, member: str) -> None:
        if ended:
            expel(self, owner, member)
        raise OSError("ended here")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="ended here"):
        if broken == "while sealing":
            patch.setattr(keys, "_sealed_anew", lambda *arguments: expel_and_end(ada._scope.keychain, "", ""))
        else:
            patch.setattr(Keychain, "expel", expel_and_end)
        people("ada").sharing.remove("team", "ben")
    assert len(people("ada").sharing.get("team").members) == (1 if ended else 2)
    clock.advance(minutes=6)
    people("ada").maintain()
    if not ended:
        people("ada").sharing.remove("team", "ben")
    assert not known & set(ada._scope.keychain.fresh(ada.owner).seal), "no key that Ben knew is left"
    assert texts(ada.recall("launch")) == ["The launch is on Friday"]
    assert ada.doctor().sound and not ada.jobs.list(states=("waiting", "leased", "dead"), kinds=("reseal",))


def test_who_is_removed_after_a_removal_was_broken_off_knows_no_key_either(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = together(people)
    people("eve").sharing.join(str(people("ada").sharing.share("team", person="eve").code))
    ada.remember("The launch is on Friday")
    with monkeypatch.context() as patch, pytest.raises(OSError, match="full"):
        patch.setattr(keys, "_sealed_anew", _full_disk)
        people("ada").sharing.remove("team", "ben")
    eve = people("eve").within("team")
    known = set(eve._scope.keychain.fresh(eve.owner).seal)
    people("ada").sharing.remove("team", "eve")
    assert not known & set(ada._scope.keychain.fresh(ada.owner).seal)
    assert texts(ada.recall("launch")) == ["The launch is on Friday"]


@pytest.mark.parametrize("rule", ["stays", "goes"])
def test_leaving_keeps_the_rule_that_was_told(people: People, rule: str) -> None:
    ada, ben = together(people, rule=rule)
    ada.remember("The launch is on Friday")
    ben.remember("Ben brings the cake")
    people("ben").sharing.leave("team")
    left = sorted(memory.text for memory in ada.browse())
    assert left == (["Ben brings the cake"] if rule == "stays" else []) + ["The launch is on Friday"]
    assert people("ben").sharing.list() == []


def test_erasing_a_person_ends_the_membership(people: People) -> None:
    ada, _ = together(people)
    ada.remember("The launch is on Friday")
    people("ben").erase(confirm=True)
    assert [member.person for member in people("ada").sharing.get("team").members] == ["ada"]
    assert texts(ada.recall("launch")) == ["The launch is on Friday"]


def test_an_admin_hands_over_or_erases(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    with pytest.raises(Invalid):
        people("ada").sharing.leave("team")
    people("ada").sharing.transfer("team", "ben")
    people("ada").sharing.leave("team")
    assert texts(ben.recall("launch")) == ["The launch is on Friday"]
    people("ben").erase(confirm=True, namespace="team")
    assert texts(people("ben").recall("launch")) == []
    with pytest.raises(NotFound):
        people("ben").sharing.get("team")


def test_what_cannot_be_shared_and_codes_that_are_no_use(people: People, clock: StoppedClock) -> None:
    ada, ben = people("ada"), people("ben")
    for name in ("personal", "default"):
        with pytest.raises(Invalid):
            ada.sharing.share(name)
    code = str(ada.sharing.share("team").code)
    id, _, secret = code.partition(".")
    wrong = ("b" if secret[0] == "a" else "a") + secret[1:]
    for unknown in ("nonsense", f"{id}.{wrong}", f"{'0' * 36}.{secret}"):
        for read in (ben.sharing.join, ben.sharing.preview):
            with pytest.raises(Invalid):
                read(unknown)
    assert ben.sharing.preview(code).namespace == "team"
    clock.advance(days=8)
    with pytest.raises(Invalid):
        ben.sharing.join(code)
    fresh = str(ada.sharing.share("team").code)
    ben.namespaces.create("team")
    with pytest.raises(Conflict):
        ben.sharing.join(fresh)
    agent = ada.acting_as("agent", source="assistant", person=False)
    with pytest.raises(NotAllowed):
        agent.sharing.share("team")


def test_a_copy_of_the_book_is_shared_by_the_same_people(people: People, tmp_path: Any) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    settings = Settings.load(environ={}, overrides={"home": tmp_path / "home", "embedder": "none"})
    target = open_parts(f"sqlite:///{tmp_path}/copy.db", settings)
    copy(ben._parts, target)
    assert texts(Commonplace(target, target.scope("ben", "team")).recall("launch")) == ["The launch is on Friday"]
    with pytest.raises(NotAllowed):
        Sharing(target.scope("ben", "default"), "team").remove("team", "ada")
    target.close()


def test_a_namespace_that_is_not_shared_in_full_is_finished_by_the_next_call(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = people("ada")
    ada.within("team").remember("The launch is on Friday")
    with monkeypatch.context() as broken, pytest.raises(OSError, match="full"):
        broken.setattr(sharing, "import_lines", _full_disk)
        ada.sharing.share("team")
    assert texts(ada.within("team").recall("launch")) == ["The launch is on Friday"], "nothing was lost"
    ada.sharing.share("team")
    assert texts(ada.within("team").recall("launch")) == ["The launch is on Friday"]
    assert ada.within("team").owner != ada.owner


def _full_disk(*arguments: Any) -> None:
    raise OSError("the disk is full")


def test_an_open_invitation_is_listed_and_withdrawn(people: People) -> None:
    ada, ben, eve = people("ada"), people("ben"), people("eve")
    withdrawn = ada.sharing.share("team", person="ben")
    other = ada.sharing.share("team", role="reader")
    assert {(i.id, i.person, i.code) for i in ada.sharing.get("team").invitations} == {
        (withdrawn.id, "ben", None),
        (other.id, None, None),
    }
    with pytest.raises(NotAllowed):
        ada.acting_as("mcp", source="assistant", person=False).sharing.withdraw("team", withdrawn.id)
    assert [i.id for i in ada.sharing.withdraw("team", withdrawn.id).invitations] == [other.id]
    with pytest.raises(Invalid):
        ben.sharing.join(str(withdrawn.code))
    with pytest.raises(NotFound):
        ada.sharing.withdraw("team", withdrawn.id)
    assert eve.sharing.join(str(other.code)).invitations == (), "only admins see invitations"
    by_code = ada.sharing.share("team")
    assert ada.sharing.withdraw("team", str(by_code.code)).invitations == ()
    with pytest.raises(NotAllowed):
        eve.sharing.withdraw("team", by_code.id)


@pytest.mark.parametrize("by", ["remove", "leave"])
def test_nobody_comes_back_by_an_old_code(people: People, by: str) -> None:
    together(people)
    ada, ben = people("ada"), people("ben")
    codes = [str(ada.sharing.share("team", person=person).code) for person in ("ben", None)]
    _ = ada.sharing.remove("team", "ben") if by == "remove" else ben.sharing.leave("team")
    assert ada.sharing.get("team").invitations == ()
    for code in codes:
        with pytest.raises(Invalid):
            ben.sharing.join(code)
    ada.within("team").remember("The launch is on Friday")
    ben.sharing.join(str(ada.sharing.share("team", person="ben", role="reader").code))
    assert texts(ben.recall("launch")) == ["The launch is on Friday"], "the control: a new one lets him in"
    with pytest.raises(Invalid, match="already"):
        ben.sharing.join(str(ada.sharing.share("team", person="ben", role="admin").code))
    assert [shared.role for shared in ben.sharing.list()] == ["reader"]


def test_the_audit_of_a_shared_namespace_names_who_came_and_went(people: People) -> None:
    ada, ben = together(people)
    people("ada").sharing.set_role("team", "ben", "reader")
    people("ben").sharing.leave("team")
    lines = [(line.actor.split(":")[0], line.action, line.target) for line in ada.audit.list() if line.noun == "member"]
    assert lines == [
        ("ada", "INVITE", "ben"),
        ("ben", "JOIN", "ben"),
        ("ada", "ROLE", "ben"),
        ("ben", "LEAVE", "ben"),
    ]
    assert ada.audit.verify().ok
    with pytest.raises(NotAllowed):
        ben.audit.list()


def test_who_was_removed_takes_the_name_off_their_list(people: People) -> None:
    ada, _ = together(people)
    people("ada").sharing.remove("team", "ben")
    assert [shared.role for shared in people("ben").sharing.list()] == ["none"]
    lines = len(ada.audit.list())
    people("ben").sharing.leave("team")
    assert people("ben").sharing.list() == [] and len(ada.audit.list()) == lines


@pytest.mark.parametrize("name", ["personal", " PERSONAL ", "Default", "ｐersonal"])
def test_what_is_ones_own_is_not_shared_however_it_is_written(people: People, name: str) -> None:
    ada = people("ada")
    ada.within("personal").remember("Ada plays chess")
    with pytest.raises(Invalid):
        ada.sharing.share(name)
    assert ada.sharing.list() == [] and ada.sharing.share("team").namespace == "team"


def test_an_admin_who_hands_over_to_themselves_stays_admin(people: People) -> None:
    together(people)
    with pytest.raises(Invalid):
        people("ada").sharing.transfer("team", "ada")
    assert people("ada").sharing.get("team").role == "admin"
    assert people("ada").sharing.transfer("team", "ben").role == "writer"


def test_each_member_speaks_for_themselves(people: People) -> None:
    """Where Ada lives and where Ben lives are two facts; a change by one touches only their own."""
    ada, ben = together(people)
    ada.observe("I live in Berlin and my manager is Olu.")
    ben.observe("I live in Lisbon. My manager is Beatrix.")
    ada.remember("I work at Acme")
    assert ben.remember("I work at Globex").changes[0].action == "ADD"
    beliefs = {memory.text: memory for memory in ada.browse(kinds=["associative", "relational", "core"])}
    assert {"Ada lives in Berlin", "Ben lives in Lisbon", "I work at Acme", "I work at Globex"} <= beliefs.keys()
    assert {memory.status for memory in beliefs.values()} == {"verified"} and ada.review.list() == []
    ben.observe("I moved to Porto.")
    current = {memory.text for memory in ada.browse(kinds=["associative"])}
    assert "Ben lives in Porto" in current and "Ben lives in Lisbon" not in current, "one's own is updated"
    assert "Ada lives in Berlin" in current
    assert ", ben] I moved to Porto." in people("ada").context("who moved to Porto?"), "a turn names its member too"


def test_a_job_that_learns_names_the_member_whose_words_it_read(people: People) -> None:
    ada, ben = together(people)
    turn = ada._gateway.observe(as_messages("I live in Berlin."), session="talk").receipt.ids[0]
    job = replace(ada._scope, store=ada._parts.store, member=None, home=None)
    Learner(scope=job, allows=lambda subject, object: True).learn([turn])
    (belief,) = ben.browse(kinds=["associative"])
    assert (belief.text, belief.author) == ("Ada lives in Berlin", "ada")


def test_a_memory_says_which_agent_wrote_it_and_another_members_agent_only_proposes(people: People) -> None:
    ada, ben = together(people)
    hers = ada.acting_as("mcp", source="assistant", person=False, agent="claude-code")
    his = ben.acting_as("codex", source="assistant", person=False)
    id = hers.remember("The printer is on floor 3").id
    memory = ben.get(id)
    assert (memory.author, memory.agent, memory.status) == ("ada", "claude-code", "candidate")
    assert "ada by claude-code]" in people("ben").context("where is the printer?")
    assert his.revise(id, "The printer is on floor 4").action == "PROPOSE"
    assert hers.revise(id, "The printer is on floor 5").action == "REVISE", "her own agent may"
    assert his.confirm(id) and ben.get(id).status == "candidate", "an agent verifies nothing"
    assert ben.revise(id, "The printer is on floor 6").action == "REVISE", "a person may correct an agent's claim"
    after = ada.get(id)
    assert (after.author, after.agent, after.status) == ("ben", None, "verified"), "and stands for it from then on"


def test_confirming_ones_own_claim_does_not_replace_what_another_stated(people: People) -> None:
    ada, ben = together(people)
    cy = people("cy")
    cy.sharing.join(str(people("ada").sharing.share("team", person="cy").code))
    ada.observe("We decided to use Kafka for events.")
    ben.observe("We decided to use RabbitMQ for events, not Kafka.")
    (conflict,) = ben.review.list()
    assert conflict.conflict is not None and conflict.conflict.author == "ada"
    for act in (ben.confirm, lambda id: ben.review.decide(id, "approve"), cy.within("team").confirm):
        with pytest.raises(NotAllowed):
            act(conflict.memory.id)
    assert ada.get(conflict.conflict.id).valid_to is None
    ada.review.decide(conflict.memory.id, "approve")
    assert ada.get(conflict.conflict.id).valid_to is not None, "she decides about her own"


def test_a_proposal_is_declined_by_who_it_concerns(people: People) -> None:
    ada, ben = together(people)
    cy = people("cy")
    cy.sharing.join(str(people("ada").sharing.share("team", person="cy").code))
    id = ada.remember("The launch is on Friday").id
    for text in ("The launch is on Monday", "The launch is on Tuesday"):
        ben.revise(id, text)
    first, second = (waiting.memory.id for waiting in ada.review.list())
    with pytest.raises(NotAllowed):
        cy.within("team").review.decide(first, "reject")
    ben.review.decide(first, "reject")  # who proposed may take it back
    ada.review.decide(second, "reject")
    assert ada.review.list() == [] and ada.get(id).text == "The launch is on Friday"


def test_what_recall_reads_along_can_be_named_by_its_id(people: People) -> None:
    ada, _ = together(people)
    id = ada.remember("The launch is on Friday").id
    own, eve = people("ben"), people("eve")
    assert own.recall("launch")[0].memory.id == id and own.get(id).namespace == "team"
    assert own.revise(id, "The launch is on Monday").action == "PROPOSE"
    assert own.useful(id) and [version.version for version in own.history(id)] == [1, 2]
    with pytest.raises(NotFound):
        eve.get(id)
    people("ada").sharing.remove("team", "ben")
    with pytest.raises(NotFound):
        own.get(id)


def test_every_verb_that_takes_an_id_knows_those_of_shared_namespaces(people: People) -> None:
    _, ben = together(people)
    own = people("ben")
    episode = ben.observe("I work at Acme").ids[0]
    tie = str(ben.relate("Ada", "manages", "Ben").id)
    note = str(ben.remember("The colour is teal").id)
    undoable = own.revise(note, "The colour is green")
    assert own.undo(undoable).action == "UNDO" and own.get(note).text == "The colour is teal"
    assert own.archive(note).action == "ARCHIVE" and own.get(note).status == "archived"
    assert own.graph.get(tie).object.label == "Ben"
    assert own.graph.revise(tie, notes="since May").action == "REVISE"
    learned = next(memory for memory in ben.browse(kinds=["associative", "relational"]) if "Acme" in memory.text)
    assert [memory.id for memory, _ in own.evidence(learned.id)] == [episode]
    assert own.why(learned.id) == ben.why(learned.id) != []
    waiting = ben.acting_as("bot", source="assistant", person=False).remember("Bees sleep")
    assert own.review.decide(str(waiting.id), "approve").action == "CONFIRM"
    forgotten = own.forget(tie)
    assert own.verify_receipt(forgotten).found == ()
    for verb in (own.get, own.history, own.archive, own.undo, own.graph.get, own.verify_receipt):
        with pytest.raises(NotFound):
            verb("nothing")


def test_what_waits_in_a_shared_namespace_is_in_the_review_of_who_may_decide(people: People) -> None:
    ada, ben = together(people)
    people("eve").sharing.join(str(people("ada").sharing.share("team", person="eve", role="reader").code))
    id = str(ada.remember("The launch is on Friday").id)
    people("ada").acting_as("bot", source="assistant", person=False).remember("Bees sleep")
    ben.revise(id, "The launch is on Monday")
    ben.end(id)
    own = people("ada").review
    waiting = own.list()
    assert own.count() == 3 and [(each.memory.text, each.memory.namespace) for each in waiting] == [
        ("Bees sleep", "default"),
        ("The launch is on Monday", "team"),
        ("The launch is on Friday", "team"),
    ]
    conflict = waiting[1].conflict
    assert conflict is not None and (conflict.text, conflict.author) == ("The launch is on Friday", "ada")
    assert "end" in waiting[2].reason and waiting[2].act == "end"
    assert own.list(limit=1, after=waiting[0].memory.id) == waiting[1:2]
    assert people("eve").review.list() == [], "a reader decides nothing"
    own.decide(waiting[1].memory.id, "approve")
    assert ada.get(id).text == "The launch is on Monday" and own.count() == 2


def test_in_a_shared_namespace_what_is_personal_is_read_along_by_who_it_belongs_to(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    own = people("ben").within("personal")
    id = str(own.remember("I am allergic to hazelnuts").id)
    own.core.set("language", "Answer in Italian")
    people("ben").remember("The hazelnut cake is a secret")
    assert texts(ben.recall("hazelnuts")) == ["I am allergic to hazelnuts"], "of one's own, only what is personal"
    page = ben.context("what about hazelnuts at the launch?")
    assert "allergic" in page and "Italian" in page and "Friday" in page
    assert ben.get(id).namespace == "personal" and ben.revise(id, "I am allergic to walnuts").action == "REVISE"
    assert texts(ada.recall("hazelnuts walnuts")) == [] and "Italian" not in ada.context("walnuts")
    assert texts(ben.recall("walnuts", namespaces=["team"])) == []
    people("ada").sharing.remove("team", "ben")
    with pytest.raises(NotAllowed):
        ben.recall("walnuts")
    assert texts(own.recall("walnuts")) == ["I am allergic to walnuts"]


def test_a_reader_tidies_nothing_and_a_writers_round_tidies_what_is_shared(people: People, clock: StoppedClock) -> None:
    ada, ben = together(people, role="reader")
    ada.remember("The door is red", importance=0.0)
    clock.advance(days=400)
    with pytest.raises(NotAllowed):
        ben.maintain()
    assert people("ben").maintain().owners == 1 and len(ada.browse()) == 1
    assert people("ada").maintain().owners == 2 and ada.browse(statuses=["archived"])
    assert [namespace.name for namespace in people("ben").stats().namespaces] == []


def test_recall_over_shared_namespaces_is_one_search(people: People) -> None:
    ada, ben = together(people)
    own = ben.within("default")
    for n in range(12):
        ada.remember(f"Somebody mentioned lunch once, on day {n}")
        own.remember(f"The launch of the heliotrope is postponed to week {n}")
    ada.remember("The heliotrope is launched by Cy", tags=["who"])
    found = own.recall("launch of the heliotrope", limit=30)
    assert {hit.memory.namespace for hit in found} == {"default", "team"}
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    weak = [hit for hit in found if "lunch" in hit.memory.text]
    assert all(hit.score < found[0].score / 2 for hit in weak), "the best of a poor namespace is no rival"
    assert found == own.recall("launch of the heliotrope", limit=30), "the same question, the same answer"
    (tagged,) = [hit for hit in found if "Cy" in hit.memory.text]
    assert list(tagged.memory.tags) == ["who"]
    explained = own.recall("launch of the heliotrope", limit=30, explain=True)
    assert [hit.memory.id for hit in explained] == [hit.memory.id for hit in found] and all(
        hit.why for hit in explained
    )
    newest = own.recall("", limit=3)
    assert [hit.memory.namespace for hit in newest] == ["team", "default", "team"], "the newest of all of them"


def test_more_people_recall_at_once_than_there_are_connections(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda n: texts(ben.within("default").recall(f"launch {n}")), range(48)))
    assert answers == [["The launch is on Friday"]] * 48


def test_a_membership_that_ends_within_a_recall_takes_its_namespace_out_of_it(people: People) -> None:
    ada, ben = together(people)
    ada.remember("The launch is on Friday")
    own = ben.within("default")
    own.remember("Own launch pad")
    recall, ended = own._recall(), []

    def members(names: Any, transactions: Any) -> Any:
        scopes = present_scopes(own._scope, names, transactions)
        if not ended:
            ended.append(ada.within("default").sharing.remove("team", "ben"))
        return scopes

    shared = replace(recall, shared=partial(own._parts.shared_names, own._scope), members=members)
    assert texts(shared.hits(Query(text="launch"))) == ["Own launch pad"]
    assert ended, "the control"
    assert texts(own.recall("launch")) == ["Own launch pad"]


def test_who_is_no_member_is_looked_for_among_the_members(people: People) -> None:
    ada, _ = together(people)
    with pytest.raises(NotFound, match=r"no member 'eve' here; `namespace members` lists who"):
        ada.within("default").sharing.remove("team", "eve")
    with pytest.raises(NotFound, match="no shared namespace of that name here"):
        ada.within("default").sharing.leave("club")
