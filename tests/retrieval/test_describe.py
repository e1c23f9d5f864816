"""Reading a description, and judging a statement by it: no store, no embedder."""

from datetime import UTC, datetime

import pytest

from commonplace.retrieval.describe import (
    Level,
    another_word,
    fit,
    possible,
    prefers,
)
from commonplace.retrieval.description import is_empty, read
from commonplace.retrieval.grammar import subject_of
from commonplace.retrieval.parts import take_apart
from commonplace.retrieval.statement import Statement
from commonplace.retrieval.wording import as_owner

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)


def alone(a: str, b: str) -> float:
    return 0.0


def level(description: str, said: str, **around) -> Level | None:
    found = fit(read(description, now=NOW), Statement(said=said, **around), alone)
    return None if found is None else found.level


@pytest.mark.parametrize(
    ("framed", "topic"),
    [
        ("please forget that Ada likes tea", "Ada likes tea"),
        ("Delete my phone number", "my phone number"),
        ("the fact that Ada lives in Oslo", "Ada lives in Oslo"),
        ("everything you know about Project Apollo", "Project Apollo"),
        ("what you know about Jan Smit", "Jan Smit"),
        ("vergiss alles über Anna", "Anna"),
        ("all references to the tax audit", "the tax audit"),
        ("everything about the oslo trip pls", "the oslo trip"),
        ("forget my shoe size, thank you!", "my shoe size"),
        ("the decision that we use tabs", "we use tabs"),
    ],
)
def test_the_frame_is_taken_off(framed, topic):
    assert read(framed, now=NOW).text == topic


@pytest.mark.parametrize(
    ("text", "sweeping"),
    [("everything about tea", True), ("what Bob said about tea", True), ("Ada's tea", False), ("Ada likes tea", False)],
)
def test_only_what_asks_for_everything_sweeps(text, sweeping):
    assert read(text, now=NOW).sweeping is sweeping


