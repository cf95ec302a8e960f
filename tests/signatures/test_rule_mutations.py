"""Rules count: a condition that says the opposite changes what the rules say on the probes.

`unnoticed.toml` lists the conditions that no text puts to the test, each with the reason.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from probes import read_probes
from rule_behaviour import parse_once, write_down
from rule_mutations import MODULES, RuleModule, try_conditions

REASONS = tomllib.loads((Path(__file__).parent / "unnoticed.toml").read_text("utf-8"))
"""By module: functions, or single conditions of a function, and why nothing on the probes depends on them."""


def has_reason(mutant):
    reasons = REASONS.get(mutant.module, {})
    return mutant.function in reasons or str(mutant) in reasons


@pytest.mark.slow
@pytest.mark.parametrize("package", MODULES)
def test_a_rule_turned_round_is_noticed(package):
    with parse_once():
        noticed = try_conditions(package, read_probes(package), write_down)
    unexplained = [f"{mutant.module} {mutant}" for mutant in noticed if not noticed[mutant] and not has_reason(mutant)]
    assert unexplained == [], f"{len(unexplained)} of {len(noticed)} go unnoticed: probe them, or say why in the table"
    outdated = [f"{mutant.module} {mutant}" for mutant in noticed if noticed[mutant] and has_reason(mutant)]
    assert outdated == [], "these are noticed: take them out of unnoticed.toml"


def test_every_reason_is_for_a_condition_that_exists():
    modules = {name for names in MODULES.values() for name in names}
    assert set(REASONS) <= modules
    for name, reasons in REASONS.items():
        mutants = [mutant for mutant, _ in RuleModule(name, numbers=True).mutants()]
        present = {text for mutant in mutants for text in (mutant.function, str(mutant))}
        assert set(reasons) <= present, f"{name} has no such function or condition"
