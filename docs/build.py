"""Write docs/metrics.md from the metrics themselves, or check that it is up to date.

python docs/build.py            write the page
python docs/build.py --check    exit 1 when the page on disk is not what the metrics say
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "metrics.md"
COMMAND = "python docs/build.py"
_HEAD = f"<!-- Written by `{COMMAND}`. Change the docstrings of the metrics, not this page. -->\n\n"
_SHOWN_LINES = 20


def page() -> str:
    """The page as it should be, the same on every machine."""
    os.environ["GISTMETER_WORDNET"] = "none"  # METEOR's signature names the WordNet of the machine
    import sacrebleu

    from gistmeter.report.catalogue import catalogue_markdown

    text = catalogue_markdown().replace(f"sacrebleu:{sacrebleu.__version__}", "sacrebleu:VERSION")
    return _HEAD + text.rstrip("\n") + "\n"


def difference(found: str, wanted: str) -> list[str]:
    """The first lines in which the page on disk is not what it should be."""
    lines = difflib.unified_diff(
        found.splitlines(), wanted.splitlines(), "docs/metrics.md", "what the metrics say", lineterm="", n=0
    )
    return list(lines)[:_SHOWN_LINES]


def main() -> int:
    """Write or check; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the page is out of date")
    check = parser.parse_args().check
    wanted = page()
    if not check:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    found = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if found == wanted:
        return 0
    state = "out of date" if found else "missing"
    shown = "\n".join(difference(found, wanted)) if found else ""
    sys.stderr.write(f"docs/metrics.md is {state}: run `{COMMAND}` and commit the result\n{shown}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
