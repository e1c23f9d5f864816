"""Validates input: checks fields, removes secrets and injected text, or refuses with what to do."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from commonplace.errors import Invalid, Refused
from commonplace.model import ROLES, MemoryContent, Message, NewMemory, field_types, plain_type, time_fields
from commonplace.security.fence import strip_injected, strip_private
from commonplace.security.redact import only_secret, redact, redact_json

NAME_LIMIT = 128
METADATA_LIMIT = 1_000_000
TAG_LIMIT = 64
MOST_TAGS = 100
REMARK_LIMIT = 10_000
UNKNOWN = "unknown {field} {value!r}; one of "
ALLOWED_CONTROLS = "\t\n\r"
TERMINAL = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)")
"""Whole escape sequences (colours, cursor moves, links): without them their letters would stick to the words beside
them.
"""
CONTROLS = {code: None for code in [*range(32), *range(127, 160)] if chr(code) not in ALLOWED_CONTROLS}


@dataclass(frozen=True, slots=True)
class CleanText:
    """A cleaned text, and notes on what was removed."""

    text: str
    notes: tuple[str, ...] = ()


def admit(new: NewMemory, *, max_text: int) -> tuple[NewMemory, tuple[str, ...]]:
    """Check every field; return the memory with its text cleaned, and notes on what was removed."""
    for field, default, fits, expectation in _field_checks():
        if (value := getattr(new, field)) is not default and not fits(value):
            raise Invalid(expectation.format(field=field, value=str(value)[:40]))
    if (new.kind == "core") != (new.key is not None):
        raise Invalid("a core memory has a key and no other kind has one; pass kind='core' together with key=…")
    if new.kind == "episodic":
        raise Invalid("episodes come from `observe`, which keeps speaker, session and order")
    if len(new.tags) > MOST_TAGS:
        raise Invalid(
            f"a memory has at most {MOST_TAGS} tags, not {len(new.tags):,}", code="too_many_tags", most=MOST_TAGS
        )
    times: dict[str, Any] = {field: aware(field, getattr(new, field)) for field in time_fields(NewMemory)}
    if times["valid_from"] and times["valid_to"] and times["valid_to"] <= times["valid_from"]:
        raise Invalid("valid_to must be later than valid_from", code="ends_before_start")
    cleaned = clean(new.text, max_text=max_text)
    own = ("text", "key", "metadata")
    clean_fields: dict[str, Any] = {
        **{field: remark(field, getattr(new, field)) for field in field_types(MemoryContent) if field not in own},
        **times,
        "text": cleaned.text,
        "key": None if new.key is None else name("key", new.key),
        "tags": tuple(dict.fromkeys(name("tag", tag, limit=TAG_LIMIT) for tag in new.tags)),
    }
    if new.metadata != {}:
        clean_fields["metadata"] = metadata(new.metadata)
    changes = {field: value for field, value in clean_fields.items() if value is not getattr(new, field)}
    return replace(new, **changes) if changes else new, cleaned.notes


Fits = Callable[[Any], bool]


def is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def one_of(choices: Collection[str]) -> Fits:
    return lambda value: isinstance(value, str) and value in choices


def optional(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


EXPECTED: Mapping[type, tuple[Fits, str]] = {
    float: (is_share, "{field} is a number from 0 to 1"),
    bool: (is_flag, "{field} is True or False"),
    int: (is_count, "{field} is a whole number of at least 0"),
}


@cache
def _field_checks() -> tuple[tuple[str, Any, Fits, str], ...]:
    """Checks of the fields with choices, shares, flags and numbers, from the fields' types. Defaults are not checked;
    texts and times are checked elsewhere.
    """
    checks = []
    for field, annotated in field_types(NewMemory).items():
        hint = plain_type(annotated)
        types = get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)
        choices = get_args(types[0]) if get_origin(types[0]) is Literal else ()
        expected = (one_of(choices), UNKNOWN + ", ".join(choices)) if choices else EXPECTED.get(types[0])
        if expected is not None:
            fits, words = expected
            default = NewMemory.__dataclass_fields__[field].default
            checks.append((field, default, optional(fits) if NoneType in types else fits, words))
    return tuple(checks)


def clean(text: Any, *, max_text: int) -> CleanText:
    """Clean a text for storage. Raises ``Refused`` if nothing is left or it is not allowed."""
    text = checked(text, max_text=max_text)
    visible = strip_injected(strip_private(text)).strip()
    if not visible:
        raise Refused(
            "nothing to keep: the text is empty, private, or only repeats recalled context", code="nothing_to_keep"
        )
    redacted = redact(visible)
    if redacted.kinds and only_secret(visible):
        raise Refused(
            "the text is only a secret, which is not stored; keep it in a password manager",
            code="only_a_secret",
        )
    return CleanText(redacted.text, tuple(f"redacted: {kind}" for kind in redacted.kinds))


def clean_message(message: Message, *, max_text: int) -> CleanText | None:
    """Like ``clean``, for a message: None if nothing is left; control characters are dropped.

    Conversations are evidence and come as they were said: a stray escape code must not lose the message.
    """
    if message.role not in ROLES:
        raise Invalid(UNKNOWN.format(field="role", value=str(message.role)[:40]) + ", ".join(ROLES))
    if not isinstance(message.text, str):
        raise Invalid(f"a message's text is a string, not {type(message.text).__name__}")
    text = checked(TERMINAL.sub("", message.text).translate(CONTROLS), max_text=max_text, empty=True)
    visible = strip_injected(strip_private(text)).strip()
    if not _visible(visible):
        return None
    redacted = redact(visible)
    return CleanText(redacted.text, tuple(f"redacted: {kind}" for kind in redacted.kinds))


def checked(value: Any, *, max_text: int, empty: bool = False) -> str:
    if not isinstance(value, str):
        raise Invalid(f"text is a string, not {type(value).__name__}")
    text: str = value
    if not empty and not _visible(text):
        raise Refused("the text is empty; pass what to remember", code="empty_text")
    if len(text) > max_text:
        raise Refused(
            f"the text has {len(text):,} characters, more than the {max_text:,} allowed; split it",
            code="too_long",
            length=len(text),
            most=max_text,
        )
    if not text.isprintable() and text.translate(CONTROLS) != text:
        raise Refused(
            "the text has control characters; remove them (line breaks and tabs are fine)", code="control_characters"
        )
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        raise Refused("the text is not valid Unicode (a lone surrogate); decode it properly first") from fault
    return text


def page_size(limit: object) -> int:
    """A valid page size. Raises ``Invalid`` for anything but a whole number above 0."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit < 2**31:
        raise Invalid("limit is a whole number above 0")
    return limit


