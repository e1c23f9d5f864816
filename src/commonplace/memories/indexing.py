"""Builds the index rows of a text: its keyed words and its vectors."""

from collections.abc import Sequence
from datetime import UTC, timedelta, timezone, tzinfo
from itertools import repeat

from commonplace.clock import local, moment
from commonplace.errors import ProviderError
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Encoder, Scope
from commonplace.security.vault import Vault
from commonplace.store.rows import FreshRow, VectorRow
from commonplace.store.tables.postings import Columns
from commonplace.store.transaction import Transaction
from commonplace.text.index import Entries, entries, fields
from commonplace.text.languages import LANGUAGES
from commonplace.text.sentences import sentences

PACKED_EVERY = 256
MOST_PACKED = 1_000_000
_FURTHEST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
"""The time zones in which it is a day earlier or a day later somewhere."""


def precompute(scope: Scope, texts: Sequence[tuple[str, str | None]], *, turn: bool = False) -> None:
    """Do slow work before the transaction: load a model, compute vectors, compile patterns.

    ``texts`` are texts with their speakers.
    """
    first = not scope.vaults
    if first and texts:
        entries(texts[0][0], language=scope.language)
    if vault := scope.vault if first else scope.vaults.get(scope.owner):
        scope.prepare(vault, [part for text, who in texts for part in passages(text, speaker=who, turn=turn)])


def entries_of(stored: StoredMemory, *, language: str, zone: tzinfo | None) -> Entries:
    """The index terms of a memory, with its date in ``zone``; a core value also by its key."""
    row, content = stored.row, stored.content
    return entries(
        content.text if content.key is None else f"{content.key} {content.text}",
        turn=row.kind == "episodic",
        speaker=content.speaker,
        said_at=None if row.said_at is None else local(moment(row.said_at), zone),
        language=language,
    )


def postings(vault: Vault, stored: StoredMemory, *, language: str, zone: tzinfo | None) -> tuple[list[FreshRow], int]:
    """The rows that make a memory's present text searchable, and its length in words."""
    words = entries_of(stored, language=language, zone=zone)
    terms = vault.terms(stored.row.namespace, words.flags)
    rows = zip(terms, repeat(stored.row.doc), words.flags.values(), repeat(words.code))
    return [FreshRow(*row) for row in rows], words.length


def index(
    tx: Transaction,
    vault: Vault,
    stored_memories: Sequence[StoredMemory],
    *,
    language: str,
    zone: tzinfo | None,
    new: bool = False,
) -> None:
    """Write the words of memories of one namespace; ``new``: their document numbers were never used."""
    namespace = stored_memories[0].row.namespace
    columns, total = Columns(), 0
    for stored in stored_memories:
        words = entries_of(stored, language=language, zone=zone)
        columns.add(stored.row.doc, vault.terms(namespace, words.flags), words.flags.values(), words.code)
        total += words.length
    tx.words.add(namespace, columns, new=new)
    tx.namespaces.count(namespace, documents=len(stored_memories), length=total)


def pack_now_and_then(tx: Transaction, namespace: str, added: int) -> None:
    """Pack fresh postings once per ``PACKED_EVERY`` documents: search stays fast, and no write pays much."""
    row = tx.namespaces.get(namespace)
    if row is not None and row.documents % PACKED_EVERY < added:
        tx.words.pack(namespace, limit=MOST_PACKED)


def unindex(tx: Transaction, vault: Vault, stored_memories: Sequence[StoredMemory], *, language: str) -> None:
    """Remove texts, each under its document number, from words and vectors.

    They may have been indexed with another language or time zone: the terms of all of them are removed.
    """
    for stored in stored_memories:
        namespace = stored.row.namespace
        all_entries = [
            entries_of(stored, language=language_code, zone=UTC)
            for language_code in dict.fromkeys((language, *LANGUAGES))
        ]
        words = dict.fromkeys(word for language_code in all_entries for word in language_code.flags)
        if stored.row.said_at is not None:
            for zone in _FURTHEST:
                words |= dict.fromkeys(fields(said_at=local(moment(stored.row.said_at), zone)))
        tx.words.remove(namespace, [stored.row.doc], list(vault.terms(namespace, words)))
        tx.namespaces.count(namespace, documents=-1, length=-all_entries[0].length)
    docs = [stored.row.doc for stored in stored_memories]
    tx.vectors.delete(docs)
    # The next turn was encoded with these words as context; encode it again without them.
    tx.passages.delete([*docs, *(doc + 1 for doc in docs)])


def vectors(encoder: Encoder, stored_memories: Sequence[StoredMemory]) -> list[VectorRow]:
    parts = [
        (stored.row.doc, number, text)
        for stored in stored_memories
        for number, text in enumerate(
            passages(stored.content.text, speaker=stored.content.speaker, turn=stored.row.kind == "episodic")
        )
    ]
    encoded = encoder.encode([text for _, _, text in parts])
    return [VectorRow(doc=doc, part=number, data=data) for (doc, number, _), data in zip(parts, encoded, strict=True)]


def embed(
    tx: Transaction, encoder: Encoder | None, stored_memories: Sequence[StoredMemory], *, new: bool = False
) -> bool:
    """Write the vectors of memories of one namespace; False if a job has to do it later."""
    if encoder is None:
        return False
    try:
        rows = vectors(encoder, stored_memories)
    except ProviderError:
        # Recall works by words meanwhile. The caller queues a job, which records a repeated failure.
        return False
    tx.vectors.put(stored_memories[0].row.namespace, encoder.model, rows, new=new)
    return True


PASSAGE = 800
"""Maximum characters for one vector; the mean of a longer text blurs."""


def passages(text: str, *, speaker: str | None = None, turn: bool = False) -> list[str]:
    """The head of a turn, or a document's chunks cut at sentence ends, each preceded by the speaker."""
    lead = f"{speaker}: " if speaker else ""
    if turn or len(text) <= PASSAGE:
        return [lead + text[:PASSAGE]]
    chunks: list[str] = []
    current = ""
    for sentence in sentences(text):
        part = sentence.text.strip()
        while len(part) > PASSAGE:
            chunks.append(part[:PASSAGE])
            part = part[PASSAGE:]
        if current and len(current) + 1 + len(part) > PASSAGE:
            chunks.append(current)
            current = part
        else:
            current = f"{current} {part}".strip()
    return [lead + chunk for chunk in [*chunks, current] if chunk]
