"""The notebooks of the documentation run, are stored without outputs, and their pages show what they show now."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("nbclient")

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def script():
    specification = importlib.util.spec_from_file_location("docs_notebooks", DOCS / "notebooks.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["better-than-rouge", "score-a-run"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_they_are_stored_without_outputs(script, path):
    assert script.list_stored_outputs(path) == []


@pytest.mark.more
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_shows_what_its_notebook_shows(script, path):
    page, pictures = script.write_page(script.run_notebook(path), path.stem)
    assert page == path.with_suffix(".md").read_text("utf-8")
    assert len(pictures) == 1
    assert all((DOCS / "img" / "notebooks" / name).is_file() for name in pictures)
