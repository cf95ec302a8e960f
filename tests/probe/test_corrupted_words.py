"""corrupt --words: what each kind replaces and by what, that the text stays whole, and which kind metrics notice."""

import numpy as np
import pytest

from gistmeter import score
from gistmeter.errors import ArgumentError, MetricError
from gistmeter.example import Example
from gistmeter.linguistics.contrasts.clauses import find_negations, find_role_swaps
from gistmeter.linguistics.parser import load_parser
from gistmeter.models.masked_words.model import load_masked_words
from gistmeter.probe import corrupt, measure_detection, read_labelled_run, write_labelled_run
from gistmeter.probe.words.likelihood import Blank, list_likely_words, rate_texts
from gistmeter.report.sheets.detection import detection_sheet

pytestmark = pytest.mark.more

DOCUMENT = (
    "Maria Silva met Paulo Costa in Lisbon on Monday, and the mayor of Madrid came too. The city bought 250 buses for "
    "18 million euros in 2014; in 2019 it had bought 410 for 23 million. Peter Brandt of Siemens signed the contract."
)
SUMMARY = (
    "Maria Silva bought 250 buses in Lisbon for 18 million euros in 2014. The mayor signed the contract with Siemens."
)


def example(summary=SUMMARY, document=DOCUMENT, language="en"):
    return Example(doc_id="1", system="a", summary=summary, document=document, language=language)


def restore(summary):
    """The corrupted summary with its errors undone."""
    text = summary.example.summary
    for error in reversed(summary.errors):
        assert text[error.start : error.end] == error.replacement
        text = text[: error.start] + error.original + text[error.end :]
    return text


def parse(text):
    (doc,) = load_parser().parse([text], entities=True)
    return doc


def change_all(text, changes):
    return [text[: change.start] + change.text + text[change.end :] for change in changes]


def test_numbers_become_numbers_of_their_sort_in_the_document():
    _, wrong = corrupt([example()], words="numbers", errors=9)
    assert {error.kind for error in wrong.errors} == {"number"}
    # 2014 becomes the other year, 18 the other number of two digits, 250 the other of three.
    assert {error.original: error.replacement for error in wrong.errors} == {"250": "410", "18": "23", "2014": "2019"}
    assert restore(wrong) == SUMMARY


def test_numbers_without_another_in_the_document_move_a_little():
    _, wrong = corrupt(
        [example("It cost $6.8 billion, nine of 3,400 said.", "It cost much.")], words="numbers", errors=9
    )
    changed = {error.original: error.replacement for error in wrong.errors}
    assert set(changed) == {"6.8", "nine", "3,400"}
    assert abs(float(changed["6.8"]) - 6.8) < 0.6
    assert changed["nine"].isalpha()
    assert changed["3,400"].endswith("00")
    assert "," in changed["3,400"]


def test_names_become_names_of_their_kind_in_the_document():
    _, wrong = corrupt([example()], words="names", errors=9)
    assert {error.kind for error in wrong.errors} == {"name"}
    changed = {error.original: error.replacement for error in wrong.errors}
    assert changed["Maria Silva"] in ("Paulo Costa", "Peter Brandt")
    assert changed["Lisbon"] == "Madrid"
    assert restore(wrong) == SUMMARY


@pytest.mark.parametrize("seed", range(6))
def test_content_words_keep_their_form_and_are_no_function_words(seed):
    _, wrong = corrupt([example()], words="content", errors=1, seed=seed)
    assert restore(wrong) == SUMMARY
    (error,) = wrong.errors
    assert error.original not in ("in", "for", "The", "the", "with")
    if error.kind == "word":
        (before,) = [word for word in parse(SUMMARY) if word.idx == error.start]
        (after,) = [word for word in parse(wrong.example.summary) if word.idx == error.start]
        assert (after.tag_, after.text) == (before.tag_, error.replacement)
        assert after.lemma_ != before.lemma_
        assert not after.is_stop


