"""Every verb of the book in one table: where it is on each interface, and who may call it.

The remote client, the access tests, the parity tests and docs/verbs.md are made from it; of a verb with a ``Rest`` its
route, and of one that is ``Built`` its route, command and tool. docs/internals/add-a-verb.md shows how to add one.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple

Scope = Literal["read", "write", "admin"]


class Built(NamedTuple):
    """A verb on one memory that answers with a receipt: route, command and tool are made from its signature."""

    group: str
    help: str
    """One line, for the list of commands."""
    example: str
    words: Mapping[str, str] = {}
    """What its own parameters are."""


class Rest(NamedTuple):
    """A verb's request. With a ``name`` the route is made from the verb's signature; others are written by hand."""

    route: str
    """Method and path, which names the verb's own parameters; of the book's verbs it stands in ``Verb``."""
    name: str = ""
    """Of the operation, in the OpenAPI document."""
    body: str = ""
    """The name of what is sent, where the verb takes more than its path and its query say."""
    status: int = 200
    answer: str = ""
    """The name of a list's items, where it is not that of their noun."""
    scope: Scope | None = None
    """What a token needs; None: read for GET, else write."""
    whole: bool = False
    """Whether it concerns the owner and not one namespace."""
    act: str = ""
    """What a person's token is needed for; empty: any token will do."""
    confirm: bool = False
    """Whether it is final, so that the request says ``X-Confirm: true``."""
    slashes: bool = False
    """Whether the name in the path may hold slashes."""
    limit: int | None = None
    """How long a page is that nobody asked for; None: as in Python."""

    def at(self, route: str) -> "Rest":
        return self._replace(route=route)


class Verb(NamedTuple):
    route: str | None
    """Method and path on REST; None: it works on files of the machine."""
    cli: str | None
    mcp: str | None
    scope: Scope = "write"
    """What a token needs."""
    person: bool = False
    """Whether only a person may do it: it cannot be undone, or it concerns the account."""
    once: bool = False
    """Whether calling it twice with the same arguments changes nothing more."""
    dangerous: bool = False
    """Whether what it removes cannot be brought back."""
    built: Built | None = None
    rest: Rest | None = None


def _options(words: Sequence[str]) -> dict[str, Any]:
    """``name=value`` and single words, by name."""
    pairs = (word.partition("=") for word in words)
    return {name: int(value) if value.isdecimal() else value or True for name, _, value in pairs}


def _rest(route: str, said: Mapping[str, Any]) -> Rest:
    known = {name: value for name, value in said.items() if name in Rest._fields}
    known |= {"act": said["act"].replace("_", " ")} if "act" in said else {}
    return Rest(route, name=said.get("rest", ""), scope=_scope(said), **known)


def _scope(said: Mapping[str, Any]) -> Scope | None:
    return "read" if "read" in said else "admin" if "admin" in said else None


def _verb(route: str, said: Mapping[str, Any], below: Sequence[str]) -> Verb:
    marks = {name: name in said for name in ("person", "dangerous")}
    rest = _rest("", said)._replace(scope=None)
    return Verb(
        None if route == "-" else route,
        said.get("cli"),
        said.get("mcp"),
        _scope(said) or "write",
        once="once" in said or "read" in said,
        built=_built(below) if below else None,
        rest=None if rest == Rest("") else rest,
        **marks,
    )


def _built(lines: Sequence[str]) -> Built:
    (group, help), example, *words = lines[0].split(": ", 1), lines[1], *lines[2:]
    return Built(group, help, example.removeprefix("$ "), dict(line.split(": ", 1) for line in words))


def _table(text: str) -> tuple[dict[str, Verb], dict[str, dict[str, Rest]]]:
    verbs: dict[str, Verb] = {}
    collections: dict[str, dict[str, Rest]] = {}
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for at, line in enumerate(lines):
        if line.startswith("["):
            collection = collections[line[1:-1]] = {}
        elif not line.startswith(" "):
            name, *words = line.split()
            route = "-" if words[0] == "-" else " ".join(words[:2])
            said = _options(words[1:] if route == "-" else words[2:])
            if collections:
                collection[name] = _rest(route, said)
            else:
                below = takewhile(lambda line: line.startswith(" "), lines[at + 1 :])
                verbs[name] = _verb(route, said, [line.strip() for line in below])
    return verbs, collections


VERBS, COLLECTIONS = _table(Path(__file__).with_suffix(".txt").read_text("utf-8"))
"""The verbs of the book itself; and those of its collections, whose paths name the method's own parameters."""

OWN_RELATION = Rest("PATCH /v1/me/memory/relational/{id}", "revise_my_relation", body="RelationRevision")
"""`graph.revise` among what concerns the person; seeing and correcting one's own data is in every plan."""

RENAMED = {"after": "cursor", "before": "cursor", "rename": "name"}
"""Parameters that are called otherwise on REST."""


def rest_of(collection: str, verb: str) -> Rest:
    """How a verb is on REST; ``collection`` is empty for the book's own."""
    if collection:
        return COLLECTIONS[collection][verb]
    entry = VERBS[verb]
    assert entry.route is not None
    return (entry.rest or Rest("")).at(entry.route)
