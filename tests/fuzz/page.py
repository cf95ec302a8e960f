"""Write the counts of a run of the fuzzer into docs/reliability.md."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fuzz.watching import Outcome

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
START, END = "<!-- fuzz -->", "<!-- /fuzz -->"


def write_page(outcomes: Sequence[Outcome]) -> None:
    """Put the table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n{_table(outcomes)}{END}{after}", encoding="utf-8")


def _table(outcomes: Sequence[Outcome]) -> str:
    by_command = defaultdict(list)
    for outcome in outcomes:
        by_command[outcome.command].append(outcome)
    rows = [_row(f"`{name}`", by_command[name]) for name in sorted(by_command)]
    head = (
        "| command | cases | with a result | refused in a sentence | tracebacks | over 60 s | over 2 GB | "
        "input changed | other faults | longest, s | most, GB |\n"
        f"|{'---|' * 11}\n"
    )
    return head + "".join(rows) + _row("all", outcomes)


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    faults = Counter(_kind(fault) for outcome in outcomes for fault in outcome.faults)
    good = [outcome.code for outcome in outcomes if not outcome.faults]
    cells: Iterable[object] = (
        name,
        len(outcomes),
        good.count(0),
        good.count(2),
        *(faults[kind] for kind in ("traceback", "long", "large", "changed", "other")),
        f"{max(outcome.seconds for outcome in outcomes):.1f}",
        f"{max(outcome.gigabytes for outcome in outcomes):.2f}",
    )
    return f"| {' | '.join(map(str, cells))} |\n"


def _kind(fault: str) -> str:
    kinds = {"traceback": "traceback", "took over": "long", "changed": "changed"}
    if fault.endswith(" GB"):
        return "large"
    return next((kind for start, kind in kinds.items() if fault.startswith(start)), "other")
