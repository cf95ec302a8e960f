"""Token metrics outside English, with what installs: equal texts, paraphrases, nothing, evidence, signatures."""

from dataclasses import replace

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.embedding.moverscore import MoverScore
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.encoder.baselines import read_baseline
from gistmeter.models.encoder.make_baselines import make_baselines
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME, locate

pytestmark = pytest.mark.more

TEXTS = {
    "de": (
        "Der Stadtrat hat am Montag den neuen Haushalt beschlossen.",
        "Am Montag wurde vom Stadtrat der neue Etat gebilligt.",
        "Katzen schlafen den größten Teil des Tages in der Sonne.",
    ),
    "fr": (
        "Le conseil municipal a adopté lundi le nouveau budget.",
        "Lundi, le nouveau budget a été approuvé par la municipalité.",
        "Les chats dorment presque toute la journée au soleil.",
    ),
    "es": (
        "El ayuntamiento aprobó el lunes el nuevo presupuesto.",
        "El lunes el nuevo presupuesto fue aprobado por el consistorio.",
        "Los gatos duermen casi todo el día al sol.",
    ),
    "tr": (
        "Belediye meclisi pazartesi günü yeni bütçeyi onayladı.",
        "Yeni bütçe pazartesi günü meclis tarafından kabul edildi.",
        "Kediler günün çoğunu güneşte uyuyarak geçirir.",
    ),
    "ru": (
        "Городской совет в понедельник утвердил новый бюджет.",
        "В понедельник новый бюджет был одобрен советом города.",
        "Кошки спят на солнце почти весь день.",
    ),
    "zh": ("市议会周一批准了新的预算。", "新预算在星期一获得市议会通过。", "猫整天都在阳光下睡觉。"),
    "ja": (
        "市議会は月曜日に新しい予算を承認した。",
        "新しい予算は月曜日に市議会で可決された。",
        "猫は一日中日なたで眠る。",
    ),
    "id": (
        "Dewan kota menyetujui anggaran baru pada hari Senin.",
        "Anggaran baru disahkan oleh dewan kota pada hari Senin.",
        "Kucing tidur hampir sepanjang hari di bawah matahari.",
    ),
    "it": (
        "Il consiglio comunale ha approvato lunedì il nuovo bilancio.",
        "Lunedì il nuovo bilancio è stato approvato dal comune.",
        "I gatti dormono quasi tutto il giorno al sole.",
    ),
    "ar": (
        "وافق مجلس المدينة يوم الاثنين على الميزانية الجديدة.",
        "تمت الموافقة على الميزانية الجديدة من قبل المجلس يوم الاثنين.",
        "تنام القطط معظم النهار تحت أشعة الشمس.",
    ),
}
METRICS = ("bertscore", "focus", "coverage", "moverscore", "supert", "faithfulness")
OFTEN = ("de", "zh", "ja", "it", "ar")
"""The languages of the default tests; counting the words of each costs a second."""
LANGUAGES = [code if code in OFTEN else pytest.param(code, marks=pytest.mark.slow) for code in TEXTS]


def example(summary, reference, language):
    return Example(doc_id="d", system="s", summary=summary, references=reference, document=reference, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("metric", METRICS)
def test_equal_texts_score_one_and_paraphrases_more_than_others(language, metric):
    text, paraphrase, other = TEXTS[language]
    batch = [example(summary, text, language) for summary in (text, paraphrase, other, "", "。…")]
    same, close, far, empty, marks = parse_metric(metric).score(batch)[:, -1]
    assert same == pytest.approx(1, abs=2e-3 if metric == "moverscore" else 1e-5)
    assert 1 > close > far + 0.03
    assert empty == 0
    assert marks < close


@pytest.mark.parametrize("metric", ["bertscore", "focus", "moverscore"])
def test_no_words_in_the_reference_is_missing(metric):
    assert np.isnan(parse_metric(metric).score([example("Es regnet.", " ", "de")])).all()


def test_a_run_may_mix_languages():
    batch = [example(TEXTS[language][1], TEXTS[language][0], language) for language in OFTEN]
    batch.append(example("The cat sat.", "A cat sat there.", "en"))
    for metric in (BertScore(), MoverScore(), parse_metric("coverage")):
        alone = np.concatenate([metric.score([case]) for case in batch])
        np.testing.assert_allclose(metric.score(batch[::-1])[::-1], alone, atol=1e-5)


def test_the_signature_names_what_read_the_language():
    digests = {name: locate(name).digest for name in ("embedded", MULTILINGUAL_NAME)}
    texts = (("Es regnet.", "Regen.", "de"), ("Piove.", "Piove molto.", "it"), ("Rain.", "It rains.", "en"))

    def signature(metric, *chosen):
        run = [replace(example(*texts[row]), doc_id=str(row)) for row in chosen]
        return gm.score(run, metric).columns[0].signature

    english = signature("bertscore", 2)
    assert f"|model:all-MiniLM-L6-v2|references:highest|weights:{digests['embedded']}" in english
    german = signature("bertscore", 0)
    assert "|idf:background|language:de|layer:2|" in german
    assert f"|model:{MULTILINGUAL_NAME}|references:highest|weights:{digests[MULTILINGUAL_NAME]}" in german
    assert "|idf:vocabulary|language:it|" in signature("bertscore", 1)
    mixed = signature("bertscore", 0, 1, 2)
    assert f"|model:all-MiniLM-L6-v2+{MULTILINGUAL_NAME}|" in mixed
    assert "|idf:background+vocabulary|language:de+en+it|layer:2+6|" in mixed
    assert "|metric.idf:none|" in signature("focus", 2)
    assert "|metric.idf:background|metric.layer:2|" in signature("focus", 0)


def test_a_language_that_it_does_not_read_is_refused_with_the_way_out():
    with pytest.raises(MetricError, match="idf=vocabulary needs the vocabulary of universal-sentence-encoder"):
        BertScore(idf="vocabulary").score([example("Rain.", "It rains.", "en")])
    for metric in ("bertscore", "moverscore", "focus"):
        with pytest.raises(MetricError, match=r"does not read 'sw'.*model=bert-base-multilingual-uncased"):
            parse_metric(metric).score([example("Mvua.", "Mvua kubwa.", "sw")])


def test_stored_scores_of_one_setting_are_not_taken_for_another(tmp_path, monkeypatch):
    """In English layer 6 is the default, and `focus` has no idf: these differ in German alone."""
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path / "cache"))
    run = [example(TEXTS["de"][1], TEXTS["de"][0], "de")]
    weighed = gm.score(run, "focus", cache=True).table["focus.focus"][0]
    even = gm.score(run, {"even": parse_metric("focus(metric=bertscore(idf=none))")}, cache=True)
    assert even.table["even.focus"][0] == pytest.approx(
        parse_metric("focus(metric=bertscore(idf=none))").score(run)[0, 0]
    )
    assert even.table["even.focus"][0] != weighed
    gm.score(run, "bertscore", cache=True)
    for metric in ("bertscore(layer=6)", "bertscore(model=all-MiniLM-L6-v2)"):
        with pytest.raises(MetricError):
            gm.score(run, metric, cache=True)


