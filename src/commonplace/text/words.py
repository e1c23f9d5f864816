"""Converts text to index terms, the same way for writing and searching.

A term is a folded, stemmed word; a whole identifier; a canonical date (``d:2023-05-07``, ``d:05-07``, ``m:2023-05``,
``m:05``) or time of day (``t:17:30`` and, on the twelve-hour clock, ``t:5:30``). A month's name is ``m:05`` in every
language, so "maggio", "May" and "2023-05-07" match.

Stop words are not terms, with two exceptions, marked ``s:was`` so that questions with other words never search for
them: a text of stop words only yields them all, and the *telling* ones (who, was, he, not …) always count. So "who was
he?" works, at fewer than two postings a turn; indexing every stop word would cost ten. Emoji count as telling.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from unicodedata import decimal

from commonplace.lazy import pattern
from commonplace.text.languages import LANGUAGES, Language, guess, month_number
from commonplace.text.languages import language as find_language
from commonplace.text.normal import fold, fold_case_kept
from commonplace.text.recent_cache import RecentCache

_CACHED = 48
_WHOLE = 200
_SENTENCE_ENDS = frozenset('.!?:;"”…*-')
_EDGES = ".,;:!?\"'()[]{}<>*`~…“”«»|"
_ACRONYMS = frozenset(("US", "IT", "WHO"))
_CONTRACTED = frozenset(("s", "m", "re", "ve", "ll", "d"))
_NO_NEWS = frozenset(("www", "http", "https", "com", "org", "net"))
_HAN_STOPS = frozenset("的了是在我你他她它有和就不人都一上也很到说要去会着没看好自这那个们么什吗呢吧啊与及或之其为")


_Piece = tuple[tuple[str, ...], str, str]
"""The result of one stretch of text: terms; for a stop word itself, and its meaning if it is a name."""


def _piece(terms: tuple[str, ...], stop: str = "", name: str = "") -> _Piece:
    """A bare tuple, because tens of thousands are cached and the garbage collector does not track these."""
    return terms, stop, name


def words(text: str, language: str = "en", *, keep_stops: bool = False) -> list[str]:
    """The terms of a text in order, with repetitions. Takes any string and never raises.

    ``language`` is one of `LANGUAGES` or ``auto``, a guess by stop words. ``keep_stops`` includes every stop word.
    """
    terms: list[str] = []
    stops: list[str] = []
    content = False
    for term, stop, _ in _pieces(text, language):
        if not stop:
            content = True
            terms += term
        else:
            stops.append("s:" + stop)
            terms += stops[-1:] if keep_stops else term
    return terms if content else stops


def told_words(text: str, language: str = "en") -> set[str]:
    """As ``content_words``, but of a word that may be read in several ways the first reading alone, so that they can
    be counted; a date keeps all of its terms."""
    pieces = (terms for terms, stop, _ in _pieces(text, language) if terms and not stop)
    return {term for terms in pieces for term in (terms if ":" in terms[0] else terms[:1])}


def content_words(text: str, language: str = "en") -> set[str]:
    """The distinct terms of a text without stop words."""
    return {term for term in words(text, language) if not term.startswith("s:")}


def terms_of_question(text: str, language: str = "en") -> list[str]:
    """The terms to search for: those of `words` without stop words, or the stop words if there is nothing else."""
    terms = words(text, language)
    spoken_terms = [term for term in terms if not term.startswith("s:")]
    # "Will", "May": asked for alone, it may be the name
    return spoken_terms or (
        terms + [name for _, _, name in _pieces(text, language) if name] if len(terms) == 1 else terms
    )


def date_terms(moment: datetime) -> list[str]:
    """The terms that find a text said on that day, as `words` builds them for a spelled-out date."""
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


def _of_time(hour: int, minute: int, exact: bool) -> list[str]:
    terms = [f"t:{hour % 12 or 12}:{minute:02}"]
    if exact:
        terms.append(f"t:{hour:02}:{minute:02}")
    return terms


def _pieces(text: str, code: str) -> list[_Piece]:
    if not text.isascii():
        text = _foreign_digit().sub(lambda match: str(decimal(match[0])), _spaced_thousands().sub("", text))
    text = fold_case_kept(text)
    language = find_language(guess(text.lower()) if code == "auto" else code)
    if text.isupper() and text.count(" ") > 1:
        text = text.lower()
    if language.code == "en" and " may" in text:
        text = _in_may().sub(r"\1 May", text)
    if not _digit().search(text):
        return _of_stretch(text, language)
    text = _one_number(text, language)
    pieces: list[_Piece] = []
    at = 0
    for match in _moments(language.code, "月" in text or "월" in text).finditer(text):
        terms = _read_time(match) if match["min1"] or match["half"] else _read_date(match, language)
        if terms:
            pieces += _of_stretch(text[at : match.start()], language, at == 0)
            pieces.append(_piece(tuple(terms)))
            at = match.end()
    return pieces + _of_stretch(text[at:], language, at == 0)


def _one_number(text: str, language: Language) -> str:
    """A number without thousands separators and with a decimal point, in any language's notation."""
    if language.code == "en":
        return _thousands().sub("", text)
    if language.code == "fr":
        text = _french_thousands().sub(lambda match: match[0].replace(" ", ""), text)
    text = _dotted_thousands().sub(lambda match: match[0].replace(".", ""), text)
    return _decimal_comma().sub(".", text)


