"""Two ids never share a namespace, as a book compares namespaces."""

from hypothesis import given
from hypothesis import strategies as st

from commonplace.adapters.foreign_ids import LONGEST, ids_of, namespace_of
from commonplace.text.normal import normal

ids = st.text(max_size=150)


@given(st.lists(ids, min_size=1, max_size=2), st.lists(ids, min_size=1, max_size=2))
def test_different_ids_have_different_namespaces(first, second):
    names = [normal(namespace_of("x", *parts)) for parts in (first, second)]
    assert (names[0] == names[1]) == (first == second)


@given(st.lists(ids, min_size=1, max_size=2))
def test_a_namespace_is_short_enough_and_tells_its_ids(parts):
    name = namespace_of("x", *parts)
    assert len(name) <= 128
    assert ids_of(name) in (tuple(parts), None)
    if sum(map(len, parts)) < LONGEST / 14:
        assert ids_of(name) == tuple(parts)


def test_a_readable_id_stays_readable():
    assert namespace_of("mem0", "user", "ada-7") == "mem0/user/ada-7"
    assert namespace_of("mem0", "user", "Ada") == "mem0/user/~41da"
