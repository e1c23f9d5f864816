"""Noticing what comes again: the last thirty days of an owner's words, read for recurring times and behaviours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from commonplace import plans
from commonplace.clock import micros, moment
from commonplace.context.profile import HINT
from commonplace.errors import Invalid, OverBudget, Tombstoned
from commonplace.extraction.budget import DailyBudget
from commonplace.maintenance import schedule
from commonplace.maintenance.decay import ACTION as DECAY
from commonplace.maintenance.drain import learner, thinks
from commonplace.maintenance.house import House, namespaces
from commonplace.maintenance.patterns import WEEKS, Act, Pattern, alike, confidence, patterns
from commonplace.memories import jobs, states
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway, Terms, sealed_quote
from commonplace.memories.jobs import Handler
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.memories.work import Work, working
from commonplace.model import CURRENT, Memory, Query, Receipt
from commonplace.plans import Feature
from commonplace.store.ports import Transaction
from commonplace.store.rows import EvidenceRow, Filter
from commonplace.text.languages import LANGUAGES, language
from commonplace.text.sentences import sentences
from commonplace.text.words import words

LOOKED_BACK = timedelta(days=30)
BATCH = 500
MOST_READ = 20_000
MOST_SHOWN = 12
"""Turns that a pattern names as its evidence: the latest ones."""
SENTENCE = 160
"""Characters of a sentence that may be a wish; what is longer is prose."""
MOST_TOLD, MOST_NOTICED = 100, 5
"""Sentences that a language model is shown, the latest ones, and patterns that are taken from it."""
ACTION, NOTICE = "MINE", "notice"
COURTESY = frozenset(
    (
        "thanks thank bye goodbye hello hi hey good morning afternoon evening night ok okay great nice cool sure yes "
        "no please sorry see later tomorrow today weekend welcome lol haha cheers well done perfect awesome fine right "
        "ciao grazie buongiorno buonasera hola gracias buenos dias salut merci bonjour hallo danke tschüss guten tag "
        "bitte favore favor plait scusa perdon pardon adesso ora jetzt now ahora maintenant oggi hoy heute"
    ).split()
)
"""Words that come again every day and tell nothing."""


@cache
def empty_words(code: str) -> frozenset[str]:
    """Words that tell nothing, as ``code`` stems them: people also talk in other languages than their book's."""
    stops = {stop for other in LANGUAGES for stop in language(other).stops}
    return frozenset(term for stop in (COURTESY | stops) for term in (stop, *words(stop, code)))


def mine(house: House, scope: Scope) -> Mapping[str, int]:
    """Look through every namespace of the owner for patterns; figures for the log."""
    if not plans.has(house.plan(scope.owner), Feature.PROACTIVE):
        return {}
    places = namespaces(scope)
    noticed = sum(notice(house, scope.within(name)) for name in places.values())
    if thinks(house, scope.owner):
        with scope.store.write(scope.owner) as tx:
            for id in places:
                jobs.enqueue(scope, tx, NOTICE, {"namespace": id}, unique=f"{NOTICE}/{id}")
    return {"patterns noticed": noticed}


def notice(house: House, scope: Scope) -> int:
    """Find the patterns of one namespace and keep them, in one transaction; how many were new or seen again."""
    with scope.store.read(scope.owner) as tx:
        found = patterns(_acts(house, scope, tx))
    return keep(scope, found)


def noticing(house: House) -> Handler:
    """Does a job of kind ``notice``: a language model looks for what the rules did not see."""

    def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
        name = namespaces(scope).get(str(payload["namespace"]))
        plan = house.plan(scope.owner)
        if name is not None and thinks(house, scope.owner) and plans.has(plan, Feature.PROACTIVE):
            keep(scope.within(name), _told(house, scope.within(name)))

    return handle


