"""Cases written from the requirement alone; held out until first run, the rules were mended with them since."""

from dataclasses import replace

from benchmarks.description.case import Case
from benchmarks.description.writing import cut, many, none, one

_IDENTIFIERS: tuple[Case, ...] = (
    one(
        "identifier",
        "the note about bed 12",
        "Bed 12 needs a new mattress.",
        "Bed 112 is kept free for isolation.",
        "Bed 12B has a broken call bell.",
        "The ward has ordered 12 new pillows.",
    ),
    one(
        "identifier",
        "forget ear tag UK-3041",
        "The heifer with ear tag UK-3041 is limping.",
        "The heifer with ear tag UK-30417 calved in April.",
        "The ram with ear tag UK-304 was sold.",
    ),
    one(
        "identifier",
        "file 2023/118",
        "File 2023/118 is waiting for the expert's report.",
        "File 2023/1184 was closed in May.",
        "File 2022/118 went to the archive.",
        "We bought 118 folders in 2023.",
    ),
    one(
        "identifier",
        "what I noted about v1.1",
        "v1.1 dropped support for Windows 7.",
        "v1.10 added the dark theme.",
        "v1.12 is planned for October.",
        "v11 of the logo is the final one.",
    ),
    one(
        "identifier",
        "Mark Dean",
        "Mark Dean repairs violins in Stroud.",
        "Mark Deane sells second-hand pianos.",
        "Dean Marks lent me his music stand.",
        "Marcus Dean asked for the set list.",
    ),
    one(
        "identifier",
        "orders@lilyshop.co",
        "The florist takes orders at orders@lilyshop.co until noon.",
        "Invoices from the printer come from orders@lilyshop.com.",
        "The wholesaler writes from preorders@lilyshop.co.uk.",
    ),
    one(
        "identifier",
        "extension 310",
        "The pharmacy is on extension 310.",
        "Radiology is on extension 3101.",
        "The porters are on extension 301.",
        "The staff kitchen is in room 31.",
    ),
    one(
        "identifier",
        "my note on Op. 27 No. 2",
        "Op. 27 No. 2 needs a slower pedal in the first movement.",
        "Op. 27 No. 1 is too long for the recital.",
        "Op. 127 No. 2 is missing from my folder.",
    ),
    one(
        "identifier",
        "the room for CHEM 21",
        "CHEM 21 meets in room 5.",
        "CHEM 210 meets in room 9.",
        "CHEM 21L meets in the basement lab.",
        "PHYS 21 meets in the old hall.",
        text="CHEM 21 meets in room 8.",
    ),
)

_EVERYTHING: tuple[Case, ...] = (
    many(
        "everything about my knee",
        [
            "My knee hurts after long walks.",
            "I have a knee operation booked for 4 May.",
            "The surgeon says my left knee has a torn cartilage.",
        ],
        "My dad's knee was replaced in 2019.",
        "I bought knee-high socks for the hike.",
        "My shoulder clicks when I swim.",
    ),
    many(
        "forget everything about Bella",
        [
            "Bella is our sheepdog.",
            "Bella is scared of thunder.",
            "The vet gave Bella worming tablets in March.",
        ],
        "We had dinner at the Bella Vista in June.",
        "Isabella runs the feed store.",
        "The vet charges 60 pounds for a farm visit.",
    ),
    many(
        "all my allergies",
        ["I am allergic to penicillin.", "I have a nut allergy."],
        "The patient in room 4 is allergic to latex.",
        "My sister has a wasp allergy.",
        "I bought a bag of nuts for the squirrels.",
    ),
    many(
        "all the door codes",
        ["The code for the back door is 4471.", "The front door code is 9920."],
        "The back door sticks in wet weather.",
        "The dress code for the staff is a black shirt.",
        "The discount code for regulars is SPRING.",
    ),
    many(
        "everything about the Henderson case",
        [
            "The Henderson case goes to trial on 3 June.",
            "Judge Okafor is hearing the Henderson case.",
            "We filed a motion to dismiss in the Henderson case.",
        ],
        "The office on Henderson Street has a new lift.",
        "The Hendricks case was settled in April.",
        "My laptop case has a broken zip.",
    ),
    many(
        "anything about Priya's wedding",
        ["Priya's wedding is on 14 September in Bath.", "I'm baking the cake for Priya's wedding."],
        "Tom's wedding was in 2018.",
        "Priya works as a dentist.",
        "Our band charges 400 pounds for weddings.",
    ),
    many(
        "my children's birthdays",
        ["My son Leo's birthday is 3 March.", "My daughter Mia's birthday is 19 July."],
        "My neighbour Carl's birthday is 1 May.",
        "My son Leo is learning to skate.",
        "My daughter Mia wears glasses.",
    ),
    many(
        "everything about the Jenkins server",
        [
            "The Jenkins server listens on port 8080.",
            "Nightly builds on the Jenkins server start at 2 am.",
        ],
        "Mrs Jenkins reported a typo in the manual.",
        "The mail server listens on port 25.",
        "Our old server is in the cupboard.",
    ),
    many(
        "everything about the medication I take",
        ["I take 5 mg of amlodipine every morning.", "I take a statin at bedtime."],
        "My wife takes warfarin.",
        "I take two sugars in my tea.",
        "I take the dog out every morning.",
    ),
)

