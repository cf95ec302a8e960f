"""Batches hold every text once and stay within their tokens; what is kept in memory stays within its bytes."""

from collections import OrderedDict
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from gistmeter.models.runtime.batch import RecentCache, split_into_batches


@given(st.lists(st.integers(0, 700), max_size=60), st.integers(1, 2000))
def test_batches(lengths, most):
    result = list(split_into_batches(lengths, most))
    assert sorted(position for batch in result for position in batch) == list(range(len(lengths)))
    for batch in result:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= most
    sizes = [lengths[i] for batch in result for i in batch]
    assert sizes == sorted(sizes, reverse=True)


@given(st.permutations(range(12)))
def test_batches_are_the_same_lengths_in_any_order(order):
    lengths = [5, 9, 2, 2, 7, 7, 30, 1, 4, 12, 9, 3]
    shuffled = [lengths[i] for i in order]
    plain = [[lengths[i] for i in batch] for batch in split_into_batches(lengths, 40)]
    assert [[shuffled[i] for i in batch] for batch in split_into_batches(shuffled, 40)] == plain


@dataclass(frozen=True)
class Thing:
    size: int


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 60)), max_size=60))
def test_recent_is_a_bounded_memory(steps):
    recent: RecentCache[Thing] = RecentCache(100)
    plain: OrderedDict[int, Thing] = OrderedDict()  # the oracle: the same, by recounting every time
    for key, size in steps:
        if size % 3 == 0:
            assert recent.get(key) == plain.get(key)
            if key in plain:
                plain.move_to_end(key)
            continue
        thing = Thing(size)
        recent.keep(key, thing)
        plain.pop(key, None)
        plain[key] = thing
        while sum(item.size for item in plain.values()) > 100:
            plain.popitem(last=False)
    assert [recent.get(key) for key in range(9)] == [plain.get(key) for key in range(9)]


def test_a_thing_too_large_is_not_kept():
    recent: RecentCache[Thing] = RecentCache(10)
    recent.keep("small", Thing(4))
    recent.keep("large", Thing(11))
    assert recent.get("large") is None
