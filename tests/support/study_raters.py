"""A small study, and raters who go through its pages as a browser without JavaScript would."""

import random
import re
from html.parser import HTMLParser

from starlette.testclient import TestClient

from gistmeter.annotate import Store, design_study
from gistmeter.annotate.web.app import make_app
from gistmeter.example import Example

DOCUMENTS = 6


def examples(documents=DOCUMENTS, systems=("lead", "model"), **more):
    """Summaries that differ from their references by a word, with units, each document about a town of its own."""
    towns = ["Arle", "Bryn", "Corve", "Dunmore", "Esk", "Fal", "Gade", "Hythe", "Iden", "Jura"]
    return [
        Example(
            doc_id=f"d{number}",
            system=system,
            summary=f"It also rained in {towns[number % 10]} {number}, said {system}. Then it stopped.",
            references=[f"Much rain fell over {towns[number % 10]} {number}. It was very wet."],
            document=f"Rain fell all day in {towns[number % 10]}. Nobody was hurt. It was wet.",
            units=[f"It rained in {towns[number % 10]}.", "It was wet."],
            **more,
        )
        for number in range(documents)
        for system in systems
    ]


def make_study(folder, task="focus-coverage", *, clock=None, run=None, **options):
    """A designed study and its store; time goes by `clock` where it is given."""
    plan = design_study(run or examples(), task, folder / "study", **{"per_assignment": 10, "raters": 2, **options})
    return Store(plan.study, **({"clock": clock} if clock else {}))


def open_client(store, **options):
    """Somebody on this machine who asks for the pages of a study."""
    return TestClient(make_app(store, **options), base_url="http://localhost")


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


class _Forms(HTMLParser):
    """The hidden fields and the action of the forms of a page."""

    def __init__(self):
        super().__init__()
        self.action, self.fields = "", {}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form":
            self.action = values.get("action", "")
        if tag == "input" and values.get("type") == "hidden":
            self.fields[values["name"]] = values["value"]


def read_form(html):
    """The action of the form of a page, and its hidden fields."""
    forms = _Forms()
    forms.feed(html)
    return forms.action, forms.fields


class PageRater:
    """Somebody with a personal link. `answer` gives the fields for an item, which it finds by the text of the page."""

    def __init__(self, client, store, token, answer, clock=None, seconds=20.0):
        self.client, self.store, self.token = client, store, token
        self.answer, self.clock, self.seconds = answer, clock, seconds
        self.given = 0

    def start(self):
        """Open the link and begin; gives the page of the first item."""
        page = self.client.get(f"/w/{self.token}")
        action, fields = read_form(page.text)
        return self.client.post(action, data=fields) if action.endswith("/begin") else page

    def current_item(self):
        """The item that is shown next, as the store knows it."""
        rater = self.store.find_rater(self.token)
        work = self.store.find_work(rater.id)
        answers = self.store.read_answers(work.id)
        return next(item for item in self.store.study.list_items(work.batch, work.attempt) if item.id not in answers)

    def finish(self, most=10_000):
        """Answer all items of an assignment and hand it in; gives the last page."""
        page = self.start()
        while most:
            action, fields = read_form(page.text)
            if re.search(r"/w/[^/]+/\d+$", action):
                if self.clock:
                    self.clock.now += self.seconds
                page = self.client.post(action, data={**fields, **self.answer(self.current_item())})
                assert page.status_code == 200, page.text
                self.given += 1
            elif action.endswith("/hand-in"):
                return self.client.post(action, data=fields)
            else:
                return page
            most -= 1
        return page


def good_slider(rng=None):
    """Answers of somebody who reads: controls right, the rest near what they should be."""
    rng = rng or random.Random(0)

    def answer(item):
        value = {"same": 97, "different": 2}.get(item.control)
        return {"value": str(value if value is not None else min(100, max(0, 60 + rng.randint(-30, 30))))}

    return answer
