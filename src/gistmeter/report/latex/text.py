"""Any text as LaTeX that shows it as it is, with no package and in any font encoding."""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from importlib.resources import files

ANY_LETTER = "\\providecommand{\\anyletter}[2]{\\ifdefined\\Umathchar#1\\else#2\\fi}"
"""Defines how letters are written that pdfLaTeX does not have: XeLaTeX and LuaLaTeX take them from the font."""
_LIGATURES = re.compile(r"(?<=-)-|(?<=,),|(?<=')'|(?<=[?!])`")
"""Letters that LaTeX would join with the one before."""


def latex_text(text: str) -> str:
    r"""A text that LaTeX shows as it is, on one line.

    Letters that pdfLaTeX has no command for become `\anyletter{letter}{replacement}`, which `ANY_LETTER` defines.

    >>> print(latex_text("lead_3 & 50%"), latex_text("Müller"), latex_text("Lite³Pyramid"))
    lead\_3 \& 50\% M\"{u}ller Lite\textsuperscript{3}Pyramid
    >>> print(latex_text("系"))
    \anyletter{系}{U+7CFB}
    """
    line = _LIGATURES.sub(lambda match: "\x00" + match[0], unicodedata.normalize("NFC", " ".join(text.split())))
    return "".join(map(_write_letter, line))


@functools.lru_cache(maxsize=4096)
def _write_letter(letter: str) -> str:
    letters = _read_letters()
    if letter == "\x00":
        return "{}"
    if letter in letters["text"]:
        return letters["text"][letter]
    if letter.isascii():
        return letter if letter.isprintable() else "?"
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Mn"):
        return "?" if unicodedata.category(letter) == "Cs" else ""
    decomposed = unicodedata.normalize("NFD", letter)
    base, marks = decomposed[0], decomposed[1:]
    commands = [letters["accents"].get(f"{ord(mark):04X}") for mark in marks]
    if base.isascii() and base.isalpha():
        written = base
        for command in commands:
            if command is None:
                return f"\\anyletter{{{letter}}}{{{base}}}"
            written = f"{command}{{{written}}}"
        return written
    return f"\\anyletter{{{letter}}}{{U+{ord(letter):04X}}}"


@functools.cache
def _read_letters() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "letters.toml").read_text("utf-8"))
