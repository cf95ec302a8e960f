"""Templates to pages: every text of a run is escaped, wherever it stands."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

STYLES = "gistmeter.css"
SCRIPT = "gistmeter.js"
_STYLES = ("annotate.css", "marking.css", "writing.css")
_SCRIPTS = ("marking.js", "writing.js", "annotate.js")
"""What is served as one script; the last one begins, and calls what the others have for their blocks."""
_CSS, _JAVASCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("gistmeter.annotate.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # templates do not change while a server runs
    )


def render_page(template: str, **values: Any) -> str:
    """A page from its template."""
    return _environment().get_template(template).render(**values)


@cache
def read_static(name: str) -> tuple[bytes, str] | None:
    """What is served beside the pages: the style (that of the report, and more) and the script; None for all else."""
    own = files("gistmeter.annotate.web") / "static"
    if name == STYLES:
        report = files("gistmeter.report.page") / "templates" / "report.css"
        return b"\n".join(file.read_bytes() for file in (report, *(own / style for style in _STYLES))), _CSS
    if name == SCRIPT:
        return b"\n".join((own / script).read_bytes() for script in _SCRIPTS), _JAVASCRIPT
    return None
