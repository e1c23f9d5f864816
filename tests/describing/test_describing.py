"""Forgetting and correcting by description: certain at once, otherwise a proposal that changes nothing."""

import contextlib

import pytest

from commonplace import Commonplace, Proposal, Settings
from commonplace.describing import resolve
from commonplace.errors import Conflict, Invalid, NotFound, Tombstoned
from commonplace.model import STATUSES, Message, Receipt
from commonplace.providers.judge import Judge

COMPOUND = "Ada lives in Oslo, works at Acme and has two cats"
REST = "Ada lives in Oslo and has two cats"


def texts(book: Commonplace) -> list[str]:
    return sorted(memory.text for memory in book.browse(limit=1000, statuses=STATUSES))


def proposed(book: Commonplace, query: str) -> list[str]:
    """The texts of a proposal, best first; nothing may have changed."""
    before = texts(book)
    proposal = book.forget(query=query)
    assert isinstance(proposal, Proposal)
    assert texts(book) == before
    return [book.get(target.id).text for target in (*proposal.targets, *proposal.alternatives)]


@pytest.mark.parametrize("arguments", [{}, {"id": "x", "query": "tea"}])
def test_either_an_id_or_a_description_is_needed(book, arguments):
    with pytest.raises(Invalid):
        book.forget(**arguments)
    with pytest.raises(Invalid):
        book.revise(text="Ada likes milk", **arguments)


@pytest.mark.parametrize(
    ("query", "gone", "left"),
    [
        ("REQ-7", ["REQ-7 is about login"], ["REQ-77 is about logout"]),
        ("ticket REQ-7", ["REQ-7 is about login"], ["REQ-77 is about logout"]),
        (
            "everything about alice@acme.io",
            ["Write to ALICE@ACME.IO", "alice@acme.io signs"],
            ["bob@acme.io pays", "alice@acme.iota is another"],
        ),
        (
            "the number 123-45-6789",
            ["My social security number is 123456789"],
            ["My card ends in 6789"],
        ),
        ('the note with "blue bicycle"', ["The blue bicycle is at Ida's"], ["The bicycle is blue"]),
        ("Ada likes tea", ["Ada likes tea."], ["Ada likes coffee", "Bob likes tea"]),
        (COMPOUND, [COMPOUND], ["Ada sails"]),
    ],
)
def test_identifiers_quotes_and_exact_sentences_are_acted_on_at_once(book, query, gone, left):
    book.remember_many([*gone, *left])
    receipt = book.forget(query=query)
    assert isinstance(receipt, Receipt)
    assert texts(book) == sorted(left)
    assert book.verify_receipt(receipt).found == ()


@pytest.mark.parametrize(
    ("query", "gone", "left"),
    [
        ("everything about José García / Jose Garcia", ["Jose Garcia called", "José García is ill"], ["Jose called"]),
        ("everything about Weiß", ["Weiss moved out", "Herr Weiß pays rent"], ["The wall is white"]),
        ("everything about Percy", ["Percy eats seeds", "Buy Percy a cage"], ["The canary eats seeds"]),
    ],
)
def test_every_mention_of_a_name_is_proposed_and_goes_with_yes(book, query, gone, left):
    book.remember_many([*gone, *left])
    assert sorted(proposed(book, query)) == sorted(gone)
    assert isinstance(book.forget(query=query, yes=True), Receipt)
    assert texts(book) == sorted(left)


def test_an_id_given_as_a_description_is_that_memory(book):
    tea = book.remember("Ada likes tea").id
    book.remember("Ada likes coffee")
    book.forget(query=tea)
    assert texts(book) == ["Ada likes coffee"]


