"""Parses a text into its statements, so that one can be removed and the rest still reads well.

Sentences contain clauses, clauses share a subject among predicates, predicates end in lists: "Ada lives in Oslo, works
at Acme and likes tea and coffee." Each leaf is an `Assertion`; `ParsedText.without` writes the text without some of
them.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from commonplace.describing.grammar import (
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
    word_set,
)
from commonplace.lazy import pattern
from commonplace.text.sentences import Span, sentences

Place = tuple[int, int, int, int]
"""Sentence, clause, predicate, item."""

LONGEST = 20_000
"""A longer text is not split."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One statement of a text."""

    place: Place
    said: str
    """The statement as a sentence of its own, with its shared subject."""
    words: str
    """The words of the text that belong to it alone."""
    subject: str
    """The subject of the clause, with a pronoun resolved if possible."""


@dataclass(frozen=True, slots=True)
class VerbPhrase:
    joint: str
    lead: str
    items: tuple[str, ...]
    joints: tuple[str, ...]
    """The conjunction or comma before each item; the first is empty."""
    tail: str = ""
    """What follows the list and applies to all of it: "on Saturdays"."""


@dataclass(frozen=True, slots=True)
class Clause:
    joint: str
    subject: str
    about: str
    contracted: bool
    """Whether subject and verb are contracted (I'm, she's); the first predicate's lead then begins with both."""
    predicates: tuple[VerbPhrase, ...]
    doers: tuple[str, ...] = ()
    """The members of a subject that is a list."""


@dataclass(frozen=True, slots=True)
class Sentence:
    start: int
    end: int
    stop: str
    clauses: tuple[Clause, ...]
    aside: str = ""
    """The content of a non-restrictive "who …": the last clause of its sentence."""
    spare: str = ""
    """The sentence with that clause, as written."""


@dataclass(frozen=True, slots=True)
class ParsedText:
    text: str
    sentences: tuple[Sentence, ...]

    @property
    def assertions(self) -> list[Assertion]:
        return [part for number, sentence in enumerate(self.sentences) for part in _assertions(number, sentence)]

    def without(self, places: Collection[Place]) -> str:
        """The text without these parts; empty if nothing is left."""
        removed = set(places)
        remaining, at, dropped = "", 0, ""
        for number, sentence in enumerate(self.sentences):
            between = self.text[at : sentence.start]
            at = sentence.end
            touched = any(place[0] == number for place in removed)
            sentence_text = (
                _write_sentence(number, sentence, removed) if touched else self.text[sentence.start : sentence.end]
            )
            if not sentence_text:
                dropped = dropped or _referent(sentence)
                continue
            if dropped and dropped not in remaining:
                sentence_text = _restore_name(sentence_text, dropped)
            dropped = ""
            remaining += (between if remaining else between.lstrip()) + sentence_text
        return remaining.strip()


def parse_text(text: str) -> ParsedText:
    """Parse a text. Never fails: text that cannot be parsed is one part."""
    if len(text) > LONGEST:
        clause = Clause("", "", "", False, (VerbPhrase("", text.strip(), ("",), ("",)),))
        return ParsedText(text, (Sentence(0, len(text), "", (clause,)),))
    parsed_sentences: list[Sentence] = []
    topic = ""
    for span in sentences(text):
        sentence = _sentence(text, span, topic)
        parsed_sentences.append(sentence)
        topic = _referent(sentence) or topic
    return ParsedText(text, tuple(parsed_sentences))


def _sentence(text: str, span: Span, topic: str) -> Sentence:
    body = span.text.rstrip()
    bare = body.rstrip(".!?…;, ")
    stop = body[len(bare) :]
    aside = _aside().search(masked(bare))
    if aside and bare[: aside.start()].strip():
        spare = bare[: aside.start()] + bare[aside.end() :]
        head = _clauses(spare, topic)
        who = bare[: aside.start()].strip()
        aside_clause = Clause(
            "", who, who, False, (VerbPhrase("", bare[aside.start("what") : aside.end("what")], ("",), ("",)),)
        )
        return Sentence(span.start, span.start + len(body), stop, (*head, aside_clause), aside.group(), bare)
    return Sentence(span.start, span.start + len(body), stop, _clauses(bare, topic))


