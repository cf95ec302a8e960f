"""Attacks with text that is meant for a program: markup, and instructions to a language model that judges."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING

from gistmeter.probe.attacks.changes.words import join_texts
from gistmeter.probe.attacks.registry import register_attack

if TYPE_CHECKING:
    from gistmeter.probe.attacks.registry import AttackTarget


@functools.cache
def _load_injections() -> dict[str, str]:
    text = (files("gistmeter.probe.attacks.changes") / "injections.toml").read_text("utf-8")
    injections: dict[str, str] = tomllib.loads(text)
    return injections


@register_attack("html", "the summary as an HTML page with a flattering title and comment")
def wrap_in_html(target: AttackTarget) -> str | None:
    """The summary between tags."""
    return _load_injections()["html"].replace("SUMMARY", target.example.summary).strip()


@register_attack("prompt", "an order to a language model, to give the highest score, after the summary")
def inject_prompt(target: AttackTarget) -> str | None:
    """The summary, and after it what would have a credulous judge give the highest score."""
    return join_texts(target.example.summary, _load_injections()["prompt"].strip())
