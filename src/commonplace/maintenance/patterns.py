"""Recurring times and behaviours in what somebody said, by rules. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ALIKE = 0.6
"""How many of their words two wishes must share to be the same wish."""
SHARE = 0.75
"""How much of a behaviour must follow the pattern."""
WEEKS, DAYS, OFTEN = 3, 4, 5
"""Least occurrences: weeks of a weekday, days at an hour or in a sequence, days of something done daily."""
DAILY = 0.6
"""The share of the days, from the first to the last time, on which something daily is done."""
WINDOW = 2
"""Hours within which the same time of day lies."""
SOON = timedelta(hours=2)
"""Within which one thing follows another."""
SHORTEST, LONGEST = 2, 12
"""Words of content that a wish has."""

Shape = Literal["weekly", "daily", "hourly", "sequence", "told"]
"""``told``: a language model noticed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One sentence somebody said: by its words of content, at the time of their own clock."""

    episode: str
    said: str
    terms: frozenset[str]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Something that comes again."""

    shape: Shape
    when: str
    """The weekday, the hour, or what goes before."""
    said: str
    terms: tuple[str, ...]
    confidence: float
    last: datetime
    acts: tuple[Act, ...]

    @property
    def statement(self) -> str:
        if self.shape == "told":
            return self.said
        if self.shape == "weekly":
            return f"Every {self.when}: “{self.said}”"
        if self.shape == "daily":
            return f"Most days{self.when}: “{self.said}”"
        if self.shape == "hourly":
            return f"Usually around {self.when}: “{self.said}”"
        return f"After “{self.when}” usually comes “{self.said}”"


@dataclass(slots=True)
class _Habit:
    """Acts that say the same thing."""

    acts: list[Act] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, act: Act) -> None:
        self.acts.append(act)
        self.words.update(act.terms)

    @property
    def terms(self) -> frozenset[str]:
        """The words that most of the acts share."""
        return frozenset(word for word, many in self.words.items() if 2 * many > len(self.acts))

    @property
    def said(self) -> str:
        """The shortest wording that holds all the shared words."""
        terms = self.terms
        return min(self.acts, key=lambda act: (not terms <= act.terms, len(act.said), act.at)).said

    @property
    def days(self) -> set[date]:
        return {act.at.date() for act in self.acts}


def patterns(acts: Iterable[Act]) -> list[Pattern]:
    """What comes again in these acts; each behaviour by its narrowest pattern, and pairs that follow each other."""
    habits = _habits(sorted(acts, key=lambda act: (act.at, act.episode)))
    found = [pattern for habit in habits if (pattern := _of(habit)) is not None]
    return [*found, *_sequences(habits)]


def alike(one: Iterable[str], other: Iterable[str]) -> bool:
    first, second = set(one), set(other)
    return bool(first) and len(first & second) >= ALIKE * len(first | second)


def _habits(acts: Sequence[Act]) -> list[_Habit]:
    habits: list[_Habit] = []
    holding: dict[str, set[int]] = defaultdict(set)
    for act in acts:
        if not SHORTEST <= len(act.terms) <= LONGEST:
            continue
        near = Counter(number for term in act.terms for number in holding[term])
        number = next((n for n, _ in near.most_common(5) if alike(habits[n].terms, act.terms)), None)
        if number is None:
            number = len(habits)
            habits.append(_Habit())
        habits[number].add(act)
        for term in act.terms:
            holding[term].add(number)
    return [habit for habit in habits if len(habit.days) >= WEEKS]


def _of(habit: _Habit) -> Pattern | None:
    return _weekly(habit) or _daily(habit) or _hourly(habit)


def _weekly(habit: _Habit) -> Pattern | None:
    days = habit.days
    weekday, many = Counter(day.weekday() for day in days).most_common(1)[0]
    weeks = sorted({day.isocalendar()[:2] for day in days if day.weekday() == weekday})
    if len(weeks) < WEEKS or many / len(days) < SHARE:
        return None
    those = sorted(day for day in days if day.weekday() == weekday)
    spanned = (those[-1] - those[0]).days // 7 + 1
    share = many / len(days) * min(1.0, len(weeks) / spanned)
    if share < SHARE:
        return None
    return _made(habit, "weekly", WEEKDAYS[weekday], share, len(weeks))


def _daily(habit: _Habit) -> Pattern | None:
    days = sorted(habit.days)
    if len(days) < OFTEN:
        return None
    share = len(days) / ((days[-1] - days[0]).days + 1)
    if share < DAILY:
        return None
    time = _time(habit)
    return _made(habit, "daily", "" if time is None else f" around {time[0]}", max(share, SHARE), len(days))


def _hourly(habit: _Habit) -> Pattern | None:
    time = _time(habit)
    if time is None or len(habit.days) < DAYS:
        return None
    return _made(habit, "hourly", *time, len(habit.days))


def _time(habit: _Habit) -> tuple[str, float] | None:
    """The time of day around which it is said, to the half hour, and how much of it lies there."""
    hours = Counter(act.at.hour for act in habit.acts)
    windows = {start: sum(hours[(start + n) % 24] for n in range(WINDOW)) for start in range(24)}
    start = max(windows, key=lambda one: (windows[one], hours[one], -one))
    share = windows[start] / len(habit.acts)
    if share < SHARE:
        return None
    since = [60 * ((act.at.hour - start) % 24) + act.at.minute for act in habit.acts]
    inside = [minutes for minutes in since if minutes < 60 * WINDOW]
    minutes = (60 * start + 30 * round(sum(inside) / len(inside) / 30)) % (24 * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}", share


def _sequences(habits: Sequence[_Habit]) -> list[Pattern]:
    found = []
    for first in habits:
        for then in habits:
            if first is then or first.terms == then.terms:
                continue
            followed = {act.at.date(): after for act in first.acts if (after := _after(act, then)) is not None}
            share = len(followed) / len(first.days)
            if len(followed) >= DAYS and share >= SHARE:
                acts = tuple(followed.values())
                found.append(
                    Pattern(
                        shape="sequence",
                        when=first.said,
                        said=then.said,
                        terms=tuple(sorted(first.terms | then.terms)),
                        confidence=confidence(share, len(followed)),
                        last=max(act.at for act in acts),
                        acts=acts,
                    )
                )
    return found


def _after(act: Act, then: _Habit) -> Act | None:
    return next((one for one in then.acts if timedelta(0) < one.at - act.at <= SOON), None)


def _made(habit: _Habit, shape: Shape, when: str, share: float, many: int) -> Pattern:
    return Pattern(
        shape=shape,
        when=when,
        said=habit.said,
        terms=tuple(sorted(habit.terms)),
        confidence=confidence(share, many),
        last=max(act.at for act in habit.acts),
        acts=tuple(habit.acts),
    )


def confidence(share: float, many: int) -> float:
    """How sure a pattern is that holds in ``share`` of ``many`` cases: three times are a beginning."""
    return round(share * (1 - 0.6**many), 2)
