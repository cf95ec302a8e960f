"""Answers on disk: an append-only table in sqlite, and who works on which assignment.

An answer is never overwritten: a change is a new row, and the last one counts (triggers of the database refuse anything
else). Each answer is on disk before it is acknowledged. Assignments are handed out in one transaction each, so that no
two people get the same one. Files are written in WAL mode, which survives a killed server.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import sqlite3
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.annotate.schema import list_statements
from gistmeter.annotate.soundness import check_answers, check_items
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gistmeter.annotate.study import Study
    from gistmeter.annotate.tasks.task import Answer

TOKEN_BYTES = 16
IDLE_SECONDS = 24 * 3600.0
"""An assignment without an answer for so long is given to somebody else, too."""


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody with a personal link, under a pseudonym."""

    id: int
    name: str
    token: str
    expires: float


@dataclass(frozen=True, slots=True)
class WorkState:
    """An assignment: which items, whose, and what became of it."""

    id: int
    batch: int
    attempt: int
    rater: int | None
    state: str
    started: float | None
    finished: float | None
    reasons: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The last answer to an item of an assignment; not `whole` is what was filled in before it was saved."""

    item: str
    value: Answer
    whole: bool
    seconds: float
    given: float


class Store:
    """The answers of a study. Safe for threads; each has a connection of its own."""

    def __init__(self, study: Study, clock: Callable[[], float] = time.time, idle: float = IDLE_SECONDS) -> None:
        self.study = study
        self.clock = clock
        self.idle = idle
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        check_items(study)
        with explain_database(study):
            self._create()
            facts = dict(self._connection.execute("SELECT name, value FROM facts"))
        if facts.get("study") != study.settings.id:
            raise DataError(f"{study.answers_file} has the answers of another study: put it back where it was")
        if facts.get("fingerprint") != study.settings.fingerprint():
            raise DataError(
                f"study.json in {study.folder} was changed after people had begun: put it back as it was, "
                "or design a new study"
            )
        with explain_database(study):
            check_answers(study, self._connection)
        self.secret = bytes.fromhex(facts["secret"])
        self.admin_token = facts["admin"]

    @property
    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.study.answers_file, timeout=20, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
            self._opened.append(connection)
        return connection

    def close(self) -> None:
        """Close the database."""
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self._local = threading.local()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything within, or nothing of it, with no other writer in between."""
        with explain_database(self.study):
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _create(self) -> None:
        """Make the tables and the planned assignments, if they are not there."""
        settings = self.study.settings
        if not self.study.answers_file.exists():
            os.close(os.open(self.study.answers_file, os.O_CREAT | os.O_WRONLY, 0o600))  # it has the links
        elif self.study.answers_file.stat().st_size == 0:
            raise DataError(f"{self.study.answers_file} is empty: put a copy of it there, or remove it to begin anew")
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
                return
            for statement in list_statements():
                connection.execute(statement)
            facts = {
                "study": settings.id,
                "fingerprint": settings.fingerprint(),
                "secret": secrets.token_hex(32),
                "admin": secrets.token_urlsafe(TOKEN_BYTES),
            }
            connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            connection.executemany(
                "INSERT INTO assignments (batch, attempt, state) VALUES (?, ?, 'open')",
                [(batch.number, attempt) for attempt in range(settings.raters) for batch in settings.batches],
            )

    def invite(self, count: int, *, days: float = 90.0) -> list[Rater]:
        """Make so many personal links."""
        now = self.clock()
        with self._transaction() as connection:
            first = connection.execute("SELECT COUNT(*) FROM raters").fetchone()[0] + 1
            names = [f"rater-{number}" for number in range(first, first + count)]
            for name in names:
                token = secrets.token_urlsafe(TOKEN_BYTES)
                connection.execute(
                    "INSERT INTO raters (name, token, digest, invited, expires) VALUES (?, ?, ?, ?, ?)",
                    (name, token, digest_token(token), now, now + days * 86400),
                )
        return [rater for rater in self.list_raters() if rater.name in names]

    def list_raters(self) -> list[Rater]:
        """All that have a link, in the order of their invitation."""
        rows = self._connection.execute("SELECT id, name, token, expires FROM raters ORDER BY id")
        return [Rater(id=row[0], name=row[1], token=row[2], expires=row[3]) for row in rows]

    def find_rater(self, token: str) -> Rater | None:
        """Who has this token. It is looked up by its digest and compared in constant time."""
        query = "SELECT id, name, token, expires FROM raters WHERE digest = ?"
        row = self._connection.execute(query, (digest_token(token),)).fetchone()
        if row is None or not hmac.compare_digest(row[2].encode(), token.encode("utf-8", "replace")):
            return None
        return Rater(id=row[0], name=row[1], token=row[2], expires=row[3])

    def list_work(self) -> list[WorkState]:
        """All assignments, in the order they were planned."""
        return self._read_work("ORDER BY id")

    def find_work(self, rater: int) -> WorkState | None:
        """The assignment that a rater is doing; None where there is none."""
        work = self._read_work("WHERE rater = ? AND state IN ('taken', 'idle') ORDER BY id LIMIT 1", rater)
        return work[0] if work else None

    def _read_work(self, condition: str, *values: Any) -> list[WorkState]:
        query = f"SELECT id, batch, attempt, rater, state, started, finished, reasons FROM assignments {condition}"  # noqa: S608
        names = WorkState.__slots__
        return [WorkState(**dict(zip(names, row, strict=True))) for row in self._connection.execute(query, values)]

    def claim_work(self, rater: int) -> WorkState | None:
        """The assignment that a rater is doing, or the next of a batch that is new to this rater, if any is left."""
        current = self.find_work(rater)
        if current is not None:
            return current
        with self._transaction() as connection:
            self._release_idle(connection)
            row = connection.execute(
                "SELECT id FROM assignments WHERE state = 'open' AND batch NOT IN "
                "(SELECT batch FROM assignments WHERE rater = ?) ORDER BY attempt, batch LIMIT 1",
                (rater,),
            ).fetchone()
            if row is not None and self.find_work(rater) is None:  # a second tab may have been quicker
                connection.execute(
                    "UPDATE assignments SET state = 'taken', rater = ?, started = ? WHERE id = ?",
                    (rater, self.clock(), row[0]),
                )
        return self.find_work(rater)

    def has_open_work(self, rater: int) -> bool:
        """Whether there is an assignment that this rater could take."""
        query = "WHERE state = 'open' AND batch NOT IN (SELECT batch FROM assignments WHERE rater = ?) LIMIT 1"
        return bool(self._read_work(query, rater))

    def use_number(self, number: str) -> bool:
        """Whether a form of this number comes for the first time; it is remembered."""
        with self._transaction() as connection:
            return connection.execute("INSERT OR IGNORE INTO facts VALUES (?, '')", (f"form {number}",)).rowcount == 1

    def _release_idle(self, connection: sqlite3.Connection) -> None:
        """Open another assignment for each that nobody has answered in for long. Whoever comes back goes on."""
        idle = connection.execute(
            "SELECT a.id, a.batch FROM assignments a WHERE a.state = 'taken' AND ? > MAX(a.started, COALESCE("
            "(SELECT MAX(given) FROM answers WHERE assignment = a.id), 0))",
            (self.clock() - self.idle,),
        ).fetchall()
        for assignment, batch in idle:
            connection.execute("UPDATE assignments SET state = 'idle' WHERE id = ?", (assignment,))
            _fill_up(connection, batch, self.study.settings.raters)

    def save_answer(
        self, assignment: int, item: str, value: Answer, *, seconds: float, form: str, whole: bool = True
    ) -> bool:
        """Keep an answer; False where the same form was saved before, which is no second answer.

        When this returns, the answer is on disk.
        """
        with self._transaction() as connection:
            inserted = connection.execute(
                "INSERT INTO answers (assignment, item, value, whole, seconds, given, form) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (assignment, item, form) DO NOTHING",
                (assignment, item, msgspec.json.encode(value).decode(), int(whole), seconds, self.clock(), form),
            )
            return inserted.rowcount == 1

    def read_answers(self, assignment: int, *, whole: bool = True) -> dict[str, KeptAnswer]:
        """The last answer to each item of an assignment; without `whole` also those that are not finished."""
        rows = self._connection.execute(
            "SELECT item, value, whole, seconds, given FROM answers WHERE assignment = ? AND whole >= ? ORDER BY id",
            (assignment, int(whole)),
        )
        return {
            row[0]: KeptAnswer(
                item=row[0], value=msgspec.json.decode(row[1]), whole=bool(row[2]), seconds=row[3], given=row[4]
            )
            for row in rows
        }

    def list_answered(self, assignment: int) -> dict[str, float]:
        """The items of an assignment that are answered, and when."""
        query = "SELECT item, MAX(given) FROM answers WHERE assignment = ? AND whole = 1 GROUP BY item"
        return dict(self._connection.execute(query, (assignment,)).fetchall())

    def count_rows(self, assignment: int) -> int:
        """How many rows an assignment has in the table of answers, changed ones too."""
        query = "SELECT COUNT(*) FROM answers WHERE assignment = ?"
        return int(self._connection.execute(query, (assignment,)).fetchone()[0])

    def read_times(self, assignment: int) -> float:
        """How long an assignment took: the time of all its answers, changed ones too."""
        query = "SELECT COALESCE(SUM(seconds), 0) FROM answers WHERE assignment = ? AND whole = 1"
        return float(self._connection.execute(query, (assignment,)).fetchone()[0])

    def finish_work(self, assignment: int, *, passed: bool, reasons: str = "") -> None:
        """Hand in an assignment. If it failed, another is opened for somebody else; open ones too many go."""
        with self._transaction() as connection:
            row = connection.execute("SELECT batch, state FROM assignments WHERE id = ?", (assignment,)).fetchone()
            if row is None or row[1] not in ("taken", "idle"):
                return
            connection.execute(
                "UPDATE assignments SET state = ?, finished = ?, reasons = ? WHERE id = ?",
                ("passed" if passed else "failed", self.clock(), reasons, assignment),
            )
            _fill_up(connection, row[0], self.study.settings.raters)


