"""What a line of an export must look like. Checked for the whole file before the first one is taken in.

Whatever passes here can be stored and read again; whatever does not names its line and changes nothing.
"""

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from itertools import pairwise
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from commonplace.directives.values import DIRECTIVE_STATUSES, STEP_STATUSES
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission
from commonplace.memories.admission import is_count, is_flag, is_share, one_of, optional
from commonplace.memories.codec import TYPED_FIELDS
from commonplace.model import ROLES, STATUSES, MemoryColumns, field_types

Line = dict[str, Any]
Check = Callable[[Any], bool]

DEEPEST = 64
MOST_STAMP = 221_845_392_000_000_000
MOST_ID = 512
PAGE = 1_024
MOST_KEPT = 1_024


def text(value: Any) -> bool:
    return isinstance(value, str)


def whole_text(value: Any) -> bool:
    """A text that a plain column can hold: no NUL, no half of a character."""
    return isinstance(value, str) and "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)


def name(value: Any) -> bool:
    """An id or a name, which becomes a plain column."""
    return isinstance(value, str) and 0 < len(value) <= MOST_ID and value.isprintable()


def stamp(value: Any) -> bool:
    """Microseconds since 1970, no later than the year 9000."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_STAMP


def time(value: Any) -> bool:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment is not None and moment.tzinfo is not None and 1000 <= moment.year <= 9000
    except ValueError:
        return False


def encoded(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        return False


def record(value: Any) -> bool:
    return isinstance(value, dict)


def named(noun: str, limit: int = admission.NAME_LIMIT) -> Check:

    def check(value: Any) -> bool:
        try:
            return bool(admission.name(noun, value, limit=limit))
        except (Invalid, Refused):
            return False

    return check


def attributes(value: Any) -> bool:
    try:
        return isinstance(value, dict) and admission.metadata(value) is not None
    except Invalid:
        return False


def many(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def shaped(required: Mapping[str, Check], extra: Mapping[str, Check] | None = None) -> Check:
    """An object with these fields; ``extra`` may be missing, and others are left alone."""
    return lambda value: isinstance(value, dict) and _misfit(value, required, extra or {}) is None


def exactly(required: Mapping[str, Check]) -> Check:
    """An object with these fields and no others."""
    return lambda value: isinstance(value, dict) and value.keys() == required.keys() and shaped(required)(value)


VERSION = {"version": is_count, "recorded_at": time, "superseded_at": optional(time), "actor": name, "action": name}
ENTITY_STATE = shaped(
    {}, {"plain": shaped({}, {"label": text, "aliases": many(text)}), "row": record, "tags": many(name)}
)
VERSIONS = many(shaped({**VERSION, "plain": record}))
ENTITY_VERSIONS = many(shaped({**VERSION, "plain": ENTITY_STATE}))
PLAIN_GOAL = shaped(
    {"title": text, "goal": text},
    dict.fromkeys(("repository_url", "local_path", "base_branch", "reason", "done", "run"), optional(text))
    | {"generation": is_count, "planned_for": optional(stamp)},
)
PLAIN_STEP = shaped({"name": text}, dict.fromkeys(("description", "task_plan", "result"), optional(text)))
TOMBSTONE_KEY = shaped({"source": name, "namespace": name}, {"key": encoded, "sealed": encoded})
TRIPLE = shaped({"subject": name, "predicate": name, "object": name}, {"notes": optional(text)})


def _check_of(hint: Any) -> Check:
    """What a column of this type may hold."""
    kind = next((part for part in get_args(hint) if part is not NoneType), hint) if NoneType in get_args(hint) else hint
    if get_origin(kind) is Literal:
        return one_of(get_args(kind))
    return {float: is_share, int: is_count, bool: is_flag, datetime: time, str: name}[kind]


COLUMN_CHECKS = {field: _check_of(hint) for field, hint in field_types(MemoryColumns).items()}
REQUIRED = {field.name for field in fields(MemoryColumns) if field.default is MISSING}

STATE: dict[str, Check] = {
    "text": text,
    "namespace": name,
    "doc": is_count,
    **{field: check for field, check in COLUMN_CHECKS.items() if field in REQUIRED},
}
STATE_EXTRA: dict[str, Check] = {
    **{field: check for field, check in COLUMN_CHECKS.items() if field not in REQUIRED},
    **{field: optional(text) for field in TYPED_FIELDS if field not in ("text", "key", "metadata")},
    "position": is_count,
    "rank": lambda value: value is None or (is_count(value) and value <= 3),
    "role": one_of(ROLES),
    "session": name,
    "key": named("key"),
    "metadata": attributes,
    "speaker": text,
    "author": text,
    "agent": text,
    "triple": TRIPLE,
    "tags": many(name),
    "said_at": time,
    "last_used_at": optional(time),
}
SAID = {"session", "role", "said_at", "position"}
"""Fields of a message: all of them or none."""


def _state(value: Any) -> bool:
    return shaped(STATE, STATE_EXTRA)(value) and _misfit_of_kind(value) is None


def _misfit_of_kind(line: Mapping[str, Any]) -> str | None:
    """The field that a memory of its kind lacks."""
    if line["kind"] == "core" and "key" not in line:
        return "key"
    if line["kind"] == "relational" and "triple" not in line:
        return "triple"
    present = SAID & line.keys()
    return next(iter(sorted(SAID - present))) if present and present != SAID else None


GOAL_COLUMNS = {
    "status": one_of(DIRECTIVE_STATUSES),
    "created_at": stamp,
    "goal_updated_at": optional(stamp),
    "started_at": optional(stamp),
    "version": is_count,
    "memory_enabled": is_flag,
}
STEP_COLUMNS = {
    "directive": name,
    "status": one_of(STEP_STATUSES),
    "run": optional(name),
    "depends_on": many(name),
    **dict.fromkeys(("order_index", "generation", "version", "attempts"), is_count),
}

LINES: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "header": (
        {"format": name, "version": is_count, "export": name, "docs": is_count},
        {"tombstone_keys": many(TOMBSTONE_KEY)},
    ),
    "footer": ({}, {}),
    "namespace": (
        {"id": name, "name": named("namespace"), "created_at": time},
        {"description": optional(text), "predicates": many(text), "speakers": many(text)},
    ),
    "tag": (
        {"id": name, "namespace": name, "name": named("tag"), "created_at": time},
        {"description": optional(text), "synonyms": many(named("tag"))},
    ),
    "session": (
        {"id": name, "namespace": name, "name": named("session", 512), "started_at": time, "position": is_count}
        | {"docs": lambda value: many(is_count)(value) and len(value) == 2},
        {},
    ),
    "entity": (
        {"id": name, "namespace": name, "kind": name, "status": one_of(STATUSES), "recorded_at": time}
        | {"retired_at": optional(time), "version": is_count, "tags": many(name), "label": named("label")}
        | {"versions": ENTITY_VERSIONS},
        {"aliases": many(named("label")), "notes": optional(text)},
    ),
    "directive": (
        {"id": name, "namespace": name, "columns": exactly(GOAL_COLUMNS), "plain": PLAIN_GOAL} | {"versions": VERSIONS},
        {},
    ),
    "step": (
        {"id": name, "namespace": name, "columns": shaped(STEP_COLUMNS), "plain": PLAIN_STEP} | {"versions": VERSIONS},
        {},
    ),
    "memory": (
        {
            "id": name,
            **STATE,
            "versions": many(shaped(VERSION, {"reason": optional(text), "state": _state})),
            "evidence": many(shaped({"episode": name, "quote": optional(text)})),
        },
        STATE_EXTRA,
    ),
    "tombstone": (
        {"namespace": name, "fingerprint": encoded, "reason": name, "at": time, "target": optional(whole_text)},
        {},
    ),
}
"""By type of line: the fields that must be there, and those that may be."""


def checked(lines: Iterable[str]) -> Iterator[str]:
    """The same lines. Raises ``Invalid`` with the number of the first one that does not fit."""
    ids_by_type: dict[str, set[str]] = {}
    documents = _Documents()
    for number, content in enumerate(lines, start=1):
        if content.strip():
            line = parsed(content, number)
            _refer(line, number, ids_by_type)
            if line["type"] == "memory" and not _whole_history(line):
                raise Invalid(f"line {number}: the field 'versions' is missing or not what it should be")
            if not documents.take(line):
                raise Invalid(f"line {number} has a document number that is another text's, or none of the export's")
        yield content


def _whole_history(line: Line) -> bool:
    """Whether the versions of a memory rise to the present one, which has no state but the line itself."""
    numbers = [version["version"] for version in line["versions"]]
    states = ["state" in version for version in line["versions"]]
    rising = all(earlier < later for earlier, later in pairwise(numbers))
    return rising and numbers[-1:] == [line.get("version", 1)] and states == [True] * (len(states) - 1) + [False]


class _Documents:
    """The numbers that texts stand under in the word index: each is one text's, and below what the header says."""

    def __init__(self) -> None:
        self._end = 0
        self._taken: dict[int, int] = {}
        """A bit for each number, ``PAGE`` of them at a time."""

    def take(self, line: Line) -> bool:
        """Whether the numbers of a line were free; they are its own from now on."""
        kind = line["type"]
        if kind == "header":
            self._end = line["docs"]
        if kind == "session":
            first, end = line["docs"]
            return end <= self._end and all(map(self._free, kept_numbers(first, end)))
        if kind != "memory":
            return True
        texts: dict[int, tuple[str, ...]] = {}
        for state in (line, *(version["state"] for version in line["versions"] if "state" in version)):
            text = (state["namespace"], state["text"], state.get("key", ""))
            if texts.setdefault(state["doc"], text) != text:
                return False
        return all(0 < doc < self._end and self._free(doc) for doc in texts)

    def _free(self, doc: int) -> bool:
        page, bit = doc // PAGE, 1 << doc % PAGE
        taken = self._taken.get(page, 0)
        self._taken[page] = taken | bit
        return not taken & bit


