"""Statements run on one psycopg connection for one owner."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import psycopg

from commonplace.store.postgres.errors import translated
from commonplace.store.statements import Cells, storable

LIST = re.compile(r"in \(:(\w+)\*\)")
NAME = re.compile(r"(?<![:\w]):(\w+)")
WORDS = {
    "{vector in}": "cast(:data as public.halfvec)",
    "{vector out}": "public.halfvec_send(data)",
    "{skip locked}": "for update skip locked",
}

ANSWERS = re.compile(r"\s*(select\b|with\b|.*\breturning\b)", re.IGNORECASE | re.DOTALL)

Raw = psycopg.Connection[Cells]


@cache
def native(text: str) -> bytes:
    """Our dialect in psycopg's words: a list is an array, so that one text serves lists of any length."""
    for word, meaning in WORDS.items():
        text = text.replace(word, meaning)
    text = LIST.sub(r"= any(:\1)", text.replace("%", "%%"))
    return NAME.sub(r"%(\1)s", text).encode()


@cache
def answers(text: str) -> bool:
    """Whether a statement gives rows back; asked of the text, for one that is on its way cannot say yet."""
    return bool(ANSWERS.match(text))


class OwnerConnection:
    """Runs the statements of one transaction; implements ``statements.Connection``.

    In a ``pipeline`` a statement without an answer is sent and not waited for; should it fail, the next one that is
    waited for raises, or the commit.
    """

    def __init__(
        self,
        raw: Raw,
        owner: str,
        place: str,
        *,
        pipeline: psycopg.Pipeline | None = None,
        ahead: Mapping[str, list[Cells]] | None = None,
    ) -> None:
        """``ahead``: answers to statements that were asked when the snapshot was taken."""
        self._raw, self.owner, self._place, self._pipeline = raw, owner, place, pipeline
        self._ahead = ahead or {}

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        if not values and text in self._ahead:
            return self._ahead[text]
        if answers(text):
            return self._answer(text, values)
        self._execute(text, values)
        return []

    def run_many(self, text: str, values: list[dict[str, Any]], /) -> None:
        if not values:
            return
        named = [{**storable(one), "owner": self.owner} for one in values]
        try:
            with self._raw.cursor() as cursor:
                cursor.executemany(native(text), named)
        except psycopg.Error as error:
            raise translated(error, self._place) from error

    def changed(self, text: str, /, **values: Any) -> int:
        cursor = self._execute(text, values)
        if self._pipeline is not None:
            try:
                self._pipeline.sync()
            except psycopg.Error as error:
                raise translated(error, self._place) from error
        return cursor.rowcount

    def run_planned(self, text: str, /, **values: Any) -> list[Cells]:
        """As ``run``, planned for these very values: a plan kept for all owners may choose an index of theirs."""
        return self._answer(text, values, prepare=False)

    def _answer(self, text: str, values: dict[str, Any], *, prepare: bool | None = None) -> list[Cells]:
        cursor = self._execute(text, values, prepare=prepare)
        try:
            return cursor.fetchall()
        except psycopg.Error as error:
            raise translated(error, self._place) from error

    def _execute(self, text: str, values: dict[str, Any], *, prepare: bool | None = None) -> "psycopg.Cursor[Cells]":
        try:
            return self._raw.execute(
                native(text), {**storable(values), "owner": self.owner}, prepare=prepare, binary=True
            )
        except psycopg.Error as error:
            raise translated(error, self._place) from error
