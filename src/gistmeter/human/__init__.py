"""Human judgments: who passed quality control, z-scores of raters, how far they agree, and gold from their votes.

    read_assignments      who did which task, and how many controls were passed?
    quality_control       which assignments may be used?
    accepted_judgments    what was judged in them?
    screen_work           the three at once, of a file
    standardise           judgments as z-scores, by rater or by task
    one_vs_rest           how far does one rater agree with the rest (drawn by trials)?
    each_vs_rest          ... each rater in turn, batch by batch?
    pairwise_agreement    how far do raters agree two by two?
    krippendorff_alpha    how far do they agree beyond chance?
    majority_agreement    how often is a rater with the majority?
    drop_disagreeing      judgments without the raters who seldom are
    sample_gold           what would the gold be, had one rater judged each item?

Each takes `Judgments`, or the file they are in where a command does, and gives judgments, or a result that becomes a
frame and JSON.
"""

from gistmeter.arguments import check_calls
from gistmeter.human.agreement import (
    OneVersusRest,
    PairwiseAgreement,
    RaterPair,
    each_vs_rest,
    one_vs_rest,
    pairwise_agreement,
)
from gistmeter.human.alpha import KrippendorffAlpha, krippendorff_alpha, ratings_alpha
from gistmeter.human.assignments import ScreenedWork, accepted_judgments, read_assignments, screen_work
from gistmeter.human.majority import (
    DroppedRaters,
    MajorityAgreement,
    MajorityAgreements,
    MajorityVote,
    disagreeing_raters,
    drop_disagreeing,
    majority_agreement,
    majority_vote,
)
from gistmeter.human.overview import RaterAgreement, rater_agreement
from gistmeter.human.quality import (
    Assignment,
    QualityGroup,
    QualityGroups,
    QualityReport,
    TrapAnswer,
    Verdict,
    quality_control,
    traps_passed,
)
from gistmeter.human.raters import RaterTable, rater_table, standardise, without_raters
from gistmeter.human.sampling import GoldRound, SampledGold, sample_gold

__all__ = [
    "Assignment",
    "DroppedRaters",
    "GoldRound",
    "KrippendorffAlpha",
    "MajorityAgreement",
    "MajorityAgreements",
    "MajorityVote",
    "OneVersusRest",
    "PairwiseAgreement",
    "QualityGroup",
    "QualityGroups",
    "QualityReport",
    "RaterAgreement",
    "RaterPair",
    "RaterTable",
    "SampledGold",
    "ScreenedWork",
    "TrapAnswer",
    "Verdict",
    "accepted_judgments",
    "disagreeing_raters",
    "drop_disagreeing",
    "each_vs_rest",
    "krippendorff_alpha",
    "majority_agreement",
    "majority_vote",
    "one_vs_rest",
    "pairwise_agreement",
    "quality_control",
    "rater_agreement",
    "rater_table",
    "ratings_alpha",
    "read_assignments",
    "sample_gold",
    "screen_work",
    "standardise",
    "traps_passed",
    "without_raters",
]

check_calls(__name__)
