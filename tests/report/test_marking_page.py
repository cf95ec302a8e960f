"""The page of marks: texts are data, clicking phrases rewrites the summary, nothing is fetched."""

import pytest

import gistmeter as gm
from gistmeter.api.reports import report_scores
from gistmeter.errors import DataError
from gistmeter.report.page.marking import check_page_path, write_marking_page
from gistmeter.summarize.markable import MarkableDocument, MarkableSentence, SentenceVariant

TEXT = "Ann <b>Lee</b> won</script>. She left Rome."


def variant(*phrases, text, following=None, needs=(), names=()):
    return SentenceVariant(choices=(phrases,), text=text, following=following or text, needs=needs, names=names)


def document():
    first = MarkableSentence(
        start=0,
        end=28,
        phrases=((0, 3),),
        marked=(0,),
        variants=(variant(0, text="Ann <b>won</b>.", names=(-1, 0)),),
    )
    second = MarkableSentence(
        start=29,
        end=len(TEXT),
        phrases=((len(TEXT) - 5, len(TEXT) - 1),),
        marked=(),
        variants=(variant(0, text="Ann left Rome.", following="She left Rome.", needs=(0,), names=(-2,)),),
    )
    return MarkableDocument(doc_id="<i>1</i>", text=TEXT, sentences=(first, second))


def test_texts_cannot_end_the_script(tmp_path):
    write_marking_page([document()], tmp_path / "marks.html")
    page = (tmp_path / "marks.html").read_text("utf-8")
    assert page.count("</script>") == 2  # of the page's own script and data
    assert "<b>" not in page
    assert "http" not in page.partition('id="data"')[2]


def test_a_page_is_html():
    with pytest.raises(DataError, match=r"name it \.html"):
        check_page_path("marks.pdf")


@pytest.mark.browser
def test_clicking_rewrites_the_summary(tmp_path, browser):
    write_marking_page([document()], tmp_path / "marks.html")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto((tmp_path / "marks.html").as_uri())
    assert page.inner_text("#summary") == "Ann <b>won</b>."
    page.get_by_role("button", name="Rome").click()
    assert page.inner_text("#summary") == "Ann <b>won</b>. She left Rome."
    page.get_by_role("button", name="Ann").click()
    assert page.inner_text("#summary") == "Ann left Rome."
    assert page.inner_text("#counts") == "1 marked phrase, 3 words"
    page.get_by_role("button", name="First marks").click()
    assert page.inner_text("#summary") == "Ann <b>won</b>."
    assert page.locator("#document b").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults == []
    page.close()


def test_a_report_links_the_pages_of_marks_beside_its_scores(tmp_path):
    # scores.marks.html is a page of marks; scores.marks-old.html is called so and is none.
    run = [{"doc_id": "1", "system": "a", "summary": "It rained.", "references": ["It rained a lot."]}]
    gm.score(run, "rouge1").write(tmp_path / "scores.parquet")
    write_marking_page([document()], tmp_path / "scores.marks.html")
    (tmp_path / "scores.marks-old.html").write_text("<p>notes</p>")
    (tmp_path / "pages").mkdir()
    for folder, address in (("", "scores.marks.html"), ("pages", "../scores.marks.html")):
        path = tmp_path / folder / "report.html"
        report_scores(tmp_path / "scores.parquet", path)
        marking = path.read_text("utf-8").partition('"marking":')[2]
        assert marking.startswith(f'[{{"name":"scores.marks.html","address":"{address}"}}]')


def test_a_report_without_pages_of_marks_links_none(tmp_path):
    run = [{"doc_id": "1", "system": "a", "summary": "It rained.", "references": ["It rained a lot."]}]
    gm.score(run, "rouge1").write(tmp_path / "scores.parquet")
    report_scores(tmp_path / "scores.parquet", tmp_path / "report.html")
    assert '"marking":[]' in (tmp_path / "report.html").read_text("utf-8")
