"""What a hook finds by words, beside what recall finds with everything it has."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from commonplace import Commonplace
from commonplace.light.recall import search

from .conftest import Place

NOTES = (
    "The importer reads CSV files in chunks of 5,000 rows",
    "Giulia owns the billing page and reviews its changes",
    "Staging runs on PostgreSQL 17, production on PostgreSQL 18",
    "The release goes out every second Thursday",
    "We decided to keep the parser by hand because grammars were slower",
    "The cache is invalidated by the change table, never by time",
    "Marco prefers small pull requests",
    "Sessions are stored in Redis with a lifetime of thirty minutes",
    "The night job compacts the search index at 02:30",
    "Errors of the payment provider are retried four times",
    "Ada commutes by bicycle",
    "The mobile app talks to the API on port 9090",
    "Feature flags live in flags.toml and are read at start",
    "The design document of the graph is docs/graph.md",
    "The customer in Bergen needs invoices in Norwegian",
    "Backups go to the second data centre and are kept for seven weeks",
    "The linter is ruff, with a line length of 120",
    "The importer failed on files with a byte order mark",
    "Tests that need the network are marked slow",
    "Priya maintains the Terraform modules",
)
ASKED = {
    "how does the importer read CSV files?": 0,
    "who owns the billing page?": 1,
    "which PostgreSQL does staging run on?": 2,
    "when does the release go out?": 3,
    "why did we keep the parser by hand?": 4,
    "how is the cache invalidated?": 5,
    "what kind of pull requests does Marco prefer?": 6,
    "where are sessions stored?": 7,
    "when does the night job compact the index?": 8,
    "how often are errors of the payment provider retried?": 9,
    "which port does the mobile app use?": 11,
    "where do the feature flags live?": 12,
    "where is the design document of the graph?": 13,
    "which language do invoices for Bergen need?": 14,
    "how long are backups kept?": 15,
    "what is the line length of the linter?": 16,
    "on which files did the importer fail?": 17,
    "how are tests that need the network marked?": 18,
    "who maintains the Terraform modules?": 19,
    "Could you please tell me who reviews changes of the billing page?": 1,
}
PREAMBLE = (
    "You are a careful coding assistant. Read the importer, the parser, the cache, the linter and the release notes "
    "before you answer. Never touch Terraform modules, feature flags or backups. Keep pull requests small.\n"
) * 12


@pytest.fixture
def filled(place: Place) -> Iterator[Commonplace]:
    """With vectors, which the hook does without."""
    with Commonplace.open(namespace="project", settings=place.settings()) as book:
        book.remember_many(NOTES)
        yield book


def first(book: Commonplace, asked: str) -> tuple[str, str]:
    """What comes first, by the hook's words and by recall."""
    found = search(book._scope, asked, 5)
    return found[0].text if found else "", book.recall(asked, limit=5)[0].memory.text


def test_the_first_hit_of_a_hook_is_that_of_recall(filled: Commonplace):
    told = {asked: first(filled, asked) for asked in ASKED}
    assert [asked for asked, (by_words, by_recall) in told.items() if by_words != by_recall] == []
    assert [asked for asked, (by_words, _) in told.items() if by_words != NOTES[ASKED[asked]]] == []


def test_what_was_pasted_before_a_question_is_not_asked_for(filled: Commonplace):
    for asked in ("where are sessions stored?", "which language do invoices for Bergen need?"):
        assert first(filled, f"{PREAMBLE}\n\n{asked}") == first(filled, asked)


def test_what_is_no_longer_believed_is_not_recalled(place: Place):
    asked = "What do we know: do I live in Oslo?"
    with place.book() as book:
        book.observe(["I live in Oslo."], session="old")
        book.observe([asked], session="new")
        assert "I live in Oslo." in [one.text for one in search(book._scope, asked, 5)]
        book.observe(["I moved to Bergen last week."], session="old")
        assert "I live in Oslo." not in [one.text for one in search(book._scope, asked, 5)]


def test_what_has_expired_or_ended_is_not_found_before_anybody_tidies_up(filled):
    now = filled.clock.now()
    for day, state in ((-1, "gone"), (1, "there")):
        until = now + timedelta(days=day)
        filled.remember(f"The turnstile code is {state}", expires_at=until)
        filled.remember(f"The turnstile key is {state}", valid_from=now - timedelta(days=9), valid_to=until)
    found = {one.text for one in search(filled._scope, "turnstile", 9)}
    assert found == {"The turnstile code is there", "The turnstile key is there"}
    assert found == {hit.memory.text for hit in filled.recall("turnstile", recipe="words")}