def _clauses(bare: str, topic: str) -> tuple[Clause, ...]:
    """Split at commas and conjunctions, then classify the pieces."""
    raw = _pieces(bare)
    listed = _list_of_subjects(raw)
    if listed:
        return (listed,)
    pieces = _with_lists(_join_subjects(_reclassified(_with_appositions(raw))))
    clauses: list[Clause] = []
    at = 0
    while at < len(pieces):
        stop = at + 1
        while stop < len(pieces) and pieces[stop][2] != "clause":
            stop += 1
        clause_topic = clauses[0].about if clauses else topic
        clauses.append(_clause(pieces[at:stop], clause_topic))
        at = stop
    return tuple(clauses)


def _with_appositions(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """ "Sofia, the city, is in Bulgaria": an apposition between two commas belongs to the subject."""
    if len(raw) < 3 or any(joint.strip() != "," for joint, _, _ in raw[1:3]) or raw[2][2] != "predicate":
        return raw
    who, apposition, does = (words for _, words, _ in raw[:3])
    noun_phrases = who[:1].isupper() and verb_at(who.split()) is None and verb_at(apposition.split()) is None
    if not noun_phrases or not re.match(r"(?i:the|an?|my|our|his|her|their|your)\b|[A-ZÀ-Þ][\w-]*['’]s ", apposition):
        return raw
    return [("", f"{who}, {apposition}, {does}", "clause"), *raw[3:]]


def _reclassified(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """Reclassify pieces by their context. A word that looks like a verb is none in a list ("olives on Saturdays") or
    after "I" and "we"; a word in the same form as the verb before it is one ("deploy with A and monitor with B", "lives
    here and mends clocks").
    """
    subject, predicate, _ = subject_of(raw[0][1])
    bare = subject.split(" ")[-1].lower() in ("i", "we", "you", "they")
    agreed = raw[:1]
    for joint, words, shape in raw[1:]:
        if shape == "predicate" and _seems_verb(words) and (agreed[-1][2] == "item" or bare):
            shape = "item"
        elif shape == "predicate" and _has_been().match(predicate) and words.split()[0] in word_set(BASE):
            shape = "item"  # "haven't eaten meat or fish": a participle continues with another form
        elif shape == "item" and (
            _repeats_pattern(predicate, words) if bare else _acts(predicate, words) and agreed[-1][2] != "item"
        ):
            shape = "predicate"
        agreed.append((joint, words, shape))
    return agreed


def _repeats_pattern(first: str, words: str) -> bool:
    """Whether a word and a preposition repeat the pattern of a verb and the same preposition before."""
    lead, goes = first.split(), words.split()
    return (
        len(lead) > 2
        and len(goes) > 2
        and lead[1] == goes[1]
        and goes[1] in word_set(PREPOSITIONS)
        and goes[0].islower()
    )


def _acts(first: str, words: str) -> bool:
    """Whether words continue with a verb in -s, like the verb before them: "mends clocks"."""
    does, goes = first.split(), words.split()
    if not does or len(goes) < 2 or not does[0].endswith("s"):
        return False
    act, complement = goes[0], goes[1].strip("\"'“”(),.:").lower()
    noun = act in word_set(PLURALS) or complement in word_set(PREPOSITIONS) or complement in word_set(_OF_A_NOUN)
    return re.fullmatch(r"[a-z]{2,}(?<!s)(?<!u)(?<!ic)(?<!ou)s", act) is not None and not noun


_OF_A_NOUN = "that which who whose and or but named called made bought taken given when where while"


def _seems_verb(words: str) -> bool:
    first = words.split()[0].strip("\"'“”(),.:").lower()
    return first.endswith("s") and first not in word_set(VERBS) | word_set(ADVERBS)


def _join_subjects(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """ "Bob and Carla live in Rome and have two kids": several people are one subject."""
    if len(raw) < 3 or verb_at(raw[0][1].split()) is not None or raw[1][2] != "clause" or not raw[1][0].strip(" ,"):
        return raw
    return [("", "".join((raw[0][1], raw[1][0], raw[1][1])), "clause"), *raw[2:]]


def _pieces(bare: str) -> list[tuple[str, str, Shape]]:
    """(joint, words, shape) of each stretch between joints; what is not a part by itself is joined to the one
    before.
    """
    bound = masked(bare)
    if bound.split(" ", 1)[0].lower() in word_set(CONDITIONS):
        return [("", bare, "clause")]
    cuts = [(0, 0)] + [(joint.start(), joint.end()) for joint in _joint().finditer(bound)]
    raw: list[tuple[str, str, Shape]] = []
    for number, (start, end) in enumerate(cuts):
        until = cuts[number + 1][0] if number + 1 < len(cuts) else len(bare)
        words, joint = bare[end:until], bare[start:end]
        shape = "clause" if number == 0 else shape_of(bound[end:until])
        if number and joint.strip() == "," and _attributed().match(words):
            shape = "more"
        raw.append((joint, words, shape))
    if colon_at(raw[0][1]) >= 0:  # what follows a colon is a list
        raw[1:] = [(joint, words, "item" if shape == "predicate" else shape) for joint, words, shape in raw[1:]]
    return raw


def _with_lists(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
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


def _clause(pieces: Sequence[tuple[str, str, Shape]], topic: str) -> Clause:
    joint, head, _ = pieces[0]
    subject, predicate, contracted = ("", head, False) if colon_at(head) >= 0 else subject_of(head)
    groups: list[list[tuple[str, str]]] = [[("", head if contracted else predicate)]]
    for before, words, shape in pieces[1:]:
        if shape == "predicate" and not goes_on(subject, groups[0][0][1], words):
            groups.append([(before, words)])
        else:
            groups[-1].append((before, words))
    resolved = _restore_name(subject + " ", topic).strip() if topic else subject
    return Clause(joint, subject, resolved, contracted, tuple(_predicate(group) for group in groups))


def _predicate(group: Sequence[tuple[str, str]]) -> VerbPhrase:
    joint, first = group[0]
    group = _nested(group)
    if len(group) == 1:
        return VerbPhrase(joint, first, ("",), ("",))
    members = [words for _, words in group[1:]]
    lead, item = lead_of(first, members)
    items, tail = _split_tail(lead, [item, *members])
    return VerbPhrase(joint, lead, items, ("", *(conjunction for conjunction, _ in group[1:])), tail)


def _nested(group: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """ "dizzy and sick on ladders and balconies": what follows the last preposition is a nested list."""
    if len(group) != 3 or any(joint.strip() not in ("and", "or") for joint, _ in group[1:]):
        return group
    within = [any(f" {word} " in f" {words} " for word in word_set(PREPOSITIONS)) for _, words in group]
    if within != [False, True, False]:
        return group
    (_, inner), (joint, last) = group[1:]
    return [group[0], (group[1][0], f"{inner}{joint}{last}")]


def _split_tail(lead: str, items: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The members of a list, and what applies to all: "bread and olives on Saturdays", "Ann and Bo to the fair"."""
    match = _when_after().search(items[-1]) or _list_after().search(items[-1])
    if match is None and all(map(_name_alone().fullmatch, items[:-1])):
        match = _for_all_named().search(items[-1])
    if match is None or any(_when_after().search(f"{lead} {member}") for member in items[:-1]):
        return tuple(items), ""
    return (*items[:-1], items[-1][: match.start()]), match[0].strip()


def _list_of_subjects(pieces: Sequence[tuple[str, str, Shape]]) -> Clause | None:
    """ "Ada, Bob and Carla are coming": a list as the subject."""
    if len(pieces) < 2 or verb_at(pieces[0][1].split()) is not None:
        return None
    names = [pieces[0][1]]
    for number, (joint, words, _) in enumerate(pieces[1:], 1):
        subject, predicate_words, contracted = subject_of(words)
        if predicate_words and subject and not contracted and joint.strip(" ,") in ("and", "e", "y", "et", "und", "&"):
            if number != len(pieces) - 1:
                return None
            predicate = VerbPhrase("", predicate_words, ("",), ("",))
            joints = joint.strip(" ,")
            who = f"{', '.join(names)} {joints} {subject}"
            return Clause(
                "", who, who, False, (predicate,), () if _is_joint_action(predicate_words) else (*names, subject)
            )
        if len(words.split()) > 3:
            return None
        names.append(words)
    return None


def _is_joint_action(does: str) -> bool:
    """Whether only several people can do it: "are selling our house" does not apply to one of them."""
    mutual = "our|together|each other|one another|married|divorced|engaged|separated|twins|siblings|friends|neighbou?rs"
    return re.search(rf"\b(?:{mutual})\b", does) is not None


# Writing the text.


def _assertions(number: int, sentence: Sentence) -> list[Assertion]:
    parts = []
    for c, clause in enumerate(sentence.clauses):
        for d, doer in enumerate(clause.doers):
            text = f"{doer} {_singular(clause.predicates[0].lead)}"
            parts.append(Assertion((number, c, 0, d), text, doer, doer))
        if clause.doers:
            continue
        for p, predicate in enumerate(clause.predicates):
            for i, item in enumerate(predicate.items):
                spoken = f"{predicate.lead} {item} {predicate.tail}".strip()
                words = item or predicate.lead
                contracted = clause.contracted and p == 0
                subject = clause.about or clause.subject
                text = spoken if contracted else f"{subject} {spoken}".strip()
                if len(clause.predicates) == 1 and not item and not contracted:
                    words = f"{clause.subject} {spoken}".strip()
                parts.append(Assertion((number, c, p, i), text, words, doer_in(subject)))
    return parts


def _write_sentence(number: int, sentence: Sentence, removed: set[Place]) -> str:
    """The sentence without the removed parts; empty if nothing is left."""
    parts: list[tuple[str, str]] = []
    lost = ""
    for c, clause in enumerate(sentence.clauses):
        if sentence.aside and c == len(sentence.clauses) - 1:
            return _with_aside(number, sentence, c, parts, removed)
        clause_text = _clause_written(clause, lambda p, i, c=c: (number, c, p, i) not in removed)  # type: ignore[misc]
        if not clause_text:
            lost = lost or clause.about or clause.subject
            continue
        if lost and not parts:
            clause_text = _restore_name(clause_text, lost)
        parts.append((clause.joint, clause_text))
    return _finished(_joined(parts, [clause.joint for clause in sentence.clauses]), sentence.stop)


def _with_aside(number: int, sentence: Sentence, c: int, parts: list[tuple[str, str]], removed: set[Place]) -> str:
    clause = sentence.clauses[c]
    stays = (number, c, 0, 0) not in removed
    main = _joined(parts, [clause.joint for clause in sentence.clauses[:-1]])
    if not stays:
        return _finished(main, sentence.stop)
    return (
        _finished(f"{clause.subject} {clause.predicates[0].lead}", sentence.stop)
        if not main
        else sentence.spare + sentence.stop
    )


def _clause_written(clause: Clause, stays: Callable[[int, int], bool]) -> str:
    if clause.doers:
        names = [name for d, name in enumerate(clause.doers) if stays(0, d)]
        if len(names) == len(clause.doers):
            return f"{clause.subject} {clause.predicates[0].lead}"
        lead = clause.predicates[0].lead
        last = f" {clause.subject.rsplit(' ', len(clause.doers[-1].split()) + 1)[1]} "
        who = _joined([(", " if d else "", name) for d, name in enumerate(names)], ["", last])
        return f"{who} {_singular(lead) if len(names) == 1 else lead}" if names else ""
    parts: list[tuple[str, str]] = []
    first = False
    for p, predicate in enumerate(clause.predicates):
        items = [(predicate.joints[i], item) for i, item in enumerate(predicate.items) if stays(p, i)]
        if items:
            first = first or p == 0
            phrase = f"{predicate.lead} {_joined(items, predicate.joints)} {predicate.tail}".strip()
            parts.append((predicate.joint, phrase))
    if not parts:
        return ""
    phrase = _joined(parts, [predicate.joint for predicate in clause.predicates])
    return phrase if first and clause.contracted else f"{clause.subject} {phrase}".strip()


def _joined(parts: Sequence[tuple[str, str]], joints: Sequence[str]) -> str:
    """Join the parts, with a conjunction before the last if the list had one."""
    final = joints[-1] if joints and joints[-1].strip(" ,") else ""
    text = ""
    for number, (joint, words) in enumerate(parts):
        if number == 0:
            text = words
            continue
        last = number == len(parts) - 1
        if last and final and not joint.strip(" ,;"):
            joint = final
        if len(parts) == 2 and len(joints) > 2 and joint.startswith(",") and joint.strip(" ,"):
            joint = joint.lstrip(",")
        text += joint + words
    return text


def _finished(text: str, stop: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + stop if text else ""


def _restore_name(text: str, name: str) -> str:
    """A sentence that begins with a pronoun, with the name restored."""
    if not name or name.split()[0].lower() in PRONOUNS | POSSESSIVES:
        return text
    first, _, after = text.partition(" ")
    low = first.lower()
    if low in ("he", "she", "it", "they"):
        who = _possessor(name, low) if low in ("he", "she") else name
        return f"{who} {_singular(after) if low == 'they' else after}"
    if low in ("his", "her", "their", "its"):
        return f"{_possessor(name, low)}'s {after}"
    return text


def _possessor(name: str, pronoun: str) -> str:
    """The person that a pronoun means after "Bob's wife" (his: Bob) or "Ada's phone" (her: Ada)."""
    whose, _, possession = name.partition("'s ")
    kin = possession.lower()
    if not possession or kin in word_set(WOMEN if pronoun in ("she", "her") else MEN) | word_set(PEOPLE):
        return name
    return whose


def _referent(sentence: Sentence) -> str:
    """The person that a pronoun in the next sentence refers to: the subject, or somebody the speaker mentions."""
    topic = sentence.clauses[0].about if sentence.clauses else ""
    if topic.lower() in ("i", "we", "you") and sentence.clauses[0].predicates:
        first = sentence.clauses[0].predicates[0]
        match = _person().search(f"{first.lead} {first.items[0]}")
        return match["name"] if match else topic
    return topic


def _singular(predicate: str) -> str:
    """A plural predicate with its verb in the singular."""
    verb, _, complement = predicate.partition(" ")
    singular = {"are": "is", "were": "was", "have": "has", "do": "does", "go": "goes"}.get(verb.lower())
    if singular is None:
        is_base_form = (
            verb.lower() in word_set(VERBS) and not verb.endswith(("s", "ed")) and verb.lower() in word_set(BASE)
        )
        singular = f"{verb}s" if is_base_form else verb
    return f"{singular} {complement}".strip()


_aside = pattern(r",\s+(?:who|which)\s+(?P<what>[^,;]{3,200})(?:,|$)")
_has_been = pattern(r"(?:ha(?:ve|s|d)(?:n['’]t)?) (?:\w+ )?\w+(?:ed|en|ght)\b")


@cache
def _attributed() -> re.Pattern[str]:
    """ "…, the team decided": a trailing attribution."""
    verbs = (
        "said|says|decided|agreed|told|thinks|believes|claims|claimed|explained|announced|wrote|promised|insists|warned"
    )
    return re.compile(rf"(?:(?i:the|my|our|his|her) [\w-]+|[A-ZÀ-Þ][\w-]*|I|we|he|she|they) (?:{verbs})\b(?! that\b)")


@cache
def _joint() -> re.Pattern[str]:
    words = "and|but|or|plus|as well as|&|(?-i:e|ed|y|o|et|ou|und|oder|ma|però|pero|mais|aber)"
    contrast = r"(?:while|whereas)\s+(?=(?-i:[A-ZÀ-Þ])\w+ )"  # new subject: what happens meanwhile is not a part
    return re.compile(rf"\s*;\s+|\s*,\s+(?:{contrast}|(?:{words})\s+)?|\s+(?:{contrast}|(?:{words})\s+)", re.IGNORECASE)


_person = pattern(r"(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bon )\b(?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)")


@cache
def _list_after() -> re.Pattern[str]:
    """A list inside the last member of a list: "on ladders and balconies"."""
    before = "|".join(PREPOSITIONS.split())
    return re.compile(rf" (?:{before}) (?:[\w-]+ )*[\w-]+ (?:and|or) (?:[\w-]+ )*[\w-]+$")


_name_alone = pattern(r"[A-ZÀ-Þ][\w'’.-]*(?: [A-ZÀ-Þ][\w'’.-]*){0,2}")
_for_all_named = pattern(r"(?<=[\w.]) (?:to|for|about|at|on|into|as)\b(?! (?:and|or)\b).*$")
"""What follows the last of several names and applies to them all."""


@cache
def _when_after() -> re.Pattern[str]:
    day = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    part = r"(?:morning|afternoon|evening|night|weekend|week|month|year|day|summer|winter|spring|autumn)s?"
    when = "(?:on|in|at|every|each|during|before|after) (?:the |my )?"
    return re.compile(rf" (?:{when})+(?:{day}|{part}|breakfast|lunch|dinner|work)\b.*$| since \S+$", re.IGNORECASE)
