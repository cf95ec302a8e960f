"""Wrong calls of the Python interface: a sentence that names the argument, and no other exception."""

import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter import annotate, api, human, insight, meta, probe, stats, summarize, testing
from gistmeter.arguments import _resolve_hints, check_arguments
from gistmeter.errors import ArgumentError, ArgumentTypeError, GistmeterError
from gistmeter.judgments import Judgments
from gistmeter.metrics import parse_metric
from gistmeter.ranking import trust
from gistmeter.scores import ScoreColumn, Scores

NAN = float("nan")
SYSTEMS, DOCUMENTS = "abc", "123456"
VALUES = {(s, d): (ord(s) - 96) / 4 + int(d) % 3 / 10 for s in SYSTEMS for d in DOCUMENTS}
TABLE = pl.DataFrame(
    {"doc_id": [d for _, d in VALUES], "system": [s for s, _ in VALUES], "m.f1": list(VALUES.values())}
)
SCORES = Scores(TABLE, (ScoreColumn("m.f1", "m|v:0"),))
PEOPLE = Judgments.from_records(
    [
        {"doc_id": d, "system": s, "aspect": "focus", "rater": rater, "value": round(value * 4) + (rater == "ann")}
        for (s, d), value in VALUES.items()
        for rater in ("ann", "bob")
    ]
)
STUDY = meta.Study.from_tables(
    {"m": [[1.0, 2.0], [3.0, 1.0], [2.0, 5.0]], "h": [[1.0, 2.0], [2.0, 2.0], [3.0, 4.0]]}, aspects=["h"]
)
EXAMPLE = gm.Example(doc_id="1", system="a", summary="It rained.", references=("Rain fell.",))
RUN = [EXAMPLE]

