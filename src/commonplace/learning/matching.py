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

STARTS = (6, 3)
"""Letters by which the cues of rules are looked up: as many of them as a cue has."""

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
"""Words in which somebody speaks of themselves; a verb may say it too, see ``speaks_of_oneself``."""
_PLACEHOLDER = re.compile(r"\{(NAME|N|PLACE|S|ROLES|ROLE|KIN|VAL|WHEN|POSS|E|L|X)\d?\}")
_GROUP = re.compile(r"\(\?P<(\w+?)\d*>")
_CAPITALS = re.compile(r"[^.!?\n\s]['\"]?\s+(?!I\b)[A-ZÀ-ÖØ-Þ]")
"""A capital elsewhere than where a sentence begins."""
_ASKED_FOR_GOOD = re.compile(
    r"(?:(?:can|could|would|will) you (?:please )?(?:always|never)|kannst du (?:bitte )?(?:immer|nie)|peux-tu toujours"
    r"|puedes (?:por favor )?siempre|puoi (?:per favore )?sempre)\b",
    re.IGNORECASE,
)
"""An order for all times that is put as a question: "can you always give me an example?"."""
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
    text_read = text[:LONGEST].replace("’", "'")
    if not _asked(text_read):
        return
    prose = blanked(text_read)
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
    matches = [match for match in clause_matches(text) if match.rule not in match.language.mentions]
    spans = [span for span in map(_before_the_question, typed_sentences(prose)) if _states(span.text, languages)]
    unread = (_unread(span, matches, languages[0]) for span in spans)
    return tuple(Span(start, end, text[start:end]) for start, end in filter(None, unread))


def _unread(sentence: Span, matches: Sequence[ClauseMatch], language: LanguageRules) -> tuple[int, int] | None:
    start, end, _ = sentence
    if _covered(matches, start, end) < MOSTLY * (end - start):
        return start, end
    last = max((match for match in matches if match.start < end), key=lambda match: match.end)
    joint = compiled(rf"(?:[,;:–-]+\s+)?(?:(?:{language.conjunction})\s+)?").match(last.tail)
    clause = last.tail[joint.end() :] if joint else ""
    names = re.split(rf",\s*|\s+(?:{language.conjunction})\s+", clause)
    further = coordinated(last)
    if joint and joint[0] and all(map(_ONE_NAME.fullmatch, names)) and not further:
        return start, end  # "two cats, Miso and Luna": no clause of its own, and more than the rule takes
    if further and clause.rstrip(" .!").endswith(further[-1]):
        return None  # all of it are objects of the rule
    return (last.end - len(clause), last.end) if clause != last.tail and len(clause.split()) > TOLD else None


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
    while conjunction := joint.match(tail):
        clauses = (lead + tail[conjunction.end() :] for lead in leads)
        again = next((fit for clause in clauses if (fit := fits.match(clause))), None)
        if again is None or (value := _merged(again).get("o")) is None or not _alike(match, value):
            break
        objects.append(value)
        complete = len(objects) if conjunction["last"] or conjunction["end"] else complete
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


def is_reported(sentence: str) -> bool:
    """Whether a sentence tells what somebody else says or thinks."""
    return compiled(likely(sentence)[0].reported).search(sentence) is not None


def _covered(matches: Sequence[ClauseMatch], start: int, end: int) -> int:
    return sum(max(0, min(match.end, end) - max(match.start, start)) for match in matches)


@lru_cache(maxsize=256)
def likely(prose: str) -> tuple[LanguageRules, ...]:
    """The languages a message may be in, likeliest first: those whose own words it uses, and English."""
    counts: dict[int, int] = defaultdict(int)
    for word in _WORDS.findall(prose):
        for place in _OWN_WORDS.get(word.casefold(), ()):
            counts[place] += 1
    if not counts:
        return LANGUAGES[:1]
    best = max(counts.values())
    order = sorted(counts, key=lambda place: (-counts[place], place))
    ranked = [LANGUAGES[place] for place in order if counts[place] * 2 >= best]
    return (*ranked, LANGUAGES[0]) if LANGUAGES[0] not in ranked else tuple(ranked)


