"""Cases written from the requirement alone; held out until first run, the rules were mended with them since."""

from dataclasses import replace

from benchmarks.description.case import Case
from benchmarks.description.writing import cut, many, none, one

_IDENTIFIERS: tuple[Case, ...] = (
    one(
        "identifier",
        "OPS-41",
        "OPS-41 is waiting for a review by Hanna.",
        "OPS-412 is waiting for a review by Hanna.",
        "DEVOPS-41 was closed in March.",
        "OPS-4 is blocked by the firewall change.",
    ),
    one(
        "identifier",
        "the address paul@larch.io",
        "Invoices go to paul@larch.io.",
        "Contracts go to jean-paul@larch.io.",
        "Orders go to paul@larch.io.example.com.",
        "Paul Larch is the office manager.",
    ),
    one(
        "identifier",
        "what we noted about release v2.1",
        "v2.1 broke the CSV import.",
        "v2.10 introduced the audit log.",
        "v2.1.3 fixed the login page.",
        "v12.1 of the firmware needs a reboot.",
    ),
    one(
        "identifier",
        "the note about db-3",
        "db-3 has 64 GB of memory.",
        "db-31 has 128 GB of memory.",
        "testdb-3 is switched off at night.",
    ),
    one(
        "identifier",
        "Tom Hale's extension",
        "Tom Hale has extension 214.",
        "Tom Haley has extension 241.",
        "Tomas Hale has extension 300.",
    ),
    one(
        "identifier",
        "10.0.4.1",
        "The gateway is 10.0.4.1.",
        "The label printer is 10.0.4.12.",
        "The NAS is 110.0.4.1.",
        "The old gateway was 10.0.41.1.",
    ),
    one(
        "identifier",
        "the purpose of CACHE_TTL",
        "CACHE_TTL sets how long a page is cached.",
        "CACHE_TTL_MAX caps how long a page may be cached.",
        "IMAGE_CACHE_TTL sets how long a thumbnail is cached.",
    ),
    one(
        "identifier",
        "who uses port 8080",
        "Port 8080 is used by the admin console.",
        "Port 18080 is used by the metrics proxy.",
        "Port 808 is used by the legacy scanner.",
    ),
    one(
        "identifier",
        "the feature/login branch",
        "Sanne is working on feature/login.",
        "Sanne is working on feature/login-v2.",
        "Bart is working on feature/logout.",
    ),
    one(
        "identifier",
        "flight BA 117",
        "I have seat 12A on flight BA 117.",
        "I have seat 30C on flight BA 1177.",
        "Mum has seat 4F on flight BA 17.",
    ),
    one(
        "identifier",
        "the owner of INV-20",
        "INV-20 is owned by Priya.",
        "INV-203 is owned by Priya.",
        "INV-2 is owned by Luis.",
        "Priya is on holiday until Monday.",
        text="INV-20 is owned by Luis.",
    ),
    one(
        "identifier",
        "what happens in room 4B",
        "Room 4B is reserved for the interviews.",
        "Room 14B is reserved for the board.",
        "Room 4 is reserved for the yoga class.",
        "Gate 4B is where the taxi picks us up.",
    ),
)

