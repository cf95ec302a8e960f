"""WordNet: which English words share a meaning, from the database files of a WordNet that is installed.

gistmeter ships no WordNet. It reads `index.*` and `*.exc` of any version (Debian: `apt-get install
wordnet-base`; NLTK: `nltk.download("wordnet")`) from, in this order: the folder in GISTMETER_WORDNET (`none`
switches WordNet off), the folder in WNSEARCHDIR, /usr/share/wordnet, and NLTK's data folders, where it may
also be zipped.
"""

from __future__ import annotations

import functools
import os
import re
import sys
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    Folder = Path | zipfile.Path

_PARTS = ("noun", "verb", "adj", "adv")
_ENDINGS = {
    "noun": (
        ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""The endings that WordNet's own lemmatizer, morphy, takes off a word, and what it puts there instead."""

MAX_CACHED_WORDS = 100_000


class WordNet:
    """The meanings (synsets) of English words. Word forms are led back to the forms WordNet lists."""

    def __init__(self, folder: Folder) -> None:
        texts = {
            name: folder.joinpath(name).read_bytes()
            for part in _PARTS
            for name in (f"index.{part}", f"{part}.exc")
            if folder.joinpath(name).is_file()
        }
        self._index = {part: _parse_index(_decode(texts[f"index.{part}"])) for part in _PARTS}
        self._irregular = {part: _parse_exceptions(_decode(texts.get(f"{part}.exc", b""))) for part in _PARTS}
        version = re.search(rb"WordNet (\d+(?:\.\d+)*)", texts["index.noun"][:2000])
        digest = functools.reduce(lambda crc, name: zlib.crc32(texts[name], crc), sorted(texts), 0)
        self.version = f"{version[1].decode() if version else 'unknown'}-{digest:08x}"
        """The version its files name, and a checksum of them: two copies of one version can differ."""
        self._cache: dict[str, frozenset[str]] = {}

    def synsets(self, word: str) -> frozenset[str]:
        """The meanings of a lower-case word in any part of speech."""
        synsets = self._cache.get(word)
        if synsets is None:
            if len(self._cache) > MAX_CACHED_WORDS:
                self._cache.clear()
            synsets = self._cache[word] = frozenset(self._look_up(word))
        return synsets

    def are_synonyms(self, word: str, other: str) -> bool:
        """Whether two words share a meaning."""
        return not self.synsets(word).isdisjoint(self.synsets(other))

    def _look_up(self, word: str) -> Iterator[str]:
        for part in _PARTS:
            for lemma in self._lemmas(word, part):
                entry = self._index[part][lemma].split()
                yield from (f"{part}{offset}" for offset in entry[-int(entry[1]) :])

    def _lemmas(self, word: str, part: str) -> set[str]:
        forms = self._irregular[part].get(word)
        if forms is None:
            forms = [
                word[: len(word) - len(ending)] + instead for ending, instead in _ENDINGS[part] if word.endswith(ending)
            ]
        return {form for form in (word, *forms) if form in self._index[part]}


def load_wordnet() -> WordNet | None:
    """The WordNet that is installed, or None."""
    folder = find_wordnet()
    return None if folder is None else _read_wordnet(folder)


def find_wordnet() -> str | None:
    """Where WordNet is: a folder, or a zip file with a folder `wordnet` in it; None where it is not."""
    chosen = os.environ.get("GISTMETER_WORDNET", "")
    if chosen.lower() == "none":
        return None
    if chosen:
        if not _has_index(chosen):
            raise DataError(
                f"GISTMETER_WORDNET is {chosen}, which has no index.noun, .verb, .adj and .adv; "
                "name a folder with WordNet's database files, or none"
            )
        return chosen
    return next((path for path in _usual_folders() if _has_index(path)), None)


def _usual_folders() -> Iterator[str]:
    yield from filter(None, [os.environ.get("WNSEARCHDIR")])
    yield "/usr/share/wordnet"
    folders = [folder for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    folders += [f"{home}/nltk_data" for home in (Path("~").expanduser(), sys.prefix)]
    for root in (sys.prefix, "/usr", "/usr/local"):
        folders += [f"{root}/share/nltk_data", f"{root}/lib/nltk_data"]
    for folder in folders:
        yield from (f"{folder}/corpora/wordnet", f"{folder}/corpora/wordnet.zip")


def _has_index(path: str) -> bool:
    return all(_open_folder(path).joinpath(f"index.{part}").is_file() for part in _PARTS)


def _open_folder(path: str) -> Folder:
    if path.endswith(".zip") and zipfile.is_zipfile(path):
        return zipfile.Path(path, "wordnet/")
    return Path(path)


@functools.lru_cache(maxsize=4)
def _read_wordnet(path: str) -> WordNet:
    return WordNet(_open_folder(path))


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def _parse_index(text: str) -> dict[str, str]:
    """From lemma to the rest of its line, which is taken apart only when asked for."""
    lines = (line.partition(" ") for line in text.splitlines() if line and not line.startswith(" "))
    return {lemma: rest for lemma, _, rest in lines}


def _parse_exceptions(text: str) -> dict[str, list[str]]:
    """From irregular form to its base forms."""
    irregular: dict[str, list[str]] = {}
    for line in text.splitlines():
        form, *bases = line.split()
        irregular.setdefault(form, []).extend(bases)
    return irregular
