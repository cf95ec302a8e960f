"""Training the tree network: what is read, what is left out, how brackets are counted, and that it learns."""

import json

import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.trees.network import load_tree_network
from gistmeter.linguistics.trees.parser import make_trees
from gistmeter.linguistics.trees.phrase_tree import Tree
from gistmeter.training.match_counts import MatchCounts
from gistmeter.training.trees.bank import count_brackets, read_trees
from gistmeter.training.trees.recipe import TreesData, TreesRecipe
from gistmeter.training.trees.training import train_trees

pytestmark = pytest.mark.more

LINES = (
    "(ROOT (S (NP-SBJ (DT The) (NN cat)) (VP (VBZ sleeps) (PP-LOC (IN in) (NP (DT the) (NN house)))) (. .)))",
    "(ROOT (S (NP-SBJ (DT A) (NN dog)) (VP (VBD saw) (NP (DT the) (JJ old) (NN cat))) (. .)))",
)


def written(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def test_relative_pronouns_and_brackets_are_penns(tmp_path):
    line = "(NP (NP (NN man)) (SBAR (NP-SBJ (WP who)) (S (VP (VBD left) (-LRB- -LRB-)))))"
    (tree,) = read_trees(written(tmp_path / "a.txt", [line]))
    assert str(tree) == line.replace("NP-SBJ", "WHNP")
    assert [leaf.word for leaf in tree.leaves()] == ["man", "who", "left", "("]


def test_brackets_in_common_by_hand():
    gold = Tree.read("(ROOT (S (NP (PRP It)) (VP (VBD rained) (NP (NN today))) (. .)))")
    tree = Tree.read("(S (NP (PRP It)) (VP (VBD rained)) (ADVP (NN today)) (. .))")
    # gold: NP 0-1, NP 2-3, VP 1-3, S; made: NP 0-1, VP 1-2, ADVP 2-3, S; in common NP and S
    assert count_brackets([tree], [gold]) == MatchCounts(predicted=4, annotated=4, matched=2)


def test_what_the_annotation_calls_punctuation_counts_for_both():
    gold = Tree.read("(S (NP (NN Rain)) (: -))")
    tree = Tree.read("(S (NP (NN Rain) (HYPH -)))")
    assert count_brackets([tree], [gold]) == MatchCounts(predicted=2, annotated=2, matched=2)


def test_it_learns_and_writes_a_card(tmp_path):
    data = written(tmp_path / "train.txt", LINES * 30)
    documents = tmp_path / "docs.json"
    provenance = {"licence": "CC BY 4.0", "trees": 40}
    others = [{"licence": "CC BY-NC-SA 4.0", "nc": True, "trees": 15}, {"licence": "not stated", "trees": 5}]
    documents.write_text(json.dumps({"train": [provenance, *others]}), "utf-8")
    test = written(tmp_path / "test.txt", LINES)
    trained = train_trees(
        tmp_path / "x.safetensors",
        TreesData(data=str(data), documents=str(documents), test=(str(test),)),
        recipe=TreesRecipe(bits=10, hidden=8, epochs=5, rate=2e-2, batch=32),
    )
    assert len(trained.trees.allowed) == 40
    assert trained.trees.left_out == {"CC BY-NC-SA 4.0": 15, "not stated": 5}
    assert trained.figures["test"].brackets.f1 == 1
    assert "| test | 2 | 1.000 | 1.000 | 1.000 | 1.000 |" in trained.card.read_text("utf-8")
    network = load_tree_network(trained.file)
    (tree,) = make_trees([load_parser().nlp.make_doc("The dog sleeps in the house.")], network)
    assert tree.brackets() == Tree.read(LINES[0]).brackets()


def test_bad_files_are_refused(tmp_path):
    data = written(tmp_path / "train.txt", LINES)
    with pytest.raises(DataError, match=r"\.safetensors file"):
        train_trees(tmp_path / "x.json", TreesData(data=str(data)))
    with pytest.raises(DataError, match=r"line 2 of bad\.txt"):
        read_trees(written(tmp_path / "bad.txt", [LINES[0], "(S (NP"]))
    documents = tmp_path / "docs.json"
    documents.write_text('{"train": [{"licence": "CC BY 4.0", "trees": 3}]}', "utf-8")
    with pytest.raises(DataError, match="speaks of 3 trees, but there are 2"):
        train_trees(tmp_path / "x.safetensors", TreesData(data=str(data), documents=str(documents)))
    documents.write_text("{}", "utf-8")
    with pytest.raises(DataError, match="is not a file of licences"):
        train_trees(tmp_path / "x.safetensors", TreesData(data=str(data), documents=str(documents)))
