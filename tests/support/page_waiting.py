"""Waiting in a browser for what must be there, on a machine of any speed: never so many milliseconds."""

import time

LONGEST_SECONDS = 30


def wait_for_keys(page):
    """Wait until a page takes keys: its scripts have run, and it is painted (before that, Chromium drops keys)."""
    page.wait_for_load_state()
    # Asked from here: `page.wait_for_function` evaluates a text again in the page, which a strict policy refuses.
    wait_for_value(lambda: page.evaluate("performance.getEntriesByType('paint').length > 0"), True)


def wait_for_value(read, expected):
    """Wait until what is read is as expected; where it never is, the test fails and shows both."""
    until = time.monotonic() + LONGEST_SECONDS
    while (value := read()) != expected and time.monotonic() < until:
        time.sleep(0.02)
    assert value == expected
