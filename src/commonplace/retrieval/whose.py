"""Whose something is, and who does it to whom: the owner of a thing described, and of what a statement says."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from commonplace.retrieval.concepts import rivals, said_as, told_by
from commonplace.retrieval.description import Description
from commonplace.retrieval.grammar import subject_of
from commonplace.retrieval.statement import Statement, names_owner, speaks_as, terms_of
from commonplace.retrieval.wording import (
    LINKS,
    OPENERS,
    as_owner,
    first_person,
    listed,
    owned,
    plainly,
    stemmed,
)
from commonplace.text.identifiers import mentions
from commonplace.text.normal import fold
from commonplace.text.words import words


def is_anothers(wanted: Description, one: Statement) -> bool:
    """Whether what is described is here somebody else's, or done by somebody else."""
    if wanted.whose is not None:
        one = _reachable(one)
        if _anothers(wanted, one):
            return True
    if wanted.mine and (_of_another(wanted, one) or _of_the_speaker(wanted, one)):
        return True
    if wanted.sweeping:
        return False
    if wanted.role and one.subject.lower() in ("i", "we", "you"):  # somebody else is described
        return not wanted.role & terms_of(one, wanted.language)
    if _of_their_own(wanted, one) or _done_by_another(wanted, one) or _done_to_another(wanted, one):
        return True
    return wanted.mine and _of_a_thing(wanted, one)


def _anothers(wanted: Description, one: Statement) -> bool:
    """Whether the thing described belongs to somebody else here."""
    assert wanted.whose is not None
    whose = wanted.whose
    if whose == "i" and _has_another_owner(wanted, one):
        return True
    for found in owned().finditer(one.said):
        owner, thing = found["owner"], words(found["thing"], wanted.language)
        if not set(thing[:3]) & set(wanted.terms):
            continue
        if whose == "i":
            if owner.lower() not in ("my", "our", "i") and not names_owner(owner, one):
                return True
        elif owner.lower() in ("my", "our"):
            if not speaks_as(one, whose):
                return True
        elif not mentions(owner, whose) and not mentions(whose, owner):
            return True
    return False


def _has_another_owner(wanted: Description, one: Statement) -> bool:
    """Whether what should be the owner's is said to be somebody's who is no part of the description: "the school's"."""
    about = set(words(plainly(one.subject), wanted.language)) & set(wanted.terms)
    theirs = set(wanted.terms).union(*(told_by(term, wanted.language) for term in wanted.terms))
    said = plainly(one.said)
    if wanted.language == "de":
        said = re.sub(r"\b([A-ZÄÖÜ][a-zäöüß]+)s (?=[A-ZÄÖÜ])", r"\1's ", said)  # no apostrophe there
    for found in _possessed().finditer(said):
        if not set(words(found["thing"], wanted.language)[:3]) & set(wanted.terms):
            continue
        who = (found["who"] or found["whose"]).lower()
        if who in ("his", "her", "their", "your"):
            if not about or found.start() == 0:
                return True
        elif not set(words(who, wanted.language)) & theirs and not names_owner(who, one):
            return True
    return False


def _of_their_own(wanted: Description, one: Statement) -> bool:
    """Whether the one who is named is there only as somebody's relative: "Hugo's parents", where Hugo is meant."""
    if not wanted.names or not (wanted.text.startswith(wanted.names[0]) or len(wanted.names) == 1):
        return False
    asked = set(wanted.terms).union(*(said_as(term, wanted.language) for term in wanted.terms))
    name = re.escape(wanted.names[0])
    rest = one.said
    for found in re.finditer(rf"\b{name}['’]s? (?:[\w-]+ )?(?P<who>{_BEINGS})\b", one.said, re.IGNORECASE):
        if not set(words(found["who"].lower(), wanted.language)) & asked:
            rest = rest.replace(found[0], " ")
    return rest != one.said and not mentions(rest, wanted.names[0])


def _of_a_thing(wanted: Description, one: Statement) -> bool:
    """Whether what should be the owner's is a thing's: "The printer has the address …", "The parcel weighs …"."""
    has = re.match(r"(?i)(?:the|an?) [\w -]+$", one.subject)
    does = re.match(r"\s*(?:has|had|have|weighs?|weighed|measures?)\b", one.said.removeprefix(one.subject))
    asked = set(wanted.terms).union(*(said_as(term, wanted.language) for term in wanted.terms))
    about = set(words(one.subject, wanted.language)) & asked
    return has is not None and does is not None and not about and not first_person().search(one.said)


