"""Which metrics there are, and how a spelling becomes a metric object.

Adding a metric takes one line in `BUILT_IN`. A name may carry fields in braces: `rouge{order}` registers rouge1,
rouge2, ... Other packages register under the entry-point group `gistmeter.metrics` in the same manner.
"""

from __future__ import annotations

import contextlib
import functools
import re
import typing
import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from gistmeter.arguments import outside_level
from gistmeter.errors import GistmeterError, GistmeterWarning, MetricError, suggestion
from gistmeter.io.score_files.names import fold_name
from gistmeter.metrics.building import build_metric, refuse_class
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.naming.names import (
    choose_version,
    find_family,
    find_other_name,
    list_families,
    match_template,
)
from gistmeter.metrics.packages import (
    describe_import_error,
    describe_package,
    import_class,
    is_class_name,
    list_entry_points,
    refuse_unimported,
)
from gistmeter.metrics.presets import apply_preset
from gistmeter.metrics.spelling import Spelling, check_depth, parse_spelling, split_list, write_spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_named_classes: set[str] = set()
"""Classes (`module:Class`) that somebody named here: a column of that name in a file may be asked about, too."""


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

    @property
    def is_class_name(self) -> bool:
        """Whether it is no registered name, but a class that a user named."""
        return self.template == self.target

    def name_package(self) -> str:
        """The metric with the package that brings it, for messages."""
        if self.is_class_name:
            return self.target
        return f"{self.template} of the package {self.package or re.split('[.:]', self.target)[0]}"

    def load(self) -> type[Metric]:
        """The class."""
        if self in BUILT_IN:
            module, _, name = self.target.partition(":")
            return typing.cast("type[Metric]", getattr(import_module(module), name))
        try:
            cls = import_class(self.target, working_directory=self.is_class_name)
        except (Exception, SystemExit) as error:  # whatever a module of another package does when it is imported
            spelled = "" if self.is_class_name else f" ({self.target})"
            reason = describe_import_error(error)
            raise MetricError(f"{self.name_package()} cannot be loaded{spelled}: {reason}") from error
        refusal = refuse_class(cls)
        if refusal is not None:
            raise MetricError(f"{self.name_package()} cannot be used: {self.target} {refusal}")
        return typing.cast("type[Metric]", cls)

    def build(self, name: str, settings: dict[str, str], parse_inner: Callable[[str], Metric]) -> Metric:
        """The metric of a name that stands for this entry, with these settings."""
        match = self.pattern.match(name)
        from_name = match.groupdict() if match else {}
        cls = self.load()
        try:
            return build_metric(cls, name, from_name=from_name, settings=settings, parse_inner=parse_inner)
        except GistmeterError:
            raise
        except Exception as error:  # settings without defaults, types that only a type checker sees, ...
            if self in BUILT_IN:
                raise
            reason = describe_import_error(error)
            raise MetricError(f"{self.name_package()} cannot be made with these settings: {reason}") from error


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
    Entry("meteor1.5", "gistmeter.metrics.overlap.meteor15:Meteor15"),
    Entry("content", "gistmeter.metrics.overlap.content:Content"),
    Entry("autosummeng", "gistmeter.metrics.graphs.autosummeng:AutoSummEng"),
    Entry("memog", "gistmeter.metrics.graphs.memog:MeMoG"),
    Entry("npower", "gistmeter.metrics.graphs.npower:NPowER"),
    Entry("bewte", "gistmeter.metrics.elements.bewte:BewtE"),
    Entry("s3", "gistmeter.metrics.learned.s3:S3"),
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
    Entry("consistency", "gistmeter.metrics.consistency.consistency:Consistency"),
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
    Entry("pyreval", "gistmeter.metrics.clauses.pyreval:PyrEval"),
    Entry("qaeval", "gistmeter.metrics.question.qaeval:QaEval"),
    Entry("qags", "gistmeter.metrics.question.qags:Qags"),
    Entry("feqa", "gistmeter.metrics.question.feqa:Feqa"),
    Entry("apes", "gistmeter.metrics.question.apes:Apes"),
    Entry("summaqa", "gistmeter.metrics.question.summaqa:SummaQa"),
    Entry("questeval", "gistmeter.metrics.question.questeval:QuestEval"),
    Entry("salience", "gistmeter.metrics.question.salience:Salience"),
    Entry("jackknife", "gistmeter.metrics.jackknife:Jackknife"),
)


