"""What was asked is found again: in the process, on the store, and by `report` and `explain` after `score`."""

from contextlib import closing

import pytest

import gistmeter as gm
from gistmeter.example import Example
from gistmeter.metrics.question.feqa import Feqa
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.metrics.question.questeval import QuestEval
from gistmeter.models.answering.spans import NO_ANSWER, answer_from_guesses, make_guess
from gistmeter.models.asking.asker import Question
from gistmeter.qa import examiner
from gistmeter.qa.answer_store import use_answer_store
from gistmeter.qa.cache import ANSWERS, QUESTIONS
from gistmeter.scoring.answer_store import CachedAnswers, use_cached_answers
from gistmeter.scoring.cache import ScoreCache, cache_path

TEXT = "Ann won gold. Robert lost money badly."
GUESSES = (make_guess(TEXT, 0, 3, 0.1 + 0.2), make_guess(TEXT, 14, 20, 0.2))
RUN = [
    Example(doc_id="d", system=system, summary=summary, references=(TEXT,), document=f"{TEXT} Nobody else did.")
    for system, summary in (("a", "Ann won silver."), ("b", "Robert lost."), ("c", "Nobody won money."))
]


class DictStore(dict):
    """An answer store in memory."""

    def look_up(self, keys):
        return {key: self[key] for key in keys if key in self}

    def save(self, values, kind):
        self.update(values)


@pytest.fixture
def another_process(by_hand):
    """Forget what this process remembers, and what was asked."""

    def start():
        for cache in (examiner.QUESTIONS, examiner.ANSWERS):
            cache.clear()
        by_hand.texts.clear()
        by_hand.pairs.clear()

    return start


def never(missing):
    pytest.fail(f"{missing} were asked")


@pytest.mark.parametrize(
    ("cache", "content", "result"),
    [
        (ANSWERS, ("who won?", TEXT), answer_from_guesses(GUESSES, 1 / 3, answered=False)),
        (ANSWERS, ("who won?", TEXT), NO_ANSWER),
        (QUESTIONS, (TEXT,), (Question("who won \udce4?", "Ann", 0, 3), Question("who?", "Robert", 14, 20))),
        (QUESTIONS, (TEXT,), ()),
    ],
)
def test_a_store_gives_back_exactly_what_was_made(cache, content, result):
    store = DictStore()
    with use_answer_store(store):
        cache.clear()
        assert cache.get_or_make(("who",), [content, content], lambda missing: [result] * len(missing)) == {
            content: result
        }
        cache.clear()
        assert cache.get_or_make(("who",), [content], never) == {content: result}
        # Another asker, another text, and another memory are other things; so is text that moved from part to part.
        cache.clear()
        results = []
        for who, other in ((("wh", "o"), content), (("who",), (f"{content[0]} ", *content[1:]))):
            cache.get_or_make(who, [other], lambda missing: results.extend(missing) or [result] * len(missing))
        assert len(results) == 2


@pytest.mark.parametrize("rubbish", [b"", b"\0" * 7, b"\xff" * 32, b"[[1]]", b'[["who?", "Bob", 0, 3]]', b"7"])
@pytest.mark.parametrize(("cache", "content"), [(ANSWERS, ("who won?", TEXT)), (QUESTIONS, (TEXT,))])
def test_rubbish_in_the_store_is_made_anew(cache, content, rubbish):
    store, result = DictStore(), NO_ANSWER if cache is ANSWERS else ()
    with use_answer_store(store):
        cache.clear()
        cache.get_or_make((), [content], lambda missing: [result])
        (key,) = store
        right, store[key] = store[key], rubbish
        cache.clear()
        assert cache.get_or_make((), [content], lambda missing: [result]) == {content: result}
        assert store == {key: right}


@pytest.mark.more
def test_report_and_explain_ask_nothing_that_score_asked(by_hand, another_process, tmp_path):
    scores = gm.score(RUN, "qaeval,questeval,feqa", output=tmp_path / "scores.parquet")
    assert by_hand.pairs
    another_process()
    gm.write_report(scores, tmp_path / "cached.html", run=RUN)
    retained = gm.explain(RUN[0], "qaeval", cache=True)
    assert (by_hand.texts, by_hand.pairs) == ([], [])
    another_process()
    gm.write_report(scores, tmp_path / "plain.html", run=RUN, cache=False)
    assert by_hand.texts
    assert by_hand.pairs
    assert retained == gm.explain(RUN[0], "qaeval")
    first, other = ((tmp_path / f"{name}.html").read_text().split('"details"')[1] for name in ("cached", "plain"))
    assert first == other


def test_without_a_cache_nothing_is_kept_or_looked_for(by_hand, another_process, checked_command, tmp_path):
    (tmp_path / "run.jsonl").write_text('{"doc_id": "1", "summary": "Ann won.", "reference": "Ann won gold."}\n')
    checked_command("score", "run.jsonl", "-m", "qaeval", "-o", "scores.parquet", "--no-cache")
    assert not cache_path().exists()
    why = ("explain", "run.jsonl", "--doc", "1", "--system", "run", "-m", "qaeval")
    for number, option in enumerate(([], [], ["--no-cache"])):
        another_process()
        checked_command(*why, *option)
        assert bool(by_hand.pairs) == (number != 1)  # asked, then found, then asked again on demand
    another_process()
    checked_command("report", "scores.parquet")
    assert not by_hand.pairs
    checked_command("report", "scores.parquet", "--no-cache")
    assert not by_hand.pairs  # this process remembers
    another_process()
    checked_command("report", "scores.parquet", "--no-cache")
    assert by_hand.pairs


def test_changed_code_asks_anew(by_hand, another_process, monkeypatch):
    with use_cached_answers():
        QaEval().score(RUN)
    monkeypatch.setattr("gistmeter.scoring.answer_store.module_digest", lambda module: f"changed {module}")
    another_process()
    with use_cached_answers():
        QaEval().score(RUN)
    assert by_hand.pairs


def test_a_cache_that_cannot_be_used_costs_nothing_but_time(by_hand, another_process):
    cache_path().write_bytes(b"no database at all" * 100)
    with use_cached_answers():
        first = QaEval().score(RUN)
    assert not ScoreCache(cache_path()).is_usable
    another_process()
    assert QaEval().score(RUN).tolist() == first.tolist()


def test_a_cap_and_a_threshold_ask_and_answer_nothing_again(by_hand):
    Feqa().score(RUN)
    QuestEval(most=1, threshold=0.1).score(RUN)
    texts, pairs = list(by_hand.texts), list(by_hand.pairs)
    assert len(set(texts)) == len(texts) == 4  # three summaries, one document
    assert len(set(pairs)) == len(pairs)
    whole = [QuestEval(most=most, threshold=0.5).score(RUN) for most in (None, 1)]
    assert by_hand.texts == texts
    fresh = {pair for pair in by_hand.pairs if pair not in pairs}
    assert fresh  # the document's other questions
    assert not fresh & set(pairs)
    assert (whole[0] != whole[1]).any()


def test_answers_outlive_the_process_in_a_cache_alone(tmp_path):
    with closing(ScoreCache(tmp_path / "scores.sqlite")) as cache:
        assert CachedAnswers(cache).saves is True
    assert CachedAnswers(None).saves is False
