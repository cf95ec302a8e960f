"""The examiner without models by hand: missing parts, and the real asker beside an answerer by hand."""

import sys

import pytest

from asked_by_hand import ByHand
from gistmeter.errors import MetricError, MissingExtraError
from gistmeter.example import Example
from gistmeter.linguistics import parser
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.qa.examiner import Examiner, spread_evenly
from gistmeter.qa.verdicts import Exchange, TitledText

EXAMPLE = Example(doc_id="d", system="s", summary="Ann won.", references=("Ann won the race in Oslo.",))


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setattr(parser, "_load_pipeline", parser._load_pipeline.__wrapped__)
    with pytest.raises(MissingExtraError, match=r"parsing needs spacy: pip install .*\[models\]'"):
        QaEval().score([EXAMPLE])


def test_a_model_that_is_not_there_is_named():
    with pytest.raises(MetricError, match=r"there is no model folder \./nowhere"):
        QaEval(model="./nowhere").score([EXAMPLE])
    with pytest.raises(MetricError, match=r"there is no model folder \./nowhere"):
        QaEval(asker="./nowhere").score([EXAMPLE])


def test_the_real_asker_s_phrases_are_marked_where_they_stand(monkeypatch):
    monkeypatch.setattr(Examiner, "_answerer", lambda self: ByHand().answerer(self.threshold))
    text = "It rained. Ann Lee won the race in Oslo."
    (verdicts,) = Examiner().examine([Exchange(TitledText("reference", text), TitledText("summary", "Ann Lee won."))])
    assert {verdict.expected for verdict in verdicts} >= {"Ann Lee", "the race", "Oslo"}
    assert all(text[verdict.start : verdict.end] == verdict.expected for verdict in verdicts)


@pytest.mark.parametrize(("most", "retained"), [(None, "abcde"), (9, "abcde"), (3, "ace"), (2, "ae"), (1, "a")])
def test_questions_are_spread(most, retained):
    assert "".join(spread_evenly("abcde", most)) == retained
