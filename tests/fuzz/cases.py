"""Draw a case: a command line that works, with one or two things broken. The same number draws the same case."""

from __future__ import annotations

import random
import shlex
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzz.breaking import BREAKERS, OFTEN
from fuzz.spellings import ODD_TEXTS, odd_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEEDS = tomllib.loads((Path(__file__).parent / "seeds.toml").read_text(encoding="utf-8"))
MODEL_SHARE = 0.06
"""How many of the cases may load a model: they take seconds where others take a tenth."""

LONGEST = 200
"""Longer words are shown by their beginning."""


@dataclass
class Case:
    """A command line, and what is done to its files before it runs."""

    number: int
    arguments: list[str]
    broken: list[str] = field(default_factory=list)
    files: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the name of a file what becomes of it, and how the draw within goes on (a seed)."""
    full_output: bool = False

    @property
    def command(self) -> str:
        """The words before the first option or file, as users name the command."""
        return next(name for name in sorted(commands(), key=len, reverse=True) if self._begins_with(name))

    def _begins_with(self, name: str) -> bool:
        return self.seed_words[: len(name.split())] == name.split()

    seed_words: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        files = ", ".join(f"{name}: {what}" for name, (what, _) in self.files.items())
        words = [word if len(word) <= LONGEST else f"{word[:40]}...({len(word)} characters)" for word in self.arguments]
        return f"{self.number}: gistmeter {shlex.join(words)}" + (f"  [{files}]" if files else "")


_COMMANDS: dict[str, Any] = {}


def commands() -> dict[str, Any]:
    """All commands by their names, as the command line itself knows them."""
    if not _COMMANDS:
        from typer.main import get_command

        from gistmeter.cli.main import app

        _COMMANDS.update(_walk(get_command(app), ()))
    return _COMMANDS


def _walk(command: Any, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from _walk(inner, (*names, name))
    else:
        yield " ".join(names), command


def draw_case(number: int, seed: int, materials: frozenset[str], *, models: bool = True) -> Case:
    """The case of this number."""
    rng = random.Random(f"{seed}:{number}")
    kind = rng.choice(["models", "training"]) if models and rng.random() < MODEL_SHARE else "light"
    words = shlex.split(rng.choice(SEEDS[kind]))
    case = Case(number, list(words), seed_words=words)
    for _ in range(1 if rng.random() < 0.8 else 2):
        way = rng.choice(WAYS)
        way(case, rng, materials)
    return case


def whole_cases() -> list[Case]:
    """Every seed as it is: all of them must work, or what is broken in them is never reached."""
    words = [shlex.split(line) for line in (*SEEDS["light"], *SEEDS["models"], *SEEDS["training"])]
    return [Case(number, list(seed), seed_words=seed) for number, seed in enumerate(words)]


def inputs_of(case: Case, materials: frozenset[str]) -> list[str]:
    """The files of the seed that the case reads."""
    words = dict.fromkeys(part for word in case.seed_words for part in (word, word.partition("=")[2]) if part)
    return [file for word in words for file in sorted(materials) if file == word or file.startswith(f"{word}/")]


def break_file(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """Break what is in a file."""
    if names := inputs_of(case, materials):
        breaker = rng.choice([*BREAKERS, *OFTEN])
        case.files[rng.choice(names)] = (breaker, str(rng.random()))
        case.broken.append(f"file:{breaker}")


def replace_file(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """Put something else where a file was: nothing, a folder, a pipe, a link to itself, another kind of file."""
    if names := inputs_of(case, materials):
        name = rng.choice(names)
        what = rng.choice(["missing", "folder", "pipe", "loop", "other", "bracket", "unlike"])
        case.files[name] = (what, rng.choice(sorted(materials)))
        case.broken.append(f"path:{what}")
        if what == "bracket":
            _swap(case, name, f"q[1]{Path(name).suffix}")
        if what == "unlike":
            _swap(case, name, f"x{rng.choice(['.csv', '.jsonl', '.parquet', '.txt', '.gz', '.json', '.pyr', ''])}")


def _swap(case: Case, name: str, other: str) -> None:
    case.arguments = [
        word.replace(name, other) if name in (word, word.partition("=")[2]) else word for word in case.arguments
    ]


def odd_value(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """An odd text in the place of a word."""
    at = rng.randrange(1, len(case.arguments)) if len(case.arguments) > 1 else 0
    case.arguments[at] = rng.choice(ODD_TEXTS)
    case.broken.append("value")


def spelling(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """A metric that is not spelled right."""
    for flag in ("-m", "--metric", "--column", "-t", "--test"):
        if flag in case.arguments[:-1]:
            case.arguments[case.arguments.index(flag) + 1] = odd_metric(rng)
            break
    else:
        if case.arguments[0] in ("score", "explain", "corrupt"):
            case.arguments += ["-m" if case.arguments[0] != "corrupt" else "--test", odd_metric(rng)]
        else:
            case.arguments.append(odd_metric(rng))
    case.broken.append("metric")


def more_options(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """One of the command's own options, with a value that fits it badly."""
    options = [option for option in commands()[case.command].params if option.param_type_name == "option"]
    if not options:
        return odd_value(case, rng, materials)
    option = rng.choice(options)
    flag = rng.choice(option.opts)
    values = [*ODD_TEXTS, "3", "0.5", "run.jsonl", "scores.parquet", "out.jsonl", "out.html", "system", "embedded"]
    case.arguments += [flag] if option.is_flag else [flag, rng.choice(values)]
    case.broken.append("option")
    return None


def drop_word(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """A word left out."""
    if len(case.arguments) > 1:
        del case.arguments[rng.randrange(1, len(case.arguments))]
    case.broken.append("dropped")


def repeat_word(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """A word again, or two words in the other order."""
    first, second = (rng.randrange(len(case.arguments)) for _ in range(2))
    if rng.random() < 0.5:
        case.arguments.insert(second, case.arguments[first])
    else:
        case.arguments[first], case.arguments[second] = case.arguments[second], case.arguments[first]
    case.broken.append("order")


def odd_output(case: Case, rng: random.Random, materials: frozenset[str]) -> None:
    """An output where none may be: an input, a link to it, a folder, nowhere, a name too long, a full disk."""
    outputs = [at for at, word in enumerate(case.arguments) if word.startswith("out")]
    names = inputs_of(case, materials)
    if not outputs:
        case.full_output = True
        case.broken.append("output:full")
        return
    ways = ["folder", "nowhere", "long", "/dev/full", "bracket"] + (["input", "hard", "soft"] * 2 if names else [])
    what = rng.choice(ways)
    name = rng.choice(names) if names else ""
    suffix = Path(case.arguments[outputs[0]]).suffix
    target = {
        "input": name, "hard": f"hard{suffix}", "soft": f"soft{suffix}", "folder": "some.dir",
        "nowhere": f"no/where{suffix}", "long": "x" * 5000 + suffix, "/dev/full": "/dev/full",
        "bracket": f"res[v2]/s{suffix}",
    }[what]  # fmt: skip
    case.arguments[rng.choice(outputs)] = target
    if what in ("hard", "soft", "bracket", "folder"):
        case.files[target] = (f"{what} link", name) if what in ("hard", "soft") else (f"{what} made", name)
    case.broken.append(f"output:{what}")


WAYS: tuple[Callable[[Case, random.Random, frozenset[str]], None], ...] = (
    break_file, break_file, break_file, break_file, replace_file, odd_value, odd_value, spelling, more_options,
    more_options, drop_word, repeat_word, odd_output,
)  # fmt: skip
