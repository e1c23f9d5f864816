"""Cases written from the requirement alone; held out until first run, the rules were mended with them since."""

from dataclasses import replace

from benchmarks.description.case import Case
from benchmarks.description.writing import cut, many, none, one

_REFUSED = "Ambiguous"
_NOTHING = "NotFound"

_IDENTIFIERS: tuple[Case, ...] = (
    one(
        "identifier",
        "ticket OPS-31",
        "OPS-31 is blocked by the firewall change",
        "OPS-310 was closed on Monday",
        "DEVOPS-31 belongs to the platform team",
        "OPS-13 waits for a review",
    ),
    one(
        "identifier",
        "maria.lopez@quinta.pt",
        "The accountant answers at maria.lopez@quinta.pt",
        "lopez@quinta.pt is the shared inbox of the vineyard",
        "ana-maria.lopez@quinta.pt handles the tours",
        "maria.lopez@quinta.ptx.net sent us spam",
    ),
    one(
        "identifier",
        "what I said about Jon Ek",
        "Jon Ek coaches the under-twelves on Thursdays and keeps the balls in the trunk of his car",
        "Jon Ekström coaches the goalkeepers",
        "Jonas Ek sells the season tickets",
        "Jonna Ekman washes the jerseys",
    ),
    one(
        "identifier",
        "flight LH 454",
        "My flight LH 454 leaves from gate B22",
        "LH 4540 was rerouted through Leipzig",
        "LH 455 brings me back from San Francisco",
        "KLH 454 is the number plate of the rental car",
    ),
    one(
        "identifier",
        "the projector in room 2.14",
        "The projector in room 2.14 is broken",
        "The projector in room 12.14 has no remote",
        "The projector in room 2.1 is brand new",
        "The build takes 2.14 seconds",
    ),
    one(
        "identifier",
        "forget that the lab laptop has python 3.1",
        "The lab laptop still has Python 3.1",
        "The teacher's laptop has Python 3.11",
        "The lab server has Python 3.12",
        "Lab report 3.1 is due on Monday",
    ),
    one(
        "identifier",
        "case 4 O 217/22",
        "The hearing in case 4 O 217/22 is on the ninth",
        "In case 4 O 217/23 the other side appealed",
        "The fee for case 14 O 217/22 has been paid",
        "Case 4 O 27/22 was settled",
    ),
    one(
        "identifier",
        "I said my locker at the gym was number 9",
        "My gym locker is number 9",
        "Omar's gym locker is number 19",
        "My post office box is number 9",
        "The gym opens at 9",
    ),
    one(
        "identifier",
        "the branch fix/login",
        "fix/login must be rebased before the demo",
        "fix/login-timeout is merged",
        "hotfix/login went to production on Friday",
        "The login page needs a new logo",
    ),
    one(
        "identifier",
        "Dr. Lee",
        "Dr. Lee wants a blood test before the surgery",
        "Dr. Leeds prescribed the eye drops",
        "Ashlee looks after the dog on Mondays",
        "The surgery is at the St. Anne hospital",
    ),
    one(
        "identifier",
        "the port of the staging redis, 6380",
        "Staging redis listens on port 6380",
        "Production redis listens on port 6380",
        "Staging postgres listens on port 5432",
        "The staging proxy listens on port 16380",
        text="Staging redis listens on port 6390",
    ),
)

