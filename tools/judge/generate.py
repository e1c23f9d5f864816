"""Write more training data for the judge from frames: pairs for `decide`, books for `match`.

usage: generate.py --data FOLDER --out FOLDER [--seed 11]
The frames are ours; names and values are filled in at random. What a frame cannot teach (idiom, tone, other words) is in the
hand-written files beside it. Random pairs of beliefs and statements from different lines teach what is unrelated.
"""

import argparse
import json
import lzma
import random
import zlib
from pathlib import Path

NAMES = """Ada Amara Anil Beatrix Bela Boris Carla Chidi Clara Daan Dalia Deniz Elif Emil Esther Farid Fatou Finn Giulia Greta Hana Hugo
Ines Ivan Jana Jonas Kaya Kofi Lena Liam Lucia Malik Marta Milo Nadia Nils Noor Olga Omar Paola Petra Quentin Rania Rosa Sabine Samir
Sofia Tariq Thea Uma Viktor Wanda Xenia Yara Yusuf Zoe""".split()
CITIES = """Oslo Vienna Lisbon Turin Ghent Porto Leeds Kyoto Lagos Quito Basel Cork Malmo Split Riga Tunis Lima Accra Bergen Graz Lyon
Bonn Seville Krakow Galway Utrecht Nantes Tartu""".split()
FIRMS = """Siemens Ikea Nokia Bosch Stripe Shell Philips Novartis Lidl Spotify Airbus Ericsson Roche Maersk Heineken Telia Ubisoft
Unicef Deloitte Vodafone""".split()
JOBS = """nurse teacher plumber designer accountant baker electrician lawyer librarian pilot chemist paramedic translator carpenter
waiter analyst""".split()
PETS = [
    ("dog", "Rex"),
    ("cat", "Miso"),
    ("rabbit", "Flopsy"),
    ("parrot", "Coco"),
    ("dog", "Bruno"),
    ("cat", "Luna"),
    ("horse", "Storm"),
    ("tortoise", "Hugo"),
]
CARS = ["Golf", "Tesla", "Volvo", "Fiesta", "Clio", "Octavia", "Prius", "Panda", "Corolla", "Mini"]
FOODS = [
    "peanuts",
    "shellfish",
    "coriander",
    "mushrooms",
    "eggs",
    "kiwi",
    "soy",
    "sesame",
    "gluten",
    "olives",
    "liver",
    "tofu",
]
DRINKS = ["coffee", "tea", "oat milk", "cola", "beer", "red wine", "matcha", "mate"]
TOOLS = [
    ("editor", "Vim", "VS Code"),
    ("database", "Postgres", "MySQL"),
    ("framework", "Django", "FastAPI"),
    ("cloud", "AWS", "Hetzner"),
    ("test runner", "pytest", "unittest"),
    ("queue", "RabbitMQ", "Kafka"),
    ("language", "Go", "Rust"),
    ("CI", "Jenkins", "GitHub Actions"),
    ("chat", "Slack", "Teams"),
    ("calendar", "Outlook", "Fastmail"),
    ("bank", "ING", "Revolut"),
]
SPORTS = ["running", "climbing", "judo", "swimming", "tennis", "rowing", "yoga", "football"]
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
KIN = [
    "sister",
    "brother",
    "mother",
    "father",
    "cousin",
    "neighbour",
    "flatmate",
    "colleague",
    "aunt",
    "best friend",
    "daughter",
    "son",
    "boss",
]
AILMENTS = [
    "asthma",
    "migraines",
    "diabetes",
    "hay fever",
    "a bad knee",
    "eczema",
    "high blood pressure",
    "coeliac disease",
]

