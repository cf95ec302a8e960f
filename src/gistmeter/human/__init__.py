"""Human judgments: z-scores of raters, how far they agree, and quality control."""

from gistmeter.human.agreement import (
    KrippendorffAlpha,
    MajorityAgreement,
    MajorityVote,
    OneVersusRest,
    disagreeing_raters,
    each_vs_rest,
    krippendorff_alpha,
    majority_agreement,
    majority_vote,
    one_vs_rest,
    ratings_alpha,
)
from gistmeter.human.overview import RaterAgreement, rater_agreement
from gistmeter.human.quality import Assignment, QualityReport, TrapAnswer, Verdict, quality_control, traps_passed
from gistmeter.human.raters import RaterTable, rater_table, standardise, without_raters

__all__ = [
    "Assignment",
    "KrippendorffAlpha",
    "MajorityAgreement",
    "MajorityVote",
    "OneVersusRest",
    "QualityReport",
    "RaterAgreement",
    "RaterTable",
    "TrapAnswer",
    "Verdict",
    "disagreeing_raters",
    "each_vs_rest",
    "krippendorff_alpha",
    "majority_agreement",
    "majority_vote",
    "one_vs_rest",
    "quality_control",
    "rater_agreement",
    "rater_table",
    "ratings_alpha",
    "standardise",
    "traps_passed",
    "without_raters",
]
