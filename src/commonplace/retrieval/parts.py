"""A text taken apart into what it says, so that one part can be taken out and the rest still reads.

Sentences hold clauses, clauses share a subject among predicates, predicates end in lists: "Ada lives in Oslo, works at
Acme and likes tea and coffee." Each leaf is a `Part`; `Text.without` writes the text again without some of them.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from commonplace.text.sentences import Span, sentences

Place = tuple[int, int, int, int]
"""Sentence, clause, predicate, item."""
Shape = Literal["clause", "predicate", "item", "more"]
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
    aside = _aside().search(_masked(bare))
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
    pieces = _settled(_together(_agreeing(raw)))
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


def _agreeing(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """A word that only looks like a verb ("olives on Saturdays") is none in a list, nor after "I" and "we"; one that
    stands as the verb before it ("deploy with A and monitor with B") is one."""
    subject, rest, _ = _subject(raw[0][1])
    bare = subject.split(" ")[-1].lower() in ("i", "we", "you", "they")
    agreed = raw[:1]
    for joint, words, shape in raw[1:]:
        if shape == "predicate" and _seems_verb(words) and (agreed[-1][2] == "item" or bare):
            shape = "item"
        elif shape == "item" and bare and _in_step(rest, words):
            shape = "predicate"
        agreed.append((joint, words, shape))
    return agreed


def _in_step(first: str, words: str) -> bool:
    """Whether a word and a preposition go on as a verb and the same preposition began."""
    lead, goes = first.split(), words.split()
    return (
        len(lead) > 2
        and len(goes) > 2
        and lead[1] == goes[1]
        and goes[1] in _listed(_PREPOSITIONS)
        and goes[0].islower()
    )


def _seems_verb(words: str) -> bool:
    first = words.split()[0].strip("\"'“”(),.:").lower()
    return first.endswith("s") and first not in _listed(_VERBS) | _listed(_ADVERBS)


def _together(raw: list[tuple[str, str, Shape]]) -> list[tuple[str, str, Shape]]:
    """ "Bob and Carla live in Rome and have two kids": those who do it are one subject."""
    if len(raw) < 3 or _verb(raw[0][1].split()) is not None or raw[1][2] != "clause" or not raw[1][0].strip(" ,"):
        return raw
    return [("", "".join((raw[0][1], raw[1][0], raw[1][1])), "clause"), *raw[2:]]


def _pieces(bare: str) -> list[tuple[str, str, Shape]]:
    """(joint, words, shape) of each stretch between joints; what is no part by itself stays with the one before."""
    masked = _masked(bare)
    if masked.split(" ", 1)[0].lower() in _listed(_CONDITIONS):
        return [("", bare, "clause")]
    cuts = [(0, 0)] + [(found.start(), found.end()) for found in _joint().finditer(masked)]
    raw: list[tuple[str, str, Shape]] = []
    for number, (start, end) in enumerate(cuts):
        until = cuts[number + 1][0] if number + 1 < len(cuts) else len(bare)
        words, joint = bare[end:until], bare[start:end]
        raw.append((joint, words, "clause" if number == 0 else _shape(masked[end:until])))
    if _colon(raw[0][1]) >= 0:  # what follows a colon is a list, whatever its members look like
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
            listed = raw[run - 1][0].strip(" ,") != "" or _colon(raw[0][1]) >= 0
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
    subject, rest, contracted = ("", head, False) if _colon(head) >= 0 else _subject(head)
    groups: list[list[tuple[str, str]]] = [[("", head if contracted else rest)]]
    for before, words, shape in pieces[1:]:
        if shape == "predicate" and not _infinite(subject, groups[0][0][1], words):
            groups.append([(before, words)])
        else:
            groups[-1].append((before, words))
    resolved = _resolved(subject, about)
    return Clause(joint, subject, resolved, contracted, tuple(_predicate(group) for group in groups))


def _predicate(group: Sequence[tuple[str, str]]) -> Predicate:
    joint, first = group[0]
    if len(group) == 1:
        return Predicate(joint, first, ("",), ("",))
    rest = [words for _, words in group[1:]]
    lead, item = _lead(first, rest)
    items, tail = _tailed(lead, [item, *rest])
    return Predicate(joint, lead, items, ("", *(one for one, _ in group[1:])), tail)


def _tailed(lead: str, items: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The members of a list, and when all of it is so: "bread and olives on Saturdays"."""
    found = _when_after().search(items[-1])
    if found is None or any(_when_after().search(f"{lead} {one}") for one in items[:-1]):
        return tuple(items), ""
    return (*items[:-1], items[-1][: found.start()]), found[0].strip()