# slot: (beliefs, {label: statements}); {a} the value held, {b} another of the kind, {k} a relative, {n} a name, {o} the owner
SLOTS = {
    "city": (
        ["{o} lives in {a}", "{o}'s home is in {a}", "home city: {a}", "{o} has a flat in {a} and lives there"],
        {
            "same": ["{a} is where I live", "still based in {a}", "I'm a {a} person, that's home", "home is {a}"],
            "refines": [
                "I live in {a}, near the station",
                "we're in the old town of {a}",
                "third floor flat in {a}, no lift",
            ],
            "replaces": [
                "I moved to {b} last month",
                "we've relocated to {b}",
                "since {m} I live in {b}",
                "home is {b} now",
                "settled in {b} for good",
                "packed up and went to live in {b}",
            ],
            "ends": [
                "I don't live in {a} any more",
                "we left {a} in {m}",
                "gave up the place in {a}",
                "moved away from {a}",
            ],
            "denies": [
                "I never lived in {a}, that's my {k}",
                "it's {b}, not {a}, I misspoke",
                "wrong, I don't live in {a}, I only worked there",
            ],
            "coexists": [
                "I'm in {b} for the summer",
                "visiting {b} next week",
                "my {k} lives in {b}",
                "I'd love to live in {b} one day",
                "our office is in {b}",
                "maybe we'll move to {b}",
                "I was born in {b}",
                "{n} moved to {b}",
                "I spend my weekends in {b}",
                "do you know a good hotel in {b}?",
                "if I lived in {b} I'd cycle more",
                "the conference is in {b} in {m}",
                "we looked at a flat in {b} but said no",
            ],
        },
    ),
    "firm": (
        ["{o} works at {a}", "{o}'s employer is {a}", "employer: {a}", "{o} has a job at {a}"],
        {
            "same": ["I'm employed by {a}", "{a} pays my salary", "still at {a}"],
            "refines": ["at {a} I'm in the logistics team", "I've been at {a} for six years"],
            "replaces": [
                "I started at {b} on {d}",
                "new job: {b}",
                "I left for {b}",
                "I work for {b} now",
                "signed with {b} and began in {m}",
            ],
            "ends": [
                "I quit {a}",
                "{a} let me go",
                "retired in {m}",
                "my contract at {a} ran out",
                "I was made redundant",
            ],
            "denies": ["I don't work at {a}, my {k} does", "not {a}, {b}, sorry"],
            "coexists": [
                "I help out at {b} on Saturdays",
                "my {k} works at {b}",
                "had an interview at {b}",
                "I worked at {b} before",
                "{n} joined {b}",
                "we're a supplier of {b}",
                "thinking of applying at {b}",
                "on the side I do bookkeeping for {b}",
                "{b} is our biggest customer",
                "I might leave {a} next year",
            ],
        },
    ),
    "job": (
        ["{o} is a {a}", "{o} works as a {a}", "occupation: {a}"],
        {
            "same": ["I'm a {a} by trade", "I earn my living as a {a}"],
            "refines": ["a {a} on night shifts, to be exact"],
            "replaces": [
                "I retrained and I'm a {b} now",
                "these days I work as a {b}",
                "no longer a {a}: I'm a {b} since {m}",
                "I've been promoted from {a} to {b}",
            ],
            "ends": ["I stopped working as a {a}", "I'm retired", "gave up the {a} thing"],
            "denies": ["I was never a {a}, my {k} is", "I'm a {b}, not a {a}"],
            "coexists": [
                "my {k} is a {b}",
                "I'm also a {b} at weekends",
                "I wanted to be a {b} as a kid",
                "we need a {b} for the kitchen",
                "{n} is training as a {b}",
            ],
        },
    ),
    "pet": (
        ["{o} has a {s} called {p}", "{o}'s {s} is {p}", "pet: {p}, a {s}"],
        {
            "same": ["{p} is my {s}", "my {s} {p} says hello"],
            "refines": ["{p} is nine years old", "{p} only eats dry food", "our {s} {p} is brown"],
            "ends": [
                "{p} died",
                "we had to put {p} down",
                "{p} passed away in {m}",
                "{p} went to live with my {k} for good",
                "we gave {p} to a shelter",
            ],
            "denies": ["{p} isn't mine, it's my {k}'s {s}", "the {s} is called {q}, not {p}"],
            "coexists": [
                "we got a second one, {q}",
                "{p} was at the vet today",
                "my {k}'s {s} is called {q}",
                "{n}'s cat died",
                "{p} ran away for an hour",
                "I'd like a horse as well",
                "looking after {n}'s dog this week",
                "we also have a {t} now",
            ],
        },
    ),
    "car": (
        ["{o} drives a {a}", "{o} owns a {a}", "car: {a}"],
        {
            "same": ["the {a} is mine", "I've got a {a}"],
            "refines": ["the {a} is from 2015 and red"],
            "replaces": ["traded the {a} in for a {b}", "I drive a {b} now", "the {a} is gone, it's a {b} these days"],
            "ends": [
                "sold the {a}",
                "the {a} was scrapped",
                "got rid of the car",
                "the {a} was stolen and never found",
            ],
            "denies": ["the {a} is my {k}'s, not mine"],
            "coexists": [
                "bought a {b} too",
                "my {k} drives a {b}",
                "rented a {b} in {c}",
                "the {a} is in the garage for repairs",
                "test drove a {b}",
                "the {b} is for the weekends",
                "lent the {a} to {n}",
            ],
        },
    ),
    "food": (
        ["{o} is allergic to {a}", "{o} has an allergy to {a}", "allergy: {a}"],
        {
            "same": ["I can't have {a}, allergy", "{a} and I: emergency room"],
            "refines": ["even traces of {a} are dangerous for me"],
            "ends": [
                "the {a} allergy is gone, the test came back clean",
                "I grew out of the {a} allergy",
                "I can eat {a} again",
            ],
            "denies": [
                "I'm not allergic to {a}, it was a misdiagnosis",
                "the doctor says it was never an allergy to {a}",
                "that's my {k}, I can eat {a}",
            ],
            "coexists": [
                "I'm allergic to {b} as well",
                "my {k} is allergic to {b}",
                "I had {a} by accident and felt awful",
                "is there {a} in this?",
                "{n} doesn't like {a}",
            ],
        },
    ),
    "likes": (
        ["{o} likes {a}", "{o} loves {a}", "{o} is fond of {a}"],
        {
            "same": ["{a} is one of my favourites", "can't get enough of {a}"],
            "ends": ["I've gone off {a}", "I can't stand {a} now", "I don't like {a} any more", "no more {a} for me"],
            "denies": ["I never liked {a}, that was {n}", "I hate {a}, always have"],
            "coexists": [
                "I like {b} too",
                "my {k} hates {a}",
                "we had {a} yesterday",
                "no {a} today, please",
                "{b} is nice as well",
                "too much {a} last night",
            ],
        },
    ),
    "drink": (
        ["{o} drinks {a} in the morning", "{o} prefers {a}", "usual drink: {a}"],
        {
            "same": ["{a} is my morning drink", "first thing: {a}"],
            "replaces": [
                "I switched from {a} to {b}",
                "it's {b} in the morning now",
                "changed over to {b}",
                "I've swapped {a} for {b}",
            ],
            "ends": ["I gave up {a}", "quit {a} in {m}", "no {a} for me any more"],
            "coexists": [
                "after lunch I have {b}",
                "my {k} drinks {b}",
                "they were out of {a} so I had {b}",
                "{b} on Sundays",
                "just today a {b}, please",
            ],
        },
    ),
    "partner": (
        ["{o}'s partner is {n}", "{o} is together with {n}", "{n} is {o}'s girlfriend", "{n} is {o}'s boyfriend"],
        {
            "same": ["{n} and I are a couple", "my other half is {n}"],
            "refines": ["{n} and I have been together for four years"],
            "replaces": [
                "{n} and I got married",
                "I'm with {r} now",
                "{n} is my wife since {m}",
                "I'm seeing {r} these days",
            ],
            "ends": [
                "{n} and I broke up",
                "we split up in {m}",
                "I'm single again",
                "{n} left me",
                "it's over between {n} and me",
            ],
            "denies": ["{n} is my {k}, not my partner"],
            "coexists": [
                "{n} and I had a fight",
                "{n} is away for two weeks",
                "my {k} is dating {r}",
                "{r} and {n} get on well",
                "dinner with {r} tonight",
                "{r} and {k} broke up",
            ],
        },
    ),
    "boss": (
        ["{o} reports to {n}", "{o}'s manager is {n}", "boss: {n}"],
        {
            "same": ["{n} is my boss", "I report to {n}"],
            "replaces": ["{r} is my manager now", "since {m} I report to {r}", "{n} left, {r} took over as my boss"],
            "ends": ["{n} is no longer my boss", "I have no manager at the moment"],
            "denies": ["{n} is a colleague, not my boss", "sorry, I meant {r}, not {n}"],
            "coexists": [
                "{r} stands in while {n} is on leave",
                "my {k}'s boss is {r}",
                "{r} reports to me",
                "{n} is in {c} this week",
                "{r} runs the other team",
                "{n} praised me today",
            ],
        },
    ),
    "tool": (
        ["the project uses {a} as its {x}", "{x}: {a}", "we decided on {a} for the {x}", "{o} uses {a}"],
        {
            "same": ["{a} is our {x}", "our {x} is still {a}"],
            "refines": ["{a} version 15 to be exact", "the {x} {a} runs in a container"],
            "replaces": [
                "we migrated from {a} to {b}",
                "let's go with {b} instead of {a}",
                "the {x} is {b} now",
                "we replaced {a} with {b}",
                "switched to {b}",
            ],
            "ends": ["we dropped {a}", "{a} is gone from the stack", "we no longer use {a}"],
            "denies": ["we never used {a}, it was {b} all along", "use {b}, not {a}"],
            "coexists": [
                "the demo uses {b}",
                "{b} for the analytics side",
                "{n} prefers {b}",
                "what's the difference between {a} and {b}?",
                "we could try {b} some day",
                "{a} was down this morning",
                "in tests we use {b}",
                "the other team is on {b}",
            ],
        },
    ),
    "illness": (
        ["{o} has {a}", "{o} suffers from {a}", "condition: {a}"],
        {
            "same": ["I live with {a}"],
            "refines": ["the {a} is worse in winter", "I take tablets for {a}"],
            "ends": ["the {a} is gone", "I'm cured of {a}", "no {a} since the operation"],
            "denies": ["it wasn't {a} after all, a misdiagnosis", "I don't have {a}, my {k} does"],
            "coexists": [
                "I also have {b}",
                "my {k} has {b}",
                "the doctor asked about {b}",
                "{a} kept me awake last night",
                "reading a book about {b}",
            ],
        },
    ),
    "sport": (
        ["{o} does {a} every week", "{o}'s sport is {a}", "{o} goes {a} on {d}s"],
        {
            "same": ["{a} is my sport", "I'm into {a}"],
            "replaces": ["swapped {a} for {b}", "it's {b} instead of {a} now"],
            "ends": ["I stopped {a}", "no more {a} since the injury", "gave up {a}"],
            "coexists": [
                "took up {b} as well",
                "my {k} does {b}",
                "no {a} this week, I have a cold",
                "watched {b} on TV",
                "{a} was great today",
            ],
        },
    ),
    "meeting": (
        ["{o} has a dentist appointment on {d}", "the flight to {c} is on {d}", "the review meeting is on {d} at {h}"],
        {
            "same": ["so it's {d} then, as planned"],
            "replaces": ["it was moved to {e}", "they rescheduled it to {e}", "make it {e} instead of {d}"],
            "ends": ["it was cancelled", "it's called off", "we dropped the {d} thing"],
            "denies": ["it was never on {d}, it's {e}"],
            "coexists": [
                "I have another one on {e}",
                "on {e} I fly to {q2}",
                "{n} has hers on {e}",
                "I'm free on {e}",
                "remind me the evening before",
                "a second appointment on {e}",
            ],
        },
    ),
}
POOLS = {
    "city": CITIES,
    "firm": FIRMS,
    "job": JOBS,
    "car": CARS,
    "food": FOODS,
    "likes": FOODS + DRINKS,
    "drink": DRINKS,
    "illness": AILMENTS,
    "sport": SPORTS,
}
OWNERS = ["User", "The user", "Owner", "Ada", "Emeka", "Nadia", "Tom", "You", "the owner", "Marta", "Kenji"]


