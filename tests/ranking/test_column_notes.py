"""What a reader of a ranking is told of its columns."""

import polars as pl
import pytest

import gistmeter as gm
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.scores import ScoreColumn, Scores


def scores_of(signature, name="bertscore.f1"):
    table = pl.DataFrame({"doc_id": ["1", "2"] * 2, "system": ["a", "a", "b", "b"], name: [0.1, 0.2, 0.3, 0.4]})
    return Scores(table, (ScoreColumn(name, signature, better="higher"),))


EMBEDDED = "bertscore|idf:background|layer:6|model:all-MiniLM-L6-v2|weights:d7|v:0.2.0"


@pytest.mark.parametrize("ask", [rank, lambda scores, **options: compare(scores, "a", "b", **options)])
def test_bertscore_of_the_embedded_encoder_says_that_it_does_not_compare(ask):
    notes = [note for note in ask(scores_of(EMBEDDED), resamples=10).notes if "BERTScore" in note]
    (note,) = notes
    assert note.startswith(
        "bertscore reads the embedded encoder (all-MiniLM-L6-v2) and does not compare with published"
    )
    assert "bertscore(preset=published) does" in note


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        (EMBEDDED.replace("all-MiniLM-L6-v2", "roberta-large"), "bertscore.f1"),
        (EMBEDDED.replace("bertscore|", "focus|"), "focus.focus"),
    ],
)
def test_other_scores_say_nothing_of_it(signature, name):
    assert not any("BERTScore" in note for note in rank(scores_of(signature, name), resamples=10).notes)


TEXTS = {"summary": "The bridge opened.", "references": ("The bridge was opened.",)}


@pytest.mark.parametrize(
    "ask",
    [
        lambda metric: gm.check(**TEXTS, metrics=metric),
        lambda metric: gm.explain_summaries(
            [gm.Example(doc_id="1", system="a", **TEXTS)], documents=["1"], metrics=metric
        ),
    ],
    ids=["check", "explain"],
)
def test_single_summaries_are_told_the_same(ask):
    notes = [note for note in ask("bertscore,rouge1").notes if "BERTScore" in note]
    assert [note.partition(" and ")[0] for note in notes] == ["bertscore reads the embedded encoder (all-MiniLM-L6-v2)"]
    assert not any("BERTScore" in note for note in ask("rouge1").notes)
