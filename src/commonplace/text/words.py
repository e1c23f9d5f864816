"""Text to terms, once, for writing and asking alike.

A term is a folded, stemmed word; a whole identifier; or a canonical date: ``d:2023-05-07``, ``d:05-07``,
``m:2023-05``, ``m:05``. A month's name is the term ``m:05`` in every language, so "maggio", "May" and "2023-05-07" meet.

Stop words become terms only where they may be all that somebody remembers: in a run of at least three ("who was he",
"to be or not to be"), or when the text holds nothing else. There they are marked, ``s:was``, so that a question with
content never asks for them.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from commonplace.text.languages import Language, language as find_language
from commonplace.text.normal import fold, fold_case_kept

VERSION = 1
"""Stored with the index. Another number means that every text must be indexed again."""

_RUN = 3
_CACHED = 48
_EDGES = ".,;:!?\"'()[]{}<>*`~…“”«»|"
_ACRONYMS = frozenset(("US", "IT", "WHO"))
_CONTRACTED = frozenset(("s", "m", "re", "ve", "ll", "d"))


class _Piece(NamedTuple):
    """What one stretch of text gives: terms, or the stop word that it is."""

    terms: tuple[str, ...]
    stop: str = ""


def words(text: str, language: str = "en", *, keep_stops: bool = False) -> list[str]:
    """The terms of a text in order, with repetition. Never raises.

    ``keep_stops`` gives every stop word (as ``s:word``) too.
    """
    terms: list[str] = []
    stops: list[str] = []
    run: list[str] = []
    for piece in _pieces(text, find_language(language)):
        if piece.stop:
            run.append("s:" + piece.stop)
            continue
        if run:
            if keep_stops or len(run) >= _RUN:
                terms += run
            stops += run
            run = []
        terms += piece.terms
    if keep_stops or len(run) >= _RUN:
        terms += run
    return terms or stops + run


def terms_of_question(text: str, language: str = "en") -> list[str]:
    """The terms to ask for: those of `words` without stop words, or the stop words where there is nothing else."""
    found = words(text, language, keep_stops=True)
    return [term for term in found if not term.startswith("s:")] or found


def date_terms(moment: datetime) -> list[str]:
    """The terms by which something said on that day can be found, as `words` makes them of a date spelled out."""
    return _of_date(moment.year, moment.month, moment.day)


def _of_date(year: int | None, month: int, day: int | None) -> list[str]:
    terms = [f"m:{month:02}"]
    if day:
        terms.append(f"d:{month:02}-{day:02}")
    if year:
        terms += [f"m:{year}-{month:02}", str(year)]
        if day:
            terms.append(f"d:{year}-{month:02}-{day:02}")
    return terms


def _pieces(text: str, language: Language) -> Iterator[_Piece]:
    text = fold_case_kept(text)
    if text.isupper() and len(text) > 12:
        text = text.lower()
    if not _digit().search(text):
        yield from _of_stretch(text, language)
        return
    text = _thousands().sub("", text)
    at = 0
    for found in _dates(language.code).finditer(text):
        terms = _read_date(found, language)
        if terms:
            yield from _of_stretch(text[at : found.start()], language)
            yield _Piece(tuple(terms))
            at = found.end()
    yield from _of_stretch(text[at:], language)


def _of_stretch(text: str, language: Language) -> Iterator[_Piece]:
    for chunk in text.split():
        if len(chunk) <= _CACHED:
            yield from _of_chunk(chunk, language.code)
        else:
            yield from _of_long_chunk(chunk, language)


@lru_cache(maxsize=1 << 14)
def _of_chunk(chunk: str, code: str) -> tuple[_Piece, ...]:
    return tuple(_of_long_chunk(chunk, find_language(code)))


def _of_long_chunk(chunk: str, language: Language) -> Iterator[_Piece]:
    core = chunk.strip(_EDGES)
    if core.isascii() and core.isalpha():
        yield _of_word(core, language)
        return
    if "://" in core and core.isprintable():
        yield _Piece(tuple(_of_url(core, language)))
        return
    for found in _compound().finditer(chunk):
        run = found["run"]
        if run:
            yield _Piece(tuple(_of_run(run)))
        elif found["sharp"]:
            yield _Piece((found["sharp"].lower(),))
        else:
            yield _of_compound(found[0], language)


def _of_word(word: str, language: Language) -> _Piece:
    """One word of letters only."""
    if word in _ACRONYMS:
        return _Piece((word.lower(),))
    low = fold(word)
    if low == "may" and word[0] == "M" and language.code == "en":
        return _Piece(("m:05",))
    if low in language.stops:
        return _Piece((), low)
    if low in language.numbers:
        return _Piece((language.numbers[low],))
    if low in language.months:
        return _Piece((f"m:{language.months[low]:02}",))
    whole = language.stem(low)
    if low == word or word.istitle() or word.isupper():
        return _Piece((whole,))
    return _Piece((whole, *_parts(_camel().findall(word), language, whole)))


def _parts(parts: list[str], language: Language, whole: str) -> list[str]:
    """The terms of an identifier's parts: no stop words, no single letters, not the whole again."""
    terms = []
    for part in parts:
        low = fold(part)
        if low.isdigit():
            terms.append(low)
        elif len(low) > 1 and low not in language.stops:
            term = language.stem(low)
            if term != whole:
                terms.append(term)
    return terms


