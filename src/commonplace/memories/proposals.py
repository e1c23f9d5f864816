"""Proposals: changes by an author whose rank is too low. They wait in review until a person decides.

A proposal is stored as an archived memory, so that no recall, page or profile shows it. Its text is what the memory
would say; its metadata has the verb, the target and the arguments.
"""

from collections.abc import Mapping
from typing import Any

from commonplace.memories import codec
from commonplace.memories.codec import Content, StoredMemory
from commonplace.memories.trust import WRITERS
from commonplace.memories.unit_of_work import Work
from commonplace.model import Metadata, Source
from commonplace.store.rows import Filter, MemoryRow

WAITING, ACT, TARGET, ARGUMENTS, VERSION = "waiting", "proposal", "target", "arguments", "version"
"""Names in the metadata of a proposal."""
DECISION = "decision"
ACCEPTED, DECLINED, WITHDRAWN = "accepted", "declined", "withdrawn"
END = "end"
LOOKED_AT = 50


def is_waiting(metadata: Metadata) -> bool:
    return metadata.get(WAITING) is True


def propose(
    work: Work,
    act: str,
    target: StoredMemory,
    *,
    text: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    reason: str | None = None,
) -> StoredMemory:
    """Store a proposal to do ``act`` to ``target``; the receipt says that it was not done.

    Proposing the same again changes nothing, nor does a proposal that was declined before. Pending proposals to end a
    memory are the same whatever their end time.
    """
    text = target.content.text if text is None else text
    fingerprint = work.vault.fingerprint(target.row.namespace, text)
    metadata = {
        WAITING: True,
        ACT: act,
        TARGET: target.id,
        VERSION: target.row.version,
        ARGUMENTS: dict(arguments or {}),
        "contradicts": target.id,
    }
    writer = target.content.author if target.is_from_another_member(work.scope) else WRITERS[target.rank]
    for earlier in _about(work, target.id):
        made = earlier.content.metadata
        if earlier.row.fingerprint != fingerprint or made.get(ACT) != act:
            continue
        exactly = made.get(ARGUMENTS) == metadata[ARGUMENTS]
        if is_waiting(made) and (exactly or act == END):
            work.note("PROPOSE", target.id, f"proposed before: it waits in review as {earlier.id}")
            work.ids.append(earlier.id)
            return earlier
        if exactly and made.get(DECISION) == DECLINED:
            work.note("NOOP", target.id, "a person declined this proposal")
            return earlier
    scope = work.scope
    row = proposal_row(work, scope.clock.new_id(), target, text, source=scope.source, at=work.now)
    proposal = StoredMemory(row=row, content=Content(text=text, metadata=metadata, rank=scope.rank))
    sentence = f"proposed, not done ({act}): {writer} stated it; it waits in review"
    work.add(proposal, reason=reason or sentence)
    work.flush()
    work.note("PROPOSE", target.id, sentence, statement=text, before=target.row.version)
    work.notes.append(f"Not done: {writer} stated this. The proposal waits in review as {proposal.id}.")
    return proposal


def proposal_row(work: Work, id: str, target: StoredMemory, text: str, *, source: Source, at: int) -> MemoryRow:
    """The row of a proposal to change ``target`` so that it says ``text``."""
    return MemoryRow(
        id=id,
        namespace=target.row.namespace,
        kind="associative",
        category=target.row.category,
        status="archived",
        source=source,
        importance=0.0,
        confidence=target.row.confidence,
        recorded_at=at,
        fingerprint=work.vault.fingerprint(target.row.namespace, text),
        sealed=b"",
        doc=0,
        retired_at=at,
    )


def close(work: Work, proposal: StoredMemory, decision: str) -> None:
    """Close a proposal and record the decision."""
    metadata = {name: value for name, value in proposal.content.metadata.items() if name != WAITING}
    after = proposal.with_metadata({**metadata, DECISION: decision})
    work.change(proposal, after, action=decision.upper(), reason=f"proposal {decision}")


def proposals_about(work: Work, ids: Mapping[str, Any]) -> list[StoredMemory]:
    """Every proposal to change one of these memories, decided or not."""
    return [proposal for id in ids for proposal in _about(work, id)]


def _about(work: Work, target: str) -> list[StoredMemory]:
    attribute = codec.attribute(work.vault, TARGET, target)
    rows = work.tx.memories.find(Filter(attributes=(attribute,)), limit=LOOKED_AT, newest=True)
    memories = [codec.opened(work.scope, row) for row in rows]
    return [memory for memory in memories if ACT in memory.content.metadata]
