"""Which language texts are plainly in, and what is a language."""

import pytest

from gistmeter.errors import UnknownLanguageError
from gistmeter.text.background import _frequencies
from gistmeter.text.detection import USUAL_SHARES, _own_words, count_language_words, find_plain_language
from gistmeter.text.languages import language_code

GERMAN = "Der Rat hat am Montag das neue Budget beschlossen, aber die Steuern sind nicht gesunken. " * 20
BULGARIAN = "Общината реши на заседание в понеделник да не увеличава данъците за тази година и за другата. " * 20
JAPANESE = "委員会は月曜日に新しい予算を承認した。" * 20
CHINESE = "委员会星期一批准了新的预算。" * 30


@pytest.mark.parametrize(("text", "language"), [(GERMAN, "de"), (CHINESE, "zh"), (BULGARIAN, None), (JAPANESE, None)])
def test_text_scored_as_english_is_known_by_its_function_words_and_letters(text, language):
    assert find_plain_language(count_language_words(text), "en") == language


def test_few_words_mixed_text_and_languages_outside_the_eight_decide_nothing():
    english = "The council has approved the budget on Monday, but it did not lower the taxes this year. " * 20
    assert find_plain_language(count_language_words(GERMAN[:400]), "en") is None
    assert find_plain_language(count_language_words(GERMAN + english), "en") is None
    assert find_plain_language(count_language_words(GERMAN), "de") is None
    assert find_plain_language(count_language_words(GERMAN), "nl") is None


@pytest.mark.parametrize("code", [code for code in USUAL_SHARES if code != "zh"])
def test_usual_shares_are_those_of_the_word_frequencies(code):
    frequencies = _frequencies(code)
    own = sum(count for word, count in frequencies.items() if _own_words().get(word) == code)
    assert own / 1e9 == pytest.approx(USUAL_SHARES[code], abs=0.005)  # counts are per billion words


@pytest.mark.parametrize(
    ("name", "code"),
    [("pt", "pt"), ("nld", "nl"), ("Swahili", "sw"), ("pcm", "pcm"), ("und", "und"), ("nb", "no"), ("Kyrgyz", "ky")],
)
def test_languages_are_those_of_iso_639_by_code_or_english_name(name, code):
    assert language_code(name) == code


@pytest.mark.parametrize(
    ("name", "hint"), [("germn", "German (de)"), ("jp", "Japanese (ja)"), ("zz", "such as de"), ("", "such as de")]
)
def test_an_unknown_language_is_refused_with_a_suggestion(name, hint):
    with pytest.raises(UnknownLanguageError, match="unknown language") as refused:
        language_code(name)
    assert hint in str(refused.value)