_EVERYTHING: tuple[Case, ...] = (
    many(
        "everything about my knee",
        [
            "My left knee hurts when I go downstairs",
            "The MRI of the knee is on 3 March",
            "Dr. Sato suggested swimming for the knee",
        ],
        "Knee-high boots are on sale at Brandt's",
        "My left shoulder hurts when I throw",
        "Swimming lessons for Ida start in April",
    ),
    many(
        "everything about Project Heron",
        [
            "Project Heron ships in October",
            "Bea leads Project Heron",
            "The budget of Project Heron was cut by a third after the board meeting in Lausanne",
        ],
        "A heron stands in our pond every morning",
        "Project Egret ships in June",
        "The project plan template is on the wiki",
    ),
    many(
        "forget all about Biscuit, our guinea pig",
        [
            "Biscuit is afraid of the vacuum cleaner",
            "Our guinea pig Biscuit gets fresh dill on Sundays",
            "The vet trims Biscuit's claws every six weeks",
        ],
        "Grandma's biscuit recipe needs brown butter",
        "The neighbours' guinea pig is called Truffle",
        "The vet is closed on Wednesdays",
    ),
    many(
        "all you know about my mortgage",
        [
            "The mortgage runs until 2041",
            "My mortgage is with Nordbank at 3.1 percent",
            "We may pay back up to five percent of the mortgage per year",
        ],
        "My car loan is with Nordbank",
        "The lease of the office runs until 2027",
        "The bakery raised its prices by five percent",
    ),
    many(
        "everything about Rosa's wedding",
        [
            "Rosa's wedding is on 21 June in Bruges",
            "I am giving a speech at Rosa's wedding",
            "The dress code for Rosa's wedding is garden party",
        ],
        "Rosa works as a vet in Ghent",
        "Karim's wedding was in Fez",
        "The garden party at the office is on 4 July",
    ),
    many(
        "whatever there is on the lathe",
        [
            "The lathe needs way oil every Friday",
            "The chuck key of the lathe hangs by the door",
            "Only Sven and I may use the lathe",
        ],
        "The milling machine needs way oil every month",
        "The plasterers nailed new laths in the hall",
        "The key of the tool cabinet hangs by the window",
    ),
    many(
        "alles über den Schrebergarten",
        [
            "Der Schrebergarten hat die Parzelle 41",
            "Im Schrebergarten wachsen drei Apfelbäume",
            "Die Pacht für den Schrebergarten ist im November fällig",
        ],
        "Der Kindergarten macht um acht Uhr auf",
        "Die Pacht für den Stellplatz ist im Mai fällig",
        "Herr Schreber wohnt im zweiten Stock",
    ),
    many(
        "everything on the choir",
        [
            "Choir practice is on Tuesdays at seven",
            "I sing second alto in the choir",
            "The choir performs Fauré's Requiem in May",
        ],
        "Orchestra practice is on Mondays at seven",
        "I listen to Fauré when I cook",
        "My brother sings in a metal band",
    ),
    Case(
        kind="everything",
        query="everything about my uncle Pavel",
        gone=["Uncle Pavel lives in Brno", "My uncle Pavel repairs clocks"],
        cut={"Uncle Pavel collects stamps and Aunt Mila paints icons": "Aunt Mila paints icons"},
        keep=["Pavel from accounting leaves in May", "Uncle Milan lives in Brno", "The clock in the hall is slow"],
    ),
    many(
        "everything about the tokyo trip pls",
        [
            "The Tokyo trip is from 2 to 14 October",
            "For the trip to Tokyo we booked a flat in Asakusa",
            "Budget of the Tokyo trip: 4,200 euros",
        ],
        "The Tokyo office opens at 9 JST",
        "The trip to Lisbon is in February",
        "Tokyo Story is Mum's favourite film",
    ),
)

