"""Finds dates in a text, as time ranges on the speaker's clock."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeVar

from commonplace.text.languages import LANGUAGES, guess, month_number
from commonplace.text.languages import language as find_language
from commonplace.text.normal import fold
from commonplace.text.spoken import Spoken, spoken

DateKind = Literal["absolute", "relative", "recurring"]
Value = TypeVar("Value")
_Part = Mapping[str, str | None]
"""The named groups of a match."""

# Dates are computed on the speaker's wall clock; the zone is added at the end.
_DAWN = datetime(1, 1, 1)  # noqa: DTZ001


class Found(NamedTuple):
    """A date in a text: its position, and the first and last moment that it can mean, in UTC.

    ``since …`` lasts until now and ``before …`` begins with the year 1. Recurring dates are their next occurrence.
    """

    start: int
    end: int
    text: str
    first: datetime
    last: datetime
    kind: DateKind


class _Range(NamedTuple):
    """Two moments on the speaker's clock without zone; the end is exclusive."""

    first: datetime
    after: datetime
    kind: DateKind


class _Asker(NamedTuple):
    """The speaker's clock, and whether the text is about the future: "on Friday" is the last or the next one."""

    now: datetime
    ahead: bool

    @property
    def today(self) -> datetime:
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)


def find_dates(text: str, now: datetime, language: str = "en") -> list[Found]:
    """The dates of a text in order, resolved against ``now``, which must have a time zone.

    A date without a year, a month or a weekday alone means the latest that has begun, unless the text is about the
    future ("will", "going to", "due"). 07/05/2023 is ambiguous in English and left out; elsewhere it is the 7th of May.
    """
    # folded letter by letter, so that positions stay the same
    low = text.lower() if text.isascii() else "".join(map(_folded, text))
    code = guess(low) if language == "auto" else find_language(language).code
    if not any(letter.isdigit() for letter in low) and not any(hint in low for hint in _hints(code)):
        return []  # without a digit or a time word, the large pattern need not be compiled
    asker = _Asker(now.replace(tzinfo=None), re.search(spoken(code).future, low) is not None)
    dates = []
    for match in _pattern(code).finditer(low):
        try:
            stretch = _read(match, asker, code, text)
        except (OverflowError, ValueError):
            continue  # the 31st of February, or a year out of range
        if stretch:
            first, after = (_utc(moment, now) for moment in stretch[:2])
            last = after - timedelta(microseconds=1)
            dates.append(
                Found(match.start(), match.end(), text[match.start() : match.end()], first, last, stretch.kind)
            )
    return _joined(text, low, dates, spoken(code))


def _utc(moment: datetime, now: datetime) -> datetime:
    if moment == _DAWN:
        return _DAWN.replace(tzinfo=UTC)
    return moment.replace(tzinfo=now.tzinfo).astimezone(UTC)


def _joined(text: str, low: str, dates: list[Found], words: Spoken) -> list[Found]:
    """Join "Between A and B" and "from A to B" to one range."""
    joined: list[Found] = []
    opening = re.compile(rf"(?:^|.*\b)(?:{words.between[0]})\s+$", re.DOTALL)
    for date in dates:
        before = joined[-1] if joined else None
        link = low[before.end : date.start].strip() if before else ""
        # the opening word may be part of the first date: "from May 2021"
        first_words = low[before.start : before.end] if before else ""
        opened = re.match(rf"(?:{words.between[0]})\s", first_words)
        starts = before and (opening.match(low[: before.start][-20:]) or opened)
        if before and starts and re.fullmatch(words.between[1], link) and date.last > _of_same_year(before, date):
            first = min(_of_same_year(before, date), date.first)
            joined[-1] = Found(before.start, date.end, text[before.start : date.end], first, date.last, before.kind)
        else:
            joined.append(date)
    return joined


def _of_same_year(first: Found, second: Found) -> datetime:
    """The beginning of the first of two dates, with the second's year if it has none ("between March and May 2023")."""
    if not re.search(_YEAR, second.text) or re.search(_YEAR, first.text) or first.kind != "absolute":
        return first.first
    year = second.first.year - (first.first.month > second.first.month)
    leap = first.first.month == 2 and first.first.day == 29
    return first.first.replace(year=year, day=28 if leap else first.first.day)


