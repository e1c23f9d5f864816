"""Normal forms, and the spans of sentences and clauses."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.text.confusables import capitals, folded
from commonplace.text.normal import clauses, normal, sentences, visible

SAME = [
    ("café", "CAFE"),
    ("cafe\u0301", "café"),
    ("Straße", "STRASSE"),
    ("Ｏｓｌｏ", "oslo"),
    ("𝐎𝐬𝐥𝐨", "oslo"),
    ("Ⓞⓢⓛⓞ", "oslo"),
    ("Оslо", "Oslo"),
    ("раураl", "paypal"),
    ("ΝINA", "nina"),
    ("ОТТО", "otto"),
    ("ᴏꜱʟᴏ", "oslo"),
    ("🅾slo", "oslo"),
    ("ꓳꓢꓡꓳ", "oslo"),
    ("НЕТ", "нет"),
    ("ΑΘΗΝΑ", "αθηνα"),
    ("Os\u200bl\u2060o", "oslo"),
    ("\u202eoslo\u202c", "oslo"),
    ("os\u00adlo\ufe0f\U000e0041", "oslo"),
    ("“Oslo”", "Oslo."),
    ("it’s", "it's"),
    ("1990–1995", "1990-1995"),
    ("−5", "-5"),
    ("a\u00a0 b\t\nc", "a b c"),
    ("Oslo!!", "oslo"),
    ("¿Oslo?", "oslo"),
    ("İstanbul", "istanbul"),
    ("Łódź", "lodz"),
    ("Smørrebrød", "SMORREBROD"),
]

DIFFERENT = [
    ("C++", "C#"),
    ("C", "C++"),
    ("-5", "5"),
    ("1.2", "12"),
    ("1.2.3", "1.2.4"),
    ("10²", "102"),
    ("nina@fir.dev", "nina.k@fir.dev"),
    ("REQ-7", "REQ-77"),
    ("a b", "ab"),
    ("not here", "here"),
    ("か", "が"),
    ("Anna Berg", "Anna Bergman"),
    ("?", "!"),
    ("и", "n"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_the_same_value_are_one(one, other):
    assert one != other
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_values_stay_different(one, other):
    assert normal(one) != normal(other)


@given(st.text())
@example("\u0345\u1fb3")
@example("ŉʼ. '.")
@example("¿.'\"!")
@example("İ\u0307")
def test_a_normal_form_is_its_own_normal_form(text):
    assert normal(normal(text)) == normal(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12), st.data())
def test_a_word_in_disguise_is_the_word(word, data):
    looks = [(chr(one), other.lower()) for table in (folded(), capitals()) for one, other in table.items()]
    place = data.draw(st.integers(0, len(word) - 1))
    masks = [one for one, other in looks if other == word[place]]
    if masks and any(letter.isascii() for letter in word[:place] + word[place + 1 :]):
        disguised = word[:place] + data.draw(st.sampled_from(masks)) + word[place + 1 :]
        assert normal(disguised) == word


@given(st.text(alphabet="abc xyz-19", min_size=1), st.sampled_from("\u200b\u200d\u2060\ufeff\u202e\u00ad\ufe0f"))
def test_invisible_characters_count_for_nothing(text, hidden):
    assert normal(hidden.join(text)) == normal(text)
    assert visible(hidden.join(text)) == text


SENTENCES = [
    ("I met Dr. Smith. He left at 3.5 km! Really? Yes.", 4),
    ("See https://a.io/b.c?d=1. Then e.g. this, etc. Done.", 3),
    ("It ends at 5 p.m. Tomorrow we go.", 2),
    ("1. Buy milk\n2. Call J. Smith\n- rest", 3),
    ("今天很好。明天也好！真的？", 3),
    ("Am 7. Mai war es schön. Gut.", 2),
    ('He said "No." Then he left.', 2),
    ("See no. 5 and fig. 3 there.", 1),
    ("First line\nSecond line\n\nThird", 3),
    ("a long line of text that goes on and on and is wrapped somewhere\nhere in lower case. End", 2),
    ("Wait... what? No…", 2),
    ("", 0),
    (" \n ", 0),
]

CLAUSES = [
    ("I live in Oslo, and I work at Acme.", ["I live in Oslo", "I work at Acme."]),
    ("I like tea, coffee and milk.", ["I like tea, coffee and milk."]),
    ("Anna lives in Oslo and works at Acme", ["Anna lives in Oslo", "works at Acme"]),
    ("My code is 123; hers is 456", ["My code is 123", "hers is 456"]),
    ("He is kind but she is not", ["He is kind", "she is not"]),
    ("Tom and Anna live in Oslo", ["Tom and Anna live in Oslo"]),
    ("salt and pepper shakers", ["salt and pepper shakers"]),
    ("They say that vitamin E is good", ["They say that vitamin E is good"]),
    ("My code is X1 and my mail is n@fir.dev", ["My code is X1", "my mail is n@fir.dev"]),
    ("I am so happy and tired", ["I am so happy and tired"]),
    ("My dog is Rex and Anna likes cats", ["My dog is Rex", "Anna likes cats"]),
    ("Vivo a Roma ma lavoro a Milano", ["Vivo a Roma", "lavoro a Milano"]),
    ("Vivo en Madrid y yo trabajo en Toledo", ["Vivo en Madrid", "yo trabajo en Toledo"]),
    ("J'habite à Lyon mais je travaille à Paris", ["J'habite à Lyon", "je travaille à Paris"]),
    ("Ich wohne in Bonn, und ich arbeite in Köln", ["Ich wohne in Bonn", "ich arbeite in Köln"]),
    ("One thing\n- another thing", ["One thing", "another thing"]),
]


@pytest.mark.parametrize(("text", "number"), SENTENCES)
def test_sentences_end_where_a_reader_ends_them(text, number):
    assert len(sentences(text)) == number


@pytest.mark.parametrize(("text", "parts"), CLAUSES)
def test_clauses_say_something_by_themselves(text, parts):
    assert [span.text for span in clauses(text)] == parts


@given(st.text(alphabet=st.sampled_from("ab AB.!?;,\n\t-–1'\"。é and but I ")))
@example("a.\r\nb")
def test_spans_are_the_text_and_leave_no_word_out(text):
    found = sentences(text)
    assert all(text[span.start : span.end] == span.text for span in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    between, at = "", 0
    for span in found:
        between, at = between + text[at : span.start], span.end
    assert not any(letter in between + text[at:] for letter in "é。!?")
    inside = clauses(text)
    assert all(text[span.start : span.end] == span.text for span in inside)
    assert all(any(one.start <= span.start and span.end <= one.end for one in found) for span in inside)


@pytest.mark.parametrize("unit", [" ", ".", "and ", "a\n", "; ", "1. ", "a  ", '."'])
def test_long_texts_of_awkward_shape_are_split(unit):
    text = unit * (50_000 // len(unit)) + "x"
    assert clauses(text)[-1].text.endswith("x")
