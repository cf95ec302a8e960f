"""Metrics of users: the page that shows how, classes by name, versions in signatures, and code that fails."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import FailedMetricError, GistmeterWarning, MetricError
from gistmeter.metrics import packages, registry
from gistmeter.metrics.column_names import find_direction
from gistmeter.metrics.registry import list_names, parse_metric
from gistmeter.report.catalogue import pages
from gistmeter.version import __version__

PAGE = Path(__file__).parents[2] / "docs/plugins.md"
FILE = re.compile(r"^```\w+ title=\"([^\"]+)\"\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    _forget()
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
    _forget()


def _forget():
    packages.list_entry_points.cache_clear()
    packages.find_package.cache_clear()
    registry.list_entries.cache_clear()
    registry._named_classes.clear()
    find_direction.cache_clear()


@pytest.fixture
def written(folder):
    """The files of the page, in the folder."""
    for name, text in FILE.findall(PAGE.read_text("utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def install(folder, project, points):
    """Let Python find a package in a folder, as `pip install -e` does."""
    information = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = "\n".join(f"{name} = {target}" for name, target in points.items())
    (information / "entry_points.txt").write_text(f"[{packages.ENTRY_POINT_GROUP}]\n{lines}\n")
    sys.path.append(str(folder))
    _forget()


def test_an_installed_package_without_an_entry_point_is_found():
    expected = metadata.packages_distributions()
    for top in ("_pytest", "numpy", "scipy", "six", "yaml"):
        metric = type("Metric", (), {"__module__": f"{top}.module"})
        name = packages.find_package(metric).rpartition("-")[0]
        assert name in expected.get(top, [""])
    assert packages.find_package(type("Metric", (), {"__module__": "nowhere.module"})) == ""


@pytest.mark.more
def test_the_page_leads_from_an_empty_folder_to_a_metric_in_the_table(written, command):
    code, out, err = command("score", demo_run(), "-m", "my_metrics:Numbers", "-o", "s.parquet", "--workers", 1)
    assert code == 0, err
    assert gm.Scores.read("s.parquet").table.columns[2:] == ["my_metrics:Numbers.supported"]
    assert "careful" in out
    project = tomllib.loads((written / "pyproject.toml").read_text("utf-8"))["project"]
    install(written, project, project["entry-points"]["gistmeter.metrics"])
    assert "numbers" in list_names()
    assert "numbers|distinct:no" in command("metrics", "numbers")[1]
    code, out, err = command("score", demo_run(), "-m", "numbers,numbers(distinct=yes)", "-o", "n.parquet")
    assert code == 0, err
    assert gm.Scores.read("n.parquet").table.columns[2:] == ["numbers.supported", "numbers(distinct=yes).supported"]


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_name_class_and_object_have_one_version(written):
    install(written, {"name": "my-metrics", "version": "1.0"}, {"numbers": "my_metrics:Numbers"})
    from my_metrics import Numbers  # before anything was loaded by name

    signature = f"numbers|distinct:no|v:{__version__}+my-metrics-1.0"
    assert Numbers().signature() == signature
    for given in (Numbers(), "my_metrics:Numbers", "numbers"):
        assert set(gm.score(demo_run(), given).signatures.values()) == {signature}


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_a_class_takes_settings_and_stands_within_other_metrics(written):
    scores = gm.score(demo_run(), ["my_metrics:Numbers(distinct=yes)", "my_metrics:Numbers"])
    assert scores.signatures["my_metrics:Numbers(distinct=yes).supported"] == f"numbers|distinct:yes|v:{__version__}"
    assert gm.metric("my_metrics:Numbers(distinct=yes)").distinct is True
    with pytest.raises(MetricError, match="jackknife cannot use numbers: it takes one that reads references"):
        gm.metric("jackknife(metric=my_metrics:Numbers)")


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("my_metrics:Numbrs", "my_metrics:Numbrs cannot be loaded: .*no Numbrs; did you mean Numbers?"),
        ("my_metrcs:Numbers", "my_metrcs:Numbers cannot be loaded: .*neither installed nor in the working directory"),
        ("my_metrics:Numbers(distnct=yes)", "has no setting 'distnct'; did you mean distinct"),
        ("os.path:join", "os.path:join cannot be used: os.path:join is no dataclass that is a Metric"),
        ("gistmeter.metrics.metric:Metric", "is no dataclass that is a Metric"),
    ],
)
def test_a_wrong_class_is_one_sentence(written, command, spelling, message):
    code, _, err = command("score", demo_run(), "-m", spelling)
    assert code == 2
    assert re.search(message, err), err
    assert err.count("\n") == 1


@pytest.mark.more
def test_a_file_of_scores_imports_nothing(written, command):
    (written / "my_metrics.py").write_text(
        (written / "my_metrics.py").read_text() + "\nfrom pathlib import Path\nPath('imported').touch()\n"
    )
    assert command("score", demo_run(), "-m", "my_metrics:Numbers", "-o", "s.parquet")[0] == 0
    mark = written / "imported"
    mark.unlink()
    del sys.modules["my_metrics"]
    _forget()
    inner = "jackknife(metric=my_metrics:Numbers)"
    for name in ("my_metrics:Numbers", "my_metrics:Numbers(distinct=yes)", inner):
        with pytest.raises(packages.UnimportedClassError, match="was not imported"):
            parse_metric(name)
        assert find_direction(f"{name}.supported") is None
    for arguments in (("rank", "s.parquet"), ("report", "s.parquet", "-o", "r.html", "--trust-origin")):
        code, _, err = command(*arguments)
        assert code == 0, err
    assert "no evidence by my_metrics:Numbers: my_metrics:Numbers was not imported" in err
    assert "--allow-models allows it" in err
    assert not mark.exists()
    assert command("report", "s.parquet", "-o", "r.html", "--trust-origin", "--allow-models")[0] == 0
    assert mark.exists()


def test_a_crash_names_the_metric_the_summary_and_the_package(written, command, monkeypatch):
    expected = (
        r"gistmeter: hasty:Commas \(of the module hasty\) failed when scoring document harbour-01 of system terse "
        r"\(line 3 of .*run.jsonl\): ZeroDivisionError: division by zero; leave it out to have the other metrics; "
        r"GISTMETER_TRACEBACK=1 shows where\n\Z"
    )
    for cache in ((), ("--no-cache",)):
        code, _, err = command("score", demo_run(), "-m", "rouge1,hasty:Commas", *cache)
        assert code == 2
        assert re.match(expected, err), err
    monkeypatch.setenv("GISTMETER_TRACEBACK", "1")
    assert 'text.count(".") / text.count(",")' in command("score", demo_run(), "-m", "hasty:Commas")[2]
    install(written, {"name": "hasty-metrics", "version": "0.3"}, {"commas": "hasty:Commas"})
    with pytest.raises(FailedMetricError, match=r"commas \(of the package hasty-metrics-0.3\) failed") as failure:
        gm.score(demo_run(), "commas")
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


HEAD = """
from dataclasses import dataclass
from gistmeter.metrics import Column, Metric

