"""Training the segmenter: what is learned from, what is left out, and that it learns."""

import gzip
import json

import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.edus.segmenter import load_boundaries, segment
from gistmeter.training.edus.recipe import EdusData, EdusRecipe
from gistmeter.training.edus.texts import measure_boundaries, read_edu_texts
from gistmeter.training.edus.training import train_edus
from gistmeter.training.match_counts import MatchCounts
from recorded_progress import RecordedProgress

pytestmark = pytest.mark.more

# "He left because it rained . She slept ." with "rained." and "slept." written together
RECORD = {
    "doc_id": "one",
    "split": "train",
    "genre": "news",
    "licence": "CC BY 4.0",
    "tokens": ["He", "left", "because", "it", "rained", ".", "She", "slept", "."],
    "sentence_starts": [0, 6],
    "edu_starts": [0, 2, 6],
    "no_space_after": [4, 7],
}


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_tokens_become_text_with_places(tmp_path):
    (edu_text,) = read_edu_texts(written(tmp_path / "a.jsonl", RECORD))
    assert edu_text.text == "He left because it rained. She slept."
    assert sorted(edu_text.unit_starts) == [0, 8, 27]
    assert sorted(edu_text.sentence_starts) == [0, 27]
    assert edu_text.lines == "He left because it rained.\nShe slept."


def test_agreement_by_hand():
    # predicted 4, annotated 6, matched 3: precision 3/4, recall 3/6, F1 6/10
    match_counts = MatchCounts(predicted=4, annotated=6, matched=3)
    assert (match_counts.precision, match_counts.recall, match_counts.f1) == (0.75, 0.5, 0.6)
    assert str(MatchCounts(0, 0, 0).f1) == "nan"


def test_measured_on_one_text(tmp_path):
    # The shipped segmenter finds 0, 8 and 27; inside sentences that leaves 8 alone.
    boundary_figures = measure_boundaries(read_edu_texts(written(tmp_path / "a.jsonl", RECORD)))
    assert boundary_figures.raw == MatchCounts(3, 3, 3)
    assert boundary_figures.inner == MatchCounts(1, 1, 1)
    assert boundary_figures.genres == {"news": MatchCounts(3, 3, 3)}


def test_it_learns_and_writes_a_card(tmp_path):
    records = [RECORD | {"doc_id": str(number)} for number in range(20)]
    held_out = RECORD | {"doc_id": "held", "split": "dev"}
    others = [RECORD | {"licence": "CC BY-NC-SA 4.0"}, RECORD | {"licence": "not stated"}, RECORD | {"nc": True}]
    file = written(tmp_path / "a.jsonl", *records, held_out, *others)
    recipe = EdusRecipe(bits=10, hidden=8, epochs=6, rate=1e-2, batch=8)
    data = EdusData(data=str(file), notes=("A note.",))
    progress = RecordedProgress()
    trained = train_edus(
        tmp_path / "x.safetensors", data, recipe=recipe, command="gistmeter train x", progress=progress
    )
    assert len(trained.texts.allowed) == 20
    assert trained.texts.left_out == {"CC BY-NC-SA 4.0": 1, "not stated": 1, "CC BY 4.0 (NC)": 1}
    assert set(trained.figures) == {"dev", "left out"}
    assert trained.figures["dev"].raw.f1 == 1
    assert progress.steps[-1][1] == progress.steps[-1][2]
    text = "He left because it rained. She slept."
    assert [unit.start for unit in segment([text], network=load_boundaries(trained.file))[0]] == [0, 8, 27]
    card = trained.card.read_text("utf-8")
    assert "| dev | bare text | 1.000 | 1.000 | 1.000 |" in card
    assert "```\ngistmeter train x\n```" in card
    assert "A note." in card
    assert "epochs 6, rate 0.01" in card
    assert str(tmp_path) not in card
    again = train_edus(tmp_path / "y.safetensors", data, recipe=recipe)
    assert again.file.read_bytes() == trained.file.read_bytes()


def test_what_cannot_be_read_is_said(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_edu_texts(tmp_path / "none.jsonl")
    with pytest.raises(DataError, match=r"line 1 of a.jsonl has no list `edu_starts`"):
        read_edu_texts(written(tmp_path / "a.jsonl", {"tokens": [], "sentence_starts": []}))
    with pytest.raises(DataError, match="at a token that is not there"):
        read_edu_texts(written(tmp_path / "a.jsonl", RECORD | {"edu_starts": [99]}))
    with gzip.open(tmp_path / "a.jsonl.gz", "wt") as stream:
        stream.write("{}\n[]\n"[3:])
    with pytest.raises(DataError, match=r"line 1 of .*a\.jsonl\.gz: a record is an object"):
        read_edu_texts(tmp_path / "a.jsonl.gz")
    with pytest.raises(DataError, match=r"not to x\.bin"):
        train_edus(tmp_path / "x.bin", EdusData(data=str(written(tmp_path / "b.jsonl", RECORD))))
    with pytest.raises(DataError, match="no text to train on"):
        train_edus(tmp_path / "x.safetensors", EdusData(data=str(written(tmp_path / "b.jsonl", RECORD | {"nc": True}))))
