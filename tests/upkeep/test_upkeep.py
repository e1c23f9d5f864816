"""Jobs, the scheduler, reindexing and key rotation: they do their work once, and go on after being stopped."""

import threading
from dataclasses import replace

import pytest

from commonplace import Commonplace, Settings
from commonplace.clock import micros
from commonplace.errors import StoreBusy
from commonplace.memories import jobs
from commonplace.store.rows import FreshRow, MemoryRow
from commonplace.store.tables.postings import unpack
from commonplace.store.transaction import Transaction
from commonplace.testing.clock import StoppedClock
from commonplace.text.words import words
from commonplace.upkeep import keys, schedule
from commonplace.upkeep import reindex as indexes
from commonplace.upkeep import reindex_words as rewording
from commonplace.upkeep.handlers import handlers


def fill(book: Commonplace, many: int = 30) -> list[str]:
    ids = list(book.remember_many([f"the harbour of town {n} freezes in winter" for n in range(many)]).ids)
    book.observe(["shall we sail to Bergen?", "rather to Oslo"], session="trip")
    book.relate("Giulia", "reports_to", "Marco", object_type="person", notes="since May")
    book.revise(ids[0], "the harbour of town zero never freezes", reason="measured")
    book.reject(ids[1], reason="made up")
    book.glossary.create("sea", description="all about water")
    book.maintain()  # what is made in the background, token vectors among them, ranks too
    return ids


def snapshot(book: Commonplace) -> list[object]:
    return [
        [(hit.memory.id, hit.memory.text) for hit in book.recall(text, limit=20)]
        for text in ("harbour", "never freezes", "Bergen", "Giulia", "town 7")
    ]


def test_rotating_keys_changes_every_sealed_byte_and_nothing_else(book: Commonplace) -> None:
    ids = fill(book)
    before, scope = snapshot(book), book._scope
    report = book.rotate_keys(destroy_old=True)
    assert report.counts["keys destroyed"] == 1
    vault = scope.current_vault()
    assert list(vault.keys.seal) == [2]
    with scope.store.read(scope.owner) as tx:
        for column in keys.SEALED:
            for row in tx.tables.page(column.table, after=None, limit=1000):
                sealed = row[column.name]
                assert sealed is None or not vault.stale(sealed)
                if sealed is not None:
                    vault.open(column.noun, column.row(row), sealed)
    assert snapshot(book) == before
    assert [one.reason for one in book.history(ids[0])] == [None, "measured"]
    assert book.audit.verify().ok and book.jobs.counts()["reseal"] == {"done": 1}
    assert book.rotate_keys().counts["keys destroyed"] == 0
    assert set(scope.current_vault().keys.seal) == {2, 3}, "kept for the backups made before"


