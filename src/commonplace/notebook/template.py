"""The files as they begin: headings to write under, and the protocol for hosts that have no hooks."""

from commonplace.notebook.lines import DECISIONS, PROTOCOL

STEPS = """\
1. At the start, and after the context was compacted: read this file, then the working buffer, the to-dos, the
   lessons and today's log, or run `commonplace session start` (after a compaction `commonplace session recover`).
2. Before acting on a message that decides, corrects, names or changes something: write it down first,
   `commonplace session note "…" --kind decision` (or correction, architecture, priority, value, next, blocker).
3. While working: `commonplace session log "…"` for what was done, tried and failed;
   `commonplace session lesson "…"` for a mistake not to repeat; `commonplace session todo "…"` for what is left.
4. At the end: `commonplace session end --state "…" --next "…"`.
5. What stands here is kept by people and agents together: add, do not rewrite what somebody else wrote."""


def long_term(project: str) -> str:
    """MEMORY.md of a project that has none."""
    return f"""\
# {project}

## What it is

## Architecture

## What works

## Known gaps

## Workstreams

### Active

### Paused

### Complete

## {DECISIONS}

| Date | Decision | Rationale |
|---|---|---|

## Key files

## {PROTOCOL}

{STEPS}
"""


BUFFER = """\
# Working buffer

<!-- What is happening right now: task, blockers, decisions, next step. Newest at the end. -->

"""
TODO = """\
# To do

"""
LESSONS = """\
# Lessons

<!-- Mistakes not to repeat. -->

"""
