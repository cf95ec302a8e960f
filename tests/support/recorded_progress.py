"""Progress that keeps the steps and lines that a training reports."""


class RecordedProgress:
    def __init__(self):
        self.steps = []
        self.lines = []

    def advance(self, task, done, total):
        self.steps.append((task, done, total))

    def say(self, text):
        self.lines.append(text)
