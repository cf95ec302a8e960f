"""Shares of content units: by hand, against brute force, from pyramids, guessed, on bad input, by the command."""

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.errors import GistmeterError
from gistmeter.evidence.alignment import Alignment, Edge, Token, TokenText, align_equal_tokens, cut_tokens
from gistmeter.example import Unit
from gistmeter.insight import CategoryShare, CategoryShares
from gistmeter.insight.shares.published import read_published_units
from gistmeter.insight.shares.unit_labels import UnitLabels
from gistmeter.insight.shares.units import weigh_units
from gistmeter.io.units import parse_units, unit_to_record
from gistmeter.report.sheets.insight.units import draw_bars

SUMMARY, REFERENCE = "The dog barked. It rained in May.", "It rained. The black dog barked loudly."
BARKED = {
    "text": "A dog barked",
    "present": True,
    "spans": [{"start": 0, "end": 14}, {"start": 11, "end": 31, "reference": 0}],
}
RAINED = {"text": "There was rain", "present": True, "spans": [{"start": 16, "end": 25}]}
RECORD = {"doc_id": "1", "system": "a", "summary": SUMMARY, "references": [REFERENCE], "units": [BARKED, RAINED]}


def share(record, metric="rouge1", **options):
    return gm.insight.units([record], metric, resamples=10, **options)[metric].share


def test_by_hand():
    # the, dog, barked, it, rained match; the first three are marked with one unit in both texts, rain in one alone.
    assert share(RECORD) == 3 / 5
    both = {**RAINED, "spans": [*RAINED["spans"], {"start": 0, "end": 9, "reference": 0}]}
    assert share({**RECORD, "units": [BARKED, both]}) == 1.0
    # Units that only share words do not count: each text states another one.
    apart = [{**BARKED, "spans": BARKED["spans"][:1]}, {"text": "Barking", "spans": BARKED["spans"][1:]}]
    assert share({**RECORD, "units": apart}) == 0


def test_references_are_added_up_or_the_first_alone_counts():
    second = "The dog slept."  # the, dog match, and nothing is marked
    record = {**RECORD, "references": [REFERENCE, second]}
    assert share(record) == 3 / 7
    assert share(record, reference="first") == 3 / 5


def test_a_token_carries_the_unit_in_which_it_begins():
    cut = {**BARKED, "spans": [{"start": 2, "end": 9}, {"start": 11, "end": 31, "reference": 0}]}  # "e dog b"
    assert share({**RECORD, "units": [cut]}) == 2 / 5  # dog and barked begin inside, the does not


def test_letters_that_are_composed_do_not_shift_spans():
    # é written as e and an accent: three characters in the record, which the metric reads as one each.
    record = {
        "summary": "e\u0301e\u0301e\u0301 dog",
        "reference": "dog",
        "units": [{"text": "A dog", "spans": [{"start": 7, "end": 10}, {"start": 0, "end": 3, "reference": 0}]}],
    }
    assert share(record) == 1.0


@pytest.mark.more
def test_phrases_share_a_unit_by_any_or_by_every_token():
    alignment = gm.metric("qaeval").align([gm.Example(doc_id="1", system="a", summary=SUMMARY, references=REFERENCE)])
    assert alignment[0][0].total > 0  # "the dog" is asked for and answered
    partly = {**BARKED, "spans": [{"start": 4, "end": 14}, {"start": 11, "end": 31, "reference": 0}]}  # not "the"
    dog_only = {**RECORD, "reference": "The black dog barked loudly.", "units": [partly]}
    dog_only["units"][0]["spans"][1] = {"start": 0, "end": 20, "reference": 0}
    del dog_only["references"]
    assert share(dog_only, "qaeval") > 0
    assert share(dog_only, "qaeval", tokens="every") == 0


def test_lines_of_units_carry_themselves():
    # What lite2pyramid compares with: a unit on each line.
    example = gm.Example(doc_id="1", system="a", summary=SUMMARY, units=("A dog barked", "It rained"))
    lines = cut_tokens("content units", "A dog barked\nIt rained", [])
    assert UnitLabels("given").label(example, lines) == (frozenset({0}),) * 3 + (frozenset({1}),) * 2


KEYS = st.lists(st.tuples(st.sampled_from("ab"), st.frozensets(st.integers(0, 2), max_size=2)), max_size=4)