_MEANINGS: tuple[Case, ...] = (
    one(
        "meaning",
        "where I live",
        "I rent a flat on Castle Street in Leeds.",
        "My brother lives in Leeds.",
        "I was born in Hull.",
        "I went to school in Wakefield.",
        text="I have a house in York.",
    ),
    one(
        "meaning",
        "what I do for a living",
        "I'm a night nurse on the children's ward.",
        "My husband is a plumber.",
        "I do yoga on Sundays.",
        "My mother was a nurse for thirty years.",
        text="I teach nursing at the college.",
    ),
    one(
        "meaning",
        "how I get to work",
        "I cycle to the hospital each morning for my shift.",
        "My son takes the train to school.",
        "My shift ends at three.",
        "The hospital has a new car park.",
        text="I take the number 9 bus to the hospital.",
    ),
    one(
        "meaning",
        "that I'm a vegetarian",
        "I haven't eaten meat or fish since 2015.",
        "My niece is a vegetarian.",
        "I haven't ridden a horse since 2015.",
        "I grow my own carrots.",
    ),
    one(
        "meaning",
        "our shop's opening hours",
        "We unlock the shop at nine and lock up at half past five.",
        "The bakery next door opens at seven.",
        "Our shop has two fitting rooms.",
        "We opened a second account with the bank.",
        text="The shop is open from ten to six.",
    ),
    one(
        "meaning",
        "what the tractor cost",
        "We paid 42,000 pounds for the tractor.",
        "The trailer cost 3,000 pounds.",
        "The tractor has a cracked mirror.",
        "We paid the shearers on Friday.",
    ),
    one(
        "meaning",
        "when Grandpa died",
        "Grandpa passed away in March 2011.",
        "Grandma died in 2016.",
        "Grandpa was born in 1932.",
        "Grandpa passed his driving test at the sixth attempt.",
    ),
    one(
        "meaning",
        "who my landlord is",
        "The flat I rent belongs to Mr Osei.",
        "My sister's landlord is Mr Grant.",
        "The bike in the hall belongs to Yusuf.",
        "The flat I rent has damp in the bathroom.",
        text="My landlord is Mrs Pike.",
    ),
    one(
        "meaning",
        "who plays the drums in our band",
        "Rory is our drummer.",
        "Suki plays bass in our band.",
        "I sold my old drum kit in May.",
        "Our band rehearses in a garage.",
        text="Dana plays the drums in our band.",
    ),
    one(
        "meaning",
        "my fear of flying",
        ("me", "I get panicky on planes.", 40),
        ("me", "I'm scared of spiders.", 35),
        ("me", "I fly to Madrid on 8 June.", 12),
        ("Helga", "I'm terrified of flying.", 3),
    ),
    one(
        "meaning",
        "my result in the statistics exam",
        "I scored 58 per cent in stats.",
        "I scored 71 per cent in biology.",
        "The statistics exam takes place in hall C.",
        "Jin got an A in statistics.",
    ),
    one(
        "meaning",
        "forget that I'm getting divorced",
        "My wife and I are ending our marriage.",
        "My client Mr Lowe is getting divorced.",
        "I got married in 2004.",
        "My wife and I share a car.",
    ),
)

