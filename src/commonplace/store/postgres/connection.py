"""Statements run on one psycopg connection for one owner."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, cast

import psycopg

from commonplace.errors import CommonplaceError, Conflict
from commonplace.store.postgres.bundle import Bundle, joins, read, written
from commonplace.store.postgres.dialect import native
from commonplace.store.postgres.errors import UNDONE, translated, undone, unsure
from commonplace.store.postgres.journal import Journal, Saying, waits
from commonplace.store.postgres.wire import ServerAnswer, Statement, Wired
from commonplace.store.statements import Answer, BoundQuery, Cells, all_storable, storable
from commonplace.store.transaction import Transaction

ANSWERS = re.compile(r"\s*(select\b|with\b|.*\breturning\b)", re.IGNORECASE | re.DOTALL)

PARTITION = re.compile(r"_\d+$")

KEPT = "COMMIT"
"""What the server calls it when a transaction was kept."""

STOPPED = "57P"
"""How the codes begin by which a server says that it, or this connection, is being shut down."""

KEPT_ANSWERS = frozenset(
    "memory evidence version word fresh tag_link attribute entity relation tombstone trace receipt".split()
)
"""Tables that only the writer of an owner changes: in a write, an answer holds until the transaction writes there."""
MOST_KEPT = 256
DEEPEST = 8
"""Rounds of questions that depend on earlier answers."""

ROWS, COUNT, WORD = attrgetter("rows"), attrgetter("count"), attrgetter("word")


def nothing(answer: ServerAnswer) -> None:
    """Default answer when nothing was asked."""


COMMIT = Saying("commit", {}, WORD)
OWNER = "select set_config('commonplace.owner', :owner, true)"


def naming(owner: str) -> Statement:
    """Tells the server whose rows the next statements of the transaction are about."""
    return native(OWNER), [owner]


class PrefetchedAnswer(NamedTuple):
    """A question, and what the answer was. It names its owner where that is not the transaction's own."""

    asked: BoundQuery
    rows: list[Cells]

    @property
    def key(self) -> tuple[str, str | None]:
        return self.asked.text, self.asked.values.get("owner")


@cache
def selects(text: str) -> bool:
    return text.lstrip()[:6].lower() == "select"


@cache
def keeps(text: str) -> bool:
    """Whether the answer to a statement may be kept while its tables are not written to."""
    return selects(text) and bool(read(text)) and read(text) <= KEPT_ANSWERS


def _key(text: str, values: dict[str, Any]) -> tuple[Any, ...]:
    cells = (tuple(value) if isinstance(value, list) else value for value in values.values())
    return text, *values, *cells


@cache
def answers(text: str) -> bool:
    """Whether a statement gives rows back; asked of the text, for one that is on its way cannot say yet."""
    return bool(ANSWERS.match(text))


