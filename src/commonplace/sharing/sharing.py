"""Sharing a namespace: invite, join, leave, remove, hand over.

A shared namespace is an owner of its own, with its own keys, rows and audit. Its keys are wrapped for each member's
key. In a member's own book a namespace of the same name points to it.
"""

import base64
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, get_args

from commonplace import plans
from commonplace.copies.export import export
from commonplace.copies.import_lines import import_lines
from commonplace.copies.spool import EncryptedLines
from commonplace.errors import Conflict, Invalid, KeyringError, NotAllowed, NotFound
from commonplace.memories import admission
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.member_store import ADMIN, ROLES, MemberRole
from commonplace.memories.membership import OWN, SHARED, home, member_scope, plain_namespace, shared_namespaces
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import PERSONAL, Query, Receipt
from commonplace.plans import Feature
from commonplace.security.keys import invitation_id
from commonplace.upkeep.keys import rekey

PREFIX = "shared-"
SHARING = "sharing"
"""A name in the sealed row of a namespace: what it is being copied to."""
LeavingRule = Literal["stays", "goes"]
RULES: tuple[LeavingRule, ...] = get_args(LeavingRule)
"""What becomes of a member's memories when they leave: they stay for the others, or are forgotten."""
VALID = timedelta(days=7)
CODE = re.compile(r"([0-9a-f-]{36})\.([a-z2-7]{26})")
"""The namespace's own id and sixteen secret bytes."""
PAGE = 500
NAME_TAKEN = "you have a namespace of that name of your own: rename it (`namespace revise … --rename …`), then join"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    person: str
    role: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """``code`` lets one person in, until it expires. ``rule`` says what becomes of their memories when they leave."""

    id: str
    namespace: str
    role: str
    rule: str
    invited_by: str
    expires_at: datetime
    person: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedNamespace:
    name: str
    role: str
    rule: str
    members: tuple[Member, ...]
    invitations: tuple[Invitation, ...] = ()
    """Open invitations, without their codes; only for an admin."""


