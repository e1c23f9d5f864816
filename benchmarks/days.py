"""python benchmarks/days.py [--judge] [--show] [FILE ...]

Simulated days of a coding agent: every event goes through the hooks as a host sends it. Measured are the share of log
lines that report work, log lines that wait in review, and whether the page after each interruption holds the task, the
state, the blocker, the next step and the open decisions. benchmarks/heldout/days/README.md describes the files.

With ``--judge`` the messages are read after each event with the judge, as the MCP server beside a session does; without
it hooks read them alone.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from commonplace import Commonplace, Settings
from commonplace.interfaces.hooks.entry import answered
from commonplace.workplace import namespace_for

DAYS = Path(__file__).parent / "heldout" / "days"
WORD = re.compile(r"[\w./#-]+")
ENOUGH = 0.6
"""Share of the words of a log line that must stand in a report, or the other way round."""
LOG_LINE = re.compile(r"^- (?:\d\d:\d\d )?(?P<kind>[a-z]+): (?P<text>.+)$")


@dataclass
class Result:
    lines: int = 0
    useless: list[str] = field(default_factory=list)
    in_review: list[str] = field(default_factory=list)
    asked: int = 0
    missing: list[str] = field(default_factory=list)
    reports: int = 0
    unlogged: list[str] = field(default_factory=list)


class Day:
    """One day, played in a folder of its own."""

    def __init__(self, script: dict[str, Any], folder: Path, *, judge: bool = False) -> None:
        self._judged = judge
        self._script, self._project, self._home = script, folder / "project", folder / "home"
        (self._project / ".git").mkdir(parents=True)
        (self._project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self._project / "memory").mkdir()
        (self._project / "memory" / "working-buffer.md").touch()  # hooks write files only where they are wanted
        self._session, self._page, self._result = "", "", Result()
        self._reports: list[list[str]] = []
        """What each event reports."""
        self._done: list[str] = []
        """What each tool did, with its output."""

    def play(self) -> Result:
        variables = {"COMMONPLACE_HOME": str(self._home), "COMMONPLACE_CONFIG": os.devnull}
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        try:
            for session in self._script["sessions"]:
                self._session = session["session"]
                self._start(session.get("start", "startup"))
                for event in session["events"]:
                    self._event(event)
                    if self._judged and ("prompt" in event or "answer" in event):
                        with self._book() as book:
                            book.notebook_at(self._project).read_waiting()
            return self._measured()
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})

    def _send(self, name: str, host_name: str, **fields: Any) -> str:
        base = {"session_id": self._session, "cwd": str(self._project), "permission_mode": "default"}
        raw = json.dumps({**base, "hook_event_name": host_name, **fields}).encode()
        answer = json.loads(answered(name, raw, {}, self._project))
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def _start(self, source: str) -> None:
        self._page = self._send("session-start", "SessionStart", source=source)

    def _event(self, event: dict[str, Any]) -> None:
        if "prompt" in event:
            self._send("prompt", "UserPromptSubmit", prompt=event["prompt"])
        elif "tool" in event:
            response = {"stdout": event.get("output", ""), "exit_code": event.get("exit", 0)}
            self._send(
                "tool", "PostToolUse", tool_name=event["tool"], tool_input=event["input"], tool_response=response
            )
            called = " ".join([event["tool"], *map(str, event["input"].values())])
            if event.get("matters") or event["tool"] != "Bash":
                self._done.append(f"{called} edited works now {event.get('output', '')}")
            if event.get("matters"):
                self._reports.append([called])
        elif "answer" in event:
            self._reports.append(event.get("reports", []))
            self._send("stop", "Stop", last_assistant_message=event["answer"])
        elif "compact" in event:
            self._send("pre-compact", "PreCompact", trigger="auto")
            self._send("post-compact", "PostCompact", trigger="auto", compact_summary=event["compact"])
            self._start("compact")
        elif "end" in event:
            self._send("session-end", "SessionEnd", reason=event["end"])
        elif "page" in event:
            self._look(event["page"])

    def _look(self, page: dict[str, Any]) -> None:
        shown = self._page.casefold()
        for part, wanted in page.items():
            for words in wanted if part == "decisions" else [wanted]:
                self._result.asked += 1
                if absent := [word for word in words if word.casefold() not in shown]:
                    self._result.missing.append(f"{part}: {', '.join(absent)}")

    def _measured(self) -> Result:
        result, logged = self._result, list(self._log())
        for text in logged:
            result.lines += 1
            if not any(_holds(" ".join(reports), text) for reports in (*self._reports, *([did] for did in self._done))):
                result.useless.append(text)
        for report in [report for reports in self._reports for report in reports]:
            result.reports += 1
            if not any(_holds(text, report) for text in logged):
                result.unlogged.append(report[:100])
        with self._book() as book:
            waiting = [item.memory.text for item in book.review.list()]
        result.in_review = [text for text in waiting if any(_holds(text, line) for line in logged)]
        return result

    def _book(self) -> Commonplace:
        settings = Settings.load(start=self._project, overrides={"home": self._home, "embedder": "none"})
        return Commonplace.open(namespace=namespace_for(self._project, settings)[0], settings=settings)

    def _log(self) -> Iterator[str]:
        for file in sorted((self._project / "memory").glob("2*.md")):
            for line in file.read_text("utf-8").splitlines():
                match = LOG_LINE.match(line)
                if match and match["kind"] != "session":
                    yield match["text"]


def _holds(text: str, part: str) -> bool:
    """Whether most words of the part stand in the text."""
    words = WORD.findall(part.casefold())
    there = set(WORD.findall(text.casefold()))
    return bool(words) and sum(word in there for word in words) >= ENOUGH * len(words)


def played(path: Path, *, judge: bool = False) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        return Day(json.loads(path.read_text("utf-8")), Path(folder), judge=judge).play()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(DAYS.glob("*.json")))
    parser.add_argument("--show", action="store_true", help="name every line that failed")
    parser.add_argument("--judge", action="store_true", help="read the messages with the judge")
    options = parser.parse_args(arguments)
    for path in options.files:
        result = played(path, judge=options.judge)
        useful = result.lines - len(result.useless)
        on_page = result.asked - len(result.missing)
        print(
            f"{path.stem}: {useful} of {result.lines} log lines report work, {len(result.in_review)} in review, "
            f"{result.reports - len(result.unlogged)} of {result.reports} reports logged, "
            f"{on_page} of {result.asked} things on the pages after interruptions"
        )
        if options.show:
            named = {"useless": result.useless, "review": result.in_review, "missing": result.missing}
            for name, lines in {**named, "not logged": result.unlogged}.items():
                for line in lines:
                    print(f"  {name}: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
