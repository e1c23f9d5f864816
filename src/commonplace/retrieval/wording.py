"""What of a text is compared whole, and what by its terms: for descriptions and for what they may mean."""

import re
from collections.abc import Collection
from functools import cache, lru_cache, partial

from commonplace.retrieval.concepts import lines
from commonplace.text.identifiers import identifiers
from commonplace.text.normal import fold
from commonplace.text.sentences import BEFORE_NUMBERS
from commonplace.text.words import words


@lru_cache(maxsize=8192)
def plainly(text: str) -> str:
    """Turns of phrase by the one word they mean, on both sides: "handed in her notice" is "resigned"."""
    opening = _opening()
    for at in sorted({one for word in _opens().findall(fold(text)) for one in opening.get(word, ())}):
        pattern, word = turn(at)
        text = pattern.sub(partial(_instead, word), text)
    for pattern, word in _phrases():
        text = pattern.sub(word, text)
    return text


def _instead(word: str, found: re.Match[str]) -> str:
    """What stands for a turn, apart from what its shortened verb hung on to."""
    return " " * (found[0][0] in "'’") + found.expand(word)


@cache
def _opening() -> dict[str, list[int]]:
    """The numbers of the turns in ``vocabulary/turns.txt`` by the words they may open with."""
    found: dict[str, list[int]] = {}
    for at, line in enumerate(lines("turns")):
        for word in _ways(line.split(" ", 1)[0]):
            found.setdefault(word, []).append(at)
    return found


@cache
def turn(at: int) -> tuple[re.Pattern[str], str]:
    """A turn as that file writes it; read when a text first holds a word that opens it."""
    said, _, word = lines("turns")[at].partition(" = ")
    pattern = "".join(map(_piece, said.split())).removesuffix(" +")
    return re.compile(rf"(?:(?<![\w-])|(?=['’])){pattern}(?![\w'’-])", re.IGNORECASE), word + r" \g<kept>" * (
        "<kept>" in pattern
    )


def _piece(token: str) -> str:
    """A token of a turn as a pattern, with the space behind it."""
    if token in _OPEN:
        return _OPEN[token]
    ways = "|".join(way.replace("'", "['’]") for way in _ways(token))
    return rf"(?P<kept>{ways}) +" if token[0] == "<" else f"(?:(?:{ways}) +)?" if token[-1] == "?" else f"(?:{ways}) +"


def _ways(token: str) -> list[str]:
    """What a token may stand for: "{take}" for all forms of the verb, "a/b" for either."""
    return _forms(token[1:-1]) if token[0] == "{" else token.strip("<>?").split("/")


def _forms(verb: str) -> list[str]:
    if verb in _irregular():
        return _irregular()[verb]
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb)
    stem = verb + verb[-1] if short else verb.removesuffix("e")
    third = verb + "es" if verb.endswith(("s", "sh", "ch")) else re.sub(r"(?<=[^aeiou])y$", "ie", verb) + "s"
    return [verb, third, f"{stem}ing", re.sub(r"(?<=[^aeiou])y$", "i", stem) + "ed"]


@cache
def _irregular() -> dict[str, list[str]]:
    return {line.split()[0]: line.split() for line in _IRREGULAR.split("|")}


_OPEN = {
    "*": "(?:(?:his|her|my|our|their|the|your|an?) +)?",
    "~": r"(?P<kept>(?:[\w'’,-]+ +){0,3})",
    "N": r"(?P<kept>[€$£]?\d[\d.,]*(?: ?(?:euros?|dollars?|pounds?|francs?|k|€))?) +",
}
_IRREGULAR = """be is are was were am been being 's 're 'm|bear bears bore borne bearing|begin begins began begun
beginning|bite bites bit bitten biting|break breaks broke broken breaking|bring brings brought bringing|cost costs
costing|cut cuts cutting|dig digs dug digging|do does did done doing|draw draws drew drawn drawing|drive drives drove
driven driving|eat eats ate eaten eating|fall falls fell fallen falling|feel feels felt feeling|find finds found
finding|fly flies flew flown flying|freeze freezes froze frozen freezing|get gets got gotten getting|give gives gave
given giving|go goes went gone going|grow grows grew grown growing|hang hangs hung hanging|have has had having 've|hit
hits hitting|keep keeps kept keeping|let lets letting|lie lies lay lain lying|lose loses lost losing|make makes made
making|pay pays paid paying|put puts putting|quit quits quitting quitted|read reads reading|run runs ran running|see
sees saw seen seeing|set sets setting|shut shuts shutting|sit sits sat sitting|speak speaks spoke spoken speaking|spin
spins spun spinning|split splits splitting|stand stands stood standing|take takes took taken taking|teach teaches
taught teaching|throw throws threw thrown throwing|wear wears wore worn wearing|write writes wrote written writing"""


