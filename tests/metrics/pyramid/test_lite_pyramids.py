"""Content units judged by a model: lite2pyramid, lite3pyramid and the mixes between."""

import numpy as np
import pytest

import gistmeter as gm
from gistmeter import units
from gistmeter.demo import demo_run
from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example, Unit
from gistmeter.io.runs import open_run
from gistmeter.linguistics import coreference, roles
from gistmeter.linguistics.coreference.resolver import coreference_file
from gistmeter.linguistics.parser import load_parser
from gistmeter.metrics.pyramid.lite2pyramid import Lite2Pyramid
from gistmeter.metrics.pyramid.lite2xpyramid import Lite2xPyramid
from gistmeter.metrics.pyramid.lite3pyramid import Lite3Pyramid
from gistmeter.metrics.registry import parse_metric
from gistmeter.models import presence
from gistmeter.models.entailment.model import l3c, load_entailment, p3c
from gistmeter.models.presence.judge import load_presence, networks_file, reader_file
from gistmeter.units.judge import UnitJudge
from gistmeter.weights import digest_files

REFERENCE = "The council approved a new bridge on Monday. Ann Lee, the mayor, opposed the plan."
UNITS = (Unit("The council approved a bridge.", 2), Unit("The mayor opposed the plan."), Unit("Ann Lee is the mayor."))
GOOD = "The council approved a new bridge. Mayor Ann Lee opposed it."
POOR = "A dog slept in the garden all day."


def example(summary, system="s", doc_id="d", **others):
    return Example(
        doc_id=doc_id, system=system, summary=summary, **{"references": (REFERENCE,), "units": UNITS, **others}
    )


@pytest.mark.parametrize("spelling", ["lite2pyramid", "lite3pyramid", "lite2.5pyramid"])
def test_what_is_stated_scores_high_and_what_is_not_low(spelling):
    with pytest.warns(gm.GistmeterWarning, match="1 of 3 summaries are empty"):
        scores = gm.score([example(GOOD, "good"), example(POOR, "poor"), example("", "empty")], spelling, cache=False)
    good, poor, empty = scores.table[f"{spelling}.recall"].to_list()
    assert good > 0.5
    assert poor < 0.2
    assert empty == 0


@pytest.mark.more
def test_what_a_demo_summary_contradicts_is_absent_and_says_why():
    # dreamer says 8.6 million, 90 roofs, eleven months and a forecast left unchanged
    contradicted = {
        "The project costs 6.8 million crowns.": "6.8 million / 8.6 million",
        "Hail damaged more than 900 roofs in the Dunmarrow valley.": "900 / 90",
        "The closure lasts eleven weeks from 1 July.": "eleven (week) / eleven (month)",
        "Tarnwick Glass raised its annual profit forecast.": "raised / unchanged",
    }
    dreamt = [item for item in open_run([demo_run()]).examples() if item.system == "dreamer"]
    rows = {
        row[0]: row
        for item in dreamt
        if any(unit.text in contradicted for unit in item.units)
        for row in Lite2Pyramid().explain(item).blocks[-1].rows
    }
    for unit, conflict in contradicted.items():
        assert float(rows[unit][2]) < 0.5
        assert rows[unit][3] == f"- (at odds: {conflict})"


def test_weights_count_as_in_equation_2():
    judgments = UnitJudge().judge_pairs([(GOOD, unit.text) for unit in UNITS], [REFERENCE] * 3)
    assert Lite2Pyramid().score([example(GOOD)])[0, 0] == pytest.approx(
        (2 * judgments[0] + judgments[1] + judgments[2]) / 4
    )


def test_a_unit_asked_twice_and_a_batch_change_nothing():
    alone = Lite2Pyramid().score([example(GOOD)])
    both = Lite2Pyramid().score([example(POOR), example(GOOD), example(GOOD)])
    assert both[1:] == pytest.approx(np.repeat(alone, 2, axis=0), abs=1e-5)


