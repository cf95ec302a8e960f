"""Shipped tables, looking them up, asking, and the notes under rankings and comparisons."""

import dataclasses
import math
from importlib import resources

import polars as pl
import pytest

from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.metrics.registry import list_entries, parse_metric
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.ranking.trust import (
    available,
    comparison_notes,
    find_table,
    ranking_notes,
    read_shipped_tables,
    read_tables,
    trust,
    trust_pair,
    write_tables,
)
from gistmeter.ranking.trust.lookup import plain_signature, read_reasons
from gistmeter.ranking.trust.standings import plain_measure, read_standings
from gistmeter.report.sheets.trust import answer_json, answer_sentence
from gistmeter.scores import ScoreColumn, Scores
from gistmeter.signature import without_version

ROUGE1 = "rouge1|alpha:0.5|language:en|limit:none|references:average|stem:porter|stopwords:none|tokenizer:unicode"


def scores_of(values, columns=(("rouge1.f1", f"{ROUGE1}|v:9.9.9", "higher"),)):
    """Scores with the same values (system -> list over documents) in each column."""
    rows = [
        (str(doc), system, *[value] * len(columns)) for system, own in values.items() for doc, value in enumerate(own)
    ]
    table = pl.DataFrame(rows, schema=["doc_id", "system", *(name for name, *_ in columns)], orient="row")
    return Scores(table, tuple(ScoreColumn(name, signature, better) for name, signature, better in columns))


def test_tables_round_trip(tmp_path):
    tables = tuple(read_shipped_tables().values())
    write_tables(tables, tmp_path / "all.json")
    assert read_tables(tmp_path / "all.json") == tables


def test_broken_tables_say_so(tmp_path):
    (tmp_path / "bad.json").write_text('[{"spelling": 3}]')
    with pytest.raises(DataError, match=r"bad\.json is not a file of calibration tables"):
        read_tables(tmp_path / "bad.json")
    with pytest.raises(DataError, match="there is no file"):
        read_tables(tmp_path / "none.json")


def test_shipped_tables_are_complete():
    for (signature, column), table in read_shipped_tables().items():
        assert (table.signature, table.column) == (signature, column)
        assert "|v:" not in signature
        assert table.provenance.command == "python scripts/fit_trust_tables.py"
        assert table.provenance.date
        assert set(table.people) == {"all", "significant"}
        for people_table in table.people.values():
            sets = people_table.sets
            pooled = [judged.dataset.name for judged in sets if judged.dataset.pooled]
            assert pooled
            assert [left_out.dataset for left_out in people_table.left_out] == (pooled if len(pooled) > 1 else [])
            judged_documents = min(judged.documents for judged in sets if judged.dataset.pooled)
            fewer = [count for count in (5, 10, 25, 50) if count < judged_documents]
            assert [slopes.documents for slopes in people_table.pooled] == [*fewer, judged_documents]
            # A table of fewer than 100 documents says that it is one of a sample.
            assert (judged_documents == 100) == (not any(judged.dataset.sample for judged in sets))
            for judged in sets:
                assert judged.low < judged.slope < judged.high
                assert judged.pairs + judged.undecided + judged.insignificant == math.comb(judged.systems, 2)
                assert len(judged.inputs) == 16
                # A set that trained a part of the metric is shown, marked, and never counted.
                assert not ("learned" in judged.bias and judged.dataset.pooled)


def test_a_metric_of_words_is_calibrated_on_every_set_of_content():
    for people_table in find_table(ROUGE1, "f1").people.values():
        names = [judged.dataset.name for judged in people_table.sets]
        assert names == ["SummEval", "REALSumm", "PyrXSum", "RoSE", "SummEval-11", "RoSE-free"]
        assert [left_out.dataset for left_out in people_table.left_out] == names[:4]


def test_every_metric_is_calibrated_or_says_why_not():
    calibrated = {table.signature.partition("|")[0] for table in read_shipped_tables().values()}
    reasons = read_reasons()
    assert not calibrated & set(reasons)
    for entry in list_entries():
        for name in entry.names:
            metric = parse_metric(name)
            if any(column.better != "neither" for column in metric.columns):
                assert metric.name in calibrated | set(reasons), name


@pytest.mark.more
def test_tables_belong_to_the_metrics_as_they_are(monkeypatch):
    """New weights or rules make another signature: then the tables must be fitted anew."""
    monkeypatch.setenv("GISTMETER_WORDNET", "none")  # they were fitted without one
    for table in read_shipped_tables().values():
        assert without_version(plain_signature(parse_metric(table.spelling))) == table.signature, table.name


@pytest.mark.more
def test_standings_belong_to_the_metrics_as_they_are(monkeypatch):
    """`gistmeter check` finds a standing by the signature alone: one of earlier rules is found by nobody."""
    monkeypatch.setenv("GISTMETER_WORDNET", "none")  # they were stored without one
    for (stored, _), table in read_standings().items():
        assert plain_measure(plain_signature(parse_metric(table.spelling))) == stored, table.spelling