_EVERYTHING: tuple[Case, ...] = (
    many(
        "everything about the Falcon migration",
        [
            "The Falcon migration starts on 6 May.",
            "Helga leads the Falcon migration.",
            "The rollback plan for the Falcon migration is in Confluence.",
        ],
        "A falcon nests on the church tower.",
        "The Heron migration finished in March.",
    ),
    many(
        "all my doctor's appointments",
        [
            "I have an appointment with Dr. Weiss on 14 June.",
            "I have a doctor's appointment about my back on 3 July.",
        ],
        "Dr. Weiss recommended less salt.",
        "I have an appointment with the tax adviser on 20 June.",
    ),
    many(
        "anything about my knee surgery",
        [
            "My knee surgery is on 12 October.",
            "Dr. Kaya is doing my knee surgery.",
        ],
        "My mother had hip surgery in 2020.",
        "I bought knee pads for tiling the bathroom.",
    ),
    many(
        "everything you know about Mrs Lindqvist",
        [
            "Mrs Lindqvist lives in the flat above ours.",
            "Mrs Lindqvist is seventy-eight.",
        ],
        "Lindqvist & Sons service our boiler.",
        "Mrs Lindgren teaches our son maths.",
    ),
    many(
        "all notes on the billing service",
        [
            "The billing service is written in Kotlin.",
            "The billing service restarts every night at two.",
            "Akira maintains the billing service.",
        ],
        "Our billing address is 5 Quay Road.",
        "The search service is written in Kotlin.",
    ),
    many(
        "everything about our trip to Japan",
        [
            "Our trip to Japan starts on 2 April.",
            "For our trip to Japan we have rented a pocket wifi.",
        ],
        "I cook Japanese curry on Thursdays.",
        "Our trip to Norway starts on 9 August.",
    ),
    many(
        "all of Pablo's preferences",
        [
            "Pablo prefers short e-mails.",
            "Pablo prefers meetings before ten.",
        ],
        "Pablo is based in Valencia.",
        "Greta prefers phone calls.",
    ),
    many(
        "forget all my allergies",
        [
            "I am allergic to birch pollen.",
            "I'm allergic to ibuprofen.",
        ],
        "Sofie is allergic to cats.",
        "I keep ibuprofen in the office for colleagues.",
    ),
    many(
        "everything concerning the printer on the third floor",
        [
            "The printer on the third floor jams on A3 paper.",
            "The printer on the third floor is leased until 2027.",
        ],
        "The kitchen on the third floor is being painted.",
        "The printer on the first floor is out of toner.",
    ),
    many(
        "please delete anything to do with Redis",
        [
            "Redis is limited to 4 GB.",
            ("me", "We use Redis for the session store.", 12),
            "Redis has persistence turned off.",
        ],
        "Memcached is limited to 2 GB.",
        ("me", "We use Postgres for the job queue.", 12),
    ),
    many(
        "all deadlines",
        [
            "The deadline for the audit report is 1 July.",
            "The deadline for the grant application is 31 July.",
        ],
        "The audit report is written by Nils.",
        "The grant pays for two engineers.",
    ),
    Case(
        kind="everything",
        query="everything about Mr Doyle",
        gone=["Mr Doyle owes me a deposit of 900 euros.", "Mr Doyle lives in Galway."],
        cut={"My sister is a nurse and Mr Doyle is a plumber.": "My sister is a nurse."},
        keep=["Doyle Street is closed for roadworks.", "My deposit at the new flat is 1,200 euros."],
    ),
)

_CORRECTIONS: tuple[Case, ...] = (
    one(
        "meaning",
        "the deployment target",
        "We ship the shop backend to AWS Fargate.",
        "The shop backend talks to a Postgres 15 database.",
        "Ines has to approve each release.",
        "Our sales target is two million euros.",
        text="The shop backend runs on Google Cloud Run.",
    ),
    one(
        "meaning",
        "my employer",
        "I've been with Siemens since 2019.",
        "My wife has been with Roche since 2015.",
        "I test embedded software.",
        text="I work for Bosch.",
    ),
    one(
        "meaning",
        "how I get to work",
        "I cycle to the office.",
        "Jonas drives to the office.",
        "The office is in the old harbour.",
        text="I commute by tram.",
    ),
    one(
        "meaning",
        "when Heron is due",
        "Heron has to be delivered by 12 September.",
        "Osprey has to be delivered by 1 October.",
        "The Heron budget is 40,000 euros.",
        text="The due date of Heron is 30 September.",
    ),
    one(
        "meaning",
        "who I report to",
        "My boss is Katrin Vogel.",
        "Katrin Vogel plays the trombone.",
        "Luca reports to Samir.",
        text="I report to Dmitri.",
    ),
    one(
        "meaning",
        "my indentation preference",
        "I like code to be indented with two spaces.",
        "I like single quotes in JavaScript.",
        "Keep lines under 100 characters.",
        text="Use tabs to indent my code.",
    ),
    one(
        "meaning",
        "which car I own",
        "I drive a grey Skoda Octavia.",
        "My father drives a Volvo.",
        "My parking space is number 18.",
        text="My car is an electric Kia.",
    ),
    one(
        "meaning",
        "the medicine I take for my blood pressure",
        "I'm on 5 mg of ramipril against hypertension.",
        "I take vitamin D in winter.",
        "My father takes pills for his blood pressure.",
        text="I take amlodipine for my blood pressure.",
    ),
)

