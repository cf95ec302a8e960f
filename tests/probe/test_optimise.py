"""The summaries that a metric likes best: searched in three ways, within a length, on bad input."""

import json
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import GistmeterError
from gistmeter.metrics import Column, Metric, parse_metric
from gistmeter.metrics.extracts import TextExtracts
from gistmeter.probe.search.candidates import Candidates
from gistmeter.probe.search.strategies import search_extracts

DOCUMENT = (
    "The harbour was closed on Monday. Nobody said why. A storm closed the harbour of the town on Monday and Tuesday. "
    "Ships waited outside. The storm ended on Tuesday night, and the ships came in. The mayor thanked the sailors."
)
SENTENCES = [f"{part}." for part in DOCUMENT.split(".") if part.strip()]


def make_run(document=DOCUMENT, **fields):
    return [
        {"doc_id": "d", "system": name, "summary": text, "document": document, **fields}
        for name, text in (("a", "The harbour was closed."), ("b", "It was a nice day."))
    ]


def best_by_hand(metric, sign, most=3, most_words=10**9):
    """The best extract of `SENTENCES`, each scored as a summary."""
    chosen, value = None, -np.inf
    for size in range(1, most + 1):
        for choice in combinations(range(len(SENTENCES)), size):
            text = "\n".join(SENTENCES[position].strip() for position in choice)
            if len(text.replace(",", " ").split()) > most_words:
                continue
            example = gm.Example(doc_id="d", system="x", summary=text, document=DOCUMENT)
            score = sign * parse_metric(metric).score([example])[0, 0]
            if score > value + 1e-9:
                chosen, value = choice, score
    return chosen, sign * value


@pytest.mark.parametrize("words", [None, 14])
def test_exact_search_is_brute_force(words):
    probe = gm.probe.optimise(make_run(), "js", search="exact", sentences=3, words=words, cache=False)
    chosen, value = best_by_hand("js", -1, most_words=words or 10**9)
    assert probe.documents[0].sentences == chosen
    assert probe.documents[0].score == pytest.approx(value, abs=1e-12)
    assert words is None or probe.documents[0].words <= words


@given(
    values=st.lists(st.floats(-5, 5), min_size=1, max_size=7),
    bonus=st.floats(-1, 1),
    most=st.integers(1, 4),
    most_words=st.none() | st.integers(1, 20),
    seed=st.integers(0, 100),
)
@settings(max_examples=60, deadline=None)
def test_searches_against_going_through_all(values, bonus, most, most_words, seed):
    """A value of each sentence and a value of neighbours: what the exact search finds, no other search betters."""
    lengths = tuple(np.random.default_rng(seed).integers(1, 9, len(values)).tolist())
    candidates = Candidates(("x",) * len(values), lengths, most, most_words)

    def score(choices, **_):
        neighbours = [sum(b - a == 1 for a, b in pairwise(choice)) for choice in choices]
        return np.array([sum(values[i] for i in c) + bonus * n for c, n in zip(choices, neighbours, strict=True)])

    allowed = [
        choice
        for size in range(1, most + 1)
        for choice in combinations(range(len(values)), size)
        if most_words is None or sum(lengths[i] for i in choice) <= most_words
    ]
    assert list(candidates.list_all()) == allowed
    assert candidates.count_all() == len(allowed)
    finds = {search: search_extracts(candidates, score, search=search) for search in ("greedy", "beam", "exact")}
    if not allowed:
        assert set(finds.values()) == {None}
        return
    assert finds["exact"].value == pytest.approx(max(score(allowed)), abs=1e-6)
    assert all(each.choice in allowed for each in finds.values())
    assert all(each.value <= finds["exact"].value + 1e-6 for each in finds.values())
    assert finds["greedy"].value <= finds["beam"].value + 1e-6
    assert finds["greedy"].value >= max(score([choice for choice in allowed if len(choice) == 1])) - 1e-9


def test_a_beam_that_loses_the_greedy_path_finds_no_less():
    """Of four the greedy search takes 0, 0+1 and 0+1+2; a beam of two keeps 1+2 and 1+3, and loses 0+1."""
    values = {(0,): 5, (1,): 4, (2,): 3, (3,): 3, (0, 1): 6, (1, 2): 7, (1, 3): 7, (0, 1, 2): 9}
    candidates = Candidates(("x",) * 4, (1, 1, 1, 1), 3, None)

    def score(choices, **_):
        return np.array([float(values.get(choice, 0)) for choice in choices])

    finds = {search: search_extracts(candidates, score, search=search, beam=2) for search in ("greedy", "beam")}
    assert finds["greedy"].choice == finds["beam"].choice == (0, 1, 2)
    assert finds["beam"].tried == 9 + 4 + 5 + 3  # greedy: 4 + 3 + 2


