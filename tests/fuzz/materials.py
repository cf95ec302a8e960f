"""Small good files of every kind that commands read: what the fuzzer breaks."""

from __future__ import annotations

import gzip
import json
import warnings
from typing import TYPE_CHECKING

import numpy as np

import gistmeter as gm
from fuzz.studies import write_answered_study
from gistmeter import probe
from gistmeter.api import export_questions
from gistmeter.demo import demo_judgments, demo_run, demo_work

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DOCUMENTS = 3
SYSTEMS_OF_STUDY = 8
DOCUMENTS_OF_STUDY = 8
SYSTEMS = ("careful", "dreamer", "terse")

PYRAMID = r"""<?xml version="1.0"?>
<pyramid>
<startDocumentRegEx><![CDATA[[-]*\n D[0-9]*\.[A-Z]\n[-]*\n]]></startDocumentRegEx>
 <text>
  <line>----</line>
  <line> D1.A</line>
  <line>----</line>
  <line>It rained and snowed.</line>
 </text>
 <scu uid="7" label="There was rain">
  <contributor label="It rained"><part label="It rained" start="16" end="25"/></contributor>
 </scu>
</pyramid>
"""
QUESTIONS = {
    "version": "v2.0",
    "data": [
        {
            "title": "weather",
            "paragraphs": [
                {
                    "context": "It rained in Port Ellery on Tuesday.",
                    "qas": [
                        {
                            "id": "1",
                            "question": "Where did it rain?",
                            "is_impossible": False,
                            "answers": [{"text": "Port Ellery", "answer_start": 13}],
                        },
                        {"id": "2", "question": "Who sang?", "is_impossible": True, "answers": []},
                    ],
                }
            ],
        }
    ],
}


def write_materials(folder: Path, models: bool) -> None:
    """Write one good file of each kind into a folder; without models no questions are asked."""
    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    records = _few_records()
    _write_lines(folder / "run.jsonl", records)
    (folder / "run.jsonl.gz").write_bytes(gzip.compress((folder / "run.jsonl").read_bytes()))
    _write_run_tables(folder, records)
    _write_aligned_lines(folder, records)
    gm.score(folder / "run.jsonl", ["rouge1", "rouge2", "js"], output=folder / "scores.parquet", cache=False)
    for suffix in ("jsonl", "csv"):
        gm.score(folder / "run.jsonl", ["rouge1", "js"], output=folder / f"scores.{suffix}", cache=False)
    scored_pairs = {(record["doc_id"], record["system"]) for record in records}
    people = [json.loads(line) for line in demo_judgments().read_text(encoding="utf-8").splitlines()]
    _write_lines(folder / "people.jsonl", [line for line in people if (line["doc_id"], line["system"]) in scored_pairs])
    _write_people_table(folder, people)
    humans = {(line["doc_id"], line["system"]): line["human"] for line in people}
    doubled = [{**record, "references": [*record["references"], record["summary"]]} for record in records]
    _write_lines(folder / "judged.jsonl", [{**r, "human": humans[r["doc_id"], r["system"]]} for r in doubled])
    first_words = {str(record["doc_id"]): str(record["document"]).split()[0] for record in records}
    _write_lines(
        folder / "spans.jsonl",
        [
            {"doc_id": name, "spans": [{"start": 0, "end": len(word), "text": word}]}
            for name, word in first_words.items()
        ],
    )
    _write_lines(folder / "one.jsonl", [record for record in records if record["doc_id"] == records[0]["doc_id"]])
    _write_answers(folder, models=models)
    (folder / "work.jsonl").write_bytes(demo_work().read_bytes())
    _write_study(folder)
    write_answered_study(folder)
    probe.optimise(folder / "run.jsonl", "js", output=folder / "probe.jsonl", cache=False)
    probe.write_attacks(
        probe.attack(folder / "run.jsonl", ["js"], attacks=["copy"], resamples=20, cache=False),
        folder / "attacks.jsonl",
    )
    (folder / "words.pyr").write_text(PYRAMID, encoding="utf-8")
    (folder / "squad.json").write_text(json.dumps(QUESTIONS), encoding="utf-8")
    (folder / "weights.json").write_text('{"rounds": [], "features": ["a"]}', encoding="utf-8")
    _write_lines(folder / "news.jsonl", [{"text": "It rained. Then it snowed.", "id": str(i)} for i in range(20)])
    pair = {"premise": "It rained.", "hypothesis": "It was wet.", "label": "entailment"}
    _write_lines(folder / "nli.jsonl", [pair] * 20)
    (folder / "news.txt").write_text("It rained.\nThen it snowed.\n" * 20, encoding="utf-8")


