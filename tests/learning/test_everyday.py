"""What people say of themselves in everyday words, in five languages; and what only sounds like it."""

from datetime import UTC, datetime

import pytest
from tests.learning.measured import measure

from commonplace import Commonplace
from commonplace.learning.rules import Utterance, candidates
from commonplace.testing.clock import StoppedClock

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

TAUGHT = {
    # Health and food
    "im coeliac so no wheat flour": ["Owner is coeliac"],
    "Quick thing for the trip: I'm lactose intolerant.": ["Owner is lactose intolerant"],
    "I don't eat pork": ["Owner does not eat pork"],
    "I don't drink coffee after noon": ["Owner does not drink coffee after noon"],
    "I have asthma": ["Owner has asthma"],
    "non mangio carne di maiale": ["Owner does not eat carne di maiale"],
    "tengo intolerancia a la lactosa": ["Owner has intolerancia a la lactosa"],
    "je ne mange pas de porc": ["Owner does not eat porc"],
    "Ich trinke keinen Alkohol mehr": ["Owner does not drink Alkohol"],
    "ich rauche nicht mehr": ["Owner gave up smoking"],
    # People and pets
    "our cat is called Biscuit and she rules the house": ["Owner has a cat called Biscuit"],
    "Mein Hund heißt Pixel": ["Owner has a dog called Pixel"],
    "la mia gatta si chiama Nuvola": ["Owner has a cat called Nuvola"],
    "I love hiking with my dog Rufus": ["Owner has a dog called Rufus"],
    "tengo dos hermanas, Ana y Rocío": [
        "Owner has two sisters", "Ana is a sibling of Owner", "Rocío is a sibling of Owner",
    ],
    "My physio is called Marguerite": [
        "Marguerite is Owner's physiotherapist", "Owner's physiotherapist is Marguerite",
    ],
    "can you find a present for my sister Paula?": ["Paula is a sibling of Owner"],
    "je suis en couple avec Thomas": ["Thomas is the partner of Owner"],
    "I'm Ravi, nice to meet you": ["Owner's name is Ravi"],
    # Pastimes, work, homes
    "I've been playing the cello since I was nine": ["Owner plays the cello"],
    "Je joue du violon depuis l'enfance": ["Owner plays violon"],
    "ich spiele seit zehn Jahren Handball": ["Owner plays Handball"],
    "Ich wohne seit März in Leipzig": ["Owner lives in Leipzig"],
    "i live in vienna": ["Owner lives in Vienna"],
    "I sing tenor in a choir": ["Owner sings tenor in a choir"],
    "My blood type is O negative": ["Owner's blood type is O negative"],
    "I work at Tesco as a baker": ["Owner works at Tesco", "Owner is a baker by occupation"],
    # One subject for several verbs
    "I live in Vienna, work at Acme and have two cats": [
        "Owner lives in Vienna", "Owner works at Acme", "Owner has two cats",
    ],
    "I used to live in Rome and work at Acme": ["No longer held: Owner lives in Rome"],
    "Ich wohne in Wien und arbeite bei Acme": ["Owner lives in Wien", "Owner works at Acme"],
    # Habits
    "Ogni martedì ho lezione di pianoforte": ["Owner's routine: ho lezione di pianoforte ogni martedì"],
    "dienstags hab ich immer Spanischkurs": ["Owner's routine: hab Spanischkurs dienstags"],
    "I have choir practice on Wednesday evenings": ["Owner's routine: have choir practice on Wednesday evenings"],
    "i usually run 5k on sunday mornings, maybe i should run more": ["Owner's routine: run 5k on sunday mornings"],
    # How a project is done
    "Let's use tabs in this project": ["Decision: use tabs in this project"],
    "we always squash merge in this repo": ["Convention: we always squash merge in this repo"],
    "In this repo we use tabs": ["Convention: we use tabs"],
    "dans ce dépôt on indente avec quatre espaces": ["Convention: on indente avec quatre espaces"],
    "we target node 20": ["node version is 20"],
    "the release is on June 3": ["release is due 2026-06-03"],
    "no wait, the meeting is on the 14th not the 12th": ["meeting is the 14th"],
}  # fmt: skip


@pytest.mark.parametrize("said", TAUGHT)
def test_everyday_words_teach(said: str) -> None:
    made = [one.statement for one in candidates(Utterance(episode="1", text=said, at=AT))]
    assert [one.casefold() for one in made] == [one.casefold() for one in TAUGHT[said]]


@pytest.mark.parametrize(
    "said",
    [
        "I have a meeting on Wednesday", "I usually agree with you but not here", "I never said that",
        "we use it for that too", "let's go with the second one", "my back hurts today",
        "I ate too much pizza yesterday",
        "I'm an idiot, forgot the semicolon", "I used to play drums when I was younger", "I've played chess before",
        "is my CFO Giulia or Marta?", "My colleague Dan thinks we should rewrite it in Rust", "we'll keep going",
        "i live in fear of merge conflicts", "my phone's been giving me a hard time", "I picked that spot",
        "Example sentence: I live in London.", "keep your answers short this week please", "ho fame",
        "ich hab heute keinen Bock",
        "me llamo Andrea y vivo en Cuenca, dijo la actriz", "wenn ich reich wäre, würde ich in Zürich wohnen",
        "je vais peut-être changer de boulot", "A=1\nB=2\nPORT=9000",
    ],
)  # fmt: skip
def test_what_only_sounds_like_it_teaches_nothing(said: str) -> None:
    assert candidates(Utterance(episode="1", text=said, at=AT)) == ()


@pytest.mark.parametrize("name", ["round_a", "round_b", "round_c", "round_d", "round_e"])
def test_the_rounds_stay_as_right_as_they_were_made(name: str) -> None:
    result = measure.measure(measure.turns(name))
    assert result.turns >= 75
    assert result.total.precision >= 0.95, "\n".join(result.misses)
    assert result.total.recall >= 0.8, "\n".join(result.misses)


def believed(book: Commonplace) -> set[str]:
    return {one.text for one in book.browse(kinds=["core", "associative", "relational"], limit=99)}


@pytest.mark.parametrize(
    ("earlier", "later", "now"),
    [
        (
            "let's use Postgres for the job queue",
            "we're going with Postgres for the job queue",
            {"Decision: use Postgres for the job queue"},
        ),
        (
            "let's go with htmx for the frontend",
            "we picked React for the frontend",
            {"Decision: picked React for the frontend"},
        ),
        ("we have two kids", "we have three kids", {"Owner has three children"}),
        ("my girlfriend is Hannah", "I broke up with Hannah", set()),
        ("I play the cello and I play chess", "I no longer play chess", {"Owner plays the cello"}),
        ("ich spiele Handball", "ich spiele kein Handball mehr", set()),
        ("i go to the gym every monday", "I no longer go to the gym on mondays", set()),
        ("je travaille chez Orange", "j'ai quitté Orange", set()),
        (
            "mi perra se llama Luna",
            "mi otra perra se llama Kira",
            {"Owner has a dog called Luna", "Owner has a dog called Kira"},
        ),
        ("I don't eat pork", "I don't eat shellfish", {"Owner does not eat pork", "Owner does not eat shellfish"}),
    ],
)  # fmt: skip
def test_what_changes_and_what_stands(
    book: Commonplace, clock: StoppedClock, earlier: str, later: str, now: set[str]
) -> None:
    book.observe(earlier)
    assert believed(book)
    clock.advance(days=10)
    book.observe(later)
    assert believed(book) == now
