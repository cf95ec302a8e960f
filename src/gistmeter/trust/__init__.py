"""Trust: how often people rank two systems as a metric does, given the gap between them."""

from gistmeter.trust.ask import PairTrust, SetAnswer, TrustAnswer, available, trust, trust_pair
from gistmeter.trust.calibration import Calibration, People, calibrate, system_pairs
from gistmeter.trust.notes import comparison_notes, ranking_notes
from gistmeter.trust.tables import find_table, read_tables, shipped_tables, write_tables
from gistmeter.trust.transfer import leave_one_out, pooled_slopes

__all__ = [
    "Calibration",
    "PairTrust",
    "People",
    "SetAnswer",
    "TrustAnswer",
    "available",
    "calibrate",
    "comparison_notes",
    "find_table",
    "leave_one_out",
    "pooled_slopes",
    "ranking_notes",
    "read_tables",
    "shipped_tables",
    "system_pairs",
    "trust",
    "trust_pair",
    "write_tables",
]
