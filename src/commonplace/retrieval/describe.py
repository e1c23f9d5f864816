"""Whether a statement is what a description means. Pure: values in, values out.

Names, numbers, dates and quoted words must be there, whole. Every other word of the description must be met: by itself,
by a word for the same matter, or by one near in meaning. Polarity, owner and the order of names decide the rest.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache

from commonplace.retrieval.concepts import rivals, said_as, synonyms, told_by
from commonplace.retrieval.description import Description, event_of, is_anchored
from commonplace.retrieval.grammar import ADVERBS, BASE, PREPOSITIONS, VERBS, subject_of
from commonplace.retrieval.statement import Statement, as_told, speaks_as, terms_of
from commonplace.retrieval.whose import RELATIVES, is_anothers, same_order
from commonplace.retrieval.wording import (
    LINKS,
    OPENERS,
    SOFT,
    all_words,
    also,
    coined,
    date_terms_of,
    is_negative,
    lacking,
    listed,
    only_digits,
    phone,
    plainly,
    stemmed,
    surfaces,
    whole_terms,
    without_denial,
)
from commonplace.text.identifiers import mentions
from commonplace.text.normal import fold, normal
from commonplace.text.words import words

Near = Callable[[str, str], float]
"""The cosine of two words; 0 where there is no embedder."""


STRONG, FAINT = 0.45, 0.3
"""Cosines of two words: surely the same matter; possibly. Words that have nothing in common stay below 0.15."""


class Level(IntEnum):
    """How a statement meets a description; a higher one leaves the lower ones out."""

    POSSIBLE = 0
    FAINT = 1
    NEAR = 2
    MATTER = 3
    WORDS = 4
    SUBJECT = 5
    EXACT = 6


@dataclass(frozen=True, slots=True)
class Fit:
    level: Level
    score: float
    """Share of the statement's own terms that the description speaks of; finer than the level."""


def fit(wanted: Description, one: Statement, near: Near) -> Fit | None:
    """Whether a statement is what is described, and how surely; None if it is not."""
    one = as_told(one)
    if not _anchored(wanted, one) or not _agrees(wanted, one):
        return None
    if wanted.text and normal(wanted.text) == normal(one.said):
        return Fit(Level.EXACT, 1.0)
    own = terms_of(one, wanted.language)
    asked = _asked_for(wanted)
    if wanted.whose is not None and not wanted.sweeping and _is_modifier(wanted, one):
        return None
    if not _has_value(wanted, one, own):
        return None
    level = _met(wanted, asked, one, own, near)
    if level is None:
        return None
    if not asked and not is_anchored(wanted) and wanted.speaker is None and wanted.span is None:
        return None
    if not _answers(wanted, one, own, level):
        return None
    if not wanted.sweeping and not wanted.statement and _is_modifier(wanted, one):
        return Fit(min(level, Level.NEAR), _share(wanted, own))
    share = _share(wanted, own)
    if level is Level.WORDS and share >= 0.999:
        level = Level.EXACT if wanted.statement or not wanted.sweeping else level
    elif level is Level.WORDS and not wanted.asks and _is_subject(wanted, one):
        level = Level.SUBJECT
    return Fit(level, share)


def _asked_for(wanted: Description) -> list[str]:
    """The terms that must be met. Where all are vague, those that are what is meant: "Ada's preferences"."""
    asked = [term for term in wanted.terms if term not in wanted.optional]
    if asked or not is_anchored(wanted):
        return asked or list(wanted.terms)
    matters = [term for term in wanted.terms if told_by(term, wanted.language) - synonyms(term, wanted.language)]
    return matters if wanted.whose is not None and not wanted.kind else []


def _answers(wanted: Description, one: Statement, own: Collection[str], level: Level) -> bool:
    """Whether a statement can be what is asked: a time, where it is asked when; the thing, not what belongs to it."""
    if wanted.asks == "when" and level <= Level.MATTER and not _is_timed(wanted, one, own):
        return False
    return not (wanted.statement and _is_modifier(wanted, one))


def possible(wanted: Description, one: Statement) -> Fit | None:
    """A fit of the lowest level where nothing speaks against a statement, though nothing may speak for it."""
    one = as_told(one)
    if wanted.sweeping or not wanted.terms or not _anchored(wanted, one) or not _agrees(wanted, one):
        return None
    stands = not _is_modifier(wanted, one) and _has_value(wanted, one, terms_of(one, wanted.language))
    return Fit(Level.POSSIBLE, 0.0) if stands else None


