"""An asker and an answerer by hand, small enough to compute with a pencil.

Every capitalised word is asked for: "Ann won gold." gives "who won gold". An answer is a capitalised word too: the
first one of the sentence that has the largest share of the question's small words; what is left of 1 is the
probability that there is no answer, which must not be above the threshold (0.6 by default).
"""

import re

from gistmeter.models.answering.spans import NO_ANSWER, answer_from_guesses, make_guess
from gistmeter.models.asking.asker import Question

NAME = re.compile(r"\b[A-Z][a-z]+\b")
SENTENCE = re.compile(r"[^.]+")


class ByHand:
    """Remembers what it was asked."""

    def __init__(self):
        self.texts, self.pairs = [], []

    def asker(self, kind):
        self.kind = kind
        return self

    def answerer(self, threshold):
        self.threshold = 0.6 if threshold is None else threshold
        return self

    def identity(self):
        return {"asker": "by hand"}

    def questions(self, texts):
        self.texts += texts
        return [tuple(self._questions(text)) for text in texts]

    def answers(self, pairs):
        self.pairs += pairs
        return [self._answer(*pair) for pair in pairs]

    def _questions(self, text):
        for sentence in SENTENCE.finditer(text):
            for name in NAME.finditer(text, sentence.start(), sentence.end()):
                if self.kind == "entities" and len(name[0]) < 4:
                    continue
                asked = text[sentence.start() : name.start()] + "who" + text[name.end() : sentence.end()]
                yield Question(asked.strip(), name[0], name.start(), name.end())

    def _answer(self, question, text):
        wanted = small(question) - {"who", "masked"}
        best = (0.0, None)
        for sentence in SENTENCE.finditer(text):
            name = NAME.search(text, sentence.start(), sentence.end())
            share = len(wanted & small(sentence[0])) / len(wanted) if wanted else 0.0
            if name and share > best[0]:
                best = (share, name)
        share, name = best
        if name is None:
            return NO_ANSWER
        return answer_from_guesses(
            [make_guess(text, *name.span(), share)], 1 - share, answered=1 - share <= self.threshold
        )


def small(text):
    return set(re.findall(r"\b[a-z]+\b", text))
