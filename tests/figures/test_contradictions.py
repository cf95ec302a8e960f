"""The set of contradictions: its make-up, and its shares by hand."""

from collections import Counter

import numpy as np
import pytest
from bench.contradictions.measure import KINDS, judge_contradictions, measure_kinds, read_pairs

from gistmeter.text.words import split_words


def test_every_kind_has_as_many_pairs_and_each_pair_differs_in_its_units_alone():
    pairs = read_pairs()
    assert Counter(pair.kind for pair in pairs) == dict.fromkeys(KINDS, 15)
    assert len({pair.id for pair in pairs}) == len({pair.summary for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert split_words(pair.stated) != split_words(pair.contradicted)


def test_halves_have_both_wordings_of_every_kind():
    cells = Counter((pair.kind, pair.part, pair.wording) for pair in read_pairs())
    assert len(cells) == len(KINDS) * 2 * 2
    assert min(cells.values()) >= 3


def test_shares_by_hand():
    pairs = [pair for pair in read_pairs() if pair.kind == "role"][:4]
    # the first two contradicted units are refused, three stated ones are found, the third pair is in the wrong order
    stated, contradicted = np.array([0.9, 0.8, 0.6, 0.5]), np.array([0.5, 0.1, 0.7, 0.6])
    role = next(kind for kind in measure_kinds(pairs, stated, contradicted) if kind.name == "role")
    assert (role.pairs, role.refused, role.accepted) == (4, 2 / 4, 3 / 4)
    assert role.ordered == 2 / 4  # .9 > .5 and .8 > .1


def test_a_kind_without_pairs_is_left_out():
    pairs = [pair for pair in read_pairs() if pair.kind == "role"][:1]
    names = [kind.name for kind in measure_kinds(pairs, np.array([0.9]), np.array([0.1]))]
    assert names == ["role", "close wording", "open half", "all"]


@pytest.mark.slow
def test_the_page_shows_what_the_embedded_judge_says():
    from bench.figures.page import cells, figure
    from bench.figures.pyramids import OUTPUT

    from gistmeter.units.judge import UnitJudge

    for kind in judge_contradictions(UnitJudge()):
        shown = cells(OUTPUT.read_text("utf-8"), "Contradicted units", f"{kind.name} |")
        now = [cell.rpartition(" ")[2] for cell in shown[2:]]
        assert [shown[1], *now] == [str(kind.pairs), *map(figure, (kind.refused, kind.accepted, kind.ordered))]
