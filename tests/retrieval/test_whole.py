"""Recall as a whole on a small book: what the words of a question meet, recipes, weights, explanations, limits."""

import random
from dataclasses import replace

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import Invalid
from commonplace.retrieval.pipeline import Recall
from commonplace.retrieval.recipes import BALANCED
from commonplace.testing.clock import StoppedClock

TEXTS = {
    "stops": "Who was he, really?",
    "date": "The deploy runs on 2023-05-07",
    "snake": "The function load_user_data fails",
    "camel": "Call parseHttpHeader before that",
    "path": "The bug is in src/app/main.py",
    "version": "See the notes of v1.2.3",
    "ticket": "Ticket PROJ-123 is open",
    "mail": "Write to nina@fir.dev",
    "url": "The wiki is at https://wiki.example.org/start",
    "chinese": "我喜欢喝绿茶",
    "japanese": "東京に住んでいます",
    "korean": "저는 서울에 살아요",
    "thai": "ผมชอบดื่มชาเขียว",
}
ASKED = [
    ("stops", "who was he?"),
    ("date", "May 7, 2023"),
    ("date", "7 May"),
    ("date", "2023/05/07"),
    ("snake", "load_user_data"),
    ("snake", "loading of user data"),
    ("snake", "loadUserData"),
    ("camel", "parseHttpHeader"),
    ("camel", "http header"),
    ("path", "src/app/main.py"),
    ("path", "main.py"),
    ("version", "1.2.3"),
    ("version", "v1.2.3"),
    ("ticket", "PROJ-123"),
    ("mail", "nina@fir.dev"),
    ("mail", "fir.dev"),
    ("url", "https://wiki.example.org/start"),
    ("url", "wiki.example.org"),
    ("chinese", "绿茶"),
    ("japanese", "東京"),
    ("korean", "서울"),
    ("thai", "ชาเขียว"),
]


@pytest.fixture
def place(tmp_path, book_url):
    return Settings(home=tmp_path, url=book_url)


@pytest.fixture
def book(place):
    with opened(place) as made:
        made.remember_many(TEXTS.values())
        yield made


def opened(place, **given) -> Commonplace:
    return Commonplace.open(settings=replace(place, **given), clock=StoppedClock())


@pytest.mark.parametrize(("name", "asked"), ASKED)
def test_words_meet_in_every_spelling(book, name, asked):
    assert book.recall(asked, limit=1, recipe="words")[0].memory.text == TEXTS[name]


@pytest.mark.parametrize("asked", ["PROJ-12", "PROJ-1234", "v1.2.4 zzz", "nin@fir.dez", "咖啡", "부산", "กาแฟดำ"])
def test_words_that_nobody_said_meet_nothing_whole(book, asked):
    """The control: near spellings may share a part, never the whole."""
    hits = book.recall(asked, recipe="words", explain=True)
    assert not any(asked.lower() in hit.why.terms for hit in hits)
    assert book.recall("PROJ-123", recipe="words", explain=True)[0].why.terms == ("proj-123", "proj", "123")


@pytest.mark.parametrize("recipe", ["balanced", "exact", "recent", "graph"])
def test_each_recipe_finds_what_is_asked_for(book, recipe):
    assert book.recall("When does the deploy run?", limit=1, recipe=recipe)[0].memory.text == TEXTS["date"]


def test_a_recipe_or_weight_that_does_not_exist_is_refused_with_those_that_do(book, place):
    with pytest.raises(Invalid, match="balanced, exact, recent, graph"):
        book.recall("deploy", recipe="best")
    with opened(place, weights={"menaing": 1.0}) as other, pytest.raises(Invalid, match=r"menaing.*meaning"):
        other.recall("deploy")


@pytest.mark.parametrize(
    "wrong", [{"words": float("nan")}, {"meaning": float("inf")}, {"half_life": 0}, {"half_life": -1.0}, {"date": "1"}]
)
def test_a_weight_that_is_no_number_is_refused(book, place, wrong):
    with opened(place, weights=wrong) as other, pytest.raises(Invalid, match=next(iter(wrong))):
        other.recall("deploy")
    with opened(place, weights={"half_life": 0.5, "recency": -1.0}) as other:
        assert other.recall("deploy")[0].memory.text == TEXTS["date"]


def test_a_weight_changes_its_part_alone(book, place):
    before = book.recall("deploy", limit=1, explain=True)[0].why.parts
    with opened(place, weights={"meaning": 0.0, "recency": 0.5}) as other:
        after = other.recall("deploy", limit=1, explain=True)[0].why.parts
    assert "meaning" in before and "meaning" not in after
    assert after["recency"] == pytest.approx(25 * before["recency"])
    assert after["words"] == before["words"]


def test_the_parts_sum_to_the_score_of_every_hit(book):
    hits = book.recall("When does the deploy of user data run?", limit=8, explain=True)
    assert len(hits) > 3
    assert all(sum(hit.why.parts.values()) == pytest.approx(hit.score) for hit in hits)
    assert all(hit.why is None for hit in book.recall("deploy"))


def test_a_prompt_glued_to_the_question_changes_nothing(book):
    prompt = "You are a helpful assistant. Use the tools given to you with care. " * 100
    talk = "User: Where is Tokyo?\nAssistant: In Japan, of course.\nUser: "
    asked = "When does the deploy run?"
    alone = [(hit.memory.id, hit.score) for hit in book.recall(asked)]
    assert [(hit.memory.id, hit.score) for hit in book.recall(f"{prompt}\n\n{talk}{asked}")] == alone
    assert alone


