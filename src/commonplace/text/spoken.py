"""How people speak of time in each language: the words that `dates` reads. Folded forms, as regular expressions."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple


class Spoken(NamedTuple):
    """One language's words for time. ``parts`` are days off, first and last hour; ``ago`` is before and after."""

    days: Mapping[str, int]
    parts: Mapping[str, tuple[int, int, int]]
    last: str
    this: str
    next: str
    units: Mapping[str, str]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    ago: tuple[str, str]
    ahead: tuple[str, str]
    every: str
    since: str
    after: str
    until: str
    before: str
    during: str
    between: tuple[str, str]
    early: str
    some: Mapping[str, int]
    future: str


def spoken(code: str) -> Spoken:
    """The words of a language; English for one that nobody taught us."""
    return _spoken(code[:2].lower())


@cache
def _spoken(code: str) -> Spoken:
    return {"it": _italian, "es": _spanish, "fr": _french, "de": _german}.get(code, _english)()


def _each(words: str, start: int = 0) -> dict[str, int]:
    return {word: n for n, group in enumerate(words.split(), start) for word in group.split("/")}


def _seasons(spring: str, summer: str, autumn: str, winter: str) -> dict[str, int]:
    """The month that a season begins in, as weather services of the north count."""
    return {spring: 3, summer: 6, autumn: 9, winter: 12}


def _english() -> Spoken:
    return Spoken(
        days={
            "the day before yesterday": -2,
            "the day after tomorrow": 2,
            "day before yesterday": -2,
            "day after tomorrow": 2,
            "yesterday": -1,
            "tomorrow": 1,
            "today": 0,
        },
        parts={
            "yesterday morning": (-1, 5, 12),
            "yesterday afternoon": (-1, 12, 18),
            "yesterday evening": (-1, 18, 24),
            "tomorrow morning": (1, 5, 12),
            "tomorrow afternoon": (1, 12, 18),
            "tomorrow (?:evening|night)": (1, 18, 24),
            "last night": (-1, 18, 30),
            "this morning": (0, 5, 12),
            "this afternoon": (0, 12, 18),
            "this evening": (0, 18, 24),
            "tonight": (0, 18, 30),
        },
        last="last|past|previous",
        this="this|current|earlier this|later this",
        next="next|coming|upcoming",
        units={
            "minutes?": "minute",
            "hours?": "hour",
            "days?": "day",
            "weeks?": "week",
            "fortnights?": "fortnight",
            "weekends?": "weekend",
            "months?": "month",
            "years?": "year",
        },
        weekdays=_each("monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thurs friday/fri saturday sunday"),
        seasons=_seasons("spring", "summer", "autumn|fall", "winter"),
        ago=("", "ago|before now"),
        ahead=("in|within", "from now|from today"),
        every="every|each|on",
        since="since|starting|from",
        after="after",
        until="until|till|by|up to",
        before="before|prior to",
        during="in|during|of|throughout|early in|late in|back in",
        between=("between|from", "and|to|until|till|through|-|–"),
        early="early|mid|late",
        some={"an?": 1, "one": 1, "a couple(?: of)?": 2, "a few": 3, "few": 3, "several": 4},
        future=r"\b(?:will|'ll|going to|gonna|shall|upcoming|planning|plans? to|due|deadline|scheduled)\b",
    )


def _italian() -> Spoken:
    return Spoken(
        days={
            "l'altro ieri": -2,
            "altro ieri|altroieri|avantieri": -2,
            "dopodomani": 2,
            "ieri": -1,
            "domani": 1,
            "oggi": 0,
        },
        parts={
            "ieri mattina": (-1, 5, 12),
            "ieri pomeriggio": (-1, 12, 18),
            "ieri sera|ieri notte": (-1, 18, 30),
            "domani mattina": (1, 5, 12),
            "domani sera": (1, 18, 24),
            "stamattina|stamani|questa mattina": (0, 5, 12),
            "oggi pomeriggio|questo pomeriggio": (0, 12, 18),
            "stasera|questa sera": (0, 18, 24),
            "stanotte": (0, 0, 6),
        },
        last="scors[oaie]|passat[oaie]|ultim[oaie]",
        this="quest[oae']",
        next="prossim[oaie]",
        units={
            "minut[oi]": "minute",
            "or[ae]": "hour",
            "giorn[oi]": "day",
            "settiman[ae]": "week",
            "fine settimana|weekend": "weekend",
            "mes[ei]": "month",
            "ann[oi]": "year",
        },
        weekdays=_each("lunedi martedi mercoledi giovedi venerdi sabato domenica"),
        seasons=_seasons("primavera", "estate", "autunno", "inverno"),
        ago=("", "fa|or sono"),
        ahead=("tra|fra", ""),
        every="ogni|tutti i|tutte le",
        since="dal|dall'|da",
        after="dopo il|dopo",
        until="fino al|fino a|entro il|entro",
        before="prima del|prima di",
        during="in|nel|nell'|a|di|durante",
        between=("tra|fra|dal", "e|al"),
        early="inizio|meta|fine",
        some={"un[oa]?": 1, "un paio di": 2, "alcun[ie]|qualche": 3},
        future=r"\b(?:sara|andro|faro|verra|saranno)\b",
    )


