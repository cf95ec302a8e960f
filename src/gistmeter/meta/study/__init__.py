"""Study: scores and judgments of the same summaries, joined by name, and which way is good for each."""

from gistmeter.meta.study.study import Study
from gistmeter.meta.study.tables import is_matrix_file

__all__ = ["Study", "is_matrix_file"]
