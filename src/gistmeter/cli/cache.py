"""`gistmeter cache`: where scores and answers are kept, and forgetting them."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.terminal import tell


def cache(clear: Annotated[bool, typer.Option("--clear", help="Forget all that is kept.")] = False) -> None:
    """Show where the score cache is and how large; or clear it."""
    from gistmeter.scoring.cache import cache_files, clear_cache

    if clear:
        clear_cache()
        o.say("cleared")
    for path, size in cache_files():
        tell(f"{path}  {size / 1e6:.1f} MB")
