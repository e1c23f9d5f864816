"""Cases written from the requirement alone; held out until first run, the rules were mended with them since."""

from dataclasses import replace

from benchmarks.description.case import Case
from benchmarks.description.writing import cut, many, none, one

_REFUSED = "Ambiguous"
_NOTHING = "NotFound"

_IDENTIFIERS: tuple[Case, ...] = (
    one(
        "identifier",
        "policy HV-20-118",
        "Policy HV-20-118 covers the bicycles too",
        "Policy HV-20-1180 covers the boat",
        "Policy HV-20-18 lapsed in 2019",
        "Policy KHV-20-118 is my father's",
    ),
    one(
        "identifier",
        "forget Eva Lind",
        "Eva Lind teaches my son geography",
        "Eva Lindqvist runs the school library",
        "Neva Lindt took over the canteen",
        "My son's geography book is missing",
    ),
    one(
        "identifier",
        "the handle @max_b",
        "@max_b moderates the forum on weekends",
        "@max_bauer posts too many links",
        "@max writes the newsletter",
        "@mad_max_b was banned",
    ),
    one(
        "identifier",
        "api.fernweh.io",
        "api.fernweh.io is down for maintenance every Sunday at three",
        "staging-api.fernweh.io needs a VPN",
        "api.fernweh.in serves the customers in India",
        "Fernweh is the name of my favourite podcast",
    ),
    one(
        "identifier",
        "what was noted on bearing 6204-2RS",
        "Bearing 6204-2RS fits the front wheel of the mower",
        "Bearing 6204-2RSH belongs in the pump",
        "Bearing 16204-2RS is no longer made",
        "The mower needs new spark plugs",
    ),
    one(
        "identifier",
        "the front desk's extension 40",
        "The front desk has extension 40",
        "The lab has extension 401",
        "The workshop has extension 140",
        "The front desk closes at six",
        text="The front desk has extension 44",
    ),
    one(
        "identifier",
        "release 2.3.0",
        "Release 2.3.0 dropped support for Node 16",
        "Release 2.3.0-rc1 broke the exports",
        "Release 12.3.0 of the parser is out",
        "Release 2.30 is planned for autumn",
    ),
)

_EVERYTHING: tuple[Case, ...] = (
    many(
        "everything about our holiday home",
        [
            "The holiday home in Skagen sleeps six",
            "The key to the holiday home is with Mrs. Holm",
            "We repaint the holiday home next summer",
        ],
        "Skagen has the best smoked fish",
        "Home office is allowed twice a week",
        "The holiday calendar hangs in the kitchen",
    ),
    many(
        "everything about the bees",
        [
            "The bees get sugar syrup in September",
            "Two of the bee colonies died last winter",
            "I inspect the bees every ten days in May",
        ],
        "The spelling bee at school is on the 12th",
        "Beef stew is Oma's favourite",
        "Wasps nest under our roof",
    ),
    many(
        "all about Amara's asthma",
        [
            "Amara has had asthma since she was four",
            "Amara's asthma spray is in the blue bag",
            "Cold air makes Amara's asthma worse",
        ],
        "Joel has asthma as well",
        "Amara plays hockey on Fridays",
        "The blue bag was a present from Tess",
    ),
    many(
        "todo sobre el coche",
        [
            "El coche pasa la ITV en abril",
            "El coche hace un ruido raro al frenar",
            "El seguro del coche cuesta 420 euros al año",
        ],
        "La cochera del vecino está en venta",
        "El seguro de la casa cuesta 300 euros al año",
        "La moto pasa la ITV en junio",
    ),
    many(
        "everything i told you about the marathon",
        [
            "I run the marathon in Rotterdam on 14 April",
            "My goal for the marathon is under four hours",
            "For the marathon I follow a training plan of sixteen weeks with three runs a week",
        ],
        "We had a film marathon on New Year's Eve",
        "Rotterdam has a great museum of architecture",
        "The ten-kilometre race in June is cancelled",
    ),
    many(
        "everything about the lawsuit against Brandt",
        [
            "The lawsuit against Brandt is at the regional court",
            "Our lawyer in the Brandt lawsuit is Ms. Adeyemi",
            "We demand 14,000 euros in the lawsuit against Brandt",
        ],
        "Brandt's bakery delivers rolls on Sundays",
        "The lawsuit over the fence was settled",
        "Ms. Adeyemi's daughter studies in Leiden",
    ),
)

_MEANING: tuple[Case, ...] = (
    one(
        "meaning",
        "when I go to bed",
        "Lights out at half past ten for me, otherwise I don't get enough sleep",
        "The bed in the guest room squeaks",
        "I get up at six",
        "The children's TV time ends at seven",
    ),
    one(
        "meaning",
        "my eyesight",
        "I wear glasses with minus three dioptres",
        "The glasses in the cupboard are for red wine",
        "My hearing is tested in June",
        "We visited the sights of Prague",
    ),
    one(
        "meaning",
        "what does my wife do for a living",
        "My spouse is a tax lawyer at a small firm",
        "My wife loves Thai food",
        "My brother is a nurse",
        "My tax return is due in July",
    ),
    one(
        "meaning",
        "who looks after the club's money",
        "Priya is the treasurer of the club",
        "Priya is the captain of the second team",
        "Nils looks after the club's boats",
        "The club was founded in 1921",
        text="Dario has been the treasurer of the club since the March meeting",
    ),
    one(
        "meaning",
        "the incident when the site went down",
        "We had an outage of forty minutes on Black Friday",
        "The site visit with the architect is on Friday",
        "The site gets a new design in spring",
        "Prices went down after the holidays",
    ),
    one(
        "meaning",
        "a che ora torno a casa",
        "Di solito rientro dal lavoro verso le sette",
        "La casa al mare è affittata ad agosto",
        "Mi sveglio alle sei e mezza",
        "Mio figlio esce da scuola alle quattro",
    ),
    one(
        "meaning",
        "how I prefer to be contacted",
        "Please text me instead of calling",
        "The plumber is called Gustav",
        "The phone contract ends in October",
        "My contact lenses come every month",
    ),
)

