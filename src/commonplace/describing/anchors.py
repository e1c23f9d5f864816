"""The parts of a description that a memory must contain exactly: quotes, identifiers, numbers, dates and names."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from commonplace.text.identifiers import identifiers, mentions
from commonplace.text.languages import language as language_of
from commonplace.text.normal import fold, fold_case_kept
from commonplace.text.words import words

ALIAS = re.compile(r"\s+/\s+|,?\s+(?:aka|a\.k\.a\.?|alias|also known as)\s+|\s+=\s+")
_NUMBER_WITH_SIGNS = re.compile(
    r"(?<![\w-])(?:\+?\(?\d[\d().\-/]*(?:[ ]\d[\d().\-/]*)+\d|\+?\d+(?:-\d{2,})+|\+?\d{6,})(?![\w-])"
)
_CODE = re.compile(
    r"\bC\+\+|\b[CF]#|\b[A-Z]{1,4} ?\d{3,}\b"
    r"|[\w@.+:#-]*[A-Za-z][\w@.+:/#-]*\d[\w@.:/#-]*|\d+[A-Za-z][\w-]*|[\w-]+/[\w/-]+"
)
_MEASURE = re.compile(r"(?i)\d+(?:st|nd|rd|th|am|pm|[kcm]?m|k?g|mg|h|k|s)")
_SPELLED_OUT = re.compile(r"\s*[\[(]\s*(?P<sign>at|dot)\s*[\])]\s*")

DISTINCT = 4
"""Minimum characters of an identifier that is unambiguous."""


@dataclass(frozen=True, slots=True)
class Anchors:
    """Everything that a memory must contain, in canonical form. A name may have several spellings (`ALIAS`)."""

    quotes: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.quotes or self.identifiers or self.numbers or self.dates or self.names)

    def exactly_in(self, text: str) -> bool:
        """Whether a text contains every quote as whole words and every identifier with all digits, country codes too.

        False for a short code such as 4b, which may be a flat, a class or a bus.
        """
        folded = fold(text)
        return all(re.search(rf"(?<!\w){re.escape(fold(quote))}(?!\w)", folded) for quote in self.quotes) and all(
            len(identifier) >= DISTINCT and (identifier in _identifiers_in(text) or mentions(text, identifier))
            for identifier in self.identifiers
        )

    def admit(self, text: str, language: str, speaker: str | None = None) -> bool:
        """Whether a text contains all of them; its speaker counts as named."""
        folded = fold(text)
        return (
            all(fold(quote) in folded for quote in self.quotes)
            and all(holds_identifier(text, identifier) for identifier in self.identifiers)
            and (not self.numbers or set(self.numbers) <= numbers_in(text, language))
            and dates_agree(self.dates, text, language)
            and all(names_it(text, name) or (speaker is not None and names_it(speaker, name)) for name in self.names)
        )


def written_exactly(text: str) -> list[str]:
    """The addresses, paths, codes and long numbers of a text, as written."""
    text = _SPELLED_OUT.sub(lambda match: "@" if match["sign"] == "at" else ".", text)
    exact = [match[0].strip() for match in _NUMBER_WITH_SIGNS.finditer(text) if len(re.sub(r"\D", "", match[0])) >= 6]
    for number in exact:
        text = text.replace(number, " ")
    exact += [identifier.text for identifier in identifiers(text) if identifier.kind != "number"]
    for match in _CODE.finditer(text):
        token = match[0].rstrip(".,:;'")
        if not any(token in identifier or identifier in token for identifier in exact) and not _MEASURE.fullmatch(
            token
        ):
            exact.append(token)
    return exact


def canonical(identifier: str) -> str:
    """One form for all spellings: 123-45-6789 and 123456789, LH 2034 and LH2034, with or without a scheme or www."""
    low = re.sub(r"^(?:[a-z]+://)?(?:www\.)?", "", fold(identifier).strip(".,;:!?'\"()")).rstrip("/")
    digits = re.sub(r"\D", "", low)
    if len(digits) >= 6 and not re.search("[a-z@]", low):
        return digits.lstrip("0")
    return low if re.search(r"[@/]|\.\d|^v\d", low) else re.sub(r"[\s-]", "", low)


@lru_cache(maxsize=4096)
def _identifiers_in(text: str) -> frozenset[str]:
    return frozenset(map(canonical, written_exactly(text)))


def holds_identifier(text: str, identifier: str) -> bool:
    """Whether a text contains a canonical identifier as a whole; phone numbers match with another country code too."""
    identifiers_here = _identifiers_in(text)
    if identifier in identifiers_here:
        return True
    if identifier.isdigit():
        return len(identifier) > 7 and any(_same_phone(identifier, candidate) for candidate in identifiers_here)
    return mentions(text, identifier) and not any(
        candidate != identifier and identifier in candidate for candidate in identifiers_here
    )


def _same_phone(number: str, candidate: str) -> bool:
    similar_length = candidate.isdigit() and len(candidate) > 7 and 0 < abs(len(number) - len(candidate)) <= 3
    return similar_length and (candidate.endswith(number) or number.endswith(candidate))


@lru_cache(maxsize=4096)
def numbers_in(text: str, language: str) -> frozenset[str]:
    """The plain numbers of a text, including spelled-out ones; 20,000 is 20000."""
    low = re.sub(r"(?<=\d),(?=\d{3}\b)", "", fold(text))
    digits = re.findall(r"(?<![\w.:])\d+(?:[.:]\d+)*(?=(?:st|nd|rd|th|k|km|kg|mg|m|h|%|€)?(?!\w))", low)
    spelled = language_of(language).numbers
    numbers = {number.removesuffix(":00") for number in digits} | set(digits)
    return frozenset(numbers | {spelled[word] for word in re.findall(r"[^\W\d]+", low) if word in spelled})


@lru_cache(maxsize=4096)
def dates_in(text: str, language: str) -> frozenset[str]:
    """The dates and times of a text as terms: ``d:2023-05-07``, ``d:05-07``, ``m:05``, ``t:17:30``."""
    return frozenset(term for term in words(text, language) if term[:2] in ("d:", "m:", "t:"))


def dates_agree(dates: tuple[str, ...], text: str, language: str) -> bool:
    """Whether a text contains every date, compared as precisely as both are: "7 May" matches "7 May 2023"."""
    if not dates:
        return True
    text_dates = dates_in(text, language)
    dated_with_year = any(len(term) == 9 and term.startswith("m:") for term in text_dates)
    with_year = {term for term in dates if term[:2] in ("d:", "m:") and len(term) in (9, 12)}
    return all(term in text_dates or (term in with_year and not dated_with_year) for term in dates)


@lru_cache(maxsize=8192)
def spellings(name: str) -> tuple[str, ...]:
    """The folded spellings of a name: Müller, Mueller and Muller."""
    full = name.translate(_umlauts())
    return tuple(dict.fromkeys(fold_case_kept(form).replace("ß", "ss") for form in (name, full)))


@cache
def _umlauts() -> dict[int, str]:
    pairs = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"}
    table = {ord(letter): pair for letter, pair in pairs.items()}
    return table | {ord(letter.upper()): pair.capitalize() for letter, pair in pairs.items()}


def names_it(text: str, name: str) -> bool:
    """Whether a text contains a name in any spelling, whole and not as the beginning of a longer name."""
    return mention_of(text, name) is not None


@lru_cache(maxsize=8192)
def mention_of(text: str, name: str) -> re.Match[str] | None:
    for alias in ALIAS.split(name):
        first, _, last = alias.partition(" ")
        turned = f"{last} {first.lower()}" if last and " " not in last else alias  # the Apollo project
        for spelling in dict.fromkeys((*spellings(alias), *spellings(turned))):
            longer = r"(?! [A-Z][a-z]+\b)" if " " in spelling else ""
            for form in spellings(text):
                pattern = rf"(?<![\w-])(?i:{re.escape(spelling)})(?=['’]s?\b|s?\b)(?![\w-])(?!\.\w){longer}"
                match = re.search(pattern, form)
                if match and (form.islower() or not match[0][0].islower() or spelling.islower()):
                    return match
    return None


def part_of_longer_name(text: str, name: str) -> bool:
    """Whether every mention of a one-word name is within a longer name: Marlow in "Marlow Street"."""
    for spelling in spellings(name):
        for form in spellings(text):
            body = re.escape(spelling)
            alone = re.sub(rf"\b{body} [A-Z][a-z]+|(?<=[a-z] )[A-Z][a-z]+ {body}\b", " ", form)
            if re.search(rf"(?i:\b{body}\b)", alone):
                return False
    return True