def test_layers_of_several_widths_are_not_joined():
    with pytest.raises(MetricError, match="layers of one width, which universal-sentence-encoder-multilingual has not"):
        MoverScore(states="powers").score([example("Es regnet.", "Regen.", "de")])


def test_idf_of_references_goes_by_language():
    text, paraphrase, other = TEXTS["de"]
    german = [example(paraphrase, text, "de"), example(text, other, "de")]
    english = [example("It rained.", "Rain fell.", "en")]
    metric = BertScore(idf="references")
    mixed, alone = metric.fit([*german, *english]), metric.fit(german)
    np.testing.assert_allclose(mixed.score(german), alone.score(german), atol=1e-6)
    np.testing.assert_allclose(mixed.score(english), metric.fit(english).score(english), atol=1e-6)
    assert mixed.facts()["idf"].startswith(alone.facts()["idf"])


@pytest.mark.parametrize(
    ("language", "summary", "reference", "word", "partner"),
    [
        ("zh", "委员会批准了预算。", "预算获委员会批准。", "委员会", "委员会"),
        ("ar", "وافق المجلس على الميزانية.", "الميزانية وافق عليها المجلس.", "الميزانية", "الميزانية"),
        ("de", "Der Haushalt wurde beschlossen.", "Beschlossen wurde der Haushalt.", "Haushalt", "Haushalt"),
        ("th", "อนุมัติงบประมาณแล้ว", "งบประมาณได้รับอนุมัติ", "งบประมาณ", "งบประมาณ"),
    ],
)
@pytest.mark.parametrize("metric", ["bertscore", "moverscore"])
def test_evidence_marks_whole_words_where_they_stand(metric, language, summary, reference, word, partner):
    evidence = parse_metric(metric).explain(example(summary, reference, language))
    left, right = evidence.blocks[0], evidence.blocks[1]
    marked = {left.text[mark.start : mark.end]: mark for mark in left.marks}
    assert word in marked
    groups = {marked[word].group, *marked[word].also}
    linked = [right.text[mark.start : mark.end] for mark in right.marks if groups & {mark.group, *mark.also}]
    assert partner in linked


def test_a_baseline_of_another_language(tmp_path, monkeypatch):
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    nouns, verbs = (
        ("Hund", "Rat", "Fluss", "Preis", "Zug", "Wald", "Arzt", "Markt", "Film", "Plan"),
        ("fällt", "steigt"),
    )
    sentences = [f"Der {noun} von {other} {verb}." for noun in nouns for other in nouns for verb in verbs]
    (tmp_path / "text.txt").write_text("\n".join(sentences), encoding="utf-8")
    (written,) = make_baselines("embedded", tmp_path / "text.txt", language="de", idf="background")
    assert written.baseline.model == MULTILINGUAL_NAME
    text, paraphrase, _ = TEXTS["de"]
    pair = [example(paraphrase, text, "de")]
    zero = np.array(written.baseline.layers[2])
    plain, rescaled = BertScore().score(pair), BertScore(baseline="rescale").score(pair)
    np.testing.assert_allclose(rescaled, (plain - zero) / (1 - zero), atol=1e-6)
    by_file = BertScore(baseline=str(written.path))
    np.testing.assert_allclose(by_file.score(pair), rescaled)
    assert read_baseline(written.path).digest in by_file.signature()
    with pytest.raises(MetricError, match=f"no baseline for {MULTILINGUAL_NAME} \\(language fr"):
        BertScore(baseline="rescale").score([example("Il pleut.", "Pluie.", "fr")])
