"""What comes again is noticed, mentioned, fades, and can be dismissed for good."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import Invalid, NotInPlan
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep.patterns import Act, Pattern, patterns

Opener = Callable[..., Commonplace]
FRIDAY = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
"""The day on which the clock stands still."""


def act(text: str, at: datetime) -> Act:
    return Act(episode=f"{text}/{at}", said=text, terms=frozenset(text.casefold().split()), at=at)


def shapes(found: list[Pattern]) -> list[tuple[str, str, str]]:
    return [(one.shape, one.when, one.said) for one in found]


def test_the_same_wish_on_one_weekday_is_weekly() -> None:
    acts = [act("send weekly report", FRIDAY + timedelta(weeks=n, hours=n)) for n in range(4)]
    assert shapes(patterns(acts)) == [("weekly", "Friday", "send weekly report")]


def test_three_times_in_other_words_are_the_same_wish() -> None:
    said = ["send weekly report", "send the weekly report", "please send weekly report"]
    acts = [act(text, FRIDAY + timedelta(weeks=n)) for n, text in enumerate(said)]
    (found,) = patterns(acts)
    assert found.said == "send weekly report"
    assert 0.6 <= found.confidence < 0.9


@pytest.mark.parametrize(
    "days", [[0, 7], [0, 1, 9], [0, 7, 28], [0, 2, 3, 12]], ids=["twice", "scattered", "with holes", "at random"]
)
def test_what_does_not_recur_is_no_pattern(days: list[int]) -> None:
    acts = [act("send weekly report", FRIDAY + timedelta(days=day, hours=5 * day % 24)) for day in days]
    assert patterns(acts) == []


def test_the_same_hour_on_many_days_is_a_time_of_day() -> None:
    acts = [act("deploy to production", FRIDAY.replace(hour=13) + timedelta(days=day)) for day in (0, 3, 8, 13, 20)]
    assert shapes(patterns(acts)) == [("hourly", "13:00", "deploy to production")]


def test_most_days_is_daily() -> None:
    acts = [act("read my mail", FRIDAY + timedelta(days=day)) for day in (0, 1, 2, 4, 5, 6)]
    assert shapes(patterns(acts)) == [("daily", " around 09:00", "read my mail")]


def test_what_follows_something_else_is_a_sequence() -> None:
    days = (0, 2, 5, 9, 17)
    hours = (8, 13, 17, 10, 20)
    first = [act("run tests", FRIDAY.replace(hour=h) + timedelta(days=d)) for d, h in zip(days, hours, strict=True)]
    then = [act("write changelog", one.at + timedelta(minutes=20)) for one in first]
    assert shapes(patterns([*first, *then])) == [("sequence", "run tests", "write changelog")]


MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WISHES = {
    "en": ["can you send me the weekly report", "I need the weekly report again", "please prepare the weekly report"],
    "it": ["mi mandi il report settimanale", "mi serve il report settimanale", "prepara il report settimanale grazie"],
    "es": ["mándame el informe semanal", "necesito el informe semanal", "prepara el informe semanal por favor"],
    "fr": ["envoie-moi le rapport hebdomadaire", "le rapport hebdomadaire, merci", "fais le rapport hebdomadaire"],
    "de": ["schick mir den Bericht der Woche", "ich brauche den Bericht der Woche", "mach bitte den Bericht der Woche"],
}
DEPLOYS = (
    "let's deploy the service to staging",
    "deploy to staging please",
    "time to deploy staging",
    "staging, deploy",
)
TALK = (
    "what's the difference between a mutex and a semaphore?", "the tests fail again on windows", "thanks, that helps",
    "write a short mail to the landlord about the heating", "how do I undo the last commit", "explain this stack trace",
    "is there a train to Linz in the afternoon?", "make the button blue", "I need a regex for phone numbers",
    "how many people live in Graz", "sort the list by date", "why is the build so slow today", "add a docstring here",
    "please review this function", "what is the capital of Mongolia", "translate this into German please",
)  # fmt: skip


def month(language: str, chance: random.Random) -> list[Message]:
    """What somebody in Vienna says from 9 March: the clocks change on the 29th, and Good Friday is a holiday."""
    said, vienna = [], ZoneInfo("Europe/Vienna")

    def say(text: str, day: date, hour: int) -> None:
        said.append(Message(text, at=datetime.combine(day, time(hour, chance.randrange(60)), vienna)))

    for day in (MONDAY.date() + timedelta(days=n) for n in range(30)):
        for _ in range(chance.randrange(3, 8)):
            say(chance.choice(TALK), day, chance.randrange(8, 20))
        if day.weekday() == 4 and day != date(2026, 4, 3):
            say(chance.choice(WISHES[language]), day, chance.choice([9, 10, 16]))
        if day.weekday() < 5 and chance.random() < 0.5:
            say(chance.choice(DEPLOYS), day, 13)
    return sorted(said, key=lambda one: one.at or MONDAY)


@pytest.mark.parametrize("language", WISHES)
def test_habits_are_found_in_a_month_of_talk_in_whatever_words(
    open_book: Opener, settings: Settings, clock: StoppedClock, language: str
) -> None:
    clock.at = MONDAY + timedelta(days=30, hours=18)
    book = open_book(settings=replace(settings, timezone="Europe/Vienna"))
    book.observe(month(language, random.Random(7)))
    book.maintain()
    times = {hint.text.partition(": ")[0]: hint.text for hint in book.hints()}
    assert any(one in times["Every Friday"] for one in WISHES[language])
    assert "staging" in times["Usually around 13:30"]
    assert len(times) == 2


def test_the_owners_own_time_zone_decides_what_friday_is(open_book: Opener, settings: Settings) -> None:
    """Three in the morning in Vienna is still Thursday evening in Denver."""
    book = open_book(settings=replace(settings, timezone="Europe/Vienna"))
    with book._scope.store.write(book.owner) as tx:
        tx.owners.put(plan="team", timezone="America/Denver", language=None)
    for week in range(4):
        at = FRIDAY.replace(hour=1) - timedelta(weeks=week)
        book.observe(Message("Please send me the weekly sales report.", at=at))
    book.maintain()
    assert [hint.text for hint in book.hints()] == ["Every Thursday: “Please send me the weekly sales report”"]


def test_a_month_without_habits_shows_hardly_any() -> None:
    found = []
    for seed in range(12):
        chance = random.Random(seed)
        acts = [act(text, MONDAY + timedelta(days=day)) for text in TALK for day in chance.sample(range(30), 8)]
        found += patterns(replace(one, at=one.at.replace(hour=chance.randrange(8, 20))) for one in acts)
    assert len(found) <= 2


def test_three_of_four_at_one_hour_are_a_coincidence_and_four_are_not() -> None:
    at = FRIDAY.replace(hour=13)
    times = [at, at + timedelta(days=3), at + timedelta(days=8), at + timedelta(days=13)]
    assert shapes(patterns(act("deploy to production", one) for one in times)) != []
    times[-1] = times[-1].replace(hour=18)
    assert patterns(act("deploy to production", one) for one in times) == []


def test_who_only_ever_talks_at_noon_has_no_habit_of_it() -> None:
    noon = FRIDAY.replace(hour=12)
    wish = [act("deploy to production", noon + timedelta(days=day)) for day in (0, 3, 8, 13, 20)]
    assert shapes(patterns(wish)) == [("hourly", "12:00", "deploy to production")]
    other = [act(f"thing{n} number{n} here{n}", noon + timedelta(days=n % 25)) for n in range(200)]
    assert patterns([*wish, *other]) == []


OTHER = ("Which train goes to Bergen?", "The printer is out of toner", "Draw me a cat", "How high is Galdhøpiggen?")


def reports(book: Commonplace, *, weeks: int = 4) -> None:
    for week in range(weeks):
        at = FRIDAY - timedelta(weeks=weeks - 1 - week)
        book.observe([Message("Please send me the weekly sales report.", at=at), Message("Thanks, bye!", at=at)])
        book.observe(Message(OTHER[week], at=at - timedelta(days=week, hours=week)))


def test_a_pattern_is_a_hint_with_evidence_and_stands_in_the_context(book: Commonplace) -> None:
    reports(book)
    book.maintain()
    (hint,) = book.hints()
    assert hint.text == "Every Friday: “Please send me the weekly sales report”"
    assert hint.confidence >= 0.6
    assert len(book.evidence(hint.id)) == 4
    assert hint.text in book.context("anything")


def test_noticing_again_changes_nothing_and_a_new_time_makes_it_surer(book: Commonplace, clock: StoppedClock) -> None:
    reports(book, weeks=3)
    book.maintain()
    (before,) = book.browse(kinds=["proactive"])
    book.maintain()
    (same,) = book.browse(kinds=["proactive"])
    assert (same.id, same.version) == (before.id, before.version)
    clock.advance(weeks=1)
    book.observe(Message("Please send me the weekly sales report.", at=FRIDAY + timedelta(weeks=1)))
    book.maintain()
    (after,) = book.browse(kinds=["proactive"])
    assert after.id == before.id
    assert after.confidence > before.confidence


def test_a_pattern_not_seen_again_fades_out_of_the_context(book: Commonplace, clock: StoppedClock) -> None:
    reports(book)
    book.maintain()
    (hint,) = book.hints()
    clock.advance(days=8)
    book.maintain()
    (faded,) = book.hints()
    assert faded.confidence == pytest.approx(hint.confidence * 0.9, abs=0.001)
    clock.advance(days=35)
    book.maintain()
    assert book.hints() == []
    assert hint.text not in book.context()


def test_a_dismissed_pattern_is_never_noticed_again(book: Commonplace, clock: StoppedClock) -> None:
    reports(book)
    book.maintain()
    (hint,) = book.hints()
    book.dismiss(hint.id)
    book.observe(Message("Send me that weekly sales report please", at=FRIDAY + timedelta(weeks=1)))
    clock.advance(days=8)
    book.maintain()
    assert book.hints() == []
    assert book.browse(kinds=["proactive"]) == []


def test_a_dismissed_pattern_stays_so_in_fewer_words(book: Commonplace, clock: StoppedClock) -> None:
    reports(book)
    book.maintain()
    (hint,) = book.hints()
    book.dismiss(hint.id)
    said = ("Weekly report please", "Do we have the weekly report?", "Where is my weekly report?")
    for week, text in enumerate(said, 1):
        book.observe(Message(text, at=FRIDAY + timedelta(weeks=week)))
    clock.advance(weeks=4)
    book.maintain()
    assert book.browse(kinds=["proactive"]) == []


def test_only_a_pattern_can_be_dismissed(book: Commonplace) -> None:
    receipt = book.remember("Tea is better than coffee")
    with pytest.raises(Invalid):
        book.dismiss(receipt.id or "")


def test_a_plan_without_it_notices_nothing_and_says_who_has_it(open_book: Opener, settings: Settings) -> None:
    book = open_book(settings=Settings(home=settings.home, plan="pro"))
    reports(book)
    book.maintain()
    assert book.browse(kinds=["proactive"]) == []
    with pytest.raises(NotInPlan) as caught:
        book.hints()
    assert caught.value.plans == ("power", "team")