def _with_capitals(language: LanguageRules, prose: str) -> str:
    """Whoever types everything small means names too: those behind "I live in" get their capital."""
    if _CAPITALS.search(prose):
        return prose
    return compiled(language.before_name).sub(lambda match: match[0][: -len(match["n"])] + match["n"].title(), prose)


def _not_meant(language: LanguageRules, prose: str) -> bool:
    return bool(compiled(language.joking).search(prose) or compiled(language.fiction).search(prose))


def _hits(sentence: Span, text: str, prose: str, spoken: tuple[LanguageRules, ...]) -> Iterator[ClauseMatch]:
    """What a sentence says in the likeliest language in which it says anything. People mix languages, so that each
    sentence is asked for its own before that of the message."""
    if not sentence.text.strip(" ~"):
        return
    unchecked: list[LanguageRules] = []
    languages = dict.fromkeys((*likely(sentence.text), *spoken))
    if len(sentence.text.split()) < SHORT or not any(map(_OWN_WORDS.__contains__, sentence.text.casefold().split())):
        languages |= dict.fromkeys(LANGUAGES)  # it may hold none of its language's own words
    rules = _asked(sentence.text)
    is_question = "?" in sentence.text and not _ASKED_FOR_GOOD.match(sentence.text)
    for language in languages:
        unchecked.append(language)
        matches = list(_mentioned(language, sentence, text, rules.get((language.code, True), ())))
        indexes = () if is_question else rules.get((language.code, False), ())
        said = _said(language, sentence, text, prose, indexes) if indexes else []
        if matches or said:
            if any(_is_doubtful(earlier, sentence.text, language) for earlier in unchecked):
                return
            unchecked = []
        yield from matches
        yield from said
        if is_question or said:
            return


def _is_doubtful(language: LanguageRules, sentence_text: str, said_in: LanguageRules) -> bool:
    """A guess, or other people's words. A word of the language in which something was said doubts nothing in another:
    "se" is "if" in Italian alone."""
    doubts = [
        match for kind in (language.unsure, language.reported) for match in compiled(kind).finditer(sentence_text)
    ]
    return any(language is said_in or match[0].strip().casefold() not in said_in.common for match in doubts)


def _said(
    language: LanguageRules, sentence: Span, text: str, prose: str, indexes: Collection[int]
) -> list[ClauseMatch]:
    rules = [(index, language.rules[index]) for index in sorted(indexes)]
    matches: list[ClauseMatch] = []
    unchecked: list[_Clause] = []
    for clause in _clauses(language, sentence):
        unchecked.append(clause)
        if hit := _first(language, prose, clause, rules):
            if any(_doubted(language, prose, earlier) for earlier in unchecked):
                break
            unchecked = []
            rule, groups, lead, tail = hit
            match = ClauseMatch(
                rule, language, groups, text[clause.start : clause.end], clause.start, clause.end, clause.insisted,
                False, text[clause.raw : clause.end], lead, tail,
            )  # fmt: skip
            matches.append(match)
    return matches


def _clauses(language: LanguageRules, sentence: Span) -> Iterator[_Clause]:
    begin, _, sentence_text = sentence
    for start, end in _split(language, sentence_text):
        opened = start + _opening(language, sentence_text[start:end])
        insisted = bool(compiled(language.insists).search(sentence_text[:opened]))
        shut = opened + len(sentence_text[opened:end].rstrip(" .!?,;\n\r\t"))
        if shut > opened:
            parts = _parted(language, sentence_text, opened, shut)
            yield _Clause(begin + start, begin + opened, begin + next(parts)[1], insisted, "")
            yield from (_Clause(begin + at, begin + at, begin + to, insisted, who) for at, to, who in parts)