def test_who_said_it_and_when_are_read():
    told = read("what Bob said yesterday about the budget", now=NOW)
    assert (told.speaker, told.text) == ("bob", "the budget")
    assert told.span is not None and told.span[0].date().isoformat() == "2024-05-14"
    assert read("Bob said no", now=NOW).speaker is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("REQ-7", "REQ-7 is open", "REQ-77 is open"),
        ("Anna Berg", "Anna Berg sings", "Anna Bergman sings"),
        ("Anna Berg", "Anna Berg sings", "Anna Berg Olsen sings"),
        ("v1.2", "v1.2 is out", "v1.2.3 is out"),
        ("Art. 6 Sec. 2", "Art. 6 Sec. 2 covers consent", "Art. 6 Sec. 21 covers consent"),
        ("Art. 6 Sec. 2", "See Art. 6 Sec. 2", "See Art. 2 Sec. 6"),
        ("/etc/hosts", "Edit /etc/hosts", "Edit /backup/etc/hosts"),
        ("+47 912 34 567", "Call +47 91234567", "Call +47 912 34 568"),
        ("Ada likes tea", "Ada likes tea", "Ada does not like tea"),
        ("the tenant who hasn't paid", "Mr Roth has not paid", "Ms Lenz has paid"),
        ("the tenant who has paid", "Ms Lenz has paid", "Mr Roth has not paid"),
        ("the device that isn't charged", "The tablet is not charged", "The phone is charged"),
        ("the teas Ada likes", "Ada likes white teas", "Ada doesn't like white teas"),
        ("who isn't able to swim", "Nils can't swim", "Bo can swim"),
        ("never deploy on Friday", "Never deploy on Friday", "Deploy on Friday"),
        ("Marco reports to Giulia", "Marco reports to Giulia", "Giulia reports to Marco"),
        ("Ada manages Bob", "Ada manages Bob", "Bob manages Ada"),
        ("Ada's birthday", "Ada's birthday is in May", "Bob's birthday is in May"),
        ("Ada's job", "Ada works at Acme", "Ada lives in Oslo"),
        ("Bob has three cats", "Bob has 3 cats", "Bob has two cats"),
        ("the flight on 2024-05-07", "Flight on May 7, 2024", "Flight on May 7, 2023"),
        ("the office move", "The office move is on Monday", "The office has chairs"),
        ("Project Apollo", "The Apollo project is late", "The Apollo theatre is full"),
        ("Ada's tea", "Ada buys tea", "Ada buys coffee"),
        ("Clara's passport number", "Clara's passport number is 88213", "Clara's passport expires in May"),
        ("the CEO's car", "The chief executive's car is red", "The CFO's car is red"),
        ("Ada works at Acme", "Ada is employed by Acme", "Acme works at Ada"),
        ("the call at half past five", "The call is at 5:30", "The call is at 5:15"),
        ("the invoice is paid", "The bill is paid", "The invoice is unpaid"),
    ],
)
def test_what_is_meant_fits_and_what_is_near_does_not(description, fits, fails):
    assert level(description, fits) is not None
    assert level(description, fails) is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("tram line 4", "Line 4 is being repaired", "Bus line 4 is being repaired"),
        ("what was agreed in RFC-12", "RFC-12: all times are in UTC", "RFC-121: all times are in UTC"),
        ("the fair takes place in Ghent", "The fair will be held in Ghent", "The fair is not held in Ghent"),
        ("Lena is near-sighted", "Lena is shortsighted", "Lena is long-sighted"),
        ("I'm short-sighted", "I'm nearsighted", "I'm not nearsighted"),
        ("Karim's insomnia", "Karim has trouble falling asleep", "Karim has trouble with the lift"),
        ("our Wiki runs on Django", "We use Django for our Wiki", "We use our Wiki for Django"),
        ("Anna's phone number", "You can reach Anna by phone at 555-0177", "You can reach Bob by phone at 555-0134"),
        ("my phone number", "You can reach me by phone at 555-0134", "You can reach my wife by phone at 555-0177"),
    ],
)
def test_the_same_in_another_turn_of_phrase_fits(description, fits, fails):
    assert level(description, fits, mine=True) is not None
    assert level(description, fails, mine=True) is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("my phone number", "My phone number is 555-0134", "The school's phone number is 555-0177"),
        ("who our caterer is", "Our caterer is Mr Blum", "Their caterer is Mr Horn"),
        ("Hugo lives in Breda", "Hugo lives in Breda", "Hugo's parents live in Breda"),
        ("the trip to York", "The trip to York is in May", "The trip to New York is in May"),
        ("we sell tents", "We sell tents", "The shop on the corner sells tents"),
        ("my address", "My address is 4 Elm Street", "The printer has the address 10.0.0.5"),
        ("order 4471", "Order 4471 is late", "Invoice 4471 is late"),
        ("that I own a boat", "I own a boat", "The boat trip takes an hour"),
        ("when I go to bed", "My bedtime is eleven, so I sleep at 11", "My bed is new"),
        ("my niece's school", "My sister's little daughter likes her school", "My aunt likes her school"),
        ("how old Emil is", "Emil is seven", "Emil is tall"),
        (
            "that the tests are not run on Windows",
            "CI doesn't run the tests on Windows",
            "CI runs the tests on Windows",
        ),
        ("that I never learned to swim", "I can't swim", "I can swim"),
        ("the lathe", "The lathe needs oil", "New laths were nailed"),
    ],
)
def test_what_shares_the_words_but_is_anothers_does_not_fit(description, fits, fails):
    for said, meant in ((fits, True), (fails, False)):
        subject = take_apart(said).parts[0].subject
        assert (level(description, said, subject=subject, mine=True) is not None) is meant


def test_a_word_tells_of_a_matter_one_way():
    assert level("everything about my pets", "I have two cats", mine=True) is Level.MATTER
    assert level("everything about my cat", "I have two pets", mine=True) is Level.NEAR


def test_a_word_that_is_said_of_anything_tells_of_a_matter_only_beside_another():
    assert level("everything about rent", "Nordwind pays within ten days") is not Level.MATTER
    assert level("the rent", "I pay it on the first", mine=True) is Level.MATTER


def test_words_with_one_stem_are_the_same_if_they_are_forms_or_near():
    assert not another_word("bake", "baking", alone)
    assert not another_word("city", "cities", alone)
    assert another_word("lathe", "laths", lambda a, b: 0.7)
    assert another_word("universe", "university", lambda a, b: 0.03)
    assert not another_word("decide", "decision", lambda a, b: 0.6)


def test_a_thing_told_by_what_is_said_of_it_is_no_sentence():
    assert not read("the painkiller I must not take", now=NOW).statement
    assert read("the dog must not eat grapes", now=NOW).statement
    off_limits = Statement(said="Ibuprofen is off limits for me", subject="Ibuprofen", mine=True)
    taken = Statement(said="I take ibuprofen", subject="I", mine=True)
    assert possible(read("the painkiller I must not take", now=NOW), off_limits) is not None
    assert possible(read("the painkiller I must not take", now=NOW), taken) is None


def test_how_the_owner_knows_somebody_is_not_what_they_work_as():
    about = {"subject": "Tom"}
    assert level("everything about my brother Tom", "Tom is a plumber", **about) is not None
    assert level("everything about my brother Tom", "Tom from accounting is on leave", **about) is None