def test_pairs_come_first_where_no_sentence_has_a_score_alone():
    """As for coherence, which holds each sentence against the one before."""

    def score(choices, **_):
        return np.array([np.nan if len(choice) < 2 else float(sum(choice)) for choice in choices])

    candidates = Candidates(("x",) * 4, (1, 1, 1, 1), 3, None)
    for search in ("greedy", "beam", "exact"):
        assert search_extracts(candidates, score, search=search).choice == (1, 2, 3)
    nothing = search_extracts(candidates, lambda choices, **_: np.full(len(choices), np.nan), search="greedy")
    assert nothing is None


@dataclass(frozen=True, slots=True)
class Faulty(Metric):
    """A metric whose `read_extracts` has a slip."""

    slip: str = "crash"

    name = "faulty"
    needs = frozenset({"document"})
    columns = (Column("share", "what there is"),)

    def score(self, examples):
        return np.ones((len(examples), 1))

    def read_extracts(self, example, sentences):
        return TextExtracts(tuple(sentences), self._score_texts)

    def _score_texts(self, texts):
        return {"flat": np.ones(len(texts)), "short": np.ones((1, 1)), "list": [[1] for _ in texts]}[self.slip]


def test_a_slip_in_a_metric_of_a_user_is_one_sentence():
    with pytest.raises(GistmeterError, match=r"faulty.* failed when scoring extracts of d: KeyError: 'crash'"):
        gm.probe.optimise(make_run(), Faulty(), cache=False)
    for slip in ("flat", "short"):
        with pytest.raises(GistmeterError, match=r"gave scores of shape \(.*\) for 6 extracts: `read_extracts` gives"):
            gm.probe.optimise(make_run(), Faulty(slip), cache=False)
    assert gm.probe.optimise(make_run(), Faulty("list"), cache=False).optimised.score == 1.0


def test_greedy_stops_when_nothing_gains():
    # One sentence says all that the document says twice: any other sentence makes the words less alike.
    document = "Rain fell on Rome. Rain fell on Rome. A dog barked once."
    probe = gm.probe.optimise(make_run(document), "simetrix.topic_tokens", cache=False)
    assert len(probe.documents[0].sentences) == 1


def test_lower_is_better_where_the_metric_says_so():
    lower = gm.probe.optimise(make_run(), "js", cache=False)
    higher = gm.probe.optimise(make_run(), "simetrix.cosine", cache=False)
    assert (lower.better, higher.better) == ("lower", "higher")
    for probe in (lower, higher):
        assert probe.rank == 1
        assert probe.standings[0].name == "(optimised)"
        assert probe.is_better(probe.documents[0].score, probe.documents[0].system_scores["a"])


def test_the_length_is_told_unless_it_is_bounded():
    free = gm.probe.optimise(make_run(), "js", cache=False)
    bounded = gm.probe.optimise(make_run(), "js", words=5, cache=False)
    assert free.length_share == pytest.approx(free.documents[0].words / 4.5)  # the systems have 4 and 5 words
    assert "times as many" in free.notes[0]
    assert "`words=4` bounds it" in free.notes[0]
    assert bounded.documents[0].words <= 5
    (note,) = bounded.notes
    assert note.endswith("`search=beam` finds better extracts")
    assert not gm.probe.optimise(make_run(), "js", words=5, search="beam", cache=False).notes


def test_sentences_are_taken_from_the_beginning_when_asked():
    probe = gm.probe.optimise(make_run(), "js", first_words=7, cache=False)  # two sentences begin within 7 words
    assert set(probe.documents[0].sentences) <= {0, 1}


def test_references_are_scored_and_no_reference_is_nan():
    run = make_run(references=["A storm closed the harbour.", "Other words."])
    probe = gm.probe.optimise(run, "js", cache=False)
    expected = gm.score_one(summary="A storm closed the harbour.", document=DOCUMENT, metrics="js")["js.divergence"]
    assert probe.reference.score == pytest.approx(expected, abs=1e-12)
    assert np.isnan(gm.probe.optimise(make_run(), "js", cache=False).reference.score)


def test_a_probe_is_read_as_it_was_written(tmp_path):
    run = [*make_run(references=["A storm closed the harbour."]), *make_run(doc_id="e")]
    probe = gm.probe.optimise(run, "js", output=tmp_path / "probe.jsonl", cache=False)
    again = gm.probe.read_probe(tmp_path / "probe.jsonl")
    assert again.to_dict() == probe.to_dict()
    assert again.documents[0] == probe.documents[0]
    assert np.isnan(again.documents[1].reference_score)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"doc_id": "d"}\n', "is no file of a probe"),
        ("", "is no file of a probe"),
        ('{"gistmeter_probe": 1, "metric": "js"}\n{"doc_id": "d", "summary": "x", "score": 1, "words": 1}\n', "line 1"),
        ('{"gistmeter_probe": 1}\n{"doc_id": 3}\n', "line 2 of"),
    ],
)
def test_other_files_are_no_probes(tmp_path, content, sentence):
    (tmp_path / "probe.jsonl").write_text(content)
    with pytest.raises(GistmeterError, match=sentence):
        gm.probe.read_probe(tmp_path / "probe.jsonl")


