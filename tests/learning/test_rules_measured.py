"""The labelled turns and pairs: what docs/learning-rules.md publishes holds."""

import json
from pathlib import Path

import pytest
from tests.learning.measured import measure, updates

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("half", ["first", "held", "fresh"])
def test_the_rules_are_right_nine_times_in_ten(half: str) -> None:
    result = measure.measure(measure.turns(half))
    assert result.total.precision >= 0.9, "\n".join(result.misses)
    assert result.total.recall >= 0.8, "\n".join(result.misses)


@pytest.mark.parametrize("language", ["en", "it", "es", "fr", "de"])
def test_every_language_is_right_nine_times_in_ten(language: str) -> None:
    result = measure.measure([turn for turn in measure.turns() if turn["language"] == language])
    assert result.total.right >= 25
    assert result.total.precision >= 0.9, "\n".join(result.misses)


@pytest.mark.parametrize("half", ["first", "held"])
def test_hardly_anything_is_wrongly_replaced(half: str) -> None:
    result = updates.measure(updates.pairs(half))
    assert result.reached >= 50
    assert result.strict_rate <= 0.02, "\n".join(result.misses)


def test_what_must_be_replaced_or_deleted_is() -> None:
    result = updates.measure(updates.pairs())
    for must in ("update", "delete", "noop"):
        assert result.right[must] >= 0.9 * result.wanted[must], "\n".join(result.misses)


def test_the_sets_are_as_large_as_published() -> None:
    turns, pairs = measure.turns(), updates.pairs()
    assert len(turns) >= 320
    assert sum(not turn["expect"] for turn in turns) * 2 >= len(turns)
    assert len(pairs) >= 220
    assert len({json.dumps(turn["text"]) for turn in turns}) == len(turns)


def test_the_page_shows_what_is_measured() -> None:
    page = (ROOT / "docs" / "learning-rules.md").read_text(encoding="utf-8")
    fresh, pairs = measure.measure(measure.turns("fresh")), updates.measure(updates.pairs())
    total = fresh.total
    assert f"| {total.precision:.3f} | {total.recall:.3f} | {total.f1:.3f} |" in page
    assert f"{pairs.false_updates} of {pairs.must_not} must-not pairs" in page
    assert f"the {pairs.reached} in which both turns taught" in page
    every = measure.measure(measure.turns())
    assert f"{every.turns} labelled turns ({every.empty} with nothing worth keeping" in page
    missed = [turn["text"] for turn in measure.turns("fresh") if measure.measure([turn]).misses]
    assert missed
    assert [text for text in missed if text not in page] == []


def test_the_measure_counts_what_is_missed_and_what_is_too_much() -> None:
    turn = {"id": 1, "language": "en", "half": "first", "text": "I live in Oslo"}
    right = [{"type": "fact", "subject": "owner", "predicate": "lives_in", "object": "Oslo"}]
    assert measure.measure([turn | {"expect": right}]).total == measure.Count(right=1)
    assert measure.measure([turn | {"expect": []}]).total == measure.Count(extra=1)
    wrong = [right[0] | {"object": "Rome"}]
    assert measure.measure([turn | {"expect": wrong}]).total == measure.Count(extra=1, missed=1)
