"""Which metrics there are, and how a spelling becomes a metric object.

Adding a metric takes one line in `BUILT_IN`. A name may carry fields in braces: `rouge{order}` registers rouge1,
rouge2, ... Other packages register under the entry-point group `gistmeter.metrics` in the same manner.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
import typing
import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.arguments import outside_level
from gistmeter.errors import GistmeterError, GistmeterWarning, MetricError, suggestion
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.presets import apply_preset
from gistmeter.metrics.spelling import check_depth, parse_spelling, remove_quotes, split_list, split_texts
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.metrics.metric import Better

ENTRY_POINT_GROUP = "gistmeter.metrics"


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered name and the class behind it, loaded when first used."""

    template: str
    target: str
    examples: tuple[str, ...] = ()
    package: str = ""
    """Name and version of the package that brings it, when that is not gistmeter."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The names that stand for this entry."""
        parts = re.split(r"\{(\w+)\}", self.template)
        body = "".join(f"(?P<{p}>[0-9]+)" if i % 2 else re.escape(p) for i, p in enumerate(parts))
        return re.compile(body + r"\Z")

    @property
    def names(self) -> tuple[str, ...]:
        """Names to list for this entry."""
        return self.examples or (self.template,)

    def _name_package(self) -> str:
        return f"{self.template} of the package {self.package or re.split('[.:]', self.target)[0]}"

    def load(self) -> type[Metric]:
        """The class."""
        module, _, name = self.target.partition(":")
        if self in BUILT_IN:
            return typing.cast("type[Metric]", getattr(import_module(module), name))
        try:
            cls = typing.cast("type[Metric]", getattr(import_module(module), name))
        except Exception as error:  # whatever a module of another package does when it is imported
            reason = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            raise MetricError(f"{self._name_package()} cannot be loaded ({self.target}): {reason}") from error
        is_metric = inspect.isclass(cls) and issubclass(cls, Metric)
        if not is_metric or inspect.isabstract(cls) or not dataclasses.is_dataclass(cls):
            raise MetricError(f"{self._name_package()} cannot be used: {self.target} is no dataclass that is a Metric")
        if cls.version == __version__:  # it did not choose a version of its own
            cls.version = f"{__version__}+{self.package}" if self.package else __version__
        return cls


BUILT_IN: tuple[Entry, ...] = (
    Entry("rouge{order}", "gistmeter.metrics.overlap.rouge:RougeN", ("rouge1", "rouge2", "rouge3", "rouge4")),
    Entry("rougeL", "gistmeter.metrics.overlap.rouge:RougeL"),
    Entry("rougeLsum", "gistmeter.metrics.overlap.rouge:RougeLsum"),
    Entry("rougeW", "gistmeter.metrics.overlap.rouge:RougeW"),
    Entry("rougeS", "gistmeter.metrics.overlap.rouge:RougeS"),
    Entry("rougeS{gap}", "gistmeter.metrics.overlap.rouge:RougeS", ("rougeS4",)),
    Entry("rougeSU", "gistmeter.metrics.overlap.rouge:RougeSU"),
    Entry("rougeSU{gap}", "gistmeter.metrics.overlap.rouge:RougeSU", ("rougeSU4",)),
    Entry("bleu", "gistmeter.metrics.overlap.bleu:Bleu"),
    Entry("chrf", "gistmeter.metrics.overlap.chrf:Chrf"),
    Entry("meteor", "gistmeter.metrics.overlap.meteor:Meteor"),
    Entry("content", "gistmeter.metrics.overlap.content:Content"),
    Entry("js", "gistmeter.metrics.overlap.simetrix:JensenShannon"),
    Entry("simetrix", "gistmeter.metrics.overlap.simetrix:Simetrix"),
    Entry("length", "gistmeter.metrics.surface.length:Length"),
    Entry("compression", "gistmeter.metrics.surface.length:Compression"),
    Entry("novelty", "gistmeter.metrics.surface.novelty:Novelty"),
    Entry("fragments", "gistmeter.metrics.surface.fragments:Fragments"),
    Entry("repetition", "gistmeter.metrics.surface.repetition:Repetition"),
    Entry("bertscore", "gistmeter.metrics.embedding.bertscore:BertScore"),
    Entry("moverscore", "gistmeter.metrics.embedding.moverscore:MoverScore"),
    Entry("sts", "gistmeter.metrics.embedding.sts:Sts"),
    Entry("faithfulness", "gistmeter.metrics.ffci.faithfulness:Faithfulness"),
    Entry("focus", "gistmeter.metrics.ffci.aspects:Focus"),
    Entry("coverage", "gistmeter.metrics.ffci.aspects:Coverage"),
    Entry("coherence", "gistmeter.metrics.ffci.coherence:Coherence"),
    Entry("ffci", "gistmeter.metrics.ffci.ffci:Ffci"),
    Entry("estime", "gistmeter.metrics.masked.estime:Estime"),
    Entry("supert", "gistmeter.metrics.embedding.supert:Supert"),
    Entry("blanc", "gistmeter.metrics.masked.blanc:Blanc"),
    Entry("pyramid", "gistmeter.metrics.pyramid.pyramid:Pyramid"),
    Entry("litepyramid", "gistmeter.metrics.pyramid.litepyramid:LitePyramid"),
    Entry("lite2pyramid", "gistmeter.metrics.pyramid.lite2pyramid:Lite2Pyramid"),
    Entry("lite2.xpyramid", "gistmeter.metrics.pyramid.planned:PlannedPyramid"),
    Entry("lite2.{share}pyramid", "gistmeter.metrics.pyramid.lite2xpyramid:Lite2xPyramid", ("lite2.5pyramid",)),
    Entry("lite3pyramid", "gistmeter.metrics.pyramid.lite3pyramid:Lite3Pyramid"),
    Entry("qaeval", "gistmeter.metrics.question.qaeval:QaEval"),
    Entry("qags", "gistmeter.metrics.question.qags:Qags"),
    Entry("feqa", "gistmeter.metrics.question.feqa:Feqa"),
    Entry("apes", "gistmeter.metrics.question.apes:Apes"),
    Entry("summaqa", "gistmeter.metrics.question.summaqa:SummaQa"),
    Entry("questeval", "gistmeter.metrics.question.questeval:QuestEval"),
    Entry("jackknife", "gistmeter.metrics.jackknife:Jackknife"),
)


