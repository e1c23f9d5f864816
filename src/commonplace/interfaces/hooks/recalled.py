"""The page of what a prompt's words find, without what this session has seen or said."""

from collections.abc import Collection
from dataclasses import replace

from commonplace.context.render import Page, Section, hit_line, page
from commonplace.context.uses import record
from commonplace.interfaces.hooks.call import Search
from commonplace.light.recall import POOL
from commonplace.memories.scope import Scope
from commonplace.model import Memory
from commonplace.notebook.current import Current
from commonplace.notebook.pages import zone_of
from commonplace.settings import Settings
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences


def recalled(
    scope: Scope,
    settings: Settings,
    prompt: str,
    *,
    tokens: int,
    limit: int,
    skip: Collection[str],
    session: str | None,
    find: Search,
) -> Page:
    """A page of what the words of a prompt find and this session has not seen; empty if that is nothing."""
    memories = find(scope, prompt, POOL)
    # each thing once, and none that only asks: somebody else's question answers nothing
    unique: dict[str, Memory] = {}
    for memory in memories:
        asks = memory.turn is not None and all(span.text.endswith("?") for span in sentences(memory.text))
        if not asks and normal(memory.text) != normal(prompt):
            unique.setdefault(normal(memory.text), memory)
    origins = ((item, item.turn.session if item.turn else item.metadata.get("session")) for item in unique.values())
    memories = [item for item, origin in origins if item.id not in skip and (session is None or origin != session)]
    memories = memories[: 2 * limit]
    allowed = Current(scope).shown([item.text for item in memories])
    memories = [replace(item, text=text) for item in memories if (text := allowed[item.text]) is not None]
    zone = zone_of(settings) or scope.clock.now().astimezone().tzinfo
    assert zone is not None
    section = Section("Recalled for this turn", tuple((hit_line(item, zone), item.id) for item in memories[:limit]))
    rendered = page([section], tokens=tokens) if memories else Page("", ())
    if rendered.ids:
        record(scope, rendered.ids)
    return rendered
