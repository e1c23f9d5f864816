"""What comes again is noticed, mentioned, fades, and can be dismissed for good."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import Invalid, NotInPlan
from commonplace.maintenance.patterns import Act, Pattern, patterns
from commonplace.testing.clock import StoppedClock

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
