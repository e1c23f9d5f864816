"""``status``: which book, which namespace and why, and how it is."""

from typing import Any

from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.parsing import Parser
from commonplace.settings import without_credentials


def status(parser: Parser) -> None:
    parser.runs(_status)


def _status(call: Call) -> None:
    book, settings = call.book, call.settings
    namespace, why = call.place
    counts = book.jobs.counts()
    found: dict[str, Any] = {
        "book": without_credentials(settings.book_url),
        "home": str(settings.home),
        "owner": book.owner,
        "plan": book.plan,
        "namespace": namespace,
        "why": why,
        "namespaces": len(book.namespaces.list()),
        "jobs": _by_state(counts),
        "paused": settings.off,
        "attention": _attention(call, counts),
    }
    call.answer({"id": namespace, **found}, lambda paper: paper.facts(_shown(found)))


def _by_state(counts: dict[str, dict[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for states in counts.values():
        for state, number in states.items():
            found[state] = found.get(state, 0) + number
    return found


def _attention(call: Call, counts: dict[str, dict[str, int]]) -> list[str]:
    """What a person should know, each with what to do."""
    found = []
    dead = _by_state(counts).get("dead", 0)
    if dead:
        found.append(f"{dead} jobs failed for good: `commonplace jobs list --state dead` says why")
    if call.settings.off:
        found.append(f"capture and injection are off, set by {call.settings.origins.get('off', 'the call')}")
    return found


def _shown(found: dict[str, Any]) -> dict[str, Any]:
    jobs = ", ".join(f"{number} {state}" for state, number in found["jobs"].items())
    return {
        "book": found["book"],
        "owner": f"{found['owner']}, plan {found['plan']}",
        "namespace": found["namespace"],
        "because": found["why"],
        "namespaces": found["namespaces"],
        "jobs": jobs or "none",
        "capture": "paused" if found["paused"] else "on",
        "attention": "; ".join(found["attention"]),
    }
