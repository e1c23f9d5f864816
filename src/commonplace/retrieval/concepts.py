"""Words for the same matter: what people call a fact, and the words in which the fact itself stands.

"Ada's job" is said as "works at"; "where she lives" as "moved to". One line a matter: names on the left, words on the
right of the bar. A name meets the other names and the words; a word meets a name. Two words of one line do not meet.
Words that mean the same meet each other; rivals never do.
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
pet pets | cat dog cats dogs pet parrot rabbit hamster goldfish puppy kitten horse
allergy allergies intolerance intolerances | allergic allergy intolerant intolerance
diet eating food foods | vegetarian vegan eats diet pescatarian kosher halal gluten food coeliac pizza pasta lasagne
  sushi curry soup salad
  cheese bread chocolate rice noodles steak fish meat burger risotto tacos ramen dumplings cake
taste tastes preference preferences liking likes like love loves enjoy favourite fondness
  | likes like loves love enjoys enjoy prefers prefer favourite adores fan dislikes dislike hates hate fond
dislike dislikes hates hate aversion hatred | dislikes dislike hates hate likes like loves
car vehicle automobile auto | drives car vehicle drove suv convertible sedan
contact | reach call text ring message
money finances funds | treasurer treasury
phone telephone mobile cell | phone telephone mobile cell number
email mail | email mail e-mail
language languages tongue | speaks language fluent languages learning spricht parla habla parle english french german
  italian spanish norwegian swedish danish finnish dutch portuguese polish russian czech greek turkish chinese japanese
  korean arabic hebrew hindi
hobby hobbies pastime pastimes interests | chess painting climbing hiking knitting gardening photography hobby plays
  collects paints knits climbs hikes enjoys hobbies interested
instrument instruments | plays
education degree studies school university | studied studies degree graduated university school phd
deadline due | due deadline ships
illness condition health disease diagnosis medical | diabetes asthma arthritis eczema allergic diagnosed sick ill
  insulin migraine
  migraines surgery medication doctor depression cancer epilepsy
medication medicine medicines drug drugs pills | insulin pills tablets ibuprofen medication mg
painkiller painkillers analgesic | ibuprofen paracetamol aspirin naproxen diclofenac codeine morphine tramadol
antibiotic antibiotics | penicillin amoxicillin doxycycline
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
price cost costs | costs cost price paid pays pay
budget | budget
kitchen | kitchen
doctor physician gp | doctor physician gp
music band bands | listens band music jazz rock opera techno
drink drinks beverage | drinks tea coffee beer wine juice water
outage incident downtime | outage crashed crash incident failed
debt debts loan | owes debt loan owed borrowed
gift present | gift present
wifi wi-fi wireless | wifi wireless wi-fi
website homepage site | website homepage
sport sports exercise workout workouts | plays runs swims football tennis gym cycling
commute | commutes commute
bedtime sleep | sleeps bed
move relocation moving | moves moving moved relocates move mover movers
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
mortgage | mortgage
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
application applications applying | applied apply interview candidate
dog | beagle poodle labrador terrier spaniel dachshund retriever collie husky corgi pug bulldog puppy
cat | siamese tabby kitten
pet pets | beagle poodle labrador terrier spaniel dachshund husky tortoise turtle canary budgie snake lizard
  gecko guinea-pig
car vehicle | bmw audi volkswagen tesla toyota honda ford fiat renault peugeot volvo mercedes skoda opel porsche mazda
  hyundai nissan dacia jeep citroën
instrument instruments | guitar piano violin cello flute trumpet drums saxophone harp oboe clarinet ukulele accordion
sport sports | football tennis basketball golf hockey volleyball handball badminton swimming running skiing rowing judo
  karate boxing climbing swims rows skis boxes
illness condition health disease diagnosis | parkinson alzheimer bronchitis pneumonia covid flu hepatitis anaemia
  thyroid sclerosis tumour hernia gout diabetic asthmatic heart
food dish meal favourite-food | paella goulash schnitzel falafel hummus kebab quiche omelette pancakes waffles moussaka
  gnocchi ravioli carbonara tiramisu dishes
drink drinks | cola lemonade cocktail gin vodka rum whisky champagne cider smoothie espresso cappuccino
browser | firefox chrome safari edge brave
editor ide | neovim sublime helix intellij pycharm webstorm nano
meat | beef pork chicken lamb ham sausage bacon veal
fish seafood | salmon tuna trout cod herring prawns shrimp shellfish
fruit | apples pears plums bananas cherries grapes strawberries mango oranges lemons
vegetable vegetables | carrots peas spinach broccoli cabbage potatoes tomatoes courgettes
relatives relative family | aunt uncle cousin niece nephew grandmother grandfather in-laws
birthplace birth | born
job profession occupation career | teaches practises self-employed apprenticeship
hobby hobbies pastime | sews sings dances fishes sails photographs collects gardens bakes
address | street road lane avenue postcode
breakup separation | separated divorced split
childhood | grew raised
hair | blonde bald ginger brunette
neighbour neighbours | next-door
money finances | salary savings debt loan mortgage
injury injuries | hurt hurts broke injured sprained injury pain
"""

