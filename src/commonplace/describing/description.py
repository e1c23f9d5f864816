"""Parses a description: whether it means one memory or all of a kind, what must match exactly, and its other words."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from commonplace.describing.anchors import ALIAS, Anchors, canonical, dates_in, numbers_in, written_exactly
from commonplace.describing.grammar import verb_at
from commonplace.text.dates import find_dates
from commonplace.text.languages import LANGUAGES, guess
from commonplace.text.languages import language as language_of
from commonplace.text.normal import fold
from commonplace.text.words import words

_COMMAND = re.compile(
    r"(?i)^(?:please )?(?:forget|delete|remove|erase|drop|vergiss|lösche|olvida|borra|oublie|efface|dimentica|cancella)"
    r"(?: (?:that|dass|que|che))?\b[:,]? *"
)
_CONTAINER = re.compile(
    r"(?i)^(?:the |my |your |any |all )*(?:notes?|memor(?:y|ies)|entr(?:y|ies)|facts?|records?|data|info(?:rmation)?) "
    r"(?:that says|saying|with|about|on|of|that|for|from|mentioning|containing) +"
)
_ALL = re.compile(
    r"(?i)\b(?:everything|all(?! of us)|anything|every|any|whatever|information about|what you (?:know|have|remember)"
    r"|alles|alle|tod[oa]s?|tutt[oie]|tout|toutes?|tous)\b"
)
_SPOKEN = re.compile(
    r"(?i)(?:everything |all )?(?:what|that|things)? ?(?:(?P<who>I|you|(?-i:[A-Z])\w+) (?:have |has )?"
    r"(?:said|told(?: you| me)?|wrote|mentioned|asked)\b)"
    r"|(?P<by>(?-i:[A-Z])\w+)'s (?:comments|remarks|opinions?|words|statements)\b"
)
_QUOTE = re.compile(r"[\"“„«]([^\"”“»]{2,})[\"”“»]|(?<!\w)'([^']{2,}\s[^']+)'(?!\w)")
_NAME = re.compile(r"\b[^\W\d_a-zß-ÿ][\w'’-]*(?: (?:(?:van|von|de|da|di|der|la) )*[^\W\d_a-zß-ÿ][\w'’-]*)*")
_WHOSE = re.compile(r"(?<=\w)(?:['’]s|(?<=s)['’])(?!\w)")
"""A possessive ends a name: "Anja's Vespa" has two names."""
_USER = re.compile(r"(?i)\b(?:the )?(?:user|owner)(?!\w)(?P<whose>['’]s?(?!\w))?(?P<noun>(?= [a-z]+$))?")
_MINE = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|us|ich|mein\w*|mir|mi|mis|yo|soy|mon|ma|mes|je|j'\w+|mio|mia|io|sono)\b"
)
_ASKING = "who whom whose what which where when why how that".split()


@dataclass(frozen=True, slots=True)
class Description:
    """A parsed description of memories."""

    text: str
    """The text without the command and "the note about", in the owner's first person."""
    language: str
    anchors: Anchors
    terms: tuple[str, ...] = ()
    """The stems of its other content words."""
    possible_names: tuple[str, ...] = ()
    """Capitalised words that may not be names: required only if some memory contains them."""
    labels: tuple[str, ...] = ()
    """The stems of words that only label an identifier; they count only if some memories contain them."""
    sweep: bool = False
    """Whether all memories of a kind are meant."""
    statement: bool = False
    """Whether it is a sentence that the memory should state, rather than a topic."""
    mine: bool = False
    speaker: str | None = None
    said: tuple[datetime, datetime] | None = None
    """When the memory was said."""

    @property
    def empty(self) -> bool:
        return not (self.anchors or self.terms or self.possible_names or self.speaker or self.said)

    @property
    def only_anchors(self) -> bool:
        return bool(self.anchors) and not self.terms


def read(text: str, *, now: datetime, language: str, owners: Collection[str] = ()) -> Description:
    """Parse a description; ``owners`` are the names of the owner."""
    bare = _CONTAINER.sub("", _COMMAND.sub("", text.strip())).strip() or text.strip()
    bare = as_owner(bare, owners)
    spoken_language = _language(bare) if language in ("en", "auto") else language
    spoken = _SPOKEN.match(bare)
    speaker = _speaker(spoken)
    if spoken:
        bare = re.sub(r"^\s*(?:about|on|of|that)\s+", "", bare[spoken.end() :]) or bare
    remaining, quotes = _extract(bare, _QUOTE)
    dates = dates_in(remaining, spoken_language)
    period, remaining = _when_said(remaining, now, spoken_language, bool(spoken))
    exact = [token for token in written_exactly(remaining) if not dates_in(token, spoken_language)]
    labels: set[str] = set()
    for identifier in exact:
        labels |= _label_before(remaining, identifier, spoken_language)
        remaining = remaining.replace(identifier, " ")
    numbers = () if period or dates else tuple(sorted(numbers_in(remaining, spoken_language)))
    names, possible = _names(remaining, spoken_language)
    if possible and not names and not exact and not _terms(remaining, spoken_language, words(" ".join(possible))):
        names, possible = possible, []  # the name is all there is
    names = [name for name in names if speaker is None or fold(name) != fold(speaker)]
    name_terms = {term for name in (*names, *possible) for term in words(name, spoken_language)}
    terms = _terms(_ALL.sub(" ", remaining), spoken_language, name_terms | labels | set(numbers))
    anchors = Anchors(
        quotes=tuple(quotes),
        identifiers=tuple(dict.fromkeys(map(canonical, exact))),
        numbers=numbers,
        dates=tuple(sorted(dates)) if not period else (),
        names=tuple(names),
    )
    alias = any(ALIAS.search(name) for name in names)
    first = (fold(bare).split() or [""])[0]
    sweep = bool(_ALL.search(text)) or spoken is not None or (not terms and bool(exact or alias) and not numbers)
    statement = not sweep and first not in _ASKING and verb_at(bare.split()) is not None
    statement = statement and not re.search(r"\b(?:who|which|that|where)\b", fold(bare))
    return Description(
        text=bare.removeprefix("that ") if first == "that" else bare,
        language=spoken_language,
        anchors=anchors,
        terms=tuple(terms),
        possible_names=tuple(possible),
        labels=tuple(labels),
        sweep=sweep,
        statement=statement or first == "that",
        mine=bool(_MINE.search(fold(bare))),
        speaker=speaker,
        said=period,
    )


