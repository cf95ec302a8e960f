"""Category shares of metrics: by hand, on a run, on bad input; what is counted is what the evidence marks."""

import json
from dataclasses import dataclass

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import GistmeterError
from gistmeter.metrics import Column, Metric

pytestmark = pytest.mark.more

RECORD = {
    "doc_id": "1",
    "system": "a",
    "summary": "The mayor opened the bridge.",
    "references": ["A mayor opened the bridge."],
}


def shares_of(record, metric="rouge1", **options):
    shares = gm.insight.categories([record], metric, resamples=10, **options)
    return {row.category: row.share for row in shares.rows}


def test_by_hand():
    # mayor opened the bridge match: 4 of 4. "the" is a stop word; mayor and bridge are nouns, subject and object of
    # "opened"; the chunks are "the bridge" and "mayor" (with "a" and "the", which do not match).
    shares = shares_of(RECORD)
    assert shares["stopwords"] == 1 / 4
    assert shares["nn"] == 2 / 4
    assert shares["vb"] == shares["root"] == shares["nsubj"] == shares["dobj"] == 1 / 4
    assert shares["np_chunks"] == 3 / 4
    assert shares["vb_nsubj"] == shares["vb_dobj"] == 2 / 4
    assert shares["vb_nsubj_dobj"] == shares["information"] == 3 / 4
    assert shares["topic"] == 1.0  # "the" is in a chunk on both sides


def test_who_did_what_is_lost_when_roles_are_swapped():
    swapped = {**RECORD, "summary": "The bridge opened the mayor."}
    assert shares_of(swapped)["information"] == 0
    assert shares_of(swapped)["nn"] == 2 / 4


def test_words_that_carry_meaning_are_all_that_content_counts():
    shares = shares_of(RECORD, "content")
    assert shares["stopwords"] == 0
    assert shares["information"] == 1.0  # mayor opened bridge


def test_auxiliaries_are_verbs_when_asked():
    record = {"summary": "The dog was barking.", "reference": "A cat was sleeping."}  # "was" alone matches
    assert shares_of(record)["vb"] == 0
    assert shares_of(record, auxiliaries="verb")["vb"] == 1.0


def test_the_first_reference_alone_or_all():
    record = {"summary": "The dog barked.", "references": ["The dog slept.", "A cat barked."]}
    assert shares_of(record)["stopwords"] == 1 / 2  # the, dog
    assert shares_of(record, reference="all")["stopwords"] == 1 / 3  # the, dog; barked


def test_shares_of_systems_and_intervals_hold_the_mean():
    shares = gm.insight.categories(demo_run(), "rouge1", by_system=True, resamples=100)
    rows = [row for row in shares.rows if row.category == "stopwords"]
    assert [row.system for row in rows] == ["", "lead3", "careful", "terse", "dreamer", "looper"]
    assert all(row.low <= row.share <= row.high for row in shares.rows)
    # The mean over all summaries is the mean of the systems' means: each has every document.
    assert rows[0].share == pytest.approx(sum(row.share for row in rows[1:]) / 5)
    assert "parser:en_core_web_sm" in shares.signature


def test_what_is_counted_is_what_the_evidence_marks():
    example = gm.Example(**RECORD)
    metric = gm.metric("rouge1")
    ((alignment,),) = metric.align([example])
    marked = metric.explain(example).panes[0]
    assert sum(mark.end - mark.start for mark in marked.marks) >= sum(
        alignment.summary.tokens[edge.summary].end - alignment.summary.tokens[edge.summary].start
        for edge in alignment.edges
    )
    assert alignment.total == metric.score([example])[0, 1] * len(alignment.other.tokens)  # recall


@pytest.mark.parametrize("metric", ["bertscore(idf=none)", "bertscore"])
def test_the_edges_of_bertscore_are_its_recall(metric):
    example = gm.Example(**RECORD)
    measure = gm.metric(metric)
    ((alignment,),) = measure.align([example])
    weights = measure.weigh_tokens([alignment.other.text], "en")[0].weights
    assert alignment.total / weights.sum() == pytest.approx(measure.score([example])[0, 1], abs=1e-6)


