"""Take the pictures of the report for the home page: what `gistmeter demo` writes, opened in headless Chromium.

    python scripts/make_report_picture.py docs/img

Writes report-light.png and report-dark.png; the page shows the one that goes with the reader's colours.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTH, HEIGHT = 1180, 640


def write_demo_report(folder: Path) -> Path:
    """The report of the example run, as a new user gets it."""
    command = [Path(sys.executable).parent / "gistmeter", "demo"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "report.html"


def take_pictures(report: Path, output: Path) -> None:
    """The top of the report, in light and in dark colours."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
            page.goto(report.as_uri())
            page.screenshot(path=output / f"report-{scheme}.png", animations="disabled")
        browser.close()


def main(output: Path) -> None:
    """Both pictures, into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        take_pictures(write_demo_report(Path(folder)), output)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