@cache
def _opens() -> re.Pattern[str]:
    """A word that may open a turn; of a shortened verb, what is left of it."""
    return re.compile(r"(?=((?<![\w'-])[\w'-]+|'\w+))")


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = _TURNS | _clock()
    return tuple((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), word) for pattern, word in found.items())


_WHOSE = "(?:his|her|my|our|their|the|your|a|an)"
_TOLD = r"((?:[\w'’-]+ ){0,4})"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_NAMED = rf"(?= {{1,2}}(?:,|(?!(?:\w+days?|{_MONTHS})\b)(?-i:[A-Z])))"
"""Before a name; in a description a comma stands for it, as names are compared by themselves."""
_ACTIVE = "(?<!are )(?<!not )(?<!was )(?<!were )(?<!be )(?<!been )"
_NO_EASE = r"(?:(?:has|have|had|having|with) (?:got )?)?(?:trouble|problems?|difficult(?:y|ies))(?: (?:with|in))?"
_WORKPLACES = "(?:work|school|college|uni|(?:the|my|his|her|their|our) (?:office|job|factory|workplace|university))"
_DEEDS = (
    "(backups?|snapshots?|copies|decisions?|payments?|inspections?|deliver(?:y|ies)|measurements?|tests?|repairs?"
    "|check-?ups?|audits?|reviews?|releases?|deployments?|updates?|bookings?|orders|collections?|medication|pills)"
)
"""What is done, said by a noun: a verb beside it says nothing more."""
_PERIOD = "(?:second|minute|hour|day|week|month|year)"
_SYSTEMS = "(?:the )?(?:site|website|server|service|system|app|network|api|database|shop)"
_QUALITY = "(?:little|big|young|younger|old|older|eldest|youngest|new)"
_TURNS = {
    r"(?:is|are|am|['’]m|was|were)(?: not|n['’]t) able to": "cannot",
    r"(?:is|are|am|['’]m|was|were) able to": "can",
    rf"{_NO_EASE} (?:sleeping|(?:falling|staying) asleep)|sleep(?:s|ing)? (?:badly|poorly)": "insomnia",
    rf"{_NO_EASE} hearing|hard of hearing|hears? (?:badly|poorly)|hearing impaired": "hearingloss",
    r"suffer(?:s|ed|ing)? from(?= \w)": "has",
    r"(?:short|near)[- ]?sighted": "myopic",
    r"(?:long|far)[- ]?sighted": "hyperopic",
    r"t(?:akes?|ook|aken|aking) place|(?:is|are|was|were|be|been) (?:being )?held(?= (?:in|at|on)\b)": "happens",
    rf"{_ACTIVE}(?:runs?|running|relies|rely) (?:on|with){_NAMED}": "uses",
    rf"(?:hand(?:ed|s|ing)? in|g[ai]ve(?:s|n)?)(?: {_WHOSE})? (?:notice|resignation)": "resigned",
    rf"quit(?:s|ting)? {_WHOSE} job|step(?:s|ped|ping)? down": "resigned",
    rf"(?:left|leav(?:es?|ing)|quit(?:s|ting)?) {_WHOSE} (?:company|firm|job|employer|post)": "resigned",
    r"keeps? (?:on )?(?=\w+ing\b)": "",
    r"(?:the )?(?:man|woman|people|guy|family|couple) next door": "neighbour",
    r"(?:there(?: is|['’]s|['’]re| are) )?no (\w+) left": r"lacks \1",
    r"(?:are|['’]re|is|am|['’]m) out of(?! (?:order|service|date|control|office)\b)(?= \w+$)": "lacks",
    r"work(?:s|ed|ing)? out(?= (?:at|in|every|on|with|twice|daily|a lot|before|after)|$)": "exercise",
    rf"push(?:ed|es)? {_TOLD}back|mov(?:ed|es) {_TOLD}to a later \w+": r"postponed \1\2",
    rf"puts? {_TOLD}(?:off|on hold)": r"postponed \1",
    r"delay(?:ed|s)?": "postponed",
    rf"call(?:ed|s)? {_TOLD}off": r"cancelled \1",
    r"pass(?:ed|es) away": "died",
    r"off[- ]limits|taboo|(?:a )?no[- ]go": "forbidden",
    r"(?:right |just |shortly )?before (?:the|a) weekend": "friday",
    r"(?:right|just|shortly) (?=before|after)": "",
    r"source code": "repository",
    r"venture capitalists?|vcs": "investors",
    rf"{_SYSTEMS} (?:is|are|was|were|goes|went|go|gone) (?:down|offline)": "outage",
    r"without (?:any )?(?:problems?|trouble|difficulty|difficulties|issues)|no problem": "fine",
    r"never (?:learned|learnt) (?:how )?to|(?:do|does|did)(?:n['’]t| not) know how to": "cannot",
    rf"(?:brother|sister)['’]s (?:{_QUALITY} )?(?:daughter|girl)": "niece",
    rf"(?:brother|sister)['’]s (?:{_QUALITY} )?(?:son|boy)": "nephew",
    r"(?:(?:mother|father|mum|mom|dad)['’]s|parents['’]) (?:mother|mum|mom)": "grandmother",
    r"(?:(?:mother|father|mum|mom|dad)['’]s|parents['’]) (?:father|dad)": "grandfather",
    r"(?:mother|father|mum|mom|dad)['’]s brother": "uncle",
    r"(?:mother|father|mum|mom|dad)['’]s sister": "aunt",
    r"(?:wife|husband|spouse|partner)['’]s (?:mother|mum|mom)": "mother-in-law",
    r"(?:wife|husband|spouse|partner)['’]s (?:father|dad)": "father-in-law",
    r"mov(?:e|es|ed|ing) (?:house|home|flat|apartment)s?": "relocation",
    r"(?:(?:was|were|is|got|been|being) )?(?:let go|laid off|sacked|made redundant)": "dismissed",
    r"(?:was|were|is|got|been|being) fired": "dismissed",
    rf"(?:written|coded|implemented|programmed) in(?:{_NAMED}|$)": "language",
    r"programming language": "language",
    rf"{_DEEDS} (?:is|are|was|were|gets?) (?:being )?(?:made|taken|done|performed|carried out|run)": r"\1",
    rf"(?:mak(?:es?|ing)|made|perform(?:s|ed)?|carr(?:y|ies|ied) out) (?:{_WHOSE} )?{_DEEDS}": r"\1",
    r"(?:there(?: is|['’]s) )?nothing (?:that )?((?:\w+ )?\w+)(?: would|['’]d) rather (\w+)(?: than)?": (
        r"\1 favourite \2"
    ),
    r"(?:likes?|loves?|enjoys?) nothing (?:better|more)(?: than)?": "likes favourite",
    r"(?:likes?|loves?|enjoys?|prefers?) (?:the )?(?:most|best)(?: of all)?(?!\w)": "likes favourite",
    r"prefers? ((?:\w+ ){1,3})to (?:any(?:thing| other)|all other|everything)(?: else)?": r"likes favourite \1",
    rf"(?:gets?|goes|go|comes?|travels?|rides?|commut(?:es?|ing)|went) (?:in )?to {_WORKPLACES}": "commute",
    rf"((?:cycle|bike|walk|run|drive|jog|scoot|skate|hitch-?hike)s?) (?:in )?to {_WORKPLACES}": r"commute \1",
    r"can(?:['’]?t|not) find|(?:has|have) misplaced": "lost",
    r"(?:decid|opt|settl)(?:ed?|es) (?:on|for|to go with|in favour of)|went (?:with|for)": "chose",
    r"(?:is|was|are|am|['’]m|been) on (?:a )?(?:the )?diet": "diet",
    r"on the mend|getting better": "recovering",
    r"(?:under|below) the weather": "ill",
    r"(?:gets?|got|getting) rid of|threw away|throws? away|thrown away": "discarded",
    r"(?:takes?|took|taking) part in": "attend",
    r"(?:in|with) (?:a|the) red|short of money|(?:is|are|am) broke": "poor",
    r"(?:brings?|brought) up": "mentioned",
    r"(?:broke|breaks?|broken) (?:in|into)": "burgled",
    r"(?:fell|falls?|fallen) in love with": "loves",
    r"(?:comes?|came) (?:down )?with (?:a|the)": "ill",
    r"short(?:er)? of staff|understaffed": "understaffed",
    r"(?:makes?|made|making) (?:a )?profit": "profitable",
    r"(?:has|have|had) (?:got )?trouble": "problems",
    r"up and running": "works",
    r"(?:wind|wound)s? down|shut(?:s|ting)? down|closes? down|closed down": "closed",
    rf"(?:switch(?:ed|es)?|migrated?) (?:over )?(?:from \w+ )?to{_NAMED}": "switched",
    rf"(?:takes?|took|catch(?:es)?) {_WHOSE} ((?:\w+ )?\w+) to {_WORKPLACES}": r"commute \1",
    r"(?:can['’]?t|cannot|can not) (?:stand|bear)": "hates",
    r"runs? out(?= (?:in|on|at|by|next|this)\b)|ran out(?= (?:in|on|at|by)\b)": "expires",
    r"(?:is|was|are) (?:the )?(?:head|leader|lead) of": "leads",
    r"(?:fails?|failing) (?:at random|randomly|intermittently|sporadically|now and then)": "flaky",
    r"reports? to": "manager",
    r"(?:gave|gives?|given) birth to|had a baby": "born",
    rf"(?:has|have|['’]ve|['’]s) been at{_NAMED}(?=[^.]* (?:since|for)\b)": " works at",
    rf"(?:has|have|['’]ve|['’]s) been seeing{_NAMED}": " dating",
    r"(?:was|been|got|is) made (?:(?:an?|the) )?(?=senior|head|lead|chief|partner|manager|director)": "promoted ",
    r"stop(?:s|ped|ping)? work(?:ing)? when(?= (?:i|he|she|they|we)\b)": "retire when",
    rf"(?:start|beg[aiu]n)(?:s|ed|ning|ing)?(?: work(?:ing)?)? at{_NAMED}": "works at",
    rf"stay(?:s|ed|ing)? (?:at|in)(?= the| Hotel| Hostel)(?: the)?{_NAMED}": "staying hotel",
    r"(?:takes?|took|taking) care of|look(?:s|ed|ing)? after|responsible for": "maintain",
    r"(?:takes?|took|be|is) (?:on|off) (?:leave|vacation|holiday)": "vacation",
    r"(?:time off|day off|days off)": "vacation",
    r"ran out of|runs? out of|out of stock|short of": "lacks",
    r"makes? (?:his|her|my|our|their|a) living": "job",
    r"tied the knot|g[eo]ts? married": "married",
    r"(?:split|broke) up": "separated",
    r"(?:expecting|having) (?:a|their \w+|our \w+|her \w+) (?:baby|child)": "pregnant",
    r"(?:is|are|was) in charge of|head(?:s|ed)(?: up)?(?= the)": "leads",
    r"(?:went|goes|go) live": "launched",
    rf"roll(?:ed|s)? {_TOLD}back": r"reverted \1",
    r"(?:grew up|was raised|was brought up)(?: in)?|hails? from|comes? from": "origin",
    r"at the moment|at present|right now|these days": "currently",
    rf"for (?!next|last|this|that|every|each|all\b)(?=(?:\w+|\d[\d.,]*) {_PERIOD}s?\b)": "lasted ",
    r"out of (?:work|a job)|between jobs": "unemployed",
    r"out of (?:order|service)": "broken",
    r"(?:stopp?(?:ed|s)?|not|doesn['’]t) work(?:ing)?(?= (?:on|in|at|since)\b|$)": "broken",
    r"br(?:o|ea)k(?:e|es|en)? down": "broken",
    r"g[oe]ts? up(?= (?:at|early|late|before|around|every|with)|$)|got up(?= (?:at|early|late))": "wake",
    r"wak(?:es?|ing) up|woke up": "wake",
    r"(?:goes|go|going) to bed": "sleep",
    rf"(?:pays?|paid) ((?:[\w,.€$£]+ ){{1,4}})for {_WHOSE} (?:flat|apartment|house|room|place|office)": r"rent \1",
    r"(?:a |the )?(?:father|mother|parent|dad|mum|mom) of (two|three|four|five|six|one|\d)": r"has \1 children",
    r"(?:is|was|are|were|am|['’]m) (?:employed|hired) (?:by|at|with)": "works at",
    r"(?:is|was|are|am) (?:called|named)|goes by(?: the name(?: of)?)?": "name",
    r"(?:g[ai]ve|given|giving|gives) up": "quit",
    r"(?:can['’]?t|cannot|can not|couldn['’]t) (?:eat|tolerate|digest|have)(?= [a-z]+(?:$|[,.;]))": "intolerant",
    r"(?:signed|turned|showed|shows|turns) up": "came",
    r"(?:turn(?:ed|s)? down)": "rejected",
    r"sign(?:ed|s)? off(?: on)?": "approved",
    r"sets? up": "configured",
    r"t(?:ook|ake|akes) over": "replaced",
    r"look(?:ing|s)? for (?:a )?(?:new )?(?:job|work)": "unemployed",
    r"on (?:sick|medical) leave|off sick": "ill",
    r"used to be": "formerly",
    r"fed up with|sick of|can['’]t be bothered with": "hates",
    r"crazy about|keen on|fond of|big fan of|into(?= [a-z]+$)": "likes",
    r"allergic reaction to|makes? (?:me|him|her) sneeze": "allergic",
    r"(?:good|great|fluent|well) at speaking": "speaks",
    r"e-?mail address(?:es)?|e-mails?": "email",
    r"ip address(?:es)?": "ip",
    r"web address(?:es)?": "website",
}


