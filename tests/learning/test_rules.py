"""What the rules make of a turn, whatever its language: shapes, limits, coreference, dates, what takes back."""

from datetime import UTC, datetime

import pytest

from commonplace.learning.rules import MOST, Utterance, candidates
from commonplace.model import Candidate

AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)


def said(text: str, *, speaker: str | None = None, role: str = "user", episode: str = "e1") -> Utterance:
    return Utterance(episode=episode, text=text, at=AT, speaker=speaker, role=role)  # type: ignore[arg-type]


def made(text: str, *before: str, owner_name: str | None = None) -> tuple[Candidate, ...]:
    recent = [said(one, episode=f"before {n}") for n, one in enumerate(before)]
    return candidates(said(text), owner_name=owner_name, recent=recent)


def triples(found: tuple[Candidate, ...]) -> list[tuple[str | None, str | None, str | None]]:
    return [(one.subject, one.predicate, one.object) for one in found]


def test_a_role_makes_an_edge_and_a_core_value() -> None:
    edge, core = made("My CFO is Giulia")
    assert (edge.type, edge.kind, edge.statement) == ("relation", "relational", "Giulia is Owner's CFO")
    assert (edge.subject, edge.subject_type, edge.predicate) == ("Giulia", "person", "cfo_of")
    assert (edge.object, edge.object_type) == ("owner", "person")
    assert (core.type, core.kind, core.key, core.object) == ("value", "core", "cfo", "Giulia")


def test_a_project_role_makes_a_stakeholder_and_a_fact_and_no_more() -> None:
    edge, fact = made("Marco is the PM on Project Acme")
    assert (edge.subject, edge.subject_type, edge.predicate) == ("Marco", "person", "stakeholder_of")
    assert (edge.object, edge.object_type) == ("Acme", "project")
    assert fact.statement == "Marco is PM on Acme"


def test_living_and_moving_fill_the_same_slot() -> None:
    (vienna,) = made("I live in Vienna")
    (oslo,) = made("I moved to Oslo")
    assert (vienna.subject, vienna.predicate, vienna.object) == ("owner", "lives_in", "Vienna")
    assert (oslo.subject, oslo.predicate, oslo.object) == ("owner", "lives_in", "Oslo")
    assert oslo.statement == "Owner lives in Oslo"


def test_the_quote_stands_in_the_turn_word_for_word() -> None:
    text = "By the way, I moved to Oslo last month! Nice place."
    (one,) = made(text)
    assert one.quote in text
    assert one.quote == "I moved to Oslo last month"
    assert one.episode == "e1"


def test_a_named_owner_stands_in_the_statement_and_not_in_the_slot() -> None:
    (one,) = made("I live in Oslo", owner_name="Ada")
    assert one.statement == "Ada lives in Oslo"
    assert one.subject == "owner"


@pytest.mark.parametrize("speaker", [None, "Ada", "ada", "owner", "me"])
def test_the_owner_is_known_by_name(speaker: str | None) -> None:
    (one,) = candidates(said("I live in Oslo", speaker=speaker), owner_name="Ada")
    assert one.subject == "owner"


def test_another_speaker_speaks_of_themselves() -> None:
    (one,) = candidates(said("I live in Oslo", speaker="Bo"), owner_name="Ada")
    assert (one.subject, one.statement) == ("Bo", "Bo lives in Oslo")
    (edge,) = candidates(said("My CFO is Giulia", speaker="Bo"), owner_name="Ada")
    assert (edge.subject, edge.object, edge.kind) == ("Giulia", "Bo", "relational")


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_people_are_listened_to(role: str) -> None:
    assert candidates(said("I live in Oslo", role=role)) == ()
    assert candidates(said("I live in Oslo")) != ()


def test_a_compound_sentence_gives_several_in_their_order() -> None:
    found = made("My name is Ada Byron, I live in Oslo and I work at Siemens.")
    assert [one.predicate for one in found] == ["name", "lives_in", "works_at"]


def test_a_message_may_mix_languages() -> None:
    found = made("Ciao! Mia sorella vive a Roma. Let's go with Postgres. Ich wohne in Graz.")
    assert [one.statement for one in found] == [
        "Owner's sister lives in Roma",
        "Decision: go with Postgres",
        "Owner lives in Graz",
    ]


def test_a_turn_gives_at_most_five() -> None:
    found = made("I speak German, English, Dutch, Greek, Czech, Polish and Danish")
    assert MOST == 5
    assert len(found) == 5