def _doers(pieces: Sequence[tuple[str, str, Shape]]) -> Clause | None:
    """ "Ada, Bob and Carla are coming": a list of those who do it."""
    if len(pieces) < 2 or _verb(pieces[0][1].split()) is not None:
        return None
    names = [pieces[0][1]]
    for number, (joint, words, _) in enumerate(pieces[1:], 1):
        subject, rest, contracted = _subject(words)
        if rest and subject and not contracted and joint.strip(" ,") in ("and", "e", "y", "et", "und", "&"):
            if number != len(pieces) - 1:
                return None
            predicate = Predicate("", rest, ("",), ("",))
            joints = joint.strip(" ,")
            who = f"{', '.join(names)} {joints} {subject}"
            return Clause("", who, who, False, (predicate,), (*names, subject))
        if len(words.split()) > 3:
            return None
        names.append(words)
    return None


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
                parts.append(Part((number, c, p, i), said, words, subject))
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
    if not about or about.split()[0].lower() in _PRONOUNS | _POSSESSIVES:
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
    if not thing or kin in _listed(_WOMEN if pronoun in ("she", "her") else _MEN) | _listed(_PEOPLE):
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
        known = verb.lower() in _listed(_VERBS) and not verb.endswith(("s", "ed")) and verb.lower() in _listed(_BASE)
        one = f"{verb}s" if known else verb
    return f"{one} {more}".strip()


# Seeing what a stretch of words is.


def _shape(words: str) -> Shape:
    tokens = words.split()
    low = [token.strip("\"'“”(),").lower() for token in tokens]
    if not low:
        return "more"
    if low[0] in _listed(_DEPENDENT):
        return "more"
    if _begins_anew().match(words):
        return "clause"
    at = _verb(tokens)
    if at == 0:
        return "predicate"
    if at is not None and at <= 6 and (at > 0 or _contracted(low[0])):
        skipped = all(one in _listed(_ADVERBS) for one in low[:at])
        if skipped:
            return "predicate"
        if low[0] in _PRONOUNS | _POSSESSIVES | _DETERMINERS or tokens[0][:1].isupper():
            return "clause"
    if _contracted(low[0]):
        return "clause"
    return "item"


def _subject(words: str) -> tuple[str, str, bool]:
    """(subject, what is said of it, whether the verb hangs on the subject)."""
    if told := _reporting().match(words):
        subject, rest, contracted = _subject(words[told.end() :])
        return (told[0] + subject, rest, False) if subject and not contracted else ("", words, False)
    tokens = words.split(" ")
    if _contracted(tokens[0].lower()):
        return re.split("['’]", tokens[0])[0], words, True
    at = _verb(tokens)
    if at is None:
        return "", words, False
    while at > 0 and tokens[at - 1].lower() in _listed(_ADVERBS):
        at -= 1
    return " ".join(tokens[:at]), " ".join(tokens[at:]), False


def _verb(tokens: Sequence[str]) -> int | None:
    """Where the finite verb stands; None if there is none to be seen."""
    low = [token.strip("\"'“”(),.:").lower() for token in tokens]
    if not low:
        return None
    if low[0] in _PRONOUNS:
        at = 1
        while at < len(low) and low[at] in _listed(_ADVERBS):
            at += 1
        return at if at < len(low) else None
    if _contracted(low[0]):
        return 0
    opening = _opening_verb(tokens, low)
    return opening if opening is not None else _later_verb(tokens, low)