class PostgresConnection:
    """Runs the statements of one transaction; implements ``statements.Connection``.

    A value ``owner`` says that a statement is another owner's: the server is told before it is sent.

    In a write a statement without an answer waits for others, and is sent when something is asked or all is committed;
    should it fail, that raises. A transaction that the server undid for another's sake is said again. What failed for
    good fails to the end: whoever caught it cannot commit the rest.
    """

    def __init__(
        self,
        raw: Wired,
        owner: str,
        place: str,
        *,
        retry_on_conflict: Callable[[], None],
        writing: bool = False,
        ahead: Sequence[PrefetchedAnswer] = (),
    ) -> None:
        """``retry_on_conflict`` begins the same transaction once more; ``ahead``: answers that came when it was begun.

        In a snapshot they hold to its end. In a write each is given once and not after its table was written to:
        the next one who asks may want to know what was done since.
        """
        self._raw, self.owner, self._place, self._writing = raw, owner, place, writing
        self._anew, self._journal = retry_on_conflict, Journal()
        self.named_owner = owner
        """The owner that the server was told."""
        self._unused, self._bundle = {prefetched.key: prefetched for prefetched in ahead}, Bundle()
        self._given: dict[tuple[str, str | None], PrefetchedAnswer] = {}
        """Of the questions sent ahead, the answers that were used."""
        self._waiting: list[Saying] = []
        """What is sent before the bundle."""
        self._left: dict[str, dict[str, Any]] = {}
        """What is said when all is committed, or its table is asked or written to."""
        self._taken: dict[str, Conflict] = {}
        """What it means, by table, that a row is there already."""
        self._failure: CommonplaceError | None = None
        self._answers: dict[tuple[Any, ...], list[Cells]] = {}
        """What was asked in this write, as long as nothing was written there."""
        self._collected: dict[tuple[Any, ...], BoundQuery] | None = None
        """Questions that go together, while they are being gathered."""
        self._gathered: list[BoundQuery] | None = None
        """Questions of a ``soon``, while they are being gathered."""
        self._arrived: dict[tuple[Any, ...], list[Cells]] = {}
        """The answers to those, while they are read."""

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        key = text, values.get("owner")
        prefetched = self._unused.get(key)
        if prefetched is not None and prefetched.asked.values == values:
            self._given[key] = self._unused.pop(key) if self._writing else prefetched
            return prefetched.rows
        if self._gathered is not None:
            self._gathered.append(BoundQuery(text, values))
            return []
        if self._arrived and (rows := self._arrived.get(_key(text, values))) is not None:
            return rows
        if self._writing and keeps(text):
            return self._remembered(text, values)
        if answers(text):
            return cast(list[Cells], self._say(Saying(text, self._named(values), ROWS)))
        self._tell(text, self._named(values))
        return []

    def run_many(self, text: str, values: list[dict[str, Any]], /, *, taken: Conflict | None = None) -> None:
        if taken is not None:
            self._taken[str(written(text))] = taken
        if len(values) == 1:
            self._tell(text, self._named(values[0]))
        elif values:
            self._touch(text)
            self._close_bundle()
            self._waiting += [Saying(text, {"owner": self.owner, **row}, nothing) for row in all_storable(values)]
            if not self._writing:
                self.flush()

    def run_rows(
        self, text: str, names: Sequence[str], rows: Sequence[Cells], /, *, taken: Conflict | None = None
    ) -> None:
        self.run_many(text, [dict(zip(names, row, strict=True)) for row in rows], taken=taken)

    def _remembered(self, text: str, values: dict[str, Any]) -> list[Cells]:
        key = _key(text, values)
        rows = self._answers.get(key)
        if rows is None and self._collected is not None:
            self._collected[key] = BoundQuery(text, values)
            return []
        if rows is None:
            rows = cast(list[Cells], self._say(Saying(text, self._named(values), ROWS)))
            self._remember(key, rows)
        return list(rows)

    def _remember(self, key: tuple[Any, ...], rows: list[Cells]) -> None:
        if len(self._answers) >= MOST_KEPT:
            self._answers.clear()
        self._answers[key] = rows

    def ahead(self, *reads: Callable[[], object]) -> None:
        if not self._writing:
            return
        if self._collected is not None:  # asked inside another call: its questions go along
            for ask in reads:
                ask()
            return
        for _ in range(DEEPEST):
            self._collected = {}
            try:
                for ask in reads:
                    ask()
                collected = self._collected
            finally:
                self._collected = None
            if not collected:
                return
            pending = {key: self.later(question.text, **question.values) for key, question in collected.items()}
            for key, answer in pending.items():
                self._remember(key, answer())

    def ask_ahead(self, questions: Sequence[BoundQuery]) -> None:
        """In a snapshot: ask now, in one trip, what will be asked of owners that join it."""
        pending = [(question, self.later(question.text, **question.values)) for question in questions]
        for question, reader in pending:
            answer = PrefetchedAnswer(question, reader())
            self._unused[answer.key] = answer

    def soon(self, read: Callable[[], Answer]) -> Callable[[], Answer]:
        if self._writing:
            return read
        self._gathered = []
        try:
            read()
            questions = self._gathered
        finally:
            self._gathered = None
        pending = {_key(*question): self.later(question.text, **question.values) for question in questions}

        def answer() -> Answer:
            self._arrived = {key: reader() for key, reader in pending.items()}
            try:
                return read()
            finally:
                self._arrived = {}

        return answer

    def changed(self, text: str, /, **values: Any) -> int:
        return cast(int, self._say(Saying(text, self._named(values), COUNT)))

    def run_planned(self, text: str, /, **values: Any) -> list[Cells]:
        """As ``run``, planned for these very values: a plan kept for all owners may choose an index of theirs."""
        return cast(list[Cells], self._say(Saying(text, self._named(values), ROWS, planned=True)))

    def later(self, text: str, /, **values: Any) -> Callable[[], list[Cells]]:
        results: list[list[Cells]] = []

        def keep(answer: ServerAnswer) -> list[Cells]:
            results[:] = [answer.rows]
            return answer.rows

        def told() -> list[Cells]:
            if not results:
                self.flush()
            return results[0]

        self._touch(text)
        self._close_bundle()
        self._waiting.append(Saying(text, self._named(values), keep))
        return told

    def leave(self, text: str, /, **values: Any) -> None:
        if self._left.keys() != {text}:
            self._touch(text)
        self._spoil(text)
        self._left[text] = self._named(values)

    def flush(self) -> None:
        """Send what waits; raises an earlier failure even if it was caught."""
        self._said()

    def look_again(self) -> None:
        """This thread wrote past the transaction: what was asked before may be otherwise now."""
        self._unused, self._answers = {}, {}

    def commit(self) -> None:
        """Raises if the write was lost, or if its outcome is unknown.

        A commit whose answer was lost is never said again: it may have been heard.
        """
        if self._said(COMMIT) != KEPT:
            raise undone(self._place)

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"owner": self.owner, **storable(values)}

    def _tell(self, text: str, values: dict[str, Any]) -> None:
        """Say something that gives no answer, together with others where it can be."""
        if not self._writing:
            self._say(Saying(text, values, nothing))
            return
        self._touch(text)
        self._wait(text, values)

    def _wait(self, text: str, values: dict[str, Any]) -> None:
        if not joins(text):
            self._close_bundle()
            self._waiting.append(Saying(text, values, nothing))
            return
        if not self._bundle.fits(text):
            self._close_bundle()
        self._bundle.add(text, values)

    def _say(self, saying: Saying) -> Any:
        self._touch(saying.text)
        return self._said(saying)

    def _touch(self, text: str) -> None:
        """Before a statement is said: what was left for its tables comes first, and what was asked ahead may change."""
        self._spoil(text)
        if self._left:
            tables = {written(text), *read(text)}
            if any(written(statement) in tables for statement in self._left):
                self._bring()

    def _bring(self) -> None:
        waiting, self._left = self._left, {}
        for text, values in waiting.items():
            self._wait(text, values)

    def _spoil(self, text: str) -> None:
        table = written(text)
        if table is None and not answers(text):
            self._unused, self._answers = {}, {}  # a function that writes somewhere
        elif self._answers and joins(text):
            self._answers = {key: rows for key, rows in self._answers.items() if table not in read(key[0])}
        elif self._answers and not selects(text):
            self._answers = {}  # what a deleted row takes along is not named in the statement
        if self._unused and table:
            self._unused = {key: answer for key, answer in self._unused.items() if table not in read(key[0])}

    def _close_bundle(self) -> None:
        if self._bundle:
            self._waiting.append(Saying(*self._bundle.taken_out(), nothing))

    def _said(self, last: Saying | None = None) -> Any:
        """Send what waits, and ``last``, whose answer it gives."""
        if self._failure is not None:
            raise self._failure
        if last is COMMIT:
            self._bring()
        self._close_bundle()
        sayings, self._waiting = [*self._waiting, *([last] if last else ())], []
        if not sayings:
            return None
        try:
            results = self._send(sayings)
        except psycopg.Error as error:
            results = self._once_more(error, sayings)
        self._journal.note(sayings, results)
        return results[-1]

    def _once_more(self, error: psycopg.Error, sayings: Sequence[Saying]) -> list[Any]:
        """What was said, and ``sayings``, in a new transaction; raises what ``error`` means where that cannot be."""
        tries = waits()
        while isinstance(error, UNDONE) and self._journal.whole(len(sayings)) and next(tries, False):
            try:
                self._raw.wire.ask([(native("rollback"), ())])
                self._anew()
                self.named_owner = self.owner
                if self._told_the_same():
                    return self._send(sayings)
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
        self._unused = {} if self._writing else dict(self._given)
        used = self._given.values()
        sayings = [Saying(answer.asked.text, self._named(answer.asked.values), ROWS) for answer in used]
        same = self._send(sayings) == [answer.rows for answer in used]
        return same and self._journal.same_again(self._send)

    def _send(self, sayings: Sequence[Saying]) -> list[Any]:
        """What each is told; whatever can be goes in one trip."""
        results: list[Any] = []
        for planned, group in groupby(sayings, key=attrgetter("planned")):
            together = list(group)
            statements: list[Statement] = []
            places = []
            for saying in together:
                statements += self._naming(saying.values.get("owner", self.named_owner))
                places.append(len(statements))
                text = native(saying.text)
                statements.append((text, [saying.values[name] for name in text.names]))
            try:
                answers = self._raw.wire.ask(statements, planned=planned)
            except psycopg.Error as error:
                if together[-1] is COMMIT and self._unanswered(error):
                    raise unsure(self._place) from error
                raise
            results += [saying.told(answers[place]) for saying, place in zip(together, places, strict=True)]
        return results

    def _naming(self, owner: str) -> list[Statement]:
        """What tells the server whose rows the next statement is about, where it was told another owner."""
        if owner == self.named_owner:
            return []
        self.named_owner = owner
        return [naming(owner)]

    def _unanswered(self, error: psycopg.Error) -> bool:
        """Whether it is not the server's answer: the line broke, or the server was being stopped."""
        if isinstance(error, psycopg.DataError):
            return False
        return self._raw.broken or error.sqlstate is None or error.sqlstate.startswith(STOPPED)


