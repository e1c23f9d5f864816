import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.tokens import count, cut


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éé", 1), ("猫猫", 2)])
def test_four_bytes_are_a_token(text, tokens):
    assert count(text) == tokens


def test_a_cut_ends_at_a_line_else_at_a_word_else_at_a_letter():
    assert cut("one two\nthree four", 4) == "one two"
    assert cut("one two three", 2) == "one two"
    assert cut("one twothree", 2) == "one"
    assert cut("onetwothree", 2) == "onetwoth"
    assert cut("猫猫猫猫", 1) == "猫"
    assert cut("short", 100) == "short"
    assert cut("anything", 0) == cut("anything", -1) == ""


@given(st.text(st.characters()), st.integers(-1, 20))
def test_a_cut_is_a_beginning_that_fits(text, tokens):
    kept = cut(text, tokens)
    assert text.startswith(kept)
    assert count(kept) <= max(tokens, 0) or kept == text == ""
