"""Bringing in what a reader found: through the gateway, in batches, and never the same thing twice."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from commonplace.errors import Invalid, Refused
from commonplace.interfaces.importers.formats import FORMATS, read
from commonplace.interfaces.importers.found import Found, FoundRelation, Note, Problem, Skipped, Talk
from commonplace.memories.graph import LABEL_LIMIT, PREDICATE_LIMIT, PREDICATES
from commonplace.protocol import Book

BATCH = 200
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How much was new, known before, or could not be read; ``problems`` name the file and the line."""

    format: str
    counts: Mapping[str, int]
    problems: tuple[Problem, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    """What was left out on purpose, and how many of each."""
    dry_run: bool = False


def bring_in(
    book: Book,
    format: str,
    path: Path,
    *,
    dry_run: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Read ``path`` as ``format`` and keep what is new, as candidates. With ``strict`` a problem refuses the whole.

    Raises ``Invalid`` for an unknown format, a path that is not there, or (``strict``) the first problem.
    """
    if format not in FORMATS:
        raise Invalid(f"no format is called {format!r}; there are {', '.join(FORMATS)}")
    if not path.exists():
        raise Invalid(f"{path} is not there; name the file or folder to import")
    problem = next((item for item in read(format, path) if isinstance(item, Problem)), None) if strict else None
    if problem is not None:
        raise Invalid(f"{problem.place} {problem.what}; nothing was imported")
    target = _Target(book.acting_as(f"import:{format}", source="import", person=False), format, dry_run)
    done, items = 0, read(format, path)
    while batch := list(islice(items, BATCH)):
        target.take(batch)
        done += len(batch)
        if progress is not None:
            progress(done, None)
    if not done:
        target.take([Problem(place=path.name, what=f"holds nothing to import as {format}")])
    counts = {name: count for name, count in target.counts.items() if count}
    skipped = dict(target.skipped)
    problems = tuple(target.problems)
    return Imported(format=format, counts=counts, problems=problems, skipped=skipped, dry_run=dry_run)


class _Target:
    def __init__(self, book: Book, format: str, dry_run: bool) -> None:
        self._book, self._format, self._dry_run = book, format, dry_run
        self.counts: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self.skipped: Counter[str] = Counter()

    def take(self, batch: Iterable[Found]) -> None:
        notes: dict[str, Note] = {}
        for item in batch:
            if isinstance(item, Problem):
                self.problems.append(item)
                self.counts["problems"] += 1
            elif isinstance(item, Skipped):
                self.skipped[item.what] += item.number
            elif isinstance(item, Note):
                # what tells a note from every other, wherever its file lies now
                text = f"{self._format}\0{item.text}".encode("utf-8", "surrogatepass")
                notes.setdefault(sha256(text).hexdigest()[:32], item)
            elif isinstance(item, Talk):
                self._talk(item)
            else:
                self._tie(item)
        for mark, note in notes.items():
            if self._book.browse(metadata={"import": mark}, limit=1, statuses=()):
                self.counts["known before"] += 1
            elif self._dry_run:
                self.counts["notes"] += 1
            else:
                self._keep(mark, note)

    def _keep(self, mark: str, note: Note) -> None:
        metadata = {**note.metadata, "import": mark, "imported_from": self._format, "place": note.place}
        try:
            receipt = self._book.remember(
                note.text,
                category=note.category,
                tags=note.tags,
                metadata=metadata,
                valid_from=note.at,
                valid_to=note.until,
            )
        except (Refused, Invalid) as refusal:
            self._refused(note.place, refusal)
        else:
            self.counts["notes" if receipt.action == "ADD" else "known before"] += 1

    def _refused(self, place: str, refusal: Exception) -> None:
        self.problems.append(Problem(place=place, what=str(refusal)))
        self.counts["refused"] += 1

    def _talk(self, talk: Talk) -> None:
        if self._dry_run:
            stored = self._known(talk.session)
            new = sum((message.at, message.role) not in stored for message in talk.messages)
            self.counts["messages"] += new
            self.counts["known before"] += len(talk.messages) - new
            return
        origin = {"imported_from": self._format, "place": talk.place}
        messages = [replace(message, metadata={**(message.metadata or {}), **origin}) for message in talk.messages]
        try:
            receipt = self._book.observe(messages, session=talk.session)
        except (Refused, Invalid) as refusal:
            self._refused(talk.place, refusal)
            return
        self.counts["messages"] += len(receipt.ids)
        self.counts["known before"] += len(talk.messages) - len(receipt.ids)

    def _known(self, session: str) -> set[tuple[datetime | None, str]]:
        """When who said something in a conversation that was imported before."""
        turns: set[tuple[datetime | None, str]] = set()
        after = None
        while page := self._book.browse(
            kinds=["episodic"], session=session, statuses=(), after=after, limit=BATCH, newest=False
        ):
            turns |= {(memory.turn.said_at, memory.turn.role) for memory in page if memory.turn}
            after = page[-1].id
        return turns

    def _tie(self, tie: FoundRelation) -> None:
        predicate = "_".join(tie.predicate.casefold().replace("-", " ").split())[:PREDICATE_LIMIT]
        triple = tie.subject[:LABEL_LIMIT], predicate, tie.object[:LABEL_LIMIT]
        types: dict[str, Any] = {"subject_type": tie.subject_type[:32], "object_type": tie.object_type[:32]}
        graph = self._book.graph
        try:
            if graph.relations(*triple, limit=1):
                self.counts["known before"] += 1
                return
            if not self._dry_run and predicate not in PREDICATES:
                graph.declare(predicate)
            if not self._dry_run:
                graph.relate(*triple, **types)
            self.counts["relations"] += 1
        except (Refused, Invalid) as refusal:
            self._refused(tie.place, refusal)
