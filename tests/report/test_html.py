"""The HTML report: one file, nothing fetched, and no text that gets out of the data."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from gistmeter.errors import DataError
from gistmeter.evidence import Mark
from gistmeter.ranking.rank import rank
from gistmeter.report.page import explained, marking, question_sheet, writing_sheet
from gistmeter.report.page.html import SCRIPTS, STYLES, write_html
from gistmeter.report.page.pack import utf16_marks
from gistmeter.report.page.payload import script_json
from gistmeter.report.page.probes import write as probes
from gistmeter.scores import ScoreColumn, Scores

TEMPLATES = files("gistmeter.report.page") / "templates"
PARSING_WAYS = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "Function(",
    "</",
    "<!--",
)


class Page(HTMLParser):
    """What a parser makes of a page: its tags, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self._open: tuple[str, dict[str, str | None]] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = (tag, dict(attrs)) if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open:
            self.raw.append((*self._open, data))

    def data(self):
        [text] = [text for tag, attributes, text in self.raw if attributes.get("id") == "data"]
        return json.loads(text)


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory, demo_scores, demo_ranking, demo_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples, title="Demo", evidence_rows=1000)
    return path.read_text("utf-8")


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory, hostile_scores, hostile_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    ranking = rank(hostile_scores, resamples=50, permutations=50)
    title = "</title><script>window.pwned=6</script>"
    write_html(hostile_scores, ranking, path, examples=hostile_examples, title=title, evidence_rows=1000)
    return path.read_text("utf-8")


def test_nothing_is_fetched(demo_page):
    assert not re.search(r"https?:|//[a-z]", demo_page.partition('id="data"')[0])
    for _, attributes in Page(demo_page).tags:
        assert attributes.get("src") is None
        assert attributes.get("href") in (None, "#documents", "data:,")


def test_the_policy_allows_our_style_and_script_only(demo_page):
    page = Page(demo_page)
    [policy] = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        [text] = [text for tag, a, text in page.raw if tag == kind and "type" not in a]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not any("style" in a or any(name.startswith("on") for name in a) for _, a in page.tags)


def test_scripts_never_parse_text_as_html():
    for name in {*SCRIPTS, *question_sheet.SCRIPTS, *writing_sheet.SCRIPTS, *probes.SCRIPTS}:
        source = (TEMPLATES / name).read_text("utf-8")
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "</",
            "<!--",
        ):
            assert way not in source, (name, way)
        assert 'setAttribute("style"' not in source


def test_all_files_are_small_and_used():
    names = {entry.name for entry in TEMPLATES.iterdir()}
    sheets = {
        name
        for sheet in (explained, marking, question_sheet, writing_sheet, probes)
        for name in (sheet.TEMPLATE, *sheet.SCRIPTS, *sheet.STYLES)
    }
    named = {*SCRIPTS, *STYLES, "report.html.j2"} | sheets
    pages = [(TEMPLATES / name).read_text("utf-8") for name in named if name.endswith(".j2")]
    assert names == named | {name for page in pages for name in re.findall(r'{% include "(.+?)" %}', page)}
    assert all(len((TEMPLATES / name).read_text("utf-8").splitlines()) < 400 for name in names)


def test_hostile_text_adds_no_tags(demo_page, hostile_page):
    assert [tag for tag, _ in Page(hostile_page).tags] == [tag for tag, _ in Page(demo_page).tags]
    data_text = hostile_page.partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(data_text)
    assert "window.pwned=3" in data_text


def test_data_comes_back_as_it_went_in(hostile_page, hostile_examples):
    data = Page(hostile_page).data()
    assert data["documents"][0] == hostile_examples[0].doc_id
    assert data["texts"][data["summaries"][0]] == hostile_examples[0].summary
    assert data["systems"] == list(dict.fromkeys(example.system for example in hostile_examples))


def test_a_lone_surrogate_can_be_written():
    assert json.loads(script_json("\ud800x")) == "\ud800x"
    script_json("\ud800x").encode()


