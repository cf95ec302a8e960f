"""Rebuild the tables of language codes in src/gistmeter/text/data from an unpacked copy of python-iso639.

Nothing is fetched. `data/README.md` says which version was used:

    pip download --no-deps python-iso639==2026.7.23
    # unpack it, then
    python scripts/make_language_codes.py .../iso639/_data
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "src" / "gistmeter" / "text" / "data"


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", type=Path, help="the folder iso639/_data of python-iso639")
    parser.add_argument("--out", type=Path, default=DATA, help="where to write (default: the package's own data)")
    options = parser.parse_args()

    languages = read_table(options.source / "iso-639-3.tab")
    names: defaultdict[str, list[str]] = defaultdict(list)
    for language in languages:
        names[language["Id"]].append(drop_remark(language["Ref_Name"]))
    for entry in read_table(options.source / "iso-639-3_Name_Index.tab"):
        names[entry["Id"]].append(drop_remark(entry["Print_Name"]))
    rows, codes = [], []
    for language in languages:
        own = language["Id"]
        if language["Part1"] or language["Part2t"]:
            code = language["Part1"] or own
            others = dict.fromkeys(other for other in (own, language["Part2b"]) if other and other != code)
            rows.append(f"{code}\t{' '.join(others)}\t{'|'.join(dict.fromkeys(names[own]))}")
        else:
            codes.append(own)
    (options.out / "iso639.tsv").write_text("".join(f"{row}\n" for row in sorted(rows)), encoding="utf-8")
    (options.out / "iso639_codes.txt").write_text("".join(f"{code}\n" for code in sorted(codes)), encoding="utf-8")


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a tab-separated file, by the names in its first line."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def drop_remark(name: str) -> str:
    """A name without what stands in brackets after it: "Modern Greek (1453-)" is "Modern Greek"."""
    return re.sub(r"\s*\(.*\)", "", name)


if __name__ == "__main__":
    main()
