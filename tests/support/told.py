"""Progress that remembers what it was told."""


class Told:
    def __init__(self):
        self.steps = []
        self.lines = []

    def advance(self, task, done, total):
        self.steps.append((task, done, total))

    def say(self, text):
        self.lines.append(text)
