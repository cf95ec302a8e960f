"""Studies whose answers are known: raters of planted quality, and released work in a crowd platform's file."""

from __future__ import annotations

import csv
import random
import tempfile
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bench.figures.page import Table, figure
from bench.figures.runs import DATA, records
from gistmeter.annotate import Store, collect_judgments, design_study
from gistmeter.annotate.grading import hand_in
from gistmeter.annotate.imported import import_work
from gistmeter.errors import GistmeterWarning
from gistmeter.io.human.assignments import parse_item_name
from gistmeter.io.runs import open_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.annotate.imported import ImportedWork
    from gistmeter.annotate.study import Item
    from gistmeter.judgments import Judgments

Kind = Literal["good", "noisy", "clicking", "always 50", "bot"]
Truth = dict[tuple[str, str, str], float]

KINDS: dict[Kind, str] = {
    "good": "reads; off by 8 points (deviation)",
    "noisy": "reads; off by 35 points",
    "clicking": "any number, 20 seconds each",
    "always 50": "50, 20 seconds each",
    "bot": "reads well, 1 second each",
}
SUMMARIES = 180
STUDIES = 10
_KNOWN = f"""Simulated raters go through a study of focus and coverage on {SUMMARIES} CNN/DM summaries of FFCI
(three raters an item, assignments of 100, all settings as they are by default) until each assignment is usable,
{STUDIES} times with other draws. What is true of a summary is its published mean (0 is 50, a deviation 20 points).
Everybody has a bias (deviation 15) and uses 0.5 to 1 of the scale. Each new rater is of a kind drawn at random and
does one assignment. Those who read see what a control is, and slip by half of what they are off otherwise. `kept`
is the share whose assignment counts: 7 of 10 controls, and no faster than a person can read."""
_TRUTH = """The same studies: the correlation of a summary's mean over raters with what was planted, over summaries and
both aspects: the mean of the studies, and the lowest and the highest of them. `without`: as many studies in which the
first three who come are used, whoever they are."""
_BATCH = """Released are the z-scores of single workers (Koto, Lau and Baldwin, 2021), not their ratings and not
their answers to controls. So ratings that have these z-scores (whole numbers, steps apart) are put into a file as
MTurk writes it, with the ids of the items and controls of the authors' samples, as many controls answered right as
the release says, and read by `gistmeter annotate import FILE --z-scores`. `as they are` reads the released file
itself. `off by`: the largest difference from a released z-score. One worker each did a task of French and of
Chinese twice: the second time is in no batch, as MTurk gives nobody a task twice. Published for Spanish is .605
(the notebook; .60 and .61 in Table 1)."""
TITLES = {
    "known_raters": "Raters of known quality",
    "planted_truth": "What was planted, and what is recovered",
    "batches": "Released work by the path of a study",
}


@dataclass
class SimulatedRater:
    """Somebody with a bias and a scale of their own, who reads well, badly or not at all."""

    kind: Kind
    seed: float
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.bias, self.scale = self.rng.gauss(0, 15), self.rng.uniform(0.5, 1.0)
        self.seconds = 1.0 if self.kind == "bot" else 20.0

    def answer(self, item: Item, truth: Truth) -> int:
        """A number from 0 to 100. A control is seen for what it is by those who read."""
        if self.kind == "clicking":
            return self.rng.randint(0, 100)
        if self.kind == "always 50":
            return 50
        noise = 35 if self.kind == "noisy" else 8
        if item.is_control:  # the ends of the scale are clear, but for slips
            value = (100 if item.control == "same" else 0) + self.rng.gauss(0, noise / 2)
        else:
            planted = truth[item.doc_id, item.system, item.aspect]
            value = 50 + self.scale * (planted - 50) + self.bias + self.rng.gauss(0, noise)
        return int(min(100, max(0, round(value))))


@dataclass(frozen=True, slots=True)
class SimulatedStudy:
    """Who came and was kept, and how far the means are those that were planted."""

    passed: Mapping[Kind, int]
    came: Mapping[Kind, int]
    raw: float
    z_scores: float


