"""Run the commands shown in the documentation and put in, or check, what they really print.

python docs/replay.py               write the outputs into README.md and the pages
python docs/replay.py trust.md      ... of some pages
python docs/replay.py --check       exit 1 when a page shows something else

In a ```console block each line that starts with "$ " is run by bash in an empty folder that holds the example run;
a block with a title is a file that later commands read. An output that contains a line "..." is left alone.
After a line <!-- new folder --> commands need nothing of those before: that part of a page runs on a core of its own.
All share one cache of scores: pages score the same example again and again, and must print the same for it.
Commands of gistmeter run in forks of one process that has loaded the libraries (`forked_commands.py`).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from forked_commands import serve_commands

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(console|\w+ title=\"[^\"]+\")\n(.*?)^```", re.DOTALL | re.MULTILINE)
SLOW_PAGES = ("pyramids.md", "questions.md")  # their commands run models; they begin before all others
NEW_FOLDER = "<!-- new folder -->\n"
COMMAND = re.compile(r"^\$ (.*?)\n(.*?)(?=^\$ |\Z)", re.DOTALL | re.MULTILINE)
PROGRESS = re.compile(r"(scoring|ranking|searching|probing): ")
"""What commands say of work that takes a while, if it does."""


def make_environment(cache: str) -> dict[str, str]:
    """The environment of the commands: that of this process, with a cache of their own."""
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GISTMETER_CACHE": cache,
        "GISTMETER_WORDNET": "none",  # METEOR's signature names the WordNet of the machine
        "GISTMETER_THREADS": "1",  # a page for each core, not two threads of models
        "OPENBLAS_NUM_THREADS": "1",  # nor of numpy: threads that wait for each other took a third of the time
    }


def replay_part(part: str, environment: Mapping[str, str], figures: Path | None) -> str:
    """A part of a page with the outputs its commands give now, run in a folder of their own; figures are kept."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "src").symlink_to(ROOT / "src")

        def block(match: re.Match[str]) -> str:
            title = re.match(r'\w+ title="([^"]+)"', match[1])
            if title:
                (folder / title[1]).parent.mkdir(parents=True, exist_ok=True)
                (folder / title[1]).write_text(match[2], encoding="utf-8")
                return match[0]
            shown = []
            for command, before in COMMAND.findall(match[2]):
                output = before
                if "..." not in before.split("\n"):
                    done = subprocess.run(
                        ["bash", "-c", command],  # noqa: S607
                        check=False,
                        cwd=folder,
                        env=environment,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT,
                        text=True,
                    )
                    printed = [line.rstrip() for line in done.stdout.split("\n") if not PROGRESS.match(line)]
                    lines = "\n".join(printed).strip("\n")
                    output = f"{lines}\n" if lines else ""
                shown.append(f"$ {command}\n{output}")
            return f"```{match[1]}\n{''.join(shown)}```"

        text = BLOCK.sub(block, part)
        if figures is not None:
            for figure in folder.glob("*.svg"):
                shutil.copy(figure, figures / figure.name)
        return text


def main(names: list[str], *, check: bool) -> int:
    """Go through the pages, as many parts at once as there are cores, those that take longest first."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    if unknown := set(names) - {page.name for page in pages}:
        sys.exit(f"there is no page {', '.join(sorted(unknown))}")
    pages = [page for page in pages if not names or page.name in names]
    pages.sort(key=lambda page: page.name not in SLOW_PAGES)
    figures = None if check else ROOT / "docs/img"
    stale = []
    parts = [page.read_text("utf-8").split(NEW_FOLDER) for page in pages]
    with tempfile.TemporaryDirectory() as name:
        environment = make_environment(f"{name}/cache")
        with serve_commands(Path(name), environment) as programs, ThreadPoolExecutor(os.cpu_count()) as pool:
            environment = {**environment, "PATH": f"{programs}{os.pathsep}{environment['PATH']}"}
            replays = [[pool.submit(replay_part, part, environment, figures) for part in of_page] for of_page in parts]
    for page, of_page in zip(pages, replays, strict=True):
        now = NEW_FOLDER.join(replay.result() for replay in of_page)
        if now != page.read_text("utf-8"):
            stale.append(page.name)
            if not check:
                page.write_text(now, encoding="utf-8")
    if stale:
        print(f"{'not what the commands print' if check else 'rewritten'}: {', '.join(sorted(stale))}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="names of pages, such as trust.md; all when none is named")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page shows something else")
    given = parser.parse_args()
    sys.exit(main(given.pages, check=given.check))
