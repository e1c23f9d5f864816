"""From a message to what its clauses say: language, noise, sentences, clauses, and the first rule that fits each."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from commonplace.learning.languages.tables import LanguageRules, Rule, language_rules
from commonplace.learning.noise import blanked
from commonplace.text.sentences import Span, typed_sentences

LANGUAGES: tuple[LanguageRules, ...] = tuple(
    language_rules(name) for name in ("english", "italian", "spanish", "french", "german")
)

_OWN_WORDS: Mapping[str, Sequence[int]] = {
    word: [place for place, language in enumerate(LANGUAGES) if word in language.common]
    for word in frozenset().union(*(language.common for language in LANGUAGES))
}
"""Each word that is one language's own, or that of several, and where they stand in ``LANGUAGES``."""

LONGEST = 4_000
"""Longer messages are pasted text; only their beginning is somebody talking."""

TOLD = 3
"""Words that stand before a question to be looked at as a statement."""

SHORT = 8
"""Words from which on a sentence holds some of its language's own, and rules of no other language are tried."""

START = 3
"""Letters by which the cues of rules are looked up."""

MOSTLY = 0.5
"""Share of a sentence that the rules have to read; below, it counts as unread."""

_CAPITAL = r"[A-ZÀ-ÖØ-Þ]"
_WORD = rf"{_CAPITAL}[\w-]*(?:['’]{_CAPITAL}[\w-]*)?"
_TITLE = r"(?:Dr|Prof|Mr|Mrs|Ms|Dott|Sig|Sra|Sr|Mme)\.? "
_NAME = rf"(?-i:(?:{_TITLE})?{_WORD}(?:(?: (?:de|di|van|von|da|dos|der|del|della|le|la|el|bin))? {_WORD}){{0,3}})"
_PLACE = (
    rf"(?-i:{_WORD}(?:(?:[ -](?:de|di|am|an der|del|la|do|da|den|sur|of|upon|los))?[ -]{_WORD}){{0,3}}(?:, {_WORD})?)"
)
_VALUE = (
    r"(?P<o>`[^`\n]{1,80}`|[a-z][a-z+]{1,11}://[^\s,;\"')>]*[^\s,;\"')>.!]|v?\d+(?:\.\d+)+[\w-]*|[\w.-]+(?:/[\w.-]*\w)+|~?/[\w./-]*\w|"
    r"(?-i:[A-Z]{2,}-\d+)(?![\w.])|#[\w-]+|[\w-]+(?:\.[\w-]+)+(?::\d+)?|"
    r"\d[\d_,']*(?: ?(?:ms|s|sec|seconds|minutes|min|mb|gb|kb|%|k|€|eur|euros|usd|dollars|days|hours|"
    r"requests|calls|users|people|characters|tokens)(?: (?:per|a) (?:second|minute|hour|day|month))?)?|"
    r"[a-z]+[-_][\w-]+|(?-i:[A-Z][\w-]*\d[\w-]*)|main|master|develop|staging|production|true|false|on|off|debug)"
)
OF_ONESELF = re.compile(
    r"\b(?:I|I'm|I've|my|mine|me|we|our|ours|us|io|mio|mia|noi|nostr[oaie]|sono|ho|yo|mi|nosotr[oa]s|nuestr[oa]s?|soy|"
    r"estoy|je|j'ai|mon|ma|nous|notre|ich|mein\w*|wir|uns|unser\w*)\b",
    re.IGNORECASE,
)
"""Words in which somebody speaks of themselves."""
_PLACEHOLDER = re.compile(r"\{(NAME|N|PLACE|S|ROLES|ROLE|KIN|VAL|WHEN|POSS|E|L|X)\d?\}")
_GROUP = re.compile(r"\(\?P<(\w+?)\d*>")
_CAPITALS = re.compile(r"[^.!?\n\s]['\"]?\s+(?!I\b)[A-ZÀ-ÖØ-Þ]")
"""A capital elsewhere than where a sentence begins."""
_ONE_NAME = re.compile(rf"{_WORD}(?: {_WORD})?")
MOST_LISTED = 4
"""Words of an item of a list, with its article."""
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """A rule that fits a clause, and what its groups hold."""

    rule: Rule
    language: LanguageRules
    groups: Mapping[str, str]
    quote: str
    start: int
    end: int
    insisted: bool
    misspoke: bool
    around: str
    """The clause with what opens it: where its dates are."""
    lead: str
    """The clause up to the object: where its verb is."""
    tail: str
    """What the rule leaves of the clause behind the object."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence that says one thing."""

    raw: int
    """Where it starts together with what opens it."""
    start: int
    end: int
    insisted: bool
    subject: str
    """Whom it is about, where the clause before says so and this one does not."""


@lru_cache(maxsize=256)
def clause_matches(text: str) -> tuple[ClauseMatch, ...]:
    """What the clauses of a message say, in their order. Nothing for questions, guesses, jokes, fiction, other people's
    words, code and logs. A message is asked for three times: before it is kept, while it is, and to learn from it."""
    return tuple(_found(text)) if text.strip() else ()


