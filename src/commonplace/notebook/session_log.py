"""Writes what a session did, from the assistant's answers: log, next steps, tasks, lessons, and how it ended."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta

from commonplace.errors import Invalid, NotFound, Refused
from commonplace.memories import admission
from commonplace.notebook import corrections, files, grammar
from commonplace.notebook.answers import EDITED, LOGGED, AnswerLine, Labeller, Matcher, read_answer, shortened
from commonplace.notebook.commands import same_run
from commonplace.notebook.lines import Block, blocks
from commonplace.notebook.mentions import says
from commonplace.notebook.pages import Pages, Written
from commonplace.notebook.writer import NotebookWriter, NotedLine
from commonplace.text.identifiers import identifiers
from commonplace.text.normal import normal
from commonplace.text.sentences import typed_sentences
from commonplace.text.words import content_words

SHARED_WORDS = 2
"""Minimum content words shared by a fix and its failure."""
FINISHED_SHARE = 0.75
"""Minimum share of a task's content words in a report that finishes it."""
MEANT = 0.93
"""The judge's minimum probability that a report is about a task."""
_WORKS = re.compile(r"(?P<run>\w+: .* works now.*) \((?P<since>\d\d:\d\d)\)$")
"""A log line about a failed run that works now."""
_TOOL = re.compile(r"\w+: \S")
_SETTLED = re.compile(r"(?P<told>(?!\w+: )(?!.* – ).*) \(\d\d:\d\d\)$")
"""What an answer said about a failed run that works now; how it was fixed is still unknown."""
SHOWN = 3
"""Number of open items listed at the end of a session; the rest is counted."""


class FileWriter:
    """Writes to the files only, while the book is unreachable."""

    def __init__(self, pages: Pages, max_text: int) -> None:
        self.pages, self._max_text = pages, max_text

    def admitted(self, text: str) -> str:
        """The text without secrets. Raises ``Refused`` if nothing else is left."""
        return admission.clean(text, max_text=self._max_text).text

    def todo(self, text: str) -> NotedLine:
        return NotedLine(self.pages.todo(text), None)

    def lesson(self, text: str) -> NotedLine:
        return NotedLine(self.pages.lesson(text), None)

    def note(self, text: str, *, kind: str) -> NotedLine:
        return NotedLine(self.pages.note(kind, text), None)

    def tick(self, text: str) -> str:
        return self.pages.tick(text)

    def remembers(self, text: str) -> bool:
        """Always true: without the book nothing may be replaced that a person may have written."""
        return True


