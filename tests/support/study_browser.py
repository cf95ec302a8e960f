"""The pages of a study in a real browser: a server on this machine, and what a rater's page must be like."""

import contextlib
import threading
import time
from importlib.resources import files

import uvicorn

from gistmeter.annotate.web.app import make_app


@contextlib.contextmanager
def serve_study(store):
    """Serve a study on a free port of this machine; gives the address."""
    config = uvicorn.Config(make_app(store, burst=10_000), port=0, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@contextlib.contextmanager
def open_study_page(browser, store, *, width=1400, scheme="light", touch=False, script=True):
    """The first screen of a new rater; nothing may be logged as an error, or requested from elsewhere."""
    faults = []
    with serve_study(store) as address:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, has_touch=touch, java_script_enabled=script
        )
        page = context.new_page()
        page.on(
            "console",
            lambda message: (
                faults.append(message.text) if message.type == "error" and " 422 " not in message.text else None
            ),
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda sent: faults.append(sent.url) if not sent.url.startswith((address, "data:")) else None,
        )
        [rater] = store.invite(1)
        page.goto(f"{address}/w/{rater.token}")
        page.click("button.main")
        page.wait_for_selector("#questions")
        page.wait_for_load_state()  # with the scripts, which say where keys go
        yield page
        context.close()
    assert faults == []


def find_violations(page):
    """What axe finds, as pairs of a rule and the elements."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations]


def read_answer(store):
    """The last answer of the only rater who works."""
    [work] = [state for state in store.list_work() if state.rater is not None]
    answers = store.read_answers(work.id)
    return list(answers.values())[-1].value if answers else None
