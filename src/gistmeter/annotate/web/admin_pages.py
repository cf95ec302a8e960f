"""The page of the person who runs a study: progress, people, agreement, and a button that invites another rater."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from gistmeter.annotate.grading import hand_in_forgotten
from gistmeter.annotate.progress import measure_progress
from gistmeter.annotate.web.rater_pages import Page, RaterPages
from gistmeter.annotate.web.rendering import render_page
from gistmeter.annotate.web.security import check_form, sign_form
from gistmeter.report.tables.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.annotate.progress import StudyProgress
    from gistmeter.annotate.results.agreement import StudyAgreement
    from gistmeter.annotate.store import Store


class AdminPages:
    """What the person who runs the study sees, behind a token of its own."""

    def __init__(self, store: Store, base_url: str = "", prefix: str = "") -> None:
        self.store = store
        self.base_url = base_url
        self.prefix = prefix
        self._raters = RaterPages(store, prefix)
        self._agreement: dict[int, tuple[StudyAgreement, ...]] = {}

    def _measure(self) -> StudyProgress:
        """How far the study is; agreement, which takes a moment, is measured when something was handed in."""
        hand_in_forgotten(self.store)
        finished = sum(work.finished is not None for work in self.store.list_work())
        progress = measure_progress(self.store, agreement=self._agreement.get(finished))
        self._agreement = {finished: progress.agreement}
        return progress

    def _is_admin(self, token: str) -> bool:
        return hmac.compare_digest(self.store.admin_token.encode(), token.encode("utf-8", "replace"))

    def show_progress(self, token: str, saved: bool = False) -> Page:
        """How far the study is."""
        if not self._is_admin(token):
            return self._raters.tell("gone", 404)
        html = render_page(
            "admin.html.j2",
            words=self._raters.words,
            title=self._raters.title,
            prefix=self.prefix,
            progress=self._measure(),
            settings=self.store.study.settings,
            links={rater.name: f"{self.base_url}/w/{rater.token}" for rater in self.store.list_raters()},
            action=f"{self.prefix}/admin/{token}/invite",
            stamp=sign_form(self.store.secret, "invite", self.store.clock()),
            invited=saved,
            number=format_number,
        )
        return Page(html)

    def invite(self, token: str, fields: Mapping[str, str]) -> Page:
        """Make one more personal link."""
        if not self._is_admin(token):
            return self._raters.tell("gone", 404)
        address = f"{self.prefix}/admin/{token}"
        stamp = check_form(self.store.secret, "invite", fields.get("stamp", ""), self.store.clock())
        if stamp is None or not self.store.use_number(stamp.number):
            return Page(location=address)
        self.store.invite(1)
        return Page(location=f"{address}?saved=1")
