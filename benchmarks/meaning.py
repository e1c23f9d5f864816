"""Whether a belief says what a statement says.

``Meaning`` counts it if every number and half of the names of the statement stand in the belief, at least a fifth of
its content words do, the judge sees neither an end nor a denial, and nine tenths of the words stand there or the judge
reads the belief or one of its clauses as the same or as saying more (0.5).
``WordMatcher`` is the earlier one: most content words must be the same.
``python benchmarks/meaning.py`` prints how often each errs on pairs that the judge was not trained on.
"""

import json
import lzma
import random
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from commonplace.learning.plain_sentences import in_third_person
from commonplace.providers.judge import Judge
from commonplace.text.languages import guess
from commonplace.text.words import words

COVERED, CERTAIN = 0.6, 0.9
"""Share of a statement's words from which on a belief may say it, and from which on it does without the judge."""
SHARED, NAMED, SAME = 0.2, 0.5, 0.5
"""Shares of words and names, and probability of same or refines, from which on a belief says a statement."""
PAIRS = Path(__file__).parent.parent / "tools" / "judge" / "data" / "pairs.jsonl.xz"
_OWNER = re.compile(r"\b(?:the )?owner(?P<s>'s)?\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\d[\d.,:/-]*\d|\d")
_CLAUSES = re.compile(r"(?<=[a-zà-ÿ])[,;:] |[.!] | (?:and|because|so|but|which) ")
_NAMES = re.compile(r"(?<=\w )(?!Owner\b)[A-ZÀ-Þ]\w+")


class WordMatcher:
    """Compares statements about one owner with beliefs, under whatever names the owner has."""

    def __init__(self, *names: str, judge: Judge | None = None) -> None:
        longest_first = sorted(names, key=len, reverse=True)
        self._names = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in longest_first) or "(?!)")
        self._judge = judge or Judge()
        self._terms = cache(self._read)

    def says(self, belief: str, statement: str) -> bool:
        covered = self._covered(belief, statement)
        if covered < COVERED:
            return False
        (verdict,) = self._judge.decide([(self._plain(belief), self._plain(statement))])
        return verdict.change < 0.5 and (covered >= CERTAIN or verdict.coexists + verdict.unrelated < 0.5)

    def _covered(self, belief: str, statement: str) -> float:
        terms = self._terms(statement)
        return len(terms & self._terms(belief)) / len(terms) if terms else 0.0

    def _read(self, text: str) -> frozenset[str]:
        return frozenset(term for term in words(self._plain(text)) if not term.startswith("s:")) - {"owner", "said"}

    def _plain(self, text: str) -> str:
        return _OWNER.sub(lambda match: "Owner" + (match["s"] or ""), self._names.sub("Owner", text))


class Meaning(WordMatcher):
    def says(self, belief: str, statement: str) -> bool:
        covered = self._covered(belief, statement)
        if covered < SHARED or not self._has_values(belief, statement):
            return False
        plain, text = self._plain(statement), self._plain(belief).removeprefix("Owner said: ")
        (verdict,) = self._judge.decide([(plain, text)])
        if verdict.ends + verdict.denies >= 0.5:
            return False
        # "Ji-woo handles the German customers now" reads as a change; that every word stands there counts more
        return verdict.same + verdict.refines >= SAME or covered >= CERTAIN or self._clause_says(text, statement, plain)

    def _clause_says(self, belief: str, statement: str, plain: str) -> bool:
        clauses = [clause for clause in _CLAUSES.split(belief) if len(clause.split()) > 2]
        alike = [c for c in clauses if self._covered(c, statement) >= 0.5 and self._has_values(c, statement)]
        verdicts = self._judge.decide([(plain, clause) for clause in alike])
        return any(verdict.same + verdict.refines >= SAME for verdict in verdicts)

    def _has_values(self, belief: str, statement: str) -> bool:
        folded, plain = self._plain(belief).casefold(), self._plain(statement)
        if any(number not in folded for number in _NUMBERS.findall(plain)):
            return False
        names = [] if guess(plain) == "de" else _NAMES.findall(plain)  # German nouns look like names
        return sum(name.casefold() in folded for name in names) >= NAMED * len(names)


MATCHERS: dict[str, type[WordMatcher]] = {"meaning": Meaning, "words": WordMatcher}


def _unseen() -> list[tuple[str, str, str]]:
    """Belief, statement and label of the pairs that the judge is never trained on."""
    pairs = []
    for line in lzma.decompress(PAIRS.read_bytes()).decode().splitlines():
        case = json.loads(line)
        if zlib.crc32(case["old"].encode()) % 10 == 0:
            pairs += [(told(text), told(case["old"]), label) for text, label in case["news"]]
    return pairs


def told(text: str) -> str:
    return in_third_person(text, "Owner") if guess(text) == "en" else f"Owner said: {text}"


def _error_rates(says: Callable[[str, str], bool], pairs: list[tuple[str, str, str]]) -> dict[str, float]:
    total, counted = Counter(label for *_, label in pairs), Counter[str]()
    for belief, statement, label in pairs:
        counted[label] += says(belief, statement)
    return {label: round(counted[label] / total[label], 3) for label in sorted(total)}


def main() -> None:
    pairs = _unseen()
    chooser = random.Random(5)
    crossed = [(chooser.choice(pairs), chooser.choice(pairs)) for _ in range(3000)]
    pairs += [(first[0], second[1], "other lines") for first, second in crossed if first[1] != second[1]]
    for name, matcher in MATCHERS.items():
        print(name, _error_rates(matcher("Owner", "User").says, pairs), file=sys.stdout)


if __name__ == "__main__":
    main()
