"""The page on build servers: its workflow and its test are run as they stand there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/build-gate.md").read_text("utf-8")
DEMO = ROOT / "src/gistmeter/demo/run.jsonl"
SUMMARIZER = """
import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    record = json.loads(line)
    words = record["document"].split()[{start}:{end}]
    print(json.dumps({{"doc_id": record["doc_id"], "system": "ours", "summary": " ".join(words)}}))
"""


def read_block(start):
    (block,) = re.findall(rf"^```{re.escape(start)}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return block


def list_run_steps():
    """The commands of the workflow, by the names of their steps; installing is the environment's."""
    workflow = yaml.safe_load(read_block("yaml"))
    steps = {step["name"]: step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step}
    assert steps.pop("Install").startswith("pip install gistmeter")
    return steps


@pytest.fixture
def repository(tmp_path, programs):
    """A repository with a test set and a summarizer; says how to commit and how to run a step."""
    folder = tmp_path / "project"
    folder.mkdir()
    (tmp_path / "python").symlink_to(sys.executable)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), str(tmp_path), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT / "src"),
        "GITHUB_BASE_REF": "main",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "page.md"),
        "GISTMETER_CACHE": str(tmp_path / "cache"),
        **{f"GIT_{who}_{what}": "someone@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    records = {}
    for line in DEMO.read_text("utf-8").splitlines():
        record = json.loads(line)
        records[record["doc_id"]] = {key: record[key] for key in ("doc_id", "document", "references")}
    (folder / "test.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records.values()))

    def run(script):
        # As GitHub runs a step: it stops at the first command that fails.
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def commit(start, end):
        (folder / "summarize.py").write_text(SUMMARIZER.format(start=start, end=end))
        done = run("git init -q -b work 2>/dev/null; git add -A; git commit -qm version")
        assert done.returncode == 0, done.stderr

    return commit, run, tmp_path


@pytest.mark.more
@pytest.mark.parametrize(("start", "code"), [(0, 0), (90, 1)])  # the same version; the middle of the document
def test_the_workflow_lets_a_good_version_in_and_a_bad_one_out(repository, start, code):
    commit, run, folder = repository
    commit(0, 60)
    assert run("git update-ref refs/remotes/origin/main HEAD").returncode == 0
    if start:
        commit(start, start + 60)
    steps = list_run_steps()
    assert list(steps) == ["Summarise with both versions", "Score", "Gate"]
    for name in ("Summarise with both versions", "Score"):
        done = run(steps[name])
        assert done.returncode == 0, done.stderr
    done = run(steps["Gate"])
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith("::error title=gistmeter gate%3A rouge2.f1::" if code else "::notice")
    assert ("## Summaries: worse than before" in (folder / "page.md").read_text()) == bool(code)
    assert f'failures="{2 * code}"' in (folder / "project/gate.xml").read_text()


@pytest.mark.more
def test_the_test_on_the_page_fails_as_it_says(tmp_path):
    (tmp_path / "test_summaries.py").write_text(read_block('python title="test_summaries.py"'))
    registered = _list_registered()
    plugin = () if "gistmeter" in registered else ("-p", "gistmeter.testing.plugin")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, "test_summaries.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    for line in read_block("text").splitlines():
        assert line == "..." or line in done.stdout.splitlines(), line


def test_the_workflow_gives_no_text_of_a_pull_request_to_the_shell():
    # ${{ ... }} in a run: step would be pasted into the script before the shell reads it.
    assert not any("${{" in script for script in list_run_steps().values())
    assert yaml.safe_load(read_block("yaml"))["permissions"] == {"contents": "read"}


def _list_registered():
    from importlib.metadata import entry_points

    return {point.name for point in entry_points(group="pytest11")}