@functools.cache
def list_entries() -> tuple[Entry, ...]:
    """All registered metrics: gistmeter's own, then those of other packages."""
    own = {entry.template for entry in BUILT_IN}
    others = [
        Entry(point.name, point.value, package=f"{point.dist.name}-{point.dist.version}" if point.dist else "")
        for point in entry_points(group=ENTRY_POINT_GROUP)
        if point.name not in own
    ]
    return (*BUILT_IN, *(entry for entry in others if _has_pattern(entry)))


def _has_pattern(entry: Entry) -> bool:
    """Whether the name of a metric of another package can be read; a warning says that one cannot."""
    try:
        return bool(entry.pattern.pattern)
    except re.error as error:
        message = f"skipped {entry.template} of {entry.package or entry.target}: it is no name of a metric ({error})"
        warnings.warn(message, GistmeterWarning, stacklevel=outside_level())
        return False


def load_entries() -> list[tuple[Entry, type[Metric]]]:
    """All metrics with their classes; a warning names those of other packages that cannot be loaded."""
    loaded = []
    for entry in list_entries():
        try:
            loaded.append((entry, entry.load()))
        except MetricError as error:
            warnings.warn(f"skipped {error}", GistmeterWarning, stacklevel=outside_level())
    return loaded


def list_names() -> list[str]:
    """The names to show a person: templates are shown by their usual members.

    >>> list_names()[:3]
    ['rouge1', 'rouge2', 'rouge3']
    """
    return [name for entry in list_entries() for name in entry.names]


def list_names_of(kind: type) -> list[str]:
    """The names of the registered metrics that are of a kind.

    >>> from gistmeter.metrics.overlap.rouge import RougeL, RougeS
    >>> list_names_of(RougeL), list_names_of(RougeS)
    (['rougeL'], ['rougeS', 'rougeS4', 'rougeSU', 'rougeSU4'])
    """
    return [name for entry, cls in load_entries() if issubclass(cls, kind) for name in entry.names]


def list_names_using(role: str) -> list[str]:
    """The names of the registered metrics that may ask the model of a role.

    >>> list_names_using("masked-words")
    ['estime', 'blanc']
    """
    return [name for entry, cls in load_entries() if role in cls.model_roles for name in entry.names]


def parse_metric(text: str) -> Metric:
    """The metric that a spelling stands for.

    >>> parse_metric("rouge2(stem=none)").settings["stem"]
    'none'
    >>> parse_metric("roge2")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: unknown metric 'roge2'; did you mean rouge2? (gistmeter metrics lists all)
    """
    if not isinstance(text, str):
        raise MetricError(f"a metric is a text such as 'rouge2', not {text!r}")
    check_depth(text)
    spelling = parse_spelling(text)
    for entry in _iterate_entries():
        match = entry.pattern.match(spelling.name)
        if match:
            settings = apply_preset(entry.template, spelling.name, spelling.settings)
            return _build(entry.load(), spelling.name, match.groupdict(), settings)
    hint = suggestion(spelling.name, list_names())
    raise MetricError(f"unknown metric {spelling.name!r}{hint} (gistmeter metrics lists all)")


