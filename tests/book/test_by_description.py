"""Forgetting and correcting what is described, through the book."""

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import Ambiguous, Invalid, NotFound, Tombstoned
from commonplace.model import STATUSES, Message
from commonplace.retrieval import targets

COMPOUND = "Ada lives in Oslo, works at Acme and has two cats"
REST = "Ada lives in Oslo and has two cats"


def kept(book: Commonplace) -> list[str]:
    return sorted(one.text for one in book.browse(limit=1000, statuses=STATUSES))


def test_an_id_still_names_a_memory(book):
    tea, coffee = (book.remember(text).id for text in ("Ada likes tea", "Ada likes coffee"))
    book.forget(tea)
    book.revise(coffee, "Ada loves coffee", reason="stronger")
    assert kept(book) == ["Ada loves coffee"]


@pytest.mark.parametrize("given", [{}, {"id": "x", "query": "tea"}])
def test_either_an_id_or_a_description_is_needed(book, given):
    with pytest.raises(Invalid):
        book.forget(**given)
    with pytest.raises(Invalid):
        book.revise(text="Ada likes milk", **given)


def test_what_is_described_goes_and_its_neighbour_stays(book):
    book.remember_many(["REQ-7 is about login", "REQ-77 is about logout"])
    receipt = book.forget(query="REQ-7")
    assert kept(book) == ["REQ-77 is about logout"]
    assert book.verify_receipt(receipt).found == ()


def test_a_preview_shows_everything_and_changes_nothing(book):
    id = book.remember(COMPOUND).id
    shown = book.forget(query="Ada's job", dry_run=True)
    assert (shown.state, shown.ids) == ("dry run", (id,))
    assert [change.statement for change in shown.changes] == ["Ada works at Acme", REST]
    assert kept(book) == [COMPOUND]
    assert book.receipts.list(actions=["FORGET"]) == []
    by_id = book.forget(id, dry_run=True)
    assert [change.statement for change in by_id.changes] == [COMPOUND]
    assert book.get(id).version == 1


def test_a_compound_sentence_loses_only_the_part_and_the_rest_is_a_new_version(book):
    id = book.remember(COMPOUND).id
    receipt = book.forget(query="Ada's job")
    assert book.get(id).text == REST
    assert [(one.version, one.memory.text) for one in book.history(id)] == [(1, REST), (2, REST)]
    assert book.verify_receipt(receipt).found == ()
    assert book.recall("Acme", recipe="exact") == [] or "Acme" not in book.recall("Acme")[0].memory.text
    assert [hit.memory.id for hit in book.recall("cats Oslo")] == [id]


def test_a_part_is_taken_out_of_every_version(book):
    id = book.remember("Ada lives in Rome, works at Acme and has two cats").id
    book.revise(id, COMPOUND, reason="she moved")
    book.forget(query="Ada's job")
    assert [one.memory.text for one in book.history(id)] == ["Ada lives in Rome and has two cats", REST, REST]


def test_a_forgotten_part_does_not_come_back(book):
    book.remember(COMPOUND)
    book.forget(query="Ada's job")
    for text in (COMPOUND, "Ada works at Acme"):
        with pytest.raises(Tombstoned):
            book.remember(text)
    book.remember("Ada works at Globex")
    assert kept(book) == [REST, "Ada works at Globex"]


def test_a_turn_and_what_was_concluded_from_it_go_together(open_book):
    book = open_book(owner="ada")
    book.observe([Message("I live in Oslo, work at Acme and have two cats.")])
    book.observe([Message("I work at Acme.")])
    book.forget(query="where I work")
    assert not any("Acme" in text for text in kept(book))
    assert any("Oslo" in text for text in kept(book)) and any("cats" in text for text in kept(book))
    assert not any("Acme" in (quote or "") for one in book.browse() for _, quote in book.evidence(one.id))


def test_several_that_fit_are_refused_with_their_ids_unless_all_or_best_is_said(book):
    trips = ["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June"]
    ids = {book.remember(text).id for text in trips}
    with pytest.raises(Ambiguous) as refused:
        book.forget(query="Hugo's trip")
    assert set(refused.value.ids) == ids
    assert kept(book) == sorted(trips)
    assert len(book.forget(query="Hugo's trip", best=True, dry_run=True).ids) == 1
    book.forget(query="Hugo's trip", all=True)
    assert kept(book) == []


def test_what_is_merely_near_is_left_alone(book):
    book.remember_many(["Ada lives in Oslo", "Ada likes tea"])
    with pytest.raises(NotFound, match="recall"):
        book.forget(query="Ada's blood type")
    assert kept(book) == ["Ada likes tea", "Ada lives in Oslo"]


@pytest.mark.parametrize("query", ["", "  ", "everything", "forget it", "that"])
def test_a_description_of_nothing_is_refused(book, query):
    book.remember("Ada likes tea")
    with pytest.raises((Invalid, NotFound)):
        book.forget(query=query)
    assert kept(book) == ["Ada likes tea"]


