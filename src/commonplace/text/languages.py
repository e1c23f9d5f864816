"""What each language brings: stop words, a stemmer, names of months, number words, elisions.

Everything here is in folded form: lower case, accents stripped (`normal.fold`).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from commonplace.text import english


class Language(NamedTuple):
    """One language. ``stem`` takes and gives folded words; ``months`` maps full and short names to 1–12."""

    code: str
    stops: frozenset[str]
    stem: Callable[[str], str]
    months: Mapping[str, int]
    short_months: Mapping[str, int]
    numbers: Mapping[str, str]
    elisions: frozenset[str] = frozenset()


def _numbered(names: str, start: int = 1) -> dict[str, int]:
    """``"a/b c"`` → a and b 1, c 2."""
    return {name: n for n, group in enumerate(names.split(), start) for name in group.split("/")}


def _digits(small: str, tens: str) -> dict[str, str]:
    """Number words from two on and the tens from twenty; "one" is a pronoun or an article nearly everywhere."""
    found = {word: str(n) for word, n in _numbered(small, 2).items()}
    return found | {word: str(n * 10) for word, n in _numbered(tens, 2).items()}


def _light(endings: tuple[tuple[str, str], ...], shortest: int, then: str) -> Callable[[str], str]:
    """A light suffix stripper: the first ending that fits and leaves ``shortest`` letters, then one of ``then``."""

    def stem(word: str) -> str:
        for ending, other in endings:
            if word.endswith(ending) and len(word) - len(ending) >= shortest:
                word = word[: -len(ending)] + other
                break
        if len(word) > shortest and word[-1] in then:
            word = word[:-1]
        return word

    return stem


_ENGLISH_STOPS = """a about after again all also am an and any are aren as at be been being but by can cannot could
did do does doing don done each else ever every for from get gets getting go going gonna got had has have having he her here
hers herself him himself his how i if in into is it its itself just like let lets me might mine more most much must my
myself no nor not of off oh ok okay on once one ones only or other our ours ourselves out over own really shall she
should so some such than that the their theirs them themselves then there these they thing things this those through
to too up us very was we well were what when where which while who whom whose why will with would yeah yes you your
yours yourself yourselves dont doesnt didnt isnt arent wasnt werent cant wont wouldnt couldnt shouldnt hasnt havent
hadnt im ive youre theyre thats whats may"""

ENGLISH = Language(
    "en",
    frozenset(_ENGLISH_STOPS.split()),
    english.stem,
    _numbered("january february march april may june july august september october november december"),
    _numbered("jan feb mar apr may jun jul aug sep/sept oct nov dec"),
    _digits(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
    ),
)

LANGUAGES: dict[str, Language] = {"en": ENGLISH}


def language(code: str) -> Language:
    """The language of a code such as ``de`` or ``de-AT``; English for one that nobody taught us."""
    return LANGUAGES.get(code) or LANGUAGES.get(code[:2].lower()) or ENGLISH
