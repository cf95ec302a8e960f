"""`--group` of the `meta` commands, run as a user runs it."""

import json
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def meta(checked_command):
    """What a `meta` command prints."""
    return lambda *arguments: checked_command("meta", *arguments).stdout


@pytest.fixture
def files(tmp_path):
    """Scores as CSV and judgments as JSON lines of six systems; documents have a language, systems a type."""
    rng = np.random.default_rng(2)
    lines, judged = ["doc_id,system,good,poor"], []
    for system in range(6):
        for doc in range(12):
            quality = system + rng.normal()
            lines.append(f"d{doc},s{system},{quality + rng.normal():.4f},{quality + 5 * rng.normal():.4f}")
            judged.append(
                {
                    "doc_id": f"d{doc}",
                    "system": f"s{system}",
                    "language": "en" if doc < 6 else "de",
                    "type": "old" if system < 3 else "new",
                    "annotators": {"focus": [quality, quality + rng.normal(), quality + rng.normal()]},
                }
            )
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    (tmp_path / "judged.jsonl").write_text("\n".join(map(json.dumps, judged)))
    return "scores.csv", "--judgments", "judged.jsonl"


def test_each_command_has_a_column_for_each_group(meta, files):
    output = meta("correlate", *files, "--group", "language", "--level", "summary")
    assert output.splitlines()[0].split() == ["metric", "coefficient", "en", "de", "mean", "rank"]
    assert "2 groups by language (6 systems, 6 documents each)" in " ".join(output.split())
    output = meta(
        "interval", *files, "--group", "type", "--level", "pooled", "--method", "documents", "--resamples", 50
    )
    assert output.splitlines()[0].split() == ["metric", "old", "new", "mean", "rank"]
    assert output.splitlines()[2].count("[") == 2  # an interval in each of the two cells
    output = meta("agreement", "judged.jsonl", "--group", "language")
    assert output.splitlines()[0].split() == ["judgment", "measure", "en", "de", "mean"]


def test_a_test_by_groups_marks_the_best_in_every_form(meta, files):
    command = ("test", *files, "--metric", "good", "--metric", "poor", "--metric", "focus")
    options = ("--group", "language", "--level", "pooled", "--permutations", 100)
    markdown = meta(*command, *options, "--markdown")
    assert markdown.count("**1.000**") == 2  # people agree with themselves best, in both languages
    assert meta(*command, *options, "--latex").count(r"\textbf{1.000}") == 2
    content = json.loads(meta(*command, *options, "--json"))
    assert [group["group"] for group in content["groups"]] == ["en", "de"]
    assert content["groups"][0]["answer"]["names"] == ["good", "poor", "focus"]


@pytest.mark.more
def test_a_figure_of_groups_is_drawn(meta, files):
    arguments = ("--group", "language", "--level", "pooled", "--resamples", 20, "--method", "documents")
    meta("interval", *files, *arguments, "--figure", "groups.svg")
    drawn = Path("groups.svg").read_text("utf-8")
    assert all(text in drawn for text in (">good<", ">en<", ">de<", ">mean<"))


def test_mistakes_are_told_as_options(checked_command, files):
    wrong = checked_command("meta", "correlate", *files, "--group", "langage", fails=True)
    assert "did you mean language?" in wrong.stderr
    both = ("--group", "language", "--by", "type")
    refused = checked_command("meta", "agreement", "judged.jsonl", *both, fails=True)
    assert "--by (rows) and --group (columns) do not go together" in refused.stderr
