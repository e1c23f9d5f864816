"""Sentences that no rule reads: which are kept, and in which words."""

from datetime import UTC, datetime, timedelta

import pytest

from commonplace.learning.matching import likely
from commonplace.learning.plain_sentences import Before, in_third_person, sentence_candidates, with_the_person
from commonplace.learning.rules import Utterance
from commonplace.model import Candidate
from commonplace.providers.judge import Judge

AT = datetime(2026, 3, 2, tzinfo=UTC)


def of(text: str) -> list[Candidate]:
    said = Utterance(episode="e", text=text, at=AT)
    candidates = sentence_candidates(said, Judge(), owner_name="Ada")
    return [candidate for candidate in candidates if not candidate.passing]


def kept(text: str) -> list[str]:
    return [candidate.statement for candidate in of(text)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm off football till Easter", "Ada is off football till Easter"),
        ("I've sold my bike", "Ada has sold Ada's bike"),
        ("I love it when my sister calls me", "Ada loves it when Ada's sister calls Ada"),
        ("I bought a house", "Ada bought a house"),
        ("I got a new job and I start in May", "Ada got a new job and Ada starts in May"),
        ("I don't eat meat", "Ada doesn't eat meat"),
        ("I never fly", "Ada never flies"),
        ("I no longer eat meat", "Ada no longer eats meat"),
        ("We sold the Golf", "We sold the Golf"),
        ("I dont eat meat and I havent for years", "Ada doesn't eat meat and Ada hasn't for years"),
        ("I need a coat, I set it up by myself", "Ada needs a coat, Ada set it up alone"),
        ("Tom and I have been together for years", "Tom and Ada have been together for years"),
    ],
)
def test_the_first_person_becomes_the_owners_name(said, told):
    assert in_third_person(said, "Ada") == told


def test_a_lasting_statement_is_kept():
    assert len(kept("We sold the Golf last week")) == 1


def test_a_password_is_not_believed():
    assert kept("The charger for the lab is in the red drawer by the door"), "the control"
    assert kept("The password for the zip is bluebottle63") == []


@pytest.mark.parametrize(
    "said",
    [
        "thanks, that helps a lot!",
        "Can you make this shorter?",
        "it was great",
        "She says the shop is closed",
        "lol I moved to Narnia",
        "Rewrite the second paragraph",
        "I might buy a boat",
    ],
)
def test_thanks_questions_jokes_guesses_and_orders_are_not(said):
    assert kept(said) == []


def test_what_a_rule_reads_is_not_kept_twice():
    assert kept("I live in Oslo") == []


def test_a_sentence_that_points_back_comes_with_the_one_before_and_others_stand_alone():
    (together,) = kept("Our new car is a Kia. It belongs to my wife.")
    assert "Kia" in together and "wife" in together
    assert len(kept("We sold the Golf last week. The new car is a Kia and it belongs to my wife.")) == 2


def test_what_somebody_tells_before_they_ask_is_kept_without_the_question():
    (told,) = kept("My daughter Mia is allergic to kiwi, what can I bake for her party?")
    assert "kiwi" in told and "bake" not in told
    assert kept("What can I bake for the party, any ideas?") == []


def test_a_week_a_day_and_an_end_bound_what_is_kept_and_a_birthday_does_not():
    said = {
        text: of(text) for text in ("My boss Marco is on holiday this week", "Grandma's birthday party is on 4 May")
    }
    (holiday,), (birthday,) = said.values()
    assert holiday.valid_to is not None and holiday.valid_to.date().isoformat() == "2026-03-08"
    assert birthday.valid_to is None


def test_a_pasted_log_with_a_sentence_in_it_teaches_nothing():
    log = "here is the output\nerror[E0308]: mismatched types\n  --> src/load.rs:42:9\n   |\n"
    assert kept(f"{log}I live in /home/runner/work and my name is runner\nmake: *** [build] Error 101") == []


def test_he_and_she_are_the_one_person_whom_the_message_before_names():
    said = Utterance(episode="e", text="he starts on May 4", at=AT)

    def told(before: str) -> list[str]:
        candidates = sentence_candidates(said, Judge(), owner_name="Ada", before=Before((before,)))
        return [candidate.statement for candidate in candidates if not candidate.passing]

    assert told("Mikkel got a job in the office in Oslo") == ["Mikkel starts on May 4"]
    assert told("Mikkel and Jonas are both looking for work") == []
    assert told("Mikkel was here. I met a man called Rex") == ["Rex starts on May 4"]
    assert told("Yesterday I met Marta Rossi, our new colleague") == ["Marta Rossi starts on May 4"]
    assert told("Dr Halloran got a job at the clinic") == ["Halloran starts on May 4"]
    assert told("") == []


def test_what_is_said_behind_words_that_a_rule_reads_is_kept_too():
    text = "Marta doesn't eat pork and Mikkel gets migraines from red wine"
    assert kept(text) == ["Mikkel gets migraines from red wine"]
    assert kept("I live in Oslo with my two kids and a dog") == []


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("My appointment at the embassy is on March 18 at 10:15", "2026-03-18"),
        ("I'm flying to Plovdiv on March 21 with my cousin", "2026-03-21"),
        ("Exam is on May 20", "2026-05-20"),
        ("We booked Crete, July 4 to 11", "2026-07-11"),
        ("My contract runs from May 1", None),
    ],
)
def test_what_happens_on_a_day_is_over_after_it_and_what_comes_again_or_goes_on_is_not(said, day):
    (event,) = of(said)
    assert (event.valid_to and event.valid_to.date().isoformat()) == day


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        ("Mia sorella si chiama Anna", "Lavora come infermiera a Torino", "Anna lavora come infermiera a Torino"),
        ("Mi jefa se llama Carmen", "Trabaja desde casa los viernes", "Carmen trabaja desde casa los viernes"),
        ("I met Tom Baker at the gym", "He's a nurse at the hospital", "Tom Baker's a nurse at the hospital"),
        ("Yesterday Anna came over", "She works at the bank now", "Anna works at the bank now"),
    ],
)
def test_a_verb_or_a_pronoun_means_the_whole_name_said_before(before, said, told):
    (text,) = kept(f"{before}. {said}.")
    assert text.removeprefix("Ada said: ") == told


def test_a_verb_of_the_first_person_means_nobody_else():
    language = likely("Mi jefa se llama Carmen")[0]
    assert with_the_person("Trabaja en casa", ["Mi jefa se llama Carmen"], language) == "Carmen trabaja en casa"
    assert with_the_person("Trabajo en casa", ["Mi jefa se llama Carmen"], language) == "Trabajo en casa"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("My sister Carla is a vet. Has two kids and lives in Ghent", "Carla has two kids and lives in Ghent"),
        ("I have a new flat. Moved in last week, signed for two years", "Ada moved in last week, signed for two years"),
        (
            "Meine Nachbarin Frau Krüger hat einen Hund. Heißt Bodo und ist schon zwölf",
            "Ada said: Meine Nachbarin Frau Krüger hat einen Hund. Heißt Bodo und ist schon zwölf",
        ),
    ],
)
def test_a_verb_of_the_third_person_without_a_subject_is_not_the_owners(message, told):
    assert told in kept(message)


def test_what_holds_for_some_days_is_over_by_itself_and_a_lasting_statement_is_not():
    (cold,) = of("My boiler is broken and the plumber comes this week")
    (bike,) = of("We sold the Golf last week")
    assert cold.fades_at is not None and cold.fades_at - AT < timedelta(days=93)
    assert bike.fades_at is None
