"""Walk a new user's first minutes and count their commands and seconds.

    python tools/first_minutes.py              from a clone, in new environments: a few minutes
    python tools/first_minutes.py --here       with the environment that runs this, without installing

Two walks: from a clone to a fact that Claude Code's hooks remember and give back in the next session, and from nothing
to the first recall in Python. Each command is in the documentation; what Claude Code runs itself is not counted. The
figures are in docs/start/first-minutes.md.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FACT, QUESTION, ANSWER = "Remember: we deploy on Thursdays.", "When do we deploy?", "Thursdays"


@dataclass
class Walk:
    """The commands a person types in one walk, with the seconds each takes."""

    name: str
    folder: Path
    environment: dict[str, str]
    steps: list[tuple[str, float]] = field(default_factory=list)

    def run(self, command: str, *, where: Path | None = None) -> str:
        began = time.perf_counter()
        result = self._call(shlex.split(command), where)
        self.steps.append((command, time.perf_counter() - began))
        return result

    def by_host(self, command: str, payload: dict[str, Any], where: Path) -> str:
        """Run a hook as the host does: not counted, because nobody types it."""
        return self._call(shlex.split(command), where, json.dumps(payload))

    def _call(self, words: list[str], where: Path | None, given: str | None = None) -> str:
        result = subprocess.run(
            words,
            cwd=where or self.folder,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise SystemExit(f"{shlex.join(words)} failed\n{result.stdout}{result.stderr}")
        return result.stdout

    def show(self) -> None:
        seconds = sum(took for _, took in self.steps)
        count = f"{len(self.steps)} command{'s' if len(self.steps) != 1 else ''}"
        print(f"\n{self.name}: {count}, {seconds:.0f} s")
        for command, took in self.steps:
            print(f"  {took:6.1f} s  {command.replace(str(self.folder), '.')}")


def claude_code(walk: Walk, *, here: bool) -> None:
    """From a clone to a fact that a second session of Claude Code is given."""
    programs = Path(sys.executable).parent if here else _installed(walk)
    project = walk.folder / "project"
    project.mkdir()
    (project / ".git").mkdir()
    walk.run(f"{programs / 'commonplace'} init --host claude-code --yes", where=project)
    hooks = json.loads((project / ".claude/settings.local.json").read_text("utf-8"))["hooks"]

    def host(event: str, session: str, **fields: str) -> str:
        hook = hooks[event][0]["hooks"][0]
        command = shlex.join([hook["command"], *hook.get("args", ())])
        common = {"hook_event_name": event, "session_id": session, "cwd": str(project), "permission_mode": "default"}
        return walk.by_host(command, {**common, **fields}, project)

    host("SessionStart", "first", source="startup")
    host("UserPromptSubmit", "first", prompt=FACT)
    host("SessionEnd", "first", reason="exit")
    page = host("SessionStart", "second", source="startup") + host("UserPromptSubmit", "second", prompt=QUESTION)
    if ANSWER not in page:
        raise SystemExit("the second session was not given the fact")


def python(walk: Walk, *, here: bool) -> None:
    """From nothing to the first recall, with the program that the README shows."""
    programs = Path(sys.executable).parent if here else _installed(walk)
    program = (ROOT / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    (walk.folder / "first.py").write_text(program + "\nprint(hits[0].memory.text)\n", "utf-8")
    for _ in range(2):  # it can run any number of times
        printed = walk.run(f"{programs / 'python'} first.py")
    if "trains" not in printed:
        raise SystemExit("the program did not recall what it kept")


def _installed(walk: Walk) -> Path:
    """A clone with an environment of its own; the folder of its programs."""
    walk.run(f"git clone -q {ROOT} clone")
    walk.run(f"{sys.executable} -m venv clone/.venv")
    programs = walk.folder / "clone/.venv/bin"
    walk.run(f"{programs / 'pip'} install -q -c constraints.txt '.[server]'", where=walk.folder / "clone")
    return programs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--here", action="store_true", help="use this environment; nothing is installed")
    arguments = parser.parse_args()
    for name, steps in (("Claude Code", claude_code), ("Python", python)):
        with TemporaryDirectory(prefix="first-minutes-") as folder:
            home = Path(folder) / "home"
            home.mkdir()
            environment = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
            environment |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
            walk = Walk(name, Path(folder), environment)
            steps(walk, here=arguments.here)
            walk.show()


if __name__ == "__main__":
    if shutil.which("git") is None:
        raise SystemExit("git is needed")
    main()
