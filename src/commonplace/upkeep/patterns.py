"""Recurring times and behaviours in conversations, by rules. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations
from math import comb
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
MOST_AFTER = 200
"""Acts that are looked at after another."""
SHORTEST, LONGEST = 2, 12
"""Words of content that a wish has."""
CHANCE, SLIGHT = 0.025, 0.003
"""How likely a time may come about by chance: of a wish or two words, and of a single word or of days in a row."""
AWAKE, UNSEEN = 12, 24
"""Hours over which somebody talks of whom little is known, and the acts that this is worth against what is known."""

Shape = Literal["weekly", "daily", "hourly", "sequence", "told"]
"""``told``: a language model noticed it."""
STATEMENTS: dict[Shape, str] = {
    "told": "{said}",
    "weekly": "Every {when}: “{said}”",
    "daily": "Most days{when}: “{said}”",
    "hourly": "Usually around {when}: “{said}”",
    "sequence": "After “{when}” usually comes “{said}”",
}
WEIGHT: dict[Shape, float] = {"weekly": 1.5, "daily": 1.5}
"""What one act of a pattern counts for when two patterns rest on the same acts: a weekday says more than an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One sentence: its content words, and its time by the speaker's clock."""

    episode: str
    said: str
    terms: frozenset[str]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A behaviour that recurs."""

    shape: Shape
    when: str
    """The weekday, the hour, or what goes before."""
    said: str
    terms: tuple[str, ...]
    confidence: float
    last: datetime
    acts: tuple[Act, ...]

    @classmethod
    def of(
        cls, shape: Shape, when: str, said: str, terms: Iterable[str], confidence: float, acts: Sequence[Act]
    ) -> "Pattern":
        words, last = tuple(sorted(terms)), max(act.at for act in acts)
        return cls(shape=shape, when=when, said=said, terms=words, confidence=confidence, last=last, acts=tuple(acts))

    @property
    def statement(self) -> str:
        return STATEMENTS[self.shape].format(when=self.when, said=self.said)


@dataclass(slots=True)
class _Habit:
    """Acts that say the same thing."""

    acts: list[Act] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)
    chance: float = CHANCE

    @classmethod
    def of(cls, acts: Sequence[Act], shared: Sequence[str]) -> "_Habit":
        habit = cls(chance=CHANCE if len(shared) > 1 else SLIGHT)
        for act in acts:
            habit.add(act)
        return habit

    def add(self, act: Act) -> None:
        self.acts.append(act)
        self.words.update(act.terms)

    @property
    def terms(self) -> frozenset[str]:
        """The words that most of the acts share."""
        return frozenset(word for word, count in self.words.items() if 2 * count > len(self.acts))

    @property
    def said(self) -> str:
        """The shortest wording that holds all the shared words."""
        terms = self.terms
        return min(self.acts, key=lambda act: (not terms <= act.terms, len(act.said), act.at)).said

    @property
    def days(self) -> set[date]:
        return {act.at.date() for act in self.acts}


@dataclass(frozen=True, slots=True)
class _Usual:
    """The baseline: how often they talk in each hour, and over how many days."""

    hours: Counter[int]
    days: int

    @classmethod
    def of(cls, acts: Sequence[Act]) -> "_Usual":
        span = (acts[-1].at.date() - acts[0].at.date()).days + 1 if acts else 0
        return cls(Counter(act.at.hour for act in acts), span)

    def share(self, start: int, habit: _Habit) -> float:
        """How much of all else is said in the hours from ``start``."""
        own_hours = Counter(act.at.hour for act in habit.acts)
        other_hours = self.hours.total() - own_hours.total()
        total = sum(self.hours[(start + n) % 24] - own_hours[(start + n) % 24] for n in range(WINDOW))
        return (total + UNSEEN * WINDOW / AWAKE) / (other_hours + UNSEEN)


def patterns(acts: Iterable[Act]) -> list[Pattern]:
    """What comes again in these acts: each behaviour once, by its narrowest pattern, and pairs that follow each other.

    A behaviour is a wish that is said in much the same words, or whatever is said with the same one or two words in it.
    """
    ordered = sorted(acts, key=lambda act: (act.at, act.episode))
    wishes, usual = _wishes(ordered), _Usual.of(ordered)
    candidates = [
        pattern for habit in wishes if (pattern := _weekly(habit) or _daily(habit, usual) or _hourly(habit, usual))
    ]
    candidates += [pattern for habit in _topics(ordered) if (pattern := _weekly(habit) or _hourly(habit, usual))]
    return [*_apart(candidates), *_sequences(wishes)]


def alike(left: Iterable[str], right: Iterable[str]) -> bool:
    """Whether two sets of words speak of the same: most are shared, or one says nothing that the other does not."""
    first, second = set(left), set(right)
    shared = len(first & second)
    return bool(shared) and (shared >= ALIKE * len(first | second) or shared == min(len(first), len(second)))


def _near(habit: frozenset[str], act: frozenset[str]) -> bool:
    return bool(habit) and len(habit & act) >= ALIKE * len(habit | act)


def _wishes(acts: Sequence[Act]) -> list[_Habit]:
    habits: list[_Habit] = []
    holding: dict[str, set[int]] = defaultdict(set)
    for act in acts:
        if not SHORTEST <= len(act.terms) <= LONGEST:
            continue
        shared = Counter(number for term in act.terms for number in holding[term])
        number = next((n for n, _ in shared.most_common(5) if _near(habits[n].terms, act.terms)), None)
        if number is None:
            number = len(habits)
            habits.append(_Habit())
        habits[number].add(act)
        for term in act.terms:
            holding[term].add(number)
    return [habit for habit in habits if len(habit.days) >= WEEKS]


def _topics(acts: Sequence[Act]) -> list[_Habit]:
    """What is said with the same one or two words in it, on three days or more."""
    days: dict[str, set[date]] = defaultdict(set)
    for act in acts:
        for term in act.terms:
            days[term].add(act.at.date())
    grouped: dict[tuple[str, ...], list[Act]] = defaultdict(list)
    for act in acts:
        terms = sorted(term for term in act.terms if len(days[term]) >= WEEKS)
        if len(act.terms) <= LONGEST:
            for shared in (*combinations(terms, 1), *combinations(terms, 2)):
                grouped[shared].append(act)
    habits: dict[tuple[int, ...], _Habit] = {}
    for shared, same in sorted(grouped.items(), key=lambda group: len(group[0])):
        habit = _Habit.of(same, shared)
        # one of the words is hardly used otherwise; the same acts are one habit, by the words that say most of it
        if len(habit.days) >= max(WEEKS, SHARE * min(len(days[term]) for term in shared)):
            habits[tuple(map(id, same))] = habit
    return list(habits.values())


def _apart(candidates: Sequence[Pattern]) -> list[Pattern]:
    """Those that rest on acts of their own: of several that mostly rest on the same, what was seen most often."""
    distinct: list[Pattern] = []
    for item in sorted(
        candidates,
        key=lambda pattern: (-len(pattern.acts) * WEIGHT.get(pattern.shape, 1.0), -pattern.confidence, pattern.said),
    ):
        act_ids = set(map(id, item.acts))
        if all(2 * len(act_ids & set(map(id, pattern.acts))) < len(act_ids) for pattern in distinct):
            distinct.append(item)
    return distinct


def _weekly(habit: _Habit) -> Pattern | None:
    days = habit.days
    weekday, count = Counter(day.weekday() for day in days).most_common(1)[0]
    weeks = sorted({day.isocalendar()[:2] for day in days if day.weekday() == weekday})
    if len(weeks) < WEEKS or count / len(days) < SHARE:
        return None
    those = sorted(day for day in days if day.weekday() == weekday)
    spanned = (those[-1] - those[0]).days // 7 + 1
    share = count / len(days) * min(1.0, len(weeks) / spanned)
    if share < SHARE or by_chance(len(days), count, 1 / 7) * 7 > habit.chance:
        return None
    return _made(habit, "weekly", WEEKDAYS[weekday], share, len(weeks))


def _daily(habit: _Habit, usual: _Usual) -> Pattern | None:
    days = sorted(habit.days)
    span, count = (days[-1] - days[0]).days + 1, len(days)
    share = count / span
    if count < OFTEN or share < DAILY:
        return None
    time = _time(habit)
    row = count * (span / usual.days) ** (count - 1) * (1.0 if time is None else _hour_by_chance(habit, time[0], usual))
    if count / usual.days < DAILY and row > SLIGHT:
        return None  # some days in a row, as they come in any month
    return _made(habit, "daily", "" if time is None else f" around {time[1]}", max(share, SHARE), len(days))


def _hourly(habit: _Habit, usual: _Usual) -> Pattern | None:
    time = _time(habit)
    if time is None or len(habit.days) < DAYS:
        return None
    start, at, share = time
    if _hour_by_chance(habit, start, usual) > habit.chance:
        return None
    return _made(habit, "hourly", at, share, len(habit.days))


def _hour_by_chance(habit: _Habit, start: int, usual: _Usual) -> float:
    inside = len({act.at.date() for act in habit.acts if (act.at.hour - start) % 24 < WINDOW})
    return min(1.0, AWAKE * by_chance(len(habit.days), inside, usual.share(start, habit)))


def by_chance(times: int, hits: int, share: float) -> float:
    """How likely at least this many of ``times`` fall where ``share`` of everything falls."""
    return sum(comb(times, n) * share**n * (1 - share) ** (times - n) for n in range(hits, times + 1))


def _time(habit: _Habit) -> tuple[int, str, float] | None:
    """When in the day it is said: the hour in which that begins, the time to the half hour, and how much lies there."""
    hours = Counter(act.at.hour for act in habit.acts)
    windows = {start: sum(hours[(start + n) % 24] for n in range(WINDOW)) for start in range(24)}
    start = max(windows, key=lambda hour: (windows[hour], hours[hour], -hour))
    share = windows[start] / len(habit.acts)
    if share < SHARE:
        return None
    since = [60 * ((act.at.hour - start) % 24) + act.at.minute for act in habit.acts]
    inside = [minutes for minutes in since if minutes < 60 * WINDOW]
    minutes = (60 * start + 30 * round(sum(inside) / len(inside) / 30)) % (24 * 60)
    return start, f"{minutes // 60:02}:{minutes % 60:02}", share


def _sequences(habits: Sequence[_Habit]) -> list[Pattern]:
    windows = []
    for (before, after), followed in _followed(habits).items():
        first, then = habits[before], habits[after]
        share = len(followed) / len(first.days)
        if len(followed) >= DAYS and share >= SHARE and first.terms != then.terms:
            sure, acts = confidence(share, len(followed)), list(followed.values())
            windows.append(Pattern.of("sequence", first.said, then.said, first.terms | then.terms, sure, acts))
    return windows


def _followed(habits: Sequence[_Habit]) -> dict[tuple[int, int], dict[date, Act]]:
    """Which habits follow which, and on each day the act that came soon after."""
    acts = ((act.at, number, act) for number, habit in enumerate(habits) for act in habit.acts)
    ordered = sorted(acts, key=lambda pair: pair[0])
    pairs: dict[tuple[int, int], dict[date, Act]] = defaultdict(dict)
    for place, (at, before, _) in enumerate(ordered):
        for later, after, act in ordered[place + 1 : place + 1 + MOST_AFTER]:
            if later - at > SOON:
                break
            if after != before and later > at:
                pairs[before, after].setdefault(at.date(), act)
    return pairs


def _made(habit: _Habit, shape: Shape, when: str, share: float, count: int) -> Pattern:
    return Pattern.of(shape, when, habit.said, habit.terms, confidence(share, count), habit.acts)


def confidence(share: float, count: int) -> float:
    """How sure a pattern is that holds in ``share`` of ``many`` cases: three times are a beginning."""
    return round(share * (1 - 0.6**count), 2)
