"""The sheet for writers of units in a real browser, from a file: written, kept over a reload, downloaded, read back."""

import pytest

from gistmeter.example import Unit
from gistmeter.report.page.writing_sheet import write_writing_sheet
from gistmeter.units.plan import PlannedSentence
from gistmeter.units.writing import read_written_units

pytestmark = pytest.mark.browser
HOSTILE = "Ann <img src=x onerror='window.pwned=1'> won.</script><script>window.pwned=2</script>"


def planned(document, sentence, text, *, by_machine):
    return PlannedSentence(
        document=document, sentence=sentence, text=text, easiness=0.5, by_machine=by_machine, units=None
    )


PLAN = [
    planned("<d>", 0, "It rained.", by_machine=True),
    planned("<d>", 1, HOSTILE, by_machine=False),
    planned("e", 0, "Bob lost.", by_machine=False),
    planned("f", 0, "Nobody slept.", by_machine=True),
]


def test_units_are_written_kept_downloaded_and_read_back(visit, download, tmp_path):
    assert write_writing_sheet(PLAN, tmp_path / "write.html", people={"e": (Unit("Bob lost it", sentence=0),)}) == 2
    page = visit(tmp_path / "write.html")
    assert page.inner_text("#progress") == "1 of 2 sentences, 1 unit"  # what people wrote before is there
    assert page.inner_text("#text").startswith("It rained. Ann <img src=x")
    assert page.locator("mark").all_inner_texts() == [HOSTILE]
    assert page.locator("#pick option").all_inner_texts() == ["<d>", "e"]
    page.fill("textarea", "Ann won.\n\n  Ann is <b>first</b>.  \n")
    assert page.inner_text("#progress") == "2 of 2 sentences, 3 units"
    page.reload()
    assert page.input_value("textarea").startswith("Ann won.")
    page.click("#next")
    assert page.input_value("textarea") == "Bob lost it"
    path = download(page, tmp_path)
    assert path.name == "write-filled.jsonl"
    assert read_written_units([path]) == {
        "<d>": (Unit("Ann won.", sentence=1), Unit("Ann is <b>first</b>.", sentence=1)),
        "e": (Unit("Bob lost it", sentence=0),),
    }
