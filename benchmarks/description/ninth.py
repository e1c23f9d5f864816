"""Cases written after the eighth round had been learned from: the same fact in other words."""

from dataclasses import replace

from benchmarks.description.case import Case

C = Case


def _same(query: str, gone: str, *keep: str, text: str | None = None) -> Case:
    return C(kind="reworded", query=query, gone=[gone], keep=list(keep), text=text)


_CASES: tuple[Case, ...] = (
    _same("Ada works for Acme", "Ada's employer is Acme", "Ben's employer is Acme", "Ada's bank is Delta"),
    _same(
        "Max lives in Cologne", "Max's home is in Cologne", "Max's office is in Cologne", "Maxine's home is in Cologne"
    ),
    _same("my car is a Tesla", "I drive a Tesla", "Tom drives a Tesla", "I drive on the left"),
    _same("Jana is married to Piet", "Piet is Jana's husband", "Piet is Carla's brother", "Jana is Piet's manager"),
    _same(
        "the meeting starts at ten",
        "The meeting begins at 10:00",
        "The meeting ends at 11:00",
        "The film begins at 10:00",
    ),
    _same("I hate coriander", "I can't stand coriander", "I love parsley", "My wife loves coriander"),
    _same("Emil has a dog", "Emil owns a dog named Balu", "Emil has a cat", "Emma owns a dog named Kira"),
    _same(
        "our office is closed on Fridays",
        "On Fridays our office is closed",
        "On Mondays our office is open",
        "The shop is closed on Fridays",
    ),
    _same(
        "Lotte can speak Finnish",
        "Lotte is fluent in Finnish",
        "Lotte is fluent in Danish",
        "Otto is fluent in Finnish",
    ),
    _same(
        "the contract expires in June",
        "The contract runs out in June",
        "The milk runs out in June",
        "The contract was signed in June",
    ),
    _same("Sven is a vegetarian", "Sven does not eat meat", "Sven does not eat sugar", "Sonja is a vegan"),
    _same("we host on AWS", "Our servers run on AWS", "Our servers run hot", "Our DNS runs on Cloudflare"),
    _same(
        "Nora's birthday is on 3 March",
        "Nora was born on 3 March 1990",
        "Nora married on 9 March 2015",
        "Nola was born on 3 March 1988",
    ),
    _same(
        "the invoice has been paid",
        "The invoice was settled",
        "The invoice was printed",
        "The bill for the phone is unpaid",
    ),
    _same(
        "my daughter goes to Lakeside School",
        "My daughter attends Lakeside School",
        "My son attends Hill School",
        "Lakeside School has a pool",
    ),
    _same(
        "Omar leads the data team",
        "Omar is the head of the data team",
        "Omar is the head of the choir",
        "Ina is the head of the web team",
    ),
    _same("I take the bus to work", "I commute by bus", "I commute with Ina", "Ina commutes by bus"),
    _same(
        "the tests are flaky", "The tests fail at random", "The tests are written in pytest", "The lift fails at random"
    ),
    _same("my rent is 900 euros", "I pay 900 euros of rent", "I pay 90 euros for power", "Lea pays 900 euros of rent"),
    _same("Kai quit smoking", "Kai stopped smoking", "Kai stopped jogging", "Uwe quit smoking"),
    _same(
        "the office moved to Hamburg",
        "Our office relocated to Hamburg",
        "Our office is painted white",
        "Lars relocated to Hamburg",
    ),
    _same("Pia is pregnant", "Pia is expecting a baby", "Pia is expecting a parcel", "Mia is pregnant"),
    _same(
        "Rolf is the father of Nele", "Nele is Rolf's daughter", "Nele is Gerd's niece", "Rolf is the father of Jonas"
    ),
    _same("I was born in Riga", "My birthplace is Riga", "My favourite city is Riga", "My mother was born in Riga"),
    _same(
        "the database has to be backed up daily",
        "Back up the database every day",
        "Back up the laptop every week",
        "The database is large",
    ),
    _same(
        "Where does Tina work?",
        "Tina has a job at the library",
        "Tina reads at the library",
        "Tim has a job at the zoo",
        text="Tina works at the museum",
    ),
    _same(
        "What is my middle name?",
        "My middle name is Ignaz",
        "My last name is Huber",
        "My dog's name is Ignaz",
        text="My middle name is Iggy",
    ),
    _same(
        "the price of the ticket",
        "The ticket costs 49 euros",
        "The ticket is in my bag",
        "The hat costs 49 euros",
        text="The ticket costs 59 euros",
    ),
    _same(
        "Lisa's surname",
        "Lisa's last name is Vogt",
        "Lisa's first pet was a hamster",
        "Lars's last name is Vogt",
        text="Lisa's last name is Vogel",
    ),
    _same(
        "the colour of our logo",
        "Our logo is teal",
        "Our van is teal",
        "Our logo is by Studio Nord",
        text="Our logo is coral",
    ),
)

CASES: tuple[Case, ...] = tuple(replace(case, round=9) for case in _CASES)
