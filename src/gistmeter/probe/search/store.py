"""What searches found, kept in the score cache: a search that was stopped goes on with the next document."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Self

import msgspec

from gistmeter.probe.search.strategies import Found
from gistmeter.scoring.cache import ScoreCache, cache_path, encode_fields, identify_metric, module_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.probe.sources import SourceDocument
    from gistmeter.probe.target import Target

_SEARCH_MODULE = "gistmeter.probe.search.document"
"""Who searches: what was found by other code of it, or of what it imports, does not count."""


class FindStore:
    """Finds by document, for one metric and one way to search; without a cache nothing is kept."""

    def __init__(self, target: Target, settings: Mapping[str, str], *, cache: bool) -> None:
        self._cache = ScoreCache(cache_path()) if cache else None
        self._identity = b""
        if self._cache is not None:
            ways = [f"{name}={value}" for name, value in sorted(settings.items())]
            fields = encode_fields([("search", (target.column.name, module_digest(_SEARCH_MODULE), *ways))])
            self._identity = fields + identify_metric(target.metric)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._cache is not None:
            self._cache.close()

    def find(self, source: SourceDocument) -> Found | None:
        """What an earlier search of this document found; None where there was none."""
        if self._cache is None:
            return None
        key = self._key(source)
        packed = self._cache.find([key]).get(key)
        try:
            return None if packed is None else msgspec.json.decode(packed, type=Found)
        except (msgspec.DecodeError, msgspec.ValidationError):
            return None

    def keep(self, source: SourceDocument, best: Found) -> None:
        """Keep what was found."""
        if self._cache is not None:
            self._cache.store({self._key(source): msgspec.json.encode(best)})

    def _key(self, source: SourceDocument) -> bytes:
        first = source.first
        content = encode_fields([("language", (first.language,)), ("documents", first.documents)])
        return hashlib.blake2b(self._identity + content, digest_size=16).digest()
