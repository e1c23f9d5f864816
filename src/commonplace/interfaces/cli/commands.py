"""Every command in one table. To add one: a function that defines its arguments, in a file here, and a line below.

``--help`` prints this table without importing anything else.
"""

from typing import NamedTuple


class Command(NamedTuple):  # a dataclass would bring `inspect` along: 8 ms of every start
    group: str
    place: str
    """``file:function`` in this folder, or a module by its full name; the function is given the parser, and defines the
    arguments and what runs."""
    help: str


KEEP, FIND, CORRECT, FORGET = "Keep", "Find", "Correct", "Forget"
ORDER, WATCH, START = "Keep in order", "Look after", "Begin"
MOVE, WORK, SERVE = "Copy and move", "Work sessions", "Serve"

COMMANDS: dict[str, Command] = {
    "tour": Command(START, "tour:tour", "see what a book does, on a temporary one"),
    "status": Command(START, "status:status", "which book, which namespace and why, and how it is"),
    "settings": Command(START, "status:settings", "what is set, where, and what it means"),
    "completion": Command(START, "completion:completion", "print what makes a shell complete commands"),
    "remember": Command(KEEP, "keep:remember", "keep a memory"),
    "observe": Command(KEEP, "keep:observe", "keep what was said, word for word"),
    "relate": Command(KEEP, "graph:relate", "state how two things are related"),
    "core": Command(KEEP, "core:core", "values by key that every prompt is given"),
    "recall": Command(FIND, "find:recall", "find memories by words and meaning"),
    "context": Command(FIND, "find:context", "the page that a model is given"),
    "get": Command(FIND, "find:get", "show one memory"),
    "list": Command(FIND, "find:list_", "page through memories by filter"),
    "conversations": Command(FIND, "looking_back:conversations", "the conversations that were observed"),
    "timeline": Command(FIND, "looking_back:timeline", "how much was said, learned and forgotten on which day"),
    "relations": Command(FIND, "graph:relations", "list relations"),
    "walk": Command(FIND, "graph:walk", "what can be reached from an entity"),
    "history": Command(FIND, "history:history", "every version of a memory"),
    "hints": Command(FIND, "find:hints", "patterns that were noticed"),
    "why": Command(FIND, "find:why", "how a belief came about"),
    "revise": Command(CORRECT, "correct:revise", "correct a memory's text or fields"),
    "confirm": Command(CORRECT, "correct:confirm", "vouch for a memory"),
    "reject": Command(CORRECT, "correct:reject", "say that a memory is wrong"),
    "end": Command(CORRECT, "correct:end", "say that a memory is no longer true"),
    "archive": Command(CORRECT, "correct:archive", "put memories out of sight"),
    "useful": Command(CORRECT, "correct:useful", "say whether a memory helped"),
    "dismiss": Command(CORRECT, "correct:dismiss", "never hear of a pattern again"),
    "rollback": Command(CORRECT, "history:rollback", "restore an earlier version"),
    "undo": Command(CORRECT, "history:undo", "take back what a receipt did"),
    "receipts": Command(CORRECT, "history:receipts", "what was done, newest first"),
    "review": Command(CORRECT, "review:review", "decide about what waits for a person"),
    "forget": Command(FORGET, "forget:forget", "forget memories for good"),
    "erase": Command(FORGET, "forget:erase", "erase a namespace, or everything"),
    "verify-receipt": Command(FORGET, "forget:verify_receipt", "search again for what was forgotten"),
    "tag": Command(ORDER, "tag:tag", "the tags of the namespace"),
    "namespace": Command(ORDER, "namespace:namespace", "the owner's namespaces"),
    "entity": Command(ORDER, "graph:entity", "people, companies, projects and other entities"),
    "predicate": Command(ORDER, "graph:predicate", "the words that relations are made with"),
    "stats": Command(WATCH, "tidy:stats", "counts, sizes, what waits, what would be pruned"),
    "prune": Command(WATCH, "tidy:prune", "archive what is unimportant and old"),
    "merge": Command(WATCH, "tidy:merge", "make one memory of identical ones"),
    "consolidate": Command(WATCH, "tidy:consolidate", "stats, prune and merge under one name"),
    "maintain": Command(WATCH, "tidy:maintain", "run what waits and tidy every namespace now"),
    "maintenance": Command(WATCH, "tidy:maintenance", "what the book did by itself"),
    "reindex": Command(WATCH, "tidy:reindex", "make all words and vectors anew"),
    "usage": Command(WATCH, "looking_back:usage", "calls and tokens of models, day by day"),
    "audit": Command(WATCH, "audit:audit", "who did what, in an unbroken chain"),
    "jobs": Command(WATCH, "jobs:jobs", "background work: what waits and what failed"),
    "keys": Command(WATCH, "keys:keys", "the keys that the book is sealed with"),
    "bench": Command(WATCH, "commonplace.testing.bench:bench", "how much of what was said recall finds"),
    "doctor": Command(WATCH, "doctor:doctor", "whether the book is sound, and how to mend it"),
    "backup": Command(MOVE, "copies:backup", "copy the whole book while it is in use"),
    "restore": Command(MOVE, "copies:restore", "put a copy in the book's place; what was forgotten stays so"),
    "export": Command(MOVE, "moving:export", "write everything as JSON lines"),
    "import": Command(MOVE, "moving:import_", "take in what export wrote"),
    "copy": Command(MOVE, "moving:copy", "take the whole book to another engine"),
    "migrate": Command(MOVE, "copies:migrate", "bring the book to the schema of this release"),
    "init": Command(WORK, "init:init", "set this project up for a coding agent"),
    "uninit": Command(WORK, "init:uninit", "take exactly that out again"),
    "session": Command(WORK, "session:session", "the notebook of the project: begin, note, log, end, recover"),
    "directive": Command(WORK, "directive:directive", "goals that outlive a session: steps, memories, prompts"),
    "pause": Command(WORK, "session:pause", "stop capture and injection"),
    "resume": Command(WORK, "session:resume", "go on with them"),
    "serve": Command(SERVE, "serving:serve", "the REST API and the page"),
    "mcp": Command(SERVE, "serving:mcp", "the MCP server, for the agent that started it"),
    "token": Command(SERVE, "serving:token", "who may call the server"),
    "owner": Command(SERVE, "serving:owner", "everybody who has a book here"),
}
