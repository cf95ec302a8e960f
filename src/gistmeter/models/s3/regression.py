"""The regressions of S3 by name or file."""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec

from gistmeter.errors import MetricError
from gistmeter.models.easiness.ridge import Ridge
from gistmeter.models.runtime.stored_json import read_weights_json

SHIPPED = "gistmeter"
_CONTENT = "a regression as `gistmeter train s3` writes it"


class StoredRegression(msgspec.Struct):
    """What a file of a regression holds."""

    features: tuple[str, ...]
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float


def find_regression(weights: str, target: str) -> Path:
    """The file of a regression: one that is shipped, by what it learned to predict, or a path."""
    file = Path(__file__).parent / f"{target}.json" if weights == SHIPPED else Path(weights).expanduser()
    if not file.is_file():
        raise MetricError(
            f"s3 cannot have weights={weights}: there is no such file; take gistmeter, or train one with "
            "`gistmeter train s3`"
        )
    return file


def read_regression(file: Path, features: tuple[str, ...] | None = None) -> Ridge:
    """The regression of a file; `features` are those it must read, in their order, where that is to be checked."""
    return _read_regression(file, file.stat().st_mtime_ns, features)


@functools.lru_cache(maxsize=8)
def _read_regression(file: Path, modified_ns: int, features: tuple[str, ...] | None) -> Ridge:  # noqa: ARG001  (a key)
    stored = read_weights_json(file, _CONTENT, StoredRegression)
    wanted = features if features is not None else stored.features
    sizes = {len(stored.means), len(stored.deviations), len(stored.coefficients)}
    if sizes != {len(wanted)} or stored.features != wanted or 0 in stored.deviations:
        raise MetricError(
            f"{file} is not {_CONTENT}: it needs the features {', '.join(wanted)} in this order, with a mean, a "
            "deviation that is not 0, and a coefficient each"
        )
    return Ridge(
        means=stored.means,
        deviations=stored.deviations,
        coefficients=stored.coefficients,
        intercept=stored.intercept,
    )