def _anchored(wanted: Description, one: Statement) -> bool:
    text = f"{one.key} {one.said}" if one.key else one.said
    return (
        all(any(names_it(text, way) for way in (name, *also(name))) or speaks_as(one, name) for name in wanted.names)
        and not (wanted.kind and wanted.known and any(_only_time_or_place(text, name) for name in wanted.names))
        and all(_mentions_any(text, anchor) for anchor in wanted.anchors)
        and all(mentions(text, number) or number in whole_terms(text, wanted.language) for number in wanted.numbers)
        and not _numbers_another(wanted, text)
        and all(_has_digits(text, digits) for digits in wanted.digits)
        and _dated(wanted, text)
    )


def _numbers_another(wanted: Description, text: str) -> bool:
    """Whether "order 4471" is here another thing of that number, or "port 80" no number of a port: "Invoice 4471"."""
    found = re.fullmatch(r"(?:.*\b(?:the|my|our|about) )?([a-z]+) (\d+)", fold(wanted.text))
    if found is None or wanted.sweeping or found[1] in ("number", "about", "is", "at", "of", "for", "in", "on"):
        return False
    stems = words(found[1], wanted.language)
    label = set(stems).union(*(said_as(stem, wanted.language) for stem in stems))
    own = whole_terms(text, wanted.language)
    if not label or label & own:
        return False
    before = re.findall(rf"([a-z]+)(?: no\.?| number)? #?{found[2]}\b", fold(text))
    return len(found[2]) < 3 or any(word not in listed(f"{LINKS} is no number to was are to") for word in before)


def names_it(text: str, name: str) -> bool:
    """Whether a name stands in a text and is not the beginning of a longer one; a kind before or after may change
    places (Project Apollo, the Apollo project)."""
    if " " not in name:
        return mentions(re.sub(rf"\b{_FORENAMES_OF_PLACES} {re.escape(name)}\b", " ", text), name)
    if mentions(text, name) and not re.search(rf"(?i:{re.escape(name)}) (?-i:[A-ZÀ-Þ][a-zà-ÿ]+)", text):
        return True
    first, _, rest = name.partition(" ")
    if first.lower() in listed(KINDS):
        return mentions(text, f"{rest} {first}") or _stands_alone(text, rest)
    rest, _, last = name.rpartition(" ")
    return last.lower() in listed(KINDS) and mentions(text, f"{last} {rest}")


def _stands_alone(text: str, name: str) -> bool:
    """Whether a name is said without its kind, where it can hardly be another's: "the owner of Atlas"."""
    other = rf"(?! (?:[A-ZÀ-Þ\d]|(?:{'|'.join(KINDS.split())})\b))"
    return re.search(rf"\b(?:of|for|on|about|with) {re.escape(name)}\b{other}", text) is not None


def _only_time_or_place(text: str, name: str) -> bool:
    """Whether what should be somebody's name stands for a month or a place alone: "in May", "near Paris"."""
    before = r"(?:in|by|since|until|early|late|mid|last|next|this|every|near|\d+(?:st|nd|rd|th)?)"
    return not mentions(re.sub(rf"(?i:\b{before}) {re.escape(name)}\b|\b{re.escape(name)} \d+", " ", text), name)


def may_mean(wanted: Description, text: str, speaker: str | None, owners: Collection[str]) -> bool:
    """A quick look at a whole text, before it is taken apart: whether what must be there can be there."""
    low = fold(text)
    known = [fold(name) for name in (speaker, *owners) if name]
    for name in wanted.names:
        lasts = [fold(way).split()[-1] for way in (name, *also(name))]
        if not any(last in one for last in lasts for one in (low, *known)):
            return False
    return all(fold(anchor)[:3] in low for anchor in wanted.anchors)


def _mentions_any(text: str, anchor: str) -> bool:
    if mentions(text, anchor):
        return anchor[0].isalnum() or re.search(rf"(?<![\w/\\]){re.escape(fold(anchor))}", fold(text)) is not None
    plain = re.fullmatch(r"[^\W\d_]+(?:-[^\W\d_]+)+", anchor)
    return bool(plain) and (
        any(mentions(text, anchor.replace("-", mark)) for mark in (" ", "")) or mentions(plainly(text), anchor)
    )


