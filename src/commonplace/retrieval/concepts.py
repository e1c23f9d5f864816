"""Words for the same matter: what people call a fact, and the words in which the fact itself stands.

"Ada's job" is said as "works at"; "where she lives" as "moved to". One line a matter: names on the left, words on the
right of the bar. A name meets the other names and the words; a word meets a name. Two words of one line do not meet.
"""

from functools import cache

from commonplace.text.words import words

_MATTERS = """
home hometown residence domicile address where_live living abode house flat apartment casa hogar wohnort zuhause
  domicile
| live lives moved reside resides address home hometown house flat apartment vive abita wohnt lebt vivo abito habite
  vit
town city place | live lives moved
job work employer employment occupation profession career workplace workplaces lavoro trabajo travail emploi arbeit
  beruf
| works work worked job employed hired profession occupation employer freelancer freelance self-employed lavora
  trabaja travaille arbeitet arbeite lavoro trabajo
boss manager supervisor | reports manages boss manager supervises supervisor leads
salary income wage earnings compensation | earns earn salary income wage
birthday birthdate birth dob compleanno cumpleaños anniversaire geburtstag | born birthday birthdate nato nata
  geboren né
name | called name named
age old | old age years aged turned
spouse partner marriage wedding | married wife husband partner spouse fiancé
wife | wife married
husband | husband married
kids children child offspring family | son daughter kids children child twins baby
siblings sibling | brother sister siblings sibling
parents parent | mother father mum dad mom parents
family relatives | wife husband son daughter brother sister mother father parents family kids children cousin
pet pets animal animals | cat dog cats dogs pet parrot rabbit hamster goldfish puppy kitten horse
allergy allergies intolerance intolerances | allergic allergy intolerant intolerance
diet eating food foods | vegetarian vegan eats diet pescatarian kosher halal gluten food coeliac pizza pasta lasagne
  sushi curry soup salad
  cheese bread chocolate rice noodles steak fish meat burger risotto tacos ramen dumplings cake
taste tastes preference preferences liking likes like love loves enjoy favourite fondness
  | likes like loves love enjoys enjoy prefers prefer favourite adores fan dislikes dislike hates hate fond
dislike dislikes hates hate aversion hatred | dislikes dislike hates hate likes like loves
car vehicle automobile auto | drives car vehicle drove suv convertible sedan
phone telephone mobile cell | phone telephone mobile cell number
email mail | email mail e-mail
language languages tongue | speaks language fluent languages learning spricht parla habla parle
hobby hobbies pastime pastimes interests | chess painting climbing hiking knitting gardening photography hobby plays
  collects paints knits climbs hikes enjoys hobbies interested
instrument instruments | plays
education degree studies school university | studied studies degree graduated university school phd
deadline due | due deadline ships
illness condition health disease diagnosis medical | diabetes asthma arthritis eczema allergic diagnosed sick ill
  insulin migraine
  migraines surgery medication doctor depression cancer epilepsy
medication medicine medicines drug drugs pills | insulin pills tablets ibuprofen medication mg
religion faith | catholic muslim jewish buddhist hindu christian atheist church religion
holiday holidays vacation vacations trip travel | holiday vacation trip travels flying flies visited travelled
height tall | tall height cm
weight | weighs weight kg
origin nationality citizenship | from citizen passport comes nationality
flight flights plane | flies flying flight
meeting meetings appointment | meeting meets appointment standup call sync
colleague colleagues coworker coworkers | colleague colleagues coworker works
friend friends | friend friends
computer machine | laptop macbook computer thinkpad pc
password passphrase credentials login | password passphrase login credentials
price cost costs | costs cost price
budget | budget
kitchen | kitchen
doctor physician gp | doctor physician gp
music band bands | listens band music jazz rock opera techno
drink drinks beverage | drinks tea coffee beer wine juice water
outage incident downtime | outage crashed crash down incident failed
debt debts loan | owes debt loan owed borrowed
gift present | gift present
wifi wi-fi wireless | wifi wireless wi-fi
website homepage site | website homepage
sport sports exercise workout workouts | plays runs swims football tennis gym cycling
commute | commutes commute
bedtime sleep | sleeps bed
move relocation moving | moves moving moved relocates move
purchase | bought buys purchase
editor ide | vim emacs vscode editor
resignation leaving resigned | quit resigned leaves leaving
choice choose chose chosen decision pick picked | chose decided picked selected opted settled agreed
database db | postgresql postgres mysql mariadb sqlite mongodb oracle redis dynamodb cassandra
cloud hosting host | aws azure gcp hetzner hosted
framework | react vue angular svelte django flask rails spring fastapi
order orders | order orders
postponed postponement delay | postponed delayed moved
cancelled cancellation | cancelled
death died | died death funeral
exercise workout workouts | exercise gym
subscription plan | subscribed subscription plan
insurance | insured insurance
breakfast | breakfast
fear fears phobia | afraid scared fear fears terrified phobia
goal goals aim aims ambition | wants goal aims hopes plans
type kind group sort | type kind group sort
dismissal dismissed fired | dismissed fired sacked
os platform | linux windows macos ubuntu android ios
timezone | utc gmt timezone cet
rent | rent pays
mortgage | mortgage loan
hours shift shifts | hours shift starts
title role position | title role position works leads manages
team | team
nickname nick | nickname nick called
grade grades marks | grade grades marks
size sizes | size sizes wears
colour color | red green blue yellow black white orange purple pink brown grey colour color teal coral beige turquoise
  violet navy maroon golden silver cream
payment paid pay | settled paid pays transferred
season | spring summer autumn winter season
instructions recipe | recipe
glasses eyesight vision | glasses lenses
tattoo tattoos | tattoo tattoos
smoking smoker | smokes smoke smoking cigarettes
drinking alcohol | drinks alcohol beer wine whisky
visa permit | visa permit
neighbour neighbours | neighbour neighbours
therapist psychologist | therapist therapy
landlord | landlord rents
license licence | licence license
start beginning begin begins starts | starts begins start begin began started opens
end ending finish ends | ends end finishes finish finished closes
release released launch launched | released release launched launch ships comes
test tests testing | pytest jest tests test
deployment deploy deploys | deploy deploys deployed
live lives living reside | moved relocated settled resides based
works working | employed hired joined employer job
study studies studying | enrolled majoring student
meet meets | meeting appointment
speak speaks | fluent bilingual
own owns | bought has have
skill skills | knows skilled fluent good
injury injuries | hurt hurts broke injured sprained injury pain
"""

