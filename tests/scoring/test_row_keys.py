"""Keys of summaries in sorted arrays say what a set of pairs says."""

from hypothesis import given
from hypothesis import strategies as st

from gistmeter.scoring.row_keys import RowKeys

NAMES = st.sampled_from(["", "a", "b", "ab", "1", "\0", "é"])
BATCHES = st.lists(st.lists(st.tuples(NAMES, NAMES), max_size=4), max_size=8)


@given(BATCHES)
def test_the_first_that_was_there_before_is_named(batches):
    keys, pairs = RowKeys(), set()
    for batch in batches:
        expected = next((i for i, pair in enumerate(batch) if pair in pairs or pair in batch[:i]), None)
        assert keys.add([doc_id for doc_id, _ in batch], [system for _, system in batch]) == expected
        if expected is not None:
            return
        pairs.update(batch)


def test_many_batches_stay_few_arrays_of_ten_bytes_a_key():
    keys = RowKeys()
    for start in range(0, 6_000, 50):
        assert keys.add([str(number) for number in range(start, start + 50)], ["a"] * 50) is None
    assert [len(array) for array in keys._arrays] == sorted([len(array) for array in keys._arrays], reverse=True)
    assert len(keys._arrays) <= 7  # 120 batches are a number of seven binary digits
    assert sum(array.nbytes for array in keys._arrays) == 60_000
    assert keys.add(["6000", "59", "58"], ["a", "a", "a"]) == 1
    assert keys.add(["59"], ["b"]) is None
