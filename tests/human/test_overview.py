"""The overview of agreement: by aspect and on content units."""

import json

import pytest

from gistmeter.errors import DataError
from gistmeter.human import krippendorff_alpha, rater_agreement, ratings_alpha
from gistmeter.io.records import read_records
from gistmeter.judgments import Judgments


def jsonl(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


VOTES = [[1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, None]]


@pytest.fixture
def file(tmp_path):
    ratings = [[1, 2], [3, 3], [5, 4], [2, 2]]
    return jsonl(
        tmp_path / "judged.jsonl",
        *(
            {"doc_id": f"d{i}", "system": "s", "annotators": {"focus": given}, "scu_votes": VOTES[2 * i : 2 * i + 2]}
            for i, given in enumerate(ratings[:2])
        ),
        *(
            {"doc_id": f"d{i}", "system": "s", "annotators": {"focus": given}}
            for i, given in enumerate(ratings[2:], start=2)
        ),
    )


def test_aspects_then_units(file):
    focus, units = rater_agreement(file, measurement="ordinal")
    assert (focus.name, units.name) == ("focus", "units")
    assert focus.alpha == ratings_alpha([[1, 2], [3, 3], [5, 4], [2, 2]], measurement="ordinal")
    nan = float("nan")
    assert units.alpha == ratings_alpha([*VOTES[:3], [0, 1, nan]], measurement="nominal")
    assert (units.alpha.items, units.alpha.ratings, units.rest) == (4, 11, None)
    assert [item.name for item in rater_agreement(file, aspects=["units"])] == ["units"]


def test_votes_as_judgments(file):
    judgments = Judgments.from_votes(read_records(str(file)))
    assert judgments.aspects == ["unit 1", "unit 2"]
    assert krippendorff_alpha(judgments, measurement="nominal") == rater_agreement(file)[1].alpha


def test_what_is_undefined_says_why(tmp_path):
    file = jsonl(tmp_path / "x.jsonl", {"doc_id": "d", "system": "s", "votes": [[1, 1], [1]]})
    (units,) = rater_agreement(file)
    assert units.alpha is None
    assert "no two different ratings" in units.note


@pytest.mark.parametrize(
    ("record", "aspects", "message"),
    [
        ({"doc_id": "d", "system": "s", "human": {"focus": 1}}, (), "no judgments by single raters"),
        ({"doc_id": "d", "system": "s", "votes": [[1, 0]]}, ["unit"], "no raters judged 'unit'; did you mean units?"),
        ({"system": "s", "votes": [[1, 0]]}, (), "record 1 of .* has judgments but no `doc_id`"),
        ({"doc_id": "d", "system": "s", "votes": [[4]]}, (), "record 1 of .*: vote 1 on unit 1 is 1"),
    ],
)
def test_a_file_that_does_not_say_it(tmp_path, record, aspects, message):
    with pytest.raises(DataError, match=message):
        rater_agreement(jsonl(tmp_path / "x.jsonl", record), aspects=aspects)


def test_realsumm(data):
    """Of the released votes alpha is .72 (.66 in the paper, before dissenting votes were taken out)."""
    (units,) = rater_agreement(data / "realsumm/realsumm.jsonl.gz", aspects=["units"])
    assert (units.alpha.items, units.alpha.ratings) == (26400, 81581)
    assert units.alpha.value == pytest.approx(0.7195, abs=5e-5)


def test_a_file_without_records_has_no_agreement(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(DataError, match="has no judgments by single raters: no record has `annotators`, `rater` or"):
        rater_agreement(tmp_path / "empty.jsonl")
