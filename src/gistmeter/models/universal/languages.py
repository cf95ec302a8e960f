"""Which languages the multilingual Universal Sentence Encoder reads."""

from __future__ import annotations

from gistmeter.text.languages import language_code

TRAINED_LANGUAGES = ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
"""What it was trained on (Chinese in both scripts counts once here)."""
_READABLE_LANGUAGES = ("id",)
"""Not among its languages; Indonesian is read through words and names that it shares with others."""


def reads_language(language: str) -> bool:
    """Whether it reads a language.

    >>> reads_language("Turkish"), reads_language("id"), reads_language("sw")
    (True, True, False)
    """
    return language_code(language) in (*TRAINED_LANGUAGES, *_READABLE_LANGUAGES)