@pytest.mark.parametrize(
    ("query", "other_way_round"),
    [
        ("what I owe Sabine", "Sabine owes me 45 euros"),
        ("who reports to me", "I report to Daniel"),
        ("who Bob manages", "Alice manages Bob"),
        ("the people I invited", "Tom invited me to his party"),
        ("what Tom lent me", "I lent Tom a ladder"),
        ("who called me", "I called Priya about the rent"),
    ],
)
def test_exchanged_roles_are_never_taken_for_each_other(book, query, other_way_round):
    book.remember_many([other_way_round, "The ladder is in the shed"])
    with pytest.raises(NotFound):
        book.forget(query=query)
    assert other_way_round in texts(book)


def test_where_roles_cannot_be_verified_a_person_is_asked(book):
    book.remember_many(["I borrowed a ladder from Tom", "Tom likes tea"])
    assert proposed(book, "the ladder Tom lent me")[0] == "I borrowed a ladder from Tom"


@pytest.mark.parametrize(
    ("query", "neighbours"),
    [
        ("my blood type", ["My sister's blood type is A", "I give blood twice a year"]),
        ("my allergies", ["My sister is allergic to nuts", "Bob is allergic to cats"]),
        ("that Bruno likes jazz", ["Bruno does not like jazz", "Bruno likes folk music"]),
        ("Paul's flat", ["Rita's flat has a balcony", "Paul has a flat tyre"]),
        ("where I work", ["I work out at the gym on Mondays", "My brother works for the city"]),
        ("Tom Hart's shoe size", ["Tom Hartley's shoe size is 45", "Tim Hart's shoe size is 41"]),
        ('"silver fox"', ["Silver foxes are rare", "The gate is silver"]),
        ("The dog is sick", ["My sister's dog is sick", "I feed the cat"]),
        ("everything about 4b", ["Ida is in class 4b", "The parcel went to flat 4B"]),
    ],
)
def test_near_twins_and_absent_targets_are_never_deleted(book, query, neighbours):
    book.remember_many(neighbours)
    for yes in (False, True):
        with contextlib.suppress(NotFound):
            assert isinstance(book.forget(query=query, yes=yes), Proposal)
    assert texts(book) == sorted(neighbours)


def test_whose_thing_it_is_and_the_thing_are_two_names(book):
    book.remember_many(["Anja is selling her Vespa", "Anja lives in Graz", "Tom rides a Vespa too"])
    assert proposed(book, "Anja's Vespa") == ["Anja is selling her Vespa"]
    with pytest.raises(NotFound):
        book.forget(query="Anja's Opel")


def test_a_name_is_enough_for_what_can_be_undone_and_not_for_forgetting(book):
    book.remember_many(["Percy eats seeds", "The printer hums"])
    assert proposed(book, "Percy") == ["Percy eats seeds"]
    assert isinstance(book.revise(query="Percy", text="Percy eats nuts"), Receipt)
    assert texts(book) == ["Percy eats nuts", "The printer hums"]


def test_nothing_found_carries_the_nearest_five(book):
    book.remember_many([f"Ada likes tea number {number}" for number in range(8)])
    with pytest.raises(NotFound, match="recall") as fault:
        book.forget(query="ticket OPS-99")
    assert len(fault.value.nearest) == 5


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("user employer", "I work at Acme"),
        ("the user's pet", "I have a cat called Miso"),
        ("Ada's job", "Ada works at Globex"),
        ("my home town", "I grew up in Bergen"),
        ("which phone Ada uses", "Ada's phone is an old Nokia"),
    ],
)
def test_what_is_said_in_other_words_is_proposed_first(book, query, meant):
    memories = ["I work at Acme", "I have a cat called Miso", "Ada works at Globex", "I grew up in Bergen"]
    book.remember_many([*memories, "Ada's phone is an old Nokia", "The gym opens at six"])
    assert proposed(book, query)[0] == meant


