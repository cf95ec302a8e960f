"""Evidence as plain data, for JSON: each block with its kind, its fields, and what it says in texts and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.evidence import Block, Pane, Table

if TYPE_CHECKING:
    from gistmeter.evidence import Evidence


def describe_evidence(evidence: Evidence) -> dict[str, Any]:
    """The sentence and the blocks of evidence; marks are counted in characters.

    >>> from gistmeter.evidence import Evidence, Mark
    >>> why = Evidence("rouge1", "1 matched 1-grams", (Pane("summary", "a cat", (Mark(2, 5),)),))
    >>> describe_evidence(why)["blocks"][0]["marks"]
    [{'start': 2, 'end': 5, 'group': 0, 'also': [], 'note': ''}]
    """
    return {"headline": evidence.headline, "blocks": [_describe(block) for block in evidence.blocks]}


def _describe(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        described = {each.name: _describe(getattr(value, each.name)) for each in fields(value)}
        if not isinstance(value, Block):
            return described
        drawn = {} if isinstance(value, Pane | Table) else {"parts": [_describe(part) for part in value.parts()]}
        return {"kind": value.kind, **described, **drawn}
    if isinstance(value, Mapping):
        return {str(key): _describe(part) for key, part in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [_describe(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
