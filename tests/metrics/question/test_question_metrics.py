"""Metrics that ask and answer, on questions computed by hand (see `asked_by_hand`)."""

from dataclasses import replace

import numpy as np
import pytest

import gistmeter as gm
from asked_by_hand import ByHand
from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics.question.apes import Apes, _judge_entity
from gistmeter.metrics.question.feqa import Feqa
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.metrics.question.qags import Qags
from gistmeter.metrics.question.questeval import QuestEval
from gistmeter.metrics.question.summaqa import SummaQa
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.answering.spans import Answer
from gistmeter.qa.verdicts import AnswerVerdict

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
NAMES = ["qaeval", "qags", "feqa", "apes", "summaqa", "questeval"]


def example(summary="Ann won silver.", system="s", **others):
    return Example(doc_id="d", system=system, summary=summary, **{"references": (REFERENCE,), **others})


def scores(metric, *args, **others):
    (row,) = metric.score([example(*args, **others)])
    return dict(zip([column.name for column in metric.columns], row.tolist(), strict=True))


def test_qaeval_by_hand():
    # "who won gold": the summary has 1 of 2 words, so not answerable 0.5 < 0.6: Ann, right.
    # "who lost money badly": no word, not answered: 0.
    assert scores(QaEval()) == {"f1": 0.5, "em": 0.5, "graded": 0.25, "answered": 0.5}
    # With a stricter threshold nothing is answered.
    assert scores(QaEval(threshold=0.4)) == {"f1": 0, "em": 0, "graded": 0.25, "answered": 0}
    # A wrong answer is an answer.
    assert scores(QaEval(), "Eve won gold.") == {"f1": 0, "em": 0, "graded": 0, "answered": 0.5}


def test_references_weigh_alike_and_those_without_a_question_do_not_count():
    # 1/2 over the two questions of the first, 1 over the one question of the second, nothing to ask of the third.
    three = (REFERENCE, "Ann won.", "it rained.")
    assert scores(QaEval(), references=three)["f1"] == pytest.approx(0.75)


def test_no_question_is_missing_and_counted():
    with pytest.warns(gm.GistmeterWarning, match=r"1 of 2 summaries have no qaeval \(NaN\)"):
        table = gm.score([example(), example(system="t", references=("it rained.",))], "qaeval", cache=False)
    assert np.isnan(table.table["qaeval.f1"].to_list()[1])


@pytest.mark.parametrize(
    ("metric", "texts", "reason"),
    [
        (QaEval(), {"references": ("it rained.",)}, "the reference has no noun phrase to ask about"),
        (QaEval(), {"references": ("it rained.", "...")}, "the references have no noun phrase to ask about"),
        (Apes(), {"references": ("Ann won.",)}, "the reference has no named entity to ask about"),
        (Qags(), {"document": "Ann won.", "summary": "it rained."}, "the summary has no noun phrase to ask about"),
        (Qags(), {"document": "Ann won.", "summary": "Ann Bob."}, "the summary answers none of its own questions"),
        (Qags(aspect="coverage"), {"references": ("Ann Bob.", "Al Bo.")}, "the references answer none of their own"),
        (Feqa(), {"document": "..."}, "the document has no words"),
        (SummaQa(), {"document": "it rained."}, "the document has no named entity to ask about"),
        (QuestEval(), {"document": "-", "summary": "it rained."}, "the document has no words"),
    ],
)
def test_a_missing_score_says_why(metric, texts, reason):
    case = example(**texts)
    with pytest.warns(gm.GistmeterWarning, match=rf"1 of 1 summaries have no {metric.name}.* \(NaN\): {reason}"):
        assert np.isnan(gm.score([case], [metric]).table.select(f"^{metric.name}.*$").to_numpy()).all()
    assert metric.explain(case).headline.startswith(f"nothing to ask: {reason}")


def test_reasons_are_counted_through_the_cache_and_resume(tmp_path):
    texts = {"a": "it rained.", "b": "...", "c": "it rained again.", "d": REFERENCE}
    run = [example(system=system, references=(text,)) for system, text in texts.items()]
    expected = (
        r"3 of 4 summaries have no qaeval \(NaN\): the reference has no noun phrase to ask about \(2\); "
        r"the reference has no words \(1\)"
    )
    for name in ("one", "again"):  # the second from the cache
        with pytest.warns(gm.GistmeterWarning, match=expected):
            gm.score(run, "qaeval", output=tmp_path / f"{name}.parquet")


