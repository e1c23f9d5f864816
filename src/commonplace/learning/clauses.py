"""The clauses of a sentence that can stand alone: "Chidi lives in Leeds, Obinna is at uni" is believed and ends in two
parts. How clauses begin and what shows a verb stands in the files of the languages."""

import re
from collections.abc import Iterator

from commonplace.learning.languages.tables import LanguageRules
from commonplace.learning.matching import compiled
from commonplace.text.english import is_past
from commonplace.text.sentences import Span

_NO_VERB = re.compile(r"(?<!\bhe)(?<!\bshe)(?<!\bit)(?<!\bwho)(?<!\bthat)(?<!\bthere)'s(?= \w+$)|\bMay(?= \d)")
"""What only looks like a verb: "Charles Dowding's book", "May 15"."""
SHORTEST = 3
"""Words of a clause."""
SHORTEST_OF_VERBS = 2
"""The same where the verb says by its form who is meant."""


def clause_spans(sentence: Span, language: LanguageRules) -> list[Span]:
    """The sentence as clauses that each have a subject and a verb; the sentence alone where it has no two."""
    if compiled(language.dependent).match(sentence.text):
        return [sentence]
    return list(_spans(sentence, language))


def _spans(sentence: Span, language: LanguageRules) -> Iterator[Span]:
    joints, dependent = compiled(language.clause_joint), compiled(language.dependent)
    text, at = sentence.text, 0
    for joint in joints.finditer(text):
        before, rest = text[at : joint.start()], text[joint.end() :]
        following = joints.split(rest, maxsplit=1)[0]
        begins = compiled(language.clause_subject).match(following) and not dependent.match(following)
        goes_on = compiled(language.governs).search(before)
        if begins and not goes_on and _is_clause(before, language) and _is_clause(following, language):
            yield Span(sentence.start + at, sentence.start + joint.start(), before)
            at = joint.end()
    yield Span(sentence.start + at, sentence.end, text[at:])


def _is_clause(text: str, language: LanguageRules) -> bool:
    plain = compiled(language.relative).split(_NO_VERB.sub("", text))[0]
    words = re.findall(r"[\w']+", plain)
    has_verb = bool(compiled(language.clause_verb or language.finite).search(plain))
    has_verb = has_verb or (language.code == "en" and any(is_past(word) for word in words[:4]))
    by_form = language.first_person and compiled(language.first_person).match(plain)
    return has_verb and len(words) >= (SHORTEST_OF_VERBS if by_form else SHORTEST)
