"""Porter stems, in the two dialects that ROUGE implementations use.

Porter (1980, An algorithm for suffix stripping, Program 14.3) strips English suffixes in five steps, so that
"connected", "connecting" and "connection" all become "connect". A rule looks at the suffix and at how much
word is left before it. The second is the measure m: with C for a run of consonants and V for a run of vowels
every word is [C](VC){m}[V], so m counts the turns from vowel to consonant (tree 0, trouble 1, private 2).
The letter y is a vowel after a consonant and a consonant elsewhere; a digit is a consonant.

`porter_nltk` is nltk's default stemmer, which rouge-score uses. `porter_rouge155` is the stemmer inside the
Perl script ROUGE-1.5.5. Both follow Porter with his later corrections (-bli, -logi, words of one or two
letters stay), and differ here:

======  =======================================  ========================================================
step    nltk                                     ROUGE-1.5.5
======  =======================================  ========================================================
before  16 irregular words (dying -> die)        none; the script asks WordNet's exception list instead
1a, 1b  ties, tied -> tie                        ties, tied -> ti
1b      a doubled y is undoubled: byyed -> by    byyed -> byi
1b, 5   used -> use: "us" is a short stem        used -> us
1c      y -> i after a consonant: fly -> fli     y -> i if a vowel stands before it: enjoy -> enjoi
2       -alli first: internationally -> intern   internationally -> internat
2       also -fulli: hopefully -> hope           hopefully -> hopefulli
2       geology -> geolog                        geology -> geologi: m is taken without the l
4       one suffix goes: settlement stays        up to three, the last -ment, -ent, -ion: settlem
======  =======================================  ========================================================

Both expect one lower-case word, as the tokenizers of the two programs give it.
"""

from __future__ import annotations

_IRREGULAR = {
    "canning": "canning", "cannings": "canning", "dying": "die", "exceed": "exceed", "howe": "howe",
    "inning": "inning", "innings": "inning", "lying": "lie", "news": "news", "outing": "outing",
    "outings": "outing", "proceed": "proceed", "skies": "sky", "sky": "sky", "succeed": "succeed",
    "tying": "tie",
}  # fmt: skip
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate",
    "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive",
    "biliti": "ble",
}  # fmt: skip
_STEP_2_NLTK = _STEP_2 | {"fulli": "ful"}
_STEP_2_ROUGE155 = _STEP_2 | {"logi": "log"}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4_ROUGE155 = {
    "al": "", "ance": "", "ence": "", "er": "", "ic": "", "able": "", "ible": "", "ant": "", "ement": "",
    "ou": "", "ism": "", "ate": "", "iti": "", "ous": "", "ive": "", "ize": "",
}  # fmt: skip
_STEP_4_NLTK = _STEP_4_ROUGE155 | {"ment": "", "ent": ""}
MAX_SUFFIX_LETTERS = 7


def stem_as_nltk(word: str) -> str:
    """The stem nltk's PorterStemmer gives in its default mode.

    >>> [stem_as_nltk(word) for word in "ties used flying enjoy hopefully geology settlement".split()]
    ['tie', 'use', 'fli', 'enjoy', 'hope', 'geolog', 'settlement']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 3:
        return word
    word = word[:-1] if len(word) == 4 and word.endswith("ies") else _strip_plural(word)
    ied = len(word) == 4 and word.endswith("ied")
    word = word[:-1] if ied else _strip_past_or_participle(word, nltk=True)
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1]).endswith("c"):
        word = word[:-1] + "i"
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]  # radically -> radical; nationally -> national -> nation
    if word.endswith("logi"):
        word = word[:-1] if _measure(word[:-3]) > 0 else word
    else:
        word = _replace_suffix(word, _STEP_2_NLTK, above=0)
    word = _replace_suffix(word, _STEP_3, above=0)
    word = _strip_ion(word) if word.endswith("ion") else _replace_suffix(word, _STEP_4_NLTK, above=1)
    return _strip_final_e_or_l(word, nltk=True)


def stem_as_rouge155(word: str) -> str:
    """The stem the script ROUGE-1.5.5.pl gives with -m, for a word that is no WordNet exception.

    The script calls it for words of four letters or more only; here the caller decides.

    >>> [stem_as_rouge155(word) for word in "ties used flying enjoy hopefully geology settlement".split()]
    ['ti', 'us', 'fly', 'enjoi', 'hopefulli', 'geologi', 'settlem']
    """
    if len(word) < 3:
        return word
    word = _strip_past_or_participle(_strip_plural(word), nltk=False)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_suffix(word, _STEP_2_ROUGE155, above=0)
    word = _replace_suffix(word, _STEP_3, above=0)
    word = _replace_suffix(word, _STEP_4_ROUGE155, above=1)
    word = _replace_suffix(word, {"ment": ""}, above=1)
    word = _replace_suffix(word, {"ent": ""}, above=1) if word.endswith("ent") else _strip_ion(word)
    return _strip_final_e_or_l(word, nltk=False)


def _shape(word: str) -> str:
    """The word with c for each consonant and v for each vowel: "toy" is cvc, "syzygy" is cvcvcv."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Porter's m."""
    return _shape(stem).count("vc")


def _is_short(stem: str, *, nltk: bool) -> bool:
    """Whether m is 1 and the stem ends consonant, vowel, consonant but w, x, y (hop, fil; not fail)."""
    shape = _shape(stem)
    if shape == "vc":
        return nltk
    return shape.lstrip("c") == "vc" and stem[-1] not in "wxy"


def _replace_suffix(word: str, rules: dict[str, str], *, above: int) -> str:
    """The word with its longest suffix in the rules replaced, if the measure before it exceeds `above`."""
    for size in range(MAX_SUFFIX_LETTERS, 1, -1):
        replacement = rules.get(word[-size:])
        if replacement is not None:
            stem = word[:-size]
            return stem + replacement if _measure(stem) > above else word
    return word


def _strip_plural(word: str) -> str:
    """Step 1a: caresses -> caress, ponies -> poni, cats -> cat, but caress stays."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past_or_participle(word: str, *, nltk: bool) -> str:
    """Step 1b: agreed -> agree, plastered -> plaster, hopping -> hop, filing -> file."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    if not word.endswith(("ed", "ing")):
        return word
    stem = word[:-2] if word.endswith("ed") else word[:-3]
    shape = _shape(stem)
    if "v" not in shape:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    doubled = stem[-2:-1] == stem[-1] and shape.endswith("c")
    if doubled and stem[-1] not in ("lsz" if nltk else "lszy"):
        return stem[:-1]
    return stem + "e" if _is_short(stem, nltk=nltk) else stem


def _strip_ion(word: str) -> str:
    """Step 4, its one rule with a condition on the letter before: adoption -> adopt."""
    return word[:-3] if word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1 else word


def _strip_final_e_or_l(word: str, *, nltk: bool) -> str:
    """Step 5: probate -> probat, but rate stays; controll -> control, but roll stays."""
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _is_short(stem, nltk=nltk)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
