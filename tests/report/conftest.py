"""What the report tests share: the demo run scored and ranked, a hostile run, and pages opened in a browser."""

from pathlib import Path

import pytest

from gistmeter.api import read_run, score
from gistmeter.example import Example
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import Ranking, rank
from gistmeter.scores import Scores
from page_waiting import wait_for_keys

DEMO = Path(__file__).parents[2] / "src/gistmeter/demo/run.jsonl"
ATTACK = "<script>window.pwned=1</script><img src=x onerror='window.pwned=2'> \u2028 & 🎈 the cat sat."


@pytest.fixture(scope="session")
def demo_scores() -> Scores:
    """Five systems on twelve documents, by ROUGE and by a metric with a pooled score."""
    return score(DEMO, ["rouge1", "rouge2", "rougeLsum", "bleu"])


@pytest.fixture(scope="session")
def demo_ranking(demo_scores) -> Ranking:
    return rank(demo_scores, resamples=200, permutations=2000)


@pytest.fixture(scope="session")
def demo_comparison(demo_scores):
    return compare(demo_scores, "careful", "terse", resamples=200, permutations=2000)


@pytest.fixture(scope="session")
def demo_examples() -> list[Example]:
    return read_run(DEMO)


@pytest.fixture(scope="session")
def hostile_examples() -> list[Example]:
    """Names and texts that would break out of any place they are put in unescaped."""
    names = ["</script><script>window.pwned=3</script>", "a&b_c%d#e|f", "[bold]x[/bold]\x1b[31m"]
    return [
        Example(
            doc_id=f"<!--doc{number}-->",
            system=system,
            summary=f"{ATTACK} {number}",
            references=["A cat sat here. <script>window.pwned=4</script>"],
            document="</textarea><svg onload='window.pwned=5'>",
        )
        for number in range(4)
        for system in names
    ]


@pytest.fixture(scope="session")
def hostile_scores(hostile_examples) -> Scores:
    return score(hostile_examples, ["rouge1"])


@pytest.fixture
def visit(browser):
    """Open a file in a profile of its own; nothing may be logged as an error, requested or run from its data."""
    contexts, faults = [], []

    def open_file(path, context=None, script="", fragment=""):
        if context is None:
            context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
            contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                faults.append(request.url) if not request.url.startswith(("file:", "data:", "blob:")) else None
            ),
        )
        if script:
            page.add_init_script(script)
        page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
        wait_for_keys(page)
        return page

    yield open_file
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("window.pwned") is None
        context.close()
    assert faults == []


@pytest.fixture
def download():
    """Press the button of a sheet that downloads what was filled in; gives the file."""

    def save(page, folder):
        with page.expect_download() as waiting:
            page.click("#download")
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    return save
