"""Phrase trees: brackets read and written, steps that make them, and trees from the dependency parse."""

import pytest

from gistmeter.errors import DataError, MetricError, MissingExtraError
from gistmeter.linguistics.trees.network import load_tree_network
from gistmeter.linguistics.trees.parser import parse_trees
from gistmeter.linguistics.trees.phrase_tree import Bracket, Tree
from gistmeter.linguistics.trees.steps import (
    DONE,
    DependencyTree,
    PhraseGrowth,
    assign_brackets,
    find_reach,
    find_steps,
    innermost_first,
)

RAIN = "(ROOT (S (NP-SBJ (PRP It)) (VP (VBD rained) (PP-LOC (IN in) (NP (NNP Rome)))) (. .)))"


def test_brackets_are_read_and_written():
    tree = Tree.read(RAIN)
    assert str(tree) == RAIN
    assert [leaf.word for leaf in tree.leaves()] == ["It", "rained", "in", "Rome", "."]
    assert tree.depth == 6  # ROOT S VP PP NP NNP
    assert tree.brackets() == [
        Bracket(0, 1, "NP"),
        Bracket(3, 4, "NP"),
        Bracket(2, 4, "PP"),
        Bracket(1, 4, "VP"),
        Bracket(0, 4, "S"),
    ]


def test_a_word_that_is_a_bracket_is_escaped():
    assert str(Tree("NP", (Tree("-LRB-", word="("), Tree("NN", word="x")))) == "(NP (-LRB- -LRB-) (NN x))"


@pytest.mark.parametrize("text", ["", "(S (NP x)", "(S (NP x)))", "(S x) (S y)", "word"])
def test_what_is_no_tree_is_refused(text):
    with pytest.raises(DataError, match=r"not one bracketed tree|never opened"):
        Tree.read(text)


def test_deep_trees_do_not_overflow():
    text = "(X " * 5000 + "(NN a)" + ")" * 5000
    tree = Tree.read(text)
    assert tree.depth == 5001
    assert str(tree) == text


# "Ann saw old dogs in Rome": saw <- Ann, saw -> dogs -> old, dogs -> in -> Rome
SENTENCE = DependencyTree(
    ("ann", "saw", "old", "dogs", "in", "rome"),
    ("NNP", "VBD", "JJ", "NNS", "IN", "NNP"),
    ("nsubj", "ROOT", "amod", "dobj", "prep", "pobj"),
    (1, -1, 3, 1, 3, 4),
)
GOLD = "(S (NP (0 a)) (VP (1 a) (NP (NP (2 a) (3 a)) (PP (4 a) (NP (5 a))))))"


def test_steps_lead_to_the_tree():
    # Every bracket of the tree is allowed by the dependencies, so the steps make all of it.
    brackets = Tree.read(GOLD).brackets(())
    wanted = assign_brackets(SENTENCE, brackets)
    assert {word: [item.label for item in own] for word, own in wanted.items()} == {
        0: ["NP"],
        1: ["VP", "S"],
        3: ["NP", "NP"],
        4: ["PP"],
        5: ["NP"],
    }
    built = [[] for _ in SENTENCE.words]
    first, last = find_reach(SENTENCE.heads)
    gone = []
    for word in innermost_first(SENTENCE.heads):
        growth = PhraseGrowth(SENTENCE, word, SENTENCE.children()[word], built)
        for step in find_steps(growth, wanted.get(word, ()), first, last):
            assert growth.allows(step)
            if word == 1:
                gone.append(step)
            if step != DONE:
                growth.take(step, built)
        built[word] = growth.parts
    (tree,) = built[1]
    assert tree.brackets(()) == brackets
    assert gone == [">", "VP", "<", "S", "."]


def test_a_bracket_across_the_dependencies_is_not_owned():
    # "saw old" cuts dogs from old; "old dogs" alone is fine
    assert assign_brackets(SENTENCE, [Bracket(1, 3, "X"), Bracket(2, 4, "NP")]) == {3: [Bracket(2, 4, "NP")]}


def test_trees_of_sentences():
    result = parse_trees(["It rained in Rome.", "It rained in Rome.", "He said that she left."])
    assert str(result[0]) == "(S (NP (PRP It)) (VP (VBD rained) (PP (IN in) (NP (NNP Rome)))) (. .))"
    assert result[0] is result[1]
    assert "(SBAR (IN that) (S (NP (PRP she)) (VP (VBD left))))" in str(result[2])


@pytest.mark.parametrize(
    "text", ["", "  ", "...", "!", "Yes", "(", "a\nb", 'Rain. Snow. Ann left, he said; "no" - 3 %.']
)
def test_every_text_has_one_tree_with_all_its_words(text):
    (tree,) = parse_trees([text])
    assert "".join(leaf.word for leaf in tree.leaves()) == "".join(text.split())
    assert Tree.read(str(tree)) is not None or not text.strip()


def test_other_providers_are_named(monkeypatch):
    with pytest.raises(MetricError, match="not by 'stanza'"):
        parse_trees(["It rained."], "stanza")
    with pytest.raises(MissingExtraError, match="pip install benepar"):
        parse_trees(["It rained."], "benepar_en3")
    with pytest.raises(MetricError, match="English alone"):
        parse_trees(["Il pleut."], language="fr")


def test_a_file_that_is_no_network_is_refused(tmp_path):
    with pytest.raises(MetricError, match="gistmeter train trees"):
        load_tree_network(tmp_path / "none.safetensors")
    file = tmp_path / "x.safetensors"
    file.write_bytes(b"nothing")
    with pytest.raises(MetricError, match="not a safetensors file"):
        load_tree_network(file)
