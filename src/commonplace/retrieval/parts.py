"""A text taken apart into what it says, so that one part can be taken out and the rest still reads.

Sentences hold clauses, clauses share a subject among predicates, predicates end in lists: "Ada lives in Oslo, works at
Acme and likes tea and coffee." Each leaf is a `Part`; `Text.without` writes the text again without some of them.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from commonplace.retrieval.grammar import (
    ADVERBS,
    BASE,
    CONDITIONS,
    MEN,
    PEOPLE,
    PLURALS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    WOMEN,
    Shape,
    colon_at,
    doer_in,
    goes_on,
    lead_of,
    masked,
    shape_of,
    subject_of,
    verb_at,
)
from commonplace.retrieval.wording import listed
from commonplace.text.sentences import Span, sentences

Place = tuple[int, int, int, int]
"""Sentence, clause, predicate, item."""
Keep = Callable[[Place], bool]

LONGEST = 20_000
"""A longer text is one part: nobody cuts words out of a book."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a text says."""

    place: Place
    said: str
    """As a sentence of its own, with the subject it shares."""
    words: str
    """What stands in the text for it alone."""
    subject: str
    """Whom the clause is about, a pronoun resolved where the text allows."""


@dataclass(frozen=True, slots=True)
class Predicate:
    joint: str
    lead: str
    items: tuple[str, ...]
    joints: tuple[str, ...]
    """Before each item; the first is empty."""
    tail: str = ""
    """What follows the list and holds for all of it: "on Saturdays"."""


@dataclass(frozen=True, slots=True)
class Clause:
    joint: str
    subject: str
    about: str
    contracted: bool
    """The verb hangs on the subject (I'm, she's), and the first predicate's lead begins with both."""
    predicates: tuple[Predicate, ...]
    doers: tuple[str, ...] = ()
    """Of a subject that is a list, its members."""


