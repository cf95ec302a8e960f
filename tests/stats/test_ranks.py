"""Mean ranks of methods over groups, against ranks that were counted by hand."""

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.stats.ranks import average_ranks

NAN = float("nan")


def test_the_highest_is_first_and_equals_share():
    # Column 1: .3, .2, .1 are 1, 2, 3. Column 2: .5 is 1, the two .2 share 2 and 3.
    assert average_ranks([[0.1, 0.5], [0.3, 0.2], [0.2, 0.2]]).tolist() == [2.0, 1.75, 2.25]


def test_who_has_no_value_comes_last():
    # Column 1: the second is last of three. Column 2: -5 is second, and a missing value is behind it.
    assert average_ranks([[0.3, -5.0], [NAN, 1.0], [0.2, NAN]]).tolist() == [1.5, 2.0, 2.5]


def test_a_group_without_values_is_left_out():
    assert average_ranks([[0.1, NAN], [0.3, NAN]]).tolist() == [2.0, 1.0]
    assert np.isnan(average_ranks([[NAN], [NAN]])).tolist() == [True, True]
    assert np.isnan(average_ranks(np.empty((3, 0)))).tolist() == [True] * 3


@pytest.mark.parametrize("values", [[0.1, 0.2], [[[0.1]]], 3.0])
def test_ranks_are_of_a_table(values):
    with pytest.raises(DataError, match=r"ranks are of a table, methods x groups, not \d-d"):
        average_ranks(values)
