"""The asking role: a table of questions, what holds for any text, models by path, and what is refused."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.phrases import PHRASE_KINDS
from gistmeter.models.asking import RULES_VERSION
from gistmeter.models.asking.asker import Question, ask_by_rules, asking_identity, load_asker
from gistmeter.models.asking.writer import MarkedPhrase, NamedWriter, check_template, fill_template
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import current_settings
from tiny_checkpoints import make_checkpoint

TABLE = tomllib.loads((Path(__file__).parent / "asking_cases.toml").read_text("utf-8"))
CASES = [(group, *line.split(" => ")) for group, lines in TABLE.items() for line in lines.strip().splitlines()]
ODD = [
    "",
    " \n ",
    "?",
    '"',
    "Paris",
    "Paris.",
    "( held )",
    "to be been being",
    "What is what?",
    "THE MAYOR MET THE POPE",
    "£ 5 , 000 - $3m (20%) of 7/8",
    "He said “ she said ” and “ it is ” .",
    "[expletive] the [ mayor ] , ] ran [",
    "A man's man's man's dog's tail .",
    "’s ’s the ’s n’t cat n’t 's",
    "One\n\nTwo dogs ran.\nThree cats\n",
    "北京 has Zürich’s 🐈 cats \u200b and \xa0 dogs .",
    "and the cat, and the dog, and the cow, and the pig and ran and ran and ran and ran.",
    "What she wanted the men to have the women try to do was seen to be done by those helped by the dog.",
]
LETTERS = "aeinorstTheAM 0123456789.,;:!?'’\"“”()[]-–$£%&/\n\t\x00\u200b\xa0éüßñЖя北京日ع🐈"
WORDS = [
    *("the", "a", "of", "in", "and", ",", ".", "'", '"', "(", ")", "was", "ran", "did", "not", "who", "that", "said"),
    *("mayor", "dogs", "Paris", "2005", "$", "5", "%", "Ann", "'s", "n't", "-", "May"),
]


@pytest.fixture(scope="module")
def parsed_cases():
    """The sentences of the table, parsed at once."""
    texts = [marked.replace("[", "").replace("]", "") for _, marked, _ in CASES]
    return dict(zip(texts, load_parser().parse(texts, entities=True), strict=True))


@pytest.mark.parametrize(("group", "marked", "question"), CASES, ids=[f"{case[0]}-{case[1]}" for case in CASES])
def test_the_table_of_questions(group, marked, question, parsed_cases):
    start, end = marked.index("["), marked.index("]") - 1
    doc = parsed_cases[marked.replace("[", "").replace("]", "")]
    assert ask_by_rules(doc.char_span(start, end)) == question


def test_the_table_is_long_enough():
    assert len(CASES) >= 60
    assert len(TABLE) >= 15


def _check(text, asked):
    assert [(item.start, item.end) for item in asked] == sorted((item.start, item.end) for item in asked)
    for question in asked:
        assert text[question.start : question.end] == question.answer
        assert question.answer.strip() == question.answer != ""
        assert question.text.endswith("?")
        assert len(question.text) > 1
        assert not re.search(r"\s{2}|\s\?$", question.text)
        alone = len(re.findall(rf"(?<!\w){re.escape(question.answer)}(?!\w)", text, re.IGNORECASE)) == 1
        if alone:
            assert not re.search(rf"(?<!\w){re.escape(question.answer)}(?!\w)", question.text, re.IGNORECASE)


@pytest.mark.parametrize("kind", PHRASE_KINDS)
def test_odd_texts(kind):
    asked = load_asker(answers=kind).questions(ODD)
    assert len(asked) == len(ODD)
    for text, question in zip(ODD, asked, strict=True):
        _check(text, question)
    assert not any(asked[:6])


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join), st.sampled_from(PHRASE_KINDS))
def test_any_words(text, kind):
    (asked,) = load_asker(answers=kind).questions([text])
    _check(text, asked)


@settings(max_examples=8)
@given(st.lists(st.text(LETTERS, max_size=40), max_size=5))  # several at once: the parser reads a batch faster
def test_any_text(texts):
    for text, asked in zip(texts, load_asker().questions(texts), strict=True):
        _check(text, asked)


def test_questions_of_a_text_do_not_depend_on_the_others():
    texts = ["Ann met Tom in Rome. It rained.", "", "The dog slept.", "Ann met Tom in Rome. It rained."]
    asked = load_asker().questions(texts)
    assert asked[0] == asked[3] == load_asker().questions(texts[:1])[0]
    assert asked[1] == ()
    assert load_asker().questions([]) == []


def test_places_are_in_the_whole_text():
    text = "Hello there.  The dog slept. \n The cat ate the fish."
    (asked,) = load_asker().questions([text])
    assert asked[-1] == Question("What did the cat eat?", "the fish", 43, 51)
    assert text[43:51] == "the fish"


def test_a_sentence_that_says_nothing_else_is_not_asked_about():
    assert load_asker().questions(["The old library."]) == [()]


def test_identity_names_rules_parser_and_answers():
    assert load_asker().identity() == asking_identity()
    assert asking_identity()["asker"] == RULES_VERSION
    assert asking_identity()["parser"] == load_parser().digest
    assert asking_identity(answers="entities") != asking_identity()


@pytest.mark.parametrize("language", ["de", "zh"])
def test_other_languages_are_refused(language):
    with pytest.raises(MetricError, match=f"questions are asked of English texts only, not of texts in '{language}'"):
        load_asker(language=language)


def test_unknown_answers_are_refused():
    with pytest.raises(MetricError, match=r"answers are chunks, entities, maximal, not 'chunk'; did you mean chunks"):
        load_asker(answers="chunk")


def test_what_a_model_by_name_reads():
    marked = MarkedPhrase("Yesterday ", "Ann", " left.")
    assert fill_template("{before}[answer start] {answer} [answer end]{after}", marked) == (
        "Yesterday [answer start] Ann [answer end] left."
    )
    assert fill_template("answer: {answer} context: {sentence}", marked) == "answer: Ann context: Yesterday Ann left."


@pytest.mark.parametrize("template", ["", "{before}{after}", "{answer} {title}", "{answer", "{}"])
def test_a_template_without_an_answer_is_refused(template):
    with pytest.raises(MetricError, match="a template holds"):
        check_template(template)


@pytest.mark.more
def test_a_model_by_path_writes_the_same_alone_as_in_a_batch(tiny):
    asker = load_asker(str(tiny("bart")), template="{before}<{answer}>{after}")
    texts = ["The cat sat on the mat.", "Nobody was surprised by the prices."]
    together = asker.questions(texts)
    assert together == [asker.questions([text])[0] for text in texts]
    for text, asked in zip(texts, together, strict=True):
        assert len(asked) == 2 if "cat" in text else len(asked) == 1
        assert all(
            text[question.start : question.end] == question.answer and question.text.endswith("?") for question in asked
        )
    assert asker.identity()["template"] == "{before}<{answer}>{after}"
    assert asker.identity() == asking_identity(str(tiny("bart")), template="{before}<{answer}>{after}")


@pytest.mark.more
def test_a_checkpoint_that_cannot_write_is_refused(tiny):
    with pytest.raises(MetricError, match="cannot be loaded as an asker"):
        load_asker(str(tiny("bert")))


def test_a_checkpoint_without_its_head_is_refused(tmp_path):
    import json

    from safetensors.torch import load_file, save_file

    folder = make_checkpoint(tmp_path / "t5", "t5")
    parts = load_file(folder / "model.safetensors")
    gone = {name: part for name, part in parts.items() if not name.startswith("decoder.block.0")}
    save_file(gone, folder / "model.safetensors", metadata={"format": "pt"})
    assert json.loads((folder / "config.json").read_text())["model_type"] == "t5"
    with pytest.raises(MetricError, match=r"has no head that writes \(decoder\.block\.0.* is missing"):
        load_asker(str(folder))


def test_a_sentence_longer_than_the_model_reads_keeps_its_phrase(tiny):
    writer = NamedWriter(
        locate(str(tiny("bart"))),
        template="{before}<{answer}>{after}",
        beams=2,
        settings=current_settings(),
    )
    text = writer._fitting(MarkedPhrase("on Monday " * 50, "the cat", " sat" * 50))
    assert "<the cat>" in text
    assert "Monday <" in text
    (question,) = writer.write([MarkedPhrase("on Monday " * 50, "the cat", " sat" * 50)])
    assert question.endswith("?")
    with pytest.raises(MetricError, match=r"the asker reads 40 tokens, too few for 'the cat"):
        writer.write([MarkedPhrase("", "the cat " * 50, "")])


def test_a_model_that_is_not_there_and_no_beams(tiny):
    with pytest.raises(MetricError, match="there is no model folder"):
        load_asker("./nowhere", beams=2)
    with pytest.raises(MetricError, match="does not say with which token it begins to write"):
        load_asker(str(tiny("t5")))
    with pytest.raises(MetricError, match="beams are at least 1, not 0"):
        load_asker(str(tiny("t5")), beams=0)