def _of_compound(token: str, language: Language) -> _Piece:
    """A word, a number, or several held together by signs: an identifier, a hyphenated or elided word."""
    if token.isalpha():
        return _of_word(token, language)
    if "'" in token:
        return _of_apostrophe(token, language)
    low = fold(token)
    ordinal = _ordinal().fullmatch(low)
    if ordinal:
        return _Piece((ordinal[1],))
    if low.isdigit():
        return _Piece((low.lstrip("0") or "0",) if len(low) == 2 else (low,))
    if _version().fullmatch(low):
        return _Piece(tuple(_of_version(low)))
    lettered = _lettered().fullmatch(low)
    if lettered:
        return _Piece(tuple(_of_lettered(token, lettered[1], lettered[2], language)))
    split = _splitter().findall(token)
    if len(split) == 1:
        return _Piece((low,))
    whole = low.replace("-", "") if _hyphenated().fullmatch(low) else low
    if len(token) > 200:
        return _Piece(tuple(_parts(split, language, "")))
    parts = _parts(split, language, whole)
    if whole.replace("/", "").isalpha() and not parts:
        return _Piece((), fold(split[0]))
    head = [language.stem(whole) if whole.isalpha() else whole]
    return _Piece((*head, *_ends(low), *parts))


def _ends(low: str) -> list[str]:
    """What of a path, address or domain people name it by: the file, the local part and the host."""
    if "@" in low:
        return [end for end in low.rsplit("@", 1) if not end.isalpha()]
    if "/" in low and "." in low.rsplit("/", 1)[1]:
        return [low.rsplit("/", 1)[1]]
    return []


def _of_lettered(token: str, letters: str, digits: str, language: Language) -> Iterator[str]:
    """``PROJ-123``, ``gpt4``, ``utf-8``: the same whole with and without its hyphen."""
    if letters == "v":
        yield digits
        return
    yield f"{letters}-{digits}"
    yield from _parts([letters, digits], language, "")


def _of_version(low: str) -> list[str]:
    numbers = low.removeprefix("v").split(".")
    if len(numbers) == 2 and low[0] != "v":
        return [low]
    return [".".join(numbers[:n]) for n in range(len(numbers), 0, -1)]


def _of_apostrophe(token: str, language: Language) -> _Piece:
    before, _, after = token.rpartition("'")
    if after.lower() in _CONTRACTED:
        return _of_compound(before, language)
    low = fold(token)
    if low.endswith("n't"):
        return _Piece((), "not")
    first, _, rest = low.partition("'")
    if first in language.elisions:
        return _of_compound(token.partition("'")[2], language)
    return _of_word(token.replace("'", ""), language)


def _of_url(url: str, language: Language) -> list[str]:
    low = fold(url).partition("://")[2].removeprefix("www.").rstrip("/.,;:!?)")
    host = low.partition("/")[0]
    terms = [low] if len(low) <= 300 else []
    if host != low:
        terms.append(host)
    return terms + _parts(_splitter().findall(url.partition("://")[2]), language, low)


