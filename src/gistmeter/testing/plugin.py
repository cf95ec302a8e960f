"""The pytest plugin: a fixture `assert_summary`, which also records the scores in a JUnit file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def assert_summary(request: pytest.FixtureRequest) -> Callable[..., dict[str, float]]:
    """`gistmeter.testing.assert_summary`, whose scores become properties of the test in `--junitxml`."""

    def assert_and_record(summary: str, **arguments: Any) -> dict[str, float]:
        __tracebackhide__ = True
        from gistmeter.testing.assertion import assert_summary as assert_one

        scores = assert_one(summary, **arguments)
        for name, value in scores.items():
            request.node.user_properties.append((f"gistmeter.{name}", round(value, 6)))
        return scores

    return assert_and_record
