"""The public interface is typed: what fits is accepted by type checkers, and what does not is refused, line by line."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "typed"


def marked(file: str) -> set[int]:
    lines = (FOLDER / file).read_text("utf-8").splitlines()
    return {number for number, line in enumerate(lines, start=1) if line.endswith("# wrong")}


def mypy(file: str) -> set[int]:
    # Without our own settings, which are lenient with tests: as somebody checks who uses the package.
    command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--no-error-summary", str(FOLDER / file)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "error" in output.stdout or output.returncode == 0, output.stdout + output.stderr
    return {int(number) for number in re.findall(rf"{re.escape(file)}:(\d+): error", output.stdout)}


def pyright(file: str) -> set[int]:
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright is not installed")
    settings = ["--level", "error", "--pythonpath", sys.executable, "--outputjson"]
    command = [sys.executable, "-m", "basedpyright", *settings, str(FOLDER / file)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = json.loads(output.stdout)["generalDiagnostics"]
    return {row["range"]["start"]["line"] + 1 for row in found if row["severity"] == "error"}


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_right_calls_are_accepted_and_wrong_ones_refused(checker):
    assert checker("right_calls.py") == set()
    assert checker("wrong_calls.py") == marked("wrong_calls.py")
    assert len(marked("wrong_calls.py")) > 30