class SessionLog:
    """Writes for one project. Idempotent for the same answer."""

    def __init__(
        self, writer: NotebookWriter | FileWriter, *, language: str = "en", labeller: Labeller | None = None
    ) -> None:
        self._writer, self._pages, self._language, self._labeller = writer, writer.pages, language, labeller

    def record(self, answer: str, *, at: datetime, edited: Sequence[str] = ()) -> list[Written]:
        """Write what an answer reports, dated ``at``; returns the new lines."""
        lines = []
        for line in read_answer(answer, labeller=self._labeller, edited=edited):
            with suppress(Refused):  # only a secret, or forgotten before
                lines.append(replace(line, text=self._writer.admitted(line.text)))
        # an answer often echoes the question: skip what the notebook has already
        paths = (self._pages.paths.buffer, self._pages.paths.todo, self._pages.paths.lessons)
        noted = [self._content(block.text) for path in paths for block in self._pages.blocks(path)]
        lines = [
            line
            for line in lines
            if line.kind in LOGGED or not any(words and words <= self._content(line.text) for words in noted)
        ]
        written = [entry for line in lines if line.kind != "next" for entry in self._write(line, at)]
        steps = [line.text for line in lines if line.kind == "next"]
        if steps:
            written += self._supersede("next", steps, at)
        self._in_order(at)
        self._amend_told(at)
        return [entry for entry in written if entry.new]

    def _in_order(self, at: datetime) -> None:
        """Sort the last lines of the log by time: an answer is read later than it was given."""
        path = self._pages.paths.log(at.astimezone(self._pages.zone).date())
        before = self._pages.read(path).text
        rows = before.rstrip("\n").split("\n")
        times = {
            block.line - 1: block.time or "" for block in blocks(before) if block.stamped and block.line == block.last
        }
        first = len(rows)
        while first - 1 in times:
            first -= 1
        ordered = sorted(range(first, len(rows)), key=lambda number: times[number])
        after = "\n".join([*rows[:first], *(rows[number] for number in ordered), ""])
        if ordered != list(range(first, len(rows))):
            files.replace(self._pages.paths, self._pages.home, path, before, after)

    def tool(self, kind: str, text: str, *, at: datetime) -> None:
        """Write what a tool did: ``failed``, ``fixed`` or ``done``.

        A fix replaces the same tool's failure. It is no lesson: that something works again tells no cause.
        """
        text = shortened(text)
        replaced = kind == "fixed" and self._replace_failure(
            lambda failed: same_run(failed.text, text), lambda failed: text, at
        )
        if replaced:
            self._amend_told(at, works_now=True)
            self._tick(text)
        else:
            self._write(AnswerLine(kind, text), at)  # type: ignore[arg-type]  # one of the three

    def _amend_told(self, at: datetime, *, works_now: bool = False) -> None:
        """Turn what answers said about a failed run into fixed lines, if the run works now.

        Such a line is below the run's and above the next failure of a tool. ``works_now``: the run ended just now, so
        no line of the log is later.
        """
        run = None
        for block in self._log_of(at.astimezone(self._pages.zone).date()):
            if block.kind == "fixed":
                run = _WORKS.match(block.text) or run
            elif block.kind == "failed" and _TOOL.match(block.text):
                run = None
            elif block.kind == "failed" and run and (works_now or (block.time or "") < run["since"]):
                told, report = block.text, run["run"]
                counts = all(grammar.matches("result", text) for text in (told, report))
                if counts or self._content(told) & self._content(report):
                    self._replace_failure(_reads(told), lambda failed: failed.text, at)

    def close(self, reason: str, *, at: datetime) -> None:
        """Write how a session ended: the state into the buffer; open items and the next step into the log."""
        self.write_state(at)
        failing = [
            block.text for block in self._log_of(at.astimezone(self._pages.zone).date()) if block.kind == "failed"
        ]
        buffer = self._pages.blocks(self._pages.paths.buffer)
        blockers = [block.text for block in buffer if block.kind == "blocker"]
        steps = [block.text for block in buffer if block.kind == "next"]
        tasks = [block.text for block in self._pages.blocks(self._pages.paths.todo) if block.done is False]
        parts = [f"ended ({reason})"]
        ends = [*failing, *blockers, *tasks]
        if ends:
            remaining = f" and {len(ends) - SHOWN} more" if len(ends) > SHOWN else ""
            parts.append("open: " + ", ".join(text.rstrip(".") for text in ends[:SHOWN]) + remaining)
        if steps:
            parts.append("next: " + steps[-1].rstrip("."))
        self._pages.log("session", "; ".join(parts), at=at)

    def write_state(self, at: datetime) -> None:
        """Write the state of the work, from the latest log, unless it is there already."""
        today = at.astimezone(self._pages.zone).date()
        day = max((day for day in self._pages.paths.days() if day <= today), default=today)
        log = [block for block in self._log_of(day) if block.kind in LOGGED and block.stamped]
        reports = [block for block in log if block.kind != "failed"]
        blocks = [block for block in reports if not block.text.startswith(EDITED)] or reports
        buffer = self._pages.blocks(self._pages.paths.buffer)
        states = [block for block in buffer if block.kind == "state" and block.stamped]
        written = max(((str(block.day), str(block.time)) for block in states), default=("", ""))
        logged = max(((str(day), str(block.time)) for block in log), default=("", ""))
        # compared by minute: a person's note wins over a report of the same minute, our own line does not
        noted = any(self._writer.remembers(block.text) for block in states)
        if log and (logged > written or (logged == written and not noted)):
            failing = [f"failing: {block.text}" for block in log if block.kind == "failed"]
            parts = [*(block.text for block in blocks[-1:]), *failing[-1:]]
            self._supersede("state", ["; ".join(part.rstrip(".") for part in parts)], at)

    def hear(self, message: str, *, at: datetime) -> None:
        """Remove what the person says is done or no longer wanted from next steps, blockers and tasks."""
        for sentence in (span.text for span in typed_sentences(message)):
            over = corrections.withdrawn(sentence)
            steps = self._noted("next")
            left = [step for step in steps if not any(says(normal(step), normal(value)) for value in over)]
            if left != steps:
                self._supersede("next", left, at)
            if "?" in sentence or grammar.matches("plan", sentence):
                continue
            if any(grammar.matches(form, sentence) for form in ("told", "unblocked")):
                self._finish(sentence, at)
            elif grammar.matches("changed", sentence):  # "the dump is on the share now"
                self._unblock(sentence, at)

    def _noted(self, kind: str) -> list[str]:
        """The lines of a kind that were written into the buffer here."""
        blocks = self._pages.blocks(self._pages.paths.buffer)
        return [block.text for block in blocks if block.kind == kind and block.stamped]

    def _log_of(self, day: date) -> list[Block]:
        return self._pages.blocks(self._pages.paths.log(day))

    def _write(self, line: AnswerLine, at: datetime) -> list[Written]:
        match line.kind:
            case "fixed":
                amended = self._amend(line.text, at)
                self._finish(line.text, at)
                return amended or [self._pages.log("fixed", line.text, at=at)]
            case "task":
                return [self._writer.todo(line.text).written]
            case "lesson":
                return [self._writer.lesson(line.text).written]
            case "decision":
                return [self._writer.note(line.text, kind="decision").written]
            case "blocker":
                return [self._pages.note("blocker", line.text, at=at)]
            case _:
                written = self._pages.log(line.kind, line.text, at=at)
                if line.kind == "done" and written.new:
                    self._finish(line.text, at)
                return [written]

    def _finish(self, report: str, at: datetime) -> None:
        """Remove what a report finishes from tasks, next steps and failures."""
        ticked = self._tick(report)
        if grammar.matches("all pass", report):
            while self._replace_failure(
                lambda failed: grammar.matches("result", failed.text),
                lambda failed: f"{failed.text.rstrip('.')} – {report}",
                at,
            ):
                continue
        steps = self._noted("next")
        finished = [
            step
            for step in steps
            if self._covers(report, step)
            or any(self._covers(step, item) for item in ticked)
            or (_names(step) and _names(step) <= _names(report))
        ]
        remaining = [step for step in steps if step not in finished]
        if remaining != steps:
            self._supersede("next", remaining, at)
        self._unblock(report, at)

    def _unblock(self, report: str, at: datetime) -> None:
        """Remove blockers from the buffer that a report says are resolved."""
        over = grammar.matches("unblocked", report)
        works = over or grammar.matches("fix", report) or grammar.matches("all pass", report)
        blockers = self._noted("blocker")
        content = self._content(report)
        remaining = [
            text for text in blockers if len(content & self._content(text)) < (1 if works else SHARED_WORDS + 1)
        ]
        if over and len(blockers) == 1:
            remaining = []
        if remaining != blockers:
            self._supersede("blocker", remaining, at)

    def _covers(self, report: str, task: str) -> bool:
        """Whether a report says that a task is done: in the same words, or in others if the judge recognises it."""
        item = self._content(task)
        shared = len(item & self._content(report))
        if item and shared >= max(FINISHED_SHARE * len(item), SHARED_WORDS):
            return True
        if isinstance(self._labeller, Matcher) and not grammar.matches("failure", report):
            return self._labeller.match(task, [report])[0].meant >= MEANT
        return False

    def _amend(self, fix: str, at: datetime) -> list[Written]:
        """Turn the failure that ``fix`` is about into a fixed line, and store both as a lesson."""
        content, names = self._content(fix), _names(fix)
        own_failure = grammar.matches("failure", fix)  # "the check failed on X, which I fixed"
        names_nothing = grammar.matches("fix", fix) and grammar.matches("pronoun", fix)  # "Fixed it by …"

        def is_meant(failed: Block) -> bool:
            alike = names_nothing or len(content & self._content(failed.text)) >= SHARED_WORDS
            return bool(names & _names(failed.text)) or (not own_failure and alike)

        amended = self._replace_failure(
            is_meant, lambda failed: shortened(f"{failed.text.rstrip('.')} – {fix}"), at, settled=True
        )
        for line in amended:
            self._writer.lesson(line.text)
        return amended

    def _replace_failure(
        self,
        is_meant: Callable[[Block], bool],
        reworded: Callable[[Block], str],
        at: datetime,
        *,
        settled: bool = False,
    ) -> list[Written]:
        """Replace the latest matching failure by a fixed line; does nothing without one.

        ``settled``: also a failure whose run works now.
        """
        day = at.astimezone(self._pages.zone).date()
        for path in (self._pages.paths.log(day), self._pages.paths.log(day - timedelta(days=1))):
            before = self._pages.read(path).text
            failures = [block for block in blocks(before) if block.kind == "failed" and block.stamped]
            if settled and not any(map(is_meant, failures)):
                fixed = ((block, _SETTLED.match(block.text)) for block in blocks(before) if block.kind == "fixed")
                failures = [replace(block, text=match["told"]) for block, match in fixed if match]
            failed = next(filter(is_meant, reversed(failures)), None)
            if failed is None:
                continue
            text = reworded(failed)
            rows = before.split("\n")
            rows[failed.line - 1] = f"- {failed.time} fixed: {text} ({at.astimezone(self._pages.zone):%H:%M})"
            del rows[failed.line : failed.last]
            files.replace(self._pages.paths, self._pages.home, path, before, "\n".join(rows))
            return [Written(self._pages.paths.name(path), failed.line, "fixed", text, at, new=True)]
        return []

    def _tick(self, report: str) -> list[str]:
        """Tick the open items that a report finishes, and return them."""
        ticked: list[str] = []
        for block in self._pages.blocks(self._pages.paths.todo):
            if block.done is False and self._covers(report, block.text):
                try:
                    ticked.append(self._writer.tick(block.text))
                except (Invalid, NotFound):  # two similar items: a person has to tick them
                    break
        return ticked

    def _supersede(self, kind: str, texts: Sequence[str], at: datetime) -> list[Written]:
        """Write lines into the buffer that replace those of the same kind written here before.

        A person's note has a memory and stays.
        """
        path = self._pages.paths.buffer
        before = self._pages.read(path).text
        old = [block for block in blocks(before) if block.kind == kind and block.stamped]
        old = [block for block in old if not self._writer.remembers(block.text)]
        if {normal(block.text) for block in old} == {normal(text) for text in texts}:
            return []
        removed = {number for block in old for number in range(block.line - 1, block.last)}
        if removed:
            after = "\n".join(row for number, row in enumerate(before.split("\n")) if number not in removed)
            files.replace(self._pages.paths, self._pages.home, path, before, after)
        return [self._pages.note(kind, text, at=at) for text in texts]

    def _content(self, text: str) -> set[str]:
        return content_words(text, self._language)


def _reads(text: str) -> Callable[[Block], bool]:
    return lambda block: block.text == text


def _names(text: str) -> set[str]:
    return {name.text.casefold() for name in identifiers(text) if name.kind != "number"} | {
        code.casefold() for code in re.findall(r"`([^`]+)`", text)
    }
