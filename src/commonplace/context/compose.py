"""Chooses the content of a page: the profile, what the question recalls, and the last turns of the conversation."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from commonplace.clock import zone
from commonplace.context import profile
from commonplace.context.render import Page, Section, core_line, dated_line, fact_line, fitting, hit_line, page
from commonplace.context.uses import record
from commonplace.describing.clauses import parse_text
from commonplace.errors import Invalid
from commonplace.memories.graph import Graph
from commonplace.memories.reading import MOST_HITS, Reader, checked
from commonplace.memories.scope import Scope
from commonplace.model import PERSONAL, Hit, Kind, Memory, Query, Relation
from commonplace.store.transaction import Transaction
from commonplace.text.normal import normal

FEWEST, MOST, TOKENS_A_HIT = 8, 100, 20
"""How many memories to recall for a page without a limit: as many as its budget may hold."""
LAST = 5
"""Number of last turns that a page repeats."""
FACTS: tuple[Kind, ...] = ("associative",)
NOW = Query()

Recall = Callable[[Query], Sequence[Hit]]


class Composer:
    """Builds pages for one scope and records which memories were on them."""

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
        """``allows`` decides by the types of both ends whether a relation is shown; None: all are."""
        self._allows, self._recipe = allows, recipe
        self._scope, self._recall, self._reader = scope, recall, Reader(scope)
        self._scopes = [scope] if scope.home is None else [scope, scope.home.within(PERSONAL)]
        """The scopes of the profile: in a shared namespace also the person's `personal`."""
        self._relations, self._hints = relations, hints

    def context(
        self,
        query: str | None,
        *,
        tokens: int,
        limit: int | None = None,
        session: str | None = None,
        guidance: bool = False,
        skip: Sequence[str] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Page:
        """A page with at most ``limit`` recalled memories, within ``tokens``; ``skip`` are ids that were already shown.

        ``as_of`` and ``known_at`` as in ``Query``.
        """
        bound: object = tokens
        if isinstance(bound, bool) or not isinstance(bound, int) or bound < 1:
            raise Invalid("tokens is a whole number above 0")
        count = max(FEWEST, min(tokens // TOKENS_A_HIT, MOST)) if limit is None else limit
        text = "" if query is None else query
        recall_query = checked(Query(text=text, limit=count, recipe=self._recipe, as_of=as_of, known_at=known_at))
        guidance = guidance and bool(page([], tokens=tokens, guidance=True).text)  # if there is room for it
        with self._scope.store.read(self._scope.owner) as tx:  # one snapshot for all look-ups below
            sections = self._sections(tx, recall_query, tokens=tokens, session=session, guidance=guidance, skip=skip)
        context_page = page([section for section in sections if section.lines], tokens=tokens, guidance=guidance)
        if not _asks_past(recall_query):
            record(self._scope, context_page.ids)
        return context_page

    def _sections(
        self, tx: Transaction, query: Query, *, tokens: int, session: str | None, guidance: bool, skip: Sequence[str]
    ) -> list[Section]:
        sections = self.profile(query)
        asks = bool(query.text.strip())
        if session is None and not asks:
            return sections
        timezone = zone(self._scope.with_owner_settings(tx.owners.get()).timezone)
        sections = fitting(sections, tokens=tokens, guidance=guidance)
        shown_ids = {id for section in sections for _, id in section.lines} | set(skip)
        if asks:
            hits = self._hits_to_add(query, shown_ids, sections, timezone, tokens=tokens, guidance=guidance)
            sections.append(_recalled(hits, timezone))
            shown_ids |= {hit.memory.id for hit in hits}
        if session is not None:
            last = [memory for memory in self._last_turns(session, query) if memory.id not in shown_ids]
            sections.append(_section("Last said", last, timezone))
        return sections

    def _hits_to_add(
        self,
        query: Query,
        shown_ids: set[str | None],
        sections: Sequence[Section],
        timezone: tzinfo | None,
        *,
        tokens: int,
        guidance: bool,
    ) -> list[Hit]:
        """The best hits that ``sections`` do not show yet; recalls again with a higher limit if they leave room."""
        wide = min(max(4 * query.limit, query.limit + len(shown_ids)), MOST_HITS)
        texts = {normal(line) for section in sections for line, _ in section.lines}
        for limit in (query.limit, wide):
            recalled = self._recall(replace(query, limit=limit))
            usable = _without_repeats(
                hit
                for hit in recalled
                if hit.memory.id not in shown_ids
                and not _all_ended(hit)
                and not _contradicts_belief(hit.memory, sections)
                and (hit.memory.source not in ("tool", "import") or hit.memory.turn is None)
                and texts.isdisjoint(map(normal, {fact_line(hit.memory), dated_line(hit.memory, timezone)}))
            )
            if len(usable) >= query.limit or len(recalled) < limit:
                break
            if (
                usable
                and usable[-1].memory.id
                not in page([*sections, _recalled(usable, timezone)], tokens=tokens, guidance=guidance).ids
            ):
                break
        return usable[: query.limit]

    def profile(self, query: Query = NOW) -> list[Section]:
        """The stable sections at the moment of ``query``: the same bytes until a value in them changes."""
        limit = profile.MOST_LOOKED_AT
        moment = Query(limit=limit, as_of=query.as_of, known_at=query.known_at)
        core, facts, hints, relations = list[Memory](), list[Memory](), list[Memory](), list[Relation]()
        for reader in map(Reader, self._scopes):
            core += reader.core(as_of=query.as_of, known_at=query.known_at)
            if _asks_past(query):
                facts += reader.page(replace(moment, kinds=FACTS, sources=profile.UNASKED))
            else:
                facts += reader.important(FACTS, limit=4 * profile.FACTS, sources=profile.UNASKED)
            hints += reader.page(replace(moment, kinds=("proactive",))) if self._hints else []
            relations += self._confident_relations(reader, query)
        now = query.as_of or query.known_at or self._scope.clock.now()
        facts = [fact for fact in _valid_now(facts, now) if not _contradicts_belief(fact)]
        timezone = zone(self._scope.timezone)
        return profile.sections(_valid_now(core, now), facts, relations, _valid_now(hints, now), timezone)

    def _confident_relations(self, reader: Reader, query: Query) -> list[Relation]:
        """The most confident relations that the plan shows."""
        if not self._relations:
            return []
        graph = Graph(reader.scope)
        if _asks_past(query):
            limit = profile.MOST_LOOKED_AT
            relations = graph.relations(limit=limit, as_of=query.as_of, known_at=query.known_at)
            ends = [(relation.subject.type, relation.object.type) for relation in relations]
            are_known = [not set(types).isdisjoint(profile.KNOWN) for types in ends]
            known = [relation for relation, is_known in zip(relations, are_known, strict=True) if is_known]
            return self._visible(reader, known)
        for limit in (profile.RELATIONS, profile.MOST_LOOKED_AT):
            relations = graph.surest(profile.KNOWN, sources=profile.UNASKED, limit=limit)
            visible = self._visible(reader, relations)
            if len(visible) == len(relations):
                break
        return visible

    def _visible(self, reader: Reader, relations: Sequence[Relation]) -> list[Relation]:
        allows = self._allows
        visible = [row for row in relations if allows is None or allows(row.subject.type, row.object.type)]
        unsure = [row.id for row in visible if row.status == "candidate"]
        waiting = {memory.id for memory in reader.get_many(unsure) if _contradicts_belief(memory)} if unsure else ()
        return [row for row in visible if row.id not in waiting]

    def _last_turns(self, session: str, query: Query) -> list[Memory]:
        moment = Query(session=session, limit=LAST, as_of=query.as_of, known_at=query.known_at)
        turns = self._reader.page(replace(moment, kinds=("episodic",)))
        return sorted(turns, key=lambda memory: memory.turn.position if memory.turn else 0)


def _asks_past(query: Query) -> bool:
    return query.as_of is not None or query.known_at is not None


def _contradicts_belief(memory: Memory, sections: Sequence[Section] = ()) -> bool:
    """Whether it is in review and contradicts a belief or a core value of the profile. Until a person decides, only the
    belief is shown.
    """
    if memory.status != "candidate":
        return False
    keyed = f"{core_line(memory).partition(': ')[0]}: " if memory.kind == "core" else None
    shown = (line for section in sections for line, _ in section.lines)
    return "contradicts" in memory.metadata or (keyed is not None and any(line.startswith(keyed) for line in shown))


def _all_ended(hit: Hit) -> bool:
    """Whether a message's only statement has ended since: it would mislead the model."""
    return hit.overturned and len(parse_text(hit.memory.text).assertions) < 2


_WORD = re.compile(r"[\w'’]+")


def _without_repeats(hits: Iterable[Hit]) -> list[Hit]:
    """Drop hits that repeat an earlier hit word for word, such as a fact beside the message that states it."""
    kept: list[Hit] = []
    texts = ""
    for hit in hits:
        words = f" {' '.join(_WORD.findall(normal(hit.memory.text)))} "
        if words.strip() and words in texts:
            continue
        kept.append(hit)
        if not hit.overturned:
            texts += f"{words}\n"
    return kept


def _valid_now(memories: Iterable[Memory], now: datetime) -> list[Memory]:
    """The memories that are valid now; cleaning up expired or ended ones may lag."""
    return [
        memory
        for memory in memories
        if (memory.expires_at is None or memory.expires_at > now)
        and (memory.valid_from is None or memory.valid_from <= now)
        and (memory.valid_to is None or memory.valid_to > now)
    ]


def _recalled(hits: Sequence[Hit], timezone: tzinfo | None) -> Section:
    lines = [(hit_line(hit.memory, timezone, partly_ended=hit.overturned), hit.memory.id) for hit in hits]
    return Section("Recalled for this turn", tuple(lines))


def _section(heading: str, memories: Sequence[Memory], timezone: tzinfo | None) -> Section:
    return Section(heading, tuple((hit_line(memory, timezone), memory.id) for memory in memories))
