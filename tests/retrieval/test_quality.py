"""The measure itself, and a floor below what recall finds in the long chats that we publish."""

import json
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import Invalid
from commonplace.testing.quality import feed, measure, samples

CHATS = Path(__file__).parents[2] / "benchmarks" / "chats" / "nadia.json"


def test_the_first_ten_are_the_same_whatever_the_limit_and_scores_fall(book):
    sample = samples(CHATS)[0]
    feed(book, sample["conversation"])
    for question in sample["qa"][::8]:
        pages = [book.recall(question["question"], limit=limit) for limit in (10, 20, 50, 100)]
        ids = [[hit.memory.id for hit in page[:10]] for page in pages]
        assert ids[0]
        assert all(first == ids[0] for first in ids)
        for page in pages:
            scores = [hit.score for hit in page]
            assert scores == sorted(scores, reverse=True)


def quiet(line: str) -> None:
    pass


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Two sessions, and three questions: one answered first, one behind another turn, one not at all."""
    said = {
        "session_1": [
            {"role": "user", "dia_id": "D1:1", "text": "I planted a damson by the fence."},
            {"role": "assistant", "dia_id": "D1:2", "text": "Water it well in the first summer."},
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2026",
        "session_2": [{"speaker": "Otto", "dia_id": "D2:1", "text": "The kiln reached 1,200 degrees."}],
        "session_2_date_time": "9:05 am on 9 May, 2026",
    }
    asked = [
        {"question": "Where did I plant the damson?", "category": "user", "evidence": ["D1:1"]},
        {"question": "How hot did the kiln get?", "category": 4, "evidence": ["D2:1", "D9:9"]},
        {"question": "kiln", "category": 4, "evidence": []},
    ]
    file = tmp_path / "few.json"
    file.write_text(json.dumps([{"sample_id": "few", "conversation": said, "qa": asked}]), encoding="utf-8")
    return file


def test_figures_count_the_evidence_that_is_found(few, open_book):
    found = measure(few, open_book().within, ["balanced"], progress=quiet)["balanced"]
    assert list(found) == ["single hop", "user", "all"]
    assert (found["user"].questions, found["user"].recall_5, found["user"].ndcg_10) == (1, 1.0, 1.0)
    assert found["single hop"].recall_10 == 0.5 and 0.5 < found["single hop"].ndcg_10 < 1
    assert found["all"].recall_5 == 0.75


def test_a_file_of_another_form_is_refused(tmp_path):
    file = tmp_path / "x.json"
    for text in ("not JSON", "{}", '[{"qa": []}]'):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(Invalid, match=r"x\.json"):
            samples(file)


@pytest.mark.one_engine("both give the same page: tests/store/test_agreement.py")
def test_long_chats_are_found_far_beyond_one_list_alone(tmp_path):
    with Commonplace.open(
        f"sqlite:///{tmp_path}/book.db", settings=Settings(home=tmp_path, late_interaction="off")
    ) as book:
        found = measure(CHATS, book.within, ["balanced", "words", "meaning"], progress=quiet)
    every = {recipe: types["all"].recall_10 for recipe, types in found.items()}
    assert every["balanced"] > 0.72 and every["balanced"] > max(every["words"], every["meaning"]) + 0.1
    assert found["balanced"]["assistant"].recall_5 > 0.85
