"""A study that people go through to its end."""

import pytest

from study_raters import Clock, PageRater, make_study, open_client


@pytest.fixture
def finish(tmp_path):
    """Makes a study and lets people with these answers go through it; gives its store."""
    stores = []

    def make(task, run, *people, **options):
        clock = Clock()
        store = make_study(tmp_path, task, run=run, clock=clock, raters=len(people), **options)
        client = open_client(store)
        for rater, answer in zip(store.invite(len(people)), people, strict=True):
            page = PageRater(client, store, rater.token, answer, clock, seconds=400).finish()
            assert "handed in" in page.text
        stores.append(store)
        return store

    yield make
    for store in stores:
        store.close()
