"""docs/llm-summaries.md: what it says in words stands in its tables, and the main figures are measured again."""

import re

import pytest
from bench.figures.page import cells
from bench.trust import llm, sets

PAGE = llm.OUTPUT
WITHIN, OVER_BEFORE = "Within documents, LLM part", "Over systems, before LLMs"
COLUMNS = ["", *llm.PROTOCOLS]


def figure_of(title, score, protocol):
    return cells(PAGE.read_text(encoding="utf-8"), title, f"`{score}` |")[COLUMNS.index(protocol)]


@pytest.mark.parametrize(
    ("title", "score", "protocol", "words"),
    [
        (WITHIN, "rouge1.f1", "normalized_acu", "normalized units at r .56 [.47, .66]"),
        (WITHIN, "rouge1.f1", "ref_free", "within documents at r -.02 [-.12, .09]"),
        (WITHIN, "length.words", "ref_free", "r .41 [.31, .51] here"),
        ("Within documents, systems before LLMs", "length.words", "ref_free", ".56 [.51, .62] among 11 older"),
        (OVER_BEFORE, "rouge1.recall", "ref_free", "(ROUGE-1: .83 over systems)"),
        (OVER_BEFORE, "rouge1.f1", "ref_free", "F1 does not (-.17)"),
    ],
)
def test_the_words_say_what_the_tables_show(title, score, protocol, words):
    text = " ".join(PAGE.read_text(encoding="utf-8").split("## The figures")[0].split())
    assert words in text
    shown = re.search(r"-?\.\d\d(?: \[[^]]*\])?", words)[0]
    assert figure_of(title, score, protocol).startswith(shown)


def test_every_metric_with_references_orders_the_systems_as_the_reference_does():
    text = PAGE.read_text(encoding="utf-8")
    order = "BRIO > BART > T0 > GPT-3"
    for score in ("rouge1.f1", "rouge2.recall", "meteor.meteor", "chrf.chrf", "bertscore.f1"):
        assert cells(text, "How metrics order the systems", f"`{score}` |")[1:] == [order, "2", "6", "6", "6"]
    assert cells(text, "How metrics order the systems", "*people: reference-based*")[1] == order
    assert cells(text, "How metrics order the systems", "`length.words` |")[2] == "6"


def test_the_llm_part_is_fitted_to_by_nothing():
    assert all(judged_set.run != sets.LLM_RUN for judged_set in sets.read_sets())


@pytest.mark.data
def test_the_main_figures_are_measured_again(data, tmp_path, monkeypatch):
    monkeypatch.setattr(sets, "SCORES", tmp_path)
    scores = {name: sets.score_run(sets.LLM_RUN, name, data=data, folder=tmp_path) for name in ("rouge1", "length")}
    assert {len(table) for table in scores.values()} == {400}
    for name, protocol, expected in (
        ("rouge1.f1", "normalized_acu", ".56 [.47, .66]"),
        ("rouge1.f1", "ref_free", "-.02 [-.12, .09]"),
        ("length.words", "ref_free", ".41 [.31, .51]"),
    ):
        study = sets.join_judgments(sets.LLM_RUN, scores[name.partition(".")[0]], data=data)
        assert str(llm.Judged(name, study[name], study).correlate(protocol, "summary")) == expected
