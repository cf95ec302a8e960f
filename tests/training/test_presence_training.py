"""Training the presence judge on a toy: torch and numpy agree, folds do not overlap, bad input is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.example import Example, Unit
from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS
from gistmeter.models.presence.combination import Combination, read_combination
from gistmeter.models.presence.judge import NetworkJudge
from gistmeter.models.presence.networks import read_networks
from gistmeter.training.presence.changed_pairs import JudgedChanges
from gistmeter.training.presence.combination import (
    JudgedDocument,
    _Loss,
    cross_combine,
    fit_combination,
    join_judgments,
    read_judgments,
    write_combination,
)
from gistmeter.training.presence.evaluation import measure_judges, merge_systems, score_floors
from gistmeter.training.presence.figures import ScoredDocument, correlate_recall, measure_gain
from gistmeter.training.presence.fitting import (
    _batch,
    _forward,
    _norms,
    cross_validate,
    fit_networks,
    judge_group,
    write_networks,
)
from gistmeter.training.presence.groups import deal_folds, group_examples
from gistmeter.training.presence.recipe import PresenceData, PresenceRecipe
from gistmeter.training.presence.training import train_presence

pytestmark = pytest.mark.more

FACTS = ("The mayor opened a bridge.", "Two cats slept all day.", "Stocks fell by 3 percent.", "The king sang a song.")
QUICK = PresenceRecipe(networks=1, hidden=4, epochs=1)


def toy(documents: int = 5) -> list[Example]:
    """Each system says some of the facts of each document."""
    contents = {"all": (0, 1, 2), "first": (0,), "last": (2, 1), "other": (3,), "two": (0, 1)}
    return [
        Example(
            doc_id=f"d{number}",
            system=system,
            summary=" ".join(FACTS[fact] for fact in facts),
            references=" ".join(FACTS[:3]),
            units=tuple(Unit(FACTS[fact], present=fact in facts) for fact in range(3)),
        )
        for number in range(documents)
        for system, facts in contents.items()
    ]


@pytest.fixture(scope="module")
def groups():
    return group_examples("toy", toy())


def test_what_torch_trains_is_what_numpy_runs(groups) -> None:
    torch = pytest.importorskip("torch")
    networks = fit_networks(groups, QUICK)
    learned = {name: array for name, array in networks.arrays.items() if name.endswith(("weight", "bias"))}
    weights = {name: torch.tensor(item[0]) for name, item in learned.items()}
    batch = _batch(groups[0], _norms(groups))
    for alone in (False, True):
        logits = _forward(weights, batch, 0.0, alone=alone).numpy()
        np.testing.assert_allclose(
            judge_group(networks, groups[0], context=not alone), 1 / (1 + np.exp(-logits)), atol=1e-5
        )


def test_labels_can_be_learned(groups) -> None:
    networks = fit_networks(groups, PresenceRecipe(networks=1, epochs=20))
    right = [((judge_group(networks, group) > 0.5) == (group.labels > 0.5)).mean() for group in groups]
    assert np.mean(right) == 1


def test_the_same_seed_gives_the_same_networks(groups) -> None:
    first, again = (fit_networks(groups, QUICK).arrays["joint.weight"] for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_folds_hold_out_each_document_and_each_system_once(groups) -> None:
    folds = deal_folds(groups)
    for by in ("documents", "systems"):
        recorded = []
        for fold in range(5):
            held = {
                (group.doc_id, system) for group in folds.select_held_out(by, fold, groups) for system in group.systems
            }
            learned = {
                (group.doc_id, system) for group in folds.select_remaining(by, fold, groups) for system in group.systems
            }
            assert not held & learned
            assert len(held | learned) == 25
            recorded += sorted(held)
        assert sorted(recorded) == sorted({(item.doc_id, item.system) for item in toy()})


def test_folds_of_a_file_are_kept_and_the_rest_is_dealt(groups, tmp_path) -> None:
    file = tmp_path / "folds.json"
    file.write_text(json.dumps({"by_examples": [["d3"], ["d1"], [], [], []]}))
    folds = deal_folds(groups, str(file)).documents
    assert "d3" in folds[0]
    assert "d1" in folds[1]
    assert sorted(item for fold in folds for item in fold) == ["d0", "d1", "d2", "d3", "d4"]
    file.write_text(json.dumps({"by_examples": [["d3"]]}))
    with pytest.raises(DataError, match="has 1 folds by documents, but 5 are needed"):
        deal_folds(groups, str(file))


def test_a_system_of_two_runs_is_in_one_fold(groups) -> None:
    others = [replace(group.select(group.systems[:3]), source="other") for group in groups[:3]]
    folds = deal_folds([*groups, *others], seed=3)
    for sample in folds.documents, folds.systems:
        assert sum(map(len, sample)) == 5


def test_folds_that_part_nothing_are_refused_and_empty_ones_passed_over(groups, tmp_path) -> None:
    file = tmp_path / "folds.json"
    names = [f"d{number}" for number in range(5)]
    file.write_text(json.dumps({"by_examples": [names[:2], names[2:], [], [], []]}))
    held, networks = cross_validate(groups, deal_folds(groups, str(file)), "documents", QUICK)
    assert len(networks) == 2
    assert sorted(group.doc_id for group in held.groups) == names
    file.write_text(json.dumps({"by_examples": [[], names, [], [], []]}))
    with pytest.raises(DataError, match="all documents are in fold 2, so none are left to learn from"):
        cross_validate(groups, deal_folds(groups, str(file)), "documents", QUICK)


def test_no_difference_where_nothing_varies() -> None:
    flat = [ScoredDocument(0, ("a", "b"), np.array([0.5, 0.5]), np.array([0.0, 1.0]))]
    assert np.isnan(measure_gain(flat, flat)).all()


def test_judgments_by_systems_are_put_together_by_document(groups, tmp_path) -> None:
    held, networks = cross_validate(groups, deal_folds(groups), "systems", QUICK)
    assert len(networks) == 5
    together = merge_systems(held)
    assert len(together.groups) == 5
    assert {len(group.systems) for group in together.groups} == {5}
    rows = measure_judges(together, "5-fold by systems", score_floors("toy", toy()))
    assert [row.judge for row in rows][2:] == ["content-word recall", "ROUGE-1 recall"]
    assert rows[2].correlations.pearson > 0.9
    file = tmp_path / "judge.safetensors"
    write_networks(networks[0], file)
    assert NetworkJudge(read_networks(file)).probabilities([(FACTS[0], FACTS[1])]).shape == (1,)


def test_agreement_by_hand() -> None:
    def scored(fold: int, scores: list[float], recall: list[float]) -> ScoredDocument:
        return ScoredDocument(fold, ("a", "b", "c"), np.array(scores), np.array(recall))

    documents = [
        scored(0, [0.1, 0.2, 0.3], [0.0, 0.5, 1.0]),  # r = 1
        scored(1, [0.3, 0.2, 0.1], [0.0, 0.5, 1.0]),  # r = -1
        scored(1, [0.1, 0.2, 0.3], [0.5, 0.5, 0.5]),  # people see no difference
    ]
    recall_correlations = correlate_recall(documents)
    assert recall_correlations.pearson == pytest.approx(0)
    assert recall_correlations.undefined == 1
    # fold 1: mean scores are .2, .2, .2, which do not vary, so fold 0 alone counts
    assert recall_correlations.system_pearson == pytest.approx(1)
    # against itself nothing is gained, against its opposite 2 and -2: the mean is 0
    assert measure_gain(documents, documents)[0] == 0
    assert measure_gain(documents[:1], [scored(0, [0.3, 0.2, 0.1], [0.0, 0.5, 1.0])]) == pytest.approx((2, 2, 2))


def test_units_without_labels_or_references_are_refused() -> None:
    plain = Example(doc_id="d", system="s", summary="It rained.", references="It rained.", units=(Unit("It rained."),))
    with pytest.raises(DataError, match="unit 1 of s/d has no label"):
        group_examples("toy", [plain])
    with pytest.raises(DataError, match="s/d has no content units"):
        group_examples("toy", [Example(doc_id="d", system="s", summary="It rained.", references="It rained.")])
    lone = Example(doc_id="d", system="s", summary="It rained.", units=(Unit("It rained.", present=True),))
    with pytest.raises(DataError, match="s/d has no reference"):
        group_examples("toy", [lone])


def test_a_judge_is_written_to_safetensors(groups, tmp_path) -> None:
    with pytest.raises(DataError, match=r"\.safetensors file, not to judge.bin"):
        write_networks(fit_networks(groups, QUICK), tmp_path / "judge.bin")


def test_a_run_becomes_a_judge_and_its_card(tmp_path) -> None:
    run = tmp_path / "toy.jsonl"
    units = tmp_path / "units.jsonl"
    lines = [
        {"doc_id": item.doc_id, "system": item.system, "summary": item.summary, "references": list(item.references),
         "labels": [int(unit.present) for unit in item.units]}
        for item in toy()
    ]  # fmt: skip
    run.write_text("\n".join(map(json.dumps, lines)))
    units.write_text("\n".join(json.dumps({"doc_id": f"d{n}", "units": list(FACTS[:3])}) for n in range(5)))
    data = PresenceData(data=(str(run),), units=(str(units),), by="documents", notes=("a toy",))
    trained = train_presence(tmp_path / "judge.safetensors", data, recipe=QUICK)
    assert [row.test for row in trained.figures] == ["5-fold by documents"] * 4
    card = trained.card.read_text()
    assert "toy: 5 documents, 25 summaries, 75 labelled pairs" in card
    assert "a toy" in card
    assert "not held out" in card
    assert read_networks(trained.file).arrays["first.weight"].shape == (1, 25, 4)


def two_judges(documents: int = 10) -> list[JudgedDocument]:
    """A reader that knows the labels, networks that do not, and a reference that tells a summary's level."""
    rng = np.random.default_rng(0)
    results = []
    for number in range(documents):
        level = rng.random(6)
        labels = (rng.random((6, 5)) < level[:, None]).astype(float)
        reader = np.clip(labels * 0.6 + 0.2 + rng.normal(0, 0.2, labels.shape), 0.01, 0.99)
        conflicts = np.zeros((6, 5, len(CONFLICT_KINDS)))
        conflicts[..., 0] = (rng.random((6, 5)) < 0.2) * (1 - labels)  # a number is at odds only with what is absent
        results.append(
            JudgedDocument(
                fold=number % 5,
                labels=labels,
                networks=rng.random((6, 5)),
                reader=reader,
                reference=level,
                conflicts=conflicts,
            )
        )
    return results