def kept_numbers(first: int, end: int) -> range:
    """The numbers that a conversation keeps for its next turns, as far as an import keeps them."""
    return range(first, min(end, first + MOST_KEPT))


def parsed(content: str, number: int) -> Line:
    """A line as it may be taken in. Raises ``Invalid``."""
    try:
        line = json.loads(content, parse_constant=_refuse)
    except RecursionError:
        raise Invalid(f"line {number} is nested too deeply") from None
    except ValueError:
        raise Invalid(
            f"line {number} is not JSON; the file is damaged or cut short there", code="damaged_line", line=number
        ) from None
    if not isinstance(line, dict) or not isinstance(line.get("type"), str):
        raise Invalid(f"line {number} is not a line of an export", code="damaged_line", line=number)
    if not _storable(line):
        raise Invalid(f"line {number} is nested too deeply, or holds a number or character that cannot be stored")
    if number == 1 and line["type"] != "header":
        raise Invalid("this is not an export: the first line must be its header", code="not_an_export")
    checks = LINES.get(line["type"])
    if checks is None:
        raise Invalid(f"line {number} is of a type that this release does not know")
    field = _misfit(line, *checks)
    if field is None and line["type"] == "memory":
        field = _misfit_of_kind(line)
    if field is not None:
        raise Invalid(f"line {number}: the field {field!r} is missing or not what it should be")
    return line


