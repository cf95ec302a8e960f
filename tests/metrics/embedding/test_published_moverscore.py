"""MoverScore of a named model equals the published program (emnlp19-moverscore), written out plainly here."""

import math
import string
from collections import Counter
from importlib.util import find_spec

import numpy as np
import pytest
from scipy.optimize import linprog

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.embedding.moverscore import MoverScore

pytestmark = pytest.mark.skipif(find_spec("ot") is None, reason="POT is not installed")

REFERENCES = (
    "The cat sat on the mat, and the dog barked.",
    "Prices rose by 3% on Monday; nobody was surprised.",
    "The mayor opened a bridge on Friday.",
)
SUMMARIES = (
    "A dog barked at the cat on the mat.",
    "On Monday prices rose.",
    "A bridge was opened by the mayor, and the dog barked.",
)


class PublishedProgram:
    """`word_mover_score` with `get_idf_dict` and `load_ngram`: one function each, a loop for each sum."""

    def __init__(self, folder):
        import transformers

        self.tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
        self.model = transformers.AutoModel.from_pretrained(str(folder)).eval()

    def pieces(self, text):
        return ["[CLS]", *self.tokenizer.tokenize(text), "[SEP]"]

    def idf(self, texts):
        """log((N + 1) / (n + 1)) for a token in n of N texts; one in none has n = 0."""
        counts = Counter(token for text in texts for token in set(self.pieces(text)))
        return lambda token: math.log((len(texts) + 1) / (counts[token] + 1))

    def states(self, text, *, powers):
        """The last states, or the minimum, mean and maximum of the last five joined."""
        import torch

        ids = torch.tensor([self.tokenizer.convert_tokens_to_ids(self.pieces(text))])
        with torch.no_grad():
            hidden = self.model(ids, output_hidden_states=True).hidden_states
        if not powers:
            return hidden[-1][0].double().numpy()
        last = torch.stack(hidden[-5:])[:, 0].double()
        return torch.cat([last.min(dim=0).values, last.mean(dim=0), last.max(dim=0).values], dim=-1).numpy()

    def grams(self, text, idf, *, n, powers):
        """Vectors and masses of the n-grams of what is neither a mark nor goes on with a word."""
        pieces, states = self.pieces(text), self.states(text, powers=powers)
        candidates = [i for i, piece in enumerate(pieces) if piece not in set(string.punctuation) and "##" not in piece]
        vectors, masses = [], []
        for first in range(len(candidates) - n + 1):
            window = candidates[first : first + n]
            total = sum(idf(pieces[i]) for i in window)
            masses.append(total)
            vectors.append(sum((idf(pieces[i]) / (total + 1e-30)) * states[i] for i in window))
        vectors = np.array(vectors)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-30
        return vectors, np.array(masses) / sum(masses)

    def score(self, reference, hypothesis, idf_of_references, idf_of_hypotheses, *, n=1, powers=False):
        left, left_masses = self.grams(reference, idf_of_references, n=n, powers=powers)
        right, right_masses = self.grams(hypothesis, idf_of_hypotheses, n=n, powers=powers)
        distances = np.linalg.norm(left[:, None] - right[None], axis=2)
        rows, columns = distances.shape
        sums = [np.repeat(np.eye(rows)[i], columns) for i in range(rows)]
        sums += [np.tile(np.eye(columns)[j], rows) for j in range(columns)]
        done = linprog(distances.ravel(), A_eq=np.array(sums), b_eq=np.r_[left_masses, right_masses], bounds=(0, None))
        return 1 - done.fun


@pytest.fixture(scope="module")
def run():
    return [
        Example(doc_id=str(row), system="s", summary=summary, references=reference)
        for row, (summary, reference) in enumerate(zip(SUMMARIES, REFERENCES, strict=True))
    ]


@pytest.mark.parametrize(
    ("family", "settings", "program"),
    [
        ("bert", {}, {}),
        ("distilbert", {}, {}),
        ("bert", {"n": 2}, {"n": 2}),
        ("bert", {"states": "powers"}, {"powers": True}),
    ],
    ids=["bert", "distilbert", "bigrams", "powers"],
)
def test_a_named_model_is_read_as_published(family, settings, program, run, tiny):
    folder = tiny(family)
    published = PublishedProgram(folder)
    idfs = published.idf(REFERENCES), published.idf(SUMMARIES)
    expected = [
        published.score(reference, summary, *idfs, **program)
        for summary, reference in zip(SUMMARIES, REFERENCES, strict=True)
    ]
    metric = MoverScore(model=str(folder), **settings)
    assert metric.fits
    fitted = metric.fit(iter(run))
    assert fitted.score(run)[:, 0] == pytest.approx(expected, abs=1e-5)
    for pane in fitted.explain(run[0]).blocks[:2]:
        assert all(mark.start < mark.end for mark in pane.marks)


def test_separate_weights_differ_from_shared_ones(run, tiny):
    named = {"model": str(tiny("bert")), "layer": 3}
    separate, shared = (MoverScore(**named, idf=idf).fit(run) for idf in ("separate", "references"))
    assert not np.allclose(separate.score(run), shared.score(run))
    assert separate.facts()["idf"].startswith("separate-")
    assert separate.facts()["idf"].count("-") == 2
    assert separate.facts()["layer"] == "3"
    assert separate.facts()["tokens"] == "published"
    assert separate.spelling == MoverScore(**named, idf="separate").spelling


def test_the_embedded_model_stays_as_it_was(run):
    metric = MoverScore()
    assert not metric.fits
    facts = metric.facts()
    assert (facts["idf"], facts["layer"], facts["tokens"]) == ("background", "6", "words")
    assert metric.score(run) == pytest.approx(MoverScore(idf="background", layer=6, tokens="words").score(run))


def test_what_cannot_be(run, tiny):
    with pytest.raises(MetricError, match="must read the references first"):
        MoverScore(model=str(tiny("bert"))).score(run)
    with pytest.raises(MetricError, match="idf=separate, which is moverscore's"):
        BertScore(idf="separate")
