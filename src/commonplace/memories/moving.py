"""Moves memories to another namespace: their tags, keys and fingerprints are rebuilt there."""

from dataclasses import replace

from commonplace.memories import codec
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import value
from commonplace.memories.glossary import tag_ids, tag_names
from commonplace.memories.unit_of_work import Work


def relocated(work: Work, stored: StoredMemory, namespace: str) -> StoredMemory:
    """The memory for another namespace, with tags of the same names there."""
    names, key = tag_names(work.scope, work.tx, stored.tags), stored.content.key
    return replace(stored, tags=tag_ids(work, namespace, names.values())).with_row(
        namespace=namespace,
        fingerprint=work.vault.fingerprint(namespace, value(stored.content.text, key)),
        key=None if key is None else work.vault.label("core", f"{namespace}/{key}"),
    )


def move_history(work: Work, namespace: str) -> None:
    """Before a namespace is deleted: move earlier versions of memories that were moved out of it.

    Versions are stored where the memory is now, so that they can be read, found, exported and restored.
    """
    for id in work.tx.versions.moved():
        for row in work.tx.memories.get([id]):
            if row.namespace != namespace:
                _move_versions(work, codec.opened(work.scope, row), namespace)


def _move_versions(work: Work, present: StoredMemory, namespace: str) -> None:
    numbers: dict[int, int] = {}
    for row in work.tx.versions.of(codec.NOUN, present.id):
        earlier, reason = codec.opened_version(work.scope, row)
        if earlier.row.namespace != namespace:
            continue
        if earlier.content.triple and present.content.triple:
            ends = {end: present.content.triple[end] for end in ("subject", "object")}
            earlier = replace(earlier, content=replace(earlier.content, triple={**earlier.content.triple, **ends}))
        doc, first = earlier.row.doc, earlier.row.doc not in numbers
        if first:
            numbers[doc] = work.number(earlier)
        earlier = relocated(work, earlier, present.row.namespace).with_row(doc=numbers[doc])
        work.tx.versions.replace(codec.version_again(work.vault, row, earlier, reason=reason))
        if first:
            work.index_again(earlier)
