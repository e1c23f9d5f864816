"""Reading a description: the frame taken off, and what it names, asks for, and says of who and when."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache

from commonplace.retrieval.concepts import is_word, surroundings
from commonplace.retrieval.wording import (
    LINKS,
    OPENERS,
    SOFT,
    as_owner,
    exact,
    first_person,
    is_negative,
    is_turn,
    listed,
    only_digits,
    owned,
    phone,
    plainly,
    stemmed,
    surfaces,
    written_date,
)
from commonplace.text.dates import find_dates
from commonplace.text.languages import guess
from commonplace.text.languages import language as find_language
from commonplace.text.normal import fold
from commonplace.text.words import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A description, read."""

    text: str
    """Without the frame ("please forget that …")."""
    language: str
    sweeping: bool = False
    plural: bool = False
    every: bool = False
    """Whether all of a plural are asked for in so many words."""
    statement: bool = False
    negative: bool = False
    mine: bool = False
    names: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    digits: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    surfaces: dict[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    whose: str | None = None
    speaker: str | None = None
    """Folded; "i" for the owner, "assistant" for the other side."""
    span: tuple[datetime, datetime] | None = None
    """When it was said."""
    asks: str = ""
    """where, when, who, how …: the question word it opens with."""
    kind: str = ""
    """What a name is said to be: "my dog Rex", "Rust, the programming language"."""
    known: bool = False
    """Whether that says how the owner knows it (my dog, the customer) rather than which of several is meant."""
    clause: bool = False
    """Whether it tells a thing or somebody by a sentence: "the foods I like", "the patient who is deaf"."""
    role: frozenset[str] = frozenset()
    """Terms for somebody who is told by a sentence ("the patient who …"): they need not be there, a rival must not."""
    former: bool = False
    """Whether what held before is meant: "my old address"."""
    labels: frozenset[str] = frozenset()
    """Terms that only say what kind of thing something is: one of them may be missing."""


def spoken_in(text: str) -> str:
    """The language of a description: a short one is English unless its verb or several of its words say otherwise."""
    low = fold(text)
    opens = low.split(" ", 1)[0]
    for code, asked in _ASKED.items():
        if opens in asked.split():
            return code
    for code, verbs in _FORGET.items():
        if any(re.search(rf"\b{verb}\b", low) for verb in verbs.split()):
            return code
    code = guess(low)
    heard, english = (set(low.split()) & find_language(one).stops for one in (code, "en"))
    return code if len(heard) >= 2 and len(heard) > len(english) else "en"


def read(text: str, *, now: datetime, language: str = "en") -> Description:
    """Read a description given at ``now``."""
    topic, framed, stated = _unframed(as_owner(_afterthought().sub("", text)))
    topic, speaker, span, quoting = _saying(topic, now, language)
    topic, swept = _swept(topic)
    topic = _idiom(topic.strip(" \t\n.,;:!?"))
    topic, several = _several(topic)
    plain = topic.strip("\"'“”«»‘’`")
    quoted = [found[1] or found[2] for found in _quoted().finditer(topic)]
    named = _apposed().fullmatch(topic)
    sort = _sorted().search(topic)
    kind = (named["what"] or named["which"]) if named else sort["sort"] if sort else ""
    gloss = _glossed(topic) if framed or swept else ""
    identified = tuple(one for one in exact(topic) if one not in kind and not is_turn(one))
    digits = [found[0] for found in phone().finditer(topic) if _is_phone(found[0])]
    called = stated or ((framed or swept) and topic[:1].isupper())  # behind "everything about" a capital is no opening
    names = [] if topic.islower() else [named["first"] or named["last"]] if named else _names(topic, called, identified)
    taken = [*names, *quoted, *identified, *digits]
    bare = plainly(_bare(topic, taken))
    dates, numbers, terms = _counted(bare, language)
    asks = _asked().match(topic)
    who, told = _who().match(topic), _told_by_what().match(topic)
    mine = bool(first_person().search(_bare(topic, names)))
    return Description(
        text=plain if len(quoted) == 1 and quoted[0] == plain else topic,
        language=language,
        sweeping=framed or quoting or swept,
        plural=several or _is_plural(topic),
        every=several,
        statement=stated or _states(topic),
        negative=is_negative(topic),
        mine=mine,
        names=tuple(dict.fromkeys(names)),
        anchors=tuple(dict.fromkeys((*identified, *quoted))),
        numbers=numbers,
        digits=tuple(only_digits(one) for one in digits),
        dates=dates,
        terms=terms,
        surfaces=surfaces(bare, language),
        optional=_optional(
            topic,
            language,
            labelled=bool(identified or quoted or digits or numbers),
            asks=bool(asks or told),
        )
        - frozenset(words(topic.partition(",")[0], language) if gloss else ())
        | frozenset(words(gloss, language)),
        kind=kind or gloss,
        known=mine or kind in listed(_RELATIONS),
        clause=bool(who or told or topic.lower().startswith("who ")),
        role=_role(topic, language),
        former=_former().search(topic) is not None,
        labels=stemmed(_LABELS, language),
        whose=_whose(topic),
        speaker=speaker,
        span=span,
        asks="who" if who and who["role"] else asks[0].lower() if asks else "",
    )


def _glossed(topic: str) -> str:
    """The kind of a thing without a name, if it is known what is spoken of beside it: "cranes, the birds"."""
    found = re.fullmatch(r"(?i:(?:the|my|our|an?) )?[a-zà-ÿ-]+,? (?:the|an?) (?:[a-z]+ )?([a-z]+)", topic)
    return found[1] if found and surroundings(found[1]) else ""


def _counted(bare: str, language: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The dates, the numbers and the other terms of a text."""
    found = [term for term in words(bare, language) if not term.startswith("s:")]
    dates = tuple(term for term in found if term[:2] in ("d:", "m:", "t:"))
    found = [term for term in found if not _is_year(term, dates)]
    numbers = tuple(term for term in found if re.fullmatch(r"\d+(?:\.\d+)?", term))
    apart = {*dates, *numbers, *_negations(language)}
    if re.search(r"\bMarch\b|\b(?:in|of|by|until|since|before|after|\d+) march\b", bare):
        apart.add("march")  # the month, and not what soldiers do
    return dates, numbers, tuple(dict.fromkeys(term for term in found if term not in apart))


def _role(topic: str, language: str) -> frozenset[str]:
    """The terms for somebody or something told by a sentence: "the patient who …", "the machine that …"."""
    who = _who().match(topic)
    return frozenset(words(who["role"] or who["thing"], language)) if who else frozenset()


def _bare(topic: str, taken: Collection[str]) -> str:
    """The topic without what is compared whole."""
    for one in sorted(taken, key=len, reverse=True):
        topic = topic.replace(one, " , ")
    return re.sub(r"(?<=[\s,])['’]s\b", " ", topic)


def owned_thing(text: str) -> str | None:
    """ "what car I drive": my car, and "which phone Ada has": Ada's phone; None where it is not asked so."""
    asked = r"(?i:what|which)(?: (?:kind|sort|type|make|brand) of)? (?P<thing>[a-z]+(?: [a-z]+)?)"
    who = r"(?P<who>I|we|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?)"
    has = r"(?:drives?|owns?|ha(?:ve|s)|uses?|rides?|keeps?|wears?)"
    found = re.fullmatch(rf"{asked} {who} {has}\W*", _unframed(as_owner(text))[0].strip())
    if found is None:
        return None
    whose = {"I": "my", "we": "our"}.get(found["who"], f"{found['who']}'s")
    return f"{whose} {found['thing']}"


def is_empty(wanted: Description) -> bool:
    """Whether a description names nothing at all."""
    told = wanted.speaker is not None or wanted.span is not None
    return not (told or is_anchored(wanted) or set(wanted.terms) - stemmed(_EMPTY, wanted.language))


def _optional(topic: str, language: str, *, labelled: bool, asks: bool) -> frozenset[str]:
    """Terms that need not be met: vague ones, and beside an identifier those that say what kind of thing it is."""
    found = stemmed(_VAGUE, language) | stemmed(SOFT, language) | _role(topic, language)
    if _former().search(topic):
        found |= stemmed(_FORMER, language)
    if sort := _sorted().search(topic):
        found |= frozenset(words(sort["sort"], language))
    if re.search(r"['’]s? name\b|\bname of\b", topic):
        found |= stemmed("name", language)
    if asks:
        told = _told_by_what().match(topic)
        found |= stemmed(_HAPPENING, language) - frozenset(words(told["thing"], language) if told else ())
    if label := re.search(rf"\b({'|'.join(_RELATIONS.split())}) (?=[A-ZÀ-Þ])", topic):
        found |= frozenset(words(label[1], language))
    if named := _apposed().fullmatch(topic):
        found |= frozenset(words(named["what"] or named["which"], language))
    if labelled:
        found |= stemmed(_LABELS, language)
        for one in exact(topic):
            before = topic[: topic.find(one)].split()
            while before and before[-1].islower() and before[-1].isalpha() and before[-1] not in listed(LINKS):
                found |= frozenset(words(before.pop(), language))
    if event := event_of(topic, language):
        found |= frozenset(words(event, language))
    if exact(topic) and topic.lower().startswith("what "):
        found |= stemmed(_HOLDS, language)
    return found


def event_of(topic: str, language: str) -> str:
    """The word for whatever takes place, where the day tells which: "the appointment on 3 May"."""
    found = re.match(r"(?i)(?:the|my|our) (appointment|event|engagement|occasion|thing) (?:on|of|for|at) ", topic)
    dated = found and any(term.startswith("d:") for term in words(topic[found.end() :], language))
    return found[1].lower() if found and dated else ""


def is_anchored(wanted: Description) -> bool:
    """Whether it names something that must be there whole."""
    return bool(wanted.names or wanted.anchors or wanted.numbers or wanted.digits or wanted.dates)


def _unframed(text: str) -> tuple[str, bool, bool]:
    """Without what it is wrapped in; whether that asks for everything; whether a statement follows ("that …")."""
    sweeping = stated = False
    text = text.strip()
    while found := _frame().match(text):
        if not found[0].strip() or found.end() >= len(text):
            break
        sweeping = sweeping or found["all"] is not None
        stated = found["that"] is not None
        text = text[found.end() :].strip()
    return text, sweeping, stated


def _swept(topic: str) -> tuple[str, bool]:
    found = _everything().match(topic)
    return (topic[found.end() :], True) if found and found.end() < len(topic) else (topic, False)


def _several(topic: str) -> tuple[str, bool]:
    """ "all my passwords": my passwords, and all of them; "everybody who …", "all the people who …": who, and all."""
    topic = re.sub(_HAVING, lambda found: f"{found[1]} who has {'' if 'with ' in found[0] else 'no '}", topic, count=1)
    topic = re.sub(r"(?<=^all )((?:[a-z]+ )*[A-Z]{2,5}s)\b", lambda found: found[1].lower(), topic)  # all PINs
    topic, people = re.subn(_PEOPLE, "who ", topic, count=1, flags=re.IGNORECASE)
    if people:
        return topic, True
    found = re.match(
        r"(?i:all(?: of)?|each of|every one of) (?=(?i:my|our)\b|[A-ZÀ-Þ][\w-]*['’]s )"
        r"|(?i:all(?: of)?(?: the| these| those)?) (?=(?:[\w'’-]+ ){0,3}?[a-z]{3,}s\b)",
        topic,
    )
    return (topic[found.end() :], True) if found else (topic, False)


def _saying(topic: str, now: datetime, language: str) -> tuple[str, str | None, tuple[datetime, datetime] | None, bool]:
    """Who said it and when, taken out of "what Bob told me yesterday about …", "my notes from last week on …"."""
    found = _told().match(topic)
    if found is None:
        return topic, None, None, False
    speaker = found["who"] or found["whose"] or found["by"]
    low = fold(speaker) if speaker else None
    low = {"we": "i", "my": "i", "you": "assistant", "your": "assistant", "the assistant": "assistant"}.get(
        low or "", low
    )
    before, rest = found["between"] or "", found["rest"] or ""
    spans = find_dates(f"{found['day'] or ''} {found['early'] or ''} {before}", now, language)
    later = [] if spans else find_dates(rest, now, language)
    if later and later[-1].end >= len(rest.rstrip(" .")) - 1 and later[-1].kind == "relative":
        spans, rest = later[-1:], rest[: later[-1].start]
    if _time().sub("", before.lower()).strip(" ,."):
        return topic, None, None, False
    return rest, low, (spans[0].first, spans[0].last) if spans else None, True


def _idiom(topic: str) -> str:
    """Turns of phrase that name a matter, by its name."""
    for pattern, name in _idioms():
        topic = pattern.sub(name, topic)
    return topic


@cache
def _idioms() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = {
        r"\bwhat (.+?) (?:does|do|do(?:es)? it) for (?:a|her|his|my|their) living\b": r"\1 job",
        r"\bdo(?:es)? for (?:a|her|his|my|their) living\b": "job",
        r"\b(?:date|day) of birth\b": "birthday",
        r"\bbirth ?date\b": "birthday",
        r"\bmother tongue|native language\b": "native-language",
        r"\bplace (?:where )?(?:i|she|he|they) calls? home\b": "home",
        r"\bplace of (?:residence|living)\b": "home",
        r"\bthe (?:place|city|town|country|village) (?:where|in which|that)\b": "where",
        r"\bthe (?:time|day|date|year|month) (?:when|that|on which|at which)\b": "when",
        r"\b(?:the|what) (?:exact )?(?:time|day|date|year) (?=the|my|i|we|our|it|he|she|they|(?-i:[A-Z]))": "when ",
        r"\bthe (?:person|man|woman|guy|one) (?:who|that|whom)\b": "who",
        r"\bplace of work\b": "workplace",
        **{rf"^(.+?)['’]s (?:{noun}) time$": rf"when \1 {verb}" for noun, verb in _TIMED.items()},
        **{rf"^(.+?)['’]s (?:{noun}) date$": rf"when \1 {verb}, date" for noun, verb in _TIMED.items()},
        r"\bmarital status\b": "marriage",
        r"\bex-(?!wife|husband|girlfriend|boyfriend|partner|fianc)(?=[a-z])": "former ",
        r",? (?:i mean|as in|meaning|namely|i['’]m talking about),? (?=(?:the|an?)\b)": ", ",
        r"\bhome[ -]?town\b": "home",
        r"\bfood (?=allerg|intoleran)": "",
        r"\b(?:home|postal|street|mailing) address\b": "home",
        r"\bbased in\b": "lives in",
    }
    return tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in found.items())


def _states(topic: str) -> bool:
    """Whether the description is itself a sentence."""
    tokens = topic.split()
    if _asked().match(topic) or _told_by_what().match(topic) or len(tokens) < 2:
        return False
    low = [token.lower().strip(",.") for token in tokens]
    opens = tokens[0][:1].isupper() or low[0] in ("i", "we", "he", "she", "they", "it", "you")
    finite = [
        at
        for at, token in enumerate(low)
        if at and (token in listed(_FINITE) or _third(token, tokens[at])) and tokens[at][:1].islower()
    ]
    bare = low[0] in listed(_IMPERATIVE) and low[0] not in ("work", "home")
    if bare:
        return True
    if re.split("['’]", low[0])[0] in ("i", "we", "you", "he", "she", "they", "it"):
        return True
    if "'s" in tokens[0] or "’s" in tokens[0]:
        return any(low[at] in listed(_FINITE) for at in finite)
    if low[0] in ("the", "my", "our", "his", "her", "their", "a", "an"):
        found = [at for at in finite if low[at] in listed(_FINITE) and at < len(low) - 1]
        return len(found) > (low[found[0] - 1] in ("that", "which", "who")) if found else False
    return bool(opens and finite and finite[0] < len(low) - 1)


def _third(token: str, raw: str) -> bool:
    return (
        raw[:1].islower() and len(token) > 3 and token.isalpha() and token.endswith(("s", "ed")) and token[-2:] != "ss"
    )


def _names(topic: str, stated: bool, identified: Collection[str]) -> list[str]:
    """Capitalised names of one or more words; a plain word with a capital that merely opens the topic is none."""
    found: list[str] = []
    rest = topic
    for one in identified:
        rest = rest.replace(one, " , ")
    for match in _capitalised().finditer(rest):
        name = re.sub(r"['’]s?$", "", match[0])
        at = topic.find(match[0])
        first, _, more = name.partition(" ")
        if first.lower() in listed(_NO_NAMES) and more.replace(".", "").isdigit():
            continue
        if at == 0 and (first.lower() in listed(OPENERS) or (_is_plain(first) and not more and not stated)):
            name = more
        if name and name not in ("I", "I'm", "I've") and name.lower() not in listed(_NO_NAMES):
            role = re.match(r"([A-Z]{2,4}) of ", name)
            found += [role[1], name[role.end() :]] if role else [name]
    return found


def _is_plain(word: str) -> bool:
    """A word that has matters or rivals, or is a verb: with a capital only because it opens the sentence."""
    low = word.lower()
    stems = words(low)
    return low in listed(_IMPERATIVE) or any(map(is_word, stems)) or not stems


def _whose(topic: str) -> str | None:
    found = owned().search(topic)
    if found is None:
        return None
    owner: str = found["owner"]
    return "i" if owner.lower() in ("my", "our") else owner


def _is_plural(topic: str) -> bool:
    """ "my allergies", "the drinks I like", "the guests who …"."""
    told = _who().match(topic) or _told_by_what().match(topic)
    if told:
        return _seems_plural(told[1] or told["thing"])
    last = topic.split()[-1] if topic.split() else ""
    return owned().match(topic) is not None and last.islower() and _seems_plural(last) and not _states(topic)


def _seems_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "ness"))


