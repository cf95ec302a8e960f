"""Run commands of gistmeter in forks of one process that has loaded all libraries: each starts in no time.

    with serve_commands(folder, environment) as programs:
        ...  # with the folder `programs` first in PATH, `gistmeter` runs in a fork

A command has its own folder, environment, arguments, input and outputs, and ends with its own exit code, as a process
started by a shell does. Nothing is computed before the fork, so no thread and no state of one command meets another.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

LIBRARIES = (
    *("jinja2", "polars", "rich.live", "rich.progress", "rich.table", "scipy.optimize", "scipy.sparse", "scipy.stats"),
    *("spacy", "torch", "transformers", "sacrebleu", "altair", "vl_convert"),
)
"""What commands import when they need it."""

ROOMS = ("api", "annotate", "cli.main", "human", "insight", "meta", "probe", "qa", "ranking", "report", "units")

CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
command = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [len(command).to_bytes(8, "big")], [0, 1, 2])
server.sendall(command)
code = server.recv(1)
os._exit(code[0] if code else 1)
"""
"""The program `gistmeter` that a shell finds: it hands a command over, and ends as that does."""


@contextlib.contextmanager
def serve_commands(
    folder: Path, environment: Mapping[str, str], libraries: Sequence[str] = LIBRARIES
) -> Iterator[Path]:
    """Have commands run in forks until the end of the block; gives the folder of the program `gistmeter`.

    What is in `libraries` is loaded before; a command that needs another loads it for itself.
    """
    address = folder / "commands.socket"
    program = folder / "programs" / "gistmeter"
    program.parent.mkdir()
    program.write_text(CLIENT.format(python=sys.executable, address=str(address)), encoding="utf-8")
    program.chmod(0o755)
    words = [sys.executable, __file__, address, *libraries]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout is None or server.stdout.readline() != "ready\n":
                sys.exit("the process that runs the commands did not start")
            yield program.parent
        finally:
            server.terminate()


def listen(address: str, libraries: Sequence[str]) -> None:
    """Load what commands need and run each command in a fork, until terminated or left alone."""
    for room in ROOMS:
        importlib.import_module(f"gistmeter.{room}")
    for library in libraries:
        importlib.import_module(library)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for forks: they say themselves how they ended
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    listening.settimeout(5)
    parent = os.getppid()
    print("ready", flush=True)
    while os.getppid() == parent:  # whoever asked may have been killed
        try:
            client, _ = listening.accept()
        except TimeoutError:
            continue
        if os.fork() == 0:
            listening.close()
            answer_command(client)
        client.close()


def answer_command(client: socket.socket) -> None:
    """Be the command that a client hands over: say its exit code, and end."""
    size, streams, _, _ = socket.recv_fds(client, 8, 3)
    content = b""
    while len(content) < int.from_bytes(size, "big"):
        content += client.recv(1 << 16)
    arguments, folder, environment = json.loads(content)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    code = run_command(arguments)
    client.sendall(bytes([code]))
    os._exit(code)


def run_command(arguments: list[str]) -> int:
    """Run a command as the installed program does; gives its exit code."""
    from gistmeter.cli.main import main

    sys.argv = ["gistmeter", *arguments]
    code: object = 0
    try:
        main()
    except SystemExit as left:
        code = left.code or 0
    except BaseException:  # as the interpreter does with what nobody caught
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(ValueError, OSError):
            stream.flush()
    return code if isinstance(code, int) else 1


if __name__ == "__main__":
    listen(sys.argv[1], sys.argv[2:])
