"""Models and baselines as sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.metrics.presets import list_presets_using
from gistmeter.metrics.registry import list_names_using
from gistmeter.models import roles
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.encoder.make_baselines import WrittenBaseline
    from gistmeter.models.encoder.recommended import RecommendedModel
    from gistmeter.models.roles import Installation


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


def baseline_sheet(written_baselines: Sequence[WrittenBaseline]) -> Sheet:
    """Baselines of one model by layer, and the files they were written to."""
    baselines = [written.baseline for written in written_baselines]
    paths = [written.path for written in written_baselines]
    rows = [
        {"idf": baseline.idf, "layer": layer, "precision": values[0], "recall": values[1], "f1": values[2]}
        for baseline in baselines
        for layer, values in sorted(baseline.layers.items())
    ]
    first = baselines[0]
    caption = f"{first.model}, {first.language}: mean over {first.pairs:,} pairs of unrelated sentences."
    notes = [f"written to {path}" for path in paths]
    return Sheet.of(rows, caption=caption, notes=notes, files=[str(path) for path in paths])


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


def recommended_sheet(models: Sequence[RecommendedModel]) -> Sheet:
    """The models of the papers: whom they read, their size, the layers recommended, and the presets that name them."""
    rows = []
    for model in models:
        row: dict[str, object] = {
            "model": model.name,
            "reads": model.languages,
            "parameters": f"{model.parameters:,} M",
            "fp32": f"{model.gigabytes:.1f} GB",
        }
        row |= {
            aspect: str(model.layers[aspect].layer) if aspect in model.layers else "–"
            for aspect in ("faithfulness", "focus", "coverage")
        }
        row["used by"] = ", ".join(list_presets_using(model.name)) or ("bertscore(model=NAME)" if model.layers else "–")
        rows.append(row)
    caption = (
        "Models of the papers, to be fetched by name where there is a network; the numbers are the layers that FFCI "
        "(Table 9), Koto, Lau and Baldwin (Tables 3 and 4) or, without either, bert-score recommend. All were chosen "
        "without idf. None is needed: see `gistmeter models`."
    )
    return Sheet.of(rows, caption=caption)