@given(KEYS, KEYS)
def test_the_free_alignment_that_explains_most(left, right):
    texts = [
        TokenText(title, "ab" * 10, tuple(Token(i, i + 1, key) for i, (key, _) in enumerate(side)))
        for title, side in (("summary", left), ("reference", right))
    ]
    alignment = align_equal_tokens(*texts)
    sets = [tuple(carried for _, carried in side) for side in (left, right)]
    # Every way to pair each token of the summary with one of the reference or with none.
    best = 0
    for partners in itertools.product([None, *range(len(right))], repeat=len(left)):
        taken_once = [partner for partner in partners if partner is not None]
        if len(set(taken_once)) == len(taken_once):
            best = max(
                best,
                sum(
                    partner is not None and left[i][0] == right[partner][0] and bool(left[i][1] & right[partner][1])
                    for i, partner in enumerate(partners)
                ),
            )
    assert weigh_units(alignment, *sets) == best


def test_edges_between_runs():
    summary = TokenText("summary", "a b .", (Token(0, 1), Token(2, 3), Token(4, 5)))
    other = TokenText("reference", "a b", (Token(0, 1), Token(2, 3)))
    alignment = Alignment(summary, other, (Edge(0, 0, 0.5, summary_size=3, other_size=2),))
    unit, none = frozenset({1}), frozenset()
    assert weigh_units(alignment, (unit, none, none), (none, unit)) == 0.5
    assert weigh_units(alignment, (unit, none, none), (unit, unit), tokens="every") == 0
    assert weigh_units(alignment, (unit, unit, none), (unit, unit), tokens="every") == 0.5  # signs carry nothing
    assert weigh_units(alignment, (unit, unit, none), (none, none)) == 0


def test_guessed_spans_need_labels_and_follow_words():
    units = [{"text": "A dog barked", "present": True}, {"text": "It rained", "present": False}]
    # the, dog, barked, it, rained match. The dog barked: "dog" and "barked" are in the unit, "the" is not. Nobody
    # says that it rained.
    assert share({**RECORD, "units": units}, spans="guessed") == 2 / 5
    units[1]["present"] = True
    assert share({**RECORD, "units": units}, spans="guessed") == 4 / 5


def test_bins_histogram_and_interval():
    halves = {**RECORD, "doc_id": "2", "units": [{**BARKED, "spans": []}, RAINED]}
    shares = gm.insight.units([RECORD, halves], "rouge1", resamples=100, published="tac2008")
    row = shares["rouge1"]
    assert (row.share, row.low, row.high) == (0.3, 0.0, 0.6)  # 3/5 and 0
    assert row.bins == (0.5, 0.0, 0.5, 0.0)
    assert row.bars == (1, *[0] * 11, 1, *[0] * 7)
    assert (row.published, row.published_bins) == (0.25, (0.51, 0.45, 0.04, 0.0))
    assert [each.share for each in shares.by_summary] == [0.6, 0.0]
    assert shares.signature == "units|reference:all|spans:given|tokens:any"
    assert any("1 of 4 units of summaries have no spans" in note for note in shares.notes)
    assert draw_bars([0, 0]) == "··"


def test_the_borders_of_bins_belong_to_the_upper_one():
    record = {"summary": "a b", "reference": "a b", "units": [{"text": "a", "spans": [
        {"start": 0, "end": 1}, {"start": 0, "end": 1, "reference": 0}]}]}  # fmt: skip
    row = gm.insight.units([record], resamples=10)["rouge1"]
    assert row.share == 0.5
    assert row.bins == (0, 0, 1, 0)
    assert row.bars[10] == 1