CALLS = [
    # score and its neighbours
    (api.score, (3, "rouge1"), {}, "run"),
    (api.score, (None, "rouge1"), {}, "run"),
    (api.score, ({"summary": "x"}, "rouge1"), {}, "run"),
    (api.score, ([1, 2], "rouge1"), {}, "example 1"),
    (api.score, ([], "rouge1"), {}, ""),
    (api.score, (RUN, 3), {}, "metrics"),
    (api.score, (RUN, None), {}, "metrics"),
    (api.score, (RUN, []), {}, ""),
    (api.score, (RUN, [3]), {}, "metrics"),
    (api.score, (RUN, {"a": "rouge1"}), {}, "metrics"),
    (api.score, (RUN, ""), {}, ""),
    (api.score, (RUN, "rouge1"), {"workers": 0}, "workers"),
    (api.score, (RUN, "rouge1"), {"workers": -2}, "workers"),
    (api.score, (RUN, "rouge1"), {"workers": "two"}, "workers"),
    (api.score, (RUN, "rouge1"), {"workers": 1.5}, "workers"),
    (api.score, (RUN, "rouge1"), {"workers": True}, "workers"),
    (api.score, (RUN, "rouge1"), {"engine": "spark"}, "engine"),
    (api.score, (RUN, "rouge1"), {"engine": None}, "engine"),
    (api.score, (RUN, "rouge1"), {"cache": "yes"}, "cache"),
    (api.score, (RUN, "rouge1"), {"output": 3}, "output"),
    (api.score, (RUN, "rouge1"), {"markers": "drop"}, "markers"),
    (api.score, (RUN, "rouge1"), {"runtime": "cpu"}, "runtime"),
    (api.score, (RUN, "rouge1"), {"worker": 2}, "workers"),
    (api.score, (RUN,), {}, "metrics"),
    (api.score_to_file, (RUN, "rouge1", None), {}, "output"),
    (api.score_one, (), {"summary": 3, "metrics": "rouge1"}, "summary"),
    (api.score_one, (), {"summary": "x", "references": 3, "metrics": "rouge1"}, "references"),
    (api.score_one, (), {"summary": "x", "references": ["y"], "metrics": "rouge1", "units": 3}, "units"),
    (api.score_one, (), {"summary": "x", "references": ["y"], "metrics": "rouge1", "language": 3}, "language"),
    (api.score_one, (), {"summary": "x", "references": [["y", 3]], "metrics": "rouge1"}, "references"),
    (api.score_one, ("x",), {"metrics": "rouge1"}, "score_one"),
    (api.metric, (3,), {}, "text"),
    (api.metric, ("rouge1, rouge2",), {}, ""),
    (api.read_run, (3,), {}, "files"),
    (api.read_run, (), {}, ""),
    (api.read_run, ("run.jsonl",), {"references": "references.jsonl"}, "references"),
    (api.read_run, ("run.jsonl",), {"units": [3]}, "units"),
    (api.explain, ("It rained.", "rouge1"), {}, "example"),
    (api.explain, (EXAMPLE, "rouge1"), {"cache": 1}, "cache"),
    (api.explain_summary, (RUN, "1", None, "rouge1"), {}, "system"),
    (api.explain_summary, (RUN, 1, "a", "rouge1"), {}, "doc_id"),
    (api.explain_summary, (RUN, "1", "a", "rouge1"), {"scores": 3}, "scores"),
    (api.write_run, ("run", "out.jsonl"), {}, "examples"),
    (api.write_run, (RUN, 3), {}, "path"),
    # rank, compare, report
    (api.rank, ("scores.csv",), {}, "scores"),
    (api.rank, (SCORES,), {"columns": "m.f1"}, "columns"),
    (api.rank, (SCORES,), {"columns": [3]}, "columns"),
    (api.rank, (SCORES,), {"alpha": NAN}, "alpha"),
    (api.rank, (SCORES,), {"alpha": 5}, "alpha"),
    (api.rank, (SCORES,), {"alpha": "0.05"}, "alpha"),
    (api.rank, (SCORES,), {"confidence": 95}, "confidence"),
    (api.rank, (SCORES,), {"confidence": NAN}, "confidence"),
    (api.rank, (SCORES,), {"permutations": -1}, "permutations"),
    (api.rank, (SCORES,), {"permutations": 0}, "permutations"),
    (api.rank, (SCORES,), {"permutations": "many"}, "permutations"),
    (api.rank, (SCORES,), {"resamples": -5}, "resamples"),
    (api.rank, (SCORES,), {"resamples": 10.5}, "resamples"),
    (api.rank, (SCORES,), {"seed": -1}, "seed"),
    (api.rank, (SCORES,), {"seed": None}, "seed"),
    (api.compare, (SCORES, "a"), {}, "b"),
    (api.compare, (SCORES, "a", 2), {}, "b"),
    (api.compare, (SCORES, "a", "b"), {"columns": "m.f1"}, "columns"),
    (api.compare, (SCORES, "a", "b"), {"largest": -1}, "largest"),
    (api.compare, (SCORES, "a", "b"), {"confidence": 1.0}, "confidence"),
    (api.write_report, (SCORES, None), {}, "path"),
    (api.write_report, (SCORES, "r.html"), {"evidence_rows": -1}, "evidence_rows"),
    (api.write_report, (SCORES, "r.html"), {"title": 3}, "title"),
    (api.write_report, (SCORES, "r.html"), {"run": 3}, "run"),
    (api.report_scores, (3, "r.html"), {}, "scores"),
    (api.correlate, (SCORES, "people.csv"), {"column": "m.f1", "aspect": "focus"}, "people.csv"),
    (api.correlate, (SCORES, PEOPLE), {"column": "m.f1", "aspect": "focus", "level": "systems"}, "level"),
    (api.correlate, (SCORES, PEOPLE), {"column": "m.f1"}, "aspect"),
    (api.correlate, (SCORES, PEOPLE), {"column": 3, "aspect": "focus"}, "column"),
    (api.export_questions, (RUN, "q.jsonl"), {"metric": 3}, "metric"),
    (api.import_answers, ("answers.jsonl", RUN), {}, "answers"),
    # meta
    (meta.correlate, (3,), {}, "scores"),
    (meta.correlate, (STUDY, 3), {}, "judgments"),
    (meta.correlate, ([],), {}, ""),
    (meta.correlate, (STUDY,), {"level": "sumary"}, "level"),
    (meta.correlate, (STUDY,), {"level": ["system", "sumary"]}, "level"),
    (meta.correlate, (STUDY,), {"coefficient": "rho"}, "coefficient"),
    (meta.correlate, (STUDY,), {"undefined": "ignore"}, "undefined"),
    (meta.correlate, (STUDY,), {"metrics": 3}, "metrics"),
    (meta.correlate, (STUDY,), {"metrics": ["m", 3]}, "metrics"),
    (meta.correlate, (STUDY,), {"lower": 3}, "lower"),
    (meta.test, (STUDY,), {"alpha": NAN, "metrics": ["m", "h"], "aspect": "h"}, "alpha"),
    (meta.test, (STUDY,), {"permutations": -3}, "permutations"),
    (meta.test, (STUDY,), {"correction": "bonferoni"}, "correction"),
    (meta.test, (STUDY,), {"alternative": "more"}, "alternative"),
    (meta.interval, (STUDY,), {"confidence": 1.5}, "confidence"),
    (meta.interval, (STUDY,), {"method": "rows"}, "method"),
    (meta.interval, (STUDY,), {"resamples": 0}, "resamples"),
    (meta.interval, (STUDY,), {"workers": 0}, "workers"),
    (meta.interval, (STUDY,), {"seed": "x"}, "seed"),
    (meta.power, (STUDY,), {}, "metric"),
    (meta.power, (STUDY,), {"metric": "m", "trials": -1}, "trials"),
    (meta.stability, (STUDY,), {"trials": 0}, "trials"),
    (meta.matrix, (STUDY,), {"anchors": 3}, "anchors"),
    (meta.plan, (STUDY,), {"width": "narrow"}, "width"),
    (meta.plan, (STUDY,), {"width": 0.2, "power": 80}, "power"),
    (meta.labels, (STUDY,), {"folds": -1}, "folds"),
    (meta.systems, (STUDY,), {"everything": 3}, "everything"),
    (meta.open_study, (SCORES, [1]), {}, "judgments"),
    (meta.agreement, (3,), {}, "judgments"),
    (meta.agreement, (PEOPLE,), {"measurement": "ratio"}, "measurement"),
    # human
    (human.krippendorff_alpha, ("people.csv",), {}, "judgments"),
    (human.krippendorff_alpha, (PEOPLE,), {"measurement": 3}, "measurement"),
    (human.one_vs_rest, (PEOPLE,), {"trials": -1}, "trials"),
    (human.one_vs_rest, (PEOPLE,), {"coefficient": "tau"}, "coefficient"),
    (human.standardise, (PEOPLE,), {"within": "person"}, "within"),
    (human.standardise, (3,), {}, "judgments"),
    (human.sample_gold, (PEOPLE,), {"rounds": 0}, "rounds"),
    (human.disagreeing_raters, (PEOPLE,), {"threshold": NAN}, "threshold"),
    (human.disagreeing_raters, (PEOPLE,), {"fewest": -1}, "fewest"),
    (human.without_raters, (PEOPLE, "ann"), {}, "raters"),
    (human.quality_control, (3,), {}, "assignments"),
    (human.read_assignments, (3,), {}, "source"),
    # the nouns
    (gm.Example, (), {"doc_id": "1", "system": "a", "summary": "x", "units": 3}, "units"),
    (gm.Example, (), {"doc_id": "1", "system": "a", "summary": "x", "units": "rain"}, "units"),
    (gm.Example, (), {"doc_id": "1", "system": "a", "summary": "x", "language": 3}, "language"),
    (gm.Example, (), {"doc_id": ["1"], "system": "a", "summary": "x"}, "doc_id"),
    (parse_metric, (None,), {}, "a metric is a text"),
    (Judgments.from_records, ([1],), {}, "record 1 of the records"),
    (Judgments.from_records, ("focus",), {}, "`records` is a list"),
    (SCORES.column, (3,), {}, "`name` is a text, not 3"),
    (SCORES.matrix, (None,), {}, "`name` is a text, not None"),
    (meta.Study.from_tables, ([1],), {"aspects": []}, "`tables` is a mapping"),
    (meta.Study.from_tables, ({"m": [[1]]},), {"aspects": "m"}, "aspects"),
    (meta.Study.from_tables, ({"m": [[1]]},), {"aspects": [], "systems": "a"}, "systems"),
    (meta.Study.from_tables, ({"m": [[1]]},), {"aspects": [], "documents": 3}, "documents"),
    # insight, probe, trust
    (insight.search_layers, ("run.jsonl",), {}, ""),
    (insight.draw_estime_layers, ("run.jsonl",), {}, "files"),
    (insight.measure_budget, (3,), {}, ""),
    (probe.corrupt_run, (3,), {}, "run"),
    (probe.corrupt_run, (RUN,), {"errors": "three"}, "errors"),
    (probe.corrupt_run, (RUN,), {"words": "verbs"}, "words"),
    (probe.corrupt_run, (RUN,), {"of": "documents"}, "of"),
    (probe.corrupt_run, (RUN,), {"floor": NAN}, "floor"),
    (probe.detect_errors, ("run.jsonl", "rouge1"), {}, "summaries"),
    (probe.read_labelled_run, ("run.jsonl",), {}, "files"),
    # the newest rooms
    (api.check, (), {"summary": 3}, "summary"),
    (api.check, (), {"summary": " "}, "no words"),
    (api.check, ("It rained.",), {}, "check"),
    (api.check, (), {"summary": "It rained.", "models": "no"}, "models"),
    (api.check, (), {"summary": "It rained.", "metrics": "roge1"}, "rouge1"),
    (api.gate, (3, SCORES), {}, ""),
    (api.gate, (SCORES, SCORES), {"margin": NAN}, "margin"),
    (api.gate, (SCORES, SCORES), {"margin": -1.0}, "margin"),
    (api.gate, (SCORES, SCORES), {"margin": "m.f1"}, "margin"),
    (api.worst, (SCORES,), {"n": "two"}, ""),
    (api.worst, (SCORES,), {"moved": "texts"}, "moved"),
    (api.rank, (SCORES,), {"columns": range(3)}, "columns"),
    (api.rank, (SCORES,), {"resamples": int}, "resamples"),
    (api.rank, (SCORES,), {"resamples": 10**12}, "at most 10000000"),
    (api.compare, (SCORES, "a", "b"), {"permutations": 10**12}, "at most 10000000"),
    (probe.attack, (RUN, "rouge1"), {"resamples": 10**12}, "at most 10000000"),
    (api.check, (), {"summary": "It rained.", "finders": [3]}, "finders"),
    (human.krippendorff_alpha, (PEOPLE,), {"aspects": 3}, "aspects"),
    (probe.attack, (RUN, "rouge1"), {"attacks": "nothing"}, "nothing"),
    (probe.attack, (RUN, "rouge1"), {"sample": int}, "sample"),
    (probe.optimise, (RUN, "rouge1"), {}, "references"),
    (probe.optimise, (RUN, "js"), {"words": 0}, "words"),
    (probe.optimise, (RUN, "js"), {"search": "best"}, "search"),
    (probe.rerank, (3, "js"), {}, "run"),
    (probe.report, (RUN, "js"), {"sample": 0}, "sample"),
    (insight.categories, (RUN, "js"), {}, "js"),
    (insight.categories, (RUN, "rouge1"), {"by": "rater"}, "by"),
    (insight.units, (3, "rouge1"), {}, "run"),
    (summarize.label, (3,), {}, "run"),
    (summarize.label, (RUN,), {"method": "guess"}, "method"),
    (summarize.predict, (RUN,), {"k": 0}, "k"),
    (summarize.predict, (RUN,), {"k": float}, "k"),
    (summarize.summarize, (RUN,), {"words": -1}, "words"),
    (summarize.read_spans, (3,), {}, ""),
    (annotate.open_study, (3,), {}, "folder"),
    (annotate.open_study, ("nowhere",), {}, "nowhere"),
    (annotate.design_study, (RUN, "study"), {"task": "guessing"}, "task"),
    (trust.trust, ("rouge1", NAN), {}, "gap"),
    (trust.trust, (1, 0.02), {}, "metric"),
    (trust.trust, ("rouge1", 0.02), {"people": "some"}, "people"),
    (trust.read_tables, (3,), {}, "path"),
]


