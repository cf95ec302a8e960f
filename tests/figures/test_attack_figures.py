"""docs/reference-free.md: its table of attacks on SummEval is measured again from research data."""

from pathlib import Path

import pytest

import gistmeter as gm
from gistmeter.io.runs import open_run

PAGE = Path(__file__).parents[2] / "docs" / "reference-free.md"


def read_table():
    """The cells of the table, by score: the clean mean, then one for each attack."""
    section = PAGE.read_text("utf-8").partition("## On SummEval")[2].partition("\n## ")[0]
    header, _, *lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    names = [name.strip("`") for name in header if name.startswith("`")]
    return names, {line[0].split()[0]: line[1:] for line in lines}


def test_the_table_is_whole():
    names, rows = read_table()
    assert len(names) == 8
    assert len(rows) == 7
    assert all(len(cells) == 1 + len(names) for cells in rows.values())


@pytest.mark.data
@pytest.mark.slow
def test_the_table_is_measured_again(data):
    names, rows = read_table()
    folder = data / "summeval"
    run = open_run([folder / "summeval.jsonl.gz"], documents=[folder / "documents.jsonl.gz"])
    effects = gm.probe.attack(run, "js,simetrix,rouge1,rouge2", attacks=names)
    for score, (clean, *cells) in rows.items():
        written = [_write(effects["copy", score].clean)]
        for name in names:
            effect = effects[name, score]
            written.append(f"**{_write(effect.attacked)}**" if effect.works else _write(effect.attacked))
        assert written == [clean, *cells], score


def _write(value):
    return f"{value:.3f}".replace("-", "−")
