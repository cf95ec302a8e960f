"""Models and baselines as sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.files import open_bytes
from gistmeter.metrics.registry import list_names_using
from gistmeter.models import roles
from gistmeter.report.tables.sheet import Sheet
from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.models.encoder.baselines import Baseline
    from gistmeter.models.roles import Installation

_MIN_SENTENCE_WORDS = 3


@dataclass(frozen=True, slots=True)
class ModelsReport:
    """All roles as a sheet, and the names of those whose model failed its check."""

    sheet: Sheet
    failures: tuple[str, ...]


def models_sheet(*, check: bool = False, in_full: bool = False) -> ModelsReport:
    """All roles with what this machine has of their embedded models.

    With `check` each model is loaded and asked; `in_full` adds all that is known of each role, for JSON.
    """
    rows, notes, details, failures = [], [], [], []
    for role in roles.list_roles():
        installation = roles.inspect_installation(role)
        complaint = roles.check_role(role) if check and installation.installed else ""
        state = ("fails" if complaint else "works") if check and installation.installed else ""
        rows.append(
            {
                "role": role.name,
                "model": role.model,
                "installed": state or installation.installed,
                "size": _format_size(installation.size_bytes),
                "reads": _format_languages(role.languages),
                "licence": role.licence,
                "from": installation.source,
                "digest": installation.digest or "–",
            }
        )
        if complaint:
            failures.append(role.name)
            notes.append(f"{role.name}: {complaint}")
        if installation.missing:
            notes.append(f"{role.name} is not installed: {installation.missing}")
        if in_full:
            details.append(_describe(installation, complaint if check else None))
    caption = (
        "Embedded models: they need no network. model=NAME takes any other by name or path; "
        "`gistmeter models show ROLE` prints the card of one trained by gistmeter."
    )
    return ModelsReport(Sheet.of(rows, caption=caption, notes=notes, models=details), tuple(failures))


def baseline_sheet(baselines: Sequence[Baseline], paths: Sequence[Path]) -> Sheet:
    """Baselines of one model by layer, and the files they were written to."""
    rows = [
        {"idf": baseline.idf, "layer": layer, "precision": values[0], "recall": values[1], "f1": values[2]}
        for baseline in baselines
        for layer, values in sorted(baseline.layers.items())
    ]
    first = baselines[0]
    caption = f"{first.model}, {first.language}: mean over {first.pairs:,} pairs of unrelated sentences."
    notes = [f"written to {path}" for path in paths]
    return Sheet.of(rows, caption=caption, notes=notes, files=[str(path) for path in paths])


def read_sentences(path: Path, language: str, *, most: int) -> list[str]:
    """At most `most` distinct sentences of at least three words from a text file, spread over all of it."""
    with open_bytes(str(path)) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except (UnicodeDecodeError, OSError, EOFError) as error:
            raise DataError(f"{path} is not a text file in UTF-8: {error}") from None
    distinct = dict.fromkeys(split_sentences(text, "split", language))
    long_enough = [sentence for sentence in distinct if _is_long_enough(sentence)]
    step = max(1, -(-len(long_enough) // most))
    return long_enough[::step]


def _is_long_enough(sentence: str) -> bool:
    """Whether a sentence has three words, or, in a script without spaces, characters enough for them."""
    if len(sentence.split()) >= _MIN_SENTENCE_WORDS:
        return True
    return not sentence.isascii() and len(sentence) > 2 * _MIN_SENTENCE_WORDS


def _describe(installation: Installation, complaint: str | None) -> dict[str, object]:
    """All that is known of a role, for --json."""
    role = installation.role
    return {
        "role": role.name,
        "name": role.model,
        "installed": installation.installed,
        "missing": installation.missing,
        "wrong": complaint,
        "bytes": installation.size_bytes,
        "licence": role.licence,
        "languages": list(role.languages),
        "from": installation.source,
        "digest": installation.digest,
        "used_by": list_names_using(role.name),
        "about": role.about,
        "citation": role.citation,
        "by_name": role.by_name,
    }


def _format_size(count: int) -> str:
    """Bytes as a person says them.

    >>> _format_size(90_868_376), _format_size(542_000), _format_size(0)
    ('90.9 MB', '0.5 MB', '–')
    """
    return f"{count / 1e6:.1f} MB" if count else "–"


def _format_languages(codes: Sequence[str]) -> str:
    return " ".join(codes) if len(codes) <= 8 else f"{len(codes)} languages"
