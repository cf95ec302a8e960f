"""Attacks: changes of a summary that need no search and that no reader would want, and which a metric rewards.

The attacks are in `changes/`, `attack` tries them.
"""

from gistmeter.probe.attacks.attack import attack
from gistmeter.probe.attacks.effects import AttackEffect, AttackEffects
from gistmeter.probe.attacks.files import check_attacks_path, read_attacks, write_attacks
from gistmeter.probe.attacks.registry import Attack, find_attacks, list_attacks

__all__ = [
    "Attack",
    "AttackEffect",
    "AttackEffects",
    "attack",
    "check_attacks_path",
    "find_attacks",
    "list_attacks",
    "read_attacks",
    "write_attacks",
]