def values(rng, slot):
    a, b = rng.sample(POOLS.get(slot, CITIES), 2)
    n, r = rng.sample(NAMES, 2)
    d, e = rng.sample(DAYS, 2)
    (s, p), (t, q) = rng.sample(PETS, 2)
    x, ta, tb = rng.choice(TOOLS)
    if slot == "tool":
        a, b = rng.sample([ta, tb], 2)
    c, q2 = rng.sample(CITIES, 2)
    return {
        "a": a,
        "b": b,
        "n": n,
        "r": r,
        "d": d,
        "e": e,
        "s": s,
        "p": p,
        "t": t,
        "q": q,
        "x": x,
        "c": c,
        "q2": q2,
        "m": rng.choice(MONTHS),
        "k": rng.choice(KIN),
        "h": f"{rng.randint(8, 18)}:{rng.choice(['00', '30', '15'])}",
        "o": rng.choice(OWNERS),
    }


def spoken(rng, text):
    """Small variations of how it is typed."""
    if rng.random() < 0.35:
        text = (
            rng.choice(
                ["btw ", "oh and ", "By the way, ", "FYI ", "well, ", "so ", "Update: ", "just so you know, ", "ok, "]
            )
            + text
        )
    if rng.random() < 0.3:
        text = text[0].upper() + text[1:]
    if rng.random() < 0.4:
        text += rng.choice([".", ".", "!", " :)", " though", " by the way"])
    return text


