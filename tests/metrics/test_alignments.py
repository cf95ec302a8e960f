"""What evidence shows is what an alignment counts, metric by metric; bad tokens and edges are refused."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.evidence.alignment import (
    Alignment,
    Edge,
    Run,
    Span,
    Token,
    TokenText,
    cut_tokens,
    locate_parts,
    locate_tokens,
)
from gistmeter.example import Unit
from gistmeter.metrics import Column, Metric
from gistmeter.metrics.question.alignment import align_exchanges

REFERENCE = "The mayor opened a new bridge in Salem. Heavy rain fell on the city on Monday."
EXAMPLE = gm.Example(
    doc_id="1",
    system="a",
    summary="On Monday the mayor of Salem opened the new bridge. Snow covered the city.",
    references=(REFERENCE,),
    document=f"{REFERENCE} The city paid for the bridge, and the mayor thanked the workers of Salem.",
    units=(Unit("The mayor opened a bridge", 2), Unit("It rained in the city"), Unit("The workers were paid")),
)


def align(metric, example=EXAMPLE):
    ((alignment,),) = gm.metric(metric).align([example])
    return alignment


def letters(text, spans):
    """The positions of the letters and signs in some stretches of a text."""
    return {position for span in spans for position in range(span.start, span.end) if not text[position].isspace()}


def shown_groups(metric):
    """For each group of marks in the evidence its letters in the summary and in the other text."""
    panes = gm.metric(metric).explain(EXAMPLE).panes[:2]
    groups = {group for pane in panes for mark in pane.marks for group in (mark.group, *mark.also)}
    sides = [
        [letters(pane.text, [mark for mark in pane.marks if group in (mark.group, *mark.also)]) for pane in panes]
        for group in groups
    ]
    return [(summary, other) for summary, other in sides if summary and other]


def edge_letters(alignment, edge):
    return (
        letters(alignment.summary.text, [alignment.summary.cover(edge.summary_run)]),
        letters(alignment.other.text, [alignment.other.cover(edge.other_run)]),
    )


def check_shown(metric, alignment=None, *, counts=lambda edge: edge.weight > 0):
    """The ends of every edge that counts are marked alike, and all that is marked alike is joined by such edges."""
    alignment, groups = alignment or align(metric), shown_groups(metric)
    edges = [edge_letters(alignment, edge) for edge in alignment.edges if counts(edge)]
    assert edges
    for summary, other in edges:
        assert any(summary <= shown and other <= also_shown for shown, also_shown in groups)
    for shown, also_shown in groups:
        joined = [(summary, other) for summary, other in edges if summary <= shown and other <= also_shown]
        assert set().union(*(summary for summary, _ in joined)) == shown
        assert set().union(*(other for _, other in joined)) == also_shown


@pytest.mark.parametrize("metric", ["rouge1", "rouge1(stem=none)", "content", "content(idf=yes)"])
def test_words_that_are_equal(metric):
    check_shown(metric)
    alignment = align(metric)
    measure = gm.metric(metric)
    recall = measure.score([EXAMPLE])[0, 1]
    assert alignment.total / sum(token.weight for token in alignment.other.tokens) == pytest.approx(recall)


@pytest.mark.more
def test_bertscore():
    # With equal weights no word is too light to be marked; here every word is a token, and signs are not marked.
    metric = "bertscore(idf=none)"
    alignment = align(metric)

    def joins_words(edge):
        return all(
            side.text[side.tokens[position].start].isalpha()
            for side, position in ((alignment.summary, edge.summary), (alignment.other, edge.other))
        )

    check_shown(metric, counts=joins_words)
    weights = sum(token.weight for token in alignment.other.tokens)
    assert alignment.total / weights == pytest.approx(gm.metric(metric).score([EXAMPLE])[0, 1], abs=1e-6)


@pytest.mark.more
def test_bertscore_aligns_batches_as_it_aligns_one():
    metric = gm.metric("bertscore")
    second = gm.Example(doc_id="2", system="a", summary="Rain.", references=("", "Rain fell.", "A bridge."))
    empty = gm.Example(doc_id="3", system="a", summary="", references=("Rain fell.",))
    aligned = metric.align([EXAMPLE, second, empty])
    assert [len(alignments) for alignments in aligned] == [1, 1, 0]
    assert aligned[1][0].other.text == "Rain fell."  # the highest recall
    (alone,) = metric.align([EXAMPLE])
    assert [(edge.summary, edge.other) for edge in aligned[0][0].edges] == [
        (edge.summary, edge.other) for edge in alone[0].edges
    ]
    assert aligned[0][0].total == pytest.approx(alone[0].total, abs=1e-4)


@pytest.mark.more
def test_qaeval():
    metric = gm.metric("qaeval")
    (answered,) = metric.examine([EXAMPLE])
    (all_answers,) = align_exchanges(answered, lambda verdict: metric.score_verdict(verdict)[0])
    check_shown("qaeval", all_answers, counts=lambda edge: True)  # wrong answers are shown, and add nothing
    counted = align("qaeval")
    assert [edge_letters(counted, edge) for edge in counted.edges if edge.weight] == [
        edge_letters(all_answers, edge) for edge in all_answers.edges if edge.weight
    ]
    assert align("qaeval").total == pytest.approx(gm.metric("qaeval").score([EXAMPLE])[0, 0])


@pytest.mark.more
def test_estime():
    check_shown("estime")
    assert align("estime").total == gm.metric("estime").score([EXAMPLE])[0, 0]  # the number of alarms


@pytest.mark.more
def test_lite2pyramid():
    # Shown as stated is what is above one half; a unit of weight 2 that is certain adds 2.
    alignment, metric = align("lite2pyramid"), gm.metric("lite2pyramid")
    most = dict(zip(alignment.edges, [unit.weight for unit in EXAMPLE.units], strict=True))
    check_shown("lite2pyramid", counts=lambda edge: edge.weight > 0.5 * most[edge])
    assert alignment.total / sum(most.values()) == pytest.approx(metric.score([EXAMPLE])[0, 0])
    assert [alignment.other.text[slice(*span)] for span in _spans(alignment)] == [unit.text for unit in EXAMPLE.units]


def _spans(alignment):
    covered = (alignment.other.cover(edge.other_run) for edge in alignment.edges)
    return [(span.start, span.end) for span in covered]


@pytest.mark.more
@pytest.mark.parametrize("settings", ["", "(aggregate=max)", "(aggregate=chunks)"])
def test_consistency(settings):
    """A supported sentence and its best passage are marked alike, and what sentences add is the mean."""
    metric = f"consistency{settings}"
    alignment = align(metric)
    share = 1 / len(alignment.edges)
    assert [alignment.summary.text[slice(*span)] for span in _summary_spans(alignment)] == [
        "On Monday the mayor of Salem opened the new bridge.",
        "Snow covered the city.",
    ]
    assert alignment.total == pytest.approx(gm.metric(metric).score([EXAMPLE])[0, 0])
    panes = gm.metric(metric).explain(EXAMPLE).panes[:2]
    for number, edge in enumerate(alignment.edges):
        summary, other = edge_letters(alignment, edge)
        shown, also_shown = (
            letters(pane.text, [mark for mark in pane.marks if number in (mark.group, *mark.also)]) for pane in panes
        )
        assert also_shown == other
        assert shown == summary if edge.weight > 0.5 * share else shown <= summary


@pytest.mark.more
def test_consistency_aligns_nothing_where_no_part_decides_or_there_is_no_document():
    empty = gm.Example(doc_id="2", system="a", summary="Rain.", document="")
    silent = gm.Example(doc_id="3", system="a", summary="", document="It rained.")
    assert gm.metric("consistency(aggregate=mean)").align([EXAMPLE]) == [()]
    first, none, ((nothing),) = gm.metric("consistency").align([EXAMPLE, empty, silent])
    assert len(first[0].edges) == 2
    assert none == ()
    assert nothing.edges == ()


def test_parts_are_located_in_their_order_whatever_the_blanks():
    text = "It rained. It rained.\n\nThen  it\nsnowed (a lot)."
    assert locate_parts(text, ["It rained.", "It rained.", "Then it snowed (a lot).", "It rained."]) == [
        Span(0, 10),
        Span(11, 21),
        Span(23, 47),
        None,
    ]


def _summary_spans(alignment):
    covered = (alignment.summary.cover(edge.summary_run) for edge in alignment.edges)
    return [(span.start, span.end) for span in covered]


def test_metrics_that_compare_no_tokens_have_no_alignment():
    assert gm.metric("rougeL").align([EXAMPLE, EXAMPLE]) == [(), ()]


SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted), max_size=5)


@given(st.text("ab .é\n", max_size=20), SPANS)
def test_every_span_of_a_text_that_is_cut_is_a_run(text, borders):
    spans = [Span(start, end) for start, end in borders if end <= len(text)]
    cut = cut_tokens("summary", text, spans)
    assert "".join(text[token.start : token.end] for token in cut.tokens) == "".join(text.split())
    for span in spans:
        run = cut.find_run(span)
        covered = "" if run is None else text[cut.cover(run).start : cut.cover(run).end]
        assert covered == text[span.start : span.end].strip()


def test_a_model_s_tokens_that_have_no_letters_of_their_own():
    # [CLS], "é" in two bytes, "a", one beyond the text, [SEP]
    text = locate_tokens("summary", "é a", [0, 0, 0, 2, 9, 0], [0, 1, 1, 3, 12, 0])
    assert [(token.start, token.end) for token in text.tokens] == [(0, 0), (0, 1), (1, 1), (2, 3), (3, 3), (3, 3)]


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ([Token(0, 2), Token(1, 3)], "do not overlap"),
        ([Token(2, 3), Token(0, 1)], "are sorted"),
        ([Token(0, 9)], "within the 5 characters"),
    ],
)
def test_tokens_that_overlap_or_lie_outside_are_refused(tokens, sentence):
    with pytest.raises(DataError, match=f"a token of the summary lies at .*{sentence}"):
        TokenText("summary", "a cat", tuple(tokens))


@pytest.mark.parametrize(
    ("edge", "sentence"),
    [
        (Edge(0, 5), "joins the tokens 5 to 5 of the reference, which has 1"),
        (Edge(-1, 0), "joins the tokens -1 to -1 of the summary"),
        (Edge(0, 0, other_size=2), "joins the tokens 0 to 1 of the reference"),
        (Edge(0, 0, weight=-1.0), "adds -1.0"),
        (Edge(0, 0, weight=np.nan), "adds nan"),
        (Edge(0, 0, weight=np.inf), "adds inf"),
    ],
)
def test_edges_that_join_nothing_are_refused(edge, sentence):
    texts = (TokenText(title, "a", (Token(0, 1),)) for title in ("summary", "reference"))
    with pytest.raises(DataError, match=sentence):
        Alignment(*texts, (edge,))


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        ([Edge(0, 0)], "has 1 of 2 pairs of 'a'"),
        ([Edge(0, 0), Edge(0, 1)], "uses a token twice"),
        ([Edge(0, 0), Edge(1, 2)], "joins 'a' with another key or in a run"),
        ([Edge(0, 0), Edge(1, 1, weight=0.5)], "weighs 'a' in two ways"),
        ([Edge(0, 0, summary_size=2), Edge(1, 1)], "joins 'a' with another key or in a run"),
    ],
)
def test_a_free_alignment_is_one_of_many_with_the_same_total(edges, sentence):
    summary = TokenText("summary", "aa", (Token(0, 1, "a"), Token(1, 2, "a")))
    other = TokenText("reference", "aab", (Token(0, 1, "a"), Token(1, 2, "a"), Token(2, 3, "b")))
    with pytest.raises(DataError, match=f"the alignment with the reference {sentence}: a free alignment pairs"):
        Alignment(summary, other, tuple(edges), free=True)
    assert Alignment(summary, other, (Edge(0, 1), Edge(1, 0)), free=True).total == 2


@dataclass(frozen=True, slots=True)
class Names(Metric):
    """A metric of a user that aligns and does not explain: capital letters that both texts have, each with each."""

    name = "names"
    needs = frozenset({"references"})
    columns = (Column("count", "pairs of capitals"),)

    def score(self, examples):
        return np.array([[sum(each.total for each in alignments)] for alignments in self.align(examples)])

    def align(self, examples):
        return [tuple(self._align(example.summary, other) for other in example.references) for example in examples]

    def _align(self, *texts):
        summary, other = (
            TokenText(title, text, tuple(Token(at, at + 1, text[at]) for at in range(len(text)) if text[at].isupper()))
            for title, text in zip(("candidate", "reference"), texts, strict=True)
        )
        edges = [
            Edge(left, right, 0.5)
            for left, token in enumerate(summary.tokens)
            for right, against in enumerate(other.tokens)
            if token.key == against.key
        ]
        return Alignment(summary, other, tuple(edges))


def test_what_a_metric_aligns_is_its_evidence_where_it_has_no_other():
    example = gm.Example(doc_id="1", system="a", summary="A b A C", references=("x", "C A d"))
    evidence = Names().explain(example)
    # A and A of the summary with the one A: 2 x .5; C with C: .5
    assert evidence.headline == "3 matches with the reference, the best match: 1.500 together"
    marks = [[(mark.start, mark.group) for mark in pane.marks] for pane in evidence.panes]
    assert marks == [[(0, 0), (4, 0), (6, 1)], [(0, 1), (2, 0)]]
    assert evidence.table.rows[-1] == ("C", "C", "0.500")
    assert (Names().explains, gm.metric("js").explains, gm.metric("rouge1").explains) == (True, False, True)
    assert gm.metric("length").explain(example) is None


def test_units_are_found_in_the_summary_whatever_a_metric_calls_it():
    units = [{"text": "A", "spans": [{"start": 4, "end": 7}, {"start": 2, "end": 3, "reference": 0}]}]
    record = {"doc_id": "1", "system": "a", "summary": "A b A C", "references": ["C A d"], "units": units}
    assert gm.insight.units([record], Names(), resamples=10)["names"].share == 0.5 / 1.5  # the second A alone


def test_a_run_lies_within_its_span():
    text = cut_tokens("summary", "The cat sat.", [])
    assert text.find_run(Span(4, 11)) == Run(1, 2)
    assert text.find_run(Span(3, 4)) is None


def test_apes_answers_all_as_names_have_other_forms(by_hand):
    example = gm.Example(
        doc_id="1", system="a", summary="Anna won gold.", references="Anna won gold. Robert won silver."
    )
    metric = gm.metric("apes")
    ((alignment,),) = metric.align([example])
    assert len(by_hand.pairs) == 2
    assert alignment.total == pytest.approx(metric.score([example])[0, 0])


def test_questions_that_can_add_nothing_are_not_answered(by_hand):
    """Ann is in the summary, Bob is not: whatever it answers to the question for Bob, F1 is 0."""
    example = gm.Example(doc_id="1", system="a", summary="Ann won gold.", references="Ann won gold. Bob won silver.")
    metric = gm.metric("qaeval")
    ((alignment,),) = metric.align([example])
    assert [question for question, _ in by_hand.pairs] == ["who won gold"]
    assert alignment.total == pytest.approx(metric.score([example])[0, 0])