def test_soft_is_asked_for():
    metric = QaEval(soft=True)
    assert [column.name for column in metric.columns] == ["f1", "em", "graded", "soft", "answered"]
    assert scores(metric)["soft"] == 0.5  # an exact match and no answer
    assert 0 < scores(metric, "Eve won gold.")["soft"] < 0.5
    assert "soft.weights" in metric.signature()


def test_texts_are_asked_once_and_pairs_answered_once(by_hand):
    run = [example(system=name) for name in "abc"] + [example("Robert lost money.", "d")]
    whole = QaEval().score(run)
    assert by_hand.texts == [REFERENCE]
    assert len(by_hand.pairs) == len(set(by_hand.pairs)) == 4  # two questions, two different summaries
    assert whole[3] == pytest.approx(QaEval().score(run[3:])[0])
    assert by_hand.texts == [REFERENCE]  # remembered from batch to batch


def test_what_one_metric_asked_another_need_not(by_hand):
    run = [example(document="Ann won gold. Nobody else did.")]
    feqa = Feqa().score(run)
    before = len(by_hand.pairs)
    assert Feqa().score(run) == pytest.approx(feqa)
    Qags().score(run)  # asks the document the same, and the summary itself
    assert before == 1
    assert [text for _, text in by_hand.pairs[before:]] == [run[0].summary]
    assert scores(Feqa(threshold=0.4), document=run[0].document)["answered"] == 0  # not answerable 0.5 > 0.4
    assert scores(Feqa(threshold=0.5), document=run[0].document)["answered"] == 1
    assert len(by_hand.pairs) == before + 1  # another threshold needs no other answer


def test_most_questions_are_spread_over_the_text(by_hand):
    text = " ".join(f"{name} ran." for name in ("Ann", "Bob", "Cid", "Dan", "Eve"))
    QaEval(most=3).score([example(references=(text,))])
    assert [question for question, _ in by_hand.pairs] == ["who ran"]  # the same question three times, answered once
    (asked,) = QaEval(most=3).examine([example(references=(text,))])
    assert [verdict.expected for verdict in asked[0].verdicts] == ["Ann", "Cid", "Eve"]


@pytest.mark.parametrize(
    ("aspect", "asks", "answers"),
    [
        ("faithfulness", "Ann won gold.", "Ann won gold medals."),
        ("focus", "Ann won gold.", REFERENCE),
        ("coverage", REFERENCE, "Ann won gold."),
    ],
)
def test_qags_asks_as_in_table_2(aspect, asks, answers):
    case = example("Ann won gold.", document="Ann won gold medals.")
    (asked,) = Qags(aspect=aspect).examine([case])
    assert [(exchange.asking_text, exchange.answering_text) for exchange, _ in asked] == [(asks, answers)]


def test_qags_drops_what_its_own_text_cannot_answer():
    # "Ann met who": the answerer says Ann on the summary itself, which is wrong: dropped. "who met Bob" stays.
    summary, document = "Ann met Bob.", "Ann met Carl."
    assert scores(Qags(), summary, document=document) == {"f1": 1, "em": 1}
    (asked,) = Qags().examine([example(summary, document=document)])
    assert [verdict.question for verdict in asked[0].verdicts] == ["who met Bob"]
    # Kept, its own answer is what the document's is compared with: Ann and Ann.
    (asked,) = Qags(keep="answered").examine([example(summary, document=document)])
    assert [(verdict.expected, verdict.answer.text) for verdict in asked[0].verdicts] == [("Ann", "Ann")] * 2
    # Not even an answer of its own ("who Bob" has no word to go by): nothing is left.
    assert np.isnan(scores(Qags(keep="answered"), "Ann Bob.", document=document)["f1"])


