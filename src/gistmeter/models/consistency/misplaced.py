"""Misplaced names: those that the document has, but in another sentence than the rest of a claim.

"A judge in Bergen will hear the case" has only words of a document in which a judge in Leeds will hear it and the goods
came from Bergen. The sentence that has most of the claim lacks the name, and has another in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.statements import read_statement
from gistmeter.models.consistency.rarity import measure_rarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.contrasts.statements import Token
    from gistmeter.models.consistency.features import DocumentWords


def weigh_misplaced_names(document: DocumentWords, claim: str) -> float:
    """How much else of a claim its sentence has (squared) if a name of it stands elsewhere in the document; else 0.

    >>> from gistmeter.models.consistency.features import DocumentWords
    >>> from gistmeter.models.consistency.passages import split_document
    >>> words = DocumentWords.of(split_document("The fish came from Bergen. A judge in Leeds will hear the case."))
    >>> [weigh_misplaced_names(words, f"A judge in {place} will hear the case.") for place in ("Bergen", "Leeds")]
    [1.0, 0.0]
    """
    statement = read_statement(claim)
    content = [token for token in statement.tokens if token.is_content]
    names = {token.stem for token in content if _is_name(token, document)}
    if not document.statements or not names:
        return 0.0
    best = _find_sentence(document, content)
    sentence, stems = document.statements[best], document.sentence_stems[best]
    stated = {token.stem for token in statement.tokens}
    has_other = any(_is_name(token, document) and token.stem not in stated for token in sentence.tokens)
    if not has_other or not any(name not in stems and name in document.stems for name in names):
        return 0.0
    rest = {token.stem for token in content} - names
    return (len(rest & stems) / len(rest) if rest else 0.5) ** 2


def _find_sentence(document: DocumentWords, content: Sequence[Token]) -> int:
    """The sentence that has most content words of a claim, rare ones counting more; of equal ones the first."""
    weights = {token.stem: 1.0 + measure_rarity(token.lower) for token in content}
    covered = [
        round(sum(weight for stem, weight in weights.items() if stem in stems), 9) for stems in document.sentence_stems
    ]
    return max(range(len(covered)), key=lambda number: (covered[number], -number))


def _is_name(token: Token, document: DocumentWords) -> bool:
    """Whether a word is a name: the first of a sentence is one if the document has it as a name within a sentence."""
    return token.is_content and token.text[0].isupper() and (token.is_name or token.stem in document.names)
