"""The view of matches by category: its shares are those that insight counts, its pairs are the matches."""

import pytest

import gistmeter as gm
from gistmeter.evidence import draw_as
from gistmeter.insight.shares.view import ALL_MATCHES, show_categories
from gistmeter.linguistics.categories import load_categories, load_meanings

pytestmark = pytest.mark.more

EXAMPLE = gm.Example(
    doc_id="1",
    system="a",
    summary="The mayor opened the bridge in May.",
    references=("A mayor opened the old bridge.", "Nothing."),
)


def view(metric="rouge1", example=EXAMPLE):
    (shown,) = show_categories(gm.metric(metric), [example])
    return shown


@pytest.mark.parametrize("metric", ["rouge1", "content", "bertscore(idf=none)"])
def test_shares_are_those_of_insight(metric):
    alone = gm.Example(doc_id="1", system="a", summary=EXAMPLE.summary, references=EXAMPLE.references[:1])
    counted = gm.insight.categories([alone], metric, resamples=10)
    shown = view(metric, alone)
    by_title = {row.title: row.share for row in counted.rows}
    for each in shown.categories[1:]:
        assert each.share == pytest.approx(by_title[each.title])
    assert (shown.categories[0].title, shown.categories[0].share) == (ALL_MATCHES, 1.0)
    assert [each.title for each in shown.categories[1:4]] == ["Stop words", "Topic", "Information"]
    assert "STOPWORDS" not in [each.title for each in shown.categories]  # the only one of its type


def test_pairs_are_marks_that_match():
    shown = view()
    summary, other = shown.panes

    def word(pane, number):
        mark = pane.marks[number]
        return pane.text[mark.start : mark.end].lower()

    for each in shown.categories:
        pairs = list(zip(each.pairs[::2], each.pairs[1::2], strict=True))
        assert all(word(summary, left) == word(other, right) for left, right in pairs)
    information = next(each for each in shown.categories if each.title == "Information")
    assert {word(summary, left) for left in information.pairs[::2]} == {"mayor", "opened", "bridge"}
    assert other.title == "reference 1"  # the one that shares more


def test_other_renderers_show_a_table():
    (table,) = draw_as([view()], {"pane", "table"})
    assert ("Information", "75.0%", "3") in table.rows  # mayor opened bridge; the


def test_phrases_are_shown_as_pairs_of_words():
    shown = view("qaeval")
    assert shown.categories[0].pairs
    assert max(shown.categories[0].pairs[::2]) < len(shown.panes[0].marks)


def test_every_category_of_the_table_is_explained_in_plain_words():
    table = load_categories()
    assert set(load_meanings()) == {*table.by_name, *table.types}
    assert {each.title: each.meaning for each in view().categories}["NN"] == "nouns"


def test_nothing_to_show():
    assert view("rougeL") is None
    assert view("rouge1", gm.Example(doc_id="1", system="a", summary="Dogs.", references=("Rain.",))) is None
    german = gm.Example(doc_id="1", system="a", summary="Hunde.", references=("Hunde.",), language="de")
    assert view("rouge1", german) is None
    assert view("rouge1", gm.Example(doc_id="1", system="a", summary="Dogs.")) is None
