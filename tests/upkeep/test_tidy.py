"""Pruning, merging, expiring, purging: what goes, what never goes, and the way back."""

from datetime import timedelta

import pytest

from commonplace import Commonplace, Invalid, NotFound
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep.prune import expire, keep_within, purge


def scope(book: Commonplace):
    return book._scope


@pytest.fixture
def sample(book: Commonplace, clock: StoppedClock) -> dict[str, str]:
    """A month-old book: one memory that may go, and one of everything that may not."""
    ids = {
        "dull": book.remember("the printer on floor two hums", importance=0.1).id,
        "weighty": book.remember("the contract ends in June", importance=0.8).id,
        "pinned": book.remember("the door code was changed", importance=0.1, pinned=True).id,
        "core": book.remember("Oslo", kind="core", key="city", importance=0.1).id,
    }
    ids["episode"] = book.observe("I play the cello in Bergen").id
    clock.advance(days=31)
    ids["young"] = book.remember("the lift squeaks", importance=0.1).id
    return ids


def test_prune_takes_the_unimportant_and_old_and_nothing_else(book: Commonplace, sample: dict[str, str]) -> None:
    dry = book.prune(dry_run=True)
    assert [one.id for one in dry.findings] == [sample["dull"]] and dry.dry_run and dry.receipt is None
    assert "0.3" in dry.findings[0].reason and "30 days" in dry.findings[0].reason
    assert book.get(sample["dull"]).status == "verified"
    done = book.prune()
    assert done.count == 1 and book.get(sample["dull"]).status == "archived"
    assert [book.get(sample[name]).status for name in ("weighty", "pinned", "core", "young")] == ["verified"] * 4
    assert not book.recall("printer hums") or book.recall("printer hums")[0].memory.id != sample["dull"]
    assert book.recall("contract June")[0].memory.id == sample["weighty"]
    assert book.prune().count == 0


def test_a_pruning_is_undone_as_a_whole(book: Commonplace, clock: StoppedClock) -> None:
    ids = book.remember_many([{"text": f"trifle number {n}", "importance": 0.1} for n in range(450)]).ids
    clock.advance(days=40)
    done = book.prune()
    assert done.count == 450 and done.receipt
    book.within("elsewhere").undo(done.receipt)
    assert {book.get(id).status for id in ids} == {"verified"}
    assert book.recall("trifle number 7")


def test_undoing_leaves_alone_what_changed_since(book: Commonplace, clock: StoppedClock) -> None:
    first, second = (book.remember(f"trifle of {name}", importance=0.1).id for name in ("Ada", "Bob"))
    clock.advance(days=40)
    done = book.prune()
    book.forget(first)
    undone = book.undo(done.receipt)
    assert book.get(second).status == "verified"
    with pytest.raises(NotFound):
        book.get(first)
    assert any(change.id == first and "changed since" in change.reason for change in undone.changes)


def test_episodes_go_only_by_their_own_setting_and_never_while_something_rests_on_them(
    book: Commonplace, clock: StoppedClock
) -> None:
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.unit_of_work import write_transaction
    from commonplace.model import NewMemory
    from commonplace.upkeep.prune import PruneRule, prune

    bare = book.observe("the weather in Bergen is wet").id
    source = book.observe("I live in Oslo").id
    with write_transaction(scope(book), "LEARN") as work:
        held = Gateway(scope(book)).admit(
            work, NewMemory(text="Ada lives in Oslo"), evidence=[(source, "I live in Oslo")]
        )
        work.receipt()
    clock.advance(days=100)
    assert book.prune().count == 0
    assert [one.id for one in prune(scope(book), rule=PruneRule(episode_days=90)).findings] == [bare]
    assert book.get(held.id).text and book.get(source).status == "verified"


def test_identical_values_become_one_with_all_tags_and_the_earliest_date(
    book: Commonplace, clock: StoppedClock
) -> None:
    first = book.remember("Ada plays the cello", tags=["music"], metadata={"a": 1}).id
    clock.advance(days=2)
    second = book.remember("Ada plays the drums", tags=["hobby"], importance=0.9, metadata={"b": 2}).id
    near = book.remember("Ada plays the cello at home").id
    book.revise(second, "ada plays the CELLO", reason="misheard")
    assert book.merge(dry_run=True).count == 1 and book.get(second).status == "verified"
    done = book.merge()
    kept = book.get(first)
    assert [one.id for one in done.findings] == [second] and first in done.findings[0].reason
    assert (kept.tags, kept.metadata, kept.importance) == (("hobby", "music"), {"a": 1, "b": 2}, 0.9)
    assert kept.recorded_at == clock.at - timedelta(days=2)
    assert book.get(second).status == "archived" and book.get(near).status == "verified"
    book.undo(done.receipt)
    assert (book.get(first).tags, book.get(second).status) == (("music",), "verified")


