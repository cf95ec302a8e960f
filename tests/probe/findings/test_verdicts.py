"""The verdict on a score follows its numbers, changes with them, and says nothing that they do not say."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.probe import AttackEffect, Probe, ProbedDocument, ScoreFindings
from gistmeter.probe.against_references import PseudoReference, ReferenceRank


def make_probe(score=0.9, systems=(0.5, 0.7), reference=0.6, words=30, better="higher"):
    document = ProbedDocument(
        doc_id="1",
        summary="x",
        score=score,
        words=words,
        system_scores={f"s{number}": value for number, value in enumerate(systems)},
        system_words={f"s{number}": 30 for number, _ in enumerate(systems)},
        reference_score=reference,
        reference_words=20,
    )
    return Probe(
        metric="m",
        column="c",
        better=better,
        signature="m|v:0",
        method="optimise",
        settings={},
        documents=(document,),
    )


def make_attack(name="copy", change=0.2, half=0.1, undefined=0, better="higher"):
    return AttackEffect(
        attack=name,
        about="about",
        column="m.c",
        better=better,
        clean=0.5,
        attacked=0.5 + change,
        change=change,
        low=change - half,
        high=change + half,
        better_share=1.0,
        beats=1,
        systems=2,
        summaries=4,
        documents=2,
        undefined=undefined,
        unscored=0,
        skipped=0,
        words=10.0,
        clean_words=10.0,
    )


def make_ranked(rank=1, ranked=3):
    return ReferenceRank(metric="rouge2.f1", rank=rank, ranked=ranked, score=0.2, system_scores={})


def make_pseudo(pseudo_r=0.9, gold_r=0.5):
    return PseudoReference(
        metric="rouge2.f1", pseudo_r=pseudo_r, gold_r=gold_r, systems=2, pseudo_scores={}, gold_scores={}
    )


def make_findings(**parts):
    return ScoreFindings(name="m.c", signature="m|v:0", **{"better": "higher", "probe": make_probe(), **parts})


def test_all_numbers_are_in_the_paragraph():
    findings = make_findings(
        ranked=make_ranked(3), pseudo=make_pseudo(), attacks=(make_attack(), make_attack("pad", -0.2))
    )
    assert findings.verdict == (
        "Summaries made for m.c from sentences of the document score 0.900, better than all 2 systems (the best, s1, "
        "has 0.700) and better than the references (0.600). They are about as long as the systems' (30 words to 30), "
        "so that length does not explain it. By rouge2.f1, which compares with references, they are last of 3. It puts "
        "1 of 2 systems above the references. Its means of 2 systems correlate at 0.90 with those of rouge2.f1 against "
        "its own favourites, but at 0.50 with those against the references. Of 2 attacks 1 improves it: copy (0.500 to "
        "0.700). So a better m.c does not show a better summary here: what it likes best is in the lower half by "
        "comparison with references, and changes that no reader would want improve it."
    )


@pytest.mark.parametrize(
    ("change", "words", "never"),
    [
        ({"probe": make_probe(score=0.6)}, "better than 1 of 2 systems", "all 2 systems"),
        ({"probe": make_probe(score=0.1)}, "better than none of 2 systems", "better than all"),
        ({"probe": make_probe(score=0.6)}, "no better than the references", "worse than the references"),
        ({"probe": make_probe(score=0.55)}, "worse than the references (0.600)", "better than the references"),
        ({"probe": make_probe(reference=math.nan)}, "better than all 2 systems", "the references"),
        ({"probe": make_probe(systems=())}, "score 0.900, better than the references", "system"),
        ({"probe": make_probe(systems=(0.5,))}, "better than the only system", "all 1"),
        ({"probe": make_probe(words=60)}, "2.0 times as long", "does not explain"),
        ({"probe": make_probe(words=12)}, "They are shorter", "may explain"),
        ({"probe": make_probe(systems=(0.7, 0.8))}, "puts all 2 systems above", "1 of 2"),
        ({"probe": make_probe(systems=(0.1, 0.2))}, "puts none of 2 systems above", "above people"),
        ({"ranked": make_ranked(1)}, "they are first of 3", "lower half"),
        ({"ranked": make_ranked(2)}, "they are 2nd of 3", "lower half"),
        ({"ranked": make_ranked(3), "probe": make_probe(score=0.6)}, "last of 3", "lower half"),
        ({"pseudo": make_pseudo(0.5, 0.9)}, "and at 0.90 with those against the references", "but at"),
        ({"pseudo": make_pseudo(0.5, math.nan)}, "against its own favourites.", "against the references."),
        ({"pseudo": make_pseudo(math.nan)}, "puts 1 of 2", "correlate"),
        (
            {"attacks": (make_attack(change=0.05), make_attack("pad", -0.1))},
            "None of 2 attacks improves it",
            "no reader",
        ),
        ({"attacks": (make_attack(change=0.05),)}, "The only attack tried, copy, does not improve it", "None"),
        ({"attacks": (make_attack(change=-0.2, better="lower"),)}, "copy (0.500 to 0.300)", "None of"),
        ({"attacks": (make_attack(half=math.nan),)}, "cannot be said", "None of"),
        ({"attacks": (make_attack(undefined=3),)}, "Some attacked summaries have no score: copy (3)", "pad"),
        ({"attacks": tuple(make_attack(name) for name in "abcde")}, "and 2 more", "d (0.500"),
    ],
)
def test_the_paragraph_changes_with_the_numbers(change, words, never):
    verdict = make_findings(**change).verdict
    assert words in verdict
    assert never not in verdict


def test_what_nobody_looked_for_is_not_spoken_of():
    verdict = make_findings().verdict
    for word in ("attack", "correlate", "compares with references", "So a better", "Nothing here"):
        assert word not in verdict
    assert "Nothing was found out" in make_findings(probe=None).verdict
    alone = make_findings(probe=None, reference_free=False, attacks=(make_attack(change=-0.2),)).verdict
    assert alone == (
        "m.c compares with references, so that no summary was made for it. The only attack tried, copy, does not "
        "improve m.c."
    )


def test_nothing_against_it_is_no_praise():
    verdict = make_findings(
        probe=make_probe(systems=(0.1, 0.2)), ranked=make_ranked(1), attacks=(make_attack(change=-0.2),)
    ).verdict
    assert verdict.endswith("Nothing here shows that it is easily pleased; another search or another attack may.")


numbers = st.floats(0.01, 0.99).map(lambda value: round(value, 3))


@given(
    score=numbers,
    systems=st.lists(numbers, min_size=2, max_size=6),
    reference=numbers,
    better=st.sampled_from(["higher", "lower"]),
    changes=st.lists(st.floats(-0.4, 0.4), max_size=5),
    rank=st.integers(1, 6),
)
def test_claims_hold_of_the_numbers(score, systems, reference, better, changes, rank):
    probe = make_probe(score=score, systems=systems, reference=reference, better=better)
    attacks = tuple(make_attack(f"a{number}", change, better=better) for number, change in enumerate(changes))
    ranked = make_ranked(min(rank, len(systems) + 1), len(systems) + 1)
    findings = replace(make_findings(probe=probe, attacks=attacks, ranked=ranked), better=better)
    sign = 1 if better == "higher" else -1
    beaten = sum(sign * value < sign * score for value in systems)
    above = sum(sign * value > sign * reference for value in systems)
    working = sum(sign * change > 0.1 for change in changes)
    verdict = findings.verdict
    assert ("better than all" in verdict) == (beaten == len(systems))
    assert ("puts all" in verdict) == (above == len(systems))
    assert ("most systems above people" in verdict) == (2 * above > len(systems))
    assert ("improve it: " in verdict or "improves it: " in verdict) == (working > 0)
    low = beaten == len(systems) and 2 * ranked.rank > ranked.ranked + 1
    assert ("lower half" in verdict) == low
    assert ("So a better" in verdict) == (low or working > 0 or 2 * above > len(systems))