class Sharing:
    """The shared namespaces of one person; verbs take names."""

    def __init__(self, scope: Scope, plan: str) -> None:
        self._scope, self._plan = home(scope), plan

    def list(self) -> builtins.list[SharedNamespace]:
        """The shared namespaces of this person, by name."""
        return [self._described(name, owner) for name, owner in sorted(shared_namespaces(self._scope).items())]

    def get(self, name: str) -> SharedNamespace:
        return self._described(name, self._owner(name))

    def share(
        self, name: str, *, person: str | None = None, role: MemberRole = "writer", rule: LeavingRule = "stays"
    ) -> Invitation:
        """Invite a person to a namespace; it becomes a shared one with the first invitation, with all that is in it.

        ``rule`` is chosen then, for everybody. Raises ``NotInPlan``, ``NotAllowed`` for an agent or who is no admin.
        """
        plans.require(self._plan, Feature.SHARING)
        self._need_person("sharing a namespace")
        if role not in ROLES or rule not in RULES:
            raise Invalid(f"role is one of {', '.join(ROLES)}; rule is one of {', '.join(RULES)}")
        name = admission.name("namespace", name)
        label = self._scope.vault.label
        if label("namespace", name) in [label("namespace", own) for own in OWN]:  # in whatever case it is written
            raise Invalid(
                f"{name!r} is yours alone; create another namespace and move memories there", code="own_namespace"
            )
        owner = shared_namespaces(self._scope).get(name) or self._found(name, rule)
        terms = self._admin_terms(owner)
        now = self._scope.clock.now()
        offer = {"role": role, "rule": terms["rule"], "person": person, "by": self._scope.owner}
        offer["expires"] = (now + VALID).isoformat()
        id, secret = self._scope.keychain.invite(owner, offer)
        self._audit(owner, "INVITE", person or id)
        code = f"{owner.removeprefix(PREFIX)}.{base64.b32encode(secret).decode().rstrip('=').lower()}"
        return _invitation(id, name, offer, code)

    def withdraw(self, name: str, invitation: str) -> SharedNamespace:
        """End an open invitation, by its id or its code. Only for an admin."""
        owner = self._administered(name, "withdrawing an invitation")
        if CODE.fullmatch(invitation.strip().lower()):
            invitation = invitation_id(_parsed(invitation)[1])
        if not self._scope.keychain.withdraw(owner, invitation):
            raise NotFound("invitation", invitation)
        self._audit(owner, "WITHDRAW", invitation)
        return self.get(name)

    def preview(self, code: str) -> Invitation:
        """What an invitation offers, before it is accepted."""
        owner, secret = _parsed(code)
        offer = self._offer(owner, secret)
        return _invitation(invitation_id(secret), self._name(owner), offer, None)

    def join(self, code: str) -> SharedNamespace:
        """Become a member by an invitation. Raises ``Invalid`` or ``NotAllowed``; the code is used up."""
        plans.require(self._plan, Feature.SHARING)
        self._need_person("joining a shared namespace")
        owner, secret = _parsed(code)
        offer = self._offer(owner, secret)
        name, me, now = self._name(owner), self._scope.owner, self._scope.clock.now()
        if me in self._scope.keychain.members(owner):
            raise Invalid("you are a member of this shared namespace already")
        # the name is still on the list of who was removed from this very namespace
        if shared_namespaces(self._scope).get(name) != owner and self._scope.has_namespace(name):
            taken = Conflict("namespace", name, expected=0, found=1)
            taken.args = (NAME_TAKEN,)
            raise taken
        terms = {"role": offer["role"], "rule": offer["rule"], "since": now.isoformat()}
        self._scope.keychain.admit(owner, secret, me, terms)
        self._audit(owner, "JOIN", me)
        self._point(name, {SHARED: owner})
        return self.get(name)

    def leave(self, name: str) -> Receipt:
        """Be a member no longer. What one wrote stays or is forgotten, by the namespace's rule."""
        self._need_person("leaving a shared namespace")
        owner = self._owner(name)
        members = self._scope.keychain.members(owner)
        if self._scope.owner not in members:  # removed, or erased for everybody: only the name is left here
            return self._unpoint(name)
        admins = [person for person, terms in members.items() if terms["role"] == ADMIN]
        if admins == [self._scope.owner]:
            raise Invalid(
                "you are its only admin: hand it over (`namespace transfer`), or erase it (`namespace delete`)"
            )
        self._end(owner, self._scope.owner)
        return self._unpoint(name)

    def _leave_all(self) -> None:
        """Leave every shared namespace; what only this person administers goes to the longest member, or is erased."""
        for name, owner in shared_namespaces(self._scope).items():
            others = [member for member in self._members(owner) if member.person != self._scope.owner]
            if not others:
                self.delete(name)
                continue
            if not any(member.role == ADMIN for member in others):
                self._set_role(owner, min(others, key=lambda member: member.since).person, ADMIN)
            self._end(owner, self._scope.owner)
            self._unpoint(name)

    def remove(self, name: str, person: str) -> SharedNamespace:
        """End somebody's membership; the keys are rotated. Only for an admin."""
        owner = self._administered(name, "removing a member")
        if person not in self._scope.keychain.members(owner):
            raise NotFound("member", person)
        if person == self._scope.owner:
            raise Invalid("to go yourself, leave the namespace")
        self._end(owner, person)
        return self.get(name)

    def set_role(self, name: str, person: str, role: MemberRole) -> SharedNamespace:
        """Give a member another role. Only for an admin."""
        owner = self._administered(name, "changing a role")
        if role not in ROLES:
            raise Invalid(f"role is one of {', '.join(ROLES)}")
        if person == self._scope.owner:
            raise Invalid("hand the namespace over instead (`namespace transfer`)")
        self._set_role(owner, person, role)
        return self.get(name)

    def transfer(self, name: str, person: str) -> SharedNamespace:
        """Make another member its admin and become a writer."""
        owner = self._administered(name, "handing over a namespace")
        if person == self._scope.owner:
            raise Invalid("you are its admin already; name another member")
        self._set_role(owner, person, ADMIN)
        self._set_role(owner, self._scope.owner, "writer")
        return self.get(name)

    def delete(self, name: str) -> Receipt:
        """Erase a shared namespace for everybody, with its keys. Only for an admin; cannot be undone."""
        owner = self._administered(name, "erasing a shared namespace")
        receipt = Forgetting(member_scope(self._scope, owner, name)).erase_owner()
        for person in self._scope.keychain.members(owner):
            if person != self._scope.owner:
                self._scope.keychain.expel(owner, person)
        self._unpoint(name)
        return receipt

    def _found(self, name: str, rule: str) -> str:
        """Make a shared namespace of one's own: copied under new keys, then erased where it was.

        Broken off, the next call goes on: nothing is erased before all of it is copied.
        """
        scope = self._scope
        plain = plain_namespace(scope, name) or {}
        owner = plain.get(SHARING)
        if owner is None:
            owner = PREFIX + scope.clock.new_id()
            self._point(name, {SHARING: owner})
        if not scope.keychain.members(owner):
            terms = {"role": ADMIN, "rule": rule, "since": scope.clock.now().isoformat()}
            scope.keychain.found_shared(owner, scope.owner, terms)
        target = member_scope(scope, owner, name)
        with EncryptedLines() as spool:
            export(scope, spool, namespaces=[name])
            import_lines(target, spool)
        with write_transaction(target, "NAMESPACE") as work:
            work.tx.owners.put(plan=self._plan, timezone=scope.timezone, language=scope.language)
            work.namespace(name)
        Forgetting(scope).erase_namespace(name, action="SHARE")
        self._point(name, {SHARED: owner})
        return str(owner)

    def _end(self, owner: str, person: str) -> None:
        """Take a membership away: first the memories that go with it, then the keys."""
        scope = self._scope
        terms = scope.keychain.member_terms(owner, person)
        if terms is not None and terms["rule"] == "goes":
            base = replace(scope, owner=owner, namespace=self._name(owner), home=None, member=person, decides=True)
            for page in _written_by(base, person):
                Forgetting(base).forget(page)
        self._audit(owner, "LEAVE" if person == scope.owner else "REMOVE", person)
        rekey(replace(scope, owner=owner, namespace=PERSONAL), partial(scope.keychain.expel, owner, person))

    def _set_role(self, owner: str, person: str, role: str) -> None:
        terms = self._scope.keychain.member_terms(owner, person)
        if terms is None:
            raise NotFound("member", person)
        self._scope.keychain.set_terms(owner, person, {**terms, "role": role})
        self._audit(owner, "ROLE", person, reason=role)

    def _audit(self, owner: str, action: str, target: str, *, reason: str | None = None) -> None:
        """Write into the shared namespace's audit what was done about its members."""
        scope = self._scope
        actor = f"{scope.owner}:{scope.actor}"
        with write_transaction(replace(scope, owner=owner, actor=actor, home=None), action) as work:
            work.audit(action, "member", target, None, None, reason)
            work.receipt(keep=False)

    def _admin_terms(self, owner: str) -> dict[str, Any]:
        terms = self._scope.keychain.member_terms(owner, self._scope.owner)
        if terms is None or terms["role"] != ADMIN:
            raise NotAllowed("only an admin of the shared namespace may do this", code="needs_namespace_admin")
        return dict(terms)

    def _administered(self, name: str, act: str) -> str:
        """The shared namespace of that name, for a person who is its admin."""
        self._need_person(act)
        owner = self._owner(name)
        self._admin_terms(owner)
        return owner

    def _offer(self, owner: str, secret: bytes) -> dict[str, Any]:
        try:
            offer = self._scope.keychain.invitation_terms(owner, secret)
        except KeyringError:
            offer = None
        if offer is None or datetime.fromisoformat(offer["expires"]) <= self._scope.clock.now():
            raise Invalid(
                "this invitation was used, withdrawn or has expired; ask for another one", code="invitation_over"
            )
        if offer["person"] not in (None, self._scope.owner):
            raise NotAllowed("this invitation is for another person", code="invites_another")
        return dict(offer)

    def _described(self, name: str, owner: str) -> SharedNamespace:
        terms = self._scope.keychain.member_terms(owner, self._scope.owner)
        if terms is None:
            return SharedNamespace(name=name, role="none", rule="", members=())
        now = self._scope.clock.now()
        offers = self._scope.keychain.invitations(owner) if terms["role"] == ADMIN else {}
        every = [_invitation(id, name, offer, None) for id, offer in offers.items()]
        return SharedNamespace(
            name=name,
            role=terms["role"],
            rule=terms["rule"],
            members=tuple(self._members(owner)),
            invitations=tuple(invitation for invitation in every if invitation.expires_at > now),
        )

    def _members(self, owner: str) -> Iterator[Member]:
        for person, terms in sorted(self._scope.keychain.members(owner).items()):
            yield Member(person=person, role=terms["role"], since=datetime.fromisoformat(terms["since"]))

    def _owner(self, name: str) -> str:
        owner = shared_namespaces(self._scope).get(name)
        if owner is None:
            raise NotFound("shared namespace", name)
        return owner

    def _name(self, owner: str) -> str:
        """What the shared namespace is called."""
        scope = replace(self._scope, owner=owner)
        with scope.store.read(owner) as tx:
            rows = tx.namespaces.all()
            return str(scope.open_json("namespace", rows[0].id, rows[0].sealed)["name"])

    def _point(self, name: str, pointer: dict[str, str]) -> None:
        with write_transaction(self._scope, "NAMESPACE") as work:
            row = work.namespace(name)
            work.tx.namespaces.put(work.vault.sealed(row, {**self._scope.opened(row), **pointer}))
            work.record("namespace", row.id, "SHARE", row.id)
            work.receipt()

    def _unpoint(self, name: str) -> Receipt:
        with write_transaction(self._scope, "LEAVE") as work:
            row = work.namespace(name)
            work.tx.namespaces.drop(row.id)
            work.gone("namespace", row.id, None, row.id)
            work.record("namespace", row.id, "LEAVE", row.id, operation="delete")
            work.note("DELETE", row.id, "left the shared namespace", noun="namespace")
            return work.receipt()

    def _need_person(self, act: str) -> None:
        if not self._scope.person:
            raise NotAllowed(f"{act} needs a person; an agent may not do it", code="needs_person")


def leave_everywhere(scope: Scope, plan: str) -> None:
    """End every membership of a person who is erased."""
    Sharing(scope, plan)._leave_all()


def _written_by(scope: Scope, person: str) -> Iterator[list[str]]:
    query = Query(statuses=("candidate", "verified", "rejected", "stale", "archived"), limit=PAGE)
    after = None
    while page := Reader(scope).page(query, after=after, newest=False):
        after = page[-1].id
        yield [memory.id for memory in page if memory.author == person]


def _parsed(code: str) -> tuple[str, bytes]:
    match = CODE.fullmatch(code.strip().lower())
    if match is None:
        raise Invalid("this is not an invitation code; copy all of it", code="no_invitation_code")
    return PREFIX + match[1], base64.b32decode(match[2].upper() + "======")


def _invitation(id: str, name: str, offer: Mapping[str, Any], code: str | None) -> Invitation:
    return Invitation(
        id=id,
        namespace=name,
        role=offer["role"],
        rule=offer["rule"],
        invited_by=offer["by"],
        expires_at=datetime.fromisoformat(offer["expires"]),
        person=offer["person"],
        code=code,
    )