def test_a_rotation_cut_short_leaves_everything_readable_and_goes_on(
    book: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(book)
    before = snapshot(book)
    monkeypatch.setattr(keys, "RESEALED", 5)
    real, calls = keys._sealed_anew, []

    def interrupted(*given: object) -> int:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(keys, "_sealed_anew", interrupted)
    with pytest.raises(KeyboardInterrupt):
        book.rotate_keys(destroy_old=True)
    assert set(book._scope.current_vault().keys.seal) == {1, 2}
    assert snapshot(book) == before
    book.maintain()
    assert set(book._scope.current_vault().keys.seal) == {2} and snapshot(book) == before


def test_reindexing_changes_nothing_that_is_found(book: Commonplace) -> None:
    fill(book)
    before = snapshot(book)
    with book._scope.store.read(book.owner) as tx:
        stood = tx.namespaces.all()
    book.reindex()
    assert snapshot(book) == before
    with book._scope.store.read(book.owner) as tx:
        assert [(row.documents, row.length) for row in tx.namespaces.all()] == [
            (row.documents, row.length) for row in stood
        ]


def test_a_reindex_cut_short_goes_on_where_it_was(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book)
    before = snapshot(book)
    monkeypatch.setattr(indexes, "REWORDED", 10)
    real, seen = rewording.Chunk.write, []

    def interrupted(chunk: rewording.Chunk) -> bool:
        seen.append(1)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return real(chunk)

    monkeypatch.setattr(rewording.Chunk, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        book.reindex()
    assert snapshot(book) == before
    late = book.remember("a lighthouse was built later").id
    found = snapshot(book)
    book.reindex()
    assert len(seen) == 3 + 3  # two chunks were done before, two are left, and one finds nothing more
    assert snapshot(book) == found and book.recall("lighthouse")[0].memory.id == late


@pytest.mark.damages_book("opened in three languages; its last lines ask the doctor in the one that stays")
def test_a_reindex_cut_short_begins_anew_in_another_language(open_book, settings, monkeypatch) -> None:
    monkeypatch.setattr(indexes, "REWORDED", 2)
    plain = replace(settings, embedder="none")
    english, italian = open_book(settings=plain), open_book(settings=replace(plain, language="it"))
    english.remember_many([f"Le amiche di Ada{n} parlavano" for n in range(6)])
    assert not italian.recall("amica")

    def interrupted(done: int, total: int | None) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_book(settings=replace(plain, language="de")).reindex(progress=interrupted)
    with pytest.raises(KeyboardInterrupt):
        italian.reindex(progress=interrupted)
    assert len(italian.recall("amica")) == 2
    english.remember("Le amiche di Eva parlavano")
    italian.reindex()
    assert len(italian.recall("amica")) == 7 and not italian.recall("barca")
    assert italian.doctor(full=True).sound


def test_words_come_back_after_they_were_lost(book: Commonplace) -> None:
    fill(book)
    before = snapshot(book)
    with book._scope.store.write(book.owner) as tx:
        for row in tx.namespaces.all():
            tx.words.clear(row.id)
        for namespace, model, _ in tx.vectors.counts():
            tx.vectors.drop_model(namespace, model)
        tx.changes.record([("namespace", "", "delete", None, None)], at=1)
    assert snapshot(book) != before
    book.reindex()
    assert snapshot(book) == before


def test_a_missing_vector_is_made_by_its_job(book: Commonplace, clock: StoppedClock) -> None:
    scope = replace(book._scope, encoder=lambda vault: None)
    lazy = Commonplace(book._parts, scope)
    lazy.remember("ships wait in the roadstead")
    assert book.stats().namespaces[0].vectors_missing == 1
    assert jobs.run_due(scope, handlers(book._parts), holder="test") == 1
    assert book.stats().namespaces[0].vectors_missing == 0
    hit = book.recall("vessels anchored off the port", explain=True, limit=1)[0]
    assert hit.memory.text == "ships wait in the roadstead" and "meaning" in hit.why.lists


def test_a_round_is_run_when_due_logged_and_can_be_undone(book: Commonplace, clock: StoppedClock) -> None:
    id = book.remember("the printer hums", importance=0.1).id
    other = book.within("elsewhere").remember("the scanner hums", importance=0.1).id
    parts = book._parts
    assert schedule.maintain(parts).reports == ()
    clock.advance(days=31)
    made = schedule.maintain(parts)
    assert {one.namespace for one in made.reports if one.action == "PRUNE"} == {"default", "elsewhere"}
    assert schedule.maintain(parts).reports == ()
    lines = [line for line in schedule.read_log(book._scope) if line.receipts]
    assert {line.namespace for line in lines} == {"default", "elsewhere"}
    for line in lines:
        for ref in line.receipts:
            book.undo(ref)
    assert book.get(id).status == "verified" and book.within("elsewhere").get(other).status == "verified"
    assert [line.what for line in schedule.read_log(book._scope)].count("tick") == 2


def test_a_killed_round_passes_over_what_it_has_done(
    book: Commonplace, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "three"):
        book.within(name).remember("something")
    real, seen = schedule.tidy, []

    def dies(shared_server, scope, tried):
        if len(seen) == 2:
            seen.append("killed")
            raise KeyboardInterrupt
        seen.append(scope.namespace)
        return real(shared_server, scope, tried)

    monkeypatch.setattr(schedule, "tidy", dies)
    with pytest.raises(KeyboardInterrupt):
        schedule.maintain(book._parts)
    schedule.maintain(book._parts)
    assert sorted(seen) == ["killed", "one", "three", "two"]


def test_only_one_process_maintains_and_a_dead_one_is_waited_for(book: Commonplace, clock: StoppedClock) -> None:
    now = micros(clock.now())
    assert book._parts.store.accounts.lease("maintenance", holder="dead", now=now, until=now + 300_000_000)
    assert book.maintain().notes
    clock.advance(seconds=301)
    assert not book.maintain().notes


def test_hooks_run_once_a_day(book: Commonplace, clock: StoppedClock) -> None:
    seen = []
    schedule.every("count", lambda shared_server, scope: seen.append(scope.owner) or {"mined": 1})
    try:
        book.remember("something")
        for _ in range(3):
            schedule.maintain(book._parts)
        clock.advance(hours=25)
        made = schedule.maintain(book._parts)
    finally:
        del schedule.HOOKS["count"]
    assert seen == ["me", "me"] and made.figures["mined"] == 1


def test_maintenance_can_be_switched_off(open_book, clock: StoppedClock, settings: Settings) -> None:
    book = open_book(settings=replace(settings, maintenance=False))
    book.remember("the printer hums", importance=0.1)
    clock.advance(days=40)
    assert schedule.maintain(book._parts).reports == ()
    assert book.prune(dry_run=True).count == 1


def test_a_watch_goes_on_after_a_failure_and_ends_when_told(book: Commonplace, monkeypatch: pytest.MonkeyPatch) -> None:
    book.remember("something")
    heard: list[object] = []
    stop = threading.Event()
    real, calls = schedule.maintain, []

    def sometimes(*given: object, **options: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            raise StoreBusy("locked")
        return real(*given, **options)  # type: ignore[arg-type]

    def told(what: object) -> None:
        heard.append(what)
        if len(heard) == 2:
            stop.set()

    monkeypatch.setattr(schedule, "maintain", sometimes)
    schedule.watch(book._parts, stop, seconds=0.01, told=told)
    assert isinstance(heard[0], StoreBusy) and heard[1].owners == 1  # type: ignore[attr-defined]


def test_two_processes_share_the_rounds_without_doing_one_twice(open_book, clock: StoppedClock) -> None:
    one, other = open_book(), open_book()
    one.remember("the printer hums", importance=0.1)
    clock.advance(days=31)
    made = [schedule.maintain(book._parts) for book in (one, other)]
    assert [len([report for report in done.reports if report.action == "PRUNE"]) for done in made] == [1, 0]


def test_a_reindex_takes_out_words_that_no_text_has_and_leaves_the_others(book: Commonplace) -> None:
    ids = fill(book)
    scope = book._scope
    doc, other = (book_row(book, id).doc for id in ids[5:7])
    place = book_row(book, ids[5]).namespace
    wrong = scope.current_vault().terms(place, [*words("walrus", "en"), *words("harbour", "en")])
    with scope.store.write(book.owner) as tx:
        tx.words.add(place, [FreshRow(term=wrong[0], doc=doc, tf=1, length=3)])
        tx.words.pack(place, limit=100_000)
        tx.words.add(place, [FreshRow(term=wrong[0], doc=other, tf=1, length=3)])  # one is packed, one is loose
        tx.words.remove(place, [doc], [wrong[1]])
        assert doc not in documents(tx, place, wrong[1])
        assert {doc, other} <= documents(tx, place, wrong[0])
    before = [one for one in every_posting(book, place) if one[0] != wrong[0]]
    book.reindex()
    with scope.store.read(book.owner) as tx:
        assert documents(tx, place, wrong[0]) == set()
        assert doc in documents(tx, place, wrong[1])
    after = every_posting(book, place)
    assert set(before) < set(after) and len(after) == len(before) + 1


def test_what_is_forgotten_during_a_reindex_is_not_indexed_again(
    book: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = fill(book)
    doomed, kept = book_row(book, ids[5]), book_row(book, ids[6])
    scope, place = book._scope, doomed.namespace
    with scope.store.write(book.owner) as tx:
        tx.words.clear(place)
    real, waiting = rewording.compared, [doomed.id]

    def slow(*given: object) -> object:
        made = real(*given)  # type: ignore[arg-type]
        if doomed.id in waiting:  # the words of each namespace are compared
            waiting.remove(doomed.id)
            book.forget(doomed.id)
        return made

    monkeypatch.setattr(rewording, "compared", slow)
    book.reindex()
    indexed = {doc for _, doc, _, _ in every_posting(book, place)}
    assert kept.doc in indexed and doomed.doc not in indexed


def book_row(book: Commonplace, id: str) -> MemoryRow:
    with book._scope.store.read(book.owner) as tx:
        return tx.memories.get([id])[0]


def documents(tx: Transaction, place: str, term: int) -> set[int]:
    return {doc for doc, _, _ in unpack(tx.words.fetch(place, [term]).get(term, b""))}


def every_posting(book: Commonplace, place: str) -> list[tuple[int, ...]]:
    with book._scope.store.read(book.owner) as tx:
        return [tuple(row) for page in rewording.every_posting(tx, place) for row in page.tolist()]


def test_a_process_that_stays_open_keeps_the_book_in_order(book: Commonplace) -> None:
    book.observe("I live in Vienna")
    seen: list[object] = []
    enough = threading.Event()

    def told(made: object) -> None:
        seen.append(made)
        enough.set()

    with schedule.alongside(book._parts, seconds=0.01, told=told):
        assert enough.wait(60)
    assert isinstance(seen[0], schedule.Round)
    assert "round" in {line.what for line in schedule.read_log(book._scope)}
