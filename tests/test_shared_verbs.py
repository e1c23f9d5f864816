"""Every verb of the book in a shared namespace, in Python and on the command line: for each role, for somebody who was
a member, and for a stranger. The routes and tools are in interfaces/test_shared_access.py."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.interfaces.cli.conftest import Cli
from tests.interfaces.cli.conftest import cli as cli  # a fixture
from tests.interfaces.cli.conftest import on_both_engines as on_both_engines  # a fixture
from tests.interfaces.cli.conftest import place as place  # a fixture

from commonplace import Commonplace, CommonplaceError, Settings
from commonplace.errors import NotAllowed
from commonplace.interfaces.cli.commands import EVERY
from commonplace.runtime import open_parts
from commonplace.verbs import COLLECTIONS, VERBS

TEXT = "The launch code name is bees"
SECRET = "code name is bees"
WHO = ("admin", "writer", "reader", "former", "stranger")
MEMBERS = ("admin", "writer", "reader")
Calls = dict[str, Callable[[Commonplace, "Ids"], Any]]


class Ids:
    """What the verbs are given: the id of a memory in the namespace, and of the things around it."""

    def __init__(self, team: Commonplace, folder: Path) -> None:
        self.folder = folder
        receipt = team.remember(TEXT, tags=["hive"])
        self.memory, self.receipt = str(receipt.id), receipt.ref
        self.relation = str(team.relate("Ada", "manages", "Ben").id)
        self.entity = team.graph.entity("Ada").id
        team.core.set("city", "Turin")
        directive = team.directives.create("Ship", "Ship the launch")
        self.directive = str(directive.id)
        self.step = str(team.directives.add_step(self.directive, "Build it").id)
        self.note = str(team.directives.remember(self.directive, "The build takes an hour").id)
        self.waiting = str(team.acting_as("bot", source="assistant", person=False).remember("Bees sleep").id)


def exported(book: Commonplace) -> str:
    stream = io.StringIO()
    book.export(stream)
    return stream.getvalue()


READS: Calls = {
    "recall": lambda book, ids: book.recall("launch code name"),
    "context": lambda book, ids: book.context("launch code name"),
    "page": lambda book, ids: book.page("launch code name"),
    "get": lambda book, ids: book.get(ids.memory),
    "browse": lambda book, ids: book.browse(),
    "why": lambda book, ids: book.why(ids.memory),
    "evidence": lambda book, ids: book.evidence(ids.memory),
    "uses": lambda book, ids: book.uses(ids.memory),
    "history": lambda book, ids: book.history(ids.memory),
    "relations": lambda book, ids: book.relations(),
    "walk": lambda book, ids: book.walk("Ada"),
    "agenda": lambda book, ids: book.agenda(),
    "hints": lambda book, ids: book.hints(),
    "stats": lambda book, ids: book.stats(),
    "export": lambda book, ids: exported(book),
    "sync_status": lambda book, ids: book.sync_status(),
    "core.list": lambda book, ids: book.core.list(),
    "glossary.list": lambda book, ids: book.glossary.list(),
    "glossary.get": lambda book, ids: book.glossary.get("hive"),
    "namespaces.list": lambda book, ids: book.namespaces.list(),
    "sharing.list": lambda book, ids: book.sharing.list(),
    "sharing.get": lambda book, ids: book.sharing.get("team"),
    "graph.get": lambda book, ids: book.graph.get(ids.relation),
    "graph.relations": lambda book, ids: book.graph.relations(),
    "graph.walk": lambda book, ids: book.graph.walk("Ada"),
    "graph.entities": lambda book, ids: book.graph.entities(),
    "graph.predicates": lambda book, ids: book.graph.predicates(),
    "graph.entity": lambda book, ids: book.graph.entity("Ada"),
    "audit.list": lambda book, ids: book.audit.list(),
    "audit.verify": lambda book, ids: book.audit.verify(),
    "review.list": lambda book, ids: book.review.list(),
    "jobs.counts": lambda book, ids: book.jobs.counts(),
    "jobs.list": lambda book, ids: book.jobs.list(),
    "receipts.list": lambda book, ids: book.receipts.list(),
    "receipts.get": lambda book, ids: book.receipts.get(ids.receipt),
    "sessions.list": lambda book, ids: book.sessions.list(),
    "timeline.days": lambda book, ids: book.timeline.days(),
    "directives.get": lambda book, ids: book.directives.get(ids.directive),
    "directives.list": lambda book, ids: book.directives.list(),
    "directives.steps": lambda book, ids: book.directives.steps(ids.directive),
    "directives.step": lambda book, ids: book.directives.step(ids.step),
    "directives.memories": lambda book, ids: book.directives.memories(ids.directive),
    "directives.prompt": lambda book, ids: book.directives.prompt(ids.directive),
    "directives.history": lambda book, ids: book.directives.history(ids.directive),
    "directives.explain": lambda book, ids: book.directives.explain(ids.directive),
}
WRITES: Calls = {
    "remember": lambda book, ids: book.remember("x"),
    "remember_many": lambda book, ids: book.remember_many(["x"]),
    "observe": lambda book, ids: book.observe("I live in Turin"),
    "useful": lambda book, ids: book.useful(ids.memory),
    "revise": lambda book, ids: book.revise(ids.memory, "x"),
    "confirm": lambda book, ids: book.confirm(ids.memory),
    "reject": lambda book, ids: book.reject(ids.memory),
    "archive": lambda book, ids: book.archive(ids.memory),
    "end": lambda book, ids: book.end(ids.memory),
    "rollback": lambda book, ids: book.rollback(ids.memory, to=1),
    "undo": lambda book, ids: book.undo(ids.receipt),
    "forget": lambda book, ids: book.forget(ids.memory),
    "relate": lambda book, ids: book.relate("Ada", "knows", "Cy"),
    "rotate_keys": lambda book, ids: book.rotate_keys(),
    "import_": lambda book, ids: book.import_(io.StringIO(exported(book))),
    "core.set": lambda book, ids: book.core.set("k", "v"),
    "core.forget": lambda book, ids: book.core.forget("city"),
    "glossary.create": lambda book, ids: book.glossary.create("n"),
    "glossary.revise": lambda book, ids: book.glossary.revise("hive", description="x"),
    "glossary.delete": lambda book, ids: book.glossary.delete("hive"),
    "graph.relate": lambda book, ids: book.graph.relate("Ada", "knows", "Cy"),
    "graph.revise": lambda book, ids: book.graph.revise(ids.relation, notes="x"),
    "graph.revise_entity": lambda book, ids: book.graph.revise_entity(ids.entity, label="Adele"),
    "graph.split": lambda book, ids: book.graph.split(ids.entity, relations=[ids.relation], label="Adele"),
    "graph.declare": lambda book, ids: book.graph.declare("knows_of"),
    "review.decide": lambda book, ids: book.review.decide(ids.waiting, "approve"),
    "directives.create": lambda book, ids: book.directives.create("t", "g"),
    "directives.revise": lambda book, ids: book.directives.revise(ids.directive, title="x"),
    "directives.add_step": lambda book, ids: book.directives.add_step(ids.directive, "x"),
    "directives.revise_step": lambda book, ids: book.directives.revise_step(ids.step, name="x"),
    "directives.remember": lambda book, ids: book.directives.remember(ids.directive, "x"),
    "directives.correct": lambda book, ids: book.directives.correct(ids.directive, ids.note, "x"),
    "directives.forget": lambda book, ids: book.directives.forget(ids.directive, ids.note),
    "directives.delete_step": lambda book, ids: book.directives.delete_step(ids.step),
    "directives.delete": lambda book, ids: book.directives.delete(ids.directive),
}
OF_ADMINS: Calls = {
    "erase": lambda book, ids: book.erase(confirm=True, namespace="team"),
    "sharing.share": lambda book, ids: book.sharing.share("team"),
    "sharing.withdraw": lambda book, ids: book.sharing.withdraw("team", "nothing"),
    "sharing.set_role": lambda book, ids: book.sharing.set_role("team", "ada", "reader"),
    "sharing.remove": lambda book, ids: book.sharing.remove("team", "ada"),
    "sharing.transfer": lambda book, ids: book.sharing.transfer("team", "ada"),
    "sharing.delete": lambda book, ids: book.sharing.delete("team"),
}
IDLE: Calls = {  # nothing to do here: a reader's call may end well, and changes nothing
    "prune": lambda book, ids: book.prune(),
    "merge": lambda book, ids: book.merge(),
    "maintain": lambda book, ids: book.maintain(),
    "reindex": lambda book, ids: book.reindex(),
    "dismiss": lambda book, ids: book.dismiss(ids.memory),
    "verify_receipt": lambda book, ids: book.verify_receipt(ids.receipt),
    "doctor": lambda book, ids: book.doctor(),
    "backup": lambda book, ids: book.backup(ids.folder / "backup"),
    "sync_private": lambda book, ids: book.sync_private("diary"),
    "glossary.merge": lambda book, ids: book.glossary.merge("hive", into="n"),
    "graph.merge": lambda book, ids: book.graph.merge(ids.entity, ids.entity),
    "jobs.replay": lambda book, ids: book.jobs.replay(ids.memory),
    "namespaces.create": lambda book, ids: book.namespaces.create("another"),
    "namespaces.revise": lambda book, ids: book.namespaces.revise("team", description="x"),
    "namespaces.delete": lambda book, ids: book.namespaces.delete("team"),
    "sharing.preview": lambda book, ids: book.sharing.preview("nothing"),
    "sharing.join": lambda book, ids: book.sharing.join("nothing"),
}
ELSEWHERE = {"restore", "sync", "sharing.leave"}
"""A new book, another book, and the end of the membership: in test_sharing.py and test_sync.py."""


def state(team: Commonplace) -> tuple[object, ...]:
    """What everybody in the namespace sees, as its first admin sees it."""
    memories = [(memory.id, memory.text, memory.status, memory.version) for memory in team.browse(limit=100)]
    shared = team.sharing.get("team")
    members = [(member.person, member.role) for member in shared.members]
    directives = [(goal.id, goal.title, len(team.directives.steps(goal.id))) for goal in team.directives.list()]
    entities = [(entity.id, entity.label) for entity in team.graph.entities()]
    return memories, team.graph.relations(), team.glossary.list(), directives, entities, members, shared.invitations


def opened(parts: Any, who: str, folder: Path) -> tuple[Commonplace, Commonplace, Ids]:
    """Ada's book in the namespace, Ben's own book, and the ids of what is in the namespace."""
    ada, ben = (Commonplace(parts, parts.scope(name, "default")) for name in ("ada", "ben"))
    role = who if who in MEMBERS else "writer"
    invitation = ada.sharing.share("team", person="ben", role=role)
    ids = Ids(ada.within("team"), folder)
    if who != "stranger":
        ben.sharing.join(str(invitation.code))
    if who == "former":
        ada.sharing.remove("team", "ben")
    return ada.within("team"), ben, ids


def test_the_table_has_every_verb() -> None:
    called = {*READS, *WRITES, *OF_ADMINS, *IDLE, *ELSEWHERE}
    assert called == {*VERBS, *(f"{noun}.{verb}" for noun, verbs in COLLECTIONS.items() for verb in verbs)}


@pytest.mark.parametrize("who", WHO)
def test_every_verb_in_python(book_url: str, tmp_path: Path, who: str) -> None:
    settings = Settings.load(environ={}, overrides={"home": tmp_path / "home", "embedder": "none", "judge": "off"})
    parts = open_parts(book_url, settings)
    team, own, ids = opened(parts, who, tmp_path)
    before = state(team)

    def called(name: str, call: Callable[[Commonplace, Ids], Any]) -> object:
        try:
            answer = call(own.within("team"), ids)
        except CommonplaceError as fault:
            answer = fault
        if who not in MEMBERS:
            assert SECRET not in repr(answer), name
        if who == "former" and name not in ("sharing.list", "sharing.preview", "sharing.join"):
            assert isinstance(answer, NotAllowed), (name, answer)
        return answer

    refused = {name for name, call in READS.items() if isinstance(called(name, call), CommonplaceError)}
    assert who not in MEMBERS or not refused, refused
    for name, call in {**IDLE, **OF_ADMINS, **WRITES}.items():
        if who == "admin" and name in OF_ADMINS:
            continue  # test_sharing.py: each of them changes who is what
        answer = called(name, call)
        if who == "reader" and name not in IDLE:
            assert isinstance(answer, NotAllowed), (name, answer)
        if who == "writer" and name in OF_ADMINS:
            assert isinstance(answer, NotAllowed), (name, answer)
        if who in ("admin", "writer") and name in WRITES and name not in ("rollback", "review.decide"):
            assert not isinstance(answer, NotAllowed), (name, answer)
    assert (state(team) == before) == (who not in ("admin", "writer")), "only writers change something"
    parts.close()


COMMANDS = {
    "remember": "remember x",
    "observe": "observe Hello",
    "recall": "recall bees",
    "context": "context bees",
    "useful": "useful {id}",
    "get": "get {id} --evidence --uses",
    "list": "list",
    "why": "why {id}",
    "revise": "revise {id} x",
    "confirm": "confirm {id}",
    "reject": "reject {id}",
    "archive": "archive {id}",
    "end": "end {id}",
    "history": "history {id}",
    "rollback": "rollback {id} --to 1",
    "undo": "undo {receipt}",
    "forget": "forget {id} --yes",
    "erase": "erase team --yes",
    "verify-receipt": "verify-receipt {receipt}",
    "relate": "relate Ada knows Cy",
    "relations": "relations",
    "walk": "walk Ada",
    "agenda": "agenda",
    "hints": "hints",
    "dismiss": "dismiss {id}",
    "stats": "stats",
    "prune": "prune",
    "merge": "merge",
    "maintain": "maintain",
    "reindex": "reindex",
    "keys": "keys rotate --yes",
    "export": "export -",
    "doctor": "doctor",
    "sync": "sync status",
    "namespace members": "namespace members team",
    "namespace share": "namespace share team --with eve",
    "namespace remove": "namespace remove team ada",
    "namespace role": "namespace role team ada reader",
    "namespace transfer": "namespace transfer team ada",
    "namespace delete": "namespace delete team --yes",
    "core": "core set k v",
    "core get": "core get city",
    "core list": "core list",
    "core forget": "core forget k",
    "tag": "tag create n",
    "tag list": "tag list",
    "tag show": "tag show n",
    "tag revise": "tag revise n --description x",
    "tag merge": "tag merge n --into hive",
    "tag delete": "tag delete hive",
    "review": "review approve {waiting}",
    "review list": "review list",
    "review correct": "review correct {waiting} x",
    "review reject": "review reject {waiting}",
    "review lift": "review lift x",
    "audit": "audit list",
    "audit verify": "audit verify",
    "entity list": "entity list",
    "entity show": "entity show Ada",
    "entity revise": "entity revise Ada --alias Adele",
    "entity split": "entity split Ada --label Adele",
    "entity merge": "entity merge Ada Adele",
    "predicate list": "predicate list",
    "predicate declare": "predicate declare mentors",
    "timeline": "timeline",
    "conversations": "conversations",
    "receipts": "receipts",
    "jobs list": "jobs list",
    "jobs counts": "jobs counts",
    "jobs replay": "jobs replay {id}",
    "maintenance log": "maintenance log",
    "usage": "usage",
    "consolidate stats": "consolidate stats",
    "consolidate prune": "consolidate prune",
    "consolidate merge": "consolidate merge",
    "consolidate rollback": "consolidate rollback {id} --to 1",
    "consolidate expire": "consolidate expire",
    "consolidate purge": "consolidate purge --yes",
    "directive create": "directive create --title t --goal g",
    "directive list": "directive list",
    "directive show": "directive show {directive}",
    "directive revise": "directive revise {directive} --goal g",
    "directive prompt": "directive prompt {directive}",
    "directive explain": "directive explain {directive}",
    "directive history": "directive history {directive}",
    "directive pause": "directive pause {directive}",
    "directive resume": "directive resume {directive}",
    "directive step list": "directive step list {directive}",
    "directive step add": "directive step add {directive} x",
    "directive step revise": "directive step revise {step} --name x",
    "directive step delete": "directive step delete {step}",
    "directive memory list": "directive memory list {directive}",
    "directive memory add": "directive memory add {directive} x",
    "directive memory correct": "directive memory correct {directive} {note} x",
    "directive memory forget": "directive memory forget {directive} {note}",
    "directive delete": "directive delete {directive} --yes",
    "namespace list": "namespace list",
    "namespace create": "namespace create another",
    "namespace revise": "namespace revise team --description x",
    "namespace move": "namespace move {id} --to another",
    "namespace join": "namespace join nothing --yes",
    "namespace withdraw": "namespace withdraw team nothing",
}
ELSEWHERE_COMMANDS = {
    *(
        "backup",
        "restore",
        "import",
        "copy",
        "init",
        "uninit",
        "bench",
        "completion",
        "migrate",
        "mcp",
        "serve",
        "tour",
    ),
    *("keys check", "keys recovery", "keys restore", "owner list", "owner set", "owner show", "pause", "resume"),
    *("settings", "status", "token create", "token list", "token revoke", "trust", "namespace leave"),
    *("directive run", "directive watch", "session distill", "session end", "session forget-removed"),
    *("session lesson", "session log", "session note", "session recover", "session start", "session status"),
    *("session sync", "session todo", "session watch"),
}
"""Of files and this machine, of the account, of an agent's run; and the end of the membership, in test_sharing.py."""


