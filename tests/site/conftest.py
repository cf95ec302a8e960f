"""The documentation, built once for all tests of a process."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder of the built site, made as `make docs` makes it, beside copies of what it is made from."""
    folder = tmp_path_factory.mktemp("documentation")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text("utf-8"), encoding="utf-8")
    program = Path(sys.executable).parent / "zensical"
    environment = {**os.environ, "NO_COLOR": "1"}
    built = subprocess.run(
        [program, "build", "--strict"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"
