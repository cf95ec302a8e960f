"""The triplet units of whole references, each reference read once however many systems are compared with it."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.linguistics.coreference.resolver import clusters_of, coreference_identity
from gistmeter.linguistics.parser import parser
from gistmeter.linguistics.roles import RULES_VERSION as ROLES_VERSION
from gistmeter.linguistics.roles.labeller import roles
from gistmeter.units import RULES_VERSION as UNITS_VERSION
from gistmeter.units.extract import extract
from gistmeter.units.role_files import read_roles
from gistmeter.units.splitting import reference_sentences
from gistmeter.weights import EMBEDDED, files_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.example import Unit
    from gistmeter.units.role_files import RoleFile


def reference_units(
    references: Sequence[str], language: str = "en", *, source: str = EMBEDDED, coreference: bool = True
) -> tuple[Unit, ...]:
    """The triplet units of all references together; those that several references state stand several times.

    `source` is `embedded`, or a file of roles and coreference that another program wrote. Without `coreference`
    every mention keeps its own words.
    """
    units: list[Unit] = []
    first = 0
    for text in references:
        found, count = _units(text, language, source, coreference)
        units += (replace(unit, sentence=first + (unit.sentence or 0)) for unit in found)
        first += count
    return tuple(units)


@functools.lru_cache(maxsize=1024)
def _units(text: str, language: str, source: str, coreference: bool) -> tuple[tuple[Unit, ...], int]:
    """The units of one reference, and how many sentences it has."""
    found = reference_sentences([text], language)
    if source == EMBEDDED:
        frames = roles(found, language=language)
        clusters = clusters_of(found, language=language) if coreference else ()
    else:
        file = _file(source)
        frames = file.roles(found)
        clusters = file.clusters(frames) if coreference else ()
    return extract(frames, clusters), len(found)


@functools.lru_cache(maxsize=2)
def _file(path: str) -> RoleFile:
    return read_roles(path)


def units_facts(source: str = EMBEDDED, *, coreference: bool = True) -> dict[str, str]:
    """What decides the units, for a signature: the parser and the versions of all rules, or the digest of a file."""
    if source != EMBEDDED:
        return {"roles": f"file-{files_digest([Path(source)])}", "units": UNITS_VERSION}
    english = parser()
    facts = {
        "parser": f"{english.name}-{english.version}-{english.digest}",
        "roles": ROLES_VERSION,
        "units": UNITS_VERSION,
    }
    return {**facts, "coreference": coreference_identity()} if coreference else facts
