"""Metrics of other packages: their scores are checked, and one that is broken is named and stops nothing."""

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.errors import GistmeterWarning, MetricError
from gistmeter.metrics import packages, registry
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.registry import list_names, list_names_of, list_names_using, parse_metric
from gistmeter.metrics.surface.length import Length
from gistmeter.report.catalogue import pages

RUN = [gm.Example(doc_id=str(number), system="a", summary="It rained.") for number in range(3)]


@dataclass(frozen=True, slots=True)
class Shaped(Metric):
    """Gives what `give` says, whatever it is asked."""

    give: str = "right"

    name = "shaped"
    needs = frozenset[Need]()
    columns = (Column("first", "one number"), Column("second", "another"))

    def score(self, examples):
        count = len(examples)
        return {
            "right": np.zeros((count, 2)),
            "list": [[1, 2]] * count,
            "short": np.zeros((count - 1, 2)),
            "narrow": np.zeros((count, 1)),
            "flat": np.zeros(count),
            "number": 0.5,
            "nothing": None,
            "text": [["high", "low"]] * count,
            "mapping": {"first": 1},
            "ragged": [[1, 2], [1], [1, 2]],
        }[self.give]


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize(
    ("give", "message"),
    [
        ("short", "gave 2 x 2 for 3 summaries: its scores must be 3 x 2, a row for each summary and a column for each"),
        ("narrow", "gave 3 x 1 for 3 summaries"),
        ("flat", "gave 3 for 3 summaries"),
        ("number", "gave a single number for 3 summaries"),
        ("nothing", "gave a single number for 3 summaries|gave no array of numbers, but NoneType"),
        ("text", "gave no array of numbers, but list"),
        ("mapping", "gave no array of numbers, but dict"),
        ("ragged", "gave no array of numbers, but list"),
    ],
)
def test_scores_of_another_shape_are_refused(give, message, cached, tmp_path, monkeypatch):
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path))
    with pytest.raises(MetricError, match=rf"shaped\(give={give}\) \(.*test_plugins:Shaped\) ({message})"):
        gm.score(RUN, Shaped(give=give), cache=cached)


@pytest.mark.parametrize("give", ["right", "list"])
def test_scores_of_the_right_shape_are_taken(give):
    assert gm.score(RUN, Shaped(give=give)).table.height == 3


class NoDataclass(Metric):
    """A metric that is not finished."""


@pytest.fixture
def plugins(monkeypatch):
    """Four entry points of other packages, of which one works."""
    working, broken = ModuleType("working_plugin"), ModuleType("half_plugin")
    working.Shaped, broken.NoDataclass, broken.text = Shaped, NoDataclass, "no class"
    monkeypatch.setitem(sys.modules, "working_plugin", working)
    monkeypatch.setitem(sys.modules, "half_plugin", broken)
    targets = {
        "shaped": "working_plugin:Shaped",
        "gone": "no_such_plugin:Metric",
        "nameless": "half_plugin:Missing",
        "unfinished": "half_plugin:NoDataclass",
        "wordy": "half_plugin:text",
        "torn{": "working_plugin:Shaped",
        "odd{1}": "working_plugin:Shaped",
    }
    points = [EntryPoint(name, target, packages.ENTRY_POINT_GROUP) for name, target in targets.items()]
    monkeypatch.setattr(packages.metadata, "entry_points", lambda group: points)
    packages.list_entry_points.cache_clear()
    registry.list_entries.cache_clear()
    yield
    packages.list_entry_points.cache_clear()
    registry.list_entries.cache_clear()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", "gone of the package no_such_plugin cannot be loaded .*: ModuleNotFoundError: No module named"),
        ("nameless", "nameless of the package half_plugin cannot be loaded .*: AttributeError"),
        ("unfinished", "unfinished of the package half_plugin cannot be used: .* is no dataclass that is a Metric"),
        ("wordy", "wordy of the package half_plugin cannot be used"),
    ],
)
@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
@pytest.mark.usefixtures("plugins")
def test_a_broken_plugin_is_named_when_it_is_asked_for(name, message):
    with pytest.raises(MetricError, match=message):
        parse_metric(name)


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
@pytest.mark.usefixtures("plugins")
def test_a_broken_plugin_stops_no_other_metric():
    with pytest.warns(GistmeterWarning, match="skipped odd"):
        assert "shaped" in list_names()
    assert parse_metric("shaped").columns == Shaped.columns
    with pytest.raises(MetricError, match="unknown metric 'roug1'; did you mean rouge1"):
        parse_metric("roug1")
    for listing in (lambda: list_names_of(Length), lambda: list_names_using("masked-words"), pages):
        with pytest.warns(GistmeterWarning, match="skipped gone of the package no_such_plugin"):
            assert listing()
