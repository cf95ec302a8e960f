"""A file of scores may be anybody's: it makes nobody read other files, load models or call the network."""

import json
import socket

import polars as pl
import pytest

from gistmeter import api
from gistmeter.errors import DataError
from gistmeter.io.score_files.origin import Origin
from gistmeter.metrics.outside import list_outside_names
from gistmeter.metrics.registry import parse_metric
from gistmeter.scores import ScoreColumn, Scores

RUN = '{"doc_id": "1", "system": "a", "summary": "SECRET", "references": ["It rained."], "kind": "x"}\n'
OUTSIDE_METRICS = [
    "bertscore(model=evil/net)",
    "bertscore(baseline=/etc/passwd)",
    "moverscore(model=evil/net)",
    "sts(model=evil/net)",
    "focus(metric=bertscore(model=evil/net))",
    "jackknife(metric=bertscore(model=evil/net))",
    "coherence(model=evil/net)",
    "ffci(coherence=evil/net)",
    "estime(model=evil/net)",
    "supert(sentence_model=evil/net)",
    "blanc(model=evil/net)",
    "lite2pyramid(model=evil/net)",
    "lite3pyramid(roles=/etc/passwd)",
    "lite2.5pyramid(regressor=/etc/passwd)",
    "qaeval(people=/etc/passwd)",
    "qaeval(questions=/etc/passwd)",
    "qaeval(asker=evil/net)",
    "qaeval(verifier=evil/net)",
    "questeval(weighter=/etc/passwd)",
    "bertscore(preset=paper)",
]


@pytest.fixture
def no_network(monkeypatch):
    """Refuses and counts calls of the network and of the hub."""
    import huggingface_hub

    calls = []

    def refuse(*arguments, **_options):
        calls.append(arguments)
        raise OSError("no network in tests")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return calls


def write_scores(path, labels=("rouge1",), origin=None):
    names = [f"{label}.{parse_metric(label).summary_columns[0].name}" for label in labels]
    table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], **{name: [0.5] for name in names}})
    Scores(table, tuple(ScoreColumn(name, "x|v:0") for name in names), origin=origin or Origin()).write(path)


@pytest.fixture
def folders(tmp_path):
    for name in ("home", "received", "elsewhere", "home/.hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.jsonl").write_text(RUN)
    return tmp_path


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_run_elsewhere_is_not_read(command, folders, monkeypatch, suffix):
    scores, run = folders / f"received/s{suffix}", folders / "elsewhere/run.jsonl"
    write_scores(scores, origin=Origin(files=(str(run),)))
    monkeypatch.chdir(folders / "home")
    code, _, errors = command_in(command, folders / "home", monkeypatch, "report", scores, "-o", "r.html")
    assert code == 0
    assert f"{run} was not read, because it is outside" in errors
    assert "--trust-origin allows it" in errors
    assert "SECRET" not in (folders / "home/r.html").read_text()
    code, _, errors = command_in(
        command, folders / "home", monkeypatch, "report", scores, "-o", "r.html", "--trust-origin"
    )
    assert "SECRET" in (folders / "home/r.html").read_text()


def command_in(command, folder, monkeypatch, *arguments):
    monkeypatch.chdir(folder)
    return command(*arguments)


def test_what_lies_beside_the_scores_or_here_is_read(folders, monkeypatch):
    monkeypatch.chdir(folders / "home")
    beside = Origin(files=(str(folders / "received/run.jsonl"),))
    assert beside.outside_files(folders / "received") == []
    assert Origin(files=("run.jsonl",)).outside_files(folders / "received") == []
    assert Origin(summaries={"a": "../elsewhere/run.jsonl"}).outside_files(folders / "received") == [
        "../elsewhere/run.jsonl"
    ]
    assert Origin(references=(".hidden/run.jsonl",)).outside_files(folders / "received") == [".hidden/run.jsonl"]
    from gistmeter.demo import demo_run

    assert Origin(files=(str(demo_run()),)).outside_files(folders / "received") == []


