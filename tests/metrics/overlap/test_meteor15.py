"""METEOR 1.5: hand computations, languages, paraphrases, evidence, batches, bad input."""

import math

import numpy as np
import pytest

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.io.score_files.names import find_name
from gistmeter.metrics import parse_metric
from gistmeter.metrics.overlap.meteor15 import list_function_words
from gistmeter.metrics.registry import parse_metrics
from gistmeter.ranking.columns import main_columns
from gistmeter.scores import ScoreColumn


@pytest.fixture(autouse=True)
def without_wordnet(monkeypatch):
    """What is installed on this machine must not decide a test."""
    monkeypatch.setenv("GISTMETER_WORDNET", "none")


def example(summary, *references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=references, language=language)


def score(metric, summary, *references, language="en"):
    return parse_metric(metric).score([example(summary, *references, language=language)])[0]


def test_english_by_hand():
    # Content words weigh .75, "the" and "a" .25. storms/storm is a match by stem, which weighs .6.
    # P = (.6 * .75 + .75 + .25 + .75) / (3 * .75 + .25), R = the same by 3 * .75 + 2 * .25. One chunk of 4.
    matched = 0.6 * 0.75 + 0.75 + 0.25 + 0.75
    precision, recall = matched / 2.5, matched / 2.75
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    expected = [mean * (1 - 0.6 * 0.25**0.2), precision, recall, 0.25]
    assert score("meteor1.5", "Storms hit the city", "A storm hit the city") == pytest.approx(expected)


def test_one_whole_chunk_has_no_penalty():
    assert score("meteor1.5", "It rained.", "it rained .") == pytest.approx([1, 1, 1, 1 / 3])


def test_languages_have_their_parameters():
    # German: alpha .95, beta 1, gamma .55, delta .55; stürme/sturm differ by stem here, die is a function word (.45).
    both = 0.45 + 0.55
    mean = both / (0.95 + 0.05 * both / (both + 0.55)) * (1 / (both + 0.55))
    assert score("meteor1.5", "die stadt", "die stadt brennt", language="de")[0] == pytest.approx(
        mean * (1 - 0.55 * (1 / 2) ** 1.0)
    )
    # A language without frequencies has content words alone, and the parameters for other languages.
    recall = 2 / 3
    mean = recall / (0.75 + 0.25 * recall)
    italian = score("meteor1.5", "la città", "la città brucia", language="it")
    assert italian[0] == pytest.approx(mean * (1 - 0.7 * 0.5**1.4))
    universal = score("meteor1.5(task=universal)", "la città", "la città brucia", language="it")
    assert universal[0] == pytest.approx(recall / (0.7 + 0.3 * recall) * (1 - 0.3 * 0.5**1.4))
    traits = [parse_metric("meteor1.5").traits(example("x", "x", language=code))["tuned"] for code in ("en", "ru")]
    assert traits == ["en", "other"]


def test_own_parameters():
    # delta .5: all words weigh alike. alpha .5: the harmonic mean. gamma 0: no penalty.
    metric = "meteor1.5(delta=0.5,alpha=0.5,gamma=0)"
    assert score(metric, "the storm", "the storm hit town")[0] == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert score("meteor1.5(delta=0)", "storm", "storm").tolist()[:3] == [0, 0, 0]  # a content word weighs nothing


def test_each_character_is_a_word_where_words_are_not_set_apart():
    # Greek sets words apart: one of two matches. In Japanese four of five characters match, in two chunks.
    assert score("meteor1.5", "το σπίτι", "το δέντρο", language="el")[1] == pytest.approx(1 / 2)
    precision, recall = 4 / 4, 4 / 5
    mean = precision * recall / (0.75 * precision + 0.25 * recall)
    expected = [mean * (1 - 0.7 * (2 / 4) ** 1.4), precision, recall, 2 / 4]
    assert score("meteor1.5", "日本人口", "日本の人口", language="ja") == pytest.approx(expected)


def test_vowel_signs_belong_to_their_word():
    # हिन्दी has three vowel signs and one that joins consonants: one word of two matches.
    assert score("meteor1.5", "हिन्दी भाषा", "हिन्दी पुस्तक", language="hi")[1] == pytest.approx(1 / 2)


def test_function_words_are_the_frequent_ones():
    assert {"the", "of", "und"} & list_function_words("en") == {"the", "of"}
    assert "und" in list_function_words("de")
    assert list_function_words("it") == frozenset()