def _has_digits(text: str, digits: str) -> bool:
    for found in phone().finditer(text):
        other = only_digits(found[0])
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
    own = set(all_words(text, wanted.language))
    years = {term for term in own if term.startswith("m:") and len(term) == 9}
    for term in wanted.dates:
        exact_year = term[:2] in ("d:", "m:") and len(term.split(":")[1]) in (7, 10)
        if term not in own and not (exact_year and not years):
            return False
    return True


def _agrees(wanted: Description, one: Statement) -> bool:
    """Polarity, owner and the order of names."""
    if (wanted.statement or wanted.negative) and not wanted.sweeping and _denies(wanted, one):
        return False
    if wanted.clause and not wanted.negative and _denies_it(wanted, one):
        return False
    if is_anothers(wanted, one):
        return False
    if wanted.kind and _of_another_kind(wanted, one):
        return False
    return wanted.sweeping or same_order(wanted, one)


def _denies(wanted: Description, one: Statement) -> bool:
    """Whether one of the two says what the other denies; a word that says it without a denial counts as one."""
    if wanted.negative == is_negative(one.said):
        return False
    without = lacking(one.said, wanted.language) & set(wanted.terms)
    return not (without or lacking(wanted.text, wanted.language) & set(terms_of(one, wanted.language)))


def _denies_it(wanted: Description, one: Statement) -> bool:
    """Whether just what tells the thing is denied here: "I don't like celery" beside "the foods I like"."""
    denied = re.findall(
        r"(?:\b(?:not|never|no longer)|n['’]t) (?:(?:really|even|yet|to|be|an?|the) )?(\w+)", fold(one.said)
    )
    return any(set(words(word, wanted.language)) & set(wanted.terms) for word in denied)


def _of_another_kind(wanted: Description, one: Statement) -> bool:
    """Whether the name is here something else's: "Mercury is the planet …" beside "Mercury, the project"."""
    kinds = kinds_of(wanted)
    for name in map(re.escape, wanted.names):
        called = re.search(rf"\b(?i:my|our|his|her|their|the|\w+['’]s) ([a-zà-ÿ]{{3,}}) {name}\b", one.said)
        longer = re.search(rf"\b([A-ZÀ-Þ][a-zà-ÿ]+) {name}\b", one.said)
        if longer is not None and longer[1].lower() not in listed(OPENERS) and not set(words(longer[1])) & kinds:
            return True
        being = re.search(rf"\b{name} (?:is|was) (?:an?|the|my|our) ((?:[\w-]+ ?){{1,3}})", one.said)
        if being is not None and wanted.known and _shapes()["job"].search(being[0]):
            being = None  # what somebody works as says nothing of how the owner knows them
        kin = re.fullmatch(RELATIVES, wanted.kind)
        origin = re.search(rf"\b{name} from (?:the )?([a-zà-ÿ]{{3,}})\b", one.said) if kin else None
        for found in (called, being, origin):
            if found is not None and not set(words(found[1], wanted.language)) & kinds:
                return True
    return False


def kinds_of(wanted: Description) -> frozenset[str]:
    """The terms that speak of what a name is said to be: "my dog Rex", "Jaguar, the car"."""
    kinds = frozenset(words(plainly(wanted.kind), wanted.language))
    named = {term for name in wanted.names for term in words(name, wanted.language)}
    named |= set(wanted.terms) - kinds
    return kinds.union(*(said_as(term, wanted.language) for term in kinds)) - named


def _met(wanted: Description, asked: Sequence[str], one: Statement, own: Collection[str], near: Near) -> Level | None:
    level = Level.WORDS
    said = surfaces(plainly(one.said), wanted.language) if wanted.language == "en" else {}
    for term in asked:
        if term in own and not (term in said and _says_another(wanted.surfaces.get(term, ""), said[term], one, near)):
            continue
        if has_shape(wanted, term, one, own) or ails(wanted, term, one):
            level = min(level, Level.MATTER)
            continue
        if _told(wanted, term, one, own, near) and not rivals(term, wanted.language) & set(own):
            level = min(level, Level.MATTER)
            continue
        if said_as(term, wanted.language) & set(own) and not rivals(term, wanted.language) & set(own):
            level = min(level, Level.NEAR)
            continue
        best = _nearest(wanted, term, one, near, ())
        if best < FAINT and term in wanted.labels and len(set(asked) & set(own)) >= 2:
            level = min(level, Level.NEAR)
            continue
        if best < FAINT:
            return None
        level = min(level, Level.NEAR if best >= STRONG else Level.FAINT)
    return level