def simulate_study(seed: int, folder: Path, *, is_controlled: bool = True) -> SimulatedStudy:
    """A study of FFCI's CNN/DM items that raters of known quality go through until it is done.

    Where it is not controlled, every assignment counts.
    """
    source = DATA / "ffci" / "focus_coverage.jsonl.gz"
    rated = [record for record in records("ffci/focus_coverage.jsonl.gz") if record["subset"] == "cnndm"]
    documents = {str(record["doc_id"]) for record in rated}
    run = [example for example in open_run([str(source)]).examples() if example.doc_id in documents][:SUMMARIES]
    truth: Truth = {
        (str(record["doc_id"]), record["system_id"], aspect): min(100.0, max(0.0, 50 + 20 * record["human"][aspect]))
        for record in rated
        for aspect in ("focus", "coverage")
    }
    rule: dict[str, float] = {} if is_controlled else {"least": 0.0, "minutes": 0.0}
    store = Store(design_study(run, "focus-coverage", folder, raters=3, seed=seed, **rule).study)  # type: ignore[arg-type]
    store.database.connection.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug here
    rng = random.Random(seed)
    came: Counter[Kind] = Counter()
    passed: Counter[Kind] = Counter()
    numbers = count()
    while any(state.state == "open" for state in store.list_work()):
        kind = rng.choice(list(KINDS))
        person = SimulatedRater(kind, rng.random())
        [rater] = store.invite(1)
        work = store.claim_work(rater.id)
        if work is None:
            raise RuntimeError("an assignment is open, and a new rater does not get it")
        for item in store.study.list_items(work.batch, work.attempt):
            answer = {"value": person.answer(item, truth)}
            store.save_answer(work.id, item.id, answer, seconds=person.seconds, form=f"{next(numbers)}")
        came[kind] += 1
        passed[kind] += hand_in(store, work).passed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GistmeterWarning)  # who gave the same value throughout has no z-scores
        raw, standard = (collect_judgments(store, z_scores=z_scores).judgments for z_scores in (False, True))
    store.close()
    return SimulatedStudy(
        passed=passed, came=came, raw=correlate_with_truth(raw, truth), z_scores=correlate_with_truth(standard, truth)
    )


def correlate_with_truth(judgments: Judgments, truth: Truth) -> float:
    """The correlation of the means over raters with the planted values."""
    pairs = [
        (value, truth[doc_id, system, aspect])
        for aspect in judgments.aspects
        for doc_id, system, value in judgments.means(aspect).select("doc_id", "system", "value").iter_rows()
    ]
    return float(np.corrcoef(np.array(pairs).T)[0, 1])


