"""Plans between two metrics: which is named first, and how few systems no number of documents helps."""

from functools import partial

import numpy as np
import pytest

from gistmeter import meta, stats
from gistmeter.errors import ArgumentError, DataError


@pytest.mark.more
def test_a_two_sided_plan_does_not_ask_which_metric_is_better(monkeypatch):
    monkeypatch.setattr(stats, "plan_power", partial(stats.plan_power, replicates=2, resamples=100))
    rng = np.random.default_rng(1)
    people = rng.normal(size=(10, 20))
    tables = {"good": people + rng.normal(size=(10, 20)), "poor": people + 3 * rng.normal(size=(10, 20))}
    study = meta.Study.from_tables({**tables, "rated": people}, aspects=["rated"], better="higher")
    options = {"swapping": "both", "method": "documents"}
    plan = meta.plan(study, metrics=["good", "poor"], **options).plan
    assert meta.plan(study, metrics=["poor", "good"], **options).plan == plan
    with pytest.raises(DataError, match="x must be the better metric"):
        meta.plan(study, metrics=["poor", "good"], alternative="greater", **options)


@pytest.mark.parametrize(("alternative", "fewest"), [("two-sided", 6), ("greater", 5)])
def test_no_number_of_documents_is_planned_for_too_few_systems(alternative, fewest):
    # Swapping all systems turns the difference round: the least p of a two-sided test is 2 / 2^5 with five systems.
    rng = np.random.default_rng(1)
    people = rng.normal(size=(fewest - 1, 20))
    x, y = people + rng.normal(size=people.shape), people + 3 * rng.normal(size=people.shape)
    with pytest.raises(ArgumentError, match=rf"^{fewest - 1} systems can be swapped in {2 ** (fewest - 1)} ways only"):
        stats.plan_power(x, people, y=y, alternative=alternative, difference=0.1)
    more = np.vstack([people, people[:1] + 1])
    plan = stats.plan_power(
        np.vstack([x, x[:1]]), more, y=np.vstack([y, y[:1]]), alternative=alternative, difference=0.3, replicates=2
    )
    assert plan.unit == "documents"
