"""Training the coreference network: it learns, it is written and read back, and bad data is named."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.coreference.resolver import load_linker
from gistmeter.training.coreference.fitting import MentionLesson, fit_linker
from gistmeter.training.coreference.recipe import CoreferenceData, CoreferenceRecipe
from gistmeter.training.coreference.texts import read_pronouns, read_texts
from gistmeter.training.coreference.training import train_coreference, write_linker

pytestmark = pytest.mark.more


def test_it_learns_which_choice_is_right_and_is_the_same_when_read_back(tmp_path):
    pytest.importorskip("torch")
    asked = [MentionLesson([["new"], ["near", "good"], ["near", "bad"]], [False, True, False])] * 40
    asked += [MentionLesson([["new"], ["near", "bad"]], [True, False])] * 40
    network = fit_linker(asked, CoreferenceRecipe(hidden=4, epochs=30, rate=0.05, batch=16, rarest=1))
    new, good, bad, unknown = network.scores([["new"], ["near", "good"], ["near", "bad"], ["never seen"]])
    assert good > new > bad
    assert np.isfinite(unknown)
    write_linker(network, tmp_path / "network.safetensors")
    again = load_linker(tmp_path / "network.safetensors")
    assert again.rows == network.rows
    assert np.array_equal(again.scores([["near", "good"]]), network.scores([["near", "good"]]))


def test_a_text_without_clusters_is_named(tmp_path):
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"tokens": ["He", "left"], "sentence_starts": [0]}) + "\n")
    with pytest.raises(DataError, match=r"line 1 of texts\.jsonl has no list `clusters`"):
        read_texts(file)


def test_a_pronoun_without_names_is_named(tmp_path):
    file = tmp_path / "gap.jsonl"
    file.write_text(json.dumps({"split": "test", "text": "He left."}) + "\n")
    with pytest.raises(DataError, match=r"line 1 of gap\.jsonl is not a record of GAP"):
        read_pronouns(file)


def test_texts_without_a_licence_are_not_learned_from(tmp_path):
    texts, gap = tmp_path / "texts.jsonl", tmp_path / "gap.jsonl"
    record = {
        "tokens": ["He", "left"],
        "sentence_starts": [0],
        "clusters": [],
        "split": "train",
        "licence": "CC BY-NC 4.0",
    }
    texts.write_text(json.dumps(record) + "\n")
    gap.write_text("")
    data = CoreferenceData(data=str(texts), gap=str(gap))
    with pytest.raises(DataError, match="has no text to train on"):
        train_coreference(tmp_path / "out.safetensors", data)
    with pytest.raises(DataError, match=r"written to a \.safetensors file, not to out\.bin"):
        train_coreference(tmp_path / "out.bin", data)