def _spanish() -> Spoken:
    return Spoken(
        days={
            "anteayer|antes de ayer|antier": -2,
            "pasado manana": 2,
            "ayer": -1,
            "manana": 1,
            "hoy": 0,
        },
        parts={
            "ayer por la manana": (-1, 5, 12),
            "ayer por la tarde": (-1, 12, 20),
            "ayer por la noche|anoche": (-1, 18, 30),
            "manana por la manana": (1, 5, 12),
            "manana por la tarde": (1, 12, 20),
            "esta manana": (0, 5, 12),
            "esta tarde": (0, 12, 20),
            "esta noche": (0, 18, 30),
        },
        last="pasad[oa]s?|ultim[oa]s?",
        this="est[ea]",
        next="proxim[oa]s?|que viene",
        units={
            "minutos?": "minute",
            "horas?": "hour",
            "dias?": "day",
            "semanas?": "week",
            "fin de semana|fines de semana": "weekend",
            "mes(?:es)?": "month",
            "anos?": "year",
        },
        weekdays=_each("lunes martes miercoles jueves viernes sabado/sabados domingo/domingos"),
        seasons=_seasons("primavera", "verano", "otono", "invierno"),
        ago=("hace", "atras"),
        ahead=("dentro de|en", ""),
        every="cada|todos los|todas las|los",
        since="desde el|desde|a partir de",
        after="despues del|despues de|tras",
        until="hasta el|hasta",
        before="antes del|antes de",
        during="en|durante|de|del",
        between=("entre|de|del|desde", "y|a|al|hasta"),
        early="principios de|mediados de|finales de|fines de",
        some={"una?": 1, "un par de": 2, "unos|unas|algun[oa]s": 3},
        future=r"\b(?:sera|seran|voy a|vamos a|va a)\b",
    )


def _french() -> Spoken:
    return Spoken(
        days={
            "avant[- ]hier": -2,
            "apres[- ]demain": 2,
            "hier": -1,
            "demain": 1,
            "aujourd['’]hui": 0,
        },
        parts={
            "hier matin": (-1, 5, 12),
            "hier apres[- ]midi": (-1, 12, 18),
            "hier soir": (-1, 18, 30),
            "demain matin": (1, 5, 12),
            "demain apres[- ]midi": (1, 12, 18),
            "demain soir": (1, 18, 24),
            "ce matin": (0, 5, 12),
            "cet apres[- ]midi": (0, 12, 18),
            "ce soir": (0, 18, 24),
            "cette nuit": (0, 0, 6),
        },
        last="dernier|derniere|passee?|derniers|dernieres",
        this="ce|cet|cette",
        next="prochaine?|prochaines?|qui vient",
        units={
            "minutes?": "minute",
            "heures?": "hour",
            "jours?": "day",
            "semaines?": "week",
            "week-?ends?": "weekend",
            "mois": "month",
            "ans?|annees?": "year",
        },
        weekdays=_each("lundi/lundis mardi/mardis mercredi/mercredis jeudi/jeudis vendredi/vendredis samedi dimanche"),
        seasons=_seasons("printemps", "ete", "automne", "hiver"),
        ago=("il y a", ""),
        ahead=("dans", ""),
        every="chaque|tous les|toutes les",
        since="depuis le|depuis|a partir de|des",
        after="apres le|apres",
        until="jusqu'au|jusqu'en|jusqu'a",
        before="avant le|avant",
        during="en|au|pendant|de|durant|dans",
        between=("entre|de|du", "et|a|au"),
        early="debut|mi|fin",
        some={"une?": 1, "quelques": 3, "plusieurs": 4},
        future=r"\b(?:sera|seront|vais|allons|va)\b",
    )


def _german() -> Spoken:
    return Spoken(
        days={
            "vorgestern": -2,
            "ubermorgen|uebermorgen": 2,
            "gestern": -1,
            "morgen": 1,
            "heute": 0,
        },
        parts={
            "gestern (?:morgen|fruh|vormittag)": (-1, 5, 12),
            "gestern nachmittag": (-1, 12, 18),
            "gestern abend|gestern nacht|letzte nacht": (-1, 18, 30),
            "morgen (?:fruh|vormittag)": (1, 5, 12),
            "morgen nachmittag": (1, 12, 18),
            "morgen abend": (1, 18, 24),
            "heute (?:morgen|fruh|vormittag)": (0, 5, 12),
            "heute nachmittag": (0, 12, 18),
            "heute (?:abend|nacht)": (0, 18, 30),
        },
        last="letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?",
        this="diese[nrsm]?",
        next="nachste[nrsm]?|naechste[nrsm]?|kommende[nrsm]?",
        units={
            "minuten?": "minute",
            "stunden?": "hour",
            "tage?n?": "day",
            "wochen?": "week",
            "wochenenden?|wochenende": "weekend",
            "monate?n?|monats": "month",
            "jahre?n?|jahrs": "year",
        },
        weekdays=_each("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag"),
        seasons=_seasons("fruhling|fruhjahr", "sommer", "herbst", "winter"),
        ago=("vor", ""),
        ahead=("in", ""),
        every="jede[nrsm]?|alle",
        since="seit dem|seit|ab dem|ab",
        after="nach dem|nach",
        until="bis zum|bis",
        before="vor dem",
        during="im jahre?|im|in|wahrend",
        between=("zwischen|von|vom", "und|bis|bis zum"),
        early="anfang|mitte|ende",
        some={"eine[mnr]?|ein": 1, "ein paar": 3, "paar|einigen?|mehreren?": 3},
        future=r"\b(?:wird|werden|werde|wirst)\b",
    )