_NEGATION: tuple[Case, ...] = (
    one(
        "negation",
        "no wifi in the attic",
        "The Wi-Fi doesn't reach the attic",
        "The Wi-Fi reaches the garden",
        "There is no heating in the attic",
        "The attic has two windows",
    ),
    one(
        "negation",
        "that gluten is fine for me",
        "I can eat gluten without problems",
        "My daughter can't have gluten",
        "I can't have lactose",
        "The gluten-free bakery is on Mill Road",
    ),
    one(
        "negation",
        "that Yusuf hasn't signed the contract",
        "Yusuf has not signed the contract yet",
        "Yusuf has signed the privacy form",
        "Lea has signed the contract",
        "Yusuf hasn't got a parking permit",
    ),
    one(
        "negation",
        "that I never learned to swim",
        "I can't swim",
        "My wife swims every Friday",
        "I learned to sail at twelve",
        "I never learned to type properly",
    ),
    one(
        "negation",
        "dass Jana keinen Fisch mag",
        "Jana mag keinen Fisch",
        "Jana mag Krabben",
        "Jana mag keinen Kaffee",
        "Piet mag Fisch",
    ),
)

_HOMONYMS: tuple[Case, ...] = (
    one(
        "homonym",
        "the pitch we give to the venture capitalists",
        "The pitch for the investors may last ten minutes, with five more for questions",
        "The pitch is too wet for football",
        "My tuner shows the pitch in hertz",
        "The capital of Australia is Canberra, as Ben learned today",
    ),
    one(
        "homonym",
        "the seal of the coffee machine",
        "The seal of the espresso machine has to be replaced every year",
        "We saw a seal on the beach at Texel",
        "The notary's seal is missing on the deed",
        "The coffee grinder is too loud",
    ),
    one(
        "homonym",
        "my niece paris",
        "Paris, my brother's little daughter, starts nursery school in August",
        "We fly to Paris in August",
        "The plaster of Paris is in the craft box",
        "My niece Chloe is nine",
    ),
    one(
        "homonym",
        "the file for sharpening the chain saw",
        "The round file for the saw chain hangs above the bench",
        "The file with the tax receipts is in the attic",
        "The file config.toml is generated",
        "The chain saw runs on two-stroke mix",
    ),
    one(
        "homonym",
        "our Spring services, the Java ones",
        "The Spring services will be moved to Java 21",
        "In spring we prune the roses",
        "A spring in the mattress is broken",
        "We flew to Java in 2018",
    ),
)

_COMPOUND: tuple[Case, ...] = (
    cut(
        "that the cellar is damp",
        {
            "The roof is new, the cellar is damp and the windows are from 1988": (
                "The roof is new and the windows are from 1988"
            )
        },
        "The cellar door sticks",
        "Our tent got damp in Wales",
    ),
    cut(
        "I once lived in Oslo",
        {"I lived in Oslo for three years and I speak Norwegian fluently": "I speak Norwegian fluently"},
        "My cousin lives in Oslo",
        "I lived in Bergen as a student",
    ),
    cut(
        "mia's shoe size",
        {"Mia wears size 34 shoes and needs a new raincoat": "Mia needs a new raincoat"},
        "Ole wears size 36 shoes",
        "Mia's shoe bag is red",
    ),
    cut(
        "where physics takes place",
        {"Chemistry is in room 8, but physics was moved to the annex": "Chemistry is in room 8"},
        "Biology is in room 9",
        "The physics exam is on 2 June",
    ),
    cut(
        "where Ravi sits",
        {"Ravi is vegan and sits next to the printer": "Ravi is vegan"},
        "Ravina sits by the window",
        "The printer is out of toner",
    ),
    cut(
        "what I said about grandpa hiding the key",
        {
            "Grandma keeps her PIN in the biscuit tin; Grandpa has hidden the key under the flowerpot": (
                "Grandma keeps her PIN in the biscuit tin"
            )
        },
        "The neighbours have a spare key",
        "The flowerpot on the terrace is cracked",
    ),
)

_AMBIGUOUS: tuple[Case, ...] = (
    none(
        "ambiguous",
        _REFUSED,
        "our meeting with the supplier",
        "We meet the steel supplier on 4 May",
        "We meet the timber supplier on 11 May",
        "We meet the landlord on 4 May",
    ),
    none(
        "ambiguous",
        _REFUSED,
        "the date of Ben's exam",
        "Ben's maths exam is on 3 June",
        "Ben's Latin exam is on 8 June",
        "Ben's swimming badge is on the shelf",
    ),
)

_NONE: tuple[Case, ...] = (
    none(
        "absent",
        _NOTHING,
        "Lars Holt",
        "Lars Holtmann fixes our bikes",
        "Lara Holt is the new intern",
        "Holt is a village in Norfolk",
    ),
    none(
        "absent",
        _NOTHING,
        "my newspaper subscription",
        "My gym membership ends in March",
        "The newspaper kiosk at the station opens at five",
        "My subscription to the music service costs 11 euros",
    ),
)

CASES: tuple[Case, ...] = tuple(
    replace(case, round=13)
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
