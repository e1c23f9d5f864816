"""A hook from cold start to answer, per event, at 10,000 memories: milliseconds, and how many bare Pythons that is.

Absolute times depend on the machine and on what else it does; the ratio is taken in the same minutes, a bare start
and a hook by turns. Python caches bytecode here, as it does for an installed package.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commonplace import Commonplace, Settings
from commonplace.workplace import namespace_for

EVENTS = ("session-start", "prompt", "stop", "pre-compact", "post-compact", "session-end", "tool")
SUBJECTS = ("the parser", "the release", "the cache", "the billing page", "the search index", "the importer")
VERBS = ("failed on", "was moved to", "depends on", "is owned by", "was tested with", "waits for")
OBJECTS = ("PostgreSQL", "the staging cluster", "Giulia", "a feature flag", "version", "ticket", "the night job")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), given.memories, given.rounds)
    print(f"{'event':14}{'p50 ms':>9}{'p95 ms':>9}{'× bare p50':>12}{'× bare p95':>12}")
    for name, (p50, p95, r50, r95) in figures.items():
        print(f"{name:14}{p50:9.1f}{p95:9.1f}{r50:12.1f}{r95:12.1f}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2))


def measured(folder: Path, memories: int, rounds: int) -> dict[str, tuple[float, float, float, float]]:
    home, project = folder / "home", folder / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {"COMMONPLACE_HOME": str(home), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environ |= {"COMMONPLACE_HOOK_READER": "false"}  # a process that works beside what is measured
    _fill(home, project, memories)
    for name in EVENTS:  # once, so that the bytecode is there
        _once([sys.executable, "-m", "commonplace.interfaces.hooks", name], _payload(name, project, 0), environ)
    times: dict[str, list[float]] = {name: [] for name in ("bare python", *EVENTS)}
    for round in range(1, rounds + 1):
        for name in EVENTS:
            times["bare python"].append(_once([sys.executable, "-c", "pass"], b"", environ))
            command = [sys.executable, "-m", "commonplace.interfaces.hooks", name]
            times[name].append(_once(command, _payload(name, project, round), environ))
    bare = statistics.median(times["bare python"])
    return {name: _figures(found, bare) for name, found in times.items()}


def _fill(home: Path, project: Path, memories: int) -> None:
    settings = Settings.load(start=project, environ={"HOME": str(home)}, overrides={"home": home, "embedder": "none"})
    with Commonplace.open(namespace=namespace_for(project, settings)[0], settings=settings) as book:
        for start in range(0, memories, 1000):
            numbers = range(start, min(start + 1000, memories))
            names = [(n, SUBJECTS[n % 6], VERBS[n // 6 % 6], OBJECTS[n // 36 % 7]) for n in numbers]
            book.remember_many([f"{who} {does} {what} {n}, as noted in week {n % 52}" for n, who, does, what in names])
        notebook = book.notebook_at(project)
        for n in range(30):
            notebook.note(f"decision number {n} is to keep module {n} as it is", kind="decision")


def _payload(name: str, project: Path, round: int) -> bytes:
    said = {
        "session_id": f"session-{round}",
        "cwd": str(project),
        "source": "startup",
        "prompt": f"We decided to use port {8000 + round} for the importer. What does the search index wait for?",
        "reason": "other",
        "trigger": "auto",
        "compact_summary": f"Round {round}: the importer was moved.",
        "last_assistant_message": f"Done in round {round}: the importer listens on {8000 + round}.",
    }
    return json.dumps(said).encode()


def _once(command: list[str], said: bytes, environ: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, input=said, env=environ, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1000


def _figures(found: list[float], bare: float) -> tuple[float, float, float, float]:
    p50 = statistics.median(found)
    p95 = sorted(found)[min(len(found) - 1, round(len(found) * 0.95))]
    return p50, p95, p50 / bare, p95 / bare


if __name__ == "__main__":
    main()
