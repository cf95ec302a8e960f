"""The scores of clusters, on cases worked by hand."""

import pytest

from gistmeter.training.coreference.scores import score_clusters

pytestmark = pytest.mark.more

A, B, C, D, E, F, G = ((position, position + 1) for position in range(0, 14, 2))


def test_equal_clusters_are_perfect_in_any_order():
    scores = score_clusters([([[A, B], [C, D, E]], [[E, C, D], [B, A]])])
    assert (scores.mentions.f1, scores.muc.f1, scores.b3.f1, scores.ceafe.f1, scores.conll) == (1, 1, 1, 1, 1)


def test_nothing_found_is_zero_and_not_an_error():
    scores = score_clusters([([[A, B]], [])])
    assert (scores.muc.f1, scores.b3.f1, scores.ceafe.f1, scores.conll) == (0, 0, 0, 0)


def test_clusters_of_one_mention_do_not_count():
    assert score_clusters([([[A, B], [C]], [[A, B], [D]])]).conll == 1


def test_a_cluster_cut_in_two():
    scores = score_clusters([([[A, B, C, D]], [[A, B], [C, D]])])
    # MUC: of 3 links 2 are found, and both found links are right.
    assert (scores.muc.recall, scores.muc.precision) == (pytest.approx(2 / 3), 1)
    # B3: each of the 4 mentions has 2 of the 4 in its found cluster; all found are right.
    assert (scores.b3.recall, scores.b3.precision) == (0.5, 1)
    # CEAFe: the best pair has 2 * 2 / (4 + 2) = 2/3; one annotated cluster, two found.
    assert (scores.ceafe.recall, scores.ceafe.precision) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_two_clusters_put_together():
    scores = score_clusters([([[A, B], [C, D]], [[A, B, C, D]])])
    assert (scores.muc.recall, scores.muc.precision) == (1, pytest.approx(2 / 3))
    assert (scores.b3.recall, scores.b3.precision) == (1, 0.5)


def test_the_example_of_vilain_and_luo():
    """Annotated {A B C} {D E F G}, found {A B} {C D} {F G}: Luo's pairing and links by hand."""
    scores = score_clusters([([[A, B, C], [D, E, F, G]], [[A, B], [C, D], [F, G]])])
    # MUC recall: (3 - 2) + (4 - 3) of 2 + 3 links; precision: (2 - 1) + (2 - 2) + (2 - 1) of 3.
    assert scores.muc.recall == pytest.approx(2 / 5)
    assert scores.muc.precision == pytest.approx(2 / 3)
    # B3 recall: (4/3 + 1/3 + 1/4 + 4/4) of 7 mentions; precision: (2 + 1/2 + 1/2 + 2) of 6.
    assert scores.b3.recall == pytest.approx((4 / 3 + 1 / 3 + 1 / 4 + 1) / 7)
    assert scores.b3.precision == pytest.approx(5 / 6)
    # CEAFe: {A B C}-{A B} 4/5, {D E F G}-{F G} 4/6.
    assert scores.ceafe.recall == pytest.approx((4 / 5 + 4 / 6) / 2)
    assert scores.ceafe.precision == pytest.approx((4 / 5 + 4 / 6) / 3)


def test_counts_are_summed_over_texts():
    scores = score_clusters([([[A, B, C]], [[A, B, C]]), ([[A, B]], [])])
    assert scores.muc.recall == pytest.approx(2 / 3)
    assert scores.muc.precision == 1
