"""``serve``, ``mcp``, ``token`` and ``owner``."""

from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several
from commonplace.model import SOURCES
from commonplace.plans import PLANS

if TYPE_CHECKING:
    from commonplace.security.tokens import Account, Accounts, Token


def serve(parser: Parser) -> None:
    parser.add_argument("--host", help="the address to listen on; otherwise as set (127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="N", help="otherwise as set (8765); 0: any that is free")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes; several need PostgreSQL")
    parser.runs(_serve)


def mcp(parser: Parser) -> None:
    parser.add_argument(
        "--tools", choices=("default", "all"), default="default", help="how many tools a model is shown"
    )
    parser.runs(_mcp)


def token(parser: Parser) -> None:
    group = parser.group()
    one = group.command("create", "make a token for the server; it is shown once", _create)
    one.add_argument("--name", help="what it is for")
    one.add_argument("--scope", choices=("read", "write", "admin"), default="write", help="what it may do")
    several(one, "--only", "it reaches these namespaces alone")
    one.add_argument("--expires-at", metavar="TIME", help="of no use after")
    one.add_argument("--person", action="store_true", help="a person holds it: what they state is verified")
    one.add_argument("--source", choices=SOURCES, metavar="SOURCE", help="who writes through it")
    group.command("list", "the owner's tokens, without their secrets", _list)
    group.command("revoke", "end a token at once", _revoke).add_argument("id")


def owner(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "everybody who has a book here", _owners)
    group.command("show", "one owner", _show).add_argument("name")
    one = group.command("set", "make an owner, or change plan, time zone or language", _set)
    one.add_argument("name")
    one.add_argument("--plan", choices=tuple(PLANS))
    one.add_argument("--timezone", metavar="ZONE", help="such as Europe/Rome")
    one.add_argument("--language", metavar="CODE", help="en, it, es, fr or de")


def _serve(call: Call) -> None:
    # FastAPI and uvicorn
    from commonplace.interfaces.rest import serve

    serve(call.settings, host=call.given.host, port=call.given.port, workers=call.given.workers)


def _mcp(call: Call) -> None:
    # the SDK is imported there, and much of the book here
    from commonplace.interfaces.mcp import run_stdio
    from commonplace.maintenance.schedule import alongside

    # a book on a server is kept in order there
    with nullcontext() if call.remote else alongside(call.parts):
        run_stdio(call.book, call.given.tools)


def _accounts(call: Call) -> "Accounts":
    # the ciphers
    from commonplace.security.tokens import Accounts

    parts = call.parts
    return Accounts(parts.store, parts.keychain, parts.clock)


def _create(call: Call) -> None:
    given = call.given
    made = _accounts(call).issue(
        call.settings.owner,
        name=given.name,
        scope=given.scope,
        namespaces=[call.book.namespaces.get(name).id for name in listed(given.only)],
        expires_at=call.time("expires_at"),
        person=given.person,
        source=given.source,
    )
    call.answer(
        {"id": made.token.id, "secret": made.secret, "token": made.token},
        [made.secret, f"token {made.token.id}; it is shown this once"],
    )


def _list(call: Call) -> None:
    found = _accounts(call).tokens(call.settings.owner)
    call.answer(
        found,
        lambda paper: paper.table(
            ("id", "scope", "since", "state", "name"),
            ((one.id, one.scope, paper.day(one.created_at), _state(one, call.now()), one.name) for one in found),
        ),
    )


def _state(token: "Token", now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "valid"


def _revoke(call: Call) -> None:
    ended = _accounts(call).revoke(call.settings.owner, call.given.id)
    call.answer(ended, [f"token {ended.id} is revoked"])


def _owners(call: Call) -> None:
    found = _accounts(call).owners()
    call.answer(
        [{"id": one.owner, **_account(one)} for one in found],
        lambda paper: paper.table(
            ("owner", "plan", "time zone", "language", "since"),
            ((one.owner, one.plan, one.timezone, one.language, paper.day(one.created_at)) for one in found),
        ),
    )


def _show(call: Call) -> None:
    found = _accounts(call).owner(call.given.name)
    call.answer({"id": found.owner, **_account(found)}, lambda paper: paper.facts(_account(found)))


def _set(call: Call) -> None:
    given = call.given
    made = _accounts(call).set_owner(given.name, plan=given.plan, timezone=given.timezone, language=given.language)
    call.answer({"id": made.owner, **_account(made)}, lambda paper: paper.facts(_account(made)))


def _account(account: "Account") -> dict[str, object]:
    return {
        "owner": account.owner,
        "plan": account.plan,
        "timezone": account.timezone,
        "language": account.language,
        "created_at": account.created_at,
    }
