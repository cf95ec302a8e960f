"""Markers: what tokenizers and models write into texts in the place of line ends, brackets and quotes.

Outputs of summarizers are often published as the model wrote them: `<q>` or `[SEP]` between sentences (BertSum,
PreSumm), `<t> ... </t>` around them (fast_abs_rl), `<n>` for a line end (PEGASUS), and the brackets and quotes of the
Penn Treebank (`-lrb-`, two backticks). Read as text, "q" and "lrb" are words.
"""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"\s*(?:<q>|</?t>|</?s>|<n>|\[(?:sep|cls|pad|unused\d+)\]|<pad>|<\|endoftext\|>)\s*", re.I)
_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_BRACKET = re.compile(r"(?<![\w-])-([lr][rsc]b)-(?![\w-])", re.I)
_QUOTE = re.compile(r"``|''")
_HINT = re.compile(r"[<\[`]|''|-[lr][rsc]b-", re.I)
_LINES = re.compile(r"\n{2,}")


def read_markers(text: str) -> str:
    """A text with its markers read: ends of sentences as line ends, brackets and quotes as such.

    >>> read_markers("the mayor -lrb- 52 -rrb- opened a bridge<q>it rained")
    'the mayor ( 52 ) opened a bridge\\nit rained'
    >>> read_markers("<t> `` no '' , she said . </t> <t> it rained . </t>")
    '" no " , she said .\\nit rained .'
    >>> read_markers("It rained [sic] < 5 times.")
    'It rained [sic] < 5 times.'
    """
    if not _HINT.search(text):
        return text
    text = _BRACKET.sub(lambda match: _BRACKETS[match[1].lower()], text)
    text = _QUOTE.sub('"', text)
    read = _SENTENCE_END.sub("\n", text)
    return text if read == text else _LINES.sub("\n", read).strip("\n")
