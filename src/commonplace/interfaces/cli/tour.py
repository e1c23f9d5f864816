"""``tour``: runs the commands of ``tour.txt`` on a temporary book, to demonstrate every feature."""

import json
import shlex
import tempfile
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from textwrap import indent
from typing import Any

from commonplace.book import Commonplace
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.dispatch import parser_of
from commonplace.interfaces.cli.running import act
from commonplace.runtime import Parts, open_parts
from commonplace.settings import Settings, sqlite_url

OWNER, SECRET = "ada", "quince-marmalade"
"""A word that occurs nowhere else, to search the files for."""


def tour(call: Call) -> None:
    with tempfile.TemporaryDirectory(prefix="commonplace-tour-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        url, zone = sqlite_url(home / "book.db"), call.settings.timezone
        settings = Settings(home=home, url=url, owner=OWNER, namespace="default", timezone=zone)
        with closing(open_parts(None, settings)) as parts:
            guide = Guide(call, settings, parts)
            for step in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n\n"):
                guide.take(step.splitlines())
    call.answer({"id": "tour", "steps": guide.steps}, guide.end())


class Guide:
    """Runs the commands of each step and shows their output. With ``--json`` it only collects their answers."""

    def __init__(self, call: Call, settings: Settings, parts: Parts) -> None:
        self._call, self._settings, self._parts = call, settings, parts
        self._book = Commonplace(parts, parts.scope(OWNER, "default"))
        self._names: dict[str, str] = {}
        self._sealed: dict[str, bytes] = {}
        self._before = 0
        self.steps: list[dict[str, Any]] = []

    def take(self, lines: list[str]) -> None:
        """One step: title, description, commands. `= name` stores the id of the last change, or the time."""
        title, description, *commands = lines
        self._say(f"\n{self._call.paper.paint(f'{len(self.steps) + 1}. {title}', 'bold')}\n{description}\n")
        self.steps.append({"step": title, "answers": []})
        for line in commands:
            sign, _, words = line.partition(" ")
            if sign == "$":
                self._run(words.format(**self._names))
            else:
                self._keep(words)
        if title == "Prove it":
            # Search every file of the book for the word, and for its encrypted bytes.
            train = self._as_stored(self._names["train"])
            plain, jam, neighbour = map(self._in_files, (SECRET.encode(), self._sealed["jam"], train))
            self.steps[-1] |= {"plain": plain, "sealed_before": self._before, "sealed_after": jam}
            self.steps[-1]["sealed_neighbour"] = neighbour
            self._say(f"  “{SECRET}” in the raw files: {plain} times, as everything is sealed")
            self._say(f"  its sealed bytes, before and after it was forgotten: {self._before} times, {jam} times")
            self._say(f"  its neighbour's sealed bytes, for comparison: {neighbour} times")

    def end(self) -> Callable[..., list[str]]:
        return lambda paper: [
            "",
            paper.paint("The temporary book is gone. Begin your own:", "bold"),
            '  commonplace remember "…"      commonplace recall "…"      commonplace --help',
        ]

    def _run(self, command: str) -> None:
        self._say(self._call.paper.paint(f"  $ commonplace {command}", "blue"))
        if command.startswith("forget"):
            self._before = self._in_files(self._sealed["jam"])
        name, *words = shlex.split(command)
        arguments = parser_of(name).parse_args([*words, *(["--json"] if self._call.json else [])])
        with Call(arguments) as call, redirect_stdout(StringIO()) as printed:
            # this book and this screen, whatever the settings say
            vars(call).update(settings=self._settings, parts=self._parts, paper=self._call.paper)
            act(call)
        if self._call.json:
            self.steps[-1]["answers"].append(json.loads(printed.getvalue()))
        self._say(indent(printed.getvalue().rstrip(), "  "))

    def _keep(self, name: str) -> None:
        if name == "now":
            self._names[name] = self._call.now().isoformat()
            return
        self._names[name] = id = str(self._book.receipts.list(limit=1)[0].id)
        self._sealed[name] = self._as_stored(id)

    def _as_stored(self, id: str) -> bytes:
        """The encrypted bytes of a memory's content."""
        with self._parts.store.read(OWNER) as tx:
            return tx.memories.get([id])[0].sealed

    def _in_files(self, needle: bytes) -> int:
        """How often these bytes occur in the book's files: database, journal, keys, ledger."""
        return sum(file.read_bytes().count(needle) for file in self._settings.home.rglob("*") if file.is_file())

    def _say(self, text: str) -> None:
        if not self._call.json:
            print(text)