_MEANING: tuple[Case, ...] = (
    one(
        "meaning",
        "what I eat in the morning",
        "Breakfast is oatmeal with blueberries for me",
        "Dinner at our place is at seven",
        "I run five kilometres in the morning",
        "Lunch is usually a sandwich at my desk",
    ),
    one(
        "meaning",
        "how do I get to work?",
        "I commute by bicycle along the canal",
        "I work from nine to five",
        "My daughter takes the tram to school",
        "The canal is drained every ten years",
    ),
    one(
        "meaning",
        "the day my kid was born",
        "Our son Emil's birthday is the 4th of June",
        "Our wedding anniversary is on 9 June",
        "Emil is in the second grade",
        "My mother's birthday is the 11th of May",
    ),
    one(
        "meaning",
        "where the source code is hosted",
        "The repository lives on GitLab",
        "The team chat is on Matrix",
        "The code of the front door is changed every month",
        "Grace lives on a houseboat",
        text="The repository lives on Codeberg",
    ),
    one(
        "meaning",
        "my fear of heights",
        "I get dizzy and panic on tall ladders and balconies",
        "I am 1.82 metres tall",
        "I love watching scary films",
        "My cousin is scared of spiders",
    ),
    one(
        "meaning",
        "that i quit smoking",
        "I gave up cigarettes in January",
        "My father smokes a pipe on Sundays",
        "I gave up coffee in March",
        "The smoke detector in the hall needs a battery",
    ),
    one(
        "meaning",
        "how much I earn",
        "My salary is 58,000 euros before tax",
        "Marta's salary is 61,000 euros before tax",
        "My rent is 1,150 euros a month",
        "I spend about 90 euros a week on groceries",
    ),
    one(
        "meaning",
        "which instrument my daughter is learning",
        "Our girl has violin lessons every Thursday",
        "My son has trumpet lessons on Monday",
        "My daughter is learning to swim",
        "I played the organ as a child",
    ),
    one(
        "meaning",
        "the illness my dad has",
        "My father was diagnosed with Parkinson's last year",
        "My father-in-law has diabetes",
        "My mother has had a hip replacement",
        "My father drives a Volvo",
    ),
    one(
        "meaning",
        "où je fais mes courses",
        "J'achète mes légumes et mon pain au marché des Halles",
        "Je cours au parc le dimanche",
        "Mes cours de poterie sont le mardi",
        "Mon frère vend des voitures à Nantes",
    ),
    one(
        "meaning",
        "the agreement that nobody deploys right before the weekend",
        "No releases on Fridays, the team decided after the last outage",
        "Nightly builds start at two",
        "The weekend shift is covered by Omar",
        "We deploy with Argo CD",
    ),
)

_NEGATION: tuple[Case, ...] = (
    one(
        "negation",
        "that I don't eat pork",
        "I don't eat pork",
        "My brother eats pork",
        "I eat chicken twice a week",
        "I don't eat oysters",
    ),
    one(
        "negation",
        "that Ines can't drive at night",
        "Ines cannot drive at night because of her eyes",
        "Ines can drive a manual car",
        "Ines can't swim",
        "Nora can't drive at all",
    ),
    one(
        "negation",
        "the painkiller I must not take",
        "Ibuprofen is off limits for me because of my kidneys",
        "I take ramipril every morning",
        "I have to take my iron tablets with juice",
        "Dad must not lift anything heavy",
    ),
    one(
        "negation",
        "that the internal api isn't rate limited",
        "The internal API has no rate limit",
        "The public API has a rate limit of 60 a minute",
        "The internal API has no sandbox",
        "My rate for a day of consulting is 800 euros",
    ),
    one(
        "negation",
        "that the house is insured against flooding",
        "The house is insured against flooding",
        "The house is not insured against earthquakes",
        "The garden shed is not insured against flooding",
        "The car isn't insured for other drivers",
    ),
    one(
        "negation",
        "Theo no longer plays handball",
        "Theo doesn't play handball any more",
        "Theo plays chess at the club",
        "Maja plays handball on Saturdays",
        "Theo no longer eats meat",
    ),
    one(
        "negation",
        "that the tests are not run on Windows",
        "CI doesn't run the tests on Windows",
        "CI runs the tests on macOS",
        "CI doesn't run the benchmarks",
        "Two developers use Windows",
        text="CI runs the tests on Windows too since May",
    ),
)

_HOMONYMS: tuple[Case, ...] = (
    one(
        "homonym",
        "the bass I play",
        "I play a five-string bass in a funk trio",
        "We caught a sea bass near Brest",
        "I play tennis on Wednesdays",
        "The fishmonger sells bass on Fridays",
    ),
    one(
        "homonym",
        "our pet python",
        "The python in the living room eats a mouse every ten days",
        "Our scripts are written in Python",
        "The gecko needs its lamp on by eight",
        "Monty Python is on TV on Friday",
    ),
    one(
        "homonym",
        "the mole on my skin",
        "The mole on my back should be looked at by a dermatologist every year",
        "A mole digs up our lawn at the back",
        "We moor the boat at the mole",
        "My skin is dry in winter",
    ),
    one(
        "homonym",
        "the crane at the building site",
        "The crane may lift four tonnes on the soft ground next to the new garage",
        "Cranes fly over our village in October",
        "Ella folded a paper crane for me",
        "The building permit hangs in the site office",
    ),
    one(
        "homonym",
        "Jordan from my team",
        "Jordan reviews all my pull requests",
        "We spent Easter hiking in Jordan",
        "I wear Jordan sneakers to practice",
        "Wei from my team is on parental leave",
    ),
    one(
        "homonym",
        "the bank of the river",
        "The left bank of the river is closed to anglers",
        "My bank charges for foreign cards",
        "The food bank collects on Saturdays",
        "Our river cruise starts in Passau",
    ),
    one(
        "homonym",
        "what I said about the planet Mercury",
        "In March you can see Mercury through Ella's telescope at dusk",
        "The old thermometer contains mercury",
        "Freddie Mercury is Ella's favourite singer",
        "Ella's telescope needs a new tripod",
    ),
)

