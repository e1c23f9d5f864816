"""The default importance of a memory: one pure function; docs/memories.md has its table."""

from commonplace.model import Category, Kind, Source

BY_CATEGORY: dict[Category, float] = {
    "correction": 0.75,
    "decision": 0.7,
    "lesson": 0.7,
    "preference": 0.65,
    "error": 0.6,
    "fact": 0.6,
    "insight": 0.6,
    "routine": 0.55,
    "pattern": 0.5,
    "context": 0.45,
}
BY_KIND: dict[Kind, float] = {
    "core": 0.25,
    "relational": 0.1,
    "associative": 0.0,
    "proactive": -0.05,
    "episodic": -0.15,
}
BY_SOURCE: dict[Source, float] = {
    "user": 0.05,
    "planner": 0.0,
    "executor": 0.0,
    "import": 0.0,
    "system": 0.0,
    "assistant": -0.1,
    "tool": -0.15,
}
EXPLICIT = (
    "remember, always, never, important, don't forget, must, ricorda, sempre, recuerda, siempre, souviens, toujours, "
    "merk dir, immer"
).split(", ")


def importance(*, kind: Kind, category: Category, source: Source, text: str, corroborations: int = 0) -> float:
    """A value from 0 to 1, rounded to two digits. A value from the caller replaces it."""
    value = BY_CATEGORY[category] + BY_KIND[kind] + BY_SOURCE[source]
    if is_explicit(text):
        value += 0.1
    value += 0.05 * min(corroborations, 3)
    return round(min(max(value, 0.0), 1.0), 2)


def is_explicit(text: str) -> bool:
    """Whether the speaker asked to remember it ("remember…", "always…"), near the start of the text."""
    head = text[:200].casefold()
    return any(word in head for word in EXPLICIT)
