"""A question by groups: where groups come from, columns, means and ranks by hand, and groups with too little data."""

import json

import numpy as np
import pytest

from gistmeter import Scores, meta, stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.judgments import Judgments
from gistmeter.meta import Study, open_study
from gistmeter.meta.groups.split import split_study

SYSTEMS, DOCUMENTS = ("lead", "bart"), ("d1", "d2", "d3", "d4")
LANGUAGES = {"d1": "en", "d2": "en", "d3": "de", "d4": "de"}
GOOD = [[1.0, 2.0, 5.0, 1.0], [2.0, 3.0, 8.0, 4.0]]
POOR = [[2.0, 1.0, 3.0, 4.0], [2.0, 4.0, 1.0, 3.0]]
RATED = [[1.0, 3.0, 5.0, 2.0], [2.0, 4.0, 6.0, 3.0]]


@pytest.fixture
def study():
    return Study.from_tables(
        {"good": GOOD, "poor": POOR, "rated": RATED}, aspects=["rated"], systems=SYSTEMS, documents=DOCUMENTS
    )


def pooled(*sources, **options):
    return meta.by_group(meta.correlate, *sources, level="pooled", coefficient="pearson", **options)


def test_columns_means_and_ranks_by_hand(study):
    answer = pooled(study.with_groups({"language": LANGUAGES}), group="language")
    good, poor = answer.records()
    # en: the summaries of d1 and d2. good (1, 2, 2, 3), poor (2, 1, 2, 4), people (1, 3, 2, 4).
    en_good = np.corrcoef([1, 2, 2, 3], [1, 3, 2, 4])[0, 1]
    en_poor = np.corrcoef([2, 1, 2, 4], [1, 3, 2, 4])[0, 1]
    # de: those of d3 and d4. good (5, 1, 8, 4), poor (3, 4, 1, 3), people (5, 2, 6, 3).
    de_good = np.corrcoef([5, 1, 8, 4], [5, 2, 6, 3])[0, 1]
    de_poor = np.corrcoef([3, 4, 1, 3], [5, 2, 6, 3])[0, 1]
    assert [good["en"], good["de"], good["mean"]] == pytest.approx([en_good, de_good, (en_good + de_good) / 2])
    assert [poor["en"], poor["de"]] == pytest.approx([en_poor, de_poor])
    assert [good["rank"], poor["rank"]] == [1.0, 2.0]
    assert [(size.group, size.systems, size.documents) for size in answer.sizes] == [("en", 2, 2), ("de", 2, 2)]


def test_a_score_without_a_direction_is_taken_one_way_in_all_groups(study):
    # Lengths go against people in German (5, 2, 6, 3 against 1, 4, 0, 4) and with them, less, in English (1, 3, 2, 4
    # against 2, 2, 2, 3): on the whole against them, so that the sign is turned in both. |r| would be .77 in English.
    lengths = [[2.0, 2.0, 1.0, 4.0], [2.0, 3.0, 0.0, 4.0]]
    tables = {"length.words": lengths, "rated": RATED}
    lengthy = Study.from_tables(
        tables, aspects=["rated"], systems=SYSTEMS, documents=DOCUMENTS, groups={"language": LANGUAGES}
    )
    answer = pooled(lengthy, group="language")
    [row] = answer.rows
    en = np.corrcoef([2, 2, 2, 3], [1, 3, 2, 4])[0, 1]
    de = np.corrcoef([1, 4, 0, 4], [5, 2, 6, 3])[0, 1]
    assert en > 0 > en + de
    assert row.values == pytest.approx([-en, -de])
    (note,) = answer.notes
    assert note == (
        "length.words: neither high nor low is better; taken one way in all groups, that in which it goes with people "
        "on the whole (`lower` or `higher` gives a sign)"
    )
    assert pooled(lengthy, group="language", higher="length.words").rows[0].values == pytest.approx([en, de])


