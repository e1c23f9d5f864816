"""What a description means, and whether a statement is what it describes. Pure: values in, values out.

Names, numbers, dates and quoted words must be there, whole. Every other word of the description must be met: by itself,
by a word for the same matter, or by one near in meaning. Polarity, owner and the order of names decide the rest.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from functools import cache, lru_cache

from commonplace.retrieval.concepts import rivals, said_as
from commonplace.text.dates import find_dates
from commonplace.text.identifiers import identifiers, mentions
from commonplace.text.languages import guess
from commonplace.text.languages import language as find_language
from commonplace.text.normal import fold, normal
from commonplace.text.words import words

Near = Callable[[str, str], float]
"""The cosine of two words; 0 where there is no embedder."""

STRONG, FAINT = 0.45, 0.3
"""Cosines of two words: surely the same matter; possibly. Words that have nothing in common stay below 0.15."""


class Level(IntEnum):
    """How a statement meets a description; a higher one leaves the lower ones out."""

    FAINT = 1
    NEAR = 2
    MATTER = 3
    WORDS = 4
    SUBJECT = 5
    EXACT = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A description, read."""

    text: str
    """Without the frame ("please forget that …")."""
    language: str
    sweeping: bool = False
    plural: bool = False
    statement: bool = False
    negative: bool = False
    mine: bool = False
    names: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    digits: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    surfaces: dict[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    whose: str | None = None
    speaker: str | None = None
    """Folded; "i" for the owner, "assistant" for the other side."""
    span: tuple[datetime, datetime] | None = None
    """When it was said."""
    asks: str = ""
    """where, when, who, how …: the question word it opens with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that a memory says, and around what."""

    said: str
    subject: str = ""
    speaker: str | None = None
    mine: bool = False
    """The first person in it is the owner."""
    around: str = ""
    """The whole memory: where a qualifier may stand that the sentence does not repeat."""
    key: str | None = None
    owners: tuple[str, ...] = ()
    """The names by which the owner is known."""


@dataclass(frozen=True, slots=True)
class Fit:
    level: Level
    score: float
    """Share of the statement's own terms that the description speaks of; finer than the level."""


def spoken_in(text: str) -> str:
    """The language of a description: a short one is English unless its verb or several of its words say otherwise."""
    low = fold(text)
    for code, verbs in _FORGET.items():
        if any(re.search(rf"\b{verb}\b", low) for verb in verbs.split()):
            return code
    code = guess(low)
    heard, english = (set(low.split()) & find_language(one).stops for one in (code, "en"))
    return code if len(heard) >= 2 and len(heard) > len(english) else "en"


def read(text: str, *, now: datetime, language: str = "en") -> Description:
    """Read a description given at ``now``."""
    topic, sweeping, stated = _unframed(text)
    topic, speaker, span, told = _saying(topic, now, language)
    sweeping = sweeping or told
    topic, more = _swept(topic)
    sweeping = sweeping or more
    topic = _idiom(topic.strip(" \t\n.,;:!?"))
    plain = topic.strip("\"'“”«»‘’`")
    quoted = [found[1] or found[2] for found in _quoted().finditer(topic)]
    exact = _exact(topic)
    digits = [found[0] for found in _phone().finditer(topic) if _is_phone(found[0])]
    names = [] if topic.islower() else _names(topic, stated, exact)
    taken = [*names, *quoted, *exact, *digits]
    bare = topic
    for one in sorted(taken, key=len, reverse=True):
        bare = bare.replace(one, " , ")
    bare = re.sub(r"(?<=[\s,])['’]s\b", " ", bare)
    found = [term for term in words(bare, language) if not term.startswith("s:")]
    dates = tuple(term for term in found if term[:2] in ("d:", "m:", "t:"))
    numbers = tuple(term for term in found if re.fullmatch(r"\d+(?:\.\d+)?", term) and not _is_year(term, dates))
    terms = dict.fromkeys(
        term for term in found if term not in dates and term not in numbers and not _is_year(term, dates)
    )
    asks = _asked().match(topic)
    return Description(
        text=plain if len(quoted) == 1 and quoted[0] == plain else topic,
        language=language,
        sweeping=sweeping,
        plural=_is_plural(topic, language),
        statement=stated or _states(topic),
        negative=is_negative(topic),
        mine=bool(_first_person().search(topic)),
        names=tuple(dict.fromkeys(names)),
        anchors=tuple(dict.fromkeys((*exact, *quoted))),
        numbers=numbers,
        digits=tuple(_only_digits(one) for one in digits),
        dates=dates,
        terms=tuple(term for term in terms if term not in _negations(language)),
        surfaces=surfaces(bare, language),
        optional=_optional(topic, language, labelled=bool(exact or quoted or digits or numbers), asks=bool(asks)),
        whose=_whose(topic),
        speaker=speaker,
        span=span,
        asks=asks[0].lower() if asks else "",
    )


def fit(wanted: Description, one: Statement, near: Near) -> Fit | None:
    """Whether a statement is what is described, and how surely; None if it is not."""
    if not _anchored(wanted, one) or not _agrees(wanted, one):
        return None
    if wanted.text and normal(wanted.text) == normal(one.said):
        return Fit(Level.EXACT, 1.0)
    own = _terms_of(one, wanted.language)
    asked = [term for term in wanted.terms if term not in wanted.optional]
    if not asked and not _hard(wanted):
        asked = list(wanted.terms)  # nothing but words that are vague beside others: then they are what is meant
    if wanted.whose is not None and not wanted.sweeping and _is_modifier(wanted, one):
        return None
    if not _has_value(wanted, one, own):
        return None
    level = _met(wanted, asked, one, own, near)
    if level is None:
        return None
    if not asked and not _hard(wanted) and wanted.speaker is None and wanted.span is None:
        return None
    share = _share(wanted, own)
    if level is Level.WORDS and share >= 0.999:
        level = Level.EXACT if wanted.statement or not wanted.sweeping else level
    elif level is Level.WORDS and not wanted.asks and _is_subject(wanted, one):
        level = Level.SUBJECT
    return Fit(level, share)


def is_empty(wanted: Description) -> bool:
    """Whether a description names nothing at all."""
    told = wanted.speaker is not None or wanted.span is not None
    return not (told or _hard(wanted) or set(wanted.terms) - _stemmed(_EMPTY, wanted.language))


def _optional(topic: str, language: str, *, labelled: bool, asks: bool) -> frozenset[str]:
    """Terms that need not be met: vague ones, and beside an identifier those that say what kind of thing it is."""
    found = _stemmed(_VAGUE, language) | _stemmed(_SOFT, language)
    if re.search(r"['’]s? name\b|\bname of\b", topic):
        found |= _stemmed("name", language)
    if asks:
        found |= _stemmed(_HAPPENING, language)
    if labelled:
        found |= _stemmed(_LABELS, language)
        for one in _exact(topic):
            before = topic[: topic.find(one)].split()
            while before and before[-1].islower() and before[-1].isalpha() and before[-1] not in _listed(_LINKS):
                found |= frozenset(words(before.pop(), language))
    return found


def _hard(wanted: Description) -> bool:
    return bool(wanted.names or wanted.anchors or wanted.numbers or wanted.digits or wanted.dates)


# What must be there, whole.


def _anchored(wanted: Description, one: Statement) -> bool:
    text = f"{one.key} {one.said}" if one.key else one.said
    return (
        all(names_it(text, name) or _speaks_as(one, name) for name in wanted.names)
        and all(_mentions_any(text, anchor) for anchor in wanted.anchors)
        and all(mentions(text, number) or number in _whole_terms(text, wanted.language) for number in wanted.numbers)
        and all(_has_digits(text, digits) for digits in wanted.digits)
        and _dated(wanted, text)
    )


def names_it(text: str, name: str) -> bool:
    """Whether a name stands in a text and is not the beginning of a longer one; a kind before or after may change
    places (Project Apollo, the Apollo project)."""
    if " " not in name:
        return mentions(text, name)
    if mentions(text, name) and not re.search(rf"(?i:{re.escape(name)}) (?-i:[A-ZÀ-Þ][a-zà-ÿ]+)", text):
        return True
    first, _, rest = name.partition(" ")
    if first.lower() in _listed(_KINDS):
        return mentions(text, f"{rest} {first}")
    rest, _, last = name.rpartition(" ")
    return last.lower() in _listed(_KINDS) and mentions(text, f"{last} {rest}")


def _speaks_as(one: Statement, name: str) -> bool:
    """ "My birthday is …", said by Bob, is about Bob."""
    return one.speaker is not None and mentions(one.speaker, name) and bool(_first_person().search(one.said))


def _mentions_any(text: str, anchor: str) -> bool:
    if mentions(text, anchor):
        return anchor[0].isalnum() or re.search(rf"(?<![\w/\\]){re.escape(fold(anchor))}", fold(text)) is not None
    plain = re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+", anchor)
    return bool(plain) and any(mentions(text, anchor.replace("-", mark)) for mark in (" ", ""))


def _has_digits(text: str, digits: str) -> bool:
    for found in _phone().finditer(text):
        other = _only_digits(found[0])
        shorter, longer = sorted((digits.lstrip("+"), other.lstrip("+")), key=len)
        abroad = ("+" in digits) != ("+" in other)
        if shorter == longer or (
            abroad and len(shorter) >= 7 and longer.endswith(shorter) and len(longer) - len(shorter) <= 3
        ):
            return True
    return False


def _dated(wanted: Description, text: str) -> bool:
    """Every date as far as both are exact: "7 May 2023" is meant by "7 May", not by "7 May 2024"."""
    if not wanted.dates:
        return True
    own = set(_all_words(text, wanted.language))
    years = {term for term in own if term.startswith("m:") and len(term) == 9}
    for term in wanted.dates:
        exact_year = term[:2] in ("d:", "m:") and len(term.split(":")[1]) in (7, 10)
        if term not in own and not (exact_year and not years):
            return False
    return True


def _agrees(wanted: Description, one: Statement) -> bool:
    """Polarity, owner and the order of names."""
    if (wanted.statement or wanted.negative) and not wanted.sweeping and wanted.negative != is_negative(one.said):
        return False
    if wanted.whose is not None and _anothers(wanted, one):
        return False
    if wanted.mine and _of_another(wanted, one):
        return False
    return wanted.sweeping or _same_order(wanted, one)


def _anothers(wanted: Description, one: Statement) -> bool:
    """Whether the thing described belongs to somebody else here."""
    assert wanted.whose is not None
    whose = wanted.whose
    for found in _owned().finditer(one.said):
        owner, thing = found["owner"], words(found["thing"], wanted.language)
        if not set(thing[:3]) & set(wanted.terms):
            continue
        if whose == "i":
            if owner.lower() not in ("my", "our", "i") and not one.mine:
                return True
        elif owner.lower() in ("my", "our"):
            if not _speaks_as(one, whose):
                return True
        elif not mentions(owner, whose) and not mentions(whose, owner):
            return True
    return False


def _of_another(wanted: Description, one: Statement) -> bool:
    """Whether a sentence that should be about the owner is about another person, as far as that can be told."""
    if _first_person().search(one.said):
        return not one.mine
    name = _subject_name(one.subject)
    if name is None or set(words(name, wanted.language)) & set(wanted.terms):
        return False
    return bool(one.owners) and not any(mentions(name, owner) for owner in one.owners)


def _subject_name(subject: str) -> str | None:
    """The name that a subject is, or belongs to; None if it is a thing or a pronoun."""
    found = _whole_name().fullmatch(subject.strip())
    return None if found is None or found["name"].lower() in _listed(_OPENERS) | {"i", "we"} else found["name"]


def is_owners(one: Statement) -> bool:
    """Whether a sentence speaks of the owner in so many words."""
    if _first_person().search(one.said):
        return one.mine
    name = _subject_name(one.subject)
    return name is not None and any(mentions(name, owner) for owner in one.owners)


def _same_order(wanted: Description, one: Statement) -> bool:
    """Who does it to whom: two names with a verb between them stand in the same order, or both are turned round."""
    if len(wanted.names) != 2 or _symmetric().search(fold(wanted.text)):
        return True
    low = fold(wanted.text)
    between = low[low.find(fold(wanted.names[0])) + len(wanted.names[0]) : low.rfind(fold(wanted.names[1]))].split()
    if not between or all(word in _listed(_LINKS) for word in between):
        return True
    first, second = (fold(one.said).find(fold(name)) for name in wanted.names)
    if first < 0 or second < 0:
        return True
    return (first < second) != (_turned(wanted.text) != _turned(one.said))


def _turned(text: str) -> bool:
    """Whether the second name does it to the first: a passive, or a verb that looks from below."""
    return bool(_from_below().search(fold(text)))


# Whether the other words are met.


def _met(wanted: Description, asked: Sequence[str], one: Statement, own: Collection[str], near: Near) -> Level | None:
    level = Level.WORDS
    for term in asked:
        if term in own:
            continue
        if _has_shape(term, one):
            level = min(level, Level.MATTER)
            continue
        if said_as(term, wanted.language) & (set(own) - set(wanted.terms)) and not rivals(term, wanted.language) & set(
            own
        ):
            level = min(level, Level.MATTER)
            continue
        best = _nearest(wanted, term, one, near)
        if best < FAINT:
            return None
        level = min(level, Level.NEAR if best >= STRONG else Level.FAINT)
    return level


def _has_shape(term: str, one: Statement) -> bool:
    """Whether the value alone shows what it is: an address with an @ is an email, "is a baker" a job."""
    pattern = _shapes().get(term)
    return pattern is not None and pattern.search(one.said) is not None


@cache
def _shapes() -> dict[str, re.Pattern[str]]:
    trade = r"\b(?:is|am|was|['’]m|['’]s|as) an? (?:[\w-]+ ){0,3}?\w*(?:(?<![fmhl]ath)(?<!moth)(?<!broth)(?<!sist)(?<!daught)er|or|ist|ian|ect|yst|urse|hef|ilot|udge|ook|lerk|artist|rofessor|ngineer|man|woman)\b"
    made = {
        "job profession occupation career employment": trade,
        "email mail": r"[\w.+-]+@[\w-]+\.\w",
        "phone telephone mobile cell": r"(?<![\w.])\+?\(?\d[\d\s()./-]{5,22}\d(?!\w)",
        "salary earn earns income wage pay": r"\b(?:makes?|made|gets?|paid|earns?)\b[^.]*\d",
        "age old": r"\b\d{1,3} (?:years? old|yo)\b|\bturned \d",
        "website homepage site url link": r"https?://|\bwww\.",
    }
    return {term: re.compile(shape) for names, shape in made.items() for term in words(names)}


def _has_value(wanted: Description, one: Statement, own: Collection[str]) -> bool:
    """Whether a number or a date that the description asks for by that word is there, called so or not."""
    for word, shape in (("number", r"\d"), ("date", r"\d|\b(?:\w+day|today|tomorrow)\b")):
        term = words(word, wanted.language)[0]
        asked = term in wanted.terms and term not in own and not wanted.sweeping
        dated = word == "date" and _all_dates(one.said, wanted.language)
        if asked and not re.search(shape, one.said) and not dated:
            return False
    return not any(
        rivals(term, wanted.language) & set(own) for term in wanted.terms if term in _stemmed(_SOFT, wanted.language)
    )


def prefers(wanted: Description, one: Statement) -> int:
    """How much of what need not be there is there all the same: an answer of the kind asked for, "new" or "current"."""
    own = _terms_of(one, wanted.language)
    soft = sum(1 for term in wanted.terms if term in wanted.optional and term in own)
    if wanted.asks == "when" or wanted.text.lower().startswith("what time"):
        timed = re.search(r"\d|\b\w+day\b", one.said) or _all_dates(one.said, wanted.language)
        return soft + 2 * bool(timed or set(own) & set(map(str, range(1, 32))))
    if wanted.asks == "where":
        return soft + 2 * bool(re.search(r"(?i)\b(?:in|at|on|near|to|from|a|à|en|bei|zu)\b", one.said))
    if wanted.asks == "how":
        return soft + 2 * bool(re.search(r"\d", one.said) or set(own) & set(map(str, range(1, 100))))
    return soft


def _nearest(wanted: Description, term: str, one: Statement, near: Near) -> float:
    """The cosine of the nearest word that is neither a name in the description nor a rival."""
    if rivals(term, wanted.language) & set(_terms_of(one, wanted.language)) or term in wanted.optional:
        return 0.0
    named = {part for name in (*wanted.names, *wanted.anchors) for part in words(name, wanted.language)}
    met = set(wanted.terms) | named
    surface = wanted.surfaces.get(term, term)
    others = [
        word
        for stem, word in surfaces(one.said, wanted.language).items()
        if stem not in met and not _misleading(surface, word)
    ]
    return max((near(surface, other) for other in others), default=0.0)


def _misleading(a: str, b: str) -> bool:
    """Whether two words look near only because one is built from the other: girl and girlfriend, paid and unpaid."""
    shorter, longer = sorted((a, b), key=len)
    if longer.startswith(shorter) or shorter.startswith(longer[: max(len(shorter), 4)]):
        return len(longer) - len(shorter) >= 3
    return any(longer == prefix + shorter for prefix in ("un", "in", "im", "dis", "non", "non-", "anti", "re"))


def _is_modifier(wanted: Description, one: Statement) -> bool:
    """Whether what somebody is said to have only tells which of something else: a flat tyre is no flat."""
    head = wanted.text.split()[-1]
    predicate = one.said.removeprefix(one.subject)
    stems = words(head.lower(), wanted.language)
    if len(wanted.terms) != 1 or not stems or stems[-1] != wanted.terms[0]:
        return False
    found = re.findall(rf"\b{re.escape(fold(head))}\s+([a-z]+)", fold(predicate))
    return bool(found) and all(_is_noun(word, wanted) for word in found)


def _is_noun(word: str, wanted: Description) -> bool:
    """As far as can be told: no word of structure, no form of a verb, nothing vague."""
    stems = words(word, wanted.language)
    plain = bool(stems) and not stems[0].startswith("s:") and stems[0] not in wanted.optional
    return plain and not word.endswith(("ed", "ing", "ly")) and word not in _listed(_LINKS)


def _is_subject(wanted: Description, one: Statement) -> bool:
    """The description is what the sentence is about: "Ada's birthday" of "Ada's birthday is in May"."""
    subject = {term for term in words(one.subject, wanted.language) if not term.startswith("s:")}
    asked = {term for term in words(wanted.text, wanted.language) if not term.startswith("s:")}
    return bool(subject) and subject == asked


def _share(wanted: Description, own: Collection[str]) -> float:
    asked = set(words(wanted.text, wanted.language))
    telling = {term for term in own if not term.startswith("s:")}
    return len(telling & asked) / len(telling) if telling else 0.0


def _terms_of(one: Statement, language: str) -> frozenset[str]:
    """The terms of a statement, each identifier whole: "login" is not said by "login-v2"."""
    text = f"{one.key} {one.said}" if one.key else one.said
    return _whole_terms(text, language)


@lru_cache(maxsize=4096)
def _whole_terms(text: str, language: str) -> frozenset[str]:
    exact = _exact(text)
    bare = text
    for name in sorted(exact, key=len, reverse=True):
        bare = bare.replace(name, " , ")
    return frozenset((*words(bare, language), *(fold(name) for name in exact), *_all_dates(text, language)))


@lru_cache(maxsize=4096)
def _all_words(text: str, language: str) -> tuple[str, ...]:
    return tuple(words(text, language))


def _all_dates(text: str, language: str) -> list[str]:
    return [term for term in _all_words(text, language) if term[:2] in ("d:", "m:", "t:")]


@lru_cache(maxsize=8192)
def _surfaces(text: str, language: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for word in _plain_word().findall(text):
        for term in words(word.lower(), language):
            if not term.startswith("s:"):
                found.setdefault(term, word.lower())
    return tuple(found.items())


def surfaces(text: str, language: str) -> dict[str, str]:
    """Each term of a text with a word that stands for it there."""
    return dict(_surfaces(text, language))


# Reading a description.


def _unframed(text: str) -> tuple[str, bool, bool]:
    """Without what it is wrapped in; whether that asks for everything; whether a statement follows ("that …")."""
    sweeping = stated = False
    text = text.strip()
    while found := _frame().match(text):
        if not found[0].strip() or found.end() >= len(text):
            break
        sweeping = sweeping or found["all"] is not None
        stated = found["that"] is not None
        text = text[found.end() :].strip()
    return text, sweeping, stated


def _swept(topic: str) -> tuple[str, bool]:
    found = _everything().match(topic)
    return (topic[found.end() :], True) if found and found.end() < len(topic) else (topic, False)


def _saying(topic: str, now: datetime, language: str) -> tuple[str, str | None, tuple[datetime, datetime] | None, bool]:
    """Who said it and when, taken out of "what Bob told me yesterday about …", "my notes from last week on …"."""
    found = _told().match(topic)
    if found is None:
        return topic, None, None, False
    speaker = found["who"] or found["whose"] or found["by"]
    low = fold(speaker) if speaker else None
    low = {"we": "i", "my": "i", "you": "assistant", "your": "assistant", "the assistant": "assistant"}.get(
        low or "", low
    )
    before, rest = found["between"] or "", found["rest"] or ""
    spans = find_dates(f"{found['day'] or ''} {found['early'] or ''} {before}", now, language)
    if not spans and (later := find_dates(rest, now, language)) and later[-1].end >= len(rest.rstrip(" .")) - 1:
        if later[-1].kind == "relative":
            spans, rest = later[-1:], rest[: later[-1].start]
    leftover = _only_time(before, spans)
    if leftover:
        return topic, None, None, False
    return rest, low, (spans[0].first, spans[0].last) if spans else None, True


def _only_time(before: str, spans: Sequence[object]) -> str:
    """What stands between the saying and its topic, apart from the time of it."""
    words_of_time = (
        r"\b(?:yesterday|today|tonight|earlier|just|now|back|this|last|past|in|on|at|the|a|an|few|couple|of|two"
    )
    words_of_time += r"|three|four|five|six|\d+(?:st|nd|rd|th)?|days?|weeks?|weekend|months?|years?|ago|morning|afternoon|evening|night|noon"
    words_of_time += (
        r"|\w+day|january|february|march|april|may|june|july|august|september|october|november|december|from|to"
    )
    words_of_time += r"|me|you|us|him|her|down|here|before|then|again|once|\d{4}-\d\d-\d\d)\b"
    return re.sub(words_of_time, "", before.lower()).strip(" ,.")


def _idiom(topic: str) -> str:
    """Turns of phrase that name a matter, by its name."""
    for pattern, name in _idioms():
        topic = pattern.sub(name, topic)
    return topic


@cache
def _idioms() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = {
        r"\bwhat (.+?) (?:does|do|do(?:es)? it) for (?:a|her|his|my|their) living\b": r"\1 job",
        r"\bdo(?:es)? for (?:a|her|his|my|their) living\b": "job",
        r"\b(?:date|day) of birth\b": "birthday",
        r"\bbirth ?date\b": "birthday",
        r"\bmother tongue|native language\b": "native-language",
        r"\bplace (?:where )?(?:i|she|he|they) calls? home\b": "home",
        r"\bplace of (?:residence|living)\b": "home",
        r"\bthe (?:place|city|town|country|village) (?:where|in which|that)\b": "where",
        r"\bthe (?:time|day|date|year|month) (?:when|that|on which|at which)\b": "when",
        r"\b(?:the|what) (?:exact )?time (?=the|my|i|we|our|it|[A-Z])": "when ",
        r"\bthe (?:person|man|woman|guy|one) (?:who|that|whom)\b": "who",
        r"\b(?:gets?|goes|go|travels?) to work\b": "commute",
        r"\bplace of work\b": "workplace",
        r"\bmarital status\b": "marriage",
        r"\bhome[ -]?town\b": "home",
        r"\be-?mail address(?:es)?\b": "email",
        r"\bfood (?=allerg|intoleran)": "",
        r"\b(?:home|postal|street|mailing) address\b": "address",
        r"\bbased in\b": "lives in",
    }
    return tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in found.items())


def _states(topic: str) -> bool:
    """Whether the description is itself a sentence."""
    if _asked().match(topic):
        return False
    tokens = topic.split()
    if len(tokens) < 2:
        return False
    low = [token.lower().strip(",.") for token in tokens]
    opens = tokens[0][:1].isupper() or low[0] in ("i", "we", "he", "she", "they", "it", "you")
    finite = [
        at
        for at, token in enumerate(low)
        if at and (token in _listed(_FINITE) or _third(token, tokens[at])) and tokens[at][:1].islower()
    ]
    bare = low[0] in _listed(_IMPERATIVE) and low[0] not in ("work", "home")
    if bare:
        return True
    if "'s" in tokens[0] or "’s" in tokens[0]:
        return any(low[at] in _listed(_FINITE) for at in finite)
    if low[0] in ("the", "my", "our", "his", "her", "their", "a", "an"):
        return any(low[at] in _listed(_FINITE) and at < len(low) - 1 for at in finite)
    return bool(opens and finite and finite[0] < len(low) - 1)


def _third(token: str, raw: str) -> bool:
    return (
        raw[:1].islower() and len(token) > 3 and token.isalpha() and token.endswith(("s", "ed")) and token[-2:] != "ss"
    )


def is_negative(text: str) -> bool:
    """Whether a sentence denies, an even number of denials apart."""
    return len(_denials().findall(fold(text))) % 2 == 1


def _names(topic: str, stated: bool, exact: Collection[str]) -> list[str]:
    """Capitalised names of one or more words; a plain word with a capital that merely opens the topic is none."""
    found = []
    rest = topic
    for one in exact:
        rest = rest.replace(one, " , ")
    for match in _capitalised().finditer(rest):
        name = re.sub(r"['’]s?$", "", match[0])
        at = topic.find(match[0])
        first, _, more = name.partition(" ")
        if first.lower() in _listed(_NO_NAMES) and more.replace(".", "").isdigit():
            continue
        if at == 0 and (first.lower() in _listed(_OPENERS) or (_is_plain(first) and not more and not stated)):
            name = more
        if name and name not in ("I", "I'm", "I've") and name.lower() not in _listed(_NO_NAMES):
            found.append(name)
    return found


def _is_plain(word: str) -> bool:
    """A word that has matters or rivals, or is a verb: with a capital only because it opens the sentence."""
    low = word.lower()
    stems = words(low)
    return low in _listed(_IMPERATIVE) or any(said_as(stem) or rivals(stem) for stem in stems) or not stems


@lru_cache(maxsize=2048)
def _exact(text: str) -> tuple[str, ...]:
    """What is written exactly and compared whole: identifiers, and words with digits or hyphens in them."""
    found = {one.text for one in identifiers(text) if one.kind != "number"}
    for match in _mixed().finditer(text):
        if not any(match[0] in one for one in found):
            found.add(match[0])
    dates = " ".join(one[0] for one in _written_date().finditer(text))
    return tuple(sorted(one for one in found if one not in dates))


def _whose(topic: str) -> str | None:
    found = _owned().search(topic)
    if found is None:
        return None
    owner: str = found["owner"]
    return "i" if owner.lower() in ("my", "our") else owner


def _is_plural(topic: str, language: str) -> bool:
    last = topic.split()[-1].lower() if topic.split() else ""
    owned = bool(_owned().match(topic))
    plural = len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "'s", "ness"))
    return owned and plural and not _states(topic)