def _opening_verb(tokens: Sequence[str], low: Sequence[str]) -> int | None:
    """A verb that only adverbs go before: an order, or what goes on with a subject said earlier."""
    verbs, adverbs = _listed(_VERBS), _listed(_ADVERBS)
    opens = 0
    while opens < len(low) and low[opens] in adverbs:
        opens += 1
    if opens == len(low):
        return None
    if low[opens] in verbs and not tokens[opens][:1].isupper():
        return opens
    if low[0] in ("always", "never") and opens:
        return opens
    if opens == 0 and len(low) > 1 and low[0] in _listed(_BASE):
        return 0
    follows = low[opens + 1] if opens + 1 < len(low) else ""
    return opens if _looks_finite(low[opens]) and follows in _listed(_AFTER_VERB) else None


def _later_verb(tokens: Sequence[str], low: Sequence[str]) -> int | None:
    """A verb after its subject."""
    for at in range(1, len(low)):
        owned = low[at - 1].endswith(("'s", "’s")) or low[at - 1] in _DETERMINERS | _POSSESSIVES
        if low[at] in _listed(_VERBS) and not owned and low[at - 1] not in _listed(_PREPOSITIONS):
            return at
    for at in range(1, len(low) if tokens[0][:1].isupper() else 0):
        if tokens[at][:1].islower() and _looks_finite(low[at]) and tokens[at - 1][:1].isupper():
            return at
    return None


def _looks_finite(word: str) -> bool:
    plain = word.isalpha() and len(word) > 3
    return plain and (word.endswith("ed") or (word.endswith("s") and not word.endswith(("ss", "us", "is", "ous"))))


def _contracted(word: str) -> bool:
    return re.fullmatch(r"(?:i|you|he|she|it|we|they|that|there)['’](?:m|s|re|ve|d|ll)", word) is not None


def _infinite(subject: str, head: str, words: str) -> bool:
    """Whether a piece that begins with a bare verb goes on with "can", "should", "wants to" rather than anew."""
    tokens, first = head.split(), words.split()[0].lower()
    if not tokens or first.endswith(("s", "ed")) or first not in _listed(_BASE):
        return False
    if tokens[0].lower() in _listed(_MODALS):
        return True
    plural = subject.lower() in ("i", "we", "you", "they") or not subject
    return not plural and " to " in f" {head} "


def _lead(first: str, others: Sequence[str]) -> tuple[str, str]:
    """The words that a list hangs on, and its first member."""
    colon = _colon(first)
    if colon > 0:
        return first[: colon + 1], first[colon + 2 :]
    named = _before_name().match(first)
    if named and all(one[:1].isupper() for one in others):
        return named[0].rstrip(), first[named.end() :]
    tokens = first.split(" ")
    low = [token.lower() for token in tokens]
    at = (_verb(tokens) or 0) + 1
    helping = frozenset() if any(_begins(one, _BASE) for one in others) else _listed(_MODALS) - {"do", "does", "did"}
    while at < len(low) - 1 and (low[at] in _listed(_ADVERBS) or low[at - 1] in helping):
        at += 1
    if at < len(low) - 1 and low[at] in _listed(_PREPOSITIONS):
        return " ".join(tokens[: at + 1]), " ".join(tokens[at + 1 :])
    being = low[at - 1] in _listed(_BEING) or _contracted(low[at - 1])
    if being and all(_going(one) for one in (" ".join(tokens[at:]), *others)):
        return " ".join(tokens[:at]), " ".join(tokens[at:])
    if at < len(low) - 1 and ((being and _going(low[at])) or _has_done(low[at - 1], low[at])):
        at += 1
    for ahead in range(at, min(at + 3, len(low) - 1)):
        if low[ahead] == "to" or (being and low[ahead] in _listed(_PREPOSITIONS)):
            to_do = low[ahead] == "to" and not being
            if not to_do or ahead == at:
                return " ".join(tokens[: ahead + 1]), " ".join(tokens[ahead + 1 :])
    return " ".join(tokens[:at]), " ".join(tokens[at:])


