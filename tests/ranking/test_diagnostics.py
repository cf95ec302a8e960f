"""Scores that look at no reference are marked as diagnostics, by what their metric declares; others are not."""

import dataclasses
import json
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.metrics import parse_metric
from gistmeter.metrics.metric import Column, Metric
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.report.latex.tables import write_latex
from gistmeter.report.tables import plain
from gistmeter.report.tables.board import BoardStyle, ranking_board
from gistmeter.scores import ScoreColumn, Scores

RUN = [
    gm.Example(doc_id=doc_id, system=system, summary=text, references=("one two five",), document="one two three four")
    for doc_id in "12"
    for system, text in {"a": "one two", "b": "three"}.items()
]


@dataclass(frozen=True)
class Capitals(Metric):
    """The share of capitals: a metric of somebody else's, which needs nothing."""

    name = "capitals"
    needs = frozenset()
    columns = (Column("share", "share of capitals"), Column("letters", "how many", better="neither"))

    def score(self, examples):
        return np.array([[0.5, float(len(example.summary))] for example in examples])


def ask_rank(scores):
    return rank(scores, resamples=10, permutations=10)


def ask_compare(scores):
    return compare(scores, "a", "b", resamples=10, permutations=10)


@pytest.mark.parametrize("ask", [ask_rank, ask_compare])
def test_what_looks_at_no_reference_is_marked_and_one_note_says_so(ask):
    result = ask(gm.score(RUN, ["rouge1", "js", "length", Capitals()]))
    (note,) = [note for note in result.notes if "°" in note]
    assert note.startswith("° marks diagnostics: js, capitals look at no reference")
    assert note.endswith("(docs/reference-free.md)")
    shown = plain.markdown(result)
    for name in ("js.divergence° ↓", "capitals.share° ↑"):
        assert name in shown
    for name in ("rouge1.f1°", "length.words°", "capitals.letters°"):  # the last two judge nothing
        assert name not in shown
    assert "° marks" in plain.html(result)
    latex = write_latex(result)
    assert r"JS$^{\circ}$" in latex
    assert r"$^{\circ}$ looks at no reference: a diagnostic." in latex


@pytest.mark.parametrize("ask", [ask_rank, ask_compare])
def test_without_such_scores_nothing_is_said(ask):
    result = ask(gm.score(RUN, "rouge1,length"))
    assert "°" not in plain.markdown(result) + plain.html(result) + write_latex(result)


def test_json_says_it_of_every_column():
    described = json.loads(plain.json(ask_rank(gm.score(RUN, "rouge1,js"))))
    assert {column["name"]: column["reference_free"] for column in described["columns"]} == {
        **dict.fromkeys(("rouge1.precision", "rouge1.recall", "rouge1.f1"), False),
        "js.divergence": True,
    }


def test_other_names_keep_the_mark():
    board = ranking_board(ask_rank(gm.score(RUN, "js,rouge1")), BoardStyle(names=("Mine", "Yours")))
    assert board.headings == ("Mine° ↓", "Yours ↑")


def test_the_mark_survives_files_and_labels_of_ones_own(tmp_path):
    scores = gm.score(RUN, {"mine": parse_metric("js")})
    for name in ("scores.parquet", "scores.jsonl", "scores.csv"):
        scores.write(tmp_path / name)
        (column,) = ask_rank(Scores.read(tmp_path / name)).columns
        assert column.column.marked_name == "mine.divergence°"


def test_an_older_file_is_marked_by_name_and_signature(tmp_path):
    scores = gm.score(RUN, "js,rouge1")
    older = dataclasses.replace(
        scores, columns=tuple(dataclasses.replace(column, reference_free=None) for column in scores.columns)
    )
    marks = {ranked.column.name: ranked.column.is_diagnostic for ranked in ask_rank(older).columns}
    assert marks["js.divergence"]
    assert not marks["rouge1.f1"]


@pytest.mark.parametrize(
    ("name", "signature"),
    [("js.divergence", "unknown"), ("js.divergence", "other|v:1"), ("own.score", "own|v:1"), ("js", "js|v:1")],
)
def test_a_column_of_unknown_origin_is_not_marked(name, signature):
    table = pl.DataFrame({"doc_id": ["1", "2"] * 2, "system": ["a", "a", "b", "b"], name: [0.1, 0.2, 0.3, 0.4]})
    ranking = ask_rank(Scores(table, (ScoreColumn(name, signature),)))
    assert ranking.columns[0].column.marked_name == name
    assert not any("°" in note for note in ranking.notes)


def test_what_needs_units_of_references_is_not_reference_free():
    free = {name: parse_metric(name).is_reference_free(parse_metric(name).columns[0].name) for name in FREE}
    assert free == FREE


FREE = {
    "rouge2": False,
    "litepyramid": False,
    "lite3pyramid": False,
    "qaeval": False,
    "focus": False,
    "js": True,
    "faithfulness": True,
    "coherence": True,
    "questeval": True,
    "estime": True,
    "jackknife(metric=rouge1)": False,
}


def test_of_ffci_two_columns_are_diagnostics():
    metric = parse_metric("ffci")
    marks = {column.name: metric.is_reference_free(column.name) for column in metric.columns}
    assert marks == {"faithfulness": True, "focus": False, "coverage": False, "coherence": True}
    columns = [ScoreColumn(f"ffci.{name}", "ffci|v:0", reference_free=free) for name, free in marks.items()]
    table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], **{column.name: [0.1] for column in columns}})
    (note,) = [note for note in ask_rank(Scores(table, tuple(columns))).notes if "°" in note]
    assert note.startswith("° marks diagnostics: ffci.faithfulness, ffci.coherence look at no reference")
