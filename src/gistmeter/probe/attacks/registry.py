"""Which attacks there are. An attack is one small function that writes another summary; `register_attack` names it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gistmeter.example import Example

    Change = Callable[["AttackTarget"], str | None]

AttackNeed = Literal["document", "other documents"]


@dataclass(frozen=True, slots=True)
class AttackTarget:
    """What an attack may look at: the summary with its texts, summaries of other documents, and a seeded generator.

    `others` are summaries that the same system wrote of other documents.
    """

    example: Example
    others: tuple[str, ...]
    rng: np.random.Generator


@dataclass(frozen=True, slots=True)
class Attack:
    """A way to change a summary that needs no search, and what it needs beside the summary.

    `change` gives the changed summary, or None where it cannot be made of this one.
    """

    name: str
    about: str
    change: Change
    needs: frozenset[AttackNeed] = frozenset()


_ATTACKS: dict[str, Attack] = {}


def register_attack(name: str, about: str, *, needs: Iterable[AttackNeed] = ()) -> Callable[[Change], Change]:
    """Make a function an attack of that name; `about` says what it does to a summary."""

    def register(change: Change) -> Change:
        _ATTACKS[name] = Attack(name=name, about=about, change=change, needs=frozenset(needs))
        return change

    return register


def list_attacks() -> tuple[Attack, ...]:
    """All attacks, in the order in which they are registered.

    >>> [attack.name for attack in list_attacks()]
    ['pad', 'stuff', 'repeat', 'copy', 'empty', 'word', 'keywords', 'shuffle', 'other', 'html', 'prompt']
    """
    import gistmeter.probe.attacks.changes  # noqa: F401  (registers them)

    return tuple(_ATTACKS.values())


def find_attacks(names: Iterable[str]) -> tuple[Attack, ...]:
    """The attacks of these names; an unknown name suggests.

    >>> [attack.about for attack in find_attacks(["repeat"])]
    ['the summary twice']
    """
    attacks = {attack.name: attack for attack in list_attacks()}
    chosen = list(dict.fromkeys(names))
    for name in chosen:
        if name not in attacks:
            raise ArgumentError(f"unknown attack {name!r}{suggestion(name, attacks)} (there is {', '.join(attacks)})")
    if not chosen:
        raise ArgumentError(f"`attacks` names none (there is {', '.join(attacks)})")
    return tuple(attacks[name] for name in chosen)


def seed_generator(seed: int, attack: str, example: Example) -> np.random.Generator:
    """A generator of an attack on one summary: the same whatever other summaries and attacks there are."""
    identity = "\0".join([str(seed), attack, example.doc_id, example.system])
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest))
