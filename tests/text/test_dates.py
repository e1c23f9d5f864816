"""Dates in five languages, by the clock of whoever speaks."""

from datetime import UTC, datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.text.dates import find_dates
from commonplace.text.languages import LANGUAGES
from commonplace.text.questions import Answer
from commonplace.text.questions import asks as asks_for

ROME = ZoneInfo("Europe/Rome")
NOW = datetime(2023, 6, 14, 15, 30, tzinfo=ROME)  # a Wednesday

DAYS = [
    ("en", "today", "2023-06-14", "2023-06-14"),
    ("en", "yesterday", "2023-06-13", "2023-06-13"),
    ("en", "the day before yesterday", "2023-06-12", "2023-06-12"),
    ("en", "tomorrow", "2023-06-15", "2023-06-15"),
    ("en", "last Tuesday", "2023-06-13", "2023-06-13"),
    ("en", "last Wednesday", "2023-06-07", "2023-06-07"),
    ("en", "next Friday", "2023-06-16", "2023-06-16"),
    ("en", "on Monday", "2023-06-12", "2023-06-12"),
    ("en", "I will see you on Monday", "2023-06-19", "2023-06-19"),
    ("en", "3 days ago", "2023-06-11", "2023-06-11"),
    ("en", "two weeks ago", "2023-05-28", "2023-06-03"),
    ("en", "a couple of months ago", "2023-04-01", "2023-04-30"),
    ("en", "in 3 days", "2023-06-17", "2023-06-17"),
    ("en", "last week", "2023-06-05", "2023-06-11"),
    ("en", "this weekend", "2023-06-17", "2023-06-18"),
    ("en", "next month", "2023-07-01", "2023-07-31"),
    ("en", "last year", "2022-01-01", "2022-12-31"),
    ("en", "in May", "2023-05-01", "2023-05-31"),
    ("en", "in August", "2022-08-01", "2022-08-31"),
    ("en", "last May", "2023-05-01", "2023-05-31"),
    ("en", "last June", "2022-06-01", "2022-06-30"),
    ("en", "last winter", "2022-12-01", "2023-02-28"),
    ("en", "in summer 2021", "2021-06-01", "2021-08-31"),
    ("en", "May 7, 2023", "2023-05-07", "2023-05-07"),
    ("en", "7 May", "2023-05-07", "2023-05-07"),
    ("en", "December 24th", "2022-12-24", "2022-12-24"),
    ("en", "2023-05-07", "2023-05-07", "2023-05-07"),
    ("en", "25/12/2022", "2022-12-25", "2022-12-25"),
    ("en", "May 2021", "2021-05-01", "2021-05-31"),
    ("en", "in 2019", "2019-01-01", "2019-12-31"),
    ("en", "since 2021", "2021-01-01", "2023-06-14"),
    ("en", "after 2021", "2022-01-01", "2023-06-14"),
    ("en", "between May 2021 and June 2022", "2021-05-01", "2022-06-30"),
    ("en", "from Monday to Wednesday", "2023-06-12", "2023-06-14"),
    ("it", "ieri", "2023-06-13", "2023-06-13"),
    ("it", "la settimana scorsa", "2023-06-05", "2023-06-11"),
    ("it", "due settimane fa", "2023-05-28", "2023-06-03"),
    ("it", "lunedì scorso", "2023-06-12", "2023-06-12"),
    ("it", "il 7 maggio 2023", "2023-05-07", "2023-05-07"),
    ("it", "07/05/2023", "2023-05-07", "2023-05-07"),
    ("it", "a maggio", "2023-05-01", "2023-05-31"),
    ("it", "dal 2021", "2021-01-01", "2023-06-14"),
    ("it", "tra due giorni", "2023-06-16", "2023-06-16"),
    ("es", "anteayer", "2023-06-12", "2023-06-12"),
    ("es", "pasado mañana", "2023-06-16", "2023-06-16"),
    ("es", "la semana pasada", "2023-06-05", "2023-06-11"),
    ("es", "hace dos semanas", "2023-05-28", "2023-06-03"),
    ("es", "el 7 de mayo de 2023", "2023-05-07", "2023-05-07"),
    ("es", "desde 2021", "2021-01-01", "2023-06-14"),
    ("fr", "avant-hier", "2023-06-12", "2023-06-12"),
    ("fr", "la semaine dernière", "2023-06-05", "2023-06-11"),
    ("fr", "il y a deux semaines", "2023-05-28", "2023-06-03"),
    ("fr", "le 1er août 2022", "2022-08-01", "2022-08-01"),
    ("fr", "le mois prochain", "2023-07-01", "2023-07-31"),
    ("fr", "depuis 2021", "2021-01-01", "2023-06-14"),
    ("de", "übermorgen", "2023-06-16", "2023-06-16"),
    ("de", "letzte Woche", "2023-06-05", "2023-06-11"),
    ("de", "vor zwei Wochen", "2023-05-28", "2023-06-03"),
    ("de", "letzten Montag", "2023-06-12", "2023-06-12"),
    ("de", "am 7. Mai 2023", "2023-05-07", "2023-05-07"),
    ("de", "im Mai", "2023-05-01", "2023-05-31"),
    ("de", "seit 2021", "2021-01-01", "2023-06-14"),
    ("en", "7-May-2023", "2023-05-07", "2023-05-07"),
    ("en", "2023.05.07", "2023-05-07", "2023-05-07"),
    ("en", "2023-5-7", "2023-05-07", "2023-05-07"),
    ("en", "05/2022", "2022-05-01", "2022-05-31"),
    ("en", "in mid-March", "2023-03-01", "2023-03-31"),
    ("fr", "début mars", "2023-03-01", "2023-03-31"),
    ("es", "a finales de marzo", "2023-03-01", "2023-03-31"),
    ("de", "Mitte mai", "2023-05-01", "2023-05-31"),
    ("en", "between March and May", "2023-03-01", "2023-05-31"),
    ("en", "between April and June 2021", "2021-04-01", "2021-06-30"),
    ("en", "from December to February 2021", "2020-12-01", "2021-02-28"),
    ("en", "between January and March 2024", "2024-01-01", "2024-03-31"),
    ("it", "tra marzo e maggio 2022", "2022-03-01", "2022-05-31"),
    ("en", "a few days ago", "2023-06-09", "2023-06-13"),
    ("en", "three days ago", "2023-06-11", "2023-06-11"),
]


