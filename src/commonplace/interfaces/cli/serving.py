"""``serve``, ``mcp``, ``token`` and ``owner``."""

from contextlib import nullcontext, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, named
from commonplace.lazy import LazyModule

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

ACCOUNT = {name: name for name in ("owner", "plan", "timezone", "language", "created_at")}


def serve(call: Call) -> None:
    # Ctrl-C before the server itself listens for it is also a normal end
    with suppress(KeyboardInterrupt):
        rest.serve(call.settings, host=call.given.host, port=call.given.port, workers=call.given.workers)


def mcp(call: Call) -> None:
    # a server maintains its own books
    with nullcontext() if call.remote else schedule.alongside(call.parts):
        mcp_interface.run_stdio(call.book, call.given.tools)


def _accounts(call: Call) -> "Accounts":
    parts = call.parts
    return tokens.Accounts(parts.store, parts.keychain, parts.clock)


def create_token(call: Call) -> None:
    keywords = call.keywords("only")
    namespaces = [call.book.namespaces.get(name).id for name in call.keywords().get("only", ())]
    issued = _accounts(call).issue(call.settings.owner, namespaces=namespaces, **keywords)
    call.answer(
        {"id": issued.token.id, "secret": issued.secret, "token": issued.token},
        [issued.secret, f"token {issued.token.id}; it is shown only once"],
    )


def list_tokens(call: Call) -> None:
    now = call.now()
    columns = {"id": "id", "kind": _kind, "scope": "scope", "since": "created_at:day"}
    tokens = _accounts(call).tokens(call.settings.owner)
    call.table(tokens, columns | {"state": lambda token: _state(token, now), "name": "name"})


def _kind(token: "Token") -> str:
    kinds = {"connection": token.connection, "sign-in link": token.link, "page": token.session, "person": token.person}
    return next((kind for kind, holds in kinds.items() if holds), "agent")


def _state(token: "Token", now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "valid"


def revoke_token(call: Call) -> None:
    ended = _accounts(call).revoke(call.settings.owner, call.given.id)
    call.answer(ended, [f"token {ended.id} is revoked"])


def owners(call: Call) -> None:
    accounts = _accounts(call).owners()
    columns = {"owner": "owner", "plan": "plan", "time zone": "timezone", "language": "language"}
    value = [named(account.owner, account) for account in accounts]
    call.table(accounts, columns | {"since": "created_at:day"}, value=value)


def show_owner(call: Call) -> None:
    _show(call, _accounts(call).owner(call.given.name))


def set_owner(call: Call) -> None:
    _show(call, _accounts(call).set_owner(call.given.name, **call.keywords("name")))


def _show(call: Call, account: "Account") -> None:
    call.answer(named(account.owner, account), lambda paper: paper.facts(paper.cells(account, ACCOUNT)))
