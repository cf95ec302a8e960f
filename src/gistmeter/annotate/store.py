"""Answers on disk: an append-only table in sqlite, and who works on which assignment.

An answer is never overwritten: a change is a new row, and the last one counts (triggers of the database refuse anything
else). Each answer is on disk before it is acknowledged. Assignments are handed out in one transaction each, so that no
two people get the same one. Files are written in WAL mode, which survives a killed server.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from gistmeter.annotate.database import Database, explain_database, split_statements
from gistmeter.annotate.soundness import check_answers, check_items
from gistmeter.errors import DataError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from gistmeter.annotate.study import Study
    from gistmeter.annotate.tasks.task import Answer

TOKEN_BYTES = 16
IDLE_SECONDS = 24 * 3600.0
"""An assignment without an answer for so long is given to somebody else, too."""

_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE raters (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
    invited REAL NOT NULL, expires REAL NOT NULL
);
CREATE TABLE assignments (
    id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, attempt INTEGER NOT NULL, rater INTEGER REFERENCES raters,
    state TEXT NOT NULL CHECK (state IN ('open', 'taken', 'idle', 'passed', 'failed', 'withdrawn')),
    started REAL, finished REAL, reasons TEXT NOT NULL DEFAULT '', UNIQUE (batch, attempt)
);
CREATE TABLE answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, assignment INTEGER NOT NULL REFERENCES assignments, item TEXT NOT NULL,
    value TEXT NOT NULL, whole INTEGER NOT NULL, seconds REAL NOT NULL, given REAL NOT NULL, form TEXT NOT NULL,
    UNIQUE (assignment, item, form)
);
CREATE INDEX answers_by_assignment ON answers (assignment, item, id);
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
CREATE TRIGGER answers_last BEFORE DELETE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never removed'); END;
"""

_SELECTION = "SELECT item, value, whole, seconds, given, form FROM answers WHERE assignment = ?"
_IS_IDLE = """(state = 'taken' AND ? > MAX(started, COALESCE(
(SELECT MAX(given) FROM answers WHERE assignment = assignments.id), 0)))"""
# Nothing is added to what was handed in, and the same form is no second answer.
_INSERTION = """
INSERT INTO answers (item, value, whole, seconds, given, form, assignment)
SELECT ?, ?, ?, ?, ?, ?, id FROM assignments WHERE id = ? AND state IN ('taken', 'idle')
ON CONFLICT (assignment, item, form) DO NOTHING
"""


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
    form: str
    """The number of the form it was given with; of an unfinished one, with a number for each time it was kept."""


class AnswerTime(NamedTuple):
    """When an answer was given, and how long it took."""

    given: float
    seconds: float


class AnsweredCount(NamedTuple):
    """How many items of an assignment are answered, and when the last one was."""

    items: int
    last: float


