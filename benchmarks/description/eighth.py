"""Cases written after the seventh round had been learned from: notes as an agent writes them, books of several."""

from dataclasses import replace

from benchmarks.description.case import Case

C = Case

_WORK = [
    "The user's team uses GitHub Actions for continuous integration",
    "Deployments happen on Tuesdays and Thursdays after the standup",
    "Grafana dashboards live at https://grafana.fir.dev/d/main",
    "The user prefers tabs over spaces in Go code",
]
_HOME = [
    "User's sister Anna Berg lives in Oslo with her two children",
    "Anna Bergman is the new CTO of the user's company",
    "User is learning Portuguese on Duolingo every evening",
    "User's dentist appointment is on 12 December at 10:30",
]

_CASES: tuple[Case, ...] = (
    C(
        kind="people",
        query="everything about Anna Berg",
        gone=["User's sister Anna Berg lives in Oslo with her two children", "Anna Berg's birthday is on 4 July"],
        keep=[
            "Anna Bergman is the new CTO of the user's company",
            "Anna and Berg are common names in Norway",
            *_HOME[2:],
        ],
    ),
    C(
        kind="identifier",
        query="requirement REQ-7",
        gone=["REQ-7: the export must support CSV and JSON"],
        keep=[
            "REQ-77: the import must support CSV",
            "REQ-70: exports are rate limited",
            "The export to CSV was requested by REQUEST-7",
            *_WORK[:2],
        ],
    ),
    C(
        kind="meaning",
        query="what continuous integration system we use",
        gone=["The user's team uses GitHub Actions for continuous integration"],
        keep=_WORK[1:],
    ),
    C(
        kind="meaning",
        query="when we deploy",
        gone=["Deployments happen on Tuesdays and Thursdays after the standup"],
        keep=[_WORK[0], *_WORK[2:]],
    ),
    C(
        kind="meaning",
        query="the user's dentist appointment",
        gone=["User's dentist appointment is on 12 December at 10:30"],
        keep=_HOME[:3],
    ),
    C(
        kind="meaning",
        query="the language the user is learning",
        gone=["User is learning Portuguese on Duolingo every evening"],
        keep=[*_HOME[:2], _HOME[3], "User speaks German and some Dutch"],
    ),
    C(
        kind="meaning",
        query="that the user prefers tabs",
        gone=["The user prefers tabs over spaces in Go code"],
        keep=[*_WORK[:3], "The user prefers spaces in YAML files"],
    ),
    C(
        kind="meaning",
        query="where the user lives",
        gone=["User moved to Rotterdam in 2021"],
        keep=[*_HOME, "User's parents live in Delft"],
    ),
    C(
        kind="meaning",
        query="the user's job",
        gone=["The user works as a data engineer at Quill Analytics"],
        keep=[*_HOME, "Quill Analytics was founded in 2015"],
    ),
    C(
        kind="negation",
        query="the user drinks coffee",
        gone=["The user drinks coffee with oat milk"],
        keep=[
            "The user does not drink tea",
            "The user's wife does not drink coffee",
            "The user drinks juice at breakfast",
        ],
    ),
    C(
        kind="negation",
        query="that the user does not eat pork",
        gone=["The user does not eat pork"],
        keep=[
            "The user eats fish on Fridays",
            "The user's brother does not eat pork",
            "The user does not eat shellfish",
        ],
    ),
    C(
        kind="negation",
        query="the user no longer works at Orbit",
        gone=["The user no longer works at Orbit"],
        keep=["The user's cousin works at Orbit", "The user works at Quill"],
    ),
    C(
        kind="topic",
        query="everything about Project Atlas",
        gone=[
            "Project Atlas replaces the billing system",
            "The deadline for Project Atlas is 30 June",
            "Miriam is the product owner of Atlas",
        ],
        keep=["The road atlas is in the car", "Project Titan replaces the search", "Miriam is on leave in May"],
        all=True,
    ),
    C(
        kind="topic",
        query="everything about billing",
        gone=["The billing service runs on Node 20", "Billing errors go to the finance channel"],
        keep=["The search service runs on Node 22", "Bill fixes bikes", "Finance meets on Mondays"],
    ),
    C(
        kind="topic",
        query="everything about the user's health",
        gone=["The user has asthma", "The user takes medication for migraines"],
        keep=["The user has a bicycle", "The health check endpoint is /healthz", "The user takes the tram"],
    ),
    C(
        kind="topic",
        query="everything concerning the flat in Antwerp",
        gone=["The flat in Antwerp has three rooms", "The rent of the flat in Antwerp is 950 euros"],
        keep=["The flat in Ghent was sold", "Antwerp has a beautiful station", "The tyre is flat"],
    ),
    C(
        kind="homonym",
        query="the crane on the construction site",
        gone=["The crane on the construction site is inspected in March"],
        keep=["A crane landed in the pond", "The construction site has two gates"],
    ),
    C(
        kind="homonym",
        query="the user's Java version",
        gone=["The user is on Java 17"],
        keep=["The user visited Java and Bali", "The user likes java in the morning", "The user is on Node 20"],
    ),
    C(
        kind="homonym",
        query="that the bank rejected the loan",
        gone=["The bank rejected the loan"],
        keep=["The river bank collapsed", "The loan of the painting was approved", "The bank approved the card"],
    ),
    C(
        kind="homonym",
        query="everything about Spring, the framework",
        gone=["The backend uses the Spring framework", "The Spring framework was upgraded to 6"],
        keep=["The fair takes place in spring", "Spring cleaning is on Saturday", "The mattress has a broken spring"],
    ),
    C(
        kind="compound",
        query="the user's phone number",
        cut={
            "The user's phone number is 0470 12 34 56 and their desk is in room 4.12": "The user's desk is in room 4.12"
        },
        keep=["Reception has the phone number 02 555"],
    ),
    C(
        kind="compound",
        query="that Bart is getting divorced",
        cut={"Bart is getting divorced and is looking for a flat": "Bart is looking for a flat"},
        keep=["Joke is getting divorced"],
    ),
    C(
        kind="compound",
        query="the API key rotation",
        cut={"API keys are rotated every 90 days. Logs are kept for 30 days.": "Logs are kept for 30 days."},
        keep=["Backups are kept for a year"],
    ),
    C(
        kind="compound",
        query="my fear of flying",
        cut={"I am afraid of flying but I love trains": "I love trains"},
        keep=["My aunt is afraid of flying"],
    ),
    C(
        kind="compound",
        query="that Greta plays the harp",
        cut={"Greta plays the harp and the piano": "Greta plays the piano"},
        keep=["Hilde plays the harp"],
    ),
    C(
        kind="compound",
        query="Ruben's e-mail",
        cut={
            "Ruben's e-mail is ruben@elm.net and his desk is next to the window": "Ruben's desk is next to the window"
        },
        keep=["Robin's e-mail is robin@elm.net"],
    ),
    C(
        kind="compound",
        query="the budget",
        cut={
            "The budget is 9k, the deadline is 1 May and the boss is Lars": "The deadline is 1 May and the boss is Lars"
        },
        keep=["The deadline of the other project is in June"],
    ),
    C(
        kind="correct",
        query="the user's favourite editor",
        text="The user's favourite editor is Helix",
        gone=["The user's favourite editor is Vim"],
        keep=["The user's favourite shell is fish", "Bob's favourite editor is Vim"],
    ),
    C(
        kind="correct",
        query="how many children Anna Berg has",
        text="Anna Berg has three children",
        gone=["Anna Berg has two children"],
        keep=["Anna Bergman has two children", "Anna Berg has a boat"],
    ),
    C(
        kind="correct",
        query="the day of the team lunch",
        text="The team lunch is on Thursdays",
        gone=["The team lunch is on Wednesdays"],
        keep=["The team meeting is on Wednesdays", "Lunch is served at noon"],
    ),
    C(
        kind="correct",
        query="the timeout of the payment gateway",
        text="The payment gateway times out after 20 seconds",
        gone=["The payment gateway has a timeout of 30 seconds"],
        keep=["The search gateway has a timeout of 30 seconds", "The payment page is slow"],
    ),
    C(
        kind="absent",
        query="the user's daughter",
        keep=["The user's son is called Finn", "Anna's daughter is called Liv"],
        error="NotFound",
    ),
    C(
        kind="absent",
        query="everything about Project Neptune",
        keep=["Project Uranus is on hold", "Neptune is a planet", "The project is late"],
        error="NotFound",
    ),
    C(
        kind="absent",
        query="that Lisa is allergic to cats",
        keep=["Lisa is allergic to dogs", "Lena is allergic to cats", "Lisa has cats"],
        error="NotFound",
    ),
    C(
        kind="absent",
        query="the user's bank account number",
        keep=["The user's bank is KBC", "The user's account on GitHub is pvd", "The user's number is 12"],
        error="NotFound",
    ),
    C(
        kind="ambiguous",
        query="the deadline",
        keep=["The deadline of the report is Monday", "The deadline of the grant is in May"],
        error="Ambiguous",
    ),
    C(
        kind="ambiguous",
        query="Anna's birthday",
        keep=["Anna Berg's birthday is on 4 July", "Anna Bergman's birthday is on 5 July"],
        error="Ambiguous",
    ),
    C(
        kind="identifier",
        query="v1.2",
        gone=["v1.2 introduced plugins"],
        keep=["v1.2.1 fixed plugins", "v1.20 removed plugins", "v11.2 is planned"],
    ),
    C(
        kind="identifier",
        query="user_id",
        gone=["The column user_id is indexed"],
        keep=["The column user_id_old is dropped", "superuser_id is a view", "The user has an id card"],
    ),
    C(
        kind="identifier",
        query="everything about C++",
        gone=["The engine is written in C++", "C++ builds take ten minutes"],
        keep=["The driver is written in C", "C# builds take one minute", "Vitamin C is healthy"],
    ),
    C(
        kind="identifier",
        query="10.0.0.1",
        gone=["The router is at 10.0.0.1"],
        keep=["The printer is at 10.0.0.12", "The old router was at 110.0.0.1"],
    ),
    C(
        kind="identifier",
        query="O'Neill",
        gone=["Shaun O'Neill signs the contracts"],
        keep=["Neill is a village", "Sean O'Neil sends the invoices"],
    ),
    C(
        kind="meaning",
        query="the user's commute",
        gone=["The user takes the tram to the office"],
        keep=["The user takes sugar in tea", "The tram stops running at midnight"],
    ),
    C(
        kind="meaning",
        query="which database the project uses",
        gone=["The project stores its data in MariaDB"],
        keep=["The project is hosted on Hetzner", "Data protection training is in May"],
    ),
    C(
        kind="meaning",
        query="my mother's illness",
        gone=["My mother was diagnosed with arthritis"],
        keep=["My mother was born in Split", "My father was diagnosed with gout"],
    ),
    C(
        kind="meaning",
        query="that we cancelled the offsite",
        gone=["The offsite was called off"],
        keep=["The offsite hotel is by the sea", "The call with the site manager is on Monday"],
    ),
    C(
        kind="meaning",
        query="who my manager is",
        gone=["I report to Sandrine"],
        keep=["I reported the bug to Pascal", "Sandrine likes opera", "Pascal reports to Sandrine"],
    ),
)

CASES: tuple[Case, ...] = tuple(replace(case, round=8) for case in _CASES)