def judged_changes() -> JudgedChanges:
    """Changed pairs that the judges find as present as the originals; the first kind of conflict tells them apart."""
    labels = np.tile([1.0, 0.0], 20)
    conflicts = np.zeros((40, len(CONFLICT_KINDS)))
    conflicts[:, 0] = 1 - labels
    return JudgedChanges(logits=np.full(40, 2.0), conflicts=conflicts, labels=labels, shares=np.full(40, 1 / 40))


def test_the_better_judge_and_the_reference_are_heard_more() -> None:
    judgments = two_judges()
    combination = fit_combination(judgments)
    assert combination.reader > 2 * abs(combination.networks)
    assert combination.reference > 0
    assert combination.conflicts == {}
    loss = _Loss(judgments, None)
    assert loss(loss.start)[0] > -1
    crossed = cross_combine(judgments)
    for number, judgment in enumerate(judgments):
        others = fit_combination([other for other in judgments if other.fold != judgment.fold])
        np.testing.assert_array_equal(crossed[number], judgment.combine(others))


def test_the_gradient_of_hearing_both_is_the_slope() -> None:
    loss = _Loss(two_judges(), judged_changes())
    at, step = loss.start + 0.1, 1e-5
    slopes = [(loss(at + step * item)[0] - loss(at - step * item)[0]) / (2 * step) for item in np.eye(len(at))]
    assert loss(at)[1] == pytest.approx(slopes, abs=1e-6)


