"""The search in one document: how it may go, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.probe.search.candidates import Candidates
from gistmeter.probe.search.scoring import DEFAULT_SHORTLIST, ChoiceScores
from gistmeter.probe.search.strategies import Found, Search, search_extracts
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.probe.target import Target

DEFAULT_SENTENCES = 3
"""Sentences of an extract at most, where nothing is said of its length; as in the thesis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How long extracts may be, and how they are searched.

    Without `sentences` and `words` an extract has at most three sentences; with `words` alone as many as fit.
    """

    search: Search = "greedy"
    sentences: int | None = None
    words: int | None = None
    beam: int = 4
    shortlist: int = DEFAULT_SHORTLIST
    first_words: int | None = None

    def __post_init__(self) -> None:
        check_choice("search", self.search, Search)
        for name in ("sentences", "words", "beam", "shortlist", "first_words"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ArgumentError(f"`{name}` is at least 1, not {value}")

    @property
    def most_sentences(self) -> int | None:
        """How many sentences an extract may have; None where words alone limit it."""
        return DEFAULT_SENTENCES if self.sentences is None and self.words is None else self.sentences

    def describe(self) -> dict[str, str]:
        """The settings that decide what is found, as text."""
        settings = {
            "search": self.search,
            "sentences": self.most_sentences,
            "words": self.words,
            "first_words": self.first_words,
        }
        if self.search == "beam":
            settings["beam"] = self.beam
        if self.search != "exact":
            settings["shortlist"] = self.shortlist
        return {name: "any" if value is None else str(value) for name, value in settings.items()}

    def list_candidates(self, source: SourceDocument) -> Candidates:
        """The sentences of a document that may be chosen."""
        return Candidates.of(
            source.first.document or "",
            language=source.first.language,
            most_sentences=self.most_sentences,
            most_words=self.words,
            first_words=self.first_words,
        )


def search_document(
    target: Target, source: SourceDocument, candidates: Candidates, options: SearchOptions
) -> Found | None:
    """The best extract of a document; None where there is nothing to choose, or nothing with a score."""
    if not candidates.extend(()):
        return None
    shortlist = None if options.search == "exact" else options.shortlist
    scores = ChoiceScores(target, source, candidates, shortlist=shortlist)
    return search_extracts(candidates, scores, search=options.search, beam=options.beam)
