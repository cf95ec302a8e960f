"""Training of the judge of consistency: claims, statements from questions, the combination, and the whole training."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.parser import load_parser
from gistmeter.models.consistency.features import PLAIN_FEATURES
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.consistency.claims import (
    MISSING,
    SUPPORTED,
    DocumentClaim,
    SourceText,
    make_claim_pairs,
    make_document_claims,
)
from gistmeter.training.consistency.combining import MeasuredClaims, fit_combination, measure_claims
from gistmeter.training.consistency.figures import measure_auc
from gistmeter.training.consistency.pairs import gather_pairs, read_documents
from gistmeter.training.consistency.recipe import ConsistencyData, ConsistencyRecipe
from gistmeter.training.consistency.statements import make_statement_pairs, turn_into_statement
from gistmeter.training.sources.evaluated import word_runs
from tiny_encoder import make_tiny_encoder

SENTENCES = (
    "The council of Lyon approved 6.8 million euros for a new bridge on Monday.",
    "Mayor Ann Lee said that the work will take eighteen months.",
    "Half of the residents oppose the plan because of the noise.",
    "The builder Harlan sued the city of Denver in 1998.",
    "Profits of the builder rose more than 5% after the merger.",
    "Tom Reed warned reporters that the union could strike in May.",
    "The old bridge was closed in March and will be demolished.",
)


def test_wrong_claims_differ_from_a_right_one_and_have_the_same_passages():
    pairs = list(make_claim_pairs([SourceText(SENTENCES, "bbc_news", ("Lyon gets a new bridge.",))], claims=7, seed=1))
    right = [pair for pair in pairs if pair.label == 0]
    wrong = [pair for pair in pairs if pair.label == 3]
    assert len(right) == 8
    assert {pair.kind for pair in right} == {SUPPORTED}
    assert len({pair.kind for pair in wrong} - {MISSING}) >= 4
    claims = {pair.claim for pair in right}
    for pair in wrong:
        assert pair.kind == MISSING or pair.claim not in claims
    assert "Lyon gets a new bridge." in claims


def test_a_missing_claim_has_not_its_own_sentence_before_it():
    for seed in range(6):
        for pair in make_claim_pairs([SourceText(SENTENCES, "bbc_news")], claims=7, seed=seed):
            if pair.kind == MISSING:
                words = set(pair.claim.strip(".").lower().split())
                assert not any(words <= set(part.lower().split()) for part in pair.premise.split("."))


def test_document_claims_are_wrong_in_every_way_they_can_be():
    claims = make_document_claims([SourceText(SENTENCES, "bbc_news")], claims=7, seed=1)
    kinds = {claim.kind for claim in claims}
    assert {"number", "negation", "date", "merged", MISSING, SUPPORTED} <= kinds
    assert sum(claim.kind == SUPPORTED for claim in claims) == 7


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Who opened the bridge?", "Ann Lee", "Ann Lee opened the bridge."),
        ("When was the bridge opened?", "1931", "The bridge was opened in 1931."),
        ("How many people crossed the bridge?", "40", "40 people crossed the bridge."),
        ("Who is the mayor of Lyon?", "Ann Lee", "The mayor of Lyon is Ann Lee."),
        ("Why was it opened there?", "1931", None),
        ("Who opened?", "Ann Lee", None),
    ],
)
def test_questions_become_statements(question, answer, statement):
    context = "The bridge was opened in 1931 by Ann Lee, mayor of Lyon, and 40 people crossed the bridge."
    parsed_question, parsed_context = load_parser().parse([question, context])
    stated = turn_into_statement(parsed_question, answer, context=parsed_context, start=context.index(answer))
    assert stated == statement


def test_a_wrong_answer_is_that_of_another_question_of_the_sort():
    context = "Ann Lee opened the bridge. Tom Reed closed the school."
    questions = [
        QaExample(
            question=question, context=context, start=context.index(name), end=context.index(name) + 7, source="s"
        )
        for question, name in (("Who opened the bridge?", "Ann Lee"), ("Who closed the school?", "Tom Reed"[:7]))
    ]
    stated = {(pair.claim, pair.label) for pair in make_statement_pairs(questions, seed=1)}
    assert ("Ann Lee opened the bridge.", 0) in stated
    assert ("Ann Lee closed the school.", 3) in stated


def test_no_weight_of_the_combination_speaks_the_wrong_way():
    rng = np.random.default_rng(0)
    labels = (rng.random(400) < 0.5).astype(float)
    plain = rng.random((400, len(PLAIN_FEATURES)))
    plain[:, PLAIN_FEATURES.index("novel words")] += labels  # speaks for these claims: it gets no weight
    plain[:, PLAIN_FEATURES.index("numbers not in document")] += 1 - labels  # speaks against them
    measured = MeasuredClaims(rng.normal(size=400) + labels, plain, labels, np.full(400, 1 / 400))
    weights = fit_combination(measured, ridge=1e-4)
    assert weights.network > 0
    assert weights.features["numbers not in document"] < 0
    assert "novel words" not in weights.features
    assert all(value <= 0 for name, value in weights.features.items() if name != "copied stretch")


def test_kinds_of_wrong_claims_count_alike():
    claims = [DocumentClaim("It rained.", "It rained.", SUPPORTED)] * 2
    claims += [DocumentClaim("It rained.", "It snowed.", "number")] * 3 + [DocumentClaim("It rained.", "No.", "name")]
    measured = measure_claims(claims, lambda pairs: np.zeros(len(pairs)))
    # half for the two right ones; a quarter for each kind of wrong ones
    np.testing.assert_allclose(measured.shares, [1 / 4, 1 / 4, 1 / 12, 1 / 12, 1 / 12, 1 / 4])
    assert measured.labels.tolist() == [1, 1, 0, 0, 0, 0]


def test_auc_counts_pairs():
    right, wrong = np.array([0.9, 0.4]), np.array([0.4, 0.1, 0.95])
    # of six pairs .9 is above two, .4 above one and even with one
    assert measure_auc(right, wrong) == pytest.approx((2 + 1.5) / 6)
    assert np.isnan(measure_auc(right, wrong[:0]))


def write_jsonl(file, records):
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(file)


def test_documents_of_evaluations_and_without_a_licence_are_left_out(tmp_path):
    from collections import Counter

    other = [sentence.replace("bridge", "tunnel").replace("builder", "carpenter") for sentence in SENTENCES]
    records = [
        {"paragraphs": list(SENTENCES), "title": "Lyon gets a new bridge"},
        {"paragraphs": other},
        {"paragraphs": [text.replace("plan", "scheme") for text in other], "licence": "not stated in LICENSE.txt"},
        {"paragraphs": ["Too short."]},
    ]
    left_out = Counter()
    refused = frozenset(word_runs(SENTENCES[3].replace("builder", "carpenter")))
    texts = read_documents([write_jsonl(tmp_path / "bbc_news.jsonl", records)], refused=refused, left_out=left_out)
    assert [text.written for text in texts] == [("Lyon gets a new bridge.",)]
    assert left_out == {"evaluation text": 1, "no licence stated": 1, "too short": 1}
    with pytest.raises(DataError, match=r'whose licence consistency/sets\.toml does not give: .* "licence": "own"'):
        read_documents([write_jsonl(tmp_path / "unknown.jsonl", records)], refused=refused, left_out=left_out)
    own_file = write_jsonl(tmp_path / "mine.jsonl", [{"paragraphs": list(SENTENCES), "licence": "own"}])
    [text] = read_documents([own_file], refused=frozenset(), left_out=left_out)
    assert text.source == "mine"


def test_nothing_to_learn_from_is_said():
    with pytest.raises(DataError, match="give documents, questions, judged claims or entailment"):
        gather_pairs(ConsistencyData(), ConsistencyRecipe(), frozenset())


@pytest.mark.more
def test_a_training_writes_weights_combination_and_card(tmp_path, monkeypatch):
    from gistmeter.models.consistency.combination import read_combination
    from gistmeter.training.consistency import training

    words = sorted({word.strip(".,%").lower() for sentence in SENTENCES for word in sentence.split()})
    base = make_tiny_encoder(tmp_path / "base", words, layers=2, initializer_range=0.3)
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    monkeypatch.setattr(training, "WEIGHTS", None)
    documents = [
        {"paragraphs": [sentence.replace("bridge", thing) for sentence in SENTENCES]}
        for thing in ("bridge", "tunnel", "school", "harbour", "library", "market")
    ]
    judged = [
        {"source": "q2", "premise": f"{sentence} ({number})", "hypothesis": sentence, "supported": number % 2}
        for sentence in SENTENCES
        for number in range(12)
    ]
    data = ConsistencyData(
        documents=(write_jsonl(tmp_path / "bbc_news.jsonl", documents),),
        judged=(write_jsonl(tmp_path / "judged.jsonl", judged),),
        most={"bbc_news": 24},
        notes=("A note.",),
    )
    recipe = ConsistencyRecipe(
        rank=4, hidden=8, first=0, batch=16, precision="fp32", check_every=5, claims=3, combined=2, held_out=0.2
    )
    trained = training.train_consistency(tmp_path / "out", data, recipe=recipe)
    assert trained.file.name == "consistency.safetensors"
    assert read_combination(trained.file.with_suffix(".json")).weights.network >= 0
    card = trained.card.read_text("utf-8")
    for stated in ("bbc_news", "Apache-2.0", "A note.", "AUC, combined", "| feature | weight |"):
        assert stated in card


@pytest.mark.more
def test_what_is_longer_than_the_encoder_reads_is_cut_when_it_is_tested():
    from gistmeter.training.consistency.training import tokenize_short
    from gistmeter.training.entailment.learners import AdapterLearner

    learner = AdapterLearner(ConsistencyRecipe(rank=2, hidden=4, precision="fp32"))
    long = "The bridge opened on Monday. " * 200
    tokens = tokenize_short(learner, [(long, "It opened."), ("It opened.", long), ("It opened.", "It opened.")])
    assert [len(of_pair.ids) <= learner.max_tokens for of_pair in tokens] == [True, True, True]
    assert min(len(of_pair.ids) for of_pair in tokens[:2]) > 0.8 * learner.max_tokens  # cut, not emptied
    assert tokens[2].ids.tolist() == learner.tokenizer.pairs([("It opened.", "It opened.")])[0].ids.tolist()
