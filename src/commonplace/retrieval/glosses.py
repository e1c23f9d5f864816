"""Which of several things of one name is meant, by what is said of it: "the crane, I mean the bird". Pure."""

import re
from collections.abc import Sequence

from commonplace.retrieval.concepts import rivals
from commonplace.retrieval.describe import Near, misleading
from commonplace.retrieval.description import Description
from commonplace.retrieval.grammar import ADVERBS, PREPOSITIONS, PRONOUNS, VERBS
from commonplace.retrieval.statement import Statement, terms_of
from commonplace.retrieval.whose import RELATIVES
from commonplace.retrieval.wording import listed, surfaces
from commonplace.text.normal import fold
from commonplace.text.words import words

OWN = 0.15


def things_of(wanted: Description) -> list[tuple[str, str]]:
    """The thing that a description is of, with what is said of it: "crane" and "at the building site".

    Where it is named by two words and more is said of it, it may be either: of "the port wine I like" wine, or port.
    """
    if wanted.statement or wanted.sweeping or wanted.asks or re.search(r"\w['’]s?\b", wanted.text):
        return []
    tokens = re.findall(r"[\w-]+|[^\w\s]", wanted.text)
    first = last = int(bool(tokens) and tokens[0].lower() in listed(_KNOWN))
    while last < len(tokens) and not _goes_on(tokens[last].lower()):
        if last > first and _is_done(tokens[last].lower(), tokens[last + 1 : last + 2]):
            return []
        last += 1
    noun, rest = tokens[first:last], [token for token in tokens[last:] if token[:1].isalnum()]
    heads = (1, 0) if len(noun) == 2 and rest else (len(noun) - 1,) if noun else ()
    told = [(fold(noun[at]), " ".join([*noun[:at], *noun[at + 1 :], *rest])) for at in heads]
    return [(thing, gloss) for thing, gloss in told if _telling(thing, wanted) and _telling(gloss, wanted)]


def speaks_of(wanted: Description, thing: str, gloss: str, one: Statement) -> bool:
    """Whether a statement speaks of such a thing, and of no other of its kind: "The shirt size", of shoes."""
    own, said = terms_of(one, wanted.language), _telling(gloss, wanted)
    mostly = 3 * len(said & own) >= 2 * len(said)
    if any(rivals(term, wanted.language) & own for term in said) or (said & own and not mostly):
        return False
    tokens = ["", *re.findall(r"[\w'’-]+|[^\w\s]", fold(one.said)), "", ""]
    any_kind = mostly or "," in wanted.text  # "the drill, I mean the exercise" may be a fire drill
    return any(
        token == thing and (any_kind or _is_plain(tokens[at - 1])) and _ends(tokens[at + 1], tokens[at + 2])
        for at, token in enumerate(tokens[:-2])
    )


def is_the_owners(wanted: Description, one: Statement) -> bool:
    """Whether a thing is told by what the owner does there, and a sentence says which is the owner's: "the bank where I
    keep my money", "My bank is Triodos"."""
    past = r"(?!was|were|had|met|saw|found|lost|left|bought|used to|\w+ed\b)"
    does = rf"(?:(?:where|that|which|in which|at which) )?(?:I|we) {past}"
    does = rf"{does}|(?:that|which) \w+ (?:my|our) (?!(?:{RELATIVES})\b)"
    found = re.match(rf"(?i:the) (?P<thing>[a-z-]+) (?:{does})\w", wanted.text)
    if found is None or not one.mine:
        return False
    said = rf"(?i:my|our) {re.escape(found['thing'])} (?:is|are)(?: called)? (?:(?:the|at|in|on|with) )?[A-ZÀ-Þ]"
    return re.match(said, one.said) is not None


def alike(wanted: Description, thing: str, gloss: str, one: Statement, near: Near) -> float:
    """How near what is said of a thing is to what a statement says besides; what is the owner's on both sides is more
    likely the same."""
    rest = re.sub(rf"(?i)\b{re.escape(thing)}\b", " ", one.said)
    whole = near(gloss, " ".join(rest.split()))
    told, others = (surfaces(text, wanted.language).values() for text in (gloss, rest))
    best = [max((near(word, other) for other in others if not misleading(word, other)), default=0.0) for word in told]
    mine = re.compile(rf"\b(?:my|our) (?:[\w-]+ )?{re.escape(thing)}\b", re.IGNORECASE)
    owned = mine.match(wanted.text) and mine.search(one.said)
    return whole + sum(best) / max(len(best), 1) + (OWN if owned else 0.0)


def _telling(gloss: str, wanted: Description) -> frozenset[str]:
    """The terms of what is said of a thing, besides names: those everything must have."""
    return _terms(gloss, wanted.language) - _terms(" ".join(wanted.names), wanted.language)


def _terms(text: str, language: str) -> frozenset[str]:
    return frozenset(term for term in words(text.lower(), language) if not term.startswith("s:"))


def _goes_on(word: str) -> bool:
    """Whether a word cannot stand in the name of a thing, but begins what is said of it."""
    return word in PRONOUNS or word in listed(f"{PREPOSITIONS} {_FURTHER} {_KNOWN}") or not word[:1].isalpha()


def _is_done(word: str, follows: Sequence[str]) -> bool:
    """Whether a word after a noun is a verb, and the whole a sentence: "the warranty covers water"."""
    does = word.endswith("s") and not word.endswith(("ss", "us", "is")) and any(map(str.islower, follows))
    return does or word.endswith("ed") or word in listed(VERBS)


def _is_plain(before: str) -> bool:
    """Whether the word before a thing only brings it or gives a quality: "a", "new", but not "house"."""
    brings = not before[:1].isalpha() or before in listed(f"{_KNOWN} {PREPOSITIONS} {ADVERBS} {VERBS} and or")
    return brings or before in listed(_QUALITIES) or before.endswith(_LIKE_QUALITIES) or "-" in before


def _ends(after: str, then: str) -> bool:
    """Whether the word after a thing goes on with the sentence; else it makes a longer name: "the ring road"."""
    bound = f"{PREPOSITIONS} {_FURTHER} {_KNOWN}"
    if not after[:1].isalpha() or after.endswith("ed") or after in listed(f"{bound} {ADVERBS} {VERBS}"):
        return True
    return then in listed(bound) or not then[:1].isalpha()


_FURTHER = """off up out down through along across behind beside between during until after before around and or but
that which who whom where when while if because"""
_KNOWN = "the a an my our your his her their its this that these those no some any one two three every each"
_QUALITIES = """new old big small large little long short high low left right upper lower first second last next best
worst good bad great fine fresh dry wet hot cold warm cool red green blue yellow black white brown grey pink dark light
cheap heavy soft hard young main whole own other same full empty clean dirty broken spare second-hand lovely huge tiny
round square flat thick thin loud quiet rare common usual only favourite whole"""
_LIKE_QUALITIES = ("less", "ful", "ous", "ic", "al", "ed", "en", "ish", "est", "ing", "able", "'s", "’s")