def test_a_proposal_is_committed_whole_or_by_choice(book):
    book.remember_many(["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June", "Ada likes tea"])
    proposal = book.forget(query="Hugo's trip")
    assert isinstance(proposal, Proposal) and not proposal.sure
    shown = [target.id for target in (*proposal.targets, *proposal.alternatives)]
    rome = next(id for id in shown if "Rome" in book.get(id).text)
    book.forget(proposal, choose=[rome])
    assert texts(book) == ["Ada likes tea", "Hugo's trip to Oslo is in June"]
    with pytest.raises(NotFound):
        book.forget(proposal, choose=["no-such-id"])
    book.forget(query="Hugo's trip", choose=[book.forget(query="Hugo", dry_run=True).ids[0]])
    assert texts(book) == ["Ada likes tea"]


def test_committing_a_proposal_takes_its_targets(book):
    book.remember_many(["Ada works at Globex", "Ada likes tea"])
    proposal = book.forget(query="Ada's job")
    assert isinstance(proposal, Proposal)
    book.forget(proposal)
    assert texts(book) == ["Ada likes tea"]


def test_a_memory_that_changed_since_it_was_proposed_is_not_forgotten(book):
    id = book.remember("Ada works at Globex").id
    proposal = book.forget(query="Ada's job")
    book.revise(id, "Ada works at Acme")
    with pytest.raises(Conflict):
        book.forget(proposal)
    assert texts(book) == ["Ada works at Acme"]


def test_all_takes_everything_that_surely_fits(book):
    book.remember_many(["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June", "Hugo likes tea"])
    book.forget(query="Hugo's trip", all=True, yes=True)
    assert texts(book) == ["Hugo likes tea"]


def test_a_proposal_leaves_out_what_cannot_be_meant(book):
    book.remember_many(["Ada keeps bees and plays chess", "Ada sails", "Ada travels on Fridays"])
    assert proposed(book, "chess") == ["Ada keeps bees and plays chess"]


def test_a_preview_changes_nothing_and_shows_what_would_remain(book):
    id = book.remember(COMPOUND).id
    shown = book.forget(query="Ada works at Acme", dry_run=True)
    assert (shown.state, shown.ids) == ("dry run", (id,))
    assert [change.statement for change in shown.changes] == ["Ada works at Acme", REST]
    assert texts(book) == [COMPOUND]
    assert book.receipts.list(actions=["FORGET"]) == []


def test_of_a_compound_sentence_only_the_clause_goes_and_it_stays_away(book):
    id = book.remember(COMPOUND).id
    receipt = book.forget(query="Ada works at Acme")
    assert book.get(id).text == REST
    assert [version.memory.text for version in book.history(id)] == [REST, REST]
    assert book.verify_receipt(receipt).found == ()
    for text in (COMPOUND, "Ada works at Acme"):
        with pytest.raises(Tombstoned):
            book.remember(text)


def test_a_clause_is_taken_out_of_every_version(book):
    id = book.remember("Ada lives in Rome, works at Acme and has two cats").id
    book.revise(id, COMPOUND, reason="she moved")
    book.forget(query="Ada works at Acme")
    assert [version.memory.text for version in book.history(id)] == ["Ada lives in Rome and has two cats", REST, REST]


def test_a_message_and_what_was_concluded_from_it_go_together(open_book):
    book = open_book(owner="ada")
    book.observe([Message("I live in Oslo, work at Acme and have two cats.")])
    book.observe([Message("I work at Acme.")])
    proposal = book.forget(query="I work at Acme")
    if isinstance(proposal, Proposal):
        book.forget(proposal)
    assert not any("Acme" in text for text in texts(book))
    assert any("Oslo" in text for text in texts(book))
    assert any("cats" in text for text in texts(book))


@pytest.mark.parametrize("query", ["", "  ", "everything", "forget it", "that"])
def test_a_description_of_nothing_is_refused(book, query):
    book.remember("Ada likes tea")
    with pytest.raises((Invalid, NotFound)):
        book.forget(query=query)
    assert texts(book) == ["Ada likes tea"]


