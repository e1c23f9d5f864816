"""What each language brings: stop words, a stemmer, names of months, number words, elisions.

Everything here is in folded form: lower case, accents stripped (`normal.fold`). The English stemmer is Porter2; the
others strip the endings of number, gender and the common verb forms and leave derivation alone.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from commonplace.text import english


class Language(NamedTuple):
    """One language. ``stem`` takes and gives folded words; months map to 1–12.

    ``telling`` are the stop words that questions without any other word are made of: who, was, he, not.
    """

    code: str
    stops: frozenset[str]
    telling: frozenset[str]
    stem: Callable[[str], str]
    months: Mapping[str, int]
    short_months: Mapping[str, int]
    numbers: Mapping[str, str]
    elisions: frozenset[str] = frozenset()


LANGUAGES = ("en", "it", "es", "fr", "de")

_SPELLED_UMLAUT = re.compile("(?<![aeq])([aou])e")
_FRENCH_ELISIONS = "l d j m t s n c qu jusqu lorsqu puisqu quoiqu"
_ITALIAN_ELISIONS = "l un dell nell all dall sull quell quest c d m t s v n bell sant dov cos com"


def language(code: str) -> Language:
    """The language of a code such as ``de`` or ``de-AT``; English for one that nobody taught us."""
    return _language(code[:2].lower())


def guess(text: str) -> str:
    """The code of the language whose stop words a folded text holds most of; ``en`` in doubt."""
    vocabulary = set(text.split()[:200])
    best, best_count = "en", 0
    for code in LANGUAGES:
        shared = len(vocabulary & language(code).stops)
        if shared > best_count:
            best, best_count = code, shared
    return best


@cache
def _language(code: str) -> Language:
    return _MAKERS.get(code, _english)()


def _numbered(names: str, start: int = 1) -> dict[str, int]:
    """``"a/b c"`` → a and b 1, c 2."""
    return {name: n for n, group in enumerate(names.split(), start) for name in group.split("/")}


def _digits(small: str, tens: str, unit: str, join: Callable[[str, str], str]) -> dict[str, str]:
    """Number words from two on, the tens from twenty, and what ``join`` makes of a ten and a number below it.

    "One" alone is a pronoun or an article nearly everywhere. A compound stands there without its hyphens.
    """
    units, round_ones = _numbered(small, 2), {word: n * 10 for word, n in _numbered(tens, 2).items()}
    below = {unit: 1} | {word: n for word, n in units.items() if n < 10}
    compounds = {join(ten, word): n + m for ten, n in round_ones.items() for word, m in below.items()}
    return {word: str(n) for word, n in (units | round_ones | compounds).items()}


def _stripper(endings: str, shortest: int, tail: str) -> Callable[[str], str]:
    """A stemmer: the first of ``endings`` that leaves ``shortest`` letters is dropped (or replaced: ``aux>al``),
    then up to two letters of ``tail``."""
    pairs = [(old, new) for old, _, new in (ending.partition(">") for ending in endings.split())]

    def stem(word: str) -> str:
        for old, new in pairs:
            if word.endswith(old) and len(word) - len(old) + len(new) >= shortest:
                word = word[: -len(old)] + new
                break
        for _ in range(2):
            if len(word) > shortest and word[-1] in tail:
                word = word[:-1]
        return word

    return stem


def _undoubled(endings: str, shortest: int, tail: str) -> Callable[[str], str]:
    """A `_stripper` whose stems end in one consonant where they would end in the same one twice."""
    strip = _stripper(endings, shortest, tail)

    def stem(word: str) -> str:
        word = strip(word)
        return word[:-1] if len(word) > shortest and word[-1] == word[-2] else word

    return stem


def _german_stem(word: str) -> str:
    """Umlauts may be spelled with e; the participle's ge- goes; then an ending of case or person, then one of tense."""
    if len(word) >= 7 and word.startswith("ge") and word.endswith(("t", "en")):
        word = word[2:]
    word = _SPELLED_UMLAUT.sub(r"\1", word)
    for ending in ("ungen", "heiten", "keiten", "innen"):
        if word.endswith(ending) and len(word) >= 8:
            return word[:-2] if ending != "innen" else word[:-3]
    if len(word) > 3 and word[-1] == "s" and word[-2] in "bdfghklmnrt":
        word = word[:-1]
    for ending in ("est", "ern", "em", "er", "en", "es", "et", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    else:
        if len(word) > 4 and word.endswith("st") and word[-3] in "bdfghklmnrt":
            word = word[:-2]
    for ending in ("tet", "t"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _english() -> Language:
    telling = """am are be been being can could did do does doing had has he her hers him his how no nor not or she
    shall should them themselves they was were what when where which who whom whose why will would himself herself"""
    stops = """a about after again all also an and any aren as at but by cannot don done each else ever every for from
    get gets getting go going gonna got have having here i if in into is it its itself just let lets me might mine more
    most much must my myself of off oh ok okay on once one ones only other our ours ourselves out over own really so
    some such than that the their theirs then there these thing things this those through to too up us very we well
    while with yeah yes you your yours yourself yourselves dont doesnt didnt isnt arent wasnt werent cant wont wouldnt
    couldnt shouldnt hasnt havent hadnt im ive youre theyre thats whats may"""
    return Language(
        "en",
        frozenset(stops.split() + telling.split()),
        frozenset(telling.split()),
        english.root,
        _numbered("january february march april may june july august september october november december"),
        _numbered("jan feb mar apr may jun jul aug sep/sept oct nov dec"),
        _digits(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen",
            "twenty thirty forty fifty sixty seventy eighty ninety",
            "one",
            str.__add__,
        ),
        frozenset(_FRENCH_ELISIONS.split()) - {"s", "t", "m", "d"},
    )


def _italian() -> Language:
    telling = """chi cosa come quando dove perche quale quali quanto quanti quanta quante era erano ero eri stato stata
    stati state essere egli lui lei loro essi non o fu furono fosse sara saranno sono sei siamo siete aveva avevano
    ebbe avra fare fa faceva fatto"""
    stops = """a ad ai al alla alle allo agli anche ancora avere abbia abbiamo avete c che ci con cui d da dai dal dalla
    dalle dallo dagli de dei del della delle dello degli di e ed gli ha hai hanno ho i il in io l la le li lo ma me mi
    mia mie miei mio molto ne negli nei nel nella nelle nello noi nostra nostre nostri nostro ogni per pero piu poi qui
    quel quella quelle quelli quello questa queste questi questo qua se si sia solo sta stai sto stanno su sua sue sugli
    sui sul sulla sulle sullo suo suoi te ti tra fra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno va vi voi
    vostra vostri vostro vostre cosi quindi gia puo posso poi be ecco"""
    return Language(
        "it",
        frozenset(stops.split() + telling.split()),
        frozenset(telling.split()),
        _stripper(
            "amente> mente> azioni>azion azione>azion erebbero> erebbe> irebbe> eranno> iranno> avamo> evamo> "
            "avano> evano> ivano> arono> erono> irono> assero> essero> issero> ando> endo> iamo> ate> ete> ite> "
            "ato> ata> ati> ito> ita> iti> uto> uta> uti> ute> ava> eva> iva> avo> evo> ivo> are> ere> ire> arsi> "
            "ersi> irsi> ero> era> eremo> iremo> ano> ono> chi>c che>c ghi>g ghe>g",
            3,
            "aeio",
        ),
        _numbered("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        _numbered("genn/gen febbr/feb mar apr mag giu lug ago set/sett ott nov dic"),
        _digits(
            "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
            "diciassette diciotto diciannove",
            "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
            "uno",
            lambda ten, unit: (ten[:-1] if unit[0] in "uo" else ten) + unit,
        ),
        frozenset(_ITALIAN_ELISIONS.split()),
    )


def _spanish() -> Language:
    telling = """quien quienes que cuando donde como cual cuales cuanto cuantos cuanta cuantas era eran eras fue fueron
    fui ser sido siendo el ella ellos ellas estar estaba estaban estuvo son es somos no ni o hizo hace hacer hacia hay
    habia porque tenia tuvo"""
    stops = """a al algo ante antes aqui asi aun aunque con contra cada de del desde e en entre eso esa esas ese esos
    esta estas este esto estos estoy estan estamos ha han has he hemos haber hasta la las le les lo los mas me mi mia
    mias mio mios mis muy mucho mucha muchos muchas nada nos nosotros nosotras nuestra nuestras nuestro nuestros os otra
    otras otro otros para pero poco por pues se si sin sobre solo soy su sus suya suyo tambien tanto te tengo tiene
    tienen ti todo toda todos todas tu tus tuya tuyo un una unas uno unos usted ustedes va van voy vosotros y ya yo"""
    return Language(
        "es",
        frozenset(stops.split() + telling.split()),
        frozenset(telling.split()),
        _stripper(
            "amientos> imientos> amiento> imiento> aciones>acion iciones>icion ciones>cion siones>sion amente> mente> "
            "iendo> ando> yendo> abamos> aremos> eremos> iremos> ieron> aron> aban> ian> abas> arian> erian> irian> "
            "aria> eria> iria> aran> eran> iran> aba> amos> emos> imos> ados> adas> idos> idas> ado> ada> ido> ida> "
            "idades>idad arse> erse> irse> arlo> erlo> irlo> ar> er> ir> ces>z as> es> os> is> an> en> s>",
            3,
            "aeio",
        ),
        _numbered("enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre"),
        _numbered("ene feb mar abr may jun jul ago sep/sept/set oct nov dic"),
        _digits(
            "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete "
            "dieciocho diecinueve",
            "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
            "uno",
            lambda ten, unit: ten[:-1] + "i" + unit,
        ),
    )


def _french() -> Language:
    telling = """qui que quoi quand ou comment pourquoi quel quelle quels quelles combien etait etaient etais etre ete
    fut il elle ils elles lui eux pas ne ni sont est suis sommes es avait avaient fait faire faisait fera sera seront"""
    stops = """a ai aie as avec avez avoir avons ont au aucun aussi autre autres aux bien c ca car ce cela celle celles
    celui ces cet cette ceux chaque chez comme d dans de des deja donc dont du elle en encore entre et eu eux ici j je
    jusque l la le les leur leurs m ma mais me meme mes moi mon n non nos notre nous on par peu peut plus pour qu s sa
    sans se ses si son sous sur t ta te tes toi ton tous tout toute toutes tres trop tu un une va vais vos votre vous
    vont y alors oui quelque quelques rien"""
    return Language(
        "fr",
        frozenset(stops.split() + telling.split()),
        frozenset(telling.split()),
        _undoubled(
            "issements> issement> issaient> issant> issons> issait> atrices>ateur atrice>ateur ateurs>ateur "
            "ations> ation> iennes>ien ienne>ien euses>eur euse>eur eurs>eur ements> ement> aient> erions> "
            "eront> erait> erais> erai> eras> erez> irait> iront> ives>if ive>if ifs>if eaux>eau aux>al ait> "
            "ais> ant> antes>ant ante>ant ees> ee> ions> ion> ons> on> ent> er> ez> ies> ie> ir> es> as> is> "
            "it> ux>u x> s>",
            3,
            "aei",
        ),
        _numbered("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"),
        _numbered("janv fevr/fev mar avr mai jui juil aout sept oct nov dec"),
        _digits(
            "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
            "vingt trente quarante cinquante soixante",
            "etun",
            str.__add__,
        ),
        frozenset(_FRENCH_ELISIONS.split()),
    )


def _german() -> Language:
    telling = """wer was wann wo wie warum wieso weshalb wohin woher welche welcher welches welchen wem wen wessen war
    waren warst ist sind sein gewesen wird wurde wurden werden er sie ihn ihm ihnen nicht kein keine keinen oder hat
    hatte hatten haben machte gemacht machen tun tat"""
    stops = """ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das
    dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
    dort du durch ein eine einem einen einer eines einmal es etwas euch euer eure fur gegen habe hast hier hin hinter
    ich ihr ihre ihrem ihren ihrer im in indem ins ja jede jedem jeden jeder jedes jetzt kann kannst konnen konnte man
    manche mehr mein meine meinem meinen meiner mich mir mit muss nach noch nun nur ob ohne schon sehr selbst sich
    sind so soll sollte solche sondern uber um und uns unser unsere unserem unseren unter viel vom von vor wahrend weg
    weil weiter wenn wieder will wir wirst wollen wollte wurde zu zum zur zwar zwischen dabei dazu darum ganz mal
    fuer ueber koennen koennte waehrend"""
    return Language(
        "de",
        frozenset(stops.split() + telling.split()),
        frozenset(telling.split()),
        _german_stem,
        _numbered(
            "januar/janner februar/feber marz/maerz april mai juni juli august september oktober november dezember"
        ),
        _numbered("jan feb/febr mar/mrz apr mai jun jul aug sep/sept okt nov dez"),
        _digits(
            "zwei drei vier funf/fuenf sechs sieben acht neun zehn elf zwolf/zwoelf dreizehn vierzehn "
            "funfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn",
            "zwanzig dreissig vierzig funfzig/fuenfzig sechzig siebzig achtzig neunzig",
            "ein",
            lambda ten, unit: f"{unit}und{ten}",
        ),
    )


_MAKERS: dict[str, Callable[[], Language]] = {
    "en": _english,
    "it": _italian,
    "es": _spanish,
    "fr": _french,
    "de": _german,
}