def _is_phone(text: str) -> bool:
    """Seven digits or more with signs between them, and no date."""
    signs = re.search(r"[\s()./+-]", text.strip()) is not None
    return len(re.sub(r"\D", "", text)) >= 7 and signs and not written_date().search(text)


def _is_year(term: str, dates: Collection[str]) -> bool:
    return term.isdigit() and len(term) == 4 and any(f":{term}-" in date for date in dates)


@cache
def _negations(language: str) -> frozenset[str]:
    return stemmed("never longer not no without nobody none nothing", language)


_HAVING = (
    r"^((?i:everyone|everybody|anyone|anybody|(?:all (?:the )?)?people)) (?:with|without|who lacks?) (?:an? |any )?"
)
_PEOPLE = r"^(?:(?:all (?:of )?)?(?:the )?(?:people|persons|ones)|every(?:body|one)|all(?: of)?(?: those)?|those) who "


_FORMER = "old former formerly previous previously earlier used"


_FORGET = {
    "it": "dimentica dimenticati cancella",
    "es": "olvida borra olvidate",
    "fr": "oublie oubliez supprime efface",
    "de": "vergiss losche vergessen",
}


_ASKED = {
    "es": "dónde donde cuándo cuando quién quien cuál cual cuánto cuanto",
    "fr": "où quand quel quelle",
    "de": "wo wann wer welche welcher wieviel",
}