def _told(wanted: Description, term: str, one: Statement, own: Collection[str], near: Near) -> bool:
    """Whether another word tells of the matter; where all of it is asked for, one that is said of anything ("pay", of
    rent) needs a second that is near."""
    telling = told_by(term, wanted.language) & (set(own) - set(wanted.terms))
    telling |= synonyms(term, wanted.language) & set(own)
    if not wanted.sweeping or is_anchored(wanted) or telling - stemmed(_OF_ANYTHING, wanted.language):
        return bool(telling)
    return bool(telling) and _nearest(wanted, term, one, near, telling) >= FAINT


def ails(wanted: Description, term: str, one: Statement) -> bool:
    """Whether all about "my knee injury" is asked for, and a sentence speaks of my knee."""
    if not (wanted.sweeping and wanted.mine and term in stemmed(_AILMENTS, wanted.language)):
        return False
    known = rf"\b(?:my|our) (?:(?:left|right|upper|lower|front|bad|sore) )?({'|'.join(_BODY.split())})"
    part = re.search(rf"{known} {re.escape(wanted.surfaces.get(term, term))}$", fold(wanted.text))
    verbs = listed(f"{VERBS} {_AILING}") - listed(BASE)  # a watch is a thing
    ends = rf"(?= (?:{'|'.join(sorted(verbs | listed(f'{PREPOSITIONS} {ADVERBS}')))}|\w+ed)\b|[.,;:!?]|$)"
    return part is not None and any(found == part[1] for found in re.findall(f"{known}{ends}", fold(one.said)))


def _numbered(wanted: Description, term: str, one: Statement, own: Collection[str]) -> bool:
    """Whether a word only says what "line 17" is, and "Line 17" stands here without saying so: "bus line 17"."""
    found = re.search(r"(?:^|\b(?:the|my|our) )((?:[a-z-]+ )+)([a-z]+ \d+)$", fold(wanted.text))
    if found is None or term not in words(found[1], wanted.language) or rivals(term, wanted.language) & set(own):
        return False
    noun = words(found[2], wanted.language)[0] in wanted.terms and not re.search(r"ed \d", found[2])
    before = r"(?:^|\b(?:the|our|my|a|on|in|at|by|with|to|of|from|and|for|about|take|takes) )"
    return noun and re.search(rf"{before}{found[2]}(?![\w-]|[.,:]\d)", fold(one.said)) is not None


def has_shape(wanted: Description, term: str, one: Statement, own: Collection[str]) -> bool:
    """Whether the value alone shows what it is: an address with an @ is an email, "is a baker" a job."""
    pattern = _shapes().get(term)
    if wanted.negative and term in without_denial(wanted.text, own, wanted.language):
        return True
    return (pattern is not None and pattern.search(one.said) is not None) or _numbered(wanted, term, one, own)


