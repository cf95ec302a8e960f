"""What keeps the pages safe: signed forms, limits of rate and size, and headers that allow nothing from elsewhere."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 65_536
"""No answer is longer."""

FORM_SECONDS = 7 * 86400.0
"""How long a form may stay open before it is saved."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}


@dataclass(frozen=True, slots=True)
class FormStamp:
    """When a form was shown, and its number, which no other form has."""

    shown: float
    number: str


def sign_form(secret: bytes, about: str, now: float) -> str:
    """The hidden field of a form: when it was shown, a number, and a signature over both and what the form is about.

    >>> stamp = sign_form(b"key", "rater 1, item 2", 100.0)
    >>> check_form(b"key", "rater 1, item 2", stamp, 160.0).shown
    100.0
    >>> check_form(b"key", "rater 2, item 2", stamp, 160.0) is None
    True
    """
    stamp = f"{now:.3f}-{secrets.token_hex(8)}"
    return f"{stamp}-{_mark(secret, about, stamp)}"


def check_form(secret: bytes, about: str, field: str, now: float) -> FormStamp | None:
    """What the hidden field of a form says; None where it is not of this form, or too old."""
    stamp, _, mark = field.rpartition("-")
    if not hmac.compare_digest(_mark(secret, about, stamp).encode(), mark.encode("utf-8", "replace")):
        return None
    shown, _, number = stamp.partition("-")
    return FormStamp(float(shown), number) if 0 <= now - float(shown) + 1 <= FORM_SECONDS else None


def _mark(secret: bytes, about: str, stamp: str) -> str:
    return hmac.new(secret, f"{about}|{stamp}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


class RateLimit:
    """So many requests in a burst, and then so many in a second, for each name.

    >>> limit = RateLimit(burst=2, each_second=1, clock=lambda: 0.0)
    >>> [limit.allow("ann") for _ in range(3)], limit.allow("ben")
    ([True, True, False], True)
    """

    most_names = 10_000

    def __init__(self, burst: float, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst = burst
        self.each_second = each_second
        self.clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def allow(self, name: str) -> bool:
        """Whether one more request of this name is within the limit."""
        now = self.clock()
        with self._lock:
            if len(self._left) > self.most_names:
                self._left.clear()
            left, before = self._left.get(name, (self.burst, now))
            left = min(self.burst, left + max(0.0, now - before) * self.each_second)
            self._left[name] = (max(left - 1, 0.0) if left >= 1 else left, now)
            return left >= 1