def test_a_category_of_ones_own(tmp_path):
    table = tmp_path / "own.toml"
    table.write_text('[officials]\ntitle = "OFFICIALS"\ntype = "people"\nwords = ["mayor", "minister"]\n')
    assert shares_of(RECORD, table=table) == {"officials": 1 / 4, "people": 1 / 4}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[a\n", "is no TOML"),
        ("", "has no category"),
        ('[a]\ntitle = "A"\ntype = "t"\n', "needs rules for words"),
        ('[a]\ntitle = "A"\ntype = "t"\npos = "NOUN"\n', "the category 'a'.*`pos` is a list of tags"),
        ('[a]\ntitle = "A"\npos = ["NOUN"]\n', "the category 'a'.*it has no `type`"),
        ('[a]\ntitle = "A"\ntype = "t"\nchunks = "yes"\n', "`chunks` is true or false"),
        ('[a]\ntitle = "A"\ntype = "t"\ndependency = ["PERSON"]\n', "'PERSON' in `dependency`, which the parser never"),
        (
            '[a]\ntitle = "A"\ntype = "t"\npos = ["NOUN"]\n[b]\ntitle = "A"\ntype = "t"\npos = ["VERB"]\n',
            "'a' and 'b' .* have one title: 'A'",
        ),
        ('[a]\ntitle = "A"\ntype = "t"\nposs = ["NOUN"]\n', "it has no rule `poss`; did you mean pos"),
        (
            '[a]\ntitle = "A"\ntype = "t"\npos = ["NOUNS"]\n',
            "'NOUNS' in `pos`, which the parser never says; did you mean",
        ),
        ('[a]\ntitle = "A"\ntype = "t"\nentities = [["PERSN"]]\n', "'PERSN' in `entities`.*PERSON"),
        ('[a]\ntitle = "A"\ntype = "t"\nwords = "smartt"\n', 'is "smart" or a list'),
        ('[a]\ntitle = "A"\ntype = "t"\nhead = "b"\nchildren = ["b"]\n', "'b', which is no category"),
        ("a = 1\n", "the category 'a'.*it is a value, not a table"),
        ('[a]\ntitle = "A"\ntype = "t"\nwords = ["New York"]\n', "'New York' in `words`, which no word ever is"),
        (
            '[a]\ntitle = "T"\ntype = "t"\npos = ["NOUN"]\n[b]\ntitle = "B"\ntype = "t"\npos = ["VERB"]\n',
            "'a' .* and a type of several categories are both called 'T'",
        ),
    ],
)
def test_a_slip_in_a_table_is_one_sentence(tmp_path, content, sentence):
    table = tmp_path / "own.toml"
    table.write_text(content)
    with pytest.raises(GistmeterError, match=sentence):
        shares_of(RECORD, table=table)


@pytest.mark.parametrize(
    ("record", "metric", "sentence"),
    [
        (RECORD, "rouge2", "rouge2 gives no alignment"),
        ({**RECORD, "language": "de"}, "rouge1", "the run has de"),
        ({"summary": "cat", "reference": "dog"}, "rouge1", "no summary has a match"),
        ({"summary": "cat", "document": "cats"}, "rouge1", r"rouge1 needs `references`, but \S+/\S+ has none"),
        ({"summary": "cat", "document": "cats"}, "bertscore", "bertscore needs `references`"),
        ({"summary": "cat", "reference": "cats"}, "estime", "estime needs `document`"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(record, metric, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        shares_of(record, metric)


@dataclass(frozen=True, slots=True)
class Faulty(Metric):
    """A metric whose `align` has a slip."""

    slip: str = "crash"

    name = "faulty"
    needs = frozenset({"references"})
    columns = (Column("share", "what there is"),)

    def score(self, examples):
        return np.ones((len(examples), 1))

    def align(self, examples):
        alignments = gm.metric("rouge1").align(examples)
        return {"few": alignments[:-1], "bare": [each for (each,) in alignments]}[self.slip]


@pytest.mark.parametrize(
    ("slip", "sentence"),
    [
        ("crash", "faulty.* failed when aligning 2 summaries: KeyError: 'crash'"),
        ("few", "aligned 1 of 2 summaries: `align` gives for each summary a tuple"),
        ("bare", r"gave Alignment as the alignments of \S+/\S+: `align` gives"),
    ],
)
def test_a_slip_in_a_metric_of_a_user_is_one_sentence(slip, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        gm.insight.categories([RECORD, {**RECORD, "doc_id": "2"}], Faulty(slip))


def test_the_command_prints_what_the_call_gives(checked_command, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps(RECORD) + "\n")
    printed = json.loads(checked_command("insight", "categories", str(run), "--published", "cnndm", "--json").stdout)
    by_name = {row["category"]: row for row in printed["rows"]}
    assert by_name["Information"]["share"] == 0.75
    assert by_name["Information"]["published"] == pytest.approx(0.067)
    assert "STOPWORDS" in checked_command("insight", "categories", str(run)).stdout
    assert "gives no alignment" in checked_command("insight", "categories", str(run), "-m", "rougeL", fails=True).stderr
    (tmp_path / "documents.jsonl").write_text(json.dumps({"doc_id": "1", "document": "A mayor slept."}) + "\n")
    options = ("--documents", str(tmp_path / "documents.jsonl"), "-m", "content(against=document)", "--json")
    run.write_text(json.dumps({**RECORD, "doc_id": "1"}) + "\n")
    rows = json.loads(checked_command("insight", "categories", str(run), *options).stdout)["rows"]
    assert {row["category"]: row["share"] for row in rows}["NN"] == 1.0  # mayor


def test_the_caption_says_what_summaries_are_compared_with():
    from gistmeter.report.sheets.insight.categories import categories_sheet

    record = {**RECORD, "document": "The mayor opened the bridge in May. It rained."}
    captions = {
        metrics: categories_sheet(gm.insight.categories([record], metrics, resamples=10)).caption
        for metrics in ("rouge1", "consistency", "rouge1,consistency")
    }
    assert "against the first reference:" in captions["rouge1"]
    assert "against the document:" in captions["consistency"]
    assert "against the first reference (consistency: the document):" in captions["rouge1,consistency"]


def test_a_published_figure_of_another_setting_is_noted():
    def notes(metrics, published):
        return gm.insight.categories([RECORD], metrics, published=published, resamples=10).notes

    assert "bertscore(idf=none) is more like it than bertscore" in notes(["rouge1", "bertscore"], "cnndm")[-1]
    assert notes(["bertscore"], None) == notes(["bertscore(idf=none)"], "cnndm") == ()