def _found(text: str) -> Iterator[ClauseMatch]:
    """Most messages fit no rule: whether they are meant is asked of those that do."""
    prose = blanked(text[:LONGEST].replace("’", "'"))
    spoken = likely(prose)
    prose = _with_capitals(spoken[0], prose)
    matches = [match for sentence in typed_sentences(prose) for match in _hits(sentence, text, prose, spoken)]
    if not matches or any(_not_meant(language, prose) for language in spoken):
        return
    misspoke = any(compiled(language.misspoke).search(prose) for language in spoken)
    yield from (replace(match, misspoke=True) for match in matches) if misspoke else matches


def unread_sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a message that are the speaker's own statements and that no rule reads for the most part; of one
    that a rule reads, what is said behind that."""
    prose = blanked(text[:LONGEST].replace("’", "'"))
    languages = likely(prose)
    if any(compiled(language.fiction).search(prose) for language in languages):
        return ()
    matches = [match for match in clause_matches(text) if match.rule.shape != "mention"]
    spans = [span for span in map(_before_the_question, typed_sentences(prose)) if _states(span.text, languages)]
    unread = (_unread(span, matches, languages[0]) for span in spans)
    return tuple(Span(start, end, text[start:end]) for start, end in filter(None, unread))


def _unread(sentence: Span, matches: Sequence[ClauseMatch], language: LanguageRules) -> tuple[int, int] | None:
    start, end, _ = sentence
    if _covered(matches, start, end) < MOSTLY * (end - start):
        return start, end
    last = max((match for match in matches if match.start < end), key=lambda match: match.end)
    joint = compiled(rf"(?:[,;:–-]+\s+)?(?:(?:{language.conjunction})\s+)?").match(last.tail)
    said = last.tail[joint.end() :] if joint else ""
    names = re.split(rf",\s*|\s+(?:{language.conjunction})\s+", said)
    further = coordinated(last)
    if joint and joint[0] and all(map(_ONE_NAME.fullmatch, names)) and not further:
        return start, end  # "two cats, Miso and Luna": no clause of its own, and more than the rule takes
    if further and said.rstrip(" .!").endswith(further[-1]):
        return None  # all of it are objects of the rule
    return (last.end - len(said), last.end) if said != last.tail and len(said.split()) > TOLD else None


def coordinated(match: ClauseMatch) -> tuple[str, ...]:
    """Further objects that a match has behind its own: the same rule fits the clause with each of them instead
    ("I play the cello and the piano")."""
    language = match.language
    fits = _rule(language.code, language.rules.index(match.rule))
    joint = compiled(rf"\s*(?:,\s*(?P<last>(?:{language.conjunction})\s+)?|\b(?P<end>(?:{language.conjunction})\s+))")
    leads = (match.lead, re.sub(r"\S+\s*$", "", match.lead))  # the article may stand before the object
    objects: list[str] = []
    complete = 0  # a list ends with its conjunction: "flying, so he takes the train" is none
    tail = match.tail
    while found := joint.match(tail):
        clauses = (lead + tail[found.end() :] for lead in leads)
        again = next((fit for clause in clauses if (fit := fits.match(clause))), None)
        if again is None or (value := _merged(again).get("o")) is None or not _alike(match, value):
            break
        objects.append(value)
        complete = len(objects) if found["last"] or found["end"] else complete
        tail = again.string[again.end() :].strip()
    return tuple(objects[:complete])


def _alike(match: ClauseMatch, further: str) -> bool:
    """Whether a text may be one more object of a match: no clause, and a name only beside a name. German nouns all have
    a capital."""
    first, words = match.groups.get("o", ""), further.split()
    is_name = words[0][:1].isupper() and match.language.code != "de"
    return len(words) <= MOST_LISTED and (first[:1].isupper() or not is_name)


def sentence_before(text: str, place: int) -> int | None:
    """Where the sentence right before a place begins; None at the beginning of a text."""
    return max((start for start, _, _ in typed_sentences(text) if start < place), default=None)


def _before_the_question(sentence: Span) -> Span:
    """What somebody tells before they ask: "I have asthma, may I run?"; the whole sentence if it only asks or tells."""
    end = max(sentence.text.rfind(mark) for mark in (", ", "; ", ": ", " - ", " – "))
    if "?" not in sentence.text or len(sentence.text[: max(end, 0)].split()) < TOLD:
        return sentence
    return Span(sentence.start, sentence.start + end, sentence.text[:end])


def _states(sentence: str, languages: Sequence[LanguageRules]) -> bool:
    """Whether a sentence is a plain statement: no question, guess, joke or quotation. It may say who said it."""
    if "~" in sentence or "?" in sentence:
        return False
    own = languages[0]
    return not any(compiled(kind).search(sentence) for kind in (own.unsure, own.doubt, own.joking))
