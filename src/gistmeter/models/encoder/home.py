"""Home: where the user's own baselines and layers are kept."""

from __future__ import annotations

import functools
import os
from pathlib import Path

_HOME_VARIABLE = "GISTMETER_HOME"


def find_home() -> Path:
    """The folder that GISTMETER_HOME names, or the user's folder for such data."""
    home = os.environ.get(_HOME_VARIABLE)
    return Path(home).expanduser() if home else _find_user_folder()


@functools.cache
def _find_user_folder() -> Path:
    """The user's folder: looked up once, because metrics ask for every summary."""
    from platformdirs import user_data_path

    return user_data_path("gistmeter")