def name_call(call):
    function, given, named, _ = call
    shown = [type(value).__name__ if len(repr(value)) > 30 else repr(value) for value in given]
    return f"{function.__name__}({', '.join([*shown, *(f'{name}={value!r}' for name, value in named.items())])})"


@pytest.mark.parametrize("call", CALLS, ids=name_call)
def test_a_wrong_call_is_one_sentence(call, tmp_path, monkeypatch):
    function, given, named, argument = call
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")
    with pytest.raises(GistmeterError) as raised:
        function(*given, **named)
    message = str(raised.value)
    assert argument in message
    assert "\n" not in message
    assert len(message) < 400


def test_there_are_enough_of_them():
    assert len(CALLS) >= 90


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"workers": "two"}, "`workers` is a whole number, not 'two'"),
        ({"engine": "lokal"}, "`engine` cannot be 'lokal'; did you mean local? (it is one of local, ray)"),
        ({"worker": 2}, "score: got an unexpected keyword argument 'worker'; did you mean workers?"),
        ({"workers": 0}, "`workers` is 1 or more, not 0"),
        ({"output": 3}, "`output` is a text or a path or None, not 3"),
    ],
)
def test_the_sentences(named, message):
    with pytest.raises(ArgumentError) as raised:
        gm.score(RUN, "rouge1", **named)
    assert str(raised.value) == message