def test_what_a_name_is_said_to_be_is_no_modifier():
    assert level("Saturn the planet", "Saturn is the planet with most rings", subject="Saturn") is Level.WORDS
    assert level("Saturn the planet", "Saturn is the shop on the corner", subject="Saturn") is None


def test_a_question_for_a_thing_is_not_answered_by_what_belongs_to_it():
    insurance = level("which car I have", "My car insurance is with Ahlers", subject="My car insurance", mine=True)
    assert insurance is Level.NEAR
    assert level("which car I have", "I drive a Skoda", subject="I", mine=True) is Level.MATTER
    assert level("what I am learning", "I am learning Polish", subject="I", mine=True) is Level.WORDS


def test_what_meets_a_thing_only_by_going_somewhere_is_no_answer_to_which():
    wanted = read("which car I have", now=NOW)
    thing, going = (prefers(wanted, Statement(said=said)) for said in ("I drive a Skoda", "I drive to my parents"))
    assert thing > going
    assert prefers(wanted, Statement(said="I went to the car show")) == thing


def test_an_identifier_stays_one_though_a_turn_of_phrase_is_in_it():
    assert read("the delay-queue", now=NOW).anchors == ("delay-queue",)
    assert read("short-sighted", now=NOW).anchors == ()


def test_what_i_say_of_myself_is_not_about_my_relatives():
    mine = {"subject": "I", "mine": True}
    assert possible(read("my nephew turned 17", now=NOW), Statement(said="I turned 17 in May", **mine)) is None
    assert possible(read("my wife is from Oslo", now=NOW), Statement(said="I married a woman from Oslo", **mine))


def test_whom_one_can_reach_is_still_an_answer_to_who():
    said = "You can call Mr Frost at 555-0188 about the heating"
    assert level("who I can call about the heating", said, subject="You", mine=True) is not None
    assert level("my heating", said, subject="You", mine=True) is None


def test_a_number_after_a_word_that_is_no_noun_names_nothing():
    assert level("tram line 17", "At line 17 the road is closed") is not None
    assert level("the meeting at 17", "At 17 I left home", mine=True) is None
    assert level("my nephew turned 17", "I turned 17 in May", mine=True) is None


def test_the_same_sentence_fits_best_and_its_subject_next():
    assert level("Ada likes tea", "Ada likes tea.") is Level.EXACT
    assert level("Ada's birthday", "Ada's birthday is in May", subject="Ada's birthday") is Level.SUBJECT
    assert level("Ada's birthday", "Ada's birthday party is in May", subject="Ada's birthday party") is Level.WORDS
    assert level("Ada's home", "Ada lives in Oslo", subject="Ada") is Level.MATTER


def test_the_first_person_is_whoever_speaks():
    assert level("where Bob lives", "I live in Bergen", speaker="Bob") is not None
    assert level("where Bob lives", "I live in Bergen", speaker="Ada") is None
    assert level("where I live", "I live in Bergen", mine=True) is not None
    assert level("where I live", "I live in Bergen", speaker="Bob", mine=False) is None


def test_a_word_that_says_it_without_a_denial_agrees_with_one():
    said = Statement(said="Sven does not eat meat", subject="Sven")
    assert possible(read("Sven is a vegetarian", now=NOW), said) is not None
    assert possible(read("Sven is a butcher", now=NOW), said) is None
    assert possible(read("Sven eats meat", now=NOW), said) is None


@pytest.mark.parametrize(
    ("several", "single"),
    [
        ("all my passwords", "my password"),
        ("all the gate codes", "the gate code"),
        ("all milestones", "the milestone"),
        ("the drinks I like", "the drink I like"),
        ("the guests who can't come", "the guest who can't come"),
        ("everybody who can't come", "who can't come"),
    ],
)
def test_a_plural_may_mean_several(several, single):
    assert read(several, now=NOW).plural
    assert not read(single, now=NOW).plural


def test_only_in_so_many_words_all_of_a_plural_are_asked_for():
    assert read("all my passwords", now=NOW).every
    assert not read("my passwords", now=NOW).every


def test_somebody_who_is_described_is_not_the_speaker():
    who = "the tenant who moved out"
    assert level(who, "Mr Roth moved out", subject="Mr Roth") is not None
    assert level(who, "We moved the piano out", subject="We", mine=True) is None


def test_a_thing_told_by_a_sentence_must_be_there():
    assert level("the book I lent", "I lent my drill", subject="I", mine=True) is None
    assert level("the book I lent", "I lent a book", subject="I", mine=True) is not None


def test_a_note_that_names_somebody_before_a_colon_is_about_them():
    assert level("that I jog", "Hugo's routine: jog in the park", mine=True) is None
    assert level("that I jog", "My routine: jog in the park", mine=True) is not None


