"""Every verb of the book in one table: where it is on each interface, and who may call it.

The remote client, the access tests, the parity tests and docs/verbs.md are made from it; of a verb with a ``Rest`` its
route, and of one that is ``Built`` its route, command and tool. docs/internals/add-a-verb.md shows how to add one.
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


class Rest(NamedTuple):
    """A verb's request. With a ``name`` the route is made from the verb's signature; others are written by hand."""

    route: str
    """Method and path, which names the verb's own parameters; of the book's verbs it stands in ``Verb``."""
    name: str = ""
    """Of the operation, in the OpenAPI document."""
    body: str = ""
    """The name of what is sent, where the verb takes more than its path and its query say."""
    status: int = 200
    answer: str = ""
    """The name of a list's items, where it is not that of their noun."""
    scope: Scope | None = None
    """What a token needs; None: read for GET, else write."""
    whole: bool = False
    """Whether it concerns the owner and not one namespace."""
    act: str = ""
    """What a person's token is needed for; empty: any token will do."""
    confirm: bool = False
    """Whether it is final, so that the request says ``X-Confirm: true``."""
    slashes: bool = False
    """Whether the name in the path may hold slashes."""
    limit: int | None = None
    """How long a page is that nobody asked for; None: as in Python."""

    def at(self, route: str) -> "Rest":
        return self._replace(route=route)


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
    rest: Rest | None = None


def _read(
    route: str | None, cli: str | None, mcp: str | None, scope: Scope = "read", *, rest: Rest | None = None
) -> Verb:
    return Verb(route, cli, mcp, scope, once=True, rest=rest)


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
    "uses": _read("GET /v1/memories/{id}/uses", "get", "memory_uses", rest=Rest("", "uses", limit=50)),
    "revise": Verb("PATCH /v1/memories/{id}", "revise", "memory_revise"),
    "confirm": Verb(
        "POST /v1/memories/{id}/confirm",
        "confirm",
        "memory_confirm",
        built=Built("Correct", "mark a memory as correct", "confirm @"),
    ),
    "reject": Verb(
        "POST /v1/memories/{id}/reject", "reject", "memory_reject", rest=Rest("", "reject", body="ReasonRequest")
    ),
    "archive": Verb("POST /v1/memories/{id}/archive", "archive", "memory_archive"),
    "end": Verb(
        "POST /v1/memories/{id}/end",
        "end",
        "memory_end",
        built=Built("Correct", "mark a memory as no longer true", "end @ --at yesterday", {"at": "when (default now)"}),
    ),
    "history": _read("GET /v1/memories/{id}/versions", "history", "memory_history", rest=Rest("", "history")),
    "rollback": Verb(
        "POST /v1/memories/{id}/rollback",
        "rollback",
        "memory_rollback",
        built=Built("Correct", "restore an earlier version", "rollback @ --to 1", {"to": "the version to restore"}),
    ),
    "undo": Verb("POST /v1/receipts/{receipt}/undo", "undo", "memory_undo", once=True),
    "forget": Verb("DELETE /v1/memories/{id}", "forget", "memory_forget", once=True, dangerous=True),
    "erase": Verb(
        "POST /v1/me/memory/forget-all",
        "erase",
        None,
        person=True,
        once=True,
        dangerous=True,
        rest=Rest("", act="erasing everything", confirm=True),
    ),
    "verify_receipt": _read(
        "POST /v1/receipts/{receipt}/verify",
        "verify-receipt",
        "memory_verify_receipt",
        rest=Rest("", "verify_receipt", whole=True),
    ),
    "relate": Verb(
        "POST /v1/relations", "relate", "memory_relate", rest=Rest("", "relate", body="NewRelation", status=201)
    ),
    "relations": _read("GET /v1/relations", "relations", "memory_relations", rest=Rest("", "relations", limit=50)),
    "walk": _read("GET /v1/walk", "walk", "memory_walk", rest=Rest("", "walk")),
    "agenda": _read("GET /v1/agenda", "agenda", "memory_agenda", rest=Rest("", "agenda")),
    "hints": _read("GET /v1/hints", "hints", "memory_hints"),
    "dismiss": Verb("DELETE /v1/hints/{id}", "dismiss", "memory_hints", once=True, rest=Rest("", "dismiss")),
    "stats": _read("GET /v1/stats", "stats", "memory_consolidate", rest=Rest("", "stats", whole=True)),
    "prune": Verb("POST /v1/maintenance/prune", "prune", "memory_consolidate", once=True),
    "merge": Verb("POST /v1/maintenance/merge", "merge", "memory_consolidate", once=True),
    "maintain": Verb(
        "POST /v1/maintenance/run",
        "maintain",
        "memory_maintain",
        once=True,
        rest=Rest("", "maintain", whole=True),
    ),
    "reindex": Verb("POST /v1/maintenance/reindex", "reindex", "memory_maintain", "admin", once=True),
    "rotate_keys": Verb("POST /v1/maintenance/rotate-keys", "keys", "memory_maintain", "admin"),
    "backup": Verb("POST /v1/backup", "backup", None, "admin"),
    "restore": Verb(None, "restore", None, "admin", person=True),
    "export": _read("GET /v1/me/memory/export", "export", None),
    "import_": Verb("POST /v1/import", "import", None, once=True),
    "sync": Verb(None, "sync", None, "admin", person=True, once=True),
    "sync_status": _read("GET /v1/sync", "sync", None, rest=Rest("", "get_sync_status", whole=True)),
    "sync_private": Verb(
        "POST /v1/sync/private",
        "sync",
        None,
        person=True,
        once=True,
        rest=Rest("", "mark_private", body="PrivateNamespace", whole=True, act="marking a namespace private"),
    ),
    "doctor": _read("GET /v1/doctor", "doctor", "memory_maintain", "admin"),
}
"""The verbs of the book itself."""

