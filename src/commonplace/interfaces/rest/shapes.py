"""What requests carry and what answers look like: read by the parser, and by whoever reads the OpenAPI document.

Answers are shaped after the nouns themselves, so that a field cannot be in one and missing from the other.
"""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model

from commonplace import model
from commonplace.context import uses
from commonplace.directives import values as directives
from commonplace.extraction import trace
from commonplace.maintenance import doctor, report, schedule
from commonplace.memories import audit, feed, forgetting, glossary, graph, jobs, namespaces, sessions, timeline
from commonplace.security import tokens

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


class Given(BaseModel):
    """A request's body: unknown fields are refused, because a misspelt one would be silently lost."""

    model_config = ConfigDict(extra="forbid")


class NewMemory(Given):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"text": "Ada prefers trains to planes", "category": "preference", "tags": ["travel"]}]
        },
    )
    text: str
    kind: model.Kind = "associative"
    category: model.Category = "context"
    key: Name | None = None
    importance: Share | None = None
    confidence: Share | None = None
    tags: Names = []
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    expires_at: Moment | None = None
    pinned: bool = False
    metadata: dict[str, Any] | None = None


class Batch(Given):
    items: Annotated[list[NewMemory], Field(min_length=1, max_length=10_000)]


class Revision(Given):
    """What is absent stays as it is."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "Ada prefers night trains"}]})
    text: str | None = None
    reason: str | None = None
    importance: Share = 0.5
    confidence: Share = 0.5
    pinned: bool = False
    tags: Names = []
    metadata: dict[str, Any] = {}
    category: model.Category = "context"
    expires_at: Moment | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None


class Reason(Given):
    reason: str | None = None


class Ending(Reason):
    at: Moment | None = None


class To(Given):
    to: Annotated[int, Field(ge=1, le=MOST)]


class Bulk(Given):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    action: Annotated[str, Field(pattern="^(archive|confirm|reject|tag)$")]
    reason: str | None = None
    tags: Names = []


class Question(Given):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "how does Ada travel?", "limit": 5, "explain": True}]}
    )
    query: str = ""
    limit: Limit | None = None
    kinds: list[model.Kind] | None = None
    categories: list[model.Category] | None = None
    tags: Names | None = None
    statuses: list[model.Status] | None = None
    sources: list[model.Source] | None = None
    namespaces: Names | None = None
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    known_at: Moment | None = None
    metadata: dict[str, Any] | None = None
    directive: Name | None = None
    session: Name | None = None
    explain: bool = False
    recipe: Name | None = None


class Page(Given):
    query: str | None = None
    tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 2000
    limit: Limit = 8
    session: Name | None = None
    guidance: bool = False
    skip: Names = []


class Verdict(Given):
    id: Name
    yes: bool = True


class Said(Given):
    text: str
    speaker: Name | None = None
    role: model.Role = "user"
    at: Moment | None = None
    metadata: dict[str, Any] | None = None


class Conversation(Given):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"messages": [{"text": "I moved to Bern in May.", "speaker": "Ada"}], "session": "monday"}]
        },
    )
    messages: Annotated[list[Said], Field(min_length=1, max_length=10_000)]
    session: Name | None = None


class NewRelation(Given):
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


class RelationRevision(Given):
    subject: Name | None = None
    predicate: Name | None = None
    object: Name | None = None
    confidence: Share | None = None
    notes: str | None = None
    reason: str | None = None


class EntityRevision(Given):
    label: Name | None = None
    type: Name | None = None
    aliases: Names | None = None
    notes: str | None = None
    tags: Names | None = None


class EntityMerge(Given):
    keep: Name
    absorb: Name


class EntitySplit(Given):
    label: Name
    relations: Names = []
    aliases: Names = []


class Predicate(Given):
    name: Name


class NewTag(Given):
    name: Name
    description: str | None = None
    synonyms: Names = []


class TagRevision(Given):
    name: Name | None = None
    description: str | None = None
    synonyms: Names | None = None


class TagMerge(Given):
    into: Name


class NewNamespace(Given):
    name: Name
    description: str | None = None


class NamespaceRevision(Given):
    name: Name | None = None
    description: str | None = None


class Move(Given):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    to: Name


class Decision(Given):
    decision: Annotated[str, Field(pattern="^(approve|correct|reject)$")]
    text: str | None = None
    reason: str | None = None


class Lift(Given):
    text: str


class Value(Given):
    value: str
    category: model.Category = "preference"


class NewToken(Given):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "laptop", "scopes": ["read", "write"]}]}
    )
    name: Name | None = None
    scopes: Annotated[list[tokens.Scope], Field(min_length=1, max_length=3)] = ["read", "write"]
    namespaces: Names = []
    expires_at: Moment | None = None
    person: bool = False
    source: model.Source | None = None


class Described(Given):
    """What is meant, in words; several that fit are refused unless ``all`` or ``best`` is said."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"query": "what I said about my knee"}]})
    query: Annotated[str, Field(min_length=1)]
    dry_run: bool = False
    all: bool = False
    best: bool = False


