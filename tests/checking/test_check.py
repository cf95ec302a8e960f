"""A check of one summary: which scores, where they stand, notes, the command."""

import io
import json
import math

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.checking import check as checking
from gistmeter.checking.texts import Finding
from gistmeter.errors import DataError, MissingExtraError
from gistmeter.ranking.trust.standings import PERCENTS, StandingSet, place_score, read_standings, spread_scores

TEXTS = {"summary": "The bridge cost 8.6 million crowns.", "document": "The bridge cost 6.8 million crowns in May."}


def test_scores_depend_on_what_is_given():
    def names(**texts):
        return [score.column.name for score in gm.check(models=False, **texts).scores]

    alone = ["length.words", "repetition.repeat2"]
    with_document = [*alone, "novelty.novel2", "fragments.density", "js.divergence"]
    assert names(summary="It rained.") == alone
    assert names(**TEXTS) == with_document
    assert names(**TEXTS, references="It cost much.") == [*with_document, "rouge1.f1", "rouge2.f1", "rougeLsum.f1"]
    assert names(**TEXTS, metrics="novelty") == [f"novelty.novel{n}" for n in (1, 2, 3, 4)]
    assert "js.divergence" not in names(**TEXTS, language="pl")  # no list of function words


def test_scores_are_those_of_score_one():
    checked = gm.check(**TEXTS, references=["The bridge cost a lot."], models=False)
    scored = gm.score_one(**TEXTS, references=["The bridge cost a lot."], metrics="rouge2,js")
    values = {score.column.name: score.value for score in checked.scores}
    assert values["rouge2.f1"] == scored["rouge2.f1"]
    assert values["js.divergence"] == scored["js.divergence"]


def test_models_join_where_they_are(monkeypatch):
    example = gm.Example(doc_id="1", system="s", references=("It did.",), **TEXTS)
    assert {"faithfulness", "bertscore"} <= set(checking.choose_metrics(example, models=True))
    monkeypatch.setattr(checking, "find_spec", lambda module: None if module == "torch" else True)
    assert not checking.has_models()
    assert "without the models" in gm.check(**TEXTS).notes[0]
    assert not gm.check(**TEXTS, models=False).notes
    with pytest.raises(MissingExtraError, match="models"):
        gm.check(**TEXTS, models=True)


def test_finders_may_be_added():
    def doubt_all(texts):
        return [
            Finding(sentence=n, kind="support", text="", why="a judge doubts it", weight=1.0)
            for n in range(len(texts.sentences))
        ]

    checked = gm.check(**TEXTS, models=False, finders=[doubt_all])
    assert [finding.why for finding in checked.weakest[0].findings] == ["a judge doubts it"]


def test_the_weakest_sentence_is_first():
    summary = "The bridge cost 6.8 million crowns. Anna Berg paid 99 of 77 crowns. It cost 5 crowns."
    checked = gm.check(summary=summary, document=TEXTS["document"], models=False)
    assert [checked.sentences.index(sentence) for sentence in checked.weakest] == [1, 2]
    start, end = checked.weakest[1].sentence.start, checked.weakest[1].sentence.end
    assert summary[start:end] == "It cost 5 crowns."


def test_a_summary_without_words_is_refused():
    with pytest.raises(DataError, match="no words"):
        gm.check(summary=" ... ", document="It rained.")


@pytest.mark.parametrize(("value", "share"), [(-1, 0), (0.0, 0.05), (0.1, 0.15), (0.5, 0.5), (1.0, 1.0), (9, 1.0)])
def test_places_by_hand(value, share):
    # 0 for the lowest 10 percents, which half of them score alike; then 0.1 at 11 percent ... linear up to 1.
    percentiles = tuple(0.0 if percent <= 10 else 0.1 + (percent - 15) * 0.9 / 85 for percent in PERCENTS)
    spread = StandingSet(
        dataset="ours",
        about="",
        references=1,
        sample="",
        summaries=101,
        percentiles=percentiles,
        system_means=(0.2, 0.4),
    )
    expected = share if value != 0.5 else (15 + 0.4 / (0.9 / 85)) / 100
    assert place_score(value, spread).lower_share == pytest.approx(expected, abs=0.002)


