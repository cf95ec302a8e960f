"""Run a case in a process of its own, in a folder of its own, and say what is wrong with how it ended."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.breaking import BREAKERS, OFTEN
from fuzz.cases import inputs_of
from fuzz.materials import list_materials
from fuzz.studies import FOLDER, break_database, forge

if TYPE_CHECKING:
    import resource

    from fuzz.cases import Case

SECONDS = 60
TIMES_SLOWER = 20
"""By the clock a case may take so many times as long, since it waits for its turn on a busy machine."""
GIGABYTES = 2.0
ENDINGS = (0, 2)
OUTPUT_FLAGS = ("-o", "--output", "--report", "--junit", "--sheet", "--figure")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Outcome:
    """How a case ended, and its faults."""

    case: str
    command: str
    broken: str
    code: int
    seconds: float
    gigabytes: float
    faults: tuple[str, ...]
    errors: str


def run_case(case: Case, materials: Path, folder: Path, *, seconds: float = SECONDS) -> Outcome:
    """Run the case in a forked process. The folder is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    sandbox = folder / "run"
    sandbox.mkdir(parents=True)
    names = list_materials(materials)
    _lay_out(case, materials, sandbox, names)
    before = _digests(sandbox)
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        _run_child(case, sandbox, folder)
    code, usage = wait_for_case(child, seconds)
    duration = time.monotonic() - start
    output = (folder / "stdout").read_bytes() if (folder / "stdout").exists() else b""
    errors = (folder / "stderr").read_bytes().decode("utf-8", "replace")
    gigabytes = usage.ru_maxrss / 1024**2
    faults = _find_faults(code, output.decode("utf-8", "replace"), errors, gigabytes)
    changed = [name for name, digest in before.items() if _digest(sandbox / name) != digest]
    faults += [f"changed {name}" for name in changed if not _is_output_alone(name, case.arguments)]
    return Outcome(
        str(case),
        case.command,
        "+".join(case.broken),
        code,
        round(duration, 2),
        round(gigabytes, 2),
        tuple(faults),
        errors[-3000:],
    )


def _is_output_alone(name: str, arguments: list[str]) -> bool:
    """Whether a command names a file as its output and nowhere else: an old file may be written over."""
    positions = [at for at, word in enumerate(arguments) if name in (word, word.partition("=")[2])]
    return len(positions) == 1 and arguments[positions[0] - 1] in OUTPUT_FLAGS


def _find_faults(code: int, output: str, errors: str, gigabytes: float) -> list[str]:
    faults = []
    if code == -signal.SIGALRM:
        faults.append(f"took over {SECONDS} s")
    elif code not in ENDINGS:
        faults.append(f"ended with {code}")
    if "Traceback (most recent call last)" in errors:
        faults.append("traceback")
    elif re.search(r"^\S+:\d+: \w*Warning", errors, re.MULTILINE):
        faults.append("a warning of another library")
    if code == ENDINGS[1] and not errors.strip():
        faults.append("no word why")
    if CONTROL.search(output) or CONTROL.search(errors):
        faults.append("control characters")
    if gigabytes > GIGABYTES:
        faults.append(f"{gigabytes:.1f} GB")
    return faults


def _lay_out(case: Case, materials: Path, sandbox: Path, names: frozenset[str]) -> None:
    """Copy the files of the case, broken as it says."""
    wanted = {*inputs_of(case, names), *(word for word in case.arguments if word in names)}
    if any(name.startswith("scores.") for name in wanted):
        wanted |= {"run.jsonl", *(f"{name}.meta.json" for name in wanted if f"{name}.meta.json" in names)}
    for name in wanted:
        (sandbox / name).parent.mkdir(exist_ok=True)
        shutil.copy(materials / name, sandbox / name)
    for name, (what, detail) in case.files.items():
        path = sandbox / name
        if what in BREAKERS and path.suffix == ".sqlite" and what in OFTEN:
            break_database(path, random.Random(detail))
        elif what in BREAKERS:
            path.write_bytes(BREAKERS[what](path.read_bytes(), random.Random(detail)))
        elif what.endswith("made"):
            (path if what.startswith("folder") else path.parent).mkdir(exist_ok=True)
        elif what == "hard link":
            os.link(sandbox / detail, path)
        elif what == "soft link":
            path.symlink_to(detail)
        else:
            _replace(path, what, materials / detail, sandbox)
    if (sandbox / FOLDER).is_dir():
        forge(sandbox / FOLDER)


def _replace(path: Path, what: str, other: Path, sandbox: Path) -> None:
    if what == "bracket":
        shutil.copy(path, sandbox / f"q[1]{path.suffix}")
        (sandbox / f"q1{path.suffix}").write_bytes(b"")
    elif what == "unlike":
        for suffix in (".csv", ".jsonl", ".parquet", ".txt", ".gz", ".json", ".pyr", ""):
            shutil.copy(path, sandbox / f"x{suffix}")
    elif what == "other":
        shutil.copy(other, path)
    else:
        path.unlink()
        if what == "folder":
            path.mkdir()
        elif what == "pipe":
            os.mkfifo(path)
        elif what == "loop":
            path.symlink_to(path.name)


def _digests(sandbox: Path) -> dict[str, str | None]:
    return {str(entry.relative_to(sandbox)): _digest(entry) for entry in sandbox.rglob("*") if entry.is_file()}


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def wait_for_case(child: int, seconds: float) -> tuple[int, resource.struct_rusage]:
    """The exit code (negative for a signal), and what the process used; it is killed when it takes too long.

    That is so many seconds of a core, or of the clock without any use of one: a busy machine makes no case slow.
    """
    start = moved = time.monotonic()
    cpu_seconds = 0.0
    pause = 0.002
    killed = False
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            return (-signal.SIGALRM if killed else os.waitstatus_to_exitcode(status)), usage
        if (used := _read_cpu_seconds(child)) > cpu_seconds:
            cpu_seconds, moved = used, time.monotonic()
        now = time.monotonic()
        is_slow = cpu_seconds > seconds or now - moved > seconds or now - start > TIMES_SLOWER * seconds
        if is_slow and not killed:
            killed = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(0.05, pause * 1.3)


def _read_cpu_seconds(child: int) -> float:
    """The seconds of a core that a process, and those that it started and waited for, have used so far."""
    try:
        fields = Path(f"/proc/{child}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _run_child(case: Case, sandbox: Path, folder: Path) -> None:
    """In the forked process: be the command, and nothing else."""
    code = 70
    try:
        os.setsid()
        os.chdir(sandbox)
        stdin = os.open(os.devnull, os.O_RDONLY)
        stdout = os.open("/dev/full" if case.full_output else folder / "stdout", os.O_WRONLY | os.O_CREAT)
        stderr = os.open(folder / "stderr", os.O_WRONLY | os.O_CREAT)
        for number, handle in enumerate((stdin, stdout, stderr)):
            os.dup2(handle, number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        sys.argv = ["gistmeter", *case.arguments]
        from gistmeter.cli.main import main

        try:
            main()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        code = 1
    finally:
        with contextlib.suppress(BaseException):
            sys.stderr.flush()
        os._exit(code)