@pytest.mark.parametrize(("code", "text", "first", "last"), DAYS)
def test_a_date_is_the_stretch_that_people_mean(code, text, first, last):
    (found,) = find_dates(f"{text}.", NOW, code)
    days = (found.first.astimezone(ROME).date().isoformat(), found.last.astimezone(ROME).date().isoformat())
    assert days == (first, last)
    assert found.first.tzinfo is found.last.tzinfo is UTC


@pytest.mark.parametrize(
    ("code", "text", "first", "hours"),
    [
        ("en", "this morning", datetime(2023, 6, 14, 5, tzinfo=ROME), 7),
        ("en", "last night", datetime(2023, 6, 13, 18, tzinfo=ROME), 12),
        ("it", "stamattina", datetime(2023, 6, 14, 5, tzinfo=ROME), 7),
        ("es", "anoche", datetime(2023, 6, 13, 18, tzinfo=ROME), 12),
        ("fr", "hier soir", datetime(2023, 6, 13, 18, tzinfo=ROME), 12),
        ("de", "heute Morgen", datetime(2023, 6, 14, 5, tzinfo=ROME), 7),
    ],
)
def test_parts_of_a_day_have_their_hours(code, text, first, hours):
    (found,) = find_dates(text, NOW, code)
    assert found.first == first
    assert found.last + timedelta(microseconds=1) == first + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("on 2023-05-07", "absolute"),
        ("last week", "relative"),
        ("every Friday", "recurring"),
        ("on Mondays", "recurring"),
        ("each month", "recurring"),
    ],
)
def test_a_date_knows_its_kind(text, kind):
    assert [found.kind for found in find_dates(text, NOW)] == [kind]


@pytest.mark.parametrize("text", ["We march late", "You may, between us, go", "version 2023.5", "April and I"])
def test_what_may_be_a_month_and_is_none_is_left_out(text):
    assert not find_dates(text, NOW)
    assert find_dates(f"{text}, in March", NOW)


