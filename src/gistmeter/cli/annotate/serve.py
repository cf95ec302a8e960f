"""`gistmeter annotate serve`: the pages of a study."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import StudyFolder, open_store
from gistmeter.cli.door.terminal import tell


def serve(
    study: StudyFolder,
    opened: Annotated[
        int | None,
        typer.Option(
            "--open", min=1, max=10_000, metavar="N", help="Personal links in all; default one for each planned rater."
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; without it on this machine only.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="What raters have before the paths, behind a reverse proxy.")
    ] = None,
) -> None:
    """Open the pages of a study: a personal link for each rater, and a page that shows how far it is.

    The links are printed. Answers are saved as they are given; Ctrl-C stops, and the same command goes on.
    """
    from gistmeter.annotate.serving import check_address, listen, run_server

    address = check_address(host, port, base_url)
    store = open_store(study)
    planned = opened or store.study.settings.raters
    missing = planned - len(store.list_raters())
    if missing > 0:
        store.invite(missing)
    with listen(address) as socket:
        base = address.base_url or f"http://{address.shown_host}:{socket.getsockname()[1]}"
        for note in address.notes:
            o.say(f"note: {note}")
        for rater in store.list_raters():
            tell(f"{rater.name}: {base}/w/{rater.token}")
        tell(f"admin: {base}/admin/{store.admin_token}")
        o.say("Each link is for one person. Ctrl-C stops; all answers are saved.")
        run_server(store, socket, address, base)
