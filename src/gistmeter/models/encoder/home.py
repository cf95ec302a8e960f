"""Home: where the user's own baselines and layers are kept."""

from __future__ import annotations

import os
from pathlib import Path

_HOME_VARIABLE = "GISTMETER_HOME"


def find_home() -> Path:
    """The folder that GISTMETER_HOME names, or the user's folder for such data."""
    from platformdirs import user_data_path

    home = os.environ.get(_HOME_VARIABLE)
    return Path(home).expanduser() if home else user_data_path("gistmeter")
