"""Settings of metrics: every number has bounds, which are checked when the metric is made, also in Python."""

import dataclasses
import math
import typing
from typing import Annotated

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Column, Metric
from gistmeter.metrics.registry import BUILT_IN, parse_metric
from gistmeter.metrics.settings import Within, list_number_settings

CLASSES = {entry.template: entry.load() for entry in BUILT_IN}
NUMBERS = [(template, name) for template, cls in CLASSES.items() for name in list_number_settings(cls)]


def make(cls, **settings):
    inner = {"metric": parse_metric("rouge1")} if cls.__name__ == "Jackknife" else {}
    return cls(**inner, **settings)


def test_every_number_of_every_metric_has_bounds():
    for template, cls in CLASSES.items():
        hints = typing.get_type_hints(cls)
        for field in dataclasses.fields(cls):
            numbers = {int, float} & {hints[field.name], *typing.get_args(hints[field.name])}
            if numbers and not field.metadata.get("state"):
                bounds = list_number_settings(cls)[field.name].bounds
                assert bounds is not None, f"{template}: {field.name} is Annotated[..., Within(low, high)]"
    assert len(NUMBERS) > 30


@pytest.mark.parametrize(("template", "name"), NUMBERS)
def test_no_number_is_out_of_its_bounds(template, name):
    cls = CLASSES[template]
    setting = list_number_settings(cls)[name]
    wrong = [setting.bounds.low - 1, setting.bounds.high + 1, math.nan, math.inf, -math.inf, "7", True, [1]]
    for value in [*wrong, *([1.5] if setting.kind is int else [])]:
        with pytest.raises(MetricError, match=r"it is|it takes|there is no"):
            make(cls, **{name: value})


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("chrf(char_order=200000)", "chrf cannot have char_order=200000: it is from 1 to 30"),
        ("meteor(beta=nan)", "meteor cannot have beta=nan: it is from 0 to 100"),
        ("meteor(beta=1e400)", "meteor cannot have beta=inf: it is from 0 to 100"),
        ("blanc(rate=nan)", "blanc cannot have rate=nan: it is from 1e-09 to 1"),
        ("blanc(seed=-1)", "blanc cannot have seed=-1"),
        ("litepyramid(seed=-1)", "litepyramid cannot have seed=-1"),
        ("bertscore(layer=-5)", "bertscore cannot have layer=-5: it is from 0 to 1,000"),
        ("rougeS99999", "there is no rougeS99999: gap is from 0 to 10,000 words"),
        ("qaeval(threshold=7)", "qaeval cannot have threshold=7: it is a probability from 0 to 1"),
    ],
)
def test_spelled_settings_are_checked_too(spelling, message):
    with pytest.raises(MetricError) as refused:
        parse_metric(spelling)
    assert message in str(refused.value)


def test_bounds_themselves_are_taken():
    assert parse_metric("chrf(char_order=30,beta=100)").char_order == 30
    assert parse_metric("rouge9(alpha=0)").alpha == 0
    assert parse_metric("rouge1(alpha=1)").alpha == 1


def test_a_metric_of_another_package_gets_the_check_without_asking_for_it():
    @dataclasses.dataclass(frozen=True, slots=True)
    class Own(Metric):
        size: Annotated[int, Within(1, 3)] = 1
        free: float = 0.5

        name = "own"
        needs = frozenset()
        columns = (Column("own", "what it is"),)

        def __post_init__(self):
            if self.size == 2:
                raise MetricError("own has no size 2")

        def score(self, examples):
            return np.zeros((len(examples), 1))

    assert Own(size=3).size == 3
    for settings, message in (
        ({"size": 4}, "from 1 to 3"),
        ({"free": math.nan}, "a finite"),
        ({"size": 2}, "no size 2"),
    ):
        with pytest.raises(MetricError, match=message):
            Own(**settings)


def test_metrics_are_not_nested_without_end():
    for depth in (100, 1000, 20_000):
        with pytest.raises(MetricError, match="nested"):
            parse_metric("jackknife(metric=" * depth + "rouge1" + ")" * depth)
    assert parse_metric("jackknife(metric=rouge1)").metric.name == "rouge1"
