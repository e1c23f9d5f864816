"""Every command in one table. To add one: a function that defines its arguments, in a file here, and a line below.

``--help`` prints this table without importing anything else.
"""

from typing import NamedTuple

from commonplace.verbs import VERBS


class Command(NamedTuple):  # a dataclass would bring `inspect` along: 8 ms of every start
    group: str
    place: str
    """``file:function`` in this folder, or a module by its full name; the function is given the parser, and defines the
    arguments and what runs."""
    help: str


KEEP, FIND, CORRECT, FORGET = "Store", "Find", "Correct", "Forget"
ORDER, WATCH, START = "Organise", "Maintain", "Start"
MOVE, WORK, SERVE = "Back up and move", "Projects", "Serve"

COMMANDS: dict[str, Command] = {
    "tour": Command(START, "tour:tour", "guided tour on a temporary book"),
    "status": Command(START, "status:status", "show which book and namespace are used, and why"),
    "settings": Command(START, "status:settings", "show all settings and where they come from"),
    "trust": Command(START, "trust:trust", "approve what this project's files ask for"),
    "completion": Command(START, "completion:completion", "print the completion script for a shell"),
    "remember": Command(KEEP, "keep:remember", "store a memory"),
    "observe": Command(KEEP, "keep:observe", "store a conversation word for word and learn from it"),
    "relate": Command(KEEP, "graph:relate", "state how two things are related"),
    "core": Command(KEEP, "core:core", "key-value facts that are in every prompt"),
    "recall": Command(FIND, "find:recall", "find memories by words and meaning"),
    "context": Command(FIND, "find:context", "print the page that a model is given"),
    "get": Command(FIND, "find:get", "show one memory"),
    "list": Command(FIND, "find:list_", "page through memories by filter"),
    "conversations": Command(FIND, "looking_back:conversations", "list stored conversations"),
    "timeline": Command(FIND, "looking_back:timeline", "activity per day"),
    "agenda": Command(FIND, "agenda:agenda", "follow-ups, due dates, and people not contacted recently"),
    "relations": Command(FIND, "graph:relations", "list relations"),
    "walk": Command(FIND, "graph:walk", "show what is connected to an entity"),
    "history": Command(FIND, "history:history", "show every version of a memory"),
    "hints": Command(FIND, "find:hints", "list patterns that were noticed"),
    "why": Command(FIND, "find:why", "show how a memory was learned"),
    "revise": Command(CORRECT, "correct:revise", "correct a memory's text or fields"),
    "reject": Command(CORRECT, "correct:reject", "mark a memory as wrong; it does not come back"),
    "archive": Command(CORRECT, "correct:archive", "hide memories; undoable"),
    "useful": Command(CORRECT, "correct:useful", "say whether a memory helped"),
    "dismiss": Command(CORRECT, "correct:dismiss", "hide a pattern for good"),
    "undo": Command(CORRECT, "history:undo", "undo a change, or list what can be undone"),
    "receipts": Command(CORRECT, "history:receipts", "list changes, newest first"),
    "review": Command(CORRECT, "review:review", "decide about memories that are not confirmed yet"),
    "forget": Command(FORGET, "forget:forget", "delete memories for good"),
    "erase": Command(FORGET, "forget:erase", "delete a namespace, or everything, for good"),
    "verify-receipt": Command(FORGET, "forget:verify_receipt", "check that forgotten text is really gone"),
    "tag": Command(ORDER, "tag:tag", "manage tags"),
    "namespace": Command(ORDER, "namespace:namespace", "manage namespaces"),
    "entity": Command(ORDER, "graph:entity", "manage people, companies, projects and other entities"),
    "predicate": Command(ORDER, "graph:predicate", "manage the names of relations"),
    "stats": Command(WATCH, "tidy:stats", "counts and sizes"),
    "prune": Command(WATCH, "tidy:prune", "archive low-importance old memories; undoable"),
    "merge": Command(WATCH, "tidy:merge", "merge duplicates; undoable"),
    "consolidate": Command(WATCH, "tidy:consolidate", "stats, prune and merge in one command"),
    "maintain": Command(WATCH, "tidy:maintain", "run background work now"),
    "maintenance": Command(WATCH, "tidy:maintenance", "show what background work did"),
    "reindex": Command(WATCH, "tidy:reindex", "rebuild the search index"),
    "usage": Command(WATCH, "looking_back:usage", "model calls and tokens per day"),
    "audit": Command(WATCH, "audit:audit", "list the audit log, newest first"),
    "jobs": Command(WATCH, "jobs:jobs", "list and retry background jobs"),
    "keys": Command(WATCH, "keys:keys", "manage encryption keys"),
    "bench": Command(WATCH, "commonplace.testing.bench:bench", "measure what recall finds"),
    "doctor": Command(WATCH, "doctor:doctor", "check the book, and repair it"),
    "backup": Command(MOVE, "copies:backup", "back up the book while it is in use"),
    "restore": Command(MOVE, "copies:restore", "restore a backup; forgotten memories stay forgotten"),
    "export": Command(MOVE, "moving:export", "export everything as JSON lines"),
    "import": Command(MOVE, "moving:import_", "import an export, or memories of ChatGPT, Claude, mem0 and others"),
    "sync": Command(MOVE, "syncing:sync", "keep this book and one on a server or in a folder in step"),
    "copy": Command(MOVE, "moving:copy", "copy the book to another database"),
    "migrate": Command(MOVE, "copies:migrate", "upgrade the book to this release's schema"),
    "init": Command(WORK, "init:init", "set up this project for a coding agent; `uninit` undoes it"),
    "uninit": Command(WORK, "init:uninit", "undo init"),
    "session": Command(WORK, "session:session", "work with the project's notebook files"),
    "directive": Command(WORK, "directive:directive", "manage long-running goals"),
    "pause": Command(WORK, "session:pause", "pause capture and injection"),
    "resume": Command(WORK, "session:resume", "resume capture and injection"),
    "serve": Command(SERVE, "serving:serve", "start the REST API and the web page"),
    "mcp": Command(SERVE, "serving:mcp", "start the MCP server on standard input and output"),
    "token": Command(SERVE, "serving:token", "manage access tokens"),
    "owner": Command(SERVE, "serving:owner", "manage owners"),
}

for _name, _verb in VERBS.items():
    if _verb.built is not None and _verb.cli is not None:
        COMMANDS[_verb.cli] = Command(_verb.built.group, f"built:{_name}", _verb.built.help)

ALIASES = {"add": "remember", "search": "recall", "delete": "forget", "edit": "revise", "show": "get"}
"""Other names that people try; they work."""

SUGGESTED = {
    "recall": "find query lookup ask grep",
    "remember": "save store keep memorize new put insert write",
    "observe": "learn say tell ingest chat",
    "revise": "update change correct fix modify set replace",
    "forget": "remove rm del drop",
    "erase": "wipe purge destroy reset clear",
    "get": "view cat print read info",
    "list": "ls all browse memories",
    "history": "versions log diff blame",
    "undo": "revert back rollback-all",
    "init": "setup install connect configure",
    "serve": "start run server web ui open page",
    "status": "where which whoami version",
    "settings": "config configuration options",
    "doctor": "check repair verify health fsck",
    "import": "load restore-json",
    "export": "dump download",
    "tour": "demo example tutorial try",
}
"""Words that are no commands, by the command that does what they mean."""