def test_the_caption_says_why_no_best_is_marked(study):
    from gistmeter.report.sheets.groups import grouped_caption

    grouped = study.with_groups({"language": LANGUAGES})
    assert grouped_caption(pooled(grouped, group="language")).endswith(
        "averaged over the groups. No best is marked, as nothing is tested: meta test by the same groups marks them."
    )
    alone = pooled(grouped, group="language", metrics="good")
    assert grouped_caption(alone).endswith("averaged over the groups.")


def test_groups_of_systems_and_of_both(study):
    typed = study.with_groups({"type": {"lead": "extractive", "bart": "abstractive"}, "language": LANGUAGES})
    by_type = split_study(typed, ["type"]).studies
    assert {name: part.systems for name, part in by_type.items()} == {"extractive": ("lead",), "abstractive": ("bart",)}
    both = split_study(typed, ["language", "type"]).studies
    assert list(both) == ["en extractive", "en abstractive", "de extractive", "de abstractive"]
    assert both["de abstractive"]["good"].tolist() == [[8.0, 4.0]]
    assert both["de abstractive"].documents == ("d3", "d4")


def test_a_field_of_single_summaries_leaves_other_cells_missing(study):
    records = [
        {"doc_id": doc_id, "system": system, "length": "long" if (system, doc_id) != ("lead", "d1") else "short"}
        for system in SYSTEMS
        for doc_id in DOCUMENTS
    ]
    scores = Scores.from_metadata(_frame(GOOD, {"length": [record["length"] for record in records]}), None)
    judged = Judgments.from_records(_judgment_records())
    parts = split_study(open_study(scores, judged, group="length"), ["length"]).studies
    assert parts["short"]["m"].tolist() == [[1.0]]
    assert np.isnan(parts["long"]["m"][0, 0])
    assert parts["long"]["m"][1, 0] == 2.0


def _frame(table, extra):
    import polars as pl

    cells = [(doc_id, system) for system in SYSTEMS for doc_id in DOCUMENTS]
    columns = {"doc_id": [doc for doc, _ in cells], "system": [system for _, system in cells], **extra}
    return pl.DataFrame({**columns, "m": np.ravel(table)})


def _judgment_records(**fields):
    return [
        {"doc_id": doc_id, "system": system, "human": {"rated": RATED[row][column]}}
        | {name: values[doc_id] for name, values in fields.items()}
        for row, system in enumerate(SYSTEMS)
        for column, doc_id in enumerate(DOCUMENTS)
    ]


def _write_lines(path, records):
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def test_the_field_is_read_wherever_it_stands(tmp_path, study):
    """In a run, in judgments, in a column of a table of scores, in a matrix file, or as an argument."""
    expected = pooled(study.with_groups({"language": LANGUAGES}), group="language", metrics="good").records()[0]
    languages = [LANGUAGES[doc_id] for _ in SYSTEMS for doc_id in DOCUMENTS]
    csv, plain_csv = tmp_path / "scores.csv", tmp_path / "plain.csv"
    _frame(GOOD, {"language": languages}).write_csv(csv)
    _frame(GOOD, {}).write_csv(plain_csv)
    judged = _write_lines(tmp_path / "judged.jsonl", _judgment_records())
    spoken = _write_lines(tmp_path / "spoken.jsonl", _judgment_records(lang=LANGUAGES))
    matrix = tmp_path / "study.json"
    content = {"systems": SYSTEMS, "documents": DOCUMENTS, "scores": {"m": GOOD, "rated": RATED}, "human": ["rated"]}
    matrix.write_text(json.dumps({**content, "groups": {"language": list(LANGUAGES.values())}}))
    sources = [
        ((csv, judged), {}),
        ((plain_csv, spoken), {}),
        ((matrix,), {}),
        ((plain_csv, judged), {"groups": {"language": LANGUAGES}}),
    ]
    for files, options in sources:
        [record] = pooled(*files, group="language", **options).records()
        assert [record[key] for key in ("en", "de", "mean")] == pytest.approx(
            [expected[key] for key in ("en", "de", "mean")]
        )