@cache
def coined() -> frozenset[str]:
    """Words that stand for a turn of several and are none themselves: how near they are to others says nothing."""
    found = set()
    for line in lines("turns"):
        said, _, word = line.partition(" = ")
        if any(word.startswith(way) and word != way for way in _ways(said.split(" ", 1)[0])):
            found.add(word)
    return frozenset(found)


def is_turn(word: str) -> bool:
    """Whether a word with a hyphen is but another for a plain one: "short-sighted"."""
    return plainly(word) != word and plainly(word).isalpha()


def also(name: str) -> tuple[str, ...]:
    """Other ways to write a name: short for long, long for short."""
    return _also().get(fold(name), ())


@cache
def _also() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _SPELLINGS.split("|"):
        names = [" ".join(name.split()) for name in line.split("=")]
        found |= {fold(name): tuple(other for other in names if other != name) for name in names}
    return found


_SPELLINGS = """\
CEO = chief executive officer = chief executive | CFO = chief financial officer | CTO = chief technology officer | COO
= chief operating officer | HR = human resources | QA = quality assurance | PR = pull request | UK = United Kingdom =
Great Britain = Britain | USA = US = United States = America | EU = European Union | NYC = New York City = New York |
LA = Los Angeles | K8s = Kubernetes | JS = JavaScript | TS = TypeScript | Postgres = PostgreSQL | Mongo = MongoDB | VS
Code = VSCode = Visual Studio Code | GCP = Google Cloud | AWS = Amazon Web Services | MS Teams = Teams = Microsoft
Teams | TV = television | VW = Volkswagen | Xmas = Christmas | Mum = Mom = mother | Dad = father | Grandma =
grandmother = Granny | Grandpa = grandfather = Grandad | CIO = chief information officer | CMO = chief marketing
officer | VP = vice president | HQ = headquarters | UN = United Nations | UAE = United Arab Emirates | FB = Facebook |
YT = YouTube | NHS = National Health Service | GDPR = General Data Protection Regulation | MSSQL = SQL Server | Node =
Node.js = NodeJS | React = React.js = ReactJS | Vue = Vue.js | Next.js = NextJS | RoR = Ruby on Rails = Rails | ML =
machine learning | AI = artificial intelligence | UX = user experience | MFA = 2FA = two-factor authentication | KPI =
key performance indicator | SLA = service level agreement | MVP = minimum viable product | POC = proof of concept |
ETA = estimated time of arrival | DOB = date of birth | ICU = intensive care unit | TB = tuberculosis | IBS =
irritable bowel syndrome | ADHD = attention deficit hyperactivity disorder | OCD = obsessive compulsive disorder |
PTSD = post-traumatic stress disorder | BMI = body mass index | ATM = cash machine = cashpoint | Insta = Instagram |
Gmail = Google Mail | Excel = Microsoft Excel | Outlook = Microsoft Outlook | Chrome = Google Chrome | FC Bayern =
Bayern Munich = Bayern München | Man United = Manchester United | Man City = Manchester City | PSG = Paris
Saint-Germain | Munich = München | Cologne = Köln | Vienna = Wien | Geneva = Genève = Genf | Venice = Venezia | Rome =
Roma | Naples = Napoli | Turin = Torino | Prague = Praha | Warsaw = Warszawa | Copenhagen = København | Gothenburg =
Göteborg | Lisbon = Lisboa | Seville = Sevilla | The Hague = Den Haag | Brussels = Bruxelles | Zurich = Zürich |
Holland = Netherlands = the Netherlands | Czechia = Czech Republic
"""


