"""The spelling of metrics: lists of texts and quotes, read back whatever is in them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmeter.metrics.spelling import add_quotes, join_texts, parse_spelling, remove_quotes, split_list, split_texts

TEXTS = st.text(alphabet=st.sampled_from('ab1 "+,()=%:|\n.'), min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
@example(["a", 'b"', '"'], "(")
@example(['a="b"'], ")")
def test_any_texts_are_read_back_from_a_metric(several, single):
    metric = f"m(files={join_texts(tuple(several))},single={add_quotes(single)},n=2)"
    settings = parse_spelling(metric).settings
    assert split_texts(settings["files"]) == tuple(several)
    assert remove_quotes(settings["single"]) == single
    assert settings["n"] == "2"
    assert split_list(f"rouge1,{metric},{metric}") == ["rouge1", metric, metric]


@pytest.mark.parametrize("template", ['say "{answer}" now', '"{answer}" in {text}', "<h>{answer}</h>"])
def test_quotes_within_a_value_stay_as_they_are(template):
    # A quote closes only before what ends a value: these have always been read as they stand.
    settings = parse_spelling(f"qaeval(asker=x,template={template})").settings
    assert remove_quotes(settings["template"]) == template