def test_merging_keeps_all_evidence_and_undoing_gives_it_back(book: Commonplace) -> None:
    from commonplace.memories.gateway import Gateway
    from commonplace.memories.unit_of_work import write_transaction
    from commonplace.model import NewMemory

    said = [book.observe(f"turn {n}: I like tea").id for n in range(2)]
    ids = []
    for episode, text in zip(said, ("Ada likes tea", "Ada likes coffee"), strict=True):
        with write_transaction(scope(book), "LEARN") as work:
            ids.append(Gateway(scope(book)).admit(work, NewMemory(text=text), evidence=[(episode, "I like tea")]).id)
            work.receipt()
    book.revise(ids[1], "Ada likes tea")
    done = book.merge()
    assert {one.id for one, quote in book.evidence(ids[0]) if quote == "I like tea"} == set(said)
    book.undo(done.receipt)
    assert [one.id for one, _ in book.evidence(ids[0])] == [said[0]]
    assert [one.id for one, _ in book.evidence(ids[1])] == [said[1]]


def test_what_was_true_at_different_times_stays_apart(book: Commonplace, clock: StoppedClock) -> None:
    day = clock.at
    book.remember("Ada lives in Oslo", valid_from=day - timedelta(days=900), valid_to=day - timedelta(days=500))
    other = book.remember("Ada lives in Rome", valid_from=day - timedelta(days=100)).id
    book.revise(other, "Ada lives in Oslo")
    assert book.merge().count == 0


def test_the_expired_goes_out_of_sight_then_for_good(book: Commonplace, clock: StoppedClock) -> None:
    id = book.remember("the guest code is 4711 today", expires_at=clock.at + timedelta(days=1)).id
    stays = book.remember("the guest room is upstairs").id
    assert expire(scope(book)).count == 0
    clock.advance(days=2)
    assert [one.id for one in expire(scope(book)).findings] == [id]
    assert book.get(id).status == "stale" and book.recall("guest")[0].memory.id == stays
    clock.advance(days=31)
    assert purge(scope(book)).count == 1
    with pytest.raises(NotFound):
        book.get(id)
    assert book.get(stays).status == "verified"


def test_purging_deletes_everything_of_it_and_lets_it_be_said_again(book: Commonplace, clock: StoppedClock) -> None:
    id = book.remember("the old mill burned down").id
    book.revise(id, importance=0.2)
    book.archive(id)
    assert purge(scope(book)).count == 0
    clock.advance(days=31)
    assert purge(scope(book), dry_run=True).count == 1
    report = purge(scope(book))
    assert report.count == 1 and report.receipt is None
    with pytest.raises(NotFound):
        book.history(id)
    assert book.remember("the old mill burned down").action == "ADD"
    assert len(book.recall("old mill")) == 1
    assert book.audit.verify().ok
    ref = next(row[0] for row in book.stats().receipts if row[1] == "PURGE")
    with pytest.raises(Invalid):
        book.undo(ref)


def test_a_quota_takes_the_least_important_first(book: Commonplace) -> None:
    ids = [book.remember(f"fact {n}", importance=n / 10).id for n in range(10)]
    assert keep_within(scope(book), quota=7, dry_run=True).count == 3
    assert {one.id for one in keep_within(scope(book), quota=7).findings} == set(ids[:3])
    assert keep_within(scope(book), quota=7).count == 0


def test_stats_count_what_is_there(book: Commonplace, sample: dict[str, str]) -> None:
    book.reject(sample["young"])
    stats = book.stats()
    assert stats.kinds == {"associative": 5, "core": 1, "episodic": 1}, "one was learned from the message"
    assert stats.statuses == {"verified": 6, "rejected": 1} and stats.memories == 6
    assert stats.prunable == 1 and stats.tombstones == 1 and stats.tokens_today == 0
    assert stats.oldest < stats.newest and stats.keys["seal"] == 1
    assert [(one.name, one.memories, one.vectors_missing) for one in stats.namespaces] == [("default", 7, 0)]
