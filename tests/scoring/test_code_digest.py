"""The cache key changes when anything behind a metric changes, and only then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import gistmeter
from gistmeter.metrics.registry import parse_metric
from gistmeter.scoring.cache import code_digest
from gistmeter.scoring.code_digest import _stamp, digest_module, parse_module, read_closure

pytestmark = pytest.mark.more

PACKAGE = Path(gistmeter.__file__).parent
PROGRAM = """
import sys
from gistmeter.metrics.registry import parse_metric
from gistmeter.scoring.cache import code_digest
print(*(code_digest(parse_metric(name)) for name in sys.argv[1:]))
"""


QAEVAL = "gistmeter.metrics.question.qaeval"
REPETITION = "gistmeter.metrics.surface.repetition"


def digests(*names, path):
    """What another process says of metrics, with gistmeter from a folder or an archive."""
    environment = {**os.environ, "PYTHONPATH": str(path), "GISTMETER_CACHE": str(path / "none")}
    command = [sys.executable, "-c", PROGRAM, *names]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.split()


def copy_package(folder):
    """A copy of gistmeter without what takes long to copy."""
    unwanted = shutil.ignore_patterns("__pycache__", "*.safetensors", "frequency")
    return Path(shutil.copytree(PACKAGE, folder / "copy" / "gistmeter", ignore=unwanted))


@pytest.fixture
def copy(tmp_path):
    """A copy of gistmeter that a test may change."""
    return copy_package(tmp_path)


@pytest.fixture(scope="module")
def shared_copy(tmp_path_factory):
    """A copy of gistmeter that tests leave as it was, with its key for questions."""
    folder = copy_package(tmp_path_factory.mktemp("shared"))
    return folder, digest_module(QAEVAL, folder=folder)


def replace(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


ASKING = "models/asking"
PEOPLE = "linguistics/people"


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        pytest.param(f"{PEOPLE}/words.toml", "widow\n", "\n", True, id="a word"),
        pytest.param("text/data/languages.toml", "\n", "\n\n", True, id="data of another package"),
        pytest.param(f"{ASKING}/wh.py", '"who" if who', '"what" if who', True, id="a rule"),
        pytest.param(f"{ASKING}/wh.py", "import re\n", "import re  # why\n", False, id="a comment"),
        pytest.param(f"{ASKING}/wh.py", '"""The wh-phrase', '"""Here is the wh-phrase', False, id="a docstring"),
        pytest.param(f"{ASKING}/wh.py", "class Gap(", "\n\nclass Gap(", False, id="layout"),
        pytest.param("ranking/rank.py", "import", "import os\nimport", False, id="what it does not import"),
        pytest.param("linguistics/edus/card.md", "#", "##", False, id="a model card"),
    ],
)
def test_what_changes_the_key(shared_copy, file, old, new, changes):
    folder, before = shared_copy
    original = (folder / file).read_text()
    replace(folder / file, old, new)
    try:
        assert (digest_module(QAEVAL, folder=folder) != before) == changes
    finally:
        (folder / file).write_text(original)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("words.txt", True),
        ("words.toml~", False),  # what an editor leaves
        ("words.pyi", False),  # types say nothing of scores
        ("py.typed", False),
        ("old.pyc", False),
        ("notes.md", False),
    ],
)
def test_which_new_file_beside_rules_changes_the_key(shared_copy, name, changes):
    folder, before = shared_copy
    file = folder / PEOPLE / name
    file.write_text("anything")
    try:
        assert (digest_module(QAEVAL, folder=folder) != before) == changes
    finally:
        file.unlink()


def test_a_new_package_is_covered_as_soon_as_a_metric_imports_it(copy):
    novel = copy / "novel"
    novel.mkdir()
    for name, text in (("__init__.py", ""), ("rules.py", "LIMIT = 1\n"), ("words.txt", "a\n")):
        (novel / name).write_text(text)
    keys = [digest_module(REPETITION, folder=copy)]
    metric = copy / "metrics/surface/repetition.py"
    metric.write_text(metric.read_text() + "\n\ndef _limit():\n    from gistmeter.novel.rules import LIMIT\n")
    keys.append(digest_module(REPETITION, folder=copy))
    replace(novel / "rules.py", "1", "2")
    keys.append(digest_module(REPETITION, folder=copy))
    replace(novel / "words.txt", "a", "b")
    keys.append(digest_module(REPETITION, folder=copy))
    assert len(set(keys)) == len(keys)


def test_an_archive_and_a_copy_give_the_same_key(copy, tmp_path):
    archive = tmp_path / "gistmeter.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in sorted(copy.rglob("*")):
            packed.write(file, file.relative_to(copy.parent))
    assert digests("rouge2", "repetition", path=archive) == digests("rouge2", "repetition", path=copy.parent)


def test_what_stands_for_a_file_in_an_archive_changes_with_it(tmp_path):
    stamps = []
    for name, text in (("a", "x = 1"), ("b", "x = 1"), ("c", "x = 2"), ("d", "x = 1\n")):
        archive = tmp_path / f"{name}.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("package/module.py", text)
        stamps.append(_stamp(zipfile.Path(archive, "package/module.py")))
    assert stamps[0] == stamps[1]  # the same text in another archive
    assert len(set(stamps)) == 3
    assert all(stamp.startswith(_stamp(archive).partition(" ")[0]) for stamp in stamps)  # the form of notes first


@pytest.mark.slow
def test_a_wheel_gives_the_key_of_the_source(tmp_path):
    pytest.importorskip("hatchling", reason="hatchling builds the wheel")
    root = PACKAGE.parent.parent
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", tmp_path, root]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("gistmeter-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    names = ("rouge2", "qaeval", "lite3pyramid", "questeval", "estime", "sts(segment=edu)")
    assert digests(*names, path=tmp_path / "site") == digests(*names, path=PACKAGE.parent)


USED = """
import sys, pathlib, gistmeter
from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
root = pathlib.Path(gistmeter.__file__).parent
read = set()
def watch(event, told):
    if event == "open" and isinstance(told[0], (str, pathlib.Path)) and str(told[0]).startswith(str(root)):
        read.add(pathlib.Path(told[0]).relative_to(root.parent).as_posix())