def test_a_list_gives_one_candidate_an_item() -> None:
    assert triples(made("I hate cilantro, olives and beetroot.")) == [
        ("owner", "dislikes", "cilantro"),
        ("owner", "dislikes", "olives"),
        ("owner", "dislikes", "beetroot"),
    ]


def test_what_is_said_to_be_remembered_is_surer() -> None:
    (plain,) = made("I live in Oslo")
    (asked,) = made("Please remember that I live in Oslo")
    assert (plain.confidence, asked.confidence) == (0.7, 0.9)
    assert plain.statement == asked.statement


def test_what_is_said_to_be_remembered_is_kept_even_without_a_rule() -> None:
    (one,) = made("Remember that my locker is on the second floor")
    assert one.statement == "Owner's locker is on the second floor"
    assert made("my locker is on the second floor") == ()


def test_not_forgetting_is_the_contrary_of_forgetting() -> None:
    (kept,) = made("don't forget that I live in Paris")
    (gone,) = made("forget that I live in Paris")
    assert (kept.retracts, gone.retracts) == (None, "forget")
    assert triples((kept,)) == triples((gone,))


# Dates


def test_since_and_last_month_give_the_start() -> None:
    (since,) = made("I have lived in Oslo since 2021")
    (moved,) = made("Last month I moved to Oslo")
    (undated,) = made("I live in Oslo")
    assert since.valid_from == datetime(2021, 1, 1, tzinfo=UTC)
    assert moved.valid_from == datetime(2026, 2, 1, tzinfo=UTC)
    assert undated.valid_from is None


def test_until_gives_the_end_and_means_the_next_friday() -> None:
    (stay,) = made("I'm in Lisbon until Friday")
    assert stay.valid_to is not None
    assert stay.valid_to.date() == datetime(2026, 3, 6, tzinfo=UTC).date()
    assert stay.predicate == "staying_in"


def test_what_was_so_until_a_year_is_history() -> None:
    (was,) = made("I lived in Graz until 2019")
    assert (was.predicate, was.object) == ("lives_in", "Graz")
    assert was.valid_to is not None
    assert was.valid_to.year == 2019
    assert made("I lived in Graz") == ()


def test_a_deadline_is_kept_as_the_day_it_means() -> None:
    assert triples(made("The deadline is Friday")) == [("deadline", "due_on", "2026-03-06")]
    assert triples(made("The launch is March 21st")) == [("launch", "due_on", "2026-03-21")]
    assert triples(made("Die Abgabe ist am Freitag")) == [("abgabe", "due_on", "2026-03-06")]


def test_a_routine_is_not_dated_by_its_weekday() -> None:
    (one,) = made("Every Monday I go swimming")
    assert (one.valid_from, one.valid_to) == (None, None)
    assert one.object == "go swimming every Monday"


# Taking back


def test_no_sister_takes_back_the_sister_and_all_that_was_said_of_her() -> None:
    had = made("I have a sister in Rome")
    assert triples(had) == [("owner", "has_sister", "a sister"), ("owner's sister", "lives_in", "Rome")]
    gone = made("I misspoke, I don't have a sister")
    assert [(one.subject, one.predicate, one.retracts) for one in gone] == [
        ("owner", "has_sister", "wrong"),
        ("owner's sister", None, "wrong"),
    ]


def test_no_longer_ends_and_does_not_make_wrong() -> None:
    (one,) = made("I no longer live in Oslo")
    assert (one.retracts, one.object) == ("ended", "Oslo")


def test_what_was_meant_takes_back_what_was_said_and_says_it_right() -> None:
    wrong, right = made("no, I meant Bergen, not Oslo", "I moved to Oslo")
    assert (wrong.retracts, wrong.object) == ("wrong", "Oslo")
    assert (right.type, right.retracts, right.statement) == ("correction", None, "Owner lives in Bergen")
    assert right.quote == "I meant Bergen, not Oslo"


def test_what_was_meant_needs_no_old_value_if_the_last_turn_has_one_of_its_form() -> None:
    wrong, right = made("Sorry, I meant Bergen", "I moved to Oslo")
    assert (wrong.object, right.object) == ("Oslo", "Bergen")
    assert made("Sorry, I meant the other file", "I moved to Oslo") == ()


