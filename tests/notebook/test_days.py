"""A simulated day of a coding agent keeps the share of useful log lines and what the pages hold."""

from pathlib import Path

import pytest
from benchmarks.days import DAYS, played


@pytest.mark.one_engine("hooks open a file by themselves")
def test_a_day_is_logged_and_its_pages_put_an_agent_back_to_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = played(DAYS / "day_2.json")
    assert len(result.useless) <= 0.1 * result.lines and result.lines > 15
    assert result.in_review == []
    assert len(result.missing) <= 1 and result.asked >= 10
