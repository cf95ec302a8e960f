"""Salience by words: noun phrases or named entities that stand in a reference, each where the document first has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.phrases import find_phrases
from gistmeter.qa.compare import normalize_answer
from gistmeter.summarize.spans import DocumentSpans, Span, StatedPhrase
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.phrases import PhraseKind
    from gistmeter.summarize.documents import Source


def label_by_words(source: Source, kind: PhraseKind, method: str) -> DocumentSpans:
    """The first occurrence of each phrase whose words, without articles, stand in a reference one after the other."""
    phrases = find_document_phrases(source.document, kind)
    references = [ReferenceWords(text) for text in source.references]
    spans: dict[tuple[str, ...], Span] = {}
    for start, end in phrases:
        words = tuple(normalize_answer(source.document[start:end]).split())
        if not words or words in spans:
            continue
        stated = tuple(
            phrase for number, reference in enumerate(references) if (phrase := reference.find(words, number))
        )
        if stated:
            spans[words] = Span(start=start, end=end, text=source.document[start:end], stated=stated)
    return DocumentSpans(doc_id=source.doc_id, spans=tuple(spans.values()), method=method, candidates=len(phrases))


def find_document_phrases(document: str, kind: PhraseKind = "chunks") -> list[tuple[int, int]]:
    """The phrases of a document by characters, found sentence by sentence as questions are asked."""
    sentences = find_sentences(document)
    docs = load_parser().parse([document[start:end] for start, end in sentences], entities=True)
    return [
        (start + phrase.start_char, start + phrase.end_char)
        for (start, _), doc in zip(sentences, docs, strict=True)
        for phrase in find_phrases(doc, kind)
    ]


class ReferenceWords:
    """The words of a reference as answers are compared, each with where it stands."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: list[tuple[str, int, int]] = []
        for start, end in find_text_pieces(text):
            self._words += [(word, start, end) for word in normalize_answer(text[start:end]).split()]

    def find(self, words: Sequence[str], number: int) -> StatedPhrase | None:
        """The first place where these words stand one after the other."""
        own = [word for word, _, _ in self._words]
        for first in range(len(own) - len(words) + 1):
            if own[first : first + len(words)] == list(words):
                start, end = self._words[first][1], self._words[first + len(words) - 1][2]
                while end > start and not self._text[end - 1].isalnum():
                    end -= 1
                return StatedPhrase(reference=number, start=start, end=end, text=self._text[start:end])
        return None


def find_text_pieces(text: str) -> list[tuple[int, int]]:
    """The pieces of a text between white space."""
    pieces, start = [], 0
    for piece in text.split():
        start = text.index(piece, start)
        pieces.append((start, start + len(piece)))
        start += len(piece)
    return pieces
