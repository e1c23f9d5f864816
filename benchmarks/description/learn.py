"""``python -m benchmarks.description.learn``: the weights of ``retrieval/likeness.py``, learned from the cases.

Each case is a choice between the statements of its book, those of a few other books, and "none of them"; each is put a
second time without what it means, where "none" is right. The figures printed first are of rounds that the weights were
not learned from.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from benchmarks.description.case import Case, said
from benchmarks.description.cases import CASES

from commonplace.providers.embed.static import StaticEmbedder
from commonplace.retrieval import likeness
from commonplace.retrieval.describe import Level, fit, possible
from commonplace.retrieval.description import Description, read, spoken_in
from commonplace.retrieval.parts import take_apart
from commonplace.retrieval.statement import Statement, as_told
from commonplace.retrieval.targets import SURE, Nearness
from commonplace.testing.clock import StoppedClock
from commonplace.text.normal import normal

OTHERS = 40
"""So many sentences of other cases stand beside those of each."""
ABSENT = 0.25
"""What a case without its target counts: most descriptions mean something that is there."""


@dataclass(frozen=True, slots=True)
class Choice:
    case: Case
    names: tuple[str, ...]
    measures: np.ndarray
    meant: np.ndarray
    weight: float = 1.0


def choices(cases: Sequence[Case]) -> list[Choice]:
    near = Nearness(StaticEmbedder())
    found = []
    pool = sorted({entry for case in cases for entry in case.entries if isinstance(entry, str) and len(entry) < 160})
    for case in cases:
        wanted = read(case.query, now=StoppedClock().now(), language=spoken_in(case.query))
        told = wanted.sweeping or wanted.speaker is not None or wanted.span is not None
        if told or case.all or case.best or case.error == "Ambiguous":
            continue
        stands = [
            (as_told(one), meant)
            for one, meant in (*statements(case), *_of_others(case, wanted, pool, near))
            if fit(wanted, one, near) is not None or possible(wanted, one) is not None
        ]
        found += [made for made in (_choice(case, wanted, stands, near),) if made]
        if any(meant for _, meant in stands):
            rest = [(one, meant) for one, meant in stands if not meant]
            found += [replace(made, weight=ABSENT) for made in (_choice(case, wanted, rest, near),) if made]
    return found


def _of_others(
    case: Case, wanted: Description, pool: Sequence[str], near: Nearness
) -> Iterator[tuple[Statement, bool]]:
    """Sentences of other books; none that says what is described in the same words."""
    own = {case.text, *map(said, case.entries)}
    beside = [text for text in random.Random(case.query).sample(pool, OTHERS) if text not in own]
    for one, _ in statements(Case(kind="", query="", keep=beside)):
        fitting = fit(wanted, one, near)
        if fitting is None or fitting.level < Level.WORDS:
            yield one, False


def _choice(case: Case, wanted: Description, stands: Sequence[tuple[Statement, bool]], near: Nearness) -> Choice | None:
    if not stands:
        return None
    stands = likeness.nearest(wanted, stands, lambda pair: pair[0], near)
    measures = likeness.measured(wanted, [one for one, _ in stands], near)
    rows = np.array([list(one.values()) for one in measures])
    return Choice(case, tuple(measures[0]), rows, np.array([meant for _, meant in stands]))


def statements(case: Case) -> list[tuple[Statement, bool]]:
    """Every part of every text of a case, and whether it is what is meant."""
    found = []
    for entry in case.entries:
        text, who = said(entry), None if isinstance(entry, str) else entry[0]
        apart = take_apart(text)
        whole = Statement(
            said=text,
            speaker=None if who in ("user", "assistant") else who,
            mine=who in (None, "me", "user", case.owner),
            around=text,
            owners=() if case.owner == "me" else (case.owner,),
        )
        rest = case.cut.get(text) if isinstance(entry, str) else None
        for part in apart.parts:
            meant = entry in case.gone or (rest is not None and normal(part.words) not in normal(rest))
            found.append((replace(whole, said=part.said, subject=part.subject), meant))
    return found


def learned(given: Sequence[Choice], *, steps: int = 600, rate: float = 0.08, shrink: float = 0.003) -> np.ndarray:
    """The weights under which the right choices are the likeliest."""
    wide = max(len(one.measures) for one in given)
    x = np.zeros((len(given), wide, given[0].measures.shape[1]))
    there, right = np.zeros((len(given), wide + 1), bool), np.zeros((len(given), wide + 1), bool)
    for at, one in enumerate(given):
        count = len(one.measures)
        x[at, :count], there[at, :count], right[at, :count] = one.measures, True, one.meant
        there[at, wide], right[at, wide] = True, not one.meant.any()
    middle, spread = x[there[:, :-1]].mean(0), x[there[:, :-1]].std(0) + 1e-9
    middle[0], spread[0] = 0.0, 1.0
    z = (x - middle) / spread
    counts = np.array([one.weight for one in given])
    weights, drift, swing = (np.zeros(x.shape[2]) for _ in range(3))
    free = np.ones(x.shape[2])
    free[0] = 0.0
    for step in range(1, steps + 1):
        chance = _softmax(np.concatenate([z @ weights, np.zeros((len(given), 1))], 1), there)
        wished = chance * right
        wished /= wished.sum(1, keepdims=True) + 1e-12
        slope = np.einsum("n,nm,nmk->k", counts, ((wished - chance) * there)[:, :-1], z) / counts.sum()
        slope -= shrink * free * weights
        drift, swing = 0.9 * drift + 0.1 * slope, 0.999 * swing + 0.001 * slope**2
        weights += rate * (drift / (1 - 0.9**step)) / (np.sqrt(swing / (1 - 0.999**step)) + 1e-8)
    plain = weights / spread
    plain[0] -= (plain * middle)[1:].sum()
    return plain


def _softmax(scores: np.ndarray, there: np.ndarray) -> np.ndarray:
    scores = np.where(there, scores, -1e9)
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def outcome(weights: np.ndarray, one: Choice) -> str:
    scores = np.append(one.measures @ weights, 0.0)
    chance = _softmax(scores[None], np.ones((1, len(scores)), bool))[0]
    best = int(chance[:-1].argmax())
    if chance[best] < SURE:
        return "refused" if one.meant.any() else "rightly refused"
    if not one.meant.any():
        return "took what was not meant"
    return "found" if one.meant[best] else "took another"


def main() -> int:
    given = choices(CASES)
    kinds = ("found", "refused", "took another", "rightly refused", "took what was not meant")
    total = dict.fromkeys(kinds, 0)
    print("| left out | " + " | ".join(kinds) + " |\n" + "|---" * (len(kinds) + 1) + "|")
    for number in sorted({one.case.round for one in given}):
        weights = learned([one for one in given if one.case.round != number])
        seen = [outcome(weights, one) for one in given if one.case.round == number]
        for kind in seen:
            total[kind] += 1
        print(f"| round {number} | " + " | ".join(str(seen.count(kind)) for kind in kinds) + " |")
    print("| all | " + " | ".join(str(total[kind]) for kind in kinds) + " |\n")
    for name, weight in zip(given[0].names, learned(given), strict=True):
        print(f'    "{name}": {weight:.2f},')
    return 0


if __name__ == "__main__":
    sys.exit(main())
