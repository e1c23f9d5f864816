"""Request bodies and answers, for the parser and for the OpenAPI document.

Answers are shaped after the nouns themselves, so that a field cannot be in one and missing from the other.
"""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, create_model

from commonplace import model
from commonplace.batches import report
from commonplace.context import agenda, uses
from commonplace.describing import proposal
from commonplace.directives import values as directives
from commonplace.interfaces import importers
from commonplace.interfaces.fields import Parameter, parameters
from commonplace.learning import trace
from commonplace.memories import audit, feed, glossary, graph, jobs, namespaces, sessions, timeline, verifying
from commonplace.security import tokens
from commonplace.sharing import sharing
from commonplace.sync import incoming, outgoing
from commonplace.sync import state as sync_state
from commonplace.upkeep import doctor, schedule

EARLIEST, LATEST = 1000, 9000
"""Years that survive every conversion between time zones."""
MOST = 2**31 - 1


def _sensible(moment: datetime) -> datetime:
    if not EARLIEST <= moment.year <= LATEST:
        raise ValueError(f"a time lies between the years {EARLIEST} and {LATEST}")
    return moment


Moment = Annotated[datetime, AfterValidator(_sensible)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=512, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""An id or a name: one line, without control characters, which databases refuse."""
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MOST)]
Limit = Annotated[int, Field(ge=1, le=1000)]
Names = Annotated[list[Name], Field(max_length=1000)]


class RequestBody(BaseModel):
    """A request's body: unknown fields are refused, because a misspelt one would be silently lost."""

    model_config = ConfigDict(extra="forbid")


SCALARS: dict[Any, Any] = {str: Name, float: Share, int: Count, datetime: Moment, dict: dict[str, Any]}


def _nothing() -> None:
    """Says that a field is absent, without saying so in the schema."""


def _fields(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """The model's fields as those of a body or a query."""
    result: dict[str, Any] = {}
    for parameter in parameters:
        hint = SCALARS.get(parameter.type, parameter.type)
        if parameter.many:
            hint = Names if parameter.type is str else list.__class_getitem__(hint)
        default = [] if parameter.many and not parameter.optional else parameter.default
        if default is None and not parameter.optional:
            default = Field(default_factory=_nothing)
        result[parameter.name] = (hint | None if parameter.optional else hint, default)
    return result


def _body(name: str, example: dict[str, Any], /, doc: str | None = None, **fields: Any) -> Any:
    config = ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})
    base = type(name, (RequestBody,), {"model_config": config, "__doc__": doc, "__module__": __name__})
    return create_model(name, __base__=base, __doc__=doc, **fields)


RememberRequest: Any = _body(
    "RememberRequest",
    {"text": "Ada prefers trains to planes", "category": "preference", "tags": ["travel"]},
    text=(str, ...),
    **_fields(parameters(model.NewMemoryFields, ("source",))),
)


class NewMemories(RequestBody):
    items: Annotated[list[RememberRequest], Field(min_length=1, max_length=10_000)]


REVISION = {
    "text": (str | None, None),
    "reason": (str | None, None),
    **_fields(parameters(model.RevisionFields)),
}
Revision: Any = _body("Revision", {"text": "Ada prefers night trains"}, "What is absent stays as it is.", **REVISION)


class ReasonRequest(RequestBody):
    reason: str | None = None


class BulkAction(RequestBody):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    action: Annotated[str, Field(pattern="^(archive|confirm|reject|tag)$")]
    reason: str | None = None
    tags: Names = []


RecallRequest: Any = _body(
    "RecallRequest",
    {"query": "how does Ada travel?", "limit": 5, "explain": True},
    query=(str, ""),
    limit=(Limit | None, None),
    **_fields(parameters(model.QueryFilters)),
)
COUNT_FILTERS = _fields(
    parameters(
        model.QueryFilters,
        ("as_of", "known_at", "metadata", "directive", "session", "explain", "recipe"),
    )
)
CountRequest: Any = create_model("CountRequest", **COUNT_FILTERS)
BrowseRequest: Any = create_model(
    "BrowseRequest",
    **_fields(parameters(model.QueryFilters, ("explain", "recipe")))
    | {
        "metadata": (str | None, Field(None, description="A JSON object; every pair of it must be there.")),
        "sort": (Literal["newest", "oldest", "importance"], "newest"),
        "cursor": (Name | None, None),
        "limit": (Limit, 50),
    },
)


