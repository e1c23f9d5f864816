"""Making a text findable: its blinded words and its vectors, as rows for the store."""

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
from commonplace.text.documents import passages
from commonplace.text.index import Entries, entries, fields
from commonplace.text.languages import LANGUAGES

PACKED_EVERY = 256
MOST_PACKED = 1_000_000
_FURTHEST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
"""Somewhere it is a day earlier, or a day later."""


def precompute(scope: Scope, texts: Sequence[tuple[str, str | None]], *, turn: bool = False) -> None:
    """Do before the transaction what would make others wait: load a model, ask it for vectors, compile patterns.

    ``said`` are texts with their speakers. A further owner of this process is not foreseen: it would cost a question.
    """
    first = not scope.vaults
    if first and texts:
        entries(texts[0][0], language=scope.language)
    if vault := scope.vault if first else scope.vaults.get(scope.owner):
        scope.prepare(vault, [part for text, who in texts for part in passages(text, speaker=who, turn=turn)])


def entries_of(stored: StoredMemory, *, language: str, zone: tzinfo | None) -> Entries:
    """The terms a memory is found by, on the day that it was in ``zone``; a core value by its key too."""
    row, content = stored.row, stored.content
    return entries(
        content.text if content.key is None else f"{content.key} {content.text}",
        turn=row.kind == "episodic",
        speaker=content.speaker,
        said_at=None if row.said_at is None else local(moment(row.said_at), zone),
        language=language,
    )


def postings(vault: Vault, stored: StoredMemory, *, language: str, zone: tzinfo | None) -> tuple[list[FreshRow], int]:
    """The rows that make a memory's present text findable, and its length in words."""
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
    """Write the words of memories of one namespace; ``new``: under numbers that nothing stood under before."""
    namespace = stored_memories[0].row.namespace
    columns, total = Columns(), 0
    for stored in stored_memories:
        words = entries_of(stored, language=language, zone=zone)
        columns.add(stored.row.doc, vault.terms(namespace, words.flags), words.flags.values(), words.code)
        total += words.length
    tx.words.add(namespace, columns, new=new)
    tx.namespaces.count(namespace, documents=len(stored_memories), length=total)


def pack_now_and_then(tx: Transaction, namespace: str, added: int) -> None:
    """Pack fresh postings once in ``PACKED_EVERY`` documents: finding stays quick, and no writer pays much for it."""
    row = tx.namespaces.get(namespace)
    if row is not None and row.documents % PACKED_EVERY < added:
        tx.words.pack(namespace, limit=MOST_PACKED)


def unindex(tx: Transaction, vault: Vault, stored_memories: Sequence[StoredMemory], *, language: str) -> None:
    """Take these texts (each with the number it stood under) out of words and vectors.

    Whoever indexed them may have had another language or time zone set: what they would be found by in any goes.
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
    # What was said next was encoded with these words before it; it is encoded again without them.
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
    """Write the vectors of memories of one namespace, as ``index`` their words; False if they must wait for a job."""
    if encoder is None:
        return False
    try:
        rows = vectors(encoder, stored_memories)
    except ProviderError:
        # The words carry recall meanwhile; the caller leaves a job, which records the failure if it comes again.
        return False
    tx.vectors.put(stored_memories[0].row.namespace, encoder.model, rows, new=new)
    return True
