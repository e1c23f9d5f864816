"""Programs in processes of their own: one that reports, a server on a book, and the environments of rivals."""

import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SERVE = """
import sys
from pathlib import Path
from commonplace.interfaces.rest import serve
from commonplace.settings import Settings
serve(Settings(home=Path(sys.argv[1]), rate_limit=0, maintenance=False, log_level="ERROR"), port=0)
"""


def report_of(program: str, *flags: str) -> dict[str, Any]:
    """What ``python -m PROGRAM`` printed; raises ``AssertionError`` with its output where it failed.

    Not a fork, which would take the locks of the test run's threads along.
    """
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


@contextmanager
def server(home: Path) -> Iterator[tuple[str, str, int]]:
    """A server process on the book in ``home``: its address, a token, and its process."""
    with subprocess.Popen([sys.executable, "-c", SERVE, str(home)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = re.search(r"http://[^\s/#]+", running.stdout.readline())
        assert address
        try:
            yield address.group(), (home / "server.token").read_text().strip(), running.pid
        finally:
            running.terminate()


def environment(name: str, needs: Sequence[str], *, mark: str = "ready") -> Path:
    """The Python of a rival's own environment, made on first use; ``mark`` is the file that says what is in it."""
    folder = ROOT / "benchmarks" / ".envs" / name
    python = folder / "bin" / "python"
    if not (folder / mark).exists():
        print(f"making an environment for {name} …", file=sys.stderr)
        if not python.exists():
            venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *needs], check=True)
        (folder / mark).touch()
    return python
