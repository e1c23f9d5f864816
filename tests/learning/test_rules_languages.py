"""One table a language: what is said, and what the rules take from it."""

from datetime import UTC, datetime

import pytest

from commonplace.learning.rules import Utterance, candidates

AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)

ENGLISH = {
    "I'm based in Berlin now": ["Owner lives in Berlin"],
    "My sister Anna lives in Rome": ["Anna is a sibling of Owner", "Anna lives in Rome"],
    "Tom is our new CTO": ["Tom is Owner's CTO", "Owner's CTO is Tom"],
    "I report to Ingrid now": ["Owner reports to Ingrid"],
    "I've worked at Ericsson since 2018": ["Owner works at Ericsson"],
    "Use uv, not pip": ["Use uv, not pip"],
    "not Flask, use FastAPI": ["Use FastAPI, not Flask"],
    "Let's go with Postgres for the job queue.": ["Decision: go with Postgres for the job queue"],
    "we decided to drop Python 3.9": ["Decision: drop Python 3.9"],
    "We should use Redis for sessions": ["Architecture: use Redis for sessions"],
    "don't introduce another ORM": ["Architecture: do not introduce another ORM"],
    "Fix the flaky test first": ["Priority: the flaky test first"],
    "before that, we need to update the schema": ["Priority: before that, update the schema"],
    "the branch is feature/login-v2": ["Branch is feature/login-v2"],
    "we're on Django 4.2": ["Django version is 4.2"],
    "On Fridays I work from home": ["Owner's routine: work from home on Fridays"],
    "I prefer tabs over spaces": ["Owner prefers tabs over spaces"],
    "I'm allergic to peanuts": ["Owner is allergic to peanuts"],
    "Petra is no longer my boss": [
        "No longer held: Owner reports to Petra",
        "No longer held: Owner's boss is Petra",
    ],
}
ITALIAN = {
    "Vivo a Roma e lavoro per Enel": ["Owner lives in Roma", "Owner works at Enel"],
    "Mia sorella abita a Napoli": ["Owner's sister lives in Napoli"],
    "La nostra CFO è Giulia Ricci": ["Giulia Ricci is Owner's CFO", "Owner's CFO is Giulia Ricci"],
    "Marco è il PM del progetto Acme": ["Marco is a stakeholder of Acme", "Marco is PM on Acme"],
    "Mi sono trasferita a Torino": ["Owner lives in Torino"],
    "Non vivo più a Roma": ["No longer held: Owner lives in Roma"],
    "Usiamo Postgres, non MySQL": ["Use Postgres, not MySQL"],
    "Ogni giovedì gioco a tennis": ["Owner's routine: gioco a tennis ogni giovedì"],
    "Mi piacciono i gatti e la montagna": ["Owner likes gatti", "Owner likes montagna"],
    "Sono allergica alle noci": ["Owner is allergic to noci"],
    "La porta è 8443": ["Porta is 8443"],
    "Dove vivo?": [],
    "Se vivessi a Milano prenderei la metro": [],
    "Marco ha detto che vive a Torino": [],
    "Scherzo, vivo a Milano": [],
}
SPANISH = {
    "Vivo en Valencia desde 2020": ["Owner lives in Valencia"],
    "Me he mudado a Sevilla": ["Owner lives in Sevilla"],
    "Mi jefa es Carmen": ["Owner reports to Carmen", "Owner's boss is Carmen"],
    "Mi mujer se llama Elena": ["Elena is the partner of Owner", "Owner's wife is Elena"],
    "Ya no trabajo en Telefónica": ["No longer held: Owner works at Telefónica"],
    "No tengo ninguna hermana": ["Owner has no sister", "Nothing holds of Owner's sister"],
    "Usa uv en vez de pip": ["Use uv, not pip"],
    "Los martes juego al pádel": ["Owner's routine: juego al pádel los martes"],
    "Todos los domingos como con mis padres": ["Owner's routine: como con mis padres todos los domingos"],
    "No añadas más dependencias": ["Architecture: No añadas más dependencias"],
    "El puerto es 7070": ["Puerto is 7070"],
    "¿Dónde vivo?": [],
    "Ojalá viviera en Cádiz": [],
    "Ana dice que vive en Lima": [],
    "Es broma, vivo en Madrid": [],
}
FRENCH = {
    "J'habite à Lyon depuis 2019": ["Owner lives in Lyon"],
    "J'ai déménagé à Lille": ["Owner lives in Lille"],
    "Ma sœur vit à Nantes": ["Owner's sister lives in Nantes"],
    "Mon mari s'appelle Hugo": ["Hugo is the partner of Owner", "Owner's husband is Hugo"],
    "Je n'habite plus à Paris": ["No longer held: Owner lives in Paris"],
    "Je n'ai pas de frère": ["Owner has no brother", "Nothing holds of Owner's brother"],
    "Utilise pnpm, pas npm": ["Use pnpm, not npm"],
    "Tous les lundis je fais du yoga": ["Owner's routine: fais du yoga tous les lundis"],
    "Je déteste les réunions": ["Owner dislikes réunions"],
    "On a décidé de garder SQLite": ["Decision: garder SQLite"],
    "Le port est 8080": ["Port is 8080"],
    "Où est-ce que j'habite ?": [],
    "Si j'habitais à Paris je prendrais le métro": [],
    "Paul dit que j'habite à Metz": [],
    "Je plaisante, j'habite à Paris": [],
}
GERMAN = {
    "Ich wohne in Graz": ["Owner lives in Graz"],
    "Ich bin letzten Monat nach München gezogen": ["Owner lives in München"],
    "Meine Chefin ist Petra": ["Owner reports to Petra", "Owner's boss is Petra"],
    "Meine Frau ist Ärztin": ["Owner's wife is Ärztin by occupation"],
    "Katrin ist die Projektleiterin vom Projekt Adler": [
        "Katrin is a stakeholder of Adler",
        "Katrin is projektleiterin on Adler",
    ],
    "Ich arbeite nicht mehr bei Bosch": ["No longer held: Owner works at Bosch"],
    "Ich habe keine Schwester": ["Owner has no sister", "Nothing holds of Owner's sister"],
    "Nimm pytest statt unittest": ["Use pytest, not unittest"],
    "Jeden Mittwoch gehe ich klettern": ["Owner's routine: gehe klettern jeden Mittwoch"],
    "Ich mag keinen Koriander": ["Owner dislikes Koriander"],
    "Ich mag Koriander": ["Owner likes Koriander"],
    "Der Port ist 8081": ["Port is 8081"],
    "Wo wohne ich?": [],
    "Wenn ich in Berlin wohnen würde, bräuchte ich kein Auto": [],
    "Petra sagt, ich wohne in Köln": [],
    "Nur Spaß, ich wohne in Köln": [],
}
ALL = [(text, wanted) for table in (ENGLISH, ITALIAN, SPANISH, FRENCH, GERMAN) for text, wanted in table.items()]


