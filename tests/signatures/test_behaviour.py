"""A version in a signature stands for a behaviour: what rules say on fixed texts changes only with their version.

The texts are in `probes/`: `rules.txt` has passages for all rules, the others a sentence for each word that rules look
up, and texts with questions to them. `behaviour.toml` holds the digest of each version.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from gistmeter.linguistics.parser import load_parser
from probes import read_probes
from rule_behaviour import BEHAVIOURS, digest, rules_version

HERE = Path(__file__).parent
STORED = tomllib.loads((HERE / "behaviour.toml").read_text("utf-8"))


def test_the_parser_is_the_one_of_the_digests():
    assert load_parser().digest == STORED["parser"], "another parser: store the digests of all packages anew"


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour_changes_only_with_the_version(name):
    now = digest(name, read_probes(name))
    version = rules_version(name)
    stored = STORED[name].get(version)
    assert stored is not None, f"{name} has the new version {version}: store its digest {now} in behaviour.toml"
    assert now == stored, (
        f"the behaviour of {name} changed: give it a new version (it is {version}) and store digest {now} "
        "for that in behaviour.toml, so that signatures tell old scores from new ones"
    )


def test_every_stored_package_is_probed():
    assert set(STORED) == {"parser", *BEHAVIOURS}