COLLECTIONS: dict[str, dict[str, Rest]] = {
    "core": {
        "set": Rest("PUT /v1/me/memory/core/{key}"),
        "list": Rest("GET /v1/me/memory/core"),
        "forget": Rest("DELETE /v1/me/memory/core/{key}", "forget_core_value", slashes=True),
    },
    "glossary": {
        "list": Rest("GET /v1/tags", "list_tags"),
        "get": Rest("GET /v1/tags/{name}", "get_tag", slashes=True),
        "create": Rest("POST /v1/tags", "create_tag", body="NewTag", status=201),
        "revise": Rest("PATCH /v1/tags/{name}", "revise_tag", body="TagRevision", slashes=True),
        "merge": Rest("POST /v1/tags/{name}/merge", "merge_tags", body="TagMerge", slashes=True),
        "delete": Rest("DELETE /v1/tags/{name}", "delete_tag", slashes=True),
    },
    "namespaces": {
        "list": Rest("GET /v1/namespaces"),
        "create": Rest("POST /v1/namespaces"),
        "revise": Rest("PATCH /v1/namespaces/{name}"),
        "delete": Rest("DELETE /v1/namespaces/{name}", act="erasing a namespace", confirm=True),
    },
    "sharing": {
        "list": Rest("GET /v1/shared", "list_shared_namespaces", whole=True),
        "get": Rest("GET /v1/shared/{name}", "get_shared_namespace", whole=True),
        "share": Rest(
            "POST /v1/shared", "share_namespace", "NewInvitation", 201, whole=True, act="sharing a namespace"
        ),
        "preview": Rest("POST /v1/shared/preview", "preview_invitation", "InvitationCode", scope="read", whole=True),
        "join": Rest(
            "POST /v1/shared/join",
            "join_shared_namespace",
            "InvitationCode",
            whole=True,
            act="joining a shared namespace",
        ),
        "withdraw": Rest(
            "DELETE /v1/shared/{name}/invitations/{invitation}",
            "withdraw_invitation",
            whole=True,
            act="withdrawing an invitation",
        ),
        "leave": Rest(
            "POST /v1/shared/{name}/leave", "leave_shared_namespace", whole=True, act="leaving a shared namespace"
        ),
        "set_role": Rest(
            "PATCH /v1/shared/{name}/members/{person}", "change_role", "NewRole", whole=True, act="changing a role"
        ),
        "remove": Rest(
            "DELETE /v1/shared/{name}/members/{person}", "remove_member", whole=True, act="removing a member"
        ),
        "transfer": Rest(
            "POST /v1/shared/{name}/transfer",
            "transfer_shared_namespace",
            "NewAdmin",
            whole=True,
            act="handing over a namespace",
        ),
        "delete": Rest(
            "DELETE /v1/shared/{name}",
            "erase_shared_namespace",
            whole=True,
            act="erasing a shared namespace",
            confirm=True,
        ),
    },
    "graph": {
        "relate": Rest("POST /v1/relations"),
        "revise": Rest("PATCH /v1/relations/{id}", "revise_relation", body="RelationRevision"),
        "get": Rest("GET /v1/relations/{id}", "get_relation"),
        "relations": Rest("GET /v1/relations"),
        "walk": Rest("GET /v1/walk"),
        "entities": Rest("GET /v1/entities", "list_entities"),
        "entity": Rest("GET /v1/entities/{label_or_id}", "get_entity", slashes=True),
        "revise_entity": Rest("PATCH /v1/entities/{id}", "revise_entity", body="EntityRevision"),
        "merge": Rest("POST /v1/entities/merge", "merge_entities", body="EntityMerge"),
        "split": Rest("POST /v1/entities/{id}/split", "split_entity", body="EntitySplit"),
        "declare": Rest("POST /v1/predicates"),
    },
    "review": {"decide": Rest("POST /v1/review/{id}", "decide_review", body="ReviewDecision")},
    "audit": {
        "list": Rest("GET /v1/audit", "list_audit", whole=True),
        "verify": Rest("POST /v1/audit/verify", "verify_audit", scope="read", whole=True),
    },
    "jobs": {
        "counts": Rest("GET /v1/jobs/counts", "job_counts", whole=True),
        "replay": Rest("POST /v1/jobs/{id}/retry", "retry_job", whole=True),
    },
    "receipts": {
        "list": Rest("GET /v1/receipts", "list_receipts", whole=True, limit=50),
        "get": Rest("GET /v1/receipts/{ref}", "get_receipt", whole=True),
    },
    "sessions": {"list": Rest("GET /v1/sessions", "list_sessions")},
    "timeline": {"days": Rest("GET /v1/timeline", "timeline")},
    "directives": {
        "create": Rest("POST /v1/directives", "create_directive", body="NewDirective", status=201),
        "get": Rest("GET /v1/directives/{id}", "get_directive"),
        "list": Rest("GET /v1/directives", "list_directives"),
        "revise": Rest("PATCH /v1/directives/{id}", "revise_directive", body="DirectiveRevision"),
        "delete": Rest("DELETE /v1/directives/{id}", "delete_directive", act="deleting a directive", confirm=True),
        "steps": Rest("GET /v1/directives/{id}/steps", "list_steps"),
        "step": Rest("GET /v1/steps/{id}", "get_step"),
        "add_step": Rest("POST /v1/directives/{directive}/steps", "add_step", body="NewStep", status=201),
        "revise_step": Rest("PATCH /v1/steps/{id}", "revise_step", body="StepRevision"),
        "delete_step": Rest("DELETE /v1/steps/{id}", "delete_step"),
        "memories": Rest("GET /v1/directives/{id}/memories", "directive_memories", answer="DirectiveMemory", limit=50),
        "remember": Rest(
            "POST /v1/directives/{id}/memories", "remember_for_directive", body="NewDirectiveMemory", status=201
        ),
        "correct": Rest(
            "PATCH /v1/directives/{id}/memories/{memory}", "revise_directive_memory", body="DirectiveMemoryRevision"
        ),
        "forget": Rest("DELETE /v1/directives/{id}/memories/{memory}", "forget_directive_memory"),
        "prompt": Rest("GET /v1/directives/{id}/prompt", "directive_prompt"),
        "explain": Rest("GET /v1/directives/{id}/attempts", "directive_attempts"),
    },
}
"""Verbs of the book's collections that are one request each; paths name the method's own parameters."""

OWN_RELATION = Rest("PATCH /v1/me/memory/relational/{id}", "revise_my_relation", body="RelationRevision")
"""`graph.revise` among what concerns the person; seeing and correcting one's own data is in every plan."""

RENAMED = {"after": "cursor", "before": "cursor", "rename": "name"}
"""Parameters that are called otherwise on REST."""


def rest_of(collection: str, verb: str) -> Rest:
    """How a verb is on REST; ``collection`` is empty for the book's own."""
    if collection:
        return COLLECTIONS[collection][verb]
    entry = VERBS[verb]
    assert entry.route is not None
    return (entry.rest or Rest("")).at(entry.route)
