"""The store as a member of a shared namespace may use it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, get_args

from commonplace.errors import NotAllowed
from commonplace.security.keys import Keychain
from commonplace.store.ports import Store
from commonplace.store.statements import BoundQuery
from commonplace.store.transaction import Transaction

MemberRole = Literal["reader", "writer", "admin"]
ROLES: tuple[MemberRole, ...] = get_args(MemberRole)
READER, WRITER, ADMIN = ROLES


class MemberStore:
    """A store whose transactions check in the keyring that the person is still a member, and may write.

    It is below every verb and interface, so that none of them can skip the check.
    """

    def __init__(self, store: Store, keychain: Keychain, owner: str, member: str) -> None:
        self._store, self._keychain, self._owner, self._member = store, keychain, owner, member

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, owner: str) -> AbstractContextManager[Transaction]:
        self._role(owner)
        return self._store.read(owner)

    def read_together(self, owners: Sequence[str]) -> AbstractContextManager[list[Transaction]]:
        for owner in owners:
            self._role(owner)
        return self._store.read_together(owners)

    def revision(self, owner: str) -> int:
        self._role(owner)
        return self._store.revision(owner)

    def write(
        self, owner: str, *, synced: bool = True, prefetch: Sequence[BoundQuery] = ()
    ) -> AbstractContextManager[Transaction]:
        need_writer(self._role(owner))
        return self._store.write(owner, synced=synced, prefetch=prefetch)

    def _role(self, owner: str) -> str:
        if owner == self._member:  # their own book, which recall searches too
            return ADMIN
        terms = self._keychain.member_terms(owner, self._member) if owner == self._owner else None
        if terms is None:
            raise NotAllowed("you are not a member of this shared namespace", code="no_member")
        return str(terms["role"])


def need_writer(role: str) -> None:
    if role == READER:
        raise NotAllowed("you may only read this shared namespace; ask an admin for the role writer", code="reads_only")
