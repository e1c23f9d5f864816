"""Classifies word sequences as clauses, predicates or list members, and finds subjects and verbs."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from commonplace.lazy import pattern


@cache
def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


Shape = Literal["clause", "predicate", "item", "more"]
"""A clause has its own subject, a predicate shares one, an item shares the verb too; "more" belongs to the part before.
"""


def shape_of(words: str) -> Shape:
    tokens = words.split()
    low = [token.strip("\"'“”(),").lower() for token in tokens]
    if not low:
        return "more"
    if low[0] in word_set(_DEPENDENT):
        return "more"
    if _time_then_subject().match(words):
        return "clause"
    at = verb_at(tokens)
    if at == 0:
        return "predicate"
    if at is not None and at <= 6 and (at > 0 or _contracted(low[0])):
        skipped = all(word in word_set(ADVERBS) for word in low[:at])
        if skipped:
            return "predicate"
        if low[0] in PRONOUNS | POSSESSIVES | _DETERMINERS or tokens[0][:1].isupper():
            return "clause"
    if _contracted(low[0]):
        return "clause"
    return "item"


def subject_of(words: str) -> tuple[str, str, bool]:
    """(subject, predicate, whether subject and verb are contracted)."""
    if report := _reporting().match(words):
        subject, predicate, contracted = subject_of(words[report.end() :])
        return (report[0] + subject, predicate, False) if subject and not contracted else ("", words, False)
    tokens = words.split(" ")
    if _contracted(tokens[0].lower()):
        return re.split("['’]", tokens[0])[0], words, True
    at = verb_at(tokens)
    if at is None:
        return "", words, False
    while at > 0 and tokens[at - 1].lower() in word_set(ADVERBS):
        at -= 1
    return " ".join(tokens[:at]), " ".join(tokens[at:]), False


def doer_in(subject: str) -> str:
    """A subject without a leading time or place: "Until 2022 I" is "I"."""
    match = _set_before().match(subject)
    return subject[match.end() :] if match else subject


def verb_at(tokens: Sequence[str]) -> int | None:
    """The position of the finite verb; None if there is none."""
    low = [token.strip("\"'“”(),.:").lower() for token in tokens]
    if not low:
        return None
    if low[0] in PRONOUNS:
        at = 1
        while at < len(low) and low[at] in word_set(ADVERBS):
            at += 1
        return at if at < len(low) else None
    if _contracted(low[0]):
        return 0
    opening = _opening_verb(tokens, low)
    return opening if opening is not None else _later_verb(tokens, low)


def _opening_verb(tokens: Sequence[str], low: Sequence[str]) -> int | None:
    """A verb preceded by adverbs only: an imperative, or a continuation of an earlier subject."""
    verbs, adverbs = word_set(VERBS), word_set(ADVERBS)
    opens = 0
    while opens < len(low) and low[opens] in adverbs:
        opens += 1
    if opens == len(low):
        return None
    if low[opens] in verbs and not tokens[opens][:1].isupper():
        return opens
    if low[0] in ("always", "never") and opens:
        return opens
    if opens == 0 and len(low) > 1 and low[0] in word_set(BASE):
        return 0
    follows = low[opens + 1] if opens + 1 < len(low) else ""
    return opens if _looks_finite(low[opens]) and follows in word_set(_AFTER_VERB) else None


def _later_verb(tokens: Sequence[str], low: Sequence[str]) -> int | None:
    """A verb after its subject."""
    for at in range(1, len(low)):
        owned = low[at - 1].endswith(("'s", "’s")) or low[at - 1] in _DETERMINERS | POSSESSIVES
        follows = owned or low[at - 1] in word_set(PREPOSITIONS)
        if low[at] in word_set(VERBS) and not follows and not _is_noun_here(low, at):
            return at
    for at in range(1, len(low) if tokens[0][:1].isupper() else 0):
        if tokens[at][:1].islower() and _looks_finite(low[at]) and tokens[at - 1][:1].isupper():
            return at
    for at in range(2, len(low) - 1 if low[0] in _DETERMINERS | POSSESSIVES else 0):
        before, after = low[at - 1], low[at + 1]
        singular = not before.endswith("s") and before not in word_set(PREPOSITIONS) | _DETERMINERS | POSSESSIVES
        if singular and _looks_finite(low[at]) and after in word_set(_AFTER_VERB):
            return at
    return None


def _is_noun_here(low: Sequence[str], at: int) -> bool:
    """ "The health check runs": "check" is a noun, because its subject is singular and a matching verb follows."""
    singular = low[0] in ("the", "a", "an", "this", "that", *POSSESSIVES) and not low[at - 1].endswith("s")
    bare = low[at] in word_set(BASE) and low[at] not in word_set(_PAST)
    ahead = low[at + 1 : at + 3]
    return singular and bare and any(word in word_set(VERBS) and word not in word_set(BASE) for word in ahead)


def _looks_finite(word: str) -> bool:
    plain = word.isalpha() and len(word) > 3
    return plain and (word.endswith("ed") or (word.endswith("s") and not word.endswith(("ss", "us", "is", "ous"))))


def _contracted(word: str) -> bool:
    return re.fullmatch(r"(?:i|you|he|she|it|we|they|that|there)['’](?:m|s|re|ve|d|ll)", word) is not None


def goes_on(subject: str, head: str, words: str) -> bool:
    """Whether a piece that begins with a bare verb continues "can", "should" or "wants to"."""
    tokens, first = head.split(), words.split()[0].lower()
    if not tokens or first.endswith(("s", "ed")) or first not in word_set(BASE):
        return False
    if tokens[0].lower() in word_set(_MODALS):
        return True
    plural = subject.lower() in ("i", "we", "you", "they") or not subject
    return not plural and " to " in f" {head} "


def lead_of(first: str, members: Sequence[str]) -> tuple[str, str]:
    """The words that all list members share, and the first member."""
    colon = colon_at(first)
    if colon > 0:
        return first[: colon + 1], first[colon + 2 :]
    before_name = _before_name().match(first)
    if before_name and all(member[:1].isupper() for member in members):
        return before_name[0].rstrip(), first[before_name.end() :]
    shared = _shared_article().fullmatch(first)
    if shared and all(re.fullmatch(r"[a-z][\w-]*", member) for member in members):
        return shared["lead"], shared["item"]
    tokens = first.split(" ")
    low = [token.lower() for token in tokens]
    at = (verb_at(tokens) or 0) + 1
    helping = (
        frozenset() if any(_begins(member, BASE) for member in members) else word_set(_MODALS) - {"do", "does", "did"}
    )
    while at < len(low) - 1 and (low[at] in word_set(ADVERBS) or low[at - 1] in helping):
        at += 1
    if at < len(low) - 1 and low[at] in word_set(PREPOSITIONS):
        return " ".join(tokens[: at + 1]), " ".join(tokens[at + 1 :])
    being = low[at - 1] in word_set(_BEING) or _contracted(low[at - 1])
    if being and all(_is_participle(member) for member in (" ".join(tokens[at:]), *members)):
        return " ".join(tokens[:at]), " ".join(tokens[at:])
    if at < len(low) - 1 and ((being and _is_participle(low[at])) or _has_done(low[at - 1], low[at])):
        at += 1
    for ahead in range(at, min(at + 3, len(low) - 1)):
        if low[ahead] == "to" or (being and low[ahead] in word_set(PREPOSITIONS)):
            to_do = low[ahead] == "to" and not being
            if not to_do or ahead == at:
                return " ".join(tokens[: ahead + 1]), " ".join(tokens[ahead + 1 :])
    return " ".join(tokens[:at]), " ".join(tokens[at:])


def _begins(words: str, verbs: str) -> bool:
    return words.split(" ", 1)[0].lower() in word_set(verbs)


def _has_done(first: str, second: str) -> bool:
    """ "have visited": both members share the auxiliary."""
    return re.fullmatch(r"ha(?:ve|s|d)(?:n['’]t)?", first) is not None and second.endswith(("ed", "en", "ght"))


def _is_participle(words: str) -> bool:
    """ "coming on Friday": a continuation of "is"."""
    return words.split(" ", 1)[0].lower().endswith("ing")


def colon_at(words: str) -> int:
    """The position of a colon that announces a list; -1 if there is none."""
    return masked(words).find(": ")


def masked(text: str) -> str:
    """A text of the same length, without split points inside quotes, brackets and "between … and …"."""
    return _closed().sub(lambda match: re.sub(r"[\s,;]", "_", match[0]), text)


_closed = pattern(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`|\([^()\n]{1,300}\)|\[[^\[\]\n]{1,300}\]"
    r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|\b(?:between|zwischen|tra|entre)\s+\S+(?:\s+\S+)?\s+(?:and|und|e|et|y)\s+\S+"
    r"|(?i:\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r" \d{1,2}, \d{4})"
)


@cache
def _time_then_subject() -> re.Pattern[str]:
    """ "on Tuesday I fly", "in May she left": a time, then a subject."""
    when = "(?i:on|in|at|by|since|until|from|last|next|this|every)"
    return re.compile(rf"{when} (?:[\w'’-]+ ){{1,3}}(?:I|i|we|he|she|they|you) \w+")


@cache
def _set_before() -> re.Pattern[str]:
    when = "(?i:until|till|since|in|on|from|by|before|after|during|at|last|next|this|every|for)"
    return re.compile(rf"{when} (?:[\w:'’-]+ ){{1,4}}?(?=(?:I|we|he|she|it|they|my|our|his|her|their|the)\b)")


@cache
def _before_name() -> re.Pattern[str]:
    """The words before a name after a preposition: "have offices in " Berlin."""
    before = "(?:in|at|from|to|with|for|of|by|about|on|called|named)"
    return re.compile(rf"(?:[^\sA-ZÀ-Þ]\S* )+{before} (?=[A-ZÀ-Þ]\S*(?: [A-ZÀ-Þ]\S*)*$)")


@cache
def _shared_article() -> re.Pattern[str]:
    """ "gave a toast to the" bride, and groom: a noun without an article shares the one before."""
    determiners = "the|my|our|his|her|their|your"
    before = "|".join(PREPOSITIONS.split())
    noun = r"[a-z][\w-]*(?: [a-z][\w-]*)?"
    return re.compile(
        rf"(?P<lead>.*\b(?:an?|{determiners}) {noun} (?:{before}) (?:{determiners})) (?P<item>[a-z][\w-]*)"
    )


@cache
def _reporting() -> re.Pattern[str]:
    """ "I think", "Bob said that": what follows has its own subject."""
    verbs = "think|believe|know|guess|heard|said|says|told me|told us|mentioned|thinks|believes|noted"
    return re.compile(rf"(?:I|We|He|She|They|[A-ZÀ-Þ][\w-]+) (?:{verbs})(?: that)? (?=\S+ \S)")


_PAST = "put set read cut let hit cost"
PRONOUNS = frozenset(
    "i you he she it we they there io tu lui lei noi yo ella je j' elle nous ich du er sie wir".split()
)
POSSESSIVES = frozenset("my your his her its our their mio mia mi su mon ma mein meine sein seine ihr ihre".split())
_DETERMINERS = frozenset("the a an this that these those every each no some any il la lo el le les der die das".split())
WOMEN = "wife sister mother daughter aunt niece grandmother girlfriend mum mom"
MEN = "husband brother father son uncle nephew grandfather boyfriend dad"
PEOPLE = "boss friend partner colleague manager doctor neighbour neighbor cousin child baby teacher assistant dog cat"
PLURALS = """sports news sales arts goods savings clothes games jeans glasses headquarters thanks customs species
series lens mens womens kids ladies cats dogs books records media holidays contents parts antiques accounts
communications works systems operations services students workers members friends girls boys teachers drinks wings
brains bones herbs beans peas oats chips crisps nuts berries grapes gas bass mass plans"""
"""Nouns in -s that precede another noun: "sports cars"."""
CONDITIONS = "if when whenever unless while because since although once until wenn falls se quando si quand cuando"
_DEPENDENT = """which who whose whom because since when where while if so although though unless until after before that
than then perche porque parce weil wenn dass che que not especially including such like e.g i.e respectively too"""
PREPOSITIONS = "in at on to for with of from by about into onto over under near as per via against without"
ADVERBS = """always never also usually often still now just really sometimes currently already recently finally
probably mostly only not no longer rarely then once both even soon previously formerly deeply absolutely"""
_MODALS = """can could will would should must may might shall do does did don't doesn't didn't can't cannot won't
shouldn't mustn't let's"""
_BEING = "is are was were am be been feels seems gets became got"
_AFTER_VERB = """in at on to for with from by a an the his her my their our two three four five no into as about over
up down out every each"""
BASE = """
go get like love hate prefer want need work live move use play run own study speak buy sell drive eat drink
think know say tell meet leave take make plan start stop marry teach learn write read keep hope feel become
enjoy collect visit travel grow build lead manage report test deploy push merge commit ship call email send ask
bring cook bake sing dance swim ride walk sleep stay rent pay earn save spend train coach support follow watch
listen share join owe have do be paint draw knit fish hunt climb hike ski garden volunteer attend host open
close check review back up rotate delete restart avoid wear smoke reply book order raise keep see help try hold
give put set show turn fix add remove update
"""
VERBS = f"""
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
adores adore comes come serves serve was listens hangs hung lies sits stands allergic_ {BASE} vive lavora ha
abita piace mangia studia parla trabaja tiene habla vit travaille aime parle habite lebt arbeitet hat wohnt
spricht mag ist sind sono sei siamo es son soy est suis bin habe lebe arbeite wohne vivo lavoro abito ho trabajo
tengo hablo travaille ai parlo
"""
