"""The server on standard input and output: it serves the process that started it, and ends with it."""

import logging
import os
import sys
import threading
from dataclasses import dataclass
from functools import partial

from commonplace.errors import CommonplaceError, NotAllowed
from commonplace.interfaces.mcp.server import server
from commonplace.interfaces.mcp.tools import Tools
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.sync import Synced
from commonplace.notebook.watch import Watcher, watcher
from commonplace.protocol import Book
from commonplace.security.tokens import Scope

LOG = logging.getLogger("commonplace.mcp")
ACTOR = "mcp"
PAUSE = 1.0
"""Seconds between two looks whether the parent still lives."""
READING = 3.0
"""Seconds between two looks for messages that hooks left to be read."""


@dataclass(slots=True)
class OneBook:
    """The same owner for every call; what an assistant states through it is a candidate."""

    opened: Book
    has_files: bool = True

    def book(self, namespace: str | None, needed: Scope) -> Book:
        return self.opened if namespace is None else self.opened.within(namespace)

    def all_namespaces(self, needed: Scope) -> Book:
        return self.opened

    def whole_store(self) -> Book:
        return self.opened


def run(book: Book, tools: Tools) -> None:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)  # standard output is the protocol's alone
    _end_with_parent()
    watching = _watching(book)
    _read_beside(book)
    try:
        agent = book.acting_as(ACTOR, source="assistant", person=False)
        access = OneBook(agent)
        memory = server(access, tools)
        memory.on_first_call = partial(_first_call, access)
        memory.run("stdio")
    finally:
        if watching is not None:
            watching.close()


def _first_call(access: OneBook, tool: str, client: str | None) -> None:
    """From here on memories name the agent, and the page shows that it is connected.

    A call does not fail because that could not be written.
    """
    access.opened = access.opened.acting_as(ACTOR, source="assistant", person=False, agent=client)
    try:
        access.opened.audit.record_call(tool)
    except CommonplaceError as error:
        LOG.warning("the first call could not be written down: %s", type(error).__name__)


def _watching(book: Book) -> Watcher | None:
    try:
        return watcher(book.notebook, _picked_up)
    except NotAllowed:  # the book is on a server, and its notebook is files there
        return None


def _read_beside(book: Book) -> None:
    """Read what hooks leave for later: they may not load the judge, and this process lives as long as the session."""
    try:
        notebook = book.notebook
    except NotAllowed:
        return
    if notebook.watched:
        threading.Thread(target=_read, args=(notebook,), daemon=True, name="reading").start()


def _read(notebook: Notebook) -> None:
    while not threading.Event().wait(READING):
        try:
            notebook.read_waiting()
        except CommonplaceError as fault:  # what could not be read stays in the queue
            LOG.warning("waiting messages cannot be read: %s", type(fault).__name__)


def _picked_up(done: Synced | CommonplaceError) -> None:
    """Log a failure to read the notebook; successful edits are not logged."""
    if isinstance(done, CommonplaceError):
        LOG.warning("the notebook cannot be read in: %s", type(done).__name__)


def _end_with_parent() -> None:
    """A parent that dies closes our input, unless a sibling has inherited the other end: then this notices."""
    if not hasattr(os, "getppid") or sys.platform == "win32":
        return
    parent = os.getppid()

    def watch() -> None:
        while not threading.Event().wait(PAUSE):
            if os.getppid() != parent:
                os._exit(0)  # every acknowledged write is on disk already

    threading.Thread(target=watch, daemon=True, name="parent").start()