_TIMED = {
    "opening": "opens",
    "closing": "closes",
    "start|starting": "starts",
    "end|ending|finishing": "ends",
    "arrival": "arrives",
    "departure": "leaves",
    "delivery": "is delivered",
    "expiry|expiration": "expires",
}
"""What is said with "time" or "date" of something, and the verb that says it."""


_VAGUE = """fact facts note notes memory memories thing things info information detail details entry entries record
records statement statements rule rules stuff bit part item preference preferences story remark remarks sentence message
messages mention mentions number numbers date opinion opinions question topic subject plan plans matter claim current
exactly actually anything everything say says said tell told whole previous personal data known
routine routines habit habits schedule until till since during within"""


_LABELS = """ branch server host machine ticket issue file path folder address port version release flight room url link
website commit user account package library key variable table column invoice order page document code word string text
email mail phone telephone service instance system tool software app application platform company module function class
bug pull request pr tag handle username hashtag channel setting"""


_RELATIONS = "customer client supplier vendor colleague friend contact tenant patient student coworker neighbour"
_HAPPENING = """take takes place happen happens occur occurs held scheduled exactly located keep keeps kept put stored
store book booked reserved stay staying find found much many time use uses used have has hosted parked hung hidden
placed saved filed give gives"""


_HOLDS = """decided decides agreed resolved concluded settled written stated states noted recorded documented documents
defined defines described describes specified specifies required requires proposed proposes covered covers"""
"""What is in a paper with a number: "what was decided in ADR-4" is all that it says."""


