"""The answering role: spans from logits, models by path, long texts, and what is refused."""

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.models.answering.answerer import SpanAnswerer, answering_identity, cut_window, load_answerer
from gistmeter.models.answering.spans import MAX_ANSWER_TOKENS, choose_answer, find_best_spans, find_overlapping_tokens
from gistmeter.models.runtime.locate import Identity, locate
from gistmeter.models.runtime.settings import RuntimeSettings
from gistmeter.models.runtime.tokenizer import QuestionTokens, Tokenizer
from tiny_checkpoints import make_checkpoint

QUESTIONS = [
    ("Who barked?", "The cat sat on the mat, and the dog barked."),
    ("What rose by 3%?", "Prices rose by 3% on Monday; nobody was surprised."),
    ("What?", "ok"),
    ("Who barked?", "The cat sat on the mat, and the dog barked."),
]


@pytest.fixture(scope="module")
def tiny_reader(tmp_path_factory):
    """The folder of a tiny random question-answering model, with its tokenizer."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folders = {}

    def folder(family, positions=48):
        if (family, positions) not in folders:
            position = tmp_path_factory.mktemp("qa") / family
            make_checkpoint(position, family, positions=positions)
            config = transformers.AutoConfig.from_pretrained(position)
            config.initializer_range = 0.3
            torch.manual_seed(3)
            transformers.AutoModelForQuestionAnswering.from_config(config).save_pretrained(position)
            folders[family, positions] = position
        return str(folders[family, positions])

    return folder


def _by_hand(starts, ends):
    """All spans one by one, as the definition says."""
    spans = {
        (i, j): starts[i + 1] + ends[j + 1]
        for i in range(len(starts) - 1)
        for j in range(i, min(len(starts) - 1, i + MAX_ANSWER_TOKENS))
    }
    best = max(spans, key=lambda span: spans[span])
    total = np.exp(list(spans.values())).sum()
    null = np.exp(starts[0] + ends[0])
    return best, np.exp(spans[best]) / (total + null), null / (total + null)


@pytest.mark.parametrize("count", [1, 2, 29, 30, 31, 75])
def test_best_span_is_that_of_the_definition(count):
    rng = np.random.default_rng(count)
    starts, ends = rng.normal(size=(2, count + 1)) * 2
    offsets = np.stack([np.arange(count) * 2, np.arange(count) * 2 + 1], axis=1)
    answer = choose_answer("a " * count, [(find_best_spans(starts, ends), offsets)], 0.5)
    (first, last), probability, null = _by_hand(starts, ends)
    assert (answer.start, answer.end) == (first * 2, last * 2 + 1)
    assert answer.probability == pytest.approx(probability)
    assert answer.null == pytest.approx(null)


def test_of_windows_the_one_that_doubts_least_answers():
    sure = find_best_spans(np.array([0.0, 5.0]), np.array([0.0, 5.0]))
    doubtful = find_best_spans(np.array([20.0, 15.0]), np.array([20.0, 15.0]))  # "not answerable" wins
    answer = choose_answer("one two", [(doubtful, np.array([[0, 3]])), (sure, np.array([[4, 7]]))], 0.5)
    assert (answer.text, answer.answered) == ("two", True)


def test_a_text_without_tokens_answers_nothing():
    answer = choose_answer("", [(find_best_spans(np.zeros(1), np.zeros(1)), np.zeros((0, 2), dtype=int))], 0.5)
    assert (answer.text, answer.null, answer.answered) == ("", 1.0, False)


def test_overlap_of_a_stretch_that_no_token_covers():
    assert find_overlapping_tokens(np.array([[0, 3], [4, 8]]), 3, 4) is None


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "xlnet"])
def test_a_model_by_path_says_what_transformers_says(tiny_reader, family):
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folder = tiny_reader(family)
    model = transformers.AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    answers = load_answerer(folder).answers(QUESTIONS)
    for (question, text), answer in zip(QUESTIONS, answers, strict=True):
        given = tokenizer(question, text, return_tensors="pt", return_offsets_mapping=True)
        offsets = given.pop("offset_mapping")[0].numpy()
        inside = np.array([number == 1 for number in given.sequence_ids(0)])
        with torch.no_grad():
            logits = model(**given)
        null = given["input_ids"][0].tolist().index(tokenizer.cls_token_id)  # at the end for XLNet
        rows = np.concatenate([[null], np.flatnonzero(inside)])
        starts, ends = (part[0].double().numpy()[rows] for part in (logits.start_logits, logits.end_logits))
        (first, last), probability, null = _by_hand(starts, ends)
        offsets = offsets[inside]
        assert (answer.start, answer.end) == (offsets[first, 0], offsets[last, 1])
        assert answer.text == text[answer.start : answer.end]
        assert answer.probability == pytest.approx(probability, abs=1e-4)
        assert answer.null == pytest.approx(null, abs=1e-4)


class ReaderOfOneToken:
    """Takes one token for the answer wherever it stands. A random network chooses by luck, and among windows of a text
    that repeats itself by rounding, which is another on another machine."""

    max_tokens = 48

    def __init__(self, token):
        self._token = token

    def __call__(self, pairs):
        tokens = (pair.ids[np.append(pair.null, pair.hypothesis)] for pair in pairs)
        return [(logits, logits) for logits in (np.where(ids == self._token, 9.0, 0.0) for ids in tokens)]


@pytest.mark.parametrize("before", [0, 1, 7, 40])
def test_a_long_text_is_read_to_its_end(tiny, before):
    tokenizer = Tokenizer(locate(str(tiny("bert"))), prefix_space=False)
    (dog,) = tokenizer(["dog"])[0].ids[1:-1]
    answerer = SpanAnswerer(
        Identity("one token", "0"), tokenizer, ReaderOfOneToken(dog), settings=RuntimeSettings(), threshold=0.5
    )
    text = "The cat sat on the mat. " * before + "The dog barked. " + "The cat sat on the mat. " * (40 - before)
    (answer,) = answerer.answers([("Who barked?", text)])
    assert (answer.text, answer.start, answer.answered) == ("dog", text.index("dog"), True)


def test_an_answer_in_a_long_text_stands_where_it_says(tiny_reader):
    text = "The cat sat on the mat. " * 40
    (answer,) = load_answerer(tiny_reader("bert")).answers([("Who barked?", text)])
    assert text[answer.start : answer.end] == answer.text


def test_what_is_said_of_one_question_does_not_depend_on_the_others(tiny_reader):
    answerer = load_answerer(tiny_reader("bert"))
    together = answerer.answers(QUESTIONS)
    for pair, answer in zip(QUESTIONS, together, strict=True):
        alone = answerer.answers([pair])[0]
        assert (alone.start, alone.end) == (answer.start, answer.end)
        assert alone.null == pytest.approx(answer.null, abs=1e-5)


def test_a_checkpoint_without_the_head_is_refused(tmp_path):
    make_checkpoint(tmp_path / "plain", "bert")
    with pytest.raises(MetricError, match="has no question-answering head"):
        load_answerer(str(tmp_path / "plain")).answers(QUESTIONS)


def test_of_a_question_that_leaves_no_room_the_words_around_its_gap_are_read(tiny_reader):
    answerer, text = load_answerer(tiny_reader("bert")), "The dog barked. " * 20
    # 36 words before `what`: half of them leave room for 16 tokens of a text beside them in 48 tokens.
    long, near = (f"{'on the mat ' * times}what barked now?" for times in (12, 6))
    assert answerer.answers([(long, text)]) == answerer.answers([(near, text)])
    with pytest.raises(MetricError, match="too few for this question"):
        answerer.answers([("mat-" * 40, text)])


def test_each_window_of_a_text_says_in_its_own_place_that_there_is_no_answer():
    # A question of 2 tokens, a text of 6, its end and the class token, as XLNet has them; two windows of 4.
    ids = np.array([10, 11, 20, 21, 22, 23, 24, 25, 3, 4])
    offsets = np.arange(12).reshape(6, 2)
    last = QuestionTokens(ids, np.zeros(10, dtype=np.int64), np.arange(2, 8), offsets, null=9)
    for start, end in ((0, 4), (2, 6)):
        part = cut_window(last, start, end)
        assert part.ids[part.null] == 4
        assert part.ids[part.hypothesis].tolist() == ids[2 + start : 2 + end].tolist()
    assert cut_window(last._replace(null=0), 2, 6).null == 0


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_that_is_no_probability_is_refused(threshold):
    with pytest.raises(MetricError, match="null_threshold is a probability"):
        load_answerer(null_threshold=threshold)


def test_the_threshold_decides_what_counts_as_answered(tiny_reader):
    folder = tiny_reader("bert")
    strict, lenient = (load_answerer(folder, null_threshold=limit).answers(QUESTIONS) for limit in (0.0, 1.0))
    assert not any(answer.answered for answer in strict)
    assert all(answer.answered for answer in lenient)
    assert answering_identity(folder, null_threshold=0.25) == load_answerer(folder, null_threshold=0.25).identity()


def test_weights_that_are_not_there_are_named():
    with pytest.raises(MetricError, match=r"there are no trained weights nowhere\.safetensors"):
        load_answerer("nowhere.safetensors")


def test_entailment_weights_are_no_answerer():
    from gistmeter.models.entailment.model import WEIGHTS

    with pytest.raises(MetricError, match="has no head for answers"):
        load_answerer(str(WEIGHTS))


PASSAGE = (
    "The harbour of Vestby was closed on Tuesday after a ferry ran aground. Captain Maria Lund said that all 240 "
    "passengers were safe. The ferry had left Oslo at noon."
)


@pytest.mark.parametrize("model", ["embedded", "slots"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who said that all 240 passengers were safe?", "Maria Lund"),
        ("When was the harbour of Vestby closed after a ferry ran aground?", "Tuesday"),
        ("What had the ferry left at noon?", "Oslo"),
    ],
)
def test_the_embedded_answerers_find_what_is_said(model, question, expected):
    (answer,) = load_answerer(model).answers([(question, PASSAGE)])
    assert answer.answered
    assert expected in answer.text
    assert PASSAGE[answer.start : answer.end] == answer.text


@pytest.mark.parametrize("model", ["embedded", "slots"])
def test_the_embedded_answerers_know_what_is_not_said(model):
    (answer,) = load_answerer(model).answers([("Who won the chess championship in Paris last year?", PASSAGE)])
    assert not answer.answered
