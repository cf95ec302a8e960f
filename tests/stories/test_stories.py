"""Three stories from beginning to end, with the commands of the pages that tell them.

The numbers are computed here again, from the texts and tables alone, without the code that the commands run.
"""

import csv
import json
import re
from collections import defaultdict
from statistics import correlation, mean
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.more


def read_table(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def average_by_system(rows, column):
    """The mean of a column for each system."""
    values = defaultdict(list)
    for row in rows:
        values[row["system"]].append(float(row[column]))
    return {system: mean(numbers) for system, numbers in values.items()}


def test_text_files_become_the_table_of_a_paper(newcomer):
    steps = newcomer.follow("paper-table.md")
    assert [step.code for step in steps] == [0] * len(steps)
    [latex] = [step.output for step in steps if "--latex" in step.command]
    [bibtex] = [step.output for step in steps if step.command.startswith("gistmeter cite")]

    # One line of a text file is one summary: 8 documents by two systems, and means that a spreadsheet would give.
    newcomer.type(
        "gistmeter score --summaries ours=ours.txt --summaries lead=lead.txt --references refs.txt -o all.csv"
    )
    rows = read_table(newcomer.folder / "all.csv")
    assert len(rows) == 16
    for column in ("rouge1.f1", "rouge2.f1", "rougeLsum.f1"):
        for value in average_by_system(rows, column).values():
            assert f"{100 * value:.2f}" in latex
    assert "R-1" in latex
    assert re.search(r"^ *ours & .*\\textbf", latex, re.MULTILINE)
    assert not re.search(r"^ *lead & .*\\textbf", latex, re.MULTILINE)

    # The table carries the signatures, and what is cited is a list of BibTeX entries, each closed.
    assert re.search(r"^% .*rouge2\|.*stem:porter", latex, re.MULTILINE)
    assert "lin2004rouge" in bibtex
    assert bibtex.count("{") == bibtex.count("}")


def test_a_release_is_gated(newcomer):
    steps = newcomer.follow("build-gate.md", "A gate between two versions")
    gates = [step for step in steps if step.command.startswith("gistmeter gate")]
    assert "worse" in gates[0].output
    assert gates[0].output.endswith("shut\n")

    # What a build server sees: 1 and a failed case for the worse version, 0 for the same version again.
    shut = newcomer.type("gistmeter gate before.parquet after.parquet --metric rouge2 --junit gate.xml")
    assert shut.code == 1
    suite = ElementTree.parse(newcomer.folder / "gate.xml").getroot()  # noqa: S314, we wrote it
    assert len(suite.findall(".//testcase")) == len(suite.findall(".//failure")) == 1
    assert newcomer.type("gistmeter gate before.parquet before.parquet --metric rouge2 --margin 0.005").code == 0

    # A file that is missing is no verdict: 2, and one sentence.
    missing = newcomer.type("gistmeter gate before.parquet nothing.parquet")
    assert missing.code == 2
    assert "nothing.parquet" in missing.errors
    assert "Traceback" not in missing.errors


def test_ratings_and_a_metric_of_ones_own_become_an_answer(newcomer):
    steps = newcomer.follow("study.md")
    assert [step.code for step in steps] == [0] * len(steps)

    # Pearson's r of five means, by the standard library: of people's grades, and of a metric that gistmeter never saw.
    people = average_by_system(read_table(newcomer.folder / "ratings.csv"), "content")
    own = average_by_system(read_table(newcomer.folder / "own.csv"), "longwords")
    expected = correlation([people[system] for system in people], [own[system] for system in people])
    correlated = newcomer.type(
        "gistmeter meta correlate scores.parquet own.csv --judgments ratings.csv --metric longwords --higher longwords "
        "--level system --coefficient pearson --json"
    )
    [row] = json.loads(correlated.output)["rows"]
    assert row["value"] == pytest.approx(expected, abs=1e-9)

    # The answer is a test with a p-value, and five systems are too few for a small one, which a note says.
    [tested] = [step for step in steps if step.command.startswith("gistmeter meta test")]
    assert re.search(r"rouge2\.f1 +longwords .* 0\.\d{3}$", tested.output, re.MULTILINE)
    assert "no p-value can be below" in re.sub(r"\s+", " ", tested.output + tested.errors)


def test_a_metric_in_a_file_is_tested_against_people(newcomer):
    scored = newcomer.follow("plugins.md", "One file")
    assert [step.code for step in scored] == [0] * len(scored)
    answer = newcomer.type(
        "gistmeter meta correlate scores.parquet --judgments src/gistmeter/demo/judgments.jsonl "
        "--metric my_metrics:Numbers.supported --level pooled --coefficient pearson --json"
    )
    [row] = json.loads(answer.output)["rows"]
    assert -1 <= row["value"] <= 1
    assert row["missing"] == 18  # summaries without a number, which the page's output counts
