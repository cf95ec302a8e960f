"""Roles and coreference from files, in the form AllenNLP writes."""

import gzip
import json

import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.roles.file import read_role_file
from gistmeter.units.extract import extract_units

WORDS = ["The", "judge", "was", "n't", "told", "of", "the", "plan", "in", "time", "."]
TOLD_TAGS = [
    "B-ARG2",
    "I-ARG2",
    "O",
    "B-ARGM-NEG",
    "B-V",
    "B-ARG1",
    "I-ARG1",
    "I-ARG1",
    "B-ARGM-TMP",
    "I-ARGM-TMP",
    "O",
]
WAS_TAGS = ["O", "O", "B-V", *["O"] * 8]
SENTENCE = {"words": WORDS, "verbs": [{"verb": "told", "tags": TOLD_TAGS}, {"verb": "was", "tags": WAS_TAGS}]}
SHORT = {
    "words": ["He", "is", "not", "happy"],
    "verbs": [{"verb": "is", "tags": ["B-ARG1", "B-V", "B-ARGM-NEG", "B-ARG2"]}],
}
COREFERENCE = {
    "document": [*WORDS[:2], "wasn't", *WORDS[4:], "He", "is", "not", "happy"],
    "clusters": [[[0, 1], [10, 10]]],
}


def written(folder, *records):
    path = folder / "roles.jsonl"
    path.write_text("\n".join(record if isinstance(record, str) else json.dumps(record) for record in records) + "\n\n")
    return str(path)


def test_units_of_a_file(tmp_path):
    role_file = read_role_file(written(tmp_path, SENTENCE, SHORT))
    sentences = role_file.roles(["He is  not happy", "The judge wasn't told of the plan in time."])
    assert [unit.text for unit in extract_units(sentences, role_file.clusters(sentences))] == [
        "He is not happy",
        "The judge n't told of the plan",
        "The judge n't told in time",
    ]


def test_coreference_finds_its_words_by_their_characters(tmp_path):
    role_file = read_role_file(written(tmp_path, SENTENCE, SHORT, COREFERENCE))
    sentences = role_file.roles(["The judge wasn't told of the plan in time.", "He is not happy"])
    # "wasn't" is one word there and two here: word 10 there is word 11 here.
    assert role_file.clusters(sentences) == [[(0, 2), (11, 12)]]
    assert extract_units(sentences, role_file.clusters(sentences))[-1].text == "The judge is not happy"
    assert role_file.clusters(sentences[:1]) == []


def test_one_sentence_here_may_be_two_there(tmp_path):
    role_file = read_role_file(written(tmp_path, SENTENCE, SHORT))
    (sentence,) = role_file.roles(["The judge wasn't told of the plan in time. He is not happy"])
    assert [unit.text for unit in extract_units([sentence])][2:] == ["He is not happy"]


def test_units_have_the_white_space_of_the_reference(tmp_path):
    tags = ["B-ARG0", "I-ARG0", "I-ARG0", "B-V", "B-ARG1"]
    path = written(tmp_path, {"words": ["Ann", "'s", "dog", "ate", "£5"], "verbs": [{"verb": "ate", "tags": tags}]})
    assert [unit.text for unit in extract_units(read_role_file(path).roles(["Ann's dog ate\u00a0£5"]))] == [
        "Ann's dog ate £5"
    ]


def test_gzipped_files_and_frames_without_a_verb(tmp_path):
    path = tmp_path / "roles.jsonl.gz"
    record = {"words": ["Rain"], "verbs": [{"verb": "Rain", "tags": ["O"]}]}
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    assert read_role_file(str(path)).roles(["Rain"])[0].frames == ()


def test_a_particle_tagged_apart_is_left_out(tmp_path):
    tags = ["B-ARG0", "B-V", "B-ARG1", "B-C-V"]
    path = written(tmp_path, {"words": ["He", "picked", "it", "up"], "verbs": [{"verb": "picked", "tags": tags}]})
    assert [unit.text for unit in extract_units(read_role_file(path).roles(["He picked it up"]))] == ["He picked it"]


def test_a_sentence_without_roles_is_named(tmp_path):
    role_file = read_role_file(written(tmp_path, SHORT))
    with pytest.raises(DataError, match="no roles for the reference sentence 'He is not sad': none of its 1"):
        role_file.roles(["He is not sad"])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "line 2 of .*roles.jsonl is not valid JSON"),
        ("[]", "line 2 of .*: a record is an object with named fields, not list"),
        ({"words": ["a"]}, "line 2 of .* has neither `verbs`"),
        ({"words": "a b", "verbs": []}, "line 2 of .* needs `words`, a list of words"),
        ({"words": ["a"], "verbs": {}}, "`verbs` must be a list"),
        ({"words": ["a"], "verbs": [{"verb": "a"}]}, "one for each of the 1 words; one has none"),
        ({"words": ["a"], "verbs": [{"tags": ["O", "O"]}]}, "one for each of the 1 words; one has 2"),
        ({"words": ["a"], "verbs": [{"tags": ["ARG0"]}]}, "'ARG0' is not a tag"),
        ({"words": ["a"], "verbs": [{"tags": [3]}]}, "3 is not a tag"),
        ({"document": ["a"], "clusters": [[[0, 1]]]}, r"the mention \[0, 1\] is not inside the 1 words"),
        ({"document": ["a"], "clusters": [[0]]}, "`clusters` must be lists of mentions"),
        ({"clusters": []}, "needs `document`, a list of words"),
    ],
)
def test_bad_records_are_named_by_line(tmp_path, record, message):
    with pytest.raises(DataError, match=message):
        read_role_file(written(tmp_path, SHORT, record))


def test_a_file_without_roles_is_refused(tmp_path):
    with pytest.raises(DataError, match="has no roles"):
        read_role_file(written(tmp_path, COREFERENCE))