@pytest.mark.parametrize(
    ("metric", "options", "sentence"),
    [
        ("rouge2", {}, "rouge2 needs references, which are not there when a summary is chosen"),
        ("lite3pyramid", {}, "lite3pyramid needs references"),
        ("js,simetrix", {}, "one metric at a time"),
        ("simetrix.cosin", {}, "did you mean cosine"),
        ("length", {}, "neither that higher nor that lower is better"),
        ("nothing", {}, "unknown metric"),
        ("js", {"search": "gredy"}, "did you mean greedy"),
        ("js", {"sentences": 0}, "`sentences` is at least 1"),
        ("js", {"words": 1}, "there is nothing to choose: no document has a sentence of at most 1 word"),
        ("estime(model=./nowhere)", {}, "nowhere"),
    ],
)
def test_bad_input_is_one_sentence(metric, options, sentence):
    with pytest.raises(GistmeterError, match=sentence) as raised:
        gm.probe.optimise(make_run(), metric, cache=False, **options)
    assert "\n" not in str(raised.value)


def test_a_language_that_the_metric_does_not_read_is_refused():
    with pytest.raises(GistmeterError, match="questeval reads English, not 'de'"):
        gm.probe.optimise(make_run("Es regnet. Es schneit.", language="de"), "questeval", cache=False)


def test_documents_that_cannot_be_searched_are_named():
    with pytest.raises(GistmeterError, match="the run is empty"):
        gm.probe.optimise([], "js")
    with pytest.raises(GistmeterError, match="extracts are chosen from the document, but d has no `document`"):
        gm.probe.optimise([{"doc_id": "d", "summary": "x"}], "js")
    run = [*make_run(), *make_run("...", doc_id="empty"), *make_run("It rained.", doc_id="short")]
    notes = gm.probe.optimise(run, "js", words=20, sentences=3, cache=False).notes
    assert any("left out 1 document without a sentence to choose: empty" in note for note in notes)
    assert any("2 documents with fewer than 3 sentences" in note for note in notes)
    run = [*make_run(), *make_run("It rained a lot. " * 300, doc_id="long")]
    with pytest.raises(GistmeterError, match="an exact `search` would go through 4,500,250 extracts of long"):
        gm.probe.optimise(run, "js", search="exact", cache=False)  # 300 choose 1, 2 or 3
    within = gm.probe.optimise(run, "js", search="exact", sentences=3, words=7, cache=False)
    assert within.documents[1].tried == 300  # of 4 words each, so that no two fit


def test_on_the_command_line(command, tmp_path):
    options = ("-m", "js", "--words", "25", "-o", "probe.jsonl", "--json")
    code, output, errors = command("probe", "optimise", demo_run(), *options)
    assert code == 0, errors
    shown = json.loads(output)
    assert shown["method"] == "optimise"
    assert shown["settings"]["words"] == "25"
    assert {row["system"] for row in shown["rows"]} >= {"(optimised)", "(reference)"}
    assert gm.probe.read_probe(tmp_path / "probe.jsonl").rank == shown["rank"]
    code, _, errors = command("probe", "optimise", demo_run(), "-m", "rouge1")
    assert code == 2
    assert "rouge1 needs references" in errors


def test_a_search_that_was_stopped_goes_on_with_the_next_document(monkeypatch):
    from gistmeter.probe.search import optimise as module

    run = [record for name in "abcd" for record in make_run(doc_id=name, document=f"{DOCUMENT} It rained on {name}.")]
    expected = gm.probe.optimise(run, "js", cache=False)
    searched = []

    def search_and_stop(target, source, candidates, options, stop_at="c"):
        if source.doc_id == stop_at:
            raise KeyboardInterrupt
        searched.append(source.doc_id)
        return search(target, source, candidates, options)

    search = module.search_document
    monkeypatch.setattr(module, "search_document", search_and_stop)
    with pytest.raises(KeyboardInterrupt):
        gm.probe.optimise(run, "js")
    assert searched == ["a", "b"]
    monkeypatch.setattr(module, "search_document", lambda *given: search_and_stop(*given, stop_at=None))
    steps = []
    probe = gm.probe.optimise(run, "js", progress=lambda done, total: steps.append((done, total)))
    assert searched == ["a", "b", "c", "d"]
    assert probe.to_dict() == expected.to_dict()
    assert steps[-1] == (4 + 4 * 3, 4 + 4 * 3)  # documents searched, then two systems and the extract of each scored
    gm.probe.optimise(run, "js", words=20)  # another search finds nothing of this one
    assert searched == [*"abcd", *"abcd"]


def test_ctrl_c_says_what_is_left(command, monkeypatch):
    from gistmeter.probe.search import optimise as module

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "search_document", stop)
    code, _, errors = command("probe", "optimise", demo_run(), "-m", "js")
    assert code == 130
    assert "stopped; the same command goes on where it was" in errors