@cache
def _shapes() -> dict[str, re.Pattern[str]]:
    kin = r"(?<!fath)(?<!moth)(?<!broth)(?<!sist)(?<!daught)"
    trades = "or|ist|ian|ect|yst|urse|hef|ilot|udge|ook|lerk|man|woman|surgeon|midwife|mechanic|paramedic|vet|coach"
    trades += "|accountant|consultant|assistant|attorney|secretary|waitress|actress|priest|intern|trainee|apprentice"
    trade = rf"\b(?:is|am|was|['’]m|['’]s|as) an? (?:[\w-]+ ){{0,3}}?\w*(?:{kin}er|{trades})\b"
    teens = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    aged = rf"(?:is|turned|turns|am|['’]m) (?:\d{{1,3}}|{teens}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?)"
    made = {
        "job profession occupation career employment title role": trade,
        "email mail": r"[\w.+-]+@[\w-]+\.\w",
        "phone telephone mobile cell": r"(?<![\w.])\+?\(?\d[\d\s()./-]{5,22}\d(?!\w)",
        "salary earn earns income wage pay": r"\b(?:makes?|made|gets?|paid|earns?)\b[^.]*\d",
        "age old": rf"\b\d{{1,3}} (?:years? old|yo)\b|\b{aged}(?=[.,;]|$| (?:in|on)\b)",
        "website homepage site url link": r"https?://|\bwww\.",
        "long duration length": r"\b(?:\d+|an|[a-z]+) (?:second|minute|hour|day|week|month|year)s?\b",
        "size": r"\b\d[\d.,]* ?(?:square|m²|cm|mm|mb|gb|inch|inches|hectares|acres)\b",
        "often frequency": r"\b(?:every|daily|weekly|monthly|yearly|twice|once|times (?:a|per))\b",
        "openinghours workinghours hours": r"\b(?:from|between) \d[\w:.]* ?(?:[ap]m )?(?:to|till|until|and|-) \d",
        "instrument": r"\bplay(?:s|ed|ing)? (?:the|an?|his|her|my) (?!games?\b|role|part\b|cards?\b|lottery|match)",
        "version": r"\b[A-Z]\w* v?\d+(?:\.\d+)*\b",
        "deadline": (
            r"\b(?:must|(?:ha(?:s|ve)|needs?) to|should|(?:is|are) to)\b[^.;]*\b(?:by|before|(?:no|not) later than)"
            rf" (?:the end of |next |this )?(?:\d+(?:st|nd|rd|th)?(?! ?[ap]m|:\d|\.\d\d| o)\b|\w+day\b|{_MONTH})"
        ),
    }
    return {term: re.compile(shape) for names, shape in made.items() for term in words(names)}


def value_of(wanted: Description) -> re.Pattern[str] | None:
    """What shows a value of the kind of which all are asked for: "all e-mail addresses"."""
    if not wanted.every:
        return None
    return next((value for name, value in _values() if name.match(wanted.text)), None)


@cache
def _values() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    week = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    date = rf"\d|\b(?:(?i:{week})s?|tomorrow|(?:{_MONTH}))\b"
    secret = r"(?i:passwords?|passcodes?|passphrases?|pins?|codes?|logins?|usernames?)"
    made = {
        "e-?mail(?: address)?(?:es|s)": r"[\w.+-]+@[\w-]+\.\w",
        "(?:phone|telephone|mobile|cell|fax|contact)(?: phone)? numbers": r"\d[\d\s()./-]{4,}\d",
        "ip(?: address)?(?:es|s)": r"\d\.\d+\.\d|[0-9a-f]*:[0-9a-f]*:",
        "(?:web ?sites|urls|links|web addresses)": r"https?://|\bwww\.|\w\.(?:com|org|net|io|\w\w)\b",
        "ports": r"(?i)\bports?\b(?: \w+){0,3}? \d|:\d{2,5}\b",
        "prices|costs|fees|fares|rents|salaries|wages|heights|weights|ages|versions|\\w* ?numbers": r"\d",
        "birthdays|anniversaries|deadlines|due dates|appointments": date,
        "(?:passwords|passcodes|passphrases|pins|pin codes|logins|usernames)": (
            rf"\b{secret}\b(?:[^.;]*?\b(?:is|are|was)\b(?! (?:not|too|kept|\w+(?:ed|en|ing))\b)| ?[:=]"
            r"| [^\s.]*[\d_!#$])"
        ),
    }
    before = r"(?:(?:my|our|the|[\w-]+['’]s?|[a-z-]+) ){0,2}?"
    return tuple((re.compile(f"(?i:{before}(?:{name}))\\b"), re.compile(value)) for name, value in made.items())


def _has_value(wanted: Description, one: Statement, own: Collection[str]) -> bool:
    """Whether a number or a date that the description asks for by that word is there, called so or not."""
    for word, shape in (("number", r"\d"), ("date", r"\d|\b(?:\w+day|today|tomorrow)\b")):
        term = words(word, wanted.language)[0]
        asked = term in wanted.terms and term not in own and not wanted.sweeping
        dated = word == "date" and date_terms_of(one.said, wanted.language)
        if asked and not re.search(shape, one.said) and not dated:
            return False
    if event_of(wanted.text, wanted.language) and not wanted.sweeping and _no_event().search(fold(one.said)):
        return False
    return not any(
        rivals(term, wanted.language) & set(own)
        for term in wanted.terms
        if term in stemmed(SOFT, wanted.language) or term in wanted.role
    )