class Store:
    """The answers of a study, safe for threads."""

    def __init__(self, study: Study, clock: Callable[[], float] = time.time, idle: float = IDLE_SECONDS) -> None:
        self.study = study
        self.clock = clock
        self.idle = idle
        check_items(study)
        self.database = Database(study.answers_file, _INSERTION)
        self._create()
        facts = dict(self.database.read("SELECT name, value FROM facts"))
        if facts.get("study") != study.settings.id:
            raise DataError(f"{study.answers_file} has the answers of another study: put it back where it was")
        if facts.get("fingerprint") != study.settings.fingerprint():
            raise DataError(
                f"study.json in {study.folder} was changed after people had begun: put it back as it was, "
                "or design a new study"
            )
        with explain_database(study.answers_file):
            check_answers(study, self.database.connection)
        self.secret = bytes.fromhex(facts["secret"])
        self.admin_token = facts["admin"]

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def _create(self) -> None:
        """Make the tables and the planned assignments, if they are not there."""
        settings = self.study.settings
        with self.database.transaction() as connection:
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts'").fetchone():
                return
            for statement in split_statements(_SCHEMA):
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
        with self.database.transaction() as connection:
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
        rows = self.database.read("SELECT id, name, token, expires FROM raters ORDER BY id")
        return [Rater(id=row[0], name=row[1], token=row[2], expires=row[3]) for row in rows]

    def find_rater(self, token: str) -> Rater | None:
        """Who has this token. It is looked up by its digest and compared in constant time."""
        query = "SELECT id, name, token, expires FROM raters WHERE digest = ?"
        for row in self.database.read(query, digest_token(token)):
            if hmac.compare_digest(row[2].encode(), token.encode("utf-8", "replace")):
                return Rater(id=row[0], name=row[1], token=row[2], expires=row[3])
        return None

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
        return [WorkState(**dict(zip(names, row, strict=True))) for row in self.database.read(query, *values)]

    def claim_work(self, rater: int) -> WorkState | None:
        """The assignment that a rater is doing, or the next of a batch that is new to this rater, if any is left."""
        current = self.find_work(rater)
        if current is not None:
            return current
        with self.database.transaction() as connection:
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
        """Whether there is an assignment that this rater could take, or one that others have left for long."""
        query = (
            f"WHERE (state = 'open' OR {_IS_IDLE}) "  # noqa: S608 - a constant
            "AND batch NOT IN (SELECT batch FROM assignments WHERE rater = ?) LIMIT 1"
        )
        return bool(self._read_work(query, self.clock() - self.idle, rater))

    def use_number(self, number: str) -> bool:
        """Whether a form of this number comes for the first time; it is remembered."""
        with self.database.transaction() as connection:
            return connection.execute("INSERT OR IGNORE INTO facts VALUES (?, '')", (f"form {number}",)).rowcount == 1

    def _release_idle(self, connection: sqlite3.Connection) -> None:
        """Open another assignment for each that nobody has answered in for long. Whoever comes back goes on."""
        idle = connection.execute(
            f"SELECT id, batch FROM assignments WHERE {_IS_IDLE}",  # noqa: S608 - a constant
            (self.clock() - self.idle,),
        ).fetchall()
        for assignment, batch in idle:
            connection.execute("UPDATE assignments SET state = 'idle' WHERE id = ?", (assignment,))
            _fill_up(connection, batch, self.study.settings.raters)

    def save_answer(
        self, assignment: int, item: str, value: Answer, *, seconds: float, form: str, whole: bool = True
    ) -> bool:
        """Keep an answer; False where the same form was saved before, or the assignment was handed in meanwhile.

        When this returns, the answer is on disk.
        """
        encoded = msgspec.json.encode(value).decode()
        return self.database.insert_row(item, encoded, int(whole), seconds, self.clock(), form, assignment)

    def read_answers(self, assignment: int) -> dict[str, KeptAnswer]:
        """The last answer to each item of an assignment, in the order in which items were first answered."""
        rows = self.database.read(f"{_SELECTION} AND whole = 1 ORDER BY id", assignment)
        return {row[0]: _decode_answer(row) for row in rows}

    def read_last(self, assignment: int, item: str) -> KeptAnswer | None:
        """What was given last for an item, finished or not; None where there is nothing."""
        rows = self.database.read(f"{_SELECTION} AND item = ? ORDER BY id DESC LIMIT 1", assignment, item)
        return _decode_answer(rows[0]) if rows else None

    def list_answered(self, assignment: int) -> dict[str, AnswerTime]:
        """The items of an assignment that are answered, the last answer last: when, and how long each took."""
        rows = self.database.read(
            "SELECT item, given, seconds, MAX(id) AS last FROM answers WHERE assignment = ? AND whole = 1 "
            "GROUP BY item ORDER BY last",  # sqlite takes the other columns from the row of the maximum
            assignment,
        )
        return {row[0]: AnswerTime(given=row[1], seconds=row[2]) for row in rows}

    def count_answered(self) -> dict[int, AnsweredCount]:
        """How many items of each unfinished assignment are answered, and when the last one was."""
        rows = self.database.read(
            "SELECT assignment, COUNT(DISTINCT item), MAX(given) FROM answers WHERE whole = 1 AND assignment IN "
            "(SELECT id FROM assignments WHERE state IN ('taken', 'idle')) GROUP BY assignment"
        )
        return {row[0]: AnsweredCount(items=row[1], last=row[2]) for row in rows}

    def count_rows(self, assignment: int) -> int:
        """How many rows an assignment has in the table of answers, changed ones too."""
        return int(self.database.read("SELECT COUNT(*) FROM answers WHERE assignment = ?", assignment)[0][0])

    def read_times(self, assignment: int) -> float:
        """How long an assignment took: the time of all its answers, changed ones too."""
        query = "SELECT COALESCE(SUM(seconds), 0) FROM answers WHERE assignment = ? AND whole = 1"
        return float(self.database.read(query, assignment)[0][0])

    def finish_work(self, assignment: int, *, passed: bool, reasons: str = "", rows: int | None = None) -> bool:
        """Hand in an assignment. If it failed, another is opened for somebody else; open ones too many go.

        `rows` is how many rows it had when it was graded: where there are more by now, which a second tab may have
        saved, nothing is changed, and this is False.
        """
        with self.database.transaction() as connection:
            row = connection.execute("SELECT batch, state FROM assignments WHERE id = ?", (assignment,)).fetchone()
            if row is None or row[1] not in ("taken", "idle"):
                return True
            if rows is not None and self.count_rows(assignment) != rows:
                return False
            connection.execute(
                "UPDATE assignments SET state = ?, finished = ?, reasons = ? WHERE id = ?",
                ("passed" if passed else "failed", self.clock(), reasons, assignment),
            )
            _fill_up(connection, row[0], self.study.settings.raters)
        return True


def _decode_answer(row: tuple[Any, ...]) -> KeptAnswer:
    item, value, whole, seconds, given, form = row
    decoded = msgspec.json.decode(value)
    return KeptAnswer(item=item, value=decoded, whole=bool(whole), seconds=seconds, given=given, form=form)


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
