"""Statements run on one psycopg connection for one owner."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, cast

import psycopg

from commonplace.errors import CommonplaceError, Conflict
from commonplace.store.postgres.bundle import Bundle, joins, read, written
from commonplace.store.postgres.dialect import native
from commonplace.store.postgres.errors import translated, undone, unsure
from commonplace.store.postgres.journal import UNDONE, Journal, waits
from commonplace.store.statements import Cells, all_storable, storable

ANSWERS = re.compile(r"\s*(select\b|with\b|.*\breturning\b)", re.IGNORECASE | re.DOTALL)

PARTITION = re.compile(r"_\d+$")

Raw = psycopg.Connection[Cells]


@cache
def answers(text: str) -> bool:
    """Whether a statement gives rows back; asked of the text, for one that is on its way cannot say yet."""
    return bool(ANSWERS.match(text))


class OwnerConnection:
    """Runs the statements of one transaction; implements ``statements.Connection``.

    In a ``pipeline`` a statement without an answer waits for others like it, is sent with them and not waited for;
    should it fail, the next one that is waited for raises, or the commit. A transaction that the server undid for
    another's sake is said again. What failed for good fails to the end: whoever caught it cannot commit the rest.
    """

    def __init__(
        self,
        raw: Raw,
        owner: str,
        place: str,
        *,
        anew: Callable[[], None],
        pipeline: psycopg.Pipeline | None = None,
        ahead: Mapping[str, list[Cells]] | None = None,
    ) -> None:
        """``anew`` begins the same transaction once more; ``ahead``: answers that came when it was begun.

        In a snapshot they hold to its end. In a write each is given once and not after its table was written to:
        the next one who asks may want to know what was done since.
        """
        self._raw, self.owner, self._place, self._pipeline = raw, owner, place, pipeline
        self._anew, self._journal = anew, Journal()
        self._unused, self._bundle = dict(ahead or {}), Bundle()
        self._given: dict[str, list[Cells]] = {}
        """Of what was asked ahead, what somebody was told."""
        self._taken: dict[str, Conflict] = {}
        """What it means, by table, that a row is there already."""
        self._failure: CommonplaceError | None = None
        self.said_again = False
        """Then the driver may take for prepared what the server never heard: to be closed when all is done."""

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        if not values and text in self._unused:
            told = self._given[text] = self._unused[text] if self._pipeline is None else self._unused.pop(text)
            return told
        if answers(text):
            return cast(list[Cells], self._say(self._ask, text, self._named(values)))
        self._tell(text, self._named(values))
        return []

    def run_many(self, text: str, values: list[dict[str, Any]], /, *, taken: Conflict | None = None) -> None:
        if taken is not None:
            self._taken[str(written(text))] = taken
        if len(values) == 1:
            self._tell(text, self._named(values[0]))
        elif values:
            self._say(self._send_many, text, [{**one, "owner": self.owner} for one in all_storable(values)])

    def changed(self, text: str, /, **values: Any) -> int:
        return cast(int, self._say(self._count, text, self._named(values)))

    def run_planned(self, text: str, /, **values: Any) -> list[Cells]:
        """As ``run``, planned for these very values: a plan kept for all owners may choose an index of theirs."""
        return cast(list[Cells], self._say(self._ask_planned, text, self._named(values)))

    def flush(self) -> None:
        """Send what waits; raises what failed before, though somebody caught it."""
        if self._failure is not None:
            raise self._failure
        if self._bundle:
            self._said(self._send, *self._bundle.taken_out())

    def look_again(self) -> None:
        """This thread wrote past the transaction: what was asked ahead may be otherwise now."""
        self._unused = {}

    def commit(self) -> None:
        """Outside a pipeline."""
        self.flush()
        try:
            self._commit()
        except psycopg.Error as error:
            self.committed(error)

    def committed(self, error: psycopg.Error) -> None:
        """Commit after all, where ``error`` undid the transaction; what was said is said again before.

        A commit whose answer was lost is never said again: it may have been heard.
        """
        self._pipeline = None
        if self._unanswered(error):
            raise unsure(self._place) from error
        self._once_more(error, self._commit)

    def kept(self, commit: "psycopg.Cursor[Cells]") -> None:
        """Raises if what answered ``commit`` is that all was undone, as after a failure that nobody told of."""
        if commit.statusmessage != "COMMIT":
            raise undone(self._place)

    def _commit(self) -> None:
        try:
            self.kept(self._raw.execute("commit", prepare=False))
        except psycopg.Error as error:
            if self._unanswered(error):
                raise unsure(self._place) from error
            raise

    def _unanswered(self, error: psycopg.Error) -> bool:
        """Whether it is the driver's word, not the server's."""
        return self._raw.broken or error.sqlstate is None

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {**storable(values), "owner": self.owner}

    def _tell(self, text: str, values: dict[str, Any]) -> None:
        """Say something that gives no answer, together with others where it can be."""
        if self._pipeline is None or not joins(text):
            self._say(self._send, text, values)
            return
        if not self._bundle.fits(text):
            self.flush()
        self._spoil(text)
        self._bundle.add(text, values)

    def _say(self, say: Callable[[str, Any], Any], text: str, values: Any) -> Any:
        self.flush()
        self._spoil(text)
        return self._said(say, text, values)

    def _spoil(self, text: str) -> None:
        if self._unused and (table := written(text)):
            self._unused = {one: told for one, told in self._unused.items() if table not in read(one)}

    def _said(self, say: Callable[[str, Any], Any], text: str, values: Any) -> Any:
        try:
            answer = say(text, values)
        except psycopg.Error as error:
            answer = self._once_more(error, lambda: say(text, values))
        self._journal.note(say, text, values, answer)
        return answer

    def _once_more(self, error: psycopg.Error, last: Callable[[], Any]) -> Any:
        """What was said, and ``last``, in a new transaction; raises what ``error`` means where that cannot be."""
        tries = waits()
        while isinstance(error, UNDONE) and self._journal.whole and next(tries, False):
            try:
                self._cleared()
                self._anew()
                if self._told_the_same():
                    return last()
                break
            except psycopg.Error as newer:
                error = newer
        self._failure = self._meaning(error)
        raise self._failure from error

    def _meaning(self, error: psycopg.Error) -> CommonplaceError:
        if isinstance(error, psycopg.errors.UniqueViolation):
            table = PARTITION.sub("", error.diag.table_name or "")
            return self._taken.get(table) or translated(error, self._place)
        return translated(error, self._place)

    def _told_the_same(self) -> bool:
        # What nobody has asked for yet came from the transaction that is gone: it is asked again when it is wanted.
        self._unused = dict(self._given) if self._pipeline is None else {}
        ahead = all(self._ask(text, {"owner": self.owner}) == told for text, told in self._given.items())
        return ahead and self._journal.same_again()

    def _cleared(self) -> None:
        """Leave the failed transaction, and in a pipeline what was still on its way in it."""
        if self._pipeline is not None:
            with suppress(psycopg.Error):
                self._pipeline.sync()
        self.said_again = True
        self._raw.execute("rollback", prepare=False)

    def _ask(self, text: str, values: dict[str, Any]) -> list[Cells]:
        return self._execute(text, values).fetchall()

    def _ask_planned(self, text: str, values: dict[str, Any]) -> list[Cells]:
        return self._execute(text, values, prepare=False).fetchall()

    def _send(self, text: str, values: dict[str, Any]) -> None:
        self._execute(text, values)

    def _send_many(self, text: str, values: list[dict[str, Any]]) -> None:
        if self.said_again:  # ``executemany`` would prepare it
            for one in values:
                self._execute(text, one)
            return
        with self._raw.cursor() as cursor:
            cursor.executemany(native(text), values)

    def _count(self, text: str, values: dict[str, Any]) -> int:
        cursor = self._execute(text, values)
        if self._pipeline is not None:
            self._pipeline.sync()
        return cursor.rowcount

    def _execute(self, text: str, values: dict[str, Any], *, prepare: bool | None = None) -> "psycopg.Cursor[Cells]":
        return self._raw.execute(native(text), values, prepare=False if self.said_again else prepare, binary=True)
