"""Write the figures of the trust tables into docs/trust.md: `python -m bench.figures.trust`.

They are read from the tables that gistmeter ships, so this takes a second; `scripts/fit_trust_tables.py` makes those.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import figure
from gistmeter.ranking.trust import read_shipped_tables, trust
from gistmeter.ranking.trust.notes import bounds
from gistmeter.ranking.trust.transfer import COIN_LOSS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.ranking.trust import TrustAnswer
    from gistmeter.ranking.trust.tables import Table
    from gistmeter.ranking.trust.transfer import LeftOut

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "trust.md"
CONTENT_SETS = ("SummEval", "REALSumm", "PyrXSum", "RoSE")
GAPS = (0.005, 0.01, 0.02, 0.05)
SHOWN = ("rouge1.f1", "rouge2.f1", "rougeLsum.f1", "content.f1", "bertscore.f1", "rouge1.recall", "rouge2.recall")


def main() -> None:
    """Put each block between its marks on the page."""
    text = OUTPUT.read_text(encoding="utf-8")
    for name, block in blocks().items():
        text = put_block(text, name, block)
    OUTPUT.write_text(text, encoding="utf-8")


def blocks() -> dict[str, str]:
    """The blocks of the page by name."""
    return {"left-out": left_out_block(), "transfer": transfer_block(), "gaps": gaps_block()}


def put_block(text: str, name: str, block: str) -> str:
    """The page with the lines between `<!-- NAME -->` and `<!-- end -->` replaced.

    >>> put_block("a\\n<!-- x -->\\nold\\n<!-- end -->\\nb", "x", "new")
    'a\\n<!-- x -->\\nnew\\n<!-- end -->\\nb'
    """
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{OUTPUT.name} has no block {name}")
    return pattern.sub(lambda match: f"{match[1]}{block}\n{match[2]}", text)


def content_tables() -> list[Table]:
    """The tables that are pooled over two sets of content or more."""
    return [
        table for table in read_shipped_tables().values() if len(_left_out_by_set(table).keys() & {*CONTENT_SETS}) > 1
    ]


def left_out_block() -> str:
    """Log-losses of each set by the others and by itself; shares expected and found."""
    lines = [_line(["score", *CONTENT_SETS]), _line(["---", *("---:" for _ in CONTENT_SETS)])]
    for table in content_tables():
        by_set = _left_out_by_set(table)
        lines.append(
            _line([table.name, *(_describe_left_out(by_set[name]) if name in by_set else "" for name in CONTENT_SETS)])
        )
    return "\n".join(lines)


def transfer_block() -> str:
    """How well the tables foretell, in a few sentences."""
    cases = [
        (table.name, name, left_out)
        for table in content_tables()
        for name, left_out in _left_out_by_set(table).items()
        if name in CONTENT_SETS
    ]
    loss, own = (np.mean([getattr(left_out, key) for *_, left_out in cases]) for key in ("loss", "own_loss"))
    rose = [left_out for _, name, left_out in cases if name == "RoSE"]
    rose_loss, rose_own = (np.mean([getattr(left_out, key) for left_out in rose]) for key in ("loss", "own_loss"))
    worse = {
        name: [score for score, other, left_out in cases if other == name and left_out.loss > COIN_LOSS]
        for name in CONTENT_SETS
    }
    listed = "; ".join(f"{name} with `{'`, `'.join(scores)}`" for name, scores in worse.items() if scores)
    return f"""\
Over {len(content_tables())} scores the mean log-loss of a set left out is {figure(loss, 2)}, where a coin has
{figure(COIN_LOSS, 2)} and each set's own curve {figure(own, 2)}. RoSE, which had no part in choosing the kind of curve,
is foretold by the others with {figure(rose_loss, 2)} (its own curve: {figure(rose_own, 2)}). Of {len(cases)} cases
{sum(map(len, worse.values()))} are worse than a coin: {listed or "none"}."""


def _left_out_by_set(table: Table) -> dict[str, LeftOut]:
    judged = {judged_set.dataset.name: judged_set.dataset.aspect for judged_set in table.people["all"].sets}
    of_content = judged.get("SummEval", "relevance") == "relevance"
    return {left_out.dataset: left_out for left_out in table.people["all"].left_out} if of_content else {}


def gaps_block() -> str:
    """How often people agree with some gaps, by dataset."""
    names = [table.name for table in content_tables()]
    lines = [
        _line(["score", "dataset", *(figure(gap, 3).rstrip("0") for gap in GAPS)]),
        _line(["---", "---", *("---:" for _ in GAPS)]),
    ]
    for name in SHOWN:
        if name in names:
            lines += _gap_lines(name, [trust(name, gap) for gap in GAPS])
    return "\n".join(lines)


def _gap_lines(name: str, answers: Sequence[TrustAnswer]) -> Iterable[str]:
    for position, judged in enumerate(answers[0].sets):
        shares = [answer.sets[position] for answer in answers]
        yield _line([name, judged.dataset.name, *(f"{100 * at.share:.0f} {bounds(at.low, at.high)}" for at in shares)])


def _describe_left_out(left_out: LeftOut) -> str:
    expected, observed = (f"{100 * share:.0f}" for share in (left_out.predicted, left_out.observed))
    return f"{figure(left_out.loss, 2)} ({figure(left_out.own_loss, 2)}), {expected} for {observed}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
