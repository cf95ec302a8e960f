"""The words of the pages: every language has every word, with what is put in, and a study can bring its own."""

import re
import string
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from gistmeter import annotate
from gistmeter.annotate.tasks import TASKS
from gistmeter.annotate.words import LANGUAGES, check_words, list_words, open_words, read_own_words
from gistmeter.errors import DataError
from study_raters import PageRater, examples, good_slider, make_study, open_client


def read_file(language):
    return tomllib.loads((files("gistmeter.annotate.words") / f"{language}.toml").read_text("utf-8"))


def flatten(words):
    """Every word with its key; instructions are one for each line."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{inner}", text) for inner, text in flatten(value))
        elif isinstance(value, list):
            yield from ((f"{key}.{number}", text) for number, text in enumerate(value))
        else:
            yield key, value


def find_holes(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word_with_what_is_put_in(language):
    english, words = dict(flatten(read_file("en"))), dict(flatten(read_file(language)))
    assert set(words) == set(english)
    assert [key for key, text in words.items() if not text.strip()] == []
    assert {key: find_holes(text) for key, text in words.items()} == {
        key: find_holes(text) for key, text in english.items()
    }


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_words_are_translated(language):
    english, words = dict(flatten(read_file("en"))), dict(flatten(read_file(language)))
    same = {key for key, text in words.items() if text == english[key] and re.search(r"[a-z]{3}", text)}
    # Names that languages share: French `Article`, German `Text A`; and what is only put in.
    assert len(same) <= 15, same


def test_every_task_has_words():
    assert set(read_file("en")["tasks"]) == set(TASKS)


def test_templates_use_no_word_that_is_not_there():
    words = {key for task in TASKS for key in list_words("en", task)}
    folder = files("gistmeter.annotate.web") / "templates"
    templates = [folder / name for name in ("item.html.j2", "start.html.j2", "end.html.j2", "hand_in.html.j2")]
    templates += list((folder / "blocks").iterdir())
    for template in templates:
        text = template.read_text("utf-8")
        used = re.findall(r'words\["(\w+)"\]|words\.say\("(\w+)"', text)
        assert {first or second for first, second in used} <= words, template.name


def test_every_word_is_said_somewhere():
    """A word that no page says would be translated, and replaced by studies, for nothing."""
    package = Path(annotate.__file__).parent
    sources = [file for pattern in ("*.py", "*.j2") for file in package.rglob(pattern)]
    quoted = set(re.findall(r'"(\w+)"', "\n".join(file.read_text("utf-8") for file in sources)))
    kinds = {file.name.partition(".")[0] for file in (package / "web/templates/blocks").iterdir()}
    for task in TASKS:
        for key in list_words("en", task):
            said_of_blocks = key.startswith("keys_") and key.removeprefix("keys_") in kinds
            assert said_of_blocks or {key, key.removesuffix("_title")} & quoted, (task, key)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_speak_the_language_of_the_study(tmp_path, language):
    store = make_study(tmp_path, language=language, controls=0)
    words = open_words(language, "focus-coverage")
    client = open_client(store)
    [rater] = store.invite(1)
    start = client.get(f"/w/{rater.token}").text
    assert f'<html lang="{language}">' in start
    assert words["instructions"][0] in start
    page = PageRater(client, store, rater.token, good_slider()).start().text
    assert words["save"] in page
    assert words["question"] in page
    assert words["gone_title"] in client.get("/w/nobody").text
    store.close()


def test_pages_are_in_the_language_of_the_summaries_unless_told(tmp_path):
    assert make_study(tmp_path, run=examples(language="fr")).study.settings.language == "fr"


def test_a_study_brings_its_own_words(tmp_path):
    (tmp_path / "own.toml").write_text('title = "Rain"\ninstructions = ["Look <b>twice</b>."]\n')
    (tmp_path / "own.txt").write_text("Look once.\n\n Then answer. \n")
    assert read_own_words(tmp_path / "own.txt") == {"instructions": ["Look once.", "Then answer."]}
    store = make_study(tmp_path, words=read_own_words(tmp_path / "own.toml"))
    [rater] = store.invite(1)
    start = open_client(store).get(f"/w/{rater.token}").text
    assert "<h1>Rain</h1>" in start
    assert "Look &lt;b&gt;twice&lt;/b&gt;." in start
    store.close()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("own.toml", b"title = ", "is not TOML"),
        ("own.txt", b"\n \n", "has no instructions"),
        ("own.txt", b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_words_that_cannot_be_read_are_refused(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=words):
        read_own_words(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x" * 70_000, "is too long for words of a page: 64 KiB at most"),
        (b"Read \xff both.", "is not UTF-8"),
        (b"Read\x07 both.", r"a character that no page can show \(U\+0007\)"),
        (b"Read both.\n" * 101, "has 101 lines: 100 at most"),
        (b"r" * 2_001, "has a line of more than 2,000 characters"),
        (b" \n \n", "has no instructions"),
    ],
)
def test_instructions_that_no_page_can_show_are_refused(tmp_path, content, words):
    file = tmp_path / "mine.txt"
    file.write_bytes(content)
    with pytest.raises(DataError, match=words):
        check_words(read_own_words(file), "coherence")


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (
            {"progress": "{name} of {total}"},
            r"'progress' of the study's words has \{name\}, but \{done\}, \{total\} is",
        ),
        ({"title": "Rain {0}"}, r"has \{0\}, but nothing is put in there"),
        ({"progress": "{done of {total}"}, "cannot be read"),
        ({"begin": " "}, "'begin' of the study's words is empty"),
    ],
)
def test_own_words_have_places_for_what_pages_put_in(own, words):
    with pytest.raises(DataError, match=words):
        check_words(own, "coherence")


def test_a_text_file_may_begin_with_the_mark_of_its_encoding(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_bytes(b"\xef\xbb\xbfRead both.\n")
    assert read_own_words(file) == {"instructions": ["Read both."]}