def test_everything_about_a_name_is_hundreds_in_a_large_book(book, monkeypatch):
    monkeypatch.setattr(resolve, "READ_WHOLE", 100)  # so that a book of this size goes by its postings
    about = [f"Project Apollo has task {number}" for number in range(300)]
    other = [f"The Apollo theatre shows play {number}" for number in range(150)]
    book.remember_many([*about, *other, "Project Artemis is late"])
    receipt = book.forget(query="everything about Project Apollo", yes=True)
    assert len(receipt.ids) == 300
    assert texts(book) == sorted([*other, "Project Artemis is late"])


def test_a_large_book_is_searched_by_meaning_too(book, monkeypatch):
    monkeypatch.setattr(resolve, "READ_WHOLE", 20)
    book.remember_many([*(f"Invoice {number} is paid" for number in range(60)), "Ada lives in Oslo", "Ada likes tea"])
    assert "Ada lives in Oslo" in proposed(book, "Ada's home town")[:2]


def test_a_name_inside_a_longer_one_is_only_an_alternative(book):
    book.remember_many(["Marlow is our cat", "The gym is in Marlow Street"])
    proposal = book.forget(query="everything about Marlow", dry_run=True)
    assert [book.get(id).text for id in proposal.ids] == ["Marlow is our cat"]
    book.forget(query="everything about Marlow", yes=True)
    assert texts(book) == ["The gym is in Marlow Street"]


def test_two_people_of_one_first_name_are_not_swept_together(book):
    both = ["Anna Berg is my dentist", "Anna Holm is my aunt"]
    book.remember_many(both)
    assert isinstance(book.forget(query="everything about Anna"), Proposal)
    assert texts(book) == sorted(both)


def test_a_correction_keeps_the_id_and_the_other_clauses(book):
    id = book.remember(COMPOUND).id
    shown = book.revise(query="Ada works at Acme", text="Ada works at Globex.", dry_run=True)
    assert shown.state == "dry run" and shown.changes[-1].statement == f"{REST}. Ada works at Globex."
    book.revise(query="Ada works at Acme", text="Ada works at Globex.", reason="a new job")
    assert book.get(id).text == f"{REST}. Ada works at Globex."
    assert len(book.history(id)) == 2


def test_an_uncertain_correction_is_proposed_and_can_be_chosen(book):
    home = book.remember("Ada lives in Oslo").id
    book.remember("Ada likes tea")
    proposal = book.revise(query="Ada's home town", text="Ada lives in Bergen")
    assert isinstance(proposal, Proposal)
    assert proposal.ids[0] == home
    book.revise(proposal, "Ada lives in Bergen")
    assert book.get(home).text == "Ada lives in Bergen"
    book.revise(query="Ada's home town", text="Ada lives in Voss", choose=home)
    assert book.get(home).text == "Ada lives in Voss"


def test_without_a_judge_words_and_anchors_alone_are_more_cautious(open_book, tmp_path, monkeypatch):
    monkeypatch.setattr(Judge, "ready", lambda self: False)
    book = open_book(settings=Settings(home=tmp_path / "home", embedder="none"))
    book.remember_many(["Ada works at Acme", "Ada lives in Oslo", "REQ-7 is about login"])
    assert proposed(book, "where Ada works")[0] == "Ada works at Acme"
    book.forget(query="REQ-7")
    assert texts(book) == ["Ada lives in Oslo", "Ada works at Acme"]


def test_another_namespace_is_not_touched(book):
    book.remember("Ada likes tea")
    other = book.within("elsewhere")
    other.remember("Ada likes tea")
    book.forget(query="Ada likes tea")
    assert (texts(book), texts(other)) == ([], ["Ada likes tea"])


def test_no_error_repeats_a_memory(book):
    book.remember_many(["Hugo's trip to Rome is in May", "Hugo's trip to Oslo is in June"])
    with pytest.raises(NotFound) as fault:
        book.forget(query="ticket OPS-99")
    assert "Rome" not in str(fault.value)
