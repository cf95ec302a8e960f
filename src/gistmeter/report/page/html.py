"""The report as one HTML file that opens offline: data, style and script inside, nothing fetched."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from gistmeter.io.atomic import check_writable, write_atomically
from gistmeter.report.page.payload import page_data, script_json
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.probe import ScoreFindings
    from gistmeter.ranking.rank import Ranking
    from gistmeter.scores import Scores

STYLES = ("report.css", "evidence.css", "kinds.css", "probes.css")
SCRIPTS = (
    "dom.js",
    "theme.js",
    "report.js",
    "board.js",
    "documents.js",
    "shown_probes.js",
    "marks.js",
    "kinds.js",
    "evidence.js",
    "links.js",
    "export.js",
)


def write_html(
    scores: Scores,
    ranking: Ranking,
    path: Path,
    *,
    examples: Iterable[Example] = (),
    metrics: Mapping[str, Metric] | None = None,
    title: str = "gistmeter report",
    evidence_rows: int = 1000,
    made_at: datetime | None = None,
    allow_models: bool = True,
    probes: Sequence[ScoreFindings] = (),
    marking_pages: Sequence[Mapping[str, str]] = (),
    categories: bool = False,
) -> None:
    """Write the report of a run.

    `examples` are the texts that were scored; without them the page has numbers only. Evidence is made for the
    first documents, `evidence_rows` rows at most, by `metrics` (by label, as they scored; by default they are made
    again from their labels, and load what these name unless `allow_models` says no). `made_at` is the time the page
    shows, by default now. `probes` are findings about scores, which are shown with their verdicts.
    `marking_pages` are names and addresses of pages of marks, which are linked. With `categories` the evidence also
    says which kinds of words match.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from gistmeter.api import score
    >>> from gistmeter.ranking.rank import rank
    >>> from gistmeter.example import Example
    >>> run = [Example(doc_id="1", system="a", summary="It rained.", references=["It rained a lot."])]
    >>> scores = score(run, "rouge1")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "report.html")
    ...     write_html(scores, rank(scores), path, examples=run, title="Rain")
    ...     "<title>Rain</title>" in path.read_text()
    True
    """
    check_writable(path)
    data = page_data(
        scores,
        ranking,
        examples=examples,
        metrics=metrics,
        title=title,
        evidence_rows=evidence_rows,
        made_at=made_at or datetime.now().astimezone(),
        allow_models=allow_models,
        probes=probes,
        marking_pages=marking_pages,
        categories=categories,
    )
    write_page(render(data, title=title), path)


def write_page(page: str, path: Path) -> None:
    """Write a page whole or not at all; half of a surrogate pair, which no file can hold, becomes a question mark."""
    with write_atomically(path) as part:
        part.write_bytes(page.encode("utf-8", errors="replace"))


def render(
    data: object,
    *,
    title: str,
    template: str = "report.html.j2",
    styles: Iterable[str] = STYLES,
    scripts: Iterable[str] = SCRIPTS,
    content: Mapping[str, object] | None = None,
) -> str:
    """The page around its data: a template, with its styles and scripts inside; it escapes what `content` names."""
    environment = Environment(loader=PackageLoader("gistmeter.report.page"), autoescape=True)
    style, script = _join_files(styles), _join_files(scripts)
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return environment.get_template(template).render(
        content or {},
        title=title,
        version=__version__,
        policy=policy,
        # Our own files and JSON that `script_json` made harmless; nothing else is trusted.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        data=Markup(script_json(data)),  # noqa: S704
    )


def _join_files(names: Iterable[str]) -> str:
    folder = files("gistmeter.report.page") / "templates"
    return "\n".join((folder / name).read_text("utf-8") for name in names)


def _hash(text: str) -> str:
    """What a content security policy calls an inline style or script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
