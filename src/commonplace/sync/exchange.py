"""Synchronises two books: pull pages, push pages, and save a cursor after each."""

import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname

from commonplace.batches.report import Report
from commonplace.clock import moment
from commonplace.errors import Invalid, NotAllowed, NotFound
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import write_transaction
from commonplace.store.locks import held
from commonplace.store.ports import Progress
from commonplace.sync import outgoing
from commonplace.sync.incoming import Applied, apply, clean_own
from commonplace.sync.outgoing import SEALED, Cursor, SyncPage, hidden_name
from commonplace.sync.state import load, save

FORMAT, VERSION = "commonplace-sync", 1
MOST_ROUNDS = 4
NO_KEY = (
    "Namespaces marked private stay here: another of your machines made a sync key. Run `commonplace sync key` there, "
    "and set COMMONPLACE_SYNC_KEY to it here."
)


class Peer(Protocol):
    """Another book, wherever it is."""

    def hello(self) -> dict[str, Any]:
        """Format, version, owner, the end of the change feed, the time of the owner's last erasure, and the run id."""

    def changes(self, cursor: Cursor) -> SyncPage:
        """The next page after ``cursor``."""

    def apply(self, lines: Sequence[str]) -> Applied:
        """Apply a page; durable when this returns."""

    def finish(self, record: dict[str, Any]) -> None:
        """Record who exchanged what, for the status there."""


class LocalPeer:
    """A local book as a sync peer."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def hello(self) -> dict[str, Any]:
        scope = self._scope
        clean_own(scope)
        with scope.store.read(scope.owner) as tx:
            answer = {"format": FORMAT, "version": VERSION, "owner": scope.owner, "sequence": tx.changes.last()}
            return answer | {"erased": erased_at(scope), "run": load(scope, tx).get("run")}

    def changes(self, cursor: Cursor) -> SyncPage:
        return outgoing.page(self._scope, cursor)

    def apply(self, lines: Sequence[str]) -> Applied:
        need_person(self._scope)
        return apply(self._scope, lines)

    def finish(self, record: dict[str, Any]) -> None:
        with self._scope.store.write(self._scope.owner) as tx:
            state = load(self._scope, tx)
            state["peers"][f"machine/{record['id']}"] = record
            save(self._scope, tx, state)


def need_person(scope: Scope) -> None:
    if not scope.person:
        raise NotAllowed("syncing a book needs a person's token; an agent may not do it", code="needs_person")


def erased_at(scope: Scope) -> int | None:
    return max(
        (entry.at for entry in scope.store.ledger.entries(scope.owner) if entry.act == "erase-owner"), default=None
    )


def sync(
    scope: Scope,
    peer: Peer,
    address: str,
    *,
    key: bytes | None = None,
    restart: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Synchronise both books. After an interruption the next call continues; repeating it changes nothing."""
    need_person(scope)
    exchange = _Exchange(scope, peer, address, key, progress)
    exchange.begin(restart=restart)
    for _ in range(MOST_ROUNDS):
        exchange.pull()
        if not exchange.push():
            break
    return exchange.end()


