"""A person's requests in a session, word for word, for an agent that resumes the work."""

from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Memory, Query
from commonplace.notebook.corrections import affirmed
from commonplace.notebook.current import Current
from commonplace.notebook.lines import one_line
from commonplace.security.fence import escape
from commonplace.text.words import content_words

RECENT = 400
"""Number of messages to search for the last session."""
LATEST = 3
CONTENT = 3
"""Minimum content words of a request."""
MAX_REQUEST, MAX_ANSWER = 400, 900
"""Maximum characters of a request, and of the last answer, on the page."""


def last_requests(scope: Scope, *, session: str | None, resumed: bool) -> list[str]:
    """Lines for a page: the first request and the latest ones of this session, or of the one before.

    The last answer follows: it tells the state of the work.
    """
    query = Query(kinds=("episodic",), namespaces=(scope.namespace,), limit=RECENT)
    messages = [message for message in Reader(scope).page(query) if "compaction" not in message.metadata]
    of_this = [message for message in messages if _session(message) == session]
    if not (resumed and any(message.source == "user" for message in of_this)):
        others = [message for message in messages if _session(message) != session]
        before = next((_session(message) for message in others if message.source == "user"), None)
        of_this = [message for message in others if _session(message) == before]
    requests = [message for message in reversed(of_this) if message.source == "user"]
    earlier = [message for message in messages if message not in of_this and _asks(message, scope.language)]
    # the request that opened the session before
    opening = [message for message in earlier if _session(message) == _session(earlier[0])][-1:] if requests else []
    opening += [message for message in requests if _asks(message, scope.language)][:1]
    chosen = [*opening, *(message for message in requests[-LATEST:] if message not in opening)]
    answers = [message for message in of_this if message.turn and message.turn.role == "assistant"][:1]
    allowed = Current(scope).shown([message.text for message in (*chosen, *answers)])
    zone = scope.here().tzinfo
    lines = []
    for message in chosen:
        if text := affirmed(allowed[message.text] or ""):
            when = message.recorded_at.astimezone(zone).strftime("%Y-%m-%d %H:%M")
            lines.append(escape(f"- {when} {_shortened(text, MAX_REQUEST, end=0)}"))
    answer = one_line(allowed[answers[0].text] or "") if lines and answers else ""
    if answer:
        lines.append(escape(f"- the last answer: {_shortened(answer, MAX_ANSWER, end=2 * MAX_ANSWER // 3)}"))
    heading = "Asked in this session" if resumed else "Asked in the session before"
    return [f"## {heading}", *lines] if lines else []


def _asks(message: Memory, language: str) -> bool:
    """Whether a person's message has content, unlike "yes" and "go on"."""
    return message.source == "user" and len(content_words(message.text, language)) >= CONTENT


def _shortened(text: str, most: int, *, end: int) -> str:
    """The beginning of a text, and its last ``end`` characters if requested, cut at words."""
    if len(text) <= most:
        return text
    beginning = text[: most - end].rsplit(" ", 1)[0]
    return f"{beginning} … {text[-end:].partition(' ')[2]}" if end else f"{beginning} …"


def _session(message: Memory) -> str | None:
    return message.turn.session if message.turn else None