def test_python_users_catch_what_they_expect():
    with pytest.raises(TypeError):
        gm.score(RUN, "rouge1", workers="two")
    with pytest.raises(ValueError, match="workers"):
        gm.score(RUN, "rouge1", workers=0)
    assert issubclass(ArgumentTypeError, GistmeterError)


def test_right_calls_pass():
    """Numbers of numpy, tuples for lists, paths of any kind, iterators where any iterable is allowed."""
    scores = gm.score(iter(RUN), ("rouge1",), workers=np.int64(1))
    assert gm.rank(scores, alpha=np.float32(0.05), columns=iter(["rouge1.f1"]), resamples=np.int32(20)).columns
    assert meta.correlate(STUDY, level=("system",), coefficient="pearson", lower=()).rows
    assert gm.rank(SCORES, permutations=None, resamples=20).columns


def test_the_door_keeps_signature_and_documentation():
    plain = inspect.unwrap(api.score)
    assert plain is not api.score
    assert inspect.signature(api.score) == inspect.signature(plain)
    assert api.score.__doc__ == plain.__doc__
    for package in (api, meta, human, insight, probe, trust, annotate, stats, summarize):
        functions = [vars(package)[name] for name in package.__all__ if inspect.isfunction(vars(package)[name])]
        assert functions
        assert all(hasattr(function, "__wrapped__") for function in functions)


