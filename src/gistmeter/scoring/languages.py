"""The languages of a run: unknown ones and those that a metric does not read are refused, mistaken ones noted."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from gistmeter.errors import GistmeterError, UnknownLanguageError
from gistmeter.metrics.registry import BUILT_IN, parse_metric
from gistmeter.text.detection import count_language_words, find_plain_language
from gistmeter.text.languages import language_code, language_name
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.example import Example
    from gistmeter.io.batches import RecordLocations
    from gistmeter.io.runs import Run
    from gistmeter.metrics.metric import Metric

WATCHED_RECORDS = 200
"""How many records of each file are looked at for the language that they are in."""
_COUNTED_RECORDS = 10_000
"""How many records are read again to say how many of them name an unknown language."""
_NAMED_METRICS = 5
_FAMILY_PARTS = 4
"""gistmeter.metrics.overlap.rouge, of the modules of ROUGE; gistmeter.metrics.overlap.bleu, which has one."""
_LANGUAGE_WORDS = "words of "
"""What words that speak for a language are counted under, followed by the language scored as, and by that one."""
_RECORDS_IN = "records in "
"""What the records of a language are counted under."""


def check_languages(metrics: Mapping[str, Metric], examples: Sequence[Example], locations: RecordLocations) -> None:
    """Refuse an unknown language, and one that a metric does not read; the error names the first such record."""
    first_rows: dict[str, int] = {}
    for row, example in enumerate(examples):
        first_rows.setdefault(example.language, row)
    for language, row in first_rows.items():
        where = locations.describe(row)
        try:
            code = language_code(language)
        except UnknownLanguageError as error:
            raise UnknownLanguageError(f"{where}: {error}") from None
        for label, metric in metrics.items():
            try:
                metric.check_language(code)
            except GistmeterError as error:
                named = "" if str(error).startswith(metric.name) else f"{label}: "
                readers = _name_readers(code, metric, examples[row])
                raise type(error)(f"{named}{error}{readers} ({examples[row].name}, {where})") from None


@contextlib.contextmanager
def count_unknown_languages(run: Run) -> Iterator[None]:
    """An unknown language as an error that also says how many of the records name one."""
    try:
        yield
    except UnknownLanguageError as error:
        if not run.files or run.total_bytes() is None:  # memory, or a stream that was read already
            raise
        examples = list(islice(run.examples(), _COUNTED_RECORDS))
        unknown = sum(not _is_known(example.language) for example in examples)
        if len(examples) < 2:
            raise
        read = f"the first {_COUNTED_RECORDS:,}" if len(examples) == _COUNTED_RECORDS else f"{len(examples):,}"
        verb = "names" if unknown == 1 else "name"
        raise UnknownLanguageError(f"{error}; {unknown:,} of {read} records {verb} an unknown language") from None


def count_watched_words(examples: Sequence[Example], locations: RecordLocations) -> Counter[str]:
    """The words of the first summaries of a file that speak for each language, by the language scored as."""
    counts: Counter[str] = Counter()
    for example, number in zip(examples, locations.numbers, strict=True):
        if number > WATCHED_RECORDS:
            break
        scored_as = language_code(example.language)
        for code, count in count_language_words(example.summary).items():
            counts[f"{_LANGUAGE_WORDS}{scored_as}:{code}"] += count
    return counts


def count_languages(examples: Sequence[Example]) -> Counter[str]:
    """How many summaries are scored as each language."""
    return Counter(f"{_RECORDS_IN}{language_code(example.language)}" for example in examples)


def note_unused_language(counts: Mapping[str, int], rows: int, given: str | None) -> Iterator[str]:
    """A sentence on a language that was given for the run, where every record names another one.

    Of rows that an earlier file had, nobody knows the language: then nothing is said.
    """
    records = {key.removeprefix(_RECORDS_IN): count for key, count in counts.items() if key.startswith(_RECORDS_IN)}
    if given is not None and sum(records.values()) == rows and language_code(given) not in records:
        scored_as = join_names([language_name(code) for code in sorted(records)])
        yield (
            f'`language="{given}"` is for records that do not name their language, and all name one: '
            f"they were scored as {scored_as}"
        )


def note_languages(counts: Mapping[str, int]) -> Iterator[str]:
    """A sentence on summaries that are plainly in another language than they are scored as."""
    words: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for key, count in counts.items():
        if key.startswith(_LANGUAGE_WORDS):
            scored_as, _, code = key.removeprefix(_LANGUAGE_WORDS).partition(":")
            words[scored_as][code] = count
    for scored_as, by_language in words.items():
        plain_language = find_plain_language(by_language, scored_as)
        if plain_language is not None:
            yield (
                f"the summaries look {language_name(plain_language)}, but are scored as {language_name(scored_as)}, "
                f'which decides words, stems and models: say so with `language="{plain_language}"`, or in the records'
            )


def _is_known(language: str) -> bool:
    try:
        language_code(language)
    except UnknownLanguageError:
        return False
    return True


def _name_readers(code: str, refused: Metric, example: Example) -> str:
    """The words "; bertscore, sts and rouge1 read Turkish (tr)": metrics that have what they need, the likest first."""
    readers: dict[str, Metric] = {}
    for entry in BUILT_IN:
        with contextlib.suppress(GistmeterError):  # it takes settings, or does not read the language
            metric = parse_metric(entry.names[0])
            metric.check_language(code)
            judges = any(column.better != "neither" for column in metric.columns)
            if judges and metric.lacking(example) is None and not metric.leaves_own_reference_out:
                # One of a family that has a folder of its own, such as rouge.
                readers.setdefault(".".join(type(metric).__module__.split(".")[:_FAMILY_PARTS]), metric)
    likest = sorted(readers.values(), key=lambda metric: (metric.needs != refused.needs, metric.slow != refused.slow))
    names = [metric.name for metric in likest[:_NAMED_METRICS]]
    return f"; {join_names(names)} {'reads' if len(names) == 1 else 'read'} {language_name(code)}" if names else ""
