"""A program in a process of its own: a fork of the test run would take its threads' locks along."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def report_of(program: str, *flags: str) -> dict[str, Any]:
    """What ``python -m PROGRAM`` printed; raises ``AssertionError`` with its output where it failed."""
    done = subprocess.run(
        [sys.executable, "-m", program, *flags],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    return report