_MEANINGS: tuple[Case, ...] = (
    one(
        "meaning",
        "forget my old address",
        "Until 2022 I lived at 14 Mill Lane in York.",
        "I live at 3 Castle Street in Durham.",
        "The old mill is a restaurant now.",
    ),
    one(
        "meaning",
        "how much I earn",
        "My salary is 62,000 euros a year.",
        "My rent is 1,400 euros a month.",
        "Timo's salary is 58,000 euros a year.",
    ),
    one(
        "meaning",
        "that I'm afraid of flying",
        "Planes terrify me.",
        "I'm afraid of spiders.",
        "My brother is learning to fly a glider.",
    ),
    one(
        "meaning",
        "that Fatima is leaving the company",
        "Fatima has handed in her notice.",
        "Fatima sits next to the printer.",
        "Bruno is leaving the choir.",
    ),
    one(
        "meaning",
        "the place where we keep our secrets",
        "API keys and passwords are stored in HashiCorp Vault.",
        "Access logs are stored in an S3 bucket.",
        "We keep the spare laptops in the cellar.",
    ),
    one(
        "meaning",
        "my trouble sleeping",
        "I have been suffering from insomnia since January.",
        "I have had trouble with my left knee since May.",
        "The guest room sleeps two.",
    ),
    one(
        "meaning",
        "the slow wifi upstairs",
        "The internet connection crawls on the upper floor.",
        "The wifi password is on the fridge.",
        "The heating upstairs is being replaced.",
    ),
    one(
        "meaning",
        "please forget when my birthday is",
        ("me", "I was born on 9 April 1986.", 40),
        ("me", "My son's birthday is on 2 November.", 40),
        "My passport was issued on 9 April 2021.",
    ),
)

_NEGATIONS: tuple[Case, ...] = (
    one(
        "negation",
        "that I don't drink coffee",
        "I don't drink coffee.",
        "I drink green tea at work.",
        "Lena drinks coffee with oat milk.",
        "I don't drink wine.",
    ),
    one(
        "negation",
        "that the archive server isn't encrypted",
        "The archive server is not encrypted.",
        "The backup server is encrypted.",
        "The archive server is in Frankfurt.",
    ),
    one(
        "negation",
        "that Omar is unavailable on Fridays",
        "Omar isn't available on Fridays.",
        "Omar is available on Mondays.",
        "Petra is available on Fridays.",
    ),
    none(
        "negation",
        "NotFound",
        "that I smoke",
        "I don't smoke.",
        "My uncle smokes a pipe.",
        "The smoke detector needs a new battery.",
    ),
    one(
        "negation",
        "the fact that the Orion contract was never signed",
        "The Orion contract was never signed.",
        "The Vega contract was signed in May.",
        "The Orion contract is forty pages long.",
    ),
    one(
        "negation",
        "that Wren supports dark mode",
        "Wren supports dark mode.",
        "Wren doesn't support offline mode.",
        "Finch does not support dark mode.",
    ),
    Case(
        kind="negation",
        query="all the people who can't come to the party",
        gone=["Ella can't come to the party.", "Ben isn't able to come to the party."],
        keep=["Theo is coming to the party.", "The party starts at seven."],
    ),
    one(
        "negation",
        "that we never deploy on Fridays",
        "We do not deploy on Fridays.",
        "We deploy on Wednesdays.",
        "We never skip the code review.",
        text="We may deploy on Fridays before noon.",
    ),
    one(
        "negation",
        "that my mother eats fish",
        "My mother eats fish.",
        "My mother doesn't eat pork.",
        "My father does not eat fish.",
    ),
    one(
        "negation",
        "that the tests run without Docker",
        "The tests run without Docker.",
        "The tests do not run without Postgres.",
        "The demo does not run without Docker.",
    ),
)

