"""Sheets as HTML: one table that needs nothing else, in which all text is data."""

from html.parser import HTMLParser

from gistmeter.report.tables import sheet as forms
from gistmeter.report.tables.sheet import Sheet


class Reader(HTMLParser):
    """The tags of a text, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data.strip())


def test_text_is_data_wherever_it_stands():
    hostile = '<b>x</b> & "y" \'<script>'
    sheet = Sheet.of([{"metric": hostile, hostile: 0.5}], caption=hostile, notes=[hostile])
    reader = Reader(forms.html(sheet))
    assert {"b", "script"}.isdisjoint(reader.tags)
    assert [text for text in reader.texts if "<" in text] == [hostile, hostile, hostile, f"Note: {hostile}"]


def test_best_and_tied_are_marked_and_numbers_stand_to_the_right():
    rows = (("a", 0.5), ("b", -0.25), ("c", None))
    text = forms.html(Sheet(columns=("metric", "r"), rows=rows, marks={(0, 1): "best", (1, 1): "tied"}))
    assert '<td style="text-align: right"><strong>0.500</strong></td>' in text
    assert '<td style="text-align: right"><u>−0.250</u></td>' in text
    assert '<td style="text-align: right">–</td>' in text
    assert "<caption>" not in text
    assert "<tfoot>" not in text


def test_a_sheet_without_rows_is_a_table_too():
    assert Reader(forms.html(Sheet.of([], caption="Nothing."))).tags == ["table", "caption", "thead", "tr", "tbody"]
