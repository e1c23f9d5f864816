"""Replays writes that hooks could not make."""

from collections.abc import Mapping

from commonplace.batches.opened_book import OpenedBook
from commonplace.errors import KeyringError
from commonplace.learning.triggers import scan
from commonplace.memories.jobs import Handler
from commonplace.memories.scope import Scope
from commonplace.notebook import draining, spool
from commonplace.notebook.answer_jobs import answer_reader, message_reader
from commonplace.notebook.draining import READ_ANSWER, READ_MESSAGE
from commonplace.providers.judge import judge_of
from commonplace.upkeep import schedule


def make_good(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
    """Write this owner's spooled writes to the book; returns figures for the log."""
    if not spool.waits(book.settings):
        return {}
    try:
        spooled = spool.spool_of(book.settings)
    except KeyringError:  # the book was opened with keys from elsewhere: the spool belongs to another installation
        return {}
    counts = draining.drain(scope, spooled)
    return {"spooled": counts.kept, "refused": counts.refused, "damaged": counts.damaged}


def drop_spooled(book: OpenedBook, owner: str) -> None:
    if spool.waits(book.settings):
        try:
            spool.drop(spool.spool_of(book.settings), owner)
        except KeyringError:
            return  # as above


def read_answers(book: OpenedBook) -> Handler:
    """Job: reads answers that hooks stored, with the judge if it is installed."""
    return answer_reader(book.settings, judge_of(book.settings))


def read_messages(book: OpenedBook) -> Handler:
    """Job: reads users' messages again, for what only the judge finds."""
    return message_reader(book.settings, judge_of(book.settings), scan)


schedule.every("spool", make_good, hours=1)
schedule.HANDLERS.update({READ_ANSWER: read_answers, READ_MESSAGE: read_messages})