def test_shipped_tables_are_small():
    folder = resources.files("gistmeter.ranking.trust").joinpath("data")
    standings = folder.joinpath("standings")
    files = [file for room in (folder, standings) for file in room.iterdir() if file.is_file()]
    assert sum(len(file.read_bytes()) for file in files) < 500_000


@pytest.mark.parametrize("ending", ["", "|v:0.1.0", "|v:77.0.dev1"])
def test_a_signature_is_found_with_any_version_and_without(ending):
    table = find_table(ROUGE1 + ending, "f1")
    assert table is not None
    assert table.name == "rouge1.f1"
    assert find_table(ROUGE1 + ending, "precision") is None
    assert trust(ROUGE1 + ending, 0.01) == trust("rouge1", 0.01) == trust("rouge1.f1", 0.01)
    assert trust(ROUGE1 + ending, 0.01, column="recall") == trust("rouge1.recall", 0.01)


def test_an_answer():
    """The figures of the shipped tables: a change of method or of scores must be noticed."""
    result = trust("rouge1", 0.005)
    assert [round(item.share, 2) for item in result.sets] == [0.55, 0.54, 0.55, 0.55, 0.63, 0.47]
    assert (round(result.share, 2), round(result.low, 2), round(result.high, 2)) == (0.55, 0.5, 0.68)
    for item in result.sets:
        assert item.low <= item.share <= item.high
    assert result.notes == ()
    # The pooled share is the mean of the four sets that count.
    assert result.share == pytest.approx(sum(item.share for item in result.sets[:4]) / 4)


def test_larger_gaps_are_agreed_with_more():
    shares = [trust("rouge2", gap).share for gap in (0, 0.005, 0.01, 0.02, 0.05, 0.1)]
    assert shares[0] == 0.5
    assert shares == sorted(shares)
    assert trust("rouge2", 0.02, people="significant").share > shares[3]


def test_needed_gaps_give_the_share_they_promise():
    for answer in available():
        for needed in answer.needed:
            if math.isnan(needed.gap):
                continue
            assert trust(answer.signature, needed.gap, column=answer.name.rpartition(".")[2]).share == pytest.approx(
                needed.share, abs=1e-6
            )


def test_points_are_hundredths():
    assert trust("rougeL", 1.5, points=True) == trust("rougeL", 0.015)


@pytest.mark.parametrize(
    ("gap", "points", "words"),
    [
        (1.5, False, "between 0 and 1, so no gap is 1.5; if you mean points of 100, add `points=True`"),
        (0.5, False, r"no two judged systems are 0.5 apart by rouge1.f1 \(at most 0.2\d+\); .* add `points=True`"),
        (150, True, "between 0 and 100, so no gap is 150$"),
        (-0.01, False, "0 or more, not -0.01"),
        (math.nan, False, "`gap` is a number, not NaN"),
    ],
)
def test_confusing_gaps_are_refused(gap, points, words):
    with pytest.raises(ArgumentError, match=words):
        trust("rouge1", gap, points=points)


def test_a_gap_beyond_the_judged_ones_is_told():
    assert any("at most" in note for note in trust("rouge1", 50, points=True).notes)
    assert trust("rouge1", 0.15).notes == (
        "no two systems are that far apart in REALSumm, RoSE, SummEval-11, RoSE-free: the curve is extended there",
    )


def test_fewer_documents_are_less_convincing():
    few, thirty, all_of_them, many = (trust("rouge1", 0.02, documents=count) for count in (5, 30, 100, 11490))
    assert few.share < thirty.share < all_of_them.share == many.share
    assert few.high < all_of_them.high
    assert "a gap over 5 documents is noisier than one over 100" in few.notes[0]
    assert all_of_them.notes == ()
    assert "calibrated on 100 documents; over 11,490 a gap is less noisy" in many.notes[0]
    assert trust("rouge1", 0.02, documents=2).share == few.share
    assert "random subsets of the judged documents, of 5 or more" in trust("rouge1", 0.02, documents=1).notes[0]
    with pytest.raises(ArgumentError, match="at least one document"):
        trust("rouge1", 0.02, documents=0)


def test_datasets_that_differ_are_told():
    """Relevance is not coverage: what holds of recall on the two pyramid sets does not foretell SummEval."""
    assert "foretell SummEval worse than a coin" in trust("rouge1.recall", 0.02).notes[0]