class _Exchange:
    def __init__(self, scope: Scope, peer: Peer, address: str, key: bytes | None, progress: Progress | None) -> None:
        self._scope, self._peer, self._address, self._key, self._progress = scope, peer, address, key, progress
        self._record: dict[str, Any] = {}
        self._counts: Counter[str] = Counter()

    def begin(self, *, restart: bool) -> None:
        """Check who the peer is, and whether the books may be synchronised. Raises before anything is exchanged."""
        clean_own(self._scope)
        run = self._scope.clock.new_id()
        state = self._update(lambda state: state.update(run=run, id=state.get("id") or run))
        hello = self._peer.hello()
        if hello.get("format") != FORMAT:
            raise Invalid(f"{self._address} is not a Commonplace book", code="not_a_book")
        if hello["version"] > VERSION:
            raise Invalid(f"{self._address} uses a newer release; update this machine first", code="newer_peer")
        if hello["run"] == run:
            raise Invalid(f"{self._address} is this same book; pass another one", code="same_book")
        record: dict[str, Any] = {} if restart else state["peers"].get(self._address, {})
        if record.get("owner", hello["owner"]) != hello["owner"]:
            raise NotAllowed(
                f"{self._address} was {record['owner']!r}'s until now, and the token is {hello['owner']!r}'s; "
                "use the right token, or start over with --restart",
                code="other_owner",
            )
        erased = [erased_at(self._scope), hello["erased"]]
        earlier = record.get("erased", [None, None])
        if earlier != erased and not restart:
            side, at = ("here", erased[0]) if erased[0] != earlier[0] else ("there", erased[1])
            raise NotAllowed(
                f"everything was erased {side} on {moment(at or 0):%Y-%m-%d}; erase the other side too (`commonplace "
                "erase`), or bring both together again with --restart",
                code="erased",
            )
        fresh: dict[str, Any] = {"sent": 0, "received": 0, "pulled": {}, "pushed": {}}
        self._record = fresh | record | {"owner": hello["owner"], "erased": erased, "id": state["id"]}
        if hello["sequence"] < self._record["pulled"].get("sequence", 0):
            self._record |= {"pulled": {}, "pushed": {"walk": ""}}  # an older copy was restored there
        if self._key is not None:
            if not self._record.get("keyed", True):
                self._record["pushed"] = {"walk": ""}  # private namespaces were left out so far
            # Records that arrived before the key.
            with self._scope.store.read(self._scope.owner) as tx:
                rows = tx.traces.page(SEALED, limit=outgoing.MOST_SEALED)
                blobs = [(row.id, row.target or "", self._scope.opened(row)) for row in rows]
            for id, name, blob in blobs:
                lines = outgoing.unseal(self._key, name, blob["data"])
                if lines is not None:
                    apply(self._scope, lines)
                    with self._scope.store.write(self._scope.owner) as tx:
                        tx.traces.delete(ids=[id])
        self._record["keyed"] = self._key is not None

    def pull(self) -> None:
        more = True
        while more:
            page = self._peer.changes(self._record["pulled"])
            pushed = self._record["pushed"]
            if page.lines:
                applied = apply(self._scope, page.lines, key=self._key)
                self._counts.update(applied.counts)
                self._record["received"] += sum(applied.counts.values())
                if applied.echo and pushed.get("sequence", 0) == applied.before and pushed.get("walk") is None:
                    pushed["sequence"] = applied.after
            self._record["pulled"] = page.cursor
            self._save()
            more = page.more

    def push(self) -> bool:
        """Send changes; returns whether the other side has merged versions that have to be pulled."""
        again, more = False, True
        while more:
            pulled = self._record["pulled"]
            cursor = self._record["pushed"] | {"pulled": pulled.get("sequence", 0)}
            page = outgoing.page(self._scope, cursor, key=self._key)
            if page.lines:
                applied = self._peer.apply(page.lines)
                self._record["sent"] += sum(applied.counts.values())
                self._counts["sent"] += sum(applied.counts.values())
                if applied.echo and pulled.get("sequence", 0) == applied.before and pulled.get("walk") is None:
                    pulled["sequence"] = applied.after
                again = again or not applied.echo
            self._record["pushed"] = page.cursor
            self._save()
            more = page.more
        return again

    def end(self) -> Report:
        record = self._record
        record["at"] = self._scope.clock.now().isoformat()
        self._save()
        theirs = {"name": socket.gethostname(), "owner": self._scope.owner, "at": record["at"], "id": record["id"]}
        theirs |= {"sent": record["received"], "received": record["sent"], "pushed": record["pulled"]}
        self._peer.finish(theirs)
        counts = {name: count for name, count in self._counts.items() if count}
        notes = (NO_KEY,) if self._key is None and has_private(self._scope) else ()
        return Report(action="SYNC", at=self._scope.clock.now(), count=sum(counts.values()), counts=counts, notes=notes)

    def _save(self) -> None:
        self._update(lambda state: state["peers"].update({self._address: self._record}))
        if self._progress is not None:
            self._progress(self._record["sent"] + self._record["received"], None)

    def _update(self, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        with self._scope.store.write(self._scope.owner) as tx:
            state = load(self._scope, tx)
            change(state)
            save(self._scope, tx, state)
        return state


def has_private(scope: Scope) -> bool:
    with scope.store.read(scope.owner) as tx:
        rows = tx.namespaces.all()
    return any(scope.opened(row).get("private") for row in rows)


def lacks_key(scope: Scope) -> bool:
    """Whether to create a sync key: a namespace is private, and no machine has encrypted anything yet."""
    with scope.store.read(scope.owner) as tx:
        sealed = tx.traces.page(SEALED, limit=1)
    return not sealed and has_private(scope)


def set_private(scope: Scope, name: str, *, private: bool = True) -> None:
    """Mark a namespace: from now on it leaves this machine only encrypted. Raises ``NotFound``."""
    need_person(scope)
    with write_transaction(scope, "NAMESPACE") as work:
        row = work.tx.namespaces.by_label(work.vault.label("namespace", name))
        if row is None:
            raise NotFound("namespace", name)
        work.tx.namespaces.put(work.vault.sealed(row, scope.opened(row) | {"private": private}))
        work.record("namespace", row.id, "UPDATE", row.id)
        work.receipt(keep=False)


def stored_key(scope: Scope, key: bytes | None = None) -> bytes | None:
    """The stored sync key; ``key`` is stored first if given."""
    with scope.store.write(scope.owner) as tx:
        state = load(scope, tx)
        if key is not None and state.get("key") != key.hex():
            save(scope, tx, state | {"key": key.hex()})
            return key
        return bytes.fromhex(state["key"]) if "key" in state else None


FOLDER_BOOK = "commonplace.db"


def book_file(url: str) -> Path:
    """The book of a ``file:///…`` address: the file itself, or the one in a folder. Raises ``Invalid``."""
    parts = urlsplit(url)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise Invalid("sync takes https://… of a server, or file:///… of a folder or a book", code="not_a_book")
    path = Path(url2pathname(parts.path))
    return path if path.is_file() else path / FOLDER_BOOK


@contextmanager
def folder(path: Path, owner: str, key: bytes | None) -> Iterator[tuple[str, str, str | None]]:
    """Open a shared folder: yields the URL of its book, the owner in it, and the master key if derived from the sync
    key.
    """
    if not path.parent.is_dir():
        raise Invalid(f"Folder not found: {path.parent}", code="not_a_book")
    own = path.name != FOLDER_BOOK
    if key is None and not own:
        raise Invalid(f"{path.parent} is encrypted; pass the sync key of the machine that made it", code="needs_key")
    with held(path.with_name(f"{path.name}.sync-lock")):
        master = None if own or key is None else hidden_name(key, "folder") + hidden_name(key, "folder/2")
        yield f"sqlite:///{path}", owner if own else "me", master
