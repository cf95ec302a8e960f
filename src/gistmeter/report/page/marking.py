"""The page of marks: a document whose phrases are clicked, and the summary that says them, in one file."""

from __future__ import annotations

import os
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.report.page.html import render, write_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.summarize.markable import MarkableDocument, MarkableSentence

TEMPLATE = "marking.html.j2"
_MARK = b'<body class="marking">'
"""What only pages of marks have."""

MARK_WITHIN = 1_000_000
"""Bytes of a page in which that stands: after its styles and script, before its data."""

STYLES = ("report.css", "marking.css")
SCRIPTS = ("dom.js", "theme.js", "marking.js")


def write_marking_page(
    documents: Sequence[MarkableDocument], path: str | Path, *, title: str = "Mark what the summary says"
) -> None:
    """Write the page of some documents."""
    data = {"documents": [_describe(document) for document in documents]}
    page = render(data, title=title, template=TEMPLATE, styles=STYLES, scripts=SCRIPTS)
    write_page(page, Path(path))


def list_pages_beside(scores: str | Path) -> list[Path]:
    """The pages of marks of a file of scores: those called as it, with `.marks`, in its folder.

    Of scores.parquet these are scores.marks.html and scores.parquet.marks.html, with any name after `.marks`.

    >>> list_pages_beside("nowhere/scores.parquet")
    []
    """
    path = Path(scores)
    names = {path.name.partition(".")[0], path.stem, path.name}
    pages = {page for name in names for page in path.parent.glob(f"{escape(name)}.marks*.html")}
    return sorted(page for page in pages if _MARK in page.read_bytes()[:MARK_WITHIN])


def link_pages(pages: Sequence[str | Path], report: str | Path) -> list[dict[str, str]]:
    """What a report says of pages of marks: their names, and where they are, seen from its own folder.

    >>> link_pages(["runs/a b.marks.html"], "runs/report.html")
    [{'name': 'a b.marks.html', 'address': 'a%20b.marks.html'}]
    """
    folder = Path(report).absolute().parent
    paths = [Path(page).absolute() for page in pages]
    return [
        {"name": path.name, "address": quote(Path(os.path.relpath(path, folder)).as_posix(), safe="/.")}
        for path in paths
    ]


def check_page_path(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse a file that no page can be written to, before any long work."""
    if Path(path).suffix != ".html":
        raise DataError(f"cannot write {path}: the page is HTML, name it .html")
    check_output(path, inputs)


def _describe(document: MarkableDocument) -> dict[str, Any]:
    """A document as the page has it: its text in pieces, so that the page needs no offsets."""
    pieces: list[dict[str, Any]] = []
    last = 0
    for number, sentence in enumerate(document.sentences):
        for phrase, (start, end) in enumerate(sentence.phrases):
            pieces += [{"text": document.text[last:start]}, {"text": document.text[start:end], "at": [number, phrase]}]
            last = end
    pieces.append({"text": document.text[last:]})
    return {
        "doc_id": document.doc_id,
        "pieces": [piece for piece in pieces if piece["text"]],
        "sentences": [_describe_sentence(sentence) for sentence in document.sentences],
    }


def _describe_sentence(sentence: MarkableSentence) -> dict[str, Any]:
    return {
        "marked": list(sentence.marked),
        "variants": [
            {
                "choices": " ".join(f"{sum(1 << phrase for phrase in choice):x}" for choice in variant.choices),
                "text": variant.text,
                **({"following": variant.following, "needs": list(variant.needs)} if variant.needs else {}),
                "names": list(variant.names),
            }
            for variant in sentence.variants
        ],
    }
