"""Choosing what goes on a page: the profile, then what this question recalls, then the talk that goes on."""

from collections.abc import Callable, Sequence
from datetime import UTC, tzinfo

from commonplace.context import profile
from commonplace.context.render import Page, Section, fitting, hit_line, page
from commonplace.context.uses import record
from commonplace.errors import Invalid
from commonplace.memories.graph import Graph
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import Hit, Kind, Memory, Query, Relation

LAST = 5
"""Turns of the conversation at hand that are repeated."""
FACTS: tuple[Kind, ...] = ("associative",)

Recall = Callable[[Query], Sequence[Hit]]


class Composer:
    """Makes pages for one scope and keeps account of which memories went into them."""

    def __init__(
        self,
        scope: Scope,
        recall: Recall,
        *,
        relations: bool,
        hints: bool,
        timezone: str | None,
        allows: Callable[[str, str], bool] | None = None,
    ) -> None:
        """``allows`` says of which types of ends relations are shown; None: of all."""
        self._allows = allows
        self._scope, self._recall, self._reader = scope, recall, Reader(scope)
        self._relations, self._hints = relations, hints
        self._zone: tzinfo = _zone(timezone) if timezone else UTC

    def context(
        self,
        query: str | None,
        *,
        tokens: int,
        limit: int,
        session: str | None = None,
        guidance: bool = False,
        skip: Sequence[str] = (),
    ) -> Page:
        """A page within the budget; ``skip`` names memories the reader has already seen."""
        if tokens < 1:
            raise Invalid("tokens is a whole number above 0")
        with self._scope.store.read(self._scope.owner):  # one snapshot for all that is looked up below
            sections = self._sections(query, tokens=tokens, limit=limit, session=session, guidance=guidance, skip=skip)
        made = page([section for section in sections if section.lines], tokens=tokens, guidance=guidance)
        record(self._scope, made.ids)
        return made

    def _sections(
        self, query: str | None, *, tokens: int, limit: int, session: str | None, guidance: bool, skip: Sequence[str]
    ) -> list[Section]:
        sections = self.profile()
        if session is not None or (query and query.strip()):
            sections = fitting(sections, tokens=tokens, guidance=guidance)
        shown = {id for section in sections for _, id in section.lines} | set(skip)
        if query and query.strip():
            found = self._recall(Query(text=query, limit=limit))
            # What was said and has been overturned since would only mislead a reader who cannot ask back.
            hits = [hit.memory for hit in found if hit.memory.id not in shown and not hit.overturned]
            wanted = [one for one in hits if one.source not in ("tool", "import") or one.turn is None]
            sections.append(self._section("Recalled for this turn", wanted))
            shown |= {one.id for one in wanted}
        if session is not None:
            sections.append(self._section("Last said", [one for one in self._last(session) if one.id not in shown]))
        return sections

    def profile(self) -> list[Section]:
        """The stable sections: the same bytes until a value in them changes."""
        facts = self._reader.important(FACTS, limit=profile.FACTS, sources=profile.UNASKED)
        hints = self._reader.page(Query(kinds=("proactive",), limit=50)) if self._hints else []
        known: Sequence[Relation] = Graph(self._scope).relations(limit=50) if self._relations else []
        people = [one for one in known if {one.subject.type, one.object.type} & {"person", "project", "company"}]
        if self._allows is not None:
            people = [one for one in people if self._allows(one.subject.type, one.object.type)]
        return profile.sections(self._reader.core(), facts, people, hints)

    def _last(self, session: str) -> list[Memory]:
        found = self._reader.page(Query(kinds=("episodic",), session=session, limit=LAST))
        return sorted(found, key=lambda one: one.turn.position if one.turn else 0)

    def _section(self, heading: str, memories: Sequence[Memory]) -> Section:
        return Section(heading, tuple((hit_line(one, self._zone), one.id) for one in memories))


def _zone(name: str) -> tzinfo:
    # few name one, and a hook, which makes pages too, counts milliseconds
    from zoneinfo import ZoneInfo  # noqa: PLC0415

    return ZoneInfo(name)
