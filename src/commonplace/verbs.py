"""Every verb of the book in one table: where it is on each interface, and who may call it.

The remote client, the access tests, the parity tests and docs/verbs.md are made from it; of a verb that is ``Built``,
also its route, command and tool. docs/internals/add-a-verb.md shows how to add one.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Scope = Literal["read", "write", "admin"]


class Built(NamedTuple):
    """A verb on one memory that answers with a receipt: route, command and tool are made from its signature."""

    group: str
    help: str
    """One line, for the list of commands."""
    example: str
    words: Mapping[str, str] = {}
    """What its own parameters are."""


class Verb(NamedTuple):
    route: str | None
    """Method and path on REST; None: it works on files of the machine."""
    cli: str | None
    mcp: str | None
    scope: Scope = "write"
    """What a token needs."""
    person: bool = False
    """Whether only a person may do it: it cannot be undone, or it concerns the account."""
    once: bool = False
    """Whether calling it twice with the same arguments changes nothing more."""
    dangerous: bool = False
    """Whether what it removes cannot be brought back."""
    built: Built | None = None


def _read(route: str | None, cli: str | None, mcp: str | None, scope: Scope = "read") -> Verb:
    return Verb(route, cli, mcp, scope, once=True)


VERBS: dict[str, Verb] = {
    "remember": Verb("POST /v1/memories", "remember", "memory_memorize"),
    "remember_many": Verb("POST /v1/memories/batch", "remember", "memory_remember_many"),
    "observe": Verb("POST /v1/episodes", "observe", "memory_observe"),
    "recall": _read("POST /v1/recall", "recall", "memory_recall"),
    "context": _read("POST /v1/context", "context", "memory_context"),
    "page": _read("POST /v1/context", "context", "memory_context"),
    "useful": Verb("POST /v1/useful", "useful", "memory_useful"),
    "get": _read("GET /v1/memories/{id}", "get", "memory_get"),
    "browse": _read("GET /v1/memories", "list", "memory_browse"),
    "why": _read("GET /v1/memories/{id}/why", "why", "memory_why"),
    "evidence": _read("GET /v1/memories/{id}/evidence", "get", "memory_evidence"),
    "uses": _read("GET /v1/memories/{id}/uses", "get", "memory_uses"),
    "revise": Verb("PATCH /v1/memories/{id}", "revise", "memory_revise"),
    "confirm": Verb(
        "POST /v1/memories/{id}/confirm",
        "confirm",
        "memory_confirm",
        built=Built("Correct", "mark a memory as correct", "confirm @"),
    ),
    "reject": Verb("POST /v1/memories/{id}/reject", "reject", "memory_reject"),
    "archive": Verb("POST /v1/memories/{id}/archive", "archive", "memory_archive"),
    "end": Verb(
        "POST /v1/memories/{id}/end",
        "end",
        "memory_end",
        built=Built("Correct", "mark a memory as no longer true", "end @ --at yesterday", {"at": "when (default now)"}),
    ),
    "history": _read("GET /v1/memories/{id}/versions", "history", "memory_history"),
    "rollback": Verb(
        "POST /v1/memories/{id}/rollback",
        "rollback",
        "memory_rollback",
        built=Built("Correct", "restore an earlier version", "rollback @ --to 1", {"to": "the version to restore"}),
    ),
    "undo": Verb("POST /v1/receipts/{receipt}/undo", "undo", "memory_undo", once=True),
    "forget": Verb("DELETE /v1/memories/{id}", "forget", "memory_forget", once=True, dangerous=True),
    "erase": Verb("POST /v1/me/memory/forget-all", "erase", None, person=True, once=True, dangerous=True),
    "verify_receipt": _read("POST /v1/receipts/{receipt}/verify", "verify-receipt", "memory_verify_receipt"),
    "relate": Verb("POST /v1/relations", "relate", "memory_relate"),
    "relations": _read("GET /v1/relations", "relations", "memory_relations"),
    "walk": _read("GET /v1/walk", "walk", "memory_walk"),
    "agenda": _read("GET /v1/agenda", "agenda", "memory_agenda"),
    "hints": _read("GET /v1/hints", "hints", "memory_hints"),
    "dismiss": Verb("DELETE /v1/hints/{id}", "dismiss", "memory_hints", once=True),
    "stats": _read("GET /v1/stats", "stats", "memory_consolidate"),
    "prune": Verb("POST /v1/maintenance/prune", "prune", "memory_consolidate", once=True),
    "merge": Verb("POST /v1/maintenance/merge", "merge", "memory_consolidate", once=True),
    "maintain": Verb("POST /v1/maintenance/run", "maintain", "memory_maintain", once=True),
    "reindex": Verb("POST /v1/maintenance/reindex", "reindex", "memory_maintain", "admin", once=True),
    "rotate_keys": Verb("POST /v1/maintenance/rotate-keys", "keys", "memory_maintain", "admin"),
    "backup": Verb("POST /v1/backup", "backup", None, "admin"),
    "restore": Verb(None, "restore", None, "admin", person=True),
    "export": _read("GET /v1/me/memory/export", "export", None),
    "import_": Verb("POST /v1/import", "import", None, once=True),
    "sync": Verb(None, "sync", None, "admin", person=True, once=True),
    "sync_status": _read("GET /v1/sync", "sync", None),
    "sync_private": Verb("POST /v1/sync/private", "sync", None, person=True, once=True),
    "doctor": _read("GET /v1/doctor", "doctor", "memory_maintain", "admin"),
}
"""The verbs of the book itself."""

COLLECTIONS: dict[str, dict[str, str]] = {
    "core": {
        "set": "PUT /v1/me/memory/core/{key}",
        "list": "GET /v1/me/memory/core",
        "forget": "DELETE /v1/me/memory/core/{key}",
    },
    "glossary": {
        "list": "GET /v1/tags",
        "get": "GET /v1/tags/{name}",
        "create": "POST /v1/tags",
        "revise": "PATCH /v1/tags/{name}",
        "merge": "POST /v1/tags/{name}/merge",
        "delete": "DELETE /v1/tags/{name}",
    },
    "namespaces": {
        "list": "GET /v1/namespaces",
        "create": "POST /v1/namespaces",
        "revise": "PATCH /v1/namespaces/{name}",
        "delete": "DELETE /v1/namespaces/{name}",
    },
    "sharing": {
        "list": "GET /v1/shared",
        "get": "GET /v1/shared/{name}",
        "share": "POST /v1/shared",
        "preview": "POST /v1/shared/preview",
        "join": "POST /v1/shared/join",
        "withdraw": "DELETE /v1/shared/{name}/invitations/{invitation}",
        "leave": "POST /v1/shared/{name}/leave",
        "set_role": "PATCH /v1/shared/{name}/members/{person}",
        "remove": "DELETE /v1/shared/{name}/members/{person}",
        "transfer": "POST /v1/shared/{name}/transfer",
        "delete": "DELETE /v1/shared/{name}",
    },
    "graph": {
        "relate": "POST /v1/relations",
        "revise": "PATCH /v1/relations/{id}",
        "get": "GET /v1/relations/{id}",
        "relations": "GET /v1/relations",
        "walk": "GET /v1/walk",
        "entities": "GET /v1/entities",
        "entity": "GET /v1/entities/{label_or_id}",
        "revise_entity": "PATCH /v1/entities/{id}",
        "merge": "POST /v1/entities/merge",
        "split": "POST /v1/entities/{id}/split",
        "declare": "POST /v1/predicates",
    },
    "review": {"decide": "POST /v1/review/{id}"},
    "audit": {"list": "GET /v1/audit", "verify": "POST /v1/audit/verify"},
    "jobs": {"counts": "GET /v1/jobs/counts", "replay": "POST /v1/jobs/{id}/retry"},
    "receipts": {"list": "GET /v1/receipts", "get": "GET /v1/receipts/{ref}"},
    "sessions": {"list": "GET /v1/sessions"},
    "timeline": {"days": "GET /v1/timeline"},
    "directives": {
        "create": "POST /v1/directives",
        "get": "GET /v1/directives/{id}",
        "list": "GET /v1/directives",
        "revise": "PATCH /v1/directives/{id}",
        "delete": "DELETE /v1/directives/{id}",
        "steps": "GET /v1/directives/{id}/steps",
        "step": "GET /v1/steps/{id}",
        "add_step": "POST /v1/directives/{directive}/steps",
        "revise_step": "PATCH /v1/steps/{id}",
        "delete_step": "DELETE /v1/steps/{id}",
        "memories": "GET /v1/directives/{id}/memories",
        "remember": "POST /v1/directives/{id}/memories",
        "correct": "PATCH /v1/directives/{id}/memories/{memory}",
        "forget": "DELETE /v1/directives/{id}/memories/{memory}",
        "prompt": "GET /v1/directives/{id}/prompt",
        "explain": "GET /v1/directives/{id}/attempts",
    },
}
"""Verbs of the book's collections that are one request each; paths name the method's own parameters."""

CONFIRMED = ("namespaces.delete", "sharing.delete", "directives.delete", "erase")
"""Final acts, which REST asks to confirm with ``X-Confirm: true``."""


def route_of(collection: str, verb: str) -> str:
    """Method and path of a verb; ``collection`` is empty for the book's own."""
    route = COLLECTIONS[collection][verb] if collection else VERBS[verb].route
    assert route is not None
    return route
