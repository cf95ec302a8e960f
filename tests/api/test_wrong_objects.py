"""Wrong calls of the nouns (scores, judgments, studies) and of what draws and gates: one sentence each."""

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter import meta
from gistmeter.errors import ArgumentTypeError, GistmeterError
from gistmeter.judgments import Judgments
from gistmeter.meta import Study
from gistmeter.scores import ScoreColumn, Scores

TABLE = pl.DataFrame({"doc_id": ["1", "2", "3"], "system": ["a", "a", "a"], "m.f1": [0.1, 0.3, 0.2]})
SCORES = Scores(TABLE, (ScoreColumn("m.f1", "m|v:0"),))
PEOPLE = Judgments.from_records([{"doc_id": "1", "system": "a", "aspect": "focus", "value": 1}])
STUDY = Study.from_tables({"m": [[1, 2], [3, 1], [2, 5]], "h": [[1, 2], [2, 2], [3, 4]]}, aspects=["h"])
ANSWER = meta.correlate(STUDY, level="system")

CALLS = [
    (Scores, (), {}, "Scores: missing a required argument: 'table'"),
    (Scores, (3, ()), {}, "`table` is DataFrame, not 3"),
    (Scores, (TABLE, "m.f1"), {}, "`columns`"),
    (Scores, (TABLE, [3]), {}, "`columns`"),
    (Scores, (TABLE, ()), {"file": 3}, "`file`"),
    (Scores.read, (3,), {}, "`path` is a text or a path, not 3"),
    (Scores.read, (None,), {}, "`path`"),
    (Scores.read, (), {}, "Scores.read: missing a required argument: 'path'"),
    (Scores.join, ({},), {}, "there are no scores to join"),
    (Scores.join, ([SCORES],), {}, "`parts` is a mapping"),
    (Scores.join, ({"a": 3},), {}, "`parts`"),
    (Scores.from_metadata, ("table", None), {}, "`table`"),
    (Scores.from_metadata, (TABLE, 3), {}, "`metadata`"),
    (SCORES.column, (["m.f1"],), {}, "`name` is a text"),
    (SCORES.parts, (3,), {}, "`name`"),
    (SCORES.long_parts, ({},), {}, "`name`"),
    (SCORES.row, ("1",), {}, "Scores.row: missing a required argument: 'system'"),
    (SCORES.row, (1, "a"), {}, "`doc_id` is a text, not 1"),
    (SCORES.check_system, (None,), {}, "`name`"),
    (SCORES.note_unmatched, (None, None), {}, "`judged_systems`"),
    (SCORES.write, (3,), {}, "`path`"),
    (Judgments, (3,), {}, "`table` is DataFrame, not 3"),
    (Judgments.read, (None,), {}, "`path`"),
    (Judgments.from_files, ("people.csv",), {}, "`paths` is a list"),
    (Judgments.from_files, ([3],), {}, "`paths`"),
    (Judgments.from_files, (SCORES,), {}, "`paths`"),
    (Judgments.from_records, (3,), {}, "`records`"),
    (Judgments.from_votes, (None,), {}, "`records`"),
    (PEOPLE.means, (3,), {}, "`aspect` is a text, not 3"),
    (PEOPLE.means, ("fokus",), {}, "did you mean focus?"),
    (PEOPLE.write, ([],), {}, "`path`"),
    (Study, ("a", "b", {}), {}, "`systems` is a tuple"),
    (Study, (("a",), ("1",), [1]), {}, "`tables` is a mapping"),
    (Study.from_tables, (3,), {"aspects": []}, "`tables`"),
    (Study.from_tables, ({"m": "abc"},), {"aspects": []}, "`tables`"),
    (Study.from_tables, ({"m": [["a"]]},), {"aspects": []}, "`tables`"),
    (Study.from_tables, ({"m": [[1]]},), {}, "missing a required"),
    (Study.from_tables, ({"m": [[1]]},), {"aspects": [3]}, "`aspects`"),
    (Study.from_tables, ({"m": [[1]]},), {"aspects": [], "better": "up"}, "`better`"),
    (Study.read, (3,), {}, "`path`"),
    (Study.join, (SCORES, "people.csv"), {}, "`judgments` is Judgments"),
    (Study.join, ("scores.csv", PEOPLE), {}, "`scores` is Scores"),
    (STUDY.__getitem__, (["m"],), {}, "`name` is a text"),
    (STUDY.__getitem__, ("n",), {}, "there is no score or aspect 'n'"),
    (STUDY.direction, (None,), {}, "`name`"),
    (STUDY.resolve, (3,), {}, "`name`"),
    (STUDY.with_directions, (), {"lower": "m"}, "`lower` is a list"),
    (STUDY.with_groups, (3,), {}, "`groups` is a mapping"),
    (STUDY.choose_aspect, (3,), {}, "`name`"),
    (STUDY.choose_metrics, ("m",), {}, "`names` is a list"),
    (STUDY.choose_metrics, (TABLE,), {}, "`names`"),
    (gm.write_figure, (3, "x.svg"), {}, "`result`"),
    (gm.write_figure, (SCORES, "x.svg"), {}, "`result`"),
    (gm.write_figure, (ANSWER, 3), {}, "`path`"),
    (gm.write_figure, (ANSWER, "x.doc"), {}, "name it"),
    (gm.write_figure, (ANSWER,), {}, "missing a required"),
    (gm.gate, (SCORES, SCORES), {"lower": 3}, "`lower`"),
    (gm.gate, (SCORES, SCORES), {"lower": ["m.f2"]}, "there is no score 'm.f2'; did you mean m.f1?"),
    (gm.gate, (SCORES, SCORES), {"columns": [3]}, "`columns`"),
    (gm.gate, (SCORES, SCORES), {"margin": float("nan")}, "`margin`"),
    (gm.gate, (SCORES, None), {}, "`new`"),
    (gm.rank, (SCORES,), {"columns": {"m.f1": 1}}, "`columns`"),
    (gm.rank, (SCORES,), {"alpha": np.array([0.05])}, "`alpha` is a number"),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0].__qualname__}-{call[3]}")
def test_a_wrong_call_is_one_sentence(call, tmp_path, monkeypatch):
    function, given, named, words = call
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GistmeterError) as raised:
        function(*given, **named)
    message = str(raised.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 400
    assert not list(tmp_path.iterdir())


def test_there_are_enough_of_them():
    assert len(CALLS) >= 60


def test_right_calls_pass(tmp_path):
    """Lists where tuples are written, sets where any collection will do, paths of any kind."""
    scores = Scores(TABLE, [ScoreColumn("m.f1", "m|v:0")])
    assert scores.note_unmatched({"a"}, {"1", "2", "3"}) == ()
    scores.write(tmp_path / "scores.csv")
    assert Scores.read(str(tmp_path / "scores.csv")).column("m.f1").signature == "m|v:0"
    assert Scores.join({"one": scores}).systems == ["a"]
    assert STUDY["m"].shape == (3, 2)
    with pytest.raises(ArgumentTypeError):
        STUDY[3]