def name(what: str, value: Any, *, limit: int = NAME_LIMIT) -> str:
    """A valid short name (key, tag, namespace, label): one line, not empty, not a secret."""
    if not isinstance(value, str) or not value.strip():
        raise Invalid(f"a {what} is a non-empty string", code="empty_name")
    plain = " ".join(value.split())
    if len(plain) > limit:
        raise Invalid(
            f"a {what} has at most {limit} characters, this one has {len(plain)}",
            code="name_too_long",
            length=len(plain),
            most=limit,
        )
    checked(plain, max_text=limit)
    if redact(plain).kinds:
        raise Refused(f"the {what} looks like a secret; secrets are not stored", code="secret_in_name")
    return plain


def remark(what: str, value: Any) -> str | None:
    """A reason or description: free text about a memory, with secrets redacted."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise Invalid(f"a {what} is a string, not {type(value).__name__}")
    return redact(checked(value, max_text=REMARK_LIMIT, empty=True)).text


def redacted(value: Any) -> Any:
    """Any JSON value with secrets in its strings redacted."""
    return redact_json(value)[0]


def metadata(value: Any) -> dict[str, Any]:
    """Any JSON object, with secrets in its strings redacted."""
    if value is None or value == {}:
        return {}
    if not isinstance(value, dict):
        try:
            value = dict(value)
        except (TypeError, ValueError) as fault:
            raise Invalid("metadata is a mapping of names to JSON values") from fault
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
        named = _named_by_strings(value)
    except RecursionError as fault:
        raise Invalid("metadata is nested too deeply; make it flatter") from fault
    except (TypeError, ValueError) as fault:
        raise Invalid("metadata must be plain JSON: strings, numbers, booleans, null, lists, objects") from fault
    if not named:
        raise Invalid("metadata is plain JSON: every name must be a string")
    if len(text) > METADATA_LIMIT:
        raise Invalid(f"metadata has at most {METADATA_LIMIT:,} characters as JSON; store large data elsewhere")
    clean_values: dict[str, Any] = redact_json(json.loads(text))[0]
    return clean_values


def aware(what: str, value: Any) -> datetime | None:
    """A time in UTC; without a zone it is taken as UTC; ISO strings are parsed."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as fault:
            raise Invalid(f"{what} is a time such as 2026-05-07 or 2026-05-07T12:00+02:00") from fault
    if not isinstance(value, datetime):
        raise Invalid(f"{what} is a datetime, not {type(value).__name__}")
    try:
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError as fault:
        raise Invalid(f"{what} is outside the years 1 to 9999 in UTC") from fault


def _visible(text: str) -> bool:
    return any(letter.isprintable() and not letter.isspace() for letter in text)


def _named_by_strings(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(name, str) and _named_by_strings(part) for name, part in value.items())
    return not isinstance(value, list | tuple) or all(_named_by_strings(part) for part in value)
