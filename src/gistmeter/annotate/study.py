"""The study folder: what is judged (`items.jsonl`), by whom and in which order (`study.json`), and by which rule.

A study is data that can be read, copied and kept. `design` writes it once; answers are collected beside it, in
`answers.sqlite` (see `store`). `study.json` knows the digest of `items.jsonl`, so that an edited folder is noticed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import explain_failure, write_bytes
from gistmeter.io.json_lines import decode_json

FORMAT = "gistmeter-study-1"
STUDY_FILE = "study.json"
ITEMS_FILE = "items.jsonl"
ANSWERS_FILE = "answers.sqlite"
MOST_RATERS = 1000
"""Of an item: each has an order of their own, which is stored."""


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One screen: what is shown, and the summary that it is about.

    `shown` is what the task needs to fill the screen. A control is an item whose right answer is known: `control` says
    of which kind. `repeats` is the judged item that a control shows again.

    >>> Item(id="1", doc_id="d", system="lead", aspect="focus", shown={"first": "It rained."}).is_control
    False
    """

    id: str
    shown: dict[str, Any]
    doc_id: str = ""
    system: str = ""
    aspect: str = ""
    language: str = "en"
    control: str = ""
    repeats: str = ""

    @property
    def is_control(self) -> bool:
        """Whether the right answer is known."""
        return bool(self.control)

    @property
    def pair(self) -> tuple[str, str]:
        """What must not be shown twice in a row: the summary, by its document and system."""
        return self.doc_id, self.system


class PassRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes an assignment usable: the share of controls answered right, and the shortest time."""

    controls: float = 0.7
    seconds: float = 0.0
    """The shortest time for a whole assignment."""


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The items of one assignment, in an order of its own for each planned rater."""

    number: int
    orders: tuple[tuple[str, ...], ...]

    def order(self, attempt: int) -> tuple[str, ...]:
        """The order in which the rater of this attempt (counted from 0) sees the items."""
        return self.orders[attempt % len(self.orders)]


class StudySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `study.json` says."""

    format: str
    id: str
    task: str
    title: str
    language: str
    raters: int
    seed: int
    rule: PassRule
    items_digest: str
    batches: tuple[Batch, ...]
    words: dict[str, Any] = {}
    """Words of the study's own, in the place of those of the interface: instructions, questions, buttons."""

    known_format: ClassVar[str] = FORMAT

    def fingerprint(self) -> str:
        """What must stay as it is once people have begun: all but the title and the words."""
        fixed = msgspec.structs.replace(self, title="", words={})
        return hashlib.sha256(msgspec.json.encode(fixed)).hexdigest()


class Study:
    """A study folder that was opened: its settings and its items."""

    def __init__(self, folder: Path, settings: StudySettings, items: tuple[Item, ...]) -> None:
        self.folder = folder
        self.settings = settings
        self.items = {item.id: item for item in items}
        self.batches = {batch.number: batch for batch in settings.batches}

    @property
    def judged(self) -> list[Item]:
        """The items that are no controls."""
        return [item for item in self.items.values() if not item.is_control]

    @property
    def answers_file(self) -> Path:
        """Where answers are collected."""
        return self.folder / ANSWERS_FILE

    def list_items(self, batch: int, attempt: int) -> list[Item]:
        """The items of a batch in the order of this attempt."""
        return [self.items[name] for name in self.batches[batch].order(attempt)]


def write_study(folder: Path, settings: StudySettings, items: tuple[Item, ...]) -> Study:
    """Write a new study into a folder, which is made; a folder that has a study is left as it is."""
    if (folder / STUDY_FILE).exists() or (folder / ANSWERS_FILE).exists():
        raise DataError(f"{folder} has a study already, and its answers are not overwritten; name another folder")
    if (folder / ITEMS_FILE).exists():
        raise DataError(f"{folder} has a file {ITEMS_FILE} already, and it is not overwritten; name another folder")
    with explain_failure(f"cannot make the folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    content = encode_items(items)
    settings = msgspec.structs.replace(settings, items_digest=hashlib.sha256(content).hexdigest())
    encoded = msgspec.json.encode(settings)
    write_bytes(folder / ITEMS_FILE, content)
    write_bytes(folder / STUDY_FILE, msgspec.json.format(encoded, indent=1) + b"\n")
    # As it will be read: a share that was given as 1 is 1.0 in the file's type.
    return Study(folder, msgspec.json.decode(encoded, type=StudySettings), items)


def encode_items(items: tuple[Item, ...]) -> bytes:
    """Items as JSON lines."""
    return b"".join(msgspec.json.encode(item) + b"\n" for item in items)


def open_study(folder: str | Path) -> Study:
    """A study folder that `gistmeter annotate design` wrote.

    Raises
    ------
    DataError
        The folder has no study, or one that was changed since it was designed.

    Examples
    --------
    >>> open_study("nowhere")
    Traceback (most recent call last):
    gistmeter.errors.DataError: there is no study in nowhere: `gistmeter annotate design` makes one
    """
    folder = Path(folder)
    file = folder / STUDY_FILE
    if not file.is_file():
        raise DataError(f"there is no study in {folder}: `gistmeter annotate design` makes one")
    with explain_failure(f"cannot read {file}"):
        content = file.read_bytes()
    settings = decode_json(content, str(file), "a study", kind=StudySettings)
    if settings.format != FORMAT:
        raise DataError(f"{file} is of the format {settings.format!r}; this version of gistmeter reads {FORMAT!r}")
    items = _read_items(folder / ITEMS_FILE, settings)
    study = Study(folder, settings, items)
    unknown = {name for batch in settings.batches for order in batch.orders for name in order} - set(study.items)
    if unknown:
        raise DataError(f"{file} was edited: it names items that {ITEMS_FILE} does not have ({sorted(unknown)[:3]})")
    if len(study.items) != len(items) or not _is_plan(settings):
        raise DataError(f"{file} was edited: raters, batches and orders are not those of a plan; design a new study")
    return study


def _is_plan(settings: StudySettings) -> bool:
    """Whether there are raters and batches, each batch with a number of its own and the same items in all orders."""
    orders = [{frozenset(order) for order in batch.orders} for batch in settings.batches]
    numbers = {batch.number for batch in settings.batches}
    is_dealt = all(len(order) == 1 and frozenset() not in order for order in orders)
    return bool(orders) and is_dealt and len(numbers) == len(orders) and 1 <= settings.raters <= MOST_RATERS


def _read_items(file: Path, settings: StudySettings) -> tuple[Item, ...]:
    if not file.is_file():
        raise DataError(f"{file} is missing: the study is not whole, copy its folder again")
    with explain_failure(f"cannot read {file}"):
        content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != settings.items_digest:
        raise DataError(
            f"{file} is not what the study was designed with: its texts were edited or are of another study; "
            "design a new study for other texts"
        )
    lines = content.splitlines()
    return tuple(
        decode_json(line, f"line {number} of {file}", "an item", kind=Item) for number, line in enumerate(lines, 1)
    )
