"""The judge on its real model: documented examples, equal scores in company, and what happens without it."""

import importlib
import importlib.util
import multiprocessing
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from commonplace import Commonplace
from commonplace.errors import ProviderError
from commonplace.notebook.triggers import LIKELY, POSSIBLE
from commonplace.providers import judge as judge_module
from commonplace.providers.judge import FOLDER, LABELS, MODEL, Judge
from commonplace.providers.judge import model as pair_model

BOTH_STAND = [
    ("I work at Google", "I work at Starbucks on Saturdays"),
    ("I live in Vienna", "living in Rome for the summer"),
    ("I drive a Golf", "I bought a Tesla too"),
]
CHANGES = [
    ("I live in Berlin", "I moved to Lisbon", "replaces"),
    ("My dog is called Rex", "Rex died", "ends"),
    ("I drive a Golf", "we sold the Golf", "ends"),
    ("I have diabetes", "it was a misdiagnosis", "denies"),
    ("My dog is called Bruno", "sorry, I meant Hugo, not Bruno", "denies"),
    ("I like coriander", "I can't stand coriander now", "ends"),
]


@pytest.fixture(scope="module")
def judge():
    return Judge()


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES)
def test_a_change_said_in_other_words_is_seen(judge, old, new, expected):
    (verdict,) = judge.decide([(old, new)])
    assert (verdict.likeliest, verdict.change > 0.5) == (expected, True)


@pytest.mark.parametrize(("old", "new"), BOTH_STAND)
def test_a_qualified_statement_leaves_the_belief_standing(judge, old, new):
    (verdict,) = judge.decide([(old, new)])
    assert verdict.likeliest == "coexists" and verdict.change < 0.1


def test_a_restatement_is_the_same(judge):
    (verdict,) = judge.decide([("I take my coffee black", "no milk, no sugar for me")])
    assert verdict.likeliest == "same" and verdict.same > 0.7


def test_the_probabilities_of_a_verdict_add_up_to_one(judge):
    (verdict,) = judge.decide([("I live in Berlin", "I moved to Lisbon")])
    total = verdict.change + verdict.same + verdict.refines + verdict.coexists + verdict.unrelated
    assert total == pytest.approx(1)


def test_a_description_ranks_what_it_means_first(judge):
    debt, allergy = judge.match("my debts", ["I owe my cousin Obinna 400 pounds", "Allergic to latex"])
    assert debt.meant > 0.9 > 0.1 > allergy.meant


def test_a_message_is_labelled_by_what_it_holds(judge):
    thanks, allergy, rule, swap = judge.turn(
        [
            ("user", "thanks, great!"),
            ("user", "I'm allergic to peanuts"),
            ("user", "from now on don't touch anything under vendor/ unless I say so"),
            ("user", "ok we talked it over at standup, going with NATS instead of Kafka for the telemetry bus"),
        ]
    )
    assert "ack" in thanks.above(0.5) and "fact" not in thanks.above(0.5)
    assert "fact" in allergy.above(0.5) and "ack" not in allergy.above(0.5)
    assert "instruction" in rule.above(0.5)
    assert "decision" in swap.above(0.5)


def test_how_long_a_sentence_holds_and_whether_it_is_understood_alone(judge):
    pregnant, soup, home, blue = judge.lasting(
        [
            "I have asthma since I was a child",
            "having soup for lunch today",
            "We own a house in Ghent",
            "it's the blue one",
        ]
    )
    assert pregnant.months > 0.5 > soup.days
    assert home.alone > 0.5 > blue.alone


def test_what_is_worth_keeping_is_told_from_small_talk(judge):
    likely = judge.keep(
        ["My sister Ana is allergic to shellfish", "Giulia studiert Jura in Graz", "lol ok, good night"]
    )
    assert min(likely[:2]) > 0.6 > 0.2 > likely[2]


def test_a_trigger_is_told_from_talk_at_work(judge):
    choice, rule, port, thanks, asked = judge.triggers(
        [
            "let's go with NATS instead of Kafka",
            "never push to main on a Friday",
            "der Metrik-Port ist 9464",
            "nice work on the parser",
            "what changed since the last release",
        ]
    )
    assert min(choice.trigger, rule.trigger, port.trigger) > LIKELY > POSSIBLE > max(thanks.trigger, asked.trigger)
    assert rule.rule > max(rule.value, rule.decision)
    assert port.value > max(port.rule, port.decision)