_COMPOUND: tuple[Case, ...] = (
    cut(
        "that my sister plays the flute",
        {"I play the cello and my sister plays the flute": "I play the cello"},
        "My sister lives in Utrecht",
        "My niece plays the flute",
    ),
    cut(
        "my allergy to latex",
        {"I'm allergic to penicillin, latex and shellfish": "I'm allergic to penicillin and shellfish"},
        "The latex gloves are in the second drawer",
        "Noah is allergic to latex",
    ),
    cut(
        "that Tom moved to Lyon",
        {"Tom moved to Lyon and adopted a greyhound": "Tom adopted a greyhound"},
        "Tom's parents moved to Nice",
        "We change trains in Lyon",
    ),
    cut(
        "the dentist's new address",
        {"The dentist has moved to 12 Elm Street, and Oskar needs braces": "Oskar needs braces"},
        "The optician is at 14 Elm Street",
        "The dentist opens at eight",
    ),
    cut(
        "we use kafka for events",
        {"We use Postgres for orders and Kafka for events": "We use Postgres for orders"},
        "Franz Kafka is on the reading list of our book club",
        "We use Redis for sessions",
    ),
    cut(
        "who feeds the fish",
        {
            "I water the tomatoes daily, Ben feeds the fish and Carla walks the dog": (
                "I water the tomatoes daily and Carla walks the dog"
            )
        },
        "The fish food is under the sink",
        "Ben feeds the neighbours' cat in July",
    ),
    cut(
        "when my passport expires",
        {"My passport expires in May, but Leo's visa is valid until 2028": "Leo's visa is valid until 2028"},
        "Leo's passport photo looks awful",
        "The parking permit expires in May",
    ),
    cut(
        "where the water meter is",
        {
            "The gas meter is in the cellar. The water meter is behind the washing machine.": (
                "The gas meter is in the cellar."
            )
        },
        "The electricity meter is in the hallway",
        "The washing machine leaks",
    ),
)

_AMBIGUOUS: tuple[Case, ...] = (
    none(
        "ambiguous",
        _REFUSED,
        "my appointment",
        "My appointment with the dentist is on Tuesday",
        "My appointment with the tax adviser is on Thursday",
        "Mum's knitting circle meets on Tuesday",
    ),
    none(
        "ambiguous",
        _REFUSED,
        "the password",
        "The password of the guest wifi is on the fridge",
        "The password for the NAS is in the safe",
        "My passport is in the safe",
    ),
    none(
        "ambiguous",
        _REFUSED,
        "where Alex lives",
        "Alex Murray lives in Cork",
        "Alex Petrov lives in Varna",
        "Alexandra Kim works in Cork",
    ),
)

_NONE: tuple[Case, ...] = (
    none(
        "absent",
        _NOTHING,
        "invoice INV-2201",
        "Invoice INV-22010 was paid on 3 May",
        "Invoice INV-2210 is overdue",
        "Invoice PINV-2201 was only a test",
    ),
    none(
        "absent",
        _NOTHING,
        "that I have a cat",
        "I have a dog called Rufus",
        "My sister has a cat",
        "My landlord doesn't allow cats",
    ),
    none(
        "absent",
        _NOTHING,
        "the name of my piano teacher",
        "My swimming teacher is called Hanne",
        "The piano was tuned in May",
        "My maths teacher was Mr. Boyle",
    ),
)

CASES: tuple[Case, ...] = tuple(
    replace(case, round=12)
    for case in (
        *_IDENTIFIERS,
        *_EVERYTHING,
        *_MEANING,
        *_NEGATION,
        *_HOMONYMS,
        *_COMPOUND,
        *_AMBIGUOUS,
        *_NONE,
    )
)
