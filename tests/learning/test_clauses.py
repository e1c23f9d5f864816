"""A sentence of several facts is believed clause by clause, so that the end of one ends no other."""

import pytest

from commonplace import Commonplace
from commonplace.learning.clauses import clause_spans
from commonplace.learning.matching import likely
from commonplace.testing.clock import StoppedClock
from commonplace.text.sentences import Span


def clauses(text: str) -> list[str]:
    return [span.text for span in clause_spans(Span(0, len(text), text), likely(text)[0])]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Chidi is a software guy in Leeds, Obinna is still at uni", 2),
        ("I share the lab with a colleague, Priyanka, she does the A-level group", 2),
        ("the supplier is called Nordmed, customer number 55-2013, and our contact is Malthe", 2),
        ("My husband and I run a small guesthouse outside Kilkenny", 1),
        ("Chidi and Amelia set the date, May 15 next year in York", 1),
        ("I'm reading about no-dig gardening, Charles Dowding's book", 1),
        ("We have two cats, Miso and Luna", 1),
        ("She thinks that Tom is right and Ana is wrong", 1),
        ("If I win, I will travel and my brother will come along", 1),
        ("Ich bin Lehrer, meine Frau ist Ärztin", 2),
        ("wir haben ein Haus gekauft, seit Mai wohnen wir in Jena", 2),
        ("Jonas arbeitet bei Bosch und Petra macht gerade Elternzeit", 2),
        ("meine Schwester Anna, die in Graz wohnt, hat zwei Kinder", 1),
        ("sie hat gesagt, dass Tom recht hat und Ana nicht", 1),
        ("wenn ich gewinne, fahre ich nach Rom und mein Bruder kommt mit", 1),
        ("Marta vive en Vigo, Pablo trabaja en Seat", 2),
        ("ya no fumo, pero bebo un vino por la noche", 2),
        ("mi hermana Anna es veterinaria y vive en Roma", 1),
        ("mi madre y mi padre viven en Burgos", 1),
        ("creo que Ana tiene razón y Luis no", 1),
        ("ho venduto la moto e prendo il treno", 2),
        ("Sono insegnante e mia moglie è medico", 2),
        ("mia sorella Anna è veterinaria e vive a Roma", 1),
        ("ho un cane e un gatto", 1),
        ("mon frère a déménagé à Lyon et ma sœur reste à Nantes", 2),
        ("j'ai vendu la moto et je prends le train", 2),
        ("ma mère et mon père habitent à Brest", 1),
        ("il dit que Paul a raison et que Luc a tort", 1),
    ],
)
def test_a_clause_has_a_subject_and_a_verb_of_its_own(text, parts):
    assert len(clauses(text)) == parts


def test_the_clauses_keep_their_places():
    text = "Chidi lives in Leeds, and Obinna is still at uni"
    for start, end, clause in clause_spans(Span(10, 10 + len(text), text), likely(text)[0]):
        assert text[start - 10 : end - 10] == clause


def test_a_sentence_of_two_facts_becomes_two_beliefs_and_he_is_the_one_just_named(book: Commonplace):
    book.observe("The boiler gets serviced by Mr Okafor, and he only takes cash")
    texts = sorted(memory.text for memory in book.browse(kinds=["associative"]))
    assert texts == ["Okafor only takes cash", "The boiler gets serviced by Mr Okafor"]


def test_the_end_of_one_clause_leaves_the_other(book: Commonplace, clock: StoppedClock):
    book.observe("Chidi is a software guy in Leeds, Obinna is still at uni in Nottingham", session="talk")
    clock.advance(days=3)
    book.observe("Obinna dropped out of uni", session="talk")
    texts = [memory.text for memory in book.browse(kinds=["associative"]) if memory.status == "verified"]
    assert "Chidi is a software guy in Leeds" in texts
