"""A few runs killed for good, as scripts/kill_runs.py does it forty times."""

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "scripts"))


@pytest.mark.slow
def test_killed_runs_come_out_the_same(tmp_path):
    import kill_runs

    run = kill_runs.write_run(tmp_path / "run.jsonl", 20_000)
    undisturbed = tmp_path / "expected.parquet"
    kill_runs.start(run, undisturbed, 2).communicate()
    rng = random.Random(1)
    trials = []
    for number in range(3):
        folder = tmp_path / f"trial{number}"
        folder.mkdir()
        trials.append(kill_runs.try_kills(run, undisturbed.read_bytes(), folder, kills=2, workers=2, rng=rng))
    assert all(trial.is_good for trial in trials), trials
    assert sum(trial.kills for trial in trials) >= 3
    assert sum(trial.resumed_rows for trial in trials) > 0
