"""Pyramids of DUC and TAC: .pyr files (weighted units of the references) and .pan files (what a peer has of them).

Both are XML as DUCView writes it. A pyramid has the texts of all references as lines, a regular expression for the
headers between them, and an `scu` for each unit with a `contributor` for each reference that states it. A peer
annotation has a pyramid, the lines of the peer's summary, and a `peerscu` for each unit, with a contributor where
the summary states it. What the summary states beyond the pyramid stands under the unit 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from gistmeter.errors import DataError
from gistmeter.example import DEFAULT_LANGUAGE, Example, Unit, UnitSpan
from gistmeter.io.files import open_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PYRAMID_SUFFIXES = (".pyr", ".pan")
_UNMATCHED_UID = "0"
_DEFAULT_SYSTEM = "peer"
_MATCH_START, _MATCH_END = "\x01", "\x02"
_MOST_DIGITS = 12
"""Of an offset into the text of a pyramid."""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """The units of a document, heaviest first as in the file, under their numbers, and the references they come from.

    `references` is empty where the file does not say how to tell them apart.
    """

    doc_id: str
    references: tuple[str, ...]
    scus: dict[str, Unit]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units without their numbers."""
        return tuple(self.scus.values())


def read_pyramid(path: str) -> Pyramid:
    """The pyramid of a .pyr file, or the one inside a .pan file."""
    root = _root(path)
    doc_id = parse_file_name(path).doc_id
    return _pyramid(_pyramid_element(root, path), doc_id, path)


def read_peer(path: str, *, language: str | None = None) -> Example:
    """The summary that a .pan file annotates, with all units of its pyramid and whether it has them.

    What it says beyond the pyramid becomes units of weight 0.
    """
    root = _root(path)
    doc_id, system = parse_file_name(path)
    pyramid = _pyramid(_pyramid_element(root, path), doc_id, path)
    annotation = root.find("annotation")
    if annotation is None:
        raise DataError(f"{path} has no `annotation`: is it a pyramid? Give it with `units=`")
    units = {uid: replace(unit, present=False) for uid, unit in pyramid.scus.items()}
    beyond: list[Unit] = []
    layout = _lay_out_summary(_lines(annotation))
    for peer in annotation.iter("peerscu"):
        uid, contributors = peer.get("uid", ""), peer.findall("contributor")
        if uid in units:
            spans = [span for contributor in contributors for span in layout.find_spans(contributor)]
            present = units[uid].present or bool(contributors)
            units[uid] = replace(units[uid], present=present, spans=(*units[uid].spans, *spans))
        elif uid == _UNMATCHED_UID:
            for contributor in contributors:
                label = _label(contributor, f"a contributor of peerscu {uid}", path)
                beyond.append(Unit(label, 0.0, present=True, spans=tuple(layout.find_spans(contributor))))
        else:
            raise DataError(f"{path} annotates the unit {uid!r}, which is not in its pyramid")
    return Example(
        doc_id=doc_id,
        system=system,
        summary=layout.texts[0] if layout.texts else "",
        references=pyramid.references,
        language=language or DEFAULT_LANGUAGE,
        units=(*units.values(), *beyond),
    )


class FileName(NamedTuple):
    """The document and the system that a file is named for."""

    doc_id: str
    system: str


def parse_file_name(path: str) -> FileName:
    """The document and the system that a file is named for: what stands before the first dot, and after the last.

    >>> parse_file_name("tac/D0801-A.M.100.A.15.pan")
    FileName(doc_id='D0801-A', system='15')
    >>> parse_file_name("D0801-A.pyr")
    FileName(doc_id='D0801-A', system='peer')
    """
    name = re.sub(r"(?i)(\.pyr|\.pan)(\.gz)?$", "", Path(path).name)
    parts = [part for part in name.split(".") if part]
    return FileName(parts[0] if parts else name, parts[-1] if len(parts) > 1 else _DEFAULT_SYSTEM)


