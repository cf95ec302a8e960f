"""A study folder with answers, and ways to break it that get past its first door: a forger recomputes digests."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from fuzz.breaking import ODD_VALUES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "study"
TABLES = ("facts", "raters", "assignments", "answers")


def write_answered_study(folder: Path) -> None:
    """A study of the example run in which two people answered everything, and one has begun."""
    from gistmeter.annotate import Store, design_study
    from gistmeter.annotate.grading import hand_in
    from gistmeter.io.runs import open_run

    run = open_run([str(folder / "run.jsonl")]).examples()
    plan = design_study(run, "focus-coverage", folder / FOLDER, per_assignment=40, raters=2)
    store = Store(plan.study)
    rng = random.Random(0)
    for number, rater in enumerate(store.invite(3)):
        work = store.claim_work(rater.id)
        if work is None:
            break
        items = plan.study.list_items(work.batch, work.attempt)
        for item in items[: 2 if number == 1 else None]:
            value = {"same": 97, "different": 2}.get(item.control, rng.randint(20, 80))
            store.save_answer(work.id, item.id, {"value": value}, seconds=20.0, form=f"{work.id}-{item.id}")
        if number != 1:
            hand_in(store, work)
    store.close()


def break_database(path: Path, rng: random.Random) -> None:
    """Put an odd value into one cell of the answers, or take a table, a row or a rule of it away."""
    with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.Error):
        for trigger in ("answers_stay", "answers_last"):
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        table = rng.choice(TABLES)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = rng.choice(columns)
        value = rng.choice([*ODD_VALUES, '{"value": "x"}', '{"value": 1e999}', b"\xff\xfe", "rater-1"])
        if isinstance(value, list | dict):
            value = json.dumps(value)
        way = rng.choice(["cell", "cell", "cell", "cell", "row", "table"])
        rows = connection.execute(f"SELECT rowid FROM {table}").fetchall()
        row = rng.choice(rows)[0] if rows else 0
        with suppress(OverflowError):
            if way == "cell":
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
            elif way == "row":
                connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            else:
                connection.execute(f"DROP TABLE {table}")
        connection.commit()


def forge(folder: Path) -> None:
    """Make digests fit what is there, as somebody would who edits a study on purpose."""
    from gistmeter.annotate.study import StudySettings, msgspec

    file = folder / "study.json"
    if not all((folder / name).is_file() for name in ("study.json", "items.jsonl", "answers.sqlite")):
        return  # a pipe would keep the fuzzer itself waiting
    with suppress(Exception):
        settings = json.loads(file.read_bytes())
        settings["items_digest"] = hashlib.sha256((folder / "items.jsonl").read_bytes()).hexdigest()
        file.write_text(json.dumps(settings))
        fingerprint = msgspec.json.decode(file.read_bytes(), type=StudySettings).fingerprint()
        with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
            connection.execute("UPDATE facts SET value = ? WHERE name = 'fingerprint'", (fingerprint,))
            connection.execute("UPDATE facts SET value = ? WHERE name = 'study'", (settings["id"],))
            connection.commit()
