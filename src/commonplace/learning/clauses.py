"""The clauses of a sentence that can stand alone: "Chidi lives in Leeds, Obinna is at uni" is believed and ends in two
parts. English only: of the other languages we cannot tell where a clause has a verb of its own."""

import re
from collections.abc import Iterator

from commonplace.learning.languages.tables import LanguageRules
from commonplace.learning.matching import compiled
from commonplace.text.english import is_past
from commonplace.text.sentences import Span

_JOINT = re.compile(r"(?:[;,]|\s[-–])\s+(?:(?:and|but|so|plus)\s+)?|\s+(?:and|but)\s+", re.IGNORECASE)
_DEPENDENT = re.compile(
    r"(?:which|who|whom|whose|where|when|that|because|since|if|unless|until|till|after|before|as|though|although|while|"
    r"whereas|like|than|what|how|why|once|or|nor|only|not)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\b(?:that|if|when|whether|says?|said|told|thinks?|means?|hopes?|feels?|knows?|guess|turns out|between|both)$",
    re.IGNORECASE,
)
"""What is behind such a word depends on it."""
_SUBJECT = re.compile(r"(?:I|he|she|my|our|his|her)\b|(?-i:[A-ZÀ-ÖØ-Þ])", re.IGNORECASE)
"""A subject that means the same without the clause before it; "he" and "she" once the person is named."""
_RELATIVE = re.compile(r"\b(?:who|which|that)\b", re.IGNORECASE)
_NO_VERB = re.compile(r"(?<!\bhe)(?<!\bshe)(?<!\bit)(?<!\bwho)(?<!\bthat)(?<!\bthere)'s(?= \w+$)|\bMay(?= \d)")
"""What only looks like a verb: "Charles Dowding's book", "May 15"."""
SHORTEST = 3
"""Words of a clause."""


def clause_spans(sentence: Span, language: LanguageRules) -> list[Span]:
    """The sentence as clauses that each have a subject and a verb; the sentence alone where it has no two."""
    if not language.finite or _DEPENDENT.match(sentence.text):
        return [sentence]
    return list(_spans(sentence, language))


def _spans(sentence: Span, language: LanguageRules) -> Iterator[Span]:
    text, at = sentence.text, 0
    for joint in _JOINT.finditer(text):
        before, rest = text[at : joint.start()], text[joint.end() :]
        following = _JOINT.split(rest, maxsplit=1)[0]
        begins = _SUBJECT.match(following) and not _DEPENDENT.match(following)
        if begins and not _GOES_ON.search(before) and _is_clause(before, language) and _is_clause(following, language):
            yield Span(sentence.start + at, sentence.start + joint.start(), before)
            at = joint.end()
    yield Span(sentence.start + at, sentence.end, text[at:])


def _is_clause(text: str, language: LanguageRules) -> bool:
    plain = _RELATIVE.split(_NO_VERB.sub("", text))[0]
    words = re.findall(r"[\w']+", plain)
    has_verb = compiled(language.finite).search(plain) or any(is_past(word) for word in words[:4])
    return len(words) >= SHORTEST and bool(has_verb)