def _done_by_another(wanted: Description, one: Statement) -> bool:
    """Whether somebody else does what the owner is said to do: "we sell tents" beside "The shop sells tents"."""
    if not wanted.statement or not wanted.mine or not one.subject or first_person().search(one.said):
        return False
    subject, does, _ = subject_of(wanted.text)
    if not first_person().search(subject) or names_owner(one.subject, one):
        return False
    doer, verb = words(one.subject, wanted.language), words(does.split(" ", 1)[0], wanted.language)
    ours = {*wanted.terms, *stemmed(_OURS, wanted.language)}
    return not ours & set(doer) and any(
        term in words(one.said.removeprefix(one.subject), wanted.language) for term in verb if not term.startswith("s:")
    )


def _done_to_another(wanted: Description, one: Statement) -> bool:
    """Whether the one whose boss is meant is here somebody's boss: "I supervise two interns"."""
    if wanted.whose is None or wanted.statement:
        return False
    who = "I|[Ww]e" if wanted.whose == "i" else re.escape(wanted.whose)
    return any(
        re.match(rf"(?:{who})(?: (?:have|has|had|also|now|\w+ly))* (?:{verbs})", one.said) for verbs in _doings(wanted)
    )


def _done_to_owner(wanted: Description, one: Statement) -> bool:
    """Whether somebody does to the owner what makes them the one who is meant: "Mrs Lund teaches me Danish"."""
    return one.mine and any(re.search(rf"\b(?:{verbs})\w* (?:me|us)\b", one.said) for verbs in _doings(wanted))


def _doings(wanted: Description) -> list[str]:
    return [verbs for agents, verbs in _DOINGS.items() if stemmed(agents, wanted.language) & set(wanted.terms)]


def _reachable(one: Statement) -> Statement:
    """ "You can reach Ada at …" as what it says of Ada."""
    found = _reached().match(one.said)
    return one if found is None else replace(one, said=found["who"] + one.said[found.end() :], subject=found["who"])


def _of_another(wanted: Description, one: Statement) -> bool:
    """Whether a sentence that should be about the owner is about another person, as far as that can be told."""
    kin = None if re.search(r"\band I$", one.subject) else _kin().match(plainly(one.subject or one.said))
    rest = one.said.removeprefix(one.subject) if kin else one.said
    if any(
        found["owner"].lower() in ("my", "our")
        and set(words(found["thing"], wanted.language)) & set(wanted.terms)
        and not _kin_of_another(wanted, found[0])
        for found in owned().finditer(rest)
    ):
        return not one.mine
    asked = set(wanted.terms).union(*(said_as(term, wanted.language) for term in wanted.terms))
    if kin is not None:  # "how I get to work" speaks of no colleague
        people = {term for term in wanted.terms if _kin().match(f"my {wanted.surfaces.get(term, term)}")}
        meant = set(wanted.terms).union(*(told_by(term, wanted.language) for term in wanted.terms))
        meant = meant.union(*(said_as(term, wanted.language) for term in people))
        return not set(words(kin["who"], wanted.language)) & meant
    if (other := _somebody().match(one.subject)) and not first_person().search(one.said):
        return not set(words(other["who"].lower(), wanted.language)) & asked
    told = r"\b(?:is|are|was|were) (?:the [\w ]+|what|who|where|whom|one)(?: that)? (?:I|we)\b"
    if _done_to_owner(wanted, one) or (one.mine and re.search(told, one.said)):
        return False  # "Emma is the book I love most"
    name = _subject_name(one.subject or _before_colon(one))
    if name is not None and any(mentions(name, other) for other in wanted.names):
        return False
    if name is not None and not set(words(name, wanted.language)) & set(wanted.terms):
        return not names_owner(name, one) and not _given_to_owner(wanted, one)
    return bool(first_person().search(one.said)) and not one.mine


def _kin_of_another(wanted: Description, said: str) -> bool:
    """Whether it is a relative whose the thing is: "my son piano lessons", of "gives my son piano lessons"."""
    kin = _kin().match(said)
    return kin is not None and not set(words(kin["who"], wanted.language)) & set(wanted.terms)


