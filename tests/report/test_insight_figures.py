"""Pictures of what scores are made of: bars, published marks, histograms with their means, files of every kind."""

import json
import subprocess
import sys

import pytest

from gistmeter.insight.shares import CategoryShare, CategoryShares, UnitShare, UnitShares
from gistmeter.report.insight_charts import draw_categories, draw_units

pytest.importorskip("altair")
NAN = float("nan")


def category_shares(published=0.067, systems=("",)):
    def row(metric, title, share, *, is_type, system=""):
        return CategoryShare(
            metric=metric,
            system=system,
            category=title.lower(),
            title=title,
            is_type=is_type,
            share=share,
            low=share - 0.01,
            high=share + 0.01,
            summaries=9,
            published=published,
        )

    rows = [row(metric, title, 0.5, is_type=False) for metric in ("rouge1", "content") for title in ("NN", "VB")]
    rows += [
        row(metric, "Information", 0.07, is_type=True, system=system)
        for system in systems
        for metric in ("rouge1", "content")
    ]
    return CategoryShares(
        rows=tuple(rows), reference="first", auxiliaries="own", parser="p", table="t", unaligned={"rouge1": 0}
    )


def unit_shares(spans="given"):
    row = UnitShare(
        metric="rouge1",
        share=0.25,
        low=0.2,
        high=0.3,
        bins=(0.5, 0.5, 0, 0),
        bars=(1,) * 20,
        summaries=20,
        published=0.25,
        published_bins=(),
    )
    return UnitShares(rows=(row,), by_summary=(), spans=spans, tokens="any", reference="all", unmarked=0, units=3)


def values_of(spec):
    return [row for data in spec["datasets"].values() for row in data] if "datasets" in spec else list(_walk(spec))


def _walk(spec):
    if isinstance(spec, dict):
        if "values" in spec and spec["values"] and isinstance(spec["values"][0], dict):
            yield from spec["values"]
        spec = list(spec.values())
    if isinstance(spec, list):
        for part in spec:
            yield from _walk(part)


def test_bars_of_categories_and_of_types_stand_side_by_side():
    spec = draw_categories(category_shares()).to_dict()
    assert len(spec["concat"]) == 2
    rows = values_of(spec)
    assert {row["name"] for row in rows} == {"NN", "VB", "Information"}
    assert {row["series"] for row in rows} == {"rouge1", "content"}
    assert "published" in spec["concat"][0]["title"]["text"]
    assert "published" not in draw_categories(category_shares(NAN)).to_dict()["concat"][0]["title"]["text"]


def test_the_picture_is_titled_by_the_types_that_it_shows():
    titles = [panel["title"]["text"] for panel in draw_categories(category_shares(NAN)).to_dict()["concat"]]
    assert titles[1] == "information, 95% intervals"


def test_by_system_the_types_of_each_system_are_drawn_for_each_metric():
    spec = draw_categories(category_shares(NAN, systems=("", "lead", "beam"))).to_dict()
    assert [panel["title"]["text"] for panel in spec["concat"]][2:] == [
        "rouge1 by system, 95% intervals",
        "content by system, 95% intervals",
    ]
    rows = [row for row in values_of(spec) if row["name"] in {"lead", "beam"}]
    assert {(row["name"], row["series"]) for row in rows} == {("lead", "Information"), ("beam", "Information")}


def test_a_histogram_has_its_mean_and_says_when_spans_are_guessed():
    spec = draw_units(unit_shares()).to_dict()
    rows = values_of(spec)
    assert [row["count"] for row in rows] == [1] * 20
    assert rows[-1]["end"] == 1
    assert "guessed" not in str(spec)
    assert "spans guessed" in str(draw_units(unit_shares("guessed")).to_dict())


@pytest.mark.more
@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".html"])
def test_they_are_written_as_every_other_figure(tmp_path, suffix):
    for name, shares in (("categories", category_shares()), ("units", unit_shares())):
        file = tmp_path / f"{name}{suffix}"
        shares.plot().write(file)
        assert file.stat().st_size > 1000


@pytest.mark.more
def test_the_commands_draw(checked_command, tmp_path):
    spans = [{"start": 0, "end": 14}, {"start": 0, "end": 14, "reference": 0}]
    record = {"summary": "The dog barked.", "reference": "The dog barked.", "units": [{"text": "a", "spans": spans}]}
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps(record) + "\n")
    for name in ("categories", "units"):
        figure = tmp_path / f"{name}.svg"
        checked_command("insight", name, str(run), "--figure", str(figure))
        assert "<svg" in figure.read_text()
    refused = checked_command("insight", "units", str(run), "--figure", str(tmp_path / "a.gif"), fails=True)
    assert "name it .svg, .png, .pdf or .html" in refused.stderr


@pytest.mark.more
def test_a_fresh_interpreter_draws_them(tmp_path):
    """Nobody has to import the charts of insight first."""
    code = (
        "import gistmeter as gm\n"
        "from gistmeter.insight import UnitShare, UnitShares\n"
        "row = UnitShare(metric='m', share=.2, low=.1, high=.3, bins=(1, 0, 0, 0), bars=(1,) * 20, summaries=20,\n"
        "                published=float('nan'), published_bins=())\n"
        "shares = UnitShares(rows=(row,), by_summary=(), spans='given', tokens='any', reference='all', unmarked=0,\n"
        "                    units=1)\n"
        "gm.write_figure(shares, 'units.svg')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
    assert (tmp_path / "units.svg").read_text("utf-8").startswith("<svg")


def test_the_histogram_of_one_metric_says_its_mean():
    title = draw_units(unit_shares()).to_dict()["title"]
    assert title["subtitle"] == "rouge1: mean 25% (published 25%)"
