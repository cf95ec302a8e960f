"""Which way is good: scores of which lower is better are turned, in every question, and the answer says so."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter import meta
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.metrics.column_names import find_direction
from gistmeter.scores import ScoreColumn

pytestmark = pytest.mark.more

DEMO_JUDGMENTS = demo_run().with_name("judgments.jsonl")
TURNED = "errors: lower is better, its sign is turned"
PEOPLE = [[1, 3], [0, 2], [2, 4]]
# The negative of a metric whose system means are 1, 2, 4 against people's 2, 1, 3: of three pairs two are alike.
ERRORS = [[0, -2], [-3, -1], [-3, -5]]


def direction_notes(answer):
    """The notes on directions: three systems are few, which another note says."""
    return tuple(note for note in answer.notes if "systems only" not in note)


def hand_study(**directions):
    return meta.Study.from_tables(
        {"errors": ERRORS, "people": PEOPLE}, aspects=["people"], better={"people": "higher", **directions}
    )


@pytest.fixture
def study():
    """Twelve systems, twenty documents: a metric, its negative, something without a direction, and people."""
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, 12)[:, None]
    good = quality + rng.normal(0, 0.5, (12, 20))
    poor = quality + rng.normal(0, 3, (12, 20))
    rated = quality + rng.normal(0, 0.3, (12, 20))
    tables = {"good": good, "errors": -good, "poor": poor, "size": 3 - quality + 0 * good + 0.1 * poor, "rated": rated}
    better = {"good": "higher", "errors": "lower", "poor": "higher", "size": "neither", "rated": "higher"}
    return meta.Study.from_tables(tables, aspects=["rated"], better=better)


def test_by_hand():
    # The metric's means are -1, -2, -4. Turned: 1, 2, 4 against 2, 1, 3, two of three pairs alike: (2 - 1) / 3.
    answer = meta.correlate(hand_study(errors="lower"), level="system", coefficient="kendall")
    assert answer.rows[0].correlation.value == pytest.approx(1 / 3)
    assert direction_notes(answer) == (TURNED,)
    raw = meta.correlate(hand_study(errors="higher"), level="system", coefficient="kendall")
    assert raw.rows[0].correlation.value == pytest.approx(-1 / 3)
    assert direction_notes(raw) == ()
    absolute = meta.correlate(hand_study(errors="neither"), level="system", coefficient="kendall")
    assert absolute.rows[0].correlation.value == pytest.approx(1 / 3)
    assert "so |r| is shown" in absolute.notes[0]


def test_people_may_count_errors_too():
    study = meta.Study.from_tables({"metric": PEOPLE, "mistakes": ERRORS}, aspects=["mistakes"], better="higher")
    options = {"level": "system", "coefficient": "kendall"}
    assert meta.correlate(study, **options).rows[0].correlation.value == pytest.approx(-1 / 3)
    turned = meta.correlate(study, lower="mistakes", **options)
    assert turned.rows[0].correlation.value == pytest.approx(1 / 3)
    assert direction_notes(turned) == ("mistakes: lower is better, its sign is turned",)
    # Both turned: the sign of either alone would be wrong.
    both = meta.correlate(study, lower=["metric", "mistakes"], **options)
    assert both.rows[0].correlation.value == pytest.approx(-1 / 3)
    # An aspect of which neither is better leaves no sign to any correlation with it.
    aimless = meta.Study.from_tables(
        {"metric": PEOPLE, "mistakes": ERRORS}, aspects=["mistakes"], better={"metric": "higher", "mistakes": "neither"}
    )
    assert meta.correlate(aimless, **options).rows[0].correlation.value == pytest.approx(1 / 3)
    with pytest.raises(ArgumentError, match="of mistakes neither high nor low is better"):
        meta.pairs(aimless)


# Each question with what it needs; of a score and of its negative, of which lower is better, all must answer alike.
ALIKE = {
    "correlate": {},
    "folds": {"folds": 3},
    "interval": {"resamples": 30},
    "pairs": {"permutations": 30},
    "coverage": {"trials": 3, "resamples": 20},
    "power": {"trials": 2, "permutations": 20},
    "plan": {"width": 0.4},
    "normality": {},
    "stability": {"trials": 20},
}


@pytest.mark.parametrize("question", ALIKE)
def test_a_score_and_its_negative_answer_alike(study, question):
    ask = getattr(meta, question)
    single = question in ("coverage", "power")

    def answer(name):
        names = {"metric": name} if single else {"metrics": [name]}
        result = ask(study, **names, **ALIKE[question])
        rows = [{**row, "metric": "", "score": ""} for row in result.records() if row.get("score") != "rated"]
        return rows, result.notes

    rows, notes = answer("good")
    turned, turned_notes = answer("errors")
    assert notes == ()
    assert turned_notes == (() if question in ("normality", "stability") else (TURNED,))
    for row, turned_row in zip(rows, turned, strict=True):
        assert row == pytest.approx(turned_row, nan_ok=True)


def test_a_test_compares_what_more_of_is_better(study):
    two = meta.test(study, metrics=["errors", "poor"], level="summary", coefficient="pearson", permutations=99)
    assert two.test.of_x == pytest.approx(
        meta.correlate(study, metrics="good", level="summary").rows[0].correlation.value
    )
    assert two.test.statistic > 0
    assert two.notes == (TURNED,)
    everything = meta.test(study, level="summary", coefficient="pearson", permutations=99)
    assert everything.comparison.names == ("good", "errors", "poor")  # `size` has no direction to be ranked in
    assert everything.notes[0] == TURNED
    assert everything.notes[1].startswith("size: neither high nor low is better; it is left out")
    beaten = {row["metric"]: row["better than"] for row in everything.to_dict()["metrics"]}
    assert beaten["errors"] == beaten["good"] == ["poor"]


@pytest.mark.parametrize(
    "ask",
    [
        lambda study, **directions: meta.test(study, metrics=["size", "poor"], permutations=20, **directions),
        lambda study, **directions: meta.pairs(study, metrics="size", permutations=20, **directions),
        pytest.param(
            lambda study, **directions: meta.plan(
                study, metrics=["size", "poor"], difference=0.3, level="summary", coefficient="pearson", **directions
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_has_no_direction_is_not_ranked_unless_the_user_gives_it_one(study, ask):
    with pytest.raises(ArgumentError, match="`lower=size` or `higher=size`"):
        ask(study)
    assert ask(study, lower="size").notes[0] == "size: lower is better, its sign is turned"


def test_a_plan_of_two_metrics_needs_their_directions(study):
    with pytest.raises(ArgumentError, match="`lower=size` or `higher=size`"):
        meta.plan(study, metrics=["size", "poor"], difference=0.3)


def test_what_has_no_direction_is_left_out_of_pairs(study):
    answer = meta.pairs(study, permutations=20)
    assert [row.metric for row in answer.rows] == ["good", "errors", "poor"]
    good, errors, _ = answer.rows
    assert good.accuracy == errors.accuracy
    assert "size: neither high nor low is better; it is left out" in answer.notes[1]
    only_size = meta.Study.from_tables({"size": PEOPLE, "h": PEOPLE}, aspects=["h"], better={"size": "neither"})
    with pytest.raises(ArgumentError, match="of size neither"):
        meta.pairs(only_size)


@pytest.mark.parametrize(
    ("question", "settings"),
    [
        ("correlate", {"level": "summary"}),
        ("folds", {"level": "system", "folds": 3}),
        ("interval", {"level": "system", "resamples": 30}),
    ],
)
def test_without_a_direction_the_absolute_value_is_shown(study, question, settings):
    ask = getattr(meta, question)
    negative = ask(study, metrics="size", higher="size", **settings).records()
    absolute = ask(study, metrics="size", **settings)
    outcome = "over all folds together" if question == "folds" else "so |r| is shown"
    assert outcome in absolute.notes[0]
    for row, raw in zip(absolute.records(), negative, strict=True):
        value = "mean" if question == "folds" else "value"
        assert raw[value] < 0
        assert row[value] == pytest.approx(-raw[value])
        for low, high in (("low", "high"), ("lowest", "highest")):
            if low in row:
                assert row[low] == pytest.approx(-raw[high])


def test_power_and_plan_take_it_the_way_it_goes_with_people(study):
    options = {"metric": "size", "trials": 3, "permutations": 20, "level": "summary"}
    taken_low, undirected = meta.power(study, lower="size", **options), meta.power(study, **options)
    assert undirected.records() == taken_low.records()
    # Taken as higher is better, its worse versions would seem to be the better ones.
    assert meta.power(study, higher="size", **options).records() != taken_low.records()
    assert "so |r| is shown" in undirected.notes[0]


def test_a_matrix_turns_signs_and_leaves_what_has_no_direction(study):
    names = ["good", "errors", "size", "rated"]
    answer = meta.matrix(study, metrics=names, level="system")
    values = answer.matrix.values
    raw = np.corrcoef([study[name].mean(axis=1) for name in names])
    assert values[0, 1] == pytest.approx(1)
    assert raw[0, 1] == pytest.approx(-1)
    assert values[1, 3] == pytest.approx(-raw[1, 3])
    assert values[0, 2] == pytest.approx(raw[0, 2])
    assert answer.notes[1].startswith("size: neither high nor low is better; its sign is not turned")
    [row] = meta.matrix(study, metrics="errors", anchors=("good", "rated"), level="system").anchors.rows
    assert row.first == pytest.approx(1)


def test_the_best_of_several_references_is_the_least_where_lower_is_better():
    people = gm.Judgments.read(DEMO_JUDGMENTS)
    options = {"metric": "rouge1.f1", "level": "summary", "combine": "max", "trials": 2}
    turned = meta.references(demo_run(), people, lower="rouge1.f1", **options)
    assert turned.notes == ("rouge1.f1: lower is better, its sign is turned",)
    # With both references the best is the least: correlate its negative by hand.
    examples = gm.read_run(demo_run())
    by_reference = [
        gm.score([replace(example, references=example.references[index : index + 1]) for example in examples], "rouge1")
        .matrix("rouge1.f1")
        .values
        for index in range(2)
    ]
    rated = meta.open_study(gm.score(examples, "rouge1"), people)["content"]
    expected = gm.stats.correlate(-np.minimum(*by_reference), rated, level="summary").value
    assert turned.levels[0].points[-1].value == pytest.approx(expected)


@pytest.fixture(scope="module")
def demo_scores():
    return gm.score(demo_run(), "rouge1,js,novelty,repetition")


def test_on_the_demo_divergence_and_repetition_agree_with_people(demo_scores):
    people = gm.Judgments.read(DEMO_JUDGMENTS)
    answer = meta.correlate(demo_scores, people, level="summary", coefficient="kendall")
    values = {row.metric: row.correlation.value for row in answer.rows}
    assert all(value > 0 for value in values.values())
    assert answer.notes[0].startswith("js.divergence, repetition.repeat1")
    assert answer.notes[1].startswith("novelty.novel1, novelty.novel2, novelty.novel3, novelty.novel4: neither")
    raw = gm.stats.correlate(
        demo_scores.matrix("js.divergence").values,
        meta.open_study(demo_scores, people)["content"],
        level="summary",
        coefficient="kendall",
    ).value
    assert values["js.divergence"] == pytest.approx(-raw)
    # By system it stands between ROUGE's recall and its precision, where its negative was the last of all.
    table = meta.test(demo_scores, people, method="both", permutations=50)
    order = [table.comparison.names[index] for index in table.order]
    assert order.index("rouge1.recall") < order.index("js.divergence") < order.index("rouge1.precision")
    assert not [name for name in order if name.startswith("novelty")]
    [pairs] = meta.pairs(demo_scores, people, metrics="js.divergence", permutations=50).rows
    assert pairs.accuracy.value == pytest.approx(0.8)


def test_the_short_verb_turns_and_warns(demo_scores):
    people = gm.Judgments.read(DEMO_JUDGMENTS)
    long = meta.correlate(demo_scores, people, metrics="js.divergence", level="system", coefficient="pearson")
    assert gm.correlate(demo_scores, people, column="js.divergence", aspect="content") == long.rows[0].correlation
    with pytest.warns(gm.GistmeterWarning, match="novelty.novel2: neither high nor low"):
        assert gm.correlate(demo_scores, people, column="novelty.novel2", aspect="content").value > 0
    negative = gm.correlate(demo_scores, people, column="novelty.novel2", aspect="content", higher="novelty.novel2")
    assert negative.value < 0


def test_a_table_without_metadata_has_the_registrys_directions_and_says_what_it_takes_as_higher():
    rows = [("d1", "a", 0.1, 5.0), ("d1", "b", 0.2, 3.0), ("d1", "c", 0.4, 2.0)]
    table = pl.DataFrame(rows, schema=["doc_id", "system", "js.divergence", "own"], orient="row")
    people = gm.Judgments.from_records(
        {"doc_id": "d1", "system": system, "human": {"h": value}} for system, value in (("a", 3), ("b", 2), ("c", 1))
    )
    answer = meta.correlate(gm.Scores.from_metadata(table, None), people, level="system", coefficient="kendall")
    assert [row.correlation.value for row in answer.rows] == pytest.approx([1, 1])
    assert direction_notes(answer) == (
        "js.divergence: lower is better, its sign is turned",
        "own: nothing says which way is good, so higher is taken to be better (`lower=own` says otherwise)",
    )
    stated = gm.Scores(table, (ScoreColumn("js.divergence", "js|v:0", "higher"), ScoreColumn("own", "own|v:0")))
    answer = meta.correlate(stated, people, level="system", coefficient="kendall")
    assert answer.rows[0].correlation.value == pytest.approx(-1)  # the file says otherwise, and it knows best
    assert direction_notes(answer) == ()


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("js", "lower"),
        ("js.divergence", "lower"),
        ("rouge1(stem=none).recall", "higher"),
        ("meteor", "higher"),
        ("meteor.fragmentation", "lower"),
        ("lite2.5pyramid", "higher"),
        ("length", "neither"),
        ("js.nonsense", None),
        ("ROUGE-2 (stemmed", None),
        ("", None),
    ],
)
def test_the_registry_tells_directions_by_name(name, direction):
    assert find_direction(name) == direction


def test_a_human_aspect_is_not_taken_for_a_metric_of_its_name():
    study = meta.Study.from_tables({"m": PEOPLE, "length": PEOPLE}, aspects=["length"])
    assert study.direction("length") == "higher"
    assert meta.correlate(study, level="system", coefficient="kendall").rows[0].correlation.value == pytest.approx(1)


MATRIX = {"systems": ["a", "b", "c"], "documents": ["d"], "scores": {"m": [[1], [2], [3]], "h": [[3], [2], [1]]}}


@pytest.mark.parametrize(
    ("better", "direction"),
    [(None, "higher"), ("lower", "lower"), ({"m": "lower"}, "lower"), ({"h": "lower"}, "higher")],
)
def test_a_matrix_file_states_directions(tmp_path, better, direction):
    path = tmp_path / "m.json"
    path.write_text(json.dumps({**MATRIX, "human": ["h"], "better": better}))
    assert meta.Study.read(path).direction("m") == direction
    sign = -1 if better in (None, "lower") else 1
    [row] = meta.correlate(path, level="system", coefficient="kendall").rows
    assert row.correlation.value == pytest.approx(sign)


@pytest.mark.parametrize(
    ("better", "message"),
    [
        ({"x": "lower"}, "names 'x', but there is no such table"),
        ({"m": "down"}, "of 'm' in .* is higher, lower or neither, not 'down'"),
        (["m"], "maps names to directions"),
    ],
)
def test_wrong_directions_are_named(tmp_path, better, message):
    path = tmp_path / "m.json"
    path.write_text(json.dumps({**MATRIX, "better": better}))
    with pytest.raises(DataError, match=message):
        meta.Study.read(path)


def test_wrong_names_of_the_user_are_named(study):
    with pytest.raises(DataError, match="there is no score or aspect 'eror'; did you mean errors"):
        meta.correlate(study, lower="eror")
    with pytest.raises(ArgumentError, match="size is in `lower` and in `higher`"):
        meta.correlate(study, lower="size", higher="size")


def test_commands_take_and_show_directions(command, tmp_path):
    study = {**MATRIX, "human": ["h"], "better": {"m": "neither", "h": "higher"}}
    (tmp_path / "m.json").write_text(json.dumps(study))
    _, out, _ = command("meta", "correlate", "m.json", "--level", "system", "--coefficient", "kendall")
    assert "--lower or --higher gives a sign" in " ".join(out.split())
    _, out, _ = command("meta", "correlate", "m.json", "--level", "system", "--lower", "m", "--json")
    assert [row["value"] for row in json.loads(out)["rows"]] == pytest.approx([1, 1, 1])
    assert json.loads(out)["notes"][0] == "m: lower is better, its sign is turned"
    code, _, err = command("meta", "pairs", "m.json")
    assert code == 2
    assert "--lower m or --higher m" in err


def test_both_directions_of_a_score_are_refused_under_a_short_name_too():
    tables = {"js(order=2).divergence": [[1, 2], [2, 3], [4, 3]], "people": PEOPLE}
    study = meta.Study.from_tables(tables, aspects=["people"])
    with pytest.raises(ArgumentError, match=r"^js\(order=2\)\.divergence is in `lower` and in `higher`"):
        meta.correlate(study, lower="js", higher="js(order=2).divergence")
