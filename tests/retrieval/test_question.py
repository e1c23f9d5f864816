"""Reading a question: what was really asked, of whom, and what would answer it."""

import json
from datetime import UTC, datetime

import pytest

from commonplace.retrieval.extract_question import cut
from commonplace.retrieval.question import Question, ask

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)


def asked(text: str, **more) -> Question:
    return ask(text, now=NOW, **more)


def weights(question: Question) -> dict[str, float]:
    return {term.word: term.weight for term in question.terms}


def test_a_short_question_stays_whole():
    assert cut("  Where does Nina live?\n") == "Where does Nina live?"


TALK = [
    {"role": "system", "content": "You are a careful assistant, and 'kind'. " * 30},
    {"role": "user", "content": "Rivers?"},
    {"role": "assistant", "content": "They flow. What else?"},
    {"role": "user", "content": "Where does Nina live?"},
]
CODE = "const river = flows ? wide : null;\nfetch('https://rivers.example/all?wide=1&long=2');\n" * 100
LONG = "You are a careful assistant. Answer in one sentence and never invent anything. " * 30


@pytest.mark.parametrize(
    "glued",
    [
        LONG + "\n\nWhere does Nina live?",
        LONG + "\nUser: I like tea.\nAssistant: Noted!\nUser: Where does Nina live?\nAssistant:",
        "Human: " + "Rivers? " * 60 + "\n\nAssistant: " + "Rivers flow. " * 90 + "\n\nHuman: Where does Nina live?",
        "### User\n" + "hello there. " * 60 + "\n### Assistant\nHello!\n### User\nWhere does Nina live?",
        "**System:** " + LONG + "\n\n**User:** Where does Nina live?",
        f"<|im_start|>system\n{LONG}<|im_end|>\n<|im_start|>user\nWhere does Nina live?<|im_end|>\n<|im_start|>",
        f"<|system|>{LONG}<|user|>Where does Nina live?<|assistant|>",
        f"[INST] <<SYS>>\n{LONG}\n<</SYS>>\n\nWhere does Nina live? [/INST]",
        f"<system>{LONG}</system><user>Where does Nina live?</user>",
        f"<user>Where does Nina live?</user>\n<system>{LONG} Is that clear?</system>",
        json.dumps(TALK),
        json.dumps({"messages": TALK, "temperature": 0.2}, indent=2),
        "\n".join(map(json.dumps, TALK)),
        str(TALK),
        json.dumps([TALK[0], {"role": "user", "content": [{"type": "text", "text": "Where does Nina live?"}]}]),
        "Where does Nina live?\n\n```js\n" + CODE + "```\n",
        "```js\n" + CODE + "```\nWhere does Nina live?",
        "Where does Nina live?\n\n" + CODE,
        "Where does Nina live?\n\n" + "12:00 GET /rivers?page=2 took long\n" * 400,
        f"Where does Nina live?\n\n<memory_context>\n{LONG}\n- Is it a river?\n</memory_context>",
    ],
)
def test_a_prompt_or_a_conversation_before_it_is_cut_off(glued):
    assert cut(glued) == "Where does Nina live?"
    assert {term.word for term in asked(glued).terms} == {"nina", "live"}


@pytest.mark.parametrize("asked", ["Où habite Nina ?", "尼娜住在哪里？", "أين تعيش نينا؟", "tell me where Nina lives"])
def test_questions_are_known_in_other_scripts_and_without_a_mark(asked):
    assert cut(LONG + "\n\n" + asked) == asked
    assert cut(f"System: {LONG}\nUser: {asked}\nAssistant: " + LONG) == asked


def test_a_conversation_as_data_that_is_broken_off_or_hostile_is_read_as_text():
    broken = json.dumps(TALK)[:-40]
    assert "rivers" in cut(broken).lower()  # the last that was said whole
    hostile = '"role": "user", "content": "' * 20_000 + " Where does Nina live?"
    assert 0 < len(cut(hostile)) <= 800


def test_a_question_before_a_long_paste_is_found():
    log = "\n".join(f"INFO worker {n} finished its round without a complaint" for n in range(400))
    question = asked("Why did the Fjord importer stop on Monday?\n\n" + log)
    assert "fjord" in weights(question)
    assert "complaint" not in weights(question)


def test_what_asks_nothing_keeps_its_end():
    text = "The weather was fine that day. " * 100 + "Nina's address in Bergen."
    assert cut(text).endswith("Nina's address in Bergen.")
    assert len(cut(text)) <= 800


