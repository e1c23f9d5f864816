"""Authentication: API tokens, shown once and stored as a hash, and tokens of an OIDC issuer.

A token identifies its owner, so requests never name one. Its scope is a few words in a plain column, because it must be
readable before the owner's keys are, and must survive an erasure that destroys them.
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal, get_args

from commonplace.clock import Clock, micros, zone
from commonplace.errors import Invalid, KeyringError, NotAllowed, NotFound, SettingsError
from commonplace.model import SOURCES, Source
from commonplace.plans import PLANS
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.store.ports import Store
from commonplace.store.rows import OwnerRow, TokenRow, from_row
from commonplace.text.languages import LANGUAGES

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
"""Each scope includes the ones before it."""

PREFIX = "cpl_"
PERSON, SESSION, LINK, CONNECTION = "person", "session", "link", "connection"
"""Further words of the scope column."""
FIRST = "generation:0"
"""The state of a connection whose authorization code was not exchanged yet."""
SESSION_LENGTH, LINK_LENGTH = timedelta(hours=12), timedelta(hours=1)
NAME_LIMIT, OWNER_LIMIT = 128, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What an API token may do. ``namespaces`` are ids; empty: every namespace of the owner."""

    id: str
    owner: str
    name: str | None
    scope: Scope
    person: bool
    """Whether a person holds it: what they state counts as verified. Statements through an agent's token are
    candidates.
    """
    source: Source
    namespaces: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    session: bool = False
    """Made by signing in to the web page; its secret is in a cookie."""
    link: bool = False
    """The secret of a sign-in link: short-lived; it opens a session of full length."""

    connection: bool = False
    """An application's token, by a person's consent: valid for ``resource`` only."""
    resource: str | None = None

    def reaches(self, needed: Scope) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(needed)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return SCOPES[: SCOPES.index(self.scope) + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issued:
    """A new token with its secret, which cannot be shown again."""

    token: Token
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    owner: str
    plan: str | None
    """None: the default plan of the settings."""
    timezone: str | None
    language: str | None
    created_at: datetime


class NotSignedIn(NotAllowed):
    """No token, or an unknown, expired or revoked one; the message does not say which."""

    def __init__(self) -> None:
        super().__init__(
            "a valid token is needed: send `Authorization: Bearer …`; `commonplace token create` makes one"
        )


def hashed(secret: str) -> bytes:
    """Tokens have 256 random bits, so a plain hash cannot be reversed by guessing."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def csrf_of(secret: str) -> str:
    """The value that a request with a session's cookie must also send: known to the page only."""
    return sha256(b"csrf " + secret.encode("utf-8", "surrogatepass")).hexdigest()


def needs(token: Token, scope: Scope) -> None:
    """Raise ``NotAllowed`` unless the token has ``scope``."""
    if not token.reaches(scope):
        raise NotAllowed(f"this token has scope {token.scope!r}; this needs scope {scope!r}")


def need_person(token: Token, act: str) -> None:
    """Raise ``NotAllowed`` unless a person holds the token."""
    if not token.person:
        raise NotAllowed(f"{act} needs a person's token; this is an agent's", code="needs_person")


class Accounts:
    def __init__(self, store: Store, keychain: Keychain, clock: Clock) -> None:
        self._store, self._keychain, self._clock = store, keychain, clock

    def issue(
        self,
        owner: str,
        *,
        name: str | None = None,
        scope: str = "write",
        namespaces: Sequence[str] = (),
        expires_at: datetime | None = None,
        person: bool = False,
        source: str | None = None,
        mark: str | None = None,
        secret: str | None = None,
    ) -> Issued:
        """Create a token. ``namespaces`` are ids. Only the result has the secret.

        ``mark``: more words for the scope column. ``secret``: the value to find it by, instead of a new secret.
        """
        source = source or ("user" if person else "assistant")
        _check(owner, name, scope, source)
        if expires_at is not None and expires_at <= self._clock.now():
            raise Invalid("expires_at is in the past; pass a later time")
        secret = secret or PREFIX + secrets.token_urlsafe(32)
        id = self._clock.new_id()
        row = TokenRow(
            id=id,
            owner=owner,
            hash=hashed(secret),
            scope=" ".join((scope, *((PERSON,) if person else ()), *((mark,) if mark else ()), f"as:{source}")),
            created_at=micros(self._clock.now()),
            expires_at=None if expires_at is None else micros(expires_at),
            revoked_at=None,
            namespaces=tuple(namespaces),
            sealed=self._vault(owner).seal_json("token", id, name),
        )
        with self._store.write(owner) as tx:
            tx.owners.get()
        self._store.accounts.put_token(row)
        return Issued(token=self.token_of(row), secret=secret)

    def sign_in(self, token: Token) -> Issued:
        """A session with the permissions of ``token``: 12 hours, but not longer than the token."""
        end = self._clock.now() + SESSION_LENGTH
        if token.expires_at is not None and not (token.link or token.session):
            end = min(end, token.expires_at)
        return self.issue(
            token.owner,
            scope=token.scope,
            namespaces=token.namespaces,
            expires_at=end,
            person=token.person,
            source=token.source,
            mark=SESSION,
        )

    def sign_in_link(self, owner: str) -> str:
        """The secret of a link that signs a person in within the next hour."""
        end = self._clock.now() + LINK_LENGTH
        return self.issue(owner, scope="admin", person=True, expires_at=end, mark=LINK).secret

    def verify(self, secret: str) -> Token:
        """The token behind a secret. Raises ``NotSignedIn`` if it is unknown, expired or revoked."""
        hash = hashed(secret)
        row = self._store.accounts.token(hash) if secret.startswith(PREFIX) else None
        if row is None or not hmac.compare_digest(row.hash, hash) or self._is_expired(row):
            raise NotSignedIn
        return self.token_of(row, with_name=False)

    def tokens(self, owner: str) -> list[Token]:
        """Every token of an owner, revoked ones too, oldest first; but only active sessions and links."""
        tokens = [self.token_of(row) for row in self._store.accounts.tokens(owner) if not self._ended_session(row)]
        return sorted(tokens, key=lambda token: token.id)

    def revoke(self, owner: str, id: str) -> Token:
        """Revoke a token at once; revoking it again changes nothing."""
        row = next((token_row for token_row in self._store.accounts.tokens(owner) if token_row.id == id), None)
        if row is None:
            raise NotFound("token", id)
        if row.revoked_at is None:
            row = replace(row, revoked_at=micros(self._clock.now()))
            self._store.accounts.put_token(row)
        return self.token_of(row)

    def owners(self) -> list[Account]:
        return [_account(row) for row in sorted(self._store.accounts.owners(), key=lambda row: row.owner)]

    def set_owner(
        self, owner: str, *, plan: str | None = None, timezone: str | None = None, language: str | None = None
    ) -> Account:
        """Create an owner, or change plan, time zone or language; absent arguments change nothing."""
        _check(owner, None, "read", "user")
        if plan is not None and plan not in PLANS:
            raise Invalid(f"unknown plan {plan[:20]!r}; pass one of {', '.join(PLANS)}")
        if language is not None and language not in (*LANGUAGES, "auto"):
            raise Invalid(f"unknown language {language[:20]!r}; pass one of {', '.join(LANGUAGES)} or auto")
        try:
            zone(timezone)
        except SettingsError as fault:
            raise Invalid(str(fault)) from None
        with self._store.write(owner) as tx:
            row = tx.owners.get()
            tx.owners.put(
                plan=row.plan if plan is None else plan,
                timezone=timezone or row.timezone,
                language=language or row.language,
            )
            return _account(tx.owners.get())

    def owner(self, owner: str) -> Account:
        """Raises ``NotFound`` if there is no such owner."""
        account = self.find(owner)
        if account is None:
            raise NotFound("owner", owner)
        return account

    def find(self, owner: str) -> Account | None:
        """None for a user of an OIDC token who has written nothing yet."""
        with self._store.read(owner) as tx:
            row = tx.owners.get()
        return _account(row) if row.created_at else None

    def _ended_session(self, row: TokenRow) -> bool:
        """True also for a connection whose code was never exchanged."""
        return bool({SESSION, LINK, FIRST} & set(row.scope.split())) and self._is_expired(row)

    def _is_expired(self, row: TokenRow) -> bool:
        now = micros(self._clock.now())
        return row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= now)

    def _vault(self, owner: str) -> Vault:
        return Vault(owner, self._keychain.latest(owner))

    def token_of(self, row: TokenRow, *, with_name: bool = True) -> Token:
        scope, *words = row.scope.split()
        source = next((word.removeprefix("as:") for word in words if word.startswith("as:")), "assistant")
        return from_row(
            Token,
            row,
            name=self._name(row) if with_name else None,
            scope=scope,
            person=PERSON in words,
            session=SESSION in words,
            link=LINK in words,
            connection=CONNECTION in words,
            resource=next((word.removeprefix("for:") for word in words if word.startswith("for:")), None),
            source=source,
        )

    def _name(self, row: TokenRow) -> str | None:
        try:
            name: str | None = self._vault(row.owner).open_json("token", row.id, row.sealed)
        except KeyringError:
            return None  # its owner was erased since, with all keys; the token itself stays
        return name


def _check(owner: str, name: str | None, scope: str, source: str) -> None:
    if not owner.strip() or len(owner) > OWNER_LIMIT or not owner.isprintable():
        raise Invalid(f"an owner is a printable name of at most {OWNER_LIMIT} characters")
    if name is not None and (not name.strip() or len(name) > NAME_LIMIT or not name.isprintable()):
        raise Invalid(f"a token's name is printable and has at most {NAME_LIMIT} characters")
    if scope not in SCOPES:
        raise Invalid(f"unknown scope {scope[:20]!r}; one of {', '.join(SCOPES)}")
    if source not in SOURCES:
        raise Invalid(f"unknown source {source[:20]!r}; one of {', '.join(SOURCES)}")


def _account(row: OwnerRow) -> Account:
    return from_row(Account, row, plan=row.plan or None)
