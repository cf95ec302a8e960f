"""Names of metrics as people write them, families and groups."""

import re
from collections import Counter

import pytest

from gistmeter import score
from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.io.score_files.names import find_name, fold_name
from gistmeter.metrics import list_names, parse_metric, parse_metrics
from gistmeter.metrics.naming.names import find_family, list_families
from gistmeter.metrics.registry import BUILT_IN, list_groups
from gistmeter.ranking.columns import choose_columns
from gistmeter.scoring.cache import cache_keys

EXAMPLE = Example(doc_id="1", system="s", summary="A dog ran.", references=["A dog ran home."], document="A dog ran.")


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("ROUGE-1", "rouge1"),
        ("rouge-1", "rouge1"),
        ("Rouge_L", "rougeL"),
        ("ROUGE-Lsum", "rougeLsum"),
        ("rougelsum", "rougeLsum"),
        ("ROUGE-SU4", "rougeSU4"),
        ("ROUGE-9", "rouge9"),
        ("BERTScore", "bertscore"),
        ("bert-score", "bertscore"),
        ("METEOR", "meteor"),
        ("Lite2.5Pyramid", "lite2.5pyramid"),
        ("QAEval", "qaeval"),
        ("chrF", "chrf"),
        ("chrF++", "chrf(word_order=2)"),
        ("chrF++(beta=3)", "chrf(word_order=2,beta=3)"),
        ("ROUGE-2(stem=none, alpha=0.8)", "rouge2(stem=none,alpha=0.8)"),
        ("Jackknife(metric=ROUGE-2(stem=none))", "jackknife(metric=rouge2(stem=none))"),
    ],
)
def test_other_ways_to_write_a_name_give_the_one_spelling(written, spelled):
    [(label, metric)] = parse_metrics(written).items()
    assert label == spelled
    assert metric == parse_metric(spelled) == parse_metric(written)
    assert metric.signature() == parse_metric(spelled).signature()


def test_what_is_spelled_right_stays_as_it_was_typed():
    assert list(parse_metrics("rouge2( stem=none )")) == ["rouge2( stem=none )"]


def test_tables_signatures_and_the_cache_have_the_one_spelling():
    scores = score([EXAMPLE], "ROUGE-1")
    assert scores.table.columns[2:] == ["rouge1.precision", "rouge1.recall", "rouge1.f1"]
    assert scores.signatures["rouge1.f1"].startswith("rouge1|")
    assert cache_keys(parse_metric("ROUGE-1"), [b"1"]) == cache_keys(parse_metric("rouge1"), [b"1"])


def test_no_two_metrics_are_alike_but_for_case_and_separators():
    names = [*list_names(), *list_groups()]
    assert [name for name, count in Counter(map(fold_name, names)).items() if count > 1] == []


def test_every_metric_is_in_a_family():
    families = Counter(find_family(entry.target).name for entry in BUILT_IN)
    assert set(families) == {family.name for family in list_families()}


@pytest.mark.parametrize("text", ["rouge", "ROUGE", "Rouge "])
def test_rouge_is_four_metrics(text):
    assert list(parse_metrics(text)) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def test_settings_of_a_group_are_those_of_each_metric():
    assert list(parse_metrics("rouge(stem=none),bleu")) == [
        *("rouge1(stem=none)", "rouge2(stem=none)", "rougeL(stem=none)", "rougeLsum(stem=none)"),
        "bleu",
    ]


def test_every_group_is_made_of_metrics_and_is_no_metric_itself():
    for name, members in list_groups().items():
        assert list(parse_metrics(name)) == members
        with pytest.raises(MetricError, match=f"{name} is a group of metrics: name one of them"):
            parse_metric(name)


@pytest.mark.parametrize(("wrong", "right"), [("roge", "rouge"), ("surfaces", "surface"), ("BERTSkore", "bertscore")])
def test_unknown_names_still_suggest(wrong, right):
    with pytest.raises(MetricError, match=re.escape(f"unknown metric {wrong!r}; did you mean {right}?")):
        parse_metrics(wrong)


def test_scores_are_chosen_by_other_spellings_and_groups():
    scores = score([EXAMPLE], "rouge1,rouge2(stem=none),chrf(word_order=2)")

    def names(*asked):
        return [column.name for column in choose_columns(scores, asked)]

    assert names("ROUGE-1", "rouge-2.Recall") == ["rouge1.f1", "rouge2(stem=none).recall"]
    assert names("rouge") == ["rouge1.f1", "rouge2(stem=none).f1"]
    assert names("rouge.recall") == ["rouge1.recall", "rouge2(stem=none).recall"]
    assert names("chrF++") == ["chrf(word_order=2).chrf"]
    with pytest.raises(DataError, match="there is no score 'surface'"):
        names("surface")


def test_columns_that_differ_in_case_alone_are_not_guessed():
    assert find_name("good", ["Good", "GOOD"]) is None
    assert find_name("good", ["Good", "good"]) == "good"
    assert find_name("GO-OD", ["good"]) == "good"