@dataclass(frozen=True, slots=True)
class Sentence:
    start: int
    end: int
    stop: str
    clauses: tuple[Clause, ...]
    aside: str = ""
    """What a non-restrictive "who …" says: the last clause of its sentence."""
    spare: str = ""
    """The sentence with its aside, as it stood."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    sentences: tuple[Sentence, ...]

    @property
    def parts(self) -> list[Part]:
        return [part for number, one in enumerate(self.sentences) for part in _parts(number, one)]

    def without(self, places: Collection[Place]) -> str:
        """The text without these parts; empty if nothing is left."""
        gone = set(places)
        kept, at, dropped = "", 0, ""
        for number, one in enumerate(self.sentences):
            between = self.text[at : one.start]
            at = one.end
            touched = any(place[0] == number for place in gone)
            said = _written(number, one, gone) if touched else self.text[one.start : one.end]
            if not said:
                dropped = dropped or _about(one)
                continue
            if dropped and dropped not in kept:
                said = _named(said, dropped)
            dropped = ""
            kept += (between if kept else between.lstrip()) + said
        return kept.strip()


def take_apart(text: str) -> Text:
    """The parts of a text. Never fails: what it does not understand stays whole."""
    if len(text) > LONGEST:
        whole = Clause("", "", "", False, (Predicate("", text.strip(), ("",), ("",)),))
        return Text(text, (Sentence(0, len(text), "", (whole,)),))
    found: list[Sentence] = []
    about = ""
    for span in sentences(text):
        one = _sentence(text, span, about)
        found.append(one)
        about = _about(one) or about
    return Text(text, tuple(found))


def _sentence(text: str, span: Span, about: str) -> Sentence:
    body = span.text.rstrip()
    bare = body.rstrip(".!?…;, ")
    stop = body[len(bare) :]
    aside = _aside().search(masked(bare))
    if aside and bare[: aside.start()].strip():
        spare = bare[: aside.start()] + bare[aside.end() :]
        head = _clauses(spare, about)
        who = bare[: aside.start()].strip()
        said = Clause(
            "", who, who, False, (Predicate("", bare[aside.start("what") : aside.end("what")], ("",), ("",)),)
        )
        return Sentence(span.start, span.start + len(body), stop, (*head, said), aside.group(), bare)
    return Sentence(span.start, span.start + len(body), stop, _clauses(bare, about))


def _clauses(bare: str, about: str) -> tuple[Clause, ...]:
    """Split at commas and conjunctions, then see what each piece is."""
    raw = _pieces(bare)
    listed = _doers(raw)
    if listed:
        return (listed,)
    pieces = _settled(_together(_agreeing(_apposed(raw))))
    clauses: list[Clause] = []
    at = 0
    while at < len(pieces):
        stop = at + 1
        while stop < len(pieces) and pieces[stop][2] != "clause":
            stop += 1
        known = clauses[0].about if clauses else about
        clauses.append(_clause(pieces[at:stop], known))
        at = stop
    return tuple(clauses)


def _apposed(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """ "Sofia, the city, is in Bulgaria": who it is, between two commas, belongs to the subject."""
    if len(raw) < 3 or any(joint.strip() != "," for joint, _, _ in raw[1:3]) or raw[2][2] != "predicate":
        return raw
    who, what, does = (words for _, words, _ in raw[:3])
    known = who[:1].isupper() and verb_at(who.split()) is None and verb_at(what.split()) is None
    if not known or not re.match(r"(?i:the|an?|my|our|his|her|their|your)\b|[A-ZÀ-Þ][\w-]*['’]s ", what):
        return raw
    return [("", f"{who}, {what}, {does}", "clause"), *raw[3:]]


def _agreeing(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """A word that only looks like a verb ("olives on Saturdays") is none in a list, nor after "I" and "we"; one that
    stands as the verb before it ("deploy with A and monitor with B", "lives here and mends clocks") is one."""
    subject, rest, _ = subject_of(raw[0][1])
    bare = subject.split(" ")[-1].lower() in ("i", "we", "you", "they")
    agreed = raw[:1]
    for joint, words, shape in raw[1:]:
        if shape == "predicate" and _seems_verb(words) and (agreed[-1][2] == "item" or bare):
            shape = "item"
        elif shape == "predicate" and _has_been().match(rest) and words.split()[0] in listed(BASE):
            shape = "item"  # "haven't eaten meat or fish": what has been done goes on with another form
        elif shape == "item" and (_in_step(rest, words) if bare else _acts(rest, words) and agreed[-1][2] != "item"):
            shape = "predicate"
        agreed.append((joint, words, shape))
    return agreed


def _in_step(first: str, words: str) -> bool:
    """Whether a word and a preposition go on as a verb and the same preposition began."""
    lead, goes = first.split(), words.split()
    return (
        len(lead) > 2 and len(goes) > 2 and lead[1] == goes[1] and goes[1] in listed(PREPOSITIONS) and goes[0].islower()
    )


def _acts(first: str, words: str) -> bool:
    """Whether words go on as somebody's doing, which ends in -s as the verb before them does: "mends clocks"."""
    does, goes = first.split(), words.split()
    if not does or len(goes) < 2 or not does[0].endswith("s"):
        return False
    act, what = goes[0], goes[1].strip("\"'“”(),.:").lower()
    noun = act in listed(PLURALS) or what in listed(PREPOSITIONS) or what in listed(_OF_A_NOUN)
    return re.fullmatch(r"[a-z]{2,}(?<!s)(?<!u)(?<!ic)(?<!ou)s", act) is not None and not noun


_OF_A_NOUN = "that which who whose and or but named called made bought taken given when where while"


def _seems_verb(words: str) -> bool:
    first = words.split()[0].strip("\"'“”(),.:").lower()
    return first.endswith("s") and first not in listed(VERBS) | listed(ADVERBS)


