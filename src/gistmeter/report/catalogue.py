"""The catalogue: what each metric needs, returns and can be set to, read off the metrics themselves."""

from __future__ import annotations

import dataclasses
import inspect
import json
import types
import typing
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gistmeter.arguments import outside_level
from gistmeter.errors import GistmeterWarning, MetricError, MissingExtraError
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.naming.names import find_family, list_families
from gistmeter.metrics.presets import list_presets
from gistmeter.metrics.registry import expand_group, list_entries, list_groups, load_entries, parse_metric
from gistmeter.metrics.settings import Within
from gistmeter.report.tables.board import ARROWS
from gistmeter.signature import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.metrics.metric import Column
    from gistmeter.metrics.naming.names import Family
    from gistmeter.metrics.presets import Preset

_NEED_LETTERS = {"references": "R", "document": "D", "units": "U"}
_NAMES_PARAGRAPH = [
    "A name may be written in any case, with or without hyphens and underscores: `ROUGE-1`, `Rouge_L`, `BERTScore` are",
    "`rouge1`, `rougeL`, `bertscore`; `chrF++` is `chrf(word_order=2)`. Tables and signatures have the one spelling.",
    "A family is a group, too: `-m rouge`, `-m 'rouge(stem=none)'`, `-m surface`.",
    "",
]
_KINDS = {bool: "yes, no", int: "a whole number", float: "a number", str: "text"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a metric: its value unless changed, and what it takes."""

    name: str
    default: str
    takes: str


@dataclass(frozen=True, slots=True)
class MetricPage:
    """All there is to say about a metric."""

    metric: Metric
    name: str
    names: tuple[str, ...]
    """The usual names of its family: rouge1, rouge2, ..."""
    family: Family
    first_line: str
    about: str
    needs: tuple[str, ...]
    columns: tuple[Column, ...]
    settings: tuple[Setting, ...]
    presets: dict[str, Preset]
    paper: str
    explains: bool
    """Whether it can show why a summary scores as it does."""

    @property
    def reference_free(self) -> bool:
        """Whether it works where nobody wrote a reference, or content units of one."""
        return all(self.metric.is_reference_free(column.name) for column in self.columns)

    @property
    def asks_models(self) -> bool:
        """Whether it may ask a model, which the extra `models` brings.

        Those that read no more than word counts or a parser do so under some setting, such as rouge1(category=...).
        """
        return bool(type(self.metric).model_roles - {"idf", "parser"})

    @property
    def signature(self) -> str:
        """Its signature; of a measure whose model is not installed, the sentence that says so."""
        try:
            return self.metric.signature()
        except MissingExtraError as error:
            return str(error)


def describe(name: str) -> MetricPage:
    """The page of one metric; a spelling with settings describes the metric so set.

    >>> page = describe("rouge2")
    >>> page.needs, [column.name for column in page.columns]
    (('references',), ['precision', 'recall', 'f1'])
    >>> [setting for setting in page.settings if setting.name == "alpha"]
    [Setting(name='alpha', default='0.5', takes='a share from 0 to 1')]
    """
    metric = parse_metric(name, imports=True)
    about = _docstring(type(metric))
    entry = next((entry for entry in list_entries() if entry.pattern.match(metric.name)), None)
    return MetricPage(
        metric=metric,
        name=metric.name,
        names=entry.names if entry else (metric.name,),
        family=find_family(entry.target if entry else type(metric).__module__, entry.package if entry else ""),
        first_line=about.partition("\n")[0],
        about=about,
        needs=tuple(sorted(metric.needs)),
        columns=metric.columns,
        settings=_settings(metric),
        presets=list_presets(entry.template) if entry else {},
        paper=metric.paper,
        explains=metric.explains,
    )


def pages() -> list[MetricPage]:
    """The pages of all metrics, one for each family of names."""
    described = []
    for entry, _ in load_entries():
        try:
            described.append(describe(entry.names[0]))
        except MetricError as error:  # of another package: its settings have no defaults, for one
            warnings.warn(f"skipped {error}", GistmeterWarning, stacklevel=outside_level())
    return described


def describe_group(name: str) -> list[MetricPage]:
    """The pages of the metrics of a group; none if that is no group.

    >>> [page.name for page in describe_group("ROUGE")], describe_group("rouge1")
    (['rouge1', 'rouge2', 'rougeL', 'rougeLsum'], [])
    """
    return [replace(page, names=(page.name,)) for page in map(describe, expand_group(name))]


def pages_by_family(described: Iterable[MetricPage]) -> dict[Family, list[MetricPage]]:
    """The pages of metrics by family, families in the order in which they are shown, other packages last."""
    by_family: dict[Family, list[MetricPage]] = {family: [] for family in list_families()}
    for page in described:
        by_family.setdefault(page.family, []).append(page)
    return {family: in_family for family, in_family in by_family.items() if in_family}


def catalogue_json() -> str:
    """All metrics as JSON: a list with the name, family, needs, scores, settings and first line of each."""
    described = [
        {
            "name": page.name,
            "names": list(page.names),
            "family": page.family.name or page.family.title,
            "needs": list(page.needs),
            "reference_free": page.reference_free,
            "models": page.asks_models,
            "scores": [{"name": column.name, "better": column.better} for column in page.columns],
            "settings": {setting.name: setting.default for setting in page.settings},
            "about": page.first_line,
        }
        for page in pages()
    ]
    return json.dumps(described, ensure_ascii=False)


def catalogue_markdown() -> str:
    """The whole catalogue as one Markdown page."""
    described = pages()
    lines = ["# Metrics", "", *_NAMES_PARAGRAPH]
    for family, in_family in pages_by_family(described).items():
        lines += [
            f"**{family.title}**: {family.about}{group_text(family, code='`')}.",
            "",
            "| metric | needs | scores | what it is |",
            "|---|---|---|---|",
            *(
                _row(
                    ", ".join(f"[`{name}`](#{_anchor(page)})" for name in page.names),
                    needs_text(page),
                    scores_text(page),
                    page.first_line,
                )
                for page in in_family
            ),
            "",
        ]
    for page in described:
        lines += _markdown_section(page)
    return "\n".join(lines)


def group_text(family: Family, *, code: str = "") -> str:
    """How to ask for all metrics of a family, or for those that its name stands for.

    >>> group_text(list_families()[0])
    ' (-m rouge: rouge1, rouge2, rougeL, rougeLsum)'
    """
    members = list_groups().get(family.name, ())
    if not members:
        return ""
    listed = f": {', '.join(f'{code}{name}{code}' for name in members)}" if family.group is not None else ""
    return f" ({code}-m {family.name}{code}{listed})"


def needs_marks(page: MetricPage) -> str:
    """What a metric needs as letters: R references, D document, U units, M models; a star if no references.

    >>> needs_marks(describe("rouge1")), needs_marks(describe("estime")), needs_marks(describe("length"))
    ('R', 'D M *', '*')
    """
    letters = [letter for need, letter in _NEED_LETTERS.items() if need in page.needs]
    return " ".join([*letters, *(["M"] if page.asks_models else []), *(["*"] if page.reference_free else [])])


def needs_text(page: MetricPage) -> str:
    """What a metric reads besides the summary."""
    return ", ".join(page.needs) or "the summary alone"


def scores_text(page: MetricPage) -> str:
    """The scores a metric returns, with their directions."""
    return ", ".join(f"{column.name}{ARROWS[column.better]}" for column in page.columns)


def column_about(column: Column) -> str:
    """What one score is; pooled ones say that they have a value for a system only."""
    return f"{column.about} (for a whole system)" if column.pooled else column.about


def preset_text(preset: Preset) -> str:
    """The settings that a preset stands for, as they are spelled."""
    return ",".join(f"{key}={value}" for key, value in preset.settings.items())


def _markdown_section(page: MetricPage) -> list[str]:
    lines = [f"## {', '.join(page.names)} {{#{_anchor(page)}}}", "", page.about, ""]
    if page.paper:
        lines += [f"Paper: {page.paper}.", ""]
    explains = "`gistmeter explain` shows why a summary scores as it does." if page.explains else ""
    lines += [f"Needs: {needs_text(page)}. {explains}".rstrip(), ""]
    lines += ["| score | better | what it is |", "|---|---|---|"]
    lines += [_row(f"`{c.name}`", c.better, column_about(c)) for c in page.columns]
    lines += [""]
    if page.settings:
        lines += ["| setting | default | takes |", "|---|---|---|"]
        lines += [_row(f"`{s.name}`", f"`{s.default}`", s.takes) for s in page.settings]
        lines += [""]
    if page.presets:
        lines += ["| preset | stands for | what it is |", "|---|---|---|"]
        lines += [_row(f"`preset={n}`", f"`{preset_text(p)}`", p.about) for n, p in page.presets.items()]
        lines += [""]
    return [*lines, f"Signature: `{page.signature}`", ""]


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _anchor(page: MetricPage) -> str:
    return page.name.lower()


def _docstring(cls: type[Metric]) -> str:
    """The docstring as paragraphs without line breaks or examples."""
    text = inspect.cleandoc(cls.__doc__ or "")
    # A dataclass without a docstring gets its own signature for one.
    if text.startswith(f"{cls.__name__}("):
        return ""
    paragraphs = (part for part in text.split("\n\n") if not part.lstrip().startswith(">>>"))
    return "\n\n".join(" ".join(part.split()) for part in paragraphs)


def _settings(metric: Metric) -> tuple[Setting, ...]:
    hints = typing.get_type_hints(type(metric), include_extras=True)
    fields = dataclasses.fields(metric)  # type: ignore[arg-type]
    return tuple(
        Setting(
            field.name,
            _format_setting(metric.settings[field.name]),
            field.metadata.get("takes") or _takes(hints[field.name]),
        )
        for field in fields
        if field.name in metric.settings and field.init
    )


def _format_setting(value: Any) -> str:
    return value.spelling if isinstance(value, Metric) else format_value(value)


def _takes(hint: Any) -> str:
    """What a type hint allows, in words."""
    origin = typing.get_origin(hint)
    if origin is Annotated:
        bounds = next(mark for mark in hint.__metadata__ if isinstance(mark, Within))
        return str(bounds) if bounds.noun else f"{_KINDS[hint.__origin__]} {bounds}"
    if origin is Literal:
        return ", ".join(format_value(choice) for choice in typing.get_args(hint))
    if origin in (typing.Union, types.UnionType):
        inner = [_takes(option) for option in typing.get_args(hint) if option is not type(None)]
        return " or ".join([*inner, "none"] if type(None) in typing.get_args(hint) else inner)
    if isinstance(hint, type) and issubclass(hint, Metric):
        return "a metric"
    return _KINDS.get(hint, "text")