def test_before_a_date_is_everything_until_it():
    (found,) = find_dates("before 2020", NOW)
    assert found.first.year == 1
    assert found.last < datetime(2020, 1, 1, tzinfo=ROME) <= found.last + timedelta(microseconds=1)
    (found,) = find_dates("until 2020", NOW)
    assert found.last.astimezone(ROME).year == 2020


def test_the_askers_clock_decides_what_today_is():
    late = datetime(2023, 6, 14, 23, 30, tzinfo=UTC)
    (in_london,) = find_dates("today", late)
    (in_rome,) = find_dates("today", late.astimezone(ROME))
    assert in_rome.first - in_london.first == timedelta(hours=22)


def test_a_day_of_the_change_of_clocks_is_23_hours_long():
    (found,) = find_dates("26 March 2023", NOW)
    assert found.last - found.first == timedelta(hours=23, microseconds=-1)


@pytest.mark.parametrize(
    "text",
    ["May I come? I may march.", "31 February 2023", "07/05/2023", "2019 cats", "he can fall", "room 12.5.2", ""],
)
def test_what_is_no_date_is_not_found(text):
    assert find_dates(text, NOW) == []
    assert find_dates(f"{text} yesterday", NOW)


@given(st.text(), st.sampled_from([*LANGUAGES, "auto"]))
@example("in 999 years, 999 years ago, 1500-01-01, before 1500", "en")
@example("gestern \ud800 İß ﬁ am ٣. Mai", "de")
@example("٣/٣/2023 and ٣ days ago", "en")
def test_any_text_can_be_searched_and_spans_are_the_text(text, code):
    for found in find_dates(f"{text} 2023-05-07", NOW, code):
        assert f"{text} 2023-05-07"[found.start : found.end] == found.text
        assert found.first <= found.last


@given(st.datetimes(datetime(2, 1, 1), datetime(9990, 1, 1)), st.sampled_from([text for code, text, *_ in DAYS]))
def test_any_clock_will_do(now, text):
    for found in find_dates(text, now.replace(tzinfo=UTC)):
        assert found.first <= found.last


QUESTIONS = [
    ("When did she move?", "when"),
    ("What day is it?", "when"),
    ("Do you remember when we met?", "when"),
    ("Can you tell me what year it was?", "when"),
    ("Since when?", "when"),
    ("Quando sei nato?", "when"),
    ("¿Cuándo llegó?", "when"),
    ("Quand est-il arrivé ?", "when"),
    ("Wann war das?", "when"),
    ("I was happy when we met. Who was it?", "who"),
    ("And who told you?", "who"),
    ("Tell me who won", "who"),
    ("Whose car is that?", "who"),
    ("Chi è Marco?", "who"),
    ("¿Quién es?", "who"),
    ("Qui est-ce ?", "who"),
    ("Mit wem war er dort?", "who"),
    ("Where does she live?", "where"),
    ("Anna, where is it?", "where"),
    ("In which city?", "where"),
    ("Dove abita?", "where"),
    ("¿Dónde vive Ana?", "where"),
    ("Où habite-t-il ?", "where"),
    ("Woher kommt er?", "where"),
    ("How many cats does he have?", "how many"),
    ("How old is she?", "how many"),
    ("Quanti gatti ha?", "how many"),
    ("¿Cuántos gatos tiene?", "how many"),
    ("Combien de chats ?", "how many"),
    ("Wie viele Katzen hat er?", "how many"),
]


@pytest.mark.parametrize(("question", "asks"), QUESTIONS)
def test_a_question_asks_for_one_kind_of_answer(question, asks):
    kinds: tuple[Answer, ...] = get_args(Answer)
    assert [kind for kind in kinds if asks_for(kind, question)] == [asks]


@pytest.mark.parametrize("text", ["The man who called when I slept", "What did Anna say?", "Is it nice here?", ""])
def test_other_sentences_ask_for_none_of_these(text):
    assert not any(asks_for(kind, text) for kind in get_args(Answer))


@given(st.text())
def test_any_text_can_be_asked_about(text):
    assert all(asks_for(kind, text) in (True, False) for kind in get_args(Answer))
