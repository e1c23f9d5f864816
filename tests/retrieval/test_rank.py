"""Ranking: each small term alone, then whole conversations of our own, by words and ranking terms."""

import random
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from commonplace.retrieval import bm25 as plain
from commonplace.retrieval import scores
from commonplace.retrieval.explain import places_of, why
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.question import ask
from commonplace.retrieval.rank import RankCandidate, Ranked, rank
from commonplace.retrieval.recipes import BALANCED, Recipe, recipe
from commonplace.retrieval.signals import Signals
from commonplace.text.index import RECORD, entries

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)
THEN = NOW - timedelta(days=40)


def one(doc: int, text: str = "I like tea.", *, words: float = 0.5, **more) -> RankCandidate:
    given = {"said_at": THEN, "session": f"s{doc}", **more}
    return RankCandidate(fused=Fused(doc, words=words, own=words), text=text, signals=Signals(text), **given)


def order(text: str, *candidates: RankCandidate, mix: Recipe = BALANCED, limit: int = 10, **more) -> list[int]:
    question = ask(text, now=NOW, **more)
    return [hit.candidate.fused.doc for hit in rank(question, candidates, mix, now=NOW, limit=limit)]


def test_equal_scores_come_in_order_of_document():
    assert order("tea?", one(7), one(3, "I like tea!"), one(5, "I love tea.")) == [3, 5, 7]


def test_the_speaker_who_is_named_is_preferred():
    said = one(1, speaker="Otto"), one(2, speaker="Nina")
    assert order("What does Nina drink?", *said, speakers={"Nina", "Otto"}) == [2, 1]
    assert order("What does Otto drink?", *said, speakers={"Nina", "Otto"}) == [1, 2]


def test_who_tells_comes_before_who_asks():
    assert order("tea", one(1, "Do you like tea?"), one(2, "I like tea.")) == [2, 1]


def test_a_note_that_asks_is_not_held_to_that():
    assert order("tea", one(1, "Is tea good? A list.", session=None), one(2, "Tea is listed.", session=None)) == [1, 2]


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("When did she buy the kettle?", "I bought the kettle last week.", "I bought the kettle, so nice."),
        ("Who bought the kettle?", "I got it with Otto and Nina.", "I got it with a friend."),
        ("How many kettles are there?", "We have four kettles.", "We have kettles in the house."),
    ],
)
def test_an_answer_of_the_kind_that_is_wanted_is_preferred(question, answer, other):
    assert order(question, one(1, other), one(2, answer)) == [2, 1]
    assert order("the kettle", one(1, other), one(2, answer)) == [1, 2]


def test_the_kind_of_answer_tells_little_where_nothing_meets_the_question_well():
    """A name alone does not lift a stranger over what is near in meaning; over its equal it does."""
    near, named = "The neighbours water our plants.", "We told the story of Kestrel to Anna."
    faint = [
        RankCandidate(fused=Fused(doc, meaning=meaning), text=text, signals=Signals(text), said_at=THEN)
        for doc, meaning, text in ((1, 1.0, near), (2, 0.5, named), (3, 0.5, near + " So it is."))
    ]
    assert order("Who looks after the flowers?", *faint) == [1, 2, 3]


def test_what_was_said_then_is_preferred():
    yesterday, weeks_ago = one(2, said_at=NOW - timedelta(days=1)), one(1, said_at=NOW - timedelta(days=20))
    still = replace(BALANCED, recency=0.0)
    assert order("What did we drink yesterday?", weeks_ago, yesterday, mix=still) == [2, 1]
    assert order("What did we drink?", weeks_ago, yesterday, mix=still) == [1, 2]


def test_a_person_s_word_comes_before_a_long_answer_unless_the_answer_is_asked_for():
    essay = one(1, "Tea has a long history. " * 100, words=0.6, role="assistant")
    person = one(2, "I like green tea.", role="user")
    assert order("Which tea do I like?", essay, person) == [2, 1]
    assert order("What did you recommend about tea?", essay, person) == [1, 2]