_SYNONYMS = """
mum mom mother mama mummy | dad father papa daddy | grandma granny grandmother | grandpa grandad granddad grandfather
| kid child | spouse partner | pal buddy mate friend | boss manager supervisor superior | coworker colleague workmate
| flatmate roommate housemate | landlord landlady | doctor physician gp | attorney lawyer solicitor barrister | vet
veterinarian | teacher instructor tutor | professor lecturer | programmer developer coder | trainee intern apprentice
| carpenter joiner | accountant bookkeeper | chef cook | hairdresser barber stylist | pupil student schoolchild |
tenant renter lodger | customer client | supplier vendor | staff employees personnel workforce | firm company business
| shop store | cop policeman police | journalist reporter | author writer | actor actress | musician player | flat
apartment | garden yard | cellar basement | lift elevator | sofa couch settee | cupboard closet wardrobe | toilet loo
bathroom | tap faucet | fridge refrigerator | stove cooker oven | rubbish trash garbage waste | heating radiator
boiler | car automobile | bike bicycle | motorbike motorcycle | lorry truck | subway metro underground | plane
aeroplane airplane aircraft | petrol gasoline fuel | tyre tire | motorway highway freeway | taxi cab | parcel package
| ill sick unwell | illness disease sickness | surgery operation operated | medicine medication drug pills tablets |
jab vaccine vaccination vaccinated inoculated | intolerant intolerance tolerate | pregnant pregnancy | pain hurt ache
sore | diabetic diabetes | asthmatic asthma | epileptic epilepsy | fracture fractured broke | flu influenza | belly
stomach tummy | hospital clinic | therapy treatment | anxious anxiety nervous | depressed depression | exhausted tired
fatigued | supper dinner | aubergine eggplant | courgette zucchini | coriander cilantro | sweets candy | biscuit
cookie | crisps chips | delicious tasty | spicy hot | begin start commence | end finish conclude | complete finish
done | buy purchase acquire | live reside dwell | relocate move | work employed employ | quit resign | hire recruit
employ | fire dismiss sack | cost charge price | like love enjoy adore fond keen fan | hate dislike loathe detest
despise | want wish desire | need require | speak talk | tell say mention | ask request | answer reply respond | help
assist | learn study | repair fix mend | damage break | stop cease discontinue quit | cancel scrap axe | delay
postpone defer reschedule | reschedule move shift | change alter modify | replace swap exchange | change switch rotate
| increase raise rise
grow | decrease reduce lower cut shrink drop | choose pick select | allow permit | forbid ban prohibit | happen occur
| arrive come | depart leave | trip journey travel | marry wed | divorce separate split | die decease | bear birth |
wake awake | eat consume | smoke cigarette tobacco smoker | clean tidy wash | run jog jogger runner | swim swimmer |
cycle bike ride | dance dancer | paint painter painting | sing singer choir | photo photograph photography picture |
misplace lose lost missing | find locate | steal theft | intend plan | try attempt | use utilise | build construct |
create make produce develop | deploy release publish ship | inspect check | approve accept endorse | reject decline
refuse | send mail post | receive get | keep store save | delete remove erase | maintain care responsible | lead head
run manage direct | last take | expire lapse | renew extend prolong | sign signature | big large huge | small little
tiny | fast quick rapid | slow sluggish | cheap inexpensive affordable | expensive costly pricey | happy glad pleased
| sad unhappy | angry cross furious mad | afraid scared scare frighten fear terrified phobia dread | important crucial
vital essential | difficult hard tough | easy simple | broken defective faulty | available vacant free | busy occupied
| secure safe | dangerous risky unsafe | incorrect wrong false mistaken | correct right true | quiet silent | loud
noisy | rich wealthy | clever smart intelligent | strange odd weird | favourite favorite preferred best | daily
everyday day | weekly week | monthly month | yearly annual year | mandatory compulsory obligatory required must |
optional voluntary | secret confidential | former previous | server host machine | bug defect error fault issue |
outage downtime incident offline unavailable unreachable | crash fail failure | repo repository | database db |
password passphrase passcode pin | config configuration settings setup | documentation docs manual | meeting meet |
deadline due cutoff | ticket issue task | feature functionality | laptop notebook | phone mobile smartphone cell
handset | screen display | wifi wireless wlan | app application program | website site homepage | folder directory |
upgrade update | migrate migration switch | salary wage income earn | debt owe loan | price cost fee | budget fund
allowance spend | invoice bill | pension retirement retire retired | discount rebate reduction | refund reimburse
reimbursement | noon midday | holiday vacation | party celebration celebrate | wedding marriage | funeral burial |
exam test examination | course class lesson training | university college uni | thesis dissertation | homework
assignment | conference congress summit | speech presentation lecture | concert gig show | film movie | book novel |
game match | competition tournament contest race | prize award | jobless unemployed | hobby pastime | surname lastname
| nickname nick | citizen citizenship nationality passport | border frontier | luggage baggage suitcase | glasses
spectacles | umbrella brolly | jumper sweater pullover | trainers sneakers | trousers pants | coat jacket | present
gift | weapon gun | forest woods | sea ocean | storm thunder | dog puppy hound | cat kitten | hen chicken | pig pork |
cow beef | attend go visit | attend join participate | people person member employee | consist comprise include
contain | team group squad crew | sound noise | height tall | weight weigh | length long | age old | depth deep |
width wide | distance far | speed fast | strength strong | grade grader year form | vegetarian veggie | bald hairless
| blonde blond fair | lefty left-handed | twin twins | wallet purse | main principal key major | lease rental tenancy
| asleep sleep | problem trouble difficulty | attractive pretty beautiful | polite friendly kind | rude impolite |
lazy idle | brave courageous | weak feeble | thin slim skinny | fat overweight obese | hungry starving | drunk
intoxicated | dirty filthy | empty vacant | entire whole complete | enough sufficient | usually normally generally
typically | often frequently | rarely seldom | almost nearly | approximately about roughly | begin onset | purpose
goal aim objective | result outcome | reason cause | method approach | idea suggestion proposal | opinion view |
agreement deal contract | argument quarrel dispute | accident crash collision | injury wound injured | thief burglar
robber | prison jail | guilty convicted | child toddler infant baby | teenager adolescent | adult grownup | guest
visitor | stranger unknown | neighbour neighbor | owner proprietor | leader head chief director | assistant helper
aide | secretary receptionist | salesman seller | cleaner janitor caretaker | sailor seaman | soldier troops | priest
pastor vicar | bakery baker | butcher meat | pharmacy chemist drugstore | supermarket grocery groceries | restaurant
eatery diner bistro | cafe coffeehouse | pub bar tavern | hotel inn hostel | airport airfield | station stop | harbour
port | street road lane | square plaza | bridge crossing | village hamlet | countryside rural | coast seaside shore
beach | mountain hill peak | river stream | storm gale | rain shower | snow snowfall | meal lunch dish | snack bite |
dessert pudding sweet | soda lemonade | juice smoothie | soup broth stew | beverage drink | autumn fall | dawn sunrise
| dusk sunset | tomorrow next | forthcoming upcoming next | final last | initial first | screenshot capture |
spreadsheet excel | slides presentation deck | minutes protocol notes | agenda schedule timetable | roadmap plan |
milestone deadline | sprint iteration | bottleneck slow | vulnerability weakness hole | breach leak hack hacked |
firewall security | login signin | logout signout | endpoint route url | queue broker | container docker | cluster
kubernetes | staging test | production live | rollback revert | merge merged integrate | commit checkin | branch fork
| pipeline ci | alert alarm warning | metric measurement | dashboard grafana | traffic load | storage disk | memory
ram | processor cpu | graphics gpu | headset headphones earphones | charger cable adapter | subscription subscribe |
newsletter mailing | advertisement ad advert | marketing promotion | turnover revenue sales | profit margin earnings |
loss deficit | share stock | bonus premium | overtime extra | promotion promoted | maternity parental | strike walkout
| union syndicate | contract agreement | probation trial | vacancy opening position | candidate applicant | resume cv
| signature signed | permit licence license | certificate diploma degree | scholarship grant | semester term | pupil
learner | kindergarten nursery daycare | caretaker guardian | godmother godfather godparent | engaged engagement
fiancé fiancée | widow widower widowed | orphan orphaned | adopt adopted adoption | nap snooze | snore snoring | dream
nightmare | insomnia sleepless insomniac | myopic myopia | hyperopic hyperopia | hearingloss deaf |
vertigo dizzy dizziness | fever temperature | cough coughing | rash itch itching |
wheelchair disabled | crutches limp | bandage plaster | prescription prescribed | checkup examination | dentist teeth
tooth | optician eyes glasses | physiotherapist physio | psychiatrist psychologist therapist shrink | dyslexic
dyslexia | autistic autism | addicted addiction addict | vegan plant-based | gluten coeliac celiac | sober teetotal |
seafood shellfish prawns shrimp | beef steak | pork ham bacon | poultry chicken | pastry cake | bread loaf rolls |
noodles pasta spaghetti | guitar guitarist | piano pianist | violin violinist | drums drummer percussion | football
soccer | tennis racket | ski skiing skier | sail sailing sailor | hike hiking trek trekking | fish fishing angler
angling | hunt hunting hunter | climb climbing climber bouldering | knit knitting | sew sewing | garden gardening
gardener | bake baking | cook cooking | act acting theatre drama | photograph photographer | read reading bookworm |
write writing writer | draw drawing sketch | chess chessboard | cards poker bridge | yoga pilates | gym fitness
workout | weights weightlifting | martial karate judo | electric ev | hybrid plugin | diesel petrol | parking park |
driver driving drive | passenger rider | scooter moped | caravan camper motorhome | |
tenant lodger | roof attic loft | storey floor | move relocation removal
"""

