"""Follow-ups, deadlines and silence, from plain sentences to a list."""

from datetime import UTC, datetime

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.context.agenda import due_lines
from commonplace.learning.rules import Utterance, candidates
from commonplace.testing.clock import StoppedClock

WEDNESDAY = datetime(2026, 5, 6, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(WEDNESDAY)


@pytest.fixture
def book(book_url, tmp_path, clock):
    settings = Settings(home=tmp_path / "home", embedder="none", timezone="UTC")
    with Commonplace.open(book_url, settings=settings, clock=clock) as book:
        yield book


def items(book: Commonplace) -> list[tuple[str, str, str | None]]:
    return [(item.kind, item.text, item.day.isoformat() if item.day else None) for item in book.agenda()]


def test_a_follow_up_is_owed_due_on_its_day_and_closed_by_an_answer(book: Commonplace, clock: StoppedClock):
    book.observe([Message("I owe Sara a follow-up by Friday.")])
    assert items(book) == [("owed", "follow up with Sara", "2026-05-08")]
    assert due_lines(book.browse(limit=100), clock.now().date()) == []
    clock.advance(days=2)
    assert due_lines(book.browse(limit=100), clock.now().date()) == ["Due today: Follow-up to Sara."]
    clock.advance(days=1)
    assert due_lines(book.browse(limit=100), clock.now().date()) == ["Due since 2026-05-08: Follow-up to Sara."]
    book.observe([Message("Sent it to Sara.")])
    assert items(book) == []
    assert due_lines(book.browse(limit=100), clock.now().date()) == []


@pytest.mark.parametrize(
    ("sentence", "is_closed"),
    [
        ("I emailed Sara.", True),
        ("wrote to Sara", True),
        ("I called Sara today.", True),
        ("Ich habe Sara geschrieben.", True),
        ("Ich habe Sara eine E-Mail geschickt.", True),
        ("J'ai appelé Sara.", True),
        ("Llamé a Sara.", True),
        ("Ho scritto a Sara.", True),
        ("I called Sara on Monday.", False),  # before it was owed, perhaps
        ("I emailed Sara about the invoice.", False),
        ("I have not emailed Sara yet.", False),
        ("I will email Sara tomorrow.", False),
        ("I emailed Tom about Sara.", False),
    ],
)
def test_a_contact_closes_what_is_owed_unless_it_was_earlier_or_about_something(
    book: Commonplace, sentence: str, is_closed: bool
):
    book.observe([Message("I owe Sara a follow-up by Friday.")])
    assert [kind for kind, _, _ in items(book)] == ["owed"], "the control"
    book.observe([Message(sentence)])
    assert [kind for kind, _, _ in items(book)] == ([] if is_closed else ["owed"])


def test_who_was_not_contacted_for_long_is_listed(book: Commonplace, clock: StoppedClock):
    book.observe([Message("I called Marco on Monday.")])
    assert items(book) == []
    clock.advance(days=40)
    assert items(book) == [("silent", "Marco was last contacted on 2026-05-04", "2026-05-04")]
    book.observe([Message("I spoke with Marco today.")])
    assert items(book) == []


@pytest.mark.parametrize(
    ("sentence", "edge"),
    [
        ("Giulia is in charge of Project Acme.", ("Giulia", "responsible_for", "Project Acme")),
        ("Lena is Marco's manager.", ("Lena", "manages", "Marco")),
        ("Ada is a key stakeholder in Project Orchard.", ("Ada", "stakeholder_of", "Project Orchard")),
        ("I still owe Marco a reply.", ("Owner", "owes_followup", "Marco")),
        ("I spoke with Marco Rossi on Monday.", ("Marco Rossi", "last_contacted_on", "2026-05-04")),
        ("Ich schulde Sara noch eine Antwort.", ("Owner", "owes_followup", "Sara")),
        ("Ich habe gestern mit Sara telefoniert.", ("Sara", "last_contacted_on", "2026-05-05")),
        ("Giulia ist verantwortlich für Projekt Acme.", ("Giulia", "responsible_for", "Projekt Acme")),
        ("Le debo a Sara una respuesta.", ("Owner", "owes_followup", "Sara")),
        ("Giulia está a cargo de Acme.", ("Giulia", "responsible_for", "Acme")),
        ("Je dois une réponse à Sara.", ("Owner", "owes_followup", "Sara")),
        ("J'ai appelé Sara hier.", ("Sara", "last_contacted_on", "2026-05-05")),
        ("Devo una risposta a Sara.", ("Owner", "owes_followup", "Sara")),
        ("Ho chiamato Sara ieri.", ("Sara", "last_contacted_on", "2026-05-05")),
        ("Met Sara for lunch on Monday.", ("Sara", "last_contacted_on", "2026-05-04")),
        ("I promised Omar I'd follow up with him on Friday.", ("Owner", "owes_followup", "Omar")),
        ("Must follow up with Nina about the contract.", ("Owner", "owes_followup", "Nina")),
        ("Ayer llamé a Sara.", ("Sara", "last_contacted_on", "2026-05-05")),
        ("Hablé con Marco el 2 de mayo.", ("Marco", "last_contacted_on", "2026-05-02")),
        ("J'ai parlé avec Marco le 2 mai.", ("Marco", "last_contacted_on", "2026-05-02")),
        ("Sara leads the team.", ("Sara", "responsible_for", "team")),
        ("Sara leitet das Team.", ("Sara", "responsible_for", "Team")),
        ("Sara leitet die Abteilung Forschung.", ("Sara", "responsible_for", "Abteilung Forschung")),
        ("Sara dirige l'équipe.", ("Sara", "responsible_for", "équipe")),
        ("Sara dirige el equipo.", ("Sara", "responsible_for", "equipo")),
        ("Sara guida il team.", ("Sara", "responsible_for", "team")),
        ("Ho parlato con Marco il 2 maggio.", ("Marco", "last_contacted_on", "2026-05-02")),
        ("Devo una risposta ad Anna.", ("Owner", "owes_followup", "Anna")),
        ("Devo rispondere ad Anna entro venerdì.", ("Owner", "owes_followup", "Anna")),
        ("Luca riporta ad Anna.", ("Luca", "reports_to", "Anna")),
    ],
)
def test_plain_sentences_become_edges(book: Commonplace, sentence: str, edge: tuple[str, str, str]):
    book.observe([Message(sentence)])
    assert edge in [(one.subject.label, one.predicate, one.object.label) for one in book.relations(limit=100)]


@pytest.mark.parametrize("sentence", ["Should I call Sara?", "I might owe Sara a follow-up.", "Sara owes me a call."])
def test_a_question_a_guess_or_the_other_way_round_owes_nothing(book: Commonplace, sentence: str):
    book.observe([Message(sentence)])
    assert book.relations(predicate="owes_followup") == []
    assert book.relations(predicate="last_contacted_on") == []


EDGES = {
    "Priya is a stakeholder of the Atlas migration.": ("Priya", "stakeholder_of", "Atlas migration"),
    "Ben is responsible for the billing service.": ("Ben", "responsible_for", "billing service"),
    "Lena manages Marco.": ("Lena", "manages", "Marco"),
    "I need to get back to Tom about the contract by Friday.": ("owner", "owes_followup", "Tom"),
    "The last time I talked to Omar was on 2 May.": ("Omar", "last_contacted_on", "2026-05-02"),
    "Hier, j'ai parlé avec Hugo.": ("Hugo", "last_contacted_on", "2026-05-05"),
    "On 2 May, I called Omar.": ("Omar", "last_contacted_on", "2026-05-02"),
    "I promised Ravi the sales numbers by Tuesday.": ("owner", "owes_followup", "Ravi"),
    "Ich muss mich noch bei Jonas melden.": ("owner", "owes_followup", "Jonas"),
    "Ich habe zuletzt am 2. Mai mit Petra gesprochen.": ("Petra", "last_contacted_on", "2026-05-02"),
    "Karin ist für das Projekt Nordlicht verantwortlich.": ("Karin", "responsible_for", "Projekt Nordlicht"),
    "Tengo que responder a Marta antes del viernes.": ("owner", "owes_followup", "Marta"),
    "La última vez que hablé con Lucía fue el 2 de mayo.": ("Lucía", "last_contacted_on", "2026-05-02"),
    "Marta es responsable del proyecto Faro.": ("Marta", "responsible_for", "proyecto Faro"),
    "Je dois rappeler Hugo demain.": ("owner", "owes_followup", "Hugo"),
    "Sophie est en charge du projet Lumière.": ("Sophie", "responsible_for", "projet Lumière"),
    "Devo richiamare Paolo domani.": ("owner", "owes_followup", "Paolo"),
    "Ho sentito Paolo l'ultima volta il 2 maggio.": ("Paolo", "last_contacted_on", "2026-05-02"),
}
ANSWERED = (
    "Habe Sara geantwortet.",
    "Ich habe Sara zurückgerufen.",
    "J'ai rappelé Sara ce matin.",
    "Ho richiamato Sara.",
    "Ya le respondí a Sara.",
    "Ya se lo envié a Sara.",
)
NO_EDGES = ("Did I get back to Tom?", "I don't need to get back to Tom.", "Devo richiamare Paolo?")


def edges(sentence: str) -> list[tuple[str | None, str | None, str | None, str | None]]:
    said = Utterance(episode="e", text=sentence, at=datetime(2026, 5, 6, 12, tzinfo=UTC))
    return [(one.subject, one.predicate, one.object, one.retracts) for one in candidates(said)]


def test_who_is_managed_is_the_person_that_is_known(book: Commonplace):
    book.observe([Message("I spoke with Marco on Monday.")])
    book.observe([Message("Lena is Marco's manager.")])
    ends = [end for relation in book.relations() for end in (relation.subject, relation.object)]
    assert len({end.id for end in ends if end.label == "Marco"}) == 1


def test_more_ways_to_say_who_does_what_and_who_is_owed_an_answer():
    for sentence, edge in EDGES.items():
        assert (*edge, None) in edges(sentence), sentence
    for sentence in ANSWERED:
        assert ("owner", "owes_followup", "Sara", "ended") in edges(sentence), sentence
    for sentence in NO_EDGES:
        assert edges(sentence) == [], sentence


def test_a_follow_up_that_is_no_longer_owed_is_not_due(book: Commonplace):
    book.observe([Message("I owe Sara a follow-up by Friday. I owe Tom a reply by Friday.")])
    book.observe([Message("I no longer owe Sara a follow-up.")])
    assert items(book) == [("owed", "follow up with Tom", "2026-05-08")]