def test_where_the_assistant_is_asked_its_word_comes_before_a_person_s():
    answer, person = one(1, "Try oolong.", words=0.4, role="assistant"), one(2, "I like green tea.")
    assert order("Which tea was it that you once picked?", answer, person) == [1, 2]
    assert order("Which tea was it that I once picked?", answer, person) == [2, 1]


def test_a_short_turn_of_an_assistant_hardly_pays_for_its_role():
    assert order("tea", one(1, words=0.55, role="assistant"), one(2)) == [1, 2]


def test_recency_importance_trust_and_status_decide_between_equals():
    assert order("tea", one(1), one(2, said_at=NOW)) == [2, 1]
    assert order("tea", one(1), one(2, importance=0.9)) == [2, 1]
    assert order("tea", one(1, confidence=0.4), one(2)) == [2, 1]
    assert order("tea", one(1, status="candidate"), one(2)) == [2, 1]


def test_small_terms_do_not_outweigh_a_clear_match():
    best = one(1, words=1.0, importance=0.0, confidence=0.3, status="candidate")
    assert order("tea", best, one(2, words=0.5, importance=1.0, said_at=NOW)) == [1, 2]


def test_the_recent_recipe_lets_the_latest_win():
    old, new = one(1, words=0.9), one(2, words=0.6, said_at=NOW)
    assert order("tea", old, new) == [1, 2]
    assert order("tea", old, new, mix=recipe("recent")) == [2, 1]


def test_what_was_lent_counts_less_in_a_long_turn():
    text = "I walked. " * 200
    lent = replace(one(1, text), fused=Fused(1, words=0.9, own=0.0))
    earned = replace(one(2, text + "!"), fused=Fused(2, words=0.5, own=0.5))
    assert order("tea", lent, earned) == [2, 1]


def test_a_conversation_about_the_matter_supports_its_turns():
    about = one(1, session="a"), one(2, "I have tea.", session="a", words=0.9)
    elsewhere = one(3, "I see tea.", session="b", words=0.52)
    assert order("tea", *about, elsewhere) == [2, 1, 3]
    assert order("tea", about[0], elsewhere) == [3, 1]


@pytest.mark.parametrize("apart", [{"said_at": THEN + timedelta(days=3)}, {"session": "b"}, {"doc": 99}])
def test_support_does_not_reach_another_day_another_session_or_far_along_the_same(apart):
    loud = one(**{"doc": 2, "text": "I have tea.", "session": "a", "words": 0.9, **apart})
    assert order("tea", one(1, session="a"), loud, one(3, "I see tea.", session="c", words=0.52))[1:] == [3, 1]


def test_the_turn_after_a_near_one_and_its_conversation_are_lifted():
    """By late interaction, as the words that neighbours lend."""
    near = one(5, "I saw the twins.", words=0.0, session="a", late=0.1)
    answer, other = one(6, words=0.0, session="a"), one(2, "I like rum.", words=0.0, session="b")
    far = one(9, "I like gin.", words=0.0, session="a")
    assert order("the twins", near, answer, other, far) == [5, 6, 9, 2]
    alone = replace(BALANCED, late_before=0.0, late_session=0.0)
    assert order("the twins", near, answer, other, far, mix=alone) == [5, 2, 6, 9]


def test_of_two_that_are_as_near_the_one_that_meets_every_token_of_the_question_comes_first():
    part, whole = one(5, "I saw the twins.", words=0.5, late=0.1), one(6, "I saw them.", words=0.5, late=0.1)
    whole = replace(whole, late_least=0.1)
    assert order("the twins", part, whole) == [6, 5]
    assert order("the twins", part, whole, mix=replace(BALANCED, late_least=0.0)) == [5, 6]


def test_one_conversation_does_not_fill_the_page():
    crowd = [one(n, f"I drank tea number {n}.", session="a", words=0.6) for n in range(8)]
    alone = one(9, "I drink tea in town.", session="b", words=0.6)
    mix = replace(BALANCED, session=0.0)
    assert 9 in order("tea", *crowd, alone, mix=mix, limit=4)
    assert 9 not in order("tea", *crowd, alone, mix=replace(mix, same_session=0.0), limit=4)


