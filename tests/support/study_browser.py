"""The pages of a study in a real browser: a server on this machine, and what a rater's page must be like."""

import contextlib
import socket
import threading
import time
from importlib.resources import files

import uvicorn

from gistmeter.annotate.web.app import make_app
from page_waiting import wait_for_keys, wait_for_value

SCREENS = {
    "wide": {"viewport": {"width": 1400, "height": 900}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
}


@contextlib.contextmanager
def hold_port():
    """A port of this machine that no other program is given; nobody answers there until a study is served at it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextlib.contextmanager
def serve_study(store, port=0):
    """Serve a study on a port of this machine, by default a free one; gives the address."""
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    opened.bind(("127.0.0.1", port))
    app, options = make_app(store, burst=10_000), {"access_log": False, "log_level": "warning"}
    server = uvicorn.Server(uvicorn.Config(app, **options, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{opened.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()  # until it answers nobody any more
        opened.close()


@contextlib.contextmanager
def watch_page(browser, address, **options):
    """A page of its own; errors of scripts, messages of errors and requests to elsewhere are faults."""
    faults = []
    context = browser.new_context(**options)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
    page.on("request", lambda sent: None if sent.url.startswith((address, "data:")) else faults.append(sent.url))
    yield page
    context.close()
    assert faults == []


def _is_fault(message):
    """Whether a message of the console tells of an error; refused answers and a server that is away are none."""
    expected = (" 422 ", " 507 ", "net::ERR_")
    return message.type == "error" and not any(part in message.text for part in expected)


@contextlib.contextmanager
def open_study_page(browser, store, *, width=1400, scheme="light", touch=False, script=True):
    """The first screen of a new rater."""
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    options |= {"has_touch": True, "is_mobile": True} if touch else {}
    [rater] = store.invite(1)
    with serve_study(store) as address, watch_page(browser, address, java_script_enabled=script, **options) as page:
        begin(page, f"{address}/w/{rater.token}")
        yield page


def begin(page, link):
    """Follow a personal link, and begin."""
    page.goto(link)
    wait_for_keys(page)
    page.click("button.main")
    page.wait_for_selector("#questions")
    wait_for_keys(page)


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


def shown_marks(page):
    return [line.split("\n")[0] for line in page.locator(".marked li").all_inner_texts()]


def wait_for_marks(page, expected):
    wait_for_value(lambda: shown_marks(page), expected)


def wait_for_count(page, selector, expected):
    wait_for_value(page.locator(selector).count, expected)


def read_fields(page):
    """What is filled in."""
    return page.evaluate(
        "[...new FormData(document.getElementById('questions'))].filter(([name]) => name !== 'stamp').sort()"
    )
