"""The pages of a rater: instructions, one screen for each item, and the end."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gistmeter.annotate.forms import AnswerError, Question
from gistmeter.annotate.grading import LONGEST_SECONDS, hand_in, hand_in_forgotten
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.web.rendering import render_page
from gistmeter.annotate.web.security import check_form, sign_form
from gistmeter.annotate.words import open_words

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gistmeter.annotate.forms import Block
    from gistmeter.annotate.store import AnswerTime, KeptAnswer, Rater, Store, WorkState
    from gistmeter.annotate.study import Item
    from gistmeter.annotate.web.security import FormStamp

RECENT_ANSWERS = 20
"""The time that is left is told from so many answers."""
MOST_ROWS = 5_000
"""Rows of one assignment in the table of answers, from which on no unfinished answers are kept; twice as many, and
nothing is: no person changes answers so often, and a program could fill the disk."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is sent to a browser: a page, or where to go."""

    html: str = ""
    status: int = 200
    location: str = ""


class RaterPages:
    """What raters see. Each method is a page: it takes what the address and the form say, and gives what is sent."""

    def __init__(self, store: Store, prefix: str = "") -> None:
        self.store = store
        self.study = store.study
        self.task = find_task(self.study.settings.task)
        self.words = open_words(self.study.settings.language, self.task.name, self.study.settings.words)
        self.prefix = prefix

    @property
    def title(self) -> str:
        """What the study is called."""
        return self.study.settings.title or str(self.words["title"])

    def tell(self, key: str, status: int, **values: Any) -> Page:
        """A page that says one thing."""
        page = self._render("message.html.j2", heading=self.words[f"{key}_title"], text=self.words.say(key, **values))
        return Page(page, status=status)

    def _render(self, template: str, **values: Any) -> str:
        return render_page(template, words=self.words, title=self.title, prefix=self.prefix, **values)

    def _address(self, token: str, *parts: Any) -> str:
        return "/".join([self.prefix, "w", token, *map(str, parts)])

    def _find_rater(self, token: str) -> Rater | None:
        rater = self.store.find_rater(token)
        return rater if rater is not None and rater.expires > self.store.clock() else None

    def _sign(self, rater: Rater, what: str) -> str:
        return sign_form(self.store.secret, f"{rater.id} {what}", self.store.clock())

    def _check(self, rater: Rater, what: str, fields: Mapping[str, str]) -> FormStamp | None:
        return check_form(self.store.secret, f"{rater.id} {what}", fields.get("stamp", ""), self.store.clock())

    def show_start(self, token: str, saved: bool = False) -> Page:
        """The instructions; where work has begun, the next open screen; where none is left, a word of that."""
        rater = self._find_rater(token)
        if rater is None:
            return self.tell("gone", 404)
        work = self.store.find_work(rater.id)
        if work is not None:
            return Page(location=self._next_address(token, work) + ("?saved=1" if saved else ""))
        if not self.store.has_open_work(rater.id):
            hand_in_forgotten(self.store)  # which fails perhaps, and is open then
            if not self.store.has_open_work(rater.id):
                return Page(location=self._address(token, "end"))
        return self._show_instructions(rater, token)

    def _show_instructions(self, rater: Rater, token: str, status: int = 200) -> Page:
        sizes = [len(batch.orders[0]) for batch in self.study.batches.values()]
        html = self._render(
            "start.html.j2",
            rater=rater.name,
            action=self._address(token, "begin"),
            stamp=self._sign(rater, "begin"),
            items=max(sizes),
            minutes=max(1, round(max(sizes) * self.task.item_seconds / 60)),
        )
        return Page(html, status=status)

    def begin(self, token: str, fields: Mapping[str, str]) -> Page:
        """Take an assignment, if there is one left for this rater."""
        rater = self._find_rater(token)
        if rater is None:
            return self.tell("gone", 404)
        if self._check(rater, "begin", fields) is None:
            return self._show_instructions(rater, token, 403)
        hand_in_forgotten(self.store)
        work = self.store.claim_work(rater.id)
        return Page(location=self._address(token, "end") if work is None else self._next_address(token, work))

    def _next_address(self, token: str, work: WorkState, answered: Collection[str] | None = None) -> str:
        """The first screen without an answer; the last page where there is none."""
        answered = self.store.list_answered(work.id) if answered is None else answered
        order = self.study.batches[work.batch].order(work.attempt)
        for position, name in enumerate(order, start=1):
            if name not in answered:
                return self._address(token, position)
        return self._address(token, "end")

    def show_item(self, token: str, position: int, saved: bool = False) -> Page:
        """The screen of an item, with what was answered before."""
        rater = self._find_rater(token)
        work = None if rater is None else self.store.find_work(rater.id)
        if rater is None:
            return self.tell("gone", 404)
        if work is None:
            return Page(location=self._address(token))
        items = self.study.list_items(work.batch, work.attempt)
        if not 1 <= position <= len(items):
            return Page(location=self._address(token))
        item = items[position - 1]
        earlier = self.store.read_last(work.id, item.id)
        fields: Mapping[str, str] = {}
        if earlier is not None:
            is_draft = not earlier.whole
            fields = earlier.value if is_draft else fill_fields(self.task.make_blocks(item), earlier.value)
        return self._render_item(rater, token, work, position, fields, saved=saved, last=earlier)

    def _render_item(
        self,
        rater: Rater,
        token: str,
        work: WorkState,
        position: int,
        fields: Mapping[str, str],
        *,
        last: KeptAnswer | None = None,
        saved: bool = False,
        fault: str = "",
        status: int = 200,
    ) -> Page:
        items = self.study.list_items(work.batch, work.attempt)
        item = items[position - 1]
        answered = self.store.list_answered(work.id)
        recent = [answer.seconds for answer in list(answered.values())[-RECENT_ANSWERS:]]
        rest = (len(items) - len(answered)) * (fmean(recent) if len(recent) > 2 else self.task.item_seconds)
        html = self._render(
            "item.html.j2",
            blocks=self.task.make_blocks(item),
            fields=fields,
            rater=rater.name,
            done=len(answered),
            total=len(items),
            minutes=round(rest / 60),
            action=self._address(token, position),
            back=self._address(token, position - 1) if position > 1 else "",
            forward=self._next_address(token, work, answered) if item.id in answered else "",
            stamp=self._sign(rater, f"{work.id} {item.id}"),
            last=last,
            saved=saved,
            fault=fault,
        )
        return Page(html, status=status)

    def _open_form(
        self, token: str, position: int, fields: Mapping[str, str]
    ) -> tuple[Rater, WorkState, Item, FormStamp | None] | Page:
        """Whose form it is and of which item, or the page that says why it is none."""
        rater = self._find_rater(token)
        if rater is None:
            return self.tell("gone", 404)
        work = self.store.find_work(rater.id)
        if work is None:  # handed in meanwhile, in another tab
            return Page(location=self._address(token))
        items = self.study.list_items(work.batch, work.attempt)
        if not 1 <= position <= len(items):
            return self.tell("gone", 404)
        item = items[position - 1]
        return rater, work, item, self._check(rater, f"{work.id} {item.id}", fields)

    def save_item(self, token: str, position: int, fields: Mapping[str, str]) -> Page:
        """Keep an answer and go on; what is wrong with it is said on the same screen."""
        form = self._open_form(token, position, fields)
        if isinstance(form, Page):
            return form
        rater, work, item, stamp = form
        if stamp is None:
            fault = str(self.words["stale_form"])
            return self._render_item(rater, token, work, position, fields, fault=fault, status=403)
        try:
            answer = self.task.parse_answer(item, fields)
        except AnswerError as error:
            fault = self.words.say(error.key, **error.values)
            return self._render_item(rater, token, work, position, fields, fault=fault, status=422)
        if self.store.count_rows(work.id) >= 2 * MOST_ROWS:
            return self.tell("busy", 429)
        answered = self.store.list_answered(work.id)
        seconds = self._time(stamp, answered)
        is_new = self.store.save_answer(work.id, item.id, answer, seconds=seconds, form=stamp.number)
        if not is_new and self.store.find_work(rater.id) != work:  # handed in while this was on its way
            return Page(location=self._address(token, "end"))
        return Page(location=self._next_address(token, work, {*answered, item.id}) + "?saved=1")

    def save_draft(self, token: str, position: int, fields: Mapping[str, str]) -> Page:
        """Keep what is filled in so far, so that it is there when the page is loaded again."""
        form = self._open_form(token, position, fields)
        if isinstance(form, Page):
            return form
        _, work, item, stamp = form
        if stamp is None:
            return Page(str(self.words["stale_form"]), status=403)
        names = [block.name for block in self.task.make_blocks(item) if isinstance(block, Question)]
        draft = {key: value for key, value in fields.items() if key.partition(".")[0] in names}
        if self.store.count_rows(work.id) < MOST_ROWS:
            number = f"{stamp.number}.{fields.get('draft', '')[:8]}"
            self.store.save_answer(work.id, item.id, draft, seconds=0.0, form=number, whole=False)
        return Page(str(self.words["draft"]))

    def _time(self, stamp: FormStamp, answered: Mapping[str, AnswerTime]) -> float:
        """Seconds since the form was shown, or since the last answer where that is later."""
        last = max((answer.given for answer in answered.values()), default=0.0)
        return min(LONGEST_SECONDS, max(0.0, self.store.clock() - max(stamp.shown, last)))

    def show_end(self, token: str, saved: bool = False) -> Page:
        """What is there to do when no screen is open: hand in, go on with the next part, or nothing."""
        rater = self._find_rater(token)
        if rater is None:
            return self.tell("gone", 404)
        work = self.store.find_work(rater.id)
        finished = [state for state in self.store.list_work() if state.rater == rater.id and state.finished]
        if work is not None:
            total = len(self.study.list_items(work.batch, work.attempt))
            if len(self.store.list_answered(work.id)) < total:
                return Page(location=self._next_address(token, work))
            html = self._render(
                "hand_in.html.j2",
                rater=rater.name,
                saved=saved,
                total=total,
                action=self._address(token, "hand-in"),
                back=self._address(token, total),
                stamp=self._sign(rater, f"hand in {work.id}"),
            )
            return Page(html)
        code = self._code(finished[-1]) if finished else ""
        html = self._render(
            "end.html.j2",
            rater=rater.name,
            code=code,
            action=self._address(token, "begin"),
            stamp=self._sign(rater, "begin"),
            more=self.store.has_open_work(rater.id),
        )
        return Page(html)

    def _code(self, work: WorkState) -> str:
        """What a rater shows to a crowd platform as a proof of work."""
        mark = hmac.new(self.store.secret, f"code {work.id}".encode(), hashlib.sha256).hexdigest()
        return mark[:10].upper()

    def hand_in_work(self, token: str, fields: Mapping[str, str]) -> Page:
        """Close an assignment whose screens are all answered."""
        rater = self._find_rater(token)
        if rater is None:
            return self.tell("gone", 404)
        work = self.store.find_work(rater.id)
        if work is None:
            return Page(location=self._address(token, "end"))
        total = len(self.study.list_items(work.batch, work.attempt))
        signed = self._check(rater, f"hand in {work.id}", fields) is not None
        if signed and len(self.store.list_answered(work.id)) == total:
            hand_in(self.store, work)
        return Page(location=self._address(token, "end"))


def fill_fields(blocks: list[Block], answer: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form as they were when an answer was given."""
    fields: dict[str, str] = {}
    for block in blocks:
        if isinstance(block, Question) and block.name in answer:
            fields |= block.fill_fields(answer[block.name])
    return fields
