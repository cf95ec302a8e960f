"""Run the notebooks of docs/notebooks and write them as pages with their outputs, or check the pages.

python docs/notebooks.py            run docs/notebooks/*.ipynb, write the page and the pictures of each
python docs/notebooks.py --check    exit 1 when a page shows something else, or a notebook is stored with outputs

Notebooks are stored without outputs; pages have them. Pictures are not compared: fonts differ between machines.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent / "notebooks"
PICTURES = FOLDER.parent / "img" / "notebooks"
SECONDS = 300
STYLE = re.compile(r"<style.*?</style>\s*", re.DOTALL)
BLANK_LINES = re.compile(r"\n\s*\n")


def run_notebook(path: Path) -> Any:
    """The notebook with the outputs that it gives now, run in an empty folder."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "GISTMETER_CACHE": str(Path(folder) / "cache"),
            "IPYTHONDIR": folder,
            "GISTMETER_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            timeout=SECONDS,
            resources={"metadata": {"path": folder}},
            extra_arguments=["--IPKernelApp.log_level=40"],
        )
        client.execute(env=environment)
    return notebook


def write_page(notebook: Any, name: str) -> tuple[str, dict[str, str]]:
    """The page of a notebook that was run, and its pictures by file name."""
    pictures: dict[str, str] = {}
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        parts += [text for output in cell.outputs if (text := write_output(output, name, cell.source, pictures))]
    link = f"[Download this page as a notebook]({name}.ipynb)"
    return "\n\n".join([*parts, link]) + "\n", pictures


def write_output(output: Any, name: str, source: str, pictures: dict[str, str]) -> str:
    """An output as Markdown: a picture, HTML, or text."""
    if output.output_type == "error":
        raise RuntimeError(f"{name}: {output.ename}: {output.evalue}")
    if output.output_type == "stream":
        return write_text(output.text) if output.name == "stdout" else ""
    if "image/svg+xml" in output.data:
        picture = f"{name}-{len(pictures) + 1}.svg"
        pictures[picture] = output.data["image/svg+xml"]
        return f"![What {source.splitlines()[-1]} shows](../img/notebooks/{picture})"
    if "text/html" in output.data:
        html = BLANK_LINES.sub("\n", STYLE.sub("", output.data["text/html"])).strip()
        html = html.replace(' border="1" class="dataframe"', "")  # frames look as all tables of the site do
        return f'<div class="output" style="overflow-x: auto">\n{html}\n</div>'
    return write_text(output.data["text/plain"])


def write_text(text: str) -> str:
    """Text as it is."""
    lines = "\n".join(line.rstrip() for line in text.rstrip().splitlines())
    return f"```text\n{lines}\n```"


def list_stored_outputs(path: Path) -> list[str]:
    """The cells of a stored notebook that have outputs or counts, which change with every run."""
    cells = nbformat.read(path, as_version=4).cells
    return [cell.id for cell in cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)]


def main(check: bool) -> int:
    """Run all notebooks, one after the other."""
    faults = []
    for path in sorted(FOLDER.glob("*.ipynb")):
        faults += [f"{path.name} is stored with outputs: {cell}" for cell in list_stored_outputs(path)]
        page, pictures = write_page(run_notebook(path), path.stem)
        target = path.with_suffix(".md")
        if check:
            if not target.is_file() or target.read_text("utf-8") != page:
                faults.append(f"{target.name} is not what the notebook shows: run python docs/notebooks.py")
            faults += [f"{name} is missing" for name in pictures if not (PICTURES / name).is_file()]
            continue
        target.write_text(page, encoding="utf-8")
        PICTURES.mkdir(parents=True, exist_ok=True)
        for name, svg in pictures.items():
            (PICTURES / name).write_text(svg, encoding="utf-8")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
