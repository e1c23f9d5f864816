"""A person's scopes in shared namespaces. Light enough for a hook to import."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from commonplace.errors import KeyringError, NotAllowed
from commonplace.memories.member_store import READER, MemberStore
from commonplace.memories.scope import Scope
from commonplace.model import PERSONAL
from commonplace.store.frozen import changed
from commonplace.store.ports import Store
from commonplace.store.transaction import Transaction

DEFAULT = "default"
OWN = (PERSONAL, DEFAULT)
"""Namespaces that are never shared."""
SHARED = "shared"
"""The field in the encrypted row of a member's namespace that names the shared one."""


def home(scope: Scope) -> Scope:
    """The person's own scope, from any namespace."""
    return scope.home or scope


def resolved(scope: Scope) -> Scope:
    """The scope for its namespace: a member's scope if it is shared. Raises ``NotAllowed`` for a former member."""
    if scope.member is not None or scope.namespace in OWN:
        return scope
    plain = plain_namespace(scope, scope.namespace)
    owner = None if plain is None else plain.get(SHARED)
    return scope if owner is None else member_scope(scope, owner, scope.namespace)


def capturing(scope: Scope) -> Scope:
    """Where hooks store messages: in the namespace, or in the person's `default` if they may not write to it."""
    try:
        there = resolved(scope)
    except NotAllowed:
        return scope.within(DEFAULT)
    return scope.within(DEFAULT) if there.role == READER else there


def member_scopes(scope: Scope, names: Mapping[str, str]) -> list[Scope]:
    """The scopes of those shared namespaces (name → owner) of which the person is still a member."""
    with scope.store.read_together([scope.owner, *names.values()]) as transactions:
        return present_scopes(scope, names, transactions)


def present_scopes(scope: Scope, names: Mapping[str, str], transactions: Sequence[Transaction]) -> list[Scope]:
    """Like ``member_scopes``, checked with the keys that open ``transactions`` see."""
    records = {transaction.owner: transaction.key_record() for transaction in transactions}
    scopes = []
    for name, owner in names.items():
        terms = scope.keychain.terms_in(owner, scope.owner, records[owner], records[scope.owner])
        if terms is not None:
            scopes.append(_scope_with(scope, owner, name, terms))
    return scopes


def member_scope(scope: Scope, owner: str, name: str) -> Scope:
    terms = scope.keychain.member_terms(owner, scope.owner)
    if terms is None:
        raise NotAllowed("you are not a member of this shared namespace", code="no_member")
    return _scope_with(scope, owner, name, terms)


def _scope_with(scope: Scope, owner: str, name: str, terms: Mapping[str, Any]) -> Scope:
    return changed(
        scope,
        store=cast("Store", MemberStore(scope.store, scope.keychain, owner, scope.owner)),
        owner=owner,
        namespace=name,
        member=scope.owner,
        role=terms["role"],
        actor=f"{scope.owner}:{scope.actor}",
        home=scope,
        reach=None,
    )


def plain_namespace(scope: Scope, name: str) -> dict[str, Any] | None:
    with scope.store.read(scope.owner) as tx:
        row = tx.namespaces.by_label(scope.vault.label("namespace", name))
    return None if row is None else dict(scope.opened(row))


def shared_namespaces(scope: Scope) -> dict[str, str]:
    """The shared namespaces that this person is a member of: name → owner."""
    with scope.store.read(scope.owner) as tx:
        return shared_in(tx, scope)


def shared_in(tx: Transaction, scope: Scope) -> dict[str, str]:
    """Like ``shared_namespaces``, within a transaction."""
    shared = {}
    for row in tx.namespaces.all():
        with suppress(KeyringError):  # `doctor` reports a row that does not open
            plain = scope.opened(row)
            if SHARED in plain:
                shared[plain["name"]] = plain[SHARED]
    return shared


def is_shared(scope: Scope, name: str) -> bool:
    return name in shared_namespaces(home(scope))
