"""What of a document stands in the word index."""

from datetime import UTC, datetime

from commonplace.retrieval.question import ask
from commonplace.text.index import ASKS, TF, TURN, asking, entries, fields

SAID = datetime(2023, 5, 7, 14, tzinfo=UTC)


def test_a_turn_is_found_by_its_words_its_speaker_and_its_day():
    made = entries("I painted the boat, the whole boat!", turn=True, speaker="Melanie Berg", said_at=SAID)
    assert made.flags["boat"] == 2 | TURN
    assert {"@d:2023-05-07", "@m:2023-05", "@m:05"} <= set(made.flags)
    asked = ask("And Melanie Berg?", now=SAID, speakers={"Melanie Berg"})
    assert {term.word for term in asked.terms if not term.lends} <= set(made.flags)


def test_fields_and_marked_stop_words_do_not_lengthen_it():
    bare, full = entries("I was not there, Anna."), entries("I was not there, Anna.", speaker="Anna", said_at=SAID)
    assert bare.length == full.length == full.code == 1
    assert len(full.flags) > len(bare.flags) > 1


def test_a_question_is_marked_in_a_turn_and_not_in_a_note():
    assert entries("Did you paint it?", turn=True).flags["paint"] & ASKS
    assert not entries("I painted it.", turn=True).flags["paint"] & ASKS
    assert entries("Did you paint it?").flags["paint"] == 1


def test_a_term_said_very_often_is_said_63_times():
    made = entries("boat " * 500, turn=True)
    assert made.flags["boat"] & TF == 63
    assert made.length == 500


def test_what_was_asked_is_measured_by_share():
    assert asking("How are you?") == 1.0
    assert asking("I am fine.") == 0.0
    assert 0.3 < asking("I am quite fine. How are you?") < 0.7
    assert asking("元気ですか？") == 1.0
    assert asking("Version 1.2 is out. See a.b/c.") == 0.0
    assert asking("") == 0.0
    assert asking("word " * 100_000 + "?") == 0.0


def test_nothing_known_gives_no_fields():
    assert fields() == []
    assert fields(speaker="Anna") == ["@anna"]