def test_a_link_leads_nowhere_else(folders, monkeypatch):
    monkeypatch.chdir(folders / "home")
    (folders / "received/linked.jsonl").symlink_to(folders / "elsewhere/run.jsonl")
    assert Origin(files=(str(folders / "received/linked.jsonl"),)).outside_files(folders / "received")


def test_at_the_root_of_the_disk_not_all_is_ours(folders, monkeypatch):
    monkeypatch.chdir("/")
    assert Origin(files=(str(folders / "elsewhere/run.jsonl"),)).outside_files(folders / "received")


def test_scores_that_were_computed_here_are_trusted(folders, monkeypatch):
    monkeypatch.chdir(folders / "home")
    scores = api.score(folders / "elsewhere/run.jsonl", "rouge1", output=folders / "received/s.parquet")
    assert api.find_scored_run(scores).run is not None
    assert api.find_scored_run(Scores.read(folders / "received/s.parquet")).run is None


def test_sections_need_trust(command, folders, monkeypatch):
    scores = folders / "received/s.parquet"
    api.score(folders / "elsewhere/run.jsonl", "rouge1", output=scores)
    code, _, errors = command_in(command, folders / "home", monkeypatch, "rank", scores, "--by", "kind")
    assert (code, errors.count("\n")) == (2, 1)
    assert "--trust-origin allows it" in errors
    assert command_in(command, folders / "home", monkeypatch, "rank", scores, "--by", "kind", "--trust-origin")[0] == 0


@pytest.mark.parametrize("label", OUTSIDE_METRICS)
def test_models_and_files_in_names_are_known(label):
    assert list_outside_names(parse_metric(label)) != ()


def test_metrics_as_they_come_name_nothing_outside():
    from gistmeter.metrics.registry import list_names

    for name in set(list_names()) - {"jackknife"}:
        assert list_outside_names(parse_metric(name)) == (), name


def test_no_command_loads_what_names_of_scores_name(command, folders, no_network):
    scores = folders / "received/s.parquet"
    write_scores(scores, OUTSIDE_METRICS, Origin(files=(str(folders / "received/run.jsonl"),)))
    code, _, errors = command("report", scores, "-o", "r.html")
    assert code == 0
    for label in OUTSIDE_METRICS:
        assert f"no evidence by {label}" in errors
    assert "evil/net was not loaded: a file of scores may be anybody's; --allow-models allows it" in errors
    assert "SECRET" in (folders / "r.html").read_text()
    assert command("rank", scores, "--all")[0] == 0
    (folders / "judged.jsonl").write_text('{"doc_id": "1", "system": "a", "human": {"quality": 3}}\n')
    command("meta", "correlate", scores, "judged.jsonl")
    command("trust", scores, "a", "a")
    assert no_network == []


def test_allowed_models_are_not_fetched_either(command, folders, no_network, monkeypatch):
    import huggingface_hub

    asked = []

    def look_on_disk(_name, *, local_files_only=False, **_options):
        asked.append(local_files_only)
        raise huggingface_hub.errors.LocalEntryNotFoundError("not here")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", look_on_disk)
    scores = folders / "received/s.parquet"
    write_scores(scores, ["bertscore(model=evil/net,layer=2)"], Origin(files=(str(folders / "received/run.jsonl"),)))
    assert command("report", scores, "-o", "r.html", "--allow-models")[0] == 0
    assert set(asked) == {True}
    assert no_network == []
    page = (folders / "r.html").read_text()
    assert "nothing is fetched here" in page


def test_metadata_that_is_no_origin_is_refused(folders):
    scores = folders / "received/s.csv"
    write_scores(scores)
    beside = folders / "received/s.csv.meta.json"
    content = json.loads(beside.read_text())
    content["origin"]["files"] = ["/etc/passwd"]
    beside.write_text(json.dumps(content))
    assert api.find_scored_run(Scores.read(scores)).untrusted_files == ("/etc/passwd",)
    with pytest.raises(DataError, match="no column of the scores"):
        api.add_sections(api.rank(Scores.read(scores)), Scores.read(scores), "kind")
