"""How a training tells where it is."""

from typing import Protocol


class Progress(Protocol):
    """Is told how far the tasks of a training are, and what may interest a person meanwhile."""

    def advance(self, task: str, done: int, total: int | None) -> None:
        """So much of a task is done; `total` is missing while it is not known."""
        ...

    def say(self, text: str) -> None:
        """A line for the person who waits."""
        ...


class Silence:
    """Progress that nobody asked for."""

    def advance(self, task: str, done: int, total: int | None) -> None:
        """Nothing is told."""

    def say(self, text: str) -> None:
        """Nothing is told."""


SILENCE = Silence()
