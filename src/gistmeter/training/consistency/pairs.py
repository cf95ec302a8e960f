"""All that a judge of consistency learns from, as pairs of passages and claims; without what must not be learned from.

Four sources: documents, of which claims are made by rules (`claims`); questions with their answers, told as statements
(`statements`); claims with evidence that people judged; and entailment pairs, some with a second premise. A share of
the documents, chosen by content, is held out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.models.consistency.passages import split_document
from gistmeter.training.answering.examples import qa_sets, read_questions
from gistmeter.training.consistency.claims import ClaimPair, SourceText, make_claim_pairs
from gistmeter.training.consistency.statements import make_statement_pairs
from gistmeter.training.entailment.nli_pairs import add_neighbours, nli_sets, read_nli_pairs
from gistmeter.training.licences import check_set, licence_problem
from gistmeter.training.sources.evaluated import shares_run
from gistmeter.training.sources.named_sets import content_key, draw_from_sets, read_sets
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.training.consistency.recipe import ConsistencyData, ConsistencyRecipe
    from gistmeter.training.sources.records import Record

_SETS = "consistency/sets.toml"
_MIN_SENTENCES = 6
_TITLE_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPairs:
    """Pairs to learn from, pairs of documents held out, and what was left out and why."""

    train: tuple[ClaimPair, ...]
    held_out: tuple[ClaimPair, ...]
    left_out: Mapping[str, int]
    documents: tuple[SourceText, ...] = ()
    """Documents that no pair to learn from is of: the combination is fitted and tested on them."""


def claim_sets() -> Mapping[str, Mapping[str, Any]]:
    """What is known of each set: licence, citation, and whether it may be learned from."""
    own = read_sets(Path(__file__).parent / "sets.toml")
    return {**nli_sets(), **qa_sets(), **own}


def gather_pairs(data: ConsistencyData, recipe: ConsistencyRecipe, refused: frozenset[int]) -> ClaimPairs:
    """The pairs of all sources, at most as many of each set as asked for."""
    left_out: Counter[str] = Counter()
    limits = dict(data.most)
    every = read_documents(data.documents, refused=refused, left_out=left_out)
    documents = draw_documents(every, limits, claims=recipe.claims, seed=recipe.seed)
    drawn_ids = {id(text) for text in documents}
    others = [text for text in every if id(text) not in drawn_ids]
    questions = (
        read_questions(data.questions, limits=_limits_of(limits, qa_sets()), refused=refused, seed=recipe.seed).train
        if data.questions
        else ()
    )
    all_pairs = chain(
        make_claim_pairs(documents, claims=recipe.claims, seed=recipe.seed),
        make_statement_pairs(questions, seed=recipe.seed),
        _read_judged(data.judged, refused=refused, left_out=left_out),
        _read_entailment(data, recipe, limits, refused),
    )
    by_set: dict[str, list[ClaimPair]] = defaultdict(list)
    held_out: list[ClaimPair] = []
    for pair in all_pairs:
        if not pair.premise.strip() or not pair.claim.strip():
            continue
        if int.from_bytes(content_key(pair.premise)) / 2**64 < recipe.held_out:
            held_out.append(pair)
        else:
            by_set[pair.source].append(pair)
    rng = np.random.default_rng((recipe.seed, 17))
    train: list[ClaimPair] = []
    for source, pairs in sorted(by_set.items()):
        count = min(len(pairs), limits.get(source, len(pairs)))
        left_out["more than asked for"] += len(pairs) - count
        train += [pairs[number] for number in rng.permutation(len(pairs))[:count].tolist()]
    if not train:
        raise DataError("there are no pairs to learn from: give documents, questions, judged claims or entailment")
    return ClaimPairs(
        train=tuple(train),
        held_out=tuple(held_out),
        left_out=dict(+left_out),
        documents=tuple(others[number] for number in rng.permutation(len(others))[: recipe.combined].tolist()),
    )


def read_documents(files: Sequence[str], *, refused: frozenset[int], left_out: Counter[str]) -> tuple[SourceText, ...]:
    """Documents with their titles and summaries, of those whose licence allows it and that nothing is evaluated on."""
    texts: list[SourceText] = []
    for file in files:
        source = PurePath(file).name.partition(".")[0]
        for record in read_records(file):
            check_set(source, claim_sets(), record.fields, position=record.position, table_file=_SETS)
            problem = licence_problem(record.fields, claim_sets().get(source))
            text = _read_document(record, source)
            if problem is None and refused and shares_run(" ".join(text.sentences), refused):
                problem = "evaluation text"
            if problem is None and len(text.sentences) < _MIN_SENTENCES:
                problem = "too short"
            if problem is None:
                texts.append(text)
            else:
                left_out[problem] += 1
    return tuple(texts)


def draw_documents(
    texts: Sequence[SourceText], limits: Mapping[str, int], *, claims: int, seed: int
) -> list[SourceText]:
    """As many documents of each set as its limit of pairs needs: a claim makes two."""
    by_set: dict[str, list[SourceText]] = defaultdict(list)
    for text in texts:
        by_set[text.source].append(text)
    needed = {source: -(-most // (2 * claims)) for source, most in limits.items()}
    return draw_from_sets(by_set, needed.get, seed=seed).examples


def _read_document(record: Record, source: str) -> SourceText:
    fields = record.fields
    paragraphs = fields.get("paragraphs") or [fields.get("document") or fields.get("text") or ""]
    if not any(paragraphs):
        raise DataError(f"{record.position} has no text (paragraphs, document or text)")
    title = str(fields.get("title") or "").strip()
    written = [f"{title}."] if len(title.split()) >= _TITLE_WORDS and "?" not in title else []
    written += [
        str(summary["text"]) for summary in fields.get("summaries", ()) if str(summary["by"]).startswith("human")
    ]
    return SourceText(split_document("\n".join(paragraphs)).sentences, source, tuple(written))


def _read_judged(files: Sequence[str], *, refused: frozenset[int], left_out: Counter[str]) -> Iterator[ClaimPair]:
    """Claims with evidence that people judged: JSONL with premise, hypothesis, supported (0 or 1) and source."""
    for record in (record for file in files for record in read_records(file)):
        fields = record.fields
        source, label = str(fields.get("source")), fields.get("supported")
        if label not in (0, 1):
            raise DataError(f"{record.position} does not say whether its claim is supported: `supported` is 0 or 1")
        check_set(source, claim_sets(), fields, position=record.position, table_file=_SETS)
        premise, claim = (" ".join(str(fields.get(name, "")).split()) for name in ("premise", "hypothesis"))
        problem = licence_problem(fields, claim_sets().get(source))
        if problem is None and any(shares_run(text, refused) for text in (premise, claim)):
            problem = "evaluation text"
        if problem is None:
            yield ClaimPair(premise=premise, claim=claim, label=0 if label else 3, kind="judged", source=source)
        else:
            left_out[problem] += 1


def _read_entailment(
    data: ConsistencyData, recipe: ConsistencyRecipe, limits: Mapping[str, int], refused: frozenset[int]
) -> Iterator[ClaimPair]:
    if not data.entailment:
        return
    pairs = read_nli_pairs(
        data.entailment, limits=_limits_of(limits, nli_sets()), refused=refused, held_out=0.0, seed=recipe.seed
    )
    for pair in add_neighbours(pairs.train, recipe.joined, seed=recipe.seed):
        yield ClaimPair(
            premise=pair.premise, claim=pair.hypothesis, label=pair.label, kind="entailment", source=pair.source
        )


def _limits_of(limits: Mapping[str, int], sets: Mapping[str, Any]) -> dict[str, int]:
    return {name: most for name, most in limits.items() if name in sets}
