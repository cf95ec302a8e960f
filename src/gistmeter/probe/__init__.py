"""Probe: what a metric notices, and how it can be fooled.

`corrupt` puts subtle errors into summaries, `corrupt_run` into those of a whole run. `detect_errors` says how
well metrics tell them from the clean ones, `measure_detection` how well given scores do.

`optimise` finds the summaries that a metric without references likes best among extracts, `rerank` among given ones,
and `direct` asks the metric's own model. What they find is a `Probe`, which
`write_probe` and `read_probe` keep in a file. `find_systems_above_reference`, `rank_by_references` and
`correlate_pseudo_references` say what a probe tells about its metric. `attack` tries cheap changes that no reader would
want, and says which of them a metric rewards.
"""

from gistmeter.arguments import check_calls
from gistmeter.probe.against_references import (
    PseudoReference,
    ReferenceRank,
    SystemsAboveReference,
    correlate_pseudo_references,
    find_systems_above_reference,
    rank_by_references,
)
from gistmeter.probe.attacks import (
    Attack,
    AttackEffect,
    AttackEffects,
    attack,
    check_attacks_path,
    find_attacks,
    list_attacks,
    read_attacks,
    write_attacks,
)
from gistmeter.probe.corrupted_run import corrupt_run
from gistmeter.probe.corruption import Error, LabelledSummary, corrupt, turn_references_into_summaries
from gistmeter.probe.detect import detect_errors
from gistmeter.probe.detection import ColumnDetection, Detection, measure_detection
from gistmeter.probe.direct import direct
from gistmeter.probe.files import check_probe_path, read_probe, write_probe
from gistmeter.probe.findings import ProbeReport, ScoreFindings, ScoreStanding, list_files_beside, read_finding, report
from gistmeter.probe.labelled_run import check_labelled_path, read_labelled_run, write_labelled_run
from gistmeter.probe.picking.picks import PickedAspect, Reranking
from gistmeter.probe.picking.rerank import rerank
from gistmeter.probe.results import Probe, ProbedDocument, Standing
from gistmeter.probe.search.optimise import optimise
from gistmeter.probe.words.replacement import WordKind, check_kind

__all__ = [
    "Attack",
    "AttackEffect",
    "AttackEffects",
    "ColumnDetection",
    "Detection",
    "Error",
    "LabelledSummary",
    "PickedAspect",
    "Probe",
    "ProbeReport",
    "ProbedDocument",
    "PseudoReference",
    "ReferenceRank",
    "Reranking",
    "ScoreFindings",
    "ScoreStanding",
    "Standing",
    "SystemsAboveReference",
    "WordKind",
    "attack",
    "check_attacks_path",
    "check_kind",
    "check_labelled_path",
    "check_probe_path",
    "correlate_pseudo_references",
    "corrupt",
    "corrupt_run",
    "detect_errors",
    "direct",
    "find_attacks",
    "find_systems_above_reference",
    "list_attacks",
    "list_files_beside",
    "measure_detection",
    "optimise",
    "rank_by_references",
    "read_attacks",
    "read_finding",
    "read_labelled_run",
    "read_probe",
    "report",
    "rerank",
    "turn_references_into_summaries",
    "write_attacks",
    "write_labelled_run",
    "write_probe",
]

check_calls(__name__)