class ContextRequest(RequestBody):
    query: str | None = None
    tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 2000
    limit: Limit | None = None
    session: Name | None = None
    guidance: bool = False
    skip: Names = []
    as_of: Moment | None = None
    known_at: Moment | None = None


class PromptRequest(RequestBody):
    query: Annotated[str, Field(min_length=1)]
    skip: Names = []


class UsefulRequest(RequestBody):
    id: Name
    yes: bool = True


class NewMessage(RequestBody):
    text: str
    speaker: Name | None = None
    role: model.Role = "user"
    at: Moment | None = None
    metadata: dict[str, Any] | None = None


class NewConversation(RequestBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"messages": [{"text": "I moved to Bern in May.", "speaker": "Ada"}], "session": "monday"}]
        },
    )
    messages: Annotated[list[NewMessage], Field(min_length=1, max_length=10_000)]
    session: Name | None = None


class NewRelation(RequestBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "subject": "Giulia",
                    "predicate": "reports_to",
                    "object": "Marco",
                    "subject_type": "person",
                    "object_type": "person",
                }
            ]
        },
    )
    subject: Name
    predicate: Name
    object: Name
    subject_type: Name = "person"
    object_type: Name = "topic"
    confidence: Share = 0.7
    notes: str | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    confirm: bool = False


class RelationRevision(RequestBody):
    subject: Name | None = None
    predicate: Name | None = None
    object: Name | None = None
    confidence: Share | None = None
    notes: str | None = None
    reason: str | None = None


class EntityRevision(RequestBody):
    label: Name | None = None
    type: Name | None = None
    aliases: Names | None = None
    notes: str | None = None
    tags: Names | None = None


class EntityMerge(RequestBody):
    keep: Name
    absorb: Name


class EntitySplit(RequestBody):
    label: Name
    relations: Names = []
    aliases: Names = []


class NewPredicate(RequestBody):
    name: Name


class NewInvitation(RequestBody):
    name: Name
    person: Name | None = None
    role: Literal["reader", "writer", "admin"] = "writer"
    rule: Literal["stays", "goes"] = "stays"


class InvitationCode(RequestBody):
    code: Annotated[str, Field(max_length=200)]


class NewRole(RequestBody):
    role: Literal["reader", "writer", "admin"]


class NewAdmin(RequestBody):
    person: Name


class PrivateNamespace(RequestBody):
    name: Name
    private: bool = True


class SyncCursor(RequestBody):
    cursor: dict[str, Any]


class SyncLines(RequestBody):
    lines: list[str]


class SyncPosition(RequestBody):
    sequence: Annotated[int, Field(ge=0, lt=2**63)] = 0
    acts: Count = 0
    walk: Annotated[str, StringConstraints(max_length=512)] | None = None


class SyncedWith(RequestBody):
    """The machine at the other end, as it stands after an exchange."""

    id: Name
    name: Name
    owner: Name
    at: Moment
    sent: Count
    received: Count
    pushed: SyncPosition


class SyncRecord(RequestBody):
    record: SyncedWith


class NewTag(RequestBody):
    name: Name
    description: str | None = None
    synonyms: Names = []


class TagRevision(RequestBody):
    name: Name | None = None
    description: str | None = None
    synonyms: Names | None = None


class TagMerge(RequestBody):
    into: Name


class NewNamespace(RequestBody):
    name: Name
    description: str | None = None


class NamespaceRevision(RequestBody):
    name: Name | None = None
    description: str | None = None


class MoveRequest(RequestBody):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    to: Name


class ReviewDecision(RequestBody):
    decision: Annotated[str, Field(pattern="^(approve|correct|reject)$")]
    text: str | None = None
    reason: str | None = None


class LiftRequest(RequestBody):
    text: str


class NewCoreValue(RequestBody):
    value: str
    category: model.Category = "preference"
    confirm: bool = False


class NewToken(RequestBody):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "laptop", "scopes": ["read", "write"]}]}
    )
    name: Name | None = None
    scopes: Annotated[list[tokens.Scope], Field(min_length=1, max_length=3)] = ["read", "write"]
    namespaces: Names = []
    expires_at: Moment | None = None
    person: bool = False
    source: model.Source | None = None


