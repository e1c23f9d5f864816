"""What a text shows of itself, whatever is asked: does it tell or ask, of whom, with a date, a number, a name?"""

import re
from functools import cache, cached_property

from commonplace.lazy import pattern
from commonplace.text.index import asking
from commonplace.text.languages import LANGUAGES

_HEAD = 2_000
_ENOUGH = 3

_FIRST = {
    "en": "i me my mine myself we us our ours im ive i'm i've i'd i'll we're we've we'd we'll",
    "it": "io mi me mio mia miei mie noi ci nostro nostra nostri nostre",
    "es": "yo me mi mis mio mia nosotros nosotras nos nuestro nuestra nuestros nuestras",
    "fr": "je j'ai me moi mon ma mes nous notre nos",
    "de": "ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren unserem",
}
_SECOND = {
    "en": "you your yours yourself you're you've you'd you'll",
    "it": "tu ti te tuo tua tuoi tue voi vi vostro vostra",
    "es": "tu te ti tus tuyo usted ustedes vosotros vuestro",
    "fr": "tu te toi ton ta tes vous votre vos",
    "de": "du dich dir dein deine deinen deinem ihr euch euer eure",
}
_TIME = {
    "en": """yesterday today tonight tomorrow ago recently since last next weekend week month year weeks months years
    days morning evening monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december spring summer autumn winter just""",
    "it": """ieri oggi domani stasera stanotte fa scorso scorsa prossimo prossima settimana settimane mese mesi anno
    anni giorni mattina sera lunedi martedi mercoledi giovedi venerdi sabato domenica gennaio febbraio marzo aprile
    maggio giugno luglio agosto settembre ottobre novembre dicembre""",
    "es": """ayer hoy manana anoche hace pasado pasada proximo proxima semana semanas mes meses ano anos dias noche
    lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre""",
    "fr": """hier aujourd'hui demain dernier derniere prochain prochaine semaine semaines mois an ans annee annees jours
    matin soir lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout
    septembre octobre novembre decembre""",
    "de": """gestern heute morgen abend vor letzte letzten letzter nachste nachsten woche wochen monat monate jahr jahre
    jahren tage tagen montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz april mai juni
    juli august september oktober november dezember""",
}
_NUMBERS = {
    "en": "one two three four five six seven eight nine ten dozen once twice couple several",
    "it": "due tre quattro cinque sei sette otto nove dieci dozzina alcuni",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez docena varios",
    "fr": "deux trois quatre cinq six sept huit neuf dix douzaine plusieurs",
    "de": "zwei drei vier funf sechs sieben acht neun zehn dutzend einmal zweimal mehrere",
}


class Signals:
    """What the head of one text shows, worked out as it is asked for: most questions ask for little of it.

    ``asks``, ``first``, ``second`` and ``names`` run from 0 to 1. ``first`` and ``second``: how much of the speaker
    and of the listener it speaks; ``names``: capitalised words inside sentences; ``when`` and ``number``: a time or a
    quantity is mentioned. ``size`` is in characters.
    """

    def __init__(self, text: str, language: str = "en") -> None:
        self.size = len(text)
        self._head = text[:_HEAD]
        self._code = language[:2] if language[:2] in LANGUAGES else "en"

    @cached_property
    def _words(self) -> list[str]:
        words: list[str] = _word().findall(self._head.lower().replace("\u2019", "'"))
        return words

    @cached_property
    def asks(self) -> float:
        return asking(self._head)

    @cached_property
    def first(self) -> float:
        return _share(sum(map(_set("first", self._code).__contains__, self._words)))

    @cached_property
    def second(self) -> float:
        return _share(sum(map(_set("second", self._code).__contains__, self._words)))

    @cached_property
    def names(self) -> float:
        # every German noun has a capital
        return 0.0 if self._code == "de" else min(1.0, len(_name().findall(self._head)) / 2)

    @cached_property
    def when(self) -> bool:
        return not _set("time", self._code).isdisjoint(self._words) or bool(_dated().search(self._head))

    @cached_property
    def number(self) -> bool:
        return bool(_digit().search(self._head)) or not _set("number", self._code).isdisjoint(self._words)


def _share(count: int) -> float:
    return min(1.0, count / _ENOUGH)


@cache
def _set(which: str, code: str) -> frozenset[str]:
    return frozenset({"first": _FIRST, "second": _SECOND, "time": _TIME, "number": _NUMBERS}[which][code].split())


_word = pattern(r"[\w']+")
_name = pattern(r"(?<=[a-z,] )[A-Z][a-z]+")


@cache
def _dated() -> re.Pattern[str]:
    """Years, days, times of day; and the one month that is a common word too."""
    before = r"(?:in|on|by|since|until|during|of|last|next|this|early|mid|late|from|before|after|\d(?:st|nd|rd|th)?)"
    return re.compile(
        r"\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[/.]\d{1,2}\b"
        r"|\b\d{1,2}:\d\d\b|\b\d{1,2} ?(?:[ap]m\b|[ap]\.m\.|o.clock\b)|\b(?:noon|midnight)\b"
        rf"|\b{before} May\b|\bMay \d"
    )


_digit = pattern(r"\d")