@pytest.mark.parametrize(
    ("metric", "column", "error", "words"),
    [
        ("rougeS9", None, DataError, r"with rougeS9.f1 is not known: calibrated are .*rouge1, .* \(English"),
        ("length", None, DataError, r"length.words describes and does not judge"),
        ("qags", None, DataError, r"with qags.f1 is not known: .* documents.*; .* `gistmeter trust fit`"),
        ("pyramid", None, DataError, r"itself the judgment"),
        ("rouge1.precision", None, DataError, r"rouge1.precision is not known: calibrated are rouge1.f1, rouge1.recal"),
        ("rouge1(stem=none)", None, DataError, r"it is calibrated with stem:porter, not with stem:none"),
        ("rouge1(alpha=0.8).f1", None, DataError, r"calibrated with alpha:0.5, not with alpha:0.8"),
        (ROUGE1.replace("language:en", "language:de"), None, DataError, "with language:en, not with language:de"),
        ("roge1", None, MetricError, "did you mean rouge1"),
        ("rouge1", "f2", MetricError, r"rouge1 has no score 'f2' \(it has precision, recall, f1\)"),
        ("rouge1.f1", "recall", MetricError, "say one of them"),
        ("rouge1", "rouge2.f1", MetricError, r"rouge1 has no score 'rouge2.f1'"),
    ],
)
def test_what_is_not_known_says_what_is(metric, column, error, words):
    with pytest.raises(error, match=words):
        trust(metric, 0.01, column=column)


def test_a_column_may_carry_the_name_of_its_metric():
    for metric in ("rouge1", "rouge1.recall", ROUGE1):
        assert trust(metric, 0.01, column="rouge1.recall") == trust("rouge1", 0.01, column="recall")


def test_two_systems_of_a_file_by_the_scores_that_are_shown_first(tmp_path):
    columns = tuple((f"rouge1.{name}", f"{ROUGE1}|v:1", "higher") for name in ("recall", "f1"))
    scores = scores_of({"a": [0.4, 0.4], "b": [0.3, 0.3]}, columns)
    scores.write(tmp_path / "scores.parquet")
    for given in (scores, tmp_path / "scores.parquet", str(tmp_path / "scores.parquet")):
        assert [answer.name for answer in trust_pair(given, "a", "b").answers] == ["rouge1.recall", "rouge1.f1"]
        assert [answer.name for answer in trust_pair(given, "a", "b", every=False).answers] == ["rouge1.f1"]


def test_two_systems_of_a_table():
    scores = scores_of({"a": [0.40, 0.42, 0.5], "b": [0.38, 0.41, float("nan")]})
    result = trust_pair(scores, "b", "a")
    # On the two documents that both have: (.02 + .01) / 2.
    assert result.answers[0].gap == pytest.approx(0.015)
    assert result.answers[0].documents == 2
    assert result.winners == ("a",)
    assert result.answers[0].share == pytest.approx(trust("rouge1", 0.015, documents=2).share)
    assert '"kind": "trust-pair"' in answer_json(result)


def test_two_systems_by_scores_of_which_nothing_is_known():
    columns = (("rouge1.f1", f"{ROUGE1}|v:1", "higher"), ("mine.score", "mine|v:1", "higher"))
    scores = scores_of({"a": [0.4, 0.4], "b": [0.3, 0.3]}, columns)
    assert trust_pair(scores, "a", "b").uncalibrated == ("mine.score",)
    with pytest.raises(DataError, match=r"agree with mine.score is not known"):
        trust_pair(scores, "a", "b", columns=["mine.score"])
    with pytest.raises(ArgumentError, match="itself"):
        trust_pair(scores, "a", "a")
    with pytest.raises(DataError, match="no system 'c'"):
        trust_pair(scores, "a", "c")


def test_a_pooled_column_has_no_calibration():
    scores = scores_of({"a": [0.4, 0.4], "b": [0.3, 0.3]})
    column = dataclasses.replace(scores.columns[0], parts=("x",))
    scores = Scores(scores.table, (column,))
    with pytest.raises(DataError, match="not known for any"):
        trust_pair(scores, "a", "b")


def test_notes_of_a_comparison():
    columns = (("rouge1.f1", f"{ROUGE1}|v:1", "higher"), ("words", "words|v:1", "neither"), ("mine.m", "mine", "lower"))
    scores = scores_of({"a": [0.40, 0.42] * 50, "b": [0.38, 0.40] * 50}, columns)
    first, last = comparison_notes(compare(scores, "b", "a"))
    assert first.startswith("people agree with a gap of 0.0200 rouge1.f1 68% [48, 95] of the time (SummEval 70%, ")
    assert last == "how often people agree with such gaps is not known for mine.m"
    assert comparison_notes(compare(scores, "a", "b"), columns=["rouge1.f1"]) == (first,)


def test_notes_of_a_ranking():
    scores = scores_of(
        {"a": [0.40, 0.42] * 50, "b": [0.38, 0.40] * 50, "c": [0.1, 0.1] * 50, "d": [float("nan")] * 100}
    )
    (note,) = ranking_notes(rank(scores, permutations=100))
    assert note.startswith("people agree with a gap of 0.0200 rouge1.f1 (a over b) 68% [48, 95] of the time")
    assert note.endswith("; 80% takes 0.0362")
    assert ranking_notes(rank(scores_of({"a": [0.3]}), permutations=10)) == ()


def test_the_sentence():
    assert answer_sentence(trust("rouge1", 1, points=True)) == (
        "A gap of 0.0100 rouge1.f1 (1 point) agrees with people 60% [53, 84] of the time on SummEval, "
        "58% [50, 69] on REALSumm, 59% [53, 68] on PyrXSum, 61% [44, 89] on RoSE."
    )
