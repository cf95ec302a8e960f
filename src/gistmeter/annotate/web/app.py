"""The application: routes, limits and headers around the pages."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from gistmeter.annotate.serving import EVERYWHERE
from gistmeter.annotate.web.admin_pages import AdminPages
from gistmeter.annotate.web.rater_pages import Page, RaterPages
from gistmeter.annotate.web.rendering import read_static
from gistmeter.annotate.web.security import HEADERS, MOST_BYTES, PRIVATE, RateLimit
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from gistmeter.annotate.store import Store

_logger = logging.getLogger(__name__)

LONGEST_PATH = 1_000
"""No page has a longer address."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def make_app(store: Store, *, base_url: str = "", hosts: tuple[str, ...] = (), burst: int = 120) -> Guard:
    """The application that serves a study.

    Parameters
    ----------
    store
        The answers of the study.
    base_url
        What raters have in their browser before the paths of the pages, where that is a reverse proxy.
    hosts
        Names of this server, beside those of the machine itself; requests for any other name are refused. Where it
        listens at every address (`0.0.0.0`, `[::]`), any address is a name, and so is the name of the machine.
    burst
        Requests of one person that are served at once; then 20 in a second.
    """
    location = urlsplit(base_url)
    prefix = location.path.rstrip("/")
    raters, admin = RaterPages(store, prefix), AdminPages(store, base_url.rstrip("/"), prefix)

    def answer(page: Callable[..., Page], *, is_quick: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint: the form is read with a limit, and the page is made in a thread of its own.

        Not so what `is_quick`: a page that only reads takes a millisecond, and no other thread has to wake up for it.
        """

        async def endpoint(request: Request) -> Response:
            values: dict[str, Any] = dict(request.path_params)
            if request.method == "POST":
                fields = await _read_form(request)
                if fields is None:
                    return _respond(raters.tell("large", 413))
                values["fields"] = fields
            elif "saved" in request.query_params:
                values["saved"] = True
            try:
                return _respond(page(**values) if is_quick else await run_in_threadpool(page, **values))
            except GistmeterError as error:
                _logger.error(str(error))  # for the person who runs the server; it names no link
                return _respond(raters.tell("full", 507, reason=str(error).rpartition(": ")[2]))

        return endpoint

    async def serve_static(request: Request) -> Response:
        content = read_static(request.path_params["name"])
        if content is None:
            return _respond(raters.tell("gone", 404))
        headers = {"Cache-Control": "max-age=300", "ETag": f'"{hashlib.sha256(content[0]).hexdigest()[:16]}"'}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content[0], media_type=content[1], headers=headers)

    async def show_missing(_request: Request, _error: Exception) -> Response:
        return _respond(raters.tell("gone", 404))

    async def show_broken(_request: Request, _error: Exception) -> Response:
        return _respond(raters.tell("broken", 500))

    app = Starlette(
        routes=[
            Route("/static/{name}", serve_static),
            Route("/w/{token}", answer(raters.show_start)),
            Route("/w/{token}/begin", answer(raters.begin), methods=["POST"]),
            Route("/w/{token}/hand-in", answer(raters.hand_in_work), methods=["POST"]),
            Route("/w/{token}/end", answer(raters.show_end, is_quick=True)),
            Route("/w/{token}/{position:int}", answer(raters.show_item, is_quick=True)),
            Route("/w/{token}/{position:int}", answer(raters.save_item), methods=["POST"]),
            Route("/w/{token}/{position:int}/draft", answer(raters.save_draft), methods=["POST"]),
            Route("/admin/{token}", answer(admin.show_progress)),
            Route("/admin/{token}/invite", answer(admin.invite), methods=["POST"]),
        ],
        exception_handlers={404: show_missing, 405: show_missing, Exception: show_broken},
    )
    app.router.redirect_slashes = False  # it knows no proxy, and would lead away from it
    names = tuple(name for name in (*LOCAL_HOSTS, *hosts, location.hostname or "") if name)
    # Around all of it, and no middleware: the page of an error that nobody foresaw is made outside of those.
    return Guard(app, hosts=names, prefix=prefix, tell=raters.tell, burst=burst, clock=store.clock)


async def _read_form(request: Request) -> dict[str, str] | None:
    """The fields of a form; None where it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=2000)
    except ValueError:  # not UTF-8, or too many fields: no form of ours
        return None
    return dict(pairs)


def _respond(page: Page) -> Response:
    if page.location:
        return RedirectResponse(page.location, status_code=303, headers=PRIVATE)
    return HTMLResponse(page.html, status_code=page.status, headers=PRIVATE)


class Guard:
    """Before every request: the name of the server, the size and the rate. After it: the headers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: tuple[str, ...],
        prefix: str,
        tell: Callable[..., Page],
        burst: int,
        clock: Callable[[], float],
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.prefix = prefix
        self.tell = tell
        self.requests = RateLimit(burst=burst, each_second=20, clock=clock)
        self.unknown = RateLimit(burst=30, each_second=0.5, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client = (scope.get("client") or ("",))[0]
        path: str = scope["path"]
        if self.prefix and path.startswith(f"{self.prefix}/"):
            scope = {**scope, "path": path.removeprefix(self.prefix), "raw_path": None}
        scope = {**scope, "path": scope["path"].rstrip("/")}  # who adds one to a link has the same page
        name = f"{client} {'/'.join(scope['path'].split('/')[:3])}"
        refusal = self.tell("gone", 404) if len(path) > LONGEST_PATH else self._find_refusal(headers, name)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == 404 and not self.unknown.allow(client):
                    message = {**message, "status": 429}
                extra = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        if refusal is not None:
            await _respond(refusal)(scope, receive, send_guarded)
        else:
            await self.app(scope, receive, send_guarded)

    def _is_own_name(self, name: str) -> bool:
        """Whether a name is one of this server: a page elsewhere could name its own, and read what is answered here."""
        if name in self.hosts:
            return True
        if not set(EVERYWHERE) & set(self.hosts):
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name == socket.gethostname().lower()
        return True

    def _find_refusal(self, headers: dict[bytes, bytes], name: str) -> Page | None:
        """Why a request is not served; None where it is."""
        host = headers.get(b"host", b"").decode("latin-1")
        bare = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if not self._is_own_name(bare.lower()):
            return self.tell("gone", 421)
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BYTES:
            return self.tell("large", 413)
        return None if self.requests.allow(name) else self.tell("busy", 429)
