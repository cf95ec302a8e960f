"""Pictures of answers: what their axes say, where lines of chance stand, and what overlaps."""

import numpy as np
import pytest

from gistmeter import meta
from gistmeter.errors import DataError
from gistmeter.report import figures
from gistmeter.report.meta_charts import chart

pytest.importorskip("altair")


@pytest.fixture
def study():
    rng = np.random.default_rng(2)
    rated = np.linspace(0, 1, 6)[:, None] + rng.normal(0, 0.2, (6, 14))
    tables = {f"metric {noise}": rated + rng.normal(0, noise, (6, 14)) for noise in (0.1, 0.2, 0.4, 0.8)}
    return meta.Study.from_tables({**tables, "rated": rated}, aspects=["rated"], better="higher")


def list_values(spec, key):
    """All that stands under a key anywhere in a chart."""
    if isinstance(spec, dict):
        yield from (value for name, value in spec.items() if name == key)
        spec = list(spec.values())
    if isinstance(spec, list):
        for part in spec:
            yield from list_values(part, key)


def test_the_axis_of_labels_is_no_correlation_and_chance_is_a_half(study):
    answer = meta.labels(study, positive=0.5, resamples=10, permutations=200)
    spec = chart(answer).to_dict()
    assert "correlation" not in list(list_values(spec, "title"))
    assert {"chance": 0.5} in [row for rows in list_values(spec, "values") for row in rows]
    correlations = chart(meta.interval(study, level="system", resamples=10)).to_dict()
    assert {"chance": 0.0} in [row for rows in list_values(correlations, "values") for row in rows]


def test_bands_of_correlations_end_at_one_and_documents_are_whole(study):
    answer = meta.stability(study, trials=20)
    spec = chart(answer).to_dict()
    rows = [row for values in list_values(spec, "values") for row in values if isinstance(row, dict)]
    highest = [point.mean + point.deviation for row in answer.rows for point in row.ranking.points]
    assert max(highest) > 1  # a mean near 1 and its deviation
    assert max(row["high"] for row in rows) == 1
    (ticks,) = {tuple(axis["values"]) for axis in list_values(spec, "axis") if axis.get("values")}
    assert ticks == tuple(sorted({point.size for row in answer.rows for point in row.ranking.points}))


def test_many_panels_stand_in_rows(study):
    rows = [
        {"name": "a", "series": "judged", "panel": f"score {number}", "value": 1.0, "low": 0.5, "high": 1.5}
        for number in range(5)
    ]
    spec = figures.compared_intervals(rows, title="means", x="mean").to_dict()
    assert (len(spec["concat"]), spec["columns"]) == (5, figures.MOST_PANELS)


def test_labels_of_points_that_coincide_are_stacked(study):
    answer = meta.pairs(study, permutations=20)
    spec = chart(answer).to_dict()
    offsets = {mark["dy"] for mark in list_values(spec, "mark") if isinstance(mark, dict) and mark["type"] == "text"}
    assert offsets == {-9, -18, -27, -36}  # a layer for each number of labels below
    rows = [row for values in list_values(spec, "values") for row in values if isinstance(row, dict) and "stack" in row]
    # No two labels stand at one point in one layer, though points of several metrics do coincide.
    assert len({(row["x"], row["value"], row["stack"]) for row in rows}) == len(rows)
    assert len({(row["x"], row["value"]) for row in rows}) < len(rows)


@pytest.mark.parametrize(
    ("suffix", "first"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF-"), ("html", b"<!do")]
)
def test_a_figure_is_written_in_every_form(tmp_path, suffix, first):
    rows = [{"name": "ROUGE", "group": "all", "value": 0.5, "low": 0.4, "high": 0.6}]
    path = tmp_path / f"figure.{suffix}"
    figures.write_figure(figures.intervals(rows, title="means"), path)
    assert path.read_bytes().lstrip()[:10].startswith(first)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".html"])
def test_names_that_no_picture_can_have_are_drawn_with_signs_in_their_place(tmp_path, suffix):
    """The library that draws ends the whole process (abort) on a character that XML does not have."""
    name = "a\x1b[31m\x00\ufffe\ud800 <b>"
    rows = [{"name": name, "group": name, "value": 0.5, "low": 0.4, "high": 0.6}]
    path = tmp_path / f"figure{suffix}"
    figures.write_figure(figures.intervals(rows, title=name), path)
    assert path.stat().st_size > 500
    if suffix in (".svg", ".html"):
        text = path.read_text("utf-8")
        assert "a␛[31m␀\ufffd\ufffd &lt;b&gt;" in text
        assert not {"\x1b", "\x00", "\ufffe"} & set(text)


def test_another_ending_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(DataError, match=r"name it \.svg, \.png, \.pdf or \.html"):
        figures.check_figure_path(tmp_path / "figure.eps")
