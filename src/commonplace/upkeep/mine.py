"""Finds recurring times and behaviours in the last thirty days of an owner's messages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo
from functools import cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from commonplace import plans
from commonplace.batches.opened_book import OpenedBook, namespaces
from commonplace.clock import micros, moment
from commonplace.context.profile import HINT
from commonplace.errors import Invalid, OverBudget, Tombstoned
from commonplace.lazy import LazyModule
from commonplace.learning.budget import DailyBudget
from commonplace.memories import codec as states
from commonplace.memories import jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.gateway import Admission, Gateway, evidence_rows
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.model import CURRENT, Memory, NewMemory, Query, Receipt
from commonplace.plans import Feature
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction
from commonplace.text.languages import LANGUAGES, language
from commonplace.text.sentences import sentences
from commonplace.text.words import words
from commonplace.upkeep import schedule
from commonplace.upkeep.decay import ACTION as DECAY
from commonplace.upkeep.learning_jobs import learner, thinks
from commonplace.upkeep.patterns import WEEKS, Act, Pattern, alike, confidence, patterns

if TYPE_CHECKING:
    from commonplace.learning import llm
else:  # loaded when first used
    llm = LazyModule("commonplace.learning.llm")

LOOKED_BACK = timedelta(days=30)
BATCH = 500
MOST_READ = 20_000
MOST_SHOWN = 12
"""Maximum number of turns that a pattern has as evidence: the latest ones."""
SENTENCE = 160
"""Maximum characters of a sentence that may be a wish; longer ones are prose."""
MOST_TOLD, MOST_NOTICED = 100, 5
"""Maximum sentences, the latest ones, in a question to the language model, and patterns taken from its answer."""
ACTION, NOTICE = "MINE", "notice"
COURTESY = frozenset(
    (
        "thanks thank bye goodbye hello hi hey good morning afternoon evening night ok okay great nice cool sure yes "
        "no please sorry see later tomorrow today weekend welcome lol haha cheers well done perfect awesome fine right "
        "ciao grazie buongiorno buonasera hola gracias buenos dias salut merci bonjour hallo danke tschüss guten tag "
        "bitte favore favor plait scusa perdon pardon adesso ora jetzt now ahora maintenant oggi hoy heute"
    ).split()
)
"""Frequent words without content."""


@cache
def empty_words(code: str) -> frozenset[str]:
    """Words without content, stemmed for language ``code``, but of all languages: people mix them."""
    stops = {stop for code in LANGUAGES for stop in language(code).stops}
    return frozenset(term for stop in (COURTESY | stops) for term in (stop, *words(stop, code)))


def mine(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
    """Search every namespace of the owner for patterns; returns figures for the log."""
    if not plans.has(book.plan(scope.owner), Feature.PROACTIVE):
        return {}
    places = namespaces(scope)
    noticed = sum(notice(book, scope.within(name)) for name in places.values())
    if thinks(book, book.plan(scope.owner)):
        with scope.store.write(scope.owner) as tx:
            for id in places:
                jobs.enqueue(scope, tx, NOTICE, {"namespace": id}, unique=f"{NOTICE}/{id}")
    return {"patterns noticed": noticed}


def notice(book: OpenedBook, scope: Scope) -> int:
    """Find the patterns of one namespace and store them in one transaction; returns how many were new or seen again."""
    with scope.store.read(scope.owner) as tx:
        noticed = patterns(_acts(book, scope, tx))
    return keep(scope, noticed)


def look_for_patterns(book: OpenedBook, scope: Scope, payload: Mapping[str, Any]) -> None:
    """Job ``notice``: a language model looks for patterns that the rules missed."""
    name = namespaces(scope).get(str(payload["namespace"]))
    plan = book.plan(scope.owner)
    if name is not None and thinks(book, plan) and plans.has(plan, Feature.PROACTIVE):
        keep(scope.within(name), _told(book, scope.within(name)))


def _told(book: OpenedBook, scope: Scope) -> list[Pattern]:
    """Patterns that a model found; each must refer to at least three existing turns on three days."""
    settings, model = book.settings, book.language_model()
    assert model is not None
    with scope.store.read(scope.owner) as tx:
        acts = sorted(_acts(book, scope, tx), key=lambda act: act.at)[-MOST_TOLD:]
    if len(acts) < WEEKS:
        return []
    budget = DailyBudget(scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
    try:
        noticed = llm.notice(model, [(act.at, act.said) for act in acts], budget, timeout=settings.llm_timeout)
    except OverBudget:
        return []  # retried tomorrow, with tomorrow's tokens
    patterns_found = []
    for notice in noticed[:MOST_NOTICED]:
        acts_of_notice = [acts[number - 1] for number in dict.fromkeys(notice.turns) if 1 <= number <= len(acts)]
        days = {act.at.date() for act in acts_of_notice}
        statement = " ".join(notice.statement.split())
        if len(days) >= WEEKS and 0 < len(statement) <= SENTENCE:
            terms, sure = set(words(statement, scope.language)), min(notice.confidence, confidence(1.0, len(days)))
            patterns_found.append(Pattern.of("told", "", statement, terms, sure, acts_of_notice))
    return patterns_found


def keep(scope: Scope, new_patterns: Sequence[Pattern]) -> int:
    """Store patterns in one transaction; returns how many were new or seen again."""
    if not new_patterns:
        return 0
    with write_transaction(scope, ACTION) as work:
        filter = Filter(namespaces=(work.namespace().id,), kinds=("proactive",))
        existing = states.all_opened(scope, work.tx, work.tx.memories.find(filter, limit=1_000))
        changed = sum(_kept(scope, work, pattern, existing) for pattern in new_patterns)
        if changed:
            work.receipt()
    return changed


def hints(scope: Scope) -> list[Memory]:
    """Patterns that are certain enough to mention, most certain first."""
    hints = Reader(scope).page(Query(kinds=("proactive",), limit=200))
    return sorted((hint for hint in hints if hint.confidence >= HINT), key=lambda hint: (-hint.confidence, hint.id))


def dismiss(scope: Scope, id: str) -> Receipt:
    """Reject a pattern for good: it is not suggested again in any wording."""
    if Reader(scope).get(id).kind != "proactive":
        raise Invalid("only a pattern can be dismissed; use `reject` for other memories")
    return Gateway(scope).reject(id, reason="dismissed")


def _acts(book: OpenedBook, scope: Scope, tx: Transaction) -> Iterator[Act]:
    """The owner's own sentences of that period that may be wishes."""
    row = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
    if row is None:
        return
    zone_name = book.timezone(scope.owner)
    zone = ZoneInfo(zone_name) if zone_name else None
    since = scope.clock.now() - LOOKED_BACK
    reading = learner(book, scope)
    names = reading.owner_names(tx, row.id)
    filter = Filter(namespaces=(row.id,), kinds=("episodic",), statuses=("verified",), since=micros(since))
    after, read = None, 0
    while read < MOST_READ:
        rows = tx.memories.find(filter, after=after, limit=BATCH)
        for episode in rows:
            memory = states.opened(scope, episode)
            if episode.role == "user" and reading.said(memory, names).speaker is None:
                yield from _sentences(memory, scope.language, zone)
        read += len(rows)
        if len(rows) < BATCH:
            return
        after = rows[-1].id