def named(words: str) -> str:
    """The command that a line of the shell names."""
    parts = words.split()
    return next(name for count in (3, 2, 1) if (name := " ".join(parts[:count])) in EVERY)


def test_the_table_has_every_command() -> None:
    running = {name for name, command in EVERY.items() if {"run", "like"} & command.notes.keys()}
    assert {named(words) for words in COMMANDS.values()} | ELSEWHERE_COMMANDS == running - {
        name for name in running if name.startswith("@")
    }


@pytest.mark.usefixtures("on_both_engines")
@pytest.mark.one_engine("a membership is judged above the engine; in Python both are asked")
@pytest.mark.parametrize("who", WHO[1:])
def test_every_command(cli: Cli, tmp_path: Path, who: str) -> None:
    with Commonplace.open(owner="ada") as ada:
        team, _, ids = opened(ada._parts, who, tmp_path)
        before = state(team)
        for name, words in COMMANDS.items():
            filled = words.format(id=ids.memory, **vars(ids)).split()
            done = cli(*filled, "--owner", "ben", "--namespace", "team", code=None)
            assert who in MEMBERS or SECRET not in done.out + done.err, name
            assert who != "writer" or done.code != 2, (name, done)
            if who == "former":
                assert done.code != 0 and "member" in done.err, (name, done)
        assert (state(team) == before) == (who != "writer"), "only a writer changes something"
