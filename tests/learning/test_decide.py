"""What becomes of a candidate: every shape, every status, every order of saying."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from commonplace.errors import Invalid
from commonplace.learning.decide import Belief, Decision, check, decide
from commonplace.model import CURRENT, STATUSES, Candidate

NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
BEFORE = NOW - timedelta(days=90)
LONG_AGO = NOW - timedelta(days=900)


def candidate(
    subject: str | None = "owner", predicate: str | None = "lives_in", object: str | None = "Oslo", **more: Any
) -> Candidate:
    text = more.pop("statement", f"{subject} {predicate} {object}")
    given: dict[str, Any] = {"type": "fact", "kind": "associative", "category": "fact", "quote": "q", "episode": "e"}
    return Candidate(statement=text, subject=subject, predicate=predicate, object=object, **(given | more))


def belief(
    subject: str | None = "owner", predicate: str | None = "lives_in", object: str | None = "Vienna", **more: Any
) -> Belief:
    text = more.pop("statement", f"{subject} {predicate} {object}")
    given: dict[str, Any] = {"id": "b", "said_at": BEFORE, "recorded_at": BEFORE}
    return Belief(statement=text, subject=subject, predicate=predicate, object=object, **(given | more))


def test_nothing_near_adds() -> None:
    decision = decide(candidate(), [], now=NOW)
    assert (decision.action, decision.target, decision.review) == ("ADD", None, False)


def test_the_same_value_corroborates() -> None:
    decision = decide(candidate(object="vienna."), [belief()], now=NOW)
    assert (decision.action, decision.target) == ("NOOP", "b")


def test_the_same_place_with_more_detail_is_the_same() -> None:
    assert decide(candidate(object="Vienna, Austria"), [belief()], now=NOW).action == "NOOP"
    assert decide(candidate(object="Vienna Falls"), [belief()], now=NOW).action == "UPDATE"


# The five shapes


def test_replacement_closes_the_old_where_the_new_starts() -> None:
    decision = decide(candidate(), [belief()], now=NOW)
    assert (decision.action, decision.target, decision.retire_at) == ("UPDATE", "b", NOW)
    assert not (decision.tombstone or decision.forget or decision.review)
    moved = datetime(2026, 2, 1, tzinfo=UTC)
    assert decide(candidate(valid_from=moved), [belief()], now=NOW).retire_at == moved


def test_the_old_never_ends_before_it_began() -> None:
    decision = decide(candidate(valid_from=LONG_AGO), [belief(valid_from=BEFORE)], now=NOW)
    assert (decision.action, decision.retire_at) == ("UPDATE", BEFORE)


@pytest.mark.parametrize(("was", "now_is"), [("likes", "dislikes"), ("dislikes", "likes"), ("always", "never")])
def test_polarity_flips_on_the_same_thing_only(was: str, now_is: str) -> None:
    old = belief(predicate=was, object="jazz", many=True)
    assert decide(candidate(predicate=now_is, object="jazz", many=True), [old], now=NOW).action == "UPDATE"
    assert decide(candidate(predicate=now_is, object="techno", many=True), [old], now=NOW).action == "ADD"
    assert decide(candidate(predicate=was, object="jazz", many=True), [old], now=NOW).action == "NOOP"


def test_a_preference_turned_round_replaces_and_another_does_not() -> None:
    old = belief(predicate="prefers", object="tabs over spaces", many=True)
    turned = candidate(predicate="prefers", object="spaces over tabs", many=True)
    other = candidate(predicate="prefers", object="tea over coffee", many=True)
    assert decide(turned, [old], now=NOW).action == "UPDATE"
    assert decide(other, [old], now=NOW).action == "ADD"


@pytest.mark.parametrize(
    ("retracts", "tombstone", "forget"), [("ended", False, False), ("wrong", True, False), ("forget", True, True)]
)
def test_a_retraction_deletes_in_its_own_way(retracts: str, tombstone: bool, forget: bool) -> None:
    decision = decide(candidate(object="Vienna", retracts=retracts), [belief()], now=NOW)
    assert (decision.action, decision.target) == ("DELETE", "b")
    assert (decision.tombstone, decision.forget) == (tombstone, forget)
    assert decision.retire_at == NOW


def test_only_the_part_that_is_named_is_superseded() -> None:
    near = [
        belief(id="tea", predicate="likes", object="tea", many=True),
        belief(id="coffee", predicate="likes", object="coffee", many=True),
    ]
    gone = decide(candidate(predicate="likes", object="coffee", many=True, retracts="ended"), near, now=NOW)
    assert (gone.action, gone.target, gone.also) == ("DELETE", "coffee", ())
    flipped = decide(candidate(predicate="dislikes", object="coffee", many=True), near, now=NOW)
    assert (flipped.action, flipped.target, flipped.also) == ("UPDATE", "coffee", ())


def test_a_part_of_a_compound_waits_for_a_person() -> None:
    near = [belief(predicate="likes", object="tea and coffee", many=True)]
    gone = decide(candidate(predicate="likes", object="coffee", many=True, retracts="ended"), near, now=NOW)
    assert (gone.action, gone.target, gone.review) == ("NOOP", "b", True)
    flipped = decide(candidate(predicate="dislikes", object="coffee", many=True), near, now=NOW)
    assert (flipped.action, flipped.review) == ("ADD", True)


def test_what_holds_for_a_time_leaves_the_rest_open() -> None:
    week = NOW + timedelta(days=7)
    decision = decide(candidate(valid_to=week), [belief()], now=NOW)
    assert (decision.action, decision.until) == ("ADD", None)
    closed = belief(valid_to=week - timedelta(days=1))
    assert decide(candidate(valid_to=week), [closed], now=NOW).action == "UPDATE"


def test_an_end_that_becomes_known_bounds_the_same_value() -> None:
    june = NOW + timedelta(days=100)
    decision = decide(candidate(object="Vienna", valid_to=june), [belief()], now=NOW)
    assert (decision.action, decision.target, decision.retire_at) == ("UPDATE", "b", NOW)


def test_how_it_was_before_is_history_only() -> None:
    decision = decide(candidate(object="Graz", valid_to=LONG_AGO), [belief()], now=NOW)
    assert (decision.action, decision.until) == ("ADD", LONG_AGO)


# Slots


def test_a_multi_valued_slot_is_not_overwritten() -> None:
    old = belief(predicate="speaks", object="German", many=True)
    assert decide(candidate(predicate="speaks", object="Italian", many=True), [old], now=NOW).action == "ADD"
    assert decide(candidate(predicate="speaks", object="german", many=True), [old], now=NOW).action == "NOOP"


@pytest.mark.parametrize("mine", [True, False])
@pytest.mark.parametrize("theirs", [True, False])
def test_one_side_that_says_many_is_enough(mine: bool, theirs: bool) -> None:
    old = belief(predicate="collects", object="stamps", many=theirs)
    decision = decide(candidate(predicate="collects", object="coins", many=mine), [old], now=NOW)
    assert decision.action == ("ADD" if mine or theirs else "UPDATE")


def test_an_office_has_one_holder_and_a_holder_several_offices() -> None:
    old = belief("Giulia", "cfo_of", "owner", kind="relational")
    new = candidate("Marta", "cfo_of", "owner", kind="relational")
    assert decide(new, [old], now=NOW).action == "UPDATE"
    assert decide(replace(new, predicate="cto_of"), [old], now=NOW).action == "ADD"
    assert decide(replace(new, object="Acme"), [old], now=NOW).action == "ADD"


def test_an_edge_that_runs_both_ways_is_one_edge() -> None:
    old = belief("Laura", "partner_of", "owner", kind="relational")
    assert decide(candidate("owner", "partner_of", "Laura", kind="relational"), [old], now=NOW).action == "NOOP"
    assert decide(candidate("owner", "partner_of", "Ines", kind="relational"), [old], now=NOW).action == "UPDATE"


def test_a_core_value_is_replaced_by_its_key() -> None:
    old = belief(predicate=None, subject=None, object="Giulia", key="cfo", kind="core")
    new = candidate(predicate="has_one_cfo", object="Marta", key="cfo", kind="core")
    assert decide(new, [old], now=NOW).action == "UPDATE"
    assert decide(replace(new, object="giulia"), [old], now=NOW).action == "NOOP"
    assert decide(replace(new, key="cto"), [old], now=NOW).action == "ADD"


@pytest.mark.parametrize("change", [{"subject": "Marco"}, {"predicate": "works_at"}, {"predicate": "from"}])
def test_another_subject_or_predicate_is_another_slot(change: dict[str, str]) -> None:
    assert decide(replace(candidate(), **change), [belief()], now=NOW).action == "ADD"


def test_free_statements_never_replace_each_other() -> None:
    old = belief(None, None, None, statement="Decision: use Redis for sessions", similarity=0.99)
    new = candidate(None, None, None, statement="Decision: use Kafka for sessions")
    assert decide(new, [old], now=NOW).action == "ADD"
    again = replace(new, statement="decision: use redis for sessions.")
    assert decide(again, [old], now=NOW) == Decision(action="NOOP", target="b", reason="the same value, said again")


# Time


def test_old_news_does_not_replace_newer_truth() -> None:
    newer = belief(object="Oslo", said_at=NOW)
    decision = decide(candidate(object="Vienna"), [newer], now=NOW, said_at=BEFORE)
    assert (decision.action, decision.until) == ("ADD", NOW)
    later = decide(candidate(object="Vienna"), [newer], now=NOW, said_at=NOW + timedelta(seconds=1))
    assert later.action == "UPDATE"


def test_old_news_is_left_alone_where_the_newer_saying_reaches_back_further() -> None:
    newer = belief(object="Oslo", said_at=NOW, valid_from=LONG_AGO)
    decision = decide(candidate(object="Vienna"), [newer], now=NOW, said_at=BEFORE)
    assert (decision.action, decision.target) == ("NOOP", "b")


def test_a_saying_between_two_others_closes_the_earlier_and_ends_at_the_later() -> None:
    near = [belief(id="a", said_at=LONG_AGO), belief(id="c", object="Rome", said_at=NOW)]
    decision = decide(candidate(), near, now=NOW, said_at=BEFORE)
    assert (decision.action, decision.target, decision.retire_at, decision.until) == ("UPDATE", "a", BEFORE, NOW)


def test_all_that_stands_against_a_new_value_closes() -> None:
    near = [belief(id="a", object="Vienna"), belief(id="c", object="Rome", said_at=NOW)]
    decision = decide(candidate(), near, now=NOW)
    assert (decision.action, decision.target, decision.also) == ("UPDATE", "c", ("a",))


def test_an_old_retraction_does_not_undo_a_newer_saying() -> None:
    newer = belief(object="Oslo", said_at=NOW)
    for retracts in ("ended", "wrong", "forget"):
        decision = decide(candidate(retracts=retracts), [newer], now=NOW, said_at=BEFORE)
        assert (decision.action, decision.target) == ("NOOP", "b")
        assert decide(candidate(retracts=retracts), [newer], now=NOW, said_at=NOW).action == "DELETE"


def test_moving_back_simply_works() -> None:
    over = belief(object="Oslo", valid_to=BEFORE)
    assert decide(candidate(object="Oslo"), [over], now=NOW).action == "ADD"


def test_what_is_over_is_not_replaced_again() -> None:
    assert decide(candidate(), [belief(valid_to=BEFORE)], now=NOW).action == "ADD"


# Trust


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_decides_whether_a_belief_can_be_replaced_or_confirmed(status: str) -> None:
    other = decide(candidate(), [belief(status=status)], now=NOW)
    assert other.action == ("UPDATE" if status in CURRENT else "ADD")
    assert not other.review
    same = decide(candidate(object="Vienna"), [belief(status=status)], now=NOW)
    assert same.action == ("NOOP" if status in CURRENT else "ADD")
    assert same.review == (status == "rejected")


def test_a_rejected_value_never_comes_back_silently() -> None:
    near = [belief(id="r", object="Oslo", status="rejected"), belief(id="v", object="Vienna")]
    decision = decide(candidate(object="Oslo"), near, now=NOW)
    assert (decision.action, decision.review) == ("ADD", True)
    free = belief(None, None, None, statement="The gate is broken", status="rejected")
    again = candidate(None, None, None, statement="the gate is broken")
    assert decide(again, [free], now=NOW).review


@pytest.mark.parametrize("kept", [{"pinned": True}, {"vouched": True}])
def test_a_model_does_not_overwrite_what_a_person_keeps(kept: dict[str, bool]) -> None:
    held = replace(belief(), **kept)
    decision = decide(candidate(), [held], now=NOW, source="assistant")
    assert (decision.action, decision.review) == ("ADD", True)
    gone = decide(candidate(object="Vienna", retracts="wrong"), [held], now=NOW, source="assistant")
    assert (gone.action, gone.review) == ("NOOP", True)
    assert decide(candidate(), [held], now=NOW).action == "UPDATE"
    assert decide(candidate(), [belief()], now=NOW, source="assistant").action == "UPDATE"


def test_a_guess_does_not_replace_what_is_known_well() -> None:
    decision = decide(candidate(confidence=0.3), [belief(confidence=0.9)], now=NOW)
    assert (decision.action, decision.review) == ("ADD", True)


def test_evidence_is_never_touched() -> None:
    episode = belief(kind="episodic")
    assert decide(candidate(), [episode], now=NOW).action == "ADD"
    assert decide(candidate(object="Vienna", retracts="forget"), [episode], now=NOW).action == "NOOP"


# Retractions


def test_a_retraction_of_another_value_takes_nothing_back() -> None:
    decision = decide(candidate(object="Bergen", retracts="ended"), [belief()], now=NOW)
    assert (decision.action, decision.target) == ("NOOP", None)


def test_a_retraction_without_an_object_takes_back_all_of_the_slot() -> None:
    near = [belief(id="a", predicate="has_sister", object="a sister", many=True), belief(id="b")]
    decision = decide(candidate(predicate="has_sister", object=None, many=True, retracts="wrong"), near, now=NOW)
    assert (decision.action, decision.target, decision.also) == ("DELETE", "a", ())


def test_a_retraction_without_a_predicate_takes_back_all_of_the_subject() -> None:
    near = [
        belief("owner's sister", "lives_in", "Rome", id="a"),
        belief("owner's sister", "works_at", "Fiat", id="b"),
        belief(id="c"),
    ]
    decision = decide(candidate("owner's sister", None, None, retracts="wrong", many=True), near, now=NOW)
    assert (decision.action, decision.target, decision.also, decision.tombstone) == ("DELETE", "a", ("b",), True)


def test_a_vague_forget_waits_for_a_person() -> None:
    near = [belief(None, None, None, statement="Owner's bonus is paid in May")]
    vague = candidate(None, None, "bonus", statement="Forget: bonus", retracts="forget")
    decision = decide(vague, near, now=NOW)
    assert (decision.action, decision.target, decision.review) == ("NOOP", "b", True)
    assert decide(replace(vague, object="salary"), near, now=NOW).target is None
    exact = replace(vague, object="Owner's bonus is paid in May")
    assert decide(exact, near, now=NOW).forget


@pytest.mark.parametrize("status", STATUSES)
def test_what_ended_must_be_believed_and_what_was_wrong_only_recorded(status: str) -> None:
    near = [belief(status=status)]
    ended = decide(candidate(object="Vienna", retracts="ended"), near, now=NOW)
    wrong = decide(candidate(object="Vienna", retracts="wrong"), near, now=NOW)
    assert ended.action == ("DELETE" if status in CURRENT else "NOOP")
    assert wrong.action == ("NOOP" if status == "rejected" else "DELETE")


# Every combination keeps what must always hold

STATES = list(
    product(
        STATUSES,
        (False, True),  # pinned
        (None, BEFORE, NOW + timedelta(days=5)),  # valid_to of the belief
        ("Vienna", "Oslo"),
        (None, "ended", "wrong", "forget"),
        ("user", "assistant"),
        (LONG_AGO, NOW),  # said_at of the candidate
        (None, NOW + timedelta(days=3)),  # valid_to of the candidate
    )
)


@pytest.mark.parametrize("many", [False, True])
def test_every_verdict_keeps_the_invariants(many: bool) -> None:
    seen = set()
    for status, pinned, over, value, retracts, source, said_at, bounded in STATES:
        near = [belief(status=status, pinned=pinned, valid_to=over, many=many)]
        given = candidate(object=value, retracts=retracts, many=many, valid_to=bounded)
        decision = decide(given, near, now=NOW, said_at=said_at, source=source)
        seen.add(decision.action)
        assert decision == decide(given, near, now=NOW, said_at=said_at, source=source)
        assert decision.reason
        if decision.action in ("UPDATE", "DELETE"):
            assert decision.target == "b" and decision.retire_at is not None and not decision.review
            assert not (pinned and source != "user")
            assert said_at >= BEFORE
        else:
            assert not (decision.tombstone or decision.forget or decision.also)
        assert (decision.action == "DELETE") <= (retracts is not None)
        assert (decision.action in ("ADD", "UPDATE")) <= (retracts is None)
        if not pinned:
            assert check(decision, given, near, now=NOW, said_at=said_at) is decision
    assert seen == {"ADD", "UPDATE", "DELETE", "NOOP"} if not many else seen >= {"ADD", "DELETE", "NOOP"}


# A model's second opinion

UPDATE = Decision(action="UPDATE", target="b", reason="model", retire_at=NOW)
DELETE = Decision(action="DELETE", target="b", reason="model", retire_at=NOW)


def refused(decision: Decision, given: Candidate, *near: Belief, said_at: datetime = NOW) -> str:
    with pytest.raises(Invalid) as caught:
        check(decision, given, near, now=NOW, said_at=said_at)
    return str(caught.value)


def test_a_sound_opinion_passes() -> None:
    assert check(UPDATE, candidate(), [belief()], now=NOW) is UPDATE
    assert check(DELETE, candidate(object="Vienna", retracts="ended"), [belief()], now=NOW) is DELETE
    noop = Decision(action="NOOP", target="b", reason="model")
    assert check(noop, candidate(), [belief()], now=NOW) is noop
    add = Decision(action="ADD", reason="model")
    assert check(add, candidate(), [belief()], now=NOW) is add


def test_an_unsound_opinion_is_refused_with_its_reason() -> None:
    assert "neighbours" in refused(replace(UPDATE, target="x"), candidate(), belief())
    assert "neighbours" in refused(replace(UPDATE, also=("x",)), candidate(), belief())
    assert "evidence" in refused(UPDATE, candidate(), belief(kind="episodic"))
    assert "no belief" in refused(replace(UPDATE, target=None), candidate(), belief())
    assert "person" in refused(UPDATE, candidate(), belief(pinned=True))
    assert "person" in refused(DELETE, candidate(object="Vienna", retracts="ended"), belief(vouched=True))
    assert "said later" in refused(UPDATE, candidate(), belief(), said_at=LONG_AGO)
    assert "when" in refused(replace(UPDATE, retire_at=None), candidate(), belief())
    assert "began" in refused(replace(UPDATE, retire_at=LONG_AGO), candidate(), belief(valid_from=BEFORE))
    assert "replaces nothing" in refused(UPDATE, candidate(retracts="ended"), belief())
    assert "slot" in refused(UPDATE, candidate(predicate="works_at"), belief())
    assert "slot" in refused(UPDATE, candidate(None, None, None), belief(None, None, None))
    assert "believed now" in refused(UPDATE, candidate(), belief(status="archived"))
    assert "only a retraction" in refused(DELETE, candidate(), belief())
    assert "forgotten" in refused(replace(DELETE, forget=True, tombstone=True), candidate(retracts="wrong"), belief())
    assert "tombstone" in refused(replace(DELETE, tombstone=True), candidate(retracts="ended"), belief())
    assert "tombstone" in refused(replace(UPDATE, tombstone=True), candidate(), belief())
    assert "tombstone" in refused(Decision(action="NOOP", reason="m", forget=True), candidate(), belief())
    assert "nothing yet" in refused(replace(UPDATE, review=True), candidate(), belief())
    assert "adds nothing" in refused(Decision(action="ADD", reason="m"), candidate(retracts="ended"), belief())
    assert "no other" in refused(Decision(action="ADD", reason="m", target="b"), candidate(), belief())
    rejected = belief(object="Oslo", status="rejected")
    assert "rejected before" in refused(Decision(action="ADD", reason="m"), candidate(), rejected)


def test_many_values_cannot_be_replaced_by_an_opinion() -> None:
    old = belief(predicate="speaks", object="German", many=True)
    assert "slot" in refused(UPDATE, candidate(predicate="speaks", object="Italian", many=True), old)
