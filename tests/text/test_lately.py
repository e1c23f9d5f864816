"""What was worked out lately is at hand, and no more of it than was asked for."""

from commonplace.text.lately import Lately


def test_a_key_is_worked_out_once():
    asked = []
    upper = Lately(lambda key: asked.append(key) or key.upper(), 10)
    assert [upper[key] for key in "aba"] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_the_older_half_goes_when_it_is_full_and_comes_back_when_asked_for():
    upper = Lately(str.upper, 4)
    for key in "abcde":
        assert upper[key] == key.upper()
    assert list(upper) == ["c", "d", "e"]
    assert upper["a"] == "A"
    assert len(upper) == 4