def belief(text, owner):
    if owner == "You":
        for old, new in (
            ("You is", "You are"),
            ("You has", "You have"),
            ("You lives", "You live"),
            ("You works", "You work"),
            ("You drives", "You drive"),
            ("You owns", "You own"),
            ("You likes", "You like"),
            ("You loves", "You love"),
            ("You drinks", "You drink"),
            ("You prefers", "You prefer"),
            ("You reports", "You report"),
            ("You uses", "You use"),
            ("You does", "You do"),
            ("You goes", "You go"),
            ("You suffers", "You suffer"),
            ("You's", "Your"),
        ):
            text = text.replace(old, new)
    return text


def pairs(rng, data, beliefs_count):
    lines = []
    for _ in range(beliefs_count):
        slot = rng.choice(list(SLOTS))
        beliefs, news = SLOTS[slot]
        v = values(rng, slot)
        old = belief(rng.choice(beliefs).format(**v), v["o"])
        rows = []
        for label, frames in news.items():
            count = min(len(frames), 3 if label == "coexists" else 1)
            rows += [[spoken(rng, frame.format(**v)), label] for frame in rng.sample(frames, count)]
        for other in rng.sample([s for s in SLOTS if s != slot], 3):  # another slot, the same people and places
            w = {**values(rng, other), "o": v["o"], "n": v["n"], "k": v["k"]}
            frames = [
                f
                for label in ("same", "replaces", "ends", "refines", "coexists")
                for f in SLOTS[other][1].get(label, [])
            ]
            rows.append([spoken(rng, rng.choice(frames).format(**w)), "unrelated"])
        lines.append({"old": old, "news": rows})
    hand = [json.loads(line) for line in lzma.decompress((data / "pairs.jsonl.xz").read_bytes()).decode().splitlines()]
    everything = [(line["old"], [s for s, _ in line["news"]]) for line in hand if zlib.crc32(line["old"].encode()) % 10]
    turns = [
        json.loads(line)["t"] for line in lzma.decompress((data / "turns.jsonl.xz").read_bytes()).decode().splitlines()
    ]
    for old, _ in everything:  # what other people said of other things
        rows = [
            [s, "unrelated"] for other, news in rng.sample(everything, 6) if other != old for s in rng.sample(news, 1)
        ]
        rows += [[t, "unrelated"] for t in rng.sample(turns, 2) if len(t) < 200]
        lines.append({"old": old, "news": rows})
    return lines


