"""The tables of `answers.sqlite`: facts of the study, raters, assignments, and answers, which are never changed."""

from __future__ import annotations

import sqlite3

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


def list_statements() -> list[str]:
    """The statements that make the tables; those of a trigger stay together."""
    statements, part = [], ""
    for line in _SCHEMA.strip().splitlines():
        part += line + "\n"
        if sqlite3.complete_statement(part):
            statements.append(part)
            part = ""
    return statements
