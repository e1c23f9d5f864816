"""Identifiers are found, compared and mentioned whole."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.identifiers import identifiers, mentions

KINDS = {
    "nina.k@fir.dev": "email",
    "https://x.io/a?b=1": "url",
    "www.fir.dev": "url",
    "PROJ-123": "ticket",
    "#77": "ticket",
    "v1.2.3": "version",
    "1.2.3-rc1": "version",
    "src/a/b.py": "path",
    "/etc/hosts": "path",
    "C:\\Users\\x": "path",
    "snake_case": "snake",
    "__init__": "snake",
    "camelCase": "camel",
    "9f86d08": "hash",
    "550e8400-e29b-41d4-a716-446655440000": "hash",
    "fir.dev": "domain",
    "-5": "number",
    "3.14": "number",
    "1,000": "number",
}

MENTIONED = [
    ("see req-7.", "REQ-7"),
    ("(REQ-7)", "REQ-7"),
    ("REQ-7's owner", "REQ-7"),
    ("mail <nina@fir.dev>, please", "nina@fir.dev"),
    ("anna  berg's cat", "Anna Berg"),
    ("Anna\nBerg came", "Anna Berg"),
    ("Anna’s cat", "Anna"),
    ("Anna'll come", "Anna"),
    ("ZOE!", "Zoë"),
    ("Tom/Anna", "Anna"),
    ("my parents' home", "parents"),
    ("I like C++.", "C++"),
    ("has 5, or", "5"),
    ("version 1.2.3", "v1.2.3"),
    ("O’Brien's", "O'Brien"),
    ("hi @nina", "@nina"),
    ("田中さん", "田中"),
    ("open src/a.py now", "src/a.py"),
]

NOT_MENTIONED = [
    ("see REQ-77", "REQ-7"),
    ("XREQ-7", "REQ-7"),
    ("REQ-7.1", "REQ-7"),
    ("REQ-7-b", "REQ-7"),
    ("nina.k@fir.dev", "nina@fir.dev"),
    ("k.nina@fir.dev", "nina@fir.dev"),
    ("nina@fir.dev.uk", "nina@fir.dev"),
    ("nina@fir.dev", "fir.dev"),
    ("nina@fir.dev", "nina"),
    ("Anna Bergman", "Anna Berg"),
    ("Anna Berg-Olsen", "Anna Berg"),
    ("Joanna", "Anna"),
    ("Anna-Lena", "Anna"),
    ("O'Brien", "Brien"),
    ("C++ and C#", "C"),
    ("-5", "5"),
    ("5.5", "5"),
    ("5,000", "5"),
    ("15", "5"),
    ("1.2.3", "1.2"),
    ("11.2.3", "1.2.3"),
    ("x/a/b.py", "a/b.py"),
    ("user_names", "user_name"),
    ("", ""),
    ("anything", ""),
    ("anything", " "),
]


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_an_identifier_is_found_with_its_kind_and_place(name, kind):
    text = f"we saw {name} there, and/or not"
    (found,) = identifiers(text)
    assert (found.text, found.kind) == (name, kind)
    assert text[found.start : found.end] == name


def test_plain_prose_holds_no_identifier():
    assert identifiers("Anna likes tea, and he/she may come. Well-known things!") == []


@pytest.mark.parametrize(("text", "name"), MENTIONED)
def test_a_name_is_mentioned(text, name):
    assert mentions(text, name)


@pytest.mark.parametrize(("text", "name"), NOT_MENTIONED)
def test_part_of_another_name_is_no_mention(text, name):
    assert not mentions(text, name)


@given(st.text())
def test_spans_reproduce_the_text(text):
    found = identifiers(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@given(st.text(), st.text(max_size=20))
def test_any_text_and_name_can_be_asked_about(text, name):
    assert mentions(text, name) in (True, False)


@given(st.text(alphabet="abcxyz", min_size=1), st.text(alphabet="abcxyz 019", max_size=20))
def test_a_name_between_spaces_is_always_mentioned(name, around):
    assert mentions(f"{around} {name} {around}", name)
    assert not mentions(f"q{name}q", name)


@pytest.mark.parametrize("unit", ["a.", "a@", "a/", "a_", "aB", "1.", "-", "http://", "f"])
def test_long_texts_of_awkward_shape_are_searched(unit):
    assert isinstance(identifiers(unit * (50_000 // len(unit))), list)