def test_forget_that_means_the_turn_before_and_reaches_no_further() -> None:
    (gone,) = made("Forget that.", "I live in Bergen")
    assert (gone.retracts, gone.object) == ("forget", "Bergen")
    assert made("Forget that.", "I live in Bergen", "the weather is fine") == ()


def test_forget_that_does_not_reach_into_what_another_speaker_said() -> None:
    before = [said("I live in Bergen", speaker="Bo")]
    assert candidates(said("Forget that."), owner_name="Ada", recent=before) == ()
    assert candidates(said("Forget that.", speaker="Bo"), owner_name="Ada", recent=before) != ()


# Nobody's statement


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Oslo?",
        "If I lived in Oslo I would ski.",
        "Marco said I live in Oslo",
        "Just kidding, I live in Oslo",
        "I live in Oslo lol",
        "Translate: I live in Oslo",
        "Write a short letter in which I live in Oslo",
        "Maybe I live in Oslo",
        "In my novel I live in Oslo",
        "> I live in Oslo",
        "```\nI live in Oslo\n```",
        '"I live in Oslo" is her favourite line',
        "<private>I live in Oslo</private>",
        "2026-01-01 10:00:00 I live in Oslo",
        "    I live in Oslo",
        "From: Bo\nSubject: I live in Oslo",
        "",
        "   \n",
    ],
)
def test_what_nobody_states_teaches_nothing(text: str) -> None:
    assert made(text) == ()
    assert made("I live in Oslo") != ()


def test_prose_beside_pasted_code_is_still_heard() -> None:
    text = "I live in Oslo\n```\nport = 5433\n```\nand the port is 6000"
    assert triples(made(text)) == [("owner", "lives_in", "Oslo"), ("port", "value", "6000")]


@pytest.mark.parametrize("text", ["We moved to GitHub Actions", "I moved to VS Code", "I joined Zoom"])
def test_nobody_lives_in_a_tool(text: str) -> None:
    assert made(text) == ()


@pytest.mark.parametrize(
    "text",
    ["let's do it", "skip that", "go with that", "this is blocking us", "Let's keep it up", "let's merge it and go on"],
)
def test_what_points_elsewhere_is_no_memory(text: str) -> None:
    assert made(text) == ()


def test_an_order_is_not_taken_for_its_contrary() -> None:
    assert [one.statement for one in made("please don't add comments")] == ["Architecture: do not add comments"]
    assert made("please add comments") == ()


def test_secrets_make_no_values() -> None:
    assert made("The password is hunter2") == ()
    assert made("the api key is sk-123456789") == ()


def test_the_same_turn_gives_the_same_candidates() -> None:
    text = "My sister Anna lives in Rome, I prefer tea over coffee and our port is 5433"
    assert made(text) == made(text)
    assert len(made(text)) == 4


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I play the cello and the piano", ["the cello", "the piano"]),
        ("I'm afraid of spiders and heights", ["spiders", "heights"]),
        ("I support Arsenal and St Pauli", ["Arsenal", "St Pauli"]),
        ("Suono il pianoforte e la chitarra", ["pianoforte", "chitarra"]),
        ("Je joue du piano et de la guitare", ["piano", "guitare"]),
        ("Ich spiele Klavier und Gitarre", ["Klavier", "Gitarre"]),
        ("I play the cello and run marathons", ["the cello"]),
        ("I play the cello and hate the piano", ["the cello"]),
        ("I hate flying, so my brother takes the train", ["flying"]),
        ("I love hiking, swimming and chess", ["hiking", "swimming", "chess"]),
    ],
)
def test_a_list_of_objects_is_a_fact_for_each(text: str, values: list[str]) -> None:
    predicate = made(text)[0].predicate
    assert [found.object for found in made(text) if found.predicate == predicate] == values


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I would rather have the report as a table", "Owner prefers to have the report as a table"),
        ("I'd rather walk to work", "Owner prefers to walk to work"),
        ("I prefer tea", "Owner prefers tea"),
        ("can you always give me an example sentence when you explain grammar?",
         "Always give Owner an example sentence when you explain grammar"),
    ],
)  # fmt: skip
def test_what_is_preferred_is_kept_whole_and_an_order_for_good_may_be_a_question(text: str, statement: str) -> None:
    assert [candidate.statement for candidate in made(text)] == [statement]


def test_a_question_about_always_is_no_order() -> None:
    assert not made("can you give me an example?")
    assert not made("do you always give an example?")