@pytest.mark.parametrize(("text", "wanted"), ALL, ids=[text for text, _ in ALL])
def test_the_rules_take_from_a_sentence(text: str, wanted: list[str]) -> None:
    assert [one.statement for one in candidates(Utterance(episode="e", text=text, at=AT))] == wanted


SAME = [
    ["I live in Roma", "Vivo a Roma", "Vivo en Roma", "J'habite à Roma", "Ich wohne in Roma"],
    ["Use uv, not pip", "Usiamo uv, non pip", "Usa uv en vez de pip", "Utilise uv, pas pip", "Nimm uv statt pip"],
    ["My boss is Ada", "Il mio capo è Ada", "Mi jefa es Ada", "Ma cheffe est Ada", "Meine Chefin ist Ada"],
    ["I'm vegan", "Sono vegana", "Soy vegana", "Je suis végane", "Ich bin vegan"],
]


@pytest.mark.parametrize("sayings", SAME, ids=[one[0] for one in SAME])
def test_five_languages_fill_the_same_slot(sayings: list[str]) -> None:
    slots = {
        tuple(
            (one.subject, one.predicate, one.kind, one.key)
            for one in candidates(Utterance(episode="e", text=text, at=AT))
        )
        for text in sayings
    }
    assert len(slots) == 1
    assert slots != {()}


@pytest.mark.parametrize(
    ("said", "told"),
    [("Ich trinke gern Tee", "Owner likes Tee trinken"), ("ich wandere gerne im Wald", "Owner likes im Wald wandern")],
)
def test_what_somebody_does_gladly_is_named_by_its_infinitive(said, told):
    utterance = Utterance(episode="e", text=said, at=datetime(2026, 3, 2, tzinfo=UTC))
    assert [candidate.statement for candidate in candidates(utterance)] == [told]
