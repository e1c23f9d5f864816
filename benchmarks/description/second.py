"""Cases written when the rules first stood."""

from dataclasses import replace

from benchmarks.description.case import Case

C = Case

_CASES: tuple[Case, ...] = (
    # Identifiers and names
    C(
        kind="identifier",
        query="please delete everything on INC-12",
        gone=["INC-12 was caused by a full disk", "Root cause of INC-12: log rotation"],
        keep=["INC-120 was caused by DNS", "INC-1 is closed", "SINC-12 is another tracker"],
    ),
    C(
        kind="identifier",
        query="max.m@acme.io",
        gone=["Send invoices to max.m@acme.io"],
        keep=["Send reminders to max@acme.io", "Send fines to max.m@acme.io.au", "max.mm@acme.io left"],
    ),
    C(
        kind="identifier",
        query="forget what you know about Jan Smit",
        gone=["Jan Smit runs the bakery", "The keys are with Jan Smit"],
        keep=["Jan Smits runs the butchery", "Jana Smit is a pilot", "Smit is a common name"],
    ),
    C(
        kind="identifier",
        query="release 2.0",
        gone=["Release 2.0 drops Python 3.9"],
        keep=["Release 2.0.1 fixes a typo", "Release 12.0 is far away", "Release 2.01 was a mistake"],
    ),
    C(
        kind="identifier",
        query="the release/1.4 branch",
        gone=["release/1.4 is frozen"],
        keep=["release/1.4.1 is open", "release/1.40 does not exist yet"],
    ),
    C(
        kind="identifier",
        query="/etc/nginx/nginx.conf",
        gone=["The proxy is set up in /etc/nginx/nginx.conf"],
        keep=["/etc/nginx/nginx.conf.d holds the sites", "The copy is /backup/etc/nginx/nginx.conf"],
    ),
    C(
        kind="identifier",
        query="the database on port 5432",
        gone=["The staging database listens on port 5432"],
        keep=["The test database listens on port 54320", "The cache listens on port 6379"],
    ),
    C(
        kind="identifier",
        query="phone number 555-0101",
        gone=["Mia's phone number is 555-0101"],
        keep=["Leo's phone number is 555-01012", "Eva's phone number is 555-0102"],
    ),
    C(
        kind="identifier",
        query="everything about Lee",
        gone=["Lee likes jazz", "The contract was signed by Lee"],
        keep=["Leela likes jazz", "Ashlee moved to Kent", "The sleeve is torn"],
    ),
    C(
        kind="identifier",
        query="user_id",
        gone=["user_id is a UUID"],
        keep=["user_id_hash is indexed", "super_user_id is nullable", "The user has an id card"],
    ),
    C(
        kind="identifier",
        query="the commit 3fa9c1d",
        gone=["The commit 3fa9c1d broke the build"],
        keep=["The commit 3fa9c1e fixed the build", "The commit 13fa9c1d is unrelated"],
    ),
    C(
        kind="identifier",
        query="everything about Team Red",
        gone=["Team Red owns billing", "Marta joined Team Red"],
        keep=["Team Redwood owns search", "The team likes red wine"],
    ),
    C(
        kind="identifier",
        query="the server web-1",
        gone=["web-1 runs out of memory"],
        keep=["web-12 runs fine", "web-1b is decommissioned", "The web server is nginx"],
    ),
    C(
        kind="identifier",
        query="flight AZ610",
        gone=["Flight AZ610 leaves at noon"],
        keep=["Flight AZ6101 leaves at one", "Flight BZ610 leaves at two"],
    ),
    # Topics
    C(
        kind="topic",
        query="everything about the summer party",
        gone=["The summer party is on the roof", "Bring salad to the summer party", "The party in summer needs a DJ"],
        keep=["Summer in Oslo is short", "The Green Party won two seats", "The winter party was loud"],
    ),
    C(
        kind="topic",
        query="everything about my dog",
        gone=["My dog is called Rex", "My dog is afraid of thunder"],
        keep=["My cat is called Mia", "Hot dogs are on sale", "Bob walks his dog at six"],
    ),
    C(
        kind="topic",
        query="all memories mentioning the Berlin trip",
        gone=["The Berlin trip is in March", "Hotel for the Berlin trip: Adlon"],
        keep=["Berlin has 3.8 million people", "The Rome trip is in April"],
    ),
    C(
        kind="topic",
        query="everything about Orion",
        gone=["Orion is behind schedule", "Lena manages Orion", "Orion's budget is 10k"],
        keep=["Orionid meteors fall in October", "Lena manages Vega"],
    ),
    C(
        kind="topic",
        query="everything about the new contract with Globex",
        gone=["The new contract with Globex runs two years"],
        keep=["The old lease ends in May", "Globex has a new logo", "The contract with Initech is new"],
    ),
    C(
        kind="topic",
        query="everything to do with the piano lessons",
        gone=["Piano lessons are on Tuesday", "The piano lessons cost 30 euros"],
        keep=["Ada tunes the piano", "Swimming lessons are on Monday"],
    ),
    C(
        kind="topic",
        query="everything about coffee",
        gone=["Ada drinks coffee at nine", "The coffee machine is broken"],
        keep=["Ada drinks tea at five", "The washing machine is broken"],
    ),
    # Meaning
    C(
        kind="meaning",
        query="my employer",
        gone=["Ada works for Globex"],
        keep=["Ada lives near Globex Park", "Bob works for Initech"],
        owner="ada",
    ),
    C(
        kind="meaning",
        query="how old Bob is",
        gone=["Bob is 42 years old"],
        keep=["Bob has 42 stamps", "Ada is 41 years old"],
    ),
    C(
        kind="meaning",
        query="Bob's spouse",
        gone=["Bob is married to Carla"],
        keep=["Bob is engaged in politics", "Ada is married to Dan"],
    ),
    C(kind="meaning", query="Ada's children", gone=["Ada has a son called Tim"], keep=["Ada has a boat called Tim II"]),
    C(
        kind="meaning",
        query="what Ada drives",
        gone=["Ada drives a Volvo"],
        keep=["Ada drives people crazy with puns"],
        best=True,
    ),
    C(
        kind="meaning",
        query="the wifi password",
        gone=["The wireless password is swordfish"],
        keep=["The wireless printer is jammed", "The mail password is changed monthly"],
    ),
    C(
        kind="meaning",
        query="Nora's favourite food",
        gone=["Nora loves lasagne"],
        keep=["Nora loves hiking", "Pia loves lasagne"],
    ),
    C(
        kind="meaning",
        query="Nora's illness",
        gone=["Nora has diabetes"],
        keep=["Nora has a bicycle", "Pia has asthma"],
    ),
    C(
        kind="meaning",
        query="the city where Paul resides",
        gone=["Paul lives in Madrid"],
        keep=["Paul was in Madrid for work in 2019", "Rita lives in Madrid"],
    ),
    C(
        kind="meaning",
        query="Paul's residence",
        text="Paul lives in Lisbon",
        gone=["Paul lives in Madrid"],
        keep=["Rita lives in Madrid", "Paul likes fado"],
    ),
    C(
        kind="meaning",
        query="when the standup takes place",
        text="The standup is at ten",
        gone=["The standup is at nine"],
        keep=["The retro is at nine"],
    ),
    C(
        kind="meaning",
        query="which editor I use",
        gone=["I use Vim for everything"],
        keep=["I use a standing desk", "Bob uses Emacs"],
    ),
    C(
        kind="meaning",
        query="Ada's shoe size",
        error="NotFound",
        keep=["Ada's shoes are red", "The size of Ada's flat is 60 square metres"],
    ),
    C(
        kind="meaning",
        query="my doctor's name",
        gone=["My physician is Dr. Weiss"],
        keep=["My dentist is Dr. Braun", "My lawyer is Ms. Klein"],
    ),
    C(
        kind="meaning",
        query="that I relocated to Lyon",
        gone=["I moved to Lyon"],
        keep=["I visited Nice", "My sister moved to Metz"],
    ),
    C(
        kind="meaning",
        query="the deadline for the report",
        gone=["The report is due on Friday"],
        keep=["The report has nine chapters", "The slides are due on Monday"],
    ),
    C(
        kind="meaning",
        query="Ada's political views",
        error="NotFound",
        keep=["Ada enjoys views of the sea", "Ada works at the town hall"],
    ),
    C(
        kind="meaning",
        query="my siblings",
        gone=["I have a brother in Kiel"],
        keep=["I have a boat in Kiel"],
    ),
    # Negation
    C(
        kind="negation",
        query="Bob eats meat",
        error="NotFound",
        keep=["Bob doesn't eat meat", "Bob never eats meat"],
    ),
    C(
        kind="negation",
        query="that Bob is not allergic to nuts",
        gone=["Bob isn't allergic to nuts"],
        keep=["Ada is allergic to nuts"],
    ),
    C(
        kind="negation",
        query="I like mornings",
        gone=["I like mornings"],
        keep=["I don't like mornings in winter"],
    ),
    C(
        kind="negation",
        query="always use tabs",
        gone=["Always use tabs"],
        keep=["Never use tabs in YAML", "Always use UTC"],
    ),
    C(
        kind="negation",
        query="the feature flag is enabled",
        error="NotFound",
        keep=["The feature flag is disabled", "The feature flag is not enabled"],
    ),
    C(
        kind="negation",
        query="Ada can't swim",
        gone=["Ada cannot swim"],
        keep=["Ada can ski", "Bob can swim"],
    ),
    C(
        kind="negation",
        query="that we do not ship on weekends",
        gone=["We do not ship on weekends"],
        keep=["We ship on Mondays"],
    ),
    # Homonyms
    C(
        kind="homonym",
        query="everything about the island of Java",
        gone=["Java is an island in Indonesia", "We sailed around the island of Java"],
        keep=["Our backend is written in Java", "The Java compiler is slow"],
    ),
    C(
        kind="homonym",
        query="the river bank",
        gone=["The river bank is muddy"],
        keep=["The bank closes at four", "The bank raised its fees"],
    ),
    C(
        kind="homonym",
        query="everything about the python snake",
        gone=["The python at the shelter is a snake of three metres"],
        keep=["Python is our scripting language"],
    ),
    C(
        kind="homonym",
        query="the spring season",
        gone=["Spring is my favourite season"],
        keep=["The spring in the mattress is broken", "Spring Boot is outdated"],
    ),
    C(
        kind="homonym",
        query="the bat that lives in the attic",
        gone=["A bat lives in the attic"],
        keep=["The baseball bat is in the attic"],
    ),
    C(
        kind="homonym",
        query="everything about Apple the company",
        gone=["Apple is a company from Cupertino", "The company Apple released a phone"],
        keep=["An apple a day is plenty", "Apple pie is on the menu"],
    ),
    C(
        kind="homonym",
        query="the mouse of my computer",
        gone=["My computer mouse is wireless"],
        keep=["A mouse lives in the cellar", "My computer has 16 GB"],
    ),
    # Compound
    C(
        kind="compound",
        query="Bob's dog",
        cut={"Bob has a dog, plays the violin and speaks French": "Bob plays the violin and speaks French"},
        keep=["Ada has a dog"],
    ),
    C(
        kind="compound",
        query="that Mia speaks Spanish",
        cut={"Mia speaks Spanish, German and Thai": "Mia speaks German and Thai"},
        keep=["Leo speaks Spanish"],
    ),
    C(
        kind="compound",
        query="Mia speaks Thai",
        cut={"Mia speaks Spanish, German and Thai": "Mia speaks Spanish and German"},
    ),
    C(
        kind="compound",
        query="Leo's salary",
        cut={"Leo earns 4,000 a month. He lives in Ghent.": "Leo lives in Ghent."},
    ),
    C(
        kind="compound",
        query="my address",
        cut={"I live at Elm Street 5 and work as a nurse.": "I work as a nurse."},
    ),
    C(
        kind="compound",
        query="the retro",
        cut={
            "The standup is at nine, the retro is on Friday and the demo is on Monday.": (
                "The standup is at nine and the demo is on Monday."
            )
        },
    ),
    C(
        kind="compound",
        query="everything about Carla",
        cut={"Dinner guests are Bob, Carla and Dan": "Dinner guests are Bob and Dan"},
        gone=["Carla is vegetarian"],
        keep=["Carlos is late"],
    ),
    C(
        kind="compound",
        query="Eva's email address",
        cut={"Eva's email is eva@fir.dev; her birthday is 4 July.": "Eva's birthday is 4 July."},
    ),
    C(
        kind="compound",
        query="that I am allergic to eggs",
        cut={"I am allergic to nuts, eggs and shellfish": "I am allergic to nuts and shellfish"},
        keep=["I buy eggs on Saturdays"],
    ),
    C(
        kind="compound",
        query="Bob's job",
        cut={"Ada lives in Oslo, but Bob works at Globex.": "Ada lives in Oslo."},
    ),
    C(
        kind="compound",
        query="Ada's home",
        cut={"I met Ada in Rome. She lives in Oslo. She loves opera.": "I met Ada in Rome. She loves opera."},
    ),
    C(
        kind="compound",
        query="the production port",
        cut={"Staging runs on port 8080 and production runs on port 443": "Staging runs on port 8080"},
    ),
    C(
        kind="compound",
        query="Tom likes football",
        cut={"Tom likes football and tennis, and collects stamps.": "Tom likes tennis, and collects stamps."},
    ),
    C(
        kind="compound",
        query="Tom's stamps",
        cut={"Tom likes football and tennis, and collects stamps.": "Tom likes football and tennis."},
    ),
    C(
        kind="compound",
        query="Zoe's phone number",
        text="Zoe's phone number is 555-9999",
        cut={
            "Zoe lives in Graz and her phone number is 555-1111": "Zoe lives in Graz. Zoe's phone number is 555-9999",
        },
    ),
    C(
        kind="compound",
        query="everything about Zoe",
        gone=["Zoe lives in Graz. Her phone number is 555-1111."],
        keep=["The zoo is in Graz"],
    ),
    # Numbers
    C(
        kind="number",
        query="the rent of 900 euros",
        gone=["The rent is 900 euros"],
        keep=["The rent of the garage is 90 euros", "The deposit is 1,900 euros"],
    ),
    C(
        kind="number",
        query="the call at 9:30",
        gone=["Call with Rita at 9:30"],
        keep=["Call with Rita at 19:30", "Call with Paul at 9:00"],
    ),
    C(
        kind="number",
        query="Bob has three cats",
        error="NotFound",
        keep=["Bob has two cats", "Bob has three dogs"],
    ),
    C(
        kind="number",
        query="the event on 3 March 2025",
        gone=["Wine tasting event on 2025-03-03"],
        keep=["Book event on 2025-03-13", "Jazz event on 3 March 2026"],
    ),
    C(
        kind="number",
        query="the discount of 15%",
        gone=["The supplier gives a discount of 15%"],
        keep=["The supplier wants a deposit of 15%", "The club gives a discount of 5%"],
    ),
    C(
        kind="number",
        query="room 12",
        gone=["The workshop is in room 12"],
        keep=["The lecture is in room 121", "The lunch is in room 2"],
    ),
    # Speaker
    C(
        kind="speaker",
        query="everything Lena said about the merger",
        gone=[("Lena", "The merger will fail")],
        keep=[("Omar", "The merger will work out"), ("Lena", "Lunch was good")],
    ),
    C(
        kind="speaker",
        query="Omar's comments on the design",
        gone=[("Omar", "The design is too dark")],
        keep=[("Lena", "The design is elegant"), ("Omar", "The code is clean")],
    ),
    C(
        kind="speaker",
        query="what I said about the neighbours",
        gone=[("user", "The neighbours are noisy")],
        keep=[("assistant", "Neighbours can be asked to be quiet")],
    ),
    # Roles
    C(
        kind="roles",
        query="Lena manages Omar",
        gone=["Lena manages Omar"],
        keep=["Omar manages Lena's calendar"],
    ),
    C(kind="roles", query="that Paul lent Rita a bike", error="NotFound", keep=["Rita lent Paul a bike"]),
    C(
        kind="roles",
        query="Lena is Omar's boss",
        gone=["Omar reports to Lena"],
        keep=["Lena reports to Paul"],
    ),
    C(
        kind="roles",
        query="we moved from Rome to Paris",
        gone=["We moved from Rome to Paris"],
        keep=["They moved from Paris to Rome"],
    ),
    C(
        kind="roles",
        query="Germany beat Brazil",
        error="NotFound",
        keep=["Brazil beat Germany"],
    ),
    # People
    C(
        kind="people",
        query="Rita's birthday",
        text="Rita's birthday is 2 June",
        gone=["Rita's birthday is 1 June"],
        keep=["Paul's birthday is 1 June", "Rita's cat has its birthday on 5 June"],
    ),
    C(
        kind="people",
        query="Paul's sister",
        gone=["Paul's sister is called Vera"],
        keep=["Rita's sister is called Wilma", "Paul's brother is called Yann"],
    ),
    C(
        kind="people",
        query="my wife's job",
        gone=["My wife works at the opera"],
        keep=["I work at the harbour", "My son works at a bar"],
    ),
    C(
        kind="people",
        query="where I work",
        gone=["I work at the harbour"],
        keep=["Bob works at the opera", ("Lena", "I work at the mint")],
    ),
    C(kind="people", query="Paul's flat", error="NotFound", keep=["Rita's flat has a balcony", "Paul has a flat tyre"]),
    # Time
    C(
        kind="time",
        query="what I told you last week about the roof",
        gone=[("user", "The roof leaks", 7)],
        keep=[("user", "The roof is fixed", 0), ("user", "The door squeaks", 7)],
    ),
    C(
        kind="time",
        query="what Omar said yesterday about lunch",
        gone=[("Omar", "Lunch was cold", 1)],
        keep=[("Omar", "Lunch was great", 5), ("Lena", "Lunch was late", 1)],
    ),
    # Quoted
    C(
        kind="quoted",
        query='"silver fox"',
        gone=["The code word is silver fox"],
        keep=["A fox with silver fur lives here", "Silver foxes are rare"],
    ),
    C(
        kind="quoted",
        query="the memory that says 'trust no one'",
        gone=["The poster reads trust no one"],
        keep=["One has to trust somebody", "No one came"],
    ),
    # Ambiguous
    C(
        kind="ambiguous",
        query="the meeting",
        error="Ambiguous",
        keep=["The meeting with Rita is at nine", "The meeting with Paul is at ten"],
    ),
    C(
        kind="ambiguous",
        query="Peter's birthday",
        error="Ambiguous",
        keep=["Peter Pan's birthday is 1 May", "Peter Holm's birthday is 2 May"],
    ),
    C(
        kind="ambiguous",
        query="everything about Maria",
        error="Ambiguous",
        keep=["Maria Rossi likes tea", "Maria Neri likes wine"],
    ),
    C(kind="ambiguous", query="Rita likes jazz", gone=["Rita likes jazz"], keep=["Rita likes jazz in the morning"]),
    # Languages
    C(
        kind="languages",
        query="dimentica che Luca lavora alla Fiat",
        gone=["Luca lavora alla Fiat"],
        keep=["Luca abita a Torino"],
    ),
    C(
        kind="languages",
        query="olvida todo sobre el proyecto Fénix",
        gone=["El proyecto Fénix termina en mayo"],
        keep=["El ave fénix es un mito", "El proyecto Aurora empieza en junio"],
    ),
    C(kind="languages", query="oublie que Marie aime le thé", error="NotFound", keep=["Marie n'aime pas le thé"]),
    C(
        kind="languages",
        query="vergiss, wo ich wohne",
        gone=["Ich wohne in Köln"],
        keep=["Ich arbeite in Bonn"],
    ),
)

CASES: tuple[Case, ...] = tuple(replace(case, round=2) for case in _CASES)
