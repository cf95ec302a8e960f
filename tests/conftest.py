"""What all tests share: the research data, a cache of their own, and a browser."""

import gc
import itertools
import os
import random
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

# Compiled loops load on first use and machines are shared: a slow example is no failure.
settings.register_profile("quick", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("GISTMETER_EXAMPLES", "quick"))  # `make test-all` is thorough

# Models and numpy run on one thread: the tests themselves run side by side, and threads that wait for each other
# took a third of the time. numpy asks for the second once, when it is loaded.
os.environ.setdefault("GISTMETER_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Whatever the processor announces, bf16 is computed with instructions that virtual machines have, and alike everywhere.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

# `GISTMETER_TEST_ORDER=7` runs the tests in an order drawn with that seed: none may depend on those before it.
TEST_ORDER = os.environ.get("GISTMETER_TEST_ORDER")

# Nothing of what collection makes is garbage: looking for some takes a fifth of its time.
gc.disable()

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("GISTMETER_DATA", "../shared/data"))


def pytest_collection_modifyitems(items):
    """Mark what needs research data or a browser; shuffle when `GISTMETER_TEST_ORDER` is set, alike in all workers."""
    for item in items:
        for name in {"data", "browser"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(name)
    if TEST_ORDER is not None:
        random.Random(TEST_ORDER).shuffle(items)


def pytest_configure(config):
    """The library is compiled as for users: as the maker of a plugin, pytest would compile all of it a second time."""
    config.pluginmanager.rewrite_hook._must_rewrite.discard("gistmeter")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """No test file has examples in its docstrings: looking for them would take a tenth of all collecting."""
    nodes = yield
    return [node for node in nodes if not isinstance(node, DoctestModule)]


def pytest_collection_finish():
    """What is imported by now stays: the garbage collector need not walk through torch again and again."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def new_cache(tmp_path_factory):
    """Make an empty folder for a cache; pytest's own way looks through the folders of all tests for a free name."""
    caches, numbers = tmp_path_factory.mktemp("caches"), itertools.count()

    def make():
        folder = caches / str(next(numbers))
        folder.mkdir()
        return folder

    return make


@pytest.fixture(autouse=True)
def own_cache(new_cache, monkeypatch):
    """No test reads or fills the user's score cache."""
    monkeypatch.setenv("GISTMETER_CACHE", str(new_cache()))


@pytest.fixture(scope="session")
def data() -> Path:
    """The research data. In CI its absence is a failure, elsewhere the tests that need it are skipped."""
    if not (DATA / "realsumm").is_dir():
        if os.environ.get("GISTMETER_REQUIRE_DATA"):
            pytest.fail(f"the research data is missing: {DATA}")
        pytest.skip(f"the research data is not at {DATA} (set GISTMETER_DATA)")
    return DATA


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Run a command of gistmeter in an empty folder; gives exit code, output and errors."""
    from gistmeter.cli.main import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gistmeter", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as left:
            code = left.code or 0
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


@pytest.fixture
def checked_command(command):
    """The same, giving what was printed; it must fail when `fails` says so, and only then."""

    def run(*arguments, fails=False):
        code, output, errors = command(*arguments)
        assert bool(code) == fails, errors
        return SimpleNamespace(stdout=output, stderr=errors)

    return run


@pytest.fixture(scope="session")
def programs(tmp_path_factory) -> Path:
    """A folder for PATH whose `gistmeter` is a process of its own to a shell, but starts in no time."""
    from forked_commands import serve_commands

    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with serve_commands(tmp_path_factory.mktemp("programs"), environment, libraries=("polars", "jinja2")) as folder:
        yield folder


@pytest.fixture
def by_hand(monkeypatch):
    """Questions asked and answered by hand, not by models; says what was asked (see `asked_by_hand`)."""
    from asked_by_hand import ByHand
    from gistmeter.qa import examiner

    questions = ByHand()
    monkeypatch.setattr(examiner.Examiner, "_asker", lambda self, language: questions.asker(self.answers))
    monkeypatch.setattr(examiner.Examiner, "_answerer", lambda self: questions.answerer(self.threshold))
    monkeypatch.setattr(
        "gistmeter.models.asking.asker.asking_identity", lambda *arguments, template: {"asker": f"by hand {arguments}"}
    )
    monkeypatch.setattr(
        "gistmeter.models.answering.answerer.answering_identity",
        lambda *arguments, null_threshold=None: {"model": "by hand", "weights": "0", "threshold": str(null_threshold)},
    )
    monkeypatch.setattr(
        "gistmeter.models.answering.answerer.answering_threshold",
        lambda *arguments, null_threshold=None: 0.6 if null_threshold is None else null_threshold,
    )
    for cache in (examiner.QUESTIONS, examiner.ANSWERS):
        cache.clear()
    return questions


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """The folder of a tiny checkpoint of a family."""
    from tiny_checkpoints import make_checkpoint

    folders = {}

    def folder(family):
        if family not in folders:
            folders[family] = make_checkpoint(tmp_path_factory.mktemp("tiny") / family, family)
        return folders[family]

    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium to open pages with. In CI its absence is a failure, elsewhere such tests are skipped."""
    # The headless shell draws no window, and takes a third of the time.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        program = shutil.which(name)
        if program:
            return program
    if os.environ.get("GISTMETER_REQUIRE_BROWSER") == "1":
        pytest.fail("there is no chromium to open pages with")
    pytest.skip("there is no chromium (set GISTMETER_REQUIRE_BROWSER=1 to make this a failure)")


@pytest.fixture(scope="session")
def browser(chromium):
    """A browser for all tests of a process, closed to the network."""
    from playwright import sync_api as playwright  # here, because only tests in a browser need it

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=chromium, headless=True, args=arguments)
        yield opened
        opened.close()
