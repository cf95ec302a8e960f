"""docs/probe.md: the tables of the small samples are whole, and samples are what they say."""

import pytest
from bench.figures.probe_models import ATTACKS, OUTPUT, SAMPLES, Sample

import gistmeter as gm


def read_block(name):
    """The rows of a block of the page, without its header."""
    block = OUTPUT.read_text("utf-8").partition(f"<!-- {name} -->")[2].partition("<!-- end -->")[0]
    _, _, *rows = [line.strip("|").split("|") for line in block.strip().splitlines()]
    return {cells[0].split("`")[1]: [cell.strip() for cell in cells[1:]] for cells in rows}


def test_what_was_sampled_is_on_the_page():
    searched, attacked = read_block("models"), read_block("attacks")
    assert {spec.score: spec.searched.describe() for spec in SAMPLES if spec.searched} == {
        score: cells[0] for score, cells in searched.items()
    }
    assert {spec.score: spec.attacked.describe() for spec in SAMPLES} == {
        score: cells[0] for score, cells in attacked.items()
    }
    for spec in SAMPLES:
        cells = dict(zip(ATTACKS, attacked[spec.score][2:], strict=True))
        assert {name for name, cell in cells.items() if cell} == set(spec.attacks)


@pytest.mark.parametrize(
    ("sample", "documents", "systems"),
    [
        (Sample(2, 1), ["0", "2"], ["a"]),
        (Sample(2, 2, shortest=True), ["2", "3"], ["a", "c"]),
        (Sample(9, 9), ["0", "1", "2", "3"], ["a", "b", "c", "d"]),
    ],
)
def test_a_sample_has_documents_and_systems_at_even_distances(sample, documents, systems):
    run = [
        gm.Example(doc_id=str(number), system=system, summary="s", document="text " * (4 - number))
        for number in range(4)
        for system in "abcd"
    ]
    chosen = sample.choose(run)
    assert sorted({example.doc_id for example in chosen}) == documents
    assert sorted({example.system for example in chosen}) == systems