_RIVALS = """
monday tuesday wednesday thursday friday saturday sunday | red green blue yellow black white orange purple pink brown
grey | brother sister | son daughter | mother father | mum dad | wife husband boyfriend girlfriend | uncle aunt |
niece nephew | grandmother grandfather | morning afternoon evening night | breakfast lunch dinner | spring summer
autumn winter | tea coffee beer wine milk water juice whisky cocoa | alcohol coffee tea milk
| cat dog parrot rabbit horse hamster | car bike
train bus plane boat motorcycle bicycle | home work office school | guitar piano violin drums cello flute | doctor
dentist lawyer accountant | frontend backend | staging production development prod dev | north south east west | left
right | before after | open closed | start end | apples pears plums oranges bananas cherries grapes | football tennis
basketball golf hockey chess | import export | income expense | buy sell bought sold | first second third last | old
new | big small large | hot cold | arrive leave arrives leaves arrival departure | up down | early late | upper lower
| min max minimum maximum | username password | birthday wedding anniversary graduation funeral christening | daily
weekly monthly yearly | read write | upload download | enabled disabled | on off | allow deny | true false | win lose
won lost | cheap expensive | pay paid sell sold |
teacher student | buyer seller | landlord tenant | lender borrower | king queen | client server | input output |
mother-in-law father-in-law | food drink | vegan vegetarian | married divorced | single married | alive dead | english
french german italian spanish norwegian swedish danish finnish dutch portuguese polish russian czech greek turkish
chinese japanese korean arabic hebrew hindi | pass fail passing failing | paid unpaid | accept reject | approve reject
approved rejected | increase decrease | rise fall | add remove | lend borrow | push pull | connect disconnect | lock
unlock | create delete | publish unpublish | hire fire | empty full | clean dirty | dry wet | safe dangerous | legal
illegal | public private | internal external | manual automatic | success failure succeed | online offline | active
inactive | present absent | possible impossible | visible hidden | valid invalid | correct wrong | true false | right
wrong | healthy ill | happy sad | rich poor | strong weak | long short | tall short | high low | wide narrow | thick
thin | heavy light | fast slow | easy difficult | loud quiet | young old | love hate | like dislike | friend enemy |
parent child | breakfast supper | birthday graduation | meat fish cheese bread | vegetables fruit | potatoes rice
pasta | apple cherry lemon orange peach strawberry raspberry melon mango | beef pork chicken lamb turkey | salmon tuna
trout cod herring | butter margarine oil | sugar salt pepper | peanut walnut almond hazelnut cashew | knee shoulder
hip elbow ankle wrist arm leg foot hand back neck head ear eye | laptop phone tablet printer router television camera
| sofa table chair bed desk lamp | kitchen bathroom bedroom cellar | garden balcony garage | python javascript
typescript java rust go ruby php kotlin swift scala | windows macos linux | postgres mysql sqlite mongodb redis oracle
| aws azure gcp hetzner | january february march april june july august september october november december | piano
guitar violin cello flute trumpet oboe clarinet saxophone harp organ ukulele | swim run cycle climb ski dance sing
paint knit | swimming running cycling climbing skiing dancing singing painting knitting | engineer teacher nurse baker
carpenter electrician plumber architect journalist pilot chef gardener | website app | hardware software | minute hour
day week month year | minutes hours days weeks months years | metre kilometre mile | gram kilo | euro dollar pound
franc | invoice contract offer quote | mail phone letter
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
def told_by(term: str, language: str = "en") -> frozenset[str]:
    """Of `said_as`, the terms that say at least as much: a pet is told by a cat, and a cat not by a pet."""
    return _tellings(language).get(term, frozenset())


@cache
def synonyms(term: str, language: str = "en") -> frozenset[str]:
    """Of `told_by`, the terms that say the same: a description may use two of them for one thing."""
    return frozenset().union(*(group for group in _groups(_SYNONYMS, language) if term in group)) - {term}


@cache
def _table(language: str) -> dict[str, frozenset[str]]:
    found = {term: set(others) for term, others in _tellings(language).items()}
    for term, others in _tellings(language).items():
        for other in others:
            found.setdefault(other, set()).add(term)
    return {term: frozenset(others) for term, others in found.items()}


@cache
def _tellings(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    lines = _MATTERS.replace("\n  |", " |").replace("\n  ", " ").strip().splitlines()
    for line in lines:
        names, _, said = line.partition("|")
        asked, telling = _terms(names, language), _terms(said, language)
        for term in asked:
            found.setdefault(term, set()).update(asked | telling)
    for group in _groups(_SYNONYMS, language):
        for term in group:
            found.setdefault(term, set()).update(group)
    return {term: frozenset(others - {term}) for term, others in found.items()}


@cache
def _rivals(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for terms in _groups(_RIVALS, language):
        for term in terms:
            found.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in found.items()}


def _groups(table: str, language: str) -> list[set[str]]:
    return [_terms(group, language) for group in table.split("|")]


def _terms(listed: str, language: str) -> set[str]:
    """One term a word: of "next-door" neither "next" nor "door"."""
    return {words(word, language)[0] for word in listed.split()}