_NEGATIONS: tuple[Case, ...] = (
    one(
        "negation",
        "that I smoke",
        ("me", "I smoke ten cigarettes a day.", 300),
        ("me", "I gave up smoking in May.", 20),
        ("Walter", "I smoke a pipe on Sundays.", 15),
        ("me", "I don't drink.", 10),
    ),
    one(
        "negation",
        "that Joel can't make it to rehearsal on Tuesday",
        "Joel can't come to Tuesday's rehearsal.",
        "Joel can come to Thursday's rehearsal.",
        "Nadia can't come to Tuesday's rehearsal.",
    ),
    one(
        "negation",
        "the patient who isn't diabetic",
        "Mr Cole is not diabetic.",
        "Mrs Hart is diabetic.",
        "Mr Cole is in room 6.",
        "Miss Abbott is not deaf.",
    ),
    one(
        "negation",
        "the field that hasn't been ploughed",
        "The lower field still hasn't been ploughed.",
        "The top field has been ploughed.",
        "The plough hasn't been greased.",
    ),
    one(
        "negation",
        "the plugin that isn't maintained any more",
        "The csv plugin is no longer maintained.",
        "The yaml plugin is maintained by Ivo.",
        "The csv plugin was written in Rust.",
        "The old website is no longer online.",
    ),
    Case(
        kind="negation",
        query="the foods I like",
        gone=["I love olives.", "I like smoked mackerel."],
        keep=["I can't stand beetroot.", "I don't like celery.", "My grandson likes pancakes."],
    ),
    one(
        "negation",
        "that Fenwick signed the lease",
        "Fenwick signed the lease on Monday.",
        "Fenwick hasn't signed the guarantee.",
        "Brook never signed the lease.",
        "Fenwick wants a sign above the door.",
    ),
    one(
        "negation",
        "that Mia isn't allowed screens on school nights",
        "Mia mustn't use any screens on school nights.",
        "Mia is allowed screens at weekends.",
        "Oscar is allowed screens on school nights.",
        text="Mia may watch half an hour on school nights.",
    ),
)

_HOMONYMS: tuple[Case, ...] = (
    one(
        "homonym",
        "my cricket bat",
        "My bat needs oiling before the season starts.",
        "A bat is roosting in the barn.",
        "A cricket got into the kitchen.",
    ),
    one(
        "homonym",
        "the bass I caught",
        "I pulled in a four-pound bass off the pier.",
        "My bass needs new strings.",
        "Viktor sings bass in the choir.",
        "I caught a cold at the gig.",
    ),
    one(
        "homonym",
        "the crane, I mean the bird",
        "A crane is nesting by the pond.",
        "The crane outside the shop blocks deliveries until May.",
        "The budgie eats millet.",
    ),
    one(
        "homonym",
        "the seal we spotted at the seaside",
        "We saw a seal on the beach at Blakeney.",
        "The seal on the milk pump leaks.",
        "The deed carries the notary's seal.",
        "We saw a puppet show on the pier.",
    ),
    one(
        "homonym",
        "my car's trunk",
        "The trunk won't shut since I backed into the gate with the car.",
        "The trunk of the old oak is rotten.",
        "The trunk in the attic holds Mum's letters.",
        "My car is due for a service in June.",
    ),
    one(
        "homonym",
        "my romantic date",
        "I have a date with Helen on Friday night.",
        "I put dates in my porridge.",
        "The hearing date is Friday 6 June.",
        "The milk is past its date.",
    ),
    one(
        "homonym",
        "the church organ",
        "The organ at St Mary's is out of tune.",
        "I'm registered as an organ donor.",
        "The liver is the largest internal organ.",
    ),
    one(
        "homonym",
        "my cell number",
        "My cell is 555 0199.",
        "My client is being held in cell 14.",
        "The chapter on the cell starts on page 40.",
        "The total is in cell B7 of the spreadsheet.",
        text="My cell number is 555 0144.",
    ),
)

