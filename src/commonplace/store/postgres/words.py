"""The lexical index with a batch of postings or blocks in one statement, as arrays."""

from collections.abc import Sequence

from commonplace.store.tables.word import Block, Row, WordTable

ADD = """
insert into fresh (owner, namespace, term, doc, tf, length)
select :owner, :namespace, row.* from unnest(
    cast(:terms as bigint[]), cast(:docs as bigint[]), cast(:tfs as smallint[]), cast(:lengths as smallint[])
) as row
"""
AGAIN = f"{ADD}on conflict (owner, namespace, term, doc) do update set tf = excluded.tf, length = excluded.length"
PUT = """
insert into word (owner, namespace, term, first, data)
select :owner, :namespace, row.* from unnest(
    cast(:terms as bigint[]), cast(:firsts as bigint[]), cast(:datas as bytea[])
) as row
on conflict (owner, namespace, term, first) do update set data = excluded.data
"""


class PostgresWords(WordTable):
    def _add_fresh(self, namespace: str, rows: Sequence[Row], *, new: bool) -> None:
        once = {row[:2]: row for row in rows}  # one statement may not write a row twice
        if once:
            terms, docs, tfs, lengths = (list(column) for column in zip(*once.values(), strict=True))
            text = ADD if new else AGAIN
            self._db.run(text, namespace=namespace, terms=terms, docs=docs, tfs=tfs, lengths=lengths)

    def _put_blocks(self, namespace: str, blocks: Sequence[Block]) -> None:
        terms, firsts, datas = (list(column) for column in zip(*blocks, strict=True))
        self._db.run(PUT, namespace=namespace, terms=terms, firsts=firsts, datas=datas)