def _only_digits(text: str) -> str:
    return ("+" if text.strip().startswith("+") else "") + re.sub(r"\D", "", text)


def _is_phone(text: str) -> bool:
    """Seven digits or more with signs between them, and no date."""
    signs = re.search(r"[\s()./+-]", text.strip()) is not None
    return len(re.sub(r"\D", "", text)) >= 7 and signs and not _written_date().search(text)


def _is_year(term: str, dates: Collection[str]) -> bool:
    return term.isdigit() and len(term) == 4 and any(f":{term}-" in date for date in dates)


@cache
def _stemmed(listed: str, language: str) -> frozenset[str]:
    return frozenset(term for word in listed.split() for term in words(word, language))


@cache
def _negations(language: str) -> frozenset[str]:
    return _stemmed("never longer not no without", language)


@cache
def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOFT = "new latest recent"
_FORGET = {
    "it": "dimentica dimenticati cancella",
    "es": "olvida borra olvidate",
    "fr": "oublie oubliez supprime efface",
    "de": "vergiss losche vergessen",
}
_KINDS = """project team company client customer repo repository service server product programme program app street
hotel restaurant theatre theater bank river island planet city lake mount mountain initiative task ticket branch"""
_VAGUE = """fact facts note notes memory memories thing things info information detail details entry entries record
records statement statements rule rules stuff bit part item preference preferences story remark remarks sentence message
messages mention mentions number numbers date opinion opinions question topic subject plan plans matter claim current
exactly actually anything everything say says said tell told whole previous personal data known"""
_LABELS = """ branch server host machine ticket issue file path folder address port version release flight room url link
website commit user account package library key variable table column invoice order page document code word string text
email mail phone telephone service instance module function class bug pull request pr tag"""
_LINKS = "'s in at on of and or with from near by for the a an , ' i s about between"
_HAPPENING = "take takes place happen happens occur occurs held scheduled exactly located"
_EMPTY = """everything anything something thing things stuff memory memories fact facts info information note notes all
entry entries record records statement statements data"""
_OPENERS = "the a an my our his her their this that these those what where when who how why all any every please and"
_NO_NAMES = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december i api url i'm"""
_FINITE = """is are was were am has have had does did do can could will would should must may might likes lives works
prefers owns hates loves wants needs uses plays speaks drives reports moved married never always isn't aren't doesn't
don't won't can't wasn't didn't says ist hat ha è est a lebt vive"""
_IMPERATIVE = """deploy never always use don't do push merge commit run test ship call avoid keep restart rotate write
send ask book buy take back check review delete stop start prefer"""


