"""The cache keeps recent results and no more than its capacity."""

from commonplace.text.recent_cache import RecentCache


def test_a_key_is_worked_out_once():
    asked = []
    upper = RecentCache(lambda key: asked.append(key) or key.upper(), 10)
    assert [upper[key] for key in "aba"] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_the_older_half_goes_when_it_is_full_and_comes_back_when_asked_for():
    upper = RecentCache(str.upper, 4)
    for key in "abcde":
        assert upper[key] == key.upper()
    assert list(upper) == ["c", "d", "e"]
    assert upper["a"] == "A"
    assert len(upper) == 4


def test_what_was_computed_elsewhere_is_kept_within_the_capacity():
    upper = RecentCache(str.upper, 4)
    upper.add({"a": "1", "b": "2", "c": "3"})
    upper.add({"d": "4", "e": "5"})
    assert dict(upper) == {"c": "3", "d": "4", "e": "5"}
    assert (upper["c"], upper["a"]) == ("3", "A")