def test_one_common_word_of_many_does_not_outweigh_the_meaning(place):
    with opened(place) as book:
        book.remember_many(
            [
                "I prefer tea to coffee in the evening",
                "The logs are deleted after thirty days",
                "I drive to work every morning in a red car",
                *(f"Shelf {n} of the archive holds folders" for n in range(20)),
            ]
        )
        asked = "Which warm beverage is enjoyed late in the day?"
        shared = {hit.memory.text: hit.why.parts for hit in book.recall(asked, explain=True)}
        assert "I prefer tea to coffee in the evening" in list(shared)[:2]
        assert 0 < shared["The logs are deleted after thirty days"]["words"] < 0.6
        (meant,) = book.recall("thirty days", limit=1, explain=True)
        assert meant.memory.text == "The logs are deleted after thirty days"
        assert meant.why.parts["words"] == pytest.approx(BALANCED.words)


def test_opening_a_few_finds_what_opening_all_of_them_does(place, monkeypatch):
    """Bounds on what a memory can score decide who is opened; they change nothing on the page.

    With late interaction all candidates are opened.
    """
    place = replace(place, late_interaction="off")
    chance = random.Random(7)
    words = [f"w{chance.randrange(10**6)}" for _ in range(60)]
    weights = [1 / (n + 1) for n in range(len(words))]
    texts = [" ".join(chance.choices(words, weights, k=chance.randrange(4, 14))) + f" {n}" for n in range(400)]
    items = [{"text": text, "importance": chance.random(), "confidence": chance.random()} for text in texts]
    questions = [" ".join(chance.sample(words, k=4)) for _ in range(30)]
    with opened(place) as book:
        book.remember_many(items)
        few = [found(book, question) for question in questions]
        opened_few = len(book._parts.readings()._kept[book.owner][1])
    monkeypatch.setattr(Recall, "_of_few", lambda *asked: None)
    with opened(place) as book:
        assert few == [found(book, question) for question in questions]
        assert opened_few < len(book._parts.readings()._kept[book.owner][1])


def found(book, question):
    return [(hit.memory.id, hit.score, hit.why) for hit in book.recall(question, explain=True)]


def test_the_same_words_over_and_over_do_not_fill_a_page_while_there_is_anything_else(place):
    """More often than documents are read at first, in several conversations."""
    with opened(place) as book:
        for session in range(4):
            book.observe([{"speaker": "Ann", "text": "A coffee as always, please"}] * 60, session=str(session))
        others = ["Bob's coffee is a flat white", "Mila has the coffee machine", "The coffee shop shuts at six"]
        book.remember_many(others)
        for asked in ("coffee", "A coffee as always, please"):
            for limit in (2, 4, 8):
                found = [hit.memory.text for hit in book.recall(asked, limit=limit)]
                assert len(found) == limit
                assert found.count("A coffee as always, please") == max(1, limit - 3)
                assert set(found[:4]) - {"A coffee as always, please"} <= set(others)
        assert len(set(found)) == 4


def test_a_tag_or_a_conversation_is_meant_in_every_namespace_that_is_asked(place):
    with opened(place) as book:
        _in_every_namespace(book)


def _in_every_namespace(book: Commonplace) -> None:
    places = {name: book.within(name) for name in ("default", "other", "personal", "third")}
    for name, there in places.items():
        there.remember(f"The heron of {name}", tags=("bird", name))
        there.remember(f"The otter of {name}")
        there.observe([{"text": f"We spoke of herons in {name}", "speaker": "Ada"}], session="talk")

    def found(**asked) -> set[str]:
        return {hit.memory.text.split()[-1] for hit in book.recall("heron", limit=50, **asked)}

    assert found(tags="bird") == found(session="talk") == {"default", "personal"}
    assert found(tags="personal") == {"personal"}
    assert found(tags=("bird", "personal")) == {"personal"}
    assert found(tags=("default", "personal")) == set()
    for names in (("default", "other"), ("personal", "other"), ("other",)):
        assert found(tags="bird", namespaces=names) == found(session="talk", namespaces=names) == set(names)
        assert {one.text.split()[-1] for one in book.browse(tags="bird", namespaces=names)} == set(names)
    assert found(tags="nowhere") == found(session="nowhere") == set()


def test_turns_lend_their_words_within_a_conversation_and_to_nothing_else(place):
    with opened(place, embedder="none") as book:
        book.observe([{"text": "What are the twins called?"}, {"text": "Elin and Tor."}], session="one")
        book.observe([{"text": "Buy bread."}], session="two")
        book.observe([{"text": "They are five."}], session="one")
        book.remember_many(["The lamp is broken", "The bell rings at six"])
        assert _found(book, "twins") == {"What are the twins called?", "Elin and Tor.", "They are five."}


@pytest.mark.parametrize("act", ["revise", "redact"])
def test_a_turn_that_is_written_anew_lends_nothing_to_what_was_written_around_it(place, act):
    with opened(place, embedder="none") as book:
        book.observe([{"text": "The twins swam in the lake. Secret."}, {"text": "Nice."}], session="one")
        (turn,) = [one for one in book.browse(kinds="episodic") if "twins" in one.text]
        book.remember_many(["The lamp is broken", "The bell rings at six"])
        if act == "revise":
            book.revise(turn.id, text="The twins swam in the river.")
        else:
            book.forget(query="Secret")
        book.remember_many(["The chair is red", "The table is green"])
        book.within("personal").remember("The window is open")
        (found,) = _found(book, "river" if act == "revise" else "swam")
        assert found.startswith("The twins swam")


def _found(book: Commonplace, asked: str) -> set[str]:
    return {hit.memory.text for hit in book.recall(asked, limit=20)}
