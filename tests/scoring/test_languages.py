"""Languages of a run: unknown ones, those that a metric does not read, and those that are mistaken."""

import json

import pytest

import gistmeter as gm
from gistmeter.errors import DataError, GistmeterWarning, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric

GERMAN = "Der Rat hat am Montag das neue Budget beschlossen, aber die Steuern sind nicht gesunken."


def make_run(language="en", **fields):
    return [
        Example(doc_id=f"{number}", system="a", summary=GERMAN, references=(GERMAN[:40],), language=language, **fields)
        for number in range(20)
    ]


def test_an_unknown_language_of_a_record_is_named_with_its_line_and_how_many(tmp_path):
    file = tmp_path / "run.jsonl"
    languages = ["de", "germn", "de", "zz"]
    records = [{"summary": GERMAN, "reference": GERMAN, "language": language} for language in languages]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    with pytest.raises(DataError, match=r"line 2 of .*'germn'; did you mean German \(de\).*2 of 4 records name"):
        gm.score(file, "rouge1")


def test_an_unknown_language_is_refused_in_python():
    with pytest.raises(DataError, match="unknown language 'zz'"):
        gm.score([{"summary": GERMAN, "reference": GERMAN}], "rouge1", language="zz")
    with pytest.raises(DataError, match=r"example 1 .*unknown language 'zz'"):
        gm.score(make_run("zz"), "rouge1")


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_german_scored_as_english_is_noted_once():
    notes = [note for note in gm.score(make_run(), "rouge1,rouge2").notes if "German (de)" in note]
    assert len(notes) == 1
    assert '`language="de"`' in notes[0]
    assert not any("look" in note for note in gm.score(make_run("de"), "rouge1").notes)


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_a_language_that_no_record_takes_is_noted():
    record = {"summary": GERMAN, "reference": GERMAN[:40]}
    named, unnamed = [{**record, "language": "de"}], [{**record, "language": "de"}, record]
    [note] = [note for note in gm.score(named, "rouge1", language="fr").notes if "name" in note]
    assert note.startswith('`language="fr"`')
    assert note.endswith("they were scored as German (de)")
    for run, language in ((unnamed, "fr"), (named, "German"), (named, None)):
        assert not any("do not name" in note for note in gm.score(run, "rouge1", language=language).notes)


def test_the_note_is_a_warning_in_python():
    with pytest.warns(GistmeterWarning, match=r"look German \(de\), but are scored as English \(en\)"):
        gm.score(make_run(), "rouge1")


@pytest.mark.parametrize(
    ("metric", "readers"),
    [
        ("qaeval", "bertscore, moverscore"),
        ("lite3pyramid", "bertscore, moverscore"),
        ("estime", "faithfulness, supert"),
        ("blanc", "faithfulness, supert"),
    ],
)
def test_a_metric_without_the_language_names_those_that_read_it(metric, readers):
    with pytest.raises(MetricError, match=rf"{metric} .*not 'tr'.*; {readers}.* read Turkish \(tr\)"):
        gm.score(make_run("tr", document=GERMAN), metric)


@pytest.mark.parametrize("metric", ["lite3pyramid(model=multilingual)", "lite2.5pyramid(model=multilingual)"])
def test_a_judge_of_another_language_does_not_cut_units_of_it(metric):
    with pytest.raises(MetricError, match=r"cuts units from English, not 'de': give roles .*lite2pyramid\(model="):
        parse_metric(metric).check_language("de")
    parse_metric(metric.replace(")", ",roles=roles.jsonl)")).check_language("de")


def test_metrics_that_lack_what_they_need_are_not_named():
    with pytest.raises(MetricError, match="qaeval reads English") as refused:
        gm.score(make_run("sw"), "qaeval")
    assert "; rouge1, bleu, chrf" in str(refused.value)
    assert "faithfulness" not in str(refused.value)


def test_a_metric_without_word_lists_names_itself():
    with pytest.raises(DataError, match=r"content: there is no stop-word list for language 'it'.*read Italian \(it\)"):
        gm.score(make_run("it"), "content")


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("germn", r"line 3 of .*run\.jsonl: unknown language 'germn'; did you mean German.*1 of 4 records names"),
        ("pl", r"lite2\.5pyramid cuts units from English, not 'pl'.*\(a/3, line 3 of .*run\.jsonl\)"),
    ],
)
def test_a_metric_that_reads_the_whole_run_first_names_the_record_too(tmp_path, language, message):
    file = tmp_path / "run.jsonl"
    units = [{"text": "It rained."}]
    records = [
        {"doc_id": number, "system": "a", "summary": "It rained.", "reference": "It rained a lot.", "units": units}
        for number in ("1", "2", "3", "4")
    ]
    records[2]["language"] = language
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    with pytest.raises((DataError, MetricError), match=message):
        gm.score(file, "lite2.5pyramid")
