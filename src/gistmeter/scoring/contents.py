"""Digests of what was scored, kept with the scores, so that a run that has changed since is not taken for it.

Each row of a table of scores has one: short digests of the summary, its references, its documents and its units, with
points between, nothing where it has none. So it can be told which of them changed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.example import Example
    from gistmeter.scores import Scores

PARTS = ("summary", "references", "document", "units")
"""What digests are of, in their order."""

UNCHECKED = (
    "the scores keep no digests of the texts, as earlier versions of gistmeter wrote them: whether the run has changed "
    "since is not known; score again to have that checked"
)


def describe_content(example: Example) -> str:
    """The digests of all that metrics see in an example.

    >>> from gistmeter.example import Example
    >>> describe_content(Example(doc_id="1", system="a", summary="It rained.", references=("Rain fell.",)))
    'a699247c.b2582613..'
    """
    units = [repr(unit) for unit in example.units]
    texts = ((example.language, example.summary), example.references, example.documents, units)
    return ".".join(_digest(part) if part else "" for part in texts)


def _digest(texts: Sequence[str]) -> str:
    # The lengths keep ("ab", "c") apart from ("a", "bc"). Files of scores hold digests: this may never change.
    content = f"[('', {[len(text) for text in texts]})]{''.join(texts)}"
    return hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True)
class ContentComparison:
    """How the summaries of a run differ from those that were scored."""

    changed: Mapping[str, tuple[str, ...]]
    """Of each part that changed (`summary`, `references`, `document`, `units`) the documents it changed in."""

    compared: int
    """How many summaries were compared: 0 where the scores keep no digests."""


def compare_contents(scores: Scores, examples: Iterable[Example], *, whole: bool = True) -> ContentComparison:
    """Compare the summaries of a run, as far as they have scores, with those that were scored.

    Where the run is not `whole`, what it lacks (such as references that were joined from another file) did not change.
    """
    if scores.contents is None:
        return ContentComparison({}, 0)
    stored = {(doc_id, system): content for doc_id, system, content in scores.contents.iter_rows()}
    changed: dict[str, dict[str, None]] = {}
    compared = 0
    for example in examples:
        before = stored.get((example.doc_id, example.system))
        if before is None:
            continue
        compared += 1
        now = describe_content(example)
        if now == before:
            continue
        for part, old, new in zip(PARTS, before.split("."), now.split("."), strict=False):
            if old != new and (new or whole):
                changed.setdefault(part, {})[example.doc_id] = None
    return ContentComparison({part: tuple(documents) for part, documents in changed.items()}, compared)


def check_contents(scores: Scores, examples: Iterable[Example], *, whole: bool) -> tuple[str, ...]:
    """Refuse summaries that have changed since they were scored; gives a note where that cannot be told.

    Parameters
    ----------
    scores
        The scores of the run.
    examples
        Its summaries, or some of them.
    whole
        Whether they have all that was scored; if not, what they lack is not compared.

    Raises
    ------
    DataError
        A summary, or what it is compared with, has changed: the sentence names the documents.
    """
    comparison = compare_contents(scores, examples, whole=whole)
    if comparison.changed:
        parts = [
            f"the {part} of {format_count(len(documents), 'document')} ({join_names(documents)})"
            for part, documents in comparison.changed.items()
        ]
        raise DataError(f"the run has changed since it was scored: {' and '.join(parts)}; score again")
    stated = any(column.stated for column in scores.columns)
    return (UNCHECKED,) if scores.contents is None and stated else ()