def _of_stretch(text: str, language: Language, opens: bool = True) -> list[_Piece]:
    chunks = _chunks(language.code)
    parts: list[_Piece] = []
    for chunk in text.split():
        pieces = chunks[chunk] if len(chunk) <= _CACHED else tuple(_read_chunk(chunk, language))
        for piece in pieces:
            parts.append(_piece((piece[2],)) if piece[2] and not opens else piece)
            opens = False
        opens = chunk[-1] in _SENTENCE_ENDS
    return parts


@cache
def _chunks(code: str) -> RecentCache[tuple[_Piece, ...]]:
    language = find_language(code)
    return RecentCache(lambda chunk: tuple(_read_chunk(chunk, language)), 1 << 15)


def _read_chunk(chunk: str, language: Language) -> Iterator[_Piece]:
    """The terms of a stretch without white space."""
    core = chunk.strip(_EDGES)
    if core.isascii() and core.isalpha() and len(core) <= _WHOLE:
        yield _of_word(core, language)
        return
    if core.isascii() and core.isdigit() and len(core) <= _WHOLE:
        yield _piece(tuple(_of_number(core)))
        return
    at = 0
    for url in _url().finditer(chunk) if "://" in chunk else ():
        yield from _read_compounds(chunk[at : url.start()], language)
        yield _piece(tuple(_of_url(url[1], language)))
        at = url.end()
    yield from _read_compounds(chunk[at:], language)


def _read_compounds(chunk: str, language: Language) -> Iterator[_Piece]:
    for match in _compound().finditer(chunk):
        if match["run"]:
            yield _of_run(match["run"])
        elif match["sharp"]:
            yield _piece((match["sharp"].lower(),))
        elif match["picture"]:
            yield _piece((f"s:{match['picture']}",), match["picture"])
        else:
            yield _of_compound(match[0], language)


def _of_word(word: str, language: Language) -> _Piece:
    """A word of letters only."""
    if word in _ACRONYMS:
        return _piece((word.lower(),))
    low = fold(word)
    if low in language.stops:
        return _of_stop(word, low, language)
    if low in language.numbers:
        return _piece((language.numbers[low],))
    if low in language.months:
        month = f"m:{language.months[low]:02}"
        return _piece((month, low) if low == "march" else (month,))
    stem = language.stem(low)
    if low == word or word.isupper():
        return _piece((stem,))
    if word.istitle():
        # Without their gender endings, Maria and Mario would be equal.
        inflected = language.code in ("it", "es") and stem != low
        return _piece((stem, low) if inflected else (stem,))
    return _piece((stem, *_parts(_splitter().findall(word), language, stem)))


def _of_stop(word: str, low: str, language: Language) -> _Piece:
    """A capitalised stop word inside a sentence is a name (Will, the Who), except in German."""
    terms = (f"s:{low}",) if low in language.telling else ()
    if low in language.months and word.istitle():
        return _piece(terms, low, f"m:{language.months[low]:02}")
    name = low if terms and word.istitle() and language.code != "de" else ""
    return _piece(terms, low, name)


