"""How counts and names are worded in messages and captions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

_CONTROLS = {
    **{code: chr(0x2400 + code) for code in range(32)},
    ord("\n"): "\n",
    ord("\t"): "\t",
    ord("\r"): " ",
    **dict.fromkeys((*range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"),
}
"""What stands for a character that would command a terminal: C0, C1, line ends, and those that turn text round."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")
_ESCAPED_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAMES_IN_A_NOTE = 5
"""A note lists so many names, and then "..."."""


def format_count(count: int, noun: str) -> str:
    """A count with its noun.

    >>> format_count(1, "document"), format_count(1200, "summary")
    ('1 document', '1,200 summaries')
    """
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


def there_are(count: int) -> str:
    """That there is one, or that there are none or several.

    >>> there_are(1), there_are(2)
    ('there is 1', 'there are 2')
    """
    return f"there {'is' if count == 1 else 'are'} {count:,}"


def join_names(names: Sequence[str]) -> str:
    """Names for a note, the first few of many.

    >>> join_names("abcdefg")
    'a, b, c, d, e ...'
    """
    return ", ".join(names[:NAMES_IN_A_NOTE]) + (" ..." if len(names) > NAMES_IN_A_NOTE else "")


def note_left_out(noun: str, names: Iterable[str], remaining: Iterable[str], why: str) -> tuple[str, ...]:
    """What is said of names that a join left out, `noun` being the word for each; nothing if it left out none.

    >>> note_left_out("system", ["a", "b", "c"], {"b", "c"}, "without scores")
    ('left out 1 system without scores: a',)
    """
    remaining = set(remaining)
    dropped = [name for name in names if name not in remaining]
    return (f"left out {format_count(len(dropped), noun)} {why}: {join_names(dropped)}",) if dropped else ()


def replace_controls(text: str) -> str:
    r"""A text of the same length that no terminal takes for commands, whatever a file put into its names.

    >>> replace_controls("a\x1b[31mb\n"), replace_controls("user\u202egpj.exe") == "user\ufffdgpj.exe"
    ('a␛[31mb\n', True)
    """
    return _SURROGATES.sub("\ufffd", text.translate(_CONTROLS))


def make_xml_text(text: str) -> str:
    """A text of characters that XML may have at all.

    >>> make_xml_text("a\x07\uffffb") == "a\u2407\ufffdb"
    True
    """
    return _NO_CHARACTERS.sub("\ufffd", replace_controls(text))


def escape_controls(text: str) -> str:
    r"""JSON with the same characters as JSON escapes them; those below 32 are escaped in any JSON.

    >>> escape_controls('{"system": "a\x9b31m"}')
    '{"system": "a\\u009b31m"}'
    """
    return _ESCAPED_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
