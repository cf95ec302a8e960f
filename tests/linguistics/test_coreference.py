"""Coreference: what must be one, what must never be, and the words it counts."""

import pytest

from gistmeter.errors import MetricError
from gistmeter.linguistics.coreference import resolver as coreference
from gistmeter.linguistics.coreference.resolver import find_clusters
from gistmeter.linguistics.roles.labeller import label_roles


def texts_of(*sentences):
    """The clusters as sets of lower-cased texts."""
    labelled_sentences = label_roles(sentences)
    words = [word for sentence in labelled_sentences for word in sentence.words]
    return [[" ".join(words[start:end]).lower() for start, end in cluster] for cluster in find_clusters(sentences)]


def together(first, second, *sentences):
    """Whether a cluster has both, the second later than the first."""
    return any(first in item and second in item[item.index(first) + 1 :] for item in texts_of(*sentences))


SAME = [
    ("mary jones", "she", ["Mary Jones opened the shop.", "She sold bread."]),
    ("john carter", "he", ["John Carter opened the shop.", "He sold bread."]),
    ("john carter", "his", ["John Carter sold his car."]),
    ("mary jones", "herself", ["Mary Jones blamed herself for the fire."]),
    ("mary jones", "jones", ["Mary Jones opened the shop.", "Jones sold bread."]),
    ("mary jones", "mary", ["Mary Jones opened the shop.", "Later Mary sold bread."]),
    ("justin rose", "rose", ["Justin Rose won the match.", "Rose was happy."]),
    ("peter blake", "mr blake", ["Peter Blake lost the vote.", "Mr Blake left the party on Friday."]),
    ("london", "london", ["London was cold.", "Trains to London were late."]),
    ("the bridge", "the bridge", ["The bridge was closed on Monday.", "Workers repaired the bridge."]),
    ("the workers", "they", ["The workers went on strike.", "They want more money."]),
    ("the parents", "their", ["The parents praised their children."]),
    ("the company", "it", ["The company lost money.", "It will close two shops."]),
    ("tom and anna", "they", ["Tom and Anna married in May.", "They live in Leeds."]),
    ("i", "my", ['"I lost my keys," said the man.']),
    ("anna smith", "her", ["Anna Smith called the man who stole her bag."]),
    ("david cole", "the 43 - year - old", ["David Cole was arrested on Monday.", "The 43-year-old denies the claim."]),
]


@pytest.mark.parametrize(("first", "second", "sentences"), SAME)
def test_what_is_one(first, second, sentences):
    assert together(first, second, *sentences), texts_of(*sentences)


APART = [
    ("mary jones", "he", ["Mary Jones met Peter Blake.", "He sold bread."]),
    ("peter blake", "she", ["Peter Blake met Mary Jones.", "She sold bread."]),
    ("peter blake", "him", ["Peter Blake saw him at the door."]),
    ("mary jones", "her", ["Mary Jones hates her."]),
    ("the boys", "he", ["The boys met David Cole.", "He was late."]),
    ("john carter", "peter carter", ["John Carter and Peter Carter are brothers.", "Peter Carter is older."]),
    ("john smith", "mary smith", ["John Smith opened the shop.", "Mary Smith sold bread."]),
    ("the red car", "the blue car", ["The red car hit the blue car."]),
    ("rain", "it", ["Rain was expected.", "It is likely that the match will start late."]),
    ("his wife", "his", ["John Carter thanked his wife."]),
    ("she", "her coach", ["Ann Lee won the race in May.", "She thanked her coach."]),
    ("london", "he", ["London was cold.", "He went home."]),
    ("two men", "three men", ["Two men were arrested.", "Three men were charged."]),
]


@pytest.mark.parametrize(("first", "second", "sentences"), APART)
def test_what_is_not_one(first, second, sentences):
    assert not together(first, second, *sentences), texts_of(*sentences)


def test_two_people_keep_their_own_pronouns():
    result = texts_of("Mary Jones met Peter Blake in Leeds.", "She thanked him.", "Blake smiled.")
    assert ["mary jones", "she"] in result
    assert ["peter blake", "him", "blake"] in result


def test_spans_count_the_words_of_all_sentences():
    sentences = ["It's Ann's dog (a pug).", "Ann Lee won't eat £5 cakes.", "She's full."]
    words = [word for labelled_sentence in label_roles(sentences) for word in labelled_sentence.words]
    for cluster in find_clusters(sentences):
        assert cluster == sorted(cluster)
        assert all(0 <= start < end <= len(words) for start, end in cluster)
    assert any("She" in [words[start] for start, _ in cluster] for cluster in find_clusters(sentences))


def test_no_mention_is_in_two_clusters_nor_alone():
    clusters = find_clusters(
        ["Ann told Tom that he lost her dog and his cat.", "They looked for them.", "Tom found it."]
    )
    spans = [span for cluster in clusters for span in cluster]
    assert len(spans) == len(set(spans))
    assert all(len(cluster) > 1 for cluster in clusters)


@pytest.mark.parametrize("sentences", [[], [""], ["", "He left."], [" "], ['"'], ["Rain."], ["- -", "( he )", "''"]])
def test_odd_texts_are_no_errors(sentences):
    assert find_clusters(sentences) == []


def test_equal_sentences_are_mentions_of_their_own():
    assert find_clusters(["Mary left.", "Mary left."]) == [[(0, 1), (3, 4)]]


def test_only_english():
    with pytest.raises(MetricError, match="reads English only, not 'de'"):
        find_clusters(["Er kam."], language="de")


def test_a_file_that_is_no_network_is_refused(tmp_path):
    with pytest.raises(MetricError, match="`gistmeter train coreference` writes one"):
        coreference.load_linker(tmp_path / "none.safetensors")
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"no weights")
    with pytest.raises(MetricError, match="is not a safetensors file"):
        coreference.load_linker(broken)


def test_more_caution_makes_fewer_links():
    from gistmeter.linguistics.parser import load_parser

    docs = load_parser().parse(["Mary Jones opened the shop.", "She sold bread."], entities=True)
    assert coreference.link_mentions(docs, coreference.load_linker())
    assert coreference.link_mentions(docs, coreference.load_linker(), caution=100.0) == []