_HOMONYMS: tuple[Case, ...] = (
    one(
        "homonym",
        "the port wine I like",
        "My favourite port is a twenty-year-old tawny.",
        "The port of the metrics service is 9100.",
        "The ferry leaves the port at six.",
    ),
    Case(
        kind="homonym",
        query="everything about Kafka the writer",
        gone=["I am reading Kafka's novel The Trial.", "Kafka wrote many letters to Milena."],
        keep=["Kafka has three brokers in production.", "Order events go through Kafka."],
    ),
    one(
        "homonym",
        "the cookies my aunt bakes",
        "My aunt's cookies have cinnamon in them.",
        "Session cookies expire after thirty minutes.",
        "My aunt lives in Bath.",
    ),
    one(
        "homonym",
        "the version of the Spring framework",
        "The backend uses Spring 6.0.",
        "We plant tomatoes in spring.",
        "The spring in the garage door is broken.",
        text="The backend uses Spring 6.2.",
    ),
    one(
        "homonym",
        "the mouse that got into our kitchen",
        "We saw a mouse run across the kitchen floor.",
        "My mouse is a Logitech MX Master.",
        "The kitchen tap drips.",
    ),
    one(
        "homonym",
        "which branch I bank at",
        "My bank branch is on King Street.",
        "The release branch is called release/24.",
        "A branch of the apple tree broke off in the storm.",
    ),
    one(
        "homonym",
        "my journey through Java",
        "In 2018 I travelled across Java by train.",
        "The importer is written in Java 21.",
        "In 2015 I travelled across Peru by bus.",
    ),
    one(
        "homonym",
        "Oscar's cricket bat",
        "Oscar plays cricket with a bat made of willow.",
        "A bat hangs in the attic all winter.",
        "The nightly job is started by run.bat.",
    ),
    one(
        "homonym",
        "the size of the database connection pool",
        "The pool holds twenty database connections.",
        "The pool in the garden is eight metres long.",
        "The car pool leaves at 7:30.",
    ),
    one(
        "homonym",
        "Jordan's phone number",
        "Jordan can be reached on 0161 555 0142.",
        "We visited Jordan in 2017 and swam in the Dead Sea.",
        "The phone number of the dentist is 0161 555 0190.",
    ),
)

_COMPOUNDS: tuple[Case, ...] = (
    cut(
        "that I'm allergic to peanuts",
        {"I am allergic to peanuts and latex.": "I am allergic to latex."},
        "The Peanuts calendar hangs in my office.",
        "Jule is allergic to peanuts.",
    ),
    cut(
        "Leo's wedding",
        {"My brother Leo is a vegetarian and is getting married in June.": "My brother Leo is a vegetarian."},
        "My cousin Lea is getting married in May.",
        "Leo has a tortoise.",
    ),
    cut(
        "when the staging certificate expires",
        {
            "The staging cluster runs on Hetzner, and its certificate expires on 4 March.": (
                "The staging cluster runs on Hetzner."
            )
        },
        "The production certificate expires on 19 May.",
        "Lotte has a first-aid certificate.",
    ),
    cut(
        "that I use PyCharm",
        {"I use Neovim for scripts and PyCharm for notebooks.": "I use Neovim for scripts."},
        "Arne uses PyCharm.",
        "I use a notebook with squared paper.",
    ),
    cut(
        "the shipping step in the release checklist",
        {
            "The release checklist has a testing step, a shipping step and an announcement step.": (
                "The release checklist has a testing step and an announcement step."
            )
        },
        "Shipping to Norway costs 18 euros.",
        "The onboarding checklist has nine steps.",
    ),
    cut(
        "who is on call for the invoice service",
        {
            "The invoice service is written in Go. Hugo is on call for the invoice service.": (
                "The invoice service is written in Go."
            )
        },
        "Mireille is on call for the search service.",
        "Hugo has a call with the bank on Tuesday.",
    ),
    cut(
        "that Dana reviews the frontend changes",
        {"Dana reviews the frontend changes and approves the releases.": "Dana approves the releases."},
        "Wim reviews the backend changes.",
        "Dana has a standing desk.",
    ),
    cut(
        "what the internet costs",
        {"The rent is 1,150 pounds; the internet costs 32 pounds a month.": "The rent is 1,150 pounds."},
        "The gym costs 25 pounds a month.",
        "The internet provider is called Skylark.",
    ),
    cut(
        "which team Yusuf leads",
        {"Yusuf leads the payments team and reports to Carmen.": "Yusuf reports to Carmen."},
        "Agnes leads the data team.",
        "The payments team sits in Porto.",
    ),
    cut(
        "where Ingrid moved",
        {"Ravi moved to Lisbon, while Ingrid moved to Turku.": "Ravi moved to Lisbon."},
        "Ingrid collects stamps.",
        "The stand-up moved to 9:30.",
    ),
    Case(
        kind="compound",
        query="how old Miso is",
        cut={
            "Our cat Miso is nine years old and takes thyroid pills.": (
                "Our cat Miso takes thyroid pills. Miso is ten years old."
            )
        },
        keep=["Our dog Udon is four years old.", "I make miso soup on Sundays."],
        text="Miso is ten years old.",
    ),
    Case(
        kind="compound",
        query="the port of the Atlas API",
        cut={
            "The Atlas API logs to Loki and listens on port 7000.": (
                "The Atlas API logs to Loki. The Atlas API listens on port 7443."
            )
        },
        keep=["The Mercator API listens on port 7100.", "The Atlas API was audited in February."],
        text="The Atlas API listens on port 7443.",
    ),
)

