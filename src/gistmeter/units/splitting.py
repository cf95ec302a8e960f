"""The sentences of references, which content units are counted by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.text.sentences import resolve_rule, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence


def reference_sentences(references: Sequence[str], language: str = "en") -> list[str]:
    """The sentences of all references in order: lines where a reference has several, else what the splitter finds.

    >>> reference_sentences(["It rained. Ann left.", "Rain fell."])
    ['It rained.', 'Ann left.', 'Rain fell.']
    """
    return [one for text in references for one in sentences(text, resolve_rule("auto", text), language)]