def test_the_role_of_a_message_counts(judge):
    person, assistant = judge.turn([("user", "The tests pass now."), ("assistant", "The tests pass now.")])
    assert person != assistant
    assert judge.turn([("tool", "The tests pass now.")]) == [person]


def test_the_message_that_answers_is_the_most_relevant(judge):
    turns = ["[2022-03-14] Ada: I'm at Google now.", "[2022-03-14] Bob: nice weather"]
    answer, weather = judge.relevance("Where does Ada work?", turns)
    assert answer > weather


def test_a_pair_has_the_same_scores_alone_and_in_company():
    pairs = [(old, new) for old, new, _ in CHANGES] + BOTH_STAND
    together = Judge().decide(pairs)
    pair_model._loaded.cache_clear()
    assert together == [Judge().decide([pair])[0] for pair in reversed(pairs)][::-1]


def test_long_texts_count_by_their_beginning(judge):
    begin = "The ferry to the island leaves at noon. " * 20
    assert judge.decide([(begin, "It leaves at ten now.")]) == judge.decide(
        [(begin + "x " * 100_000, "It leaves at ten now.")]
    )
    assert len(judge.turn([("user", "word " * 100_000)])) == 1
    assert len(judge.decide([("", "")])) == 1


def test_scores_are_remembered_and_texts_are_not(judge):
    secret = "the marmalade password is quokka"
    judge.decide([(secret, secret)])
    loaded = judge._model()
    run = loaded._session
    loaded._session = None
    try:
        assert judge.decide([(secret, secret)])
        with pytest.raises(AttributeError):  # the control: another pair is not at hand
            judge.decide([(secret, "another pair")])
    finally:
        loaded._session = run
    assert "quokka" not in repr(loaded._scores)


@pytest.mark.skipif(sys.platform == "win32", reason="fork is POSIX")
def test_a_forked_child_asks_its_own_session(judge):
    here = judge.decide([CHANGES[0][:2]])
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(judge.decide, ([CHANGES[0][:2]],)) == here


def test_nothing_heavy_is_imported_before_the_first_question():
    code = (
        "import sys; from commonplace.providers.judge import Judge; assert Judge().ready();"
        "print(sorted({'numpy', 'onnxruntime'} & set(sys.modules)));"
        "Judge().decide([('a', 'b')]); print(sorted({'numpy', 'onnxruntime'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert answer.stdout.split("\n")[:2] == ["[]", "['numpy', 'onnxruntime']"]


def test_a_damaged_or_missing_model_is_a_clear_error(tmp_path):
    for name in (MODEL, LABELS):
        shutil.copy(FOLDER / name, tmp_path / name)
    assert Judge(tmp_path).decide([("a", "b")])
    (tmp_path / MODEL).write_bytes(b"nonsense")
    pair_model._loaded.cache_clear()
    with pytest.raises(ProviderError, match="reinstall"):
        Judge(tmp_path).decide([("a", "b")])
    (tmp_path / MODEL).unlink()
    assert not Judge(tmp_path).ready()


def test_other_labels_than_the_code_knows_are_refused(tmp_path):
    (tmp_path / LABELS).write_text('{"decide": ["same"], "match": [], "turn": []}')
    with pytest.raises(ProviderError, match="other labels"):
        Judge(tmp_path).decide([("a", "b")])


def test_doctor_says_what_is_lost_without_the_judge(book_url, settings, monkeypatch):
    def symptoms(book):
        return [(symptom.grade, symptom.remedy) for symptom in book.doctor().symptoms if symptom.check == "judge"]

    with Commonplace.open(book_url, settings=settings) as book:
        assert symptoms(book) == []
        with monkeypatch.context() as without:
            uninstall(without)
            assert not Judge().ready()
            with pytest.raises(ProviderError, match="pip install onnxruntime"):
                Judge().decide([("a", "b")])
            assert [grade for grade, _ in symptoms(book)] == ["problem"]
            book.observe("I live in Berlin")
            assert "Berlin" in book.context("Where do I live?")
    with Commonplace.open(book_url, settings=replace(settings, judge="off")) as book:
        assert symptoms(book) == [("warning", "set judge to on")]


def uninstall(monkeypatch):
    find_spec, import_module = importlib.util.find_spec, importlib.import_module

    def imported(name, *rest):
        if name == "onnxruntime":
            raise ModuleNotFoundError(name)
        return import_module(name, *rest)

    pair_model._loaded.cache_clear()
    monkeypatch.setattr(
        judge_module.importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "onnxruntime" else find_spec(name),  # type: ignore[attr-defined]
    )
    monkeypatch.setattr(importlib, "import_module", imported)
