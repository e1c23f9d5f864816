"""Measures how much of the evidence recall finds, on conversations with questions in LoCoMo's form.

A file is a JSON list of ``{"sample_id", "conversation", "qa"}``: ``conversation`` has ``session_n`` (turns with
``speaker`` or ``role``, ``dia_id``, ``text`` and optionally ``blip_caption``) and ``session_n_date_time`` for each n;
``qa`` has ``question``, ``evidence`` (``dia_id``s) and ``category``, one of LoCoMo's numbers or a name. LongMemEval and
BEAM can be read too (``datasets.py``).
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commonplace.book import Commonplace
from commonplace.errors import Invalid
from commonplace.model import Memory, Message
from commonplace.testing.datasets import from_beam, from_longmemeval, read_beam_folder

TYPES = {1: "multi-hop", 2: "temporal", 3: "open domain", 4: "single hop", 5: "adversarial"}
PAGE = 10
CONVERTERS: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
    "conversation": lambda rows: rows,
    "haystack_sessions": from_longmemeval,
    "probing_questions": from_beam,
}
"""The field that identifies a form, and its converter to LoCoMo's."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions: the share of the evidence among the first 5 and 10 hits, and its rank."""

    questions: int
    recall_5: float
    recall_10: float
    ndcg_10: float


@dataclass(frozen=True, slots=True)
class Answered:
    category: str
    found: tuple[bool, ...]
    """For each hit in order, whether it is evidence."""
    evidence: int


def samples(path: Path) -> list[dict[str, Any]]:
    """The conversations of a file in LoCoMo's, LongMemEval's or BEAM's form. Raises ``Invalid`` with what is wrong."""
    try:
        if path.is_dir():
            return from_beam(read_beam_folder(path))
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise Invalid(f"{path} cannot be read as JSON") from fault
    rows = content if isinstance(content, list) and all(isinstance(row, dict) for row in content) else []
    for field, convert in CONVERTERS.items():
        if rows and all(field in row for row in rows):
            return convert(rows)
    raise Invalid(f"{path} is not a list of conversations with questions; docs/retrieval.md shows the form")


def feed(book: Commonplace, conversation: dict[str, Any]) -> int:
    """Observe every session of a conversation; returns the number of turns."""
    turns = 0
    for number, messages in _sessions(conversation):
        # For example ``1:56 pm on 8 May, 2023``.
        at = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        book.observe(
            [
                Message(
                    _text(turn),
                    speaker=turn.get("speaker"),
                    role=turn.get("role", "user"),
                    at=at,
                    metadata={"dia_id": turn["dia_id"]},
                )
                for turn in messages
            ],
            session=f"session {number}",
        )
        turns += len(messages)
    return turns


def answers(book: Commonplace, questions: Sequence[dict[str, Any]], recipe: str) -> Iterator[Answered]:
    for question in questions:
        evidence = _evidence(question)
        if not evidence:
            continue
        hits = book.recall(question["question"], limit=PAGE, recipe=recipe, kinds=["episodic"])
        matches = tuple(hit.memory.metadata.get("dia_id") in evidence for hit in hits)
        yield Answered(TYPES.get(question["category"], str(question["category"])), matches, len(evidence))


def on_page(book: Commonplace, questions: Sequence[dict[str, Any]], tokens: int) -> list[float]:
    """For each question, the share of its evidence on the page of ``context`` with this token budget."""
    dia_ids = {memory.id: memory.metadata.get("dia_id") for memory in _episodes(book)}
    shares = []
    for question in questions:
        if evidence := _evidence(question):
            ids = book.page(question["question"], tokens=tokens).ids
            shares.append(len({dia_ids.get(id) for id in ids} & evidence) / len(evidence))
    return shares


def _episodes(book: Commonplace) -> Iterator[Memory]:
    after = None
    while True:
        page = book.browse(kinds=["episodic"], limit=1000, after=after)
        yield from page
        if len(page) < 1000:
            return
        after = page[-1].id


def _evidence(question: dict[str, Any]) -> set[str]:
    return {id for reference in question.get("evidence") or [] for id in re.findall(r"D\d+:\d+", str(reference))}


def figures(answered: Sequence[Answered]) -> Figures:
    return Figures(
        len(answered),
        _mean([sum(answer.found[:5]) / answer.evidence for answer in answered]),
        _mean([sum(answer.found[:10]) / answer.evidence for answer in answered]),
        _mean([_ndcg(answer) for answer in answered]),
    )


Books = list[tuple[Commonplace, dict[str, Any]]]


def measure(
    path: Path, open_book: Callable[[str], Commonplace], recipes: Sequence[str], *, progress: Callable[[str], None]
) -> dict[str, dict[str, Figures]]:
    """Per recipe the figures of each type of question and of all. ``open_book`` opens a fresh namespace."""
    return ask_books(feed_file(path, open_book, progress=progress), recipes)


def feed_file(path: Path, open_book: Callable[[str], Commonplace], *, progress: Callable[[str], None]) -> Books:
    """Store the conversations of a file, each in its own namespace, indexed completely."""
    books: Books = []
    for sample in samples(path):
        book = open_book(str(sample.get("sample_id")))
        turns = feed(book, sample["conversation"])
        progress(f"{sample.get('sample_id')}: {turns} turns, {len(sample['qa'])} questions")
        books.append((book, sample))
    books[0][0].reindex()  # the token vectors, which are otherwise computed in the background
    return books


def ask_books(books: Books, recipes: Sequence[str]) -> dict[str, dict[str, Figures]]:
    """Per recipe the figures of each type of question and of all."""
    answered: dict[str, list[Answered]] = {recipe: [] for recipe in recipes}
    for book, sample in books:
        for recipe in recipes:
            answered[recipe] += answers(book, sample["qa"], recipe)
    return {recipe: _by_type(answers) for recipe, answers in answered.items()}


def _by_type(answered: Sequence[Answered]) -> dict[str, Figures]:
    types = dict.fromkeys([*TYPES.values(), *(answer.category for answer in answered)])
    by_type = {name: [answer for answer in answered if answer.category == name] for name in types}
    return {name: figures(answers) for name, answers in by_type.items() if answers} | {"all": figures(answered)}


def _sessions(conversation: dict[str, Any]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    numbers = sorted(int(name.split("_")[1]) for name in conversation if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        yield number, conversation[f"session_{number}"]


def _text(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shared a picture: {caption}]" if caption else str(turn["text"])


def _ndcg(answer: Answered) -> float:
    gained = sum(1 / math.log2(place + 2) for place, hit in enumerate(answer.found[:PAGE]) if hit)
    return gained / sum(1 / math.log2(place + 2) for place in range(min(answer.evidence, PAGE)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