def _language(text: str) -> str:
    """English, unless several words are of another language: "car" alone is not French."""
    tokens = set(fold(text).split())
    code = guess(fold(text))
    matches, english = (len(tokens & language_of(tag).stops) for tag in (code, "en"))
    return code if matches > max(1, english) else "en"


@lru_cache(maxsize=8192)
def _as_owner(text: str, owners: tuple[str, ...]) -> str:
    text = _USER.sub(lambda match: "my" if match["whose"] or match["noun"] is not None else "I", text)
    for name in owners:
        text = re.sub(rf"(?i:\b{re.escape(name)})['’]s?(?!\w)", "my", text)
        text = re.sub(rf"(?i:\b{re.escape(name)}\b)(?! [A-Z])", "I", text)
    return text


def as_owner(text: str, owners: Collection[str] = ()) -> str:
    """A text with the owner in the first person: "the user's dog", "user employer", and the owner's name."""
    return _as_owner(text, tuple(owners))


def in_first_person(text: str, speaker: str | None, owners: Collection[str]) -> str:
    """A memory's text as the owner would say it: another speaker's "I" becomes that speaker."""
    if speaker is None:
        return as_owner(text, owners)
    text = re.sub(r"\b(?:My|my)\b", f"{speaker}'s", text)
    return re.sub(r"\bI(?:'m| am)\b", f"{speaker} is", re.sub(r"\bI(?!['’\w])", speaker, text))


def _speaker(spoken: re.Match[str] | None) -> str | None:
    if spoken is None:
        return None
    who = spoken["who"] or spoken["by"]
    return {"i": "user", "you": "assistant"}.get(who.lower(), who)


def _extract(text: str, pattern: re.Pattern[str]) -> tuple[str, list[str]]:
    """The text without the matches of a pattern, and the matches."""
    return pattern.sub(" ", text), [match[1] or match[2] for match in pattern.finditer(text)]


def _when_said(text: str, now: datetime, language: str, spoken: bool) -> tuple[tuple[datetime, datetime] | None, str]:
    """The time range of "what I told you last week", and the text without it."""
    if not spoken:
        return None, text
    for date in find_dates(text, now, language):
        return (date.first, date.last), f"{text[: date.start]} {text[date.end :]}"
    return None, text


def _label_before(text: str, identifier: str, language: str) -> set[str]:
    """The words before an identifier that only label it: "ticket OPS-31", "phone number 020 …"."""
    before = re.search(rf"((?:[^\W\d_]+ ){{1,2}}){re.escape(identifier)}", text)
    return set(words(before[1], language)) if before else set()


def _terms(text: str, language: str, excluded: Collection[str]) -> list[str]:
    candidates = dict.fromkeys(words(text, language))
    return [
        term
        for term in candidates
        if term not in excluded and term[1:2] != ":" and not term.isdigit() and len(term) > 1
    ]


def _names(text: str, language: str) -> tuple[list[str], list[str]]:
    """Proper names, with adjacent capitalised words joined; and words that may be names."""
    names: list[str] = []
    possible: list[str] = []
    stops = {stop for code in LANGUAGES for stop in language_of(code).stops}
    for match in _NAME.finditer(_WHOSE.sub(r"\g<0>,", text)):
        parts = [re.sub(r"['’]\w*$", "", word) for word in match[0].split()]
        while parts and (fold(parts[0]) in stops or dates_in(parts[0], language)):
            parts.pop(0)
        parts = [part for part in parts if part != "I"]
        if not parts or not (name := " ".join(parts)):
            continue
        possessive = re.search(r"['’]s?$", match[0]) is not None
        opens = match.start() == 0 and len(parts) == 1 and not possessive
        unsure = opens or (name.isupper() and len(name) <= 5) or (language == "de" and len(parts) == 1)
        (possible if unsure else names).append(name)
    if ALIAS.search(text):
        names, possible = [*names, *possible], []
        return ([" / ".join(names)] if len(names) > 1 else names), []
    return names, possible