def test_feqa_asks_the_summary_and_answers_on_the_document():
    # "who won silver": 1 of 2 words of the document's first sentence, Ann: right. "who fled": no answer.
    values = scores(Feqa(), "Ann won silver. Bob fled.", document="Ann won gold. Eve left.")
    assert values == {"f1": 0.5, "em": 0.5, "answered": 0.5}
    # As in the authors' code, threshold=1 takes what is unlikely too: "who won gold twice" has 1 of 3 words.
    unsure = {"document": "Ann won silver."}
    assert scores(Feqa(), "Ann won gold twice.", **unsure) == {"f1": 0, "em": 0, "answered": 0}
    assert scores(Feqa(threshold=1.0), "Ann won gold twice.", **unsure) == {"f1": 1, "em": 1, "answered": 1}


@pytest.mark.parametrize("form", ["question", "blank"])
def test_apes_asks_for_entities_of_the_reference(form, by_hand):
    # By hand, entities have four letters: Robert alone. Rob is answered, which is not exactly it.
    values = scores(Apes(form=form), "Robert lost money.")
    assert values == {"apes": 1, "f1": 1}
    gap = {"question": "who", "blank": "MASKED"}[form]
    assert by_hand.pairs[0][0].rstrip(".") == f"{gap} lost money badly"
    assert scores(Apes(form=form), "Rob lost money.") == {"apes": 0, "f1": 0}
    assert np.isnan(scores(Apes(form=form), references=("Ann won.",))["apes"])


@pytest.mark.parametrize(
    ("answer", "same"),
    [("Lee", 1), ("the mayor Ann Lee", 1), ("ann lee.", 1), ("Ann", 1), ("Leeds", 0), ("Lee Ann", 0), ("", 0)],
)
def test_a_name_within_the_other_is_the_same_entity_for_apes(answer, same):
    # The expected entity is Ann Lee; as in the authors' code whole words decide, not letters.
    given = Answer(answer, 0, len(answer), 0.5, 0.5, answered=True)
    for by, worth in (("model", same), ("people", same), ("model, verified", 0)):  # people's own word stays
        assert _judge_entity(AnswerVerdict("who won", "Ann Lee", 0, 7, given, 0.0, 0.5, 0.5, by=by)).exact == worth
    nothing = replace(given, answered=False)
    assert _judge_entity(AnswerVerdict("who won", "Ann Lee", 0, 7, nothing, 0.0, 0.0, 0.0)).exact == 0


def test_apes_counts_and_shows_entities():
    # By hand a name is one word: for Robert the summary says the chunk below, which has the name in it.
    case = example("Robert lost money.")
    longer = Answer("old Robert", 0, 10, 1.0, 0.0, answered=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ByHand, "_answer", lambda self, question, text: longer)
        assert Apes().score([case])[0] == pytest.approx([1, 2 / 3])  # F1 of 1 word in 1 and 2
        assert Apes().explain(case).headline.endswith("1 of 1 question answered right")


def test_apes_always_takes_an_answer_when_told():
    # "who lost money badly": 1 of 3 words, not answerable 2/3 > 0.6; the authors' reader knew no "not answerable".
    assert scores(Apes(), "Robert lost.") == {"apes": 0, "f1": 0}
    assert scores(Apes(threshold=1.0), "Robert lost.") == {"apes": 1, "f1": 1}


@pytest.mark.parametrize("name", ["apes", "summaqa"])
def test_blanks_are_not_for_an_answerer_that_looks_for_question_words(name):
    with pytest.raises(MetricError, match=rf"{name}\(form=blank\) asks without a question word"):
        parse_metric(f"{name}(form=blank,model=slots)")
    assert parse_metric(f"{name}(model=slots)").form == "question"


def test_summaqa_always_takes_an_answer():
    # Robert: "who lost money badly" shares 1 of 3 words with the summary: probability 1/3, answered although unsure.
    values = scores(SummaQa(), "Robert lost.", document=REFERENCE)
    assert values == {"f1": 1, "probability": pytest.approx(1 / 3)}
    assert scores(SummaQa(threshold=0.5), "Robert lost.", document=REFERENCE) == {"f1": 0, "probability": 0}


