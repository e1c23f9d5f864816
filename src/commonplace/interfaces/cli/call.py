"""One command as it was typed: its words, the settings and the book behind it, and the way its answer goes."""

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
from commonplace.errors import Invalid, NotFound
from commonplace.interfaces.cli.show import Paper, paper
from commonplace.model import Receipt
from commonplace.settings import Settings
from commonplace.workplace import namespace_for

if TYPE_CHECKING:
    from commonplace.book import Commonplace
    from commonplace.opening import Parts

Run = Callable[["Call"], None]
MORE = 20
"""Receipts looked at beyond the one asked for, as some are about nothing."""
_RECENT = re.compile(r"@([0-9]{0,3})")
PLURALS = {"kind": "kinds", "category": "categories", "tag": "tags", "status": "statuses", "source": "sources"}


class Call:
    """What a command is given. The book is opened when first asked for and closed when the command ends."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.json = bool(getattr(given, "json", False))
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
    def place(self) -> tuple[str, str]:
        """The namespace, and why it is that one."""
        return namespace_for(Path.cwd(), self.settings)

    @cached_property
    def parts(self) -> "Parts":
        """What the book stands on: for acts on the whole store, whoever owns what is in it."""
        if self.remote:
            raise Invalid("this is done where the book is: run it on the server, with --url of the book itself")
        # half of what a command takes to start
        from commonplace.opening import open_parts

        parts = open_parts(self.settings.url, self.settings)
        self._closing.callback(parts.close)
        migrated = parts.store.migrated
        if migrated is not None and migrated.way_back is not None:
            print(
                f"the book was brought from schema {migrated.found} to {migrated.now}; with the earlier release, "
                f"go back by: {migrated.way_back}",
                file=sys.stderr,
            )
        return parts

    @cached_property
    def book(self) -> "Commonplace":
        # as above
        from commonplace.book import Commonplace

        settings = self.settings
        if self.remote:
            there = Commonplace.open(settings.url, owner=settings.owner, namespace=self.place[0], settings=settings)
            return self._closing.enter_context(there)
        return Commonplace(self.parts, self.parts.scope(settings.owner, self.place[0]))

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

    # Reading

    def text(self, given: str | Sequence[str]) -> str:
        """The words of an argument; ``-`` means that they come from standard input."""
        text = given if isinstance(given, str) else " ".join(given)
        return self.file("-").removesuffix("\n") if text == "-" else text

    def file(self, name: str) -> str:
        """A text file, or standard input for ``-``."""
        try:
            return sys.stdin.read() if name == "-" else Path(name).expanduser().read_text("utf-8")
        except UnicodeDecodeError:
            raise Invalid(f"{_named(name)} is not UTF-8 text") from None
        except OSError as fault:
            raise Invalid(f"{_named(name)} cannot be read: {fault.strerror or fault}") from fault

    def id(self, given: str) -> str:
        """The id of a memory or another noun; ``@`` is what the latest receipt is about, ``@2`` the one before it."""
        return self._recent(given, lambda receipt: receipt.id)

    def ref(self, given: str) -> str:
        """The name of a receipt; ``@`` is the latest, ``@2`` the one before it."""
        return self._recent(given, lambda receipt: receipt.ref)

    def time(self, name: str, *, last: bool = False) -> datetime | None:
        """A moment: ISO 8601, or words such as ``yesterday`` and ``last March``, by the owner's clock."""
        given: str | None = getattr(self.given, name)
        if given is None:
            return None
        try:
            moment = datetime.fromisoformat(given)
        except ValueError:
            return self._said(name, given, last=last)
        return moment.replace(tzinfo=self.zone).astimezone() if moment.tzinfo is None else moment

    def filters(self) -> dict[str, Any]:
        """The fields of a ``Query`` that were given."""
        given = self.given
        named = {plural: listed(getattr(given, one)) for one, plural in PLURALS.items()}
        named["namespaces"] = listed(given.namespaces)
        times = {name: self.time(name) for name in ("since", "as_of", "known_at")}
        times["until"] = self.time("until", last=True)
        rest = {"metadata": dict(given.metadata), "directive": given.directive, "session": given.session}
        return {name: value for name, value in {**named, **times, **rest}.items() if value}

    def agreed(self, question: str) -> None:
        """Go on only if a person says so, or ``--yes`` was given."""
        if self.given.yes:
            return
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise Invalid(f"{question} This cannot be asked here: add --yes")
        print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            raise Invalid("nothing was done")

    # Answering

    def answer(self, value: Any, lines: Iterable[str] | Callable[[Paper], Iterable[str]]) -> None:
        """Print ``value`` as JSON where that was asked for, else the lines."""
        if self.json:
            # the nouns of every room: text needs none of them
            from commonplace.interfaces.json import to_json

            print(json.dumps(to_json(value), ensure_ascii=False, indent=2))
            return
        for line in lines(self.paper) if callable(lines) else lines:
            print(line)

    def receipt(self, receipt: Receipt) -> None:
        self.answer(receipt, lambda paper: paper.receipt(receipt))

    def _recent(self, given: str, named: Callable[[Receipt], str | None]) -> str:
        back = _RECENT.fullmatch(given)
        if back is None:
            return given
        wanted = int(back[1] or 1)
        names = [one for one in map(named, self.book.receipts.list(limit=wanted + MORE)) if one]
        if not 1 <= wanted <= len(names):
            raise NotFound("receipt", given)
        return names[wanted - 1]

    def _said(self, name: str, given: str, *, last: bool) -> datetime:
        # a grammar of dates in five languages
        from commonplace.text.dates import find_dates

        found = find_dates(given, self.now(), self.settings.language)
        if len(found) != 1 or found[0].text.strip() != given.strip():
            option = "--" + name.replace("_", "-")
            raise Invalid(f"{option} is not a time that can be read; write 2026-03-31, 2026-03-31T18:00 or yesterday")
        return found[0].last if last else found[0].first


def listed(given: Sequence[str]) -> list[str]:
    """Options given many times, or once with commas, as one list."""
    return [one.strip() for text in given for one in text.split(",") if one.strip()]


def _named(file: str) -> str:
    return "standard input" if file == "-" else f"the file {file}"