def test_conflicts_that_tell_changed_pairs_apart_count_against_units() -> None:
    combination = fit_combination(two_judges(), judged_changes())
    assert set(combination.conflicts) == {CONFLICT_KINDS[0]}
    assert combination.conflicts[CONFLICT_KINDS[0]] < -2  # from a logit of 2 to below 0


def test_conflicts_are_learned_alone_where_the_other_numbers_are_kept() -> None:
    keep = Combination(networks=0.2, reader=0.7, reference=1.0, constant=-0.5)
    combination = fit_combination(two_judges(), judged_changes(), keep=keep)
    four = ("networks", "reader", "reference", "constant")
    assert [getattr(combination, name) for name in four] == pytest.approx([getattr(keep, name) for name in four])
    assert combination.conflicts[CONFLICT_KINDS[0]] < -2


def test_a_combination_is_read_as_it_was_written(tmp_path) -> None:
    combination = fit_combination(two_judges(), judged_changes())
    write_combination(combination, tmp_path / "both.json")
    weights = read_combination(tmp_path / "both.json").weights
    assert weights.conflicts == {kind: round(weight, 4) for kind, weight in combination.conflicts.items()}
    assert weights.reader == round(combination.reader, 4)


def test_a_reader_is_heard_by_training_too(groups, tmp_path, monkeypatch) -> None:
    from gistmeter.training.presence import training

    rows = [(item.doc_id, item.system, position, 0.9 if unit.present else 0.1)
            for item in toy() for position, unit in enumerate(item.units)]  # fmt: skip
    file = tmp_path / "judged.npz"
    names = ("doc_id", "system", "unit", "p")
    np.savez(file, **{name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)})
    assert read_judgments(file)["d0", "all", 2] == 0.9
    held, _ = cross_validate(groups, deal_folds(groups), "documents", QUICK)
    with pytest.raises(DataError, match="did not judge unit 1 of"):
        join_judgments(held, {})
    monkeypatch.setattr(training, "open_run", lambda *_, **__: type("Run", (), {"examples": staticmethod(toy)}))
    data = PresenceData(data=("toy",), by="documents", reader=str(file))
    trained = train_presence(tmp_path / "judge.safetensors", data, recipe=QUICK)
    both = [row for row in trained.figures if row.judge == "judge and reader, seeing the reference"]
    assert both[0].accuracy == 1
    assert read_combination(tmp_path / "judge-both.json").weights != Combination()
    with pytest.raises(DataError, match="give its judgments, too"):
        train_presence(tmp_path / "judge.safetensors", replace(data, reader=None, changed=("nli.jsonl",)), recipe=QUICK)
    with pytest.raises(DataError, match="by documents"):
        train_presence(tmp_path / "judge.safetensors", replace(data, by="systems"), recipe=QUICK)
    file.write_text("no")
    with pytest.raises(DataError, match=r"judged\.npz of `gistmeter train entailment"):
        read_judgments(file)
