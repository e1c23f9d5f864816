"""Cases written from the requirement alone; held out until first run, the rules were mended with them since."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.description.case import Case, Entry

C = Case


def _one(kind: str, query: str, gone: Entry, *keep: Entry, text: str | None = None) -> Case:
    return C(kind=kind, query=query, gone=[gone], keep=list(keep), text=text)


def _many(query: str, gone: Sequence[Entry], *keep: Entry, all: bool = False) -> Case:
    return C(kind="everything", query=query, gone=list(gone), keep=list(keep), all=all)


def _cut(query: str, cut: Mapping[str, str], *keep: Entry) -> Case:
    return C(kind="compound", query=query, cut=dict(cut), keep=list(keep))


def _none(kind: str, error: str, query: str, *keep: Entry) -> Case:
    return C(kind=kind, query=query, keep=list(keep), error=error)


_IDENTIFIERS: tuple[Case, ...] = (
    _one(
        "identifier",
        "the customer number K-5501",
        "Customer K-5501 gets a discount of five percent",
        "Customer K-55010 pays in advance",
        "Customer SK-5501 moved to Tampere",
        "Customer K-5510 complained about the noise",
    ),
    _one(
        "identifier",
        "billing@harbor.co",
        "Send receipts to billing@harbor.co",
        "Send complaints to billing@harbor.com",
        "Send orders to eu-billing@harbor.co",
        "The harbour festival starts on Friday",
    ),
    _one(
        "identifier",
        "forget that we pinned numpy 1.26",
        "We pinned numpy to 1.26",
        "We pinned scipy to 1.26.4",
        "We tested numpy 1.2 in 2008",
        "numpy 2.0 comes with the next release",
    ),
    _one(
        "identifier",
        "the file ~/notes/todo.md",
        "~/notes/todo.md is synced to my phone",
        "~/notes/todo.md.old can be thrown away",
        "~/work/notes/todo.md belongs to the team",
        "I take notes with a fountain pen",
    ),
    _one(
        "identifier",
        "bus line 17",
        "Line 17 stops right outside my house",
        "Line 170 goes to the airport",
        "Line 117 only runs on weekdays",
        "My nephew is 17",
    ),
    _one(
        "identifier",
        "PR #88",
        "PR #88 needs a second reviewer",
        "PR #188 was closed without merging",
        "PR #880 updates the translations",
        "88 tests fail on Windows",
    ),
    _one(
        "identifier",
        "the host db1.internal",
        "db1.internal gets new memory on Saturday",
        "db11.internal was switched off",
        "db1.internal.example is only an alias in the handbook",
        "testdb1.internal runs out of disk space",
        "The internal audit is in June",
    ),
    _one(
        "identifier",
        "what was decided in ADR-004",
        "ADR-004: we keep a single repository",
        "ADR-0040: we keep logs for thirty days",
        "ADR-005: we drop support for Python 3.9",
        "We decided to paint the kitchen yellow",
    ),
)

_NAMES: tuple[Case, ...] = (
    _one(
        "name",
        "Eric Holm's desk",
        "Eric Holm sits at desk 12 by the window",
        "Erica Holm sits at desk 15",
        "Eric Holmgren sits at desk 21",
        "Eric Holm has two daughters",
    ),
    _one(
        "name",
        "that Rob likes sushi",
        "Rob likes sushi",
        "Roberta likes sushi",
        "Robin likes tapas",
        "Rob likes cycling",
    ),
    _one(
        "name",
        "the invoice from Stern",
        "The invoice from Stern is overdue",
        "The invoice from Sternberg is paid",
        "The invoice from Morgenstern was wrong",
        "Stern delivers the coffee beans",
    ),
    _one(
        "name",
        "Mr Wood coaches the juniors",
        "Mr Wood coaches the juniors",
        "Mr Woods coaches the seniors",
        "Mrs Wood coaches the goalkeepers",
        "The wood for the stove is in the shed",
    ),
    _one(
        "name",
        "the hotel in Bad Essen",
        "Our hotel in Bad Essen has a sauna",
        "Our hotel in Essen has no breakfast",
        "Our flat in Essen-Werden is let",
        "We bought bad apples in Trier",
    ),
)

_EVERYTHING: tuple[Case, ...] = (
    _many(
        "everything about my divorce",
        ["My divorce will be final in March", "The lawyer handling my divorce is Ms Quist"],
        "Nadja's divorce took two years",
        "My tax lawyer is Mr Bloch",
        "My driving licence is valid until March",
    ),
    _many(
        "everything about Project Lantern",
        [
            "Project Lantern is led by Imke",
            "The pilot of Project Lantern runs in Malmö",
            "Project Lantern needs two more developers",
        ],
        "We hung a lantern over the porch",
        "Project Beacon is led by Joost",
        "Imke is allergic to cats",
        "The pilot of our flight was very young",
    ),
    _many(
        "forget all about my piano lessons",
        ["My piano lessons are on Thursdays at five", "I pay 30 euros for each piano lesson"],
        "My daughter's riding lessons are on Thursdays",
        "The piano bar on the corner closes at two",
        "I pay 30 euros for the gym",
    ),
    _many(
        "everything about Whiskers",
        ["Whiskers is twelve years old", "Whiskers only eats tuna", "We got Whiskers from the animal shelter"],
        "I only eat tuna from a tin",
        "Our nephew is twelve years old",
        "The whiskey is locked in the cabinet",
    ),
    _many(
        "everything about the Kafka cluster",
        ["The Kafka cluster has five brokers", "The Kafka cluster was upgraded in May"],
        "Franz Kafka is my favourite author",
        "The Spark cluster has ten nodes",
        "The heating was upgraded in May",
    ),
    _many(
        "everything about my back pain",
        ["My back pain gets worse when I sit", "I take ibuprofen for my back pain"],
        "I'll be back from lunch at one",
        "I take the bus to the pool",
        "Lotta has tooth pain",
        all=True,
    ),
    _many(
        "everything about the customer Solvang",
        ["Solvang is our biggest customer", "The contact at Solvang is Ragna", "Solvang pays within ten days"],
        "Solveig is our newest colleague",
        "The contact at Tormod is Ivar",
        "Wages are paid within ten days",
    ),
    _many(
        "everything I said about moving house",
        [
            ("me", "We are moving house on 1 October", 6),
            ("me", "The movers for our new house cost 1,400 euros", 3),
        ],
        ("me", "The house of my grandparents is from 1902", 6),
        ("me", "The new sofa costs 1,400 euros", 3),
        ("me", "That film was very moving", 2),
    ),
)

_REWORDED: tuple[Case, ...] = (
    _one(
        "reworded",
        "forget that I'm vegan",
        "I don't eat any animal products",
        "My flatmate eats a lot of meat",
        "I don't eat after eight in the evening",
        "We don't allow animals in the flat",
    ),
    _one(
        "reworded",
        "Kirsten got fired",
        "Kirsten was dismissed by her company",
        "Kirsten was promoted in 2020",
        "Karsten was dismissed by his company",
        "We fired up the barbecue",
    ),
    _one(
        "reworded",
        "my grandfather is dead",
        "My grandpa passed away in 2019",
        "My grandma lives in a care home",
        "Grandpa's watch stopped in 2019",
        "I passed my exam in 2019",
    ),
    _one(
        "reworded",
        "the project is over budget",
        "The project costs more than planned",
        "The project starts later than planned",
        "The party costs 300 euros",
    ),
    _one(
        "reworded",
        "I'm short-sighted",
        "I'm nearsighted",
        "My wife is colour-blind",
        "I'm a little short for my age",
        "We need new wine glasses",
    ),
    _one(
        "reworded",
        "Jorge teaches maths",
        "Jorge is a mathematics teacher",
        "Jorge is a football fan",
        "Juana is a mathematics teacher",
        "Jorge's teacher was strict",
    ),
    _one(
        "reworded",
        "our shop opens at nine",
        "Opening time of our shop is 9:00",
        "Closing time of our shop is 18:00",
        "The pharmacy opens at nine",
    ),
    _one(
        "reworded",
        "that I own a boat",
        "I have a sailing boat at the lake",
        "Ruben has a sailing boat in Kiel",
        "I have a cabin at the lake",
        "The boat trip takes an hour",
    ),
    _one(
        "reworded",
        "Timo and Alva are engaged",
        "Timo is Alva's fiancé",
        "Timo's line was engaged all morning",
        "Timo is Albert's brother",
        "Alva plays handball",
    ),
    _one(
        "reworded",
        "the tests take twenty minutes",
        "It takes 20 minutes to run the tests",
        "It takes 20 minutes to walk to the station",
        "The tests are written with pytest",
    ),
    _one(
        "reworded",
        "I have trouble sleeping",
        "I suffer from insomnia",
        "My aunt suffers from hay fever",
        "I sleep on the left side of the bed",
        "We have trouble with the neighbours",
    ),
    _one(
        "reworded",
        "the meeting with the auditors was moved to Friday",
        "The auditors' meeting has been rescheduled to Friday",
        "The team lunch has been rescheduled to Friday",
        "The auditors' report has 80 pages",
    ),
    _one(
        "reworded",
        "my monthly salary is 3,200 euros",
        "I earn 3,200 euros a month",
        "I save 200 euros a month",
        "Dario earns 3,200 euros a month",
        "The e-bike costs 3,200 euros",
    ),
    _one(
        "reworded",
        "what you told me about the visa",
        ("assistant", "The visa for India takes about ten working days", 5),
        ("assistant", "The train to Agra takes about two hours", 5),
        ("me", "My passport is valid until 2031", 5),
        ("me", "I pay with my Visa card abroad", 4),
    ),
)

_NEGATIONS: tuple[Case, ...] = (
    _one(
        "negation",
        "that I don't have any siblings",
        "I have no siblings",
        "Mats has three siblings",
        "I have no allergies",
        "My brother-in-law lives in Ghana",
    ),
    _one(
        "negation",
        "the warranty covers water damage",
        "The warranty covers water damage",
        "The warranty does not cover theft",
        "The insurance does not cover water damage",
    ),
    _none(
        "negation",
        "NotFound",
        "Ella can come on Sunday",
        "Ella can't come on Sunday",
        "Elias can come on Sunday",
        "Ella can come on Wednesday",
    ),
    _one(
        "negation",
        "we don't support Internet Explorer",
        "Internet Explorer is not supported",
        "Firefox is supported",
        "Payment by cheque is not supported",
        "Our internet provider is Telia",
    ),
)

_HOMONYMS: tuple[Case, ...] = (
    _one(
        "homonym",
        "the crane at the building site",
        "The crane on the building site blocks the road until May",
        "A crane landed on our field in March",
        "Cranes fly south in October",
        "The building site is noisy",
    ),
    _one(
        "homonym",
        "Mercury the planet",
        "Mercury is the planet closest to the sun",
        "Freddie Mercury is my favourite singer",
        "The old thermometer contains mercury",
    ),
    _one(
        "homonym",
        "the Apple stock I bought",
        "I bought 20 shares of Apple in 2021",
        "I bought 20 kilos of apples for juice",
        "The apple tree was planted in 2021",
        "The chicken stock is in the freezer",
    ),
    _one(
        "homonym",
        "the spring on the mattress",
        "A spring in the mattress is broken",
        "In spring we sow carrots",
        "There is a spring in the forest with clear water",
        "The mattress was expensive",
    ),
)

_COMPOUNDS: tuple[Case, ...] = (
    _cut(
        "I have a cat",
        {"I have a cat and I work from home": "I work from home"},
        "Levi has a cat",
        "I have a garden",
    ),
    _cut(
        "that Moritz studies biology",
        {"Moritz lives in Jena and studies biology": "Moritz lives in Jena"},
        "Moira studies biology",
        "Moritz rows on Sundays",
    ),
    _cut(
        "I don't like cilantro",
        {"I like basil, but I don't like cilantro.": "I like basil."},
        "Ayla doesn't like cilantro.",
        "I don't like rain.",
    ),
    _cut(
        "we sell tents",
        {"We sell tents, backpacks and stoves": "We sell backpacks and stoves"},
        "The shop next door sells tents",
        "We repair tents",
    ),
    _cut(
        "the demo is on 14 May",
        {"The demo is on 14 May. The client wants to see the new search.": "The client wants to see the new search."},
        "The party is on 14 May.",
        "The demo takes an hour.",
    ),
    _cut(
        "BUG-19",
        {"BUG-190 is fixed and BUG-19 is still open": "BUG-190 is fixed"},
        "BUG-91 was a duplicate",
        "19 bugs were found in May",
    ),
    _cut(
        "my daughter is a dentist",
        {"My son is a pilot, and my daughter works as a dentist": "My son is a pilot"},
        "My daughter has a dog",
        "My neighbour works as a dentist",
    ),
    _cut(
        "forget that Ulla came along to the museum",
        {"Ulla and Henrik went to the museum": "Henrik went to the museum"},
        "Ulrike went to the museum",
        "Ulla went to the cinema",
    ),
    _cut(
        "the logs are kept for 30 days",
        {"The logs are kept for 30 days; the backups are kept for a year": "The backups are kept for a year"},
        "The parcels are kept for 7 days",
        "The logs are in JSON",
    ),
)

_CORRECTIONS: tuple[Case, ...] = (
    _one(
        "correction",
        "my phone number",
        "You can reach me by phone at 555-0134",
        "You can reach my wife by phone at 555-0177",
        "My phone is a Fairphone",
        "I live at number 13",
        text="My phone number is 555-0199",
    ),
    _one(
        "correction",
        "Selma is the team lead",
        "Selma leads the team",
        "Selma leads the choir",
        "Samuel leads the support desk",
        text="Viktor is the team lead",
    ),
    _one(
        "correction",
        "the wedding takes place in a church",
        "The wedding will be held in a church",
        "The concert will be held in a church",
        "The wedding cake will be made by Oma",
        text="The wedding takes place in the botanical garden",
    ),
    _one(
        "correction",
        "which car I have",
        "I drive a Skoda Fabia",
        "Marlon drives a Skoda Octavia",
        "I drive to my parents every Sunday",
        "My car insurance is with Allianz",
        text="I drive a Renault Zoe",
    ),
    _one(
        "correction",
        "our CI runs on Jenkins",
        "We use Jenkins for CI",
        "We use Jira for tickets",
        "Mr Jenkins rents the flat upstairs",
        "The other department uses Jenkins for CI",
        text="We use Buildkite for CI",
    ),
)

_UNCERTAIN: tuple[Case, ...] = (
    _none(
        "ambiguous",
        "Ambiguous",
        "the key",
        "The key to the cellar hangs by the door",
        "The key to the bike shed is with Gerda",
        "The keyboard is from Cherry",
    ),
    C(
        kind="ambiguous",
        query="Hanno's medication",
        gone=["Hanno's medication in the morning is ramipril", "Hanno's medication in the evening is simvastatin"],
        keep=["Hannah's medication is in the blue box", "Hanno's glasses are in the drawer"],
        all=True,
    ),
    _none(
        "absent",
        "NotFound",
        "my cousin's wedding",
        "My cousin's graduation is in June",
        "My colleague's wedding is in July",
        "My cousin lives in Cork",
    ),
)

_CASES: tuple[Case, ...] = (
    *_IDENTIFIERS,
    *_NAMES,
    *_EVERYTHING,
    *_REWORDED,
    *_NEGATIONS,
    *_HOMONYMS,
    *_COMPOUNDS,
    *_CORRECTIONS,
    *_UNCERTAIN,
)

CASES: tuple[Case, ...] = tuple(replace(case, round=11) for case in _CASES)
