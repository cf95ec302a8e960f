"""Baselines made from a user's text: sentences read, every layer measured, files written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.files import open_bytes
from gistmeter.models.encoder.baselines import BaselineIdf, compute_baseline
from gistmeter.models.encoder.encoder import choose_encoder, load_encoder
from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.encoder.baselines import Baseline

_MIN_SENTENCE_WORDS = 3


@dataclass(frozen=True, slots=True)
class WrittenBaseline:
    """A baseline, and the file it was written to."""

    baseline: Baseline
    path: Path


def make_baselines(
    model: str,
    text: str | Path,
    *,
    layers: Sequence[int] | None = None,
    idf: BaselineIdf | None = None,
    language: str = "en",
    sentences: int = 10_000,
    seed: int = 0,
    output: str | Path | None = None,
) -> list[WrittenBaseline]:
    """Measure what unrelated sentences score with a model, and write it for `bertscore(baseline=rescale)`.

    Parameters
    ----------
    model
        embedded, a folder or a Hugging Face name.
    text
        A file of text to take sentences from, gzipped or not.
    layers
        Which layers; by default all.
    idf
        The weights of tokens that the baseline is for, `none` or `background`; by default one baseline for each.
    language
        Of the text.
    sentences
        At most so many sentences, spread over the text.
    seed
        Of the pairing.
    output
        Where to write; by default where `bertscore(baseline=rescale)` looks. One file holds one baseline, so that
        `idf` is needed then.

    Raises
    ------
    ArgumentError
        If there is an output for more than one baseline.
    DataError
        If the text is not in UTF-8 or has too few sentences.
    """
    if output is not None and idf is None:
        raise ArgumentError("a file holds one baseline: say which with `idf=none` or `idf=background`")
    if output is not None:
        check_output(output, [text])
    texts = read_sentences(text, language, most=sentences)
    encoder = load_encoder(choose_encoder(model, language, "bertscore"))
    chosen = list(layers or range(encoder.depth + 1))
    encoder.check_layers(chosen)
    kinds: tuple[BaselineIdf, ...] = get_args(BaselineIdf) if idf is None else (idf,)
    baselines = [
        compute_baseline(encoder, texts, chosen, seed, idf=kind, language=language, about=Path(text).name)
        for kind in kinds
    ]
    path = None if output is None else Path(output)
    return [WrittenBaseline(baseline, baseline.write(path)) for baseline in baselines]


def read_sentences(path: str | Path, language: str, *, most: int) -> list[str]:
    """At most `most` distinct sentences of at least three words from a text file, spread over all of it."""
    with open_bytes(str(path)) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except (UnicodeDecodeError, OSError, EOFError) as error:
            raise DataError(f"{path} is not a text file in UTF-8: {error}") from None
    distinct = dict.fromkeys(split_sentences(text, "split", language))
    long_enough = [sentence for sentence in distinct if _is_long_enough(sentence)]
    step = max(1, -(-len(long_enough) // most))
    return long_enough[::step]


def _is_long_enough(sentence: str) -> bool:
    """Whether a sentence has three words, or, in a script without spaces, characters enough for them."""
    if len(sentence.split()) >= _MIN_SENTENCE_WORDS:
        return True
    return not sentence.isascii() and len(sentence) > 2 * _MIN_SENTENCE_WORDS