def _misfit(line: Mapping[str, Any], required: Mapping[str, Check], extra: Mapping[str, Check]) -> str | None:
    """The first field that does not fit; its name is ours, not the file's."""
    for field, check in required.items():
        if field not in line or not check(line[field]):
            return field
    return next((field for field, check in extra.items() if field in line and not check(line[field])), None)


def _refer(line: Line, number: int, ids_by_type: dict[str, set[str]]) -> None:
    """Every row that a line names must come before it."""
    kind = line["type"]
    references = {"namespace": [line["namespace"]] if "namespace" in line else [], "tag": line.get("tags", [])}
    if kind == "memory" and "triple" in line:
        references["entity"] = [line["triple"]["subject"], line["triple"]["object"]]
    if kind == "step":
        references["directive"] = [line["columns"]["directive"]]
    for noun, ids in references.items():
        if any(id not in ids_by_type.get(noun, ()) for id in ids):
            raise Invalid(f"line {number} names a {noun} that no line before it holds")
    if kind in ("namespace", "tag", "entity", "directive"):
        ids_by_type.setdefault(kind, set()).add(line["id"])


def _storable(line: Line) -> bool:
    """Not too deep, every number finite and every text valid Unicode."""
    level: list[Any] = [line]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                if not all(map(_encodes, value)):
                    return False
                inner += value.values()
            elif isinstance(value, list):
                inner += value
            elif (isinstance(value, float) and not math.isfinite(value)) or (
                isinstance(value, str) and not _encodes(value)
            ):
                return False
        if not inner:
            return True
        level = inner
    return False


def _encodes(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _refuse(constant: str) -> None:
    raise ValueError(constant)
