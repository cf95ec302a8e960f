"""Tiny checkpoints are written once per session and only read."""

import pytest
from tiny_checkpoints import make_checkpoint


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """The folder of a tiny checkpoint of a family."""
    made = {}

    def folder(family):
        if family not in made:
            made[family] = make_checkpoint(tmp_path_factory.mktemp("tiny") / family, family)
        return made[family]

    return folder
