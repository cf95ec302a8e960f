"""Misplaced facts: names and numbers that the document has, but in another sentence than the rest of a claim.

"A judge in Bergen will hear the case" has only words of a document in which a judge in Leeds will hear it and the goods
came from Bergen. The sentence that has most of the claim lacks the name, and has another in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gistmeter.linguistics.contrasts.statements import read_statement
from gistmeter.models.consistency.rarity import measure_rarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.contrasts.statements import Number, Statement, Token
    from gistmeter.models.consistency.features import DocumentWords


class Misplaced(NamedTuple):
    """How much else of the claim its sentence has, squared, where a name or a number is misplaced; else 0."""

    names: float
    numbers: float


def find_misplaced(document: DocumentWords, claim: str) -> Misplaced:
    """Whether names and numbers of a claim stand elsewhere in the document than the rest of it.

    >>> from gistmeter.models.consistency.features import DocumentWords
    >>> from gistmeter.models.consistency.passages import split_document
    >>> words = DocumentWords.of(split_document("The fish came from Bergen. A judge in Leeds will hear the case."))
    >>> find_misplaced(words, "A judge in Bergen will hear the case.")
    Misplaced(names=1.0, numbers=0.0)
    >>> find_misplaced(words, "A judge in Leeds will hear the case.")
    Misplaced(names=0.0, numbers=0.0)
    """
    statement = read_statement(claim)
    content = [token for token in statement.tokens if token.is_content]
    if not document.statements or not content:
        return Misplaced(0.0, 0.0)
    best = _find_sentence(document, content)
    sentence, stems = document.statements[best], document.sentence_stems[best]
    names = {token.stem for token in content if _is_name(token, document)}
    rest = {token.stem for token in content} - names
    share = len(rest & stems) / len(rest) if rest else 0.5
    stated = {token.stem for token in statement.tokens}
    has_other = any(_is_name(token, document) and token.stem not in stated for token in sentence.tokens)
    is_elsewhere = has_other and any(name not in stems and name in document.stems for name in names)
    return Misplaced(
        names=share**2 if is_elsewhere else 0.0,
        numbers=share**2 if _has_number_elsewhere(statement, sentence, document.numbers) else 0.0,
    )


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


def _has_number_elsewhere(statement: Statement, sentence: Statement, in_document: Sequence[Number]) -> bool:
    """Whether a number of the claim stands in the document, and not in the sentence, which has another of its kind."""
    others = [
        number for number in sentence.numbers if not any(number.agrees_with(stated) for stated in statement.numbers)
    ]
    return any(
        any(number.agrees_with(other) for other in in_document)
        and not any(number.agrees_with(own) for own in sentence.numbers)
        and any(other.kind == number.kind for other in others)
        for number in statement.numbers
    )