def test_a_place_is_the_share_that_scores_lower():
    values = np.random.default_rng(2).beta(2, 5, (20, 50))
    spread = spread_scores("ours", "", values)
    for value in (0.05, 0.2, 0.41, 0.7):
        standing = place_score(value, spread)
        assert standing.lower_share == pytest.approx((values < value).mean(), abs=0.01)
        assert standing.lower_systems == (values.mean(axis=1) < value).sum()


def test_shipped_standings_are_whole():
    tables = read_standings()
    assert len(tables) >= 40
    named = {"rouge2", "js", "bertscore", "supert", "summaqa", "qags", "questeval"}
    assert named <= {table.spelling for table in tables.values()}
    for table in tables.values():
        for spread in table.sets:
            assert len(spread.percentiles) == 101
            assert list(spread.percentiles) == sorted(spread.percentiles)
            assert 10 <= len(spread.system_means) <= 25
            assert spread.summaries >= 90
            low, high = spread.percentiles[0], spread.percentiles[-1]
            assert all(low <= mean <= high for mean in spread.system_means)


def test_lower_is_better_turns_a_standing():
    checked = gm.check(**TEXTS, models=False)
    divergence = next(score for score in checked.scores if score.column.name == "js.divergence")
    standing = divergence.standings[0]
    assert divergence.beaten(standing) == 1 - standing.lower_share
    assert divergence.beaten_systems(standing) == standing.systems - standing.lower_systems
    assert math.isnan(checking.CheckedScore(divergence.column, 0.5, ()).standing)


def test_the_command(command, tmp_path, monkeypatch):
    (tmp_path / "doc.txt").write_text(TEXTS["document"])
    quick = ("--no-models",)
    code, out, _ = command("check", "--summary", TEXTS["summary"], "--document", "doc.txt", *quick)
    assert code == 0
    assert "8.6 million stands nowhere in the document" in out
    code, out, _ = command("check", "--summary", TEXTS["summary"], "--document", "@doc.txt", "--json", *quick)
    data = json.loads(out)
    assert data["sentences"][0]["findings"][0]["kind"] == "number"
    assert {row["score"] for row in data["rows"]} >= {"novelty.novel2", "js.divergence"}
    assert data["rows"][0]["standings"][0]["systems"] == 16
    code, out, _ = command("check", "--summary", "A\x1b[31m cat \x1b[0msat.", *quick)
    assert (code, "\x1b[31m" in out) == (0, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--summary", ""), "--summary is empty"),
        (("--summary", "@none"), "cannot read none: there is no such file"),
        (("--summary", "sum.txt"), "cannot read sum.txt: there is no such file"),
        (("--summary", "."), "cannot read .: it is a folder"),
        (("--summary", "-", "--document", "-"), "only one of the texts"),
        (("--summary", "It rained.", "-m", "rouge1"), "rouge1 needs `references`"),
        (("--summary", "It rained.", "-m", "roge1"), "did you mean rouge1"),
        (("--summary", "It rained.", "--language", "english?"), "language"),
        (("--summary", "bad.bin"), "is not UTF-8"),
        ((), "--summary"),
        (("--summary", "run.jsonl"), "score all with `gistmeter score run.jsonl`"),
        (("--summary", "It rained.", "--document", "@run.jsonl"), "run.jsonl is a file of records, and --document"),
    ],
)
def test_mistakes_are_one_sentence(command, tmp_path, arguments, message):
    (tmp_path / "bad.bin").write_bytes(b"caf\xe9")
    (tmp_path / "run.jsonl").write_text('{"summary": "It rained."}\n')
    code, _, err = command("check", *arguments, "--no-models")
    assert (code, message in err, "Traceback" in err) == (2, True, False), err


def test_texts_in_another_language_are_noted():
    german = "Der Rat hat am Montag das neue Budget beschlossen, aber die Steuern sind nicht gesunken. " * 20
    notes = gm.check(summary=german[:80], document=german, models=False).notes
    assert any("look German (de), but are checked as English (en)" in note for note in notes)
    assert not any("look" in note for note in gm.check(summary=german, language="de", models=False).notes)


def test_standard_input(command, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(TEXTS["summary"].encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    code, out, _ = command("check", "--summary", "-", "--document", TEXTS["document"], "--no-models")
    assert (code, "8.6 million stands nowhere" in out) == (0, True)