def test_everything_about_a_topic_is_hundreds_in_a_large_book(book, monkeypatch):
    monkeypatch.setattr(targets, "READ_WHOLE", 100)  # so that a book of this size goes by its postings
    about = [f"Project Apollo has task {number}" for number in range(300)]
    other = [f"The Apollo theatre shows play {number}" for number in range(150)]
    book.remember_many([*about, *other, "Project Artemis is late"])
    receipt = book.forget(query="everything about Project Apollo")
    assert len(receipt.ids) == 300
    assert kept(book) == sorted([*other, "Project Artemis is late"])


def test_a_large_book_is_searched_by_meaning_too(book, monkeypatch):
    monkeypatch.setattr(targets, "READ_WHOLE", 20)
    book.remember_many([*(f"Invoice {number} is paid" for number in range(60)), "Ada lives in Oslo", "Ada likes tea"])
    receipt = book.revise(query="Ada's home town", text="Ada lives in Bergen")
    assert book.get(str(receipt.id)).text == "Ada lives in Bergen"
    assert "Ada likes tea" in kept(book)


def test_a_correction_by_description_keeps_the_id_and_the_rest(book):
    id = book.remember(COMPOUND).id
    shown = book.revise(query="Ada's job", text="Ada works at Globex.", dry_run=True)
    assert shown.state == "dry run" and shown.changes[-1].statement == f"{REST}. Ada works at Globex."
    assert book.get(id).text == COMPOUND
    book.revise(query="Ada's job", text="Ada works at Globex.", reason="a new job")
    assert book.get(id).text == f"{REST}. Ada works at Globex."
    assert len(book.history(id)) == 2


def test_a_correction_of_several_is_refused(book):
    book.remember_many(["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June"])
    with pytest.raises(Ambiguous):
        book.revise(query="Hugo's trip", text="Hugo's trip is off")


def test_words_alone_are_enough_where_there_is_no_embedder(open_book, settings: Settings, tmp_path):
    book = open_book(settings=Settings(home=tmp_path / "home", embedder="none"))
    book.remember_many(["Ada works at Acme", "Ada lives in Oslo"])
    book.forget(query="Ada's job")
    assert kept(book) == ["Ada lives in Oslo"]


def test_another_namespace_is_not_touched(book):
    book.remember("Ada likes tea")
    other = book.within("elsewhere")
    other.remember("Ada likes tea")
    book.forget(query="Ada likes tea")
    assert kept(book) == []
    assert kept(other) == ["Ada likes tea"]


def test_the_message_of_a_refusal_repeats_no_memory(book):
    book.remember_many(["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June"])
    with pytest.raises(Ambiguous) as refused:
        book.forget(query="Hugo's trip")
    assert "Rome" not in str(refused.value)


def test_a_word_for_the_same_matter_is_not_enough_by_itself(book):
    book.remember_many(["We spent Easter in Rome", "Vera sings on Sundays", "The budget is 9,000 euros", "I sing alto"])
    book.forget(query="everything about the budget")
    with pytest.raises(NotFound):
        book.forget(query="what I am allergic to")
    assert kept(book) == ["I sing alto", "Vera sings on Sundays", "We spent Easter in Rome"]


def test_a_thing_of_several_meanings_is_known_by_the_words_around_it(book):
    snake, others = (
        "The python in the living room eats a mouse a week",
        ["Our scripts are Python", "The lamp is on by eight"],
    )
    book.remember_many([snake, *others])
    with pytest.raises(NotFound):
        book.forget(query="our pet gecko")
    book.forget(query="our pet python")
    assert kept(book) == sorted(others)


def test_a_gloss_chooses_among_things_of_one_name_and_never_takes_the_other(book):
    best = book.remember("The best wave of the day broke near the pier").id
    book.remember("A wave of layoffs hit the firm")
    assert book.forget(query="the wave we surfed", dry_run=True).ids == (best,)
    book.forget(best)
    with pytest.raises(NotFound):
        book.forget(query="the wave we surfed")


def test_what_is_called_former_is_what_held_before(book):
    old, now = (book.remember(text).id for text in ("Until 2020 I worked at Bosch", "I work at Siemens"))
    assert book.forget(query="my former employer", dry_run=True).ids == (old,)
    assert book.forget(query="my employer", dry_run=True).ids == (now,)
    book.forget(old)
    with pytest.raises(NotFound):
        book.forget(query="my former employer")


def test_all_of_a_kind_is_what_is_the_owners_however_it_is_said(book):
    mine = [book.remember(text).id for text in ("I am allergic to latex", "I have a nut allergy")]
    book.remember_many(["The tenant in flat 2 is allergic to cats", "My aunt has a wasp allergy"])
    assert sorted(book.forget(query="all my allergies", dry_run=True).ids) == sorted(mine)


def test_the_things_of_all_my_children_are_those_of_each(book):
    texts = ("My son Per's school is in Lindweg", "My daughter Ida's school is in Kirchgasse")
    theirs = [book.remember(text).id for text in texts]
    book.remember_many(["My neighbour Jo's school is in Parkweg", "My son Per likes maths"])
    assert sorted(book.forget(query="my children's schools", dry_run=True).ids) == sorted(theirs)


