"""Trust: how often people rank two systems as a metric does, given the gap between them."""

from gistmeter.ranking.trust.ask import PairTrust, SetAnswer, TrustAnswer, available, trust, trust_pair
from gistmeter.ranking.trust.calibration import Calibration, People, calibrate, system_pairs
from gistmeter.ranking.trust.notes import (
    add_trust_to_comparison,
    add_trust_to_ranking,
    comparison_notes,
    ranking_notes,
)
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables, read_tables, write_tables
from gistmeter.ranking.trust.transfer import leave_one_out, pool_slopes

__all__ = [
    "Calibration",
    "PairTrust",
    "People",
    "SetAnswer",
    "TrustAnswer",
    "add_trust_to_comparison",
    "add_trust_to_ranking",
    "available",
    "calibrate",
    "comparison_notes",
    "find_table",
    "leave_one_out",
    "pool_slopes",
    "ranking_notes",
    "read_shipped_tables",
    "read_tables",
    "system_pairs",
    "trust",
    "trust_pair",
    "write_tables",
]
