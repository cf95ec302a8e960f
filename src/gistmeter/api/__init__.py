"""The public verbs: score, check, rank, compare, gate, explain, correlate, write_report, and what commands call.

Command line, reports and notebooks all go through these. `scoring` scores a run or one summary, `scored_systems`
scores, ranks and reports in one go, `reports` writes pages, `agreement` compares scores with people, `questions` gives
questions to people, `sections` shows systems by their type.
"""

from gistmeter.api.agreement import correlate
from gistmeter.api.explanations import ExplainedSummaries, explain_summaries
from gistmeter.api.loaded import ComputedScores, LoadedMetric, load
from gistmeter.api.questions import ImportedAnswers, compare_answerers, export_questions, import_answers
from gistmeter.api.reports import WrittenReport, report_scores, write_report
from gistmeter.api.scored_systems import ScoredSystems, score_systems
from gistmeter.api.scoring import ScoringOptions, metric, read_run, score, score_one, score_to_file
from gistmeter.api.sections import add_sections
from gistmeter.api.worst_summaries import worst
from gistmeter.arguments import check_calls
from gistmeter.checking.check import check
from gistmeter.io.writing import write_run
from gistmeter.ranking.compare import compare
from gistmeter.ranking.gate import gate
from gistmeter.ranking.rank import rank
from gistmeter.ranking.stacking import stack_scores
from gistmeter.report.citations.cite import cite
from gistmeter.scoring.explain import explain, explain_summary, fit_metrics
from gistmeter.scoring.inputs import find_scored_run, label_metrics

__all__ = [
    "ComputedScores",
    "ExplainedSummaries",
    "ImportedAnswers",
    "LoadedMetric",
    "ScoredSystems",
    "ScoringOptions",
    "WrittenReport",
    "add_sections",
    "check",
    "cite",
    "compare",
    "compare_answerers",
    "correlate",
    "explain",
    "explain_summaries",
    "explain_summary",
    "export_questions",
    "find_scored_run",
    "fit_metrics",
    "gate",
    "import_answers",
    "label_metrics",
    "load",
    "metric",
    "rank",
    "read_run",
    "report_scores",
    "score",
    "score_one",
    "score_systems",
    "score_to_file",
    "stack_scores",
    "worst",
    "write_report",
    "write_run",
]

check_calls(__name__)
