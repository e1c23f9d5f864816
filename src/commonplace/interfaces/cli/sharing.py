"""``namespace`` and ``sync``: the workspaces of the owner, who shares them, and the book on other machines."""

import shlex
from collections.abc import Iterator
from typing import Any

from commonplace.errors import Invalid
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.progress import progress
from commonplace.interfaces.cli.show import Paper
from commonplace.sharing.sharing import Invitation, SharedNamespace
from commonplace.sync.state import SyncStatus


def list_(call: Call) -> None:
    columns: dict[str, Any] = {"namespace": "name", "since": "created_at:day"}
    if shared := {space.name: space for space in call.book.sharing.list()}:
        columns["shared"] = lambda row: _role_and_others(shared[row.name]) if row.name in shared else ""
    call.table(call.book.namespaces.list(), {**columns, "id": "id", "description": "description"})


def _role_and_others(shared: SharedNamespace) -> str:
    return f"{shared.role}, {len(shared.members)} members" if shared.members else "no longer a member"


def delete(call: Call) -> None:
    name = call.given.name
    call.agreed(f"Erase namespace {name!r} with all that is in it, for good?")
    call.receipt(call.book.erase(confirm=True, namespace=name))


def join(call: Call) -> None:
    offer = call.book.sharing.preview(call.given.code)
    written = "are forgotten" if offer.rule == "goes" else "stay for the others"
    call.agreed(
        f"Join {offer.namespace!r} of {offer.invited_by} as {offer.role}? When you leave, memories you wrote {written}."
    )
    shared = call.book.sharing.join(call.given.code)
    call.answer(shared, lambda paper: member_lines(paper, shared))


def member_lines(paper: Paper, shared: SharedNamespace) -> Iterator[str]:
    yield from paper.table(
        ("member", "role", "since"),
        ((member.person, member.role, paper.day(member.since)) for member in shared.members),
    )
    if shared.invitations:
        yield ""
        rows = (
            (invited.person or "anyone with the code", invited.role, paper.day(invited.expires_at), invited.id)
            for invited in shared.invitations
        )
        yield from paper.table(("invited", "role", "until", "invitation"), rows)


def invitation_lines(paper: Paper, invitation: Invitation) -> Iterator[str]:
    yield from paper.facts(
        {
            "namespace": invitation.namespace,
            "role": invitation.role,
            "for": invitation.person or "anyone with the code",
            "on leaving": f"what they wrote {invitation.rule}",
            "expires": f"{invitation.expires_at:%Y-%m-%d %H:%M} UTC",
        }
    )
    yield f"They join with: commonplace namespace join {invitation.code}"


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