@cache
def _frame() -> re.Pattern[str]:
    verbs = (
        r"forget(?:ting)?|delete|remove|erase|drop|discard|scrap|wipe|clear|unlearn|get rid of|correct|fix|change|update"
        r"|revise|dimentica(?:ti)?|cancella|elimina|olvida|borra|oublie[rz]?|supprime|efface|vergiss|vergessen|lösche"
    )
    every = r"everything|anything|all|all of|every|each|any|alles|todo|tutto|tout(?: ce)?"
    about = (
        r"about|on|regarding|concerning|related to|relating to|to do with|of|mentioning|that mentions?|with|involving"
        r"|su|sul|sulla|sobre|sur|über|di|de|à propos de"
    )
    things = r"memor(?:y|ies)|notes?|facts?|entr(?:y|ies)|records?|mentions?|references?|statements?|information|info|things?"
    known = (
        r"(?:that )?(?:you|we|i)(?:'ve| have)? (?:know|knew|remember|have|stored|saved|got|learned|recorded|noted|told you"
        r"|said|wrote|mentioned|ever said|ever told you)"
    )
    about += "|(?<=references )to|(?<=reference )to|(?<=links )to"
    return re.compile(
        rf"(?:(?:please|kindly|bitte|per favore|por favor|hey|ok|now|could you|can you|i want you to|you should|you can)[ ,]+)"
        rf"|(?:(?:{verbs})\b(?:,? please)?(?: about)?[ ,:]*(?=\S))"
        rf"|(?P<all>(?:{every})\b(?: (?:the|my|your|our|dein|ce|lo))?(?: (?:{things}))?(?: (?:{known}|was weisst|che sai|que sabes|que tu sais))?"
        rf" (?:{about})\b\s*)"
        rf"|(?:(?:the |a |my |your |any )?(?:{things})(?: (?:{known}))? (?:{about})\b\s*)"
        rf"|(?P<that>(?:the (?:fact|note|memory|claim|statement|rule|bit|part|idea|thing|belief) (?:that|where|saying|which says)"
        rf"|that|che|que|dass|the (?:fact|note|memory|rule):)\b\s*(?=\S+ \S))",
        re.IGNORECASE,
    )


