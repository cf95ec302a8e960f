"""The embedded coreference against annotated texts (GUM, GENTLE) and pronouns (GAP)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.page import Table
from bench.figures.runs import DATA
from gistmeter.linguistics.coreference.resolver import find_clusters, load_linker
from gistmeter.linguistics.parser import load_parser
from gistmeter.training.coreference.texts import parse_texts, read_pronouns, read_texts
from gistmeter.training.coreference.training import measure_clusters, measure_pronouns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.linguistics.roles.labeller import LabelledSentence

_NAMES = {"dev": "GUM, dev", "test": "GUM, test", "test2": "GENTLE (other genres)"}
_TEXT = """F1 of clusters in the manner of OntoNotes, with the words and sentences of the annotation given and mentions
found by the rules. CoNLL is the mean of MUC, B3 and CEAFe; the last columns are precision and recall of MUC's links."""
_PRONOUNS = """GAP: which of two names in a paragraph of Wikipedia a pronoun means (test, 2,000 pronouns)."""


def tables() -> Iterator[Table]:
    """The two tables, measured."""
    network = load_linker()
    texts = read_texts(DATA / "linguistic" / "coref.jsonl.gz")
    rows: list[list[str | float]] = []
    for split, name in _NAMES.items():
        some = [text for text in texts if text.split == split]
        one = measure_clusters(some, parse_texts(some), network)
        rows.append([name, one.muc.f1, one.b3.f1, one.ceafe.f1, one.conll, one.muc.precision, one.muc.recall])
    header = ["texts", "MUC", "B3", "CEAFe", "CoNLL", "precision", "recall"]
    yield Table("Coreference against annotated clusters", _TEXT, header, rows)
    asked = [one for one in read_pronouns(DATA / "linguistic" / "gap.jsonl.gz") if one.split == "test"]
    found = measure_pronouns(asked, load_parser().parse([one.text for one in asked], entities=True), network)
    parts = (("all", found.all), ("men", found.male), ("women", found.female))
    ratios: list[list[str | float]] = [[who, one.precision, one.recall, one.f1] for who, one in parts]
    text = f"{_PRONOUNS} Both names are judged right for {100 * found.accuracy:.1f}%."
    yield Table("Pronouns and names", text, ["pronouns", "precision", "recall", "F1"], ratios)


def clusters_of_roles(sentences: Sequence[LabelledSentence]) -> list[list[tuple[int, int]]]:
    """The embedded clusters of sentences that are already words, for `pyramid_units.tables`."""
    return find_clusters(["".join(map("".join, zip(one.words, one.spaces, strict=True))) for one in sentences])
