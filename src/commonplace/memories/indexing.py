"""Making a text findable: its blinded words and its vectors, as rows for the store."""

from collections.abc import Iterable, Sequence
from datetime import UTC, timedelta, timezone, tzinfo
from itertools import repeat

from commonplace.clock import local, moment
from commonplace.errors import ProviderError
from commonplace.memories.scope import Encoder, Scope
from commonplace.memories.states import Held
from commonplace.security.vault import Vault
from commonplace.store.ports import Transaction
from commonplace.store.rows import FreshRow, VectorRow
from commonplace.text.documents import passages
from commonplace.text.index import Entries, entries, fields
from commonplace.text.languages import LANGUAGES

PACKED_EVERY = 256
MOST_PACKED = 1_000_000
_FURTHEST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
"""Somewhere it is a day earlier, or a day later."""


def foresee(scope: Scope, said: Sequence[tuple[str, str | None]], *, turn: bool = False) -> None:
    """Do before the transaction what would make others wait: load a model, ask it for vectors, compile patterns.

    ``said`` are texts with their speakers. A further owner of this process is not foreseen: it would cost a question.
    """
    first = not scope.vaults
    if first and said:
        entries(said[0][0], language=scope.language)
    if vault := scope.vault if first else scope.vaults.get(scope.owner):
        scope.prepare(vault, [part for text, who in said for part in passages(text, speaker=who, turn=turn)])


def entries_of(held: Held, *, language: str, zone: tzinfo | None) -> Entries:
    """The terms a memory is found by, on the day that it was in ``zone``; a core value by its key too."""
    row, content = held.row, held.content
    return entries(
        content.text if content.key is None else f"{content.key} {content.text}",
        turn=row.kind == "episodic",
        speaker=content.speaker,
        said_at=None if row.said_at is None else local(moment(row.said_at), zone),
        language=language,
    )


def postings(vault: Vault, held: Held, *, language: str, zone: tzinfo | None) -> tuple[list[FreshRow], int]:
    """The rows that make a memory's present text findable, and its length in words."""
    made = entries_of(held, language=language, zone=zone)
    return [FreshRow(*row) for row in _rows(vault, held, made)], made.length


def _rows(vault: Vault, held: Held, made: Entries) -> Iterable[tuple[int, int, int, int]]:
    terms = vault.terms(held.row.namespace, made.flags)
    return zip(terms, repeat(held.row.doc), made.flags.values(), repeat(made.code))


def index(
    tx: Transaction, vault: Vault, helds: Sequence[Held], *, language: str, zone: tzinfo | None, new: bool = False
) -> None:
    """Write the words of memories of one namespace; ``new``: under numbers that nothing stood under before."""
    namespace = helds[0].row.namespace
    rows: list[tuple[int, int, int, int]] = []
    total = 0
    for held in helds:
        made = entries_of(held, language=language, zone=zone)
        rows += _rows(vault, held, made)
        total += made.length
    tx.words.add(namespace, rows, new=new)
    tx.namespaces.count(namespace, documents=len(helds), length=total)


def pack_now_and_then(tx: Transaction, namespace: str, added: int) -> None:
    """Pack fresh postings once in ``PACKED_EVERY`` documents: finding stays quick, and no writer pays much for it."""
    row = tx.namespaces.get(namespace)
    if row is not None and row.documents % PACKED_EVERY < added:
        tx.words.pack(namespace, limit=MOST_PACKED)


def unindex(tx: Transaction, vault: Vault, helds: Sequence[Held], *, language: str) -> None:
    """Take these texts (each with the number it stood under) out of words and vectors.

    Whoever indexed them may have had another language or time zone set: what they would be found by in any goes.
    """
    for held in helds:
        namespace = held.row.namespace
        made = [entries_of(held, language=one, zone=UTC) for one in dict.fromkeys((language, *LANGUAGES))]
        words = dict.fromkeys(word for one in made for word in one.flags)
        if held.row.said_at is not None:
            for zone in _FURTHEST:
                words |= dict.fromkeys(fields(said_at=local(moment(held.row.said_at), zone)))
        tx.words.remove(namespace, [held.row.doc], list(vault.terms(namespace, words)))
        tx.namespaces.count(namespace, documents=-1, length=-made[0].length)
    tx.vectors.delete([held.row.doc for held in helds])


def vectors(encoder: Encoder, helds: Sequence[Held]) -> list[VectorRow]:
    parts = [
        (held.row.doc, number, text)
        for held in helds
        for number, text in enumerate(
            passages(held.content.text, speaker=held.content.speaker, turn=held.row.kind == "episodic")
        )
    ]
    encoded = encoder.encode([text for _, _, text in parts])
    return [VectorRow(doc=doc, part=number, data=data) for (doc, number, _), data in zip(parts, encoded, strict=True)]


def embed(tx: Transaction, encoder: Encoder | None, helds: Sequence[Held], *, new: bool = False) -> bool:
    """Write the vectors of memories of one namespace, as ``index`` their words; False if they must wait for a job."""
    if encoder is None:
        return False
    try:
        rows = vectors(encoder, helds)
    except ProviderError:
        # The words carry recall meanwhile; the caller leaves a job, which records the failure if it comes again.
        return False
    tx.vectors.put(helds[0].row.namespace, encoder.model, rows, new=new)
    return True