@cache
def _everything() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:everything|anything|all|whatever)(?: (?:that|there is))?(?: (?:is|was))?"
        r"|(?:what|whatever|all|everything|anything)(?: that)? (?:you|we|i)(?:'ve| have| ever)?"
        r"(?: (?:know|knew|have|got|remember|stored|saved|learned|recorded|noted))+(?: down)?)"
        r" (?:about|on|regarding|concerning|to do with|of)\s+",
        re.IGNORECASE,
    )


@cache
def _told() -> re.Pattern[str]:
    who = r"(?P<who>I|i|we|you|the assistant|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?|he|she)"
    said = (
        r"(?:said|told|mentioned|wrote|noted|claimed|suggested|recommended|asked|stated|reported|posted|saved|added"
        r"|remarked|complained|explained|shared|recorded|stored|thinks|thought|thinks)"
    )
    notes = (
        r"(?:messages?|remarks?|comments?|statements?|words|opinions?|advice|suggestions?|claims?|notes?|complaints?)"
    )
    about = r"(?: (?:about|on|regarding|concerning) (?P<rest>.+))"
    return re.compile(
        rf"(?:(?:[Ww]hat(?:ever)?|[Aa]ll|[Ee]verything|[Aa]nything|[Tt]he things?|[Tt]hings|[Ss]tuff)(?: that)? {who}(?:'ve| have)?"
        rf"(?P<early>(?: (?:just|ever|once|recently|yesterday|today|earlier|last \w+))*) {said}"
        rf"|(?P<whose>[A-ZÀ-Þ][\w-]+(?=['’]s)|[Mm]y|[Yy]our)(?:['’]s)? {notes}"
        rf"|(?P<day>[Yy]esterday|[Tt]oday|[Ll]ast \w+|[Mm]onday|[Tt]uesday|[Ww]ednesday|[Tt]hursday|[Ff]riday|[Ss]aturday|[Ss]unday)['’]s {notes}"
        rf"|(?:[Tt]he |[Aa]ll )?(?:the )?{notes} (?:by|from) (?P<by>[A-ZÀ-Þ][\w-]+)"
        rf"|(?:[Tt]he |[Aa]ll |[Mm]y )*{notes}(?= (?:from|of) (?:yesterday|today|last|this|\d|the \d)))"
        rf"(?P<between>(?: (?!(?:about|regarding|concerning)\b)[\w-]+){{0,8}}?)(?:{about}|$)"
    )


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r"[\"“«`]([^\"”»`\n]{1,300})[\"”»`]|(?<!\w)['‘]([^'’\n]{2,200})['’](?!\w)")


