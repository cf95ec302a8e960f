"""Take the pictures of a study for its page: two tasks on the example run, opened in headless Chromium.

    python scripts/make_study_pictures.py docs/img

Writes study-focus-coverage.png and study-content-units.png, each with a few keys pressed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

KEYS = {"focus-coverage": ["ArrowRight"] * 14, "content-units": ["y", "y", "n"]}
WIDTH, HEIGHT = 1100, 640


def main(output: Path) -> None:
    """Both pictures, into a folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for task, keys in KEYS.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            page.goto(serve_task(task, Path(folder) / task))
            page.click("button.main")
            page.wait_for_selector("#questions")
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(1500)  # what is filled in is kept, and said to be
            page.screenshot(path=output / f"study-{task}.png", animations="disabled")
        browser.close()


def serve_task(task: str, folder: Path) -> str:
    """The link of a rater in a study of the example run."""
    import uvicorn

    from gistmeter.annotate import Store, design_study
    from gistmeter.annotate.web.app import make_app
    from gistmeter.api import read_run
    from gistmeter.demo import demo_run

    plan = design_study(read_run(demo_run()), task, folder, systems=["careful", "terse"], per_assignment=40, raters=1)
    store = Store(plan.study)
    server = uvicorn.Server(uvicorn.Config(make_app(store), port=0, log_level="error", access_log=False))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    return f"http://127.0.0.1:{port}/w/{store.invite(1)[0].token}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
