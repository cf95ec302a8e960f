"""Human judgments: z-scores of raters, how far they agree, and quality control."""

from gistmeter.human.agreement import (
    Alpha,
    MajorityAgreement,
    MajorityVote,
    OneVersusRest,
    alpha_of,
    disagreeing_raters,
    each_vs_rest,
    krippendorff_alpha,
    majority_agreement,
    majority_vote,
    one_vs_rest,
)
from gistmeter.human.overview import RaterAgreement, rater_agreement
from gistmeter.human.quality import Assignment, QualityReport, TrapAnswer, Verdict, quality_control, traps_passed
from gistmeter.human.raters import RaterTable, rater_table, standardised, without_raters

__all__ = [
    "Alpha",
    "Assignment",
    "MajorityAgreement",
    "MajorityVote",
    "OneVersusRest",
    "QualityReport",
    "RaterAgreement",
    "RaterTable",
    "TrapAnswer",
    "Verdict",
    "alpha_of",
    "disagreeing_raters",
    "each_vs_rest",
    "krippendorff_alpha",
    "majority_agreement",
    "majority_vote",
    "one_vs_rest",
    "quality_control",
    "rater_agreement",
    "rater_table",
    "standardised",
    "traps_passed",
    "without_raters",
]
