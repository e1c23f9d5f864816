"""Choosing what goes on a page: the profile, then what this question recalls, then the talk that goes on."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from commonplace.clock import zone
from commonplace.context import profile
from commonplace.context.render import Page, Section, fitting, hit_line, page
from commonplace.context.uses import record
from commonplace.errors import Invalid
from commonplace.memories.graph import Graph
from commonplace.memories.reading import MOST_HITS, Reader, checked
from commonplace.memories.scope import Scope
from commonplace.model import Hit, Kind, Memory, Query, Relation
from commonplace.store.ports import Transaction

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
        recipe: str = "balanced",
        allows: Callable[[str, str], bool] | None = None,
    ) -> None:
        """``allows`` says of which types of ends relations are shown; None: of all."""
        self._allows, self._recipe = allows, recipe
        self._scope, self._recall, self._reader = scope, recall, Reader(scope)
        self._relations, self._hints = relations, hints

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
        bound: object = tokens
        if isinstance(bound, bool) or not isinstance(bound, int) or bound < 1:
            raise Invalid("tokens is a whole number above 0")
        asked = checked(Query(text="" if query is None else query, limit=limit, recipe=self._recipe))
        guidance = guidance and bool(page([], tokens=tokens, guidance=True).text)  # if there is room for it
        with self._scope.store.read(self._scope.owner) as tx:  # one snapshot for all that is looked up below
            sections = self._sections(tx, asked, tokens=tokens, session=session, guidance=guidance, skip=skip)
        made = page([section for section in sections if section.lines], tokens=tokens, guidance=guidance)
        record(self._scope, made.ids)
        return made

    def _sections(
        self, tx: Transaction, asked: Query, *, tokens: int, session: str | None, guidance: bool, skip: Sequence[str]
    ) -> list[Section]:
        sections = self.profile()
        asks = bool(asked.text.strip())
        if session is None and not asks:
            return sections
        here = zone(self._scope.as_set(tx.owners.get()).timezone)
        sections = fitting(sections, tokens=tokens, guidance=guidance)
        shown = {id for section in sections for _, id in section.lines} | set(skip)
        if asks:
            wanted = self._wanted(asked, shown)
            sections.append(_section("Recalled for this turn", wanted, here))
            shown |= {one.id for one in wanted}
        if session is not None:
            last = [one for one in self._last(session) if one.id not in shown]
            sections.append(_section("Last said", last, here))
        return sections

    def _wanted(self, asked: Query, shown: set[str | None]) -> list[Memory]:
        """The best hits that are not on the page yet, nor left out of it; more are asked for in the place of those."""
        wide = min(max(4 * asked.limit, asked.limit + len(shown)), MOST_HITS)
        for limit in (asked.limit, wide):
            found = self._recall(replace(asked, limit=limit))
            # What was said and has been overturned since would only mislead a reader who cannot ask back.
            hits = [hit.memory for hit in found if hit.memory.id not in shown and not hit.overturned]
            wanted = [one for one in hits if one.source not in ("tool", "import") or one.turn is None]
            if len(wanted) >= asked.limit or len(found) < limit:
                break
        return wanted[: asked.limit]

    def profile(self) -> list[Section]:
        """The stable sections: the same bytes until a value in them changes."""
        facts = self._reader.important(FACTS, limit=profile.FACTS, sources=profile.UNASKED)
        most = profile.MOST_LOOKED_AT
        hints = self._reader.page(Query(kinds=("proactive",), limit=most)) if self._hints else []
        now = self._scope.clock.now()
        return profile.sections(_holding(self._reader.core(), now), facts, self._known(), _holding(hints, now))

    def _known(self) -> list[Relation]:
        """The surest relations that the plan shows."""
        if not self._relations:
            return []
        for limit in (profile.RELATIONS, profile.MOST_LOOKED_AT):
            found = Graph(self._scope).surest(profile.KNOWN, sources=profile.UNASKED, limit=limit)
            left = [one for one in found if self._allows is None or self._allows(one.subject.type, one.object.type)]
            if len(left) == len(found):
                break
        return left

    def _last(self, session: str) -> list[Memory]:
        found = self._reader.page(Query(kinds=("episodic",), session=session, limit=LAST))
        return sorted(found, key=lambda one: one.turn.position if one.turn else 0)


def _holding(memories: Iterable[Memory], now: datetime) -> list[Memory]:
    """Those that hold now: what has expired or ended may wait for somebody who tidies up."""
    return [
        one
        for one in memories
        if (one.expires_at is None or one.expires_at > now)
        and (one.valid_from is None or one.valid_from <= now)
        and (one.valid_to is None or one.valid_to > now)
    ]


def _section(heading: str, memories: Sequence[Memory], here: tzinfo | None) -> Section:
    return Section(heading, tuple((hit_line(one, here), one.id) for one in memories))