@pytest.mark.parametrize(("value", "of_logits"), [("p3c", p3c), ("l3c", l3c)])
def test_the_entailment_model_s_logits_are_read(value, of_logits):
    summary = "The council approved a new bridge."
    logits = load_entailment().logits([(summary, unit.text) for unit in UNITS])
    expected = of_logits(logits) @ [2, 1, 1] / 4
    scores = Lite2Pyramid(model="embedded-nli", value=value).score([example(summary)])
    assert scores[0, 0] == pytest.approx(expected, abs=1e-6)


def test_what_counts_is_in_the_signature():
    assert "|value:p2c|" in Lite2Pyramid().signature()
    assert "|value:l3c|" in Lite2Pyramid(model="embedded-nli").signature()
    assert "|value:l2c|" in Lite2Pyramid(value="l2c").signature()
    with pytest.raises(MetricError, match="the embedded judge knows present and absent, so there is no p3c"):
        Lite2Pyramid(value="p3c")


@pytest.mark.parametrize("metric", [Lite3Pyramid(), Lite2xPyramid()], ids=str)
def test_all_that_cuts_units_is_in_the_signature(metric):
    signature = metric.signature()
    assert f"|coreference:confident-{coreference.RULES_VERSION}+{digest_files([coreference_file()])}|" in signature
    assert f"|roles:{roles.RULES_VERSION}|" in signature
    assert f"|units:{units.RULES_VERSION}|" in signature
    assert f"-{load_parser().digest}|" in signature


@pytest.mark.parametrize("metric", [Lite2Pyramid(), Lite3Pyramid(), Lite2xPyramid()], ids=str)
def test_the_rules_that_judge_units_are_in_the_signature(metric):
    assert f"|presence:{presence.RULES_VERSION}|" in metric.signature()


def test_the_rules_that_choose_premises_are_in_the_signature():
    signature = Lite2Pyramid(model="embedded-nli").signature()
    assert f"|premise:two best sentences, {presence.RULES_VERSION}|" in signature


def test_without_coreference_the_signature_names_none():
    assert "|coreference:no|" in Lite3Pyramid(coreference="no").signature()


def test_a_file_of_roles_is_named_by_its_digest(tmp_path):
    file = tmp_path / "roles.jsonl"
    file.write_text("{}\n")
    assert (
        f"|roles:file-{digest_files([file])}|units:{units.RULES_VERSION}|" in Lite3Pyramid(roles=str(file)).signature()
    )


def test_labels_must_name_the_outputs():
    with pytest.raises(MetricError, match="must name the outputs of the model in their order"):
        Lite2Pyramid(model="embedded-nli", labels="yes/no/maybe").score([example(GOOD)])


def test_units_of_several_references_count_together():
    case = example(GOOD, references=(REFERENCE, "A bridge was approved."))
    (units,) = Lite3Pyramid(coreference="no").collect_units([case])
    assert {unit.sentence for unit in units} == {0, 1, 2}


def test_roles_can_come_from_a_file(tmp_path):
    file = tmp_path / "roles.jsonl"
    words = '["The", "council", "approved", "a", "bridge", "."]'
    tags = '["B-ARG0", "I-ARG0", "B-V", "B-ARG1", "I-ARG1", "O"]'
    file.write_text(f'{{"words": {words}, "verbs": [{{"verb": "approved", "tags": {tags}}}]}}\n')
    case = example(GOOD, references=("The council approved a bridge.",))
    (units,) = Lite3Pyramid(roles=str(file)).collect_units([case])
    assert [unit.text for unit in units] == ["The council approved a bridge"]


def test_a_share_takes_that_many_sentences_by_machine():
    run = [example(GOOD, doc_id="1"), example(GOOD, doc_id="2", references=("It rained a lot. Ann left.",))]
    none, all_of_them = (
        parse_metric(name).fit(run).collect_units(run) for name in ("lite2.0pyramid", "lite2.999pyramid")
    )
    assert [unit.text for unit in none[0]] == [unit.text for unit in UNITS]
    assert all_of_them == Lite3Pyramid().collect_units(run)


