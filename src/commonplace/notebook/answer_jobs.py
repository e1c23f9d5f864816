"""Reads stored messages later: in a job, in the local server, or at the session's end.

An answer is read once, for the log. A hook has already scanned a user's message; a process that may load the judge
reads it again and adds what the rules missed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from commonplace.memories import jobs
from commonplace.memories.jobs import Handler
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.trust import WORDS
from commonplace.model import Memory
from commonplace.notebook.answers import Labeller
from commonplace.notebook.draining import READ_ANSWER, READ_MESSAGE
from commonplace.notebook.session_log import SessionLog
from commonplace.notebook.writer import NotebookWriter, Scan
from commonplace.settings import Settings

READS_FOR = 60
"""Seconds after which a reader without progress, such as a hook that its host ended, is considered dead."""
PATHS = (
    "notebook_working_buffer",
    "notebook_log_folder",
    "notebook_long_term",
    "notebook_todo",
    "notebook_lessons",
)


def answer_reader(settings: Settings, labeller: Labeller | None = None) -> Handler:
    """Job: writes what the answer reports into the project's files. Does nothing if either is gone."""

    def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
        agent = scope.acting_as("notebook", source="assistant", person=False)
        for answer, writer in _message(agent, settings, payload, labeller):
            log = SessionLog(writer, language=scope.language, labeller=labeller)
            log.record(answer.text, at=_said_at(answer), edited=payload.get("edited", ()))

    return handle


def message_reader(settings: Settings, labeller: Labeller | None, scan: Scan) -> Handler:
    """Job: records the triggers of a user's message that the judge finds. Does nothing without the judge."""

    def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
        person = scope.acting_as("hook", source="user", person=True, rank_limit=WORDS)
        for message, writer in _message(person, settings, payload, labeller, scan):
            if labeller is not None:
                writer.catch(message.text, evidence=message.id, at=_said_at(message))

    return handle


def _message(
    scope: Scope, settings: Settings, payload: Mapping[str, Any], labeller: Labeller | None, scan: Scan | None = None
) -> Iterator[tuple[Memory, NotebookWriter]]:
    """The message and a writer for its project; none if either is gone."""
    folder = Path(payload["folder"])
    scope = scope.within(str(payload["namespace"]))
    for message in Reader(scope).get_many([str(payload["episode"])]) if folder.is_dir() else ():
        said = replace(scope, member=message.author)  # in a shared namespace
        yield message, NotebookWriter(said, folder, settings_at(settings, folder), scan=scan, labeller=labeller)


def _said_at(message: Memory) -> datetime:
    return message.turn.said_at if message.turn else message.recorded_at


def settings_at(settings: Settings, folder: Path) -> Settings:
    """The settings with the notebook's paths of the project around ``folder``."""
    project = Settings.load(start=folder)
    return replace(settings, **{name: getattr(project, name) for name in PATHS}, origins=project.origins)


def read_waiting(scope: Scope, settings: Settings, labeller: Labeller | None = None, scan: Scan | None = None) -> int:
    """Read the waiting answers, and with a labeller and a scan also users' messages; returns how many."""
    handlers = {READ_ANSWER: answer_reader(settings, labeller)}
    if labeller is not None and scan is not None:
        handlers[READ_MESSAGE] = message_reader(settings, labeller, scan)
    return jobs.run_due(scope, handlers, holder=f"reading/{scope.clock.new_id()}", lease=READS_FOR)
