"""The lexical index, its rows bound by place."""

from collections.abc import Sequence

from commonplace.store.sqlite.connection import SqliteConnection
from commonplace.store.statements import sql
from commonplace.store.tables.postings import Row
from commonplace.store.tables.word import Block, WordTable


class SqliteWords(WordTable):
    def __init__(self, db: SqliteConnection) -> None:
        super().__init__(db)
        self._run_bound = db.run_bound

    def _add_fresh(self, namespace: str, rows: Sequence[Row], *, new: bool) -> None:
        owner = self._db.owner
        self._run_bound(sql("word", "add"), [(owner, namespace, *row) for row in rows])

    def _put_blocks(self, namespace: str, blocks: Sequence[Block]) -> None:
        owner = self._db.owner
        self._run_bound(sql("word", "block_put"), [(owner, namespace, *block) for block in blocks])
