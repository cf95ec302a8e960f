"""The registry: names, suggestions, and metrics of other packages."""

import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from gistmeter.api import score
from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import Column, Metric, list_names, packages, parse_metric, parse_metrics, registry
from gistmeter.models import roles
from gistmeter.version import __version__


@dataclass(frozen=True, slots=True)
class Shout(Metric):
    """How many exclamation marks a summary has."""

    times: int = 1
    name = "shout"
    columns = (Column("marks", "exclamation marks", better="lower"),)
    needs = frozenset()

    def score(self, examples):
        return np.array([[self.times * example.summary.count("!")] for example in examples], dtype=float)


@pytest.fixture
def plugin(monkeypatch):
    module = ModuleType("shouting")
    module.Shout = type("Shout", (Shout,), {"__module__": "shouting"})
    monkeypatch.setitem(sys.modules, "shouting", module)
    point = EntryPoint("shout", "shouting:Shout", packages.ENTRY_POINT_GROUP)
    vars(point)["dist"] = SimpleNamespace(name="shouting", version="2.3")
    monkeypatch.setattr(packages.metadata, "entry_points", lambda group: [point])
    packages.list_entry_points.cache_clear()
    registry.list_entries.cache_clear()
    yield
    packages.list_entry_points.cache_clear()
    registry.list_entries.cache_clear()


def test_a_metric_of_another_package_works_like_our_own(plugin):
    assert "shout" in list_names()
    example = Example(doc_id="1", system="s", summary="Oh! My!")
    scores = score([example], "shout(times=2)")
    assert scores.table["shout(times=2).marks"].to_list() == [4]
    assert scores.signatures["shout(times=2).marks"] == f"shout|times:2|v:{__version__}+shouting-2.3"


def test_every_listed_name_parses_to_itself():
    for name in list_names():
        assert parse_metric(name).name == name


@pytest.mark.parametrize(("wrong", "right"), [("roge2", "rouge2"), ("ROUGEE-L", "rougeL"), ("meteo", "meteor")])
def test_unknown_names_suggest(wrong, right):
    with pytest.raises(MetricError, match=f"did you mean {right}"):
        parse_metric(wrong)


def test_lists_and_labels():
    assert list(parse_metrics("rouge1, rouge2(stem=none,alpha=0.8)")) == ["rouge1", "rouge2(stem=none,alpha=0.8)"]
    assert list(parse_metrics([parse_metric("rouge1(stem=none)")])) == ["rouge1(stem=none)"]
    with pytest.raises(MetricError, match="no metric was asked for"):
        parse_metrics([])
    with pytest.raises(MetricError, match="brackets do not match"):
        parse_metrics("rouge1(stem=none,rouge2")


def test_metrics_name_model_roles_that_exist():
    present = {role.name for role in roles.list_roles()}
    named = {role for entry in registry.list_entries() for role in entry.load().model_roles}
    assert named <= present


def test_who_uses_a_model_comes_from_the_metrics():
    assert registry.list_names_using("next-sentence") == ["coherence", "ffci"]
    assert registry.list_names_using("sentences") == ["sts", "supert", "pyreval", "qaeval"]
    assert registry.list_names_using("no such role") == []