def test_the_run_decides_a_mix_and_signs_it():
    metric = Lite2xPyramid()
    run = [example(GOOD)]
    assert "|mix:" in metric.fit(run).signature()
    assert "|mix:" not in metric.signature()
    assert str(metric) == "lite2.5pyramid"
    with pytest.raises(DataError, match="document d has no content units"):
        metric.fit([example(GOOD, units=())])


def test_nothing_to_score():
    assert Lite2Pyramid().score([]).shape == (0, 1)
    assert np.isnan(Lite2Pyramid().score([example(GOOD, units=())])).all()


def test_trees_are_a_setting_of_a_mix():
    with pytest.raises(MetricError, match="trees are made by `embedded` or by a model of benepar"):
        Lite2xPyramid(trees="other", regressor="embedded-69").fit([example(GOOD)])
    assert "|trees:rules-" in Lite2xPyramid(regressor="embedded-69").signature()


def test_people_s_units_by_a_plan_and_machine_units_elsewhere():
    people = (Unit("Ann is the winner.", sentence=0),)
    case = example(GOOD, references=("Ann won the race. It rained in Rome.",), units=people)
    metric = parse_metric("lite2.xpyramid")
    (mixed_units,) = metric.collect_units([case])
    assert [unit.text for unit in mixed_units] == ["Ann is the winner.", "It rained in Rome"]
    # The mean of what the judge says of the two; a file of both units scores the same.
    mixed = example(GOOD, references=case.references, units=mixed_units)
    assert metric.score([case]) == Lite2Pyramid().score([mixed]) == metric.score([mixed])
    assert "|easiness:" not in metric.signature()
    assert f"|units:{units.RULES_VERSION}|" in metric.signature()


def test_units_are_read_without_references_too():
    assert 0 < Lite2Pyramid().score([example(GOOD, references=())])[0, 0] < 1


def test_no_weight_is_missing_and_another_language_refused():
    assert np.isnan(Lite2Pyramid().score([example(GOOD, units=(Unit("x", 0),))])[0, 0])
    for model in ("embedded", "embedded-nli", str(reader_file())):  # the last one runs on the embedded encoder too
        with pytest.raises(MetricError, match="reads English, not 'de': name an entailment model"):
            Lite2Pyramid(model=model).score([example(GOOD, language="de")])


def test_a_judge_that_was_trained_here_judges():
    file = str(networks_file())  # what `gistmeter train presence` writes: networks alone
    metric = Lite2Pyramid(model=file)
    probabilities = load_presence(file).probabilities([(GOOD, unit.text) for unit in UNITS], references=[REFERENCE] * 3)
    assert metric.score([example(GOOD)])[0, 0] == pytest.approx(probabilities @ [2, 1, 1] / 4)
    assert "|value:p2c|" in metric.signature()
    assert metric.signature() != Lite2Pyramid().signature()
    with pytest.raises(MetricError, match="knows present and absent, so there is no l3c"):
        Lite2Pyramid(model=file, value="l3c")


def test_the_evidence_links_units_with_sentences():
    shown = Lite2Pyramid().explain(example(GOOD))
    assert shown.headline.startswith(f"{Lite2Pyramid().score([example(GOOD)])[0, 0]:.3f}: the mean over 3 units")
    assert [pane.title for pane in shown.panes] == ["summary", "content units"]
    bridge = next(row for row in shown.table.rows if "bridge" in row[0])
    assert bridge[1] == "2"
    assert "bridge" in bridge[3]
    groups = {group for mark in shown.panes[0].marks for group in (mark.group, *mark.also)}
    assert groups == {mark.group for mark in shown.panes[1].marks}
