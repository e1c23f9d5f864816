"""Statements on their way to the server: prepared once a connection, and as many as need be in one trip.

Spoken below psycopg's cursors, which take longer over a statement than the server does.
"""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import psycopg
from psycopg import generators
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from commonplace.store.postgres.dialect import Native
from commonplace.store.statements import Cells

MOST_PREPARED = 1000
"""Statements a connection keeps planned, by their text and the types of their values; when full, it is emptied."""

FEW = 32
"""Commands whose answers are sure to find room on their way back while we still speak."""

Key = tuple[bytes, tuple[int, ...]]
Statement = tuple[Native, Sequence[Any]]
"""A text, and the values for its places."""


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    rows: list[Cells]
    count: int
    """Rows given, or touched."""
    word: str
    """What the server did, in its own word: ``COMMIT``, say."""


class WireCommand(NamedTuple):
    send: Callable[[], None]
    prepares: tuple[Key, bytes] | None = None
    """What the server knows by which name when this was done."""


class Wire:
    """Belongs to one connection in autocommit mode; one thread at a time speaks."""

    def __init__(self, raw: "Wired") -> None:
        self._raw, self._server = raw, raw.pgconn
        self._adapt = Transformer(raw)
        self._prepared: dict[Key, bytes] = {}
        self._names = 0

    def ask(self, statements: Sequence[Statement], *, planned: bool = False) -> list[ServerAnswer]:
        """The answer to each. The first that fails is raised, and none after it was run.

        ``planned``: not by a plan that is kept, but by one made for these very values.
        """
        if len(self._prepared) > MOST_PREPARED:
            self._prepared.clear()
            self._answered([self._unprepared(Native(b"deallocate all", ()), ())])
        if planned:
            commands = [self._unprepared(*statement) for statement in statements]
        else:
            commands = self._commands(statements)
        return self._answered(commands)

    def _commands(self, statements: Sequence[Statement]) -> list[WireCommand]:
        commands: list[WireCommand] = []
        names_by_key: dict[Key, bytes] = {}
        for text, values in statements:
            data = self._adapt.dump_sequence(values, [PyFormat.AUTO] * len(values))
            types, formats = self._adapt.types or (), self._adapt.formats
            key = text.text, types
            name = self._prepared.get(key) or names_by_key.get(key)
            if name is None:
                self._names += 1
                # A commit is called by its name: who looks at the line sees it pass.
                name = names_by_key[key] = text.text if text.text == b"commit" else b"%d" % self._names
                commands.append(WireCommand(partial(self._server.send_prepare, name, text.text, types), (key, name)))
            commands.append(WireCommand(partial(self._server.send_query_prepared, name, data, formats, Format.BINARY)))
        return commands

    def _unprepared(self, text: Native, values: Sequence[Any]) -> WireCommand:
        data = self._adapt.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = self._adapt.types, self._adapt.formats
        return WireCommand(partial(self._server.send_query_params, text.text, data, types, formats, Format.BINARY))

    def _answered(self, commands: Sequence[WireCommand]) -> list[ServerAnswer]:
        try:
            results = self._sent(commands)
        except BaseException:
            # Broken or interrupted: what else comes on this line would be taken for the answer to something new.
            self._server.finish()
            raise
        answers = []
        for command, result in zip(commands, results, strict=True):
            if result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
                raise error_from_result(result, encoding="utf-8")
            if command.prepares:
                self._prepared.update([command.prepares])
            else:
                answers.append(self._read(result))
        return answers

    def _sent(self, commands: Sequence[WireCommand]) -> list[PGresult]:
        if len(commands) == 1:
            commands[0].send()
            return [self._raw.wait(generators.execute(self._server))[0]]
        self._server.enter_pipeline_mode()
        results = self._raw.wait(self._exchanged(commands))
        self._server.exit_pipeline_mode()
        return results

    def _exchanged(self, commands: Sequence[WireCommand]) -> Generator[Any, Any, list[PGresult]]:
        sends = [*(command.send for command in commands), self._server.pipeline_sync]
        if len(sends) > FEW:
            groups = deque(partial(_all, sends[start : start + FEW]) for start in range(0, len(sends), FEW))
            results = yield from generators.pipeline_communicate(self._server, groups)
        else:
            results = []
            _all(sends)
        yield from generators.send(self._server)
        while not results or results[-1][0].status != ExecStatus.PIPELINE_SYNC:
            results.append((yield from generators.fetch_many(self._server)))
        return [group[0] for group in results[:-1]]

    def _read(self, result: PGresult) -> ServerAnswer:
        rows: list[Cells] = []
        if result.ntuples:
            self._adapt.set_pgresult(result)
            rows = self._adapt.load_rows(0, result.ntuples, tuple)
        return ServerAnswer(rows, result.command_tuples or 0, (result.command_status or b"").decode())


def _all(sends: Sequence[Callable[[], None]]) -> None:
    for send in sends:
        send()


class Wired(psycopg.Connection[Cells]):
    @cached_property
    def wire(self) -> Wire:
        return Wire(self)
