"""A stage for the scripted agent: write its script, run, look at what it was told."""

import json
import sys
from pathlib import Path
from typing import Any

SCRIPTED = Path(__file__).with_name("scripted_agent.py")
DONE = {"status": "completed", "result": "done"}


class ScriptedRun:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    @property
    def agent(self) -> list[str]:
        return [sys.executable, str(SCRIPTED), str(self.folder)]

    def script(self, **answers: Any) -> None:
        self.play({name.replace("_", " "): given for name, given in answers.items()})

    def play(self, answers: dict[str, Any]) -> None:
        (self.folder / "script.json").write_text(json.dumps(answers), "utf-8")

    def log(self) -> list[dict[str, Any]]:
        path = self.folder / "log.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def calls(self) -> list[str]:
        return [one["what"] for one in self.log()]

    def prompts(self, what: str) -> list[str]:
        """Every prompt of that plan or step, in the order they were given."""
        return [path.read_text("utf-8") for path in sorted((self.folder / "prompts").glob(f"*-{what}.txt"))]


def steps(*names: str, **waits: str) -> list[dict[str, Any]]:
    """The lines of a plan: ``steps("dig", "pour", pour="dig")``."""
    return [
        {"step": {"key": name, "name": name, "depends_on": waits[name].split() if name in waits else []}}
        for name in names
    ]


def memory(content: str, category: str = "insight") -> dict[str, Any]:
    return {"memory": {"category": category, "content": content}}
