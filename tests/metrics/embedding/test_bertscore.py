"""BERTScore: equal to bert-score 0.3.13, and sane where that is not."""

import gzip
import json
from importlib.resources import files
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.api import score
from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.models.encoder import matching
from gistmeter.models.encoder.baselines import Baseline, find_baseline
from gistmeter.models.encoder.matching import find_best_cosines, find_best_matches
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.states import scale_to_unit_length
from tiny_checkpoints import TEXTS, make_checkpoint

pytestmark = pytest.mark.more


def demo(count: int = 8) -> list[Example]:
    lines = (files("gistmeter.demo") / "run.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines[:count]]
    return [
        Example(doc_id=r["doc_id"], system=r["system"], summary=r["summary"], references=r["references"]) for r in rows
    ]


def example(summary: str, *references: str, language: str = "en") -> Example:
    return Example(doc_id="d", system="s", summary=summary, references=references, language=language)


def mend(tokenizer) -> None:
    """Give bert-score, made for transformers 4, what transformers 5 no longer does for it."""
    splitting = tokenizer.backend_tokenizer.pre_tokenizer
    if type(splitting).__name__ == "ByteLevel":
        splitting.add_prefix_space = True  # it asks for it in each call, where it is now ignored
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.model_max_length = min(tokenizer.model_max_length, 512)


def peer(examples: list[Example], path: str, layer: int, *, idf: bool = False, baseline: str | None = None):
    """bert-score's own scores."""
    sentences = list(dict.fromkeys((case.doc_id, text) for case in examples for text in case.references))
    bert_score = pytest.importorskip("bert_score")  # here, because it takes seconds to import
    scorer = bert_score.BERTScorer(
        model_type=path,
        num_layers=layer,
        idf=idf,
        idf_sents=[text for _, text in sentences] if idf else None,
        nthreads=0,
        lang="en",
        rescale_with_baseline=baseline is not None,
        baseline_path=baseline,
        device="cpu",
    )
    mend(scorer._tokenizer)
    scores = scorer.score([case.summary for case in examples], [list(case.references) for case in examples])
    return np.stack([column.numpy() for column in scores], axis=1)


@pytest.mark.parametrize(
    ("idf", "layer", "count"),
    [
        ("none", 3, 8),
        ("references", 6, 8),
        pytest.param("none", 6, 20, marks=pytest.mark.slow),
        pytest.param("references", 3, 20, marks=pytest.mark.slow),
    ],
)
def test_equals_bert_score_on_the_demo(idf: str, layer: int, count: int) -> None:
    examples = demo(count)
    metric = BertScore(layer=layer, idf=idf, long="truncate")
    metric = metric.fit(examples) if metric.fits else metric
    expected = peer(examples, str(locate("embedded").folder), layer, idf=idf == "references")
    assert metric.score(examples) == pytest.approx(expected, abs=1e-5)


def test_equals_bert_score_rescaled(tmp_path) -> None:
    table = tmp_path / "baseline.tsv"
    rows = "".join(f"{n},0.{n + 1}1,0.{n + 1}2,0.{n + 1}3\n" for n in range(7))
    table.write_text("LAYER,P,R,F\n" + rows)
    expected = peer(demo(), str(locate("embedded").folder), 6, baseline=str(table))
    scores = BertScore(layer=6, idf="none", baseline=str(table), long="truncate").score(demo())
    assert scores == pytest.approx(expected, abs=1e-5)


def test_each_language_is_rescaled_by_its_own_baseline(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path / "home"))
    folder = str(make_checkpoint(tmp_path / "bert-tiny", "bert"))
    zeros = {"en": 0.5, "de": 0.25}
    for code, zero in zeros.items():
        Baseline(folder, locate(folder).digest, code, "none", 100, "", {2: (zero, zero, zero)}).write()
    plain = BertScore(model=folder, layer=2, idf="none")
    scaled = BertScore(model=folder, layer=2, idf="none", baseline="rescale")
    both = [example(TEXTS[0], TEXTS[1], language=code) for code in ("en", "de")]
    bare = plain.score(both)
    assert scaled.score(both) == pytest.approx((bare - [[0.5], [0.25]]) / [[0.5], [0.75]])
    for case, code in zip(both, zeros, strict=True):
        assert scaled.traits(case)["baseline"] == f"{code}-{find_baseline('rescale', folder, language=code).digest}"
    assert scaled.facts()["baseline"].count("-") == 2  # the key of the cache follows both
    with pytest.raises(MetricError, match=r"no baseline for .* \(language fr"):
        scaled.score([example(TEXTS[0], TEXTS[1], language="fr")])