@pytest.mark.parametrize(
    ("units", "options", "sentence"),
    [
        ([], {}, "the run has no content units"),
        (["A dog barked"], {}, "no content unit of the run has spans"),
        ([{"text": "a", "spans": [{"start": 0, "end": 99}]}], {}, "a span from 0 to 99 of the summary, which has 33"),
        (
            [{"text": "a", "spans": [{"start": 0, "end": 9, "reference": 3}]}],
            {},
            "has 1 reference, has a span in reference 3",
        ),
        ([{"text": "a", "spans": [{"start": 0, "end": 99, "reference": 0}]}], {}, "of reference 0 .from 0., which has"),
        ([{"text": "a", "spans": [{"start": 9, "end": 2}]}], {}, "unit 1: a span .* not from 9 to 2"),
        ([{"text": "a", "spans": [{"start": 0, "end": "x"}]}], {}, "unit 1: a span .* not from 0 to 'x'"),
        ([{"text": "a", "spans": [[0, 2]]}], {}, "unit 1: a span is an object with `start`, `end`"),
        ([{"text": "a", "spans": [{"start": 0, "end": 2, "reference": -1}]}], {}, "counted from 0, not -1"),
        ([{"text": "a", "spans": 3}], {}, "`spans` must be a list of objects"),
        ([BARKED], {"metrics": "rougeL"}, "rougeL gives no alignment"),
        ([BARKED], {"metrics": "estime"}, "estime needs `document`, but a/1 has none"),
        ([BARKED], {"published": "tac2007"}, "there are figures for tac2008, tac2009"),
        (["A dog barked"], {"spans": "guessed"}, "has no label"),
    ],
)
def test_what_cannot_be_looked_at_is_one_sentence(units, options, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        gm.insight.units([{**RECORD, "units": units}], **{"resamples": 10, **options})


def test_units_are_marked_in_summaries_and_references():
    record = {**RECORD, "document": REFERENCE + " It was cold."}
    with pytest.raises(GistmeterError, match="the document of a/1 has no marked units"):
        share(record, "content(against=document)")


def test_a_unit_of_two_lines_is_one_unit():
    example = gm.Example(doc_id="1", system="a", summary=SUMMARY, units=("A dog\nbarked", "A dog"))
    lines = cut_tokens("content units", "A dog\nbarked\nA dog", [])
    assert UnitLabels("given").label(example, lines) == (frozenset({0}),) * 3 + (frozenset({1}),) * 2


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (("rouge1", "topik"), "there is no 'topik' in this result; did you mean topic"),
        (("rouge", "topic"), "there is no 'rouge' in this result; did you mean rouge1"),
        ("topic", r"there is no 'topic' in this result; its rows are called \('rouge1', 'topic'\)"),
    ],
)
def test_a_row_that_is_not_there_is_one_sentence(key, sentence):
    row = CategoryShare(
        metric="rouge1",
        system="",
        category="topic",
        title="Topic",
        is_type=True,
        share=0.5,
        low=0.4,
        high=0.6,
        summaries=2,
        published=math.nan,
    )
    shares = CategoryShares(
        rows=(row,), reference="first", auxiliaries="own", parser="p", table="t", unaligned={"rouge1": 0}
    )
    assert shares["rouge1", "topic"] is row
    with pytest.raises(GistmeterError, match=sentence):
        shares[key]


def test_spans_survive_writing_and_reading():
    (unit,) = parse_units([BARKED])
    assert unit_to_record(unit) == BARKED
    assert parse_units([unit_to_record(unit)]) == (unit,)
    assert "spans" not in unit_to_record(Unit("A dog barked"))


def test_json_has_the_histogram():
    assert json.loads(gm.insight.units([RECORD], resamples=10).to_json())["histograms"]["rouge1"][12] == 1
    assert read_published_units("tac2009", "qaeval") is None


def test_the_command_prints_what_the_call_gives(checked_command, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text(json.dumps(RECORD) + "\n")
    printed = json.loads(checked_command("insight", "units", str(run), "--published", "tac2008", "--json").stdout)
    assert printed["rows"][0]["share"] == 0.6
    assert printed["rows"][0]["published"] == 0.25
    shown = checked_command("insight", "units", str(run), "-m", "rouge1,content").stdout
    assert "content" in shown
    assert "█" in shown
    refused = checked_command("insight", "units", str(run), "-m", "rougeL", fails=True)
    assert "gives no alignment" in refused.stderr


def test_an_empty_run_is_called_empty():
    with pytest.raises(GistmeterError, match="the run is empty"):
        gm.insight.units([])


def test_one_document_has_no_interval():
    for shares in (gm.insight.units([RECORD], "rouge1"), gm.insight.categories([RECORD], "rouge1")):
        assert all(0 <= row.share <= 1 for row in shares.rows)
        assert all(math.isnan(bound) for row in shares.rows for bound in (row.low, row.high))
