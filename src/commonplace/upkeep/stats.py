"""Statistics of a book: counts, sizes, pending work, and what would be pruned."""

from collections import Counter

from commonplace.batches.opened_book import OpenedBook
from commonplace.batches.report import NamespaceStats, Stats
from commonplace.clock import micros, moment
from commonplace.copies.replay import ledger_problem
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT
from commonplace.store.transaction import Transaction
from commonplace.upkeep.prune import PruneRule, prune

MOST_MISSING = 10_000
"""Maximum number of documents without a vector that is counted exactly."""


def stats(book: OpenedBook, scope: Scope) -> Stats:
    encoder = book.encoder(scope.current_vault())
    with scope.store.read(scope.owner) as tx:
        opened = {row.id: scope.opened(row) for row in tx.namespaces.all()}
        names = {id: plain["name"] for id, plain in opened.items() if "shared" not in plain}
        counted = tx.memories.counts()
        jobs: Counter[str] = Counter()
        for (_, state), count in tx.jobs.counts().items():
            jobs[state] += count
        places = tuple(
            _namespace(tx, id, name, counted, None if encoder is None else encoder.model) for id, name in names.items()
        )
        tombstones = len(tx.tombstones.all())
        usage = tx.usage.of(moment(micros(book.clock.now())).date().isoformat())
        receipts = tuple((row.ref, row.action, row.state) for row in tx.receipts.page(limit=10))
    keys = scope.current_vault().keys
    problem = ledger_problem(scope.store, scope.owner)
    rule = PruneRule(episode_days=book.settings.episode_retention_days)
    return Stats(
        owner=scope.owner,
        plan=book.plan(scope.owner),
        at=book.clock.now(),
        memories=sum(count for _, _, _, status, count, _, _ in counted if status in (*CURRENT, "stale")),
        kinds=_sums(counted, 1),
        categories=_sums(counted, 2),
        statuses=_sums(counted, 3),
        namespaces=tuple(sorted(places, key=lambda namespace: namespace.name)),
        oldest=min((moment(row[5]) for row in counted), default=None),
        newest=max((moment(row[6]) for row in counted), default=None),
        sizes=scope.store.sizes(),
        jobs=dict(jobs),
        prunable=sum(prune(scope.within(name), rule=rule, dry_run=True).count for name in names.values()),
        tombstones=tombstones,
        tokens_today=sum(row.tokens for row in usage),
        tokens_cap=book.settings.llm_daily_tokens,
        embedder=None if encoder is None else encoder.model,
        keys={"seal": len(keys.seal), "current": keys.current, "blind": keys.blind_generation},
        receipts=receipts,
        warnings=(problem,) if problem else (),
    )


Counted = list[tuple[str, str, str, str, int, int, int]]


def _sums(counted: Counted, column: int) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for row in counted:
        counts[str(row[column])] += row[4]
    return dict(counts)


def _namespace(tx: Transaction, id: str, name: str, counted: Counted, model: str | None) -> NamespaceStats:
    missing = 0 if model is None else len(tx.vectors.missing(id, model, limit=MOST_MISSING))
    memories = sum(row[4] for row in counted if row[0] == id)
    return NamespaceStats(name=name, memories=memories, words=tx.words.fresh(id), vectors_missing=missing)
