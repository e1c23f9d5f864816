"""What kind of answer a question asks for, in five languages. Detectors may say no; they seldom say yes wrongly."""

import re
from functools import cache, lru_cache

from commonplace.text.normal import fold

_WHEN = r"""when|what (?:day|date|time|month|year|week)|which (?:day|date|month|year|week|weekday)|how long ago|
since when|on what day|in (?:what|which) (?:year|month)|how recently|
quando|(?:che|quale|qual e il) (?:giorno|data|ora|mese|anno)|in che (?:giorno|mese|anno)|a che ora|da quando|
cuando|que (?:dia|fecha|hora|mes|ano)|a que hora|en que (?:dia|fecha|mes|ano)|desde cuando|hace cuanto|
quand|quel(?:le)? (?:jour|date|heure|mois|annee)|a quelle heure|en quelle annee|depuis quand|
wann|seit wann|an welchem tag|welche[rsnm]? (?:tag|datum|monat|jahr|woche)|
um wie ?viel uhr|wie lange her"""

_WHO = r"""who|whom|whose|who's|which (?:person|people|friend|colleague|one of us)|
with whom|chi|con chi|di chi|quien|quienes|con quien|de quien|qui est(?!-ce que)|qui|avec qui|a qui|
wer|wem|wen|wessen|mit wem"""

_WHERE = r"""where|what (?:place|city|town|country|address|location)|
which (?:place|city|town|country|street|room|state)|
dove|dov'e|in (?:quale|che) (?:citta|paese|posto|luogo)|
donde|adonde|en que (?:ciudad|pais|lugar|sitio)|
ou(?: est| sont| se| a| as| habit\w+| viv\w+| travail\w+| va\w*)|d'ou|dans quel(?:le)? (?:ville|pays|endroit)|
wo|wohin|woher|in welche[rmn]? (?:stadt|land|ort)"""

_HOW_MANY = r"""how many|how much|how often|how old|how far|how tall|how long(?! ago)|
what (?:number|amount|percentage|age)|number of|quant[oiae]|ogni quanto|cuant[oa]s?|combien|
wie ?viele?|wie oft|wie alt|wie weit|wie lange(?! her)|wie gross|wie hoch"""


def asks_when(question: str) -> bool:
    """Whether the answer is a time."""
    return _asks(_WHEN, question)


def asks_who(question: str) -> bool:
    """Whether the answer is a person."""
    return _asks(_WHO, question)


def asks_where(question: str) -> bool:
    """Whether the answer is a place."""
    return _asks(_WHERE, question)


def asks_how_many(question: str) -> bool:
    """Whether the answer is a number."""
    return _asks(_HOW_MANY, question)


def _asks(phrases: str, question: str) -> bool:
    """A phrase counts at the start of a clause or near it ("so, and since when …", "do you know where …")."""
    return any(map(_pattern(phrases).search, _parts(question)))


@lru_cache(maxsize=16)
def _parts(question: str) -> list[str]:
    """The sentences that ask; all of them if no question mark tells which."""
    low = fold(question)[-2000:]
    questions = re.findall(r"[^.!?\n]*\?", low)
    return questions or re.split(r"[.!\n]+", low)


@cache
def _pattern(phrases: str) -> re.Pattern[str]:
    # Within a statement "when" and "who" join clauses: "the man who called when you slept".
    lead = (
        r"(?:and|so|but|then|also|e|ed|ma|y|pero|et|mais|und|aber|hey|ok|okay|well|about|in|at|on|from|to|with|for|"
        r"by|until|since|of|a|da|di|per|con|de|para|por|pour|avec|mit|von|bis|fur|roughly|exactly|around|approximately)"
    )
    statement = (
        r"(?:(?:do|does|did|can|could|would|will) (?:you|we|i|anyone|she|he|they) (?:\w+ ){0,3}?"
        r"(?:know|remember|tell|say|recall|mention|remind|said)(?: (?:me|us|you|her|him))?(?: again)?|remind me|"
        r"tell me|remember|i forgot|i wonder|ricordi|sai|dimmi|sabes|recuerdas|dime|sais-tu|dis-moi|te souviens-tu|"
        r"weisst du|sag mir|erinnerst du dich|what was|what is|what's)"
    )
    body = "".join(phrases.split("\n"))
    start = rf"^[\s¿\"'(,-]*(?:[\w']+,\s*)?(?:{statement}\s+|,\s*)?(?:{lead},?\s+){{0,2}}"
    return re.compile(rf"{start}(?:{body})(?!\w)|,\s+(?:{body})(?!\w)(?=[^,]*\?)")
