"""Every verb of the book in one table: its route, command and tool, and who may call it.

The remote client, the access tests, the parity tests and docs/verbs.md are generated from it; so is the route of a verb
with a ``Rest``, and the route, command and tool of a verb that is ``Built``. docs/internals/add-a-verb.md shows how to
add one.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from commonplace.entries import argument, properties_of, read_entries

Scope = Literal["read", "write", "admin"]
SCOPES: Mapping[str, Scope] = {"read": "read", "write": "write", "admin": "admin"}


class Built(NamedTuple):
    """A verb on one memory that returns a receipt: route, command and tool are generated from its signature."""

    group: str
    help: str
    """One line, for the list of commands."""
    example: str
    words: Mapping[str, str] = {}
    """Help texts of its own parameters."""


class Rest(NamedTuple):
    """A verb's request. With a ``name``, the route is generated from the verb's signature; others are written
    by hand.
    """

    route: str
    """Method and path, whose placeholders are the verb's parameters; empty for the book's own verbs (see ``Verb``)."""
    name: str = ""
    """Operation name in the OpenAPI document."""
    body: str = ""
    """Name of the request body, if the verb takes more than path and query."""
    status: int = 200
    answer: str = ""
    """Name of a list's items, if it differs from the name of their class."""
    scope: Scope | None = None
    """Scope that a token needs; None: read for GET, else write."""
    whole: bool = False
    """Whether it concerns the owner and not one namespace."""
    act: str = ""
    """What needs a person's token; empty if any token may do it."""
    confirm: bool = False
    """Whether it is irreversible, so that the request needs ``X-Confirm: true``."""
    slashes: bool = False
    """Whether the name in the path may contain slashes."""
    limit: int | None = None
    """Default page size; None: the default of the Python method."""
    takes: Mapping[str, str] = {}
    """REST names of the verb's parameters, where they differ."""
    tag: str = ""
    """Section of the OpenAPI document; empty: that of its collection."""
    words: str = ""
    """Its description, if the verb's docstring says more than this route can do."""
    sends: tuple[str, ...] | None = None
    """The verb's parameters that it takes in addition to those in its path; None: all."""
    looks_up: str = ""
    """A verb that is called first with the same id: `graph.get` raises ``NotFound`` if it is not a relation."""
    reaches: str = ""
    """The parameter with a namespace that the token must reach; `all`: it must reach every namespace."""
    administrator: bool = False
    """Whether only the administrator of the server may call it."""

    def at(self, route: str) -> "Rest":
        return self._replace(route=route)

    @property
    def needs(self) -> Scope:
        return self.scope or ("read" if self.route.startswith("GET ") else "write")


class Verb(NamedTuple):
    route: str | None
    """Method and path on REST; None: it works on local files."""
    cli: str | None
    mcp: str | None
    scope: Scope = "write"
    """Scope that a token needs."""
    person: bool = False
    """Whether only a person may call it: it is irreversible or concerns the account."""
    once: bool = False
    """Whether it is idempotent."""
    dangerous: bool = False
    """Whether what it removes cannot be restored."""
    built: Built | None = None
    rest: Rest | None = None


PROPERTIES = (
    *("command:", "tool:", "needs:", "person only", "idempotent", "dangerous", "operation:", "body:", "answer:"),
    *("status:", "limit:", "all namespaces", "act:", "confirm", "slashes", "takes:", "listed under:"),
    *("sends:", "looks up:", "reaches:", "administrator"),
)


def _rest(route: str, properties: Mapping[str, str], scope: Scope | None, words: str = "") -> Rest:
    sends = properties.get("sends")
    return Rest(
        route,
        name=properties.get("operation", ""),
        body=properties.get("body", ""),
        status=int(properties.get("status", 200)),
        answer=properties.get("answer", ""),
        scope=scope,
        whole="all namespaces" in properties,
        act=properties.get("act", ""),
        confirm="confirm" in properties,
        slashes="slashes" in properties,
        limit=int(properties["limit"]) if "limit" in properties else None,
        takes=dict([properties["takes"].split("=")] if "takes" in properties else ()),
        tag=properties.get("listed under", ""),
        words=f"{words[0].upper()}{words[1:]}." if words else "",
        sends=None if sends is None else tuple(sends.split()),
        looks_up=properties.get("looks up", ""),
        reaches=properties.get("reaches", ""),
        administrator="administrator" in properties,
    )


def _table(file: str) -> tuple[dict[str, Verb], dict[str, dict[str, Rest]], list[tuple[str, str, Rest]]]:
    verbs: dict[str, Verb] = {}
    collections: dict[str, dict[str, Rest]] = {}
    further: list[tuple[str, str, Rest]] = []
    for name, entry in read_entries(file, ("group", "help", "example")).items():
        route, properties = properties_of(entry.help, entry, PROPERTIES)
        scope = SCOPES.get(properties.get("needs", ""))
        if scope is None and "needs" in properties:
            raise entry.error(entry.help, "expected `needs: read`, `needs: write` or `needs: admin`")
        help = "" if "group" in entry.notes else entry.notes.get("help", "")
        collection, _, verb = name.rpartition(".")
        verb, _, purpose = verb.partition(" (")
        if purpose:
            further.append((collection, verb, _rest(route, properties, scope, help)))
        elif collection:
            collections.setdefault(collection, {})[verb] = _rest(route, properties, scope, help)
        else:
            words = {name: help for (name,), help, _, _ in (argument(line, entry, ()) for line in entry.arguments)}
            built = Built(**entry.notes, words=words) if "group" in entry.notes else None
            rest = _rest("", properties, None, help)
            verbs[name] = Verb(
                None if route == "no route" else route,
                properties.get("command"),
                properties.get("tool"),
                scope or "write",
                person="person only" in properties,
                once="idempotent" in properties or scope == "read",
                dangerous="dangerous" in properties,
                built=built,
                rest=None if rest == Rest("") else rest,
            )
    return verbs, collections, further


VERBS, COLLECTIONS, FURTHER = _table(__file__.removesuffix("py") + "txt")
"""The verbs of the book itself; those of its collections, whose paths name the method's parameters; and further
routes of a verb, each with its collection and name."""

RENAMED = {"after": "cursor", "before": "cursor", "rename": "name"}
"""Parameters with another name on REST."""


def rest_of(collection: str, verb: str) -> Rest:
    """The route of a verb; ``collection`` is empty for the book's own verbs."""
    if collection:
        return COLLECTIONS[collection][verb]
    entry = VERBS[verb]
    assert entry.route is not None
    return (entry.rest or Rest("")).at(entry.route)