def _sentences(memory: StoredMemory, code: str, zone: tzinfo | None) -> Iterator[Act]:
    at = moment(memory.row.said_at or memory.row.recorded_at).astimezone(zone)
    for span in sentences(memory.content.text):
        if len(span.text) > SENTENCE:
            continue
        span_words = words(span.text, code)
        terms = frozenset(term for term in span_words if ":" not in term and not term.isdigit()) - empty_words(code)
        yield Act(episode=memory.id, said=span.text.strip(" \t\n.!?"), terms=terms, at=at)


def _kept(scope: Scope, work: Work, pattern: Pattern, memories: Sequence[StoredMemory]) -> bool:
    """Store a pattern, or update the memory of the same pattern; False if it was dismissed or nothing is new."""
    same = [memory for memory in memories if _same(memory, pattern)]
    if any(memory.row.status == "rejected" or _put_away(work, memory) for memory in same):
        return False
    standing = next((memory for memory in same if memory.row.status in (*CURRENT, "archived")), None)
    if standing is not None:
        return _seen_again(work, standing, pattern)
    new = NewMemory(
        text=pattern.statement,
        kind="proactive",
        category="pattern",
        confidence=pattern.confidence,
        source="system",
        metadata=_metadata(pattern),
    )
    evidence = [(act.episode, act.said) for act in _latest(pattern)]
    terms = Admission(reason=f"seen {len(pattern.acts)} times", confirmed_at=micros(pattern.last))
    try:
        Gateway(scope).admit(work, new, evidence=evidence, terms=terms)
    except Tombstoned:
        return False
    return True


def _metadata(pattern: Pattern) -> dict[str, object]:
    return {"pattern": pattern.shape, "when": pattern.when, "terms": list(pattern.terms)}


def _put_away(work: Work, memory: StoredMemory) -> bool:
    """Whether a person or agent archived it, rather than decay."""
    return memory.row.status == "archived" and work.tx.versions.of(states.NOUN, memory.id)[-1].action != DECAY


def _same(memory: StoredMemory, pattern: Pattern) -> bool:
    """Whether it is the same behaviour, at any times."""
    plainly = memory.content.metadata
    followed = plainly.get("pattern") == "sequence"
    return followed == (pattern.shape == "sequence") and alike(plainly.get("terms", ()), pattern.terms)


def _seen_again(work: Work, memory: StoredMemory, pattern: Pattern) -> bool:
    last = micros(pattern.last)
    if last <= (memory.row.last_confirmed_at or 0):
        return False
    work.evidence(evidence_rows(work, memory.id, [(act.episode, act.said) for act in _latest(pattern)]))
    status = "candidate" if memory.row.status == "archived" else memory.row.status
    after = memory.with_row(confidence=pattern.confidence, last_confirmed_at=last, status=status, retired_at=None)
    plainly = memory.content.metadata
    if (plainly.get("pattern"), plainly.get("when")) != (pattern.shape, pattern.when):
        # the same pattern at other times, reworded
        content = replace(memory.content, text=pattern.statement, metadata=_metadata(pattern))
        fingerprint = work.vault.fingerprint(memory.row.namespace, pattern.statement)
        after = replace(after, content=content).with_row(fingerprint=fingerprint)
    reason = f"seen {len(pattern.acts)} times"
    work.change(memory, after, action=ACTION, reason=reason, receipt_action="NOOP", receipt_reason="seen again")
    return True


def _latest(pattern: Pattern) -> list[Act]:
    latest = {act.episode: act for act in sorted(pattern.acts, key=lambda act: act.at)}
    return list(latest.values())[-MOST_SHOWN:]


schedule.handles(NOTICE, look_for_patterns)
schedule.every("mine", mine)