def test_a_run_has_its_records_fields(tmp_path):
    records = [
        {
            "doc_id": f"{subset}{number}",
            "system": system,
            "subset": subset,
            "summary": text,
            "references": ["the cat sat on the mat"],
            "human": {"focus": value},
        }
        for subset in ("news", "mail")
        for number in range(2)
        for system, text, value in (("a", "the cat sat", 3 + number), ("b", "a dog", 1), ("c", "the mat sat here", 2))
    ]
    path = _write_lines(tmp_path / "run.jsonl", records)
    answer = meta.by_group(meta.correlate, path, metrics="rouge1.precision", group="subset", level="pooled")
    assert answer.columns == ["news", "mail"]
    whole = meta.correlate(open_study(path, metrics="rouge1.precision"), level="pooled", coefficient="pearson")
    # Both subsets have the same texts and judgments, so each has the correlation of the whole.
    assert answer.records()[0]["news"] == pytest.approx(whole.rows[0].correlation.value)
    assert answer.records()[0]["mail"] == pytest.approx(whole.rows[0].correlation.value)


def test_a_group_with_too_little_data_is_named_and_empty(study):
    codes = {"d1": "en", "d2": "en", "d3": "de", "d4": "fr"}
    grouped = study.with_groups({"language": codes, "type": {"lead": "old"}})
    answer = meta.by_group(meta.interval, grouped, group="language", level="pooled", method="documents", resamples=20)
    assert [cell is None for cell in answer.rows[0].cells] == [False, True, True]
    assert "de is empty (2 systems, 1 document): " in " ".join(answer.notes)
    assert np.isnan(answer.records()[0]["fr"])
    assert answer.records()[0]["mean"] == answer.records()[0]["en"]
    # bart has no type: its four summaries are left out, and that is said.
    assert pooled(grouped, group="type").notes[0] == "left out 4 summaries without type"
    with pytest.raises(DataError, match="no group by doc_id has an answer; d4 is empty"):
        meta.by_group(meta.interval, study.with_groups({"doc_id": {d: d for d in DOCUMENTS}}), group="doc_id")


def test_wrong_groups_are_named(tmp_path, study):
    with pytest.raises(DataError, match="name no system and no document of the study"):
        study.with_groups({"language": {"d9": "en"}})
    with pytest.raises(DataError, match="are a list of 3 for 2 systems and 4 documents"):
        study.with_groups({"language": ["en", "de", "en"]})
    with pytest.raises(DataError, match="not a name but a dict"):
        study.with_groups({"language": {"d1": {"code": "en"}}})
    path = _write_lines(tmp_path / "judged.jsonl", _judgment_records(language=LANGUAGES))
    _frame(GOOD, {"subset": ["x"] * 8}).write_csv(tmp_path / "scores.csv")
    with pytest.raises(DataError, match=r"no field 'lnguage' to group by in .*; did you mean language"):
        open_study(tmp_path / "scores.csv", path, group="lnguage")
    _frame(GOOD, {"language": ["fr"] * 8}).write_csv(tmp_path / "other.csv")
    with pytest.raises(DataError, match="document d1 by lead has two values of 'language', fr and en"):
        open_study(tmp_path / "other.csv", path, group="language")
    with pytest.raises(DataError, match="the study has no groups 'language'"):
        split_study(study, ["language"])
    with pytest.raises(ArgumentError, match="say what to group by"):
        meta.by_group(meta.correlate, study, group=[])
    with pytest.raises(DataError, match="there is no score or aspect 'god'"):
        pooled(study.with_groups({"language": LANGUAGES}), group="language", metrics="god")


