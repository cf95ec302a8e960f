"""What packages of rules say on texts: the behaviour that the version in a signature stands for.

Each function takes one text and writes down, line by line, all that the rules of a package decide about it. Where a
trained network has the last word, what the rules tell the network is written down too: weights have digests of their
own in signatures.
"""

from __future__ import annotations

import hashlib
import zlib
from contextlib import contextmanager
from unittest import mock

import numpy as np

from gistmeter import units
from gistmeter.linguistics import coreference, edus, roles, trees
from gistmeter.linguistics.coreference import resolver
from gistmeter.linguistics.edus import features as edu_features
from gistmeter.linguistics.edus import segmenter
from gistmeter.linguistics.parser import Parser, load_parser
from gistmeter.linguistics.people import attributes
from gistmeter.linguistics.phrases import PHRASE_KINDS
from gistmeter.linguistics.roles import labeller
from gistmeter.linguistics.trees import parser as tree_parser
from gistmeter.linguistics.trees.steps import DONE, PhraseGrowth, innermost_first
from gistmeter.models import asking, presence
from gistmeter.models.answering import slots
from gistmeter.models.answering.slots import answerer, texts
from gistmeter.models.answering.slots import features as slot_features
from gistmeter.models.asking import asker
from gistmeter.models.runtime.states import Encoded
from gistmeter.text.sentences import find_sentences
from gistmeter.units import easiness
from gistmeter.units.extract import extract_units
from gistmeter.units.references import split_references
from presence_behaviour import judge_units

QUESTION_MARK = " ?? "
"""In a probe of the slot answerer: what stands before it is a text, what follows are questions to it."""


def ask(text):
    """The questions about the phrases of a text, for each way to choose phrases, and who may be a person in it."""
    for sentence in _sentences(text):
        yield from describe_people(sentence)
    for kind in PHRASE_KINDS:
        (questions,) = asker.load_asker(answers=kind).questions([text])
        for question in questions:
            yield f"{kind} {question.start}-{question.end} {question.answer}: {question.text}"


def describe_people(text):
    """What the word lists about people say of the noun phrases of a text, also where nobody asks."""
    (doc,) = load_parser().parse([text], entities=True)
    for chunk in doc.noun_chunks:
        name = [word.lower_ for word in chunk if word.pos_ == "PROPN"]
        yield f"{chunk.text}: {attributes.classify_noun(chunk.root)} {attributes.infer_name_gender(name)}"


def label_roles(text):
    """The frames of the sentences of a text."""
    for sentence in labeller.label_roles(_sentences(text)):
        for frame in sentence.frames:
            before, after = ([sentence.text(*span) for span in spans] for spans in (frame.before, frame.after))
            yield f"{before} {sentence.text(*frame.verb)} {frame.verb} {after}"


def resolve(text):
    """The mentions of a text, what speaks for each link between them, and the clusters."""
    docs = load_parser().parse(_sentences(text), entities=True)
    choices = resolver.list_choices(docs)
    for choice in choices:
        mention = choice.mention
        yield f"{mention.start}-{mention.end} after {[other.start for other in choice.others]}"
        yield from (" & ".join(features) for features in choice.features)
    with mock.patch.object(resolver, "list_choices", return_value=choices):
        yield str(resolver.find_clusters(_sentences(text)))
        # With endless caution the network links nothing, and with none all: what rules forbid and add then shows.
        for caution in (1e9, -1e9):
            yield str(resolver.link_mentions(docs, resolver.load_linker(), caution=caution))


def cut_units(text):
    """The content units of a text: with its own words, with names where that is sure, and with names everywhere."""
    sentences = split_references([text])
    labelled = labeller.label_roles(sentences)
    clusters = resolver.find_clusters(sentences)
    for clusters_used, confident in (((), True), (clusters, True), (clusters, False)):
        units_cut = extract_units(labelled, clusters_used, confident=confident)
        yield from (f"{unit.sentence} {unit.text}" for unit in units_cut)


def segment(text):
    """The discourse units of a text, what the network is told of each word, and how long lines are taken in parts."""
    segmenter._span_cache.clear()
    (spans,) = segmenter.segment([text])
    yield from (text[start:end] for start, end in spans)
    hashes = edu_features.describe_words(load_parser().parse([text])).hashes
    yield from (hashlib.blake2b(row.tobytes(), digest_size=8).hexdigest() for row in hashes)
    yield f"in German {segmenter.segment([text], 'de')}"
    yield f"lines of at most {segmenter.MAX_LINE_CHARACTERS} characters"
    with mock.patch.object(segmenter, "MAX_LINE_CHARACTERS", 80):
        yield str(list(segmenter._find_lines(text)))


def draw_trees(text):
    """The phrase trees of the sentences of a text, by the network and by one that listens to every observation."""
    parsed = []

    def build_tree(doc, network, build=tree_parser.build_tree):
        parsed.append(doc)
        return build(doc, network)

    with mock.patch.object(tree_parser, "build_tree", build_tree):
        yield from map(str, tree_parser.parse_trees(_sentences(text)))
    yield from (str(tree_parser.build_tree(doc, _ListeningNetwork())) for doc in parsed)