class ForgetByDescription(RequestBody):
    """What is meant, in words. Unless that is certain, the answer is a proposal; ``choose`` names ids out of it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"query": "what I said about my knee"}]})
    query: Annotated[str, Field(min_length=1)]
    dry_run: StrictBool = False
    all: StrictBool = False
    yes: StrictBool = False
    choose: Names | None = None


ReviseRequest: Any = _body(
    "ReviseRequest",
    {"query": "where Ada works", "text": "Ada works at Acme"},
    "What is meant, in words, and what is to change of it; what is absent stays.",
    query=(Annotated[str, Field(min_length=1)], ...),
    dry_run=(StrictBool, False),
    choose=(str | None, None),
    **REVISION,
)


class PatternCount(BaseModel):
    noticed: Count
    """Patterns that are new or were seen again."""


class DryRun(RequestBody):
    dry_run: StrictBool = True


class NewOwner(RequestBody):
    owner: Name
    plan: Name | None = None


class OwnerRevision(RequestBody):
    plan: Name | None = None
    timezone: Name | None = None
    language: Name | None = None


class NewDirective(RequestBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"title": "Release 2", "goal": "Version 2 is out", "memory_enabled": True}]},
    )
    title: str
    goal: str
    memory_enabled: bool = False
    repository_url: str | None = None
    local_path: str | None = None
    base_branch: str | None = None
    status: directives.DirectiveStatus = "draft"


class DirectiveRevision(RequestBody):
    """What is absent stays as it is."""

    title: str = ""
    goal: str = ""
    memory_enabled: bool = False
    repository_url: str | None = None
    local_path: str | None = None
    base_branch: str | None = None
    status: directives.DirectiveStatus = "draft"


class NewStep(RequestBody):
    name: str
    description: str | None = None
    task_plan: str | None = None
    depends_on: Names = []
    order_index: Count | None = None


class StepRevision(RequestBody):
    """What is absent stays as it is."""

    name: str = ""
    description: str | None = None
    task_plan: str | None = None
    result: str | None = None
    status: directives.StepStatus = "pending"
    order_index: Count = 0
    attempts: Count = 0
    depends_on: Names = []


DirectiveCategory = Literal["insight", "decision", "context", "error", "pattern"]


class NewDirectiveMemory(RequestBody):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "The cache must be cleared", "category": "error"}]}
    )
    text: str
    category: DirectiveCategory = "context"
    step: Name | None = None
    source: Literal["planner", "executor", "user"] | None = None


class DirectiveMemoryRevision(RequestBody):
    """What is absent stays as it is."""

    text: str | None = None
    category: DirectiveCategory | None = None
    reason: str | None = None


NAMES: dict[type, str] = {trace.Step: "TraceStep", importers.Imported: "ImportedFile", importers.Problem: "UnreadPart"}
"""Nouns whose class name another one has too."""


@cache
def answer_of(noun: type) -> Any:
    """The model of an answer with the fields of a noun, all of them always there; nouns inside it likewise."""
    hints = model.field_types(noun)
    wanted: Any = {field.name: (_answered(hints[field.name]), ...) for field in fields(noun)}
    return create_model(NAMES.get(noun, noun.__name__), **wanted)


def _answered(hint: Any) -> Any:
    """A field's type, with the answer model instead of each noun."""
    if is_dataclass(hint) and isinstance(hint, type):
        return answer_of(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is None or origin is Literal:
        return hint
    if origin in (Union, UnionType):
        return Union[tuple(map(_answered, inner))]  # noqa: UP007  # made of a list
    return origin[tuple(map(_answered, inner))]


def _answer(noun: type, *, name: str | None = None, **more: Any) -> Any:
    """As ``answer_of``, with the properties of a noun that an answer also shows."""
    if not more:
        return answer_of(noun)
    extra: Any = {field: (type, ...) for field, type in more.items()}
    return create_model(name or noun.__name__, __base__=answer_of(noun), **extra)


def page_of(answer: Any, name: str) -> Any:
    return create_model(f"{name}List", items=(list[answer], ...), next=(str | None, ...))


Memory: Any = _answer(model.Memory)
Directive = _answer(directives.Directive)
Step = _answer(directives.Step)
Prompt = _answer(directives.Prompt)
Attempt = _answer(directives.Attempt)
Version = _answer(model.Version)
Hit = _answer(model.Hit)
Receipt = _answer(model.Receipt, id=str | None)
Proposal = _answer(proposal.Proposal)
Entity = _answer(model.Entity)
Relation = _answer(model.Relation)
Walk = _answer(graph.Walk)
Tag = _answer(glossary.Tag)
Namespace = _answer(namespaces.Namespace)
SharedNamespace = _answer(sharing.SharedNamespace)
Invitation = _answer(sharing.Invitation)
SyncStatus = _answer(sync_state.SyncStatus)
SyncPage = _answer(outgoing.SyncPage, name="SyncPage")
SyncApplied = _answer(incoming.Applied)
Session = _answer(sessions.Session)
AuditLine = _answer(audit.AuditLine)
AuditCheck = _answer(audit.AuditCheck, ok=bool)
Verification = _answer(verifying.Verification, gone=bool)
Job = _answer(jobs.Job)
Signal = _answer(feed.Signal)
Token = _answer(tokens.Token, scopes=list[str], last_used_at=datetime | None)
NewTokenAnswer = create_model("IssuedToken", token=(Token, ...), secret=(str, ...))
Account = _answer(tokens.Account)


Trace = _answer(trace.Trace)
Use = _answer(uses.Use)
AgendaItem = _answer(agenda.AgendaItem)
Diagnosis = _answer(doctor.Diagnosis, sound=bool)
Stats = _answer(report.Stats)
Report = _answer(report.Report)
Round = _answer(schedule.Round)
LogLine = _answer(schedule.LogLine)
Day = _answer(timeline.Day)
ImportedFile = _answer(importers.Imported)


UsageDay: Any = _answer(timeline.UsageDay)


Usage = create_model("Usage", items=(list[UsageDay], ...), next=(str | None, ...), cap=(int, ...))


class SettingValue(BaseModel):
    name: str
    value: Any
    """A secret is shown as "(set)"."""
    help: str
    origin: str | None
    """Where the value comes from; None: the default."""


class NotebookFile(BaseModel):
    name: str
    tier: str
    path: str
    modified: datetime
    size: int


class NotebookFiles(BaseModel):
    folder: str | None
    """The project's folder on the server; None for owners other than the server's own."""
    files: list[NotebookFile]


class NotebookEdit(RequestBody):
    before: str
    """The file's text as it was read."""
    after: str


class NotebookPage(BaseModel):
    name: str
    text: str


EvidenceQuote: Any = create_model("EvidenceQuote", episode=(Memory, ...), quote=(str | None, ...))
Waiting = create_model(
    "Waiting",
    memory=(Memory, ...),
    evidence=(list[EvidenceQuote], ...),
    reason=(str, ...),
    conflict=(Memory | None, ...),
)
Hint = _answer(model.Memory, name="Hint", evidence=list[EvidenceQuote])


class DirectiveVersion(BaseModel):
    """A version of a directive or a step, with what it said."""

    model_config = ConfigDict(extra="allow")
    version: int
    recorded_at: datetime
    actor: str
    action: str


class CoreValue(BaseModel):
    id: str
    key: str
    value: str
    updated_at: datetime
    namespace: str
    version: int


class RelationSummary(BaseModel):
    id: str
    subject: str
    predicate: str
    object: str
    confidence: float
    last_confirmed_at: datetime | None
    notes: str | None
    version: int


class PredicateName(BaseModel):
    name: str
    builtin: bool


class ContextPage(BaseModel):
    text: str
    tokens: int
    memories: list[str]


class Me(BaseModel):
    owner: str
    plan: str
    features: list[str]
    timezone: str | None
    language: str | None
    namespace: str
    version: str
    token: str
    scopes: list[str]
    person: bool


class NewSession(BaseModel):
    """The secret itself is in the cookie alone."""

    csrf: str
    expires_at: datetime


class LiftedCount(BaseModel):
    lifted: int


class ProblemDocument(BaseModel):
    """RFC 9457. Further members depend on the problem: ``expected`` and ``found``, ``ids``, ``errors``."""

    model_config = ConfigDict(extra="allow")
    type: str
    title: str
    status: int
    detail: str