def _told(house: House, scope: Scope) -> list[Pattern]:
    """What a model notices, as far as at least three of the turns it names, on three days, are there."""
    # pydantic and the HTTP client: only who asks a model pays for them
    from commonplace.extraction.llm import notice as ask  # noqa: PLC0415

    settings, model = house.settings, house.mind()
    assert model is not None
    with scope.store.read(scope.owner) as tx:
        acts = sorted(_acts(house, scope, tx), key=lambda act: act.at)[-MOST_TOLD:]
    if len(acts) < WEEKS:
        return []
    budget = DailyBudget(scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
    try:
        noticed = ask(model, [(act.at, act.said) for act in acts], budget, timeout=settings.llm_timeout)
    except OverBudget:
        return []  # it is asked again tomorrow, with tomorrow's tokens
    found = []
    for one in noticed[:MOST_NOTICED]:
        shown = [acts[number - 1] for number in dict.fromkeys(one.turns) if 1 <= number <= len(acts)]
        days = {act.at.date() for act in shown}
        said = " ".join(one.statement.split())
        if len(days) >= WEEKS and 0 < len(said) <= SENTENCE:
            found.append(
                Pattern(
                    shape="told",
                    when="",
                    said=said,
                    terms=tuple(sorted(set(words(said, scope.language)))),
                    confidence=min(one.confidence, confidence(1.0, len(days))),
                    last=max(act.at for act in shown),
                    acts=tuple(shown),
                )
            )
    return found


def keep(scope: Scope, found: Sequence[Pattern]) -> int:
    """Keep patterns, in one transaction; how many were new or seen again."""
    if not found:
        return 0
    with working(scope, ACTION) as work:
        known = _known(scope, work)
        changed = sum(_kept(scope, work, pattern, known) for pattern in found)
        if changed:
            work.receipt()
    return changed


def hints(scope: Scope) -> list[Memory]:
    """Patterns that are sure enough to mention, surest first."""
    found = Reader(scope).page(Query(kinds=("proactive",), limit=200))
    return sorted((one for one in found if one.confidence >= HINT), key=lambda one: (-one.confidence, one.id))


def dismiss(scope: Scope, id: str) -> Receipt:
    """Reject a pattern for good: it is not noticed again, in whatever words it comes."""
    if Reader(scope).get(id).kind != "proactive":
        raise Invalid("only a pattern that was noticed can be dismissed; `reject` is for beliefs")
    return Gateway(scope).reject(id, reason="dismissed")


def _acts(house: House, scope: Scope, tx: Transaction) -> Iterator[Act]:
    """The owner's own sentences of that time, as far as they may be wishes."""
    row = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
    if row is None:
        return
    own = house.timezone(scope.owner)
    zone = ZoneInfo(own) if own else None
    since = scope.clock.now() - LOOKED_BACK
    reading = learner(house, scope)
    names = reading.owner_names(tx, row.id)
    filter = Filter(namespaces=(row.id,), kinds=("episodic",), statuses=("verified",), since=micros(since))
    after, read = None, 0
    while read < MOST_READ:
        rows = tx.memories.find(filter, after=after, limit=BATCH)
        for one in rows:
            held = states.opened(scope, one)
            if one.role == "user" and reading.said(held, names).speaker is None:
                yield from _sentences(held, scope.language, zone)
        read += len(rows)
        if len(rows) < BATCH:
            return
        after = rows[-1].id


def _sentences(held: Held, code: str, zone: tzinfo | None) -> Iterator[Act]:
    at = moment(held.row.said_at or held.row.recorded_at).astimezone(zone)
    for span in sentences(held.content.text):
        if len(span.text) > SENTENCE:
            continue
        told = words(span.text, code)
        terms = frozenset(term for term in told if ":" not in term and not term.isdigit()) - empty_words(code)
        yield Act(episode=held.id, said=span.text.strip(" \t\n.!?"), terms=terms, at=at)


def _known(scope: Scope, work: Work) -> list[Held]:
    """Patterns noticed before, dismissed ones too."""
    filter = Filter(namespaces=(work.namespace().id,), kinds=("proactive",))
    rows = work.tx.memories.find(filter, limit=1_000)
    tags = work.tx.tags.links("memory", [row.id for row in rows]) if rows else {}
    return [states.opened(scope, row, tags.get(row.id, ())) for row in rows]


def _kept(scope: Scope, work: Work, pattern: Pattern, known: Sequence[Held]) -> bool:
    """Keep a pattern, or restate the one that says the same; False if it was dismissed or nothing is new."""
    same = [held for held in known if _same(held, pattern)]
    if any(held.row.status == "rejected" or _put_away(work, held) for held in same):
        return False
    standing = next((held for held in same if held.row.status in (*CURRENT, "archived")), None)
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
    terms = Terms(reason=f"seen {len(pattern.acts)} times", confirmed_at=micros(pattern.last))
    try:
        Gateway(scope).admit(work, new, evidence=evidence, terms=terms)
    except Tombstoned:
        return False
    return True


def _metadata(pattern: Pattern) -> dict[str, object]:
    return {"pattern": pattern.shape, "when": pattern.when, "terms": list(pattern.terms)}


def _put_away(work: Work, held: Held) -> bool:
    """Archived by somebody, as against faded away."""
    return held.row.status == "archived" and work.tx.versions.of(states.NOUN, held.id)[-1].action != DECAY


def _same(held: Held, pattern: Pattern) -> bool:
    """The same behaviour, whether or not its times have changed."""
    plainly = held.content.metadata
    followed = plainly.get("pattern") == "sequence"
    return followed == (pattern.shape == "sequence") and alike(plainly.get("terms", ()), pattern.terms)


def _seen_again(work: Work, held: Held, pattern: Pattern) -> bool:
    last = micros(pattern.last)
    if last <= (held.row.last_confirmed_at or 0):
        return False
    rows = [
        EvidenceRow(
            noun=states.NOUN,
            id=held.id,
            episode=act.episode,
            sealed=sealed_quote(work, states.NOUN, held.id, act.episode, act.said),
        )
        for act in _latest(pattern)
    ]
    work.evidence(rows)
    status = "candidate" if held.row.status == "archived" else held.row.status
    after = held.with_row(confidence=pattern.confidence, last_confirmed_at=last, status=status, retired_at=None)
    plainly = held.content.metadata
    if (plainly.get("pattern"), plainly.get("when")) != (pattern.shape, pattern.when):
        # it comes at other times now; the same pattern, worded anew
        content = replace(held.content, text=pattern.statement, metadata=_metadata(pattern))
        fingerprint = work.vault.fingerprint(held.row.namespace, pattern.statement)
        after = replace(after, content=content).with_row(fingerprint=fingerprint)
    after = work.change(held, after, action=ACTION, reason=f"seen {len(pattern.acts)} times")
    work.note("NOOP", held.id, "seen again", before=held.row.version, after=after.row.version)
    return True


def _latest(pattern: Pattern) -> list[Act]:
    latest = {act.episode: act for act in sorted(pattern.acts, key=lambda act: act.at)}
    return list(latest.values())[-MOST_SHOWN:]


schedule.HANDLERS[NOTICE] = noticing
schedule.every("mine", mine)