@dataclass(frozen=True)
class Odd(Metric):
    name = "odd"
    needs = frozenset()
    columns = (Column("odd", "odd"),)
    def score(self, examples):
        return [[float("nan")] for example in examples]
"""


@pytest.mark.parametrize(
    ("method", "task"),
    [
        ("def traits(self, example): return {}[example.doc_id]", "reading the traits of document harbour-01 of"),
        ("def why_missing(self, example): return {}[example.doc_id]", "asked why document harbour-01 of .* no score"),
        ("fits = True\n    def fit(self, examples): raise KeyError('x')", "reading the whole run"),
        (
            "def score(self, examples): return [[1.0]] if len(examples) < 3 else {}['x']",
            "scoring 60 summaries together",
        ),
    ],
)
def test_other_methods_that_crash_are_named_too(folder, method, task):
    (folder / "odd.py").write_text(f"{HEAD}\n    {method}\n")
    with pytest.raises(FailedMetricError, match=rf"odd:Odd \(of the module odd\) failed when {task}.*KeyError"):
        gm.score(demo_run(), "odd:Odd")


def test_an_explanation_that_crashes_is_named(folder, command):
    (folder / "odd.py").write_text(f"{HEAD}\n    def explain(self, example): raise KeyError('x')\n")
    code, _, err = command("explain", demo_run(), "-m", "odd:Odd", "--doc", "harbour-01", "--system", "terse")
    assert code == 2
    assert "failed when explaining document harbour-01 of system terse: KeyError" in err
    code, _, err = command("score", demo_run(), "-m", "odd:Odd", "--report", "r.html")
    assert code == 0, err


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("leaving", "raise SystemExit('no licence')", "SystemExit: no licence"),
        ("broken", "1 / 0", "ZeroDivisionError: division by zero"),
        ("demanding", HEAD.replace('name = "odd"', 'level: int\n    name = "odd"'), "missing 1 required positional"),
        ("hinted", HEAD.replace('name = "odd"', 'level: "Gone" = 1\n    name = "odd"'), "NameError: name 'Gone'"),
    ],
)
def test_a_package_that_cannot_be_used_is_named_and_skipped(folder, command, name, text, reason):
    (folder / f"{name}.py").write_text(text)
    install(folder, {"name": f"{name}-metrics", "version": "1"}, {name: f"{name}:Odd"})
    with pytest.warns(GistmeterWarning, match=f"skipped {name} of the package {name}-metrics-1 .*{reason}"):
        assert pages()
    code, out, err = command("metrics")
    assert (code, "rougeLsum" in out) == (0, True)
    assert f"note: skipped {name} of the package {name}-metrics-1" in err
    code, _, err = command("score", demo_run(), "-m", name)
    assert code == 2
    assert re.search(f"gistmeter: {name} of the package {name}-metrics-1 .*{reason}", err), err
    assert command("score", demo_run(), "-m", "rouge1")[2] == ""  # nobody asked


def test_the_metric_of_the_page_works_in_insight_and_probe(written):
    metric = gm.metric("shared_words:SharedWords")
    document = "It rained in Rome. The sun shone in Bonn. Rome was wet."
    run = [{"doc_id": "1", "system": "a", "summary": "In Rome it rained.", "document": document}]
    example = gm.Example(**run[0])
    assert metric.score([example])[0, 0] == pytest.approx(4 / 12)  # in, Rome, it, rained
    probe = gm.probe.optimise(run, metric, sentences=2, cache=False)
    assert probe.documents[0].sentences == (0, 1)  # four and five words of twelve
    sentences = document.replace(". ", ".\n").split("\n")
    scorer = metric.read_extracts(example, sentences)
    rescored = metric.score([gm.Example(**{**run[0], "summary": "\n".join(sentences[::2])})])
    assert scorer.score([(0, 2)])[0, 0] == rescored[0, 0] == pytest.approx(7 / 12)
