"""METEOR: hand computations, fewest chunks against brute force, nltk where words do not repeat, WordNet."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.overlap.alignment import align_equal, align_related, count_chunks
from gistmeter.text.stems import get_stemmer
from gistmeter.text.wordnet import WordNet, find_wordnet, load_wordnet

letters = st.lists(st.sampled_from("abcd"), max_size=7)
STEM_FAMILIES = {
    "walk": ["walk", "walks", "walked", "walking"],
    "report": ["report", "reports", "reported"],
    "connect": ["connect", "connected", "connection"],
    "hous": ["house", "houses", "housing"],
    "storm": ["storm", "storms"],
    "citi": ["city", "cities"],
    "polic": ["police"],
    "river": ["river", "rivers"],
}
VOCABULARY = [word for family in STEM_FAMILIES.values() for word in family]


@pytest.fixture(autouse=True)
def without_wordnet(monkeypatch):
    """What is installed on this machine must not decide a test."""
    monkeypatch.setenv("GISTMETER_WORDNET", "none")


def example(summary, *references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=references, language=language)


def meteor(metric, summary, *references, language="en"):
    return parse_metric(metric).score([example(summary, *references, language=language)])[0]


def test_meteor_by_hand():
    # summary: the cat was sat on the mat (7); reference: the cat sat on the mat (6). All 6 match, in 2
    # chunks: the cat | sat on the mat. P 6/7, R 1, Fmean = PR / (.9 P + .1 R), penalty = .5 (2/6)^3.
    mean = (6 / 7) / (0.9 * 6 / 7 + 0.1)
    expected = [mean * (1 - 0.5 * (2 / 6) ** 3), 6 / 7, 1, 2 / 6]
    assert meteor("meteor", "the cat was sat on the mat", "the cat sat on the mat") == pytest.approx(expected)


def test_stems_match_after_equal_words():
    # reports = report by stem; storm = storm exactly. P 2/3, R 2/2, and the two stand together: 1 chunk.
    with_stems = meteor("meteor", "storm reports came", "storm report")
    assert with_stems[1:] == pytest.approx([2 / 3, 1, 1 / 2])
    assert meteor("meteor(modules=exact)", "storm reports came", "storm report")[1:] == pytest.approx([1 / 3, 1 / 2, 1])
    # The exact stage comes first: "report" takes "report", and "reports" is left over.
    assert align_equal(["reports", "report"], ["report"], str, {}) == {1: 0}


def test_parameters_of_2007():
    # One chunk of two words against three: P 1, R 2/3.
    mean = (2 / 3) / (0.81 + 0.19 * 2 / 3)
    expected = mean * (1 - 0.28 * (1 / 2) ** 0.83)
    assert meteor("meteor(alpha=0.81,beta=0.83,gamma=0.28)", "the cat", "the cat sat")[0] == pytest.approx(expected)


def test_the_best_reference_counts():
    alone = [meteor("meteor", "the cat sat", text) for text in ("a dog", "the cat ran", "the cat sat")]
    scores = meteor("meteor", "the cat sat", "a dog", "the cat ran", "the cat sat")
    assert scores == pytest.approx(alone[2])
    assert scores[0] == max(columns[0] for columns in alone)


def fewest_chunks(left, right):
    """Matches and chunks of the best alignment of equal words, by trying all."""
    most = sum(min(left.count(word), right.count(word)) for word in set(left))
    best = math.inf

    def extend(here, matched):
        nonlocal best
        if here == len(left):
            if len(matched) == most:
                best = min(best, count_chunks(matched))
            return
        extend(here + 1, matched)
        for there, word in enumerate(right):
            if word == left[here] and there not in matched.values():
                extend(here + 1, matched | {here: there})

    extend(0, {})
    return most, best


@given(letters, letters)
def test_alignments_have_the_fewest_chunks(left, right):
    matched = align_equal(left, right, str, {})
    assert all(left[here] == right[there] for here, there in matched.items())
    assert len(set(matched.values())) == len(matched)
    assert (len(matched), count_chunks(matched)) == fewest_chunks(left, right)


@given(
    st.lists(st.sets(st.sampled_from("1234"), max_size=2), max_size=5),
    st.lists(st.sets(st.sampled_from("1234"), max_size=2), max_size=5),
)
def test_synonyms_match_as_often_as_they_can(left, right):
    left_words, right_words = [f"m{k}" for k in range(len(left))], [f"t{k}" for k in range(len(right))]
    meaning = dict(zip(left_words + right_words, left + right, strict=True))
    matched = align_related(left_words, right_words, meaning.__getitem__, {})
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    most = max(
        sum(bool(a & b) for a, b in zip(chosen, shorter, strict=True))
        for chosen in itertools.permutations(longer, len(shorter))
    )
    assert len(matched) == len(set(matched.values())) == most


def test_long_repetitive_texts_do_not_take_long():
    rng = np.random.default_rng(1)
    left, right = (list(rng.choice(["the", "cat", "sat"], 150)) for _ in range(2))
    matched = align_equal(left, right, str, {})
    assert len(matched) == sum(min(left.count(word), right.count(word)) for word in ("the", "cat", "sat"))


class NoSynonyms:
    def synsets(self, word):
        return []


class OurStemmer:
    def stem(self, word):
        return get_stemmer("porter")(word)


def one_of_each_stem(words):
    by_stem = {}
    for word in words:
        by_stem.setdefault(get_stemmer("porter")(word), word)
    return list(by_stem.values())


distinct = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=12, unique=True).map(one_of_each_stem)


@given(distinct, distinct, st.sampled_from([(0.9, 3.0, 0.5), (0.81, 0.83, 0.28)]))
def test_nltk_agrees_where_no_word_repeats(summary, reference, parameters):
    from nltk.translate.meteor_score import single_meteor_score  # here, because it takes long to import

    alpha, beta, gamma = parameters
    expected = single_meteor_score(
        reference, summary, stemmer=OurStemmer(), wordnet=NoSynonyms(), alpha=alpha, beta=beta, gamma=gamma
    )
    metric = f"meteor(alpha={alpha},beta={beta},gamma={gamma})"
    scores = meteor(metric, " ".join(summary), " ".join(reference))
    assert scores[0] == pytest.approx(expected, abs=1e-12)


def test_empty_texts():
    assert meteor("meteor", "", "a reference")[:3].tolist() == [0, 0, 0]
    assert math.isnan(meteor("meteor", "", "a reference")[3])
    assert meteor("meteor", "nothing shared", "a reference")[:3].tolist() == [0, 0, 0]
    assert np.isnan(meteor("meteor", "a summary")).all()
    assert np.isnan(meteor("meteor", "a summary", "", "...")).all()
    assert meteor("meteor", "a cat", "", "a cat")[1] == 1


@given(st.lists(st.tuples(letters.map(" ".join), letters.map(" ".join)), min_size=1, max_size=5))
def test_the_batch_does_not_matter(pairs):
    metric, examples = parse_metric("meteor"), [example(*pair) for pair in pairs]
    together = metric.score(examples)
    np.testing.assert_array_equal(together, np.concatenate([metric.score([case]) for case in examples]))
    assert ((together[:, :3] >= 0) & (together[:, :3] <= 1) | np.isnan(together[:, :3])).all()


@pytest.mark.parametrize(
    ("language", "summary", "reference", "modules"),
    [
        ("en", "the storms closed roads", "a storm closed the road", "exact+stem"),
        ("id", "pemerintah menyetujui anggaran", "anggaran disetujui pemerintah", "exact+stem"),
        ("fr", "les tempêtes ont fermé les routes", "la tempête ferme la route", "exact+stem"),
        ("tr", "fırtınalar yolları kapattı", "fırtına yolu kapattı", "exact+stem"),
        ("zh", "风暴关闭了道路", "道路因风暴关闭", "exact"),
        ("ru", "бури закрыли дороги", "буря закрыла дорогу", "exact+stem"),
        ("de", "die Stürme sperrten Straßen", "der Sturm sperrte die Straße", "exact+stem"),
        ("es", "las tormentas cerraron carreteras", "la tormenta cerró la carretera", "exact+stem"),
    ],
)
def test_every_language_matches_words_and_stems(language, summary, reference, modules):
    exact = meteor("meteor(modules=exact)", summary, reference, language=language)
    scores = meteor("meteor", summary, reference, language=language)
    same = meteor("meteor", reference, reference, language=language)
    assert same[1:3].tolist() == [1, 1]
    assert scores[2] == exact[2] > 0 if modules == "exact" else scores[2] > exact[2]
    assert parse_metric("meteor").traits(example(summary, language=language))["modules"] == modules


@pytest.fixture
def small_wordnet(tmp_path, monkeypatch):
    """Two meanings: car and automobile; buy and purchase. Forms: bought is irregular."""
    licence = "  1 This is not WordNet 9.9\n"
    (tmp_path / "index.noun").write_text(
        licence + "automobile n 1 2 @ ~ 1 1 00000011\ncar n 2 2 @ ~ 2 1 00000011 00000012\n"
    )
    (tmp_path / "index.verb").write_text(licence + "buy v 1 1 @ 1 1 00000021\npurchase v 1 1 @ 1 1 00000021\n")
    for part in ("adj", "adv"):
        (tmp_path / f"index.{part}").write_text(licence)
    (tmp_path / "verb.exc").write_text("bought buy\n")
    monkeypatch.setenv("GISTMETER_WORDNET", str(tmp_path))
    return tmp_path


def test_synonyms_match_last(small_wordnet):
    # cars-automobile and bought-purchased share a meaning, she is equal; "the" makes it 2 chunks.
    scores = meteor("meteor", "she bought cars", "she purchased the automobile")
    assert scores[1:] == pytest.approx([1, 3 / 4, 2 / 3])
    assert meteor("meteor(modules=exact+stem)", "she bought cars", "she purchased the automobile")[1] == 1 / 3


def test_word_forms_are_led_back(small_wordnet):
    small = load_wordnet()
    assert small.synsets("cars") == {"noun00000011", "noun00000012"}
    assert small.synsets("bought") == small.synsets("purchasing") == {"verb00000021"}
    assert small.synsets("carnival") == frozenset()
    assert small.are_synonyms("cars", "automobiles")
    assert small.version.startswith("9.9-")


def test_the_signature_says_which_wordnet(small_wordnet, monkeypatch):
    metric = parse_metric("meteor")
    with_wordnet = metric.signature()
    assert f"|wordnet:{load_wordnet().version}|" in f"{with_wordnet}|"
    traits = metric.traits(example("she bought cars", "x"))
    assert (traits["modules"], traits["wordnet"]) == ("exact+stem+synonym", load_wordnet().version)
    assert metric.traits(example("Autos", "x", language="de"))["wordnet"] == "none"
    monkeypatch.setenv("GISTMETER_WORDNET", "none")
    assert metric.signature() != with_wordnet
    assert "wordnet:none" in metric.signature()


def test_a_missing_wordnet_is_named(tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"needs a WordNet for s/1 \(language en\), and none was found"):
        meteor("meteor(modules=exact+stem+synonym)", "a", "b")
    monkeypatch.setenv("GISTMETER_WORDNET", str(tmp_path))
    with pytest.raises(DataError, match=r"has no index\.noun"):
        find_wordnet()


def test_a_wordnet_in_another_language_is_refused(small_wordnet):
    with pytest.raises(DataError, match="only an English one"):
        meteor("meteor(modules=exact+stem+synonym)", "Auto", "Wagen", language="de")


def test_zipped_wordnet_of_nltk_is_found(small_wordnet, tmp_path, monkeypatch):
    import zipfile

    folder = tmp_path / "nltk_data" / "corpora"
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / "wordnet.zip", "w") as packed:
        for path in small_wordnet.glob("*.*"):
            packed.write(path, f"wordnet/{path.name}")
    unpacked = load_wordnet().version
    monkeypatch.setenv("GISTMETER_WORDNET", str(folder / "wordnet.zip"))
    assert load_wordnet().version == unpacked
    assert load_wordnet().are_synonyms("car", "automobile")


@pytest.mark.skipif(
    not Path("/usr/share/wordnet/index.noun").is_file(), reason="Debian's wordnet-base is not installed"
)
def test_installed_wordnet():
    real = WordNet(Path("/usr/share/wordnet"))
    for word, synonym in [
        ("cars", "automobile"),
        ("geese", "goose"),
        ("bought", "purchased"),
        ("children", "kids"),
    ]:
        assert real.are_synonyms(word, synonym), (word, synonym)
    assert not real.are_synonyms("run", "banana")


def test_settings_out_of_range_are_refused():
    with pytest.raises(MetricError, match=r"alpha=1\.5"):
        parse_metric("meteor(alpha=1.5)")
    with pytest.raises(MetricError, match="did you mean exact"):
        parse_metric("meteor(modules=exakt)")
