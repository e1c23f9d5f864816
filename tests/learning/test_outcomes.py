"""The outcomes to see, in each of the five languages."""

import pytest

from commonplace import Commonplace
from commonplace.testing.clock import StoppedClock

SAID = {
    "en": (
        "My CFO is Giulia", "Marco is the PM on Project Acme", "I live in Vienna", "I moved to Oslo",
        "I have a sister in Rome", "I misspoke, I don't have a sister",
    ),
    "it": (
        "Il mio CFO è Giulia", "Marco è il PM del progetto Acme", "Vivo a Vienna", "Mi sono trasferito a Oslo",
        "Ho una sorella a Roma", "Mi sono sbagliato, non ho una sorella",
    ),
    "es": (
        "Mi CFO es Giulia", "Marco es el PM del proyecto Acme", "Vivo en Viena", "Me mudé a Oslo",
        "Tengo una hermana en Roma", "Me equivoqué, no tengo una hermana",
    ),
    "fr": (
        "Mon CFO est Giulia", "Marco est le PM du projet Acme", "J'habite à Vienne", "J'ai déménagé à Oslo",
        "J'ai une sœur à Rome", "Je me suis trompé, je n'ai pas de sœur",
    ),
    "de": (
        "Mein CFO ist Giulia", "Marco ist der PM im Projekt Acme", "Ich wohne in Wien", "Ich bin nach Oslo gezogen",
        "Ich habe eine Schwester in Rom", "Ich habe mich versprochen, ich habe keine Schwester",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_what_is_said_in_any_language_is_believed_the_same(
    book: Commonplace, clock: StoppedClock, language: str
) -> None:
    cfo, project, home, moved, sister, misspoke = SAID[language]
    for said in (cfo, project, home):
        book.observe(said)
    clock.advance(days=1)
    before = clock.now()
    clock.advance(days=9)
    book.observe(moved)
    book.observe(sister)
    assert any("sister" in one.text for one in book.browse(kinds=["associative"]))
    clock.advance(hours=1)
    book.observe(misspoke)
    book.observe(sister)
    edges = {(one.subject.label, one.predicate, one.object.label, one.object.type) for one in book.relations()}
    assert edges == {("Giulia", "cfo_of", "Owner", "person"), ("Marco", "stakeholder_of", "Acme", "project")}
    assert [(one.key, one.text) for one in book.browse(kinds=["core"])] == [("cfo", "Giulia")]
    assert {one.text for one in book.browse(kinds=["associative"])} == {"Owner lives in Oslo", "Marco is PM on Acme"}
    (then,) = book.recall("where does the owner live", kinds=["associative"], as_of=before, limit=1)
    assert then.memory.text in {f"Owner lives in {city}" for city in ("Vienna", "Viena", "Vienne", "Wien")}
