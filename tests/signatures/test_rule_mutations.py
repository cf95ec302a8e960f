"""Rules count: a condition that says the opposite changes what the rules say on the probes."""

from __future__ import annotations

import pytest

from probes import read_probes
from rule_behaviour import parse_once, write_down
from rule_mutations import MODULES, find_survivors

SURVIVORS = {"asking": 39, "slots": 6, "roles": 1, "coreference": 40, "units": 0, "edus": 9, "trees": 1}
"""How many conditions may be turned round unnoticed, at most. What is left are conditions that the parser never puts to
the test (one half excludes what the other half asks), and limits of length and depth that no passage reaches."""


@pytest.mark.slow
@pytest.mark.parametrize("package", MODULES)
def test_a_rule_turned_round_is_noticed(package):
    with parse_once():
        total, survivors = find_survivors(package, read_probes(package), write_down)
    listed = "\n".join(map(str, survivors))
    assert len(survivors) <= SURVIVORS[package], f"{len(survivors)} of {total} go unnoticed:\n{listed}"
