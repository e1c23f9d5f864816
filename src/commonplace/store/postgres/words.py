"""The lexical index with a batch of postings or blocks in one statement, as arrays."""

from collections.abc import Sequence

from commonplace.store.statements import sql
from commonplace.store.tables.postings import Row
from commonplace.store.tables.word import Block, WordTable


class PostgresWords(WordTable):
    def _add_fresh(self, namespace: str, rows: Sequence[Row], *, new: bool) -> None:
        once = {row[:2]: row for row in rows}  # one statement may not write a row twice
        if once:
            terms, docs, tfs, lengths = (list(column) for column in zip(*once.values(), strict=True))
            text = sql("postgres", "fresh_add" if new else "fresh_put")
            self._db.run(text, namespace=namespace, terms=terms, docs=docs, tfs=tfs, lengths=lengths)

    def _put_blocks(self, namespace: str, blocks: Sequence[Block]) -> None:
        terms, firsts, datas = (list(column) for column in zip(*blocks, strict=True))
        self._db.run(sql("postgres", "block_put"), namespace=namespace, terms=terms, firsts=firsts, datas=datas)
