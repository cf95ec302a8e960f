"""Tables of papers by language, subset and system, printed from the released scores and texts."""

import json
from collections import defaultdict

import numpy as np
import pytest

from gistmeter import meta
from gistmeter.io.runs import read_records
from gistmeter.judgments import Judgments

pytestmark = pytest.mark.data
LANGUAGES = ["EN", "ID", "FR", "TR", "ZH", "RU", "DE", "ES"]
MULTILINGUAL = [
    "bert-base-multilingual-cased",
    "bert-base-multilingual-uncased",
    "xlm-roberta-base",
    "xlm-roberta-large",
]
SIDES = {"focus": "precision", "coverage": "recall"}


@pytest.fixture(scope="module")
def expected(data):
    return json.loads((data / "multi_summeval/expected/correlations.json").read_text())


@pytest.fixture(scope="module")
def studies(data, expected):
    """The released BERTScores of all languages, by aspect; languages are groups of documents."""
    people = Judgments.read(data / "multi_summeval/multi_summeval.jsonl.gz")
    released = list(read_records(str(data / "multi_summeval/expected/bert_score.jsonl.gz")))
    studies = {}
    for aspect, side in SIDES.items():
        cells = defaultdict(dict)
        for record in released:
            if expected["bert_score_layer"][aspect].get(record["model"]) == record["layer"]:
                for doc_id, value in zip(record["doc_ids"], record[side], strict=True):
                    cells[record["model"]][record["system_id"], doc_id] = value
        for doc_id, system, value in people.means(aspect).iter_rows():
            cells[aspect][system, doc_id] = value
        documents = sorted({doc_id for _, doc_id in cells[aspect]}, key=lambda doc_id: LANGUAGES.index(doc_id[:2]))
        tables = {
            name: np.array(
                [[cells[name].get((system, doc_id), np.nan) for doc_id in documents] for system in ("PG", "BERT")]
            )
            for name in (*MULTILINGUAL, aspect)
        }
        studies[aspect] = meta.Study.from_tables(
            tables,
            aspects=[aspect],
            systems=("PG", "BERT"),
            documents=documents,
            groups={"language": {doc_id: doc_id[:2] for doc_id in documents}, "system": {"PG": "PG", "BERT": "BERT"}},
        )
    return studies


@pytest.mark.parametrize("aspect", SIDES)
def test_correlations_by_language(studies, expected, aspect):
    """Koto, Lau and Baldwin (2021), Table 2: four multilingual BERTScores in eight languages, to the printed digits."""
    answer = meta.by_group(meta.correlate, studies[aspect], group="language", level="pooled", coefficient="pearson")
    assert answer.columns == LANGUAGES
    for record in answer.records():
        for language in LANGUAGES:
            published = expected["bert_score"][aspect][language][record["metric"]]
            assert record[language] == pytest.approx(published, abs=1e-6)
    averages = {"focus": [0.71, 0.72, 0.67, 0.69], "coverage": [0.76, 0.76, 0.74, 0.74]}[aspect]
    # XLM (base) on coverage: the eight numbers printed have the mean .734, for which the paper prints .74.
    means = {record["metric"]: record["mean"] for record in answer.records()}
    assert [means[model] for model in MULTILINGUAL] == pytest.approx(averages, abs=0.0062)


def test_correlations_by_rank_and_language(studies):
    """Table 8, the row of mBERT (uncased) on coverage: Spearman by language, two decimals."""
    answer = meta.by_group(
        meta.correlate, studies["coverage"], group="language", level="pooled", coefficient="spearman"
    )
    row = next(record for record in answer.records() if record["metric"] == "bert-base-multilingual-uncased")
    published = [0.60, 0.73, 0.60, 0.85, 0.77, 0.63, 0.77, 0.66]
    assert [row[language] for language in LANGUAGES] == pytest.approx(published, abs=0.0051)


def test_correlations_by_system_and_language(studies):
    """Table 7, mBERT (cased) on coverage: each of the two systems in each language.

    English is not reached: PG and BERT have .663 and .672 here, .67 and .68 in the paper. Why is not known: the printed
    numbers of both systems together are reached in English too.
    """
    answer = meta.by_group(
        meta.correlate, studies["coverage"], group=["system", "language"], level="pooled", coefficient="pearson"
    )
    row = next(record for record in answer.records() if record["metric"] == "bert-base-multilingual-cased")
    pointer = [0.67, 0.75, 0.67, 0.85, 0.82, 0.70, 0.91, 0.72]
    bert = [0.68, 0.71, 0.74, 0.89, 0.76, 0.69, 0.90, 0.72]
    assert [row["PG EN"], row["BERT EN"]] == pytest.approx([0.663, 0.672], abs=0.001)
    assert [row[f"PG {language}"] for language in LANGUAGES[1:]] == pytest.approx(pointer[1:], abs=0.0051)
    assert [row[f"BERT {language}"] for language in LANGUAGES[1:]] == pytest.approx(bert[1:], abs=0.0051)


def test_agreement_by_language(data):
    """Table 1: one rater against the rest, two decimals; English raters were not released, and its column is empty."""
    answer = meta.agreement_by_group(data / "multi_summeval/multi_summeval.jsonl.gz", group="language")
    rows = {(row["judgment"], row["measure"]): row for row in answer.records()}
    published = {
        "focus": [0.64, 0.63, 0.74, 0.61, 0.60, 0.78, 0.60],
        "coverage": [0.63, 0.65, 0.79, 0.60, 0.64, 0.83, 0.61],
    }
    for judgment, values in published.items():
        row = rows[judgment, "one against the rest"]
        assert [row[language.lower()] for language in LANGUAGES[1:]] == pytest.approx(values, abs=0.011)
        assert np.isnan(row["en"])
    assert answer.notes == ("en: there are no judgments by single raters",)


def test_correlations_by_subset_and_system(data):
    """FFCI, Table 4: ROUGE with focus on CNN/DM and XSum by PG and BERT, within .01 (another ROUGE implementation)."""
    answer = meta.by_group(
        meta.correlate,
        data / "ffci/focus_coverage.jsonl.gz",
        metrics=["rouge1.precision", "rouge2.precision"],
        aspect="focus",
        group=["subset", "system"],
        level="pooled",
        coefficient="pearson",
    )
    columns = ["cnndm PG", "cnndm BERT", "xsum PG", "xsum BERT"]
    first, second = answer.records()
    assert [first[column] for column in columns] == pytest.approx([0.607, 0.623, 0.540, 0.562], abs=0.01)
    assert [second[column] for column in columns] == pytest.approx([0.595, 0.552, 0.564, 0.454], abs=0.01)


def test_correlations_by_type_of_system(data):
    """REALSumm's extractive and abstractive systems: groups of systems, not of documents."""
    file = data / "realsumm/realsumm.jsonl.gz"
    study = meta.open_study(file, metrics="rouge2.recall", group="system_kind")
    answer = meta.by_group(meta.correlate, study, group="system_kind", level="system", coefficient="kendall")
    assert {size.group: (size.systems, size.documents) for size in answer.sizes} == {
        "abstractive": (14, 100),
        "extractive": (11, 100),
    }
    assert answer.records()[0]["abstractive"] > answer.records()[0]["extractive"]
