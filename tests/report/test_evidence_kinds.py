"""A new kind of evidence costs its type: the terminal and the page draw it by its parts."""

import json
import math
from dataclasses import dataclass

import polars as pl
import pytest
from rich.console import Console
from rich.text import Text

from gistmeter.evidence import Block, Evidence, Mark, Pane, Table, draw_as
from gistmeter.example import Example
from gistmeter.ranking.rank import rank
from gistmeter.report import evidence as terminal
from gistmeter.report.page import pack
from gistmeter.report.page.html import write_html
from gistmeter.report.page.pack import TextTable, pack_block
from gistmeter.report.page.payload import script_json
from gistmeter.scores import ScoreColumn, Scores


@dataclass(frozen=True, slots=True)
class Edge:
    """How strongly a mark of the left text belongs to a mark of the right one, by their positions among the marks."""

    left: int
    right: int
    weight: float


@dataclass(frozen=True, slots=True)
class Alignment(Block):
    """Edges with weights between the words of two texts: a kind that gistmeter does not have."""

    left: Pane
    right: Pane
    edges: tuple[Edge, ...]
    kind = "alignment"

    def parts(self):
        def word(pane, mark):
            return pane.text[pane.marks[mark].start : pane.marks[mark].end]

        rows = tuple((word(self.left, e.left), word(self.right, e.right), f"{e.weight:.2f}") for e in self.edges)
        return (self.left, self.right, Table(("word", "word of the reference", "weight"), rows, "edges"))


ALIGNMENT = Alignment(
    left=Pane("summary", "cats purr", (Mark(0, 4, 0), Mark(5, 9, 1))),
    right=Pane("reference", "🐈 the cat purrs", (Mark(6, 9, 0), Mark(10, 15, 1))),
    edges=(Edge(0, 0, 0.75), Edge(1, 1, 0.5), Edge(1, 0, math.nan)),
)
WHY = Evidence(
    metric="mine",
    headline="two words of two",
    blocks=(Table(("fact",), (("first",),)), ALIGNMENT, Pane("document", "far away"), Table(("fact",), (("last",),))),
)


def drawn(evidence):
    console = Console(width=60, record=True, file=None, force_terminal=False)
    with console.capture() as captured:
        console.print(terminal.evidence_view(evidence))
    return captured.get()


def test_the_terminal_draws_a_new_kind_by_its_parts_and_blocks_in_order():
    shown = drawn(WHY)
    words = ["first", "cats purr", "the cat purrs", "word of the reference", "0.75", "far away", "last"]
    assert sorted(words, key=shown.index) == words


def test_the_terminal_can_have_a_drawing_of_its_own(monkeypatch):
    def draw(blocks):
        yield Text(f"{sum(len(block.edges) for block in blocks)} edges of {len(blocks)} alignments")

    monkeypatch.setitem(terminal.DRAWINGS, "alignment", draw)
    shown = drawn(Evidence("mine", "", (ALIGNMENT, ALIGNMENT)))
    assert "6 edges of 2 alignments" in shown
    assert "cats purr" not in shown


def test_the_page_gets_the_fields_of_a_new_kind_and_its_parts():
    texts = TextTable()
    packed = json.loads(script_json(pack_block(ALIGNMENT, texts)))
    kind, content, parts = packed
    assert kind == "alignment"
    # JavaScript counts the balloon-like cat as two, so that "cat" starts at 7; "purrs" starts one after the end of it.
    assert content["right"] == ["pane", [2, 3, [7, 3, 0, 1, 5, 1]]]
    assert content["edges"][0] == {"left": 0, "right": 0, "weight": 0.75}
    assert content["edges"][2]["weight"] is None
    assert parts[:2] == [content["left"], content["right"]]
    assert parts[2][0] == "table"
    assert parts[2][1]["names"] == ["cats", "purr", "purr"]
    assert texts.texts == ["summary", "cats purr", "reference", "🐈 the cat purrs"]


def test_parts_may_have_parts():
    @dataclass(frozen=True, slots=True)
    class Both(Block):
        kind = "both"

        def parts(self):
            return (ALIGNMENT, Pane("document", ""))

    assert [block.kind for block in draw_as([Both()], ("pane", "table"))] == ["pane", "pane", "table", "pane"]
    assert [block.kind for block in draw_as([Both()], ("pane", "alignment"))] == ["alignment", "pane"]


def test_a_kind_that_nobody_can_draw_says_so():
    @dataclass(frozen=True, slots=True)
    class Riddle(Block):
        kind = "riddle"

    with pytest.raises(NotImplementedError, match=r"draws the kind 'riddle', and Riddle has no `parts`"):
        drawn(Evidence("mine", "", (Riddle(),)))


@pytest.mark.browser
def test_a_browser_shows_a_new_kind(browser, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    examples = [Example(doc_id=str(n), system=name, summary="cats purr", document="d") for n in (1, 2) for name in "ab"]
    keys = {"doc_id": [e.doc_id for e in examples], "system": [e.system for e in examples]}
    table = pl.DataFrame({**keys, "faithfulness.faithfulness": [0.1, 0.2, 0.3, 0.4]})
    scores = Scores(table, (ScoreColumn("faithfulness.faithfulness", "faithfulness|v:0"),))
    monkeypatch.setattr(pack, "_explain", lambda metric, example: WHY)
    write_html(scores, rank(scores, resamples=20, permutations=20), path, examples=examples)
    with browser.new_page(viewport={"width": 1280, "height": 900}) as page:
        page.goto(path.as_uri())
        page.evaluate("evidence.open(0)")
        kinds = page.locator("#why > *").evaluate_all("parts => parts.map((part) => part.className)")
        assert kinds == ["headline", "fold", "panes", "fold", "panes", "fold"]
        assert page.locator("#why .panes mark").all_inner_texts() == ["cats", "purr", "cat", "purrs"]
        assert page.locator("#why .fold").nth(1).inner_text().split()[-3:] == ["purr", "cat", "nan"]
