"""One command call: its arguments, settings and book, and the output of its answer."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonplace.clock import SystemClock, zone
from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.cli.show import Columns, Paper, paper
from commonplace.lazy import LazyModule
from commonplace.model import STATUSES, Receipt
from commonplace.settings import Settings
from commonplace.trust import same_name
from commonplace.workplace import DEFAULT, Workplace, namespace_for

if TYPE_CHECKING:
    from commonplace import book as books
    from commonplace import runtime
    from commonplace.batches.report import Report
    from commonplace.interfaces import json as json_nouns
    from commonplace.protocol import Book
    from commonplace.runtime import Parts
    from commonplace.security import tokens
    from commonplace.text import dates as dates_module
else:  # loaded when first used
    books = LazyModule("commonplace.book")
    json_nouns = LazyModule("commonplace.interfaces.json")
    runtime = LazyModule("commonplace.runtime")
    dates_module = LazyModule("commonplace.text.dates")
    tokens = LazyModule("commonplace.security.tokens")

MORE = 20
"""Number of further receipts to search for ``@``, as some are about nothing."""
_ID_START = re.compile(r"[0-9a-f]{4}[0-9a-f-]{0,31}")
_MEMORY_ID = re.compile(r"@\d*|[0-9a-f-]+")
"""The beginning of an id."""
_RECENT = re.compile(r"@([0-9]{0,3})")


class Call:
    """The context of a command. The book is opened on first use and closed when the command ends."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.json = bool(getattr(given, "json", False))
        self.to_restore = False
        """Whether the book is opened for a restore, and may therefore be missing."""
        self._closing = ExitStack()

    def __enter__(self) -> "Call":
        return self

    def __exit__(self, *fault: object) -> None:
        self._closing.close()

    @cached_property
    def settings(self) -> Settings:
        shared = {name: getattr(self.given, name, None) for name in ("url", "owner", "namespace", "home")}
        if shared["home"] is not None:
            shared["home"] = Path(shared["home"]).expanduser().absolute()
        return Settings.load(overrides=shared)

    @cached_property
    def place(self) -> Workplace:
        """The namespace, and why it is used."""
        place = namespace_for(Path.cwd(), self.settings, self._has_namespace)
        if place.notice:
            print(f"note: {place.notice}", file=sys.stderr)
        return place

    def _has_namespace(self, name: str) -> bool:
        if not self.remote:
            return self.parts.scope(self.settings.owner, DEFAULT).has_namespace(name)
        settings = self.settings
        with books.Commonplace.open(settings.url, owner=settings.owner, namespace=DEFAULT, settings=settings) as there:
            return any(same_name(space.name, name) for space in there.namespaces.list())

    @cached_property
    def parts(self) -> "Parts":
        """The open store and its services, for commands on the whole store and all owners."""
        if self.remote:
            raise Invalid("this command needs the book itself: run it on the server, with --url of the book")
        parts = runtime.open_parts(self.settings.url, self.settings, to_restore=self.to_restore)
        self._closing.callback(parts.close)
        migrated = parts.store.migrated
        if migrated is not None and migrated.way_back is not None:
            print(
                f"the book was migrated from schema {migrated.found} to {migrated.now}; to return to the earlier "
                f"release, run: {migrated.way_back}",
                file=sys.stderr,
            )
        return parts

    @cached_property
    def book(self) -> "Book":
        settings = self.settings
        if self.remote:
            there = books.Commonplace.open(
                settings.url, owner=settings.owner, namespace=self.place[0], settings=settings
            )
            return self._closing.enter_context(there)
        return books.Commonplace(self.parts, self.parts.scope(settings.owner, self.place[0]))

    @property
    def remote(self) -> bool:
        """Whether the book is on a server."""
        return self.settings.book_url.startswith(("http://", "https://"))

    @cached_property
    def paper(self) -> Paper:
        return paper(sys.stdout, self.zone)

    @cached_property
    def zone(self) -> tzinfo | None:
        return zone(self.settings.timezone)

    def now(self) -> datetime:
        return SystemClock().now().astimezone(self.zone)

    def actor(self, actor: str) -> str:
        """Who did something: the name of the token in ``rest:ID``, else the part of the program."""
        part, _, id = actor.partition(":")
        name = self._token_names.get(id)
        return actor if name is None else f"{part} ({name})" if name else part

    @cached_property
    def _token_names(self) -> dict[str, str]:
        """Names of the owner's tokens by id; web sessions have none. Only available on the book's own machine."""
        if self.remote:
            return {}
        accounts = tokens.Accounts(self.parts.store, self.parts.keychain, self.parts.clock)
        return {token.id: token.name or "" for token in accounts.tokens(self.settings.owner)}

    # Reading

    def text(self, words: str | Sequence[str]) -> str:
        """The text of an argument; ``-`` reads standard input."""
        text = words if isinstance(words, str) else " ".join(words)
        return self.file("-").removesuffix("\n") if text == "-" else text

    def file(self, name: str) -> str:
        """The content of a text file, or of standard input for ``-``."""
        try:
            return sys.stdin.read() if name == "-" else Path(name).expanduser().read_text("utf-8")
        except UnicodeDecodeError:
            raise Invalid(f"{_named(name)} is not UTF-8 text") from None
        except OSError as fault:
            raise Invalid(f"{_named(name)} cannot be read: {fault.strerror or fault}") from fault

    def id(self, text: str) -> str:
        """The id of a memory or another noun; ``@`` is the one of the latest receipt, ``@2`` of the one before."""
        by_query = hasattr(self.given, "query")
        if len(text.split()) > 1 or (by_query and not _MEMORY_ID.fullmatch(text)):
            raise _not_an_id(by_query=by_query)
        id = self._recent(text, lambda receipt: receipt.id)
        if not _ID_START.fullmatch(id):
            return id
        return _only(id, [memory.id for memory in self.book.browse(after=id, newest=False, limit=2, statuses=STATUSES)])

    def ref(self, text: str) -> str:
        """The ref of a receipt; ``@`` is the latest, ``@2`` the one before."""
        ref = self._recent(text, lambda receipt: receipt.ref)
        if not _ID_START.fullmatch(ref):
            return ref
        return _only(ref, [receipt.ref for receipt in self.book.receipts.list(limit=1000)])

    def time(self, name: str, *, last: bool = False) -> datetime | None:
        """A time: ISO 8601, or words such as ``yesterday`` and ``last March``, on the owner's clock."""
        text: str | None = getattr(self.given, name)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return self._said(name, text, last=last)
        return moment.replace(tzinfo=self.zone).astimezone() if moment.tzinfo is None else moment

    def keywords(self, *without: str) -> dict[str, Any]:
        """The given arguments as keywords for the verb; absent ones are left to its defaults."""
        takes: dict[str, str] = self.given.takes
        values = {name: self._value(name, read_as) for name, read_as in takes.items() if name not in without}
        return {name: value for name, value in values.items() if value not in (None, [], {})}

    def _value(self, name: str, read_as: str) -> Any:
        value = getattr(self.given, name)
        if value in (None, []):
            return None
        if read_as in ("time", "end"):
            return self.time(name, last=read_as == "end")
        readers: dict[str, Callable[[Any], Any]] = {
            "id": self.id,
            "ids": lambda ids: list(map(self.id, ids)),
            "receipt": self.ref,
            "entity": lambda name: self.book.graph.entity(name).id,
            "text": self.text,
            "file": self.file,
            "list": listed,
            "pairs": dict,
        }
        return readers[read_as](value) if read_as else value

    def agreed(self, question: str) -> None:
        """Continue only if a person confirms, or with ``--yes``."""
        if self.given.yes:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise Invalid(f"{question} Not an interactive terminal; pass --yes")
        print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            raise Invalid("nothing was done")

    # Answering

    def answer(self, value: Any, lines: Iterable[str] | Callable[[Paper], Iterable[str]]) -> None:
        """Print ``value`` as JSON with ``--json``, else the lines."""
        if self.json:
            print(json.dumps(json_nouns.to_json(value), ensure_ascii=False, indent=2))
            return
        for line in lines(self.paper) if callable(lines) else lines:
            print(line)

    def table(
        self,
        rows: Sequence[Any],
        columns: Columns,
        *,
        value: Any = None,
        more: str | None = None,
        spare: Sequence[str] = (),
    ) -> None:
        """Print rows, with columns as for ``Paper.cells``; ``value`` is the JSON if it differs.

        ``more`` is the option that continues a list after ``--limit`` rows; empty if there is none. ``spare`` are
        columns that a narrow terminal omits.
        """

        def lines(paper: Paper) -> Iterable[str]:
            cells = [paper.cells(row, columns) for row in rows]
            yield from paper.table(tuple(columns), [list(row.values()) for row in cells], spare=spare)
            if more is not None:
                yield from paper.more(rows, self.given.limit, more or None)

        self.answer(rows if value is None else value, lines)

    def receipt(self, receipt: Receipt) -> None:
        self.answer(receipt, lambda paper: paper.receipt(receipt))

    def report(self, report: "Report") -> None:
        """What an act did or would do."""
        self.answer(named(report.receipt, report), lambda paper: paper.report(report))

    def proposal_or_receipt(self, result: Receipt | Proposal) -> None:
        """What was done; or what a description may mean, if nothing was done."""
        if isinstance(result, Receipt):
            self.receipt(result)
            return
        shown = (*result.targets, *result.alternatives)
        lines = [f"{target.id}  {target.confidence:.2f}  {' '.join(target.text.split())}" for target in shown]
        self.answer(result, [f"Nothing was changed: {'; '.join(result.reasons)}. Choose with --choose ID:", *lines])

    def _recent(self, text: str, name_of: Callable[[Receipt], str | None]) -> str:
        back = _RECENT.fullmatch(text)
        if back is None:
            return text
        number = int(back[1] or 1)
        names = [name for name in map(name_of, self.book.receipts.list(limit=number + MORE)) if name]
        if not 1 <= number <= len(names):
            raise NotFound("receipt", text)
        return names[number - 1]

    def _said(self, name: str, text: str, *, last: bool) -> datetime:
        dates = dates_module.find_dates(text, self.now(), self.settings.language)
        if len(dates) != 1 or dates[0].text.strip() != text.strip():
            option = "--" + name.replace("_", "-")
            raise Invalid(f"{option} is not a time; write for example 2026-03-31, 2026-03-31T18:00 or yesterday")
        return dates[0].last if last else dates[0].first


def named(id: str | None, noun: Any) -> dict[str, Any]:
    """A noun's JSON, with its id first."""
    return {"id": id, **json_nouns.to_json(noun)}


def _not_an_id(*, by_query: bool) -> NotFound:
    """The error for text instead of an id; the text is not repeated, because it may be a memory's."""
    fault = NotFound("memory", "by those words")
    way = "describe the memory with --query '…'" if by_query else "find its id with `commonplace recall '…'`"
    fault.args = (f"this is not an id; {way}",)
    return fault


def _only(start: str, ids: Sequence[str]) -> str:
    """The only id that begins with ``start``; if none does, ``start`` itself, for the verb to refuse. Raises
    ``Invalid`` for several.
    """
    matches = [id for id in ids if id.startswith(start)]
    if len(matches) > 1:
        raise Invalid(f"several ids begin with {start}; write more of it")
    return matches[0] if matches else start


def listed(options: Sequence[str]) -> list[str]:
    """Options given repeatedly, or once with commas, as a list."""
    return [value.strip() for text in options for value in text.split(",") if value.strip()]


def _named(file: str) -> str:
    return "standard input" if file == "-" else f"the file {file}"