def test_the_first_hits_do_not_depend_on_the_limit_and_scores_fall():
    crowd = [one(n, f"I drank tea number {n}.", session="ab"[n % 2], words=0.9 - n / 50) for n in range(9)]
    fact = one(12, "Nina likes tea", session=None, words=0.8, evidence=frozenset({3}))
    double = one(13, "I drank tea number 1.", session="a", words=0.88)
    every = order("tea", *crowd, fact, double, limit=20)
    for limit in range(1, 12):
        assert order("tea", *crowd, fact, double, limit=limit) == every[:limit]
    ranked = rank(ask("tea", now=NOW), [*crowd, fact, double], BALANCED, now=NOW, limit=20)
    scores = [hit.score for hit in ranked]
    assert scores == sorted(scores, reverse=True)
    assert ranked[-1].repeated


def test_the_same_words_of_the_same_person_take_one_place_while_there_is_anything_else():
    text = "We meet at the old harbour on Friday with both boats and all the tea."
    said = one(1, text), one(2, text), one(3, text.replace("!", "").replace("Friday", "friday")), one(4, "I like tea.")
    assert order("tea", *said, limit=2) == [1, 4]
    assert order("tea", *said) == [1, 4, 2, 3]
    assert order("tea", one(1, text, speaker="Nina"), one(2, text, speaker="Otto")) == [1, 2]


def test_a_conclusion_stands_right_above_the_message_it_was_drawn_from():
    turn, other = one(1, words=0.2), one(2, "I see tea.", words=0.5)
    fact = one(3, "Nina likes tea", session=None, words=0.9, evidence=frozenset({1}))
    assert order("tea", turn, other, fact) == [3, 1, 2]
    assert order("tea", other, fact) == [3, 2]
    assert order("tea", turn, other) == [2, 1]
    ranked = rank(ask("tea", now=NOW), [turn, other, fact], BALANCED, now=NOW, limit=4)
    assert ranked[1].score == pytest.approx(sum(ranked[1].parts.values()))


def test_the_parts_sum_to_the_score_and_say_where_it_stood():
    question = ask("When did Nina buy the tea?", now=NOW, speakers={"Nina"})
    fused = [Fused(1, words=0.5, own=0.5, meaning=1.0), Fused(2, words=1.0, own=1.0, meaning=0.8)]
    told = one(2, "I bought tea last week.", speaker="Nina", role="assistant", status="candidate")
    found = [
        replace(told, fused=fused[1]),
        replace(one(1, "Did you buy tea?", session="s2", importance=0.8), fused=fused[0]),
    ]
    hits = rank(question, found, BALANCED, now=NOW, limit=5)
    assert [sum(hit.parts.values()) for hit in hits] == pytest.approx([hit.score for hit in hits], abs=1e-12)
    because = why(hits[0], question, places_of(fused))
    assert sum(because.parts.values()) == pytest.approx(hits[0].score, abs=1e-12)
    assert {"words", "meaning", "session", "speaker", "telling", "answer", "trust"} <= set(because.parts)
    assert because.lists == {"words": 1, "meaning": 2}
    assert "tea" in because.terms
    assert "nina" not in because.terms
    assert "crowded" in hits[1].parts


# Whole conversations.

Turn = tuple[str, str]


