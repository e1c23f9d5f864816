"""The English stemmer: the Porter2 algorithm, written from its published description, after what it cannot know.

Porter2 strips endings; that "bought" is "buy", "children" "child" and "colour" "color" must be told. Both work on
lower-case words without apostrophes (`words` takes possessives away first).
"""

import re
from functools import cache

_EXCEPTIONS = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
}
_REGION_PREFIXES = ("gener", "commun", "arsen", "univers", "later", "emerg", "organ", "inter", "past")
_INVARIANT = frozenset(("sky", "news", "howe", "atlas", "cosmos", "bias", "andes"))
_AFTER_1A = frozenset(("inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed"))
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_LI = "cdeghkmnrt"

_STEP_2 = (
    ("ational", "ate"),
    ("ization", "ize"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
)
_STEP_3 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_ENDS_4 = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "al",
    "er",
    "ic",
)
_STEP_4 = tuple((ending, "") for ending in _ENDS_4)
# Nearly every word has none of them: one look for all at once.
_ENDS_2, _ENDS_3 = (tuple(ending for ending, _ in step) for step in (_STEP_2, _STEP_3))

# A y that begins the word or follows a vowel is a consonant; it is written Y until the end.
_CONSONANT_Y = re.compile(r"^y|(?<=[aeiouy])y")
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_VOWEL = re.compile(r"[aeiouy]")
_SHORT_END = re.compile(r"(?:^|.*[^aeiouy])[aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$|^past$")


def _regions(word: str) -> tuple[int, int]:
    first = len(word)
    for prefix in _REGION_PREFIXES:
        if word.startswith(prefix):
            first = len(prefix)
            break
    else:
        found = _REGION.search(word)
        if found:
            first = found.end()
    found = _REGION.search(word, first)
    return first, found.end() if found else len(word)


def _plurals(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")):
        return word
    if word.endswith("s") and _VOWEL.search(word, 0, len(word) - 2):
        return word[:-1]
    return word


def _past_and_ing(word: str, first: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word[: -len(ending)] + "ee" if len(word) - len(ending) >= first else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if not word.endswith(ending):
            continue
        root = word[: -len(ending)]
        if not _VOWEL.search(root):
            return word
        if root.endswith(("at", "bl", "iz")):
            return root + "e"
        if root.endswith(_DOUBLES):
            return root if len(root) == 3 and root[0] in "aeo" else root[:-1]
        if first >= len(root) and _SHORT_END.match(root):
            return root + "e"
        return root
    return word


def _derivations(word: str, first: int, second: int) -> str:
    if word.endswith(_ENDS_2):
        word = _exchanged(word, _STEP_2, first)
    elif word.endswith("ogi") and len(word) - 3 >= first and word[-4:-3] == "l":
        word = word[:-1]
    elif word.endswith("li") and len(word) - 2 >= first and word[-3] in _LI:
        word = word[:-2]
    if word.endswith(_ENDS_3):
        return _exchanged(word, _STEP_3, first)
    if word.endswith("ative") and len(word) - 5 >= second:
        return word[:-5]
    return word


def _exchanged(word: str, endings: tuple[tuple[str, str], ...], region: int) -> str:
    """The word with the first of these endings that it has exchanged, if that lies in the region."""
    ending, other = next(pair for pair in endings if word.endswith(pair[0]))
    return word[: -len(ending)] + other if len(word) - len(ending) >= region else word


def _endings(word: str, second: int) -> str:
    if word.endswith(_ENDS_4):
        return _exchanged(word, _STEP_4, second)
    if word.endswith(("sion", "tion")) and len(word) - 3 >= second:
        return word[:-3]
    return word


def _last_letter(word: str, first: int, second: int) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if len(root) >= second or (len(root) >= first and not _SHORT_END.match(root)):
            return root
    elif word.endswith("ll") and len(word) - 1 >= second:
        return word[:-1]
    return word


def stem(word: str) -> str:
    """The stem of a lower-case English word: ``running`` and ``runs`` → ``run``."""
    if len(word) < 3:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    if word in _INVARIANT:
        return word
    word = _CONSONANT_Y.sub("Y", word)
    first, second = _regions(word)
    word = _plurals(word)
    if word in _AFTER_1A:
        return word
    word = _past_and_ing(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in "aeiouy":
        word = word[:-1] + "i"
    word = _derivations(word, first, second)
    word = _endings(word, second)
    return _last_letter(word, first, second).replace("Y", "y")


def root(word: str) -> str:
    """The stem of a word after irregular forms and British spellings: ``bought`` → ``buy``, ``colours`` → ``color``."""
    regular = _irregular().get(word)
    if regular is None:
        regular = _OUR.sub(r"\1or", word) if "our" in word else word
        regular = _ISE.sub(r"\1iz\2", regular) if "is" in regular else regular
    return stem(regular)


# Forms that are as often another word (saw, left, rose, ground, lives, leaves) are not here.
_FORMS = """become became|begin began begun|bite bitten|blow blew blown|break broke broken|breed bred|bring brought|
build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|creep crept|deal dealt|dig dug|
draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|
fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|give gave given|grow grew grown|hang hung|hear heard|hide hid hidden|
hold held|keep kept|kneel knelt|know knew known|lead led|learn learnt|lend lent|light lit|lose lost|make made|
mean meant|meet met|overcome overcame|pay paid|ride rode ridden|ring rang rung|run ran|say said|seek sought|
sell sold|send sent|shake shook shaken|shine shone|shoot shot|sing sang sung|sink sank sunk|sit sat|sleep slept|
slide slid|speak spoke spoken|spell spelt|spend spent|spoil spoilt|stand stood|steal stole stolen|stick stuck|
strike struck|swear swore sworn|sweep swept|swim swam swum|take took taken|teach taught|tear tore torn|tell told|
think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|weep wept|win won|
write wrote written|child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|wife wives|
knife knives|wolf wolves|half halves|shelf shelves|thief thieves|person persons|center centre centres|
theater theatre theatres|liter litre litres|meter metre metres|fiber fibre fibres|gray grey|
program programme programmes|catalog catalogue catalogues|check cheque cheques|tire tyre tyres|pajamas pyjamas|
jewelry jewellery|aluminum aluminium|plow plough|mom mum|airplane aeroplane|analyze analyse analysed analysing|
defense defence|license licence|offense offence|skeptical sceptical|mold mould|cozy cosy|donut doughnut|aging ageing"""

_OUR = re.compile("^(col|fav|hon|lab|neighb|behavi|hum|flav|harb|rum|endeav|od|vap|sav|tum|arm|parl|vig)our")
_ISE = re.compile("^([a-z]{4,})is(e|ed|es|er|ers|ing|able|ation|ations|ingly)$")


@cache
def _irregular() -> dict[str, str]:
    families = (family.split() for family in _FORMS.replace("\n", "").split("|"))
    return {form: forms[0] for forms in families for form in forms[1:]}


_OTHER_PASTS = frozenset("got went saw left rose put cut set let quit read hit hurt shut split spread bet beat".split())
"""Forms of the past that are also other words, or the present."""


def is_past(verb: str) -> bool:
    """Whether a verb's form can be one of the past: "bought", "moved"."""
    low = verb.lower()
    return low.endswith("ed") or low in _OTHER_PASTS or (low in _irregular() and not low.endswith("s"))


def third_person(verb: str) -> str:
    """A verb as of somebody else: sings, watches, studies."""
    if verb == "have":
        return "has"
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
