"""Names of metrics as people write them: `ROUGE-1`, `Rouge_L`, `chrF++`; and families, which are groups, too: `rouge`.

The one spelling of a metric is what tables, signatures and cache keys have. Other ways to write its name are read where
they can mean only one metric: in another case, with hyphens, underscores or spaces. Families are in `names.toml`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.io.score_files.names import fold_name
from gistmeter.metrics.spelling import Spelling, parse_spelling

if TYPE_CHECKING:
    from collections.abc import Iterable

_PACKAGE = "gistmeter.metrics."
_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that compare the same things, under a heading."""

    name: str
    title: str
    about: str
    modules: tuple[str, ...] = ()
    group: tuple[str, ...] | None = None
    """The metrics that the name stands for; None for all of the family."""


@functools.cache
def list_families() -> tuple[Family, ...]:
    """The families, in the order in which they are shown.

    >>> [family.name for family in list_families()][:3]
    ['rouge', 'overlap', 'graphs']
    """
    return tuple(
        Family(
            name=name,
            title=row["title"],
            about=row["about"],
            modules=tuple(row["modules"]),
            group=tuple(row["group"]) if "group" in row else None,
        )
        for name, row in _read_table()["families"].items()
    )


def find_family(target: str, package: str = "") -> Family:
    """The family of the metric whose class is at `target`; metrics of another package are a family of their own.

    >>> find_family("gistmeter.metrics.overlap.rouge:RougeN").title
    'ROUGE'
    >>> find_family("shouting:Shout", "shouting-2.3").title
    'From shouting-2.3'
    """
    module = target.partition(":")[0]
    inside = module.removeprefix(_PACKAGE)
    if not package and inside != module:
        by_module = {name: family for family in list_families() for name in family.modules}
        fitting = [name for name in by_module if f"{inside}.".startswith(f"{name}.")]
        if fitting:
            return by_module[max(fitting, key=len)]
    title = f"From {package or module.partition('.')[0]}"
    return Family(name="", title=title, about="metrics of another package", group=())


def match_template(name: str, templates: Iterable[str]) -> str | None:
    """The registered name that a name in another case or with other separators means; None if that is not clear.

    >>> match_template("ROUGE-1", ["rouge{order}", "rougeL"]), match_template("Rouge_L", ["rouge{order}", "rougeL"])
    ('rouge1', 'rougeL')
    >>> match_template("js", ["JS", "J-S"]) is None
    True
    """
    folded = fold_name(name)
    meant = set()
    for template in templates:
        literals = _FIELD.split(template)
        pattern = "".join("([0-9]+)" if at % 2 else re.escape(fold_name(part)) for at, part in enumerate(literals))
        match = re.fullmatch(pattern, folded)
        if match:
            fields = iter(match.groups())
            meant.add("".join(next(fields) if at % 2 else part for at, part in enumerate(literals)))
    return meant.pop() if len(meant) == 1 else None


def find_other_name(name: str) -> Spelling | None:
    """The metric and settings that a name of another tool stands for.

    >>> find_other_name("chrF++")
    Spelling(name='chrf', settings={'word_order': '2'})
    """
    text = _read_table()["other-names"].get(fold_name(name))
    return parse_spelling(text) if text else None


def choose_version(spelling: Spelling) -> Spelling:
    """The metric of the version that a spelling names, without that setting; itself where it names none.

    >>> choose_version(Spelling("meteor", {"version": "1.5", "delta": "0.5"}))
    Spelling(name='meteor1.5', settings={'delta': '0.5'})
    """
    versions = _read_table()["versions"].get(spelling.name)
    if versions is None or "version" not in spelling.settings:
        return spelling
    asked = spelling.settings["version"]
    if asked not in versions:
        raise MetricError(f"{spelling.name} has the versions {' and '.join(versions)}, not {asked}")
    return Spelling(versions[asked], {key: value for key, value in spelling.settings.items() if key != "version"})


@functools.cache
def _read_table() -> dict[str, Any]:
    return tomllib.loads((files("gistmeter.metrics.naming") / "names.toml").read_text("utf-8"))
