"""All namespaces in one pass say what each says by itself: the same documents, to the last bit of their scores."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from commonplace import Commonplace, Message
from commonplace.retrieval import union as lists
from commonplace.retrieval.union import highest

WORDS = [
    f"{first}{last}" for first in ("bra", "cle", "dri", "fo", "gu", "ha") for last in ("ba", "ke", "lo", "mi", "ta")
]


def sentence(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(WORDS, weights=[1 / (rank + 2) for rank in range(len(WORDS))], k=length))


@pytest.fixture(params=["notes", "with a conversation", "with a long text"])
def books(request: pytest.FixtureRequest, open_book: Callable[..., Commonplace]) -> list[Commonplace]:
    """Ada's own memories and personal ones, and two shared namespaces, with other statistics each."""
    chance = random.Random(request.param)
    ada, ben = open_book(owner="ada"), open_book(owner="ben")
    for name in ("first", "second"):
        ada.sharing.join(str(ben.sharing.share(name, person="ada").code))
    places = [ada, ada.within("personal"), ben.within("first"), ben.within("second")]
    for place, count in zip(places, (150, 40, 90, 3), strict=True):
        place.remember_many([sentence(chance, chance.randint(3, 12)) for _ in range(count)])
    ada.relate("Clelo", "knows", "Drita", object_type="person")
    if request.param == "with a conversation":
        ben.within("first").observe([Message(role="user", text=sentence(chance, 8)) for _ in range(20)])
    if request.param == "with a long text":
        ada.remember(". ".join(sentence(chance, 15) for _ in range(60)))
    return [ada, ada.within("personal")]


def answers(books: list[Commonplace]) -> list[list[tuple[str, float]]]:
    chance = random.Random(7)
    questions = [sentence(chance, chance.randint(1, 6)) for _ in range(25)] + [
        "Who knows Clelo?",
        "nothing of it",
        "fo",
    ]
    return [
        [(hit.memory.id, hit.score) for hit in book.recall(question, limit=limit)]
        for book in books
        for question in questions
        for limit in (5, 40)
    ]


def test_one_pass_and_each_namespace_by_itself_say_the_same(
    books: list[Commonplace], monkeypatch: pytest.MonkeyPatch
) -> None:
    apart: list[object] = []
    for name in ("_WordsApart", "_MeaningApart"):
        kind = getattr(lists, name)
        monkeypatch.setattr(lists, name, lambda *given, kind=kind: apart.append(kind) or kind(*given))
    together = answers(books)
    seldom = len(apart)
    monkeypatch.setattr(lists, "_are_plain", lambda listings: False)
    monkeypatch.setattr(lists._MeaningTogether, "of", lambda listings: None)
    assert answers(books) == together
    assert len(apart) >= 2 * seldom + len(together), "the second time each stood by itself, and before not all did"
    assert sum(map(len, together)) > len(together)


@pytest.mark.parametrize("seed", range(20))
def test_the_highest_are_those_of_a_whole_sort(seed: int) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, 9, 50).astype(np.int32)
    for count in (1, 7, 49, 50):
        wanted = sorted(np.lexsort((np.arange(50), -scores))[:count].tolist())
        assert highest(scores, count).tolist() == wanted