_SORTS = """framework library language tool browser editor compiler planet river band singer brand magazine newspaper
novel film movie game song album"""


_EMPTY = """everything anything something thing things stuff memory memories fact facts info information note notes all
entry entries record records statement statements data"""


_NO_NAMES = """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
saturdays sundays january february march april may june july
august september october november december i api url i'm ci cv ip db gp ide os phd sso tv ui vpn"""


_FINITE = """is are was were am has have had does did do can could will would should must may might likes lives works
prefers owns hates loves wants needs uses plays speaks drives reports moved married never always isn't aren't doesn't
don't won't can't wasn't didn't says ist hat ha è est a lebt vive"""


_IMPERATIVE = """deploy never always use don't do push merge commit run test ship call avoid keep restart rotate write
send ask book buy take back check review delete stop start prefer"""


@cache
def _frame() -> re.Pattern[str]:
    verbs = (
        r"forget(?:ting)?|delete|remove|erase|drop|discard|scrap|wipe|clear|unlearn|get rid of|correct|fix|change"
        r"|update|revise|dimentica(?:ti)?|cancella|elimina|olvida|borra|oublie[rz]?|supprime|efface|vergiss|vergessen|lösche"
    )
    every = r"everything|anything|all|all of|every|each|any|alles|todo|tutto|tout(?: ce)?"
    about = (
        r"about|on|regarding|concerning|related to|relating to|to do with|of|mentioning|that mentions?|with|involving"
        r"|(?<=references )to|(?<=reference )to|(?<=links )to|su|sul|sulla|sobre|sur|über|di|de|à propos de"
    )
    things = (
        r"memor(?:y|ies)|notes?|facts?|entr(?:y|ies)|records?|mentions?|references?|links|statements?|information|info"
        r"|things?"
    )
    known = (
        r"(?:that )?(?:you|we|i)(?:'ve| have)? (?:know|knew|remember|have|stored|saved|got|learned|recorded|noted"
        r"|told you|said|wrote|mentioned|ever said|ever told you)|was du weißt|che sai|que sabes|que tu sais"
    )
    polite = "please|kindly|bitte|per favore|por favor|hey|ok|now|could you|can you|i want you to|you should|you can"
    fact = "fact|note|memory|claim|statement|rule|bit|part|idea|thing|belief|agreement|decision|policy|news|info"
    whose = "the|my|your|our|ce|lo"
    says = "that|where|saying|which says"
    return re.compile(
        rf"(?:(?:{polite})[ ,]+)"
        rf"|(?:(?:{verbs})\b(?:,? please)?(?: about)?[ ,:]*(?=\S))"
        rf"|(?P<all>(?:{every})\b(?: (?:{whose}))?(?: (?:{things}))?,?(?: (?:{known}))?,? (?:{about})\b\s*)"
        rf"|(?:(?:the |a |my |your |any )?(?:{things})(?: (?:{known}))? (?:{about})\b\s*)"
        rf"|(?P<that>(?:the (?:{fact}) (?:{says})|that|che|que|dass|the (?:{fact}):)\b\s*(?=\S+ \S))",
        re.IGNORECASE,
    )


