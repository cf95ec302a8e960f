"""Weights of categories in alignments: by hand, and against every way to pair words."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError
from gistmeter.evidence.alignment import Alignment, Edge, Token, TokenText, align_equal_tokens
from gistmeter.insight.shares.matching import label_alignment
from gistmeter.linguistics.categories import Category, LabelledWord, load_categories

TABLE = load_categories()
VERB, SUBJECT = {"vb": ""}, {"nsubj": "nsubj"}
INFORMATION = [TABLE[name] for name in TABLE.types["information"]]


def text(title, words):
    """A text of one-letter words; `words` are (key, head, groups)."""
    tokens = tuple(Token(2 * i, 2 * i + 1, key) for i, (key, _, _) in enumerate(words))
    return TokenText(title, "x " * len(words), tokens)


def labels(words):
    return [LabelledWord(2 * i, 2 * i + 1, head, groups) for i, (_, head, groups) in enumerate(words)]


def labelled(summary, other):
    alignment = align_equal_tokens(text("summary", summary), text("reference", other))
    return label_alignment(alignment, labels(summary), labels(other))


def all_matchings(summary, other):
    """Every way to pair words of equal keys, each at most once."""
    pairs = [(i, j) for i, left in enumerate(summary) for j, right in enumerate(other) if left[0] == right[0]]
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == size:
                yield set(chosen)


def count_words(matching, summary, other, names):
    return sum(any(n in summary[i][2] and summary[i][2][n] == other[j][2].get(n) for n in names) for i, j in matching)


def count_tuples(matching, summary, other, categories):
    """Edges inside tuples that are aligned in all their words: the definition, word for word."""

    def tuples(words, category):
        for head, (_, _, groups) in enumerate(words):
            if category.head not in groups:
                continue
            roles = [
                [i for i, word in enumerate(words) if word[1] == head != i and role in word[2]]
                for role in category.children
            ]
            yield from (
                [(head, first) for first in roles[0]]
                if len(roles) == 1
                else [(head, first, second) for first in roles[0] for second in roles[1]]
            )

    inside = set()
    for category in categories:
        for left in tuples(summary, category):
            for right in tuples(other, category):
                pairs = set(zip(left, right, strict=True))
                if pairs <= matching:
                    inside |= pairs
    return len(inside)


words = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(0, 3),
        st.sampled_from([{}, VERB, SUBJECT, {"dobj": "dobj"}, {"nn": ""} | SUBJECT, {"nn": ""}, VERB | SUBJECT]),
    ),
    min_size=1,
    max_size=4,
).map(lambda items: [(key, min(head, len(items) - 1), groups) for key, head, groups in items])


@given(words, words)
def test_words_of_a_category_are_matched_as_well_as_any_way_can(summary, other):
    for names in (("vb",), ("nsubj",), ("vb", "nn", "nsubj")):
        best = max(count_words(matching, summary, other, names) for matching in all_matchings(summary, other))
        assert labelled(summary, other).measure_words(names) == best


@given(words, words)
def test_tuples_are_matched_as_well_as_any_way_can(summary, other):
    for categories in ([INFORMATION[0]], [INFORMATION[2]], INFORMATION):
        best = max(count_tuples(matching, summary, other, categories) for matching in all_matchings(summary, other))
        assert labelled(summary, other).measure_tuples(categories) == best


@given(words, words)
def test_children_of_several_roles_are_matched_as_well_as_any_way_can(summary, other):
    # A subject that is a noun is a child of either kind: VERB+SUBJECT and VERB+NOUN.
    categories = [INFORMATION[0], Category(name="acts", title="ACTS", type="acts", head="vb", children=("nn",))]
    best = max(count_tuples(matching, summary, other, categories) for matching in all_matchings(summary, other))
    assert labelled(summary, other).measure_tuples(categories) == best


def test_a_word_that_is_head_and_child_counts_once():
    # "who ran home won": ran is the subject of won and has an object. Three words match, in two tuples.
    clause = [("won", 0, VERB), ("ran", 0, VERB | SUBJECT), ("home", 1, {"dobj": "dobj"})]
    pair = labelled(clause, clause)
    assert pair.measure_tuples(INFORMATION) == pair.alignment.total == 3


def test_a_category_takes_the_pairs_that_suit_it_best():
    # "run" is a noun and a verb in the summary, a verb in the reference. In order the noun would be taken.
    summary = [("run", 1, {"nn": ""}), ("run", 1, {"vb": ""})]
    other = [("run", 0, {"vb": ""})]
    assert labelled(summary, other).measure_words(["vb"]) == 1
    assert labelled(summary, other).measure_words(["nn"]) == 0


def test_entities_match_within_their_group_alone():
    person, location = {"ner": "PERSON"}, {"ner": "GPE+LOC"}
    assert labelled([("washington", 0, person)], [("washington", 0, location)]).measure_words(["ner"]) == 0
    assert labelled([("washington", 0, person)], [("washington", 0, person)]).measure_words(["ner"]) == 1


def test_figure_7_of_the_thesis():
    # Reese ran and Kim slept / Reese sprinted and Kim slept: of the four matches, Kim and slept are in a tuple.
    def clause(verb):
        return [
            ("reese", 1, {"nsubj": "nsubj"}),
            (verb, 1, {"vb": ""}),
            ("and", 1, {}),
            ("kim", 4, {"nsubj": "nsubj"}),
            ("slept", 1, {"vb": ""}),
        ]

    pair = labelled(clause("ran"), clause("sprinted"))
    assert pair.alignment.total == 4
    assert pair.measure_tuples([TABLE["vb_nsubj"]]) == 2


def test_directed_edges_count_as_they_stand():
    # Every word of the reference has its closest; "kim slept" has both ends of a tuple, weighing .5 + .25.
    words_of = [("kim", 1, {"nsubj": "nsubj"}), ("slept", 1, {"vb": ""}), ("well", 1, {"adv": ""})]
    sides = (text("summary", words_of), text("reference", words_of))
    alignment = Alignment(*sides, (Edge(0, 0, 0.5), Edge(1, 1, 0.25), Edge(1, 2, 0.125)))
    pair = label_alignment(alignment, labels(words_of), labels(words_of))
    assert pair.measure_tuples([TABLE["vb_nsubj"]]) == 0.75
    assert pair.measure_tuples([TABLE["vb_dobj"]]) == 0
    assert pair.measure_words(["adv"]) == 0  # "well" is closest to a verb
    assert pair.measure_words(["vb", "nsubj"]) == 0.75


@pytest.mark.parametrize("tokens", [[Token(0, 3), Token(2, 4)], [Token(4, 9)], [Token(3, 2)]])
def test_tokens_that_overlap_or_lie_outside_are_refused(tokens):
    with pytest.raises(DataError, match="do not overlap, and end within the 5 characters"):
        TokenText("summary", "a cat", tuple(tokens))


def test_orders_do_not_matter():
    summary = [("a", 0, {"nn": ""}), ("b", 0, {"vb": ""}), ("a", 1, {"vb": ""})]
    other = [("a", 0, {"vb": ""}), ("b", 0, {"nn": ""}), ("a", 0, {"nn": ""})]
    weights = {labelled(list(order), other).measure_words(["nn", "vb"]) for order in permutations(summary)}
    assert weights == {2.0}
