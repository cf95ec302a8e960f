"""Trust: how often people rank two systems as a metric does, given the gap between them."""

from gistmeter.arguments import check_calls
from gistmeter.ranking.trust.answers import SetAnswer, TrustAnswer
from gistmeter.ranking.trust.ask import PairTrust, available, trust, trust_pair
from gistmeter.ranking.trust.calibration import Calibration, People, calibrate, system_pairs
from gistmeter.ranking.trust.fit import FitOptions, JudgedScores, fit_table
from gistmeter.ranking.trust.notes import (
    add_trust_to_comparison,
    add_trust_to_ranking,
    comparison_notes,
    ranking_notes,
)
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables, read_tables, write_tables
from gistmeter.ranking.trust.transfer import leave_one_out, pool_slopes
from gistmeter.ranking.trust.user_fit import FittedTables, fit

__all__ = [
    "Calibration",
    "FitOptions",
    "FittedTables",
    "JudgedScores",
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
    "fit",
    "fit_table",
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

check_calls(__name__)