def test_all_modules_at_once_make_the_most_matches():
    # Exact first would take report-report and leave "reports" alone; together both match.
    columns = score("meteor1.5(delta=0.5)", "reports report", "report reported")
    assert columns[1] == pytest.approx((0.6 + 0.6) / 2)


def test_paraphrases_of_a_file(tmp_path):
    table = tmp_path / "paraphrases.txt"
    table.write_text("0.5\nas well\ntoo\n0.25\na lot\nheavily\n", "utf-8")
    metric = f"meteor1.5(paraphrases={table},delta=0.5)"
    # it rained exactly, "as well" for "too" at .6: P (2 + 2 * .6) / 4, R (2 + .6) / 3; one chunk, but both texts whole.
    precision, recall = 3.2 / 4, 2.6 / 3
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert score(metric, "it rained as well", "it rained too") == pytest.approx([mean, precision, recall, 1 / 3.5])
    assert score("meteor1.5(delta=0.5)", "it rained as well", "it rained too")[1] == pytest.approx(0.5)
    assert "paraphrases" in parse_metric(metric).facts()
    evidence = parse_metric(metric).explain(example("it rained as well", "it rained too"))
    assert [mark.note for mark in evidence.panes[0].marks] == ["exact", "exact", "paraphrase"]
    assert evidence.table.rows[3] == ("paraphrase", "1", "0.6")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("0.5\nas well\n", "it has 2 lines, and a pair takes three"),
        ("often\nas well\ntoo\n", "line 1 should be a probability"),
        ("0.5\nas well\n\n0.5\na\nb\n", "line 1 should be"),
    ],
)
def test_a_wrong_table_is_one_sentence(tmp_path, content, reason):
    table = tmp_path / "broken.txt"
    table.write_text(content, "utf-8")
    with pytest.raises(DataError, match=reason):
        score(f"meteor1.5(paraphrases={table})", "a b", "c d")
    with pytest.raises(DataError, match="absent"):
        score(f"meteor1.5(paraphrases={tmp_path / 'absent'})", "a b", "c d")


def test_the_version_of_meteor():
    assert parse_metric("meteor(version=1.5)").name == "meteor1.5"
    assert parse_metric("METEOR(version=1.5,delta=0.5)").settings["delta"] == 0.5
    assert list(parse_metrics("meteor(version=2005), Meteor(version=1.5)")) == ["meteor", "meteor1.5"]
    with pytest.raises(MetricError, match=r"meteor has the versions 2005 and 1.5, not 2"):
        parse_metric("meteor(version=2)")
    with pytest.raises(MetricError, match="delta=2"):
        parse_metric("meteor1.5(delta=2)")


def test_the_main_score_is_known_by_the_metric():
    names = ["meteor1.5.meteor", "meteor1.5.precision", "pyreval.comprehensive", "pyreval.raw", "pyreval.quality"]
    assert [find_name(short, names) for short in ("meteor1.5", "PyrEval")] == [names[0], names[2]]
    assert [column.name for column in main_columns(ScoreColumn(name, "") for name in names)] == [names[0], names[2]]


def test_nothing_to_compare():
    assert score("meteor1.5", "", "It rained.")[:3].tolist() == [0, 0, 0]
    assert math.isnan(score("meteor1.5", "", "It rained.")[3])
    assert np.isnan(score("meteor1.5", "It rained.", "", " ")).all()
    assert parse_metric("meteor1.5").explain(example("It rained.", "")) is None


def test_a_score_does_not_depend_on_the_batch():
    metric = parse_metric("meteor1.5")
    examples = [example(text, "It rained in Porto.", "Rain fell.") for text in ("It rained.", "", "Porto fell", "雨")]
    together = metric.score(examples)
    np.testing.assert_array_equal(together, np.concatenate([metric.score([each]) for each in examples]))


def test_evidence_shows_the_best_reference():
    evidence = parse_metric("meteor1.5").explain(example("Storms hit the city.", "Sun.", "A storm hit the town."))
    assert evidence.headline == "4 matches in 2 chunks"  # storms hit the | .
    assert evidence.panes[1].title == "reference 2 of 2"
    assert [evidence.panes[0].text[m.start : m.end] for m in evidence.panes[0].marks] == ["Storms", "hit", "the", "."]
    assert evidence.table.rows[1] == ("stem", "1", "0.6")


def test_marks_stand_where_the_words_do_when_lower_case_is_longer():
    # the lower case of İ is two characters
    evidence = parse_metric("meteor1.5").explain(example("İZMİR won.", "İZMİR lost."))
    assert [evidence.panes[0].text[m.start : m.end] for m in evidence.panes[0].marks] == ["İZMİR", "."]
