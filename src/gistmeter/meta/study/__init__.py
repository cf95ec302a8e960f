"""Study: scores and judgments of the same summaries, joined by name, and which way is good for each."""

from gistmeter.meta.study.matrix_file import is_matrix_file
from gistmeter.meta.study.study import Study

__all__ = ["Study", "is_matrix_file"]
