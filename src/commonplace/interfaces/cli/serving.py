"""``serve``, ``mcp``, ``token`` and ``owner``."""

from contextlib import nullcontext, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, positive, several
from commonplace.lazy import LazyModule
from commonplace.model import SOURCES
from commonplace.plans import PLANS

if TYPE_CHECKING:
    from commonplace.interfaces import mcp as mcp_interface
    from commonplace.interfaces import rest
    from commonplace.security import tokens
    from commonplace.security.tokens import Account, Accounts, Token
    from commonplace.upkeep import schedule
else:  # loaded when first used
    mcp_interface = LazyModule("commonplace.interfaces.mcp")
    rest = LazyModule("commonplace.interfaces.rest")
    tokens = LazyModule("commonplace.security.tokens")
    schedule = LazyModule("commonplace.upkeep.schedule")


def serve(parser: Parser) -> None:
    parser.add_argument("--host", help="the address to listen on; default from settings (127.0.0.1)")
    parser.add_argument("--port", type=int, metavar="N", help="default from settings (8765); 0: any free port")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes; several need PostgreSQL")
    parser.runs(_serve)


def mcp(parser: Parser) -> None:
    parser.add_argument("--tools", choices=("default", "all"), default="default", help="which set of tools to list")
    parser.runs(_mcp)


def token(parser: Parser) -> None:
    group = parser.group()
    command = group.command("create", "make a token for the server; it is shown once", _create)
    command.add_argument("--name", help="what it is for")
    command.add_argument("--scope", choices=("read", "write", "admin"), default="write", help="what the token allows")
    several(command, "--only", "restrict it to these namespaces")
    command.add_argument("--expires-at", metavar="TIME", help="when it expires")
    command.add_argument("--person", action="store_true", help="for a person: what they state is verified")
    command.add_argument("--source", choices=SOURCES, metavar="SOURCE", help="the source its writes are recorded under")
    group.command("list", "the owner's tokens and connected applications, without their secrets", _list)
    group.command("revoke", "end a token or a connection at once", _revoke).add_argument("id")


def owner(parser: Parser) -> None:
    group = parser.group()
    group.command("list", "all owners", _owners)
    group.command("show", "one owner", _show).add_argument("name")
    command = group.command("set", "make an owner, or change plan, time zone or language", _set)
    command.add_argument("name")
    command.add_argument("--plan", choices=tuple(PLANS))
    command.add_argument("--timezone", metavar="ZONE", help="such as Europe/Rome")
    command.add_argument("--language", metavar="CODE", help="en, it, es, fr or de")


def _serve(call: Call) -> None:
    # Ctrl-C before the server itself listens for it: also an ordinary end
    with suppress(KeyboardInterrupt):
        rest.serve(call.settings, host=call.given.host, port=call.given.port, workers=call.given.workers)


def _mcp(call: Call) -> None:
    # a book on a server is kept in order there
    with nullcontext() if call.remote else schedule.alongside(call.parts):
        mcp_interface.run_stdio(call.book, call.given.tools)


def _accounts(call: Call) -> "Accounts":
    parts = call.parts
    return tokens.Accounts(parts.store, parts.keychain, parts.clock)


def _create(call: Call) -> None:
    arguments = call.given
    issued = _accounts(call).issue(
        call.settings.owner,
        name=arguments.name,
        scope=arguments.scope,
        namespaces=[call.book.namespaces.get(name).id for name in listed(arguments.only)],
        expires_at=call.time("expires_at"),
        person=arguments.person,
        source=arguments.source,
    )
    call.answer(
        {"id": issued.token.id, "secret": issued.secret, "token": issued.token},
        [issued.secret, f"token {issued.token.id}; it is shown this once"],
    )


def _list(call: Call) -> None:
    tokens, now = _accounts(call).tokens(call.settings.owner), call.now()
    columns = {"id": "id", "kind": _kind, "scope": "scope", "since": lambda token: call.paper.day(token.created_at)}
    call.table(tokens, columns | {"state": lambda token: _state(token, now), "name": "name"})


def _kind(token: "Token") -> str:
    kinds = {"connection": token.connection, "sign-in link": token.link, "page": token.session, "person": token.person}
    return next((kind for kind, holds in kinds.items() if holds), "agent")


def _state(token: "Token", now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "valid"


def _revoke(call: Call) -> None:
    ended = _accounts(call).revoke(call.settings.owner, call.given.id)
    call.answer(ended, [f"token {ended.id} is revoked"])


def _owners(call: Call) -> None:
    owners = _accounts(call).owners()
    columns = {"owner": "owner", "plan": "plan", "time zone": "timezone", "language": "language"}
    value = [{"id": account.owner, **_account(account)} for account in owners]
    call.table(owners, columns | {"since": lambda account: call.paper.day(account.created_at)}, value=value)


def _show(call: Call) -> None:
    account = _accounts(call).owner(call.given.name)
    call.answer({"id": account.owner, **_account(account)}, lambda paper: paper.facts(_account(account)))


def _set(call: Call) -> None:
    arguments = call.given
    account = _accounts(call).set_owner(
        arguments.name, plan=arguments.plan, timezone=arguments.timezone, language=arguments.language
    )
    call.answer({"id": account.owner, **_account(account)}, lambda paper: paper.facts(_account(account)))


def _account(account: "Account") -> dict[str, object]:
    return {
        "owner": account.owner,
        "plan": account.plan,
        "timezone": account.timezone,
        "language": account.language,
        "created_at": account.created_at,
    }
