"""METEOR 1.5: matches weighted by how they were made and by what the words carry, with parameters of the language."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.long_texts import check_word_pairs
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.overlap.alignment import align_related
from gistmeter.metrics.overlap.meteor import MAX_WORD_PAIRS
from gistmeter.metrics.overlap.paraphrases import PhraseMatch, match_phrases, read_paraphrases
from gistmeter.metrics.settings import Share, Within
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import load_background
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code
from gistmeter.text.stems import get_stemmer, resolve_stem
from gistmeter.text.wordnet import load_wordnet
from gistmeter.text.words import match_words_and_signs, normalize
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

FUNCTION_WORD_SHARE = 1e-3
"""A word that is more frequent than this in general language is a function word (Denkowski and Lavie, 2014)."""

Modules = Literal["auto", "exact", "exact+stem"]


class Parameters(NamedTuple):
    """What a language's scores are computed with."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: Mapping[str, float]


class Match(NamedTuple):
    """A match and the module that made it."""

    words: PhraseMatch
    module: str


class Scored(NamedTuple):
    """The columns of one comparison, and the matches they come from."""

    columns: tuple[float, float, float, float]
    matches: list[Match]


@dataclass(frozen=True, slots=True)
class Meteor15(Metric):
    """METEOR 1.5, also METEOR Universal (Denkowski and Lavie, 2014): `meteor(version=1.5)` is the same.

    Words match by form, stem, meaning (WordNet, English only, if one is installed) or as paraphrases of a file. All
    ways are tried together: as many matches as there can be, in as few chunks. A match weighs what its module does, and
    a content word `delta` where a function word weighs 1 - delta. P and R are the matched weights by the weights of all
    words of summary and reference. The score is PR / (alpha P + (1 - alpha) R) times 1 - gamma (chunks / matches)^beta;
    one chunk that is both whole texts has no penalty. Of several references the best counts.

    Parameters and weights are those that the authors tuned to rankings of translations, for English, Czech, French,
    Spanish and German; other languages have their `other` ones, and `task=universal` the same for all. A word is a
    function word if it is more than one of a thousand words of general language (there are frequencies of eight
    languages; elsewhere all are content words). Signs are words, as with the authors' option `-norm`, and so is each
    character of a script without blanks (Chinese, Japanese, Thai).

    `paraphrases` names a table: three lines for each pair, a probability and two phrases, as in the files that come
    with METEOR. Without it, and without a WordNet, matches are by form and stem, and scores are lower than its own.

    A summary without words scores 0. A reference without words is left out; without any other reference the scores are
    missing (NaN). Fragmentation is missing when nothing matches.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="Storms hit the city", references="A storm hit the city")
    >>> Meteor15(modules="exact+stem").score([example]).round(4)
    array([[0.4423, 0.88  , 0.8   , 0.25  ]])
    """

    alpha: Share | None = None
    beta: Annotated[float, Within(0, 100)] | None = None
    gamma: Share | None = None
    delta: Share | None = None
    task: Literal["rank", "universal"] = "rank"
    modules: Modules = "auto"
    paraphrases: str | None = None

    name = "meteor1.5"
    paper: ClassVar[str] = "Denkowski and Lavie (2014), Meteor Universal: Language Specific Translation Evaluation"
    needs = frozenset[Need]({"references"})
    columns = (
        Column("meteor", "weighted mean of precision and recall, less the penalty for order"),
        Column("precision", "weighted share of the summary's words matched in the reference"),
        Column("recall", "weighted share of the reference's words matched in the summary"),
        Column("fragmentation", "chunks per matched word: 1 when no two matches stand together", "lower"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """METEOR, precision, recall and fragmentation of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for row, example in enumerate(examples):
            by_reference = [self._compare(example, text).columns for text in example.references if has_tokens(text)]
            if by_reference:
                scores[row] = max(by_reference, key=lambda columns: columns[0])
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, whose parameters were taken, and the modules that it has."""
        code = language_code(example.language)
        parameters = self._choose_parameters(code)
        tuned = self.task if self.task == "universal" else code if code in _read_parameters() else "other"
        return {"language": code, "modules": "+".join(self._list_modules(code, parameters)), "tuned": tuned}

    def facts(self) -> Mapping[str, str]:
        """Which WordNet and which paraphrases there are."""
        present = load_wordnet() if self.modules == "auto" else None
        table = digest_files([Path(self.paraphrases)]) if self.paraphrases and Path(self.paraphrases).is_file() else ""
        return {"wordnet": present.version if present else "none"} | ({"paraphrases": table} if table else {})

    def explain(self, example: Example) -> Evidence | None:
        """The matched words and phrases of the best reference, each with the module that matched it."""
        usable = [position for position, text in enumerate(example.references) if has_tokens(text)]
        if not usable:
            return None
        scored = [self._compare(example, example.references[position]) for position in usable]
        best = max(range(len(usable)), key=lambda number: scored[number].columns[0])
        position, matches = usable[best], scored[best].matches
        left, right = (split_tokens(text, example.language) for text in (example.summary, example.references[position]))
        count = len(example.references)
        panes = (
            Pane(
                "summary",
                left.text,
                _mark_matches(left, [(m.words.left, m.words.left_size, m.module) for m in matches]),
            ),
            Pane(
                f"reference {position + 1} of {count}" if count > 1 else "reference",
                right.text,
                _mark_matches(right, [(m.words.right, m.words.right_size, m.module) for m in matches]),
            ),
        )
        weights = self._choose_parameters(language_code(example.language)).weights
        rows = tuple(
            (module, str(sum(match.module == module for match in matches)), f"{weight:g}")
            for module, weight in weights.items()
        )
        chunks = count_phrase_chunks([match.words for match in matches])
        headline = f"{len(matches)} matches in {chunks} chunks"
        table = Table(("module", "matches", "weight"), rows, "ways to match")
        return Evidence(metric=self.spelling, headline=headline, blocks=(*panes, table))

    def _compare(self, example: Example, reference_text: str) -> Scored:
        code = language_code(example.language)
        parameters = self._choose_parameters(code)
        summary, reference = (list(split_tokens(text, code).words) for text in (example.summary, reference_text))
        check_word_pairs(self.name, [example], [len(summary)], [len(reference)], limit=MAX_WORD_PAIRS)
        matches = self._match(summary, reference, code, parameters)
        if not matches:
            return Scored((0.0, 0.0, 0.0, float("nan")), [])
        weigh = functools.partial(_weigh_word, language=code, delta=parameters.delta)
        summary_weights, reference_weights = [weigh(word) for word in summary], [weigh(word) for word in reference]
        in_summary = in_reference = 0.0
        for (left, right, left_size, right_size), module in matches:
            in_summary += parameters.weights[module] * sum(summary_weights[left : left + left_size])
            in_reference += parameters.weights[module] * sum(reference_weights[right : right + right_size])
        # With delta 0 or 1 one kind of word weighs nothing, and a text of that kind has no weight.
        precision = in_summary / sum(summary_weights) if any(summary_weights) else 0.0
        recall = in_reference / sum(reference_weights) if any(reference_weights) else 0.0
        phrases = [match.words for match in matches]
        matched = (sum(phrase.left_size for phrase in phrases), sum(phrase.right_size for phrase in phrases))
        chunks = count_phrase_chunks(phrases)
        fragmentation = chunks / (sum(matched) / 2)
        whole = chunks == 1 and matched == (len(summary), len(reference))
        penalty = 0.0 if whole else parameters.gamma * fragmentation**parameters.beta
        below = parameters.alpha * precision + (1 - parameters.alpha) * recall
        mean = precision * recall / below if below else 0.0
        return Scored((mean * (1 - penalty), precision, recall, fragmentation), matches)

    def _match(
        self, summary: Sequence[str], reference: Sequence[str], code: str, parameters: Parameters
    ) -> list[Match]:
        """Words paired by any module at once, then paraphrases among those that are left."""
        modules = self._list_modules(code, parameters)
        stem = get_stemmer(resolve_stem("auto", code)) if "stem" in modules else str
        wordnet = load_wordnet() if "synonym" in modules else None

        @functools.cache
        def list_keys(word: str) -> tuple[str, ...]:
            senses = wordnet.synsets(word) if wordnet else ()
            return (f"={word}", f"~{stem(word)}", *sorted(senses))

        def name_module(left: int, right: int) -> str:
            if summary[left] == reference[right]:
                return "exact"
            return "stem" if stem(summary[left]) == stem(reference[right]) else "synonym"

        paired = align_related(summary, reference, list_keys, {})
        matches = [
            Match(PhraseMatch(left=left, right=right), name_module(left, right)) for left, right in paired.items()
        ]
        if self.paraphrases and "paraphrase" in parameters.weights:
            table = read_paraphrases(self.paraphrases)
            phrases = match_phrases(summary, reference, table, paired.keys(), set(paired.values()))
            matches += [Match(phrase, "paraphrase") for phrase in phrases]
        return sorted(matches)

    def _list_modules(self, code: str, parameters: Parameters) -> list[str]:
        """The modules that this language has and that were not switched off."""
        modules = ["exact"]
        if self.modules != "exact" and "stem" in parameters.weights and resolve_stem("auto", code) != "none":
            modules.append("stem")
        if self.modules == "auto" and "synonym" in parameters.weights and load_wordnet():
            modules.append("synonym")
        if self.paraphrases and "paraphrase" in parameters.weights:
            modules.append("paraphrase")
        return modules

    def _choose_parameters(self, code: str) -> Parameters:
        tuned = _read_parameters()
        row = tuned["universal"] if self.task == "universal" else tuned.get(code, tuned["other"])
        return Parameters(
            alpha=row.alpha if self.alpha is None else self.alpha,
            beta=row.beta if self.beta is None else self.beta,
            gamma=row.gamma if self.gamma is None else self.gamma,
            delta=row.delta if self.delta is None else self.delta,
            weights=row.weights,
        )


class Tokens(NamedTuple):
    """A text in lower-case words and signs, and where each stands."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def has_tokens(text: str) -> bool:
    """Whether a text has a word or a sign."""
    return next(match_words_and_signs(text), None) is not None


@functools.lru_cache(maxsize=1024)
def split_tokens(text: str, language: str) -> Tokens:
    """The words and signs of a text; where words are not set apart, each character is one.

    >>> split_tokens("It's 5%.", "en").words
    ('it', "'", 's', '5', '%', '.')
    >>> split_tokens("他走了。", "zh").words
    ('他', '走', '了', '。')
    """
    composed = normalize(text)
    words_and_signs = list(match_words_and_signs(composed))
    lowered = (
        match.group().replace("I", "ı").replace("İ", "i") if language == "tr" else match.group()
        for match in words_and_signs
    )
    return Tokens(
        text=composed,
        words=tuple(word.lower() for word in lowered),
        starts=tuple(match.start() for match in words_and_signs),
        ends=tuple(match.end() for match in words_and_signs),
    )


def count_phrase_chunks(phrases: Sequence[PhraseMatch]) -> int:
    """How many runs matches fall into that follow each other in both texts.

    >>> count_phrase_chunks([PhraseMatch(0, 0, left_size=2), PhraseMatch(2, 1), PhraseMatch(3, 5)])
    2
    """
    chunks, end = 0, (-1, -1)
    for left, right, left_size, right_size in sorted(phrases):
        chunks += (left, right) != end
        end = (left + left_size, right + right_size)
    return chunks


def _weigh_word(word: str, *, language: str, delta: float) -> float:
    return 1 - delta if word in list_function_words(language) else delta


@functools.cache
def list_function_words(language: str) -> frozenset[str]:
    """The words and signs that are more than one in a thousand of a language's; none where there are no counts.

    >>> "the" in list_function_words("en"), "government" in list_function_words("en"), "." in list_function_words("en")
    (True, False, True)
    """
    if language not in WORD_LIST_LANGUAGES:
        return frozenset()
    background = load_background(Analysis(stem="none").in_language(language))
    frequent = {word for word, count in background.counts.items() if count > FUNCTION_WORD_SHARE * background.total}
    return frozenset(frequent | set(".,\"'()-:;?!"))


def _mark_matches(tokens: Tokens, matched: Sequence[tuple[int, int, str]]) -> tuple[Mark, ...]:
    """A mark for each match, in the order of the text; matches of two texts share a group by their number."""
    marks = []
    for group, (first, size, module) in enumerate(matched):
        end = tokens.ends[first + size - 1]
        marks.append(Mark(start=tokens.starts[first], end=end, group=group, note=module))
    return tuple(sorted(marks, key=lambda mark: mark.start))


@functools.cache
def _read_parameters() -> dict[str, Parameters]:
    text = (files("gistmeter.metrics.overlap") / "meteor15.toml").read_text("utf-8")
    tuned = {}
    for name, row in tomllib.loads(text).items():
        alpha, beta, gamma, delta = row["parameters"]
        tuned[name] = Parameters(alpha=alpha, beta=beta, gamma=gamma, delta=delta, weights=row["weights"])
    return tuned