_YEAR = r"\b(?:1[5-9]|20)\d\d\b"


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    folded = fold(letter)
    return folded if len(folded) == 1 else letter


# Parsers of one match. Each returns the range without "since" and "before", or None if it is not a date.


def _read(match: re.Match[str], asker: _Asker, code: str, text: str) -> _Range | None:
    part = match.groupdict()
    read = next(read for name, read in _READERS.items() if part[name] is not None)
    stretch = read(part, asker, code, spoken(code))
    if stretch is None or not _is_date(match, code, text):
        return None
    if part["before"] or part["until"]:
        return stretch._replace(first=_DAWN, after=stretch.first if part["before"] else stretch.after)
    since = stretch.first if part["since"] else stretch.after
    if (part["since"] or part["after"]) and since < asker.now:
        return stretch._replace(first=since, after=max(asker.now, stretch.after))
    return stretch


def _is_date(match: re.Match[str], code: str, text: str) -> bool:
    """Whether a month, season or year alone is a date: after a preposition; a month also by its capital, unless it is a
    name.
    """
    if not (match["month"] or match["season"] or match["year"]):
        return True
    if any(match[lead] for lead in ("since", "after", "until", "before", "during")):
        return True
    if match["month"] and re.search(_month_prefixes(code), match.string[max(0, match.start() - 40) : match.start()]):
        return True
    return bool(match["month"]) and text[match.start("month")].isupper() and match["month"] not in _NAMES


@cache
def _month_prefixes(code: str) -> str:
    """Words that mark a name as a month: "mid-March", "between March and May"."""
    words = spoken(code)
    opens, joins = words.between
    return rf"\b(?:{words.early})[\s-]+$|\b(?:{opens})\s+(?:[\w,. ]{{3,20}}\s?(?:{joins})\s*)?$"


_NAMES = ("may", "march", "mars", "april", "june", "august", "mai")