def test_rows_carry_scores_texts_and_evidence(demo_page, demo_scores):
    data = Page(demo_page).data()
    assert data["explaining"] == ["rouge1", "rouge2", "rougeLsum"]
    f1 = [column["name"] for column in data["columns"]].index("rouge1.f1")
    assert data["first"] == f1
    assert data["rows"]["values"][f1] == pytest.approx(demo_scores.table["rouge1.f1"].to_list(), abs=1e-5)
    details = data["details"][0]
    assert len(details["references"]) == 2
    kind, (title, text, marks) = details["evidence"][1]["blocks"][0]
    assert kind == "pane"
    assert data["texts"][title] == "summary"
    start, length, _ = marks[:3]
    assert data["texts"][text][start : start + length] == "Port Ellery"


def test_pooled_scores_have_no_rows(demo_page):
    data = Page(demo_page).data()
    pooled = [c for c, column in enumerate(data["columns"]) if column["pooled"]]
    assert [data["columns"][c]["name"] for c in pooled] == ["bleu.corpus"]
    assert data["rows"]["values"][pooled[0]] is None
    assert len(data["ranking"][pooled[0]]["systems"]) == 5


def test_texts_are_kept_once(demo_page, demo_examples):
    texts = Page(demo_page).data()["texts"]
    assert len(texts) == len(set(texts))
    assert texts.count(demo_examples[0].document) == 1


@pytest.mark.parametrize(("rows", "explained"), [(0, 0), (4, 0), (5, 5), (12, 10)])
def test_evidence_is_for_whole_documents(tmp_path, demo_scores, demo_ranking, demo_examples, rows, explained):
    path = tmp_path / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=iter(demo_examples), evidence_rows=rows)
    data = Page(path.read_text("utf-8")).data()
    assert [detail is not None for detail in data["details"]] == [True] * explained + [False] * (60 - explained)
    assert None not in data["summaries"]


def test_without_texts_the_page_knows_none(tmp_path, demo_scores, demo_ranking):
    write_html(demo_scores, demo_ranking, tmp_path / "report.html")
    data = Page((tmp_path / "report.html").read_text("utf-8")).data()
    assert data["summaries"] is None
    assert data["texts"] == []


def test_scores_of_other_tools_have_no_evidence(tmp_path, demo_scores, demo_examples):
    table = demo_scores.table.select("doc_id", "system", pl_score="rouge1.f1").rename({"pl_score": "their score"})
    scores = Scores(table, (ScoreColumn("their score", "unknown"),))
    ranking = rank(scores, resamples=50, permutations=50)
    write_html(scores, ranking, tmp_path / "report.html", examples=demo_examples)
    data = Page((tmp_path / "report.html").read_text("utf-8")).data()
    assert data["explaining"] == []
    assert data["details"][0]["evidence"] == []


def test_missing_scores_are_null(tmp_path, demo_scores, demo_ranking):
    table = demo_scores.table.with_columns(**{"rouge1.f1": demo_scores.table["rouge1.f1"].scatter(0, float("nan"))})
    write_html(Scores(table, demo_scores.columns), demo_ranking, tmp_path / "report.html")
    data = Page((tmp_path / "report.html").read_text("utf-8")).data()
    assert data["rows"]["values"][2][0] is None


def test_an_output_that_cannot_be_written_is_refused_before_any_work(tmp_path, demo_scores, demo_ranking):
    def untouched():
        raise AssertionError("examples were read")
        yield

    with pytest.raises(DataError, match="does not exist"):
        write_html(demo_scores, demo_ranking, tmp_path / "no" / "report.html", examples=untouched())


def test_marks_count_as_javascript_does():
    text = "🎈🎈 cat 🎈 sat"
    marks = (Mark(3, 6, 0), Mark(9, 12, 4))
    packed = utf16_marks(text, marks)
    units = text.encode("utf-16-le")
    end = 0
    results = []
    for start, length, _ in zip(packed[::3], packed[1::3], packed[2::3], strict=True):
        results.append(units[2 * (end + start) : 2 * (end + start + length)].decode("utf-16-le"))
        end += start + length
    assert results == ["cat", "sat"]
