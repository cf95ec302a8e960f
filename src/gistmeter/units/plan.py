"""Who writes the units of which sentence: the easy ones a machine, the others people, and what that costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.units.easiness import easiness_of
from gistmeter.units.mix import easiest, placed
from gistmeter.units.splitting import reference_sentences
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example

SHARES = tuple(number / 10 for number in range(11))


@dataclass(frozen=True, slots=True)
class Planned:
    """A reference sentence: how easy it is for a machine, who writes its units, and how many people wrote so far."""

    document: str
    sentence: int
    text: str
    easiness: float
    by_machine: bool
    units: int | None
    """None where the document has no units yet."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a share of sentences by machine leaves to people, and how close all units together would be to people's."""

    share: float
    sentences: int
    units: int | None
    expected: float
    """The mean easiness, where a sentence left to people counts 1."""


def planned(
    examples: Iterable[Example], share: float = 0.5, *, regressor: str = EMBEDDED, parser: str = EMBEDDED
) -> list[Planned]:
    """The reference sentences of all documents, each document once, the hardest first.

    >>> from gistmeter.example import Example
    >>> text = "It rained. The mayor, who had been ill for months, said on Monday that he would resign and leave."
    >>> example = Example(doc_id="d", system="s", summary="x", references=(text,))
    >>> [(one.sentence, one.by_machine) for one in planned([example])]
    [(1, False), (0, True)]
    """
    if not 0 <= share <= 1:
        raise DataError(f"the share of sentences by machine is between 0 and 1, not {share}")
    documents: dict[str, Example] = {}
    for one in examples:
        documents.setdefault(one.doc_id, one)
    texts = {key: reference_sentences(one.references, one.language) for key, one in documents.items()}
    if not any(texts.values()):
        raise DataError("no document has a reference: there is no sentence to plan for")
    languages = {key: one.language for key, one in documents.items()}
    easy = easiness_of(texts, languages, regressor=regressor, parser=parser)
    chosen = easiest(easy, share)
    counts = {
        key: Counter(unit.sentence for unit in placed(one.units, texts[key], of=key)) for key, one in documents.items()
    }
    found = [
        Planned(key, place, text, easy[key][place], (key, place) in chosen, counts[key][place] if counts[key] else None)
        for key in documents
        for place, text in enumerate(texts[key])
    ]
    return sorted(found, key=lambda one: one.easiness)


def costs(plan: Sequence[Planned], shares: Sequence[float] = SHARES) -> list[Cost]:
    """What people have to do at each share; units are counted where every document has some."""
    known = all(one.units is not None for one in plan)
    ranked = sorted(plan, key=lambda one: -one.easiness)  # of equals the earlier ones first, as `easiest` takes them
    found = []
    for share in shares:
        taken = ranked[: round(share * len(plan))]
        left = ranked[len(taken) :]
        expected = (len(left) + sum(one.easiness for one in taken)) / len(plan)
        found.append(Cost(share, len(left), sum(one.units or 0 for one in left) if known else None, expected))
    return found
