"""Waiting in a browser for what must be there, on a machine of any speed: never so many milliseconds."""

import time

LONGEST_SECONDS = 30


def wait_for_keys(page):
    """Wait until a page takes keys: its scripts have run, and a key that does nothing has come through.

    Chromium drops keys until a page is shown, which on a busy machine can be later than its first painting.
    """
    page.wait_for_load_state()
    # Asked from here: `page.wait_for_function` evaluates a text again in the page, which a strict policy refuses.
    wait_for_value(lambda: page.evaluate("performance.getEntriesByType('paint').length > 0"), True)
    if page.evaluate("matchMedia('(scripting: enabled)').matches"):
        page.evaluate(
            "addEventListener('keyup', () => { document.documentElement.dataset.keyHeard = '' }, { once: true })"
        )
        wait_for_value(lambda: _is_key_heard(page), True)


def _is_key_heard(page):
    """Press a key that means nothing by itself, and see whether a key has come to the page."""
    page.keyboard.press("Shift")
    return page.evaluate("'keyHeard' in document.documentElement.dataset")


def wait_for_value(read, expected):
    """Wait until what is read is as expected; where it never is, the test fails and shows both."""
    until = time.monotonic() + LONGEST_SECONDS
    while (value := read()) != expected and time.monotonic() < until:
        time.sleep(0.02)
    assert value == expected
