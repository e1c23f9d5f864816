"""An owner's own time zone and language hold in recall, over those of the book's settings."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from commonplace.errors import Invalid
from commonplace.model import Message
from commonplace.retrieval.recipes import recipe
from commonplace.security.tokens import Accounts

EVENING = datetime(2026, 5, 1, 3, 0, tzinfo=UTC)
"""In Los Angeles it is still the 30th of April."""
SAID = {
    "We drank oolong tea": datetime(2026, 4, 30, 17, 0, tzinfo=UTC),
    "We drank sencha tea": datetime(2026, 4, 30, 1, 0, tzinfo=UTC),
}
DAYS = {"America/Los_Angeles": ({"oolong"}, {"sencha"}), "UTC": (set(), {"oolong", "sencha"})}
"""Of which tea was spoken today, and of which yesterday."""


def dated(book, question: str) -> set[str]:
    """The teas of those turns that were said when the question means."""
    hits = book.recall(question, explain=True)
    assert len(hits) == 2
    return {hit.memory.text.split()[2] for hit in hits if hit.why.parts.get("date", 0) >= recipe("balanced").date}


def tell(book) -> None:
    for number, (text, at) in enumerate(SAID.items()):
        book.observe([Message(text, speaker="Ada", at=at)], session=str(number))


@pytest.mark.parametrize("own", [False, True], ids=["setting", "owner"])
@pytest.mark.parametrize("name", DAYS)
def test_a_relative_date_in_a_question_is_of_the_askers_time_zone(open_book, settings, clock, name, own):
    clock.at = EVENING
    book = open_book(settings=replace(settings, timezone="Asia/Tokyo" if own else name))
    tell(book)
    if own:
        with book._scope.store.write(book.owner) as tx:
            tx.owners.put(plan="", timezone=name, language=None)
    today, yesterday = DAYS[name]
    assert dated(book, "Which tea did we drink today?") == today
    assert dated(book, "Which tea did we drink yesterday?") == yesterday


def test_what_was_said_on_a_day_is_found_by_the_owners_day(open_book, settings, clock):
    clock.at = EVENING
    book = open_book(settings=replace(settings, timezone="America/Los_Angeles"))
    late = {"We drank sencha tea": 30, "We drank oolong tea": 31}
    for text, day in late.items():  # both at eight in the evening of the day before
        book.observe([Message(text, speaker="Ada", at=datetime(2026, 3, day, 3, tzinfo=UTC))], session=text)
    first = book.recall("Which tea did we drink on March 30?", explain=True)[0]
    assert first.memory.text == "We drank oolong tea" and "@d:03-30" in first.why.terms
    assert book.recall("Which tea did we drink on March 29?")[0].memory.text == "We drank sencha tea"
    assert book.doctor(full=True).sound

    elsewhere = open_book(settings=replace(settings, timezone="Europe/Rome"))
    elsewhere.reindex()
    assert elsewhere.recall("Which tea did we drink on March 30?")[0].memory.text == "We drank sencha tea"
    for hit in book.recall("tea"):
        book.forget(hit.memory.id)
    with book._scope.store.read(book.owner) as tx:
        assert not any(
            tx.words.fresh(row.id) or tx.words.blocks(row.id, after=None, limit=1) for row in tx.namespaces.all()
        )


@pytest.mark.parametrize(("name", "day"), [("UTC", "2026-05-08"), ("America/Los_Angeles", "2026-05-01")])
@pytest.mark.parametrize("own", [False, True], ids=["setting", "owner"])
def test_a_date_that_somebody_speaks_of_is_one_of_their_own_calendar(open_book, settings, clock, name, day, own):
    clock.at = EVENING  # a Friday in UTC, still Thursday in Los Angeles
    book = open_book(settings=replace(settings, timezone="Asia/Tokyo" if own else name))
    if own:
        Accounts(book._scope.store, book._parts.keychain, clock).set_owner(book.owner, timezone=name)
    taught = book.observe("The deadline for the report is next Friday.").changes
    assert [one.statement for one in taught] == [f"Report deadline is due {day}"]


@pytest.mark.parametrize("name", ["America/Los_Angeles", "Pacific/Kiritimati"])
def test_a_turn_at_either_end_of_the_calendar_is_kept_and_found(open_book, settings, name):
    book = open_book(settings=replace(settings, timezone=name))
    for year, month, day in ((1, 1, 1), (9999, 12, 31)):
        at = datetime(year, month, day, 12, tzinfo=UTC)
        kept = book.observe([Message(f"We drank tea{year}", speaker="Ada", at=at)], session=str(year))
        assert kept.ids[0] in [hit.memory.id for hit in book.recall(f"tea{year}", explain=True)]
        assert f"tea{year}" in book.context(f"tea{year}")
        book.forget(kept.ids[0])
        assert not book.recall(f"tea{year}")


def test_an_owners_language_reads_what_is_written_and_asked(open_book, settings):
    book = open_book(settings=replace(settings, embedder="none"))
    accounts = Accounts(book._scope.store, book._parts.keychain, book._parts.clock)
    book.remember("Le amiche parlavano del viaggio")
    assert not book.recall("amica parlare")  # English
    accounts.set_owner(book.owner, language="it")
    book.remember("I cavalli mangiavano le mele")
    assert [hit.memory.text for hit in book.recall("cavallo mangiare")] == ["I cavalli mangiavano le mele"]
    book.reindex()
    assert [hit.memory.text for hit in book.recall("amica parlare")] == ["Le amiche parlavano del viaggio"]
    assert not book.recall("barca")
    assert not [one for one in book.doctor(full=True).symptoms if one.check == "words"]


def test_a_language_or_time_zone_that_nobody_knows_is_refused(book):
    accounts = Accounts(book._scope.store, book._parts.keychain, book._parts.clock)
    accounts.set_owner(book.owner, language="de", timezone="Europe/Berlin")
    for wrong in ({"language": "klingon"}, {"timezone": "Mars/Phobos"}, {"timezone": "../etc/passwd"}):
        with pytest.raises(Invalid, match=r"klingon|Mars|passwd"):
            accounts.set_owner(book.owner, **wrong)
    assert (accounts.owner(book.owner).language, accounts.owner(book.owner).timezone) == ("de", "Europe/Berlin")
