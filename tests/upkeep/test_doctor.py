"""The doctor: silent on a sound book, and each kind of damage is found, named and, where it can be, repaired."""

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from commonplace import Commonplace
from commonplace.memories import jobs
from commonplace.store.rows import EvidenceRow, FreshRow, VectorRow
from commonplace.store.sqlite.connection import PAGE
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import keys


@pytest.fixture
def full(book: Commonplace) -> Commonplace:
    book.remember_many([f"the harbour of town {n} freezes" for n in range(20)])
    book.observe(["shall we sail?", "to Oslo then"], session="trip")
    book.relate("Giulia", "reports_to", "Marco", object_type="person")
    book.forget(book.remember("Ada has a scar").id)
    book.revise(book.remember("Ada drinks tea").id, "Ada drinks oolong")
    keys.recovery(book._parts)
    return book


def found(book: Commonplace, **options: object) -> list[str]:
    return [one.check for one in book.doctor(full=True, **options).symptoms]


def test_a_sound_book_has_no_symptoms(full: Commonplace) -> None:
    diagnosis = full.doctor(full=True)
    assert diagnosis.symptoms == () and diagnosis.sound and len(diagnosis.checks) >= 10


def test_a_missing_copy_of_the_master_key_is_a_warning(book: Commonplace) -> None:
    book.remember("something")
    diagnosis = book.doctor()
    assert [(one.check, one.grade, one.remedy) for one in diagnosis.symptoms] == [
        ("keys", "warning", "commonplace keys recovery")
    ]
    assert diagnosis.sound
    keys.recovery(book._parts)
    assert book.doctor().symptoms == ()


def test_lost_words_are_found_and_made_again(full: Commonplace) -> None:
    with full._scope.store.write("me") as tx:
        for row in tx.namespaces.all():
            tx.words.clear(row.id)
    assert found(full) == ["words"] and not full.doctor().sound
    assert full.doctor(fix=True).symptoms[0].fixed
    assert found(full) == [] and full.recall("town 7")[0].memory.text == "the harbour of town 7 freezes"


def test_lost_vectors_are_found_and_made_again(full: Commonplace) -> None:
    with full._scope.store.write("me") as tx:
        for namespace, model, _ in tx.vectors.counts():
            tx.vectors.drop_model(namespace, model)
    assert found(full) == ["vectors"]
    full.doctor(fix=True)
    assert found(full) == []


def change_audit(request: pytest.FixtureRequest) -> None:
    """Past the book, as whoever has the file or is the server's superuser can."""
    change = "update {}audit set actor = 'somebody else' where owner = 'me' and sequence = 3"
    url = request.getfixturevalue("book_url")
    if url.startswith("sqlite"):
        with closing(apsw.Connection(url.removeprefix("sqlite:///"))) as raw:
            raw.execute("drop trigger audit_append_only")
            raw.execute(change.format(""))
    else:
        server = request.getfixturevalue("postgres_server")
        server.run(change.format("commonplace."), database=url.partition("@/")[2].partition("?")[0])


def test_orphans_are_found_and_taken_away(full: Commonplace) -> None:
    with full._scope.store.write("me") as tx:
        tx.evidence.put([EvidenceRow(noun="memory", id="nobody", episode="nothing", sealed=None)])
    assert found(full) == ["orphans"]
    full.doctor(fix=True)
    assert found(full) == []


def test_what_the_ledger_says_is_gone_must_be_gone(full: Commonplace) -> None:
    gone = full.remember("Ada has a boat").id
    with full._scope.store.read("me") as tx:
        rows = {table: tx.tables.page(table, after=None, limit=1000) for table in ("memory", "version")}
    full.forget(gone)
    with full._scope.store.write("me") as tx:
        for table, old in rows.items():
            tx.tables.put(table, [row for row in old if row["id"] == gone])
        for row in tx.tombstones.all():
            tx.tombstones.lift(row.namespace, [row.fingerprint])
    assert set(found(full)) >= {"ledger"}
    full.doctor(fix=True, full=True)
    assert found(full) == []


@pytest.mark.damages_book("what the doctor finds and cannot repair")
def test_a_row_that_cannot_be_read_is_named(full: Commonplace) -> None:
    with full._scope.store.write("me") as tx:
        row = tx.tables.page("memory", after=None, limit=1)[0]
        tx.tables.put("memory", [{**row, "sealed": row["sealed"][:-1] + bytes([row["sealed"][-1] ^ 1])}])
    diagnosis = full.doctor()
    assert not diagnosis.sound and any(row["id"] in one.what for one in diagnosis.symptoms)
    assert {one.check for one in diagnosis.symptoms} == {"rows", "keys"}


