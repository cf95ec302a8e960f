"""Draw docs/img/floors.svg, the picture of the house, from .importlinter and the import graph, or check it.

python docs/floors.py            draw it
python docs/floors.py --check    exit 1 when the picture on disk is not what the imports say

A row is a room, with what it says of itself; a line between rows is a floor. A dot in a row says that the room imports
the room of that column: all dots lie right of the diagonal, because imports point down only.
"""

from __future__ import annotations

import ast
import configparser
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "img" / "floors.svg"
PACKAGE = "gistmeter"
ROW, CELL, MARGIN, NAME_WIDTH, ABOUT_WIDTH, HEAD = 24, 20, 20, 132, 600, 104
MOST_LETTERS = 92
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1d2733; }
.about { font-size: 12px; fill: #46525f; }
.name { font-weight: 600; }
.page { fill: #fbfcfd; stroke: #d5dce3; }
.floor { stroke: #b7c3cf; }
.band { fill: #eef3f8; }
.dot { fill: #2f6db3; }
.self { fill: #c9d3dd; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e9ee; }
  .about { fill: #b3bec9; }
  .page { fill: #14181d; stroke: #38424c; }
  .floor { stroke: #4b5763; }
  .band { fill: #1c2229; }
  .dot { fill: #6ea8e5; }
  .self { fill: #56616c; }
}
"""


def floors() -> list[list[str]]:
    """The rooms of each floor, the highest first, as the contract states them."""
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter")
    rows = contract["importlinter:contract:floors"]["layers"].strip().split("\n")
    return [[room.strip() for room in row.split("|")] for row in rows]


def imports(rooms: list[str]) -> dict[str, set[str]]:
    """Which rooms each room imports, when it is imported or when it works."""
    import grimp

    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    for room in rooms:
        graph.squash_module(f"{PACKAGE}.{room}")
    return {
        room: {
            other.removeprefix(f"{PACKAGE}.") for other in graph.find_modules_directly_imported_by(f"{PACKAGE}.{room}")
        }
        for room in rooms
    }


def about(room: str) -> str:
    """The first sentence that a room says of itself."""
    path = ROOT / "src" / PACKAGE / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    line = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n\n")[0].replace("\n", " ")
    return line if len(line) <= MOST_LETTERS else line[:MOST_LETTERS].rsplit(" ", 1)[0] + " ..."


def picture() -> str:
    """The picture as it should be, the same on every machine."""
    rows = floors()
    rooms = [room for row in rows for room in row]
    imported = imports(rooms)
    left = MARGIN + NAME_WIDTH + ABOUT_WIDTH
    width, height = left + CELL * len(rooms) + 2 * MARGIN, HEAD + ROW * len(rooms) + MARGIN
    label = "The rooms of gistmeter, floor by floor, and which imports which"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">',
        f"<style>{STYLE}</style>",
        f'<rect class="page" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="10"/>',
    ]
    for number, room in enumerate(rooms):
        x, y = left + CELL * number + CELL / 2, HEAD + ROW * number
        folder = (ROOT / "src" / PACKAGE / room).is_dir()
        if number % 2:
            parts.append(f'<rect class="band" x="{MARGIN / 2}" y="{y}" width="{width - MARGIN}" height="{ROW}"/>')
        parts += [
            f'<text class="name" x="{MARGIN}" y="{y + 16}">{escape(room)}{"/" if folder else ".py"}</text>',
            f'<text class="about" x="{MARGIN + NAME_WIDTH}" y="{y + 16}">{escape(about(room))}</text>',
            f'<text class="about" transform="translate({x + 4} {HEAD - 8}) rotate(-60)">{escape(room)}</text>',
        ]
    level = 0
    for row in rows:
        if level:
            y = HEAD + ROW * level
            parts.append(f'<path class="floor" d="M{MARGIN / 2} {y}H{width - MARGIN / 2}"/>')
        level += len(row)
    for number, room in enumerate(rooms):
        y = HEAD + ROW * number + ROW / 2
        for column, other in enumerate(rooms):
            if other == room or other in imported[room]:
                kind, size = ("self", 2) if other == room else ("dot", 5)
                parts.append(f'<circle class="{kind}" cx="{left + CELL * column + CELL / 2}" cy="{y}" r="{size}"/>')
    return "\n".join([*parts, "</svg>", ""])


def main(check: bool) -> int:
    """Draw or check; the exit code."""
    wanted = picture()
    if not check:
        PICTURE.write_text(wanted, encoding="utf-8")
        return 0
    if PICTURE.exists() and PICTURE.read_text("utf-8") == wanted:
        return 0
    print("docs/img/floors.svg is out of date: run `python docs/floors.py` and commit the result", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
