"""People: collect human judgments in the browser, check them, and use them like any score.

    design_study        which summaries are judged, with which controls, in which order: a study folder
    open_study          a study folder, checked
    Store               its answers, and who works on which assignment
    measure_progress    how far it is: assignments, people, time, agreement
    collect_judgments   the judgments of the work that passed, as `gistmeter.human` and `gistmeter.meta` take them

`tasks/` has what people can be asked, one file each; `web/` has the pages (with the extra `web`).
"""

from gistmeter.annotate.collection import Collected, collect_judgments
from gistmeter.annotate.design import StudyPlan, design_study
from gistmeter.annotate.progress import StudyProgress, measure_progress
from gistmeter.annotate.store import Store
from gistmeter.annotate.study import Item, Study, open_study
from gistmeter.annotate.tasks import TASKS, find_task
from gistmeter.annotate.tasks.task import Task
from gistmeter.arguments import check_calls

__all__ = [
    "TASKS",
    "Collected",
    "Item",
    "Store",
    "Study",
    "StudyPlan",
    "StudyProgress",
    "Task",
    "collect_judgments",
    "design_study",
    "find_task",
    "measure_progress",
    "open_study",
]

check_calls(__name__)