def list_materials(folder: Path) -> frozenset[str]:
    """The files there are, those in folders with the folder's name."""
    return frozenset(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def _few_records() -> list[dict[str, object]]:
    records = [json.loads(line) for line in demo_run().read_text(encoding="utf-8").splitlines()]
    chosen = list(dict.fromkeys(record["doc_id"] for record in records))[:DOCUMENTS]
    return [record for record in records if record["doc_id"] in chosen and record["system"] in SYSTEMS]


def _write_lines(path: Path, records: Iterable[object]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def _write_run_tables(folder: Path, records: list[dict[str, object]]) -> None:
    import polars as pl

    rows = [
        {
            "doc_id": record["doc_id"],
            "system": record["system"],
            "summary": record["summary"],
            "reference": record["references"][0],
            "document": record["document"],
        }
        for record in records
    ]
    pl.DataFrame(rows).write_csv(folder / "run.csv")
    pl.DataFrame(rows).write_parquet(folder / "run.parquet")
    _write_lines(folder / "units.jsonl", [_with_units(record) for record in records])


def _with_units(record: dict[str, object]) -> dict[str, object]:
    return {"doc_id": record["doc_id"], "system": record["system"], "units": record.get("units", [])}


def _write_aligned_lines(folder: Path, records: list[dict[str, object]]) -> None:
    for name, system in (("a.txt", SYSTEMS[0]), ("b.txt", SYSTEMS[1])):
        texts = [str(record["summary"]) for record in records if record["system"] == system]
        (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    first = [record for record in records if record["system"] == SYSTEMS[0]]
    (folder / "refs.txt").write_text("\n".join(str(r["references"][0]) for r in first) + "\n", encoding="utf-8")
    (folder / "docs.txt").write_text(
        "\n".join(" ".join(str(r["document"]).split()) for r in first) + "\n", encoding="utf-8"
    )


def _write_people_table(folder: Path, people: list[dict[str, object]]) -> None:
    rows = ["doc_id,system,rater,aspect,value"]
    for line in people[:30]:
        for number, value in enumerate(line["annotators"]["content"]):
            rows.append(f"{line['doc_id']},{line['system']},r{number},content,{value}")
    (folder / "people.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _write_answers(folder: Path, *, models: bool) -> None:
    """Questions for people about the one document, answered."""
    if not models:
        _write_lines(folder / "answers.jsonl", [{"id": "0", "question": "Who voted?", "answer": "the council"}])
        return
    questions = folder / "questions.jsonl"
    export_questions(folder / "one.jsonl", questions)
    lines = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    _write_lines(folder / "answers.jsonl", [{**line, "answer": "the council"} for line in lines])


def _write_study(folder: Path) -> None:
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, SYSTEMS_OF_STUDY)[:, None]
    tables = {
        name: quality + rng.normal(0, noise, (SYSTEMS_OF_STUDY, DOCUMENTS_OF_STUDY))
        for name, noise in (("good", 0.3), ("poor", 2), ("asked", 0.3))
    }
    data = {
        "systems": [f"s{number}" for number in range(SYSTEMS_OF_STUDY)],
        "documents": [f"d{number}" for number in range(DOCUMENTS_OF_STUDY)],
        "scores": {name: table.tolist() for name, table in tables.items()},
        "human": ["asked"],
    }
    (folder / "study.json").write_text(json.dumps(data), encoding="utf-8")