@pytest.mark.parametrize("family", ["bert", "roberta", "t5", "bart", "pegasus", "xlnet"])
def test_equals_bert_score_for_each_architecture(family: str, tmp_path) -> None:
    # bert-score knows T5 by the name of its folder; it does not load GPT-2 at all
    folder = make_checkpoint(tmp_path / f"{family}-tiny", family)
    examples = [example(TEXTS[0], TEXTS[1]), example(TEXTS[3], TEXTS[2], TEXTS[0]), example(TEXTS[5], TEXTS[1])]
    expected = peer(examples, str(folder), 2)
    scores = BertScore(model=str(folder), layer=2, idf="none", long="truncate").score(examples)
    assert scores == pytest.approx(expected, abs=1e-4)


@pytest.mark.data
@pytest.mark.slow
def test_equals_bert_score_on_realsumm(data) -> None:
    with gzip.open(data / "realsumm" / "realsumm.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in islice(lines, 100)]
    examples = [example(row["summary"]["text"], *row["references"]) for row in rows]
    expected = peer(examples, str(locate("embedded").folder), 6)
    assert BertScore(layer=6, idf="none", long="truncate").score(examples) == pytest.approx(expected, abs=1e-4)


def test_by_hand() -> None:
    # one token against two: precision is the higher cosine, recall the mean of both
    metric = BertScore(idf="none")
    summary_tokens, reference_tokens = metric.weigh_tokens(["cat", "dog house"], "en")
    cosines = summary_tokens.states @ reference_tokens.states.T
    precision = cosines[1].max()  # the special tokens can be matched
    recall = (cosines[:, 1].max() + cosines[:, 2].max()) / 2
    expected = [precision, recall, 2 * precision * recall / (precision + recall)]
    assert metric.score([example("cat", "dog house")])[0] == pytest.approx(expected, abs=1e-6)


def test_same_text_is_1_and_several_references() -> None:
    case = example("Rain fell all night.", "Rain fell all night.", "Shares in the bank rose.")
    assert BertScore().score([case])[0] == pytest.approx([1, 1, 1], abs=1e-5)
    apart = [BertScore().score([example(case.summary, text)])[0] for text in case.references]
    assert BertScore(references="mean").score([case])[0] == pytest.approx(np.mean(apart, axis=0))
    assert BertScore(references="max").score([case])[0] == pytest.approx(apart[0])


def test_empty_and_odd_texts() -> None:
    rows = [
        example("", "Rain fell."),
        example("Rain fell.", ""),
        example("Rain fell.", " \n", "Rain fell."),
        example("...!?", "Rain fell."),
        example("Rain\x00 \x07fell.", "Rain fell."),
        example("\x00\x01", "Rain fell."),
    ]
    for idf in ("none", "background"):
        scores = BertScore(idf=idf).score(rows)
        assert scores[0].tolist() == [0, 0, 0]
        assert np.isnan(scores[1]).all()
        assert scores[2] == pytest.approx([1, 1, 1], abs=1e-5)
        assert np.isfinite(scores[3]).all()
        assert scores[4] == pytest.approx([1, 1, 1], abs=1e-5)
        assert scores[5].tolist() == [0, 0, 0]


def test_a_long_text_is_read_in_windows_and_not_cut() -> None:
    long = "The mayor opened a bridge over the river on Friday. " * 55 + "Kathmandu was shaken by an earthquake."
    examples = [example("An earthquake shook Kathmandu.", long)]
    cut, whole = (BertScore(long=way).score(examples)[0, 0] for way in ("truncate", "windows"))
    assert whole > cut + 0.2


def test_scores_do_not_depend_on_the_batch() -> None:
    examples = demo()[:6]
    together = BertScore().score(examples)
    alone = np.concatenate([BertScore().score([case]) for case in reversed(examples)])[::-1]
    assert together == pytest.approx(alone, abs=1e-5)


def test_weights_of_the_run_are_in_the_signature() -> None:
    metric = BertScore(idf="references")
    with pytest.raises(MetricError, match="must read the references first"):
        metric.score(demo()[:1])
    fitted = metric.fit(demo())
    assert metric.fits
    assert not fitted.fits
    assert "idf:references-" in fitted.signature()
    assert fitted.spelling == "bertscore(idf=references)"
    assert fitted.facts()["layer"] == "6"
    assert fitted.facts()["idf"] != metric.fit(demo()[:5]).facts()["idf"]


def test_settings_that_cannot_be() -> None:
    with pytest.raises(MetricError, match=r"reads English, not 'de'"):
        BertScore(model="all-MiniLM-L6-v2").score([example("Es regnet.", "Regen.", language="de")])
    with pytest.raises(MetricError, match=r"layers 0 to 6, not 9"):
        BertScore(layer=9).score([example("a", "b")])
    with pytest.raises(MetricError, match="idf is one of"):
        BertScore(idf="some")  # type: ignore[arg-type]


def test_evidence_aligns_words() -> None:
    case = example("The quake hit Kathmandu.", "Nothing happened in Rome.", "An earthquake struck Kathmandu, Nepal.")
    evidence = BertScore().explain(case)
    summary, reference = evidence.panes
    assert reference.title == "reference 2 of 2, the best match"
    groups = {summary.text[m.start : m.end]: m.group for m in summary.marks}
    reference_groups = {reference.text[m.start : m.end]: m.group for m in reference.marks}
    marked = next(text for text in groups if "Kathmandu" in text)
    assert groups[marked] == next(group for text, group in reference_groups.items() if "Kathmandu" in text)
    assert any(row[1:3] == ("kathmandu", "kathmandu") for row in evidence.table.rows)
    assert "far" in evidence.table.rows[0][0]
    assert all(a.end <= b.start for a, b in zip(summary.marks[:-1], summary.marks[1:], strict=True))


def test_evidence_of_empty_texts() -> None:
    assert "no words" in BertScore().explain(example("", "Rain fell.")).headline
    assert "no reference" in BertScore().explain(example("Rain fell.", "")).headline
    assert BertScore().explain(example("...", "Rain fell.")).panes[0].marks == ()


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 5), st.integers(0, 99))
def test_matching_in_blocks_is_matching_at_once(rows: int, columns: int, block: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = (scale_to_unit_length(rng.normal(size=(n, 4)).astype(np.float32)) for n in (rows, columns))
    matches = find_best_matches(left, right, block)
    cosines = left @ right.T
    assert matches.left == pytest.approx(cosines.max(axis=1), abs=1e-6)
    assert matches.right == pytest.approx(cosines.max(axis=0), abs=1e-6)
    assert cosines[np.arange(rows), matches.nearest_right] == pytest.approx(matches.left, abs=1e-6)
    assert cosines[matches.nearest_left, np.arange(columns)] == pytest.approx(matches.right, abs=1e-6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "_BLOCK", block)
        for at_once, in_blocks in zip(find_best_cosines(left, right), (matches.left, matches.right), strict=True):
            assert at_once == pytest.approx(in_blocks, abs=1e-6)


def test_weights_from_the_references_take_examples_that_come_once():
    # Fitting reads the run before it is scored: it must not use up what is to be scored.
    texts = ("It rained.", "Rain fell on the old town.")
    examples = [Example(doc_id="1", system=text[0], summary=text, references=("It rained a lot.",)) for text in texts]
    once = score((example for example in examples), "bertscore(idf=references)")
    assert once.table.equals(score(examples, "bertscore(idf=references)").table)
