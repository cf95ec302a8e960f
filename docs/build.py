"""Write the pages that say what the code says: metrics, commands, functions. Or check that they are up to date.

python docs/build.py            write docs/metrics.md, docs/commands.md, docs/names.md and the signatures in docs/api.md
python docs/build.py --check    exit 1 when a page on disk is not what the code says
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from build_commands import commands_page
from build_names import fill_signatures, names_page

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent
COMMAND = "python docs/build.py"
SHOWN_LINES = 20


def head(source: str) -> str:
    """What a reader of the file must know: where a change belongs."""
    return f"<!-- Written by `{COMMAND}`. Change {source}, not this page. -->\n\n"


def metrics_page() -> str:
    """The metrics, the same on every machine."""
    os.environ["GISTMETER_WORDNET"] = "none"  # METEOR's signature names the WordNet of the machine
    import sacrebleu

    from gistmeter.report.catalogue import catalogue_markdown

    text = catalogue_markdown().replace(f"sacrebleu:{sacrebleu.__version__}", "sacrebleu:VERSION")
    return text.rstrip("\n") + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "metrics.md": lambda: head("the docstrings of the metrics") + metrics_page(),
    "commands.md": lambda: head("the help of the commands") + commands_page(),
    "names.md": lambda: head("the docstrings of the functions") + names_page(),
    "api.md": lambda: fill_signatures((FOLDER / "api.md").read_text("utf-8")),
}


def difference(name: str, found: str, wanted: str) -> list[str]:
    """The first lines in which a page on disk is not what it should be."""
    lines = difflib.unified_diff(
        found.splitlines(), wanted.splitlines(), f"docs/{name}", "what the code says", lineterm="", n=0
    )
    return list(lines)[:SHOWN_LINES]


def check_page(name: str, wanted: str) -> str | None:
    """What is wrong with a page on disk, or nothing."""
    path = FOLDER / name
    found = path.read_text("utf-8") if path.exists() else ""
    if found == wanted:
        return None
    state = "out of date" if found else "missing"
    shown = "\n".join(difference(name, found, wanted)) if found else ""
    return f"docs/{name} is {state}: run `{COMMAND}` and commit the result\n{shown}\n"


def main() -> int:
    """Write or check; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is out of date")
    check = parser.parse_args().check
    faults = []
    for name, make in PAGES.items():
        wanted = make()
        if check:
            faults.append(check_page(name, wanted))
        else:
            (FOLDER / name).write_text(wanted, encoding="utf-8")
    sys.stderr.write("".join(fault for fault in faults if fault))
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
