"""The tokenizer: what is written and what is asked meet."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from commonplace.text.languages import LANGUAGES, language
from commonplace.text.words import date_terms, terms_of_question, words

MEETING = [
    ("en", "She was running in the parks", "run park"),
    ("en", "the organization organized it", "organize"),
    ("en", "CAFÉ Müller", "cafe muller"),
    ("en", "ｆｕｌｌ ｗｉｄｔｈ", "full width"),
    ("en", "soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
    ("en", "Anna's and O’Brien's dogs", "anna o'brien dog"),
    ("en", "an e-mail", "email"),
    ("en", "GPT-4 in UTF-8", "gpt4 utf8"),
    ("en", "I paid 1,000 for two", "1000 2"),
    ("en", "We love Will and The Who", "did Will love The Who"),
    ("en", "the US economy", "U.S. economy"),
    ("it", "Le mie amiche parlavano dei gatti", "amica parlare gatto"),
    ("it", "l'università dell'Aquila", "universita aquila"),
    ("es", "Las canciones que cantaban", "canción cantar"),
    ("es", "luces de la ciudad", "luz ciudades"),
    ("fr", "Les chevaux mangeaient l'herbe", "cheval manger herbe"),
    ("fr", "une Italienne travaillait", "italien travailler"),
    ("de", "Die Häuser der Müllers", "haus mueller"),
    ("de", "Er hat in Köln gearbeitet", "arbeiten koeln"),
    ("de", "Straßen", "STRASSE"),
    ("en", "a Ph.D. for $5.00", "phd $5"),
    ("en", "She is twenty-five", "25"),
    ("it", "Ha ventotto anni", "28"),
    ("es", "Tiene veintidós años", "22"),
    ("fr", "Elle a trente-et-un ans", "31"),
    ("de", "fünfundzwanzig Gäste", "25"),
    ("en", "it cost 10\u00a0000 euros", "10,000"),
    ("fr", "12 500 euros", "12500"),
    ("fr", "le train de 15h30", "15:30"),
    ("en", "due 05/2023", "May 2023"),
    ("en", "see:https://fir.dev/a", "see"),
    ("en", '<a href="https://fir.dev/a">oak</a>', "fir.dev oak"),
    ("en", "请看https://fir.dev/a。我喜欢猫", "请看 喜欢 fir.dev/a"),
]

WHOLE_AND_PARTS = [
    ("load_user_data", ["load_user_data", "load", "user", "data"]),
    ("parseHttpHeader", ["parsehttphead", "pars", "http", "header"]),
    ("src/app/main.py", ["src/app/main.py", "main.py", "src", "app", "main", "py"]),
    ("v1.2.3", ["1.2.3", "1.2", "1"]),
    ("2.0.1-beta.1", ["2.0.1-beta.1", "2.0.1", "2.0", "2"]),
    ("PROJ-123", ["proj-123", "proj", "123"]),
    ("nina.k@fir.dev", ["nina.k@fir.dev", "nina.k", "fir.dev", "nina", "fir", "dev"]),
    ("https://www.fir.dev/a/trees?x=oak", ["fir.dev/a/trees?x=oak", "fir.dev", "fir", "dev", "tree", "oak"]),
    ("__init__.py", ["__init__.py", "init", "py"]),
    ("HTTPServer2", ["httpserver-2", "httpserver", "2", "http", "server"]),
    ("getUser1", ["getuser-1", "getus", "1", "user"]),
    ("C++", ["c++"]),
    ("C#", ["c#"]),
    ("550e8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000"]),
]

SEVENTH_OF_MAY = [
    ("en", "May 7, 2023"),
    ("en", "May the 7th, 2023"),
    ("en", "7th of May 2023"),
    ("en", "7 may 2023"),
    ("en", "2023-05-07"),
    ("en", "2023/05/07"),
    ("en", "2023-05-07T14:30:00Z"),
    ("en", "2023-5-7"),
    ("en", "2023.05.07"),
    ("en", "7-May-2023"),
    ("en", "2023年5月7日"),
    ("en", "2023년 5월 7일"),
    ("en", "7.5.2023"),
    ("en", "7 maggio 2023"),
    ("it", "7 maggio 2023"),
    ("es", "7 de mayo de 2023"),
    ("fr", "7 mai 2023"),
    ("de", "7. Mai 2023"),
    ("de", "07/05/2023"),
]


@pytest.mark.parametrize(("code", "written", "asked"), MEETING)
def test_what_is_asked_meets_what_was_written(code, written, asked):
    assert set(terms_of_question(asked, code)) <= set(words(written, code))
    assert not set(terms_of_question("umbrella zebra", code)) & set(words(written, code))


@pytest.mark.parametrize(("identifier", "terms"), WHOLE_AND_PARTS)
def test_an_identifier_is_kept_whole_and_in_parts(identifier, terms):
    assert words(f"see ({identifier}), please")[1:-1] == terms


def test_similar_identifiers_share_parts_but_not_the_whole():
    assert "req-7" in words("REQ-7")
    assert "req-7" not in words("REQ-77")
    assert "nina@fir.dev" not in words("nina.k@fir.dev")
    assert "c" not in words("C++")


@pytest.mark.parametrize(("code", "spelling"), SEVENTH_OF_MAY)
def test_spellings_of_a_date_meet(code, spelling):
    assert set(date_terms(datetime(2023, 5, 7, tzinfo=UTC))) <= set(words(f"Anna, {spelling}", code))
    assert "d:05-07" not in words(f"Anna, {spelling}".replace("7", "8"), code)


@pytest.mark.parametrize("asked", ["7 May", "May 7th", "May 2023", "in may", "2023", "last May"])
def test_parts_of_a_date_find_the_day(asked):
    day = set(date_terms(datetime(2023, 5, 7, tzinfo=UTC)))
    assert day & set(terms_of_question(asked))
    assert not set(date_terms(datetime(2021, 8, 1, tzinfo=UTC))) & set(terms_of_question(asked))


def test_an_ambiguous_date_in_english_meets_itself_and_its_year_only():
    assert words("07/05/2023") == words("7/5/2023") == ["7/5/2023", "2023"]
    assert "d:2023-05-13" in words("13/05/2023")


def test_may_is_a_month_only_where_it_can_be_one():
    assert "m:05" in words("we met in may")
    assert "m:05" in words("It was May when we met")
    assert "m:05" not in words("you may go, Bob")
    assert "m:05" not in words("May I come in, Bob?")


@pytest.mark.parametrize("spelling", ["3pm", "3 p.m.", "3:00 PM", "15:00"])
def test_spellings_of_a_time_meet(spelling):
    assert "t:15:00" in words(f"call at {spelling}")
    assert "t:3:00" in words(f"call at {spelling}")
    assert "t:15:00" not in words("call at 3 am")


@pytest.mark.parametrize(
    ("code", "question", "text"),
    [
        ("en", "who was he?", "He was captain of the ship"),
        ("en", "To be or not to be", "Hamlet: to be or not to be, that is the question"),
        ("en", "what is it?", "what it is"),
        ("en", "HOW ARE YOU", "Bob asked how you are"),
        ("it", "chi era lui?", "lui era capitano"),
        ("es", "¿quién era él?", "él era capitán"),
        ("fr", "qui était-il ?", "il était capitaine"),
        ("de", "wer war er?", "er war Kapitän"),
    ],
)
def test_a_question_of_stop_words_finds_a_text_that_holds_them(code, question, text):
    assert set(terms_of_question(question, code)) & set(words(text, code))
    assert not set(terms_of_question(question, code)) & set(words("Kiwi, mango, papaya", code))


@pytest.mark.parametrize(
    ("asked", "text"), [("Will", "We love Will"), ("May", "It was in May"), ("Who?", "I heard The Who")]
)
def test_a_stop_word_asked_for_alone_may_be_a_name(asked, text):
    assert set(terms_of_question(asked)) & set(words(text))
    assert not set(terms_of_question(asked.lower())) & set(words(text))
    assert not set(terms_of_question(asked)) & set(words("We love Anna"))


def test_a_number_before_another_is_not_its_thousands():
    assert "2023100" not in words("im Jahr 2023\u00a0100 Leute", "de")
    assert words("packs of 2 300 g")[1:3] == ["2", "300"]


def test_emoji_are_found_by_themselves_and_change_no_other_question():
    assert terms_of_question("🎂") == ["s:🎂"] and "s:🎂" in words("Happy birthday🎂🎉")
    assert terms_of_question("🎂") != terms_of_question("🎉")
    assert terms_of_question("Who baked it? 🎂") == terms_of_question("Who baked it?")
    assert terms_of_question("who was he 🎂") == ["s:who", "s:was", "s:he", "s:🎂"]
    assert words("👍🏽") == words("👍") and words("❤️") == words("❤") and words("🇮🇹") != words("🇮🇪")
    assert words("👩\u200d🚀") == ["s:👩", "s:🚀"]


@pytest.mark.parametrize(("written", "asked"), [("٣ تفاحات", "3"), ("१२ सेब", "12"), ("٧/٥/٢٠٢٣", "7/5/2023")])
def test_digits_of_other_scripts_meet(written, asked):
    assert set(terms_of_question(asked)) <= set(words(written))
    assert not set(terms_of_question("4")) & set(words(written))


def test_a_question_with_content_never_asks_for_stop_words():
    assert terms_of_question("who was the captain?") == ["captain"]
    assert "s:was" in words("he was the captain")


def test_stop_words_cost_little():
    text = (
        "I have been to the market with my sister and we bought a lot of apples for the cake that she makes in autumn"
    )
    assert (
        sum(term.startswith("s:") for term in words(text))
        <= 2
        < sum(term.startswith("s:") for term in words(text, keep_stops=True))
    )


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我喜欢吃北京烤鸭", "北京"),
        ("我喜欢猫", "猫"),
        ("私の猫は東京にいます", "東京の猫"),
        ("カタカナのコンピュータ", "コンピュータ"),
        ("ﾊﾝｶｸ", "ハンカク"),
        ("고양이를 좋아해요", "고양이"),
        ("책을 읽었다", "책"),
        ("집에서는 조용하다", "집"),
        ("회의는5월7일입니다", "5월"),
        ("ฉันรักแมวของฉัน", "แมว"),
    ],
)
def test_scripts_without_spaces_are_found_by_pairs(text, question):
    assert set(terms_of_question(question)) <= set(words(text))
    assert not set(terms_of_question("犬山")) & set(words(text))


def test_marks_that_are_letters_stay():
    assert words("がか") != words("かか")
    assert words("नमस्ते दुनिया") == ["नमस्ते", "दुनिया"]


def test_the_language_can_be_guessed():
    text = "Wo wohnt der Mann mit dem kleinen Hund?"
    assert words(text, "auto") == words(text, "de") != words(text, "en")


def test_an_unknown_language_is_read_as_english():
    assert words("running dogs", "xx") == words("running dogs")
    assert words("running dogs", "en-GB") == words("running dogs")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_what_is_needed(code):
    spoken = language(code)
    assert len(spoken.stops) > 100
    assert spoken.telling < spoken.stops
    assert sorted(set(spoken.months.values())) == sorted(set(spoken.short_months.values())) == list(range(1, 13))


@given(st.text(), st.sampled_from([*LANGUAGES, "auto", "", "xx"]))
@example("\ud800\udfff\x00\x1b[0m", "en")
@example("'s's's's" * 200, "en")
@example("٣٤ ५६ ²", "en")
@example("1٣/05/2023 ٣:٣٠ pm", "en")
def test_any_text_has_words_and_none_is_empty(text, code):
    found = words(text, code)
    assert all(found)
    assert terms_of_question(text, code) or not found
    assert words(text, code) == found


WORD = st.text(alphabet=st.characters(categories=("L", "M")), min_size=1, max_size=9)
IDENTIFIER = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,5}([-_./:@+#][A-Za-z0-9]{1,5}){0,3}", fullmatch=True)


@settings(derandomize=True)
@given(st.lists(WORD | IDENTIFIER, min_size=1, max_size=6), st.sampled_from(LANGUAGES))
def test_a_text_is_found_by_each_of_its_words_in_any_script(said, code):
    found = set(words("we met " + " ".join(said), code))
    for word in said:
        asked = {term for term in terms_of_question(word, code) if not term.startswith("s:")}
        assert not asked or asked & found


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_case_does_not_change_simple_words(text):
    simple = " ".join(word for word in text.lower().split() if word.isalpha())
    assert set(words(simple)) == set(words(simple.lower()))
    assert all(not term[0].isupper() for term in words(text) if term)


@pytest.mark.parametrize("unit", ["a.", "a-", "1,000", "may 1 ", "猫", "a@b.", "'s", "https://a/", "aB", "x_"])
def test_long_texts_of_awkward_shape_are_read(unit):
    assert isinstance(words(unit * (100_000 // len(unit))), list)