def test_a_higher_floor_replaces_fewer_words():
    def count(floor):
        return len(list(corrupt([example()], words="content", errors=20, floor=floor))[-1].errors)

    assert count(0.0) >= count(0.05) > 0
    names_and_numbers = 6  # Maria Silva, Lisbon, Siemens, 250, 18, 2014: these have no floor
    assert count(0.999) <= names_and_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The mayor opened the bridge.", "The mayor did not open the bridge."),
        ("The mayor opens the bridge.", "The mayor does not open the bridge."),
        ("The drug is safe.", "The drug is not safe."),
        ("The drug will help.", "The drug will not help."),
        ("The drug did not help.", "The drug did help."),
        ("The drug can't help.", "The drug can help."),
        ("She never came.", "She came."),
    ],
)
def test_negations(text, expected):
    assert expected in change_all(text, find_negations(parse(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog bit the postman.", "The postman bit the dog."),
        ("Brazil beat Chile on Sunday.", "Chile beat Brazil on Sunday."),
        ("The thief was caught by the guard.", "The guard was caught by the thief."),
    ],
)
def test_role_swaps(text, expected):
    assert expected in change_all(text, find_role_swaps(parse(text)))


@pytest.mark.parametrize("text", ["He saw her.", "It rained.", "The girl lost her shoe.", "The dogs see a cat."])
def test_no_role_swap_without_two_phrases_of_a_sort(text):
    # Pronouns change their form, "her shoe" is the subject's own, and "a cat see" is no English.
    assert find_role_swaps(parse(text)) == []


def test_several_kinds_make_several_versions_that_come_back_from_a_file(tmp_path):
    summaries = list(corrupt([example()], words=["names", "numbers"], errors=[1, 2]))
    assert [summary.example.system for summary in summaries] == [
        "a", "a+1 names", "a+2 names", "a+1 numbers", "a+2 numbers",
    ]  # fmt: skip
    assert [summary.words for summary in summaries] == ["", "names", "names", "numbers", "numbers"]
    write_labelled_run(summaries, tmp_path / "run.jsonl")
    assert read_labelled_run([tmp_path / "run.jsonl"]) == summaries


def test_the_table_says_which_kind_a_metric_notices():
    summaries = list(corrupt([example()], words=["names", "roles", "negation"], errors=1))
    run = [summary.example for summary in summaries]
    # Of one summary a name, of which the document has the other, and a `not`, which it has not at all.
    detection = measure_detection(summaries, score(run, "novelty"), higher=(), lower=["novelty.novel1"])
    row = next(row for row in detection.rows if row.column == "novelty.novel1")
    assert detection.kinds["negation"] == 1
    assert row.pairs_by_kind["negation"] == 1.0
    assert row.pairs_by_kind["names"] == 0.5
    assert {"names", "negation"} <= set(detection_sheet(detection).columns)
    one_kind = [summary for summary in summaries if summary.words in ("", "names")]
    assert measure_detection(one_kind, score(run, "novelty")).kinds == {}


def test_the_likelihood_of_a_text_is_the_mean_of_its_pieces():
    model = load_masked_words()
    (tokens,) = model.tokens(["The capital of France is Rome."])
    position = next(i for i, start in enumerate(tokens.starts) if tokens.text[start:].startswith("Rome"))
    blank = Blank(tokens, position, position + 1)
    (likely,) = list_likely_words(model, [blank], count=3)
    (rated,) = rate_texts(model, [blank], [[likely[0].word, likely[1].word, "Rome Lisbon"]])
    assert rated[:2] == pytest.approx([likely[0].probability, likely[1].probability], rel=1e-4)
    # Two masks: the geometric mean of what the model gives each.
    ids, masks = blank.mask(model, 2)
    (logits,) = model.predict([ids], [masks])
    pieces = model.tokens(["Rome Lisbon"])[0]
    logs = logits - np.log(np.exp(logits.astype(float)).sum(axis=1, keepdims=True))
    expected = np.exp(np.mean([logs[i, piece] for i, piece in enumerate(pieces.ids[pieces.inner])]))
    assert rated[2] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("text", ["", "...", "It was so.", "\x00\n"])
@pytest.mark.parametrize("words", ["content", "names", "numbers", "roles"])
def test_a_summary_without_such_words_comes_as_it_is(text, words):
    assert [summary.errors for summary in corrupt([example(text)], words=words)] == [()]


def test_what_cannot_be_done_is_refused():
    with pytest.raises(ArgumentError, match="`words` cannot be 'nams'; did you mean names"):
        corrupt([example()], words="nams")
    with pytest.raises(ArgumentError, match="`floor` is a probability"):
        corrupt([example()], words="names", floor=1.0)
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        list(corrupt([example("Es regnet.", language="de")], words="names"))


def test_what_the_summary_has_already_is_not_put_in():
    # 40 to 50: 40 is near 50, and already there.
    _, wrong = corrupt([example("It rose from 40 to 50 feet.", "It rose.")], words="numbers", errors=9)
    assert not {error.replacement for error in wrong.errors} & {"40", "50"}
    # Barca is Barcelona; the other name is another club.
    document = "Barcelona, called Barca by all in Spain, lost to Real Madrid in Madrid. Valencia won."
    changed = [error.replacement for _, wrong in [corrupt([example("He left Barcelona.", document)], words="names")]
               for error in wrong.errors]  # fmt: skip
    assert changed
    assert "Barca" not in changed