@cache
def _asked() -> re.Pattern[str]:
    return re.compile(
        r"(?:where|when|who|whom|whose|what|which|how|why|dove|quando|dónde|donde|où|wo|wann|wer)\b", re.I
    )


@cache
def _first_person() -> re.Pattern[str]:
    return re.compile(
        r"(?i:\b(?:my|me|mine|myself|our|we|us|i['’](?:m|ve|d|ll)|mio|mia|mi|ich|mein|meine|je|mon|ma|yo|io|"
        r"abito|vivo|lavoro|trabajo|wohne|arbeite)\b)|\bI\b|(?i:^i\b|\bi (?=live|work|like|have|am|was|drive|was|own|said|use))"
    )


@cache
def _owned() -> re.Pattern[str]:
    return re.compile(
        r"(?P<owner>\b(?i:my|our)\b|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2}(?=['’]s? ))(?:['’]s?)?\s+(?P<thing>[^\W\d_]+(?: [^\W\d_]+){0,2})"
    )


@cache
def _whole_name() -> re.Pattern[str]:
    word = r"[A-ZÀ-Þ][\w-]*"
    return re.compile(rf"(?P<name>{word}(?: {word}){{0,2}})(?:['’]s? .+)?")


@cache
def _symmetric() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:married|friends?|sibling|partner|colleagues?|cousins?|neighbou?rs?|and|together|met|dating)\b"
    )