@cache
def _no_event() -> re.Pattern[str]:
    """What has a date and is nothing to go to: a birthday, a deadline, what happened."""
    happened = r"(?!booked|scheduled|planned|arranged|fixed|confirmed|invited|postponed)[a-z]+ed"
    return re.compile(
        r"\b(?:birthday|born|birth|anniversary|name ?day|deadline|due|expir\w+|valid|until|since|by|before|after"
        rf"|invoice|bill|rent|holiday|was|were|did|had|went|got|came|bought|paid|left|met|{happened})\b"
    )


def prefers(wanted: Description, one: Statement) -> int:
    """How much of what need not be there is there all the same: an answer of the kind asked for, "new" or "current"."""
    own = terms_of(one, wanted.language)
    soft = sum(1 for term in wanted.terms if term in wanted.optional and term in own)
    if wanted.asks == "when" or wanted.text.lower().startswith("what time"):
        return soft + 2 * _is_timed(wanted, one, own)
    if wanted.asks == "where":
        return soft + 2 * bool(re.search(r"(?i)\b(?:in|at|on|near|to|from|a|à|en|bei|zu)\b", one.said))
    if wanted.asks in ("which", "what"):
        going = re.match(
            r"(?:(?:my|our|the) )?[\w-]+ \w+ (?:to|from|into|through|home|past)\b", one.said, re.IGNORECASE
        )
        return soft + 2 * (going is None or not set(wanted.terms).isdisjoint(own))
    if wanted.asks == "how":
        return soft + 2 * bool(re.search(r"\d", one.said) or set(own) & set(map(str, range(1, 100))))
    return soft


def held_before(text: str) -> bool:
    """Whether a sentence tells of a state in the past: "Until May I lived in Ghent"."""
    was = "was|were|had|lived|worked|rented|owned|drove|studied|attended|went|taught|played"
    return re.search(rf"\b(?:used to|formerly|previously|(?:{was})(?! born\b))\b", fold(text)) is not None


def _is_timed(wanted: Description, one: Statement, own: Collection[str]) -> bool:
    """Whether a sentence says when."""
    when = r"\d|\b(?:\w+days?|noon|midnight|morning|evening|night|daily|weekly|monthly|until|before|after|every)\b"
    timed = re.search(when, one.said) or date_terms_of(one.said, wanted.language)
    return bool(timed or set(own) & set(map(str, range(1, 32))))


def _nearest(wanted: Description, term: str, one: Statement, near: Near, besides: Collection[str]) -> float:
    """The cosine of the nearest word that is neither a name in the description nor a rival, ``besides`` some."""
    if rivals(term, wanted.language) & set(terms_of(one, wanted.language)) or term in wanted.optional:
        return 0.0
    named = {part for name in (*wanted.names, *wanted.anchors) for part in words(name, wanted.language)}
    met = {*wanted.terms, *named, *besides}
    surface = wanted.surfaces.get(term, term)
    others = [
        word
        for stem, word in surfaces(plainly(one.said), wanted.language).items()
        if stem not in met and not misleading(surface, word)
    ]
    return max((near(surface, other) for other in others), default=0.0)


def _says_another(asked: str, word: str, one: Statement, near: Near) -> bool:
    """Whether a word with the same stem is another, or a thing where the description says what is done: "contacted" and
    "my contact lenses"."""
    done = asked.endswith(("ed", "ing")) and word != asked and asked.startswith(word)
    return bool(asked) and (
        another_word(asked, word, near)
        or (
            done
            and re.search(rf"(?i)\b(?:my|our|the|his|her|their|an?) {re.escape(word)} [a-z]+s\b", one.said) is not None
        )
    )


def another_word(a: str, b: str, near: Near) -> bool:
    """Whether two words only share a stem: lathe and laths, universe and university."""
    if a == b or _bases(a) & _bases(b):
        return False
    derived = any(word.endswith(_DERIVED) for word in (a, b))
    return not derived or 0.0 != near(a, b) < FAINT


@lru_cache(maxsize=8192)
def _bases(word: str) -> frozenset[str]:
    """What a word may be an inflected form of."""
    word = re.sub(r"['’]s?$", "", word)
    found = {word}
    for ending, instead in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            base = word[: -len(ending)] + instead
            found |= {base, base + "e"} if ending == "ing" else {base}
            if len(base) > 3 and base[-1] == base[-2]:
                found.add(base[:-1])
    return frozenset(found)


