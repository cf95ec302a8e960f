"""Baselines: what sentences that have nothing to do with each other score, by layer, so that it can be called 0."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.io.atomic import explain_failure, write_bytes
from gistmeter.models.encoder.home import find_home
from gistmeter.models.encoder.idf import EvenWeights, load_background_weights
from gistmeter.models.encoder.matching import find_best_cosines, weighted_mean
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.encoder.encoder import Encoder


BaselineIdf = Literal["none", "background"]
_HEAD = ("model", "weights", "language", "idf", "pairs", "texts")
_COLUMNS = ("precision", "recall", "f1")
_BATCH_SENTENCES = 256
_MIN_SENTENCES = 100
"""Sentences from which a baseline may be made."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Mean precision, recall and F of unrelated sentences at some layers of one model."""

    model: str
    weights: str
    language: str
    idf: str
    pairs: int
    texts: str
    layers: Mapping[int, tuple[float, ...]]

    def at(self, layer: int) -> FloatArray:
        """Precision, recall and F at a layer."""
        if layer not in self.layers:
            present = ", ".join(map(str, sorted(self.layers)))
            raise MetricError(f"the baseline of {self.model} has no layer {layer} (it has {present})")
        return np.array(self.layers[layer])

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits over the numbers."""
        return hashlib.blake2b(repr(sorted(self.layers.items())).encode(), digest_size=4).hexdigest()

    def text(self) -> str:
        """The file that `read_baseline` reads: TOML."""
        head = {key: getattr(self, key) for key in _HEAD}
        lines = [f"{key} = {_quote(value)}" for key, value in head.items()]
        for layer, values in sorted(self.layers.items()):
            lines += ["", "[[layers]]", f"layer = {layer}"]
            lines += [f"{name} = {value:.6f}" for name, value in zip(_COLUMNS, values, strict=True)]
        return "\n".join(lines) + "\n"

    def write(self, path: Path | None = None) -> Path:
        """Write it to a file, by default to where `find_baseline` looks."""
        path = path or find_baseline_folder() / _file_name(self.model, self.language, self.idf)
        with explain_failure(f"cannot write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, self.text().encode())
        return path


def compute_baseline(
    encoder: Encoder,
    texts: Sequence[str],
    layers: Sequence[int],
    seed: int = 0,
    *,
    idf: BaselineIdf = "none",
    language: str = "en",
    about: str = "",
) -> Baseline:
    """The baseline from sentences paired at random, each with another one, each once on either side."""
    sentences = [text for text in dict.fromkeys(texts) if text.strip()]
    if len(sentences) < _MIN_SENTENCES:
        raise DataError(f"a baseline needs at least {_MIN_SENTENCES} different sentences, not {len(sentences)}")
    order = np.random.default_rng(seed).permutation(len(sentences))
    weights = EvenWeights() if idf == "none" else load_background_weights(encoder.location, language)
    sums = {layer: np.zeros(3) for layer in layers}
    pairs = 0
    for first in range(0, len(order), _BATCH_SENTENCES):
        rows = [*order[first : first + _BATCH_SENTENCES], order[(first + _BATCH_SENTENCES) % len(order)]]
        encodings = encoder.encode([sentences[row] for row in rows], layers)
        with_words = [encoded for encoded in encodings if not encoded.special.all()]
        for left, right in pairwise(with_words):
            pairs += 1
            for layer in layers:
                states = (scale_to_unit_length(encoded.states[layer]) for encoded in (left, right))
                left_cosines, right_cosines = find_best_cosines(*states)
                precision = weighted_mean(left_cosines, weights(left))
                recall = weighted_mean(right_cosines, weights(right))
                sums[layer] += precision, recall, 2 * precision * recall / (precision + recall)
    means = {layer: tuple((total / pairs).tolist()) for layer, total in sums.items()}
    return Baseline(
        model=encoder.name,
        weights=encoder.digest,
        language=language_code(language),
        idf=idf,
        pairs=pairs,
        texts=about,
        layers=means,
    )


def find_baseline(which: str, model: str, *, language: str = "en", idf: BaselineIdf = "none") -> Baseline:
    """The baseline asked for: `rescale` for the one kept for model and language, or a file (TOML, or bert-score's)."""
    if which != "rescale":
        baseline = _read(Path(which).expanduser())
        if baseline.weights not in ("", locate(model).digest):  # bert-score's own files do not say
            raise MetricError(f"the baseline {which} was made with {baseline.model}; the weights of {model} are others")
        return baseline
    code = language_code(language)
    stored = read_stored_baselines(model, idf=idf)
    if code not in stored:
        raise MetricError(
            f"there is no baseline for {model} (language {code}, idf={idf}) in {find_baseline_folder()}: "
            "make one with `gistmeter models baseline`, or leave baseline=rescale out"
        )
    return stored[code]


def read_stored_baselines(model: str, *, idf: BaselineIdf = "none") -> dict[str, Baseline]:
    """The baselines kept for a model, by language: the user's own, and those that come with gistmeter.

    >>> sorted(read_stored_baselines("embedded"))
    ['en']
    """
    checkpoint = locate(model)
    shipped = Path(str(files("gistmeter.models.encoder") / "baseline_tables"))
    by_language: dict[str, Baseline] = {}
    for folder in (shipped, find_baseline_folder()):  # the user's own stand in for those that are shipped
        for file in sorted(folder.glob(_file_name(checkpoint.name, "*", idf))):
            baseline = _read(file)
            if baseline.weights in ("", checkpoint.digest):  # bert-score's own figures do not say of which weights
                by_language[baseline.language] = baseline
    return by_language


def find_baseline_folder() -> Path:
    """Where the user's own baselines are kept."""
    return find_home() / "baselines"


def read_baseline(path: Path) -> Baseline:
    """A baseline from its file: TOML as `Baseline.write` leaves it, or a table of bert-score's (LAYER,P,R,F)."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        raise MetricError(f"there is no baseline {path}: make one with `gistmeter models baseline`") from None
    try:
        if path.suffix in (".tsv", ".csv"):
            rows = [line.split(",") for line in text.splitlines()[1:] if line.strip()]
            table = {int(layer): (float(p), float(r), float(f)) for layer, p, r, f in rows}
            return Baseline(
                model=path.stem, weights="", language=path.parent.name, idf="none", pairs=0, texts="", layers=table
            )
        stored: dict[str, Any] = tomllib.loads(text)
        values = {int(row["layer"]): tuple(float(row[name]) for name in _COLUMNS) for row in stored["layers"]}
        return Baseline(**{key: stored[key] for key in _HEAD}, layers=values)
    except (ValueError, KeyError, TypeError):
        raise MetricError(f"{path} is no baseline: make one with `gistmeter models baseline`") from None


@functools.lru_cache(maxsize=16)
def _read(path: Path) -> Baseline:
    return read_baseline(path)


def _file_name(model: str, language: str, idf: str) -> str:
    """The file of a baseline.

    >>> _file_name("google/pegasus-xsum", "en", "none")
    'google--pegasus-xsum.en.none.toml'
    """
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '--', model).strip('-')}.{language}.{idf}.toml"


def _quote(value: object) -> str:
    return str(value) if isinstance(value, int) else json.dumps(str(value), ensure_ascii=False)
