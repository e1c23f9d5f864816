"""Finds recurring times and behaviours in conversations, by rules. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations
from math import comb
from typing import Literal

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ALIKE = 0.6
"""Minimum share of common words of two wishes that count as the same."""
SHARE = 0.75
"""Minimum share of a behaviour that must follow the pattern."""
WEEKS, DAYS, OFTEN = 3, 4, 5
"""Minimum occurrences: weeks for a weekday, days for an hour or a sequence, days for something daily."""
DAILY = 0.6
"""Minimum share of days, from first to last, on which something daily happens."""
WINDOW = 2
"""Hours that count as the same time of day."""
SOON = timedelta(hours=2)
"""Maximum time between two things that follow each other."""
MOST_AFTER = 200
"""Maximum number of acts to check after another one."""
SHORTEST, LONGEST = 2, 12
"""Minimum and maximum content words of a wish."""
CHANCE, SLIGHT = 0.025, 0.003
"""Maximum probability of a coincidence: for a wish or two words, and for a single word or consecutive days."""
AWAKE, UNSEEN = 12, 24
"""Prior for a person's active hours: hours, and the number of acts that it weighs as much as."""

Shape = Literal["weekly", "daily", "hourly", "sequence", "told"]
"""``told``: a language model found it."""
STATEMENTS: dict[Shape, str] = {
    "told": "{said}",
    "weekly": "Every {when}: “{said}”",
    "daily": "Most days{when}: “{said}”",
    "hourly": "Usually around {when}: “{said}”",
    "sequence": "After “{when}” usually comes “{said}”",
}
WEIGHT: dict[Shape, float] = {"weekly": 1.5, "daily": 1.5}
"""Weight of one act when two patterns share the same acts: a weekday is more specific than an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """A sentence: its content words, and its time on the speaker's clock."""

    episode: str
    said: str
    terms: frozenset[str]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A behaviour that recurs."""

    shape: Shape
    when: str
    """The weekday, the hour, or the preceding behaviour."""
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
    """Acts with the same content."""

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
        """The words in most of the acts."""
        return frozenset(word for word, count in self.words.items() if 2 * count > len(self.acts))

    @property
    def said(self) -> str:
        """The shortest wording with all the shared words."""
        terms = self.terms
        return min(self.acts, key=lambda act: (not terms <= act.terms, len(act.said), act.at)).said

    @property
    def days(self) -> set[date]:
        return {act.at.date() for act in self.acts}


@dataclass(frozen=True, slots=True)
class _Usual:
    """The baseline: how often the person writes in each hour, and over how many days."""

    hours: Counter[int]
    days: int

    @classmethod
    def of(cls, acts: Sequence[Act]) -> "_Usual":
        span = (acts[-1].at.date() - acts[0].at.date()).days + 1 if acts else 0
        return cls(Counter(act.at.hour for act in acts), span)

    def share(self, start: int, habit: _Habit) -> float:
        """The share of all other sentences in the hours from ``start``."""
        own_hours = Counter(act.at.hour for act in habit.acts)
        other_hours = self.hours.total() - own_hours.total()
        total = sum(self.hours[(start + n) % 24] - own_hours[(start + n) % 24] for n in range(WINDOW))
        return (total + UNSEEN * WINDOW / AWAKE) / (other_hours + UNSEEN)


def patterns(acts: Iterable[Act]) -> list[Pattern]:
    """The patterns in these acts: each behaviour once, by its narrowest pattern, and pairs that follow each other.

    A behaviour is a wish in similar words, or everything that contains the same one or two words.
    """
    ordered = sorted(acts, key=lambda act: (act.at, act.episode))
    wishes, usual = _wishes(ordered), _Usual.of(ordered)
    candidates = [
        pattern for habit in wishes if (pattern := _weekly(habit) or _daily(habit, usual) or _hourly(habit, usual))
    ]
    candidates += [pattern for habit in _topics(ordered) if (pattern := _weekly(habit) or _hourly(habit, usual))]
    return [*_apart(candidates), *_sequences(wishes)]


def alike(left: Iterable[str], right: Iterable[str]) -> bool:
    """Whether two sets of words have the same content: most are shared, or one contains the other."""
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
    """Sentences with the same one or two words, on three days or more."""
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
        # one word rarely occurs without the other: they are one habit
        if len(habit.days) >= max(WEEKS, SHARE * min(len(days[term]) for term in shared)):
            habits[tuple(map(id, same))] = habit
    return list(habits.values())


def _apart(candidates: Sequence[Pattern]) -> list[Pattern]:
    """Patterns with acts of their own: of several that share most acts, the one seen most often."""
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
        return None  # consecutive days, which happen in any month
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
    """The probability that at least this many of ``times`` fall where ``share`` of everything falls."""
    return sum(comb(times, n) * share**n * (1 - share) ** (times - n) for n in range(hits, times + 1))


def _time(habit: _Habit) -> tuple[int, str, float] | None:
    """The usual time of day: its first hour, the time to the half hour, and the share in that window."""
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
    """Which habits follow which, with the following act on each day."""
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
    """The confidence in a pattern that holds in ``share`` of ``count`` cases; three cases are the minimum."""
    return round(share * (1 - 0.6**count), 2)
