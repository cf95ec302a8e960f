"""What the stories share: a folder of a newcomer, in which the commands of a page are typed one after another."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import replay

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """A command that was typed, and what came of it."""

    command: str
    code: int
    output: str
    errors: str


class Newcomer:
    """Somebody with an empty folder, the example run, and the documentation."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder = folder
        (folder / "src").symlink_to(ROOT / "src")
        self.environment = {
            **os.environ,
            "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT / "src"),
        }

    def type(self, command: str) -> Done:
        """Run a command in the folder, as a shell does."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        return Done(command, done.returncode, done.stdout, done.stderr)

    def follow(self, page: str, section: str | None = None) -> list[Done]:
        """Save the files that a page shows and type its commands, of one section where that is named."""
        text = (ROOT / "docs" / page).read_text("utf-8")
        if section is not None:
            text = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
        done = []
        for kind, content in replay.BLOCK.findall(text):
            if kind == "console":
                done += [self.type(command) for command, _ in replay.COMMAND.findall(content)]
            else:
                (self.folder / kind.split('"')[1]).write_text(content, encoding="utf-8")
        assert done, f"{page} has no command to type"
        return done


@pytest.fixture
def newcomer(tmp_path, programs) -> Newcomer:
    return Newcomer(tmp_path, programs)