PUBLIC = {
    f"{package.__name__}.{name}": function
    for package in (gm, annotate, human, insight, meta, probe, stats, summarize, testing, trust)
    for name in package.__all__
    if inspect.isfunction(function := getattr(package, name)) and inspect.signature(function).parameters
}


@pytest.mark.parametrize("name", PUBLIC)
def test_nothing_public_takes_whatever_it_is_given(name):
    """Something of no use for every argument that must be given: a sentence, in whatever function."""
    function = PUBLIC[name]
    needed = [value for value in inspect.signature(function).parameters.values() if value.default is value.empty]
    for thing in (object(), 3.5, b"x"):
        plain = [thing for value in needed if value.kind in (value.POSITIONAL_ONLY, value.POSITIONAL_OR_KEYWORD)]
        named = {value.name: thing for value in needed if value.kind is value.KEYWORD_ONLY}
        if needed and (plain or named):
            with pytest.raises(GistmeterError):
                function(*plain, **named)


def test_every_type_in_a_public_annotation_is_known():
    """A name that the type checker alone knows would not be checked: argument_types.toml says where it is."""
    unknown = {}
    for name, function in PUBLIC.items():
        plain = inspect.unwrap(function)
        for parameter, hint in _resolve_hints(plain).items():
            annotation = plain.__annotations__[parameter]
            # Labels are checked by name where they are read: a sentence about the whole mapping would say less.
            if hint is Any and annotation not in ("Any", "object") and "NameLabels" not in annotation:
                unknown[name, parameter] = annotation
    assert unknown == {}


@pytest.mark.parametrize("limits", ["rouge1", [("rouge1", 0.5)], 3])
def test_limits_of_a_test_are_a_mapping(limits):
    with pytest.raises(ArgumentError, match="at_least"):
        testing.assert_summary("It rained.", references="Rain.", at_least=limits)


def test_a_warning_points_at_the_caller():
    empty = gm.Example(doc_id="1", system="a", summary="", references=("Rain fell.",))
    with pytest.warns(gm.GistmeterWarning) as warned:
        gm.score([empty], "rouge1")
    assert Path(warned[0].filename) == Path(__file__)


def test_what_cannot_be_told_is_not_refused():
    @check_arguments
    def call(first: "Unheard | int", *more: int, **options: int) -> int:  # noqa: F821
        return len(more) + len(options)

    assert call("x", 1, 2, other=3) == 3
    with pytest.raises(ArgumentTypeError, match="`more` is a whole number, not 'x'"):
        call(1, 2, "x")