def _doubted(language: LanguageRules, prose: str, clause: _Clause) -> bool:
    return bool(compiled(language.doubt).search(prose[clause.raw : clause.end]))


def _mentioned(language: LanguageRules, sentence: Span, text: str, indexes: Collection[int]) -> Iterator[ClauseMatch]:
    begin, _, sentence_text = sentence
    for index in sorted(indexes):
        rule = language.mentions[index]
        for match in _rule(language.code, index, mention=True).finditer(sentence_text):
            groups = _merged(match)
            if "~" not in match[0] and _names_are_names(language, groups):
                start, end = begin + match.start(), begin + match.end()
                quote = text[start:end]
                yield ClauseMatch(rule, language, groups, quote, start, end, False, False, quote, quote, "")


def _split(language: LanguageRules, sentence_text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for joint in compiled(language.joints).finditer(sentence_text):
        if start == 0 and _is_one_of_two(language, sentence_text[: joint.start()], joint[0]):
            continue
        if joint.start() > start:
            yield start, joint.start()
        start = joint.end()
    yield start, len(sentence_text)


def _is_one_of_two(language: LanguageRules, before: str, joint: str) -> bool:
    """Whether a joint stands inside the subject: "Tom and I have been together for years" tells nothing of me alone."""
    words = before.split()
    if not 0 < len(words) < TOLD or joint.strip() not in language.conjunction.strip("(?:)").split("|"):
        return False
    name = words[-1]
    named = name[:1].isupper() and name.casefold() not in language.common | language.not_names
    return named or (len(words) == 2 and OF_ONESELF.fullmatch(words[0]) is not None)


def _parted(language: LanguageRules, sentence_text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """A clause in parts that share its subject: "I live in Vienna, work at Acme and have a dog"."""
    subject = ""
    lead = language.verbs and compiled(rf"(?P<who>{language.speaker}) (?:{language.verbs})\b").match(
        sentence_text, start, end
    )
    if lead:
        joint = rf"(?:,|,?\s+{language.conjunction})\s+(?=(?:{language.verbs})\b)"
        for match in compiled(joint).finditer(sentence_text, start, end):
            yield start, match.start(), subject
            start, subject = match.end(), f"{lead['who']} "
    yield start, end, subject


def _opening(language: LanguageRules, clause: str) -> int:
    """How many characters of a clause say nothing."""
    at = len(clause) - len(clause.lstrip(" \t\r\n*-•"))
    while empty := compiled(language.opening).match(clause, at):
        at = empty.end()
    return at


_Rules = tuple[str, bool]
"""A language's rules: its code, and whether they are those of mentions."""


@lru_cache(maxsize=64)
def _asked(text: str) -> Mapping[_Rules, set[int]]:
    """The rules of which a cue stands in the text. A message is mostly one sentence, which is asked about next."""
    low, cues = text.lower(), _cues()
    starts = {low[at : at + size] for size in STARTS for at in range(len(low) - size + 1)}
    asked: dict[_Rules, set[int]] = {}
    for start in ("", *(starts & cues.keys())):
        for cue, waiting in cues[start]:
            if cue in low:
                for rules, index, also in waiting:
                    if not also or any(other in low for other in also):
                        asked.setdefault(rules, set()).add(index)
    return asked


@cache
def _cues() -> Mapping[str, Sequence[tuple[str, Sequence[tuple[_Rules, int, Sequence[str]]]]]]:
    """By its first letters, each cue and the rules that wait for it; the shortest under no letters."""
    waiting: dict[str, list[tuple[_Rules, int, Sequence[str]]]] = defaultdict(list)
    for language in LANGUAGES:
        for mention, rules in ((False, language.rules), (True, language.mentions)):
            for index, rule in enumerate(rules):
                for cue in rule.cues:
                    waiting[cue].append(((language.code, mention), index, rule.also))
    cues: dict[str, list[tuple[str, list[tuple[_Rules, int, Sequence[str]]]]]] = {"": []}
    for cue, places in waiting.items():
        size = next((size for size in STARTS if len(cue) >= size), 0)
        cues.setdefault(cue[:size], []).append((cue, places))
    return cues


def _first(
    language: LanguageRules, prose: str, clause: _Clause, candidates: Sequence[tuple[int, Rule]]
) -> tuple[Rule, Mapping[str, str], str, str] | None:
    """The first rule that fits a clause, its groups, and what of the clause stands before its object and behind it."""
    clause_text = clause.subject + prose[clause.start : clause.end]
    for index, rule in candidates:
        if rule.shape == "kept" and not clause.insisted:
            continue
        match = _rule(language.code, index).match(clause_text)
        if match and "~" not in match[0] and not _IN_A_NUMBER.match(clause_text, match.end()):
            groups = _merged(match)
            if _names_are_names(language, groups):
                objects = [match.start(name) for name in match.groupdict() if name.startswith("o__") and match[name]]
                return (
                    rule,
                    groups,
                    clause_text[: min(objects, default=match.end())],
                    clause_text[match.end() :].strip(),
                )
    return None


_IN_A_NUMBER = re.compile(r"(?<=\d)[:.,]\d")
"""A match that ends here has cut a time or a number in two."""


def _merged(match: re.Match[str]) -> dict[str, str]:
    """Groups by their base name; of several with one name, the one that matched."""
    groups: dict[str, str] = {}
    for name, value in match.groupdict().items():
        if value is not None:
            groups.setdefault(name.split("__")[0], value.strip())
    return groups


def _names_are_names(language: LanguageRules, groups: Mapping[str, str]) -> bool:
    names = [groups[name].casefold() for name in ("who", "name", "kname") if name in groups]
    return all(name.split()[0] not in language.not_names or name in ("i", "we") for name in names)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


def speaks_of_oneself(text: str) -> bool:
    """Whether a sentence is about who says it, by a pronoun or by the form of its first verb."""
    first = likely(text)[0].first_person
    return bool(OF_ONESELF.search(text) or (first and compiled(first).match(text)))


@cache
def _rule(code: str, index: int, *, mention: bool = False) -> re.Pattern[str]:
    language = next(entry for entry in LANGUAGES if entry.code == code)
    rule = (language.mentions if mention else language.rules)[index]
    return re.compile(rule_pattern(language, rule), re.IGNORECASE)


def rule_pattern(language: LanguageRules, rule: Rule) -> str:
    """The pattern of a rule as it is compiled, its placeholders filled in."""
    return _numbered(_expanded(language, rule.pattern))


def _expanded(language: LanguageRules, pattern: str) -> str:
    roles = "|".join(re.escape(role) for role in sorted(language.roles, key=len, reverse=True))
    shapes = {
        "N": _NAME, "NAME": f"(?P<o>{_NAME})", "PLACE": f"(?P<o>{_PLACE})", "VAL": _VALUE, "ROLES": roles, "KIN": roles,
        "ROLE": f"(?P<role>{roles})", "S": language.subject, "WHEN": language.often, "POSS": language.possessive,
        "E": rf"(?=\s*(?:$|[,;:!)~]|\.(?:\s|$)|\s[—–-]\s|\b(?:{language.conjunction}|{language.ends})\b))",
        "X": rf"(?=\s*(?:$|[,;:!)~]|\.(?:\s|$)|\s[—–-]\s|\b{language.conjunction}\b))",
        "L": rf"(?=\s*(?:$|[.;:!)~]|\s[—–-]\s|\b(?:{language.ends})\b))",
    }  # fmt: skip
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: shapes[match[1]], pattern)
    return pattern


def _numbered(pattern: str) -> str:
    """A pattern may use a group's name several times; ``re`` wants each once."""
    count = 0

    def fresh(group: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"(?P<{group[1]}__{count}>"

    return _GROUP.sub(fresh, pattern)