def _of_run(run: str) -> list[str]:
    """Bigrams of a script written without spaces. A Chinese character is a word by itself as well."""
    if len(run) == 1:
        return [run]
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if _han().match(run):
        pairs += [one for one in run if one not in _HAN_STOPS]
    return pairs


_HAN_STOPS = "的了是在我你他她它有和就不人都一上也很到说要去会着没看好自这那个们么什吗呢吧啊与及或之其为"


def _read_date(found: re.Match[str], language: Language) -> list[str]:
    part = found.groupdict()
    year = int(part["y1"] or part["y2"] or part["y3"] or part["y4"] or part["y5"] or 0) or None
    name = part["name1"] or part["name2"]
    day: int | None
    if name:
        month = _month(name, language)
        day = int(part["day1"] or part["day2"] or 0) or None
    elif part["m1"]:
        month, day = int(part["m1"]), int(part["d1"] or 0) or None
    else:
        a, b = int(part["a"]), int(part["b"])
        if a > 12 or part["sign"] == "." or language.code != "en" or a == b:
            month, day = b, a
        elif b > 12:
            month, day = a, b
        else:
            return []
    if not 1 <= month <= 12 or (day and day > 31):
        return []
    return _of_date(year, month, day)


def _month(name: str, language: Language) -> int:
    low = fold(name)
    return language.months.get(low) or language.short_months.get(low) or 0


@cache
def _digit() -> re.Pattern[str]:
    return re.compile(r"\d")


@cache
def _thousands() -> re.Pattern[str]:
    return re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@cache
def _dates(code: str) -> re.Pattern[str]:
    """Dates that hold a digit. A month's name alone is a word."""
    language = find_language(code)
    names = "|".join(sorted({*language.months, *language.short_months}, key=lambda name: (-len(name), name)))
    names = rf"(?:{names})\b\.?"
    day = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.|er|º|°)?"
    year = r"(?:1[89]|20)\d\d"
    number = r"(?:0[1-9]|[12]\d|3[01]|[1-9])"
    of = r"(?:\s*(?:of|de|del|di)\s+|\s*,\s*|\s+)"
    return re.compile(
        rf"(?<![\w.-])(?:(?P<y1>{year})-(?P<m1>0\d|1[0-2])(?:-(?P<d1>[0-3]\d))?(?:(?=T\d)|(?![\w-]))"
        rf"|(?P<a>{number})(?P<sign>[/.-])(?P<b>{number})(?P=sign)(?P<y2>{year})(?![\w/])"
        rf"|(?P<day1>{day}){of}(?P<name1>{names})(?:{of}(?P<y3>{year})(?!\w))?"
        rf"|(?P<name2>{names})(?:\s*(?P<day2>{day})(?![\w:/])(?!\.\d)(?:{of}(?P<y4>{year})(?!\w))?|{of}(?P<y5>{year})(?!\w)))",
        re.IGNORECASE,
    )


@cache
def _compound() -> re.Pattern[str]:
    letters = "\\w\u0900-\u0963\u0966-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u17d3"
    runs = (
        "[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|[\u3040-\u309f]+|[\u30a0-\u30ff\u31f0-\u31ff]+"
        "|[\uac00-\ud7af\u1100-\u11ff]+|[\u0e01-\u0e3a\u0e40-\u0e4e]+|[\u0e81-\u0ecd]+"
    )
    letter = f"(?:(?![\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e01-\u0eff\U00020000-\U0003ffff])[{letters}])"
    return re.compile(
        rf"(?P<run>{runs})|(?P<sharp>\b[A-Za-z](?:\+\+|#)(?!\w))|{letter}+(?:[-._/@:+&=?%~#'\\]{letter}+)*"
    )


@cache
def _han() -> re.Pattern[str]:
    return re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@cache
def _camel() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")


@cache
def _splitter() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")


@cache
def _ordinal() -> re.Pattern[str]:
    return re.compile(r"(\d+)(?:st|nd|rd|th)")


@cache
def _version() -> re.Pattern[str]:
    return re.compile(r"v?\d{1,9}(?:\.\d{1,9}){1,4}")


@cache
def _lettered() -> re.Pattern[str]:
    return re.compile(r"([^\W\d_]{1,12})-?(\d{1,9})")


@cache
def _hyphenated() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+(?:-[^\W_]+)+")
