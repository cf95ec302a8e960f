"""The file of answers: sqlite in WAL mode, one writer at a time, and answers that come at the same time share a commit.

A commit waits for the disk, which takes longer than all else about an answer. Answers that arrive meanwhile wait
together and are written by one of them, so that fifty people wait for a few commits and not for fifty.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WAIT_SECONDS = 20.0
"""How long a writer waits for another process, such as `annotate status` beside a server."""


@dataclass(slots=True)
class _WaitingRow:
    """A row that is to be written, and what became of it."""

    values: Sequence[Any]
    is_done: bool = False
    was_new: bool = False
    error: Exception | None = None


class Database:
    """A file of sqlite. Safe for threads: each has a connection of its own, and one of them writes at a time."""

    def __init__(self, file: Path, insertion: str) -> None:
        """`insertion` is the statement that writes a row of `insert_row`."""
        self.file = file
        self._insertion = insertion
        self._local = threading.local()
        self._opened: dict[threading.Thread, sqlite3.Connection] = {}
        self._opening = threading.Lock()
        self._writing = threading.Lock()  # threads stand in line here; sqlite itself would sleep and look again
        self._waiting: deque[_WaitingRow] = deque()
        if not file.exists():
            with explain_database(file):
                os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))  # it has the links
        elif _is_left_empty(file):
            raise DataError(f"{file} is empty: put a copy of it there, or remove it to begin anew")

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self.file, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # a commit is on disk, also when the power goes
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
            self._keep(connection)
        return connection

    def _keep(self, connection: sqlite3.Connection) -> None:
        """Remember the connection of this thread, to close it later; those of threads that ended are closed now.

        A server takes threads and lets them go for as long as a study lasts, and a process may open so many files only.
        """
        with self._opening:
            ended = [thread for thread in self._opened if not thread.is_alive()]
            for thread in ended:
                self._opened.pop(thread).close()
            self._opened[threading.current_thread()] = connection

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._opening:
            for connection in self._opened.values():
                connection.close()
            self._opened.clear()
        self._local = threading.local()

    def read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows that a query gives."""
        with explain_database(self.file):
            return self.connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything within, or nothing of it, with no other writer in between; on disk when it ends."""
        with explain_database(self.file), self._writing, self._transact() as connection:
            yield connection

    @contextlib.contextmanager
    def _transact(self) -> Iterator[sqlite3.Connection]:
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a full disk ends some transactions by itself
                connection.execute("ROLLBACK")
            raise

    def insert_row(self, *values: Any) -> bool:
        """Write a row; False where it changes nothing. When this returns, the row is on disk."""
        row = _WaitingRow(values)
        self._waiting.append(row)
        with explain_database(self.file):
            with self._writing:
                if not row.is_done:  # nobody who wrote meanwhile took it along
                    self._write_waiting()
            if row.error is not None:
                raise row.error
        return row.was_new

    def _write_waiting(self) -> None:
        """Write all rows that wait, in one transaction; one by one where that fails, so that each has its own error."""
        rows = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            self._write_rows(rows)
        except Exception:
            for row in rows:
                try:
                    self._write_rows([row])
                except Exception as error:
                    row.error, row.is_done = error, True

    def _write_rows(self, rows: Sequence[_WaitingRow]) -> None:
        with self._transact() as connection:
            counts = [connection.execute(self._insertion, row.values).rowcount for row in rows]
        for row, count in zip(rows, counts, strict=True):
            row.was_new, row.is_done = count == 1, True


def _is_left_empty(file: Path) -> bool:
    """Whether a file is empty, and stays so for a second: another process may be making it."""
    for _ in range(10):
        if file.stat().st_size:
            return False
        time.sleep(0.1)
    return True


@contextlib.contextmanager
def explain_database(file: Path) -> Iterator[None]:
    """What is wrong with a file of answers (a full disk, no permission, no database) as one sentence."""
    try:
        yield
    except OSError as error:
        raise DataError(f"cannot write {file}: {error.strerror or error}") from None
    except sqlite3.Error as error:
        raise DataError(f"cannot use {file}: {error}") from None


def split_statements(script: str) -> list[str]:
    """The statements of a script; those of a trigger stay together.

    >>> split_statements("CREATE TABLE a (b);\\nCREATE TABLE c (d);")
    ['CREATE TABLE a (b);\\n', 'CREATE TABLE c (d);\\n']
    """
    statements, part = [], ""
    for line in script.strip().splitlines():
        part += line + "\n"
        if sqlite3.complete_statement(part):
            statements.append(part)
            part = ""
    return statements
