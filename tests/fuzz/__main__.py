"""Break files and command lines of every command at random, and see that each ends with a result or one sentence.

    PYTHONPATH=tests python -m fuzz --cases 5000          # all commands; faults are printed as they come
    PYTHONPATH=tests python -m fuzz --only 1234           # one case again, with what it printed
    PYTHONPATH=tests python -m fuzz --commands gate probe # 200 cases of these commands
    PYTHONPATH=tests python -m fuzz --cases 5000 --keep outcomes.jsonl  # stopped and started again, it goes on

A fault is a traceback, an exit code other than 0 and 2, more than a minute, more than 2 GB, a file that was there and
is changed, control characters in what is printed, or a warning of a library. `--page` writes the counts into
docs/reliability.md.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import multiprocessing
import os
import pkgutil
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.cases import draw_case, whole_cases
from fuzz.materials import list_materials, write_materials
from fuzz.page import write_page
from fuzz.watching import Outcome, run_case

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ.setdefault("GISTMETER_THREADS", "1")


def main() -> int:
    """Run the cases asked for; the exit code is 1 when there is a fault."""
    given = _parse()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["GISTMETER_CACHE"] = str(home / "cache")
        os.environ["HOME"] = folder
        materials = home / "materials"
        # In a process of its own: a process whose libraries have started threads must not be forked.
        writing = multiprocessing.get_context("spawn").Process(
            target=write_materials, args=(materials, not given.no_models)
        )
        writing.start()
        writing.join()
        if writing.exitcode:
            sys.exit("the files that are to be broken could not be written")
        numbers = given.only or list(itertools.islice(_find_numbers(given), given.cases))
        if given.whole:
            numbers = list(range(len(whole_cases())))
        outcomes = _run_parts(numbers, home, given)
    if given.page:
        write_page(outcomes)
    faults = [outcome for outcome in outcomes if outcome.faults]
    counts = Counter(fault for outcome in faults for fault in outcome.faults)
    print(f"{len(outcomes)} cases, {len(faults)} with faults: {dict(counts.most_common())}")
    return 1 if faults else 0


def _find_numbers(given: argparse.Namespace) -> Iterator[int]:
    """The numbers of cases from the first on, of the commands asked for."""
    for number in itertools.count(given.first):
        words = draw_case(number, given.seed, frozenset(), models=not given.no_models).seed_words
        if not given.commands or words[0] in given.commands or " ".join(words[:2]) in given.commands:
            yield number


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", nargs="+", help="cases of these commands or groups alone")
    parser.add_argument("--only", type=int, nargs="+", help="these cases, with all they printed")
    parser.add_argument("--whole", action="store_true", help="every seed with nothing broken: all must work")
    parser.add_argument("--seconds", type=float, default=60, help="how long a case may take; more on a busy machine")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-models", action="store_true", help="leave out commands that load models")
    parser.add_argument("--page", action="store_true", help="write the counts into docs/reliability.md")
    parser.add_argument("--keep", type=Path, help="a file of outcomes, as JSON lines: cases in it are not run again")
    return parser.parse_args()


def _run_parts(numbers: list[int], home: Path, given: argparse.Namespace) -> list[Outcome]:
    """Share the cases among forked processes, and gather their outcomes with those that are kept from before."""
    file = (given.keep or home / "outcomes.jsonl").resolve()
    ran = {_number_of(outcome) for outcome in _read_outcomes(file)}
    waiting = [number for number in numbers if number not in ran]
    children = []
    for part in range(given.jobs):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _run_part(waiting[part :: given.jobs], home, f"part{part}", file, given)
                code = 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        children.append(child)
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(ended):
        sys.exit("the fuzzer itself failed")
    wanted = set(numbers)
    return [outcome for outcome in _read_outcomes(file) if _number_of(outcome) in wanted]


def _read_outcomes(file: Path) -> list[Outcome]:
    """The outcomes of a file; none where there is no such file. A line that was cut short is left out."""
    lines = file.read_text().splitlines() if file.exists() else []
    records = [json.loads(line) for line in lines if line.endswith("}")]
    return [Outcome(**{**record, "faults": tuple(record["faults"])}) for record in records]


def _number_of(outcome: Outcome) -> int:
    return int(outcome.case.partition(":")[0])


def _run_part(numbers: list[int], home: Path, name: str, file: Path, given: argparse.Namespace) -> None:
    _load_libraries(models=not given.no_models)
    materials = list_materials(home / "materials")
    with file.open("a") as outcome_file:
        for number in numbers:
            case = draw_case(number, given.seed, materials, models=not given.no_models)
            if given.whole:
                case = whole_cases()[number]
            outcome = run_case(case, home / "materials", home / name, seconds=given.seconds)
            outcome_file.write(json.dumps(asdict(outcome)) + "\n")
            outcome_file.flush()
            if outcome.faults or given.only or (given.whole and outcome.code):
                print(f"{', '.join(outcome.faults) or 'good'}: {outcome.case}"[:1500])
                print("    " + "\n    ".join(outcome.errors.splitlines()[-40 if given.only else -4 :]), flush=True)


def _load_libraries(*, models: bool) -> None:
    """Import once what cases need: a forked process has it at once. Nothing is computed, so no thread starts."""
    import gistmeter
    from gistmeter.cli.main import _build_command

    heavy = () if models else (".models", ".training", ".linguistics")
    for module in pkgutil.walk_packages(gistmeter.__path__, "gistmeter."):
        if not any(part in module.name for part in heavy):
            importlib.import_module(module.name)
    _build_command()
    for name in ("jinja2", "polars", "rich.table", "rich.progress", "scipy.stats"):
        importlib.import_module(name)


if __name__ == "__main__":
    sys.exit(main())