def test_what_is_done_has_an_object_and_a_thing_a_second_word():
    assert level("that I jog", "I jog three miles a day", subject="I", mine=True) is not None
    assert level("that I smoke", "The smoke detector is new", subject="The smoke detector", mine=True) is None


def test_meaning_counts_only_above_a_floor_and_never_between_rivals():
    near = {("wallet", "pouch"): 0.6, ("wallet", "bag"): 0.35, ("wallet", "shoe"): 0.1, ("tea", "coffee"): 0.9}

    def cosine(a: str, b: str) -> float:
        return near.get((a, b), 0.0)

    def judged(description: str, said: str) -> Level | None:
        found = fit(read(description, now=NOW), Statement(said=said), cosine)
        return None if found is None else found.level

    assert judged("Ada's wallet", "Ada lost a pouch") is Level.NEAR
    assert judged("Ada's wallet", "Ada lost a bag") is Level.FAINT
    assert judged("Ada's wallet", "Ada lost a shoe") is None
    assert judged("Ada's tea", "Ada lost a coffee") is None


@pytest.mark.parametrize(
    ("text", "empty"), [("everything", True), ("forget it", True), ("tea", False), ("my name", False)]
)
def test_a_description_of_nothing_is_seen(text, empty):
    assert is_empty(read(text, now=NOW)) is empty


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("who the user's boss is", "who my boss is"),
        ("The user eats no meat", "I eat no meat"),
        ("that the user studies law", "that I study law"),
        ("what you told the user about Rome", "what you told me about Rome"),
        ("The user doesn't smoke. The user's son does.", "I don't smoke. My son does."),
        ("The user no longer has a car", "I no longer has a car"),
        ("the user named root", "the user named root"),
        ("The user interface is grey", "The user interface is grey"),
    ],
)
def test_what_is_told_of_the_user_is_read_as_the_user_would_say_it(told, said):
    assert as_owner(told) == said


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("who my boss is", "I report to Helga", "I supervise two interns"),
        ("who Greta's boss is", "Greta reports to Otto", "Greta leads the design team"),
        ("who my teacher is", "Mrs Lund teaches me Danish", "I teach maths on Mondays"),
        ("how I commute to work", "I cycle to the office every day", "My colleague Bea takes the tram to the office"),
        ("how I commute to work", "I drive to the office", "My boss cycles to the office"),
        ("what my wife does for a living", "My spouse is a tax lawyer", "My brother is a nurse"),
        ("my favourite book", "Emma is the book I love most", "Emma is the book Ada loves most"),
    ],
)
def test_the_owners_own_is_told_from_what_others_do_and_have_done(description, fits, fails):
    assert level(description, fits, mine=True, subject=subject_of(fits)[0]) is not None
    assert level(description, fails, mine=True, subject=subject_of(fails)[0]) is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("the pool's closing time", "The pool shuts at nine", "The pool is heated"),
        ("the museum's opening time", "The museum unlocks its doors at 10", "The museum shows coins"),
        ("my passport's expiry date", "My passport expires in May 2027", "My passport is in the drawer"),
        ("how often backups are made", "A copy of the data is saved every night", "The data is washed every night"),
        ("when the choir meets", "The choir gets together on Mondays", "The choir has nine members"),
        ("which car I drive", "I get around in a grey Skoda", "I get around by tram"),
        ("the tool's licence", "The tool is published under the GPL", "The tool is published on Monday"),
    ],
)
def test_what_is_asked_for_is_known_by_another_verb(description, fits, fails):
    assert level(description, fits, mine=True) is not None
    assert level(description, fails, mine=True) is None


@pytest.mark.parametrize(
    ("description", "fits", "fails"),
    [
        ("I eat no meat", "I am a vegetarian", "I am a baker"),
        ("Pia eats no animal products", "Pia is vegan", "Rolf is vegan"),
        ("I drink no alcohol", "I'm teetotal", "I drink alcohol"),
    ],
)
def test_no_before_the_thing_denies_like_not_before_the_verb(description, fits, fails):
    assert level(description, fits, mine=True) is not None
    assert level(description, fails, mine=True) is None


def test_an_appointment_on_a_day_is_whatever_takes_place_that_day():
    assert level("the appointment on 3 May", "Eye test at the optician's on 3 May") is not None
    assert level("the appointment on 3 May", "Eye test at the optician's on 13 May") is None
    for other in ("Marta's birthday is on 3 May", "The rent is due on 3 May", "I moved to Kiel on 3 May"):
        assert level("the appointment on 3 May", other) is None
    assert level("the invoice of 3 May", "Eye test at the optician's on 3 May") is None
