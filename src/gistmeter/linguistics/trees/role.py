"""Phrase-structure trees as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.network_role import make_network_role

if TYPE_CHECKING:
    from gistmeter.linguistics.trees.network import TreeNetwork


def _load() -> TreeNetwork:
    from gistmeter.linguistics.trees.network import load_tree_network

    return load_tree_network()


def _check(model: TreeNetwork) -> str:
    from gistmeter.linguistics.parser import load_parser
    from gistmeter.linguistics.trees.parser import make_trees

    (tree,) = make_trees([load_parser().nlp.make_doc("The cat sleeps.")], model)
    expected = "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (. .))"
    return "" if str(tree) == expected else f"reads 'The cat sleeps.' as {tree}"


ROLES = (
    make_network_role(
        __file__,
        name="trees",
        about="Phrase-structure trees from the dependency parse.",
        trained_on="GUM (Zeldes, 2017)",
        by_name="a model of benepar",
        load=_load,
        check=_check,
    ),
)
