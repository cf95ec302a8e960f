"""The commands: design, status, export; what comes out joins with scores as it is."""

import json
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from gistmeter.annotate import Store, open_study
from gistmeter.demo import demo_run
from study_raters import Clock, PageRater, good_slider, open_client


@pytest.fixture
def study(checked_command):
    """A designed study of the example run."""
    return checked_command(
        *("annotate", "design", demo_run(), "-o", "study", "--systems", "careful,terse", "--documents", "4"),
        *("--per-assignment", "20", "--raters", "2", "--pay-per-hour", "12"),
    )


def work_through(folder, clock, raters=2):
    store = Store(open_study(folder), clock=clock)
    client = open_client(store)
    for rater in store.invite(raters):
        PageRater(client, store, rater.token, good_slider(), clock).finish()
    return store


def test_design_says_what_it_takes(study):
    # 4 documents x 2 systems x 2 directions are 16 items, with 2 controls; 36 answers of 30 s are 18 minutes.
    assert "focus-coverage" in study.stdout
    assert "3.60" in study.stdout  # 0.3 hours at 12 an hour
    assert "gistmeter annotate serve study" in study.stderr


def test_status_before_and_after(study, checked_command, tmp_path):
    assert "0 of 2 planned assignments usable" in checked_command("annotate", "status", "study").stdout
    work_through(tmp_path / "study", Clock())
    data = json.loads(checked_command("annotate", "status", "study", "--json").stdout)
    assert data["usable assignments"] == 2
    assert [row["controls right"] for row in data["rows"]] == ["2 of 2", "2 of 2"]
    assert {row["aspect"] for row in data["agreement"]} == {"all", "focus", "coverage"}


@pytest.mark.more
def test_judgments_join_with_scores(study, checked_command, tmp_path):
    store = work_through(tmp_path / "study", Clock())
    note = checked_command("annotate", "export", "study", "-o", "judgments.jsonl").stderr
    assert "32 judgments written: judgments.jsonl (2 assignments used)" in note
    checked_command("score", demo_run(), "-m", "rouge1", "-o", "scores.parquet")
    shown = checked_command("meta", "correlate", "scores.parquet", "judgments.jsonl", "--human", "focus", "--json")
    assert "pearson" in shown.stdout
    checked_command("annotate", "export", "study", "-o", "z.jsonl", "--z-scores")
    rows = [json.loads(line) for line in (tmp_path / "z.jsonl").read_text().splitlines()]
    assert {row["scale"] for row in rows} == {"z"}
    # Both aspects are one question: z-scores are made over both, and sum to 0 for each rater.
    for rater in ("rater-1", "rater-2"):
        assert sum(row["value"] for row in rows if row["rater"] == rater) == pytest.approx(0, abs=1e-9)
    store.close()


def test_failed_work_is_counted_and_can_be_looked_at(study, checked_command, tmp_path):
    clock = Clock()
    store = work_through(tmp_path / "study", clock)
    client = open_client(store)
    store.finish_work(store.list_work()[0].id, passed=False)  # already handed in: nothing changes
    connection = store.database.connection
    connection.execute("UPDATE assignments SET state = 'failed' WHERE id = 1")
    assert client.get("/").status_code == 404
    note = checked_command("annotate", "export", "study", "-o", "j.jsonl").stderr
    assert "16 judgments written: j.jsonl (1 assignment used, 1 failed and left out)" in note
    checked_command("annotate", "export", "study", "-o", "all.jsonl", "--all")
    quality = json.loads(checked_command("human", "quality", "all.jsonl", "--json").stdout)
    assert [(row["rater"], row["passed"], row["controls"]) for row in quality["rows"]] == [
        ("rater-1", 2, 2),
        ("rater-2", 2, 2),
    ]
    store.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("design", "RUN", "-o", "s", "--task", "focuscoverage"), "unknown task 'focuscoverage'; did you mean"),
        (("design", "RUN", "-o", "study"), "study has a study already"),
        (("design", "RUN", "-o", "s", "--documents", "99"), "--documents 99 are wanted, but the run has 12"),
        (("design", "missing.jsonl", "-o", "s"), "missing.jsonl"),
        (("status", "."), "there is no study in .: `gistmeter annotate design` makes one"),
        (("export", "study", "-o", "j.jsonl"), "no assignment of study can be used yet"),
        (("export", "study", "-o", "no/j.jsonl"), "the folder no does not exist"),
        (("export", "study", "-o", "study/study.json"), "cannot write study/study.json: it is one of the inputs"),
        (("report", "study", "-o", "study/answers.sqlite"), "is one of the inputs"),
        (
            ("export", "study", "-o", "j.jsonl", "--without", "bob"),
            "no rater 'bob' in this study (nobody is invited yet)",
        ),
        (("report", "study"), "no assignment of study can be used yet"),
        (("import", "RUN"), "there are no judgments in"),
        (("import", "nothing.csv"), "cannot read nothing.csv"),
        (("serve", "nowhere"), "there is no study in nowhere"),
        (("serve", "study", "--base-url", "example.org"), "--base-url is an address such as https://example.org/study"),
    ],
)
def test_a_mistake_is_one_sentence(study, command, tmp_path, arguments, words):
    Store(open_study(tmp_path / "study")).close()
    code, _, errors = command("annotate", *(demo_run() if part == "RUN" else part for part in arguments))
    assert code == 2
    assert words in errors
    assert "Traceback" not in errors


def test_a_port_that_is_taken_is_said(study, command):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        code, output, errors = command("annotate", "serve", "study", "--port", other.getsockname()[1])
    assert (code, output) == (2, "")
    assert "cannot listen at 127.0.0.1" in errors
    assert "--port 0" in errors


PAGE = Path(__file__).parents[2] / "docs/collect.md"


@pytest.mark.more
def test_serve_prints_links_that_work_as_the_page_says_and_logs_no_token(study, tmp_path):
    """The command of `Run a study in ten minutes` that `docs/replay.py` leaves alone, as it does not end."""
    [command, shown] = re.search(
        r"^\$ gistmeter (annotate serve .*)\n((?:.+\n)+?)\.\.\.\n", PAGE.read_text(), re.MULTILINE
    ).groups()
    expected = [line.partition(":")[0] for line in shown.splitlines()]
    assert expected == ["rater-1", "rater-2", "admin"]
    program = [sys.executable, "-m", "gistmeter", *command.split(), "--port", "0"]
    with subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            lines = [server.stdout.readline().strip().split(": ") for _ in expected]
            assert [name for name, _ in lines] == expected
            links = [link for _, link in lines]
            # The server listens before it prints the first link: who follows one waits for it to begin.
            pages = [urllib.request.urlopen(link, timeout=60) for link in links]  # noqa: S310
            texts = [page.read().decode() for page in pages]
        finally:
            server.terminate()
        output, errors = server.communicate(timeout=60)
    assert [page.status for page in pages] == [200, 200, 200]
    assert ["Begin" in texts[0], "Begin" in texts[1], "rater-2" in texts[2]] == [True] * 3
    assert "server" not in {name.lower() for name in pages[0].headers}
    assert output == ""
    assert not any(link.rpartition("/")[2] in errors for link in links)
