"""From a message to what its clauses say: language, noise, sentences, clauses, and the first rule that fits each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile

from commonplace.extraction.languages.english import ENGLISH
from commonplace.extraction.languages.french import FRENCH
from commonplace.extraction.languages.german import GERMAN
from commonplace.extraction.languages.italian import ITALIAN
from commonplace.extraction.languages.spanish import SPANISH
from commonplace.extraction.languages.tables import Language, Rule
from commonplace.extraction.noise import blanked
from commonplace.text.sentences import Span, sentences

LANGUAGES: tuple[Language, ...] = (ENGLISH, ITALIAN, SPANISH, FRENCH, GERMAN)

LONGEST = 4_000
"""Longer messages are pasted text; only their beginning is somebody talking."""

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
_PLACEHOLDER = re.compile(r"\{(NAME|N|PLACE|S|ROLES|ROLE|KIN|VAL|WHEN|POSS|E|L|X)\d?\}")
_GROUP = re.compile(r"\(\?P<(\w+?)\d*>")
_CAPITALS = re.compile(r"[^.!?\n\s]['\"]?\s+(?!I\b)[A-ZÀ-ÖØ-Þ]")
"""A capital elsewhere than where a sentence begins."""
_SMALL_STOP = re.compile(r"([?!]+|(?<=[^\W\d_]{3})(?<! etc)(?<! approx)(?<! prof)\.+)\s+(?=[^\W\d_A-Z])")
"""Where a sentence ends and the next begins with a small letter."""
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Found:
    """A rule that fits a clause, and what its groups hold."""

    rule: Rule
    language: Language
    groups: Mapping[str, str]
    quote: str
    start: int
    end: int
    insisted: bool
    misspoke: bool
    around: str
    """The clause with what opens it: where its dates are."""


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
def found(text: str) -> tuple[Found, ...]:
    """What the clauses of a message say, in their order. Nothing for questions, guesses, jokes, fiction, other people's
    words, code and logs. A message is asked for three times: before it is kept, while it is, and to learn from it."""
    return tuple(_found(text)) if text.strip() else ()


def _found(text: str) -> Iterator[Found]:
    prose = blanked(text[:LONGEST].replace("’", "'"))
    spoken = likely(prose)
    prose = _with_capitals(spoken[0], prose)
    if any(_not_meant(language, prose) for language in spoken):
        return
    misspoke = any(_compiled(language.misspoke).search(prose) for language in spoken)
    for sentence in _sentences(prose):
        yield from _hits(sentence, text, prose, spoken, misspoke=misspoke)


def likely(prose: str) -> tuple[Language, ...]:
    """The languages a message may be in, likeliest first: those whose own words it uses, and English."""
    words = [word.casefold() for word in _WORDS.findall(prose)]
    scored = [(sum(word in language.common for word in words), language) for language in LANGUAGES]
    best = max(score for score, _ in scored)
    if best == 0:
        return LANGUAGES[:1]
    ranked = [language for score, language in sorted(scored, key=lambda one: -one[0]) if score and score * 2 >= best]
    return (*ranked, LANGUAGES[0]) if LANGUAGES[0] not in ranked else tuple(ranked)


def _sentences(prose: str) -> Iterator[Span]:
    """Sentences, also of people who begin them small."""
    for start, end, said in sentences(prose):
        at = 0
        for stop in _SMALL_STOP.finditer(said):
            yield Span(start + at, start + stop.end(1), said[at : stop.end(1)])
            at = stop.end()
        yield Span(start + at, end, said[at:])


def _with_capitals(language: Language, prose: str) -> str:
    """Whoever types everything small means names too: those behind "I live in" get their capital."""
    if _CAPITALS.search(prose):
        return prose
    return _compiled(language.before_name).sub(lambda one: one[0][: -len(one["n"])] + one["n"].title(), prose)


def _not_meant(language: Language, prose: str) -> bool:
    return bool(_compiled(language.joking).search(prose) or _compiled(language.fiction).search(prose))


def _hits(sentence: Span, text: str, prose: str, spoken: tuple[Language, ...], *, misspoke: bool) -> Iterator[Found]:
    """What a sentence says in the likeliest language in which it says anything. People mix languages, so that each
    sentence is asked for its own before that of the message."""
    if not sentence.text.strip(" ~"):
        return
    for language in dict.fromkeys((*likely(sentence.text), *spoken)):
        if _compiled(language.unsure).search(sentence.text) or _compiled(language.reported).search(sentence.text):
            return
        yield from _mentioned(language, sentence, text)
        if "?" in sentence.text:
            return
        sure = takewhile(lambda one: not _doubted(language, prose, one), _clauses(language, sentence))  # noqa: B023
        asked = _asked(language, sentence.text)
        hits = [(clause, hit) for clause in sure if (hit := _first(language, prose, clause, asked))]
        for clause, (rule, groups) in hits:
            yield Found(
                rule, language, groups, text[clause.start : clause.end], clause.start, clause.end, clause.insisted,
                misspoke, text[clause.raw : clause.end],
            )  # fmt: skip
        if hits:
            return


def _clauses(language: Language, sentence: Span) -> Iterator[_Clause]:
    begin, _, said = sentence
    for start, end in _split(language, said):
        opened = start + _opening(language, said[start:end])
        insisted = bool(_compiled(language.insists).search(said[:opened]))
        shut = opened + len(said[opened:end].rstrip(" .!,;\n\r\t"))
        if shut > opened:
            parts = _parted(language, said, opened, shut)
            yield _Clause(begin + start, begin + opened, begin + next(parts)[1], insisted, "")
            yield from (_Clause(begin + at, begin + at, begin + to, insisted, who) for at, to, who in parts)


def _doubted(language: Language, prose: str, clause: _Clause) -> bool:
    return bool(_compiled(language.doubt).search(prose[clause.raw : clause.end]))


def _mentioned(language: Language, sentence: Span, text: str) -> Iterator[Found]:
    begin, _, said = sentence
    for index, rule in enumerate(language.mentions):
        if not any(cue in said.lower() for cue in rule.cues):
            continue
        for match in _rule(language.code, index, mention=True).finditer(said):
            groups = _merged(match)
            if "~" not in match[0] and _names_are_names(language, groups):
                start, end = begin + match.start(), begin + match.end()
                yield Found(rule, language, groups, text[start:end], start, end, False, False, text[start:end])


def _split(language: Language, said: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in _compiled(language.joints).finditer(said):
        if joint.start() > start:
            yield start, joint.start()
        start = joint.end()
    yield start, len(said)


def _parted(language: Language, said: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """A clause in parts that share its subject: "I live in Vienna, work at Acme and have a dog"."""
    subject = ""
    lead = language.verbs and _compiled(rf"(?P<who>{language.speaker}) (?:{language.verbs})\b").match(said, start, end)
    if lead:
        joint = rf"(?:,|,?\s+{language.conjunction})\s+(?=(?:{language.verbs})\b)"
        for found in _compiled(joint).finditer(said, start, end):
            yield start, found.start(), subject
            start, subject = found.end(), f"{lead['who']} "
    yield start, end, subject


def _opening(language: Language, clause: str) -> int:
    """How many characters of a clause say nothing."""
    at = len(clause) - len(clause.lstrip(" \t\r\n*-•"))
    while opening := _compiled(language.opening).match(clause, at):
        at = opening.end()
    return at


def _asked(language: Language, sentence: str) -> list[tuple[int, Rule]]:
    """The rules of which a cue stands in the sentence, in their order."""
    around = sentence.lower()
    wanted: set[int] = set()
    for cue, indexes in _cues(language.code).items():
        if cue in around:
            wanted.update(indexes)
    return [(index, language.rules[index]) for index in sorted(wanted)]


@cache
def _cues(code: str) -> Mapping[str, Sequence[int]]:
    """By cue, the rules that wait for it: most share theirs, and each is looked for once."""
    language = next(one for one in LANGUAGES if one.code == code)
    found: dict[str, list[int]] = {}
    for index, rule in enumerate(language.rules):
        for cue in rule.cues:
            found.setdefault(cue, []).append(index)
    return found


def _first(
    language: Language, prose: str, clause: _Clause, asked: Sequence[tuple[int, Rule]]
) -> tuple[Rule, Mapping[str, str]] | None:
    said = clause.subject + prose[clause.start : clause.end]
    for index, rule in asked:
        if rule.shape == "kept" and not clause.insisted:
            continue
        match = _rule(language.code, index).match(said)
        if match and "~" not in match[0]:
            groups = _merged(match)
            if _names_are_names(language, groups):
                return rule, groups
    return None


def _merged(match: re.Match[str]) -> dict[str, str]:
    """Groups by their base name; of several with one name, the one that matched."""
    groups: dict[str, str] = {}
    for name, value in match.groupdict().items():
        if value is not None:
            groups.setdefault(name.split("__")[0], value.strip())
    return groups


def _names_are_names(language: Language, groups: Mapping[str, str]) -> bool:
    named = [groups[one].casefold() for one in ("who", "name", "kname") if one in groups]
    return all(one.split()[0] not in language.not_names or one in ("i", "we") for one in named)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


@cache
def _rule(code: str, index: int, *, mention: bool = False) -> re.Pattern[str]:
    language = next(one for one in LANGUAGES if one.code == code)
    rule = (language.mentions if mention else language.rules)[index]
    return re.compile(_numbered(_expanded(language, rule.pattern)), re.IGNORECASE)


def _expanded(language: Language, pattern: str) -> str:
    roles = "|".join(re.escape(role) for role in sorted(language.roles, key=len, reverse=True))
    shapes = {
        "N": _NAME, "NAME": f"(?P<o>{_NAME})", "PLACE": f"(?P<o>{_PLACE})", "VAL": _VALUE, "ROLES": roles, "KIN": roles,
        "ROLE": f"(?P<role>{roles})", "S": language.subject, "WHEN": language.often, "POSS": language.possessive,
        "E": rf"(?=\s*(?:$|[,;:!)~]|\.(?:\s|$)|\s[—–-]\s|\b(?:{language.conjunction}|{language.ends})\b))",
        "X": rf"(?=\s*(?:$|[,;:!)~]|\.(?:\s|$)|\s[—–-]\s|\b{language.conjunction}\b))",
        "L": rf"(?=\s*(?:$|[.;:!)~]|\s[—–-]\s|\b(?:{language.ends})\b))",
    }  # fmt: skip
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda one: shapes[one[1]], pattern)
    return pattern


def _numbered(pattern: str) -> str:
    """A pattern may use a group's name several times; ``re`` wants each once."""
    count = 0

    def fresh(group: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"(?P<{group[1]}__{count}>"

    return _GROUP.sub(fresh, pattern)
