"""Scores that went through a frame of another library: ranked, compared and gated as they were."""

import pandas as pd
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.errors import ArgumentError, DataError

# By rouge1 `careful` is better on both documents, by repeat2, of which lower is better, `looper` is the worst.
TABLE = {
    "doc_id": ["1", "2", "1", "2"],
    "system": ["careful", "careful", "looper", "looper"],
    "rouge1.f1": [0.5, 0.3, 0.4, 0.2],
    "repetition.repeat2": [0.0, 0.1, 0.6, 0.7],
}
FRAMES = {
    "polars": pl.DataFrame(TABLE),
    "lazy": pl.LazyFrame(TABLE),
    "pandas": pd.DataFrame(TABLE),
    "pandas with names as index": pd.DataFrame(TABLE).set_index(["doc_id", "system"]),
    "other names of the keys": pd.DataFrame(TABLE).rename(columns={"doc_id": "docid", "system": "model"}),
    "with digests of texts": pl.DataFrame(TABLE).with_columns(pl.lit("ab.cd..").alias("_content")),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_directions_survive_the_round_trip(kind):
    ranking = gm.rank(FRAMES[kind])
    assert {ranked.column.name: ranked.systems[0].system for ranked in ranking.columns} == {
        "rouge1.f1": "careful",
        "repetition.repeat2": "careful",
    }
    assert [round(row.value, 3) for row in ranking.columns[1].systems] == [0.05, 0.65]  # (0 + .1) / 2, (.6 + .7) / 2


def test_other_questions_take_frames_too():
    frame = FRAMES["pandas"]
    assert gm.compare(frame, "careful", "looper").differences[0].difference == pytest.approx(0.1)
    many = pl.concat([pl.DataFrame(TABLE).with_columns(pl.col("doc_id") + str(number)) for number in range(5)])
    assert gm.gate(many, many.to_pandas()).passed
    assert [row.system for row in gm.worst(frame, "rouge1", count=2).rows] == ["looper", "careful"]
    assert "unknown" in set(gm.cite(frame).signatures.values())


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (3, ArgumentError, "`scores` is Scores, their file or a frame, not int"),
        ([TABLE], ArgumentError, "not list"),
        (pd.DataFrame(TABLE)["rouge1.f1"], ArgumentError, "this is a column of one"),
        (pl.DataFrame({"system": ["a"], "own": [0.1]}), DataError, "there is no column `doc_id`"),
        (
            pl.DataFrame({"doc_id": ["1"], "system": ["a"], "summary": ["x"]}),
            DataError,
            r"`gm.score\(frame, metrics\)`",
        ),
        (pd.DataFrame({**TABLE, "system": ["a", None, "b", "c"]}), DataError, "rows without a `system`"),
        (pd.DataFrame({**TABLE, "system": ["a"] * 4}), DataError, "document '1' by system 'a' twice"),
    ],
)
def test_what_is_no_frame_of_scores_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        gm.rank(given)


def test_a_slip_in_the_name_of_the_summary_is_named():
    with pytest.raises(DataError, match=r"there is no `summary`; is it 'sumary'\?"):
        gm.score([{"sumary": "It rained.", "reference": "Rain."}], "rouge1")
