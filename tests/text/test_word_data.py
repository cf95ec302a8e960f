"""The word data: complete, sorted, clean, and what the sources say."""

from __future__ import annotations

import gzip
import hashlib
import unicodedata
from importlib.resources import files

import pytest

DATA = files("gistmeter.text") / "data"
LANGUAGES = ("de", "en", "es", "fr", "id", "ru", "tr", "zh")


def lines(name: str) -> list[str]:
    text = (DATA / name).read_text("utf-8")
    assert text.endswith("\n")
    return text.removesuffix("\n").split("\n")


def frequencies(language: str) -> list[tuple[str, int]]:
    text = gzip.decompress((DATA / f"frequency/{language}.txt.gz").read_bytes()).decode()
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    return [(word, int(count)) for word, count in rows]


def test_wordnet_exceptions_are_all_there() -> None:
    rows = [line.split("\t") for line in lines("wordnet_exceptions.tsv")]
    words = [word for word, _ in rows]
    assert len(words) == 5930
    assert words == sorted(set(words))
    assert all(field and field == field.lower() and " " not in field for row in rows for field in row)


def test_wordnet_exceptions_take_the_later_file_and_the_first_base_form() -> None:
    table = dict(line.split("\t") for line in lines("wordnet_exceptions.tsv"))
    # adj.exc says best -> good, adv.exc best -> well; noun.exc says is -> is, verb.exc is -> be.
    assert (table["best"], table["better"], table["is"], table["testes"]) == ("well", "well", "be", "testes")
    assert (table["geese"], table["ran"], table["axes"]) == ("goose", "run", "ax")


@pytest.mark.parametrize("name", ["smart", *LANGUAGES])
def test_stop_words_are_clean(name: str) -> None:
    words = lines(f"stopwords/{name}.txt")
    assert words == sorted(set(words))
    assert all(word == word.strip() == word.lower() == unicodedata.normalize("NFC", word) for word in words)
    assert all(words)
    if name != "smart":
        assert 100 <= len(words) <= 350
        assert all(word.isalpha() for word in words)


def test_smart_is_the_list_of_rouge155() -> None:
    words = lines("stopwords/smart.txt")
    assert len(words) == 596  # 598 lines in smart_common_words.txt, where may and would stand twice
    assert {"reuters", "ap", "jan", "'s", "don't", "e.g.", "may", "would", "zero"} <= set(words)
    # sort -u smart_common_words.txt | sha256sum, in the C locale
    digest = hashlib.sha256("".join(f"{word}\n" for word in words).encode()).hexdigest()
    assert digest == "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e"


@pytest.mark.parametrize(
    ("language", "inside", "outside"),
    [
        ("en", "the of s t ll re ve d m don didn would", "said year police one us won"),
        ("fr", "le des l d j qu n s c m t est a", "monde ans deux or président"),
        ("de", "der und nicht über s würde dass", "jahr zeit uhr zwei macht"),
        ("es", "el que él está según puede", "estado dijo años dos"),
        ("ru", "и не что её ещё который то", "год два раз россии"),
        ("tr", "ve bir için değil mı nın den", "yeni iki müdür"),
        ("id", "yang untuk dengan nya tidak", "presiden tahun dua"),
        ("zh", "的 了 不 我们 因为 没有", "人 中国 问题 好"),
    ],
)
def test_stop_words_are_function_words(language: str, inside: str, outside: str) -> None:
    words = set(lines(f"stopwords/{language}.txt"))
    assert set(inside.split()) <= words
    assert not set(outside.split()) & words


@pytest.mark.parametrize("language", LANGUAGES)
def test_frequencies_fall_and_words_are_clean(language: str) -> None:
    rows = frequencies(language)
    words = [word for word, _ in rows]
    assert len(rows) == len(set(words)) == 20_000
    assert rows == sorted(rows, key=lambda row: (-row[1], row[0]))
    assert rows[-1][1] > 1000
    assert all(word == unicodedata.normalize("NFC", word.casefold()) and not word.isspace() for word in words)
    # 20,000 words are most of a text, and no more than all of it.
    assert 0.6e9 < sum(count for _, count in rows) < 1e9


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "the"),
        ("fr", "de"),
        ("de", "die"),
        ("es", "de"),
        ("ru", "в"),
        ("tr", "ve"),
        ("id", "yang"),
        ("zh", "的"),
    ],
)
def test_the_most_frequent_word(language: str, word: str) -> None:
    assert frequencies(language)[0][0] == word


def test_frequency_files_have_no_time_stamp_and_stay_small() -> None:
    packed = [(DATA / f"frequency/{language}.txt.gz").read_bytes() for language in LANGUAGES]
    assert all(content[4:8] == bytes(4) for content in packed)
    assert sum(map(len, packed)) < 1_500_000
