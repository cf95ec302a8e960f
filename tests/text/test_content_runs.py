"""Runs of content words: phrases of texts in languages without a parser."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError
from gistmeter.text.content_runs import MOST_WORDS, find_content_runs
from gistmeter.text.languages import WORD_LIST_LANGUAGES


def list_runs(text, language):
    return [text[start:end] for start, end in find_content_runs(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "L'hiver à Lyon fut très froid, dit-on.", ["hiver", "Lyon", "froid", "dit-on"]),
        ("tr", "Ankara'da yeni köprü açıldı.", ["Ankara'da yeni köprü açıldı"]),
        ("ru", "Вчера Анна Иванова открыла новый мост.", ["Вчера Анна Иванова", "открыла новый мост"]),
        ("es", "El alcalde abrió 3,5 kilómetros de la vía.", ["alcalde abrió 3,5 kilómetros", "vía"]),
        ("id", "Jembatan baru itu dibuka di Bandung.", ["Jembatan baru", "dibuka", "Bandung"]),
        ("de", "Rot-grüne Pläne\nLyon", ["Rot-grüne Pläne", "Lyon"]),
    ],
)
def test_runs_end_at_stop_words_punctuation_and_after_names(language, text, expected):
    assert list_runs(text, language) == expected


def test_a_long_run_goes_on_as_another():
    words = ["brücke", "straße", "regen", "wetter", "sonne"]
    assert list_runs(" ".join(words), "de") == [" ".join(words[:MOST_WORDS]), words[-1]]


def test_offsets_are_those_of_the_text_however_its_letters_are_composed():
    text = unicodedata.normalize("NFD", "Für die schöne Brücke")
    assert [unicodedata.normalize("NFC", run) for run in list_runs(text, "de")] == ["schöne Brücke"]


@pytest.mark.more
def test_chinese_words_are_found_by_jieba():
    pytest.importorskip("jieba")
    assert list_runs("雅虎宣布剥离阿里巴巴股份。", "zh") == ["雅虎宣布", "剥离阿里巴巴", "股份"]


def test_a_language_without_stop_words_is_refused():
    with pytest.raises(DataError, match="no stop-word list"):
        find_content_runs("كلمة", "ar")


@pytest.mark.more
@given(st.text(max_size=80), st.sampled_from([code for code in WORD_LIST_LANGUAGES if code != "zh"]))
def test_runs_stand_in_the_text_one_after_the_other(text, language):
    last = 0
    for start, end in find_content_runs(text, language):
        assert last <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        last = end