def _parts(parts: Sequence[str], language: Language, stem: str) -> list[str]:
    """The terms of an identifier's parts: no stop words, no single letters, not the whole again."""
    terms = []
    for part in parts:
        low = fold(part)
        if low.isdigit():
            terms.append(low[:64])
        elif len(low) > 1 and low not in language.stops:
            term = language.stem(low[:64])
            if term != stem:
                terms.append(term)
    return terms


def _of_compound(token: str, language: Language) -> _Piece:
    """A word, a number, or several joined by signs: an identifier, a hyphenated or elided word."""
    if len(token) > _WHOLE:
        return _piece(tuple(_parts(_long_parts().findall(token), language, "")))
    if not _sign().search(token):
        return _of_word(token, language)
    if "'" in token:
        return _of_apostrophe(token, language)
    low = fold(token)
    if low[0].isdigit() or low[0] == "v":
        number = _of_number(low)
        if number:
            return _piece(tuple(number))
    lettered = _lettered().fullmatch(low)
    if lettered:
        humps = _splitter().findall(token)
        inner = humps[:-1] if len(humps) > 2 else ()
        return _piece((f"{lettered[1]}-{lettered[2]}", *_parts((*lettered.groups(), *inner), language, "")))
    if _hash().fullmatch(low):
        return _piece((low,))
    return _of_identifier(token, low, language)


def _of_number(low: str) -> list[str]:
    if low.isdigit():
        return [low.lstrip("0") or "0"] if len(low) == 2 else [low]
    ordinal = _ordinal().fullmatch(low)
    if ordinal:
        return [ordinal[1]]
    version = _version().fullmatch(low)
    if not version:
        return []
    numbers = version[2].split(".")
    whole = [low.removeprefix("v")] if version[3] else []
    if len(numbers) == 2 and not version[1]:
        return [*whole, version[2], *numbers[: numbers[1] == "00"]]  # $5.00 equals $5
    return whole + [".".join(numbers[:n]) for n in range(len(numbers), 0, -1)]


def _of_identifier(token: str, low: str, language: Language) -> _Piece:
    joined = low.replace("-", "") if _hyphenated().fullmatch(low) else low
    if _initials().fullmatch(low):
        return _piece((low.replace(".", ""),))
    if joined in language.numbers:
        return _piece((language.numbers[joined],))
    if joined.isalpha():
        joined = language.stem(joined)
    split = _splitter().findall(token)
    parts = _parts(split, language, joined)
    if not parts and split and all(fold(part) in language.stops for part in split):
        return _of_stop(low, fold(split[0]), language)
    # what people use to refer to a path or address: the file, the local part and the host
    if "@" in low:
        ends = [end for end in low.rsplit("@", 1) if not end.isalpha()]
    else:
        ends = [end for end in low.rsplit("/", 1)[1:] if "." in end]
    return _piece((joined, *ends, *parts))


def _of_apostrophe(token: str, language: Language) -> _Piece:
    before, _, after = token.rpartition("'")
    if after.lower() in _CONTRACTED:
        return _of_compound(before, language)
    low = fold(token)
    if low.endswith("n't"):
        return _of_stop("not", "not", language)
    first, _, rest = token.partition("'")
    if first.lower() in language.elisions:
        return _of_compound(rest, language)
    return _of_compound(token.replace("'", ""), language)


def _of_url(address: str, language: Language) -> list[str]:
    low = fold(address).removeprefix("www.").rstrip("/.,;:!?)]}>\"'*")
    if not low:
        return []
    host = low.partition("/")[0].partition("?")[0]
    terms = [low] if len(low) <= _WHOLE else []
    if host != low:
        terms.append(host[:_WHOLE])
    parts = [part for part in _splitter().findall(address) if part.lower() not in _NO_NEWS]
    return terms + _parts(parts, language, low)


def _of_run(run: str) -> _Piece:
    """Bigrams of a script without spaces. A Chinese character is also a word by itself.

    Korean has spaces, but its particles follow the word: a search for 책 (book) has to find 책을.
    """
    if len(run) == 1:
        return _piece((), run) if "\u3040" <= run <= "\u309f" or run in _HAN_STOPS else _piece((run,))
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if _han().match(run):
        pairs += [pair for pair in run if pair not in _HAN_STOPS]
    elif "\uac00" <= run[0] <= "\ud7af":
        pairs.append(run[0])
    return _piece(tuple(pairs))


