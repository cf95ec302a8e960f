"""Findings: what probes and attacks together say about a metric, and the verdict on it."""

from gistmeter.probe.findings.files import choose_readable, gather_findings, list_files_beside, read_finding
from gistmeter.probe.findings.findings import ProbeReport, ScoreFindings, ScoreStanding
from gistmeter.probe.findings.gather import report

__all__ = [
    "ProbeReport",
    "ScoreFindings",
    "ScoreStanding",
    "choose_readable",
    "gather_findings",
    "list_files_beside",
    "read_finding",
    "report",
]