@functools.cache
def list_entries() -> tuple[Entry, ...]:
    """All registered metrics: gistmeter's own, then those of other packages."""
    own = {entry.template for entry in BUILT_IN}
    others = [
        Entry(point.name, point.value, package=describe_package(point.dist))
        for point in list_entry_points()
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


def parse_metric(text: str, *, imports: bool = False) -> Metric:
    """The metric that a spelling stands for: a registered name, or with `imports` also a class, `module:Class`.

    Whoever reads a spelling from a file leaves `imports` off: a file must not decide which code runs.

    >>> parse_metric("rouge2(stem=none)").settings["stem"]
    'none'
    >>> parse_metric("ROUGE-1").name
    'rouge1'
    >>> parse_metric("roge2")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: unknown metric 'roge2'; did you mean rouge2? (gistmeter metrics lists all)
    """
    if not isinstance(text, str):
        raise MetricError(f"a metric is a text such as 'rouge2', not {text!r}")
    check_depth(text)
    spelling = _respell(parse_spelling(text))
    parse_inner = functools.partial(parse_metric, imports=imports)
    if is_class_name(spelling.name):
        if not imports and spelling.name not in _named_classes:
            raise refuse_unimported(spelling.name)
        metric = Entry(spelling.name, spelling.name).build(spelling.name, spelling.settings, parse_inner)
        _named_classes.add(spelling.name)
        return metric
    entry = _find_entry(spelling.name)
    if entry is None:
        members = expand_group(spelling.name)
        if members:
            raise MetricError(f"{spelling.name} is a group of metrics: name one of them ({', '.join(members)})")
        hint = suggestion(spelling.name, [*list_names(), *list_groups()])
        raise MetricError(f"unknown metric {spelling.name!r}{hint} (gistmeter metrics lists all)")
    return entry.build(spelling.name, apply_preset(entry.template, spelling.name, spelling.settings), parse_inner)


def respell_metric(text: str) -> str:
    """The one spelling of a metric that somebody wrote in another way: names as registered, settings as they are.

    >>> respell_metric("ROUGE-1(stem=none)"), respell_metric("jackknife(metric=Rouge_L)"), respell_metric("chrF++")
    ('rouge1(stem=none)', 'jackknife(metric=rougeL)', 'chrf(word_order=2)')
    """
    check_depth(text)
    written = parse_spelling(text)
    spelling = _respell(written)
    return text if spelling == written else write_spelling(spelling)


def _respell(spelling: Spelling) -> Spelling:
    """The same metric by its registered name, and so the metric among its settings; a class keeps its name."""
    settings = dict(spelling.settings)
    if "metric" in settings:
        with contextlib.suppress(MetricError):  # it is told when the metric is made
            settings["metric"] = respell_metric(settings["metric"])
    if is_class_name(spelling.name) or _find_entry(spelling.name) is not None:
        return choose_version(Spelling(spelling.name, settings))
    other = find_other_name(spelling.name)
    if other is not None:
        return Spelling(other.name, other.settings | settings)
    registered = match_template(spelling.name, [entry.template for entry in list_entries()])
    return choose_version(Spelling(registered or spelling.name, settings))


def list_groups() -> dict[str, list[str]]:
    """The families whose name stands for their metrics, with these.

    >>> list_groups()["rouge"]
    ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']
    """
    groups = {}
    for family in list_families():
        listed = [name for entry in BUILT_IN if find_family(entry.target) == family for name in entry.names]
        groups[family.name] = listed if family.group is None else list(family.group)
    return {name: members for name, members in groups.items() if members and _find_entry(name) is None}


def expand_group(text: str) -> list[str]:
    """The metrics that a group stands for, each with the settings that stand after its name; none if it is no group.

    >>> expand_group("ROUGE(stem=none)")[:2], expand_group("rouge1")
    (['rouge1(stem=none)', 'rouge2(stem=none)'], [])
    """
    name, bracket, settings = text.strip().partition("(")
    return [f"{member}{bracket}{settings}" for member in list_groups().get(fold_name(name), ())]


def parse_metrics(metrics: str | Metric | Iterable[str | Metric]) -> dict[str, Metric]:
    """Metrics by the label their columns will carry: what the user wrote, with names as they are registered.

    Groups are the metrics that they stand for. Classes that are named are imported.

    >>> list(parse_metrics(["rouge1", "rouge2(stem=none), Rouge-L"])), list(parse_metrics("rouge"))
    (['rouge1', 'rouge2(stem=none)', 'rougeL'], ['rouge1', 'rouge2', 'rougeL', 'rougeLsum'])
    """
    if metrics is None:
        raise MetricError("no metric was asked for; name at least one, for example rouge1")
    items = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    labelled: dict[str, Metric] = {}
    for item in items:
        if isinstance(item, Metric):
            labelled[item.spelling] = item
        elif isinstance(item, str):
            texts = [member for text in split_list(item) for member in expand_group(text) or [text]]
            labelled |= {respell_metric(text): parse_metric(text, imports=True) for text in texts}
        else:
            raise MetricError(f"a metric is a text such as 'rouge2' or a Metric object, not {item!r}")
    if not labelled:
        raise MetricError("no metric was asked for; name at least one, for example rouge1")
    return labelled


def _find_entry(name: str) -> Entry | None:
    """The entry of exactly that name, built-in ones first: looking up other packages takes longer."""
    own = next((entry for entry in BUILT_IN if entry.pattern.match(name)), None)
    return own or next((entry for entry in list_entries()[len(BUILT_IN) :] if entry.pattern.match(name)), None)
