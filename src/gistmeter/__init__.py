"""gistmeter measures text summaries, and measures the measures.

>>> import gistmeter as gm
>>> one = gm.score_one(summary="The cat sat.", references=["The cat sat down."], metrics=["rouge1"])
>>> round(one["rouge1.f1"], 3)
0.857
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gistmeter.version import __version__
from gistmeter.views import name_drawing_module

# Where each public name lives. Names load on first use, so that `import gistmeter` stays quick.
_HOMES = {
    "Evidence": "gistmeter.evidence",
    "Example": "gistmeter.example",
    "GistmeterError": "gistmeter.errors",
    "GistmeterWarning": "gistmeter.errors",
    "Judgments": "gistmeter.judgments",
    "RuntimeSettings": "gistmeter.models.runtime.settings",
    "Scores": "gistmeter.scores",
    "Unit": "gistmeter.example",
    "check": "gistmeter.api",
    "cite": "gistmeter.api",
    "compare": "gistmeter.api",
    "correlate": "gistmeter.api",
    "explain": "gistmeter.api",
    "explain_summaries": "gistmeter.api",
    "gate": "gistmeter.api",
    "human": "gistmeter.human",
    "insight": "gistmeter.insight",
    "load": "gistmeter.api",
    "meta": "gistmeter.meta",
    "metric": "gistmeter.api",
    "metrics": "gistmeter.metrics",
    "probe": "gistmeter.probe",
    "rank": "gistmeter.api",
    "read_run": "gistmeter.api",
    "score": "gistmeter.api",
    "score_one": "gistmeter.api",
    "stats": "gistmeter.stats",
    "summarize": "gistmeter.summarize",
    "trust": "gistmeter.ranking.trust",
    "worst": "gistmeter.api",
    "write_figure": "gistmeter.report.result_figures",
    "write_report": "gistmeter.api",
    "write_run": "gistmeter.api",
}

name_drawing_module("gistmeter.report.notebook")

__all__ = ["__version__", *sorted(_HOMES)]  # noqa: PLE0604

if TYPE_CHECKING:
    from gistmeter.api import check as check
    from gistmeter.api import cite as cite
    from gistmeter.api import compare as compare
    from gistmeter.api import correlate as correlate
    from gistmeter.api import explain as explain
    from gistmeter.api import explain_summaries as explain_summaries
    from gistmeter.api import gate as gate
    from gistmeter.api import load as load
    from gistmeter.api import metric as metric
    from gistmeter.api import rank as rank
    from gistmeter.api import read_run as read_run
    from gistmeter.api import score as score
    from gistmeter.api import score_one as score_one
    from gistmeter.api import worst as worst
    from gistmeter.api import write_report as write_report
    from gistmeter.api import write_run as write_run
    from gistmeter.errors import GistmeterError as GistmeterError
    from gistmeter.errors import GistmeterWarning as GistmeterWarning
    from gistmeter.evidence import Evidence as Evidence
    from gistmeter.example import Example as Example
    from gistmeter.example import Unit as Unit
    from gistmeter.judgments import Judgments as Judgments
    from gistmeter.models.runtime.settings import RuntimeSettings as RuntimeSettings
    from gistmeter.report.result_figures import write_figure as write_figure
    from gistmeter.scores import Scores as Scores


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'gistmeter' has no attribute {name!r}")
    module = import_module(home)
    return module if home.endswith(f".{name}") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