def _read_time(match: re.Match[str]) -> list[str]:
    written, half = match["hour"] or match["hour2"], match["half0"] or match["half"]
    hour, minute = int(written), int(match["min1"] or match["min2"] or 0)
    if half:
        if not 1 <= hour <= 12:
            return []
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    return _of_time(hour, minute, exact=bool(half) or hour > 12 or written[0] == "0")


def _read_date(match: re.Match[str], language: Language) -> list[str]:
    part = match.groupdict()
    year = int(next(filter(None, (part.get(f"y{n}") for n in range(1, 8))), 0)) or None
    name = part["name1"] or part["name2"]
    if name:
        digits = re.sub(r"[^0-9]", "", part["day1"] or part["day2"] or "")
        month, day = month_number(fold(name), language), int(digits or 0)
    elif number := part["m1"] or part.get("m2"):
        month, day = int(number), int(part["d1"] or part.get("d2") or 0)
    elif part["y6"]:
        month, day = int(part["a"]), 0
    else:
        day, month = int(part["a"]), int(part["b"])
        if month > 12:
            day, month = month, day
        elif day <= 12 and day != month and part["sign"] != "." and language.code == "en":
            # 07/05/2023 is ambiguous; it only matches itself and its year.
            return [f"{day}/{month}/{year}", str(year)]
    if not 1 <= month <= 12 or day > 31:
        return []
    terms = _of_date(year, month, day or None)
    return terms + _of_time(int(part["h1"]), int(part["n1"]), exact=True) if part["h1"] else terms


# Patterns are compiled on first use: a hook process imports this module and may need none of them.


@cache
def _moments(code: str, eastern: bool) -> re.Pattern[str]:
    """Dates and times that contain a digit, with month names of all languages.

    ``eastern`` ones (2023年5月7日) may be surrounded by letters; searching for them takes longer.
    """
    months = {name for other_code in LANGUAGES for name in find_language(other_code).months} | set(
        find_language(code).short_months
    )
    names = rf"(?:{'|'.join(sorted(months, key=lambda name: (-len(name), name)))})\b\.?"
    day = r"(?:0?[1-9]|[12][0-9]|3[01])(?:st|nd|rd|th|\.|er|º|°)?"
    year = r"(?:1[89]|20)[0-9][0-9]"
    number = r"(?:0[1-9]|[12][0-9]|3[01]|[1-9])"
    of = r"(?:\s{0,3}(?:of|de|del|di)\s{1,3}|\s{0,3},\s{0,3}|\s{1,3}|-)"
    zone = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
    # A number follows a month's name directly: only then are the many names tried.
    before_digit = r"(?-i:(?=[^\s0-9]++[^0-9]{0,9}+[0-9]))"
    signs = (
        rf"|(?<!\d)(?:(?P<y7>{year})\s?[年년]\s?)?(?P<m2>0?[1-9]|1[0-2])\s?[月월](?:\s?(?P<d2>{number})\s?[日号號일])?"
    )
    clock = rf"(?P<h1>[01][0-9]|2[0-3]):(?P<n1>[0-5][0-9])(?::[0-5][0-9](?:[.,][0-9]{{1,9}})?)?{zone}"
    return re.compile(
        rf"(?<![\w.-])(?:(?P<y1>{year})(?P<iso>[-/.])(?P<m1>0?[1-9]|1[0-2])"
        rf"(?:(?P=iso)(?P<d1>{number})(?:[Tt]{clock})?|(?<=[-/]\d\d))(?![\w-]|\.\d)"
        rf"|(?P<a>{number})(?:(?P<sign>[/.-])(?P<b>{number})(?P=sign)(?P<y2>{year})|/(?P<y6>{year}))(?![\w/])"
        rf"|(?P<hour>[01]?[0-9]|2[0-3])[:h](?P<min1>[0-5][0-9])(?::[0-5][0-9])?(?![\w:])(?:\s?(?P<half0>[ap]\.?m\b))?"
        rf"|(?P<hour2>1[0-2]|0?[1-9])(?::(?P<min2>[0-5][0-9]))?\s?(?P<half>[ap]\.?m\b)"
        rf"|(?P<day1>{day}){of}(?P<name1>{names})(?:{of}(?P<y3>{year})(?!\w))?"
        rf"|{before_digit}(?P<name2>{names})(?:\s{{0,3}}(?:the\s)?(?P<day2>{day})(?![\w:/])(?!\.\d)(?:{of}(?P<y4>{year})(?!\w))?"
        rf"|{of}(?P<y5>{year})(?!\w)))" + (signs if eastern else ""),
        re.IGNORECASE,
    )