def _given_to_owner(wanted: Description, one: Statement) -> bool:
    """Whether somebody gives the owner what is described: "Mrs Abbott gives me piano lessons"."""
    theirs = r"(?!(?:his|her|their|its|about|that|how|why|if|whether|when|where|what|to|not)\b)"
    said = r"(?<!told )(?<!tell )(?<!tells )(?<!showed )(?<!shows )(?<!show )(?<!asked )(?<!asks )(?<!let )(?<!lets )"
    given = re.search(rf"{said}\b(?:me|us) ((?:{theirs}[\w-]+ ?){{1,7}})", one.said)
    return one.mine and given is not None and bool(set(words(given[1], wanted.language)) & set(wanted.terms))


def _before_colon(one: Statement) -> str:
    """What a note is about that names it first: "Bob's routine: run at six"."""
    head, colon, _ = one.said.partition(": ")
    return head if colon else ""


def _of_the_speaker(wanted: Description, one: Statement) -> bool:
    """Whether a sentence is about its speaker alone, and the description about a relative: "my nephew turned 17"."""
    kin = re.match(rf"(?i:my|our) ({RELATIVES})\b", wanted.text)
    if kin is None or one.subject.lower() not in ("i", "we"):
        return False
    who = words(kin[1].lower(), wanted.language)
    return not set(who).union(*(said_as(term, wanted.language) for term in who)) & set(terms_of(one, wanted.language))


def _subject_name(subject: str) -> str | None:
    """The name that a subject is, or belongs to; None if it is a thing or a pronoun."""
    found = _whole_name().fullmatch(subject.strip())
    if found is None or found["name"].split()[0].lower() in _SPEAKERS:
        return None
    name: str = found["name"]
    plain = name == subject.strip() and " " not in name and any(said_as(term) or rivals(term) for term in words(name))
    return None if plain else name


def is_owners(one: Statement) -> bool:
    """Whether a sentence speaks of the owner in so many words."""
    if as_owner(one.said) != one.said:
        return True
    if first_person().search(one.said):
        return one.mine
    if re.fullmatch(rf"(?i:{RELATIVES}|grandpa|grandad|grandma|granny)", one.subject):
        return one.mine  # "Dad", and of "my mum and dad" the second
    name = _subject_name(one.subject)
    return name is not None and any(mentions(name, owner) for owner in one.owners)


def same_order(wanted: Description, one: Statement) -> bool:
    """Who does it to whom: two names with a verb between them stand in the same order, or both are turned round."""
    if len(wanted.names) != 2 or _symmetric().search(fold(wanted.text)):
        return True
    low = fold(wanted.text)
    between = low[low.find(fold(wanted.names[0])) + len(wanted.names[0]) : low.rfind(fold(wanted.names[1]))].split()
    if not between or all(word in listed(LINKS) for word in between):
        return True
    first, second = (fold(one.said).find(fold(name)) for name in wanted.names)
    if first < 0 or second < 0:
        return True
    return (first < second) != (_turned(wanted.text, wanted.names) != _turned(one.said, wanted.names))


def _turned(text: str, names: Sequence[str]) -> bool:
    """Whether the second name does it to the first: a passive, a verb that looks from below, a tool before its task."""
    either = "|".join(map(re.escape, map(fold, names)))
    used = rf"\bus(?:e|es|ed|ing) (?:(?:our|my|the) )?(?:{either}) (?:for|as|in|to)\b.*\b(?:{either})\b"
    return bool(_from_below().search(fold(text)) or re.search(used, fold(text)))


_SPEAKERS = listed(
    f"{OPENERS} i we you he she it they there ich wir du er sie je nous tu il elle yo nosotros io noi"
    " everything everybody everyone something somebody someone nothing nobody people"
)


RELATIVES = (
    "(?:grand|step|god)?(?:mother|father|mum|mom|dad|brother|sister|son|daughter)s?(?:-in-law)?|wife|husband"
    "|fianc[eé]e?|uncle|aunt|cousin|niece|nephew"
)


_BEINGS = rf"{RELATIVES}|parents?|kids?|child(?:ren)?|partner|boyfriend|girlfriend|friends?|boss|dogs?|cats?|horse"


