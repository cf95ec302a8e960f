"""Windows cover every token once, and every token is read in enough context."""

from hypothesis import given
from hypothesis import strategies as st

from gistmeter.models.runtime.windows import MARGIN_TOKENS, split_into_windows

LAYOUTS = st.tuples(st.integers(0, 3000), st.integers(1, 600), st.integers(0, 200))


@given(LAYOUTS)
def test_every_token_is_kept_once(layout):
    count, size, margin = layout
    retained = [
        position
        for window in split_into_windows(count, size, margin)
        for position in range(window.keep_start, window.keep_end)
    ]
    assert retained == list(range(count))


@given(LAYOUTS)
def test_windows_fit_the_model_and_the_text(layout):
    count, size, margin = layout
    for window in split_into_windows(count, size, margin):
        assert 0 <= window.start <= window.keep_start <= window.keep_end <= window.end <= count
        assert window.end - window.start == min(size, count)  # a window is never smaller than it could be


@given(LAYOUTS)
def test_kept_tokens_have_the_margin_on_both_sides(layout):
    count, size, margin = layout
    margin = min(margin, (size - 1) // 4)  # what a small window can lend
    for window in split_into_windows(count, size, margin):
        assert window.keep_start - window.start >= margin or window.start == 0
        assert window.end - window.keep_end >= margin or window.end == count


@given(st.integers(513, 5000))
def test_as_few_windows_as_the_margin_allows(count):
    step = 512 - 2 * MARGIN_TOKENS
    assert len(split_into_windows(count, 512)) == 1 + -(-(count - 512) // step)