@cache
def simulate_studies(*, is_controlled: bool = True, studies: int = STUDIES) -> list[SimulatedStudy]:
    """So many studies, each with a seed of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return [simulate_study(seed, Path(folder) / str(seed), is_controlled=is_controlled) for seed in range(studies)]


def known_raters() -> Table:
    """Who is kept by quality control."""
    studies = simulate_studies()
    rows: list[list[str | float | None]] = []
    for kind, behaviour in KINDS.items():
        came, passed = (sum(getattr(study, name)[kind] for study in studies) for name in ("came", "passed"))
        rows.append([kind, behaviour, f"{came}", f"{passed}", f"{100 * passed / came:.0f}%" if came else None])
    return Table(TITLES["known_raters"], _KNOWN, ("rater", "does", "came", "kept", "share"), rows)


def planted_truth() -> Table:
    """How far means are those that were planted, raw and as z-scores, with and without quality control."""
    controlled, everybody = simulate_studies(), simulate_studies(is_controlled=False)
    rows: list[list[str | float | None]] = []
    for name, studies in (("with quality control", controlled), ("without", everybody)):
        kinds = [study.raw for study in studies], [study.z_scores for study in studies]
        rows.append([name, *(_describe_spread(values) for values in kinds)])
    ahead = sum(study.z_scores > study.raw for study in controlled)
    text = f"{_TRUTH} Z-scores are nearer in {ahead} of the {len(controlled)} studies with quality control."
    return Table(TITLES["planted_truth"], text, ("", "raw", "z-scores"), rows)


def _describe_spread(values: Sequence[float]) -> str:
    return f"{figure(float(np.mean(values)))} ({figure(min(values))} to {figure(max(values))})"


def write_batch(
    work: Sequence[Mapping[str, Any]], traps: Sequence[str], file: Path
) -> dict[tuple[str, str, str], float]:
    """Released assignments as a batch of MTurk with the controls of these ids; gives the released z-scores.

    The z-scores are by worker, as import names them, task and item. A batch has nobody twice in one task: the first
    time counts.
    """
    firsts: dict[tuple[str, str], Mapping[str, Any]] = {}
    for record in work:
        firsts.setdefault((record["worker"], str(record["task"])), record)
    workers = dict.fromkeys(worker for worker, _ in firsts)
    names = {worker: f"rater-{number}" for number, worker in enumerate(workers, start=1)}
    rows: list[dict[str, Any]] = []
    released: dict[tuple[str, str, str], float] = {}
    for (worker, task), record in firsts.items():
        z = np.array(list(record["z"].values()))
        steps = np.diff(np.unique(z.round(7)))
        ratings = np.round((z - z.min()) / steps.min()).astype(int)
        answers = dict(zip(record["z"], map(str, ratings), strict=True))
        right = {"SAME": "100", "DIFFERENT": "0"}
        answers |= {
            trap: right[trap.rpartition("-")[2]] if place < record["quality_score"] else "50"
            for place, trap in enumerate(traps)
        }
        row = {"HITId": task, "HITTypeId": "T", "Title": "How much?", "WorkerId": worker}
        row |= {"AssignmentStatus": "Approved", "WorkTimeInSeconds": 60 * record["minutes"]}
        for number, (item, value) in enumerate(answers.items(), start=1):
            row |= {f"Input.id_{number}": item, f"Answer.score_{number}": value}
        rows.append(row)
        released |= {(names[worker], task, item): value for item, value in record["z"].items()}
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
    return released


def measure_distance(work: ImportedWork, released: Mapping[tuple[str, str, str], float]) -> float:
    """The largest difference of an imported z-score from the released one."""
    expected = {(rater, task, *_name_judgment(item)): value for (rater, task, item), value in released.items()}
    names = ("rater", "task", "doc_id", "system", "aspect")
    rows = work.judgments.table.iter_rows(named=True)
    return max(abs(float(row["value"]) - expected[tuple(row[name] for name in names)]) for row in rows)


def _name_judgment(item: str) -> tuple[str, ...]:
    fields = parse_item_name(item) or {}
    return tuple(str(fields[name]) for name in ("doc_id", "system", "aspect"))


def list_traps(language: str) -> list[str]:
    """The ids of ten controls of a language, from the authors' samples."""
    samples = records("multi_summeval/mturk_samples.jsonl.gz")
    return [each["id"] for each in samples if each["language"] == language and each["kind"] == "trap"][:10]


def batches() -> Table:
    """Released assignments by `annotate import`: as they are, and as a batch of MTurk with controls."""
    file = DATA / "multi_summeval" / "assignments.jsonl.gz"
    by_language: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records("multi_summeval/assignments.jsonl.gz"):
        by_language[record["language"]].append(record)
    as_released = {group.group: group for group in import_work(file, by="language").groups}
    rows: list[list[str | float | None]] = []
    with tempfile.TemporaryDirectory() as folder:
        for language, work in by_language.items():
            batch = Path(folder) / f"{language}.csv"
            released = write_batch(work, list_traps(language), batch)
            imported = import_work(batch, z_scores=True)
            [group] = imported.groups
            distance = measure_distance(imported, released)
            counts = [f"{group.assignments}", f"{group.accepted}", f"{group.judgments}"]
            rows.append(
                [
                    language,
                    *counts,
                    as_released[language].rest,
                    group.rest,
                    "below 1e-9" if distance < 1e-9 else f"{distance:.0e}",
                ]
            )
    header = ("", "assignments", "used", "judgments", "one vs rest, as they are", "one vs rest, from a batch", "off by")
    return Table(TITLES["batches"], _BATCH, header, rows)
