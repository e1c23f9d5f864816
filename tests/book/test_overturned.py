"""What was said and no longer holds stands behind what does, and stays out of prompts; the past still has it."""

from commonplace import Commonplace, Message


def say(book: Commonplace, clock, text: str) -> None:
    clock.advance(days=1)
    book.observe([Message(text)], session="talk")


def test_a_move_is_answered_with_the_new_town(book: Commonplace, clock) -> None:
    say(book, clock, "I live in Vienna")
    before = clock.now()
    say(book, clock, "I moved to Oslo")
    say(book, clock, "The weather in Vienna is lovely today")
    hits = book.recall("where do I live?")
    assert "Oslo" in hits[0].memory.text
    assert [hit.memory.text for hit in hits if hit.overturned] == ["I live in Vienna"]
    page = book.context("where do I live?")
    assert "Oslo" in page and "I live in Vienna" not in page and "weather in Vienna" in page
    then = book.recall("where do I live?", as_of=before)
    assert not [hit for hit in then if hit.overturned] and any("Vienna" in hit.memory.text for hit in then)


def test_what_was_taken_back_stays_out_of_prompts_even_when_said_again(book: Commonplace, clock) -> None:
    say(book, clock, "I have a sister in Rome")
    assert "sister" in book.context("do I have a sister?")
    say(book, clock, "I misspoke, I don't have a sister")
    say(book, clock, "I have a sister in Rome")
    say(book, clock, "I have a brother in Bern")
    page = book.context("do I have a sister or a brother?")
    assert "I have a sister in Rome" not in page and "brother" in page
