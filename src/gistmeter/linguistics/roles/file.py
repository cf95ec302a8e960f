"""Roles and coreference that another program wrote, one JSON record on each line.

A record with `words` and `verbs` is a sentence with its roles, as AllenNLP's role labeller writes it:
`{"words": ["He", "left"], "verbs": [{"verb": "left", "tags": ["B-ARG0", "B-V"]}]}`. A record with `document` and
`clusters` is a reference with its coreference: `{"document": ["He", "left"], "clusters": [[[0, 0]]]}`, first and last
word of each mention. They belong to the reference with the same characters, white space aside.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.linguistics.roles.frames import Frame
from gistmeter.linguistics.roles.labeller import LabelledSentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Span = tuple[int, int]
    _Clusters = tuple[tuple[Span, ...], ...]

MAX_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class RoleFile:
    """The roles and clusters of a file, found by the characters of their text."""

    path: str
    sentences: Mapping[str, LabelledSentence]
    documents: Mapping[str, _Clusters]
    lengths: tuple[int, ...]
    """How many characters its sentences have, most first."""

    def roles(self, sentences: Sequence[str]) -> list[LabelledSentence]:
        """The roles of each sentence, with its own white space; one may be several sentences of the file."""
        return [_join_sentences(self._split_sentence(sentence), sentence) for sentence in sentences]

    def clusters(self, sentences: Sequence[LabelledSentence]) -> list[list[Span]]:
        """The clusters of the reference that these sentences are, over their words; none where the file has none.

        Mentions are moved by their characters, so the words of the two programs may differ.
        """
        words = [word for sentence in sentences for word in sentence.words]
        clusters = self.documents.get(_without_space("".join(words)))
        if clusters is None:
            return []
        ends = list(accumulate(len(_without_space(word)) for word in words))
        return [
            [(bisect_right(ends, start), bisect_left(ends, end) + 1) for start, end in cluster] for cluster in clusters
        ]

    def _split_sentence(self, sentence: str) -> Iterator[LabelledSentence]:
        """The sentences of the file that make up a sentence, the longest that fits first."""
        characters = _without_space(sentence)
        start = 0
        while start < len(characters):
            length = next(
                (length for length in self.lengths if characters[start : start + length] in self.sentences), None
            )
            if not length:
                raise DataError(
                    f"{self.path} has no roles for the reference sentence {_shorten(sentence)!r}: "
                    f"none of its {len(self.sentences)} sentences is {_shorten(characters[start:])!r}, "
                    "white space aside"
                )
            yield self.sentences[characters[start : start + length]]
            start += length


def read_role_file(path: str) -> RoleFile:
    """Read a file of roles, gzipped or not."""
    sentences: dict[str, LabelledSentence] = {}
    documents: dict[str, _Clusters] = {}
    for number, record in read_json_lines(path):
        where = f"line {number} of {path}"
        if "verbs" in record:
            roles = _read_sentence(record, where)
            sentences[_without_space("".join(roles.words))] = roles
        elif "clusters" in record:
            words = _read_words(record, "document", where)
            documents[_without_space("".join(words))] = _read_clusters(record["clusters"], words, where)
        else:
            raise DataError(f"{where} has neither `verbs` (roles of a sentence) nor `clusters` (coreference)")
    if not sentences:
        raise DataError(f"{path} has no roles: no line has `words` and `verbs`")
    sentences.pop("", None)
    return RoleFile(
        path=path,
        sentences=sentences,
        documents=documents,
        lengths=tuple(sorted({len(key) for key in sentences}, reverse=True)),
    )


def _read_words(record: dict[str, Any], name: str, where: str) -> tuple[str, ...]:
    words = record.get(name)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise DataError(f"{where} needs `{name}`, a list of words")
    return tuple(words)


def _read_sentence(record: dict[str, Any], where: str) -> LabelledSentence:
    words = _read_words(record, "words", where)
    verbs = record["verbs"]
    if not isinstance(verbs, list):
        raise DataError(f"{where}: `verbs` must be a list of objects with `tags`")
    frames = [frame for verb in verbs if (frame := _read_frame(verb, words, where)) is not None]
    return LabelledSentence(words, (" ",) * len(words), tuple(sorted(frames, key=lambda frame: frame.verb)))


def _read_frame(verb: Any, words: Sequence[str], where: str) -> Frame | None:
    """A frame from its tags; nothing where no word is tagged as the verb."""
    tags = verb.get("tags") if isinstance(verb, dict) else None
    if not isinstance(tags, list) or len(tags) != len(words):
        count = f"has {len(tags)}" if isinstance(tags, list) else "has none"
        raise DataError(f"{where}: each verb needs `tags`, one for each of the {len(words)} words; one {count}")
    spans = _read_spans(tags, where)
    verb_span = next(((start, end) for start, end, label in spans if label == "V"), None)
    if verb_span is None:
        return None
    start, end = verb_span
    if (negation := next((span for span in spans if span[0] == end and span[2] == "ARGM-NEG"), None)) is not None:
        end = negation[1]
    argument_spans = [(first, last) for first, last, label in spans if label not in ("V", "C-V")]
    before = tuple(span for span in argument_spans if span[1] <= start)
    return Frame((start, end), before, tuple(span for span in argument_spans if span[0] >= end))


def _read_spans(tags: Sequence[Any], where: str) -> list[tuple[int, int, str]]:
    """The spans of tags such as B-ARG0, I-ARG0 and O, with their labels."""
    spans: list[tuple[int, int, str]] = []
    for word, tag in enumerate(tags):
        if tag == "O":
            continue
        prefix, _, label = tag.partition("-") if isinstance(tag, str) else ("", "", "")
        if prefix not in ("B", "I") or not label:
            raise DataError(f"{where}: {tag!r} is not a tag; tags are O, B-LABEL and I-LABEL")
        if prefix == "I" and spans and spans[-1][1] == word and spans[-1][2] == label:
            spans[-1] = (spans[-1][0], word + 1, label)
        else:
            spans.append((word, word + 1, label))
    return spans


def _read_clusters(clusters: Any, words: Sequence[str], where: str) -> _Clusters:
    """Clusters as spans of characters, white space aside."""
    starts = [0, *accumulate(len(_without_space(word)) for word in words)]
    try:
        spans = [[(int(first), int(last)) for first, last in cluster] for cluster in clusters]
    except (TypeError, ValueError):
        raise DataError(f"{where}: `clusters` must be lists of mentions, each its [first, last] word") from None
    for first, last in (span for cluster in spans for span in cluster):
        if not 0 <= first <= last < len(words):
            raise DataError(f"{where}: the mention [{first}, {last}] is not inside the {len(words)} words")
    return tuple(tuple((starts[first], starts[last + 1]) for first, last in cluster) for cluster in spans)


def _join_sentences(parts: Iterable[LabelledSentence], sentence: str) -> LabelledSentence:
    """Sentences of the file as one sentence, with the white space of its own text."""
    words: tuple[str, ...] = ()
    frames: list[Frame] = []
    for part in parts:
        frames += [_shift_frame(frame, len(words)) for frame in part.frames]
        words += part.words
    return LabelledSentence(words, tuple(_find_spaces(words, sentence)), tuple(frames))


def _find_spaces(words: Iterable[str], sentence: str) -> Iterator[str]:
    """The white space after each word, in a sentence of the same characters."""
    position = 0
    for word in words:
        for char in _without_space(word):
            position = sentence.index(char, position) + 1
        yield " " if sentence[position : position + 1].isspace() else ""


def _shift_frame(frame: Frame, by: int) -> Frame:
    start, end = frame.verb
    before, after = (tuple((first + by, last + by) for first, last in spans) for spans in (frame.before, frame.after))
    return Frame((start + by, end + by), before, after)


def _without_space(text: str) -> str:
    return "".join(text.split())


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
