"""The English stemmer: the Porter2 algorithm, written from its published description, after a list of exceptions.

Porter2 strips endings; that "bought" is "buy", "children" "child" and "colour" "color" has to be listed. Both work on
lower-case words without apostrophes (`words` removes possessives first).
"""

import re
from functools import cache
from pathlib import Path


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """``"a>b c>"`` → a becomes b, c is dropped."""
    return tuple((old, new) for old, _, new in (pair.partition(">") for pair in text.split()))


_EXCEPTIONS = dict(
    _pairs("skis>ski skies>sky dying>die lying>lie tying>tie idly>idl gently>gentl ugly>ugli early>earli")
    + _pairs("only>onli singly>singl")
)
_REGION_PREFIXES = ("gener", "commun", "arsen", "univers", "later", "emerg", "organ", "inter", "past")
_INVARIANT = frozenset(("sky", "news", "howe", "atlas", "cosmos", "bias", "andes"))
_AFTER_1A = frozenset(("inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed"))
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_LI = "cdeghkmnrt"

_STEP_2 = _pairs(
    "ational>ate ization>ize fulness>ful ousness>ous iveness>ive tional>tion biliti>ble lessli>less entli>ent "
    "ation>ate alism>al aliti>al ousli>ous iviti>ive fulli>ful enci>ence anci>ance abli>able izer>ize ator>ate alli>al "
    "bli>ble"
)
_STEP_3 = _pairs("ational>ate tional>tion alize>al icate>ic iciti>ic ical>ic ful> ness>")
_STEP_4 = _pairs("ement> ance> ence> able> ible> ment> ant> ent> ism> ate> iti> ous> ive> ize> al> er> ic>")
# Nearly every word has none of them: check all at once.
_ENDS_2, _ENDS_3, _ENDS_4 = (tuple(ending for ending, _ in step) for step in (_STEP_2, _STEP_3, _STEP_4))

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
        match = _REGION.search(word)
        if match:
            first = match.end()
    match = _REGION.search(word, first)
    return first, match.end() if match else len(word)


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
        word = _replace_ending(word, _STEP_2, first)
    elif word.endswith("ogi") and len(word) - 3 >= first and word[-4:-3] == "l":
        word = word[:-1]
    elif word.endswith("li") and len(word) - 2 >= first and word[-3] in _LI:
        word = word[:-2]
    if word.endswith(_ENDS_3):
        return _replace_ending(word, _STEP_3, first)
    if word.endswith("ative") and len(word) - 5 >= second:
        return word[:-5]
    return word


def _replace_ending(word: str, endings: tuple[tuple[str, str], ...], region: int) -> str:
    """The word with its ending replaced by the first match in ``endings`` that is within the region."""
    ending, other = next(pair for pair in endings if word.endswith(pair[0]))
    return word[: -len(ending)] + other if len(word) - len(ending) >= region else word


def _endings(word: str, second: int) -> str:
    if word.endswith(_ENDS_4):
        return _replace_ending(word, _STEP_4, second)
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
    """The stem of a word after mapping irregular forms and British spellings: ``bought`` → ``buy``, ``colours`` →
    ``color``.
    """
    regular = _irregular().get(word)
    if regular is None:
        regular = _OUR.sub(r"\1or", word) if "our" in word else word
        regular = _ISE.sub(r"\1iz\2", regular) if "is" in regular else regular
    return stem(regular)


_OUR = re.compile("^(col|fav|hon|lab|neighb|behavi|hum|flav|harb|rum|endeav|od|vap|sav|tum|arm|parl|vig)our")
_ISE = re.compile("^([a-z]{4,})is(e|ed|es|er|ers|ing|able|ation|ations|ingly)$")


@cache
def _irregular() -> dict[str, str]:
    lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    families = (line.split() for line in lines if not line.startswith("#"))
    return {form: forms[0] for forms in families for form in forms[1:]}


_OTHER_PASTS = frozenset("got went saw left rose put cut set let quit read hit hurt shut split spread bet beat".split())
"""Past forms that are also other words, or the present."""
_EED_PASTS = ("agreed", "disagreed", "freed", "guaranteed", "refereed")


def is_past(verb: str) -> bool:
    """Whether a verb form can be a past form: "bought", "moved"."""
    low = verb.lower()
    regular = low.endswith("ed") and (not low.endswith("eed") or low in _EED_PASTS) and len(low) > 3
    return regular or low in _OTHER_PASTS or (low in _irregular() and not low.endswith("s"))


def third_person(verb: str) -> str:
    """A verb in the third person: sings, watches, studies."""
    if verb == "have":
        return "has"
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