def _root(path: str) -> Element:
    """The root of an XML file that declares no entities: they can grow without bound, or fetch other files."""
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(name: str, *_: object) -> None:
        raise DataError(f"line {parser.CurrentLineNumber} of {path} has the XML entity {name!r}: they are not read")

    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse
    try:
        with open_bytes(path) as stream:
            parser.Parse(stream.read(), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise DataError(f"line {error.lineno} of {path} is not well-formed XML: {reason}") from None
    except (OSError, ValueError, LookupError) as error:
        raise DataError(f"cannot read {path}: {error}") from None
    return builder.close()


def _pyramid_element(root: Element, path: str) -> Element:
    pyramid = root if root.tag == "pyramid" else root.find("pyramid")
    if pyramid is None:
        raise DataError(f"{path} has no `pyramid`: its root is `{root.tag}`")
    return pyramid


def _pyramid(element: Element, doc_id: str, path: str) -> Pyramid:
    lines = _lines(element)
    layout = _layout(lines, element.findtext("startDocumentRegEx"), path)
    scus: dict[str, Unit] = {}
    for scu in element.iter("scu"):
        uid = scu.get("uid", "")
        if not uid or uid in scus:
            raise DataError(f"{path} has {'two units' if uid else 'a unit'} with the uid {uid!r}")
        sources = [layout.find_source(contributor, uid, path) for contributor in scu.findall("contributor")]
        if not sources:
            raise DataError(f"scu {uid} of {path} has no contributor: no reference states it")
        # Two contributors of one reference are one statement of it.
        weight = len({source.reference for source in sources if source}) + sources.count(None)
        first = next((source for source in sources if source), None)
        spans = [span for contributor in scu.findall("contributor") for span in layout.find_spans(contributor)]
        scus[uid] = Unit(
            _label(scu, f"scu {uid}", path),
            weight,
            sentence=first.sentence if first else None,
            spans=tuple(dict.fromkeys(spans)),
        )
    if not scus:
        raise DataError(f"the pyramid of {path} has no units (`scu`)")
    return Pyramid(doc_id, layout.texts, scus)


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a contributor comes from: which reference, and which sentence of all references."""

    reference: int
    sentence: int


class _Line(NamedTuple):
    """A line of the text of a file: where it begins there, its length, its text, and where it begins in that."""

    start: int
    length: int
    text: int
    start_in_text: int
    indent: int = 0
    """The blanks before it."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The texts that lines of a file make up, and where each line of them, which is a sentence, stands."""

    texts: tuple[str, ...] = ()
    lines: tuple[_Line, ...] = ()
    are_references: bool = True

    def find_source(self, contributor: Element, uid: str, path: str) -> _Source | None:
        """Where a contributor begins, None where the references cannot be told apart."""
        if not self.texts:
            return None
        starts = [part.get("start", "") for part in contributor.findall("part")]
        if not starts or not all(map(_is_offset, starts)):
            raise DataError(f"a contributor of scu {uid} of {path} has no part with a whole number as `start`")
        sentence = bisect_right([line.start - line.indent for line in self.lines], min(map(int, starts))) - 1
        return _Source(self.lines[sentence].text, sentence) if sentence >= 0 else None

    def find_spans(self, contributor: Element) -> list[UnitSpan]:
        """Where the parts of a contributor stand in the texts; what lies between or beyond their lines is left out."""
        spans = []
        for part in contributor.findall("part"):
            start, end = part.get("start", ""), part.get("end", "")
            for line in self.lines if _is_offset(start) and _is_offset(end) else ():
                first, last = max(int(start), line.start), min(int(end), line.start + line.length)
                if first < last:
                    shift = line.start_in_text - line.start
                    spans.append(UnitSpan(first + shift, last + shift, line.text if self.are_references else None))
        return spans


def _is_offset(text: str) -> bool:
    return text.isdecimal() and len(text) <= _MOST_DIGITS


def _lay_out_summary(lines: list[str]) -> _Layout:
    """The summary of a peer: its lines but for blank ones."""
    worded: list[_Line] = []
    start = start_in_text = 0
    for line in lines:
        if line.strip():
            worded.append(_Line(start=start, length=len(line), text=0, start_in_text=start_in_text))
            start_in_text += len(line) + 1
        start += len(line) + 1
    text = "\n".join(line for line in lines if line.strip())
    return _Layout((text,), tuple(worded), are_references=False)


def _layout(lines: list[str], pattern: str | None, path: str) -> _Layout:
    """The references of a pyramid's lines: what stands between matches of the expression for headers."""
    if not pattern or not lines:
        return _Layout()
    text = "\n".join(lines)
    headers = _find_headers(text, pattern, path)
    if not headers:
        raise DataError(
            f"startDocumentRegEx of {path} matches none of its lines, so that references cannot be told apart: "
            "mend it, or take it out of the file (units then have no sentences)"
        )
    texts: list[str] = []
    placed: list[_Line] = []
    ends = [header.start for header in headers[1:]] + [len(text)]
    for header, end in zip(headers, ends, strict=True):
        sentences: list[str] = []
        start, start_in_text = header.end, 0
        for line in text[start:end].split("\n"):
            if sentence := line.strip():
                indent = len(line) - len(line.lstrip())
                placed.append(
                    _Line(
                        start=start + indent,
                        length=len(sentence),
                        text=len(texts),
                        start_in_text=start_in_text,
                        indent=indent,
                    )
                )
                sentences.append(sentence)
                start_in_text += len(sentence) + 1
            start += len(line) + 1
        if sentences:
            texts.append("\n".join(sentences))
    return _Layout(tuple(texts), tuple(placed))


class _Span(NamedTuple):
    start: int
    end: int


def _find_headers(text: str, pattern: str, path: str) -> list[_Span]:
    """Where the expression for headers matches, but for empty matches.

    Polars' engine is asked, which takes time in proportion to the text whatever the expression: Python's own may take
    forever. Matches are enclosed in two characters that XML cannot hold.
    """
    import polars as pl

    try:
        marked = pl.Series([text]).str.replace_all(pattern, f"{_MATCH_START}${{0}}{_MATCH_END}")[0]
    except pl.exceptions.PolarsError as error:
        reason = " ".join(str(error).split())
        raise DataError(f"startDocumentRegEx of {path} is no regular expression that can be run: {reason}") from None
    spans, position = [], 0
    for before, _, after in (piece.partition(_MATCH_START) for piece in str(marked).split(_MATCH_END)):
        start = position + len(before)
        position = start + len(after)
        if after:
            spans.append(_Span(start, position))
    return spans


def _lines(element: Element) -> list[str]:
    return [line.text or "" for line in element.iterfind("text/line")]


def _label(element: Element, what: str, path: str) -> str:
    label = element.get("label", "").strip()
    if not label:
        raise DataError(f"{what} of {path} has no label")
    return label
