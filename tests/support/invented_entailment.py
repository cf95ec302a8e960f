"""Invented pairs and labels that a tiny network can learn entailment from."""

import json

import numpy as np

from gistmeter.training.entailment.presence_labels import LabelledUnit

WORDS = ("red", "blue", "old", "new", "big")
THINGS = ("house", "car", "dog", "tree", "boat")


def write_records(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def invent_pairs():
    """What a thing is like: the same word entails, another word of the same thing contradicts, another thing is new."""
    rng = np.random.default_rng(0)
    for _ in range(250):
        word, other = rng.choice(WORDS, 2, replace=False)
        thing, another = rng.choice(THINGS, 2, replace=False)
        for label, hypothesis in (
            ("entailment", f"{word} {thing}"),
            ("contradiction", f"{other} {thing}"),
            ("neutral", f"{other} {another}"),
        ):
            yield {"source": "mnli", "premise": f"the {thing} is {word}", "hypothesis": hypothesis, "label": label}


def nli_record(premise, hypothesis, label="neutral", source="mnli", **more):
    return {"source": source, "premise": premise, "hypothesis": hypothesis, "label": label, **more}


def invent_labels():
    rng = np.random.default_rng(1)
    rows = []
    for document in range(6):
        word, thing = rng.choice(WORDS), rng.choice(THINGS)
        for system in "abcde":
            stated = word if rng.random() < 0.5 else next(w for w in WORDS if w != word)
            rows.append(
                LabelledUnit(f"d{document}", system, 0, f"the {thing} is {stated}", f"{word} {thing}", stated == word)
            )
    return tuple(rows)
