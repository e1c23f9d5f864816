"""Answers of tools: what a model reads, and errors it can act on.

Hosts differ in what they hand the model when an answer has both text and structure, and several drop the text. So what
is read comes as text alone, fenced as data; what a write did comes as a sentence, and the same sentence is part of the
structure that programs read. Memory text is never outside a fence.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import ParamSpec

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations

from commonplace.context.agenda import AgendaItem
from commonplace.context.render import CLOSE, LABEL, OPEN, ROUND, said_by
from commonplace.describing.proposal import Proposal
from commonplace.errors import CommonplaceError, NotFound
from commonplace.interfaces.fields import other_fields
from commonplace.memories.glossary import Tag
from commonplace.model import Entity, Memory, Receipt, Relation
from commonplace.protocol import Book
from commonplace.security.fence import escape

P = ParamSpec("P")

HINTS = {
    name: ToolAnnotations(
        read_only_hint=name == "reads",
        destructive_hint=name == "destroys",
        idempotent_hint=name != "changes",
        open_world_hint=False,
    )
    for name in ("reads", "adds", "changes", "destroys")
}

LINE = 600
"""Characters of one memory in a list; ``memory_get`` shows it whole."""
SHOWN = 10
"""Memories that a preview lists."""

NOT_UNDONE = ("FORGET", "ERASE", "NOOP")
"""What leaves nothing to take back."""
VERBS = {
    "ADD": "Stored",
    "REMEMBER": "Stored",
    "OBSERVE": "Stored",
    "NOOP": "Already known",
    "CORROBORATE": "Already known, confirmed again",
    "UPDATE": "Updated",
    "REVISE": "Corrected",
    "CONFIRM": "Confirmed",
    "REJECT": "Marked as wrong",
    "ARCHIVE": "Archived",
    "END": "Ended",
    "FORGET": "Forgotten for good",
    "ERASE": "Erased for good",
    "ROLLBACK": "Restored",
    "UNDO": "Undone",
    "CREATE": "Created",
    "RELATE": "Stored",
    "MERGE": "Merged",
    "PRUNE": "Archived",
    "MOVE": "Moved",
    "WEIGH": "Importance changed",
    "DISMISS": "Dismissed",
    "PROPOSE": "Waiting for the person's decision",
}


def reports_errors(tool: Callable[P, CallToolResult]) -> Callable[P, CallToolResult]:
    """Turn our errors into the tool's answer: what went wrong and what to do, never anybody's text."""

    @wraps(tool)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return tool(*args, **kwargs)
        except CommonplaceError as error:
            raise ToolError(str(error)) from error

    return reporting


def text_answer(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def memories_answer(lines: Iterable[str], *, nothing: str) -> CallToolResult:
    """Fenced lines, or the words for none."""
    return text_answer(fenced(lines, nothing=nothing))


def receipt_answer(receipt: Receipt, sentence: str | None = None) -> CallToolResult:
    """What a write did: one sentence, and as structure the same sentence with the ids that programs need."""
    text = sentence or receipt_sentence(receipt)
    structure = {
        "text": text,
        "id": receipt.id,
        "ids": list(receipt.ids),
        "ref": receipt.ref,
        "action": receipt.action,
        "state": receipt.state,
    }
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure)


def proposal_answer(proposal: Proposal) -> CallToolResult:
    """What a description may mean, with the ids to choose from; nothing was done."""
    shown = (*proposal.targets, *proposal.alternatives)
    lines = [f"- {target.id} ({target.confidence:.2f}) {inert(target.text, LINE)}" for target in shown]
    head = f"Nothing was changed: {'; '.join(proposal.reasons)}. Ask the person which they mean, then pass `choose`."
    return text_answer(f"{head}\n{fenced(lines, nothing='No memory.')}")


def receipt_sentence(receipt: Receipt, subject: str | None = None, verb: str | None = None) -> str:
    """``subject`` says what it is about; without it the ids do. ``verb`` is for an action that means several things."""
    ids = ", ".join(changed_ids(receipt)[:SHOWN])
    if subject and receipt.id and receipt.action == "UPDATE":
        ids = ", replacing ".join((receipt.id, ", ".join(receipt.ids[1:SHOWN]))).removesuffix(", replacing ")
    about = f"{subject} (id {ids})" if subject and ids else subject or (f"id {ids}" if ids else "nothing")
    state = "" if receipt.state == "done" else f" ({receipt.state})"
    undo = f" To undo: receipt {receipt.ref}." if receipt.ref and receipt.action not in NOT_UNDONE else ""
    notes = "".join(f" Note: {escape(note.rstrip('.'))}." for note in receipt.notes[:5])
    return f"{verb or verb_of(receipt)}: {about}{state}.{notes}{undo}"


def verb_of(receipt: Receipt) -> str:
    if receipt.changes and all(change.action == "NOOP" for change in receipt.changes):
        return VERBS["NOOP"]
    return VERBS.get(receipt.action, receipt.action.capitalize())


def changed_ids(receipt: Receipt) -> list[str]:
    return list(dict.fromkeys(change.id for change in receipt.changes)) or list(receipt.ids)


def preview(book: Book, ids: Sequence[str]) -> str:
    """The memories that a dry run names, fenced."""
    lines = [memory_line(memory) for memory in map(_reader(book), ids[:SHOWN]) if memory is not None]
    more = [f"- and {len(ids) - SHOWN} more"] if len(ids) > SHOWN else []
    return fenced([*lines, *more], nothing="No memory.")


def _reader(book: Book) -> Callable[[str], Memory | None]:
    def read(id: str) -> Memory | None:
        try:
            return book.get(id)
        except NotFound:
            return None

    return read


def fenced(lines: Iterable[str], *, nothing: str) -> str:
    """Recalled text as data. Each line is already inert."""
    body = list(lines)
    return "\n".join([OPEN, LABEL, *body, CLOSE]) if body else nothing


def memory_line(memory: Memory, *, whole: bool = False) -> str:
    """A memory in one line: id, kind, status, date, who said it if it is a turn or shared, tags, text."""
    turn = memory.turn
    when = turn.said_at if turn else memory.valid_from or memory.recorded_at
    kind = memory.category if memory.kind == "associative" else memory.kind
    about = [f"id {memory.id}", kind, memory.status, f"{when:%Y-%m-%d}"]
    if turn is not None or memory.author:
        about.append(f"said by {inert(said_by(memory))}")
    if memory.valid_to is not None:
        about.append(f"until {memory.valid_to:%Y-%m-%d}")
    if memory.directive:
        about.append(f"of directive {memory.directive}")
    if memory.tags:
        about.append("tags: " + ", ".join(inert(tag) for tag in memory.tags))
    if whole:
        about += [f"{name} {inert(str(value))}" for name, value in other_fields(memory).items()]
    key = f"{inert(memory.key)}: " if memory.key else ""
    return f"- [{'; '.join(about).translate(ROUND)}] {key}{inert(memory.text, None if whole else LINE)}"


def inert(text: str, most: int | None = 120) -> str:
    """One line that can neither close the fence nor open another."""
    plain = " ".join(text.split())
    if most is not None and len(plain) > most:
        plain = plain[:most] + " …"
    return escape(plain)


def whole_line(memory: Memory) -> str:
    return memory_line(memory, whole=True)


def relation_line(relation: Relation) -> str:
    ends = f"{inert(relation.subject.label)} --{relation.predicate}--> {inert(relation.object.label)}"
    return f"- [id {relation.id}; {relation.status}; {relation.confidence:.2f}] {ends}"


def entity_line(entity: Entity) -> str:
    return f"- [id {entity.id}; {inert(entity.type)}] {inert(entity.label)}"


def tag_line(tag: Tag) -> str:
    return f"- {inert(tag.name)} ({tag.links}): {inert(tag.description or '')}"


def agenda_line(item: AgendaItem) -> str:
    return f"{item.kind} {item.day or '-'} {inert(item.text)} [{item.id}]"