@cache
def _afterthought() -> re.Pattern[str]:
    """What is said to the reader behind the description: "…, please"."""
    said = (
        r"please|pls|plz|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|ty|cheers|asap|now|right away"
        r"|for me|if you (?:can|could|would|don['’]t mind)|would you|will you|(?:from|in) (?:your|the) (?:memory|notes)"
        r"|bitte|danke|per favore|grazie|por favor|gracias|s['’]il (?:te|vous) pla[iî]t|merci"
    )
    return re.compile(rf"(?:[\s,.;!–—-]+(?:{said}))+[\s.!]*$", re.IGNORECASE)


@cache
def _everything() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:everything|anything|all|whatever)(?: (?:that|there is))?(?: (?:is|was))?"
        r"|(?:what|whatever|all|everything|anything)(?: that)? (?:you|we|i)(?:'ve| have| ever)?"
        r"(?: (?:know|knew|have|got|remember|stored|saved|learned|recorded|noted))+(?: down)?"
        r"|(?:what|whatever|all|everything|anything)(?: that)?(?: is|['’]s| was| has been)"
        r" (?:known|stored|saved|recorded|noted|kept|remembered|written))"
        r" (?:about|on|regarding|concerning|to do with|of)\s+",
        re.IGNORECASE,
    )


@cache
def _told() -> re.Pattern[str]:
    who = r"(?P<who>I|i|we|you|the assistant|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?|he|she)"
    said = (
        r"(?:said|told|mentioned|wrote|noted|claimed|suggested|recommended|asked|stated|reported|posted|saved|added"
        r"|remarked|complained|explained|shared|recorded|stored|thinks|thought)"
    )
    notes = (
        "(?:messages?|remarks?|comments?|statements?|words|opinions?|advice|suggestions?|claims?|notes?|complaints?)"
    )
    whatever = "(?i:what(?:ever)?|all|everything|anything|the things?|things|stuff)"
    day = r"(?P<day>(?i:yesterday|today|last \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
    early = r"(?P<early>(?: (?:just|ever|once|recently|yesterday|today|earlier|last \w+))*)"
    return re.compile(
        rf"(?:{whatever}(?: that)? {who}(?:'ve| have)?{early} {said}"
        rf"|(?P<whose>[A-ZÀ-Þ][\w-]+(?=['’]s)|[Mm]y|[Yy]our)(?:['’]s)? {notes}"
        rf"|{day}['’]s {notes}"
        rf"|(?:[Tt]he |[Aa]ll )?(?:the )?{notes} (?:by|from) (?P<by>[A-ZÀ-Þ][\w-]+)"
        rf"|(?:[Tt]he |[Aa]ll |[Mm]y )*{notes}(?= (?:from|of) (?:yesterday|today|last|this|\d|the \d)))"
        rf"(?P<between>(?: (?!(?:about|regarding|concerning)\b)[\w-]+){{0,8}}?)"
        rf"(?: (?:about|on|regarding|concerning) (?P<rest>.+)|$)"
    )