def test_questeval_is_precision_and_recall():
    # The summary asks "who won silver": the document answers Ann, F1 1: precision 1.
    # The document asks "who won gold" (1 of 2 words: 1 - null = 1/2) and "who lost money badly" (0): recall 1/4.
    values = scores(QuestEval(), document=REFERENCE)
    assert values == {"precision": 1, "recall": 0.25, "f1": pytest.approx(0.4)}
    assert scores(QuestEval(), "It rained.", document="Ann won.")["f1"] == 0
    # No question on one side: missing, as is what needs both sides.
    none = scores(QuestEval(), "nothing happened.", document=REFERENCE)
    assert np.isnan([none["precision"], none["f1"]]).all()
    assert none["recall"] == 0


def test_recall_counts_answers_in_other_words_and_precision_does_not():
    # Eve for Ann: "who won gold" is answered for certain on the other side, with another name, both ways.
    values = scores(QuestEval(), "Eve won gold.", document="Ann won gold.")
    assert values == {"precision": 0, "recall": 1, "f1": 0}


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_summary_has_0_and_empty_texts_beside_it_are_missing(name):
    metric = parse_metric(name)
    values = scores(metric, " ", document=REFERENCE)
    assert set(values.values()) == {0}
    nothing = scores(metric, references=("", "  "), document=" ")
    assert np.isnan(list(nothing.values())).all()


@pytest.mark.parametrize("name", NAMES)
def test_other_languages_are_refused_unless_models_are_named(name):
    case = example(document=REFERENCE, language="de")
    with pytest.raises(MetricError, match=f"{name} reads English, not 'de': its embedded models"):
        parse_metric(name).score([case])
    with pytest.raises(MetricError, match="its embedded models know no other language"):
        parse_metric(f"{name}(model=some-german-model)").score([case])
    named = parse_metric(f"{name}(model=some-german-model,asker=some-german-asker)")
    assert named.score([case]).shape == (1, len(named.columns))


def test_settings_are_checked_and_signed():
    for wrong, says in (("threshold=2", "from 0 to 1"), ("most=0", "at least 1"), ("answers=verbs", "is one of")):
        with pytest.raises(MetricError, match=says):
            parse_metric(f"qaeval({wrong})")
    with pytest.raises(MetricError, match="aspect is one of faithfulness, focus, coverage"):
        parse_metric("qags(aspect=beauty)")
    for setting in ("answers=entities", "threshold=0.3", "most=7"):
        metric = parse_metric(f"qaeval({setting})")
        assert f"|{setting.replace('=', ':')}|" in metric.signature()
        assert metric.spelling == f"qaeval({setting})"


def test_a_template_needs_an_asker_that_reads_it():
    with pytest.raises(MetricError, match="qaeval cannot have a template without an asker by name"):
        parse_metric("qaeval(template=[{answer}])")
    with pytest.raises(MetricError, match=r"a template holds \{answer\}"):
        parse_metric("qags(asker=some/model,template=xx)")


def test_a_document_is_needed():
    with pytest.raises(DataError, match="feqa needs `document`"):
        gm.score([example()], "feqa", cache=False)
    assert parse_metric("qags(aspect=focus)").lacking(example()) is None
    assert parse_metric("qags").lacking(example()) == "document"


def test_the_evidence_has_every_pair_and_marks_both_spans():
    shown = QaEval().explain(example(references=(REFERENCE, "Ann won.")))
    assert shown.headline.startswith("f1 0.750, em 0.750, graded 0.625, answered 0.750: 2 of 3 questions")
    assert [pane.title for pane in shown.panes] == ["summary", "reference 1", "reference 2", "questions"]
    rows = [row[:4] for row in shown.table.rows]
    assert rows == [
        ("who won gold", "Ann", "Ann", "right"),
        ("who lost money badly", "Robert", "-", "not answered"),
        ("who won", "Ann", "Ann", "right"),
    ]
    summary, first, second, questions = (
        [(pane.text[mark.start : mark.end], mark.group, mark.also) for mark in pane.marks] for pane in shown.panes
    )
    assert summary == [("Ann", 0, (2,))]  # answers the first and the third question
    assert first == [("Ann", 0, ()), ("Robert", 1, ())]
    assert second == [("Ann", 2, ())]
    assert [(text, group) for text, group, _ in questions] == [(row[0], n) for n, row in enumerate(rows)]
    assert QaEval().explain(example(references=("it rained.",))).headline.startswith("nothing to ask: ")
