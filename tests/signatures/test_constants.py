"""Numbers that rules go by count: with another one, what the rules say on the probes is something else."""

from __future__ import annotations

from importlib import import_module
from unittest import mock

import pytest

from probes import read_probes
from rule_behaviour import parse_once, write_down

OTHER_NUMBERS = [
    ("presence", "gistmeter.models.presence.features", "_MIN_RARITY", 0.01),
    ("presence", "gistmeter.models.presence.features", "_NEIGHBOUR_TOKENS", 2),
    ("presence", "gistmeter.models.presence.features", "_MATCH_LAYERS", (2, 4, 5, 6)),
    ("presence", "gistmeter.models.presence.combination", "_MIN_DOUBT", 0.001),
    ("presence", "gistmeter.models.presence.judge", "REFERENCE_FEATURE", 1),
    ("coreference", "gistmeter.linguistics.coreference.features", "NEAR_SENTENCES", 2),
    ("coreference", "gistmeter.linguistics.coreference.features", "MAX_CANDIDATES", 49),
    (
        "coreference",
        "gistmeter.linguistics.coreference.features",
        "REACH_SENTENCES",
        {"pronoun": 2, "name": 9, "noun": 9},
    ),
    ("coreference", "gistmeter.linguistics.coreference.resolver", "DESCRIPTION_REACH_SENTENCES", 1),
    ("edus", "gistmeter.linguistics.edus.features", "MAX_DISTANCE", 20),
    ("trees", "gistmeter.linguistics.trees.steps", "MAX_PHRASES", 7),
    ("asking", "gistmeter.models.asking.order", "_MAX_MOVED_WORDS", 8),
]


@pytest.mark.slow
@pytest.mark.parametrize(("package", "module", "name", "other"), OTHER_NUMBERS)
def test_another_number_is_noticed(package, module, name, other):
    probes = read_probes(package)[::-1]
    with parse_once():
        plain = {probe: write_down(package, probe) for probe in probes}
        with mock.patch.object(import_module(module), name, other):
            assert any(write_down(package, probe) != plain[probe] for probe in probes)
