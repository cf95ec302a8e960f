"""js and simetrix: hand computations, the plain formulas under hypothesis, topic words, eight languages."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import Background, load_background

texts = st.lists(st.sampled_from(["storm", "city", "river", "flood", "2015", "the"]), max_size=12).map(" ".join)
EIGHT = {
    "en": (
        "The storm flooded the city on Monday.",
        "A storm hit the city. Rivers flooded the streets on Monday.",
    ),
    "id": (
        "Badai membanjiri kota pada hari Senin.",
        "Badai melanda kota itu. Sungai membanjiri jalan pada Senin.",
    ),
    "fr": (
        "La tempête a inondé la ville lundi.",
        "Une tempête frappe la ville. La rivière inonde les rues lundi.",
    ),
    "tr": ("Fırtına pazartesi günü şehri bastı.", "Fırtına şehri vurdu. Nehir pazartesi sokakları bastı."),
    "zh": ("风暴星期一淹没了城市。", "风暴袭击城市。星期一河水淹没街道。"),
    "ru": (
        "Буря затопила город в понедельник.",
        "Буря обрушилась на город. Река затопила улицы в понедельник.",
    ),
    "de": (
        "Der Sturm überflutete am Montag die Stadt.",
        "Ein Sturm traf die Stadt. Der Fluss überflutete Straßen.",
    ),
    "es": (
        "La tormenta inundó la ciudad el lunes.",
        "Una tormenta azotó la ciudad. El río inundó las calles.",
    ),
}


def example(summary, document, language="en"):
    return Example(doc_id="1", system="s", summary=summary, document=document, language=language)


def score(metric, summary, document, language="en"):
    return parse_metric(metric).score([example(summary, document, language)])[0]


def score_by_column(summary, document, metric="simetrix", language="en"):
    parsed = parse_metric(metric)
    values = score(metric, summary, document, language)
    return dict(zip((column.name for column in parsed.columns), values, strict=True))


def test_js_by_hand():
    # (storm, city, river): p = (1/2, 1/2, 0), q = (1/2, 0, 1/2); middle (1/2, 1/4, 1/4).
    # Each is 1/2 log2(1) + 1/2 log2(2) = 1/2 from the middle.
    assert score("js", "storm city", "storm storm river river") == pytest.approx([0.5])
    # Pairs: {storm city} against {storm storm, storm river, river river}: nothing shared.
    assert score("js(order=2)", "storm city", "storm storm river river") == pytest.approx([1])


def test_smoothed_divergences_by_hand():
    # Source: storm, river, so V = 2 and 0.0005 * 1.5 * 2 = 0.0015 is added to the totals. Summary: storm.
    p = np.array([1.0005, 0.0005]) / 1.0015
    q = np.array([1.0005, 1.0005]) / 2.0015
    columns = score_by_column("storm", "storm river")
    assert columns["kl_summary_source"] == pytest.approx(np.sum(p * np.log2(p / q)))
    assert columns["kl_source_summary"] == pytest.approx(np.sum(q * np.log2(q / p)))
    middle = (p + q) / 2
    expected = (np.sum(p * np.log2(p / middle)) + np.sum(q * np.log2(q / middle))) / 2
    assert columns["js_smoothed"] == pytest.approx(expected)
    assert score("js(smooth=yes)", "storm", "storm river") == pytest.approx([expected])


def plain_js(summary, document, order):
    analysis = Analysis(stem="porter", stopwords="language")

    def distribution(text):
        tokens = analysis.tokens(text)
        counts = Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))
        return {gram: count / sum(counts.values()) for gram, count in counts.items()}

    p, q = distribution(summary), distribution(document)
    if not q:
        return math.nan
    if not p:
        return 1.0
    total = 0.0
    for left, right in ((p, q), (q, p)):
        for gram, probability in left.items():
            total += probability * math.log2(2 * probability / (probability + right.get(gram, 0))) / 2
    return total


@given(texts, texts, st.sampled_from([1, 2]))
def test_js_equals_the_plain_formula(summary, document, order):
    divergence = score(f"js(order={order})", summary, document)[0]
    assert divergence == pytest.approx(plain_js(summary, document, order), nan_ok=True)
    assert math.isnan(divergence) or -1e-12 <= divergence <= 1 + 1e-12
    assert score_by_column(summary, document, f"simetrix(order={order})")["js"] == pytest.approx(
        divergence, nan_ok=True
    )


@given(texts.filter(lambda text: set(text.split()) - {"the"}))
def test_identical_texts(text):
    columns = score_by_column(text, text)
    assert [columns[key] for key in ("kl_summary_source", "kl_source_summary", "js", "js_smoothed")] == pytest.approx(
        [0] * 4, abs=1e-12
    )
    assert columns["cosine"] == pytest.approx(1)
    assert columns["topic_words"] == 1 or math.isnan(columns["topic_words"])


def test_cosine_by_hand():
    # Both have storm once; summary also city, source also river. Weights are the idf of each (stems: citi).
    weight = load_background(Analysis(stem="porter", stopwords="language")).idf
    storm, city, river = weight("storm"), weight("citi"), weight("river")
    expected = storm**2 / math.sqrt((storm**2 + city**2) * (storm**2 + river**2))
    assert score_by_column("storm city", "storm river")["cosine"] == pytest.approx(expected)


def test_topic_words_by_hand():
    # In a background of 1,000,000 with 100 of a word, 5 in a text of 100:
    # p = 105/1000100, p1 = .05, p2 = .0001; 2 (ln L(p1) + ln L(p2) - ln L(p) - ln L(p)).
    general = Background({"storm": 100.0, "say": 50_000.0}, 1_000_000.0, 1.0)

    def log_likelihood(k, n, p):
        return k * math.log(p) + (n - k) * math.log(1 - p)

    p = 105 / 1_000_100
    expected = 2 * (
        log_likelihood(5, 100, 0.05)
        + log_likelihood(100, 1_000_000, 0.0001)
        - log_likelihood(5, 100, p)
        - log_likelihood(100, 1_000_000, p)
    )
    assert general.log_likelihood(5, 100, "storm") == pytest.approx(expected, rel=1e-6)
    assert general.log_likelihood(4, 100, "say") == 0  # used less than usual
    assert general.log_likelihood(1, 100, "unheard") > 10.83


def test_shares_of_topic_words():
    source = "earthquake earthquake nepal nepal nepal rescue said time people one"
    columns = score_by_column("earthquake nepal time", source)
    topics = {
        token
        for token, count in Counter(Analysis(stem="porter", stopwords="language").tokens(source)).items()
        if load_background(Analysis(stem="porter", stopwords="language")).log_likelihood(count, 10, token) > 10.83
    }
    assert {"nepal", "earthquak"} <= topics
    assert "time" not in topics
    assert columns["topic_words"] == pytest.approx(2 / len(topics))
    assert columns["topic_tokens"] == pytest.approx(2 / 3)
    assert 0 < columns["topic_overlap"] < 1


def test_background_numbers_share_the_count_of_their_length():
    general = Background({"00": 900.0, "7": 40.0}, 10_000.0, 1.0)
    assert [general.count(token) for token in ("42", "7", "2015", "x", "9" * 400)] == [10, 40, 1, 1, 1]


def test_background_follows_the_analysis():
    plain, stemmed = (load_background(Analysis(stem=stem)) for stem in ("none", "porter"))
    assert stemmed.count("report") > plain.count("report") + plain.count("reports")
    assert "the" not in load_background(Analysis(stopwords="language")).counts
    assert load_background(Analysis(language="zh")).count("国") > load_background(Analysis(language="zh")).count("蟹")


def test_empty_texts():
    assert score("js", "", "storm") == [1]
    assert score("js", "the of", "storm") == [1]  # stop words only
    assert np.isnan(score("js", "storm", "the of"))
    assert np.isnan(score("simetrix", "storm", "")).all()
    columns = score_by_column("", "storm river")
    assert (columns["js"], columns["cosine"], columns["topic_tokens"]) == (1, 0, 0)
    assert columns["js_smoothed"] == 1
    assert score("js(smooth=yes)", "", "storm") == [1]
    # The smoothed weights of no words are 1/1.5 of a distribution: by the formula these were below 0, the best of all.
    assert math.isnan(columns["kl_summary_source"])
    assert math.isnan(columns["kl_source_summary"])
    assert math.isnan(score_by_column("storm", "storm river", "simetrix(order=2)")["kl_summary_source"])  # no pair
    no_topics = score_by_column("time", "time people one")
    assert math.isnan(no_topics["topic_words"])
    assert math.isnan(no_topics["topic_overlap"])
    assert no_topics["topic_tokens"] == 0


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_the_batch_does_not_matter(pairs):
    metric, examples = parse_metric("simetrix"), [example(*pair) for pair in pairs]
    alone = np.concatenate([metric.score([case]) for case in examples])
    np.testing.assert_array_equal(metric.score(examples), alone)


def test_several_documents_count_as_one():
    apart = Example(doc_id="1", system="s", summary="storm", documents=("storm river", "city"))
    assert parse_metric("js").score([apart])[0] == pytest.approx(score("js", "storm", "storm river city"))


@pytest.mark.parametrize("language", EIGHT)
def test_every_language(language):
    summary, document = EIGHT[language]
    other = EIGHT["ru" if language != "ru" else "en"][0]
    near, far = (
        score_by_column(summary, document, language=language),
        score_by_column(other, document, language=language),
    )
    assert near["js"] < far["js"] == pytest.approx(1)
    assert near["cosine"] > far["cosine"] == 0
    assert near["topic_words"] > far["topic_words"] == 0


def test_other_languages_are_refused_with_the_way_out():
    with pytest.raises(DataError, match=r"s/1.*no background frequencies for language 'it'.*`js` needs none"):
        score("simetrix(stopwords=none)", "ciao", "ciao bella", "it")
    assert score("js(stopwords=none)", "ciao", "ciao bella", "it") < 1


def test_orders_above_two_are_refused():
    with pytest.raises(MetricError, match="order=3"):
        parse_metric("js(order=3)")