@cache
def _time() -> re.Pattern[str]:
    """What may stand between the saying and its topic: when, and to whom."""
    return re.compile(
        r"\b(?:yesterday|today|tonight|earlier|just|now|back|this|last|past|in|on|at|the|a|an|few|couple|of|two|three|four"
        r"|five|six|\d+(?:st|nd|rd|th)?|days?|weeks?|weekend|months?|years?|ago|morning|afternoon|evening|night|noon"
        r"|\w+day|january|february|march|april|may|june|july|august|september|october|november|december|from|to|me|you"
        r"|us|him|her|down|here|before|then|again|once|\d{4}-\d\d-\d\d)\b"
    )


@cache
def _apposed() -> re.Pattern[str]:
    """A name and what it is: "Jaguar, the car", "my dog Rex"."""
    name = r"[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*){0,2}"
    word = r"(?!project\b|team\b|with\b|for\b|from\b|about\b|and\b|near\b)[a-zà-ÿ-]{3,}"
    kind = rf"{word}(?: {word})?"
    return re.compile(
        rf"(?P<first>{name})(?:,? (?:the|my|our)|, an?) (?P<what>{kind})"
        rf"|(?:[Mm]y|[Oo]ur|[Tt]he) (?P<which>{kind}) (?P<last>{name})"
    )