@dataclass(frozen=True)
class Sample:
    """Conversations indexed as the book indexes them, asked as a hook asks them: words and ranking terms."""

    candidates: dict[int, RankCandidate]
    postings: dict[str, bytes]
    statistics: plain.Statistics

    def recall(self, text: str, limit: int = 3, mix: Recipe = BALANCED) -> list[Ranked]:
        speakers = {one.speaker for one in self.candidates.values() if one.speaker}
        question = ask(text, now=NOW, speakers=speakers)
        terms = [term for term in question.terms if term.word in self.postings]
        packed = [self.postings[term.word] for term in terms]
        scored = plain.score(packed, self.statistics, terms, mix.bm25)
        possible = plain.most(self.statistics, [len(one) // RECORD.size for one in packed], terms, mix.bm25)
        held = {doc: score for doc, score in scored.scores.items() if doc in self.candidates}
        docs = sorted(held)
        nothing = np.zeros(len(docs))
        columns = [np.array([list_.get(doc, 0.0) for doc in docs]) for list_ in (held, scored.own)]
        lists = scores.fuse(scores.Scores(np.array(docs, np.uint32), *columns, nothing, nothing), possible)
        fused = lists.at(scores.shortlist(lists, mix)[:60])
        found = [replace(self.candidates[one.doc], fused=one) for one in fused if one.doc in self.candidates]
        return rank(question, found, mix, now=NOW, limit=limit)

    def texts(self, text: str, limit: int = 3, mix: Recipe = BALANCED) -> list[str]:
        return [hit.candidate.text for hit in self.recall(text, limit, mix)]


def sample(*sessions: list[Turn]) -> Sample:
    postings: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    candidates: dict[int, RankCandidate] = {}
    doc = length = 0
    for number, session in enumerate(sessions):
        said_at = THEN + timedelta(days=5 * number)
        for speaker, text in session:
            made = entries(text, turn=True, speaker=speaker, said_at=said_at)
            for word, flags in made.flags.items():
                postings[word].append((doc, flags, made.code))
            role = "assistant" if speaker == "assistant" else "user"
            candidates[doc] = one(doc, text, speaker=speaker, role=role, session=f"s{number}", said_at=said_at)
            length += made.length
            doc += 1
        doc += plain.WINDOW
    packed = {word: b"".join(RECORD.pack(*record) for record in held) for word, held in postings.items()}
    return Sample(candidates, packed, plain.Statistics(len(candidates), length))


FRIENDS = sample(
    [
        ("Ida", "Hey Jonas! Good to hear from you. What have you been up to?"),
        ("Jonas", "Hi Ida! I finally finished the canoe that I was building in the shed."),
        ("Ida", "Wow, that's great, Jonas! Where will you take it first?"),
        ("Jonas", "To the lake near Hamar, with my brother."),
        ("Ida", "Sounds lovely! I started a pottery class yesterday, my hands are still full of clay."),
        ("Jonas", "Nice! Who teaches it?"),
        ("Ida", "An old friend of my mother's, Solveig. She has her own kiln."),
    ],
    [
        ("Jonas", "Hey Ida, how is the pottery going?"),
        ("Ida", "Pretty well! I made three bowls and broke two of them."),
        ("Jonas", "Ha! Did you keep the third?"),
        ("Ida", "My neighbour got it for her birthday. And how was the canoe trip?"),
        ("Jonas", "We capsized twice, but it was wonderful. My brother lost his glasses."),
        ("Ida", "Oh no! Did he find them again?"),
        ("Jonas", "No, he bought new ones last Saturday."),
    ],
    [
        ("Ida", "Guess what, Jonas: my sister has twins!"),
        ("Jonas", "Congratulations! What are they called?"),
        ("Ida", "Elin and Tor. They keep everybody awake."),
        ("Jonas", "I can imagine. My shed burned down in March, by the way, I am still sad about it."),
    ],
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did Jonas build?", "Hi Ida! I finally finished the canoe"),
        ("Where will Jonas take the canoe first?", "To the lake near Hamar"),
        ("Who teaches the pottery class?", "An old friend of my mother's, Solveig"),
        ("When did Ida start the pottery class?", "Sounds lovely! I started a pottery class yesterday"),
        ("How many bowls did Ida make?", "Pretty well! I made three bowls"),
        ("What did Jonas's brother lose?", "We capsized twice"),
        ("What are the twins of Ida's sister called?", "Elin and Tor"),
        ("When did the shed burn down?", "I can imagine. My shed burned down in March"),
    ],
)
def test_the_turn_that_answers_is_among_the_first_three(question, answer):
    assert any(text.startswith(answer) for text in FRIENDS.texts(question))


def test_an_answer_without_a_word_of_the_question_is_found_through_the_question_before_it():
    question = "What are the twins called?"
    assert "Elin and Tor. They keep everybody awake." in FRIENDS.texts(question, limit=3)
    assert "Elin and Tor. They keep everybody awake." not in FRIENDS.texts(question, limit=9, mix=recipe("exact"))


ESSAY = (
    "A good marathon plan builds your weekly distance slowly. Your long run should never be more than a third of the "
    "week. Many runners underestimate how the marathon depends on sleep, and then their training suffers. Typical "
    "plans last 16 weeks, and by October 2024 you would be ready for a marathon. Would you like a plan for the "
    "marathon? "
) * 6
LONG = sample(
    [
        ("user", "My first marathon is on 12 October in Lisbon and I run about 20 km a week. How do I build up?"),
        ("assistant", ESSAY),
        ("user", "And what should I eat before the marathon?"),
        ("assistant", ESSAY.replace("distance", "meals")),
        ("user", "Thanks, that helps. Any last advice for the marathon?"),
        ("assistant", ESSAY.replace("sleep", "shoes")),
    ],
    [("user", "I would like to bake bread tonight."), ("assistant", "Bread needs time. " * 80)],
)


@pytest.mark.parametrize("question", ["When is my marathon?", "Where is my first marathon?", "How far do I run?"])
def test_a_person_s_own_statement_comes_before_long_answers_about_it(question):
    assert LONG.texts(question, limit=1)[0].startswith("My first marathon is on 12 October")


def test_the_same_question_gets_the_same_answer():
    first = FRIENDS.recall("What did Jonas build?", limit=9)
    assert [(hit.score, hit.parts) for hit in first] == [
        (hit.score, hit.parts) for hit in FRIENDS.recall("What did Jonas build?", limit=9)
    ]


def test_text_shows_what_it_is():
    asks, tells = Signals("Do you like it? And your cat?"), Signals("I moved to Oslo with my cat in 2019.")
    assert (asks.asks, tells.asks) == (1.0, 0.0)
    assert asks.second > 0 == tells.second
    assert tells.first > 0 == asks.first
    assert (tells.when, tells.number, tells.names) == (True, True, 0.5)
    assert (asks.when, asks.number, asks.names) == (False, False, 0.0)
    assert Signals("Ho comprato due gatti ieri a Roma.", "it").when
    assert Signals("").size == 0


@pytest.mark.parametrize(
    "text", ["The launch is in May", "due by May 7", "the 3rd of May", "It opens at 18:30", "at 8 am", "around noon"]
)
def test_a_month_that_is_a_word_too_and_a_time_of_day_are_times(text):
    assert Signals(text).when
    assert not Signals("You may open it, or May does, in may cases 8 of 18").when


def test_what_says_the_same_in_the_same_words_is_found_as_by_comparing_all_with_all():
    """Two texts repeat each other if nine tenths of their words are shared, by the same speaker and of like length."""
    generator = random.Random(5)
    vocabulary = [f"word{number}" for number in range(60)]
    texts = [" ".join(generator.sample(vocabulary, generator.randint(1, 40))) for _ in range(40)]
    for text in list(texts) * 3:
        words = text.split()
        for _ in range(generator.randint(0, 4)):
            words[generator.randrange(len(words))] = generator.choice(vocabulary)
        texts.append(" ".join(words))
    candidates = [
        one(doc, text, words=1 - doc / 1000, speaker=generator.choice(["Ada", "Tor"])) for doc, text in enumerate(texts)
    ]
    kept: list[RankCandidate] = []
    doubles = []
    for candidate in candidates:
        repeats = any(shares(candidate, earlier) for earlier in kept if earlier.speaker == candidate.speaker)
        (doubles if repeats else kept).append(candidate)
    hits = rank(ask("tea?", now=NOW), candidates, BALANCED, now=NOW, limit=len(candidates))
    assert {hit.candidate.fused.doc for hit in hits if hit.repeated} == {one.fused.doc for one in doubles}
    assert 20 < len(doubles) < 110


def shares(candidate: RankCandidate, earlier: RankCandidate) -> bool:
    first, second = set(candidate.text.split()), set(earlier.text.split())
    longer, shorter = len(candidate.text) + 1, len(earlier.text) + 1
    return 0.8 < longer / shorter < 1.25 and len(first & second) > 0.9 * len(first | second)
