"""Models and baselines as sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.files import open_bytes
from gistmeter.models import roles as catalogue
from gistmeter.report.tables.sheet import Sheet
from gistmeter.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.models.encoder.baselines import Baseline
    from gistmeter.models.roles import Found

_FEWEST_WORDS = 3


def models_sheet(*, check: bool = False) -> tuple[Sheet, bool]:
    """All embedded models with what there is of them here, and whether all is well."""
    rows, notes, more = [], [], []
    for entry in catalogue.entries():
        found = catalogue.look(entry)
        wrong = catalogue.check(entry) if check and found.installed else ""
        state = ("fails" if wrong else "works") if check and found.installed else ""
        rows.append(
            {
                "role": entry.role,
                "model": entry.name,
                "installed": state or found.installed,
                "size": _size(found.size),
                "reads": _languages(entry.languages),
                "licence": entry.licence,
                "from": found.source,
                "digest": found.digest or "–",
            }
        )
        notes += [f"{entry.role}: {wrong}"] if wrong else []
        notes += [f"{entry.role} is not installed: {found.missing}"] if found.missing else []
        more.append(_in_full(found, wrong if check else None))
    caption = (
        "Embedded models: they need no network. model=NAME takes any other by name or path; "
        "`gistmeter models show ROLE` prints the card of one trained by gistmeter."
    )
    fine = not check or not any(one["wrong"] for one in more)
    return Sheet.of(rows, caption=caption, notes=notes, models=more), fine


def baseline_sheet(made: Sequence[Baseline], written: Sequence[Path]) -> Sheet:
    """Baselines by layer, and where they were written."""
    rows = [
        {"idf": one.idf, "layer": layer, "precision": values[0], "recall": values[1], "f1": values[2]}
        for one in made
        for layer, values in sorted(one.layers.items())
    ]
    caption = f"{made[0].model}, {made[0].language}: mean over {made[0].pairs:,} pairs of unrelated sentences."
    notes = [f"written to {path}" for path in written]
    return Sheet.of(rows, caption=caption, notes=notes, files=[str(path) for path in written])


def read_sentences(path: Path, language: str, *, most: int) -> list[str]:
    """Distinct sentences of at least three words from a text file, spread over all of it."""
    with open_bytes(str(path)) as stream:
        try:
            text = stream.read().decode("utf-8-sig")
        except (UnicodeDecodeError, OSError, EOFError) as error:
            raise DataError(f"{path} is not a text file in UTF-8: {error}") from None
    found = [one for one in dict.fromkeys(sentences(text, "split", language)) if _long_enough(one)]
    step = max(1, -(-len(found) // most))
    return found[::step]


def _long_enough(sentence: str) -> bool:
    return len(sentence.split()) >= _FEWEST_WORDS or (not sentence.isascii() and len(sentence) > 2 * _FEWEST_WORDS)


def _in_full(found: Found, wrong: str | None) -> dict[str, object]:
    entry = found.entry
    return {
        "role": entry.role,
        "name": entry.name,
        "installed": found.installed,
        "missing": found.missing,
        "wrong": wrong,
        "bytes": found.size,
        "licence": entry.licence,
        "languages": list(entry.languages),
        "from": found.source,
        "digest": found.digest,
        "used_by": list(entry.used_by),
        "about": entry.about,
        "citation": entry.citation,
        "by_name": entry.by_name,
    }


def _size(count: int) -> str:
    """Bytes as a person says them.

    >>> _size(90_868_376), _size(542_000), _size(0)
    ('90.9 MB', '0.5 MB', '–')
    """
    return f"{count / 1e6:.1f} MB" if count else "–"


def _languages(codes: Sequence[str]) -> str:
    return " ".join(codes) if len(codes) <= 8 else f"{len(codes)} languages"