def parse_metrics(metrics: str | Metric | Iterable[str | Metric]) -> dict[str, Metric]:
    """Metrics by the label their columns will carry: exactly what the user wrote.

    >>> list(parse_metrics(["rouge1", "rouge2(stem=none), rougeL"]))
    ['rouge1', 'rouge2(stem=none)', 'rougeL']
    """
    if metrics is None:
        raise MetricError("no metric was asked for; name at least one, for example rouge1")
    items = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    labelled: dict[str, Metric] = {}
    for item in items:
        if isinstance(item, Metric):
            labelled[item.spelling] = item
        elif isinstance(item, str):
            labelled.update({text: parse_metric(text) for text in split_list(item)})
        else:
            raise MetricError(f"a metric is a text such as 'rouge2' or a Metric object, not {item!r}")
    if not labelled:
        raise MetricError("no metric was asked for; name at least one, for example rouge1")
    return labelled


@functools.cache
def find_direction(name: str) -> Better | None:
    """Which way is good for a score of that name, a metric's column or a metric; None if no metric is called so.

    Of a metric's columns, the one of its own name, else f1, else the first speaks for it.

    >>> find_direction("js.divergence"), find_direction("rouge2"), find_direction("length.words")
    ('lower', 'higher', 'neither')
    >>> find_direction("human fluency") is None
    True
    """
    label, _, short = name.rpartition(".")
    for spelling, wanted in ((label, (short,)), (name, (name.partition("(")[0], "f1"))):
        try:
            columns = parse_metric(spelling).columns
        except GistmeterError:
            continue
        by_name = {column.name: column.better for column in columns}
        stated = next((by_name[column] for column in wanted if column in by_name), None)
        if stated is not None or spelling == name:
            return stated or columns[0].better
    return None


def is_part(name: str) -> bool:
    """Whether a column of that name holds counts that a metric of whole systems adds up, and no score.

    >>> is_part("bleu.correct_1"), is_part("bleu.bleu")
    (True, False)
    """
    label, _, short = name.rpartition(".")
    try:
        return short in parse_metric(label).parts
    except GistmeterError:
        return False


def _iterate_entries() -> Iterable[Entry]:
    """Built-in entries first: looking up other packages takes longer and is rarely needed."""
    yield from BUILT_IN
    yield from list_entries()[len(BUILT_IN) :]


def _build(cls: type[Metric], name: str, from_name: dict[str, str], settings: dict[str, str]) -> Metric:
    types_by_field = _resolve_setting_types(cls)
    for key in settings:
        if key not in types_by_field or key in from_name or key in cls._named_fields():
            settable = sorted(set(types_by_field) - cls._named_fields())
            ways = f"it has {', '.join(settable)}" if settable else "it has none"
            raise MetricError(f"{name} has no setting {key!r}{suggestion(key, settable)} ({ways})")
    values = {key: _convert(text, types_by_field[key], name, key) for key, text in settings.items()}
    values |= {key: _convert(text, types_by_field[key], name, key) for key, text in from_name.items()}
    return cls(**values)


@functools.cache
def _resolve_setting_types(cls: type[Metric]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    return {field.name: hints[field.name] for field in fields if field.init and not field.metadata.get("state")}


def _convert(text: str, declared: Any, name: str, key: str) -> Any:
    """A setting's text as the type its field declares."""
    origin = typing.get_origin(declared)
    if origin is Literal:
        choices = typing.get_args(declared)
        by_text = {str(choice): choice for choice in choices}
        if text not in by_text:
            ways = ", ".join(by_text)
            raise MetricError(f"{name} cannot have {key}={text}{suggestion(text, by_text)} ({key} is one of {ways})")
        return by_text[text]
    if origin in (typing.Union, types.UnionType):
        inner = [option for option in typing.get_args(declared) if option is not type(None)]
        if text.lower() == "none" and type(None) in typing.get_args(declared):
            return None
        return _convert(text, inner[0], name, key)
    try:
        if declared is bool:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
        if declared in (int, float):
            return declared(text)
    except (KeyError, ValueError):
        kind = {bool: "yes or no", int: "a whole number", float: "a number"}[declared]
        raise MetricError(f"{name} cannot have {key}={text}: it takes {kind}") from None
    if isinstance(declared, type) and issubclass(declared, Metric):
        return parse_metric(text)
    return split_texts(text) if origin is tuple else remove_quotes(text)