class OwnerConnection:
    """One owner's part of a reading transaction that several owners share; implements ``statements.Connection``."""

    def __init__(self, shared: PostgresConnection, owner: str) -> None:
        self.shared, self.owner = shared, owner
        self.soon, self.ahead, self.flush = shared.soon, shared.ahead, shared.flush

    def run(self, text: str, /, **values: Any) -> list[Cells]:
        return self.shared.run(text, **values, owner=self.owner)

    def run_planned(self, text: str, /, **values: Any) -> list[Cells]:
        return self.shared.run_planned(text, **values, owner=self.owner)

    def later(self, text: str, /, **values: Any) -> Callable[[], list[Cells]]:
        return self.shared.later(text, **values, owner=self.owner)

    def changed(self, text: str, /, **values: Any) -> int:
        return self.shared.changed(text, **values, owner=self.owner)

    def run_many(self, text: str, values: list[dict[str, Any]], /, *, taken: Conflict | None = None) -> None:
        self.shared.run_many(text, [{**row, "owner": self.owner} for row in values], taken=taken)

    def run_rows(
        self, text: str, names: Sequence[str], rows: Sequence[Cells], /, *, taken: Conflict | None = None
    ) -> None:
        self.run_many(text, [dict(zip(names, row, strict=True)) for row in rows], taken=taken)

    def leave(self, text: str, /, **values: Any) -> None:
        self.shared.leave(text, **values, owner=self.owner)


def connection_of(transaction: Transaction) -> PostgresConnection:
    """The connection that a transaction is on, whoever shares it."""
    db = transaction.connection
    assert isinstance(db, PostgresConnection | OwnerConnection)
    return db.shared if isinstance(db, OwnerConnection) else db