before = set(sys.modules)
sys.addaudithook(watch)
text = "Ann Lee opened the bridge on Monday. She thanked her coach."
example = Example(doc_id="d", system="s", summary=text, references=(text,), documents=(text,))
for name in sys.argv[1:]:
    metric = parse_metric(name)
    metric.signature()
    metric.score([example])
    metric.explain(example)
print(*(name for name in set(sys.modules) - before if name.startswith("gistmeter.")))
print(*(name for name in read if "__pycache__" not in name and not name.endswith(".py")))
"""
CHEAP = ("rouge2", "rougeLsum(sentences=split)", "content(idf=yes)", "simetrix", "meteor", "bleu", "novelty(stem=auto)")
COSTLY = ("qaeval(model=slots)", "lite3pyramid", "sts(segment=edu)", "estime", "supert", "ffci", "bertscore")


@pytest.mark.parametrize("names", [CHEAP, *(pytest.param((name,), marks=pytest.mark.slow) for name in COSTLY)])
def test_all_that_metrics_load_and_read_is_covered(names):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-c", USED, *names]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    loaded, read = (set(line.split()) for line in output.split("\n")[-3:-1])
    covered = {key for name in names for key in read_closure(type(parse_metric(name)).__module__)}
    # A package that was loaded only on the way to one of its modules decides nothing.
    packages = {module.rpartition(".")[0] for module in loaded | covered}
    assert loaded - covered <= packages
    assert read <= {
        f"{package.replace('.', '/')}/{file}" for package, _, file in (key.partition("/") for key in covered)
    }


def test_a_metric_of_another_package_is_digested_with_what_it_imports(tmp_path, monkeypatch):
    package = tmp_path / "elsewhere"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "metric.py").write_text("from . import rules\nfrom gistmeter.text.words import has_words\n")
    (package / "rules.py").write_text("LIMIT = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    covered = read_closure("elsewhere.metric")
    assert covered is not None
    assert {"elsewhere.metric", "elsewhere.rules", "gistmeter.text.words"} <= set(covered)
    before = digest_module("elsewhere.metric")
    (package / "rules.py").write_text("LIMIT = 2\n")
    assert digest_module("elsewhere.metric") != before


def test_a_metric_built_on_another_is_digested_with_it():
    alone, built = code_digest(parse_metric("rouge2")), code_digest(parse_metric("supert(metric=rouge2)"))
    assert built.endswith(f"+{alone}")


def test_a_module_without_source_has_no_digest():
    assert digest_module("no_such_module_anywhere") == ""


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import gistmeter.text.words as w", {"gistmeter.text.words"}),
        ("from gistmeter.text import words", {"gistmeter.text:words"}),
        ("from . import near\nfrom ..far import name", {"p.q:near", "p.far:name"}),
        ("def f():\n    import p.late", {"p.late"}),
        ("HOME = 'p.registry:Class'\nfiles('p.data')", {"p.registry:Class", "p.data"}),
        ("from sentencex import segment\nrequire('spacy', 'parsing')", {"sentencex", "spacy"}),
        ("if TYPE_CHECKING:\n    import p.types\nelse:\n    import p.real", {"p.real"}),
        ("import numpy\n'p.docstring'\n", set()),
    ],
)
def test_imports_are_found(source, imports):
    assert set(parse_module(source.encode(), "p.q").imports) == imports
