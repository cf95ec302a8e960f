"""The progress of a training on the console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.progress import Progress, TaskID

from gistmeter.cli import options as o
from gistmeter.cli.door.terminal import console

if TYPE_CHECKING:
    from typing import Self


class ConsoleProgress:
    """A bar for each task, which goes when all is done, and lines that stay."""

    def __init__(self) -> None:
        self._bars = Progress(console=console(stderr=True), transient=True)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self._bars.stop()

    def advance(self, task: str, done: int, total: int | None) -> None:
        """Move the bar of a task."""
        if task not in self._tasks:
            self._tasks[task] = self._bars.add_task(task, total=total)
        self._bars.update(self._tasks[task], completed=done, total=total)

    def say(self, text: str) -> None:
        """Print a line."""
        o.say(text)
