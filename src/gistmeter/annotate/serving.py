"""Where the pages are served: on this machine unless told otherwise, with a word about TLS where they are not."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from gistmeter.errors import ArgumentError
from gistmeter.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.annotate.store import Store

LOOPBACK = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::", "[::]")  # noqa: S104 - they are recognised, not chosen


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and what raters have in their browser."""

    host: str
    port: int
    base_url: str
    notes: tuple[str, ...]

    @property
    def shown_host(self) -> str:
        """The host as it stands in a link; the name of this machine where it listens at all of its addresses."""
        if self.host in EVERYWHERE:
            return socket.gethostname()
        return f"[{self.host}]" if ":" in self.host and not self.host.startswith("[") else self.host


def check_address(host: str | None, port: int, base_url: str | None) -> Address:
    """Where to listen; notes say what is not safe.

    >>> check_address(None, 8765, None).host
    '127.0.0.1'
    >>> check_address("0.0.0.0", 8765, None).notes[0].startswith("the pages can be reached from other machines")
    True
    """
    require("starlette", "annotate serve", extra="web")
    require("uvicorn", "annotate serve", extra="web")
    notes = []
    if host is not None and not _is_loopback(host):
        notes.append(
            f"the pages can be reached from other machines (--host {host}) and are sent without TLS: whoever listens "
            "reads links and answers. Put a reverse proxy with TLS before them (--base-url https://...)"
        )
    if host is not None and not _is_host(host):
        raise ArgumentError(f"`host` is the name or address of a machine, such as 0.0.0.0, not {host!r}")
    if base_url is not None:
        location = _split_address(base_url)
        if location.scheme == "http" and not _is_loopback(location.hostname or ""):
            notes.append(f"{base_url} is not encrypted: whoever listens reads links and answers; use https")
    return Address(host=host or LOOPBACK, port=port, base_url=(base_url or "").rstrip("/"), notes=tuple(notes))


def _is_host(host: str) -> bool:
    """Whether a text can stand between // and a path in an address: no brackets but those of IPv6, no other signs."""
    try:
        return bool(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return re.fullmatch(r"[\w.-]+", host) is not None


def _split_address(base_url: str) -> SplitResult:
    try:
        location = urlsplit(base_url)
        is_whole = location.scheme in ("http", "https") and location.hostname and location.port != 0
        if is_whole and not location.query and not location.fragment:
            return location
    except ValueError:  # a bracket that is not closed, a port that is no number
        pass
    raise ArgumentError(f"`base_url` is an address such as https://example.org/study, not {base_url!r}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@contextlib.contextmanager
def listen(address: Address) -> Iterator[socket.socket]:
    """A socket at the address, so that a port that is taken is said before any link is."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((address.host.strip("[]"), address.port))
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ArgumentError(
                f"cannot listen at {address.shown_host}:{address.port}: {reason}; `port=0` takes a free port"
            ) from None
        opened.listen(1024)  # who follows a link at once waits a moment, and is not turned away
        yield opened


def run_server(store: Store, opened: socket.socket, address: Address, base_url: str) -> None:
    """Serve the pages until the process is stopped. Nothing is logged of requests: their addresses have tokens."""
    import uvicorn

    from gistmeter.annotate.web.app import make_app

    hosts = (address.shown_host, address.host)
    app = make_app(store, base_url=base_url, hosts=hosts)
    config = uvicorn.Config(app, access_log=False, log_level="warning", server_header=False, timeout_keep_alive=20)
    uvicorn.Server(config).run(sockets=[opened])
