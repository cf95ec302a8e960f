"""docs/insight.md: its main figures are pinned; the tests on data measure some of them again."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "insight.md"


def read_row(block, *starts):
    """The cells of the row of a block that begins with these."""
    text = re.search(rf"<!-- {block} -->\n(.*?)<!-- end -->", PAGE.read_text("utf-8"), re.DOTALL)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    (row,) = [row for row in rows if tuple(row[: len(starts)]) == starts]
    return row[len(starts) :]


def interval(cell):
    """The number of a cell and the ends of its interval."""
    return tuple(float(number) for number in re.findall(r"[-+]?[\d.]+", cell))


@pytest.mark.parametrize(
    ("metric", "share", "lead", "published"),
    [  # Figures 5 and 13 and Table 13 of the thesis in brackets, on TAC 2008 with marked spans
        ("ROUGE-1", 42.7, None, "25 (51, 45, 4, 0)"),
        ("BERTScore", 23.9, -18.8, "15 (83, 17, 0, 0)"),
        ("content", 54.4, 11.7, ""),
        ("QAEval", 66.8, 18.3, "42 (36, 18, 24, 22)"),
        ("lite2pyramid", 52.4, 9.6, ""),
    ],
)
def test_shares_of_content_units(metric, share, lead, published):
    cells = read_row("units", metric)
    value, low, high = interval(cells[0])
    assert value == share
    assert low < value < high
    assert cells[-1] == published
    if lead is not None:
        value, low, high = interval(cells[1])
        assert value == lead
        assert low * high > 0  # the interval does not hold 0, as the page says


def test_the_order_of_metrics_is_the_published_one():
    shares = [interval(read_row("units", metric)[0])[0] for metric in ("BERTScore", "ROUGE-1", "QAEval")]
    assert shares == sorted(shares)


@pytest.mark.parametrize(
    ("data", "metric", "expected"),
    [  # summary level r, rho; system level r, rho
        ("TAC 2008, responsiveness (published)", "ROUGE-1", [".49", ".48", ".80", ".80"]),  # Table 6
        ("TAC 2008, responsiveness (published)", "noun chunks alone", [".45", ".44", ".79", ".80"]),
        ("REALSumm, content", "ROUGE-1", [".53", ".50", ".91", ".92"]),
        ("REALSumm, content", "noun chunks alone", [".48", ".45", ".88", ".90"]),
        ("SummEval, relevance", "ROUGE-1", [".33", ".30", ".38", ".30"]),
        ("SummEval, relevance", "noun chunks alone", [".34", ".30", ".42", ".32"]),
    ],
)
def test_noun_chunks_alone(data, metric, expected):
    assert read_row("np_chunks", data, metric) == expected


@pytest.mark.parametrize(
    ("title", "column", "published", "tolerance"),
    [  # Tables 3 and 4, CNN/DM: ROUGE is column 0, BERTScore with a larger model column 1, content column 2
        ("NP-CHUNKS", 0, 53.6, 2),
        ("STOPWORDS", 0, 48.4, 2),
        ("Information", 0, 6.7, 1),
        ("NP-CHUNKS", 1, 43.0, 2),
    ],
)
def test_shares_of_categories_are_near_published_ones(title, column, published, tolerance):
    assert interval(read_row("categories", title)[column])[0] == pytest.approx(published, abs=tolerance)


def test_content_has_more_information_than_rouge():
    rouge, _, content = (interval(cell)[0] for cell in read_row("categories", "Information")[:3])
    assert content > rouge


@pytest.mark.data
@pytest.mark.more
def test_the_share_of_content_units_is_measured_again():
    from bench.figures.insight import PUBLISHED_SYSTEMS
    from bench.figures.pyramid_folds import examples_of

    from gistmeter.insight import units

    run = [example for example in examples_of("realsumm") if example.system in PUBLISHED_SYSTEMS]
    chosen = set(sorted({example.doc_id for example in run})[::2])
    metric = "rouge1(stem=wordnet)"
    shares = units([example for example in run if example.doc_id in chosen], metric, spans="guessed", resamples=10)
    assert 100 * shares[metric].share == pytest.approx(interval(read_row("units", "ROUGE-1")[0])[0], abs=0.06)