def _fill_up(connection: sqlite3.Connection, batch: int, raters: int) -> None:
    """See to it that as many assignments of a batch are usable, being done or open as raters are planned."""
    states = connection.execute("SELECT id, state, attempt FROM assignments WHERE batch = ? ORDER BY id", (batch,))
    rows = states.fetchall()
    counted = [row for row in rows if row[1] in ("open", "taken", "passed")]
    opened = [row for row in rows if row[1] == "open"]
    attempt = max(row[2] for row in rows) + 1
    for number in range(raters - len(counted)):
        connection.execute(
            "INSERT INTO assignments (batch, attempt, state) VALUES (?, ?, 'open')", (batch, attempt + number)
        )
    for row in opened[len(opened) - max(0, len(counted) - raters) :]:
        connection.execute("UPDATE assignments SET state = 'withdrawn' WHERE id = ?", (row[0],))


def digest_token(token: str) -> str:
    """What a token is looked up by."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@contextlib.contextmanager
def explain_database(study: Study) -> Iterator[None]:
    """What is wrong with the file of answers (a full disk, no permission, no database) as one sentence."""
    try:
        yield
    except OSError as error:
        raise DataError(f"cannot write {study.answers_file}: {error.strerror or error}") from None
    except sqlite3.Error as error:
        raise DataError(f"cannot use {study.answers_file}: {error}") from None
