"""Request bodies and answers, for the parser and for the OpenAPI document.

Answers are shaped after the nouns themselves, so that a field cannot be in one and missing from the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, create_model

from commonplace import model
from commonplace.batches import report
from commonplace.context.render import Page
from commonplace.describing import proposal
from commonplace.interfaces import importers
from commonplace.interfaces.fields import Parameter, parameters
from commonplace.learning import trace
from commonplace.memories import audit, jobs, namespaces, timeline, verifying
from commonplace.security import tokens
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
TEXTS: dict[str, Any] = dict.fromkeys(
    (
        *("text", "value", "title", "goal", "reason", "notes", "description", "task_plan", "result", "query"),
        *("repository_url", "local_path", "base_branch"),
    ),
    str,
)
"""Parameters of verbs that are texts; every other ``str`` is a name or an id."""
TEXTS["code"] = Annotated[str, Field(max_length=200)]
SIZES: dict[str, Any] = {"to": Annotated[int, Field(ge=1, le=MOST)], "tokens": Annotated[int, Field(ge=0, le=100_000)]}
"""Numbers with bounds of their own."""


def _nothing() -> None:
    """Says that a field is absent, without saying so in the schema."""


ABSENT: Any = Field(default_factory=_nothing)


def _fields(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """The model's fields as those of a body or a query."""
    result: dict[str, Any] = {}
    for parameter in parameters:
        hint = SCALARS.get(parameter.type, parameter.type)
        if parameter.many:
            hint = Names if parameter.type is str else list.__class_getitem__(hint)
        default = [] if parameter.many and not parameter.optional else parameter.default
        if default is None and not parameter.optional:
            default = ABSENT
        result[parameter.name] = (hint | None if parameter.optional else hint, default)
    return result


EXAMPLES: dict[str, dict[str, Any]] = {
    "RememberRequest": {"text": "Ada prefers trains to planes", "category": "preference", "tags": ["travel"]},
    "Revision": {"text": "Ada prefers night trains"},
    "RecallRequest": {"query": "how does Ada travel?", "limit": 5, "explain": True},
    "ReviseRequest": {"query": "where Ada works", "text": "Ada works at Acme"},
    "NewRelation": {
        "subject": "Giulia",
        "predicate": "reports_to",
        "object": "Marco",
        "subject_type": "person",
        "object_type": "person",
    },
    "NewDirective": {"title": "Release 2", "goal": "Version 2 is out", "memory_enabled": True},
    "NewDirectiveMemory": {"text": "The cache must be cleared", "category": "error"},
}


def body(name: str, fields: Mapping[str, Any], doc: str | None = None) -> Any:
    """A request's body of this name, with its example."""
    config = ConfigDict(extra="forbid")
    if name in EXAMPLES:
        config["json_schema_extra"] = {"examples": [EXAMPLES[name]]}
    base = type(name, (RequestBody,), {"model_config": config, "__doc__": doc, "__module__": __name__})
    return create_model(name, __base__=base, __doc__=doc, **dict[str, Any](fields))


RememberRequest: Any = body(
    "RememberRequest", {"text": (str, ...), **_fields(parameters(model.NewMemoryFields, ("source",)))}
)


class NewMemories(RequestBody):
    items: Annotated[list[RememberRequest], Field(min_length=1, max_length=10_000)]


REVISION = {"text": (str | None, None), "reason": (str | None, None), **_fields(parameters(model.RevisionFields))}
Revision: Any = body("Revision", REVISION, "What is absent stays as it is.")


class ReasonRequest(RequestBody):
    reason: str | None = None


class BulkAction(RequestBody):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    action: Annotated[str, Field(pattern="^(archive|confirm|reject|tag)$")]
    reason: str | None = None
    tags: Names = []


RecallRequest: Any = body(
    "RecallRequest", {"query": (str, ""), "limit": (Limit | None, None), **_fields(parameters(model.QueryFilters))}
)
COUNT_FILTERS = _fields(
    parameters(model.QueryFilters, ("as_of", "known_at", "metadata", "directive", "session", "explain", "recipe"))
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


class MoveRequest(RequestBody):
    ids: Annotated[list[Name], Field(min_length=1, max_length=1000)]
    to: Name


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


ReviseRequest: Any = body(
    "ReviseRequest",
    {
        "query": (Annotated[str, Field(min_length=1)], ...),
        "dry_run": (StrictBool, False),
        "choose": (str | None, None),
        **REVISION,
    },
    "What is meant, in words, and what is to change of it; what is absent stays.",
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


NAMES: dict[type, str] = {importers.Imported: "ImportedFile", importers.Problem: "UnreadPart"}
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


ANSWERS: dict[type, Any] = {}
"""Answers that also show properties of their noun."""


def _answer(noun: type, *, name: str | None = None, **more: Any) -> Any:
    """As ``answer_of``, with the properties of a noun that an answer also shows."""
    extra: Any = {field: (type, ...) for field, type in more.items()}
    answer = create_model(name or noun.__name__, __base__=answer_of(noun), **extra)
    if name is None:
        ANSWERS[noun] = answer
    return answer


def answer_to(noun: type) -> Any:
    """The model of an answer that is a noun, with the properties that it also shows."""
    return ANSWERS.get(noun) or answer_of(noun)


def page_of(answer: Any, name: str, **extra: Any) -> Any:
    return create_model(f"{name}List", items=(list[answer], ...), next=(str | None, ...), **extra)


Memory: Any = answer_of(model.Memory)
Hit = answer_of(model.Hit)
Receipt = _answer(model.Receipt, id=str | None)
Proposal = answer_of(proposal.Proposal)
Namespace = answer_of(namespaces.Namespace)
SyncStatus = answer_of(sync_state.SyncStatus)
SyncPage = answer_of(outgoing.SyncPage)
SyncApplied = answer_of(incoming.Applied)
_answer(audit.AuditCheck, ok=bool)
_answer(verifying.Verification, gone=bool)
Job = answer_of(jobs.Job)
Token = _answer(tokens.Token, scopes=list[str], last_used_at=datetime | None)
NewTokenAnswer = create_model("IssuedToken", token=(Token, ...), secret=(str, ...))
Account = answer_of(tokens.Account)


Trace = answer_of(trace.Trace)
Diagnosis = _answer(doctor.Diagnosis, sound=bool)
Report = answer_of(report.Report)
LogLine = answer_of(schedule.LogLine)
ImportedFile = answer_of(importers.Imported)


UsageDay: Any = answer_of(timeline.UsageDay)
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


ANSWERS[Page] = ContextPage


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
