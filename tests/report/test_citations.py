"""What to cite: every metric has its papers, and a file of scores those of its metrics."""

import json
import re

import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.metrics.registry import BUILT_IN
from gistmeter.report.citations.cite import _find_templates, _read_table

PAPERS = _read_table("papers")


def test_every_metric_is_published_or_our_own():
    cited = {template for paper in PAPERS.values() for template in paper["metrics"]}
    templates = {entry.template for entry in BUILT_IN}
    assert cited <= templates
    assert templates - cited == set(_read_table("unpublished"))


@pytest.mark.parametrize("key", PAPERS)
def test_a_paper_has_what_a_reader_needs(key):
    paper = PAPERS[key]
    assert {"metrics", "kind", "title", "author", "year"} < set(paper)
    assert {"article": "journal", "phdthesis": "school"}.get(paper["kind"], "booktitle") in paper
    surname = re.split(r"[,{]", paper["author"])[0].lower()
    assert key.startswith(surname)
    assert str(paper["year"]) in key
    for value in paper.values():
        assert str(value).count("{") == str(value).count("}")


@pytest.mark.parametrize(
    ("signature", "templates"),
    [
        ("rouge2|stem:porter|v:1", {"rouge{order}"}),
        ("lite2.5pyramid|v:1", {"lite2.{share}pyramid"}),
        ("focus|metric:bertscore(idf=none)|v:1", {"focus", "bertscore"}),
        ("jackknife|metric:rougeSU4|v:1", {"jackknife", "rougeSU{gap}"}),
        ("ffci|coverage:coverage(metric=bertscore)|v:1", {"ffci", "coverage", "bertscore"}),
        ("unknown", set()),
    ],
)
def test_metrics_of_a_signature(signature, templates):
    assert set(_find_templates(signature)) == templates


def test_the_command_prints_signatures_and_bibtex(command, tmp_path):
    gm.score(demo_run(), ["rouge1", "rouge2", "bleu", "length"], cache=False).write(tmp_path / "s.parquet")
    code, out, _ = command("cite", "s.parquet")
    assert code == 0
    assert re.findall(r"@\w+\{(\w+),", out) == ["gistmeter", "lin2004rouge", "papineni2002bleu", "post2018call"]
    assert "% rouge2: rouge2|" in out
    assert json.loads(command("cite", "s.parquet", "--json")[1])["signatures"]["length"].startswith("length|")
    (tmp_path / "own.csv").write_text("doc_id,system,mine\n1,a,0.5\n")
    assert "% mine: unknown" in command("cite", "own.csv")[1]


def test_what_has_no_paper_says_so(checked_command, tmp_path):
    checked_command("score", str(demo_run()), "-m", "length,rouge1", "-o", str(tmp_path / "s.parquet"))
    printed = checked_command("cite", str(tmp_path / "s.parquet")).stdout
    assert "% length has no paper of its own (a count of words): cite gistmeter" in printed
    assert "rouge1 has no paper" not in printed