@cache
def _compound() -> re.Pattern[str]:
    """Runs of scripts without spaces; C++ and C#; emoji; letters and digits joined by single signs."""
    han = "\u3005\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    runs = (
        f"[{han}]+|[\u3041-\u309f]+|[\u30a1-\u30ff\u31f0-\u31ff]+|[\uac00-\ud7af\u1100-\u11ff]+"
        "|[\u0e01-\u0e3a\u0e40-\u0e4e]+|[\u0e81-\u0ecd]+"
    )
    # Marks of Indic, Tibetan, Burmese and Khmer are parts of words but not in \w.
    letters = "\\w\u0900-\u0963\u0966-\u0dff\u0f00-\u0f0a\u0f18-\u0fff\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
    pictures = "[\U0001f1e6-\U0001f1ff]{2}|(?![\U0001f3fb-\U0001f3ff])[\u2600-\u27bf\U0001f300-\U0001faff]"
    letter = f"(?:(?![{han}\u3041-\u30ff\u31f0-\u31ff\uac00-\ud7af\u1100-\u11ff\u0e01-\u0ecd])[{letters}])"
    return re.compile(
        rf"(?P<run>{runs})|(?P<sharp>\b[A-Za-z](?:\+\+|#)(?!\w))|(?P<picture>{pictures})|{letter}+(?:[-._/@:+&=?%~#'\\]{letter}+)*"
    )


@cache
def _url() -> re.Pattern[str]:
    """A URL, up to a closing quotation mark or to where a script without spaces continues the sentence."""
    ends = '\\s<>"\u3005\u3007\u3001\u3002\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e01-\u0ecd'
    return re.compile(f"[A-Za-z][A-Za-z0-9+.-]{{0,30}}://([^{ends}]+)")


_han = pattern("[\u3005\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_splitter = pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
"""Splits an identifier at signs, at case changes, and between letters and digits."""
_long_parts = pattern(r"[^\W_]+")
_foreign_digit = pattern(r"(?![0-9])\d")
_digit = pattern(r"\d")
_sign = pattern(r"[-._/@:+&=?%~#'\\\d]")


@cache
def _in_may() -> re.Pattern[str]:
    before = "in|of|since|until|till|by|during|last|next|this|early|late|mid|every|through"
    return re.compile(rf"(\b(?:{before}))\s+may\b", re.IGNORECASE)


_thousands = pattern(r"(?<=\d),(?=\d{3}(?!\d))")
_spaced_thousands = pattern("(?<=\\d)(?<!\\d{4})[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")
"""The non-breaking spaces in "10 000": with other characters between digits there are two numbers."""
_french_thousands = pattern(r"(?<![\w.,])\d{1,3}(?: \d{3})+(?!\w)")
_dotted_thousands = pattern(r"(?<![\w.])\d{1,3}(?:\.\d{3})+(?![\w.])")
_decimal_comma = pattern(r"(?<=\d),(?=\d)")
_ordinal = pattern(r"(\d+)(?:st|nd|rd|th)")
_version = pattern(r"(v?)(\d{1,9}(?:\.\d{1,9}){1,4}|(?<=v)\d{1,9})([-+.]?[a-z][\w.+-]*)?")
_lettered = pattern(r"([^\W\d_]{1,12})-?(\d{1,9})")
_hyphenated = pattern(r"[^\W_]+(?:-[^\W_]+)+")
_initials = pattern(r"[^\W\d_]{1,2}(?:\.[^\W\d_]){1,5}")
_hash = pattern(r"(?=[a-z]*\d)(?=\d*[a-f])[0-9a-f]{7,64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
