"""The presence judge: its features by hand, and that a pair's probability depends on the pair alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.models.entailment.model import load_entailment, p2c
from gistmeter.models.presence import RULES_VERSION
from gistmeter.models.presence.combination import Combination, describe_conflicts, read_combination
from gistmeter.models.presence.features import PAIR_FEATURES, TOKEN_FEATURES, compare_units, measure_context
from gistmeter.models.presence.judge import combination_file, load_presence, networks_file, reader_file
from gistmeter.models.presence.networks import read_networks
from gistmeter.models.presence.texts import describe_texts
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.weights import digest_files

SUMMARY = "The council met on Monday. The mayor opened a new bridge over the river. Two cats slept."
UNIT = "The mayor opened a bridge."


def pair_feature(name: str, summary: str, unit: str) -> float:
    described = describe_texts([summary, unit])
    return float(compare_units(described[summary], [described[unit]]).pairs[0, PAIR_FEATURES.index(name)])


def test_word_shares_are_those_counted_by_hand() -> None:
    # content words: mayor, opened, old, bridge; three of four stand in the summary, all in its second sentence
    unit = "The mayor opened an old bridge."
    assert pair_feature("content found", SUMMARY, unit) == pytest.approx(3 / 4)
    assert pair_feature("content found in sentence", SUMMARY, unit) == pytest.approx(3 / 4)
    # the, mayor, opened, an, old, bridge: four of six
    assert pair_feature("words found", SUMMARY, unit) == pytest.approx(4 / 6)
    # the mayor, mayor opened of five bigrams
    assert pair_feature("bigrams found", SUMMARY, unit) == pytest.approx(2 / 5)


def test_words_in_different_sentences_are_not_found_in_one() -> None:
    unit = "The council opened the cats."
    assert pair_feature("content found", SUMMARY, unit) == 1
    assert pair_feature("content found in sentence", SUMMARY, unit) < 1


def test_numbers_that_are_missing_count_and_no_numbers_are_none_missing() -> None:
    assert pair_feature("numbers found", SUMMARY, "It cost 40 pounds.") == 0
    assert pair_feature("numbers found", SUMMARY, UNIT) == 1


def test_a_text_matches_itself_fully() -> None:
    described = describe_texts([UNIT])
    compared = compare_units(described[UNIT], [described[UNIT]])
    for layer in (0, 3, 6):
        assert compared.tokens[:, TOKEN_FEATURES.index(f"cosine{layer}")] == pytest.approx(1, abs=1e-5)
    assert measure_context(described[UNIT], described[UNIT]) == pytest.approx(1, abs=1e-5)


def test_units_compared_together_are_as_compared_alone() -> None:
    units = [UNIT, "Cats slept.", "The council met on 3 May."]
    described = describe_texts([SUMMARY, *units])
    together = compare_units(described[SUMMARY], [described[unit] for unit in units])
    for number, unit in enumerate(units):
        alone = compare_units(described[SUMMARY], [described[unit]])
        start = together.starts[number]
        np.testing.assert_allclose(together.tokens[start : start + len(alone.tokens)], alone.tokens, atol=1e-5)
        np.testing.assert_allclose(together.pairs[number], alone.pairs[0], atol=1e-5)


def test_probabilities_do_not_depend_on_other_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecentCache, "get", lambda cache, key: None)  # nothing is remembered from call to call
    judge = load_presence()
    pairs = [(SUMMARY, UNIT), ("Cats sleep all day.", UNIT), (SUMMARY, "A dog barked at the queen."), (SUMMARY, UNIT)]
    together = judge.probabilities(pairs)
    alone = [judge.probabilities([pair])[0] for pair in pairs]
    assert together == pytest.approx(alone, abs=1e-5)
    assert together[0] > 0.5 > max(together[1:3])
    assert together[0] == together[3]


def test_a_reference_in_sight_changes_what_is_said() -> None:
    judge = load_presence()
    pairs = [(SUMMARY, "A dog barked.")]
    assert judge.probabilities(pairs, references=[SUMMARY]) > judge.probabilities(pairs, references=["Stocks fell."])


def test_nothing_is_in_an_empty_summary_and_an_empty_unit_is_missing() -> None:
    values = load_presence().probabilities([("", UNIT), (SUMMARY, ""), (" ", " ")])
    assert values[0] == 0
    assert np.isnan(values[1:]).all()
    assert load_presence().probabilities([]).shape == (0,)


def test_a_judge_is_named_by_a_file_that_training_wrote(tmp_path) -> None:
    with pytest.raises(MetricError, match="no presence judge 'roberta'"):
        load_presence("roberta")
    with pytest.raises(MetricError, match=r"gistmeter train presence"):
        read_networks(tmp_path / "none.safetensors")
    wrong = networks_file().with_name("entailment.safetensors")
    with pytest.raises(MetricError, match="not a presence judge"):
        read_networks(wrong)


def test_the_signature_names_the_rules_and_all_weights() -> None:
    identity = load_presence().identity()
    assert identity["presence"] == RULES_VERSION
    assert load_presence(str(networks_file())).identity()["presence"] == RULES_VERSION
    weights = [digest_files([file]) for file in (networks_file(), reader_file(), combination_file())]
    assert identity["digest"].split("+")[:3] == weights
    assert load_presence(str(networks_file())).identity()["digest"].split("+")[0] == weights[0]


def test_the_embedded_judge_hears_networks_reader_and_reference() -> None:
    pairs = [(SUMMARY, UNIT), (SUMMARY, "The council met on Tuesday.")]
    reference = "The mayor opened a bridge on Monday."
    # two sentences at most are read: the second says nothing of the unit, or adds no word of it
    read = [("The mayor opened a new bridge over the river.", UNIT), ("The council met on Monday.", pairs[1][1])]
    reader = p2c(load_entailment(str(reader_file())).logits(read))
    b = np.log(reader / (1 - reader))
    networks = load_presence(str(networks_file())).probabilities(pairs, references=[reference] * 2)
    a = np.log(networks / (1 - networks))
    described = describe_texts([SUMMARY, reference])
    match = measure_context(described[SUMMARY], described[reference])[2]  # layers 3, 4, 5 and 6: the fifth
    by = json.loads(combination_file().read_text())
    logits = by["networks"] * a + by["reader"] * b + by["reference"] * match + by["constant"]
    against = np.array([0, by["conflicts"]["date"]])  # Tuesday, where the summary has Monday and all else
    logits = logits + against
    values = load_presence().probabilities(pairs, references=[reference] * 2)
    assert values == pytest.approx(1 / (1 + np.exp(-logits)), abs=1e-5)
    alone = load_presence(str(networks_file())).probabilities(pairs)
    mean = (np.log(alone / (1 - alone)) + b) / 2 + against
    assert load_presence().probabilities(pairs) == pytest.approx(1 / (1 + np.exp(-mean)), abs=1e-5)


@pytest.mark.more
@pytest.mark.parametrize(
    ("summary", "stated", "contradicted"),
    [
        ("The work cost 8.6 million crowns.", "The work cost 8.6 million crowns.", "The work cost 6.8 million crowns."),
        ("The firm left its forecast unchanged.", "The forecast was left unchanged.", "The firm raised its forecast."),
        ("The line will close for eleven months.", "The line will close.", "The line will close for eleven weeks."),
        ("The team has never won the cup.", "The team has never won the cup.", "The team has won the cup."),
        ("The dog bit the postman.", "The dog bit the postman.", "The postman bit the dog."),
    ],
)
def test_what_a_summary_contradicts_is_absent(summary, stated, contradicted) -> None:
    present, absent = load_presence().probabilities([(summary, stated), (summary, contradicted)])
    assert present > 0.5 > absent


def test_conflicts_are_weighed_by_what_else_matches() -> None:
    # half of the other content words match: a quarter of the weight
    weights = Combination(conflicts={"number": -4.0})
    conflicts = describe_conflicts([("The bridge cost 8 crowns.", "The bridge and tunnel cost 6 crowns in all times.")])
    share = (3 / 5) ** 2  # bridge, cost, crowns; tunnel and times are missing
    assert conflicts.sum() == pytest.approx(share)
    even = np.array([0.5])
    assert weights(even, even, np.array([np.nan]), conflicts)[0] == pytest.approx(1 / (1 + np.exp(4 * share)))


def test_one_judge_that_is_sure_does_not_decide_alone() -> None:
    # the logit of 1 - 1e-4 is 9.21; with one of -9.21 / 2 beside it, the mean is above 0 but far from sure
    result = Combination()(np.array([1.0]), np.array([0.01]), np.array([0.3]))[0]
    assert result == pytest.approx(1 / (1 + np.exp(-(9.2102 - 4.5951) / 2)), 1e-4)


def test_a_combination_is_read_from_its_file(tmp_path) -> None:
    file = tmp_path / "both.json"
    with pytest.raises(MetricError, match="there is no combination"):
        read_combination(file)
    for text in ("[", "[1]", '{"readers": 1}', '{"reader": "much"}'):
        file.write_text(text)
        with pytest.raises(MetricError, match="must be JSON with networks, reader, reference, constant"):
            read_combination(file)
    file.write_text('{"conflicts": {"colour": -1}}')
    with pytest.raises(MetricError, match="a kind that there is not: colour"):
        read_combination(file)