# roles: two sentences with the roles exchanged, and how each is described; {n} the other person
ROLES = [
    (
        "I owe {n} {v} euros",
        "{n} owes me {w} euros",
        ["what I owe {n}", "my debt to {n}", "the money I have to pay {n}", "that I owe {n} money"],
        ["what {n} owes me", "{n}'s debt to me", "the money {n} has to pay me", "that {n} owes me money"],
    ),
    (
        "I report to {n}",
        "{m} reports to me",
        ["who I report to", "my manager", "who is my boss", "the person I report to"],
        ["who reports to me", "the people under me", "whose boss I am", "my direct report"],
    ),
    (
        "I lent {n} my drill",
        "{n} lent me a tent",
        ["what I lent {n}", "the thing {n} borrowed from me", "what {n} has of mine"],
        ["what {n} lent me", "the thing I borrowed from {n}", "what I have of {n}'s"],
    ),
    (
        "I taught {n} to swim",
        "{n} taught me chess",
        ["what I taught {n}", "what {n} learned from me"],
        ["what {n} taught me", "what I learned from {n}"],
    ),
    (
        "I sold {n} my bike",
        "{n} sold me a sofa",
        ["what I sold {n}", "what {n} bought from me"],
        ["what {n} sold me", "what I bought from {n}"],
    ),
    (
        "I promised {n} a cake",
        "{n} promised me a lift",
        ["my promise to {n}", "what I promised {n}"],
        ["{n}'s promise to me", "what {n} promised me"],
    ),
    (
        "I gave {n} a scarf for Christmas",
        "{n} gave me a lamp for Christmas",
        ["my present to {n}", "what I gave {n}"],
        ["{n}'s present to me", "what {n} gave me", "what I got from {n}"],
    ),
    (
        "I invited {n} to my birthday",
        "{n} invited me to a wedding",
        ["what I invited {n} to"],
        ["what {n} invited me to", "the invitation from {n}"],
    ),
    ("I mentor {n}", "{m} mentors me", ["who I mentor", "my mentee"], ["who mentors me", "my mentor"]),
    (
        "I am waiting for a reply from {n}",
        "{n} is waiting for a reply from me",
        ["what I'm waiting for from {n}", "the answer {n} still has to give"],
        ["what {n} is waiting for", "the answer I owe {n}"],
    ),
    (
        "I told {n} about the diagnosis",
        "{n} told me about the divorce",
        ["what I told {n}", "the thing {n} heard from me"],
        ["what {n} told me", "the thing I heard from {n}"],
    ),
    ("I work for {n}", "{m} works for me", ["who I work for", "my employer"], ["who works for me", "my employee"]),
    (
        "I look after {n}'s cat in August",
        "{n} looks after my plants in May",
        ["what I look after for {n}"],
        ["what {n} looks after for me"],
    ),
    ("I am suing {n}", "{m} is suing me", ["who I'm suing"], ["who is suing me"]),
    (
        "I rent a room to {n}",
        "I rent a garage from {m}",
        ["who I rent out to", "my tenant"],
        ["who I rent from", "my landlord"],
    ),
    (
        "I follow {n}'s team for the release",
        "{n} depends on my team for the release",
        ["who we depend on"],
        ["who depends on us"],
    ),
    ("I apologised to {n}", "{m} apologised to me", ["who I said sorry to"], ["who said sorry to me"]),
    (
        "{n} is my landlord",
        "{m} is my tenant",
        ["who I pay rent to", "the landlord"],
        ["who pays rent to me", "the tenant"],
    ),
    ("{n} hired me", "I hired {m}", ["who hired me"], ["who I hired", "the person I hired"]),
    (
        "I picked {n} up from the airport",
        "{m} picked me up from the airport",
        ["who I picked up"],
        ["who picked me up"],
    ),
]
# whose: an attribute of the owner and of somebody else
ATTRIBUTES = [
    (
        "allergy",
        "I'm allergic to {f}",
        "My {k} {n} is allergic to {g}",
        ["my allergy", "what I'm allergic to", "user allergy", "my allergies"],
        ["my {k}'s allergy", "{n}'s allergy", "what {n} is allergic to"],
    ),
    (
        "birthday",
        "My birthday is {d1} {mo}",
        "{n}'s birthday is {d2} {mp}",
        ["my birthday", "when I was born", "user birthday"],
        ["{n}'s birthday", "when {n} was born"],
    ),
    (
        "employer",
        "I work at {firm}",
        "My {k} {n} works at {firm2}",
        ["my employer", "where I work", "user employer", "my job"],
        ["{n}'s employer", "where my {k} works"],
    ),
    (
        "home",
        "I live in {c}",
        "My {k} {n} lives in {c2}",
        ["where I live", "my home town", "user location", "my address"],
        ["where {n} lives", "my {k}'s home"],
    ),
    (
        "phone",
        "My phone number is {ph}",
        "{n}'s phone number is {ph2}",
        ["my number", "my phone number", "user phone"],
        ["{n}'s number", "how to call {n}"],
    ),
    (
        "pet",
        "My {s} is called {p}",
        "My {k} {n} has a {t} called {q}",
        ["my pet", "user pet", "the animal I have"],
        ["{n}'s pet", "my {k}'s {t}"],
    ),
    (
        "car",
        "I drive a {car}",
        "{n} drives a {car2}",
        ["my car", "user vehicle", "what I drive"],
        ["{n}'s car", "what {n} drives"],
    ),
    (
        "diet",
        "I'm vegetarian",
        "My {k} {n} is vegan",
        ["my diet", "what I don't eat"],
        ["{n}'s diet", "what my {k} doesn't eat"],
    ),
    (
        "salary",
        "I earn {v} a month",
        "{n} earns {w} a month",
        ["my salary", "what I make", "my income"],
        ["{n}'s salary", "what {n} makes"],
    ),
    ("rent", "My rent is {v} euros", "{n} pays {w} euros rent", ["my rent", "what my flat costs"], ["{n}'s rent"]),
    ("shoe", "I wear size {sz}", "{n} wears size {sz2}", ["my shoe size"], ["{n}'s shoe size"]),
    ("drink", "I drink {dr} in the morning", "{n} only drinks {dr2}", ["my morning drink"], ["what {n} drinks"]),
    (
        "illness",
        "I have {ill}",
        "My {k} {n} has {ill2}",
        ["my illness", "my condition", "user health"],
        ["{n}'s illness", "my {k}'s condition"],
    ),
    ("school", "I studied in {c3}", "{n} studies in {c4}", ["where I studied"], ["where {n} studies"]),
]
POLARITY = [
    ("I like {f}", "I don't like {g}", ["what I like"], ["what I don't like", "the food I dislike"]),
    ("I eat {f}", "I never eat {g}", ["what I eat"], ["what I never eat"]),
    ("I smoke", "I don't drink alcohol", ["that I smoke"], ["that I don't drink"]),
    ("We use {t1}", "We don't use {t2}", ["what we use"], ["what we decided against", "what we don't use"]),
    ("I can swim", "I can't drive", ["that I can swim"], ["that I can't drive"]),
    ("I have been to {c}", "I have never been to {c2}", ["where I have been"], ["where I've never been"]),
]
FILLERS = [
    "The bins go out on {d}",
    "Dentist on {mo} {d1}",
    "{n2} plays the cello",
    "The wifi at the cabin is slow",
    "We paint the kitchen in {mo}",
    "{n2} is moving to {c5}",
    "Bought new boots",
    "The gym closes at 22:00",
    "I'm reading a book about bees",
    "{n2} and {n3} got engaged",
    "The train to {c5} leaves at 7:12",
    "Passport expires in {mo}",
    "The boiler is serviced in {mo}",
    "My favourite colour is green",
]
NOTHING = [
    "my blood type",
    "my passport number",
    "the name of my dentist",
    "my {k}'s wedding",
    "what I weigh",
    "the wifi password",
    "my insurance number",
    "where I parked",
    "{n9}'s email",
    "what {n9} owes me",
    "my fear of flying",
    "the garden",
    "my first school",
    "{n9}'s allergy",
    "my favourite film",
    "the loan from the bank",
    "what the doctor said about my back",
    "that I play the drums",
    "the flight to Peru",
    "my tattoo",
    "user religion",
    "user hobby",
    "everything about {n9}",
]


