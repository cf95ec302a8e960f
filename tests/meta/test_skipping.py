"""A metric without an answer is named and left out; the others are answered. Parts of an answer may be missing."""

import json
import math

import numpy as np
import pytest

from gistmeter import meta
from gistmeter.errors import DataError

pytestmark = pytest.mark.more


@pytest.fixture
def study():
    """Eight systems, twenty documents: two metrics, one that is always 1, one that has no scores, and people."""
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, 8)[:, None]
    tables = {name: quality + rng.normal(0, noise, (8, 20)) for name, noise in (("good", 0.3), ("poor", 3))}
    tables |= {
        "flat": np.ones((8, 20)),
        "none": np.full((8, 20), np.nan),
        "rated": quality + rng.normal(0, 0.3, (8, 20)),
    }
    return meta.Study.from_tables(tables, aspects=["rated"], better="higher")


QUESTIONS = {
    "correlate": {"level": "system"},
    "folds": {"level": "summary", "folds": 2},
    "interval": {"level": "system", "resamples": 20},
    "pairs": {"permutations": 20},
    "normality": {"level": "system"},
    "stability": {"trials": 10},
    "test": {"permutations": 20},
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_constant_metric_is_left_out_and_named(study, question):
    ask = getattr(meta, question)
    answer = ask(study, **QUESTIONS[question])
    without = ask(study, metrics=["good", "poor"], **QUESTIONS[question])
    if question == "test":  # of the two that are left
        assert (answer.x, answer.y, answer.test) == (without.x, without.y, without.test)
    else:
        assert answer.records() == without.records()
    assert without.notes == ()
    assert any(note.startswith("flat is left out: ") for note in answer.notes)
    assert any(note.startswith("none is left out: ") for note in answer.notes)


@pytest.mark.parametrize("question", [*QUESTIONS, "coverage", "power"])
def test_alone_it_is_an_error_that_names_it(study, question):
    single = {"metric": "flat"} if question in ("coverage", "power") else {"metrics": "flat"}
    settings = QUESTIONS.get(question, {})
    if question in ("normality", "stability"):  # people are looked at, too
        assert getattr(meta, question)(study, **single, **settings).rows[0].score == "rated"
    elif question == "test":
        with pytest.raises(DataError, match=r"^flat: "):
            meta.test(study, metrics=["poor", "flat"], **settings)
    else:
        with pytest.raises(DataError, match=r"^flat: "):
            getattr(meta, question)(study, **single, **settings)


def test_the_policy_for_undefined_correlations_still_holds(study):
    with pytest.raises(DataError, match=r"^flat: "):
        meta.correlate(study, undefined="error")
    [row] = meta.correlate(study, metrics="flat", undefined="zero", level="summary", coefficient="pearson").rows
    assert (row.correlation.value, row.correlation.undefined) == (0, 20)


def test_of_three_the_two_with_a_correlation_are_tested(study):
    answer = meta.test(study, metrics=["good", "flat", "poor"], permutations=20)
    assert isinstance(answer, meta.PairTest)
    with pytest.raises(DataError, match=r"^flat: "):
        meta.test(study, metrics=["good", "flat", "none"], permutations=20)


def level_study():
    """Six systems, ten documents; `level` has the same mean for all systems, but scores that differ."""
    rng = np.random.default_rng(5)
    rated = np.linspace(0, 1, 6)[:, None] + rng.normal(0, 0.2, (6, 10))
    level = np.array([np.roll(range(10), shift) for shift in range(6)], dtype=float)
    tables = {"good": rated + rng.normal(0, 0.2, (6, 10)), "level": level, "rated": rated, "again": rated}
    return meta.Study.from_tables(tables, aspects=["rated", "again"], better="higher")


def test_a_metric_with_some_answers_is_not_called_left_out():
    study = level_study()
    lacking = "level: no system pearson, system kendall: "
    asked = {"aspect": "rated", "coefficient": ["pearson", "kendall"]}
    for answer in (meta.correlate(study, **asked), meta.table(study, permutations=100, **asked)):
        (note,) = (note for note in answer.notes if note.startswith("level"))
        assert note.startswith(lacking)
    interval = meta.interval(study, aspect="rated", coefficient="pearson", resamples=20)
    assert any(note.startswith("level: no system pearson: ") for note in interval.notes)
    at_system = meta.correlate(study, **asked, level="system")
    assert any(note.startswith("level is left out: ") for note in at_system.notes)
    both = meta.correlate(study, aspect=["rated", "again"], coefficient="pearson")
    assert any(
        note.startswith("level: no system pearson with rated, system pearson with again: ") for note in both.notes
    )


def test_pairs_gives_what_it_can():
    # Two systems: there is a pair to rank, but no curve over pairs, and one document tells nothing apart.
    tables = {"metric": [[1.0], [2.0]], "people": [[1.0], [3.0]]}
    answer = meta.pairs(meta.Study.from_tables(tables, aspects=["people"], better="higher"), permutations=20)
    [row] = answer.rows
    assert row.accuracy.value == 1
    assert (row.significant, row.closest) == (None, None)
    [record] = answer.records()
    assert math.isnan(record["significant pairs"])
    assert math.isnan(record["closest 100%"])
    assert answer.details() == {"curves": {}}
    assert [note.partition(": no ")[2].partition(":")[0] for note in answer.notes] == [
        "significant pairs",
        "closest pairs",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("interval", "--resamples", "20"),
        ("stability", "--trials", "10"),
        ("pairs", "--permutations", "20"),
        ("pairs", "--permutations", "20", "--heat"),
        ("matrix",),
        ("test", "--permutations", "20"),
        pytest.param(
            ("plan", "--level", "summary", "--coefficient", "pearson", "--difference", "0.2"), marks=pytest.mark.slow
        ),
    ],
)
def test_figures_are_drawn_with_two_metrics_and_with_a_constant_third(command, study, tmp_path, arguments):
    data = {"systems": study.systems, "documents": study.documents, "human": ["rated"], "better": "higher"}
    data["scores"] = {name: study[name].tolist() for name in ("good", "poor", "flat", "rated")}
    (tmp_path / "study.json").write_text(json.dumps(data))
    named = () if arguments[0] == "plan" else ((),)
    for metrics in (("--metric", "good", "--metric", "poor"), *named):
        code, _, err = command("meta", arguments[0], "study.json", *arguments[1:], *metrics, "--figure", "figure.svg")
        assert code == 0, err
        assert (tmp_path / "figure.svg").read_text().startswith("<svg")
        (tmp_path / "figure.svg").unlink()


@pytest.mark.parametrize("question", ["correlate", "folds", "interval", "test"])
def test_judgments_that_are_all_the_same_are_named_and_not_a_metric(study, question):
    flat_people = meta.Study.from_tables(
        {**study.tables, "rated": np.full((8, 20), 3.0)}, aspects=["rated"], better="higher"
    )
    with pytest.raises(DataError, match=r"^rated: all judgments are the same"):
        getattr(meta, question)(flat_people, **QUESTIONS[question])


def test_one_constant_aspect_of_two_is_left_out(study):
    two = meta.Study.from_tables(
        {**study.tables, "always 3": np.full((8, 20), 3.0)}, aspects=["always 3", "rated"], better="higher"
    )
    answer = meta.correlate(two, metrics="good", aspect=["always 3", "rated"], level="system", coefficient="pearson")
    assert [row.aspect for row in answer.rows] == ["rated"]
    assert answer.notes == ("always 3 is left out: all judgments are the same",)