def describe_easiness(text):
    """The features of the units and of the phrase tree of each sentence, from which its easiness is predicted."""
    for tree in tree_parser.parse_trees(_sentences(text)):
        yield str(easiness.describe_tree(tree))
    for sentence in _sentences(text):
        texts_cut = [unit.text for unit in extract_units(labeller.label_roles([sentence]), confident=True)]
        yield " ".join(f"{value:.4f}" for value in easiness.describe_units(sentence, texts_cut))


def answer(text):
    """The answers of a text to the questions after it, and what the rules say of the places of its phrases."""
    passage, *questions = text.split(QUESTION_MARK)
    with mock.patch.object(texts, "load_encoder", _WordEncoder):
        (side,) = texts.describe_passages([passage])
        asked = texts.describe_questions(questions)
        given = answerer.SlotAnswerer(answerer.load_slot_answerer()._scale).answers(
            [(question, passage) for question in questions]
        )
    for slot in (*side.slots, *(slot for question in asked for slot in question.slots)):
        yield f"{slot.first}-{slot.last} {slot.governor} {slot.preposition} {sorted(slot.parts)} {slot.steps.tolist()}"
        yield f"{slot.kind} {slot.counts}"
    yield from describe_people(passage)
    for question, result, table in zip(asked, given, slot_features.compute_features(side, asked), strict=True):
        yield f"{question.way}: {result.answered} {[guess.text for guess in result.guesses]}"
        # A billionth more, so that halves and quarters do not fall on the border of two roundings.
        yield from (" ".join(f"{number + 1e-9:.4f}" for number in row) for row in table)


BEHAVIOURS = {
    "asking": (asking, ask),
    "slots": (slots, answer),
    "roles": (roles, label_roles),
    "coreference": (coreference, resolve),
    "units": (units, cut_units),
    "edus": (edus, segment),
    "trees": (trees, draw_trees),
    "easiness": (easiness, describe_easiness),
    "presence": (presence, judge_units),
}
"""Packages of rules by name: where the version stands, and what writes down the behaviour."""


def rules_version(name):
    """The version that signatures show."""
    package, _ = BEHAVIOURS[name]
    return package.EASINESS_VERSION if name == "easiness" else package.RULES_VERSION


def write_down(name, text):
    """What the rules of a package say on one text."""
    return "\n".join(BEHAVIOURS[name][1](text))


def digest(name, probes):
    """Twelve hexadecimal digits over what a package says on probes."""
    whole = hashlib.blake2b(digest_size=6)
    with parse_once() as parse:
        parse([sentence for probe in probes for sentence in _sentences(probe)])
        for probe in probes:
            whole.update(f"{probe}\0{write_down(name, probe)}\0".encode())
    return whole.hexdigest()


_PARSED = {}


@contextmanager
def parse_once():
    """Within this each text is parsed once in a process, however often rules are run on it.

    Names are always looked for: the other parts of the pipeline do not depend on it. Gives what parses many at once.
    """
    plain = Parser.parse

    def parse(self, texts, *, entities=False):
        missing = [text for text in dict.fromkeys(texts) if (self.name, text) not in _PARSED]
        if missing:
            for text, doc in zip(missing, plain(self, missing, entities=True), strict=True):
                _PARSED[self.name, text] = doc
        return [_PARSED[self.name, text] for text in texts]

    with mock.patch.object(Parser, "parse", parse):
        yield load_parser().parse


def _sentences(text):
    return [text[start:end] for start, end in find_sentences(text)]


class _ListeningNetwork:
    """Chooses steps by a hash of all that it is told, so that no observation goes unheard."""

    _steps = ("<", ">", "NP", "VP", "PP", "S", DONE)

    def build_phrases(self, tree):
        built = [[] for _ in tree.words]
        children = tree.children()
        top = []
        for word in innermost_first(tree.heads):
            growth = PhraseGrowth(tree, word, children[word], built)
            while (step := self._choose(growth)) != DONE:
                growth.take(step, built)
            built[word] = top = growth.parts
        return top

    def _choose(self, growth):
        checksum = zlib.crc32("\n".join(sorted(growth.describe())).encode())
        ranked = sorted(self._steps, key=lambda step: zlib.crc32(f"{checksum} {step}".encode()))
        return next((step for step in ranked if growth.allows(step)), DONE)


class _WordEncoder:
    """An encoder whose states are exact on every machine: equal words have equal states, others mostly not."""

    def encode(self, texts, layers):
        return [self._encode(text, layers) for text in texts]

    def _encode(self, text, layers):
        doc = load_parser().nlp.make_doc(text)
        states = np.zeros((len(doc), 64), np.float32)
        for word in doc:
            states[word.i, zlib.crc32(word.lower_.encode()) % 64] = 1
        starts = np.array([word.idx for word in doc], np.int64)
        ends = np.array([word.idx + len(word) for word in doc], np.int64)
        plain = np.zeros(len(doc), bool)
        ids = np.arange(len(doc))
        return Encoded(text, ids, starts, ends, plain, dict.fromkeys(layers, states))
