"""The walk of a new user works as the documentation shows it; tools/first_minutes.py also installs and counts."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.one_engine("a new user has the book of the default settings")
def test_a_new_user_comes_to_a_remembered_fact_and_a_first_recall():
    command = [sys.executable, str(ROOT / "tools/first_minutes.py"), "--here"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "Claude Code: 1 command," in result.stdout
    assert "Python: 2 commands," in result.stdout
