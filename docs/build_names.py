"""The page docs/names.md: every public function of the Python API; and the signatures shown in docs/api.md."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from typing import Any

WIDTH = 100
GLUE = "\N{NO-BREAK SPACE}"  # keeps an arrow and what it points to in one line
MODULES = (
    ("gm", "gistmeter", "What `import gistmeter as gm` gives."),
    ("gm.meta", "gistmeter.meta", "How well metrics agree with people."),
    ("gm.human", "gistmeter.human", "Whose judgments to use, and how."),
    ("gm.trust", "gistmeter.ranking.trust", "How often people agree with a gap between two systems."),
    ("gm.metrics", "gistmeter.metrics", "Metrics by name, and what a metric of your own is made of."),
    ("gm.stats", "gistmeter.stats", "Statistics on arrays: systems x documents."),
)
HEAD = """# All functions

Every public function and class, as `help()` describes it, with its parameters; `help(gm.rank)` shows an example that
runs, too. [Python API](api.md) explains the important ones.

"""
SIGNATURE = re.compile(r"<!-- signature: (\S+) -->\n```python\n.*?```\n", re.DOTALL)
SECTION = re.compile(r"^(Parameters|Returns|Raises|Examples|Attributes|Notes|See Also|Yields)\n-+$", re.MULTILINE)


def write_signature(name: str, thing: Any) -> str:
    """How a function is called: names and defaults without types, and what it returns."""
    signature = inspect.signature(thing)
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    arguments = str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    arguments = re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", arguments)
    arguments = re.sub(r"<factory>|<[^<>]* at 0x[0-9a-f]+>", "...", arguments)  # the same on every machine
    returned = signature.return_annotation
    is_stated = isinstance(returned, str) and not inspect.isclass(thing)
    text = f"{name}{arguments}" + (f" ->{GLUE}{returned.replace(' ', GLUE)}" if is_stated else "")
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace(GLUE, " ")


def read_sections(text: str) -> dict[str, str]:
    """The parts of a docstring in numpy's form by their titles; what comes first has no title."""
    parts = SECTION.split(inspect.cleandoc(text))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def write_entries(text: str) -> list[str]:
    """A Parameters or Raises section as a list."""
    entries: list[list[str]] = []
    for line in text.split(">>>", maxsplit=1)[0].strip("\n").split("\n"):
        if line and not line.startswith(" "):
            entries.append([line.split(" : ")[0]])
        elif entries and line.strip():
            entries[-1].append(line.strip())
    return [f"- **{entry[0]}**: {escape(' '.join(entry[1:]))}" for entry in entries if entry[1:]]


def escape(text: str) -> str:
    """A text that Markdown shows as it is, outside of code."""
    parts = text.split("`")
    return "`".join(part if at % 2 else part.replace("<", "&lt;").replace("*", "\\*") for at, part in enumerate(parts))


def write_thing(name: str, thing: Any, shown: str) -> list[str]:
    """The section of a function or a class."""
    sections = read_sections(thing.__doc__ or "")
    about = [" ".join(part.split()) for part in sections[""].split(">>>")[0].strip().split("\n\n")]
    lines = [f"### {shown}", ""]
    for paragraph in about:
        lines += [escape(paragraph), ""] if paragraph else []
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
        lines += ["```python", write_signature(name, thing), "```", ""]
    if "Parameters" in sections:
        lines += [*write_entries(sections["Parameters"]), ""]
    if "Raises" in sections:
        lines += ["Raises:", "", *write_entries(sections["Raises"]), ""]
    return lines


def list_things(module: Any) -> list[tuple[str, Any]]:
    """The public functions of a module, then its classes; other modules and names of types are left out."""
    things = [(name, getattr(module, name)) for name in sorted(module.__all__)]
    functions = [(name, thing) for name, thing in things if inspect.isroutine(thing)]
    return functions + [(name, thing) for name, thing in things if inspect.isclass(thing)]


def names_page() -> str:
    """The whole page."""
    lines = []
    for shown, path, about in MODULES:
        lines += [f"## {shown}", "", about, ""]
        results = []
        for name, thing in list_things(importlib.import_module(path)):
            if inspect.isroutine(thing) or shown in ("gm", "gm.metrics"):
                lines += write_thing(name, thing, f"{shown}.{name}")
            else:
                results.append((name, thing))
        if results:
            lines += [f"### Results of {shown}", "", "| class | what it is |", "|---|---|"]
            for name, thing in results:
                first = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
                lines.append(f"| `{name}` | {escape(first).replace('|', chr(92) + '|')} |")
            lines.append("")
    return HEAD + "\n".join(lines).rstrip("\n") + "\n"


def fill_signatures(page: str) -> str:
    """A page with the signatures after its marks as they are now."""

    def fill(match: re.Match[str]) -> str:
        path, _, name = match[1].rpartition(".")
        signature = write_signature(name, getattr(importlib.import_module(path), name))
        return f"<!-- signature: {match[1]} -->\n```python\n{signature}\n```\n"

    return SIGNATURE.sub(fill, page)