def _together(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """ "Bob and Carla live in Rome and have two kids": those who do it are one subject."""
    if len(raw) < 3 or verb_at(raw[0][1].split()) is not None or raw[1][2] != "clause" or not raw[1][0].strip(" ,"):
        return raw
    return [("", "".join((raw[0][1], raw[1][0], raw[1][1])), "clause"), *raw[2:]]


def _pieces(bare: str) -> list[tuple[str, str, Shape]]:
    """(joint, words, shape) of each stretch between joints; what is no part by itself stays with the one before."""
    bound = masked(bare)
    if bound.split(" ", 1)[0].lower() in listed(CONDITIONS):
        return [("", bare, "clause")]
    cuts = [(0, 0)] + [(found.start(), found.end()) for found in _joint().finditer(bound)]
    raw: list[tuple[str, str, Shape]] = []
    for number, (start, end) in enumerate(cuts):
        until = cuts[number + 1][0] if number + 1 < len(cuts) else len(bare)
        words, joint = bare[end:until], bare[start:end]
        shape = "clause" if number == 0 else shape_of(bound[end:until])
        if number and joint.strip() == "," and _attributed().match(words):
            shape = "more"
        raw.append((joint, words, shape))
    if colon_at(raw[0][1]) >= 0:  # what follows a colon is a list, whatever its members look like
        raw[1:] = [(joint, words, "item" if shape == "predicate" else shape) for joint, words, shape in raw[1:]]
    return raw


def _settled(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """Items count only in a run that ends with a conjunction: "Oslo, Norway" is one place."""
    settled: list[tuple[str, str, Shape]] = []
    at = 0
    while at < len(raw):
        run = at
        while run < len(raw) and raw[run][2] == "item":
            run += 1
        if run > at:
            listed = raw[run - 1][0].strip(" ,") != "" or colon_at(raw[0][1]) >= 0
            for joint, words, _ in raw[at:run]:
                if listed:
                    settled.append((joint, words, "item"))
                else:
                    settled[-1] = (settled[-1][0], settled[-1][1] + joint + words, settled[-1][2])
            at = run
            continue
        joint, words, shape = raw[at]
        if shape == "more":
            settled[-1] = (settled[-1][0], settled[-1][1] + joint + words, settled[-1][2])
        else:
            settled.append(raw[at])
        at += 1
    return settled


def _clause(pieces: Sequence[tuple[str, str, Shape]], about: str) -> Clause:
    joint, head, _ = pieces[0]
    subject, rest, contracted = ("", head, False) if colon_at(head) >= 0 else subject_of(head)
    groups: list[list[tuple[str, str]]] = [[("", head if contracted else rest)]]
    for before, words, shape in pieces[1:]:
        if shape == "predicate" and not goes_on(subject, groups[0][0][1], words):
            groups.append([(before, words)])
        else:
            groups[-1].append((before, words))
    resolved = _resolved(subject, about)
    return Clause(joint, subject, resolved, contracted, tuple(_predicate(group) for group in groups))


def _predicate(group: Sequence[tuple[str, str]]) -> Predicate:
    joint, first = group[0]
    group = _nested(group)
    if len(group) == 1:
        return Predicate(joint, first, ("",), ("",))
    rest = [words for _, words in group[1:]]
    lead, item = lead_of(first, rest)
    items, tail = _tailed(lead, [item, *rest])
    return Predicate(joint, lead, items, ("", *(one for one, _ in group[1:])), tail)


def _nested(group: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """ "dizzy and sick on ladders and balconies": what follows the last preposition is one list, in the other."""
    if len(group) != 3 or any(joint.strip() not in ("and", "or") for joint, _ in group[1:]):
        return group
    within = [any(f" {word} " in f" {words} " for word in listed(PREPOSITIONS)) for _, words in group]
    if within != [False, True, False]:
        return group
    (_, inner), (joint, last) = group[1:]
    return [group[0], (group[1][0], f"{inner}{joint}{last}")]


def _tailed(lead: str, items: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The members of a list, and what holds for all: "bread and olives on Saturdays", "Ann and Bo to the fair"."""
    found = _when_after().search(items[-1]) or _list_after().search(items[-1])
    if found is None and all(map(_name_alone().fullmatch, items[:-1])):
        found = _for_all_named().search(items[-1])
    if found is None or any(_when_after().search(f"{lead} {one}") for one in items[:-1]):
        return tuple(items), ""
    return (*items[:-1], items[-1][: found.start()]), found[0].strip()


def _doers(pieces: Sequence[tuple[str, str, Shape]]) -> Clause | None:
    """ "Ada, Bob and Carla are coming": a list of those who do it."""
    if len(pieces) < 2 or verb_at(pieces[0][1].split()) is not None:
        return None
    names = [pieces[0][1]]
    for number, (joint, words, _) in enumerate(pieces[1:], 1):
        subject, rest, contracted = subject_of(words)
        if rest and subject and not contracted and joint.strip(" ,") in ("and", "e", "y", "et", "und", "&"):
            if number != len(pieces) - 1:
                return None
            predicate = Predicate("", rest, ("",), ("",))
            joints = joint.strip(" ,")
            who = f"{', '.join(names)} {joints} {subject}"
            return Clause("", who, who, False, (predicate,), () if _joint_act(rest) else (*names, subject))
        if len(words.split()) > 3:
            return None
        names.append(words)
    return None


def _joint_act(does: str) -> bool:
    """Whether only several can do it: "are selling our house" says nothing of one of them."""
    both = "our|together|each other|one another|married|divorced|engaged|separated|twins|siblings|friends|neighbou?rs"
    return re.search(rf"\b(?:{both})\b", does) is not None


# Writing it again.


def _parts(number: int, one: Sentence) -> list[Part]:
    parts = []
    for c, clause in enumerate(one.clauses):
        for d, doer in enumerate(clause.doers):
            said = f"{doer} {_lone(clause.predicates[0].lead)}"
            parts.append(Part((number, c, 0, d), said, doer, doer))
        if clause.doers:
            continue
        for p, predicate in enumerate(clause.predicates):
            for i, item in enumerate(predicate.items):
                spoken = f"{predicate.lead} {item} {predicate.tail}".strip()
                words = item or predicate.lead
                whole = clause.contracted and p == 0
                subject = clause.about or clause.subject
                said = spoken if whole else f"{subject} {spoken}".strip()
                if len(clause.predicates) == 1 and not item and not whole:
                    words = f"{clause.subject} {spoken}".strip()
                parts.append(Part((number, c, p, i), said, words, doer_in(subject)))
    return parts


def _written(number: int, one: Sentence, gone: set[Place]) -> str:
    """The sentence without what is gone; empty if all of it is."""
    kept: list[tuple[str, str]] = []
    lost = ""
    for c, clause in enumerate(one.clauses):
        if one.aside and c == len(one.clauses) - 1:
            return _with_aside(number, one, c, kept, gone)
        said = _clause_written(clause, lambda p, i, c=c: (number, c, p, i) not in gone)  # type: ignore[misc]
        if not said:
            lost = lost or clause.about or clause.subject
            continue
        if lost and not kept:
            said = _named(said, lost)
        kept.append((clause.joint, said))
    return _finished(_joined(kept, [clause.joint for clause in one.clauses]), one.stop)


def _with_aside(number: int, one: Sentence, c: int, kept: list[tuple[str, str]], gone: set[Place]) -> str:
    clause = one.clauses[c]
    stays = (number, c, 0, 0) not in gone
    main = _joined(kept, [clause.joint for clause in one.clauses[:-1]])
    if not stays:
        return _finished(main, one.stop)
    return _finished(f"{clause.subject} {clause.predicates[0].lead}", one.stop) if not main else one.spare + one.stop


def _clause_written(clause: Clause, stays: Callable[[int, int], bool]) -> str:
    if clause.doers:
        names = [name for d, name in enumerate(clause.doers) if stays(0, d)]
        if len(names) == len(clause.doers):
            return f"{clause.subject} {clause.predicates[0].lead}"
        lead = clause.predicates[0].lead
        last = f" {clause.subject.rsplit(' ', len(clause.doers[-1].split()) + 1)[1]} "
        who = _joined([(", " if d else "", name) for d, name in enumerate(names)], ["", last])
        return f"{who} {_lone(lead) if len(names) == 1 else lead}" if names else ""
    kept: list[tuple[str, str]] = []
    first = False
    for p, predicate in enumerate(clause.predicates):
        items = [(predicate.joints[i], item) for i, item in enumerate(predicate.items) if stays(p, i)]
        if items:
            first = first or p == 0
            said = f"{predicate.lead} {_joined(items, predicate.joints)} {predicate.tail}".strip()
            kept.append((predicate.joint, said))
    if not kept:
        return ""
    said = _joined(kept, [predicate.joint for predicate in clause.predicates])
    return said if first and clause.contracted else f"{clause.subject} {said}".strip()


def _joined(kept: Sequence[tuple[str, str]], joints: Sequence[str]) -> str:
    """What stays, with a conjunction before the last where the list had one."""
    final = joints[-1] if joints and joints[-1].strip(" ,") else ""
    said = ""
    for number, (joint, words) in enumerate(kept):
        if number == 0:
            said = words
            continue
        last = number == len(kept) - 1
        if last and final and not joint.strip(" ,;"):
            joint = final
        if len(kept) == 2 and len(joints) > 2 and joint.startswith(",") and joint.strip(" ,"):
            joint = joint.lstrip(",")
        said += joint + words
    return said


def _finished(said: str, stop: str) -> str:
    said = said.strip()
    return said[:1].upper() + said[1:] + stop if said else ""


def _named(said: str, about: str) -> str:
    """A sentence that opens with a pronoun, with the name that went before it put back."""
    if not about or about.split()[0].lower() in PRONOUNS | POSSESSIVES:
        return said
    first, _, rest = said.partition(" ")
    low = first.lower()
    if low in ("he", "she", "it", "they"):
        who = _possessor(about, low) if low in ("he", "she") else about
        return f"{who} {_lone(rest) if low == 'they' else rest}"
    if low in ("his", "her", "their", "its"):
        return f"{_possessor(about, low)}'s {rest}"
    return said


def _possessor(about: str, pronoun: str) -> str:
    """Whom a pronoun means after "Bob's wife" (his: Bob) or "Ada's phone" (her: Ada)."""
    whose, _, thing = about.partition("'s ")
    kin = thing.lower()
    if not thing or kin in listed(WOMEN if pronoun in ("she", "her") else MEN) | listed(PEOPLE):
        return about
    return whose


def _about(one: Sentence) -> str:
    """Whom the next sentence's "she" means: the subject, or whom the speaker speaks of."""
    about = one.clauses[0].about if one.clauses else ""
    if about.lower() in ("i", "we", "you") and one.clauses[0].predicates:
        first = one.clauses[0].predicates[0]
        found = _person().search(f"{first.lead} {first.items[0]}")
        return found["name"] if found else about
    return about


def _resolved(subject: str, about: str) -> str:
    return _named(subject + " ", about).strip() if about else subject


def _lone(rest: str) -> str:
    """A verb that several did, for one who does."""
    verb, _, more = rest.partition(" ")
    one = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}.get(verb.lower())
    if one is None:
        known = verb.lower() in listed(VERBS) and not verb.endswith(("s", "ed")) and verb.lower() in listed(BASE)
        one = f"{verb}s" if known else verb
    return f"{one} {more}".strip()


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(r",\s+(?:who|which)\s+(?P<what>[^,;]{3,200})(?:,|$)")


@cache
def _has_been() -> re.Pattern[str]:
    return re.compile(r"(?:ha(?:ve|s|d)(?:n['’]t)?) (?:\w+ )?\w+(?:ed|en|ght)\b")


@cache
def _attributed() -> re.Pattern[str]:
    """ "…, the team decided": who says what goes before."""
    said = (
        "said|says|decided|agreed|told|thinks|believes|claims|claimed|explained|announced|wrote|promised|insists|warned"
    )
    return re.compile(rf"(?:(?i:the|my|our|his|her) [\w-]+|[A-ZÀ-Þ][\w-]*|I|we|he|she|they) (?:{said})\b(?! that\b)")


@cache
def _joint() -> re.Pattern[str]:
    words = "and|but|or|plus|as well as|&|(?-i:e|ed|y|o|et|ou|und|oder|ma|però|pero|mais|aber)"
    other = r"(?:while|whereas)\s+(?=(?-i:[A-ZÀ-Þ])\w+ )"  # of somebody else: what goes on meanwhile is no part
    return re.compile(rf"\s*;\s+|\s*,\s+(?:{other}|(?:{words})\s+)?|\s+(?:{other}|(?:{words})\s+)", re.IGNORECASE)


@cache
def _person() -> re.Pattern[str]:
    return re.compile(
        r"(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bon )\b(?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)"
    )


@cache
def _list_after() -> re.Pattern[str]:
    """A list inside the last member of a list: "on ladders and balconies"."""
    before = "|".join(PREPOSITIONS.split())
    return re.compile(rf" (?:{before}) (?:[\w-]+ )*[\w-]+ (?:and|or) (?:[\w-]+ )*[\w-]+$")


@cache
def _name_alone() -> re.Pattern[str]:
    return re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: [A-ZÀ-Þ][\w'’.-]*){0,2}")


@cache
def _for_all_named() -> re.Pattern[str]:
    """What follows the last of several names and is said of them all."""
    return re.compile(r"(?<=[\w.]) (?:to|for|about|at|on|into|as)\b(?! (?:and|or)\b).*$")


@cache
def _when_after() -> re.Pattern[str]:
    day = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    part = r"(?:morning|afternoon|evening|night|weekend|week|month|year|day|summer|winter|spring|autumn)s?"
    when = "(?:on|in|at|every|each|during|before|after) (?:the |my )?"
    return re.compile(rf" (?:{when})+(?:{day}|{part}|breakfast|lunch|dinner|work)\b.*$| since \S+$", re.IGNORECASE)