_COMPOUNDS: tuple[Case, ...] = (
    cut(
        "that Nora drives a van",
        {"Nora teaches piano, lives in Dover and drives a van.": "Nora teaches piano and lives in Dover."},
        "Ned drives a van.",
        "Nora's cat is called Pip.",
    ),
    cut(
        "my sheep",
        {"I grow barley and keep thirty sheep.": "I grow barley."},
        "My neighbour keeps forty sheep.",
        "The barn needs a new roof.",
    ),
    cut(
        "the visits from Mr Adeyemi's daughter",
        {
            "Mr Adeyemi's dressing is changed at noon, and his daughter visits on Sundays.": (
                "Mr Adeyemi's dressing is changed at noon."
            )
        },
        "Mrs Lund's daughter visits on Wednesdays.",
        "The chaplain visits on Sundays.",
    ),
    cut(
        "when the essay is due",
        {"My history exam is on 12 May, but the essay is due on 20 May.": "My history exam is on 12 May."},
        "The library books are due on 20 May.",
        "My history tutor is Dr Bell.",
    ),
    cut(
        "who maintains the docs",
        {
            "Ruth maintains the parser, Gil maintains the docs and Wen runs the forum.": (
                "Ruth maintains the parser and Wen runs the forum."
            )
        },
        "The docs are built with Sphinx.",
        "Ines maintains the installer.",
    ),
    cut(
        "that Tess is allergic to nuts",
        {"Tess is allergic to eggs, nuts and shellfish.": "Tess is allergic to eggs and shellfish."},
        "Ben is allergic to nuts.",
        "Tess collects hazelnut leaves for her herbarium.",
    ),
    Case(
        kind="compound",
        query="which school Leo goes to",
        cut={"Leo goes to Hill School and plays chess.": "Leo plays chess. Leo goes to Park School."},
        keep=["Mia goes to Hill School.", "Leo sleeps with the light on."],
        text="Leo goes to Park School.",
    ),
    Case(
        kind="compound",
        query="who my accountant is",
        cut={
            "My solicitor is Ms Dunn and my accountant is Mr Frey.": (
                "My solicitor is Ms Dunn. My accountant is Mrs Kaur."
            )
        },
        keep=["My brother's accountant is Mr Hale.", "I keep my pension papers in the blue folder."],
        text="My accountant is Mrs Kaur.",
    ),
)

_AMBIGUOUS: tuple[Case, ...] = (
    none(
        "ambiguous",
        "Ambiguous",
        "my sister's birthday",
        "My sister Joan's birthday is 4 May.",
        "My sister Kit's birthday is 9 August.",
        "My brother's birthday is 2 June.",
    ),
    none(
        "ambiguous",
        "Ambiguous",
        "the vet appointment",
        "The vet appointment for the cat is on Thursday.",
        "The vet appointment for the mare is on Monday.",
        "The dentist appointment is on Friday.",
    ),
    Case(
        kind="ambiguous",
        query="the date of the gig",
        keep=[
            "The gig in Leeds is on 3 May.",
            "The gig in Derby is on 17 May.",
            "The recording session is on 20 May.",
        ],
        error="Ambiguous",
        text="The gig is on 24 May.",
    ),
)

_ABSENT: tuple[Case, ...] = (
    none(
        "absent",
        "NotFound",
        "my blood type",
        "I gave blood in March.",
        "My wife's blood type is O negative.",
        "My blood pressure was 130 over 80.",
    ),
    none(
        "absent",
        "NotFound",
        "issue #88",
        "Issue #880 is about the broken icons.",
        "Issue #188 was closed as a duplicate.",
        "We had 88 downloads on Monday.",
    ),
    none(
        "absent",
        "NotFound",
        "my son's piano lessons",
        "My daughter has piano lessons on Mondays.",
        "My son has swimming lessons on Fridays.",
        "I sold our piano last year.",
    ),
)

CASES: tuple[Case, ...] = tuple(
    replace(case, round=15)
    for case in (_IDENTIFIERS + _EVERYTHING + _MEANINGS + _NEGATIONS + _HOMONYMS + _COMPOUNDS + _AMBIGUOUS + _ABSENT)
)
