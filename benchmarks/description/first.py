"""The cases that the rules were written with."""

from benchmarks.description.case import Case

C = Case

CASES: tuple[Case, ...] = (
    # Identifiers and names on their boundaries
    C(
        kind="identifier",
        query="REQ-7",
        gone=["REQ-7 is about login"],
        keep=["REQ-77 is about logout", "REQ-70 is open"],
    ),
    C(kind="identifier", query="forget REQ-7", error="NotFound", keep=["REQ-77 is about logout", "XREQ-7 is old"]),
    C(
        kind="identifier",
        query="everything about nina@fir.dev",
        gone=["Nina's address is nina@fir.dev", "Mail to nina@fir.dev bounced"],
        keep=["Nina K's address is nina.k@fir.dev", "anina@fir.dev is somebody else", "nina@fir.dev.uk is spam"],
    ),
    C(
        kind="identifier",
        query="everything about Anna Berg",
        gone=["Anna Berg likes tea", "The dentist called Anna Berg back"],
        keep=["Anna Bergman likes tea", "Anna Berg-Olsen moved", "Joanna Berg sings", "Anna Lind swims"],
    ),
    C(
        kind="identifier",
        query="the note on v1.2",
        gone=["v1.2 broke the importer"],
        keep=["v1.2.3 broke the exporter", "v1.20 is fine", "v11.2 was never released"],
    ),
    C(
        kind="identifier",
        query="branch feature/login",
        gone=["The branch feature/login is stale"],
        keep=["The branch feature/login-v2 is active", "The branch hotfix/feature/login is gone"],
    ),
    C(
        kind="identifier",
        query="src/app/main.py",
        gone=["src/app/main.py needs a docstring"],
        keep=["src/app/main.pyc is ignored", "lib/src/app/main.py is a copy", "src/app/main.py.bak can go"],
    ),
    C(
        kind="identifier",
        query="the service on port 80",
        gone=["The web service listens on port 80"],
        keep=["The debug service listens on port 8080", "The admin service listens on port 180"],
    ),
    C(
        kind="identifier",
        query="the number +47 912 34 567",
        gone=["Call the plumber at +47 912 34 567"],
        keep=["Call the baker at +47 912 34 568", "Call the tailor at +47 912 34 5678"],
    ),
    C(
        kind="identifier",
        query="everything about Project Apollo",
        gone=[
            "Project Apollo ships in June",
            "The budget of Project Apollo is 40,000",
            "Marco leads the Apollo project",
        ],
        keep=["The Apollo theatre opens at eight", "Apollo was a Greek god", "Project Artemis is late"],
    ),
    C(
        kind="identifier",
        query="api_key_v1",
        gone=["api_key_v1 is rotated monthly"],
        keep=["api_key_v12 is new", "old_api_key_v1 is revoked"],
    ),
    C(
        kind="identifier",
        query="192.168.1.1",
        gone=["The router is at 192.168.1.1"],
        keep=["The printer is at 192.168.1.11", "The camera is at 192.168.1.10"],
    ),
    C(
        kind="identifier",
        query="Python 3.1",
        error="NotFound",
        keep=["Python 3.11 is installed", "Python 3.1.2 is old"],
    ),
    C(
        kind="identifier",
        query="the ticket #45",
        gone=["Ticket #45 is blocked"],
        keep=["Ticket #456 is blocked", "Ticket #145 is open"],
    ),
    C(
        kind="identifier",
        query="everything about Tom",
        gone=["Tom plays chess", "I met Tom in Rome"],
        keep=["Tomas plays chess", "Tom-Tom is a navigation brand", "Bottom line: ship it"],
    ),
    C(
        kind="identifier",
        query="https://fir.dev/a",
        gone=["The wiki is at https://fir.dev/a"],
        keep=["The board is at https://fir.dev/ab", "The shop is at https://fir.dev/a/b"],
    ),
    # Everything about a topic
    C(
        kind="topic",
        query="everything about the office move",
        gone=[
            "The office move is on 3 May",
            "Boxes for the office move are ordered",
            "We will move the office to Lyon",
        ],
        keep=["The office has new chairs", "Ada moves to Bergen in June", "Chess: never move the king early"],
    ),
    C(
        kind="topic",
        query="all notes about the kitchen renovation",
        gone=["The kitchen renovation costs 9,000", "Kitchen renovation starts on Monday"],
        keep=["The kitchen has a new fridge", "The bathroom renovation is done"],
    ),
    C(
        kind="topic",
        query="everything you know about Bob",
        gone=["Bob lives in Bergen", "Bob's birthday is 3 May", "Ada's brother is Bob"],
        keep=["Ada lives in Oslo", "Bobby lives in Hull", "The bobsled race is in February"],
    ),
    C(
        kind="topic",
        query="everything about my allergies",
        gone=["I am allergic to nuts", "My allergy to pollen is worst in May"],
        keep=["I eat nuts for breakfast on Sundays", "Bob likes pollen samples"],
    ),
    C(
        kind="topic",
        query="everything about unicorns",
        error="NotFound",
        keep=["Ada rides horses", "The startup is worth a billion"],
    ),
    C(
        kind="topic",
        query="anything about Acme's merger",
        gone=["Acme's merger closes in May", "The lawyers call the Acme merger risky"],
        keep=["Acme hires ten people", "The Globex merger failed"],
    ),
    C(
        kind="topic",
        query="everything about the garden",
        gone=["The garden has roses", "Water the garden on Fridays"],
        keep=["The kindergarten closes at four", "The roof has moss"],
    ),
    # By meaning
    C(
        kind="meaning",
        query="where I live",
        gone=["Ada lives in Oslo"],
        keep=["Ada works at Acme", "Ada likes tea"],
        owner="ada",
    ),
    C(
        kind="meaning",
        query="Ada's home town",
        text="Ada lives in Bergen",
        gone=["Ada lives in Oslo"],
        keep=["Ada likes tea"],
    ),
    C(kind="meaning", query="Ada's job", gone=["Ada works at Acme"], keep=["Ada lives in Oslo", "Bob works at Globex"]),
    C(
        kind="meaning",
        query="who Ada is married to",
        gone=["Ada's husband is Carl"],
        keep=["Ada's brother is Bob", "Bob's wife is Dora"],
    ),
    C(kind="meaning", query="my phone number", gone=["My mobile is 555-1234"], keep=["My email is ada@fir.dev"]),
    C(kind="meaning", query="Ada's pets", gone=["Ada has two cats"], keep=["Ada has two cars", "Bob has a dog"]),
    C(kind="meaning", query="how much Ada earns", gone=["Ada's salary is 5,000"], keep=["Ada's rent is 1,500"]),
    C(
        kind="meaning",
        query="Ada's date of birth",
        gone=["Ada was born on 3 May 1990"],
        keep=["Ada was promoted on 4 May 2020", "Bob was born on 5 June 1991"],
    ),
    C(kind="meaning", query="Ada's blood type", error="NotFound", keep=["Ada lives in Oslo", "Ada likes tea"]),
    C(kind="meaning", query="my car", gone=["I drive a Tesla"], keep=["I own a boat", "I ride a bike to work"]),
    C(
        kind="meaning",
        query="the vacation plans",
        gone=["Our holiday is in Crete in July"],
        keep=["The release is in July", "Crete has good olive oil"],
    ),
    C(
        kind="meaning",
        query="Ada's mother tongue",
        error="NotFound",
        keep=["Ada's mother lives in Rome", "Ada likes tongue twisters"],
    ),
    C(
        kind="meaning",
        query="what Ada does for a living",
        gone=["Ada is a nurse at Acme hospital"],
        keep=["Ada is a fan of jazz", "Bob is a baker"],
    ),
    # Negation
    C(
        kind="negation",
        query="Ada likes tea",
        gone=["Ada likes tea"],
        keep=["Ada does not like tea from bags", "Ada likes coffee"],
    ),
    C(
        kind="negation",
        query="that Ada likes tea",
        error="NotFound",
        keep=["Ada does not like tea", "Ada dislikes tea"],
    ),
    C(kind="negation", query="Ada doesn't like tea", gone=["Ada does not like tea"], keep=["Ada likes tea"]),
    C(
        kind="negation",
        query="never deploy on Friday",
        gone=["Never deploy on Friday"],
        keep=["Deploy on Friday if Marco is there", "Never deploy on Monday"],
    ),
    C(kind="negation", query="deploy on Friday", error="NotFound", keep=["Never deploy on Friday", "Deploy on Monday"]),
    C(kind="negation", query="Bob no longer smokes", gone=["Bob no longer smokes"], keep=["Bob smokes salmon at home"]),
    C(kind="negation", query="Ada hates olives", gone=["Ada hates olives"], keep=["Ada likes olives on pizza"]),
    C(
        kind="negation",
        query="the server has no backup",
        gone=["The mail server has no backup"],
        keep=["The web server has a backup"],
    ),
    # Homonyms
    C(
        kind="homonym",
        query="the jaguar at the zoo",
        gone=["The zoo's jaguar is called Rex"],
        keep=["Ada drives a Jaguar E-Type"],
    ),
    C(
        kind="homonym",
        query="everything about the Jaguar car",
        gone=["The Jaguar is a car from 1965", "Ada drives her Jaguar to work"],
        keep=["A jaguar hunts at night in the forest"],
    ),
    C(
        kind="homonym",
        query="the bank account",
        gone=["Ada's bank account is at Nordea"],
        keep=["The river bank floods in spring", "Ada's user account is locked"],
    ),
    C(
        kind="homonym",
        query="the Java programming course",
        gone=["The Java programming course starts in May"],
        keep=["Ada visited Java and Bali in 2019"],
    ),
    C(
        kind="homonym",
        query="everything about the planet Mercury",
        gone=["Mercury is the smallest planet", "The planet Mercury has no moon"],
        keep=["Freddie Mercury sang in Queen", "Mercury in thermometers is toxic"],
    ),
    C(
        kind="homonym",
        query="the crane at the building site",
        gone=["The crane at the building site is broken"],
        keep=["A crane nests by the lake"],
    ),
    # Compound sentences
    C(
        kind="compound",
        query="Ada's job",
        cut={"Ada lives in Oslo, works at Acme and has two cats": "Ada lives in Oslo and has two cats"},
        keep=["Bob works at Globex"],
    ),
    C(
        kind="compound",
        query="where Ada lives",
        cut={"Ada lives in Oslo, works at Acme and has two cats": "Ada works at Acme and has two cats"},
        keep=["Bob lives in Bergen"],
    ),
    C(
        kind="compound",
        query="Ada's cats",
        cut={"Ada lives in Oslo, works at Acme and has two cats": "Ada lives in Oslo and works at Acme"},
    ),
    C(
        kind="compound",
        query="that Ada likes pears",
        cut={"Ada likes apples, pears and plums": "Ada likes apples and plums"},
        keep=["Bob likes pears"],
    ),
    C(
        kind="compound",
        query="Ada likes apples",
        cut={"Ada likes apples, pears and plums": "Ada likes pears and plums"},
    ),
    C(
        kind="compound",
        query="everything about Bob",
        cut={"Ada lives in Oslo. Bob lives in Bergen.": "Ada lives in Oslo."},
        gone=["Bob plays golf"],
    ),
    C(
        kind="compound",
        query="Ada's phone",
        cut={"Ada's phone is 555-1234 and her email is ada@fir.dev": "Ada's email is ada@fir.dev"},
    ),
    C(
        kind="compound",
        query="Ada's employer",
        cut={"Ada, who works at Acme, lives in Oslo.": "Ada lives in Oslo."},
    ),
    C(
        kind="compound",
        query="the milk",
        cut={"Shopping list: milk, eggs and bread": "Shopping list: eggs and bread"},
        keep=["The bread knife is blunt"],
    ),
    C(
        kind="compound",
        query="Bob's address",
        cut={"Ada lives in Oslo and Bob lives in Bergen": "Ada lives in Oslo"},
    ),
    C(
        kind="compound",
        query="Ada's job",
        text="Ada works at Globex",
        cut={"Ada lives in Oslo and works at Acme": "Ada lives in Oslo. Ada works at Globex"},
    ),
    C(
        kind="compound",
        query="everything about Ada",
        gone=["Ada lives in Oslo, works at Acme and has two cats"],
        keep=["Bob lives in Bergen and has a dog"],
    ),
    # Numbers
    C(
        kind="number",
        query="the budget of 5,000",
        gone=["The travel budget is 5000"],
        keep=["The office budget is 50,000", "The party budget is 500"],
    ),
    C(
        kind="number",
        query="the 3 pm meeting",
        gone=["There is a meeting at 15:00"],
        keep=["There is a meeting at 3 am"],
    ),
    C(
        kind="number",
        query="the appointment on May 7",
        gone=["Dentist appointment on 7 May"],
        keep=["Dentist appointment on 17 May", "Vet appointment on 7 June"],
    ),
    C(
        kind="number",
        query="the invoice over 120 euros",
        gone=["The plumber's invoice is 120 euros"],
        keep=["The painter's invoice is 1200 euros", "The baker's invoice is 12 euros"],
    ),
    C(
        kind="number",
        query="the flight on 2024-05-07",
        gone=["Flight to Rome on May 7, 2024"],
        keep=["Flight to Rome on May 7, 2023", "Flight to Paris on May 8, 2024"],
    ),
    # Who said it
    C(
        kind="speaker",
        query="what Bob said about the budget",
        gone=[("Bob", "The budget is too small")],
        keep=[("Ada", "The budget is fine"), ("Bob", "The weather is nice")],
    ),
    C(
        kind="speaker",
        query="what you told me about Rome",
        gone=[("assistant", "Rome is best in spring")],
        keep=["I love Rome", ("assistant", "Paris is best in autumn")],
    ),
    # Subject and object
    C(
        kind="roles",
        query="Marco reports to Giulia",
        gone=["Marco reports to Giulia"],
        keep=["Giulia reports to Marco on budgets"],
    ),
    C(kind="roles", query="that Marco reports to Giulia", error="NotFound", keep=["Giulia reports to Marco"]),
    C(kind="roles", query="Ada owes Bob 50 euros", gone=["Ada owes Bob 50 euros"], keep=["Bob owes Ada 50 euros"]),
    C(kind="roles", query="Bob invited Ada", error="NotFound", keep=["Ada invited Bob to dinner"]),
    C(kind="roles", query="Ada is taller than Bob", gone=["Ada is taller than Bob"], keep=["Bob is taller than Ada"]),
    # Two people
    C(
        kind="people",
        query="Ada's birthday",
        gone=["Ada's birthday is 3 May"],
        keep=["Bob's birthday is 3 May", "Ada's wedding is in June"],
    ),
    C(
        kind="people",
        query="Bob's phone number",
        error="NotFound",
        keep=["Ada's phone number is 555-1234", "Bob likes tea"],
    ),
    C(
        kind="people",
        query="my birthday",
        gone=["My birthday is 3 May"],
        keep=["Bob's birthday is 4 May", "Carla's birthday is 5 May"],
    ),
    C(
        kind="people",
        query="where Bob lives",
        gone=[("Bob", "I live in Bergen")],
        keep=[("Ada", "I live in Oslo")],
    ),
    # Time
    C(
        kind="time",
        query="what I said yesterday about tea",
        gone=[("user", "Tea is better than coffee", 1)],
        keep=[("user", "Tea costs three euros", 9), ("user", "The weather is nice", 1)],
    ),
    # Quotes
    C(
        kind="quoted",
        query='the note saying "blue horizon"',
        gone=["The password hint is blue horizon"],
        keep=["The horizon was blue this morning", "Blue whales live in the sea"],
    ),
    # Ambiguity
    C(
        kind="ambiguous",
        query="Ada's appointment",
        error="Ambiguous",
        keep=["Ada's appointment with the dentist is on Monday", "Ada's appointment with the vet is on Tuesday"],
    ),
    C(
        kind="ambiguous",
        query="Ada's appointment",
        all=True,
        gone=["Ada's appointment with the dentist is on Monday", "Ada's appointment with the vet is on Tuesday"],
        keep=["Bob's appointment is on Friday"],
    ),
    C(
        kind="ambiguous",
        query="where Anna lives",
        error="Ambiguous",
        keep=["Anna Berg lives in Oslo", "Anna Lind lives in Bergen"],
    ),
    # Other languages
    C(kind="languages", query="dimentica dove abito", gone=["Abito a Roma"], keep=["Lavoro alla Fiat"]),
    C(
        kind="languages",
        query="vergiss alles über Anna Berg",
        gone=["Anna Berg wohnt in Köln"],
        keep=["Anna Bergmann wohnt in Bonn"],
    ),
    C(kind="languages", query="olvida que Ada vive en Oslo", gone=["Ada vive en Oslo"], keep=["Ada trabaja en Acme"]),
    C(
        kind="languages",
        query="oublie tout sur le déménagement",
        gone=["Le déménagement est en mai"],
        keep=["Le chat dort"],
    ),
)