def book_values(rng):
    names = rng.sample(NAMES, 6)
    c = rng.sample(CITIES, 6)
    f, g = rng.sample(FOODS, 2)
    firm, firm2 = rng.sample(FIRMS, 2)
    (s, p), (t, q) = rng.sample(PETS, 2)
    car, car2 = rng.sample(CARS, 2)
    dr, dr2 = rng.sample(DRINKS, 2)
    ill, ill2 = rng.sample(AILMENTS, 2)
    _, t1, t2 = rng.choice(TOOLS)
    v, w = rng.sample(range(20, 4000, 5), 2)
    return {
        "n": names[0],
        "m": names[1],
        "n2": names[2],
        "n3": names[3],
        "n9": names[4],
        "k": rng.choice(KIN),
        "f": f,
        "g": g,
        "firm": firm,
        "firm2": firm2,
        "s": s,
        "p": p,
        "t": t,
        "q": q,
        "car": car,
        "car2": car2,
        "dr": dr,
        "dr2": dr2,
        "ill": ill,
        "ill2": ill2,
        "t1": t1,
        "t2": t2,
        "v": v,
        "w": w,
        "c": c[0],
        "c2": c[1],
        "c3": c[2],
        "c4": c[3],
        "c5": c[4],
        "d": rng.choice(DAYS),
        "mo": rng.choice(MONTHS),
        "mp": rng.choice(MONTHS),
        "d1": rng.randint(1, 28),
        "d2": rng.randint(1, 28),
        "ph": f"0{rng.randint(100, 999)} {rng.randint(10000, 99999)}",
        "ph2": f"0{rng.randint(100, 999)} {rng.randint(10000, 99999)}",
        "sz": rng.randint(36, 40),
        "sz2": rng.randint(41, 46),
    }