@pytest.mark.parametrize("filler", ["word ", "a?", "x", "\n", "User:\n", "Why? "])
def test_a_hundred_kilobytes_are_read_as_easily(filler):
    question = asked(filler * (100_000 // len(filler)) + "\n\nWhere does Nina live?")
    assert "nina" in weights(question)
    assert len(question.text) <= 900
    assert len(question.terms) < 80


def test_the_sentence_that_asks_counts_more_than_what_leads_to_it():
    found = weights(asked("I am packing for Oslo. Which coat did Nina recommend?"))
    assert found["coat"] == 1.0 > found["oslo"] > 0


@pytest.mark.parametrize(
    "wrapped",
    [
        "Could you please tell me where Nina lives?",
        "Do you remember where Nina lives?",
        "Based on our previous conversations, where does Nina live?",
        "Remind me where Nina lives.",
        "Where does Nina live, from what I told you?",
    ],
)
def test_courtesy_is_not_looked_up(wrapped):
    assert set(weights(asked(wrapped))) == {"nina", "live"}


def test_a_question_of_courtesy_alone_still_asks_for_something():
    assert weights(asked("Do you remember?"))


def test_a_speaker_is_known_by_name_part_of_it_or_short_form():
    speakers = {"Melanie Berg", "Caroline", "user"}
    assert asked("What did Melanie paint?", speakers=speakers).speakers == {"melanie berg"}
    assert asked("What did Mel paint?", speakers=speakers).speakers == {"melanie berg"}
    assert asked("Did Caroline meet Melanie?", speakers=speakers).speakers == {"melanie berg", "caroline"}
    assert asked("What did Anna paint?", speakers=speakers).speakers == frozenset()
    assert asked("did the user melt it?", speakers=speakers).speakers == frozenset()
    assert asked("what did melanie paint?", speakers=speakers).speakers == {"melanie berg"}
    assert asked("what did you mel?", speakers=speakers).speakers == frozenset()
    assert asked("Does the User know?", speakers=speakers).speakers == frozenset()


def test_the_name_of_a_speaker_hardly_counts_inside_a_turn_and_another_name_does():
    terms = {term.word: term for term in asked("What did Nina tell Otto?", speakers={"Nina"}).terms}
    assert terms["nina"].conversation_weight < 0.5
    assert terms["otto"].conversation_weight == 1.0


def test_a_question_of_nothing_but_a_speaker_asks_for_what_they_said():
    terms = {term.word: term for term in asked("And Nina?", speakers={"Nina"}).terms}
    assert terms["@nina"].lends is False
    assert "@nina" not in weights(asked("Where does Nina live?", speakers={"Nina"}))


def test_a_date_asks_for_what_was_said_then_as_well():
    found = {term.word: term for term in asked("What did we decide on 7 May 2023?").terms}
    assert found["d:2023-05-07"].lends
    assert not found["@d:2023-05-07"].lends
    assert found["@d:2023-05-07"].weight < found["d:2023-05-07"].weight


def test_relative_dates_are_meant_by_the_asker_s_clock():
    ((first, last),) = asked("What did we discuss yesterday?").spans
    assert first <= datetime(2024, 5, 14, 9, tzinfo=UTC) <= last < datetime(2024, 5, 15, tzinfo=UTC)
    assert asked("What did we discuss?").spans == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("When did Nina move?", "when"),
        ("How long has she been there?", "when"),
        ("Who moved to Bergen?", "name"),
        ("Where does she live?", "name"),
        ("Which book did she read?", "name"),
        ("How many cats has she?", "number"),
        ("Quando si è trasferita?", "when"),
        ("Wer wohnt in Bergen?", "name"),
        ("Combien de chats a-t-elle ?", "number"),
    ],
)
def test_the_kind_of_answer_is_seen(text, wanted):
    assert wanted in asked(text).wants


def test_a_plain_question_wants_no_kind_of_answer():
    assert asked("What does Nina like?").wants == frozenset()


def test_asking_what_the_assistant_said_is_noticed():
    assert asked("What did you recommend for the trip?").to_assistant
    assert asked("Which hotel have you found?").to_assistant
    assert asked("Which hotel did the assistant suggest?").to_assistant
    assert asked("What was the assistant's advice on trains?").to_assistant
    assert asked("What was the recipe that you gave me?").to_assistant
    assert asked("You once ranked some hotels. What was number three?").to_assistant
    assert asked("What was the third title you came up with?").to_assistant
    assert not asked("What did I tell the assistant about my diet?").to_assistant
    assert not asked("Which papers do you need for my visa?").to_assistant
    assert not asked("What have I told you about my diet?").to_assistant
    assert not asked("What did Nina recommend for the trip?").to_assistant
    assert not asked("Could you tell me when my trip is?").to_assistant
    assert not asked("Do you remember when my trip is?").to_assistant


@pytest.mark.parametrize("text", ["", "   ", "?", "…", "\ud800", "who was he?", "\x00"])
def test_odd_questions_are_questions_too(text):
    assert isinstance(asked(text), Question)


def test_a_question_of_stop_words_still_asks_for_something():
    assert asked("who was he?").terms
