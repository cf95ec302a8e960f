"""Folds: read from files, drawn, and placed among names."""

import json

import pytest

from gistmeter.errors import DataError
from gistmeter.io.folds import deal_into_folds, draw_folds, index_folds, read_folds


def written(tmp_path, folds):
    file = tmp_path / "folds.json"
    file.write_text(folds if isinstance(folds, str) else json.dumps(folds))
    return file


def test_both_kinds_of_folds_are_read(tmp_path):
    file = written(tmp_path, {"by_examples": [["a", "b"], [3]], "by_systems": [["x"], ["y"]]})
    assert read_folds(file) == (("a", "b"), ("3",))
    assert read_folds(file, "systems") == (("x",), ("y",))
    assert read_folds(written(tmp_path, [["a"], ["b"]])) == (("a",), ("b",))
    assert read_folds(written(tmp_path, {"by_documents": [["a"], ["b"]]})) == (("a",), ("b",))


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        ("{", "is not a file of folds"),
        ({"by_systems": []}, "has no folds by_documents"),
        ([["a"]], "at least two lists"),
        ([["a"], []], "at least two lists"),
        ([["a"], ["b", "a"]], "has 'a' in two folds"),
    ],
)
def test_what_is_no_folds_is_refused(tmp_path, folds, message):
    with pytest.raises(DataError, match=message):
        read_folds(written(tmp_path, folds))


def test_drawn_folds_are_a_division_that_the_seed_decides():
    names = [f"d{n}" for n in range(23)]
    folds = draw_folds(names, 5, seed=1)
    assert sorted(name for fold in folds for name in fold) == sorted(names)
    assert draw_folds(names[::-1], 5, seed=1) == folds != draw_folds(names, 5, seed=2)
    with pytest.raises(DataError, match="cannot divide 23 into 24 folds"):
        draw_folds(names, 24)


def test_open_folds_are_filled(tmp_path):
    file = written(tmp_path, {"by_examples": [["a"], [], ["b"]]})
    given = read_folds(file, open_=3)
    assert given == (("a",), (), ("b",))
    assert read_folds(file, "systems", open_=3) == ((), (), ())
    filled = deal_into_folds(given, list("abcdefgh"), seed=1)
    assert sorted(name for fold in filled for name in fold) == list("abcdefgh")
    assert [fold[: len(old)] for fold, old in zip(filled, given, strict=True)] == list(given)
    assert deal_into_folds(filled, list("hgf")) == filled  # nothing is left to deal
    for folds, message in (([["a"]], "has 1 folds by documents, but 3 are needed"), ({"x": 1}, "has no folds by_doc")):
        with pytest.raises(DataError, match=message):
            read_folds(written(tmp_path, folds), open_=3)


def test_a_name_in_no_fold_is_refused():
    with pytest.raises(DataError, match="1 of 2 are in no fold, such as 'b'"):
        index_folds([["a"], ["c"]], ["a", "b"])


@pytest.mark.data
def test_the_released_folds_hold_every_document_and_system(data):
    file = data / "realsumm/folds.json"
    assert [len(fold) for fold in read_folds(file)] == [20] * 5
    assert [len(fold) for fold in read_folds(file, "systems")] == [5] * 5