def test_fewer_than_five_systems_are_no_system_level():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(5, 12))
    tables = {"a": people + rng.normal(size=(5, 12)), "b": people + rng.normal(size=(5, 12)), "rated": people}
    questions = (
        (meta.correlate, {}),
        (meta.interval, {"resamples": 20, "method": "documents"}),
        (meta.test, {"permutations": 20}),
    )
    for count, expected in ((5, 0), (4, 1)):
        study = Study.from_tables({name: table[:count] for name, table in tables.items()}, aspects=["rated"])
        for question, options in questions:
            at_system = question(study, level="system", coefficient="pearson", **options).notes
            warned = [note for note in at_system if note.startswith("there are 4 systems only")]
            assert len(warned) == expected
            pooled_notes = question(study, level="pooled", coefficient="pearson", **options).notes
            assert not any("says little" in note for note in pooled_notes)
    grouped = study.with_groups({"half": ["first"] * 6 + ["second"] * 6})
    answer = meta.by_group(meta.correlate, grouped, group="half", level="system", coefficient="pearson")
    assert sum("says little" in note for note in answer.notes) == 1


def test_a_group_may_have_the_name_of_a_column(study):
    answer = pooled(study.with_groups({"statistic": ["mean", "mean", "rank", "rank"]}), group="statistic")
    assert list(answer.records()[0])[4:] == ["statistic mean", "statistic rank", "mean", "rank"]


def test_the_best_and_what_is_not_told_from_it_are_marked():
    """Two good metrics that differ by nothing but noise, and one that is far worse, in each of two groups."""
    rng = np.random.default_rng(5)
    people = rng.normal(size=(10, 40))
    tables = {
        "good": people + 0.5 * rng.normal(size=(10, 40)),
        "as good": people + 0.5 * rng.normal(size=(10, 40)),
        "noise": rng.normal(size=(10, 40)),
        "rated": people,
    }
    study = Study.from_tables(tables, aspects=["rated"], groups={"half": ["one"] * 20 + ["two"] * 20})
    answer = meta.by_group(meta.test, study, group="half", level="summary", coefficient="pearson", permutations=200)
    marks = [[(cell.best, cell.tied) for cell in row.cells] for row in answer.rows]
    for column in (0, 1):
        assert sorted(row[column] for row in marks[:2]) == [(False, True), (True, False)]
        assert marks[2][column] == (False, False)


def test_two_metrics_are_tested_in_each_group(study):
    grouped = study.with_groups({"language": LANGUAGES})
    answer = meta.by_group(
        meta.test, grouped, group="language", level="pooled", coefficient="pearson", method="both", permutations=50
    )
    rows = {record["metric"]: record for record in answer.records()}
    assert list(rows) == ["good", "poor", "difference", "p"]
    assert rows["difference"]["en"] == pytest.approx(rows["good"]["en"] - rows["poor"]["en"])
    assert 0 < rows["p"]["de"] <= 1
    assert np.isnan(rows["p"]["rank"])


def test_average_ranks_of_a_published_table():
    """FFCI (Koto, Baldwin and Lau 2022): Table 5 is the average rank of the rows of Table 4, the best of a family."""
    focus = {
        "ROUGE": [0.607, 0.623, 0.564, 0.562],
        "BLEU": [0.511, 0.442, 0.526, 0.304],
        "QAGS": [0.543, 0.611, 0.541, 0.527],
        "STS": [0.524, 0.526, 0.444, 0.617],
        "BERTScore": [0.634, 0.643, 0.583, 0.552],
        "GPT2Score": [0.665, 0.625, 0.577, 0.581],
    }
    ranks = dict(zip(focus, stats.average_ranks(list(focus.values())), strict=True))
    assert ranks == {"ROUGE": 3.0, "BLEU": 5.75, "QAGS": 4.25, "STS": 4.25, "BERTScore": 2.0, "GPT2Score": 1.75}
    # A method without a value comes last; a group in which nothing is defined does not count.
    assert stats.average_ranks([[np.nan, 0.2, np.nan], [0.1, 0.4, np.nan]]).tolist() == [2.0, 1.0]