class DescribedRevision(Revision):
    """What is meant, in words, and what is to change of it; what is absent stays."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "where Ada works", "text": "Ada works at Acme"}]}
    )
    query: Annotated[str, Field(min_length=1)]
    dry_run: bool = False
    best: bool = False


class Noticed(BaseModel):
    noticed: Count
    """Patterns that are new or were seen again."""


class Trial(Given):
    dry_run: bool = True


class NewOwner(Given):
    owner: Name
    plan: Name | None = None


class OwnerRevision(Given):
    plan: Name | None = None
    timezone: Name | None = None
    language: Name | None = None


class NewDirective(Given):
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


class DirectiveRevision(Given):
    """What is absent stays as it is."""

    title: str = ""
    goal: str = ""
    memory_enabled: bool = False
    repository_url: str | None = None
    local_path: str | None = None
    base_branch: str | None = None
    status: directives.DirectiveStatus = "draft"


class NewStep(Given):
    name: str
    description: str | None = None
    task_plan: str | None = None
    depends_on: Names = []
    order_index: Count | None = None


class StepRevision(Given):
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


class NewDirectiveMemory(Given):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "The cache must be cleared", "category": "error"}]}
    )
    text: str
    category: DirectiveCategory = "context"
    step: Name | None = None
    source: Literal["planner", "executor", "user"] | None = None


class DirectiveMemoryRevision(Given):
    """What is absent stays as it is."""

    text: str | None = None
    category: DirectiveCategory | None = None
    reason: str | None = None


def _answer(noun: type, *, name: str | None = None, **more: Any) -> Any:
    """A pydantic model with the fields of a noun, all of them always there."""
    hints = get_type_hints(noun)
    wanted: dict[str, Any] = {one.name: (hints[one.name], ...) for one in fields(noun)}
    wanted |= {extra: (type, ...) for extra, type in more.items()}
    return create_model(name or noun.__name__, **wanted)


def page_of(answer: Any, name: str) -> Any:
    return create_model(f"{name}List", items=(list[answer], ...), next=(str | None, ...))


Memory = _answer(model.Memory)
Directive = _answer(directives.Directive)
Step = _answer(directives.Step)
Prompt = _answer(directives.Prompt)
Attempt = _answer(directives.Attempt)
Version = _answer(model.Version)
Hit = _answer(model.Hit)
Receipt = _answer(model.Receipt, id=str | None)
Entity = _answer(model.Entity)
Relation = _answer(model.Relation)
Walk = _answer(graph.Walk)
Tag = _answer(glossary.Tag)
Namespace = _answer(namespaces.Namespace)
Session = _answer(sessions.Session)
AuditLine = _answer(audit.AuditLine)
AuditCheck = _answer(audit.AuditCheck, ok=bool)
Verification = _answer(forgetting.Verification, gone=bool)
Job = _answer(jobs.Job)
Signal = _answer(feed.Signal)
Token = _answer(tokens.Token, scopes=list[str])
NewTokenAnswer = create_model("IssuedToken", token=(Token, ...), secret=(str, ...))
Account = _answer(tokens.Account)


Trace = _answer(trace.Trace)
Use = _answer(uses.Use)
Diagnosis = _answer(doctor.Diagnosis, sound=bool)
Stats = _answer(report.Stats)
Report = _answer(report.Report)
Round = _answer(schedule.Round)
LogLine = _answer(schedule.LogLine)
Day = _answer(timeline.Day)


class Usage(BaseModel):
    items: list[timeline.UsageDay]
    next: str | None
    cap: int


class NotebookFile(BaseModel):
    name: str
    tier: str
    path: str
    modified: datetime
    size: int


class NotebookFiles(BaseModel):
    files: list[NotebookFile]


class NotebookPage(BaseModel):
    name: str
    text: str


class Proof(BaseModel):
    episode: model.Memory
    quote: str | None


class Waiting(BaseModel):
    memory: model.Memory
    evidence: list[Proof]
    reason: str
    conflict: model.Memory | None


Hint = _answer(model.Memory, name="Hint", evidence=list[Proof])


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


class Tie(BaseModel):
    id: str
    subject: str
    predicate: str
    object: str
    confidence: float
    last_confirmed_at: datetime | None
    notes: str | None
    version: int


class KnownPredicate(BaseModel):
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


class Lifted(BaseModel):
    lifted: int


class ProblemDocument(BaseModel):
    """RFC 9457. Further members depend on the problem: ``expected`` and ``found``, ``ids``, ``errors``."""

    model_config = ConfigDict(extra="allow")
    type: str
    title: str
    status: int
    detail: str