def misleading(a: str, b: str) -> bool:
    """Whether two words look near only because one is built from the other: girl and girlfriend, paid and unpaid."""
    if a in coined() or b in coined():
        return True
    shorter, longer = sorted((a, b), key=len)
    if longer.startswith(shorter) or shorter.startswith(longer[: max(len(shorter), 4)]):
        return len(longer) - len(shorter) >= 3
    return any(longer == prefix + shorter for prefix in ("un", "in", "im", "dis", "non", "non-", "anti", "re"))


def _is_modifier(wanted: Description, one: Statement) -> bool:
    """Whether what somebody is said to have only tells which of something else: a flat tyre is no flat."""
    head = _head(wanted)
    if not head or wanted.kind:
        return False
    predicate = one.said.removeprefix(one.subject)
    done = wanted.statement and subject_of(wanted.text)[1] == head  # a verb, and what follows a verb is its object
    before = r"\b(?:the|an?|my|our|his|her|their|this|that) " if done else r"\b"
    after = re.compile(rf"{before}{'-?'.join(map(re.escape, fold(head)))}\s+([a-z]+)(?![\w@./-])")
    about = one.subject if wanted.asks or wanted.statement else ""
    found = [word for text in (predicate, about) for word in after.findall(fold(text))]
    return bool(found) and all(_is_noun(word, wanted) for word in found)


def _head(wanted: Description) -> str:
    """The one word that the description is about, if it has but one: "car" of "which car I have"."""
    asked = [term for term in wanted.terms if term not in wanted.optional]
    verb = r"(?i)\b(?:i|we|you|he|she|they|am|is|are|was|were|do|does|did|\w+['’](?:m|re|t)) \w+$"
    for word in reversed((re.sub(verb, "", wanted.text) if wanted.asks else wanted.text).split()):
        stems = [stem for stem in words(word.lower(), wanted.language) if not stem.startswith("s:")]
        if stems and stems[-1] not in wanted.optional:
            return word if asked == stems[-1:] else ""
    return ""


def _is_noun(word: str, wanted: Description) -> bool:
    """As far as can be told: no word of structure, no form of a verb, nothing vague."""
    stems = words(word, wanted.language)
    plain = bool(stems) and not stems[0].startswith("s:") and stems[0] not in wanted.optional
    return plain and not word.endswith(("ed", "ing", "ly")) and word not in listed(LINKS)


def _is_subject(wanted: Description, one: Statement) -> bool:
    """The description is what the sentence is about: "Ada's birthday" of "Ada's birthday is in May"."""
    subject = {term for term in words(one.subject, wanted.language) if not term.startswith("s:")}
    asked = {term for term in words(wanted.text, wanted.language) if not term.startswith("s:")}
    return bool(subject) and subject == asked


def _share(wanted: Description, own: Collection[str]) -> float:
    asked = set(words(wanted.text, wanted.language))
    telling = {term for term in own if not term.startswith("s:")}
    return len(telling & asked) / len(telling) if telling else 0.0


_MONTH = "(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Sept|Nov|Dec)ember|October"
_AILMENTS = "injury surgery operation pain ache infection fracture replacement problem trouble inflammation sprain"
_BODY = """knee shoulder back neck hip ankle wrist elbow foot toe leg arm hand finger thumb tooth ear eye nose jaw heart
stomach kidney lung liver skin head rib thigh calf heel throat hernia"""
_AILING = "hurt hurts aches itches heals swells bleeds feels looks needs and but when while after since again until"


_DERIVED = tuple(
    "ion ions ment ments er ers or ors al als ally ity ities ly ness ive able ible y ies ist ists ian ians ous ful ance"
    " ances ence ences ant ants ent ents ic ics ical ing ings ed age ship dom"
    " ise ize ised ized ising izing ises izes".split()
)


_OF_ANYTHING = """pay paid spend get allow run play drive live move meet come take lead eat learn call start go make fly
give work read write travel sell buy keep head"""


_FORENAMES_OF_PLACES = "(?:New|San|Santa|Saint|St|Los|Las|El|North|South|East|West|Port|Fort|Lake|Mount|Great|Upper)"

KINDS = """project team company client customer repo repository service server product programme program app street
hotel restaurant theatre theater bank river island planet city lake mount mountain initiative task ticket branch"""