@cache
def _sorted() -> re.Pattern[str]:
    """A name and what sort of thing has it: "the Express library"."""
    sorts = "|".join(_SORTS.split())
    return re.compile(rf"\b[Tt]he (?P<name>[A-ZÀ-Þ][\w-]*) (?:[a-z]+ )?(?P<sort>{sorts})\b")


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r"[\"“«`]([^\"”»`\n]{1,300})[\"”»`]|(?<!\w)['‘]([^'’\n]{2,200})['’](?!\w)")


@cache
def _asked() -> re.Pattern[str]:
    return re.compile(
        r"(?:where|when|who|whom|whose|what|which|how|why|dove|quando|dónde|donde|où|wo|wann|wer)\b", re.I
    )


@cache
def _told_by_what() -> re.Pattern[str]:
    """ "The painkiller I must not take": a thing, by what is said of it, and no sentence."""
    who = r"(?:(?i:i|we|you|he|she|they|my [\w-]+|our [\w-]+)\b|[A-ZÀ-Þ][\w-]*(?= \w))"
    return re.compile(
        rf"(?i:the|a|an|that) (?:[a-zà-ÿ-]+ )?(?P<thing>[a-zà-ÿ-]+) (?i:that |which |who |whom )?{who} \w"
    )


@cache
def _who() -> re.Pattern[str]:
    """Somebody, by what they are and a sentence ("the patient who is deaf"); something, by a word for anything."""
    things = "(?P<thing>(?:thing|one|item|object|machine|device|place|animal|tool|part)s?) (?:that|which)"
    return re.compile(rf"(?:(?i:the|those|that) )?(?:(?P<role>(?!i\b)[a-zà-ÿ-]+) who|{things}) (?=\w+ \w|\w+['’]t)")


@cache
def _former() -> re.Pattern[str]:
    """What the owner or somebody had, or was, before."""
    return re.compile(
        r"(?:\b(?i:my|our|his|her|their)|\w['’]s) (?:old|former|previous|earlier)(?= \w)"
        r"|^(?i:the) (?:former|previous)(?= \w)|\bused to(?= \w)"
    )


@cache
def _capitalised() -> re.Pattern[str]:
    word = r"(?:[a-z](?=[A-Z]))?[A-ZÀ-Þ][\w]*(?:['’][A-Z]\w+|[-&.][A-Z]?\w+)*"
    small = "(?:(?:de|di|van|von|da|der|del|della|of the|of) )?"
    return re.compile(rf"\b{word}(?: {small}{word})*(?: \d+(?:\.\d+)*(?![\w:/-]))?")
