"""Cases written after the fourth round had been learned from."""

from dataclasses import replace

from benchmarks.description.case import Case

C = Case

_CASES: tuple[Case, ...] = (
    C(
        kind="identifier",
        query="everything about the customer Nordwind",
        gone=["Nordwind pays late", "Our contact at Nordwind is Lea"],
        keep=["The north wind is cold", "Nordwindsee is a lake"],
    ),
    C(
        kind="identifier",
        query="Dr. Meyer's number",
        gone=["Dr. Meyer's number is 030 1234567"],
        keep=["Dr. Meyerhoff's number is 030 7654321", "Meyer lemons are sweet"],
    ),
    C(
        kind="identifier",
        query="the feature flag new_checkout",
        gone=["new_checkout is off in production"],
        keep=["new_checkout_v2 is on", "The new checkout page is pretty"],
    ),
    C(
        kind="identifier",
        query="forget about gpt-4",
        gone=["gpt-4 is too slow"],
        keep=["gpt-4o is fast", "gpt-40 does not exist"],
    ),
    C(
        kind="identifier",
        query="the key `LOG_LEVEL`",
        gone=["LOG_LEVEL is debug"],
        keep=["LOG_LEVEL_ROOT is info", "The log level of the river is low"],
    ),
    C(
        kind="topic",
        query="everything about my mother",
        gone=["My mother lives in Kiel", "My mother's birthday is 3 May"],
        keep=["My father lives in Kiel", "The motherboard is broken", "Bob's mother is a judge"],
    ),
    C(
        kind="topic",
        query="everything about Q3 planning",
        gone=["Q3 planning starts in June", "Lea leads Q3 planning"],
        keep=["Q4 planning starts in September", "City planning is slow"],
    ),
    C(
        kind="topic",
        query="remove all the facts about Iceland",
        gone=["Iceland has volcanoes", "We fly to Iceland in May"],
        keep=["The ice cream is melted", "Ireland has sheep"],
    ),
    C(
        kind="meaning",
        query="who my landlord is",
        gone=["My landlord is Mr. Klein"],
        keep=["My neighbour is Mr. Gross"],
    ),
    C(
        kind="meaning",
        query="Lea's gym routine",
        gone=["Lea goes to the gym on Mondays"],
        keep=["Lea goes to the opera on Mondays"],
    ),
    C(
        kind="meaning",
        query="Lea's workplace",
        gone=["Lea works at the port authority"],
        keep=["Lea's desk is messy", "Tom works at the mill"],
    ),
    C(kind="meaning", query="how many children Tom has", gone=["Tom has three kids"], keep=["Tom has three boats"]),
    C(
        kind="meaning",
        query="Tom's medication",
        gone=["Tom takes insulin twice a day"],
        keep=["Tom takes the bus twice a day"],
    ),
    C(
        kind="meaning",
        query="where we are going on holiday",
        gone=["We spend our vacation in Crete"],
        keep=["We are going to the dentist"],
    ),
    C(
        kind="meaning",
        query="Lea's favourite movie",
        gone=["Lea's favourite film is Amélie"],
        keep=["Lea's favourite book is Emma"],
    ),
    C(
        kind="meaning",
        query="my weight",
        gone=["I weigh 72 kilos"],
        keep=["I am 1.80 tall", "The package weighs 5 kilos"],
    ),
    C(
        kind="meaning",
        query="Tom's hair colour",
        error="NotFound",
        keep=["Tom's favourite colour is red", "Tom cuts hair"],
    ),
    C(kind="meaning", query="Lea's phone", gone=["You can reach Lea on 0171 2345678"], keep=["Lea's camera is new"]),
    C(
        kind="meaning",
        query="my partner's name",
        gone=["My partner is called Noor"],
        keep=["My dog is called Bo", "My business is called Flux"],
    ),
    C(
        kind="negation",
        query="Lea speaks German",
        error="NotFound",
        keep=["Lea does not speak German", "Lea speaks Greek"],
    ),
    C(kind="negation", query="we use MongoDB", error="NotFound", keep=["We no longer use MongoDB", "We use MySQL"]),
    C(kind="negation", query="that Lea quit smoking", gone=["Lea quit smoking"], keep=["Lea likes smoking jackets"]),
    C(
        kind="negation",
        query="don't email Tom on weekends",
        gone=["Don't email Tom on weekends"],
        keep=["Email Tom on Mondays"],
    ),
    C(
        kind="homonym",
        query="the match on Sunday",
        gone=["The football match on Sunday starts at three"],
        keep=["The match box is empty on the shelf", "The concert on Sunday is sold out"],
    ),
    C(
        kind="homonym",
        query="everything about the Amazon river",
        gone=["The Amazon is the longest river in Brazil"],
        keep=["Amazon delivered the books"],
    ),
    C(
        kind="compound",
        query="Tom's wife",
        cut={"Tom is 45, married to Jane and lives in Hull": "Tom is 45 and lives in Hull"},
    ),
    C(kind="compound", query="Lea's birthday", cut={"Lea's birthday is 3 May, and she likes cake.": "Lea likes cake."}),
    C(
        kind="compound",
        query="that I like jazz",
        cut={"I like jazz, hate techno and play the drums.": "I hate techno and play the drums."},
    ),
    C(
        kind="compound",
        query="the dentist",
        cut={"To do: call the dentist, buy stamps and water the plants": "To do: buy stamps and water the plants"},
    ),
    C(kind="compound", query="my salary", cut={"I earn 4000 a month and pay 900 rent": "I pay 900 rent"}),
    C(kind="compound", query="Tom's email", cut={"Tom: phone 555-1212, email tom@fir.dev": "Tom: phone 555-1212"}),
    C(
        kind="compound",
        query="everything about Jane",
        cut={"Tom, Jane and Lea went hiking.": "Tom and Lea went hiking."},
    ),
    C(
        kind="compound",
        query="what Lea does for work",
        cut={
            "Lea moved to Kiel last year. She now works as a vet. She is learning Danish.": (
                "Lea moved to Kiel last year. She is learning Danish."
            )
        },
    ),
    C(
        kind="number",
        query="the 20% discount",
        gone=["Students get a 20% discount"],
        keep=["Seniors get a 25% discount", "Students get a 20 euro voucher"],
    ),
    C(
        kind="number",
        query="the deadline of June 1",
        gone=["The deadline is June 1"],
        keep=["The deadline for taxes is June 10", "The deadline was July 1"],
    ),
    C(kind="roles", query="Lea borrowed money from Tom", error="NotFound", keep=["Tom borrowed money from Lea"]),
    C(kind="roles", query="Tom is Lea's father", error="NotFound", keep=["Lea is Tom's father's cousin"]),
    C(
        kind="people",
        query="Tom's brother",
        gone=["Tom's brother is a cook"],
        keep=["Tom is a brother of the order", "Lea's brother is a cook"],
    ),
    C(
        kind="people",
        query="my sister's birthday",
        gone=["My sister's birthday is 1 May"],
        keep=["My birthday is 1 May", "My sister's wedding is in June"],
    ),
    C(
        kind="ambiguous",
        query="Lea's meeting",
        error="Ambiguous",
        keep=["Lea's meeting with Tom is at nine", "Lea's meeting with Jane is at ten"],
    ),
    C(
        kind="meaning",
        query="Tom's phone number",
        text="Tom's phone number is 555-7777",
        gone=["Tom's phone number is 555-1111"],
        keep=["Lea's phone number is 555-1111"],
    ),
    C(
        kind="meaning",
        query="the meeting is at nine",
        text="The meeting is at ten",
        gone=["The meeting is at nine"],
        keep=["The lunch is at nine"],
    ),
    C(kind="languages", query="oublie où j'habite", gone=["J'habite à Lyon"], keep=["Je travaille à Nice"]),
    C(kind="languages", query="olvida dónde vivo", gone=["Vivo en Sevilla"], keep=["Trabajo en Cádiz"]),
)

CASES: tuple[Case, ...] = tuple(replace(case, round=5) for case in _CASES)