def lacking(text: str, language: str) -> frozenset[str]:
    """The terms that say without a denial what a text says with one: "does not eat meat" is vegetarian."""
    return frozenset(term for _, terms in _lacked(text, language) for term in terms)


def without_denial(text: str, own: Collection[str], language: str) -> frozenset[str]:
    """The terms of a text that others say together, without its denial: eat and meat, where vegetarian is said."""
    found = [said for said, terms in _lacked(text, language) if not terms.isdisjoint(own)]
    return frozenset(term for said in found for term in words(said, language))


@lru_cache(maxsize=4096)
def _lacked(text: str, language: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """What a text denies, each with the terms that say so."""
    low = fold(text)
    turned = re.sub(r"\b(?!has|have|had|with|is|are|am|was|no\b)(\w+) no (?=\w)", r"does not \1 ", low)
    found = ((pattern.search(low) or pattern.search(turned), word) for pattern, word in _lacks())
    return tuple((match[0], frozenset(words(word, language))) for match, word in found if match)


@cache
def _lacks() -> tuple[tuple[re.Pattern[str], str], ...]:
    never = (
        r"(?:(?:do|does|did|is|am|are|can|could|has|have|had) not|cannot|\w+n['’]t|['’]m not|never|no longer|stopped)"
    )
    quit = r"quit|stopped|g[ai]ve(?:s|n)? up|off"
    none = rf"(?:(?:has|have|with) no|without|{never} (?:have|own)(?: an?| any)?)"
    found = {
        rf"{never} eat(?:s|ing|en)? (?:any )?meat": "vegetarian",
        rf"(?:{never} eat(?:en)?|eats? no) (?:any )?animal products": "vegan",
        rf"{never} (?:dr[iu]nk(?:s|ing)?|touch(?:es|ed)?) (?:any )?alcohol": "teetotal teetotaller sober",
        rf"(?:{quit}) (?:drinking|alcohol|booze)|{never} drinks?(?:[.,;]|$)": "sober teetotal teetotaller",
        rf"(?:{quit}|{never}) (?:smok(?:es?|ing|ed)|cigarettes|tobacco)": "non-smoker nonsmoker",
        rf"{none} (?:kids|children)": "childless",
        rf"{none} (?:job|work)|{never} (?:employed|working)": "unemployed jobless",
        rf"{none} (?:home|place to live)": "homeless",
        rf"{never} (?:been )?(?:married|in a relationship)|{none} (?:partner|girlfriend|boyfriend)": "single unmarried",
        rf"{never} (?:working|work|function|running|start)": "broken down",
        rf"{never} (?:see)\b": "blind",
        rf"{never} (?:hear)\b": "deaf",
        rf"{never} (?:tolerate|digest|eat)\b": "intolerant intolerance allergic allergy",
        rf"{never} (?:available|reachable|up)\b": "unavailable down offline",
        rf"{never} (?:paid|settled)": "unpaid open outstanding",
        rf"{never} (?:cost|charge)": "free",
        rf"{never} (?:like|enjoy|stand|bear)": "dislike hate",
        rf"{never} (?:allowed|permitted)": "forbidden banned prohibited",
        rf"{never} (?:finished|done|complete|ready)": "unfinished incomplete pending",
        rf"{never} (?:safe)": "unsafe dangerous",
        rf"{never} (?:believe in god|religious)": "atheist secular",
        rf"{never} (?:read or write|read)\b": "illiterate",
        rf"{never} (?:open)\b": "closed shut",
        rf"{never} (?:alive|living)": "dead deceased",
        rf"{never} (?:true|correct|right)\b": "false wrong incorrect",
        rf"{never} (?:work|employed)(?:s|ed|ing)? (?:here|there|at|for)": "left quit resigned",
        rf"{never} (?:live|reside)(?:s|d)? (?:here|there|in|at)": "moved",
        rf"{none} (?:hair)": "bald",
        rf"{none} (?:siblings|brothers or sisters)": "only-child",
        rf"{none} (?:insurance|cover)|{never} insured": "uninsured",
        rf"{never} (?:tested|documented|maintained|supported|used|encrypted|approved|vaccinated)": (
            "untested undocumented unmaintained abandoned unsupported unused unencrypted rejected unvaccinated"
        ),
        rf"{never} (?:sleep)(?:s|ing)?\b": "insomnia sleepless",
        rf"{never} (?:late)\b": "punctual",
        r"(?:(?:must|may|should|can) ?not|(?:must|should|ca)n['’]t|not allowed to|never) \w+": "forbidden banned avoid",
    }
    return tuple((re.compile(rf"\b{pattern}"), word) for pattern, word in found.items())


def _clock() -> dict[str, str]:
    """Times in words as they are written in digits."""
    hours = "one two three four five six seven eight nine ten eleven twelve".split()
    found = {"(?:12 )?noon|midday": "12:00", "midnight": "00:00"}
    for at, hour in enumerate(hours, 1):
        either = rf"(?:{hour}|{at})\b"
        found[rf"half past {either}"] = f"{at}:30"
        found[rf"(?:a )?quarter past {either}"] = f"{at}:15"
        found[rf"(?:a )?quarter to {either}"] = f"{at - 1 or 12}:45"
    return found


@lru_cache(maxsize=4096)
def whole_terms(text: str, language: str) -> frozenset[str]:
    identified = exact(text)
    bare = plainly(text)
    for name in sorted(identified, key=len, reverse=True):
        bare = bare.replace(name, " , ")
    joined = (words(name, language)[0] for name in identified if name.replace("-", "").isalpha())  # "part-time"
    named = (fold(name) for name in identified)
    return frozenset(
        (*words(bare, language), *named, *joined, *lacking(text, language), *date_terms_of(text, language))
    )


@lru_cache(maxsize=4096)
def all_words(text: str, language: str) -> tuple[str, ...]:
    return tuple(words(text, language))


def date_terms_of(text: str, language: str) -> list[str]:
    return [term for term in all_words(text, language) if term[:2] in ("d:", "m:", "t:")]


@lru_cache(maxsize=8192)
def _surfaces(text: str, language: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for word in _plain_word().findall(text):
        for term in words(word.lower(), language):
            if not term.startswith("s:"):
                found.setdefault(term, word.lower())
    return tuple(found.items())


def surfaces(text: str, language: str) -> dict[str, str]:
    """Each term of a text with a word that stands for it there."""
    return dict(_surfaces(text, language))


def as_owner(text: str) -> str:
    """What a note says of "the user", said by the user: "The user's car is red" is "My car is red"."""
    return _user().sub(_first, text) if "user" in text or "User" in text else text


def _first(found: re.Match[str]) -> str:
    """The first person for "the user", and its form of the verb that follows."""
    if found["whose"]:
        return "My" if found[0][0].isupper() else "my"
    if found["whom"]:
        return f"{found['whom']}me"
    return "I" if not found["verb"] else f"I{found['adverb']} {_with_i(found['verb'])}"


def _with_i(verb: str) -> str:
    """Likes, studies, watches: like, study, watch."""
    if verb in _IRREGULAR_I:
        return _IRREGULAR_I[verb]
    if not re.search(r"[^s]s$", verb) or verb in ("was", "yes", "always"):
        return verb
    return re.sub(r"(?<=[^aeiou])ies$", "y", re.sub(r"(?<=ss|sh|ch|zz|.x|go|do)es$", "", verb)).removesuffix("s")


_IRREGULAR_I = {"is": "am", "has": "have", "isn't": "am not", "hasn't": "haven't", "doesn't": "don't"}


@cache
def _user() -> re.Pattern[str]:
    adverb = r"(?P<adverb>(?:\s+(?:no|now|also|never|always|just|once|still|often|only|\w+ly))*)"
    verb = (
        r"is|was|has|had|did|can|cannot|will|would|should|must|may|might|could|\w+n['’]t|went|got|made|took|gave|came|met"
        r"|bought|paid|lost|left|ran|wrote|spent|broke|sold|kept|felt|thinks|said|told|\w+ed|\w+s|longer"
    )
    does = rf"{adverb}\s+(?!(?:named|called)\b)(?P<verb>{verb})\b"
    to = "told|tell|tells|asked|reach|call|phone|contact|text|gave|gives|showed|sent|sends|bothers|annoys|suits"
    ends = r"(?=\s+(?:about|that|by|at|on|in|to|from|and|a|an|the|last|yesterday|today|earlier|how|when|where)\b|\W*$)"
    whom = rf"(?P<whom>\b(?:{to}|to|with|for|by|from|of|and) )the user{ends}"
    return re.compile(rf"{whom}|(?:\b[Tt]he user|\bUser|^user)(?:(?P<whose>['’]s)\b|{does}|(?=[,.?!]|$))")


def is_negative(text: str) -> bool:
    """Whether a sentence denies, an even number of denials apart."""
    return len(_denials().findall(fold(plainly(text)))) % 2 == 1


@lru_cache(maxsize=2048)
def exact(text: str) -> tuple[str, ...]:
    """What is written exactly and compared whole: identifiers, and words with digits or hyphens in them."""
    found = {one.text for one in identifiers(text) if one.kind != "number"}
    found |= {match[0] for match in _numbered().finditer(text)}
    for match in _mixed().finditer(text):
        if not any(match[0] in one for one in found):
            found.add(match[0])
    dates = " ".join(one[0] for one in written_date().finditer(text))
    return tuple(sorted(one for one in found if one not in dates))


def only_digits(text: str) -> str:
    return ("+" if text.strip().startswith("+") else "") + re.sub(r"\D", "", text)


@cache
def stemmed(listed: str, language: str) -> frozenset[str]:
    return frozenset(term for word in listed.split() for term in words(word, language))


@cache
def listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOFT = "new latest recent"


LINKS = "'s in at on of and or with from near by for the a an , ' i s about between"


OPENERS = "the a an my our his her their this that these those what where when who how why all any every please and"


@cache
def first_person() -> re.Pattern[str]:
    """Whether somebody speaks of themself; a small "i" counts where it can be nothing else."""
    small = r"(?i:^i\b|\bi (?=live|work|like|have|am|was|drive|own|said|use))"
    told = r"[Ii]ch|[Mm]eine?|[Jj]e|[Mm]on|[Yy]o|[Ii]o|[Aa]bito|[Vv]ivo|[Ll]avoro|[Tt]rabajo|[Ww]ohne|[Aa]rbeite"
    other = rf"mio|mia|mi|ma|{told}"  # small: Mia is somebody
    return re.compile(rf"(?i:\b(?:my|me|mine|myself|our|we|us|i['’](?:m|ve|d|ll))\b)|\b(?:I|{other})\b|{small}")


@cache
def owned() -> re.Pattern[str]:
    """ "Ada's new phone", "my phone": whose, and what."""
    owner = r"(?P<owner>\b(?i:my|our)\b|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2}(?=['’]s? ))"
    return re.compile(rf"{owner}(?:['’]s?)?\s+(?P<thing>[^\W\d_]+(?: [^\W\d_]+){{0,2}})")


@cache
def _denials() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|cannot|never|no(?!\. ?\d)|none|nobody|nothing|without|no longer|dislikes?|hates?|hated|disliked|non"
        r"|nie|nicht|kein|keine|keinen|jamais|nunca|mai|unable|refuses?|stopped|quit)\b|n['’]t\b"
        r"|\b(?:ne|n['’])\s?\w+ pas\b"
    )


@cache
def _mixed() -> re.Pattern[str]:
    digit = r"(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])"
    ordinal = r"(?!\d+(?:st|nd|rd|th|am|pm|k|kg|km|cm|gb|mb|ms|h|min|er|m)\b)"
    branch = r"(?<![\w/.-])(?!and/or\b)[\w.-]+(?:/[\w.-]*\w)+"
    return re.compile(
        rf"{branch}|(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)|(?<![\w.-]){digit}{ordinal}\w+(?:[-.]\w+)*(?![\w-])|(?<![\w-])[a-z]+(?:-[a-z]+)+(?![\w-])"
    )


@cache
def _numbered() -> re.Pattern[str]:
    """ "Op. 27 No. 2", "Art. 6": one designation, however many abbreviations and numbers it has."""
    one = rf"(?:{'|'.join(BEFORE_NUMBERS.split())})\. ?\d+(?:\.\d+)*(?!\w)"
    return re.compile(rf"\b{one}(?:,? {one})*", re.IGNORECASE)


@cache
def phone() -> re.Pattern[str]:
    return re.compile(r"(?<![\w.])\+?\(?\d[\d\s()./-]{5,22}\d(?!\w)")


@cache
def written_date() -> re.Pattern[str]:
    return re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@cache
def _plain_word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
