"""A version in a signature stands for a behaviour: what rules say on fixed texts changes only with their version.

The texts are in `probes/`: `rules.txt` has passages for all rules, the others a sentence for each word that rules look
up, texts with questions to them, and summaries with a reference and units. `behaviour.toml` holds the digest of each
version; `scripts/store_digests.py` writes it.
"""

from __future__ import annotations

import pytest

from gistmeter.linguistics.parser import load_parser
from probes import read_probes
from rule_behaviour import BEHAVIOURS, digest, rules_version
from stored_digests import read_digests

pytestmark = pytest.mark.more

STORED = read_digests()
COMMAND = "python scripts/store_digests.py"


def test_the_parser_is_the_one_of_the_digests():
    assert load_parser().digest == STORED["parser"], f"another parser: {COMMAND} --parser stores all digests anew"


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour_changes_only_with_the_version(name):
    now = digest(name, read_probes(name))
    version = rules_version(name)
    stored = STORED.get(name, {}).get(version)
    assert stored is not None, f"{name} has the new version {version}: {COMMAND} stores its digest"
    assert now == stored, (
        f"{name} is not what {version} was. If probes were added, {COMMAND} stores its digest anew; if a rule changed, "
        "give it a new version first, so that signatures tell old scores from new ones"
    )


def test_every_stored_package_is_probed():
    assert set(STORED) == {"parser", *BEHAVIOURS}