@cache
def _from_below() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:reports? to|reported to|works? for|worked for|is led by|(?:is|was|were|are|been|being) \w+(?:ed|en|ught|ld) by)\b"
    )


@cache
def _denials() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|cannot|never|no|none|nobody|nothing|without|no longer|dislikes?|hates?|hated|disliked|non|nie|nicht"
        r"|kein|keine|keinen|jamais|nunca|mai|unable|refuses?|stopped|quit)\b|n['’]t\b|\b(?:ne|n['’])\s?\w+ pas\b"
    )


@cache
def _capitalised() -> re.Pattern[str]:
    word = r"[A-ZÀ-Þ][\w]*(?:['’][A-Z]\w+|[-&.][A-Z]?\w+)*"
    return re.compile(
        rf"\b{word}(?: (?:(?:de|di|van|von|da|der|del|della|of the|of) )?{word})*(?: \d+(?:\.\d+)*(?![\w:/-]))?"
    )


@cache
def _mixed() -> re.Pattern[str]:
    digit = r"(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])"
    ordinal = r"(?!\d+(?:st|nd|rd|th|am|pm|k|kg|km|cm|gb|mb|ms|h|min|er|m)\b)"
    branch = r"(?<![\w/.-])(?!and/or\b)[\w.-]+(?:/[\w.-]*\w)+"
    return re.compile(
        rf"{branch}|(?<![\w.-]){digit}{ordinal}\w+(?:[-.]\w+)*(?![\w-])|(?<![\w-])[a-z]+(?:-[a-z]+)+(?![\w-])"
    )


@cache
def _phone() -> re.Pattern[str]:
    return re.compile(r"(?<![\w.])\+?\(?\d[\d\s()./-]{5,22}\d(?!\w)")


@cache
def _written_date() -> re.Pattern[str]:
    return re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@cache
def _plain_word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
