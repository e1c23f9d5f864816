"""``tour``: a guided run on a temporary book, that shows every promise a person can see."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from commonplace.book import Commonplace
from commonplace.interfaces.cli.call import Call
from commonplace.model import Message
from commonplace.runtime import open_parts
from commonplace.settings import Settings, sqlite_url

SECRET = "quince-marmalade"
"""A word that nothing else has, to look for in the file afterwards."""


def tour(call: Call) -> None:
    with tempfile.TemporaryDirectory(prefix="commonplace-tour-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        settings = Settings(home=home, timezone=call.settings.timezone)
        with Commonplace.open(sqlite_url(home / "book.db"), owner="ada", settings=settings) as book:
            guide = Guide(call, book, home)
            for part in (
                guide.remembers,
                guide.recalls,
                guide.corrects,
                guide.rolls_back,
                guide.shows_both_clocks,
                guide.relates,
                guide.writes_a_page,
                guide.forgets,
                guide.proves_it,
            ):
                part()
    call.answer({"id": "tour", "steps": guide.steps}, guide.end())


class Guide:
    """Walks through the book and says what it does. With ``--json`` it is quiet and keeps what it found."""

    def __init__(self, call: Call, book: Commonplace, home: Path) -> None:
        self._call, self._book, self._home = call, book, home
        self.steps: list[dict[str, object]] = []
        self._train = self._jam = self._forgotten = ""
        self._sealed, self._seen = b"", 0

    def remembers(self) -> None:
        self._head("Remember", "A memory is on the disk, sealed and indexed, when the command returns.")
        messages = [
            ("Ada prefers trains to planes", "preference", ["travel"]),
            ("The quarterly report is due on the last Friday of March", "fact", ["work"]),
            (f"Ada is allergic to {SECRET}", "fact", ["health"]),
        ]
        ids = []
        for text, category, tags in messages:
            self._typed(f'remember "{text}" --category {category} --tag {tags[0]}')
            receipt = self._book.remember(text, category=category, tags=tags)  # type: ignore[arg-type]
            ids.append(receipt.id or "")
        self._train, _, self._jam = ids
        self._typed('observe "I met Marco on the night train to Vienna." --speaker Ada')
        self._book.observe([Message("I met Marco on the night train to Vienna.", speaker="Ada")])
        self._found({"remembered": ids})
        self._say(f"Three memories and one episode. The first one's id is {self._train}.")

    def recalls(self) -> None:
        self._head("Recall", "By words and by meaning; every hit can say how it came to be.")
        question = "how does Ada like to travel?"
        self._typed(f'recall "{question}" --explain --limit 2')
        hits = self._book.recall(question, limit=2, explain=True)
        self._lines(list(self._call.paper.hits(hits)))
        self._found({"recalled": [hit.memory.text for hit in hits]})

    def corrects(self) -> None:
        self._head(
            "Correct", "A correction is a new version. The old value stays in history and cannot come back by itself."
        )
        self._typed(f'revise {self._train} "Ada prefers night trains to planes" --reason "she said so"')
        self._book.revise(self._train, "Ada prefers night trains to planes", reason="she said so")
        self._typed(f"history {self._train}")
        versions = self._book.history(self._train)
        self._lines(list(self._call.paper.versions(versions, str)))
        self._found({"versions": [version.memory.text for version in versions]})

    def rolls_back(self) -> None:
        self._head(
            "Roll back and undo",
            "Any version can be restored; that is a version too. A receipt takes back what it did.",
        )
        self._typed(f"rollback {self._train} --to 1")
        receipt = self._book.rollback(self._train, to=1)
        self._say(f"now: {self._book.get(self._train).text}")
        self._typed(f"undo {receipt.ref}")
        self._book.undo(receipt)
        text = self._book.get(self._train).text
        self._say(f"now: {text}")
        self._found({"after_undo": text})

    def shows_both_clocks(self) -> None:
        self._head("Two clocks", "When a thing was true, and when we learned it, are kept apart. Ask as of either.")
        self._typed('core set home "Oslo"')
        self._book.core.set("home", "Oslo")
        learned = self._call.now()
        self._typed('core set home "Turin"')
        self._book.core.set("home", "Turin")
        began, moved = datetime(2022, 1, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)
        self._typed('remember "Ada worked in Lisbon" --valid-from 2022-01-01 --valid-to 2024-05-01')
        self._book.remember("Ada worked in Lisbon", category="fact", valid_from=began, valid_to=moved)
        then = self._book.core.get("home", known_at=learned).text
        now = self._book.core.get("home").text
        self._typed("core get home --known-at <before the second one>")
        self._say(then)
        self._typed("core get home")
        self._say(now)
        question = "where does Ada work?"
        was = [hit.memory.text for hit in self._book.recall(question, limit=1, as_of=datetime(2023, 5, 2, tzinfo=UTC))]
        self._typed(f'recall "{question}" --as-of 2023-05-02 --limit 1')
        self._lines(was)
        self._found({"known_before": then, "known_now": now, "true_in_2023": was})

    def relates(self) -> None:
        self._head("Relate", "People, companies and projects, and what ties them.")
        ties = [("Giulia", "reports_to", "Marco", "person"), ("Marco", "works_at", "Quarto", "company")]
        for subject, predicate, object, type in ties:
            self._typed(f"relate {subject} {predicate} {object} --object-type {type}")
            self._book.relate(subject, predicate, object, object_type=type)
        self._typed("walk Giulia")
        lines = [
            f"{relation.subject.label} --{relation.predicate}--> {relation.object.label}"
            for relation in self._book.walk("Giulia").relations
        ]
        self._lines(lines)
        self._found({"relations": lines})

    def writes_a_page(self) -> None:
        self._head("Context", "What a model is given: fenced, labelled as data, within a budget of tokens.")
        self._typed('context "plan the trip to Vienna" --tokens 300')
        page = self._book.context("plan the trip to Vienna", tokens=300)
        self._lines(page.splitlines())
        self._found({"page": page})

    def forgets(self) -> None:
        self._head(
            "Forget", "Gone from rows, words, vectors, versions and queues; the value cannot come back by itself."
        )
        self._sealed = self._as_stored(self._jam)
        self._seen = self._in_files(self._sealed)
        before = self._names()
        self._typed(f'recall "what is she allergic to?" --limit 1   # finds “{before[0] if before else ""}”')
        self._typed(f"forget {self._jam}")
        receipt = self._book.forget(self._jam)
        self._forgotten = receipt.ref
        self._lines(list(self._call.paper.receipt(receipt)))
        after = self._names()
        self._say(f"recall now finds it: {'yes' if any(SECRET in text for text in after) else 'no'}")
        neighbour = self._book.get(self._train).text
        self._say(f"its neighbour is still there: {neighbour}")
        self._found({"before": before, "after": after, "neighbour": neighbour, "receipt": receipt.ref})

    def proves_it(self) -> None:
        self._head("Prove it", "The receipt can be checked, and so can the raw bytes on the disk.")
        self._typed(f"verify-receipt {self._forgotten}")
        check = self._book.verify_receipt(self._forgotten)
        self._say(check.summary)
        plain, sealed = self._in_files(SECRET.encode()), self._in_files(self._sealed)
        remaining = self._in_files(self._as_stored(self._train))
        self._say(f"“{SECRET}” in the raw files: {plain} times, as everything is sealed")
        self._say(f"its sealed bytes, before and after: {self._seen} times, {sealed} times")
        self._say(f"its neighbour's sealed bytes, for comparison: {remaining} times")
        self._typed("audit verify")
        audit = self._book.audit.verify()
        self._say(f"{audit.lines} lines, {'unbroken' if audit.ok else audit.problem}")
        self._found({"gone": check.gone, "state": check.state, "plain": plain, "audit": audit.ok})
        self._found({"sealed_before": self._seen, "sealed_after": sealed, "sealed_neighbour": remaining})

    def end(self) -> Callable[..., list[str]]:
        return lambda paper: [
            "",
            paper.paint("The temporary book is gone. Begin your own:", "bold"),
            '  commonplace remember "…"      commonplace recall "…"      commonplace --help',
        ]

    def _as_stored(self, id: str) -> bytes:
        """The bytes a memory's words are sealed into."""
        settings = self._book.settings
        with closing(open_parts(sqlite_url(self._home / "book.db"), settings)) as parts, parts.store.read("ada") as tx:
            return tx.memories.get([id])[0].sealed

    def _in_files(self, needle: bytes) -> int:
        """How often these bytes stand in any file of the book: database, journal, keys, ledger."""
        return sum(file.read_bytes().count(needle) for file in self._home.rglob("*") if file.is_file())

    # What it says

    def _head(self, title: str, description: str) -> None:
        if not self._call.json:
            number = len(self.steps) + 1
            print(f"\n{self._call.paper.paint(f'{number}. {title}', 'bold')}\n{description}\n")
        self.steps.append({"step": title})

    def _typed(self, command: str) -> None:
        if not self._call.json:
            print(self._call.paper.paint(f"  $ commonplace {command}", "blue"))

    def _say(self, sentence: str) -> None:
        self._lines([sentence])

    def _lines(self, lines: Sequence[str]) -> None:
        if not self._call.json:
            for line in lines:
                print("  " + line.replace("\n", "\n  "))

    def _found(self, facts: dict[str, object]) -> None:
        self.steps[-1].update(facts)

    def _names(self) -> list[str]:
        return [hit.memory.text for hit in self._book.recall("what is she allergic to?", limit=1)]
