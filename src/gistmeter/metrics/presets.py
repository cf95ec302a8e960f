"""Presets: settings of a metric under one name, such as `estime(preset=paper)`, kept as a table (`presets.toml`)."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

from gistmeter.errors import MetricError, suggestion

PRESET = "preset"
"""What stands in the place of a setting to name a preset."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings as they are spelled, and what they are."""

    settings: dict[str, str]
    about: str


def list_presets(template: str) -> dict[str, Preset]:
    """The presets of a registered metric, by name.

    >>> list_presets("focus")["paper"].settings
    {'metric': 'bertscore(model=gpt2-xl,layer=29,idf=none,long=truncate)'}
    >>> list_presets("rougeL")
    {}
    """
    return _read_presets().get(template, {})


def apply_preset(template: str, name: str, settings: dict[str, str]) -> dict[str, str]:
    """Settings with those of the preset they name, if they name one; what is written beside it counts.

    >>> apply_preset("estime", "estime", {"preset": "paper", "layer": "24"})["layer"]
    '24'
    """
    if PRESET not in settings:
        return settings
    presets, asked = list_presets(template), settings[PRESET]
    if asked not in presets:
        ways = f"it has {', '.join(presets)}" if presets else "it has none"
        raise MetricError(f"{name} has no preset {asked!r}{suggestion(asked, presets)} ({ways})")
    return presets[asked].settings | {key: value for key, value in settings.items() if key != PRESET}


def list_presets_using(model: str) -> list[str]:
    """The presets that name a model, as they are spelled; those that are made of other presets are left out.

    >>> list_presets_using("roberta-large-mnli")
    ['faithfulness(preset=paper)']
    """
    named = re.compile(rf"(?:^|\bmodel=){re.escape(model)}(?![\w/.-])")
    return [
        f"{template}({PRESET}={name})"
        for template, presets in _read_presets().items()
        for name, preset in presets.items()
        if any(named.search(value) for key, value in preset.settings.items() if key in ("model", "metric"))
    ]


@functools.cache
def _read_presets() -> dict[str, dict[str, Preset]]:
    text = (files("gistmeter.metrics") / "presets.toml").read_text("utf-8")
    return {
        template: {
            name: Preset({key: value for key, value in row.items() if key != "about"}, row["about"])
            for name, row in named.items()
        }
        for template, named in tomllib.loads(text).items()
    }