@pytest.mark.damages_book("what the doctor finds and cannot repair")
def test_a_version_that_cannot_be_read_breaks_off_no_other_check(
    full: Commonplace, request: pytest.FixtureRequest
) -> None:
    with full._scope.store.write("me") as tx:
        row = next(one for one in tx.tables.page("version", after=None, limit=99) if one["noun"] == "memory")
        tx.tables.put("version", [{**row, "sealed": row["sealed"][:-1] + bytes([row["sealed"][-1] ^ 1])}])
    change_audit(request)
    diagnosis = full.doctor()
    assert [one.check for one in diagnosis.symptoms] == ["audit", "words"] and not diagnosis.sound
    assert row["id"] in diagnosis.symptoms[1].what


@pytest.mark.damages_book("what the doctor finds and cannot repair")
@pytest.mark.one_engine("pages of a file")
def test_what_a_damaged_page_leaves_is_looked_at_all_the_same(full: Commonplace, settings) -> None:
    path = Path(full._scope.store.place)
    full.close()
    with closing(apsw.Connection(str(path))) as raw:
        page = raw.execute("select rootpage from sqlite_schema where name = 'audit'").fetchall()[0][0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * PAGE : (page - 1) * PAGE + 100] = b"\xff" * 100  # type: ignore[operator, index]
    path.write_bytes(data)
    with Commonplace.open(f"sqlite:///{path}", settings=settings) as again:
        diagnosis = again.doctor()
        assert not diagnosis.sound and len(diagnosis.checks) >= 10
        assert {one.check for one in diagnosis.symptoms} == {"integrity", "audit"}
        assert all("restore" in one.remedy for one in diagnosis.symptoms)


@pytest.mark.damages_book("what the doctor finds and cannot repair")
def test_a_changed_audit_is_named(full: Commonplace, request: pytest.FixtureRequest) -> None:
    change_audit(request)
    assert found(full) == ["audit"]


def test_dead_jobs_are_named_and_replayed(full: Commonplace, clock: StoppedClock) -> None:
    scope = full._scope
    with scope.store.write("me") as tx:
        id = jobs.enqueue(scope, tx, "embed", {"namespace": "none"})
        tx.jobs.put(replace(tx.jobs.get(id), state="dead", attempts=5))
    assert found(full) == ["jobs"]
    full.doctor(fix=True)
    assert found(full) == [] and id in [job.id for job in full.jobs.list(states=("waiting",))]


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX")
def test_files_that_others_may_read_are_closed(full: Commonplace, settings) -> None:
    key = Path(settings.master_key_file)
    key.chmod(0o644)
    assert found(full) == ["permissions"]
    full.doctor(fix=True)
    assert key.stat().st_mode & 0o777 == 0o600 and found(full) == []


def test_unknown_variables_are_named(full: Commonplace) -> None:
    assert found(full, environ={"COMMONPLACE_OWNRE": "x", "COMMONPLACE_OWNER": "me"}) == ["settings"]


@pytest.mark.parametrize(("said", "known"), [("de-AT", True), ("auto", True), ("spanish", False), ("pt", False)])
def test_a_language_that_nobody_taught_us_is_named(open_book, settings, said: str, known: bool) -> None:
    book = open_book(settings=replace(settings, language=said))
    assert ("settings" in [one.check for one in book.doctor().symptoms]) is not known


def test_words_and_vectors_of_texts_that_are_not_there_are_found_and_taken_away(full: Commonplace) -> None:
    scope = full._scope
    with scope.store.write("me") as tx:
        place = tx.namespaces.all()[0].id
        model = tx.vectors.counts()[0][1]
        nobody = tx.owners.take_docs(1)
        tx.words.add(place, [FreshRow(term=4711, doc=nobody, tf=1, length=3)])
        tx.words.pack(place, limit=100_000)
        tx.vectors.put(place, model, [VectorRow(doc=nobody, part=0, data=b"\1" * 256)])
    assert found(full) == ["words", "vectors"]
    assert all(one.fixed for one in full.doctor(full=True, fix=True).symptoms)
    assert found(full) == [] and full.recall("town 7")[0].memory.text == "the harbour of town 7 freezes"


def test_a_lost_version_or_relation_is_made_again_from_the_memory(full: Commonplace) -> None:
    relation = full.relations()[0]
    revised = next(one for one in full.browse(limit=50) if one.text == "Ada drinks oolong")
    with full._scope.store.write("me") as tx:
        tx.relations.delete([relation.id])
        last = tx.versions.of("memory", revised.id)
        tx.versions.delete("memory", [revised.id])
        tx.versions.put(last[0])
    assert full.relations() == [] and set(found(full)) >= {"rows"}
    full.doctor(fix=True, full=True)
    assert found(full) == [] and full.relations() == [relation]
    assert [one.memory.text for one in full.history(revised.id)] == ["Ada drinks tea", "Ada drinks oolong"]
