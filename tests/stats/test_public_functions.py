"""What every public function of stats and human owes its reader: parameters, results, refusals, an example."""

import dataclasses
import inspect
import re

import numpy as np
import pytest

from gistmeter import human, stats
from gistmeter.errors import ArgumentError, DataError

PUBLIC = {f"{module.__name__}.{name}": getattr(module, name) for module in (stats, human) for name in module.__all__}
FUNCTIONS = sorted(name for name, value in PUBLIC.items() if inspect.isfunction(value))
RESULTS = sorted(name for name, value in PUBLIC.items() if inspect.isclass(value))


def sections(text: str) -> dict[str, str]:
    """The sections of a docstring in numpy's form."""
    parts = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_result_and_refusal_is_described(name):
    function = PUBLIC[name]
    result = sections(function.__doc__)
    assert list(result) == ["Parameters", "Returns", "Raises", "Examples"]
    heads = re.findall(r"^(\S.*?)(?: :.*)?$", result["Parameters"], flags=re.MULTILINE)
    described = [parameter for head in heads for parameter in head.split(", ")]
    assert sorted(described) == sorted(inspect.signature(function).parameters)
    assert ">>>" in result["Examples"]


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_frozen(name):
    assert dataclasses.is_dataclass(PUBLIC[name])
    assert PUBLIC[name].__dataclass_params__.frozen


@pytest.mark.parametrize("name", FUNCTIONS)
def test_choices_and_numbers_are_keywords(name):
    kinds = {p.kind for p in inspect.signature(PUBLIC[name]).parameters.values() if p.default is not p.empty}
    allowed = {inspect.Parameter.KEYWORD_ONLY}
    if name == "gistmeter.stats.power":
        allowed.add(inspect.Parameter.POSITIONAL_OR_KEYWORD)  # `degrade`, a function
    assert kinds <= allowed


def test_a_wrong_argument_is_a_value_error_and_bad_data_is_not():
    table = np.arange(12.0).reshape(4, 3)
    with pytest.raises(ArgumentError, match="`level` cannot be 'sumary'") as caught:
        stats.correlate(table, table, level="sumary")
    assert isinstance(caught.value, ValueError)
    with pytest.raises(DataError, match="of the same summaries"):
        stats.correlate(table, table[:2])
    # Where an undefined trial is only counted, a wrong argument is still refused.
    with pytest.raises(ArgumentError, match="resamples must be at least 1"):
        stats.coverage(np.tile(table, (4, 2)) % 7, np.tile(table, (4, 2)) % 5, trials=1, resamples=0)
