"""Works that go on together: all have asked before any looks at an answer."""

import pytest

from commonplace.retrieval.in_step import Steps, in_step, together


def work(name: str, pauses: int, done: list[str]) -> Steps[str]:
    for number in range(pauses):
        done.append(f"{name}{number}")
        yield
    done.append(f"{name} ends")
    return name


def test_each_reaches_its_next_pause_before_any_goes_on() -> None:
    done: list[str] = []
    assert in_step([work("a", 2, done), work("b", 0, done), work("c", 1, done)]) == ["a", "b", "c"]
    assert done == ["a0", "b ends", "c0", "a1", "c ends", "a ends"]
    assert in_step([]) == []


def test_works_of_works_keep_the_same_step() -> None:
    done: list[str] = []
    assert in_step([together([work("a", 2, done), work("b", 1, done)]), together([work("c", 2, done)])]) == [
        ["a", "b"],
        ["c"],
    ]
    assert done == ["a0", "b0", "c0", "a1", "b ends", "c1", "a ends", "c ends"]


def test_what_one_raises_is_raised() -> None:
    def broken() -> Steps[str]:
        yield
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        in_step([work("a", 3, []), broken()])