def books(rng, count):
    for _ in range(count):
        v = book_values(rng)
        groups = [rng.choice(ROLES)] + [row[1:] for row in rng.sample(ATTRIBUTES, 3)] + [rng.choice(POLARITY)]
        rng.shuffle(groups)
        entries, asks = [], []
        for first, second, of_first, of_second in groups:
            present = rng.choice([(1, 1), (1, 1), (1, 0), (0, 1)])
            for there, sentence, descriptions in ((present[0], first, of_first), (present[1], second, of_second)):
                if there:
                    entries.append(sentence)
                chosen = rng.sample(descriptions, min(2, len(descriptions)))
                asks += [(description, sentence if there else None) for description in chosen]
        entries += rng.sample(FILLERS, rng.randint(2, 4))
        asks = rng.sample(asks, min(9, len(asks))) + [(d, None) for d in rng.sample(NOTHING, 2)]
        rng.shuffle(entries)
        texts = [entry.format(**v) for entry in entries]
        if rng.random() < 0.4:
            texts = [third(t) for t in texts]
        rows = []
        for description, sentence in asks:
            d = description.format(**v)
            if rng.random() < 0.15:
                d = d.replace("my ", "the user's ").replace("I'm", "the user is")
            rows.append({"d": d, "hit": {str(entries.index(sentence)): "whole"} if sentence else {}})
        yield {"book": texts, "asks": rows}


def third(text):
    """As a memory written about the user."""
    for old, new in (
        ("I'm ", "The user is "),
        ("I am ", "The user is "),
        ("I have ", "The user has "),
        ("I don't ", "The user doesn't "),
        ("I can't ", "The user can't "),
        ("I can ", "The user can "),
    ):
        if text.startswith(old):
            return (new + text[len(old) :]).replace(" my ", " their ").replace(" me ", " the user ")
    if text.startswith("My "):
        return "The user's " + text[3:]
    if text.startswith("I "):
        verb, _, rest = text[2:].partition(" ")
        return f"The user {verb}{'' if verb.endswith(('ed', 'ent', 'ught', 'old', 'ave', 'never')) else 's'} {rest}".replace(
            " my ", " their "
        ).replace(" me ", " the user ")
    return text.replace(" me ", " the user ").replace(" my ", " the user's ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    a = parser.parse_args()
    rng = random.Random(a.seed)
    a.out.mkdir(parents=True, exist_ok=True)
    for name, lines in (("pairs_frames.jsonl", pairs(rng, a.data, 1200)), ("match_frames.jsonl", books(rng, 300))):
        with (a.out / name).open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