def _read_numbers(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range | None:
    day, month = _int(part["a"]), _int(part["b"])
    if code == "en" and part["sign"] != "." and day <= 12 and month <= 12 and day != month:
        return None
    if month > 12:
        day, month = month, day
    return _calendar(_int(part["ny"]), month, day)


def _read_named(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    month = month_number(part["name1"] or part["name2"] or "", find_language(code))
    day = _int(re.sub(r"\D", "", part["day1"] or part["day2"] or ""))
    year = _int(part["y1"] or part["y2"] or part["y3"])
    return _calendar(year, month, day) if year else _latest(month, day, asker)


def _read_part(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    off, first, last = _looked_up(words.parts, part["part"] or "")
    day = asker.today + timedelta(days=off)
    return _Range(day + timedelta(hours=first), day + timedelta(hours=last), "relative")


def _read_ago(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    count = part["n1"] or part["n2"] or part["n3"] or part["n4"] or ""
    number = _number(count, code)
    unit = _looked_up(words.units, part["u1"] or part["u2"] or part["u3"] or part["u4"] or "")
    away = _rounded_span(asker, unit, number if part["u3"] or part["u4"] else -number)
    if unit != "day" or count.isdigit() or count in find_language(code).numbers:
        return away
    vague = timedelta(days=number - 1)  # a few days
    return away._replace(first=away.first - vague, after=away.after + vague)


def _read_lately(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    """ "The last two weeks": until now."""
    unit, number = (
        _looked_up(words.units, part["u5"] or part["u6"] or ""),
        _number(part["n5"] or part["n6"] or "", code),
    )
    return _Range(_moved(asker.now, unit, -number), asker.now, "relative")


def _read_every(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    repeated = part["every"] or ""
    for names, weekday in words.weekdays.items():
        if repeated.startswith(names) and len(repeated) <= len(names) + 1:
            ahead = (weekday - asker.now.weekday()) % 7
            return _days(asker.today + timedelta(days=ahead), 1)._replace(kind="recurring")
    return _period(asker, _looked_up(words.units, repeated), 0)._replace(kind="recurring")


def _read_shifted(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range | None:
    adjective, noun = part["adj1"] or part["adj2"] or "", part["noun1"] or part["noun2"] or ""
    if re.fullmatch(words.this, adjective):
        shift = 0
    else:
        shift = -1 if re.fullmatch(words.last, adjective) else 1
    if noun in words.weekdays:
        return _days(_weekday(asker, words.weekdays[noun], shift), 1)
    month = month_number(noun, find_language(code))
    if month:
        return _named_month(asker, month, shift)._replace(kind="relative")
    for names, begins in words.seasons.items():
        if re.fullmatch(names, noun):
            return _season(asker, begins, shift)
    period = _period(asker, _looked_up(words.units, noun), shift)
    return period._replace(after=asker.now) if adjective.startswith("earlier") else period


def _read_weekday(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    weekday = words.weekdays[part["weekday"] or ""]
    back = (asker.now.weekday() - weekday) % 7
    if asker.ahead and back:
        back -= 7
    return _days(asker.today - timedelta(days=back), 1)


def _read_season(part: _Part, asker: _Asker, code: str, words: Spoken) -> _Range:
    begins = next(month for names, month in words.seasons.items() if re.fullmatch(names, part["season"] or ""))
    year = _int(part["sy"])
    if year:
        return _Range(_naive(year, begins), _add_months(_naive(year, begins), 3), "absolute")
    return _season(asker, begins, 1 if asker.ahead else 0)


_READERS: dict[str, Callable[[_Part, _Asker, str, Spoken], _Range | None]] = {
    "iso": lambda part, asker, code, words: _calendar(_int(part["iso"]), _int(part["m"]), _int(part["d"])),
    "a": _read_numbers,
    "mm": lambda part, asker, code, words: _calendar(_int(part["my"]), _int(part["mm"]), 0),
    "name1": _read_named,
    "name2": _read_named,
    "part": _read_part,
    "day": lambda part, asker, code, words: _days(
        asker.today + timedelta(days=_looked_up(words.days, part["day"] or "")), 1
    ),
    "n1": _read_ago,
    "n2": _read_ago,
    "n3": _read_ago,
    "n4": _read_ago,
    "n5": _read_lately,
    "n6": _read_lately,
    "every": _read_every,
    "adj1": _read_shifted,
    "adj2": _read_shifted,
    "weekday": _read_weekday,
    "month": lambda part, asker, code, words: _latest(month_number(part["month"] or "", find_language(code)), 0, asker),
    "season": _read_season,
    "year": lambda part, asker, code, words: _calendar(_int(part["year"]), 0, 0),
}


# Calendar arithmetic.


def _naive(year: int, month: int, day: int = 1) -> datetime:
    return _DAWN.replace(year=year, month=month, day=day)


def _calendar(year: int, month: int, day: int) -> _Range:
    if day:
        return _days(_naive(year, month, day), 1)._replace(kind="absolute")
    first = _naive(year, month or 1)
    return _Range(first, _add_months(first, 1 if month else 12), "absolute")


def _latest(month: int, day: int, asker: _Asker) -> _Range:
    """A day or month without a year: the latest that has begun, or the next that has not ended."""
    year = asker.now.year
    this = _calendar(year, month, day)
    if asker.ahead:
        return this if this.after > asker.now else _calendar(year + 1, month, day)
    return this if this.first <= asker.now else _calendar(year - 1, month, day)


def _named_month(asker: _Asker, month: int, shift: int) -> _Range:
    """ "Last May" is over, "next May" has not begun."""
    year = asker.now.year
    if shift < 0 and month >= asker.now.month:
        year -= 1
    if shift > 0 and month <= asker.now.month:
        year += 1
    return _calendar(year, month, 0)


def _season(asker: _Asker, begins: int, shift: int) -> _Range:
    first = _naive(asker.now.year, begins)
    if shift < 0 and _add_months(first, 3) > asker.now:
        first = _add_months(first, -12)
    elif shift > 0 and first <= asker.now:
        first = _add_months(first, 12)
    elif shift == 0 and first > asker.now and _add_months(first, -9) > asker.now:
        first = _add_months(first, -12)
    return _Range(first, _add_months(first, 3), "relative")


def _days(first: datetime, number: int) -> _Range:
    return _Range(first, first + timedelta(days=number), "relative")


def _weekday(asker: _Asker, weekday: int, shift: int) -> datetime:
    today = asker.today
    if shift < 0:
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    if shift > 0:
        return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    return today + timedelta(days=weekday - today.weekday())


def _period(asker: _Asker, unit: str, shift: int) -> _Range:
    """The calendar week, weekend, month or year before this one, this one, or the next."""
    today = asker.today
    monday = today - timedelta(days=today.weekday())
    if unit == "weekend":
        return _days(monday + timedelta(days=5 + 7 * shift), 2)
    if unit == "week":
        return _days(monday + timedelta(days=7 * shift), 7)
    if unit == "fortnight":
        return _days(monday + timedelta(days=14 * shift), 14)
    if unit == "month":
        first = _add_months(today.replace(day=1), shift)
        return _Range(first, _add_months(first, 1), "relative")
    if unit == "year":
        first = _naive(asker.now.year + shift, 1)
        return _Range(first, _add_months(first, 12), "relative")
    if unit == "day":
        return _days(today + timedelta(days=shift), 1)
    step = timedelta(hours=1) if unit == "hour" else timedelta(minutes=1)
    return _Range(asker.now + min(shift, 0) * step, asker.now + max(shift, 1) * step, "relative")


def _rounded_span(asker: _Asker, unit: str, number: int) -> _Range:
    """A rounded range: "three weeks ago" covers half a week before and after; months and years are calendar ones."""
    if unit in ("week", "fortnight", "weekend"):
        middle = asker.today + timedelta(days=number * (14 if unit == "fortnight" else 7))
        return _days(middle - timedelta(days=3), 7)
    if unit in ("hour", "minute"):
        moment = _moved(asker.now, unit, number)
        half = timedelta(minutes=30 if unit == "hour" else 1)
        return _Range(moment - half, moment + half, "relative")
    return _period(asker, unit, number)


def _moved(moment: datetime, unit: str, number: int) -> datetime:
    if unit in ("month", "year"):
        return _add_months(moment, number * (12 if unit == "year" else 1))
    seconds = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800, "fortnight": 1209600, "weekend": 604800}
    return moment + timedelta(seconds=seconds[unit] * number)


def _add_months(moment: datetime, number: int) -> datetime:
    year, month = divmod(moment.year * 12 + moment.month - 1 + number, 12)
    for day in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=year, month=month + 1, day=min(day, moment.day))
        except ValueError:
            if day == 28:
                raise
    return moment


# Words to numbers.


def _int(digits: str | None) -> int:
    return int(digits) if digits else 0


def _number(word: str, code: str) -> int:
    if word.isdigit():
        return int(word)
    numbers = find_language(code).numbers
    return int(numbers[word]) if word in numbers else _looked_up(spoken(code).some, word)


def _looked_up(table: Mapping[str, Value], word: str) -> Value:
    return next(value for names, value in table.items() if re.fullmatch(names, word))


@cache
def _hints(code: str) -> frozenset[str]:
    """The longest run of plain letters in each time word."""
    words = spoken(code)
    tables: tuple[Mapping[str, object], ...] = (words.days, words.parts, words.units, words.weekdays, words.seasons)
    months = set(find_language(code).months)
    for name in "|".join(names for table in tables for names in table).split("|"):
        fixed = re.sub(r"\(\?:[a-z]+\)\?|.\?", " ", name)
        months.add(max(re.findall("[a-z]+", fixed), key=len, default=name))
    return frozenset(months)


@cache
def _pattern(code: str) -> re.Pattern[str]:
    return re.compile("".join(_grammar(code)))


def _grammar(code: str) -> Iterator[str]:
    """The alternatives of the pattern, longest first."""
    words, language = spoken(code), find_language(code)
    months = {name for code in LANGUAGES for name in find_language(code).months}
    own_months = _any(sorted({*months, *language.short_months}, key=lambda name: (-len(name), name)))
    units, weekdays = _any(words.units), _any(sorted(words.weekdays, key=lambda name: -len(name)))
    number = rf"\d{{1,3}}|{_any(words.some)}|{_any(language.numbers)}"
    day = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|\.|º|°)?"
    year = r"(?:1[5-9]|20)\d\d"
    of = r"(?:\s*(?:of|de|del|di)\s+|\s*,\s*|\s+|-)"
    article = r"(?:(?:the|il|la|lo|i|le|gli|el|los|las|les|der|die|das|den|dem|l')\s*)?"
    yield rf"(?<![\w.])(?:(?:(?P<since>{words.since})|(?P<after>{words.after})|(?P<until>{words.until})"
    yield rf"|(?P<before>{words.before})|(?P<during>{words.during}))\b\s*{article})?"
    yield rf"(?:(?P<iso>{year})(?P<dash>[-/.])(?P<m>0?[1-9]|1[0-2])(?:(?P=dash)(?P<d>[0-3]?\d)|(?<=[-/]\d\d))"
    yield r"(?:t[\d:.]+z?)?(?![\w-]|\.\d)"
    yield rf"|(?P<a>[0-3]?\d)(?P<sign>[/.-])(?P<b>[0-3]?\d)(?P=sign)(?P<ny>{year})(?![\w/])"
    yield rf"|(?P<mm>0?[1-9]|1[0-2])/(?P<my>{year})(?![\w/])"
    yield rf"|(?P<day1>{day}){of}(?P<name1>{own_months})\b\.?(?:{of}(?P<y1>{year})(?!\w))?"
    yield rf"|(?P<name2>{own_months})\b\.?(?:\s*(?:the\s)?(?P<day2>{day})(?![\w:/])(?:{of}(?P<y2>{year})(?!\w))?"
    yield rf"|{of}(?P<y3>{year})(?!\w))"
    yield rf"|(?P<part>{_any(words.parts)})\b|(?P<day>{_any(words.days)})\b"
    yield from _counted(words, units, number)
    nouns = rf"{units}|{weekdays}|{own_months}|{_any(words.seasons)}"
    relative = rf"{words.last}|{words.this}|{words.next}"
    plural = "s" if code == "en" else "s?"
    yield rf"|(?:{words.every})\s+(?P<every>(?:{weekdays}){plural}|(?<!on )(?:{weekdays}|{units}))\b"
    yield rf"|(?P<adj1>{relative})\s+(?P<noun1>{nouns})\b|(?P<noun2>{nouns})\s+(?P<adj2>{words.last}|{words.next})\b"
    yield rf"|(?P<weekday>{weekdays})\b|(?P<season>{_any(words.seasons)})\b(?:\s+(?:of\s+)?(?P<sy>{year}))?"
    yield rf"|(?P<month>{_any(language.months)})\b|(?P<year>{year})(?![\w.,/-]\d|\w))"


def _counted(words: Spoken, units: str, number: str) -> Iterator[str]:
    before, after = words.ago
    if before:
        yield rf"|(?:{before})\s+(?P<n1>{number})\s+(?P<u1>{units})\b"
    else:
        yield r"|(?P<n1>(?!))(?P<u1>(?!))"
    if after:
        yield rf"|(?P<n2>{number})\s+(?P<u2>{units})\s+(?:{after})\b"
    else:
        yield r"|(?P<n2>(?!))(?P<u2>(?!))"
    before, after = words.ahead
    yield rf"|(?:{before})\s+(?P<n3>{number})\s+(?P<u3>{units})\b"
    yield rf"|(?P<n4>{number})\s+(?P<u4>{units})\s+(?:{after})\b" if after else r"|(?P<n4>(?!))(?P<u4>(?!))"
    yield rf"|(?:{words.last})\s+(?P<n5>{number})\s+(?P<u5>{units})\b"
    yield rf"|(?P<n6>{number})\s+(?:{words.last})\s+(?P<u6>{units})\b"


def _any(names: Mapping[str, object] | list[str]) -> str:
    return "(?:" + "|".join(names) + ")"
