"""MoverScore: hand computations, and a linear programme beside the transport."""

import sys
from importlib.util import find_spec

import numpy as np
import pytest
from scipy.optimize import linprog

from gistmeter.errors import DataError, MetricError, MissingExtraError
from gistmeter.example import Example
from gistmeter.metrics.embedding import moverscore
from gistmeter.metrics.embedding.moverscore import MoverScore
from gistmeter.metrics.embedding.transport import build_grams

# Not `importorskip`, which imports it: that takes seconds, and torch with it.
pytestmark = pytest.mark.skipif(find_spec("ot") is None, reason="POT is not installed")


def example(summary: str, *references: str, language: str = "en") -> Example:
    return Example(doc_id="d", system="s", summary=summary, references=references, language=language)


def score(summary: str, *references: str, **settings) -> float:
    return float(MoverScore(**settings).score([example(summary, *references)])[0, 0])


def cost(source, target) -> float:
    """The cheapest transport, by linear programming: flows f with row sums `mine` and column sums `theirs`."""
    rows, columns = len(source.masses), len(target.masses)
    distances = np.linalg.norm(source.vectors[:, None] - target.vectors[None], axis=2)
    sums = [np.repeat(np.eye(rows)[i], columns) for i in range(rows)]
    sums += [np.tile(np.eye(columns)[j], rows) for j in range(columns)]
    done = linprog(distances.ravel(), A_eq=np.array(sums), b_eq=np.r_[source.masses, target.masses], bounds=(0, None))
    return float(done.fun)


def test_one_token_each_by_hand() -> None:
    # all mass moves from one vector to the other: 1 - |u - v|, the weights cancel
    (left,), (right,) = (MoverScore().read_grams([text], "en") for text in ("cat", "dog"))
    assert left.masses.tolist() == right.masses.tolist() == [1.0]
    apart = np.linalg.norm(left.vectors[0] - right.vectors[0])
    assert score("cat", "dog") == pytest.approx(1 - apart, abs=1e-7)


@pytest.mark.parametrize("settings", [{}, {"n": 2}, {"idf": "none"}, {"tokens": "all"}, {"states": "powers"}])
def test_transport_equals_a_linear_programme(settings) -> None:
    texts = "The mayor opened a new bridge on Friday.", "A bridge was opened in Cologne by its mayor."
    source, target = MoverScore(**settings).read_grams(texts, "en")
    assert score(*texts, **settings) == pytest.approx(1 - cost(source, target), abs=1e-7)


def test_equal_texts_score_1_and_others_less() -> None:
    text = "The mayor opened a new bridge on Friday."
    for n in (1, 2):
        assert score(text, text, n=n) == pytest.approx(1, abs=1e-6)
        assert score("Shares fell sharply.", text, n=n) < 0.9


def test_order_of_vectors_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    states, weights = rng.normal(size=(5, 4)).astype(np.float32), rng.random(5)
    mixed = rng.permutation(5)
    grams, shuffled = build_grams(states, weights, 1), build_grams(states[mixed], weights[mixed], 1)
    assert cost(grams, shuffled) == pytest.approx(0, abs=1e-7)
    assert MoverScore()._score_pair(grams, shuffled, "s/d") == pytest.approx(1, abs=1e-6)


def test_bigrams_by_hand() -> None:
    # weights 1, 3, 0: the pairs weigh 4 and 3, and are 1/4 a + 3/4 b and b, scaled to length 1
    states = np.eye(3, dtype=np.float32)
    pairs = build_grams(states, np.array([1.0, 3.0, 0.0]), 2)
    assert pairs.masses == pytest.approx([4 / 7, 3 / 7])
    assert pairs.vectors == pytest.approx(np.array([[1, 3, 0], [0, np.sqrt(10), 0]]) / np.sqrt(10))
    assert len(build_grams(states[:1], np.ones(1), 2).masses) == 1  # a text of one word is one n-gram


def test_what_is_moved() -> None:
    def count(text: str, **settings) -> int:
        return len(MoverScore(**settings).read_grams([text], "en")[0].masses)

    text = "The Kathmanduite, she slept."  # word pieces: several for the second word, a comma and a stop
    assert count(text) == 4
    assert count(text, tokens="all") > 6
    assert count(text, stopwords="language") == 2
    assert count("...!") == 4


def test_several_references_and_missing_ones() -> None:
    texts = "Rain fell.", "It rained in Spain.", "Snow."
    apart = [score(texts[0], text) for text in texts[1:]]
    assert score(*texts) == pytest.approx(np.mean(apart))
    assert score("Rain fell.", "", "Snow.") == pytest.approx(score("Rain fell.", "Snow."))
    assert np.isnan(score("Rain fell.", " "))
    assert score("", "Rain fell.") == 0


def test_what_it_refuses(monkeypatch) -> None:
    with pytest.raises(MetricError, match="it is from 1 to 2"):
        MoverScore(n=3)
    with pytest.raises(MetricError, match="reads English, not 'fr'"):
        MoverScore(model="all-MiniLM-L6-v2").score([example("Il pleut.", "Pluie.", language="fr")])
    monkeypatch.setattr(moverscore, "_MAX_GRAM_PAIRS", 10)
    with pytest.raises(DataError, match=r"s/d is too long for moverscore"):
        score("One two three four.", "One two three four.")


def test_missing_pot_is_said(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[models\]'"):
        score("cat", "dog")


def test_evidence_shows_the_transport() -> None:
    case = example("The mayor opened a bridge.", "Nothing at all.", "A bridge was opened by the mayor of Cologne.")
    shown = MoverScore().explain(case)
    summary, reference = shown.panes
    assert reference.title == "reference 2 of 2, the best match"
    alone = [score(case.summary, text) for text in case.references]
    assert f"score {max(alone):.3f} with this reference, {np.mean(alone):.3f} on average" in shown.headline
    (bridge,) = (mark for mark in reference.marks if reference.text[mark.start : mark.end] == "bridge")
    linked = [m for m in summary.marks if {m.group, *m.also} & {bridge.group, *bridge.also}]
    assert "bridge" in [summary.text[m.start : m.end] for m in linked]
    assert "comes from “bridge”" in bridge.note
    # what the rows cost is what the score lacks to 1, and their masses are all there is
    assert sum(float(row[3]) for row in shown.table.rows) == pytest.approx(1 - max(alone), abs=0.005)
    assert sum(float(row[1]) for row in shown.table.rows) == pytest.approx(1, abs=0.005)
    assert all(a.end <= b.start for a, b in zip(summary.marks[:-1], summary.marks[1:], strict=True))


def test_evidence_of_pairs_of_words_and_of_empty_texts() -> None:
    shown = MoverScore(n=2).explain(example("A new bridge.", "The new bridge."))
    assert {row[0] for row in shown.table.rows} == {"The new", "new bridge"}
    assert "no words" in MoverScore().explain(example("", "Rain fell.")).headline
    assert "no reference" in MoverScore().explain(example("Rain fell.", "")).headline
