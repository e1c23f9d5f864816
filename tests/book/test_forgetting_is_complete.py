"""What was concluded from forgotten words goes with them; a receipt finds what is left, wherever it is."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace
from commonplace.errors import NotFound
from commonplace.memories import jobs
from commonplace.memories.gateway import Gateway
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory
from commonplace.notebook.paths import notebook_paths

EVERY_STATUS = ("candidate", "verified", "rejected", "stale", "archived")
BROKE_UP = "My girlfriend Lena and I broke up yesterday."


def texts(book: Commonplace) -> list[str]:
    return [memory.text for memory in book.browse(statuses=EVERY_STATUS, limit=1000)]


def labels(book: Commonplace) -> set[str]:
    return {entity.label for entity in book.graph.entities()}


def exported(book: Commonplace) -> str:
    out = io.StringIO()
    book.export(out)
    return out.getvalue()


def test_a_part_of_a_turn_takes_relation_core_value_and_entity_along(book: Commonplace) -> None:
    book.observe("My boss is Olu and my sister Marta lives in Turin.")
    assert {"Marta", "Olu"} <= labels(book)

    receipt = book.forget(query="Marta", all=True)

    assert not [text for text in texts(book) if "Marta" in text]
    assert "Marta" not in labels(book) and "Marta" not in exported(book)
    assert "Olu" in labels(book), "the control: the neighbour stays"
    assert "Owner reports to Olu" in texts(book) and "My boss is Olu." in texts(book)
    assert book.verify_receipt(receipt).found == ()


def test_no_belief_rests_on_a_mark_alone(book: Commonplace) -> None:
    book.observe(BROKE_UP)
    assert "Lena" in labels(book), "the control"
    book.forget(query="Lena", all=True)
    beliefs = book.browse(statuses=EVERY_STATUS, kinds=("core", "associative", "relational"))
    assert all(quote != FORGOTTEN for belief in beliefs for _, quote in book.evidence(belief.id))
    assert "Lena" not in exported(book)


def test_other_evidence_keeps_a_conclusion_less_sure(book: Commonplace) -> None:
    book.observe("My girlfriend is Lena. We live in Oslo.")
    book.observe("My girlfriend Lena sings in a choir.")
    (relation,) = book.graph.relations(predicate="partner_of")
    assert len(book.evidence(relation.id)) == 2
    first = next(turn for turn, _ in book.evidence(relation.id) if "Oslo" in turn.text)

    book.forget(first.id)

    (left,) = book.graph.relations(predicate="partner_of")
    assert left.confidence < relation.confidence
    assert [quote for _, quote in book.evidence(relation.id)] == ["My girlfriend Lena"]


def test_one_of_two_conclusions_from_a_sentence_goes(book: Commonplace) -> None:
    """A quote that spans two facts keeps the words of the other one."""
    turn = book.observe("I met Ana Silva and I bought a canoe", session="s").ids[0]
    whole = "I met Ana Silva and I bought a canoe"
    with write_transaction(book._scope, "TEST") as work:
        gateway = Gateway(book._scope)
        met = gateway.admit(work, NewMemory(text="Owner met Ana Silva"), evidence=[(turn, "I met Ana Silva")])
        canoe = gateway.admit(work, NewMemory(text="Owner has a canoe"), evidence=[(turn, whole)])
        work.receipt()
    book.forget(met.id)
    assert book.get(canoe.id).text == "Owner has a canoe"
    assert [quote for _, quote in book.evidence(canoe.id)] == [f"{FORGOTTEN} and I bought a canoe"]
    assert "Silva" not in exported(book)


def test_what_says_the_same_under_another_id_goes_too(book: Commonplace) -> None:
    first = book.observe("The vault opens with 4471 turns", session="a").ids[0]
    book.observe("The vault opens with 4471 turns", session="b")
    book.observe("ok", session="a")
    short = book.observe("ok", session="b").ids[0]
    book.forget(first)
    assert not [text for text in texts(book) if "4471" in text]
    book.forget(short)
    assert "ok" in texts(book), "but not every short answer with the one that was meant"


def test_an_older_export_cannot_bring_a_forgotten_name_back(book: Commonplace, open_book) -> None:
    book.relate("Lena", "knows", "Bruno", subject_type="person", object_type="person")
    kept = book.relate("Bruno", "knows", "Carla", subject_type="person", object_type="person")
    older = exported(book)
    (forgotten,) = book.graph.relations(subject="Lena")
    book.forget(forgotten.id)
    assert labels(book) == {"Bruno", "Carla"}

    report = book.import_(io.StringIO(older))

    assert labels(book) == {"Bruno", "Carla"} and report is not None
    assert "Lena" not in exported(book)
    assert book.graph.get(str(kept.id)).subject.label == "Bruno"
    book.relate("Lena", "knows", "Carla", subject_type="person", object_type="person")
    assert "Lena" in labels(book), "the control: a person may speak of her again"
    assert '"Lena"' in exported(book)


def test_verification_works_on_a_restored_older_copy(open_book, tmp_path: Path, book_url: str) -> None:
    if not book_url.startswith("sqlite"):
        pytest.skip("a file backup; PostgreSQL restores by its own tools")
    book = open_book()
    book.observe(BROKE_UP)
    book.backup(tmp_path / "older.db")
    receipt = book.forget(query="Lena", all=True)
    book.restore(tmp_path / "older.db")
    assert book.verify_receipt(receipt).found == ()
    assert book.verify_receipt(receipt.ref).found == ()
    assert "Lena" not in labels(book)
    with pytest.raises(NotFound):
        book.verify_receipt("no such receipt")
    book.restore(tmp_path / "older.db", without_ledger=True)


SECRET = "The safe stands behind the blue painting"


def plant_belief(book: Commonplace) -> None:
    stored = Gateway(book._scope)
    with write_transaction(book._scope, "TEST") as work:
        work.tx.tombstones.lift(work.namespace().id, work.vault.fingerprints(work.namespace().id, SECRET))
        stored.admit(work, NewMemory(text=SECRET))
        work.receipt()


def plant_job(book: Commonplace) -> None:
    with book._scope.store.write(book.owner) as tx:
        jobs.enqueue(book._scope, tx, "embed", {"text": SECRET})


def plant_version(book: Commonplace) -> None:
    id = book.remember("Something else altogether here").id
    with write_transaction(book._scope, "TEST") as work:
        stored = work.load(str(id))
        content = replace(stored.content, text=SECRET)
        fingerprint = work.vault.fingerprint(stored.row.namespace, SECRET)
        hidden = work.change(stored, replace(stored, content=content).with_row(fingerprint=fingerprint), action="TEST")
        work.change(hidden, replace(hidden, content=stored.content).with_row(fingerprint=b"x" * 16), action="TEST")
        work.receipt()


def plant_file(book: Commonplace) -> None:
    file = notebook_paths(Path.cwd(), book.settings).todo
    file.parent.mkdir()
    file.write_text(f"# To do\n\n- [ ] {SECRET}\n", "utf-8")


@pytest.mark.damages_book("tombstones are lifted past the ledger")
@pytest.mark.parametrize("plant", [plant_belief, plant_job, plant_version, plant_file])
def test_verification_finds_what_is_planted(plant, book: Commonplace, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    receipt = book.forget(str(book.remember(SECRET).id))
    assert book.verify_receipt(receipt).found == (), "the control"
    plant(book)
    assert book.verify_receipt(receipt).found


@pytest.mark.damages_book("tombstones are lifted past the ledger")
def test_verification_finds_an_entity(book: Commonplace) -> None:
    receipt = book.relate("Lena", "knows", "Bruno", subject_type="person", object_type="person")
    older = [json.loads(line) for line in exported(book).splitlines()]
    receipt = book.forget(str(receipt.id))
    assert book.verify_receipt(receipt).found == (), "the control"
    with write_transaction(book._scope, "TEST") as work:
        work.tx.tombstones.lift(work.namespace().id, [row.fingerprint for row in work.tx.tombstones.all()])
        work.receipt()
    lines = [json.dumps(line) for line in older if line.get("type") != "memory"]
    book.import_(io.StringIO("\n".join(lines) + "\n"))
    assert any(place.startswith("entity ") for place in book.verify_receipt(receipt).found)
