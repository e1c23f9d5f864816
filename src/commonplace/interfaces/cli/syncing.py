"""``sync``: the same book on several machines."""

import shlex
from collections.abc import Iterator

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.sync.state import SyncStatus


def sync(call: Call) -> None:
    arguments = call.given
    if (arguments.address == "private") != (arguments.name is not None):
        raise Invalid("name one address, or `private` and a namespace")
    if arguments.address == "private":
        _show(call, call.book.sync_private(arguments.name, private=not arguments.off))
    elif arguments.address == "status":
        _show(call, call.book.sync_status())
    elif arguments.address == "key":
        key = call.book.sync_key
        call.answer({"key": key}, lambda paper: [f"COMMONPLACE_SYNC_KEY={key}" if key else "No sync key was made yet."])
    else:
        with progress("syncing") as show:
            outcome = call.book.sync(arguments.address, restart=arguments.restart, progress=show)
        call.report(outcome)


def _show(call: Call, status: SyncStatus) -> None:
    call.answer(status, lambda paper: _lines(paper, status))


def _lines(paper: Paper, status: SyncStatus) -> Iterator[str]:
    if status.peers:
        rows = [
            (peer.address, paper.time(peer.last_at) or "never", peer.waiting, peer.sent, peer.received)
            for peer in status.peers
        ]
        yield from paper.table(("with", "last", "waiting", "sent", "received"), rows)
    else:
        yield "Not synced with any other book yet."
    if status.conflicts:
        yield f"conflicts in review: {status.conflicts}"
        yield from (f"  commonplace review list --namespace {shlex.quote(name)}" for name in status.conflicts_in)
    if status.private:
        yield f"private: {', '.join(status.private)}"