_RIVALS = """
monday tuesday wednesday thursday friday saturday sunday
red green blue yellow black white orange purple pink brown grey
brother sister | son daughter | mother father mum dad | wife husband boyfriend girlfriend | uncle aunt | niece nephew
grandmother grandfather | morning afternoon evening night | breakfast lunch dinner | spring summer autumn winter
tea coffee beer wine milk water juice whisky cocoa | cat dog parrot rabbit horse hamster
car bike train bus plane boat motorcycle bicycle | home work office school
guitar piano violin drums cello flute | doctor dentist lawyer accountant | frontend backend
staging production development prod dev | north south east west | left right | before after | open closed | start end
apples pears plums oranges bananas cherries grapes | football tennis basketball golf hockey chess
import export | income expense | buy sell bought sold | first second third last | old new | big small large | hot cold
arrive leave arrives leaves arrival departure | up down | early late | upper lower | min max minimum maximum
username password | birthday wedding anniversary | daily weekly monthly yearly | read write | upload download
enabled disabled | on off | allow deny | true false | win lose won lost | cheap expensive | teacher student
buyer seller | landlord tenant | lender borrower | king queen | client server | input output | mother-in-law
  father-in-law
food drink | vegan vegetarian | married divorced | single married | alive dead
english french german italian spanish norwegian
"""


@cache
def said_as(term: str, language: str = "en") -> frozenset[str]:
    """The terms in which what ``term`` names may be said."""
    return _table(language).get(term, frozenset())


@cache
def rivals(term: str, language: str = "en") -> frozenset[str]:
    """Terms that are of the same kind and say something else, however near they are: tea is not coffee."""
    return _rivals(language).get(term, frozenset())


@cache
def _table(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    lines = _MATTERS.replace("\n  |", " |").replace("\n  ", " ").strip().splitlines()
    for line in lines:
        names, _, said = (line.partition("|")) if "|" in line else (line, "", "")
        asked = {term for name in names.split() for term in words(name, language)}
        telling = {term for word in said.split() for term in words(word, language)}
        for term in asked:
            found.setdefault(term, set()).update(asked | telling)
        for term in telling - asked:
            found.setdefault(term, set()).update(asked)
    return {term: frozenset(others - {term}) for term, others in found.items()}


@cache
def _rivals(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _RIVALS.replace("\n  ", " ").replace("\n", "|").split("|"):
        terms = {term for word in group.split() for term in words(word, language)}
        for term in terms:
            found.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in found.items()}