_DOINGS = {
    "boss manager supervisor superior": "supervis|manag(?!er)|lead|led|head|overs",
    "employer": "employ|hire|hiring",
    "teacher tutor instructor": "teach|taught|tutor|instruct",
    "coach trainer": "coach|train",
    "landlord landlady": "rent(?:s|ed)? out|lets?\\b",
    "lawyer attorney": "represent|defend",
    "mentor": "mentor|guide",
    "doctor dentist therapist": "treat",
}
"""What somebody is to another, and how it is said that they do it."""


_OURS = "team company firm office project family household user everybody everyone all"
"""Whoever they are, we are among them."""


@cache
def _whole_name() -> re.Pattern[str]:
    word = r"[A-ZÀ-Þ][\w-]*"
    return re.compile(rf"(?P<name>{word}(?: {word}){{0,2}})(?:['’]s? .+)?")


@cache
def _possessed() -> re.Pattern[str]:
    """What belongs to somebody other than the speaker."""
    no = r"(?!(?:it|that|he|she|there|here|what|who|let|today|yesterday|tomorrow|year|month|week|day)['’]s\b)"
    whose = rf"{no}(?P<whose>(?:[^\W\d_]+ )?[^\W\d_]+)(?:['’]s|(?<=s)['’])"
    return re.compile(rf"\b(?:(?P<who>(?i:his|her|their|your))|{whose})\s+(?P<thing>(?:[\w-]+\s+){{0,2}}[\w-]+)")


@cache
def _reached() -> re.Pattern[str]:
    ways = "reach|contact|call|phone|ring|text|e-?mail|message|write to|get hold of"
    who = r"(?:my|our|the) [\w-]+|me|us|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2}"
    asked = "(?:[Yy]ou (?:can|may|could|should)|[Pp]lease)"
    return re.compile(rf"{asked} (?:{ways}) (?P<who>{who})(?= (?:by|at|on|under|via)\b.*(?:\d{{3}}|@))")


@cache
def _kin() -> re.Pattern[str]:
    """A person who is the owner's, and not the owner."""
    who = (
        rf"{RELATIVES}|partner|spouse|boyfriend|girlfriend|friends?|boss|manager|colleagues?|coworkers?"
        "|neighbou?rs?|teacher|doctor|dentist|landlord|tenant|flatmate|roommate|parents|kids|children"
        "|client|customer|assistant|coach|ex|dogs?|cats?|horse|puppy|kitten|rabbit|hamster|parrot"
    )
    others = (
        "hermanas?|hermanos?|madre|padre|hijos?|hijas?|sorell[ae]|fratell[oi]|figli[aoe]?|s(?:oe|œ)urs?|frères?|mère|père"
        "|fils|fille|schwester|bruder|mutter|vater|sohn|tochter|moglie|marito|mujer|marido|mari|femme|frau|mann"
    )
    ours = "my|our|mi|mis|mia|mio|ma|mon|mes|meine?|unsere?"
    return re.compile(rf"(?i:{ours}) (?:[\w-]+ )?(?P<who>{who}|{others})\b", re.IGNORECASE)


@cache
def _somebody() -> re.Pattern[str]:
    """A person who is not said to be the owner's."""
    who = (
        "m[ae]n|wom[ae]n|boy|girl|guy|lady|child|kid|people|couple|family|person|patient|tenant|customer|client|guest"
        "|visitor|student|pupil|teacher|nurse|doctor|colleague|neighbou?r|intern|manager|driver|landlord|owner|member"
    )
    return re.compile(rf"(?:the|an?|this|that|one) (?:[\w-]+ )?(?P<who>{who})s?\b", re.IGNORECASE)


@cache
def _symmetric() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:married|friends?|sibling|partner|colleagues?|cousins?|neighbou?rs?|and|together|met|dating)\b"
    )


@cache
def _from_below() -> re.Pattern[str]:
    passive = r"(?:is|was|were|are|been|being) \w+(?:ed|en|ught|ld) (?:by|at)"
    above = "['’]s (?:boss|manager|employer|supervisor) (?:is|was)"
    return re.compile(
        rf"\b(?:reports? to|reported to|works? (?:for|at)|worked (?:for|at)|is led by|{passive})\b|{above}\b"
    )