def _begins(words: str, listed: str) -> bool:
    return words.split(" ", 1)[0].lower() in _listed(listed)


def _has_done(first: str, second: str) -> bool:
    """ "have visited": what belongs to both is what was done."""
    return first in ("have", "has", "had") and second.endswith(("ed", "en", "ght"))


def _going(words: str) -> bool:
    """ "coming on Friday": what "is" goes before."""
    return words.split(" ", 1)[0].lower().endswith("ing")


def _colon(words: str) -> int:
    """Where a list is announced; -1 if nowhere."""
    return _masked(words).find(": ")


def _masked(text: str) -> str:
    """The same length, with nothing to split at inside quotes, brackets and "between … and …"."""
    return _closed().sub(lambda found: re.sub(r"[\s,;]", "_", found[0]), text)


@cache
def _closed() -> re.Pattern[str]:
    return re.compile(
        r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`|\([^()\n]{1,300}\)|\[[^\[\]\n]{1,300}\]"
        r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|\b(?:between|zwischen|tra|entre)\s+\S+(?:\s+\S+)?\s+(?:and|und|e|et|y)\s+\S+"
        r"|(?i:\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
        r" \d{1,2}, \d{4})"
    )


@cache
def _begins_anew() -> re.Pattern[str]:
    """ "on Tuesday I fly", "in May she left": a time, then who."""
    when = "(?i:on|in|at|by|since|until|from|last|next|this|every)"
    return re.compile(rf"{when} (?:[\w'’-]+ ){{1,3}}(?:I|i|we|he|she|they|you) \w+")


@cache
def _when_after() -> re.Pattern[str]:
    day = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    part = r"(?:morning|afternoon|evening|night|weekend|week|month|year|day|summer|winter|spring|autumn)s?"
    when = "(?:on|in|at|every|each|during|before|after) (?:the |my )?"
    return re.compile(rf" (?:{when})+(?:{day}|{part}|breakfast|lunch|dinner|work)\b.*$", re.IGNORECASE)


@cache
def _before_name() -> re.Pattern[str]:
    """What goes before a name that a preposition brings: "have offices in " Berlin."""
    before = "(?:in|at|from|to|with|for|of|by|about|on|called|named)"
    return re.compile(rf"(?:[^\sA-ZÀ-Þ]\S* )+{before} (?=[A-ZÀ-Þ]\S*(?: [A-ZÀ-Þ]\S*)*$)")


@cache
def _reporting() -> re.Pattern[str]:
    """ "I think", "Bob said that": what follows has its own subject."""
    verbs = "think|believe|know|guess|heard|said|says|told me|told us|mentioned|thinks|believes|noted"
    return re.compile(rf"(?:I|We|He|She|They|[A-ZÀ-Þ][\w-]+) (?:{verbs})(?: that)? (?=\S+ \S)")


@cache
def _person() -> re.Pattern[str]:
    return re.compile(
        r"(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bon )\b(?P<name>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)"
    )


@cache
def _joint() -> re.Pattern[str]:
    words = "and|but|or|plus|as well as|&|(?-i:e|ed|y|o|et|ou|und|oder|ma|però|pero|mais|aber)"
    other = r"(?:while|whereas)\s+(?=(?-i:[A-ZÀ-Þ])\w+ )"  # of somebody else: what goes on meanwhile is no part
    return re.compile(rf"\s*;\s+|\s*,\s+(?:{other}|(?:{words})\s+)?|\s+(?:{other}|(?:{words})\s+)", re.IGNORECASE)


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(r",\s+(?:who|which)\s+(?P<what>[^,;]{3,200})(?:,|$)")


@cache
def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PRONOUNS = frozenset(
    "i you he she it we they there io tu lui lei noi yo ella je j' elle nous ich du er sie wir".split()
)
_POSSESSIVES = frozenset("my your his her its our their mio mia mi su mon ma mein meine sein seine ihr ihre".split())
_DETERMINERS = frozenset("the a an this that these those every each no some any il la lo el le les der die das".split())
_WOMEN = "wife sister mother daughter aunt niece grandmother girlfriend mum mom"
_MEN = "husband brother father son uncle nephew grandfather boyfriend dad"
_PEOPLE = "boss friend partner colleague manager doctor neighbour neighbor cousin child baby teacher assistant dog cat"
_CONDITIONS = "if when whenever unless while because since although once until wenn falls se quando si quand cuando"
_DEPENDENT = """which who whose whom because since when where while if so although though unless until after before that
than then perche porque parce weil wenn dass che que not especially including such like e.g i.e respectively too"""
_PREPOSITIONS = "in at on to for with of from by about into onto over under near as per via against without"
_ADVERBS = """always never also usually often still now just really sometimes currently already recently finally
probably mostly only not no longer rarely then once both even soon previously formerly deeply absolutely"""
_MODALS = """can could will would should must may might shall do does did don't doesn't didn't can't cannot won't
shouldn't mustn't let's"""
_BEING = "is are was were am be been feels seems gets became got"
_AFTER_VERB = """in at on to for with from by a an the his her my their our two three four five no into as about over
up down out every each"""
_BASE = """
go get like love hate prefer want need work live move use play run own study speak buy sell drive eat drink
think know say tell meet leave take make plan start stop marry teach learn write read keep hope feel become
enjoy collect visit travel grow build lead manage report test deploy push merge commit ship call email send ask
bring cook bake sing dance swim ride walk sleep stay rent pay earn save spend train coach support follow watch
listen share join owe have do be paint draw knit fish hunt climb hike ski garden volunteer attend host open
close check review back up rotate delete restart avoid wear smoke reply book order raise keep see help try hold
give put set show turn fix add remove update
"""
_VERBS = f"""
is are was were am has have had does did do can could will would should must may might shall don't doesn't isn't
aren't wasn't won't can't cannot didn't hasn't haven't shouldn't goes went gets got likes loves hates prefers
wants needs works lives moves uses plays runs owns studies speaks buys sells drives eats drinks thinks knows
says tells meets leaves takes makes plans starts stops marries teaches learns writes reads keeps hopes feels
becomes enjoys collects visits travels grows builds leads manages reports tests deploys pushes merges commits
ships calls emails sends asks brings cooks bakes sings dances swims rides walks sleeps stays rents pays earns
saves spends trains coaches supports follows watches listens shares joins owes paints draws knits fishes hunts
climbs hikes skis volunteers attends hosts opens closes checks reviews avoids wears smokes replies books orders
raises sees helps tries holds gives puts sets shows turns fixes adds removes updates costs weighs contains
includes means requires expires ends begins lasts belongs lived worked moved used played ran owned studied spoke
bought sold drove ate drank thought knew said told met left took made planned started stopped married taught
learned wrote kept felt became enjoyed visited travelled traveled grew built led managed reported called sent
asked brought cooked paid earned saved spent joined owed signed won lost found broke came saw gave put set
showed turned fixed added removed updated agreed decided promised approved rejected cancelled dislikes dislike
adores adore comes come serves serve was listens allergic_ {_BASE} vive lavora ha abita piace mangia studia
parla trabaja tiene habla vit travaille aime parle habite lebt arbeitet hat wohnt spricht mag ist sind sono sei
siamo es son soy est suis bin habe lebe arbeite wohne vivo lavoro abito ho trabajo tengo hablo travaille ai
parlo
"""