def test_a_name_is_not_the_beginning_of_a_places(book):
    cat = book.remember("Luna is our cat").id
    book.remember("We ate at the Luna Rossa")
    assert book.forget(query="everything about Luna", dry_run=True).ids == (cat,)


def test_a_matter_that_is_vague_beside_others_is_still_one(book):
    liked = book.remember("Rahul prefers tea").id
    book.remember("Rahul lives in Pune")
    assert book.forget(query="all of Rahul's preferences", dry_run=True).ids == (liked,)


def test_where_the_book_says_the_opposite_nothing_near_is_meant(book):
    book.remember_many(["Bruno does not like jazz", "Bruno likes folk music"])
    with pytest.raises(NotFound):
        book.forget(query="that Bruno likes jazz")
    liked = book.remember("Bruno likes jazz from the twenties").id
    assert book.forget(query="that Bruno likes jazz", dry_run=True).ids == (liked,)


def test_a_correction_of_one_part_keeps_the_other_whatever_its_verb(book):
    book.remember("Yusuf lives in Izmir and repairs clocks.")
    book.revise(query="where Yusuf lives", text="Yusuf lives in Ankara.")
    assert kept(book) == ["Yusuf repairs clocks. Yusuf lives in Ankara."]


def test_everyone_without_something_is_whoever_has_none(book):
    lacking = [book.remember(text).id for text in ("Ed has no passport", "Faye does not have a passport")]
    book.remember_many(["Gus has a passport", "Hana has no visa"])
    assert sorted(book.forget(query="everyone without a passport", dry_run=True).ids) == sorted(lacking)


@pytest.mark.parametrize(
    ("query", "gone", "left"),
    [
        ("everything about Percy", "Percy eats seeds; Buy Percy a cage", "The gym is at 5 Percy Road"),
        ("everything about Ashdown", "Ashdown Park closes at eight", "Richmond Park opens at seven"),
        ("everything about Lisbon", "We flew to Lisbon; The taxi from Lisbon Airport was late", "We flew to Porto"),
        (
            "everything about my shoulder surgery",
            "I had an operation on my right shoulder; My shoulder sling must be washed; My shoulder still hurts",
            "My elbow hurts after tennis; My sister broke her shoulder; My shoulder bag is in the hall",
        ),
        (
            "everything about my guitar lessons",
            "My guitar lessons are on Mondays; Mr Lopez gives me guitar lessons in his flat",
            "Mr Lopez gives my son guitar lessons; The guitar in the window is a copy; Mr Lopez showed me a guitar",
        ),
        (
            "all deadlines in March",
            "The tax return has to be submitted by 31 March; The thesis is due on 12 March",
            "The visa form has to be submitted by 3 April; Ida's birthday is on 7 March; The soldiers march at noon",
        ),
        (
            "all phone numbers",
            "Ring Ida on 030 555 7788; The plumber's phone number is 0171 4455667",
            "Ida talks on the phone for hours; Ida's flat has the number 12",
        ),
        ("all PINs", "The PIN of the debit card is 4711; The PIN for the safe is 0815", "Ida forgets every PIN"),
        ("all birthdays", "Ida's birthday is 9 May", "Ida bakes a cake for every birthday"),
        (
            "everything about seals, the animals",
            "Seals rest on the sandbank; We watched seals swim off the coast",
            "The seal of the dishwasher leaks; The letter bears the seal of the university",
        ),
        (
            "everything about the Phoenix framework",
            "The chat server is built with Phoenix; Phoenix renders the pages of the dashboard",
            "Ida flew to Phoenix in May; The phoenix is a mythical bird",
        ),
        (
            "the planet Saturn",
            "Saturn was visible through the telescope",
            "My uncle drives a Saturn; Jupiter rises late",
        ),
        (
            "the bank where I have my savings",
            "My bank is Rabobank",
            "We sat on the bank of the canal; Ida's bank is ING",
        ),
    ],
)
def test_all_of_a_thing_is_taken_and_nothing_of_another_of_its_name(book, query, gone, left):
    book.remember_many([*gone.split("; "), *left.split("; ")])
    book.forget(query=query)
    assert kept(book) == sorted(left.split("; "))


def test_what_the_owner_once_did_somewhere_does_not_say_that_it_is_the_owners(book):
    book.remember_many(["My club is TC Blau", "Ada plays golf"])
    with pytest.raises(NotFound):
        book.forget(query="the club where I met Ada")
    book.forget(query="the club where I play tennis")
    assert kept(book) == ["Ada plays golf"]


def test_which_thing_somebody_has_is_their_thing(book):
    mine, hers = (book.remember(text).id for text in ("My car is a blue Skoda", "Ada's phone is an old Nokia"))
    book.remember_many(["Gareth drives a white Volvo", "My bicycle is a red Trek", "Ada's car is green"])
    assert book.forget(query="what car I drive", dry_run=True).ids == (mine,)
    assert book.forget(query="which phone Ada uses", dry_run=True).ids == (hers,)
    with pytest.raises(NotFound):
        book.forget(query="which boat I own")
