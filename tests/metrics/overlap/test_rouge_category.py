"""ROUGE-1 restricted to a category of words: by hand, as the share of insight counts it, evidence, and slips."""

import math

import pytest

import gistmeter as gm
from gistmeter.errors import GistmeterError
from gistmeter.metrics.outside import list_outside_names

pytestmark = pytest.mark.more

SUMMARY, REFERENCE = "The mayor opened the bridge in May.", "A mayor opened the old bridge."


def example(summary=SUMMARY, references=(REFERENCE,), **more):
    return gm.Example(doc_id="1", system="a", summary=summary, references=references, **more)


@pytest.mark.parametrize(
    ("category", "precision", "recall"),
    [
        # chunks: the mayor, the bridge, May / a mayor, the old bridge: mayor, the, bridge match.
        ("np_chunks", 3 / 5, 3 / 5),
        ("nn", 2 / 2, 2 / 2),  # mayor, bridge
        ("vb", 1, 1),  # opened
        ("adj", 0, 0),  # old is in the reference alone
        ("num", 0, math.nan),  # there is none to find
        ("nsubj", 1, 1),
    ],
)
def test_by_hand(category, precision, recall):
    scores = gm.metric(f"rouge1(category={category})").score([example()])[0]
    if math.isnan(recall):
        assert math.isnan(scores[1])
    else:
        assert scores[:2].tolist() == pytest.approx([precision, recall])


def test_kinds_of_entities_do_not_match_each_other():
    metric = gm.metric("rouge1(category=ner,stem=none)")
    same = example("Paris lies in France.", ("They flew to Paris on Monday.",))
    assert metric.score([same])[0, 0] == pytest.approx(1 / 2)  # Paris, France / Paris


def test_several_references_and_missing_ones():
    metric = gm.metric("rouge1(category=vb)")
    both = example(references=(REFERENCE, "The bridge."))
    assert metric.score([both])[0, 1] == 1.0  # the second has no verb to find: it is left out
    assert math.isnan(metric.score([example(references=("The bridge.",))])[0, 1])
    assert metric.score([example("", (REFERENCE,))])[0].tolist() == [0, 0, 0]


def test_what_is_shown_is_what_is_counted():
    metric = gm.metric("rouge1(category=np_chunks)")
    ((alignment,),) = metric.align([example()])
    shown = metric.explain(example())
    marked = [shown.panes[0].text[mark.start : mark.end] for mark in shown.panes[0].marks]
    assert " ".join(marked).split() == ["The", "mayor", "bridge"]
    assert alignment.total == 3
    assert "5 words in the summary, 5 in the reference" in shown.headline


def test_its_matches_are_the_category_s_in_insight():
    run = [example(), example("The dog slept.")]
    shares = gm.insight.categories(run[:1], "rouge1", resamples=10)
    ((whole,),) = gm.metric("rouge1").align(run[:1])
    ((part,),) = gm.metric("rouge1(category=np_chunks)").align(run[:1])
    assert shares["rouge1", "np_chunks"].share == part.total / whole.total


def test_texts_are_parsed_together(monkeypatch):
    from gistmeter.metrics.overlap.rouge import category_words

    monkeypatch.setattr(category_words._LABELLED, "_texts", type(category_words._LABELLED._texts)())
    parsed = []
    label = type(category_words._LABELLED).label
    monkeypatch.setattr(
        type(category_words._LABELLED),
        "label",
        lambda self, texts: (parsed.append(set(texts) - self._texts.keys()), label(self, texts))[1],
    )
    gm.metric("rouge1(category=nn)").align([example(), example("The dog slept.")])
    assert [len(texts) for texts in parsed if texts] == [3]  # two summaries and a reference


def test_the_signature_names_parser_and_table_only_where_they_count():
    signature = gm.metric("rouge1(category=np_chunks)").signature()
    assert "category:np_chunks|" in signature
    assert "parser:en_core_web_sm" in signature
    assert gm.metric("rouge1(category=np_chunks)").spelling == "rouge1(category=np_chunks)"
    assert "categor" not in gm.metric("rouge1").signature()
    assert gm.metric("rouge1(category=none)").spelling == "rouge1"


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("rouge1(category=np_chunk)", "no category 'np_chunk'; did you mean np_chunks\\?.*stopwords, nn"),
        ("rouge1(category=vb_nsubj)", "a category of tuples: it compares single words, such as those of vb or nsubj"),
        ("rouge2(category=nn)", "rouge2 cannot have category=nn: it is for single words, rouge1"),
    ],
)
def test_slips_are_one_sentence(spelling, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        gm.metric(spelling)


def test_a_category_names_nothing_to_be_loaded():
    assert list_outside_names(gm.metric("rouge1(category=np_chunks)")) == ()


def test_other_languages_are_refused():
    with pytest.raises(GistmeterError, match="reads English, not 'de'"):
        gm.metric("rouge1(category=nn)").score([example(language="de")])
