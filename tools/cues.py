"""The cues of the learning rules: texts of which one stands in whatever a rule's pattern matches.

python tools/cues.py      # exchange those for which the pattern itself yields rarer ones, in learning/languages/*.txt
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from commonplace.learning.languages.tables import FOLDER, LanguageRules, Rule  # noqa: E402
from commonplace.learning.matching import LANGUAGES, rule_pattern  # noqa: E402

NAMES = {"en": "english", "it": "italian", "es": "spanish", "fr": "french", "de": "german"}
MOST = 300
"""Texts of one set while it is put together."""
SEVERAL = 60
"""Texts from which on a set has to be much rarer to be worth reading."""
LONG = 12
"""Letters of a text that are looked for."""
BETTER = 0.01
"""By how much rarer a set is in the sample, to take the place of the one that stands."""
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_NOTHING_READ = (_constants.ASSERT_NOT, _constants.AT)

Texts = frozenset[str]


def required(rule: Rule, language: LanguageRules) -> list[Texts]:
    """Sets of texts, in lower case: whatever the rule's pattern matches holds one of each set, in lower case."""
    exact, sets = _of_sequence(_parser.parse(rule_pattern(language, rule), re.IGNORECASE))
    # A clause may have its subject from the one before: "I live in Vienna and work at Acme".
    subject = re.compile(rf".*\b(?:{language.speaker}) ", re.IGNORECASE) if language.speaker else None
    if subject:
        sets, exact = [frozenset(subject.sub("", text) for text in each) for each in [*sets, exact or ()]], None
    return [shortened for each in [*sets, *([exact] if exact else [])] if (shortened := _least(each))]


def is_necessary(cues: Iterable[str], rule: Rule, language: LanguageRules) -> bool:
    """Whether the pattern shows that nothing matches it without one of the cues."""
    return any(all(any(cue in text for cue in cues) for text in each) for each in required(rule, language))


def _least(texts: Texts) -> Texts:
    """Without those that hold another one; nothing if an empty one is among them."""
    least: list[str] = []
    for text in sorted(texts, key=lambda text: (len(text), text)):
        if not any(shorter in text for shorter in least):
            least.append(text)
    return frozenset(least) if least and least[0] else frozenset()


def _of_sequence(nodes: Iterable[tuple[Any, Any]]) -> tuple[Texts | None, list[Texts]]:
    """Every text that the nodes match, where these are few; and sets of which each match holds one."""
    run: Texts = frozenset({""})
    is_exact = True
    sets: list[Texts] = []
    for node in nodes:
        if node[0] in _NOTHING_READ:
            continue
        exact, inner = _of_node(node)
        sets += inner
        if exact is not None and exact != {""}:
            sets.append(exact)
        if exact is None or len(run) * len(exact) > MOST:
            sets.append(run)
            run, is_exact = exact or frozenset({""}), False
        else:
            run = frozenset(before + after for before in run for after in exact)
    return (run, sets) if is_exact else (None, [*sets, run])


def _of_node(node: tuple[Any, Any]) -> tuple[Texts | None, list[Texts]]:
    kind, content = node
    if kind is _constants.LITERAL:
        return frozenset({chr(content).lower()}), []
    if kind is _constants.IN:
        letters = [chr(code).lower() for form, code in content if form is _constants.LITERAL]
        return (frozenset(letters) if len(letters) == len(content) else None), []
    if kind is _constants.SUBPATTERN:
        return _of_sequence(content[3])
    if kind is _constants.ASSERT:
        exact, sets = _of_sequence(content[1])
        return frozenset({""}), [*sets, *([exact] if exact else [])]
    if kind is _constants.BRANCH:
        return _of_branches([_of_sequence(branch) for branch in content[1]])
    if kind in _REPEATS:
        least, most, inner = content
        exact, sets = _of_sequence(inner)
        if most == 1 and exact is not None:
            return exact | frozenset({""} if least == 0 else ()), sets if least else []
        return None, [*sets, *([exact] if exact else [])] if least else []
    return None, []


def _of_branches(branches: Sequence[tuple[Texts | None, list[Texts]]]) -> tuple[Texts | None, list[Texts]]:
    every = [exact for exact, _ in branches if exact is not None]
    if len(every) == len(branches) and sum(map(len, every)) <= MOST:
        return frozenset().union(*every), []
    best = [_likeliest([*sets, *([exact] if exact else [])]) for exact, sets in branches]
    return None, [frozenset().union(*best)] if all(best) else []


def _likeliest(sets: Iterable[Texts]) -> Texts:
    """The set with the longest of shortest texts."""
    return max(map(_least, sets), key=lambda each: (min(map(len, each), default=0), -len(each)), default=frozenset())


def _sample() -> list[list[str]]:
    """Made-up words, documentation and conversations, in lower case."""
    import json

    from benchmarks.corpus import texts

    prose = [line for page in sorted((ROOT / "docs").glob("*.md")) for line in page.read_text("utf-8").split("\n\n")]
    chats = [json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "benchmarks" / "chats").glob("*.json"))]
    said = [text for chat in chats for text in _strings(chat) if len(text) > LONG]
    return [[text.lower() for text in islice(some, 500)] for some in (texts(500), prose, said)]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _rate(cues: Iterable[str], sample: Sequence[Sequence[str]]) -> float:
    """How often a text of the sample holds one of them, and a little for each."""
    cues = list(cues)
    shares = sum(sum(any(cue in text for cue in cues) for text in texts) / len(texts) for texts in sample)
    return shares + 0.0005 * max(0, len(cues) - SEVERAL) + 0.00002 * len(cues)


def main() -> None:
    sample = _sample()
    for language in LANGUAGES:
        path = FOLDER / f"{NAMES[language.code]}.txt"
        lines = path.read_text("utf-8").split("\n")
        rules = iter([*language.rules, *language.mentions])
        for number, line in enumerate(lines):
            cells = line.split("\t")
            if len(cells) == 5 and not line.startswith("#"):
                rule = next(rules)
                assert (cells[0], cells[1]) == (rule.kind, rule.shape), line
                cuts = [_least(frozenset(text[:LONG] for text in each)) for each in required(rule, language)]
                cuts += [_least(frozenset(text[-LONG:] for text in each)) for each in required(rule, language)]
                best = min(cuts, key=lambda each: _rate(each, sample), default=frozenset())
                if best and _rate(best, sample) < _rate(rule.cues, sample) - BETTER:
                    # Cues that say more than the pattern stay, or the rule would fit more than it was written for.
                    kept = rule.also or (() if is_necessary(rule.cues, rule, language) else rule.cues)
                    cells[3] = " & ".join("|".join(some) for some in (sorted(best), kept) if some)
                    lines[number] = "\t".join(cells)
        assert next(rules, None) is None
        path.write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main()