_AMBIGUOUS: tuple[Case, ...] = (
    none(
        "ambiguous",
        "Ambiguous",
        "my flight",
        "My flight to Oslo leaves on 3 May at 7:40.",
        "My flight to Malaga leaves on 20 July at 13:15.",
        "My train to Bremen leaves on 9 June at 8:05.",
    ),
    none(
        "ambiguous",
        "Ambiguous",
        "the password",
        "The password for the guest wifi is tulip-44.",
        "The password for the staging admin is k9-river.",
        "The wifi router is in the hall.",
    ),
    none(
        "ambiguous",
        "Ambiguous",
        "my sister's birthday",
        "My sister Eva has her birthday on 4 March.",
        "My sister Nele has her birthday on 8 December.",
        "My brother has his birthday on 30 June.",
    ),
    Case(
        kind="ambiguous",
        query="the meeting with Anders",
        keep=[
            "The meeting with Anders about the budget is on Monday.",
            "The meeting with Anders about hiring is on Thursday.",
            "The meeting with Birgit about the budget is on Tuesday.",
        ],
        error="Ambiguous",
        text="The meeting with Anders is on Friday.",
    ),
)

_ABSENT: tuple[Case, ...] = (
    none(
        "absent",
        "NotFound",
        "my blood type",
        "My blood pressure is 125 over 80.",
        "I donate blood twice a year.",
        "Karin has blood type O negative.",
    ),
    none(
        "absent",
        "NotFound",
        "the host of the staging database",
        "The production database is hosted on dbprod-2.",
        "Staging is redeployed every night.",
        "Rolf hosts the quiz night.",
    ),
    none(
        "absent",
        "NotFound",
        "Rosa's wedding anniversary",
        "Rosa's birthday is on 17 January.",
        "Paul's wedding anniversary is on 6 September.",
        "Rosa is a wedding photographer.",
    ),
    none(
        "absent",
        "NotFound",
        "the ticket about the export crash",
        "TCK-88 is about the crash during import.",
        "The export runs at midnight.",
        "The ticket for the zoo costs 19 euros.",
    ),
)

CASES: tuple[Case, ...] = tuple(
    replace(case, round=14)
    for case in (
        _IDENTIFIERS
        + _EVERYTHING
        + _CORRECTIONS
        + _MEANINGS
        + _NEGATIONS
        + _HOMONYMS
        + _COMPOUNDS
        + _AMBIGUOUS
        + _ABSENT
    )
)
